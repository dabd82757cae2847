"""A sentence's derivation tree as people read it.

For printing and drawing one sentence at a time; nothing that scores uses this.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.columns import Derivation
from analyzer.model.arrays import Ids, Ints, mix, number_densely
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.words import Side


class Spine(NamedTuple):
    """The elementary tree of one word: its constructions, and where it attaches."""

    position: int
    word: str
    tag: str
    constructions: tuple[str, ...]  # bottom up
    governor: int | None  # position of the word it attaches to; None: the root
    at: str | None  # the governor's construction it attaches to

    def __str__(self) -> str:
        spine = " ".join((self.word, *self.constructions))
        return spine if self.at is None else f"{spine} @{self.at}"


class BlockSpines:
    """The spines of a block's trees, found for all of them at once."""

    def __init__(
        self, side: Side, derivation: Derivation, constructions: ConstructionNames
    ) -> None:
        bank, leaves, starts = side.bank, side.leaves, side.starts
        first_word = side.offset  # the number that it has in the derivation
        words = np.arange(leaves.size)
        tree_of_row = np.repeat(np.arange(first_word.size), np.diff(derivation.starts))
        # Heads as places among the leaves.
        head = derivation.head + (starts[:-1] - first_word)[tree_of_row]
        # Parents stand before children: assigned backwards, the top of a spine stays.
        top = bank.leaf_node[leaves]
        top[head[::-1]] = derivation.row[::-1]
        above = rows_above(bank, derivation, top)
        position = words - np.repeat(starts[:-1], np.diff(starts))
        names = np.array([*constructions.listed, None], object)
        attached_at = np.append(derivation.construction, -1)[above]
        governor = np.append(position[head], 0)[above].astype(object)
        governor[above < 0] = None
        tags, tag = number_densely(bank.label[bank.leaf_node[leaves]])
        tag_names = np.array([SYMBOLS.name(number) for number in tags.tolist()], object)
        self._starts = starts.tolist()
        self._spines = list(
            map(
                partial(tuple.__new__, Spine),  # without a call in Python for each
                zip(
                    position.tolist(),
                    bank.forms(leaves),
                    tag_names[tag].tolist(),
                    _projected(head, derivation.construction, names, leaves.size),
                    governor.tolist(),
                    names[attached_at].tolist(),
                    strict=True,
                ),
            )
        )

    def of_tree(self, tree: int) -> list[Spine]:
        """One spine a word, in order."""
        return self._spines[self._starts[tree] : self._starts[tree + 1]]


def rows_above(bank: Treebank, derivation: Derivation, node: Ints) -> Ints:
    """The row of the derivation that each node stands below, -1 for none."""
    row_of_node = np.full(bank.label.size + 1, -1)  # the last is of no node
    row_of_node[derivation.row] = np.arange(derivation.row.size)
    parent = np.append(bank.parent, -1)
    above = parent[node]
    while True:
        skipped = np.flatnonzero((above >= 0) & (row_of_node[above] < 0))
        if not skipped.size:
            rows: Ints = row_of_node[above]
            return rows
        above[skipped] = parent[above[skipped]]


def _projected(
    head: Ints, construction: Ids, names: npt.NDArray[np.object_], words: int
) -> list[tuple[str, ...]]:
    """The constructions that each word heads, bottom up.

    Spines recur: each is made once.
    """
    order = np.lexsort([-np.arange(head.size), head])
    ends = np.searchsorted(head[order], np.arange(words + 1))
    of_row = construction[order]
    height = np.arange(order.size) - np.repeat(ends[:-1], np.diff(ends))
    # A spine is known by the sum of what stands for its constructions at their heights.
    spread = mix((height * np.int64(names.size) + of_row).astype(np.uint64))
    sums = np.append(np.uint64(0), np.cumsum(spread))
    _, first, which = np.unique(
        sums[ends[1:]] - sums[ends[:-1]], return_index=True, return_inverse=True
    )
    named = names[of_row].tolist()
    bounds = zip(ends[first].tolist(), ends[first + 1].tolist(), strict=True)
    spines = [tuple(named[start:end]) for start, end in bounds]
    return [spines[number] for number in which.tolist()]


def differing(spines: Sequence[Spine], others: Sequence[Spine]) -> set[int]:
    """The words whose spine the other derivation has not, or attaches elsewhere."""
    same = {(spine.position, spine.constructions, spine.governor) for spine in others}
    return {
        spine.position
        for spine in spines
        if (spine.position, spine.constructions, spine.governor) not in same
    }
