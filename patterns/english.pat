# English constructions, for trees in the style of the Penn Treebank
#
# This file says which constructions a tree is made of, and which child of each
# is the head. It is read by people as often as by the program: copy it, change
# it, and score with your own.
#
# A pattern is a regular expression over the children of one node. A child is
# written as its label (NP, RB, 'PRP$') or as the name of a class (below):
#
#     NP-modr: (head:NP) (PP | SBAR)+     an NP, then one or more PP or SBAR
#
# * + ? and | mean what they always mean. (?=X) and (?!X) look ahead: what comes
# next is, or is not, X; so (?!ANY) stands for the end of the node. Where a
# pattern matches in two ways the usual rules hold: alternatives are tried from
# the left, and * takes as many children as it can. "PART* (head:WORD)" is thus
# the last word, and "(PART*(?=NOUN) | PART*) (head:WORD)" the last noun, or, if
# there is no noun, the last word.
#
# Every pattern marks one child as its (head:...). Heads are found by position
# as far as possible; single tags are named only where position would pick a
# word that is plainly not the head.
#
# The part of a name before the hyphen is the nonterminal. What follows it:
#
#     -t      the simple case, headed by a word
#     -nt     headed by a phrase of another category
#     -mod    a phrase of the same category with modifiers at its edges
#             (-modr only to the right, -modl only to the left)
#     -crd    coordination of phrases: the head is the leftmost conjunct
#     -crdt   coordination of words, flat, without phrases of their own
#     -aux    the head is the verb phrase below an auxiliary
#     -vp -v -s -sq    clauses, by what heads them: VP, a verb, S, SQ
#
# -mod, -crd and -aux are recursive: their head has the label of the node itself.
#
# At most one pattern may match a node. The trees are those that evalb scores:
# without punctuation, empty elements, function tags and the outermost wrapper;
# brackets (-LRB-, -RRB-), $ and hyphens stay, as tags. Losing an empty element
# may leave a modified phrase alone in its node (NP -> NP); it still counts as
# modified.
#
# A pattern sees punctuation only if it names a mark (below): the name says that
# such punctuation stands there, between two children. Where the pattern names
# none, there may be some or not.
#
# A node that no pattern matches is uncovered. It is scored with the simple case
# of its nonterminal (X-t), and its head is the first child that has the label
# of the node, else its last VP, else its last tag that is neither CC nor a bracket
# or other punctuation, else its last child.

labels penn

# ---- Classes ------------------------------------------------------------------
#
# TAG   any tag but CC             NT    any phrase but CONJP and NML
# CONJ  the tag CC                 ANY   any child
#
# No class lists a label twice, and (A | B)* joins classes that share none: a
# child that matches in two ways makes matching slow.

# what joins conjuncts: and, or; as well as
class AND = CONJ | CONJP

# the comma, which no pattern sees that does not name it
mark COMMA = ','

# any child that does not join conjuncts
class PART = TAG | NT | NML

# brackets, which stay where other punctuation is deleted
class BRACKET = '-LRB-' | '-RRB-'

# tags that can head a phrase, and any child but the possessive clitic
class WORD = TAG except POS, HYPH, BRACKET
class REST = PART except POS
class NOUN = NN | NNS | NNP | NNPS | PRP | '$'

# any child but words that can head a phrase, and conjunctions
class PHRASAL = PART except WORD

# in a list of words: a conjunct for certain; what begins a conjunct of its own
class LISTED = NNS | NNP | NNPS | CD
class FRESH = DT | 'PRP$' | JJ | VBN

# what joins the ends of a range (5 to 10)
class RANGE = IN | TO | SYM

# clauses and parts of clauses; question phrases
class CLAUSE = S | SINV | SQ | SBARQ | FRAG
class WH = WHNP | WHADVP | WHADJP | WHPP

# phrases that modify what stands to their left; LATE leaves out those that may
# as well be heads
class MOD = SBAR | CLAUSE | VP | ADJP | PP | ADVP | NP | PRN | RRC | UCP | INTJ | QP | X
class LATE = MOD except NP, ADJP, QP, UCP

# short things in front of a phrase: even, both, well, (at least)
class LEAD = RB | DT | PDT | UH | LS | ADVP | INTJ | PRN | LST

# what stands between the left edge of an NP and its noun
class DET = LEAD | 'PRP$' | JJ | JJR | JJS | CD | ADJP | QP | PP | X | BRACKET

# what stands to the right of an inner NP: modifiers and stray words (we all)
class TAIL = MOD | RB | DT | CD | POS | SYM | HYPH | UH | FW | BRACKET

# in an NP, a phrase that can take the place of the noun
class CORE = QP | ADJP | NX | NML | UCP

# in a VP: what may stand anywhere; what follows the verb; the verb itself
class LIGHT = RB | RBR | RBS | RP | UH | ADVP | PRT | PRN | INTJ | PP | SBAR | EDITED
class HEAVY = NT except LIGHT, VP
class VERB = TAG except LIGHT, LEAD, BRACKET

# at the edges of a clause: adjuncts, topics, subjects, interjections
class EDGE = LEAD | WH | SBAR | PP | NP | ADJP | UCP | QP | RRC | X | EDITED | META | BRACKET
class NOVP = ANY except VP
class REMAINS = EDGE | CLAUSE | FW | CD | SYM

# in an SBAR: complementizers and what stands with them (a year after ...)
class COMP = TAG | WH | NP | ADVP | PP | PRN | INTJ | X

# phrases that can head a node that is no phrase in the strict sense
class REMARK = PRN | TITLE | HEADING | CAPTION | CIT
class PHRASE = NT except FRAG, RRC, UCP, X, EDITED, META, TYPO, EMBED, REMARK


# ---- Noun phrases -------------------------------------------------------------

# A simple noun phrase: the head is the last noun, pronoun or $, but the noun that
# names follow, the day of a full date, and what a range begins with; else the last
# word that is not an adverb, else the last word (a long trip; May 5; his brother
# Tom; May [5], 1998; [1990] / 91; the poor; 3 p.m.)
NP-t:
    (?!AND? DET*(NP TAIL*|(NP DET*)?CORE LATE*)(?!ANY)) CONJ? (PART*(?=NN NNP+(?!ANY)) |
    NNP(?=CD COMMA CD(?!ANY)) | ((?!WORD SYM) PART)*(?=(NOUN|CD) SYM (NOUN|CD)) | PART*(?=NOUN)|PART*(?!RB)|RB*) (head:WORD) REST*
    yes: NP -> DT JJ NN
    yes: NP -> NP JJ NN
    yes: NP -> DT NN S
    yes: NP -> NNP CD
    yes: NP -> NNP CD , CD
    yes: NP -> PRP$ NN NNP
    yes: NP -> DT JJ
    yes: NP -> $ CD
    no:  NP -> NP PP
    no:  NP -> NNP POS
    no:  NP -> NN CC NN

# The same inside names and compounds, and for question words
# (a [hard disk] drive; a new [roof]; [University of Rome] professors; which house)
NML-t, NX-t, NAC-t, WHNP-t:
    (PART*(?=NOUN) | PART*(?!RB) | PART*) (head:WORD) (TAG | MOD | WHPP)*
    yes: NML -> NN NN
    yes: NX -> JJ NNS
    yes: NAC -> NNP PP
    yes: WHNP -> WDT NN
    yes: WHNP -> WP RB
    no:  NML -> NN CC NN
    no:  NX -> NX CC NX
    no:  NAC -> NP CC NP
    no:  WHNP -> WHNP PP

# A question phrase with what belongs to it (what kind of house; which of them)
WHNP-mod: LEAD* (head:WHNP) (MOD | WHPP | WHNP)*
    yes: WHNP -> WHNP PP
    no:  WHNP -> WDT NN

# Something of which the question word stands below (each of which)
WHNP-nt: (head:NP) (PP | WHPP)+
    yes: WHNP -> NP WHPP
    no:  WHNP -> WHNP PP

# A possessor; the head is the word before the clitic (my sister's)
NP-pos: (?!DET* NP TAIL*(?!ANY)) PART* (head:WORD) POS
    yes: NP -> PRP$ NN POS
    yes: NP -> NNP NNP POS
    no:  NP -> NP NN
    no:  NP -> NP PP POS

# No noun, but a phrase in its place (over $ 2 million; the very richest; her
# [[fast car] and [big house]])
NP-nt: DET* (NP DET* (?=(NX | NML) LATE*(?!ANY)))? (head:CORE) (LATE | NX | NML)* (AND CORE LATE*)*
    yes: NP -> QP
    yes: NP -> DT ADJP
    yes: NP -> DT NX
    yes: NP -> DT NML CC NML
    yes: NP -> NP NX
    no:  NP -> QP NNS
    no:  NP -> NN ADJP

# Modified to the right, apposition included; the head is the inner NP
# (a trip to Florida; Elena, my sister; we all; the mayor of Turin's)
NP-modr: (head:NP) TAIL*
    yes: NP -> NP PP SBAR
    yes: NP -> NP NP
    yes: NP -> NP DT
    yes: NP -> NP
    no:  NP -> NP NN
    no:  NP -> NP CC NP

# Modified to the left; the head is the inner NP (not even a hint; and the dog)
NP-modl: (AND | DET) DET* (head:NP) TAIL*
    yes: NP -> ADVP NP
    yes: NP -> CC NP
    yes: NP -> -LRB- NP -RRB-
    no:  NP -> DT NN
    no:  NP -> CC NP CC NP

# Coordination of noun phrases (the house and the garden; both a cat and a dog)
NP-crd: AND? DET* (head:NP) (NT | BRACKET)* (AND PART*)+
    yes: NP -> NP CC NP
    yes: NP -> NP NP CC NP
    yes: NP -> CC NP CC NP
    yes: NP -> NP CONJP NP PP
    no:  NP -> NP NP
    no:  NP -> NP NN CC NN

# Coordination of words. The first noun of a list with commas is the head
# (England, Germany and France); so is a noun that is joined to one word or to a
# phrase of its own, and any plural (cats and dogs; her life and work). Otherwise
# modifiers are joined and the last word is the head (old and new cars; food and
# drink prices)
NP-crdt, NML-crdt:
    (?!AND? DET* NP (NT|BRACKET)* AND) AND? (((?!NOUN COMMA) PART)*(?=LISTED COMMA PART+ AND |
    NN COMMA PART+ AND RB?PART(?!WORD)) | PART*(?=NNS AND|NOUN AND FRESH |
    WORD AND RB?PART(?!WORD)) | ANY+AND ANY*) (head:WORD) ANY*
    yes: NP -> DT NN CC NN
    yes: NP -> DT JJ CC JJ NN
    yes: NP -> NP NN CC NN
    yes: NP -> NNP , NNP CC NNP
    yes: NP -> CC NN CC NN
    yes: NML -> NNP CC NNP
    no:  NP -> NP CC NN
    no:  NP -> CC NN
    no:  NML -> NML CC NML

# Coordination of compounds (the [[health care] and [real estate]] business)
NML-crd: AND? (head:NML) PHRASAL* (AND PHRASAL+)+
    yes: NML -> NML CC NML
    no:  NML -> NML NN

# Modified or repeated compounds ([neurons in the brain]; a [new [heart rate]])
NML-mod: AND? DET* (head:NML) PHRASAL*
    yes: NML -> NML PP
    yes: NML -> JJ NML
    no:  NML -> NML NN
    no:  NML -> NML CC NML

# The same of nouns that share a determiner (his [[abuse] of power])
NX-mod: AND? DET* (head:NX) PHRASAL*
    yes: NX -> NX PP
    yes: NX -> JJ NX
    no:  NX -> NX CC NX
    no:  NX -> NX NN

# Coordination of nouns that share a determiner (a [[fast car] and [big garage]])
NX-crd: (head:NX) PART* (AND PART*)+
    yes: NX -> NX CC NX
    no:  NX -> JJ NX

# Quantities: the head is the currency, or the number that a range begins with,
# else the last word; of a coordination, the last word of its first part
# ([$] 2 million; [5] to 10; nearly 50; more than 10; two or three)
QP-t:
    AND? (((?!'$' | CD RANGE CD) PART)*(?='$' | CD RANGE CD) | PART*) (head:WORD) PART* (AND PART+)*
    yes: QP -> JJR IN CD
    yes: QP -> CD TO CD
    yes: QP -> $ CD CD
    yes: QP -> CD CC CD
    no:  QP -> QP CC QP


# ---- Verb phrases -------------------------------------------------------------

# A verb with its complements and adjuncts (never gave it to her; is n't fair)
VP-t: (LIGHT | NP | TAG HYPH)* (head:VERB) (LIGHT | BRACKET)* (HEAVY (LIGHT | HEAVY | VP | BRACKET)*)?
    yes: VP -> VBD NP PP
    yes: VP -> ADVP VBD SBAR
    yes: VP -> VBZ RB ADJP
    yes: VP -> VB
    yes: VP -> NN HYPH VBN PP
    no:  VP -> VBZ RB VP
    no:  VP -> VB CC VB NP

# An auxiliary, a modal or "to" with a verb phrase; the head is the lower verb
# phrase (will leave; has not yet been seen; not to go)
VP-aux: (LIGHT | NP)* VERB LIGHT* (head:VP) (LIGHT | HEAVY | VP | BRACKET)* (AND ANY*)?
    yes: VP -> TO VP
    yes: VP -> MD RB ADVP VP
    yes: VP -> RB TO VP
    no:  VP -> VBD NP VP
    no:  VP -> ADVP VP

# Coordination of verb phrases, with or without a conjunction (came and saw it)
VP-crd: AND? LEAD* (head:VP) (LIGHT | HEAVY | BRACKET)* (AND | VP) ANY*
    yes: VP -> VP CC VP
    yes: VP -> VP VP CC ADVP VP
    yes: VP -> VP VP
    no:  VP -> VB CC VB
    no:  VP -> VP PP

# Coordination of verbs that share what follows (buys and sells houses)
VP-crdt: AND? LIGHT* (head:VERB) (LIGHT | HEAVY)* (AND PART*)+
    yes: VP -> VBZ CC VBZ NP
    yes: VP -> VB CC VP
    no:  VP -> VP CC VP
    no:  VP -> VBZ NP

# A verb phrase with modifiers outside of it (quietly left; [is late] as always)
VP-mod: AND? (LIGHT | NP)* (head:VP) (LIGHT | HEAVY | BRACKET)*
    yes: VP -> ADVP VP
    yes: VP -> VP PRN
    no:  VP -> ADVP VB
    no:  VP -> VP VP

# The verb is left out: the head is what remains of the verb phrase first
# (some came by car and others [by bus yesterday])
VP-nt: AND? LEAD* (head:HEAVY | PP | SBAR | ADVP) (LIGHT | HEAVY)*
    yes: VP -> NP PP
    yes: VP -> ADVP PP
    no:  VP -> VP PP
    no:  VP -> VB NP


# ---- Clauses ------------------------------------------------------------------

# A clause with a verb phrase, the last of which is the head; subject, topics and
# adjuncts stand around it (yesterday she left; to leave; did she leave; "Fine,"
# said Ann)
S-vp, SQ-vp, SINV-vp:
    (?!AND? EDGE* S EDGE* AND) ANY* (head:VP) REMAINS* (AND NOVP*)?
    yes: S -> NP VP
    yes: S -> CC PP NP ADVP VP
    yes: S -> S NP VP
    yes: S -> VP
    yes: S -> CC NP VP FW
    yes: SQ -> MD NP VP
    yes: SINV -> S VP NP PP
    no:  S -> S CC S
    no:  S -> S CC NP VP
    no:  SQ -> VBZ NP ADJP
    no:  SINV -> VBZ NP ADJP

# Coordination of clauses, with or without a conjunction (he came and she left)
S-crd: AND? EDGE* (head:S) EDGE* (AND ANY* | CLAUSE NOVP*)
    yes: S -> S CC S
    yes: S -> S S
    yes: S -> ADVP S CC S
    yes: S -> S CC NP VP
    no:  S -> CC NP VP
    no:  S -> PP S
    no:  S -> S NP VP

# A clause with adjuncts outside of it (after lunch, [we left])
S-mod: (AND | EDGE)* (head:S) EDGE*
    yes: S -> PP S
    yes: S -> CC ADVP S
    yes: S -> S PRN
    no:  S -> PP NP VP
    no:  S -> S S

# A clause without a verb: the head is the predicate, not the subject
# (we found [the place empty]; with [his hat on])
S-nt:
    AND? (LEAD | PP | SBAR)* (NP (LEAD)*)? (head:NP | ADJP | PP | ADVP | SBAR | UCP | QP) EDGE*
    yes: S -> NP ADJP
    yes: S -> NP NP
    yes: S -> NP ADVP PP
    yes: S -> ADJP
    no:  S -> NP VP
    no:  S -> NP S

# A clause under a complementizer or a question phrase, or under nothing: the
# head is the clause (that she left; which she bought; only after they came;
# whether or not she left)
SBAR-s: COMP* (AND COMP+)? (head:CLAUSE) MOD* (AND PART*)?
    yes: SBAR -> IN S
    yes: SBAR -> WHNP S
    yes: SBAR -> S
    yes: SBAR -> NP IN S
    yes: SBAR -> IN S CC RB
    yes: SBAR -> IN CC RB S
    no:  SBAR -> SBAR CC SBAR
    no:  SBAR -> WHADVP

# The clause is left out, or is none: the head is the word or phrase that
# introduces it (she knows [why]; while [in Rome]; if [possible])
SBAR-t: (RB | ADVP | NP)* (head:TAG | WH) (TAG | NP | ADJP | PP | ADVP | PRN)*
    yes: SBAR -> WHADVP
    yes: SBAR -> IN ADJP
    no:  SBAR -> IN S
    no:  SBAR -> S

# Modified (namely [that she left]; [that she left], I think)
SBAR-mod: COMP* (head:SBAR) ((?!SBAR | CLAUSE) MOD)*
    yes: SBAR -> ADVP SBAR
    yes: SBAR -> SBAR PRN
    no:  SBAR -> SBAR SBAR
    no:  SBAR -> IN S

# Coordination of subordinate clauses (that it rains and that it pours)
SBAR-crd: AND? LEAD* (head:SBAR) MOD* (AND | SBAR) ANY*
    yes: SBAR -> SBAR CC SBAR
    yes: SBAR -> SBAR SBAR
    no:  SBAR -> IN S CC S
    no:  SBAR -> ADVP SBAR

# A question with a question phrase: the head is the clause after it
# (what did she buy)
SBARQ-sq: (AND | EDGE)* (head:SQ | S | SINV) EDGE*
    yes: SBARQ -> WHNP SQ
    yes: SBARQ -> CC WHADVP SQ
    no:  SBARQ -> WHNP
    no:  SBARQ -> SQ CC SQ

# Coordination of questions (did she leave or did she stay)
SQ-crd: AND? EDGE* (head:SQ) EDGE* (AND | CLAUSE) NOVP*
    yes: SQ -> SQ CC SQ
    no:  SQ -> MD NP VP

# A question without a verb phrase: the head is the verb (are you hungry; did you)
SQ-v: AND? EDGE* (head:VERB) (LIGHT | HEAVY | BRACKET)* (AND NOVP*)?
    yes: SQ -> VBP NP ADJP
    yes: SQ -> MD RB NP
    no:  SQ -> VBP NP VP
    no:  SQ -> SQ CC SQ


# ---- Adjective and adverb phrases ---------------------------------------------

# The head is the last word, or the adjective before an adverb that follows it
# (very proud of you; two feet long; big enough)
ADJP-t: (PART*(?=JJ RB) | PART*) (head:WORD) RB? (LATE | NP | PRT | BRACKET)*
    yes: ADJP -> RB JJ PP
    yes: ADJP -> NP JJ
    yes: ADJP -> JJ RB S
    no:  ADJP -> JJ CC JJ
    no:  ADJP -> RB ADJP

# The head is the last word (very often; an hour ago; oh my God; just when;
# how long)
ADVP-t, INTJ-t, WHADVP-t, WHADJP-t: PART* (head:WORD) ((?!ADVP) MOD | BRACKET)*
    yes: ADVP -> NP RB
    yes: ADVP -> RB PP
    yes: INTJ -> UH UH
    yes: WHADVP -> RB WRB
    yes: WHADJP -> WRB JJ
    no:  ADVP -> RB CC RB
    no:  INTJ -> INTJ INTJ
    no:  WHADVP -> WRB CC WRB
    no:  WHADJP -> WHADJP PP

# An amount as an adjective (a [$ 2 million] house)
ADJP-nt: (head:QP | UCP) LATE*
    yes: ADJP -> QP
    no:  ADJP -> QP NN

# The same as an adverb (it went up [5 to 10 %]; [four miles uphill] to the farm)
ADVP-nt: (head:QP | NP | ADJP | PP | UCP) ((?!ADVP) LATE)*
    yes: ADVP -> QP
    yes: ADVP -> NP PP
    no:  ADVP -> NP RB
    no:  ADVP -> NP ADVP

# Modified; the head is the inner phrase ([richer] than ever; not at all [sad])
ADJP-mod: AND? (LEAD | NP | QP)* (head:ADJP) LATE*
    yes: ADJP -> ADJP PP
    yes: ADJP -> ADVP ADJP
    no:  ADJP -> ADVP JJ
    no:  ADJP -> ADJP CC ADJP

# Modified; the head is the inner phrase ([as soon] as possible)
ADVP-mod: AND? (RB | UH | NP | INTJ | PRN)* (head:ADVP) MOD*
    yes: ADVP -> ADVP SBAR
    yes: ADVP -> RB ADVP
    no:  ADVP -> RB SBAR
    no:  ADVP -> ADVP CC ADVP

# Coordination of adjective phrases (very old and quite slow; old, very slow)
ADJP-crd: AND? LEAD* (head:ADJP) (NT | RB | SYM | BRACKET)* (AND ANY* | ADJP NT*)
    yes: ADJP -> ADJP CC ADJP
    yes: ADJP -> ADJP ADJP
    yes: ADJP -> ADJP CC JJ
    no:  ADJP -> JJ CC JJ
    no:  ADJP -> ADJP PP

# Coordination of adverb phrases (quickly and very quietly)
ADVP-crd: AND? (head:ADVP) MOD* (AND PART*)+
    yes: ADVP -> ADVP CC ADVP
    no:  ADVP -> RB CC RB
    no:  ADVP -> ADVP SBAR

# Coordination of words: the head is the first of the adjectives before the
# conjunction, else the word before it (old and slow; here and there)
ADJP-crdt, ADVP-crdt:
    AND? (((?!JJ) PART)*(?=JJ+ AND) | PART*) (head:WORD) (JJ | HYPH | LATE)* (AND PART*)+
    yes: ADJP -> JJ CC JJ
    yes: ADJP -> RB JJ CC JJ PP
    yes: ADVP -> RB CC RB
    no:  ADJP -> ADJP CC JJ
    no:  ADVP -> RB RB


# ---- Prepositional phrases ----------------------------------------------------

# The head is the preposition, the last if there are several, but the first of a
# coordination (in Rome; just after noon; because of rain; in and around Rome)
PP-t:
    (?!AND? (LEAD|NP)* PP | ADVP* UH NT(?!ANY)) AND? (PART*(?=IN|TO) |
    PART*) (head:WORD|CONJ) TAG* (AND TAG+)? (NT|NML|BRACKET)*
    yes: PP -> IN NP
    yes: PP -> ADVP IN NP
    yes: PP -> VBG PP
    yes: PP -> IN CC IN NP
    yes: PP -> CC NP
    no:  PP -> ADVP PP
    no:  PP -> PP CC PP
    no:  PP -> UH NP

# A filler in place of a preposition: the head is the phrase (it was like [a dream])
PP-nt: ADVP* UH (head:NP | ADJP | ADVP | S | SBAR | VP)
    yes: PP -> UH NP
    no:  PP -> IN NP
    no:  PP -> UH PP

# Modified (only [in Rome]; [from Rome] to Turin)
PP-mod: AND? (LEAD | NP)* (head:PP) (TAIL | NML)*
    yes: PP -> ADVP PP
    yes: PP -> PP PP
    no:  PP -> ADVP IN NP
    no:  PP -> PP CC PP

# Coordination of prepositional phrases (in spring and in autumn)
PP-crd: AND? (LEAD | NP)* (head:PP) NT* (AND PART*)+
    yes: PP -> PP CC PP
    yes: PP -> CC PP CC PP
    no:  PP -> PP PP
    no:  PP -> IN CC IN NP

# In a question or relative clause (of which)
WHPP-t: PART* (head:TAG) NT*
    yes: WHPP -> IN WHNP
    no:  WHPP -> WHPP CC WHPP


# ---- Small words --------------------------------------------------------------

# A conjunction of several words: the head is CC, else the last word
# (but also; as well as)
CONJP-t: TAG* (head:TAG | CONJ) (TAG | CONJ)*
    yes: CONJP -> RB RB IN
    yes: CONJP -> CC RB
    no:  CONJP -> RB NP

# The last word, brackets aside: an item's number, a particle, a remark or a citation
# of words ((3); gave [up]; ([1998]))
LST-t, PRT-t, PRN-t, CIT-t: TAG* (head:WORD) (TAG | CONJ | PRN)*
    yes: LST -> -LRB- LS -RRB-
    yes: PRT -> RP
    yes: PRN -> -LRB- CD -RRB-
    yes: CIT -> -LRB- NNP CC NNP -RRB-
    no:  LST -> NP
    no:  PRT -> PP
    no:  PRN -> -LRB- NP -RRB-
    no:  CIT -> NP


# ---- Fragments and other nodes ------------------------------------------------

# A remark, a title, a caption, a citation: the head is its first phrase, leading
# words, adverbs and the subject of a verb phrase aside (we left (a pity); she is,
# [I think], late)
PRN-nt, TITLE-nt, HEADING-nt, CAPTION-nt, CIT-nt:
    (TAG | AND | ADVP | INTJ | NP (?=VP))* (head:PHRASE | FRAG | UCP) ANY*
    yes: PRN -> -LRB- NP -RRB-
    yes: PRN -> S
    yes: PRN -> NP VP
    yes: TITLE -> NP
    yes: HEADING -> NP
    yes: CAPTION -> S
    yes: CIT -> -LRB- NP NP -RRB-
    no:  PRN -> -LRB- CD -RRB-
    no:  TITLE -> NN
    no:  HEADING -> NN
    no:  CAPTION -> NN
    no:  CIT -> NNP

# Parts of a sentence without the sentence; reduced relative clauses: the head is
# the first phrase, leading words, adverbs and conditions aside (not today; men [now
# in Rome]; if so, [which one])
FRAG-nt, RRC-nt: (AND | LEAD | SBAR COMMA (?=PHRASE))* (head:PHRASE) (NT | AND | RB | UH)*
    yes: FRAG -> NP PP
    yes: FRAG -> SBAR , NP
    yes: FRAG -> RB NP
    yes: RRC -> ADVP PP
    no:  FRAG -> JJ NN
    no:  RRC -> VBN PP

# The same of words: the head is the last of the first words (right now; sorry for
# the delay)
FRAG-t, RRC-t: (?!(AND | LEAD)* PHRASE) (AND | TAG)* (head:WORD) (NT | BRACKET)* (AND PART*)?
    yes: FRAG -> UH RB
    yes: FRAG -> JJ PP
    yes: RRC -> VBN PP
    no:  FRAG -> NP PP
    no:  RRC -> ADVP PP

# Coordination of unlike things: the head is the first (rich and in good health)
UCP-crd: AND? LEAD* (head:PHRASE | WORD | NML) PART* (AND PART*)+
    yes: UCP -> ADJP CC PP
    yes: UCP -> NN CC JJ
    no:  UCP -> ADJP PP

# Whatever has no grammar of its own, such as words that the speaker takes back:
# the head is the last child (the more, the merrier; [we] I saw it)
X-t, EDITED-t, META-t, TYPO-t, EMBED-t: (PART | AND)* (head:WORD | PHRASE) BRACKET*
    yes: X -> DT JJR
    yes: EDITED -> NP
    yes: META -> NP
    yes: TYPO -> NN
    yes: EMBED -> NP VP
    no:  X -> X
    no:  EDITED -> IN EDITED
    no:  META -> -LRB-
    no:  TYPO -> NN CC
    no:  EMBED -> CC
