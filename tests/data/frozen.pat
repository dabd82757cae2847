# A small inventory that does not change, so that tests of what the commands print
# need not change with the English one.

# what joins conjuncts
class AND = CONJ | CONJP

# A noun phrase headed by its last word (a long trip)
NP-t: (TAG | NML | QP | ADJP)* (head:TAG)
    yes: NP -> DT JJ NN
    no:  NP -> NP PP

# Modified to the right (a trip to Florida)
NP-modr: (head:NP) (SBAR | S | VP | ADJP | PP | ADVP | NP)+
    yes: NP -> NP PP SBAR
    no:  NP -> NP CC NP

# Coordination: the leftmost conjunct is the head (cats and dogs)
NP-crd: (head:NP) NP* AND NP
VP-crd: (head:VP) VP* AND VP
S-crd: (head:S) S* AND S

# A possessor (my sister's)
NP-pos: TAG* (head:TAG) NP
    yes: NP -> NN NP

# A verb and what follows it (gave it to her)
VP-t: (ADVP | RB)* (head:TAG) (NP | PP | S | SBAR | ADJP | ADVP | PRT)*
    no: VP -> MD VP

# An auxiliary over a verb phrase (will go)
VP-aux: TAG (ADVP | RB)* (head:VP)

# A clause with its verb phrase (she left)
S-vp, SQ-vp, SINV-vp: ANY* (head:VP)
    yes: S -> NP ADVP VP

# A clause under a complementizer (that she left)
SBAR-s: (TAG | WHNP | WHADVP | WHPP)* (head:S)

# A preposition and its object (to Florida)
PP-t: (ADVP | RB)* (head:TAG) NT

# Only in speech: nothing in our data
EMBED-t: (head:TAG)

# Headed by the last word (very happy; out)
ADJP-t, ADVP-t, QP-t, NML-t, PRT-t, WHNP-t, WHADVP-t, INTJ-t: TAG* (head:TAG) NT*
