"""Random pairs of trees, and the parse with other words, as a language model has them.

All words of a sentence are different, and those that come in are new: otherwise nobody
could say which word is which.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st

from tests.support.strategies import Plain, grouped, one_line

_PHRASES = st.sampled_from(["S", "NP", "NP", "VP", "PP", "NP-SBJ", "ADVP", "PRT"])
_TAGS = st.sampled_from(["NN", "NN", "DT", "VB", "IN", "JJ", ","])
_GROUPS = st.lists(
    st.tuples(st.integers(0, 7), st.integers(1, 4), _PHRASES), max_size=10
)
_DELETED = ","


class GeneratedPair(NamedTuple):
    """Gold, a parse of its words, and that parse with other words."""

    gold: Plain
    right: Plain
    parsed: Plain

    @property
    def lines(self) -> tuple[str, str, str]:
        gold, right, parsed = (one_line(tree) + "\n" for tree in self)
        return gold, right, parsed


def changed(leaf: Plain) -> list[Plain]:
    return [(leaf[0], f"other-{leaf[1]}")]


def added_after(leaf: Plain) -> list[Plain]:
    return [leaf, ("NN", f"new-{leaf[1]}")]


def added_before(leaf: Plain) -> list[Plain]:
    return [("NN", f"new-{leaf[1]}"), leaf]


def dropped(leaf: Plain) -> list[Plain]:
    return []


def split(leaf: Plain) -> list[Plain]:
    return [(leaf[0], leaf[1][:1]), (leaf[0], leaf[1][1:])]


Edit = Callable[[Plain], list[Plain]]


@st.composite
def generated_pairs(draw: st.DrawFn, *edits: Edit) -> GeneratedPair:
    """A pair whose parse differs by one of the edits, made in one or more places."""
    tags = draw(st.lists(_TAGS, min_size=1, max_size=8))
    leaves = [(tag, f"{at}w") for at, tag in enumerate(tags)]
    gold = ("S", tuple(grouped(leaves, draw(_GROUPS))))
    right = parsed = ("S", tuple(grouped(leaves, draw(_GROUPS))))
    edit = draw(st.sampled_from(edits))
    for at in draw(st.sets(st.integers(0, len(leaves) - 1), min_size=1, max_size=3)):
        if tags[at] == _DELETED:
            continue
        found = _edited(parsed, leaves[at][1], edit)
        if _counted(found) == _counted(right):
            parsed = found
    return GeneratedPair(gold, right, parsed)


def _edited(tree: Plain, word: str, edit: Edit) -> Plain:
    """The tree with other leaves for the one of that word."""
    children: list[Plain] = []
    for child in tree[1]:
        if not isinstance(child[1], str):
            children.append(_edited(child, word, edit))
        else:
            children += edit(child) if child[1] == word else [child]
    return tree[0], tuple(children)


def _counted(tree: Plain) -> int:
    """How many phrases have words that count."""
    if isinstance(tree[1], str):
        return 0
    return sum(map(_counted, tree[1])) + _has_words(tree)


def _has_words(tree: Plain) -> bool:
    if isinstance(tree[1], str):
        return tree[0] != _DELETED
    return any(map(_has_words, tree[1]))
