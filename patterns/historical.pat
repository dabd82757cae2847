# Constructions of the Penn historical scheme: Old, Middle and Early Modern English,
# Icelandic, Faroese, Yiddish
#
# english.pat explains the notation and what names end in. Clauses are flat here: IP holds
# the verbs, their arguments and adjuncts, and there is no VP. Noun phrases are flat too,
# and the second conjunct of a coordination stands in CONJP inside the first. So a
# construction is told by what stands with the head:
#
#     -v      a clause with a finite full verb          -imp   an imperative
#     -aux    a finite auxiliary and a full verb        -inf   to and an infinitive
#     -be     be, have, do, a modal, and no other verb  -ppl   a participle or infinitive
#     -t      the simple case: words only               -mod   with other phrases
#     -np     a noun with a noun phrase: possessor, apposition
#     -pp     with a prepositional phrase               -cl    with a clause
#     -crd    coordination of phrases: the first conjunct, of the node's own kind, heads
#     -crdt   coordination of words, or of a word and a CONJP
#     -c -wh -ip    clauses under CP: with a complementizer, a question or relative
#             phrase, or neither
#     -nt     no word of the kind that heads it: a phrase takes its place
#     -w      no noun, but a word that stands for one
#
# Heads. The annotation marks none (Santorini 2016, the annotation guidelines). A clause is
# headed by its last full verb, which auxiliaries precede: so a clause has the same head as
# in the Penn Treebank, where the VP below an auxiliary is the head (VP-aux in
# english.pat). Without a full verb, the last of be, have, do and the modals is the head.
# CP is headed by its clause; a noun phrase by its last noun (an article may follow it in
# Icelandic and Faroese); PP, ADJP and the like by the word that they are named after; CONJP
# by the phrase that is conjoined.

labels historical

# ---- Classes ------------------------------------------------------------------
#
# TAG   any tag but CONJ           NT    any phrase but CONJP, NX and the like
# CONJ  the tag CONJ               ANY   any child
#
# Words that are coordinated may have a bracket that is labelled as their tag: (VB (VB
# come) (CONJ and) (VB see)). Quoted labels stand for both.

# full verbs: finite, imperative, other; be, have, do, become and modals: finite, other.
# -H is a form of which the mood is not clear, -F any finite form of Yiddish, AX an
# auxiliary of any kind, UTP the "let us" of Old English
class FULLFINITE = 'VBP' | 'VBD' | 'VBPI' | 'VBPS' | 'VBDI' | 'VBDS' | VBPH | VBDH | 'VBF' | VLF
class IMPERATIVE = 'VBI' | 'BEI' | 'DOI' | 'HVI' | 'RDI' | 'LBI' | AXI | MDI
class FULLOTHER = 'VB' | 'VBN' | 'VAG' | 'VAN'
class BEING = 'BEP' | 'BED' | 'BEPI' | 'BEPS' | 'BEDI' | 'BEDS' | BEPH | BEDH | 'BEF'
class HAVING = 'HVP' | 'HVD' | 'HVPI' | 'HVPS' | 'HVDI' | 'HVDS' | HVPH | HVDH | 'HVF'
class DOING = 'DOP' | 'DOD' | 'DOPI' | 'DOPS' | 'DODI' | 'DODS' | DOF
class BECOMING = 'RDP' | 'RDD' | 'RDPI' | 'RDPS' | 'RDDI' | 'RDDS' | RDF
class REMAINING = 'LBP' | 'LBD' | 'LBPI' | 'LBPS' | 'LBDI' | 'LBDS'
class MODAL = 'MD' | 'MDP' | 'MDD' | 'MDPI' | 'MDPS' | 'MDDI' | 'MDDS' | MDPH | MDDH | UTP |
    'MDF'
class ANYAUX = AXP | AXD | AXPI | AXPS | AXPH | AXDI | AXDS | AXDH
class AUXFINITE = BEING | HAVING | DOING | BECOMING | REMAINING | MODAL | ANYAUX
class AUXBE = 'BE' | 'BEN' | 'BAG' | 'BAN' | 'HV' | 'HVN' | 'HAG' | 'HAN' | 'MDN' | 'MAG'
class AUXDO = 'DO' | 'DON' | 'DAG' | 'DAN' | 'RD' | 'RDN' | 'RAG' | 'RAN' | 'LB' | 'LBN'
class AUXOTHER = AUXBE | AUXDO | AX | AXN | AXG | MD0
class FULL = FULLFINITE | FULLOTHER
class FINITE = FULLFINITE | AUXFINITE
class AUX = AUXFINITE | AUXOTHER
class VERB = FULL | AUX | IMPERATIVE

# in a clause: anything but verbs of a kind
class NOVERB = ANY except VERB
class NOFULL = ANY except FULL, IMPERATIVE
class NOTO = ANY except TO
class NOFULLTO = NOFULL except TO
class NOIMP = ANY except IMPERATIVE, TO
class AFTERIMP = NOTO except FULLFINITE
class NOFINITE = NOTO except FINITE, IMPERATIVE
class NOFINFULL = NOFINITE except FULLOTHER
class NOVERBTO = NOVERB except TO
class EDGES = NOVERBTO except CONJP
class EDGE = EDGES except IP

# heads of noun phrases: nouns and pronouns; other words, particles and adverbs aside
class COMMON = 'N' | 'NS' | 'N$' | 'NS$' | MAN | 'MAN$' | NR | 'NR$' | H
class NOUN = COMMON | 'NPR' | 'NPRS' | 'NPR$' | 'NPRS$' | PRO | ONES | OTHERS | 'OTHERS$'
class QUANTITY = Q | 'Q$' | QR | QS | 'NUM' | 'NUM$' | ONE | 'ONE$' | '$' | LS
class QUALITY = 'ADJ' | ADJR | ADJS | OTHER | 'OTHER$' | SUCH | 'SUCH$' | 'VAG' |
    'VAN' | 'VBN' | 'VB'
class POINTER = D | 'PRO$' | WPRO | WD | EX | ES | ELSE | ALSO | FW | X | INTJ | SUFF | DR |
    'REF'
class SUBSTANTIVE = QUANTITY | QUALITY | POINTER
class SMALLWORD = TAG except NOUN, SUBSTANTIVE

# what stands with a noun: anything but a coordination; ... nor a clause; ... nor a PP; ...
# nor an NP; ... nor any phrase
class JOINED = CONJ | CONJP
class SINGLE = ANY except JOINED
class CLAUSE = IP | CP | RRC | QTP | FRAG
class NOCLAUSE = SINGLE except CLAUSE
class NOPP = NOCLAUSE except PP
class NONP = NOPP except NP
class WORDS = TAG | 'N' | 'NS' | 'NPR' | 'NPRS'
class NOHEBREW = WORDS except H

# the same after the noun
class AFTER = SINGLE except NOUN
class AFTERC = NOCLAUSE except NOUN
class AFTERP = NOPP except NOUN
class AFTERN = NONP except NOUN
class AFTERW = WORDS except NOUN

# without a noun; phrases that may take its place
class STANDIN = QP | NUMP | ADJP | CP | IP | ADJX | QTP | FOREIGN | LATIN | RRC | WNP |
    NUMX | QX | REP | FRAG | ENGLISH | FRENCH | XP | META | TTL | IGNORE
class NONOUN = SINGLE except NOUN, NP
class NOWORD = NONOUN except SUBSTANTIVE

# prepositions, complementizers, adverbs, adjectives
class PREP = 'P' | FOR | 'RP' | RPX
class NOP = SINGLE except PREP, PP
class NOPCL = NOP except CLAUSE
class WH = WNP | WPP | WADVP | WADJP | WQP | WNX | WPRO | WADV | WQ | WD
class COMPLEMENTIZER = 'C'
class NOIP = SINGLE except IP, CP
class NOWH = NOIP except WH
class NOC = NOWH except COMPLEMENTIZER
class ADJECTIVE = 'ADJ' | ADJR | ADJS | 'VAN' | 'VAG' | 'VBN'
class NOADVP = SINGLE except ADVP
class LEAD = TAG | ADVP | INTJP | NP

# elsewhere: in question phrases; words, or any child, but those of a kind
class ASKED = SUBSTANTIVE | WADV | WQ | 'WPRO$' | ADV | ADVR
class ASKING = SINGLE except NOUN, WNP
class TAGNOV = TAG except VERB, TO
class TAGNOP = TAG except PREP
class TAGNOADJ = TAG except ADJECTIVE
class WORDA = TAG | ADJECTIVE
class PHRASEA = SINGLE except WORDA
class NOADJP = SINGLE except ADJP
class PHRASENA = PHRASEA except ADJP
class SMALL = TAGNOV | CONJ
class ADJUNCT = SMALL | PP | ADVP | CP
class NOVERBS = SINGLE except VERB
class NOFULLS = SINGLE except FULL
class LEADA = LEAD except ADJECTIVE
class LEADV = LEAD except VERB
class NTNOADV = NT except ADVP

# in a conjunct: what stands between the conjunction and its phrase
class LINKW = CONJ | TAG | INTJP
class LINK = LINKW | ADVP

# phrases that can head a node that is no phrase in the strict sense
class CORE = NP | PP | IP | CP | ADJP | WNP | WPP | WADVP | QP | NUMP | NX | RRC | VP |
    LATIN | FOREIGN


# ---- Clauses ------------------------------------------------------------------

# A finite full verb, the last one (I thank God; he came to the city)
IP-v: NOTO* (head:FULLFINITE) NOFULLTO*
    yes: IP -> NP VBP NP
    yes: IP -> CONJ VBDI IP
    yes: IP -> VBPI NP PP
    no:  IP -> NP MD VB
    no:  IP -> TO VB NP

# A finite verb and, after it or before, a full verb that is not: the last full verb is
# the head (we shall have; was written; has come)
IP-aux: (?=NOFINITE* FINITE) NOIMP* (head:FULLOTHER) NOFULLTO*
    yes: IP -> NP MD VB NP
    yes: IP -> NP BED VAN PP
    yes: IP -> VAN BEPI NP
    no:  IP -> NP VBP
    no:  IP -> VAG NP

# Be, have, do, become or a modal, and no full verb: the last is the head (it is so; she
# shall be glad)
IP-be: (?=NOFINITE* FINITE) NOFULLTO* (head:AUX) NOVERBTO*
    yes: IP -> NP BEP NP
    yes: IP -> NP MD BE ADJP
    no:  IP -> NP VBP
    no:  IP -> BAG ADJP

# An imperative, the first (let us go; hear me)
IP-imp: NOIMP* (head:IMPERATIVE) AFTERIMP*
    yes: IP -> VBI NP
    yes: IP -> VBI RP VBI
    no:  IP -> NP VBP

# An infinitive under "to" (to leave them; to be seen): the last full verb is the head; in
# IP-infbe there is none
IP-inf: NOTO* TO ANY* (head:FULL | IMPERATIVE) NOFULL*
    yes: IP -> TO VB NP
    yes: IP -> FOR NP TO BE VAN
    no:  IP -> MD VB

# The same without a full verb: be, have, do or become (to be glad; to have it)
IP-infbe: NOTO* TO NOFULL* (head:AUX) NOVERB*
    yes: IP -> TO BE ADJP
    yes: IP -> TO HV NP
    no:  IP -> TO BE VAN
    no:  IP -> BE ADJP

# "to" with its verb left out
IP-to: NOVERBTO* (head:TO) NOVERB*
    yes: IP -> TO
    no:  IP -> TO VB

# A participle or a bare infinitive, auxiliaries or not (being come; seeing him)
IP-ppl: NOFINITE* (head:FULLOTHER) NOFINFULL*
    yes: IP -> VAG NP
    yes: IP -> NP BAG VAN PP
    yes: IP -> VB
    no:  IP -> MD VB

# The same without a full verb: being, having, doing (being glad)
IP-pplbe: NOFINFULL* (head:AUXOTHER) ((?!AUXOTHER) NOFINFULL)*
    yes: IP -> BAG ADJP
    no:  IP -> BAG VAN
    no:  IP -> MD BE

# Coordination of clauses (he came and [she left]); an inner clause with something outside
# of it
IP-crd: EDGE* (head:IP) EDGES* CONJP NOVERBTO*
    yes: IP -> IP CONJP
    yes: IP -> CONJ IP CONJP CONJP
    no:  IP -> NP IP
    no:  IP -> VBP IP CONJP

# A clause inside a clause, with something outside of it (my lord, [I came])
IP-mod: EDGE* (head:IP) EDGES*
    yes: IP -> NP IP
    no:  IP -> VBP IP
    no:  IP -> NP NP

# No verb: a small clause, or one whose verb is left out; the predicate is the head: the
# last adjective phrase, else the last of several noun phrases, adjuncts after them aside,
# else the last phrase (make [him king]; think [him wise in this]); in -crdn a conjunct
# follows it
IP-nt:
    (EDGE*(?=ADJP ADJUNCT*(?!ANY)) | EDGE* NP EDGE*(?=NP ADJUNCT*(?!ANY)) | EDGE*) (head:NP |
    ADJP | PP | ADVP | QP | CP | NUMP | RRC | ADJX | NX | WNP | QTP | FRAG | VP) ADJUNCT*
    yes: IP -> NP NP
    yes: IP -> NP ADJP
    yes: IP -> NP ADJP PP
    no:  IP -> NP VBP
    no:  IP -> NP IP

# No verb, and a conjunct follows the predicate, which is the head
IP-crdn: EDGE* (head:NP | ADJP | PP | ADVP | QP | NUMP | RRC | CP) SMALL* CONJP (EDGE | CONJP)*
    yes: IP -> NP PP CONJP
    no:  IP -> NP IP CONJP

# Words only, no verb among them: the last is the head (up!; not so)
IP-t: SMALL* (head:TAGNOV) CONJ*
    yes: IP -> RP
    yes: IP -> NEG ADJ
    no:  IP -> VB
    no:  IP -> NP

# A clause with its complementizer (that it is so)
CP-c: CONJ? NOC* COMPLEMENTIZER NOWH* (head:IP) SINGLE*
    yes: CP -> C IP
    yes: CP -> PP C IP
    no:  CP -> WNP C IP
    no:  CP -> IP

# With a question or relative phrase (whom I saw; how that he came)
CP-wh: (CONJ | NOWH)* WH NOIP* (head:IP) SINGLE*
    yes: CP -> WNP IP
    yes: CP -> WADVP C IP
    yes: CP -> CONJ WNP IP
    no:  CP -> C IP

# With neither: they are empty, or it is a question by word order (I think [he came])
CP-ip: CONJ? NOC* (head:IP) SINGLE*
    yes: CP -> IP
    yes: CP -> NP IP
    no:  CP -> C IP

# Coordination of clauses inside (that he came [and that she left]); of whole CPs, or with
# adjuncts outside
CP-crdt: (CONJ | NOIP)* (head:IP) SINGLE* CONJP (CONJP | SINGLE)*
    yes: CP -> C IP CONJP
    no:  CP -> CP CONJP

# Coordination of whole CPs: the first is the head ([that he came] and [that she left])
CP-crd: (CONJ | NOIP)* (head:CP) SINGLE* CONJP (CONJP | SINGLE)*
    yes: CP -> CP CONJP
    no:  CP -> C CP

# A CP in a CP, with something outside of it
CP-mod: (CONJ | NOIP)* (head:CP) SINGLE*
    yes: CP -> C CP
    no:  CP -> C IP
    no:  CP -> CP CONJP

# The clause is left out (whatsoever; I know not [why])
CP-nt:
    (CONJ | NOIP)* (head:WNP | WPP | WADVP | WADJP | WQP | WQ | C | NP | PP | ADVP | ADJP |
    FRAG | QTP)
    yes: CP -> WNP
    no:  CP -> WNP IP

# A verb phrase, in a few conjunctions; a reduced relative clause: the last full verb is
# the head, else another verb (written to me; being there)
VP-t, RRC-v: SINGLE* (head:FULL) NOFULLS*
    yes: VP -> VB NP
    yes: RRC -> VAN PP
    no:  VP -> HV NP
    no:  RRC -> ADJP PP

# The same with be, have, do or become as the only verb (being there)
VP-be, RRC-be: NOFULLS* (head:AUX) NOVERBS*
    yes: VP -> HV NP
    yes: RRC -> BAG ADVP
    no:  VP -> VB NP
    no:  RRC -> VAN

# No verb: the last phrase is the predicate and the head (men [wholly yours])
RRC-nt: CONJ? NOVERBS* (head:NP | ADJP | PP | ADVP | QP | CP | IP | ADJ | NUMP | NX)
    yes: RRC -> ADVP NP
    no:  RRC -> VAN PP

# Coordination of reduced relative clauses: the first is the head
RRC-crd: CONJ? LEADV* (head:RRC) NOVERBS* (JOINED SINGLE*)+
    yes: RRC -> RRC CONJP
    no:  RRC -> VAN CONJP

# Coordination inside a reduced relative clause: its first verb or phrase is the head
RRC-crdt: ((?!RRC) NOVERBS)* (head:FULL | AUX | ADJP | PP | NP | ADVP) ((?!RRC) SINGLE)* JOINED ANY*
    yes: RRC -> VAN CONJP
    no:  RRC -> RRC CONJP


# ---- Noun phrases -------------------------------------------------------------

# Words: the last noun or pronoun is the head; an article may follow (this time; their
# government; borgina); of words of Hebrew at the end, the first (a ben adam)
NP-t, NX-t: CONJ? (NOHEBREW*(?=H+(?!ANY)) | WORDS*) (head:NOUN) (AFTERW | H)*
    yes: NP -> PRO
    yes: NP -> D ADJ N
    yes: NP -> N D
    yes: NP -> D H H
    yes: NX -> ADJ N
    no:  NP -> N NP
    no:  NP -> D
    no:  NX -> ADJ

# With adjective phrases, numbers, adverbs (very good men)
NP-mod, NX-mod: CONJ? (?=WORDS* (?!WORDS) SINGLE) NONP* (head:NOUN) AFTERN*
    yes: NP -> ADJP N
    yes: NP -> D N ADVP
    yes: NX -> ADJP N
    no:  NP -> D N
    no:  NP -> N NP
    no:  NX -> N

# With a noun phrase: a possessor, an apposition, a genitive ([our country] sake; Christ
# [Jesu])
NP-np, NX-np: CONJ? (?=NONP* NP) NOPP* (head:NOUN) AFTERP*
    yes: NP -> NP N
    yes: NP -> N NP
    yes: NX -> NS NP
    no:  NP -> N PP
    no:  NX -> N

# With a prepositional phrase (the country of Spain)
NP-pp, NX-pp: CONJ? (?=NOPP* PP) NOCLAUSE* (head:NOUN) AFTERC*
    yes: NP -> D N PP
    yes: NX -> N PP
    no:  NP -> D N PP CP
    no:  NX -> N

# With a clause: relative, participial, infinitive (you [that have done it])
NP-cl, NX-cl: CONJ? (?=NOCLAUSE* CLAUSE) SINGLE* (head:NOUN) AFTER*
    yes: NP -> PRO CP
    yes: NP -> D N PP CP
    yes: NX -> N IP
    no:  NP -> D N PP
    no:  NX -> N

# No noun: another word stands for one, the last (this; all [of them]; the poor)
NP-w, NX-w: CONJ? NONOUN* (head:SUBSTANTIVE) NOWORD*
    yes: NP -> D
    yes: NP -> Q PP
    yes: NP -> D CP
    yes: NX -> ADJ
    no:  NP -> D N
    no:  NP -> NP Q
    no:  NX -> N

# An inner noun phrase, modified (even [the king])
NP-modr: CONJ? NONOUN* (head:NP) AFTER*
    yes: NP -> NP PP
    yes: NP -> NP CP
    no:  NP -> NP N
    no:  NP -> NP CONJP

# Coordination of noun phrases ([their lives] and their goods)
NP-crd: CONJ? NONOUN* (head:NP) AFTER* (JOINED SINGLE*)+
    yes: NP -> NP CONJP
    yes: NP -> CONJ NP CONJP
    no:  NP -> NP PP
    no:  NP -> N CONJP

# Coordination of nouns, or of a noun and a conjunct that shares its determiner: the last
# noun before the conjunction is the head (cats and dogs; their life and [work])
NP-crdt, NX-crdt: CONJ? SINGLE* (head:NOUN) AFTER* (JOINED SINGLE*)+
    yes: NP -> N CONJ N
    yes: NP -> D N CONJP
    yes: NX -> N CONJP
    no:  NP -> NP CONJP
    no:  NX -> N

# No noun before it: the last other word is the head, else the last phrase (English and
# Welsh; [some] or all)
NP-crdw, NX-crdw: CONJ? NONOUN* (head:SUBSTANTIVE) NOWORD* (JOINED SINGLE*)+
    yes: NP -> Q CONJP
    yes: NP -> ADJ CONJ ADJ N
    yes: NX -> ADJ CONJ ADJ
    no:  NP -> N CONJP
    no:  NX -> ADJ

# No noun and no such word before the conjunction: the last phrase is the head
NP-crdn: CONJ? NOWORD* (head:STANDIN | NX | PP | ADVP) SMALLWORD* (JOINED SINGLE*)+
    yes: NP -> NUMP CONJP
    no:  NP -> NP CONJP

# A phrase in the place of the noun: the first that is no PP (who [you think]; [the more])
NP-nt: CONJ? (SMALLWORD | PP | ADVP)* (head:STANDIN | NX) NOWORD*
    yes: NP -> QP
    yes: NP -> CP
    no:  NP -> NP CP

# The same inside a conjunct (two [hundred])
NX-nt: CONJ? (SMALLWORD | PP | ADVP)* (head:STANDIN) NOWORD*
    yes: NX -> NUMP
    no:  NX -> N

# Nothing but a PP or adverb in the place of the noun: the last is the head
NP-p: CONJ? (PP | SMALLWORD)* (head:PP | ADVP | P | ADV | ADVR | ADVS) SMALLWORD*
    yes: NP -> PP
    yes: NP -> ADVR
    yes: NP -> ADVP
    no:  NP -> NP PP


# ---- Question and relative phrases --------------------------------------------------

# The last noun, else the last question word, is the head (which cause; whom; how heavy)
WNP-t, WNX-t: SINGLE* (head:NOUN) AFTER*
    yes: WNP -> WD N
    yes: WNX -> N
    no:  WNP -> WPRO
    no:  WNX -> ADJ

# No noun: the last question word or quantity is the head (whom; how much)
WNP-w: ASKING* (head:ASKED) ((?!ASKED) ASKING)*
    yes: WNP -> WPRO
    yes: WNP -> D WPRO
    no:  WNP -> WD N

# Coordination of question phrases: the first is the head
WNP-crd: CONJ? ASKING* (head:WNP) AFTER* (JOINED SINGLE*)+
    yes: WNP -> WNP CONJP
    no:  WNP -> WNP N
    no:  WNP -> WD N CONJP

# An inner question phrase, modified (whom [of them])
WNP-modr: CONJ? ASKING* (head:WNP) AFTER*
    yes: WNP -> WNP PP
    no:  WNP -> WNP N
    no:  WNP -> WNP CONJP

# Coordination of nouns in a question phrase: the last before the conjunction is the
# head
WNP-crdt: CONJ? SINGLE* (head:NOUN) AFTER* (JOINED SINGLE*)+
    yes: WNP -> WD N CONJP
    no:  WNP -> WNP CONJP

# The same of question words (whom or [what])
WNP-crdw: CONJ? ASKING* (head:ASKED) ((?!ASKED) ASKING)* (JOINED SINGLE*)+
    yes: WNP -> WPRO CONJP
    no:  WNP -> WD N CONJP

# No noun and no question word: the last phrase is the head (how [long])
WNP-nt: ((?!ASKED) ASKING)* (head:WADJP | WQP | NP | WADVP | QP | ADJP | WPP | CP)
    yes: WNP -> WADJP
    no:  WNP -> WADJP N

# The preposition of a PP; the question word of others, with what it takes along
WPP-t: ((?!PREP | WPP) SINGLE)* (head:PREP) SINGLE*
    yes: WPP -> P WNP
    yes: WPP -> P
    no:  WPP -> WPP CONJP

# Coordination of such phrases: the first is the head (to whom and [by whom])
WPP-crd: CONJ? ((?!PREP) SINGLE)* (head:WPP) SINGLE* (JOINED SINGLE*)+
    yes: WPP -> WPP CONJP
    no:  WPP -> P WNP CONJP

# Coordination inside such a phrase: the preposition is the head (by whom [and what])
WPP-crdt: CONJ? ((?!PREP | WPP) SINGLE)* (head:PREP) SINGLE* (JOINED SINGLE*)+
    yes: WPP -> P WNP CONJP
    no:  WPP -> P WNP
    no:  WPP -> WPP CONJP

# The last word is the head: question word, adjective, quantity (how heavy; where)
WADVP-t, WADJP-t, WQP-t, WADVX-t, WADJX-t: SINGLE* (head:TAG) NT*
    yes: WADVP -> WADV
    yes: WADJP -> WADV ADJ
    yes: WQP -> WADV Q
    yes: WADVX -> WADV
    yes: WADJX -> ADJ
    no:  WADVP -> WADVP CONJP
    no:  WADJP -> WADJP CONJP
    no:  WQP -> WQP CONJP
    no:  WADVX -> NP
    no:  WADJX -> NP

# Coordination of words: the last before the conjunction is the head (when and where)
WADVP-crdt, WADJP-crdt: CONJ? SINGLE* (head:TAG) NT* (JOINED SINGLE*)+
    yes: WADVP -> WADV CONJ WADV
    yes: WADJP -> WADV ADJ CONJP
    no:  WADVP -> WADVP CONJP
    no:  WADJP -> WADJP CONJP

# Coordination of phrases, or an inner phrase: the first is the head
WADVP-crd: ((?!TAG) SINGLE)* (head:WADVP) NT* (JOINED SINGLE*)*
    yes: WADVP -> WADVP CONJP
    no:  WADVP -> WADV

# Coordination of adjective phrases, or an inner one: the first is the head
WADJP-crd: ((?!TAG) SINGLE)* (head:WADJP) NT* (JOINED SINGLE*)*
    yes: WADJP -> WADJP CONJP
    no:  WADJP -> WADV ADJ


# ---- Prepositional phrases ----------------------------------------------------

# The head is the preposition, the last of the first ones (in the land; out of it; me
# notwithstanding)
PP-t: CONJ? NOPCL* PREP* (head:PREP) (?!PREP) NOCLAUSE*
    yes: PP -> P NP
    yes: PP -> RP P NP
    yes: PP -> NP P
    yes: PP -> P
    yes: PP -> CONJ P NP
    no:  PP -> P CP
    no:  PP -> PP CONJP

# With a clause: adverbial clauses, gerunds (after [he came]; of [choosing])
PP-cl: CONJ? (?=NOCLAUSE* CLAUSE) NOP* PREP* (head:PREP) (?!PREP) SINGLE*
    yes: PP -> P CP
    yes: PP -> P IP
    no:  PP -> P NP

# An inner PP, modified (as well [in words] [as in deeds]); coordination
PP-mod: CONJ? NOP* (head:PP) SINGLE*
    yes: PP -> ADVP PP PP
    no:  PP -> P PP
    no:  PP -> PP CONJP

# Coordination of PPs: the first is the head (in words and [in deeds])
PP-crd: CONJ? NOP* (head:PP) SINGLE* (JOINED SINGLE*)+
    yes: PP -> PP CONJP
    yes: PP -> CONJ PP CONJP
    no:  PP -> P NP CONJP

# Coordination inside a PP: the first preposition is the head (for [or against] it)
PP-crdt: CONJ? NOP* PREP* (head:PREP) (?!PREP) SINGLE* (JOINED SINGLE*)+
    yes: PP -> P NP CONJP
    yes: PP -> P CONJ P NP
    no:  PP -> PP CONJP

# The preposition is empty: the complement is the head ([home]; [for] that he came)
PP-nt: CONJ? (TAGNOP | ADVP)* (head:NP | CP | IP | ADJP | QP | NUMP | WNP | ADVX | VP) NOP*
    yes: PP -> NP
    no:  PP -> P NP

# Part of a PP, as a conjunct: the preposition is the head (to [and from] him)
PPX-t: ((?!PREP) SINGLE)* (head:PREP) SINGLE*
    yes: PPX -> P NP
    no:  PPX -> NP

# No preposition and no complement: the last word or adverb is the head
PP-w: CONJ? TAGNOP* (head:TAGNOP | ADVP)
    yes: PP -> ADV
    no:  PP -> P


# ---- Adjectives, adverbs, quantities, numbers ---------------------------------------

# The last adjective is the head; with what it takes along (very glad; worthy [of it])
ADJP-t, ADJX-t: CONJ? WORDA* (head:ADJECTIVE) TAGNOADJ*
    yes: ADJP -> ADV ADJ
    yes: ADJX -> ADJ
    no:  ADJP -> ADJ PP
    no:  ADJX -> N

# With what it takes along, or measures it (worthy [of it]; [a foot] long)
ADJP-mod, ADJX-mod: CONJ? (?=WORDA* PHRASEA) NOADJP* (head:ADJECTIVE) ((?!ADJECTIVE) SINGLE)*
    yes: ADJP -> ADJ PP
    yes: ADJP -> NP ADJ
    yes: ADJX -> ADJ PP
    no:  ADJP -> ADJ
    no:  ADJX -> ADJ
# No adjective: the last word is the head (many; more [than that])
ADJP-w, ADJX-w: ((?!ADJECTIVE) NOADJP)* (head:TAGNOADJ) ((?!ADJP) PHRASEA)*
    yes: ADJP -> Q
    yes: ADJP -> QR PP
    yes: ADJX -> NUM
    no:  ADJP -> Q ADJ
    no:  ADJX -> ADJ

# No adjective and no other word: a phrase in its place, the first that is no adverb ([a
# fool]; [of one mind])
ADJP-nt, ADJX-nt: CONJ? ADVP* (head:NP | QP | NUMP | PP | IP | CP | LATIN | FOREIGN | WNP) PHRASENA*
    yes: ADJP -> NP PP
    yes: ADJP -> ADVP QP
    yes: ADJX -> NP
    no:  ADJP -> NP ADJ
    no:  ADJX -> ADJ

# Coordination of adjective phrases: the first is the head
ADJP-crd: CONJ? LEADA* (head:ADJP) SINGLE* (JOINED SINGLE*)+
    yes: ADJP -> ADJP CONJP
    no:  ADJP -> ADJ CONJP

# An inner adjective phrase, modified ([more glad] than ever)
ADJP-modr: CONJ? LEADA* (head:ADJP) SINGLE*
    yes: ADJP -> ADJP PP
    no:  ADJP -> ADJP CONJP
    no:  ADJP -> ADJ PP

# Coordination of adjectives: the last before the conjunction is the head
ADJP-crdt, ADJX-crdt:
    CONJ? NOADJP* (head:ADJECTIVE | QUANTITY | SUCH | D | N) NOADJP* (JOINED SINGLE*)+
    yes: ADJP -> ADJ CONJ ADJ
    yes: ADJP -> ADV ADJ CONJP
    yes: ADJX -> ADJ CONJP
    no:  ADJP -> ADJP CONJP
    no:  ADJX -> ADJ

# The last adverb is the head, else the last word; with a clause or a phrase (now; very
# speedily; there [as you hoped]; the rather)
ADVP-t, ADVX-t: TAG* (head:TAG)
    yes: ADVP -> ADV
    yes: ADVP -> ADV ADV
    yes: ADVX -> ADV
    no:  ADVP -> ADV CP
    no:  ADVX -> NP

# With a clause (there [as you hoped]; so [that he came])
ADVP-cl: (?=NOCLAUSE* CLAUSE) NOADVP* (head:TAG) NTNOADV*
    yes: ADVP -> ADV CP
    yes: ADVP -> ADVR ADV CP
    no:  ADVP -> ADV PP

# With a phrase that is no clause (rather [than this]; [long] since)
ADVP-mod: (?=TAG* (?!TAG) SINGLE) ((?!ADVP) NOCLAUSE)* (head:TAG) ((?!CLAUSE) NTNOADV)*
    yes: ADVP -> ADVR PP
    yes: ADVP -> NP ADV
    no:  ADVP -> ADV

# Coordination of adverb phrases: the first is the head
ADVP-crd: CONJ? NOADVP* (head:ADVP) SINGLE* (JOINED SINGLE*)+
    yes: ADVP -> ADVP CONJP
    no:  ADVP -> ADV CONJP

# An inner adverb phrase, modified ([so soon] as he came)
ADVP-modr: CONJ? NOADVP* (head:ADVP) SINGLE*
    yes: ADVP -> ADVP CP
    no:  ADVP -> ADVP CONJP

# Coordination of adverbs: the last before the conjunction is the head (here and there)
ADVP-crdt: CONJ? NOADVP* (head:TAG) NTNOADV* (JOINED SINGLE*)+
    yes: ADVP -> ADV CONJ ADV
    yes: ADVP -> ADV CONJP
    no:  ADVP -> ADVP CONJP

# No adverb: a phrase in its place, the last (where [you think good])
ADVP-nt: ((?!TAG | ADVP) SINGLE)* (head:CP | IP | NP | PP | QP | ADJP | NUMP | LATIN | FOREIGN)
    yes: ADVP -> CP
    no:  ADVP -> ADV CP

# The last quantifier or number is the head, the first of a coordination (so many; once
# or twice)
QP-t, NUMP-t, NUMX-t, QX-t: SINGLE* (head:TAG) NT*
    yes: QP -> ADVR Q
    yes: QP -> QR PP
    yes: NUMP -> ADV NUM
    yes: NUMX -> NUM
    yes: QX -> Q
    no:  QP -> QP CONJP
    no:  NUMP -> NUMP CONJP
    no:  NUMX -> NP
    no:  QX -> NP

# Coordination of words: the last before the conjunction is the head (once or twice)
QP-crdt, NUMP-crdt: CONJ? SINGLE* (head:TAG) NT* (JOINED SINGLE*)+
    yes: QP -> Q CONJP
    yes: NUMP -> NUM CONJ NUM
    no:  QP -> QP CONJP
    no:  NUMP -> NUMP CONJP

# Coordination of number phrases, or an inner one: the first is the head
NUMP-crd: ((?!TAG) SINGLE)* (head:NUMP) NT* (JOINED SINGLE*)*
    yes: NUMP -> NUMP CONJP
    no:  NUMP -> NUM

# Coordination of quantities, or an inner one: the first is the head
QP-crd: ((?!TAG) SINGLE)* (head:QP) NT* (JOINED SINGLE*)*
    yes: QP -> QP CONJP
    no:  QP -> Q


# ---- Conjuncts --------------------------------------------------------------------

# A conjunct after the first, by its kind: the phrase is the head (and [for our sake]; or
# [he came])
CONJP-ip: LINK* (head:IP | CP) ANY*
    yes: CONJP -> CONJ IP
    yes: CONJP -> IP
    no:  CONJP -> CONJ NP

# With a noun phrase (and [their goods])
CONJP-np: LINK* (head:NP | WNP) ANY*
    yes: CONJP -> CONJ NP
    yes: CONJP -> CONJ ALSO NP
    no:  CONJP -> CONJ NX

# With part of a noun phrase, which shares its determiner (and [defects])
CONJP-nx: LINK* (head:NX | NUMX | QX | WNX) ANY*
    yes: CONJP -> CONJ NX
    no:  CONJP -> CONJ NP

# With a prepositional phrase (and [for our sake])
CONJP-pp: LINK* (head:PP | WPP) ANY*
    yes: CONJP -> CONJ PP
    no:  CONJP -> CONJ NP

# With an adjective, a quantity, a reduced relative clause (and [wise])
CONJP-adjp: LINK* (head:ADJP | ADJX | QP | NUMP | RRC | WADJP) ANY*
    yes: CONJP -> CONJ ADJX
    no:  CONJP -> CONJ NP

# With an adverb, and no other phrase (or [very speedily])
CONJP-advp: LINKW* (head:ADVP | ADVX | WADVP) LINK*
    yes: CONJP -> CONJ ADVP
    no:  CONJP -> CONJ ADVP NP

# With a fragment, a quotation, foreign words
CONJP-nt: LINK* (head:FRAG | QTP | FOREIGN | LATIN | VP | REP | PPX | XP | META | 'REF') ANY*
    yes: CONJP -> CONJ FRAG
    no:  CONJP -> CONJ NP

# Words only, the last of which is the head (and [bread])
CONJP-t: LINKW* (head:TAG) CONJ*
    yes: CONJP -> CONJ N
    no:  CONJP -> CONJ NP

# A conjunct inside a conjunct: the inner one is the head
CONJP-crd: LINK* (head:CONJP) ANY*
    yes: CONJP -> CONJ CONJP
    no:  CONJP -> CONJ NP

# Words that are coordinated under the tag that they share, or written apart: the first is
# the head (come and see; sum at)
VB-crdt, VBP-crdt, VBD-crdt, VBI-crdt, VBN-crdt, VAG-crdt, VAN-crdt, VBPI-crdt,
    VBPS-crdt, VBDI-crdt, VBDS-crdt, HV-crdt, HVP-crdt, HVD-crdt, HVN-crdt, HVPI-crdt,
    HVPS-crdt, HVDI-crdt, BE-crdt, BEP-crdt, BED-crdt, BEPI-crdt, BEDI-crdt, BEN-crdt,
    DO-crdt, DOP-crdt, DOD-crdt, DON-crdt, DAN-crdt, DOPI-crdt, DODI-crdt, MD-crdt,
    MDPI-crdt, MDDI-crdt, VBF-crdt, HVF-crdt, BEF-crdt, MDF-crdt, REF-crdt, RP-crdt, P-crdt, C-crdt, ADV-crdt, ADVR-crdt, ADJ-crdt,
    ADJR-crdt, N-crdt, NS-crdt, NPR-crdt, NPRS-crdt, Q-crdt, QR-crdt, NUM-crdt, D-crdt,
    ONE-crdt, PRO-crdt, PRO$-crdt, TO-crdt, FW-crdt, XX-crdt, LS-crdt, INTJ-crdt:
    CONJ? (head:TAG) (TAG | NT)* (JOINED (TAG | NT)*)*
    yes: VB -> VB CONJ VB
    yes: VBP -> VBP CONJ VBP
    yes: VBD -> VBD CONJ VBD
    yes: VBI -> VBI CONJ VBI
    yes: VBN -> VBN CONJ VBN
    yes: VAG -> VAG CONJ VAG
    yes: VAN -> VAN CONJ VAN
    yes: VBPI -> VBPI CONJ VBPI
    yes: VBPS -> VBPS CONJ VBPS
    yes: VBDI -> VBDI CONJ VBDI
    yes: VBDS -> VBDS CONJ VBDS
    yes: HV -> HV CONJ HV
    yes: HVP -> HVP CONJ HVP
    yes: HVD -> HVD CONJ HVD
    yes: HVN -> HVN CONJ HVN
    yes: HVPI -> HVPI CONJ HVPI
    yes: HVPS -> HVPS CONJ HVPS
    yes: HVDI -> HVDI CONJ HVDI
    yes: BE -> BE CONJ BE
    yes: BEP -> BEP CONJ BEP
    yes: BED -> BED CONJ BED
    yes: BEPI -> BEPI CONJ BEPI
    yes: BEDI -> BEDI CONJ BEDI
    yes: BEN -> BEN CONJ BEN
    yes: DO -> DO CONJ DO
    yes: DOP -> DOP CONJ DOP
    yes: DOD -> DOD CONJ DOD
    yes: DON -> DON CONJ DON
    yes: DAN -> DAN CONJ DAN
    yes: DOPI -> DOPI CONJ DOPI
    yes: DODI -> DODI CONJ DODI
    yes: MD -> MD CONJ MD
    yes: MDPI -> MDPI CONJ MDPI
    yes: MDDI -> MDDI CONJ MDDI
    yes: VBF -> VBF CONJ VBF
    yes: HVF -> HVF CONJ HVF
    yes: BEF -> BEF CONJ BEF
    yes: MDF -> MDF CONJ MDF
    yes: REF -> N NUM
    yes: RP -> RP CONJ RP
    yes: P -> P CONJ P
    yes: C -> C CONJ C
    yes: ADV -> ADV CONJ ADV
    yes: ADVR -> ADVR CONJ ADVR
    yes: ADJ -> ADJ CONJ ADJ
    yes: ADJR -> ADJR CONJ ADJR
    yes: N -> N CONJ N
    yes: NS -> NS CONJ NS
    yes: NPR -> NPR CONJ NPR
    yes: NPRS -> NPRS CONJ NPRS
    yes: Q -> Q CONJ Q
    yes: QR -> QR CONJ QR
    yes: NUM -> NUM CONJ NUM
    yes: D -> D CONJ D
    yes: ONE -> ONE CONJ ONE
    yes: PRO -> PRO CONJ PRO
    yes: PRO$ -> PRO$ CONJ PRO$
    yes: TO -> TO CONJ TO
    yes: FW -> FW CONJ FW
    yes: XX -> XX CONJ XX
    yes: LS -> LS CONJ LS
    yes: INTJ -> INTJ CONJ INTJ
    no:  VB -> CONJ
    no:  VBP -> CONJ
    no:  VBD -> CONJ
    no:  VBI -> CONJ
    no:  VBN -> CONJ
    no:  VAG -> CONJ
    no:  VAN -> CONJ
    no:  VBPI -> CONJ
    no:  VBPS -> CONJ
    no:  VBDI -> CONJ
    no:  VBDS -> CONJ
    no:  HV -> CONJ
    no:  HVP -> CONJ
    no:  HVD -> CONJ
    no:  HVN -> CONJ
    no:  HVPI -> CONJ
    no:  HVPS -> CONJ
    no:  HVDI -> CONJ
    no:  BE -> CONJ
    no:  BEP -> CONJ
    no:  BED -> CONJ
    no:  BEPI -> CONJ
    no:  BEDI -> CONJ
    no:  BEN -> CONJ
    no:  DO -> CONJ
    no:  DOP -> CONJ
    no:  DOD -> CONJ
    no:  DON -> CONJ
    no:  DAN -> CONJ
    no:  DOPI -> CONJ
    no:  DODI -> CONJ
    no:  MD -> CONJ
    no:  MDPI -> CONJ
    no:  MDDI -> CONJ
    no:  VBF -> CONJ
    no:  HVF -> CONJ
    no:  BEF -> CONJ
    no:  MDF -> CONJ
    no:  REF -> CONJ
    no:  RP -> CONJ
    no:  P -> CONJ
    no:  C -> CONJ
    no:  ADV -> CONJ
    no:  ADVR -> CONJ
    no:  ADJ -> CONJ
    no:  ADJR -> CONJ
    no:  N -> CONJ
    no:  NS -> CONJ
    no:  NPR -> CONJ
    no:  NPRS -> CONJ
    no:  Q -> CONJ
    no:  QR -> CONJ
    no:  NUM -> CONJ
    no:  D -> CONJ
    no:  ONE -> CONJ
    no:  PRO -> CONJ
    no:  PRO$ -> CONJ
    no:  TO -> CONJ
    no:  FW -> CONJ
    no:  XX -> CONJ
    no:  LS -> CONJ
    no:  INTJ -> CONJ


# ---- Fragments, quotations, foreign words -----------------------------------------

# The first phrase is the head; leading words and adverbs do not count (no more at this
# time)
FRAG-nt, META-nt, QTP-nt, REP-nt, FS-nt, XP-nt, LST-nt, TRANSLATION-nt, TTL-nt, ELAB-nt, IGNORE-nt:
    (TAG | CONJ | ADVP | INTJP)* (head:CORE) ANY*
    yes: FRAG -> PP NP
    yes: META -> NP
    yes: QTP -> NP
    yes: REP -> NP
    yes: FS -> NP
    yes: XP -> NP
    yes: LST -> NP
    yes: TRANSLATION -> IP
    yes: TTL -> NP
    yes: ELAB -> ADJP
    yes: IGNORE -> NP
    no:  FRAG -> NEG
    no:  META -> N
    no:  QTP -> N
    no:  REP -> P
    no:  FS -> N
    no:  XP -> N
    no:  LST -> LS
    no:  TRANSLATION -> N
    no:  TTL -> N
    no:  ELAB -> N
    no:  IGNORE -> N

# A remark in remarks: coordination, or words outside of it
META-crd: (TAG | CONJ | ADVP)* (head:META) ANY*
    yes: META -> META CONJP
    no:  META -> NP

# A fragment in a fragment: coordination, or words outside of it (so much, [and no more])
FRAG-crd: (TAG | CONJ | ADVP)* (head:FRAG) ANY*
    yes: FRAG -> FRAG CONJP
    no:  FRAG -> NP FRAG

# An adverb, and no other phrase, is the head (now [neglected])
FRAG-adv, QTP-adv: (TAG | CONJ)* (head:ADVP) (TAG | CONJ | ADVP | INTJP)*
    yes: FRAG -> ADVP VAN
    yes: QTP -> ADVP
    no:  FRAG -> ADVP NP
    no:  QTP -> N

# A phrase used as an interjection, which is the head ([God] help us)
INTJP-nt: (TAG | CONJ)* (head:NP | PP | ADVP | IP) ANY*
    yes: INTJP -> NP
    no:  INTJP -> INTJ
# Words only: the last, a verb if there is one
FRAG-t, META-t, QTP-t, REP-t, FS-t, XP-t, LST-t, TRANSLATION-t, INTJP-t, TTL-t, ELAB-t, IGNORE-t:
    ((TAG | CONJ)*(?=VERB) | (TAGNOV | CONJ)*) (head:TAG | CONJ) (TAGNOV | CONJ)*
    yes: FRAG -> NEG
    yes: META -> N
    yes: QTP -> N CONJ N
    yes: REP -> P
    yes: FS -> N
    yes: XP -> N
    yes: LST -> LS
    yes: TRANSLATION -> N
    yes: INTJP -> INTJ
    yes: TTL -> ADJ N
    yes: ELAB -> N
    yes: IGNORE -> N
    no:  FRAG -> NP
    no:  META -> NP
    no:  QTP -> NP
    no:  REP -> NP
    no:  FS -> NP
    no:  XP -> NP
    no:  LST -> NP
    no:  TRANSLATION -> NP
    no:  INTJP -> NP
    no:  TTL -> NP
    no:  ELAB -> NP
    no:  IGNORE -> NP

# A participle phrase of Old English (PTP): as a reduced relative clause
PTP-v: SINGLE* (head:FULL) NOFULLS*
    yes: PTP -> VAG NP
    no:  PTP -> BAG ADJP

# The same with be, have or become as the only verb
PTP-be: NOFULLS* (head:AUX) NOVERBS*
    yes: PTP -> BAG ADJP
    no:  PTP -> VAG NP

# Foreign words: the last is the head; sentences in them are not analysed
FOREIGN-t, LATIN-t, FRENCH-t, ENGLISH-t, GREEK-t: ANY* (head:TAG) NT*
    yes: FOREIGN -> FW FW
    yes: LATIN -> FW
    yes: FRENCH -> FW
    yes: ENGLISH -> FW
    yes: GREEK -> FW
    no:  FOREIGN -> NP
    no:  LATIN -> NP
    no:  FRENCH -> NP
    no:  ENGLISH -> NP
    no:  GREEK -> NP
