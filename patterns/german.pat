# German constructions, for trees in the style of TIGER
#
# english.pat explains the notation and what names end in. TIGER's phrases are flat, and a
# word that is a whole phrase has no bracket of its own. So a construction is told by what
# stands with the head, and a clause by where its finite verb stands:
#
#     -t      the simple case: words, and what stands between article and noun
#     -np     with a noun phrase or name in it: a genitive, an apposition
#     -pp     with a prepositional phrase
#     -cl     with a clause or an infinitive
#     -v1 -v2 -vl    the finite verb comes first; second; later
#     -sub -rel -wh  the same with a conjunction, a relative, a question word in front,
#             the verb later
#     -vp -inf    no finite verb, but a verb phrase or a bare verb
#     -crd    coordination with a conjunction; -lst without: the first conjunct is the head
#     -mod    a phrase of the same category, modified
#     -nt     no word of the kind that heads it: a phrase takes its place
#
# Heads are the children that TIGER labels HD (Albert et al. 2003): the finite verb of a
# clause, the infinitive or participle of a verb phrase, the adjective. Where there is no
# HD, in noun phrases, the last noun is the head (of article, adjectives and noun, all NK);
# in prepositional phrases the preposition (AC); in coordination the first conjunct (CJ);
# in names the last part (PNC), as in numbers (NMC).
# Compared with the edges HD, AC and the first CJ of half the Potsdam Commentary Corpus, which
# was not looked at while writing, 98.9 % of the heads are the same; adverbs differ most
# (AVP, of two adverbs the last is taken).
#
# Trees are read with crossing branches raised. What is left of a phrase in the place that
# the rest of it left behind (a relative clause, say) keeps its label: the -nt cases.

labels tiger

# ---- Classes ------------------------------------------------------------------
#
# TAG   any tag but KON            NT    any phrase
# CONJ  the tag KON                ANY   any child

class FINITE = VVFIN | VAFIN | VMFIN | VVIMP | VAIMP
class INFINITE = VVINF | VVIZU | VVPP | VAINF | VAPP | VMINF | VMPP | VZ | CVZ

class CLAUSE = S | CS | VP | CVP | CO | DL
class PHRASEP = PP | CPP
class NAME = NP | CNP | PN | NM | MPN | CH | ISU | CCP

# the heads of noun phrases: nouns; if there is none, other words, of which adverbs,
# prepositions and the like come last
class NOUN = NN | NE | NNE
class PRONOUN = PIS | PPER | PDS | PRELS | PWS | PPOSS | PRF | CARD | ADJA | PIAT | PDAT |
    PPOSAT | PIDAT | FM | TRUNC | XY | ADJD
class OTHER = TAG except NOUN, PRONOUN
class NOMINAL = ANY except NOUN
class NOWORD = NOMINAL except PRONOUN
class INNER = NOWORD except CNP, PN, NM, MPN, CH
class GROUP = CNP | PN | NM | MPN | CH

# what may stand with a noun: no clause; no clause and no PP; words and adjectives only
class NOCLAUSE = ANY except CLAUSE
class NOPP = NOCLAUSE except PHRASEP
class SMALL = NOPP except NAME
class NOCL = NOMINAL except CLAUSE
class NOCLPP = NOCL except PHRASEP
class NOSMALL = NOCLPP except NAME

# prepositions, and adverbs that hold one
class PREP = APPR | APPRART | APPO | APZR | CAC | PROAV | PAV | PWAV
class NOP = ANY except PREP
class NOPTAG = TAG except PREP
class NOPPP = NOP except PP

# in a clause: anything but a verb; but a finite one; what may introduce it
class EDGE = ANY except FINITE
class SUBORDINATOR = KOUS | KOUI
class RELATIVE = PRELS | PRELAT
class QUESTION = PWS | PWAV | PWAT
class FRONT = EDGE except CONJ
class PLAIN = FRONT except SUBORDINATOR, RELATIVE, QUESTION
class NOVP = EDGE except VP, CVP
class NOINF = NOVP except INFINITE
class PREDICATE = NOINF except S, CS, CONJ

# in a verb phrase
class NOINFIN = ANY except INFINITE
class NOINFVP = NOINFIN except VP

# adjectives and adverbs
class ADJECTIVE = ADJA | ADJD
class NOADJ = ANY except ADJECTIVE

class ITEM = ANY except CONJ
class CONJUNCT = ITEM except CNP, CAP, CPP, CAVP, CVP, CVZ, CAC, CCP, CO
class NOSENT = ANY except S
class NOCS = NOSENT except CS


# ---- Noun phrases -------------------------------------------------------------

# Words, and adjective phrases before the noun: the last noun is the head (the tired old
# man; no authorities)
NP-t: SMALL* (head:NOUN) NOSMALL*
    yes: NP -> ART NN
    yes: NP -> ART ADJA NN
    yes: NP -> ART AP NN
    no:  NP -> ART NN NP
    no:  NP -> ART NN PP
    no:  NP -> ART ADJA

# With a noun phrase or a name: a genitive, an apposition (the tears [of the minister];
# minister [Jürgen Trittin])
NP-np: (?=SMALL* NAME) NOPP* (head:NOUN) NOCLPP*
    yes: NP -> ART NN NP
    yes: NP -> NN PN
    no:  NP -> ART NN
    no:  NP -> ART NN NP PP

# With a prepositional phrase (priority [for schools])
NP-pp: (?=NOPP* PHRASEP) NOCLAUSE* (head:NOUN) NOCL*
    yes: NP -> ART NN PP
    yes: NP -> ART NN NP PP
    no:  NP -> ART NN NP
    no:  NP -> ART NN PP S

# With a clause or an infinitive (the proposal [that the city made])
NP-cl: (?=NOCLAUSE* CLAUSE) ANY* (head:NOUN) NOMINAL*
    yes: NP -> ART NN S
    yes: NP -> ART NN PP VP
    no:  NP -> ART NN PP

# No noun: the last pronoun, number or adjective is the head (all; a third one; some [of
# them])
NP-pro: NOMINAL* (head:PRONOUN) NOWORD*
    yes: NP -> ART ADJA
    yes: NP -> PIS PP
    yes: NP -> PDS S
    no:  NP -> ART NN
    no:  NP -> PIS NN

# A coordination or a name in the place of the noun (the [women and men]; the [Groß
# Kreutz])
NP-crd: INNER* (head:GROUP) NOWORD*
    yes: NP -> ART CNP
    yes: NP -> PN NP
    no:  NP -> NN PN

# An inner noun phrase is all there is to be the head (even [the mayor])
NP-mod: ((?!NP) INNER)* (head:NP) INNER*
    yes: NP -> ADV NP
    yes: NP -> NP S
    no:  NP -> ART NP NN
    no:  NP -> NP CNP

# A phrase in the place of a noun, or what is left of a noun phrase, words aside
NP-nt: OTHER* (head:CLAUSE | PHRASEP | AP | CAP | AVP | AA | VZ) ((?!NP) INNER)*
    yes: NP -> S
    yes: NP -> ART AP
    no:  NP -> NP S
    no:  NP -> ART CNP
# Words only, none of which is a noun or stands for one: the last
NP-w: (OTHER | CONJ)* (head:OTHER)
    yes: NP -> ART
    yes: NP -> KOKOM ADV
    no:  NP -> ART NN


# ---- Prepositional phrases ----------------------------------------------------

# The head is the preposition, the first; with words and adjectives (in the old house;
# for it)
PP-t: ((?!PREP) SMALL)* (head:PREP) SMALL*
    yes: PP -> APPR ART NN
    yes: PP -> ADV APPR NN
    yes: PP -> APPRART ADJA NN
    no:  PP -> APPR ART NN NP
    no:  PP -> PP PP

# With a noun phrase or a name; with a coordination of nouns it is the same (in the valley
# [of tears]; for [honour and glory])
PP-np: (?=SMALL* NAME) ((?!PREP) NOPP)* (head:PREP) NOPP*
    yes: PP -> APPR ART NN NP
    yes: PP -> APPR CNP
    no:  PP -> APPR ART NN

# With a prepositional phrase (in talks [with them])
PP-pp: (?=NOPP* PHRASEP) ((?!PREP) NOCLAUSE)* (head:PREP) NOCLAUSE*
    yes: PP -> APPR NN PP
    no:  PP -> APPR NN
    no:  PP -> PP PP

# With a clause (at the moment [when he came]; about it [that he came])
PP-cl: (?=NOCLAUSE* CLAUSE) NOP* (head:PREP) ANY*
    yes: PP -> APPR NN S
    yes: PP -> PROAV S
    no:  PP -> APPR NN

# An inner phrase, modified (only [in Rome])
PP-mod: NOPPP* (head:PP) NOP*
    yes: PP -> ADV PP
    yes: PP -> PP S
    no:  PP -> APPR PP

# No preposition: what is left of a phrase; the first phrase is the head, words aside
PP-nt: NOPTAG* (head:S | VP | NP | CS | CVP | CPP | CNP | PN | AP | AVP) NOPPP*
    yes: PP -> S
    no:  PP -> APPR S
    no:  PP -> PP S


# ---- Clauses ------------------------------------------------------------------

# The finite verb comes first (is it true; does he come; [and] goes)
S-v1: CONJ? (head:FINITE) ANY*
    yes: S -> VVFIN NP
    yes: S -> KON VAFIN PPER VP
    no:  S -> NP VVFIN

# It comes second (the idea works; today she leaves)
S-v2: CONJ? PLAIN (head:FINITE) ANY*
    yes: S -> NP VVFIN NP
    yes: S -> KON ADV VAFIN NP VP
    no:  S -> VVFIN NP
    no:  S -> NP ADV VVFIN
    no:  S -> KOUS VVFIN

# It comes later, and nothing marks the clause at its start (as it may be in a relative
# clause under a preposition, or after raising)
S-vl: CONJ? PLAIN (PLAIN | CONJ)+ (head:FINITE) ANY*
    yes: S -> PP NP VVFIN
    no:  S -> NP VVFIN
    no:  S -> KOUS NP VVFIN

# Under a conjunction (that he comes; although it rained)
S-sub: (PLAIN | CONJ)* SUBORDINATOR EDGE* (head:FINITE) ANY*
    yes: S -> KOUS NP VVFIN
    yes: S -> ADV KOUS PPER VP VAFIN
    no:  S -> PRELS VVFIN

# With a relative pronoun (who was received)
S-rel: (PLAIN | CONJ)* RELATIVE EDGE* (head:FINITE) ANY*
    yes: S -> PRELS VP VAFIN
    no:  S -> NP VVFIN

# With a question word: a question, direct or indirect (who comes; why he came)
S-wh: (PLAIN | CONJ)* QUESTION EDGE* (head:FINITE) ANY*
    yes: S -> PWS VP VMFIN
    yes: S -> PWAV VVFIN NP
    no:  S -> PRELS VVFIN

# No finite verb: the last verb phrase is the head, else the last verb (the auxiliary is
# that of another conjunct; go!)
S-vp: EDGE* (head:VP | CVP) NOVP*
    yes: S -> NP VP
    yes: S -> KOUS NP VP
    no:  S -> NP VAFIN VP

# No finite verb and no verb phrase, but a verb: the last is the head (go!; all gone)
S-inf: NOVP* (head:INFINITE) NOINF*
    yes: S -> NP VVPP
    no:  S -> NP VP
    no:  S -> VVFIN

# No verb at all: the predicate, which is the last phrase or word that is no clause
# (every click [a hit]; [good] that we have it); else an inner clause (S-mod)
S-nt: NOINF* (head:PREDICATE) (S | CS | CONJ)*
    yes: S -> NP NP
    yes: S -> ADJD S
    no:  S -> NP VVFIN
    no:  S -> S

# Nothing but clauses: the first is the head (an inner clause, or what is left of one)
S-mod: (CONJ | CS)* (head:S) (S | CS | CONJ)*
    yes: S -> S
    no:  S -> ADV S


# ---- Verb phrases -------------------------------------------------------------

# An infinitive or participle, the last if there are several, with objects and adjuncts
# (write good books; put on a chain)
VP-t: NOCLAUSE* (head:INFINITE) ((?!CLAUSE) NOINFIN)*
    yes: VP -> NP VVINF
    yes: VP -> VVPP
    yes: VP -> NP VZ
    yes: VP -> VVPP VAINF
    no:  VP -> VP VAINF

# With a verb phrase or clause: what an auxiliary, a verb of wanting or saying takes
# ([hard to sell] be; said [that it works])
VP-cl: (?=NOCLAUSE* CLAUSE) ANY* (head:INFINITE) NOINFIN*
    yes: VP -> VP VAINF
    yes: VP -> VVPP S
    no:  VP -> NP VVINF

# A verb phrase, modified
VP-mod: NOINFVP* (head:VP) NOINFIN*
    yes: VP -> ADV VP
    no:  VP -> VP VAINF

# No verb: what is left in its place; the last phrase or word is the head
VP-nt:
    NOINFVP* (head:NP | PP | S | CVP | CS | AP | AVP | PN | CNP | CPP | ADJD | ADV | NN |
    NE | PTKVZ | PROAV | FINITE | PTKNEG | PIS)
    yes: VP -> NP
    yes: VP -> ADV ADJD
    no:  VP -> VP
    no:  VP -> NP VVINF

# "zu" with its infinitive, which is the head
VZ-t: PTKZU ADV* (head:TAG) NT*
    yes: VZ -> PTKZU VVINF
    no:  VZ -> VVINF


# ---- Adjectives, adverbs, names, numbers ------------------------------------------

# The last adjective is the head, or the word that stands for it (very late; more than a
# year old; twelve in all)
AP-t: ANY* (head:ADJECTIVE) NOADJ*
    yes: AP -> ADV ADJD
    yes: AP -> PP ADJA
    yes: AP -> ADJD NP
    no:  AP -> ADV CARD

# No adjective: the last number or pronoun is the head (twelve in all; too little)
AP-w:
    NOADJ* (head:CARD | PIAT | PIS | ART | PIDAT | PDAT | TRUNC | NN | FM | PPOSAT | VVPP |
    VVIZU | PWAT) ((?!TAG) NOADJ)*
    yes: AP -> ADV CARD
    no:  AP -> ADV ADJD

# No word: a phrase in the place of the adjective, or what is left of one
AP-nt:
    (ADV | PTKA | PTKNEG | AVP | KOKOM | PP | NP)* (head:CAP | NM | VZ | S |
    AVP) ((?!TAG | AP) NOADJ)*
    yes: AP -> S
    no:  AP -> ADV ADJD

# An inner adjective phrase, modified (so [very late])
AP-mod: ((?!TAG | AP) NOADJ | ADV | PTKA | PTKNEG | KOKOM)* (head:AP) ((?!TAG) NOADJ)*
    yes: AP -> ADV AP
    no:  AP -> AP ADJA

# The last word is the head; with what it takes along (not any more; so [that it works])
AVP-t: ANY* (head:TAG) (NT | CONJ)*
    yes: AVP -> ADV ADV
    yes: AVP -> ADV S
    no:  AVP -> S

# No adverb: a clause or phrase in its place, or what is left of one
AVP-nt: (head:S | PP | NP | CAVP | VP | AP | CS) NT*
    yes: AVP -> S
    no:  AVP -> ADV S

# A name or a number of several words: the last is the head; a phrase that is a name
PN-t, MPN-t, NM-t, MTA-t, AA-t, CH-t, QL-t: (TAG | CONJ | NT)* (head:TAG)
    yes: PN -> NE NE
    yes: MPN -> NE NE
    yes: NM -> CARD NN
    yes: MTA -> NN ADJA
    yes: AA -> PTKA ADJD
    yes: CH -> FM FM
    yes: QL -> ADV NN
    no:  PN -> NP
    no:  MPN -> NP
    no:  NM -> NP
    no:  MTA -> NP
    no:  AA -> AP
    no:  CH -> NP
    no:  QL -> NP

# A phrase that is a name, or what takes its place: the first is the head
PN-nt, MTA-nt, AA-nt, QL-nt, ISU-nt:
    (TAG | CONJ)* (head:NP | CNP | S | VP | PP | AP | AVP | CS | NM | CH) NT*
    yes: PN -> NP
    yes: MTA -> NP
    yes: AA -> AP
    yes: QL -> NP
    yes: ISU -> S
    no:  PN -> NE
    no:  MTA -> NN
    no:  AA -> ADJD
    no:  QL -> NN
    no:  ISU -> NN


# ---- Coordination -----------------------------------------------------------------

# With a conjunction: the first conjunct is the head (honour and glory; either for or
# against)
CNP-crd, CAP-crd, CPP-crd, CAVP-crd, CVP-crd, CVZ-crd, CAC-crd, CCP-crd, CO-crd:
    CONJ? (head:CONJUNCT) ITEM* (CONJ ITEM*)+
    yes: CNP -> NN KON NN
    yes: CNP -> KON NP KON NP
    yes: CAP -> ADJA KON AP
    yes: CPP -> PP KON PP
    yes: CAVP -> ADV KON ADV
    yes: CVP -> VP KON VP
    yes: CVZ -> VZ KON VZ
    yes: CAC -> APPR KON APPR
    yes: CCP -> KOUS KON KOUS
    yes: CO -> PP KON VP
    no:  CNP -> NN NN
    no:  CAP -> ADJA ADJA
    no:  CPP -> PP PP
    no:  CAVP -> ADV ADV
    no:  CVP -> VP VP
    no:  CVZ -> VZ VZ
    no:  CAC -> APPR APPR
    no:  CCP -> KOUS KOUS
    no:  CO -> PP VP

# Without (the first conjunct is the head, as above), or one conjunct alone, where the
# others stand elsewhere
CNP-lst, CAP-lst, CPP-lst, CAVP-lst, CVP-lst, CO-lst: CONJ? (head:CONJUNCT) ITEM*
    yes: CNP -> NP NP
    yes: CAP -> AP AP
    yes: CPP -> PP PP
    yes: CAVP -> ADV ADV
    yes: CVP -> VP VP
    yes: CO -> NP VP
    no:  CNP -> NN KON NN
    no:  CAP -> ADJA KON ADJA
    no:  CPP -> PP KON PP
    no:  CAVP -> ADV KON ADV
    no:  CVP -> VP KON VP
    no:  CO -> NP KON VP

# Clauses: what they share may stand in front (either he comes or she goes)
CS-crd: NOCS* (head:S) ITEM* CONJ ANY*
    yes: CS -> S KON S
    yes: CS -> KON S KON S
    no:  CS -> S S

# Clauses without a conjunction: the first is the head (he came, he saw)
CS-lst: NOCS* (head:S) ITEM*
    yes: CS -> S S
    no:  CS -> S KON S

# A coordination inside a coordination: the inner one is the head, if it comes first
CS-mod: NOCS* (head:CS) ANY*
    yes: CS -> CS KON S
    no:  CS -> S CS

# Sentences and remarks side by side: the first clause is the head, else the first phrase
DL-s: NOSENT* (head:S) ANY*
    yes: DL -> ITJ S
    no:  DL -> NP NP

# Remarks without a clause: the first phrase is the head
DL-nt: TAG* (head:NP | PP | VP | CS | AP | AVP | CNP) NOSENT*
    yes: DL -> NP NP
    no:  DL -> NP S
