# French constructions, for trees in the style of the French Treebank
#
# english.pat explains the notation and what names end in. Phrases are flat here: a noun
# and all that modifies it are sisters, and the verbal nucleus VN stands beside its
# arguments. So a construction is told by what stands with the head:
#
#     -t      the simple case: words only
#     -mod    modified by adjectives, adverbs, or phrases in apposition
#     -pp     with a prepositional phrase
#     -cl     with a clause: relative, participle, infinitive, that
#     -crd    with a COORD: coordination, whose first conjunct is the node itself
#     -nt     no word of the kind that the node is named after: a phrase takes its place
#     -vn -aux -p -cs    clauses and nuclei, by what they hold
#
# Heads follow Arun and Keller (2005) and Candito, Crabbé and Denis (2010): a nominal
# phrase is headed by its first noun, a clause by its verbal nucleus, the nucleus by its
# last verb (auxiliaries come before it), a PP by its preposition. The head of COORD is
# the conjunction, on which the second conjunct depends.

labels french

# ---- Classes ------------------------------------------------------------------
#
# TAG   any tag but CC             NT    any phrase but COORD
# CONJ  the tag CC                 ANY   any child

# Words of several tokens are phrases in some treebanks: MWN, or NC+ where the label is
# that of the whole. They stand where words of their kind stand.
class MWVERB = MWV | 'V+' | 'VINF+' | 'VPP+' | 'VPR+' | 'VS+'
class MWNOUN = MWN | MWPRO | MWCL | MWET | MWI | 'NC+' | 'NPP+' | 'PRO+' | 'PROREL+' |
    'ET+' | 'CLS+' | 'I+'
class MWADJECTIVE = MWA | 'ADJ+'
class MWADVERB = MWADV | 'ADV+' | 'ADVWH+'
class MWPREP = MWP | 'P+' | 'P+D+'
class MWCONJ = 'CC+'
class MWSUB = MWC | 'CS+'
class COMPOUND = MWVERB | MWNOUN | MWADJECTIVE | MWADVERB | MWPREP | MWCONJ | MWSUB |
    MWD | 'DET+'

class VERB = V | VINF | VPP | VPR | VIMP | VS | MWVERB
class PARTICIPLE = VPP | VPR | 'VPP+' | 'VPR+'
class NOUN = NC | NPP | PRO | PROREL | PROWH | ET | N | CLS | CLO | CLR | I | CL | MWNOUN
class ADJECTIVE = ADJ | ADJWH | A | MWADJECTIVE
class ADVERB = ADV | ADVWH | MWADVERB
class PREP = 'P' | 'P+D' | 'P+PRO' | MWPREP
class SUBORDINATOR = CS | MWSUB
class JOINER = CONJ | MWCONJ

# any word
class WORDS = TAG | COMPOUND
class WORD = WORDS except MWCONJ

# any child but a coordination; words that are no nouns, and those of them that stand for
# one best
class PART = ANY except COORD
class OTHER = WORD except NOUN, PREP, SUBORDINATOR
class SUBSTANTIVE = OTHER except ADVERB, PREF
class WEAK = DET | ADV | MWADVERB | PREF | PREP | MWD | 'DET+'

# what modifies: clauses, and phrases that are neither clause nor PP
class CLAUSE = Srel | Ssub | Sint | VPpart | VPinf | VN
class NOCLAUSE = PART except CLAUSE
class LIGHT = NOCLAUSE except PP

# before the head of a noun phrase: anything but a noun, a noun phrase; ... nor a
# coordination; ... nor a clause; ... nor a PP; ... nor a word
class FRONT = ANY except NOUN, NP
class INITIAL = FRONT except COORD
class SIMPLE = INITIAL except CLAUSE
class BEFORE = SIMPLE except PP
class NOWORD = INITIAL except OTHER
class NOSTRONG = NOWORD | WEAK

# before a phrase that stands for a noun, and such phrases ([the] most efficient)
class INTRO = WEAK | PP
class STANDIN = AP | AdP | CLAUSE

# in a clause: anything but a verbal nucleus; ... nor a coordination; ... nor a clause
class EDGE = ANY except VN
class EDGES = EDGE except COORD
class NOSINT = EDGE except Sint
class NOPREP = EDGES except PREP
class NOCS = EDGES except SUBORDINATOR
class NOPART = EDGES except PARTICIPLE

# elsewhere: anything but a verb; but a preposition; but an adjective; but an adverb
class NOVERB = PART except VERB
class NOP = PART except PREP
class NOADJ = PART except ADJECTIVE
class NOADV = PART except ADVERB
class TAGNONOUN = WORD except NOUN
class TAGNOCS = WORD except SUBORDINATOR
class TAGNOADJECTIVE = WORD except ADJECTIVE

# phrases that may head a node without a verb; words between a conjunction and what it
# joins
class CORE = NP | PP | AP | AdP | VPinf | VPpart
class PHRASE = CORE | Ssub | Srel
class NOCC = PART except JOINER
class LINK = WORD | JOINER | AdP


# ---- Noun phrases -------------------------------------------------------------

# Words: the first noun is the head (the day; Guy Hosneld; who)
NP-t: TAGNONOUN* (head:NOUN) (WORD | JOINER)*
    yes: NP -> DET NC
    yes: NP -> NPP NPP
    yes: NP -> PROREL
    no:  NP -> DET NC PP
    no:  NP -> DET ADJ

# With adjectives, adverbs or phrases in apposition (the local council; her, the mayor)
NP-mod: (?=(WORD | JOINER)* NT) BEFORE* (head:NOUN) LIGHT*
    yes: NP -> DET NC AP
    yes: NP -> NC NP
    yes: NP -> DET AP NC
    no:  NP -> DET NC
    no:  NP -> DET NC AP PP
    no:  NP -> NC Srel

# With a prepositional phrase, adjectives or not (the fear of rain)
NP-pp: (?=NOCLAUSE* PP) SIMPLE* (head:NOUN) NOCLAUSE*
    yes: NP -> DET NC PP
    yes: NP -> NC AP PP PP
    no:  NP -> DET NC
    no:  NP -> DET NC PP Srel

# With a clause, other modifiers or not (a forge [that became known]; damage [done])
NP-cl: (?=PART* CLAUSE) INITIAL* (head:NOUN) PART*
    yes: NP -> DET NC Srel
    yes: NP -> DET NC VPpart
    yes: NP -> DET NC PP VPinf
    no:  NP -> DET NC PP
    no:  NP -> DET NC Srel COORD

# With a coordination (the storms [and the clouds]; the first [and second] days)
NP-crd: (?=PART* COORD) FRONT* (head:NOUN) ANY*
    yes: NP -> DET NC COORD
    yes: NP -> NC PP COORD COORD
    yes: NP -> DET ADJ COORD NC
    no:  NP -> DET NC
    no:  NP -> NP COORD

# No noun: the head is the last adjective, number or determiner, an adverb only if
# nothing else is there (the first; some 30 [of them]); coordinated
NP-a: (?!INTRO* STANDIN NOSTRONG*(?!ANY)) (INITIAL*(?=SUBSTANTIVE)|INITIAL*) (head:OTHER) INITIAL*
    yes: NP -> DET ADJ
    yes: NP -> DET PP
    yes: NP -> ADV
    no:  NP -> DET NC
    no:  NP -> DET NP

# The same, coordinated: the last such word before the coordination (the first [and
# last])
NP-crda: (INITIAL*(?=SUBSTANTIVE) | INITIAL*) (head:OTHER) INITIAL* COORD FRONT*
    yes: NP -> DET ADJ COORD
    no:  NP -> DET NC COORD
    no:  NP -> DET ADJ COORD NC

# An NP in an NP, modified (even [the mayor]); coordinated
NP-modr: INITIAL* (head:NP) PART*
    yes: NP -> NP PP
    yes: NP -> ADV NP
    no:  NP -> NC NP
    no:  NP -> NP COORD

# An inner NP, coordinated: it is the head ([the mayor] and his deputy)
NP-crdp: (?=PART* COORD) FRONT* (head:NP) ANY*
    yes: NP -> NP COORD
    no:  NP -> NC NP COORD

# A phrase in the place of the noun, the first ([of the best]; [what you want])
NP-nt: INTRO* (head:STANDIN) NOSTRONG*
    yes: NP -> Srel
    yes: NP -> DET AP
    yes: NP -> AP PP
    no:  NP -> NP PP
    no:  NP -> DET ADJ PP

# Nothing but a PP in the place of the noun, or a preposition that contains its pronoun (of
# the best; to which)
NP-p: PREP? (head:PP | 'P+PRO') PP*
    yes: NP -> PP
    yes: NP -> P+PRO
    no:  NP -> DET PP


# ---- Verbal nuclei --------------------------------------------------------------

# One verb, with clitics and negation (it is; does not know)
VN-t: NOVERB* (head:VERB) NOVERB*
    yes: VN -> V
    yes: VN -> CLS ADV V
    yes: VN -> V CLS
    no:  VN -> V VPP

# Auxiliaries and a verb, the last one, which is the head (has left; has been seen)
VN-aux: NOVERB* VERB PART* (head:VERB) NOVERB*
    yes: VN -> V VPP
    yes: VN -> V VPP VPP
    yes: VN -> CLS V ADV VPP
    no:  VN -> CLS V

# Coordination of verbs: the last verb before it is the head (came [and saw])
VN-crd: PART* (head:VERB) NOVERB* COORD ANY*
    yes: VN -> V COORD
    no:  VN -> V VPP


# ---- Clauses ------------------------------------------------------------------

# A clause with its nucleus, which is the head (the children celebrate; of which he
# spoke); the first, if there are several
SENT-vn, Sint-vn, Srel-vn, Ssub-vn: EDGES* (head:VN) PART*
    yes: SENT -> NP VN NP
    yes: Sint -> VN PP
    yes: Srel -> NP VN PP
    yes: Ssub -> CS NP VN
    no:  SENT -> NP VN NP COORD
    no:  Sint -> NP
    no:  Srel -> PP NP
    no:  Ssub -> CS NP

# The same with a coordination in it (he comes [and sees])
SENT-crd, Sint-crd, Srel-crd, Ssub-crd, VPinf-crd: (?=PART* COORD) EDGE* (head:VN) ANY*
    yes: SENT -> NP VN NP COORD
    yes: Sint -> VN COORD
    yes: Srel -> NP VN COORD
    yes: Ssub -> CS VN NP COORD
    yes: VPinf -> P VN NP COORD
    no:  SENT -> NP VN
    no:  Sint -> COORD NP
    no:  Srel -> PP NP COORD
    no:  Ssub -> CS NP VN
    no:  VPinf -> P VN NP

# Clauses in a row, quotations and their frames: the first is the head (Sint-mod: of an
# inner clause)
SENT-s, Sint-mod: NOSINT* (head:Sint) EDGE*
    yes: SENT -> Sint Sint
    yes: Sint -> PP Sint
    no:  SENT -> Sint VN
    no:  Sint -> NP VN

# No verb: the first phrase is the head; leading words do not count (Paris, in May)
SENT-nt, Sint-nt: (WORD | JOINER)* (head:PHRASE | COORD) NOSINT*
    yes: SENT -> NP PP
    yes: SENT -> ADV NP
    yes: SENT -> COORD
    yes: Sint -> NP NP
    no:  SENT -> NP VN
    no:  Sint -> VN NP

# A relative clause without a verb: the head is the first phrase after the PP that the
# relative pronoun is (dont [deux]), else the first phrase
Srel-nt: (WORD | JOINER)* (PP(?=CORE))? (head:CORE) NOSINT*
    yes: Srel -> PP NP
    yes: Srel -> NP
    no:  Srel -> PP VN

# Words only: the last is the head (Thanks!)
SENT-t, Sint-t: (WORD | JOINER)* (head:WORD)
    yes: SENT -> ADV
    yes: Sint -> I
    no:  SENT -> NP
    no:  Sint -> NP

# Under a conjunction without a verb, the conjunction is the head (than he; like him);
# without that, the first phrase (why [go])
Ssub-cs: NOCS* (head:SUBORDINATOR) EDGE*
    yes: Ssub -> CS NP
    yes: Ssub -> ADV CS PP
    no:  Ssub -> CS VN

# Neither verb nor conjunction: the first phrase is the head (why [go])
Ssub-nt: (?=WORD* NT) TAGNOCS* (head:CORE | Sint | Srel) NOCS*
    yes: Ssub -> Sint
    yes: Ssub -> ADVWH VPinf
    no:  Ssub -> CS NP

# An infinitive; with a preposition (to see; for seeing)
VPinf-vn: NOPREP* (head:VN) PART*
    yes: VPinf -> VN NP
    yes: VPinf -> ADVWH VN
    no:  VPinf -> P VN NP

# An infinitive under a preposition: the nucleus stays the head (for seeing it)
VPinf-p: NOPREP* PREP EDGES* (head:VN) PART*
    yes: VPinf -> P VN NP
    yes: VPinf -> ADV P VN
    no:  VPinf -> VN NP

# A participle: of the past, a word; of the present, a nucleus (seen by all; seeing all);
# coordinated
VPpart-t: NOPART* (head:PARTICIPLE) PART*
    yes: VPpart -> VPP PP
    yes: VPpart -> ADV VPP
    no:  VPpart -> VN NP
    no:  VPpart -> VPP COORD

# A present participle, which is a nucleus (seeing all; he having come)
VPpart-vn: NOPART* (head:VN) PART*
    yes: VPpart -> VN NP
    yes: VPpart -> NP VN
    no:  VPpart -> VPP PP

# A participle, coordinated: the first is the head (seen [and heard])
VPpart-crd: (?=PART* COORD) (NOPART | COORD)* (head:PARTICIPLE | VN) ANY*
    yes: VPpart -> VPP COORD
    yes: VPpart -> VN NP COORD
    no:  VPpart -> VPP PP


# ---- Prepositional phrases ----------------------------------------------------

# The head is the preposition, the first (in 1953; just above it)
PP-t: NOP* (head:PREP) PART*
    yes: PP -> P NP
    yes: PP -> P+D NP
    yes: PP -> ADV P NP
    no:  PP -> P NP COORD
    no:  PP -> PP PP

# With a coordination (of storms [and of rain]; with [or without] it)
PP-crd: (?=PART* COORD) (NOP | COORD)* (head:PREP) ANY*
    yes: PP -> P NP COORD
    yes: PP -> P COORD NP
    no:  PP -> P NP

# A pronoun that stands for a PP (of which)
PP-pro: (ADV | MWADVERB)* (head:PROREL | PROWH | PRO | ADVWH | CLO) NOP*
    yes: PP -> PROREL
    no:  PP -> P PRO

# A preposition that contains its article, where a parser writes that as a phrase
P-t: (head:WORD)
    yes: P -> DET
    no:  P -> NP

# An inner phrase (even [in Rome])
PP-mod: (ADV | MWADVERB | AdP)* (head:PP) NOP*
    yes: PP -> ADV PP
    no:  PP -> P PP
    no:  PP -> PP COORD

# The preposition is inside its noun phrase, which is the head (to which)
PP-nt: (ADV | MWADVERB | AdP)* (head:NP) NOP*
    yes: PP -> NP
    no:  PP -> P NP


# ---- Adjectives and adverbs -----------------------------------------------------

# The first adjective is the head (open; very beautiful)
AP-t: TAGNOADJECTIVE* (head:ADJECTIVE) WORD*
    yes: AP -> ADJ
    yes: AP -> ADV ADJ
    no:  AP -> ADJ PP
    no:  AP -> ADJ COORD

# With what it takes along (proud [of it]; other [than that])
AP-mod: (?=WORD* NT) NOADJ* (head:ADJECTIVE) PART*
    yes: AP -> ADJ PP
    yes: AP -> AdP ADJ
    no:  AP -> ADJ

# With a coordination (old [and slow])
AP-crd: (?=PART* COORD) NOADJ* (head:ADJECTIVE) ANY*
    yes: AP -> ADJ COORD
    no:  AP -> ADJ PP

# No adjective: the first participle, noun or other word, adverbs aside, is the head
AP-w: (ADV | MWADVERB)* (head:PARTICIPLE | NC | NPP | ET | PRO | DET | PREF) NOADJ*
    yes: AP -> VPP PP
    no:  AP -> ADV ADJ

# The last adverb is the head; with what it takes along; coordinated (even more; [at the
# rear] of it)
AdP-t: WORD* (head:ADVERB) NOADV*
    yes: AdP -> ADV ADV
    yes: AdP -> ADV PP
    no:  AdP -> ADV COORD
    no:  AdP -> PP

# Adverbs, coordinated: the last before the coordination is the head (far [and wide])
AdP-crd: WORD* (head:ADVERB) NOADV* COORD ANY*
    yes: AdP -> ADV COORD
    no:  AdP -> ADV ADV


# ---- Coordination -----------------------------------------------------------------

# A conjunction with the conjunct that follows it, by the kind of that: the conjunction
# is the head (and the clouds; or in May; but old)
COORD-np: LINK* (head:JOINER) LINK* NP ANY*
    yes: COORD -> CC NP
    yes: COORD -> CC ADV NP
    no:  COORD -> CC PP
    no:  COORD -> NP

# With a prepositional phrase (or in May)
COORD-pp: LINK* (head:JOINER) LINK* PP ANY*
    yes: COORD -> CC PP
    no:  COORD -> CC NP

# With an adjective phrase (but very old)
COORD-ap: LINK* (head:JOINER) LINK* AP ANY*
    yes: COORD -> CC AP
    no:  COORD -> CC NP

# With a clause (and he comes; and that he comes)
COORD-s: LINK* (head:JOINER) LINK* (Sint | Ssub | Srel | SENT) ANY*
    yes: COORD -> CC Sint
    no:  COORD -> CC VN

# With an infinitive or participle (and to see; or seen)
COORD-vp: LINK* (head:JOINER) LINK* (VPinf | VPpart) ANY*
    yes: COORD -> CC VPinf
    no:  COORD -> CC VN

# With a nucleus and its arguments, the subject being shared (and sees her)
COORD-vn: LINK* (head:JOINER) LINK* VN ANY*
    yes: COORD -> CC VN NP
    no:  COORD -> CC Sint

# With words only (or [not]; and [14])
COORD-t: LINK* (head:JOINER) LINK*
    yes: COORD -> CC ADV
    no:  COORD -> CC NP

# A member of a list, without a conjunction: the first phrase is the head, else the last
# word
COORD-lst: WORD* (head:PHRASE | Sint | VN) NOCC*
    yes: COORD -> NP
    yes: COORD -> PP PP
    no:  COORD -> CC NP

# A member of a list that is words only: the last is the head
COORD-lstt: WORD* (head:WORD)
    yes: COORD -> DET
    no:  COORD -> NP


# ---- Words of several tokens ----------------------------------------------------------

# The first word is the head, as in the trees of Candito and Constant (2014) where such a
# word has no structure (fruit of the sea; because of; in spite of)
MWN-t, MWPRO-t, MWCL-t, MWET-t, MWI-t, MWV-t, MWA-t, MWADV-t, MWP-t, MWC-t, MWD-t,
    NC+-t, NPP+-t, PRO+-t, PROREL+-t, ET+-t, CLS+-t, I+-t, V+-t, VINF+-t, VPP+-t,
    VPR+-t, VS+-t, ADJ+-t, ADV+-t, ADVWH+-t, P+-t, P+D+-t, CC+-t, CS+-t, DET+-t:
    (head:TAG | CONJ) (WORDS | CONJ)*
    yes: MWN -> NC P NC
    yes: MWPRO -> PRO PRO
    yes: MWCL -> CLS CLS
    yes: MWET -> ET ET
    yes: MWI -> I I
    yes: MWV -> V NC
    yes: MWA -> P NC
    yes: MWADV -> P NC
    yes: MWP -> P NC P
    yes: MWC -> P ADV CS
    yes: MWD -> ADV P
    yes: NC+ -> NC P NC
    yes: NPP+ -> NPP NPP
    yes: PRO+ -> PRO PRO
    yes: PROREL+ -> PROREL ADV
    yes: ET+ -> ET ET
    yes: CLS+ -> CLS CLS
    yes: I+ -> I I
    yes: V+ -> V NC
    yes: VINF+ -> VINF NC
    yes: VPP+ -> VPP NC
    yes: VPR+ -> VPR NC
    yes: VS+ -> VS NC
    yes: ADJ+ -> P NC
    yes: ADV+ -> P NC
    yes: ADVWH+ -> P NC
    yes: P+ -> P NC P
    yes: P+D+ -> P NC P+D
    yes: CC+ -> ADV CC
    yes: CS+ -> P ADV CS
    yes: DET+ -> ADV P
    no:  MWN -> NP
    no:  MWPRO -> NP
    no:  MWCL -> NP
    no:  MWET -> NP
    no:  MWI -> NP
    no:  MWV -> NP
    no:  MWA -> NP
    no:  MWADV -> NP
    no:  MWP -> NP
    no:  MWC -> NP
    no:  MWD -> NP
    no:  NC+ -> NP
    no:  NPP+ -> NP
    no:  PRO+ -> NP
    no:  PROREL+ -> NP
    no:  ET+ -> NP
    no:  CLS+ -> NP
    no:  I+ -> NP
    no:  V+ -> NP
    no:  VINF+ -> NP
    no:  VPP+ -> NP
    no:  VPR+ -> NP
    no:  VS+ -> NP
    no:  ADJ+ -> NP
    no:  ADV+ -> NP
    no:  ADVWH+ -> NP
    no:  P+ -> NP
    no:  P+D+ -> NP
    no:  CC+ -> NP
    no:  CS+ -> NP
    no:  DET+ -> NP
