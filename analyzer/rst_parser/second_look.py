"""Where EDUs begin, looked at again: what a first look says of the tokens around.

Syntax says where a clause goes on after another that interrupts it. Texts without
syntax do not; but that an EDU probably began a few words ago with "who", and has a verb
already, makes it likely that the next verb begins one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from analyzer.model.arrays import Flags, Floats
from analyzer.rst_parser.hashing import Hashes, hashes
from analyzer.rst_parser.tokens import TokenText
from analyzer.rst_parser.words import common_verbs

# q: the first look's score of a token; q+1: of the next one, and so on. since, since_w,
# since_t: how many tokens ago the last EDU began, its first word and tag; had: the
# verbs from there on; until, left: tokens and verbs up to where the next one begins.
SECOND = """
q; q-1; q+1; q-2; q+2; q-3; q+3; q q-1; q q+1; q-1 q+1; q q-1 q+1; q q-2 q-1; q q+1 q+2;
since_w; since_t; since_w t; since_t t; since_w w; since_t w; q since_w; q since_t;
since; since t; since w; q since; had; had left; had left t; had left w; q had left;
left; left t; until; until t; until since; had since_t t; had left since_t t; had left
since_w; had since_w t
"""
_STEPS = (-3, -2, -1, 1, 2, 3)
_HIGHEST, _OUTSIDE, _SENTENCE = 5, 8, 9  # of q: scores, beyond the text, sure ones
_MOST_VERBS, _MOST_TOKENS = 2, 8


def sentence_starts(texts: Iterable[TokenText]) -> Flags:
    """Whether each token is the first of a sentence."""
    found = []
    for text in texts:
        before = None
        for sentence in text.sentences:
            found.append(sentence != before)
            before = sentence
    return np.array(found, np.bool_)


def is_verb(text: TokenText, at: int) -> bool:
    if text.has_tags:
        return text.tags[at].startswith(("V", "MD"))
    return text.forms[at].lower() in common_verbs()


def around(
    texts: Sequence[TokenText], scores: Floats, starts: Flags
) -> dict[str, Hashes]:
    """Atoms of all tokens from the scores of a first look."""
    found: dict[str, list[str]] = {}
    before = 0
    for text in texts:
        here = slice(before, before + len(text))
        is_start = starts[here].tolist()
        begins = ((scores[here] > 0) | starts[here]).tolist()
        verbs = [is_verb(text, at) for at in range(len(text))]
        columns = _scores(scores[here], starts[here])
        columns |= _since(text, is_start, begins, verbs) | _ahead(begins, verbs)
        for name, column in columns.items():
            found.setdefault(name, []).extend(column)
        before += len(text)
    return {name: hashes(column) for name, column in found.items()}


def _scores(scores: Floats, starts: Flags) -> dict[str, list[str]]:
    near = np.clip(np.round(scores), -_HIGHEST, _HIGHEST).astype(np.int64)
    own = np.where(starts, _SENTENCE, near).tolist()
    count = len(own)
    found = {"q": [str(value) for value in own]}
    for step in _STEPS:
        shifted = (
            own[at + step] if 0 <= at + step < count else _OUTSIDE
            for at in range(count)
        )
        found[f"q{step:+}"] = [str(value) for value in shifted]
    return found


def _since(
    text: TokenText, starts: Sequence[bool], begins: Sequence[bool], verbs: list[bool]
) -> dict[str, list[str]]:
    """The EDU before a token that may begin one."""
    found: dict[str, list[str]] = {
        name: [] for name in ("since", "since_w", "since_t", "had")
    }
    first = had = 0
    for at in range(len(text)):
        if starts[at]:
            first, had = at, 0
        found["since"].append(str(min(at - first, _MOST_TOKENS)))
        found["since_w"].append(text.forms[first].lower())
        found["since_t"].append(text.tags[first])
        found["had"].append(str(min(had, _MOST_VERBS)))
        if begins[at]:
            first, had = at, 0
        had += verbs[at]
    return found


def _ahead(begins: Sequence[bool], verbs: Sequence[bool]) -> dict[str, list[str]]:
    """What there is from a token to where the next EDU begins."""
    until: list[str] = []
    left: list[str] = []
    tokens = had = 0
    for begin, verb in zip(reversed(begins), reversed(verbs), strict=True):
        tokens, had = tokens + 1, had + verb
        until.append(str(min(tokens, _MOST_TOKENS)))
        left.append(str(min(had, _MOST_VERBS)))
        if begin:
            tokens = had = 0
    return {"until": until[::-1], "left": left[::-1]}
