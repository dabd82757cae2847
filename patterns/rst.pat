# Shapes of discourse units (RST), over children written relation/nuclearity
#
# NUC is any nucleus, SAT any satellite. The head of a unit is its leftmost nucleus.
# The name of a construction is the relation and the shape: elaboration-modr. The
# relation is that of the nearest satellite, the right one first, or else of the nuclei.

class NUC = NUCLEUS
class SAT = SATELLITE

# satellites to the right: (nucleus, then what elaborates it)
U-modr: (head:NUC) SAT+
    yes: U -> span/N elaboration/S
    no:  U -> elaboration/S span/N

# satellites to the left: (background, then nucleus)
U-modl: SAT+ (head:NUC)
    yes: U -> background/S span/N
    no:  U -> span/N elaboration/S

# satellites on both sides
U-modlr: SAT+ (head:NUC) SAT+
    yes: U -> background/S span/N elaboration/S
    no:  U -> span/N elaboration/S

# several nuclei: lists, contrasts, sequences
U-crd: (head:NUC) NUC+
    yes: U -> list/N list/N list/N
    no:  U -> span/N elaboration/S

# several nuclei with satellites of their own
U-crdmod: (?=ANY* SAT) SAT* (head:NUC) ANY* NUC ANY*
    yes: U -> background/S list/N list/N
    no:  U -> list/N list/N
