# Japanese constructions, for trees in the style of the Keyaki treebank
#
# english.pat explains the notation and what names end in. Phrases are flat, and their
# heads stand at the right; clauses have no VP. So a construction is told by what stands
# with the head:
#
#     -t      the simple case: words only
#     -mod    with other phrases in front or behind
#     -pp     a noun with a PP in front (X no N)
#     -rel    a noun with a clause in front
#     -num    headed by a number with its classifier
#     -v -vs -v2 -pass    a clause with a verb: bare; a noun made a verb by suru (VB0);
#             with a second verb (te iru); passive or causative
#     -adj -cop    a clause with an adjective; with a copula
#     -np -s -adv  particles by what they mark: a noun phrase, a clause, an adverb
#     -crd    coordination: the last conjunct is the head, the others are in CONJP
#     -nt     no word of the kind that heads it: a phrase takes its place
#
# Heads (Butler et al. 2012; Horn et al. 2017, the manual of the Keyaki treebank): the
# particle of a PP; the last noun of a noun phrase; of a clause the verb or adjective that
# stands first in the complex at its right edge (tabe-te i-mashi-ta is headed by tabe),
# the copula if the predicate is a noun. A particle that closes a clause (to, ka, ne) adds
# to it: the clause is the head of CP, as it is in the other inventories. In coordination
# the last conjunct is the head: it is the only one that is not inside CONJP.

labels japanese

# ---- Classes ------------------------------------------------------------------
#
# TAG   any tag but CONJ           NT    any phrase but CONJP
# CONJ  the tag CONJ               ANY   any child

class CLAUSE = IP | CP | multi | FRAG

# words that head noun phrases; others
class NOUN = N | NPR | PRO | WPRO | QN | Q | FN | FO | FW | SYM | RPRO | NUM | CL | MENTION |
    URL
class NOTNOUN = ANY except NOUN
class BEFORE = ANY except CONJP
class NOREL = BEFORE except CLAUSE
class NOPP = NOREL except PP
class WORDS = NOPP except NT
class TAILR = NOTNOUN except NP, CONJP
class TAIL = TAILR except CLAUSE
class TAILS = TAIL except PP
class TAILT = TAILS except NT
class NOHEAD = NOTNOUN except NP
class NOCORE = NOHEAD except NUMCLP, NLYR
class NONUM = NOHEAD except NUMCLP, NML, NLYR, CONJP

# predicates, and what carries them on: copula, tense, negation, second verbs
class ADJECTIVE = ADJI | ADJN
class PREDICATE = VB | ADJECTIVE
class PASSIVE = PASS | PASS2
class LIGHT = AX | AXD | MD | NEG | NEG3 | VB0 | VB2 | VB3 | PASSIVE
class REST = ANY except PREDICATE
class NOPASS = REST except PASSIVE
class NOVB2 = NOPASS except VB2, VB3
class NOVB0 = NOVB2 except VB0
class NOLIGHT = REST except LIGHT
class NOIP = NOLIGHT except IP

# particles
class PARTICLE = P | QUOT
class NOP = ANY except PARTICLE
class MARKED = NOP except NP, CLAUSE, CONJP, PP
class NOPPHRASE = NOP except PP
class NOCLAUSE = ANY except CLAUSE
class NOCL = ANY except CL

# adverbs; phrases that may head a node that is no phrase in the strict sense
class ADVERB = ADV | WADV | ADJECTIVE | D | WD | PNL
class PHRASE = NP | PP | IP | CP | ADVP | NUMCLP | CONJP
class UTTERANCE = TAG except PARTICLE, LIGHT


# ---- Noun phrases -------------------------------------------------------------

# Words: the last noun is the head (this work; the truck; who)
NP-t: WORDS* (head:NOUN) TAILT*
    yes: NP -> N
    yes: NP -> D N
    yes: NP -> NPR N P
    no:  NP -> PP N
    no:  NP -> NUMCLP

# With a phrase before or after, no clause and no PP (Tenbun [18]; two years [below])
NP-mod: (?=TAG* NT) NOPP* (head:NOUN) TAILS*
    yes: NP -> NPR NUMCLP
    yes: NP -> NUMCLP N
    yes: NP -> NPR PRN
    no:  NP -> PP N
    no:  NP -> D N

# With a PP in front (the work [of the railway])
NP-pp: (?=NOPP* PP) NOREL* (head:NOUN) TAIL*
    yes: NP -> PP N
    yes: NP -> PP PP N
    no:  NP -> IP PP N
    no:  NP -> PP NUMCLP

# With a clause in front: relative, or the content of the noun (the thing [that began])
NP-rel: (?=NOREL* CLAUSE) BEFORE* (head:NOUN) TAILR*
    yes: NP -> IP N
    yes: NP -> IP PP N
    yes: NP -> CP N
    no:  NP -> PP N

# Coordination: the last NP or noun is the head (brother and [neighbour])
NP-crd: (?=BEFORE* CONJP) ANY* (head:NP) NOHEAD*
    yes: NP -> CONJP NP
    yes: NP -> CONJP CONJP NP
    no:  NP -> CONJP N

# Coordination with a bare noun as the last conjunct, which is the head
NP-crdt: (?=BEFORE* CONJP) ANY* (head:NOUN) NOHEAD*
    yes: NP -> CONJP N
    yes: NP -> N CONJP N
    no:  NP -> CONJP NP

# Coordination with a number or compound as the last conjunct, which is the head
NP-crdn: (?=NONUM* CONJP) NOHEAD* (head:NUMCLP | NML | NLYR) NONUM*
    yes: NP -> CONJP NUMCLP
    no:  NP -> CONJP NP

# An inner NP, modified ([all] these; we [both])
NP-modl: BEFORE* (head:NP) TAILR*
    yes: NP -> IP NP
    yes: NP -> NP PRN
    no:  NP -> NP N
    no:  NP -> CONJP NP

# A number or compound in the place of the noun (eight CL; one [of them])
NP-num: ((?!CONJP) NOHEAD)* (head:NUMCLP | NML | NLYR) NONUM*
    yes: NP -> NUMCLP
    yes: NP -> PP NUMCLP
    no:  NP -> NUMCLP N

# A phrase or a word of another kind in the place of the noun: the last one
NP-nt: NONUM* (head:IP | CP | PP | ADVP | PRN | FRAG | multi | INTJP) TAILT*
    yes: NP -> IP
    no:  NP -> IP N

# A verb, adjective or adverb in the place of the noun: the last is the head
NP-w: TAILT* (head:VB | ADJECTIVE | ADV | WADV | D | WD | INTJ | PNL | NEG) (PARTICLE | LIGHT)*
    yes: NP -> VB
    no:  NP -> VB N

# Inside names and compounds it is the same, and the simple case holds all (the [history
# and scale])
NML-t, NLYR-t: ANY* (head:NOUN) NOCORE*
    yes: NML -> PP N
    yes: NLYR -> PP N
    no:  NML -> CONJP NP
    no:  NLYR -> CONJP NP

# A compound that ends in a phrase, which is the head
NML-nt: ANY* (head:NP | NUMCLP | NLYR) NOCORE*
    yes: NML -> CONJP NP
    no:  NML -> NP N

# The same of a layer inside a noun phrase (NPCMJ), which may have layers of its own
NLYR-nt: ANY* (head:NP | NUMCLP) NOCORE*
    yes: NLYR -> CONJP NP
    no:  NLYR -> NP N

# A layer in a layer: the last is the head
NLYR-mod: ANY* (head:NLYR) NOCORE*
    yes: NLYR -> CONJP NLYR
    no:  NLYR -> NLYR N

# A number: with its classifier, which is the head; without
NUMCLP-cl: ANY* (head:CL) ((?!CL) ANY)*
    yes: NUMCLP -> NUM CL
    yes: NUMCLP -> NUM CL PRN
    no:  NUMCLP -> NUM

# A number without a classifier: the last word is the head (two people; how much)
NUMCLP-t: NOCL* (head:NUM | WNUM | N | Q | QN | SYM | WPRO | NPR | ADV) ((?!TAG) NOCL)*
    yes: NUMCLP -> NUM
    no:  NUMCLP -> NUM CL

# Coordination or apposition of numbers: the last is the head
NUMCLP-crd: ((?!TAG) NOCL)* (head:NUMCLP) ((?!TAG) NOCL | PARTICLE)*
    yes: NUMCLP -> CONJP NUMCLP
    no:  NUMCLP -> NUM CL


# ---- Particles and adverbs ------------------------------------------------------

# A noun phrase with its particle; with two of them, the last is the head (rails over;
# above in TOPIC)
PP-np: ((?!CONJP) NOP)* NP MARKED* PARTICLE* (head:PARTICLE) ((?!PP) NOP)*
    yes: PP -> NP P
    yes: PP -> NP P P
    no:  PP -> IP P
    no:  PP -> CONJP PP

# A clause with its particle (as I think [so]; because)
PP-s: ((?!CONJP) NOP)* CLAUSE MARKED* PARTICLE* (head:PARTICLE) ((?!PP) NOP)*
    yes: PP -> IP P
    yes: PP -> CP P
    no:  PP -> NP P

# An adverb, a number or nothing at all with a particle (at least TOPIC)
PP-adv: MARKED* PARTICLE* (head:PARTICLE) ((?!PP) NOP)*
    yes: PP -> ADVP P
    yes: PP -> P
    yes: PP -> N P
    no:  PP -> NP P

# An inner PP with particles or modifiers; coordination: the last PP is the head
PP-mod: ((?!CONJP) NOP)* (head:PP) (MARKED | PARTICLE)*
    yes: PP -> ADVP PP
    yes: PP -> PP P
    no:  PP -> NP P

# Coordination of PPs: the last is the head (from noon [to three])
PP-crd: (?=NOP* CONJP) ANY* (head:PP) NOPPHRASE*
    yes: PP -> CONJP PP
    no:  PP -> PP P

# Coordination inside a PP: the particle that closes it is the head
PP-crdp: (?=NOP* CONJP) NOPPHRASE* PARTICLE* (head:PARTICLE) NOPPHRASE*
    yes: PP -> CONJP NP P
    no:  PP -> CONJP PP

# The particle is left out
PP-nt: ((?!CONJP) NOPPHRASE)* (head:NP | ADVP | NUMCLP | CLAUSE | N)
    yes: PP -> NP
    no:  PP -> NP P

# The adverb or adjective is the head, the last (only; very well; naturally)
ADVP-t: ANY* (head:ADVERB) (AX | PARTICLE | NT | AXD | VB0 | NEG)*
    yes: ADVP -> ADV
    yes: ADVP -> ADJN AX
    no:  ADVP -> N P

# No adverb: the last noun or verb that stands for one is the head
ADVP-w:
    ((?!ADVERB) ANY)* (head:N | Q | QN | VB | PRO | FN | NPR | INTJ |
    CONJ) (AX | PARTICLE | NEG | VB2)*
    yes: ADVP -> N AX
    no:  ADVP -> N ADV

# No word: a phrase that stands for an adverb (like [a friend])
ADVP-nt: (INTJ | NT)* (head:NP | PP | IP | NUMCLP) (AX | PARTICLE | PRN)*
    yes: ADVP -> NP AX
    no:  ADVP -> ADV

# An inner adverb phrase, modified (much [more quietly])
ADVP-mod: (INTJ | NT)* (head:ADVP) (AX | PARTICLE | PRN)*
    yes: ADVP -> NP ADVP
    no:  ADVP -> ADV


# ---- Clauses ------------------------------------------------------------------

# A verb with its arguments: the last verb before what carries it on (started; look
# at the scenery while)
IP-v: ANY* (head:VB) NOVB0*
    yes: IP -> PP VB
    yes: IP -> PP PP VB AXD
    yes: IP -> PP VB P
    no:  IP -> PP VB VB0
    no:  IP -> PP VB P VB2

# A noun that suru makes a verb (transport; act)
IP-vs: ANY* (head:VB) NOVB0* VB0 NOVB2*
    yes: IP -> PP VB VB0
    yes: IP -> VB VB0 AXD
    no:  IP -> PP VB

# With a second verb, which tells how it goes on (is put; ran towards)
IP-v2: ANY* (head:VB) NOVB2* (VB2 | VB3) NOPASS*
    yes: IP -> PP VB P VB2
    yes: IP -> VB P VB2 AXD
    no:  IP -> PP VB

# Passive, potential or causative (is told)
IP-pass: ANY* (head:VB) NOPASS* PASSIVE REST*
    yes: IP -> PP VB PASS
    no:  IP -> PP VB

# An adjective (is narrow; is natural)
IP-adj: ANY* (head:ADJECTIVE) REST*
    yes: IP -> ADJI
    yes: IP -> PP ADJN AX
    no:  IP -> PP VB

# A noun phrase, PP or adverb with a copula: the copula is the head (is eight years old)
IP-cop: NOLIGHT* (head:LIGHT) REST*
    yes: IP -> NP AX
    yes: IP -> PP NP AX AXD
    no:  IP -> ADJN AX

# No predicate, but an inner clause, the last one
IP-mod: (NOLIGHT)* (head:IP) NOIP*
    yes: IP -> PP IP
    yes: IP -> IP P
    no:  IP -> IP VB

# No predicate: the last noun phrase, PP or adverb stands for it (his name, [winter
# holidays])
IP-nt:
    NOIP* (head:NP | PP | ADVP | CP | NUMCLP | FRAG | N | NPR | ADV | WADV | WPRO | Q |
    PRO | CONJP | INTJ | INTJP) (PARTICLE | PRN | FS)*
    yes: IP -> PP NP
    yes: IP -> NP P
    no:  IP -> NP AX

# A clause with a particle at its end; without; with an inner CP (want to be [that]; who
# allowed it?)
CP-p: NOCLAUSE* (head:IP | multi | FRAG) ((?!PARTICLE) NOCLAUSE)* PARTICLE NOCLAUSE*
    yes: CP -> IP P
    yes: CP -> IP P P
    no:  CP -> IP

# A clause without a particle, which is the head (who allowed it?)
CP-s: NOCLAUSE* (head:IP | multi | FRAG) ((?!PARTICLE) NOCLAUSE)*
    yes: CP -> IP
    yes: CP -> IP PRN
    no:  CP -> IP P

# An inner CP, with particles or other clauses around it: the last is the head
CP-mod: ANY* (head:CP) NOCLAUSE*
    yes: CP -> CP P
    yes: CP -> IP CP
    no:  CP -> IP P

# Clauses side by side: the last is the head
CP-crd: NOCLAUSE* CLAUSE ANY* (head:IP | multi | FRAG) NOCLAUSE*
    yes: CP -> IP IP P
    no:  CP -> IP P

# No clause: the last phrase or word that stands for one is the head (the time?)
CP-nt: NOCLAUSE* (head:NP | PP | ADVP | INTJP | NUMCLP | N | INTJ | ADV |
    WPRO | WADV) (PARTICLE | PRN | AX)*
    yes: CP -> NP P
    no:  CP -> IP P


# ---- Conjuncts, remarks, fragments ------------------------------------------------

# A conjunct before the last, with its particle or conjunction: the phrase is the head
# (brother and)
CONJP-np: (CONJ | TAG | PRN | INTJP)* (head:NP | NML | NLYR | NUMCLP) (PARTICLE | CONJ | TAG | PRN)*
    yes: CONJP -> NP P
    yes: CONJP -> NP CONJ
    no:  CONJP -> PP

# The same with a PP or an adverb (from noon; slowly)
CONJP-pp: (CONJ | TAG)* (head:PP | ADVP) (PARTICLE | CONJ | TAG | PRN)*
    yes: CONJP -> PP
    no:  CONJP -> NP P

# The same with a clause (he comes and)
CONJP-s: (CONJ | TAG | NP | PP | ADVP)* (head:CLAUSE) (PARTICLE | CONJ | TAG | PRN)*
    yes: CONJP -> IP P
    no:  CONJP -> NP P

# Words only, the last of which is the head (and; either)
CONJP-t: (TAG | CONJ)* (head:TAG | CONJ)
    yes: CONJP -> CONJ
    yes: CONJP -> N P
    no:  CONJP -> NP P

# A conjunct inside a conjunct: the inner one is the head
CONJP-crd: CONJP* (CONJ | TAG)* (head:CONJP) (PARTICLE | CONJ)*
    yes: CONJP -> CONJP P
    no:  CONJP -> NP P

# Interjections: the last is the head; phrases among them do not count (yes, yes)
INTJP-t: (ANY* (?=INTJ) | ((?!INTJ) ANY)*) (head:UTTERANCE) (NT | PARTICLE | LIGHT)*
    yes: INTJP -> INTJ INTJ
    yes: INTJP -> INTJ PP INTJ
    yes: INTJP -> INTJ PRN
    no:  INTJP -> IP P

# No interjection but a phrase used as one, which is the head (what a [pity])
INTJP-nt: (CONJ | PRN)* (head:IP | CP | NP | ADVP | PP) (PARTICLE | LIGHT | NT)*
    yes: INTJP -> IP P
    no:  INTJP -> INTJ

# A remark or a fragment: the last phrase is the head; else the last word
PRN-nt, FRAG-nt, FS-nt, LST-nt, PNLP-nt, META-nt: ANY* (head:PHRASE) ((?!PHRASE) ANY)*
    yes: PRN -> NP
    yes: FRAG -> INTJ NP
    yes: FS -> NUMCLP
    yes: LST -> NP
    yes: PNLP -> NP
    yes: META -> NP
    no:  PRN -> N
    no:  FRAG -> INTJ
    no:  FS -> N
    no:  LST -> LS
    no:  PNLP -> ADJI
    no:  META -> N

# Words only, the last of which is the head (well, well)
PRN-t, FRAG-t, FS-t, LST-t, PNLP-t, META-t: ((?!PHRASE) ANY)* (head:TAG) ((?!PHRASE | TAG) ANY)*
    yes: PRN -> N
    yes: FRAG -> INTJ INTJ
    yes: FS -> N
    yes: LST -> LS
    yes: PNLP -> ADJI
    yes: META -> N
    no:  PRN -> NP
    no:  FRAG -> NP
    no:  FS -> NP
    no:  LST -> NP
    no:  PNLP -> NP
    no:  META -> NP

# Sentences side by side: the last is the head
multi-s: ANY* (head:CP | IP | FRAG) ((?!CP | IP | FRAG) ANY)*
    yes: multi -> CP CP
    no:  multi -> NP
