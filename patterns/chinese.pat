# Chinese constructions, for trees in the style of the Penn Chinese Treebank
#
# english.pat explains the notation and what names end in. Here:
#
#     -t      the simple case, headed by a word
#     -nt     no word and no phrase of its own kind: another phrase takes its place
#     -mod    a phrase of the same category with modifiers (-modl, -modr: of one side)
#     -rel    a noun phrase with a clause in front: relative, or complement of the noun
#     -np     a noun phrase with others in front: compound, apposition, or a list
#     -crd    coordination of phrases: the head is the leftmost conjunct
#     -crdt   coordination of words
#     -ser    verb phrases in a row: a series, or coordination without a conjunction
#     -c      a verb with a clause or verb phrase as its complement: modal, control, say
#     -ba -bei    the verb of disposal (ba), the passive (bei)
#     -vp -s -sp -dec    clauses, by what heads or closes them
#
# Heads follow Sun and Jurafsky (2004, table of head rules for Chinese) and the
# bracketing guidelines (Xue and Xia 2000): noun phrases are headed on the right, verb
# phrases and prepositional phrases on the left; what is named after its last word (LCP
# after LC, DNP after DEG, DVP after DEV, a relative CP after DEC) is headed by it. In
# coordination the first conjunct heads, as in all inventories here. A particle at the
# end of a sentence (SP) adds mood: the clause below it stays the head.
#
# Punctuation (PU) is deleted. So a list without a conjunction (a, b) looks like a
# compound (a b): NP-np and VP-ser hold both, and say so by their name.

labels chinese

# ---- Classes ------------------------------------------------------------------
#
# TAG   any tag but CC             NT    any phrase but compounds of verbs
# CONJ  the tag CC                 ANY   any child

# verbs, and compounds of them
class COMPOUND = VCD | VCP | VNV | VPT | VRD | VSB
class BARE = VV | VA | VC | VE
class VERB = BARE | COMPOUND

# brackets that were tagged as words, and other noise of the web
class NOISE = IC | NOI | EM | URL

# tags that cannot head a noun phrase, and those that can
class PARTICLE = AS | DEC | DEG | DER | DEV | ETC | LC | MSP | SP
class WORD = TAG except PARTICLE, NOISE

# any child that does not join conjuncts
class PART = TAG | NT | COMPOUND

# clauses, as modifiers of nouns
class CLAUSE = IP | CP | VP

# around the head of a noun phrase: what is none of NP; what follows it; what may
# precede it and is no clause
class NONP = PART except NP
class TAIL = NONP except WORD
class MODIFIER = NONP except TAG, CLAUSE
class NOCLAUSE = PART except CLAUSE

# in a verb phrase: what is neither verb nor verb phrase; complements that are no clause
class PASSIVE = LB | SB
class ADJUNCT = PART except VERB, VP, BA, PASSIVE
class OBJECT = ADJUNCT except IP, CP
class COMPLEMENT = PART except VERB
class NOMINAL = WORD except VERB, BA, PASSIVE
class PRED = NP | QP | ADJP | PP | DP | LCP | ADVP | CP | DNP
class PREDICATE = PRED | IP | DVP
class ADVERBIAL = NP | QP | VP | IP | PP | LCP | DP | CP | DVP | DNP | ADJP
class AFTERTHOUGHT = PARTICLE | NOISE | INTJ | PRN | SKIP | FLR

# in a clause
class EDGE = PART except IP, VP
class NOVERB = EDGE except VERB

# phrases that can head a node that is no phrase in the strict sense
class STRICT = NT except UCP, PRN, FRAG, LST, INC, INTJ, WHNP, WHPP
class PHRASE = STRICT except SKIP, DFL, FLR, META, EDITED, TYPO, OTH

# elsewhere: any child but one of the node's own kind, or but its usual head
class NONDP = PART except DP
class NONQP = PART except QP
class NOTCLP = NONQP except CLP
class NOTWORD = NOTCLP except TAG
class NONCLP = PART except CLP
class NOCL = PART except IP, VP, CP, DEC, DEG, SP
class NONLCP = PART except LCP
class NONDNP = PART except DNP
class NONDVP = PART except DVP
class NOTLC = NONLCP except LC
class NOTDE = NONDNP except DEG, DEC
class NOTDEV = NONDVP except DEV
class NONPP = PART except PP
class NOADJW = PART except ADJP, TAG
class NOADVP = PART except ADVP


# ---- Noun phrases -------------------------------------------------------------

# Words, the last of which is the head; modifiers may stand in front
# (nutrition therapy; our company; etc. does not count)
NP-t: PART* (head:WORD) TAIL*
    yes: NP -> NN NN
    yes: NP -> PN
    yes: NP -> NP NN
    yes: NP -> ADJP NN ETC
    no:  NP -> NN NP
    no:  NP -> NN CC NN

# With a clause in front, the head is the last NP (the treatment [they received])
NP-rel: PART* CLAUSE PART* (head:NP) TAIL*
    yes: NP -> CP NP
    yes: NP -> QP CP NP
    yes: NP -> IP NP
    no:  NP -> NP VP
    no:  NP -> DNP NP

# With other modifiers in front (their reason; this analysis; three drugs)
NP-modl: NOCLAUSE* MODIFIER NOCLAUSE* (head:NP) TAIL*
    yes: NP -> DNP NP
    yes: NP -> NP ADJP NP
    yes: NP -> QP NP PRN
    no:  NP -> CP NP
    no:  NP -> NP NP

# With nothing but nouns in front: a compound, an apposition, or a list
NP-np: (NP | TAG)+ (head:NP) TAIL*
    yes: NP -> NP NP
    yes: NP -> NN NP
    yes: NP -> NP NP NP
    no:  NP -> ADJP NP
    no:  NP -> NP CC NP

# Modified to the right only (receipts, [six]; the trial [(2017)])
NP-modr: (head:NP) TAIL*
    yes: NP -> NP QP
    yes: NP -> NP PRN
    no:  NP -> NP NP
    no:  NP -> NP NN

# No noun, but a phrase in its place: the last one is the head (the most important
# [one]; twenty)
NP-nt: TAIL* (head:MODIFIER | CLAUSE) (PARTICLE | NOISE)*
    yes: NP -> CP
    yes: NP -> DP QP
    no:  NP -> CP NP
    no:  NP -> NN QP

# Coordination of noun phrases (aspirin and placebo)
NP-crd: CONJ? NONP* (head:NP) PART* (CONJ PART*)+
    yes: NP -> NP CC NP
    yes: NP -> NP NP CC NP
    yes: NP -> ADJP NP CC NP
    no:  NP -> NN CC NN
    no:  NP -> NP NP

# Coordination of words: the word before the conjunction is the head (edema and
# pneumonia)
NP-crdt: CONJ? NONP* (head:WORD) TAIL* (CONJ PART*)+
    yes: NP -> NN CC NN
    yes: NP -> NN NN CC NN
    no:  NP -> NP CC NP
    no:  NP -> NN NN

# Coordination of modifiers or of what stands for a noun: the head is the last NP or
# word after it ([internal and external] causes); in -crdn, where neither is, the first
# phrase
NP-crdm: CONJ? TAIL+ CONJ (PART | CONJ)* (head:NP) TAIL*
    yes: NP -> ADJP CC ADJP NP
    no:  NP -> NP CC ADJP NP
    no:  NP -> ADJP NP

# The same where the noun has no bracket of its own ([internal and external] causes)
NP-crdw: CONJ? TAIL+ CONJ (PART | CONJ)* (head:WORD) TAIL*
    yes: NP -> ADJP CC ADJP NN
    no:  NP -> NN CC NN

# Coordination without a noun: the first phrase is the head (this one and that one)
NP-crdn: CONJ? (head:MODIFIER | CLAUSE) TAIL* (CONJ TAIL+)+
    yes: NP -> QP CC QP
    no:  NP -> NP CC QP


# ---- Determiners, quantities, classifiers ---------------------------------------

# A determiner, alone or with what it takes along (this; each CL; the first three)
DP-t: (ADVP | ADJP | NP | DNP | PP)* (head:TAG) (CLP | QP | ADVP | TAG | NP | ADJP | PRN)*
    yes: DP -> DT
    yes: DP -> DT CLP
    yes: DP -> DT QP
    no:  DP -> DP CC DP
    no:  DP -> ADJP DP

# No determiner, but a phrase in its place
DP-nt: (ADVP | ADJP | NP)* (head:QP | CLP) ((?!DP) NT)*
    yes: DP -> QP
    no:  DP -> DT QP

# Modified (all [these])
DP-mod: NONDP* (head:DP) NONDP*
    yes: DP -> ADVP DP
    no:  DP -> DT CLP
    no:  DP -> DP CC DP

# Coordination of determiners (these and those)
DP-crd: CONJ? NONDP* (head:DP) PART* (CONJ PART*)+
    yes: DP -> DP CC DP
    no:  DP -> DT CC DT

# A quantity with its classifier, which is the head (three CL; two weeks)
QP-clp: NONQP* (head:CLP) NOTCLP*
    yes: QP -> CD CLP
    yes: QP -> ADVP CD CLP
    no:  QP -> CD
    no:  QP -> QP CLP

# A number (twenty; the 2nd): the last word
QP-t: NOTCLP* (head:TAG) NOTWORD*
    yes: QP -> CD
    yes: QP -> CD CD
    yes: QP -> ADVP CD
    no:  QP -> CD CLP
    no:  QP -> CD CC CD

# Modified: the last QP is the head (about [two weeks]; 95 % CI, 0.40 to 0.98)
QP-mod: (QP | NONQP)* (head:QP) NONQP*
    yes: QP -> ADVP QP
    yes: QP -> NP QP
    yes: QP -> QP QP
    yes: QP -> QP CLP
    no:  QP -> QP CC QP
    no:  QP -> CD CLP

# Coordination of quantities, of numbers (phase II and phase III; two or three)
QP-crd: CONJ? NONQP* (head:QP) PART* (CONJ PART*)+
    yes: QP -> QP CC QP
    no:  QP -> CD CC CD

# Coordination of numbers: the one before the conjunction is the head (two or three)
QP-crdt: CONJ? NONQP* (head:TAG) NOTWORD* (CONJ PART*)+
    yes: QP -> CD CC CD
    yes: QP -> CD CC CD CLP
    no:  QP -> QP CC QP

# A phrase of another kind in place of the number
QP-nt: (NOTWORD)* (head:NP | ADJP | VP | DP | IP | PP | ADVP | LCP | PRN | DNP | CP | LST)
    yes: QP -> ADVP ADJP
    no:  QP -> NP QP
    no:  QP -> CD

# A classifier or unit: the last word; modified (CL; [big] CL)
CLP-t: NONCLP* (head:TAG) ((?!TAG) NONCLP)*
    yes: CLP -> M
    yes: CLP -> ADJP M
    no:  CLP -> CLP M CC M
    no:  CLP -> ADJP CLP

# A classifier phrase with modifiers: the last is the head (a [big] piece)
CLP-mod: (CLP | NONCLP)* (head:CLP) NONCLP*
    yes: CLP -> ADJP CLP
    yes: CLP -> CLP M
    no:  CLP -> M
    no:  CLP -> CLP CC CLP

# Coordination of classifier phrases: the first is the head
CLP-crd: CONJ? NONCLP* (head:CLP) PART* (CONJ PART*)+
    yes: CLP -> CLP CC CLP
    no:  CLP -> M CC M

# Coordination of units: the one before the conjunction is the head (days or weeks)
CLP-crdt: CONJ? NONCLP* (head:TAG) NONCLP* (CONJ PART*)+
    yes: CLP -> M CC M
    no:  CLP -> CLP CC CLP


# ---- Verb phrases -------------------------------------------------------------

# A verb with objects and adjuncts; a compound of verbs counts as one (is similar;
# calculated the score; gave him a book)
VP-t: CONJ? ADJUNCT* (head:VERB) OBJECT*
    yes: VP -> VV
    yes: VP -> VV AS NP
    yes: VP -> ADVP VA
    yes: VP -> VRD NP
    no:  VP -> VV VP
    no:  VP -> ADVP VP
    no:  VP -> VV CC VV

# A verb with a clause or a verb phrase as complement (can walk; let people love it;
# found that it works)
VP-c: CONJ? ADJUNCT* (head:VERB) OBJECT* (VP | IP | CP) COMPLEMENT*
    yes: VP -> VV VP
    yes: VP -> VV NP IP
    yes: VP -> VC IP
    no:  VP -> VV NP
    no:  VP -> BA IP

# Disposal: ba with what it takes (ba [the level] [lower])
VP-ba: CONJ? ADJUNCT* (head:BA) PART*
    yes: VP -> BA IP
    yes: VP -> ADVP BA NP VP
    no:  VP -> VV IP

# Passive: bei with what it takes (bei [the patients] [accept])
VP-bei: CONJ? ADJUNCT* (head:PASSIVE) PART*
    yes: VP -> SB VP
    yes: VP -> LB IP
    no:  VP -> BA IP

# A verb phrase with adjuncts outside of it (also [is good]; in Rome [he stays])
VP-mod: CONJ? ADJUNCT* (head:VP) ADJUNCT*
    yes: VP -> ADVP VP
    yes: VP -> PP ADVP VP
    yes: VP -> VP NP
    yes: VP -> MSP VP
    no:  VP -> VP VP
    no:  VP -> VV VP

# Verb phrases in a row, a verb or two among them: a series, or coordination without a
# conjunction; the first is the head (use the scale [to compute] the score)
VP-ser: CONJ? ADJUNCT* (head:VP) ADJUNCT* (VP | VERB | BA | PASSIVE) PART*
    yes: VP -> VP VP
    yes: VP -> ADVP VP VP
    yes: VP -> VP VV
    no:  VP -> VP CC VP
    no:  VP -> VP NP

# Coordination of verb phrases, of verbs (came and saw; buy and sell houses)
VP-crd: CONJ? ADJUNCT* (head:VP) PART* (CONJ PART*)+
    yes: VP -> VP CC VP
    yes: VP -> ADVP VP CC VP
    no:  VP -> VP VP
    no:  VP -> VV CC VV

# Coordination of verbs, with or without a conjunction: the first is the head (buy and
# sell)
VP-crdt: CONJ? ADJUNCT* (head:VERB) (OBJECT* (VERB | BA | PASSIVE) PART* | PART* (CONJ PART*)+)
    yes: VP -> VV CC VV NP
    yes: VP -> VV VV
    no:  VP -> VP CC VP
    no:  VP -> VV NP

# No verb: the predicate is a noun phrase, a quantity, an adjective; the last phrase or
# word is the head (he [twenty years old])
VP-nt: CONJ? ADJUNCT* (head:PREDICATE | NOMINAL) NOISE*
    yes: VP -> QP
    yes: VP -> ADVP NP
    no:  VP -> VV
    no:  VP -> ADVP VP

# Compounds of verbs: coordinated, with a result, with a particle, with "be", A-not-A:
# the first verb is the head ([wash] clean; [look] good)
VCD-t, VRD-t, VPT-t, VCP-t, VNV-t:
    (NT | JJ | AD | NN)* (head:BARE) PART*
    yes: VCD -> VA VA
    yes: VRD -> VV VV
    yes: VRD -> VV AS VV
    yes: VPT -> VV AD VV
    yes: VCP -> VV VC
    yes: VNV -> VV AD VV
    no:  VCD -> NN
    no:  VRD -> NP
    no:  VPT -> AD
    no:  VCP -> NP
    no:  VNV -> AD

# A compound in which the first verb modifies the second, which is the head
VSB-t: PART* (head:BARE) NT*
    yes: VSB -> VV VV
    no:  VSB -> NN


# ---- Clauses ------------------------------------------------------------------

# A clause with a verb phrase, the last of which is the head; subject, topics, adjuncts
# and whole clauses stand before it (the reasons are similar; if so, we leave)
IP-vp: CONJ? PART* (head:VP) EDGE*
    yes: IP -> NP VP
    yes: IP -> VP
    yes: IP -> ADVP NP VP SP
    yes: IP -> IP NP VP
    no:  IP -> NP IP
    no:  IP -> IP CC VP

# A clause with topics or adjuncts outside of it (this trial, [the company paid for it])
IP-mod: CONJ? (EDGE | VP)* (head:IP) EDGE*
    yes: IP -> NP IP
    yes: IP -> CP IP
    yes: IP -> IP PRN
    no:  IP -> IP IP
    no:  IP -> IP VP

# Clauses in a row, with commas only (the taste is sweet, the body smooth)
IP-ser: CONJ? (EDGE | VP)* (head:IP) PART* IP EDGE*
    yes: IP -> IP IP
    yes: IP -> IP IP IP
    yes: IP -> ADVP IP IP
    no:  IP -> IP CC IP
    no:  IP -> NP IP

# Coordination of clauses; of clauses without a bracket of their own, where the first
# verb phrase is the head (people eat more, and two studies show it)
IP-crd: CONJ? (EDGE | VP)* (head:IP) PART* (CONJ PART*)+
    yes: IP -> IP CC IP
    yes: IP -> IP CC VP
    no:  IP -> IP IP

# Coordination of clauses without brackets of their own: the first verb phrase is the
# head
IP-crdv: CONJ? EDGE* (head:VP) (EDGE | VP)* (CONJ PART*)+
    yes: IP -> NP VP CC VP
    no:  IP -> IP CC VP

# A clause with a bare verb
IP-v: CONJ? NOVERB* (head:VERB) EDGE*
    yes: IP -> NP VV
    no:  IP -> NP VP
    no:  IP -> NP NP

# No verb: the last phrase or word is the predicate ([receipts] six; danger!)
IP-nt: CONJ? NOVERB* (head:PRED | UCP | FRAG | NOMINAL) AFTERTHOUGHT*
    yes: IP -> NP QP
    yes: IP -> ADJP
    yes: IP -> NP NN
    no:  IP -> NP VP
    no:  IP -> NP VV

# A clause made into a modifier of nouns by DEC, which is the head (that they took DEC)
CP-dec: CONJ? PART* (head:DEC | DEG) PRN*
    yes: CP -> IP DEC
    yes: CP -> VP DEC
    no:  CP -> IP SP
    no:  CP -> CP

# A sentence with a particle at its end; the clause is the head (this is ready LE)
CP-sp: CONJ? ((?!DEC | DEG) PART)* (head:IP | VP) NOCL* SP NOCL*
    yes: CP -> IP SP
    yes: CP -> NP VP SP
    no:  CP -> IP DEC
    no:  CP -> ADVP IP

# A clause under a conjunction or adverb, or under nothing (if [it is so])
CP-s: (CONJ | (?!DEC | DEG) PART)* (head:IP | VP) ((?!SP) NOCL)*
    yes: CP -> ADVP IP
    yes: CP -> IP
    yes: CP -> NP VP
    yes: CP -> CP IP
    no:  CP -> IP SP
    no:  CP -> CP

# A CP in a CP: what stood beside it was empty, or modifies it
CP-mod: CONJ? NOCL* (head:CP) (SP | NOCL)*
    yes: CP -> CP
    yes: CP -> ADVP CP
    no:  CP -> CP CP
    no:  CP -> CP DEC
    no:  CP -> CP IP

# Coordination, with or without a conjunction
CP-crd: CONJ? NOCL* (head:CP) NOCL* (CP | CONJ) (CP | NOCL | CONJ)*
    yes: CP -> CP CC CP
    yes: CP -> CP CP
    no:  CP -> CP

# No clause: a word or phrase that stands for one
CP-nt: CONJ? NOCL* (head:NOCL) SP?
    yes: CP -> PP
    yes: CP -> ADVP SP
    no:  CP -> PP DEC
    no:  CP -> IP


# ---- Phrases named after their last word ------------------------------------------

# A place or time after its noun: the localiser is the head (table on; three years after)
LCP-t: CONJ? NONLCP* (head:LC) NOTLC*
    yes: LCP -> NP LC
    yes: LCP -> IP LC
    no:  LCP -> NP LCP
    no:  LCP -> NP VV

# What DEG or DEC makes a modifier of nouns (the company DEG; for health DEG)
DNP-t: CONJ? NONDNP* (head:DEG | DEC) NOTDE*
    yes: DNP -> NP DEG
    yes: DNP -> VP DEC
    no:  DNP -> NP DNP

# What DEV makes a modifier of verbs (safely DEV)
DVP-t: CONJ? NONDVP* (head:DEV) NOTDEV*
    yes: DVP -> VP DEV
    no:  DVP -> VP DVP

# Modified, or a list; the last is the head
LCP-mod: CONJ? (LCP | NONLCP)* (head:LCP) NOTLC*
    yes: LCP -> ADVP LCP
    no:  LCP -> NP LC
    no:  LCP -> LCP CC LCP

# A modifier of nouns that is itself modified, or a list: the last is the head
DNP-mod: CONJ? (DNP | NONDNP)* (head:DNP) NOTDE*
    yes: DNP -> NP DNP
    yes: DNP -> DNP DNP
    no:  DNP -> NP DEG
    no:  DNP -> DNP CC DNP

# A modifier of verbs that is itself modified, or a list: the last is the head
DVP-mod: CONJ? (DVP | NONDVP)* (head:DVP) NOTDEV*
    yes: DVP -> VP DVP
    no:  DVP -> VP DEV

# Coordination of places or times: the first is the head (before and after)
LCP-crd: CONJ? NONLCP* (head:LCP) PART* (CONJ PART*)+
    yes: LCP -> LCP CC LCP
    no:  LCP -> NP LC

# Coordination of modifiers of nouns: the first is the head (red and green)
DNP-crd: CONJ? NONDNP* (head:DNP) PART* (CONJ PART*)+
    yes: DNP -> DNP CC DNP
    no:  DNP -> NP DEG

# Coordination of modifiers of verbs: the first is the head (slowly and quietly)
DVP-crd: CONJ? NONDVP* (head:DVP) PART* (CONJ PART*)+
    yes: DVP -> DVP CC DVP
    no:  DVP -> VP DEV


# ---- Prepositional phrases ----------------------------------------------------

# The head is the preposition (in patients; to lower the level)
PP-t: CONJ? ((?!P) NONPP)* (head:P) PART*
    yes: PP -> P NP
    yes: PP -> P LCP
    yes: PP -> ADVP P NP
    no:  PP -> PP VP
    no:  PP -> P CC P NP

# Modified; also with the second half of a frame (with the first [compared])
PP-mod: CONJ? ((?!P) NONPP)* (head:PP) PART*
    yes: PP -> ADVP PP
    yes: PP -> PP VP
    yes: PP -> PP PP
    no:  PP -> P PP
    no:  PP -> PP CC PP

# Coordination of phrases, of prepositions
PP-crd: CONJ? ((?!P) NONPP)* (head:PP) PART* (CONJ PART*)+
    yes: PP -> PP CC PP
    no:  PP -> P CC P NP

# Coordination of prepositions: the first is the head (for or against it)
PP-crdt: CONJ? ((?!P) NONPP)* (head:P) PART* (CONJ PART*)+
    yes: PP -> P CC P NP
    no:  PP -> PP CC PP

# No preposition: a verb or a conjunction does its work, or it is left out (while hot);
# the first child is the head
PP-nt: (head:VERB | NP | NN | VP | CONJ | LCP | CS | AD) ((?!P) NONPP)*
    yes: PP -> VV NP
    yes: PP -> NP QP
    no:  PP -> P NP
    no:  PP -> PP NP


# ---- Adjectives and adverbs -----------------------------------------------------

# The head is the last word (oral; quite single)
ADJP-t: CONJ? PART* (head:TAG) NOADJW*
    yes: ADJP -> JJ
    yes: ADJP -> JJ JJ
    yes: ADJP -> ADJP JJ
    no:  ADJP -> ADVP ADJP
    no:  ADJP -> JJ CC JJ

# Modified: the last is the head
ADJP-mod: CONJ? PART* (head:ADJP) NOADJW*
    yes: ADJP -> ADVP ADJP
    yes: ADJP -> ADJP ADJP
    no:  ADJP -> ADJP JJ
    no:  ADJP -> ADJP CC ADJP

# Coordination of phrases, of words (soft and light)
ADJP-crd: CONJ? NOADJW* (head:ADJP) PART* (CONJ PART*)+
    yes: ADJP -> ADJP CC ADJP
    no:  ADJP -> JJ CC JJ

# Coordination of adjectives: the one before the conjunction is the head
ADJP-crdt: CONJ? NOADJW* (head:TAG) NOADJW* (CONJ PART*)+
    yes: ADJP -> JJ CC JJ
    no:  ADJP -> ADJP CC ADJP

# A phrase of another kind as an adjective
ADJP-nt: NOADJW* (head:NOADJW)
    yes: ADJP -> ADVP ADVP
    yes: ADJP -> IP
    no:  ADJP -> ADVP ADJP

# An adverb; a conjunction counts as one where it stands alone (but; if)
ADVP-t: (?!NOADVP+ CONJ) NOADVP* (head:TAG | CONJ) ((?!TAG) NOADVP)*
    yes: ADVP -> AD
    yes: ADVP -> CC
    yes: ADVP -> AD AD
    no:  ADVP -> AD CC AD
    no:  ADVP -> ADVP ADVP

# Modified, coordinated; a phrase of another kind as an adverb
ADVP-mod: (ADVP | NOADVP)* (head:ADVP) NOADVP*
    yes: ADVP -> AD ADVP
    yes: ADVP -> ADVP ADVP
    no:  ADVP -> AD
    no:  ADVP -> ADVP CC ADVP

# Coordination of adverb phrases: the first is the head
ADVP-crd: CONJ? NOADVP* (head:ADVP) PART* (CONJ PART*)+
    yes: ADVP -> ADVP CC ADVP
    no:  ADVP -> AD CC AD

# Coordination of adverbs: the one before the conjunction is the head
ADVP-crdt: NOADVP* (head:TAG) ((?!TAG) NOADVP)* (CONJ PART+)+
    yes: ADVP -> AD CC AD
    no:  ADVP -> ADVP CC ADVP

# A phrase of another kind as an adverb: the last is the head
ADVP-nt: ((?!TAG) NOADVP)* (head:ADVERBIAL | COMPOUND)
    yes: ADVP -> NP
    no:  ADVP -> AD
    no:  ADVP -> NP AD


# ---- Remarks, fragments, and what has no grammar of its own ------------------------

# Coordination of unlike things, or a list of them: the first phrase is the head
UCP-crd: (CONJ | TAG)* (head:PHRASE) (PART | CONJ)*
    yes: UCP -> NP CC VP
    yes: UCP -> IP CP
    no:  UCP -> NN CC VV

# Coordination of unlike words: the first is the head
UCP-crdt: (head:TAG) TAG* (CONJ TAG+)+
    yes: UCP -> NN CC VV
    no:  UCP -> NP CC VP

# A remark or a fragment: the first phrase is the head, else the last word
PRN-nt, FRAG-nt, LST-nt, INC-nt: (CONJ | TAG)* (head:PHRASE | COMPOUND) (PART | CONJ)*
    yes: PRN -> NP
    yes: FRAG -> VP
    yes: LST -> NP QP
    yes: INC -> NP
    no:  PRN -> CD
    no:  FRAG -> NN
    no:  LST -> CD
    no:  INC -> NN

# Words only, the last of which is the head (two; oh)
PRN-t, FRAG-t, LST-t, INC-t, INTJ-t: (TAG | CONJ)* (head:TAG)
    yes: PRN -> CD
    yes: FRAG -> NN VV
    yes: LST -> OD
    yes: INC -> NN
    yes: INTJ -> IJ
    no:  PRN -> NP
    no:  FRAG -> NP
    no:  LST -> NP
    no:  INC -> NP
    no:  INTJ -> INTJ

# Slips of the tongue, fillers, noise: the last child is the head
SKIP-t, DFL-t, FLR-t, EMO-t, META-t, EDITED-t, TYPO-t, OTH-t:
    (PART | CONJ)* (head:TAG)
    yes: SKIP -> IC
    yes: DFL -> AD CD
    yes: FLR -> SP
    yes: EMO -> EM
    yes: META -> NN
    yes: EDITED -> AD
    yes: TYPO -> NN
    yes: OTH -> NN
    no:  SKIP -> NP
    no:  DFL -> DFL
    no:  FLR -> NP
    no:  EMO -> NP
    no:  META -> NP
    no:  EDITED -> NP
    no:  TYPO -> NP
    no:  OTH -> NP

# The same around a phrase: the last is the head
SKIP-nt, DFL-nt, FLR-nt, META-nt, EDITED-nt, TYPO-nt, OTH-nt:
    (PART | CONJ)* (head:PHRASE)
    yes: SKIP -> NP
    yes: DFL -> NP
    yes: FLR -> NP
    yes: META -> NP
    yes: EDITED -> NP
    yes: TYPO -> NP
    yes: OTH -> NP
    no:  SKIP -> NN
    no:  DFL -> DFL
    no:  FLR -> SP
    no:  META -> NN
    no:  EDITED -> AD
    no:  TYPO -> NN
    no:  OTH -> NN

# Question phrases, which the treebank leaves empty (*OP*): where words stand in them, the
# last is the head
WHNP-t, WHPP-t: (PART | CONJ)* (head:TAG)
    yes: WHNP -> PN
    yes: WHPP -> NP P
    no:  WHNP -> NP
    no:  WHPP -> P NP

# The same around a phrase
WHNP-nt, WHPP-nt: (PART | CONJ)* (head:PHRASE)
    yes: WHNP -> NP
    yes: WHPP -> P NP
    no:  WHNP -> PN
    no:  WHPP -> P
