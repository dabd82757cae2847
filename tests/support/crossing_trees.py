"""Random trees whose branches may cross."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from analyzer.formats.crossing import NO_PARENT


class Crossing(NamedTuple):
    """A tree with crossing branches: words first, then phrases, the root last."""

    parents: list[int]
    words: int
    heads: set[int]


@st.composite
def crossing_trees(draw: st.DrawFn) -> Crossing:
    words = draw(st.integers(1, 9))
    phrases = draw(st.integers(1, 7))
    root = words + phrases - 1
    phrase = st.integers(words, root)
    parents = [draw(phrase) for _ in range(words)]
    # Each phrase hangs under a later one: no cycles, and the last is the root.
    parents += [draw(st.integers(node + 1, root)) for node in range(words, root)]
    heads = draw(st.sets(st.integers(0, root)))
    return Crossing([*parents, NO_PARENT], words, heads)


def parents_of(children: Sequence[Sequence[int]], count: int) -> list[int]:
    parents = [NO_PARENT] * count
    for parent, those in enumerate(children):
        for child in those:
            parents[child] = parent
    return parents


def yields(parents: Sequence[int], words: int) -> list[set[int]]:
    found: list[set[int]] = [set() for _ in parents]
    for word in range(words):
        node = word
        while node != NO_PARENT:
            found[node].add(word)
            node = parents[node]
    return found


def is_run(words: set[int]) -> bool:
    return not words or max(words) - min(words) + 1 == len(words)


def above(parents: Sequence[int], node: int) -> list[int]:
    path = []
    while (node := parents[node]) != NO_PARENT:
        path.append(node)
    return path
