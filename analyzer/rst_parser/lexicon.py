"""English words that say something about discourse, by what they do.

Texts in other languages do without: no word is on these lists, and the rest of the
features is learnt from the corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

_CONNECTIVES = """
accordingly; actually; additionally; admittedly; after; after all; afterwards; again;
all in all; also; alternatively; although; and; and so; and then; and yet; anyway;
apart from; as; as a consequence; as a result; as if; as long as; as soon as;
as though; as well; as well as; at first; at last; at the same time; because;
because of; before; besides; beyond; briefly; but; but also; by; by comparison;
by contrast; by the time; by the way; certainly; clearly; consequently; conversely;
despite; due to; during; either; else; equally; especially; even after; even as;
even before; even if; even so; even though; even when; eventually; except; finally;
first; first of all; firstly; following; for; for example; for instance; for one thing;
for that reason; further; furthermore; given; given that; hence; however; i mean; if;
if only; if so; in addition; in any case; in case; in conclusion; in contrast; in fact;
in general; in order for; in order to; in other words; in particular; in short;
in spite of; in sum; in that; in the end; in the meantime; in this way; in turn;
incidentally; indeed; instead; instead of; just as; last; lastly; later; like; likewise;
maybe; meanwhile; more specifically; moreover; most importantly; namely; naturally;
neither; nevertheless; next; no matter; nonetheless; nor; not only; notably;
notwithstanding; now; now that; obviously; of course; oh; okay; on the contrary;
on the one hand; on the other; on the other hand; on top of that; once; only; or;
or else; otherwise; overall; particularly; perhaps; plus; previously; provided;
provided that; quite the contrary; rather; rather than; regardless; second; secondly;
similarly; simply put; simultaneously; since; since then; so; so as to; so far; so that;
sometimes; soon; specifically; still; subsequently; such as; suddenly; than; thank you;
thanks; thanks to; that; that is; that is why; then; thereafter; thereby; therefore;
third; thirdly; though; thus; till; to; to begin with; to be sure; to sum up;
to this end; together with; too; ultimately; under; unless; unlike; until; upon; using;
well; what is more; whatever; when; whenever; where; whereas; whereby; wherever;
whether; which; which is why; while; whilst; who; whose; why; with; with this; within;
without; yeah; yes; yet; you know; you see
"""
_SAYING = """
accept accuse acknowledge add admit advise affirm agree allege announce answer argue ask
assert assume assure believe boast call caution cite claim comment complain conclude
concede confess confirm consider contend decide declare demonstrate deny describe
determine disclose discover doubt emphasize estimate exclaim expect explain express fear
feel find forecast guess hear hint hold hope imagine imply indicate inform insist
joke know learn maintain mean mention mutter note notice observe phone point predict
promise propose quote read realise realize recall reckon recommend recount remark
remember remind repeat reply report respond reveal say see shout show shrug speculate
state stress suggest suppose suspect swear tell testify think understand urge voice warn
whisper wish wonder worry write yell
"""
_CLOSED_CLASS = """
a about above across after again against all along already also although always am among
an and any are around as at away back be because been before behind being below between
both but by can cannot could did do does doing done down during each either else enough
even ever every few for from had has have having he her here hers him himself his how i
if in into is it its itself just least less like ll many may me might mine more most
much must my myself near neither never next no nobody none nor not nothing now n't of
off often on once one only or other our ours out over own per quite rather re 's same
shall she should since so some somebody someone something still such t than that the
their them then there these they this those though three through thus till to too
toward two under until up upon us ve very was we well were what whatever when where
whether which while who whole whom whose why will with within without would yet you
your yours n’t ’s ’re ’ve ’ll ’d 'd 'm ’m 're 've 'll gon na wan gotta let
"""
_ABBREVIATIONS = """
mr mrs ms dr prof rev gen sen rep st sr jr lt col maj capt inc ltd co corp vs etc no vol
fig figs eq al eds ed e.g i.e cf approx dept est jan feb mar apr jun jul aug sep sept
oct nov dec a.m p.m u.s u.k u.n ph.d pp ca
"""
_COMMON_VERBS = """
is are was were be been being am 's 're 'm has have had do does did will would can could
may might must shall should said says went goes got made makes came takes took know
think want need
"""
# Verbs that introduce what somebody says or thinks.
SAYING = frozenset(_SAYING.split())
CLOSED_CLASS = frozenset(_CLOSED_CLASS.split())
# Words whose stop ends no sentence.
ABBREVIATIONS = frozenset(_ABBREVIATIONS.split())
# Verbs that are known without a tag.
COMMON_VERBS = frozenset(_COMMON_VERBS.split())
_ENDINGS = ("ing", "ed", "ly", "tion", "ous", "able", "al", "ive", "er", "es", "s")


@cache
def _by_first() -> dict[str, list[tuple[str, ...]]]:
    """Connectives by their first word, the longest first."""
    by_first: dict[str, list[tuple[str, ...]]] = {}
    connectives = (tuple(words.split()) for words in _CONNECTIVES.split(";"))
    for words in sorted(connectives, key=len, reverse=True):
        by_first.setdefault(words[0], []).append(words)
    return by_first


def connective(words: Sequence[str], start: int = 0) -> str:
    """The longest connective that small-lettered words begin with, or nothing.

    >>> connective(["in", "order", "to", "win"]), connective(["winning"])
    ('in order to', '')
    """
    if start >= len(words):
        return ""
    for known in _by_first().get(words[start], ()):
        if tuple(words[start : start + len(known)]) == known:
            return " ".join(known)
    return ""


def shape(form: str) -> str:
    """What a word looks like, for want of a tag; those of closed classes as they are.

    >>> [shape(word) for word in ("Because", "walking", "Paris", "12", ",")]
    ['because', '-ing', 'Xx', '0', ',']
    """
    lowered = form.lower()
    if lowered in CLOSED_CLASS or connective([lowered]):
        return lowered
    if not any(character.isalnum() for character in form):
        return form[:2]
    if any(character.isdigit() for character in form):
        return "0"
    if form[0].isupper():
        return "XX" if len(form) > 1 and form.isupper() else "Xx"
    for ending in _ENDINGS:
        if lowered.endswith(ending) and len(lowered) > len(ending) + 1:
            return f"-{ending}"
    return "x"
