"""The words of nodes that have gaps, as trees with crossing branches have them.

Columns hold trees of brackets: each node is a run of leaves. A tree with crossing
branches is read as one of brackets (`formats.tiger.discontinuity`); what its nodes
were before stands here, for those that were something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from analyzer.model.arrays import Ints


class Yields(NamedTuple):
    """One row a run of leaves, half-open; those of a node together, in order.

    Without a row: branches could cross in this format, and do not.
    """

    node: Ints  # in the treebank's columns
    first: Ints
    last: Ints

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, int]]) -> Yields:
        """From rows."""
        return cls(*np.array(rows, np.int64).reshape(-1, 3).T)

    def between(self, nodes: tuple[int, int], leaf: int) -> Yields:
        """Those of a range of nodes, whose first leaf is given."""
        chosen = slice(*np.searchsorted(self.node, nodes))
        return Yields(
            self.node[chosen] - nodes[0],
            self.first[chosen] - leaf,
            self.last[chosen] - leaf,
        )


def joined(
    parts: Sequence[Yields | None], nodes: Sequence[int], leaves: Sequence[int]
) -> Yields | None:
    """Those of banks one after another, given where each one's rows begin."""
    shifted = [
        Yields(part.node + node, part.first + leaf, part.last + leaf)
        for part, node, leaf in zip(parts, nodes, leaves, strict=False)
        if part is not None
    ]
    if not shifted:
        return None
    return Yields(*map(np.concatenate, zip(*shifted, strict=True)))


def same_yields(one: Yields | None, other: Yields | None) -> bool:
    if one is None or other is None:
        return one is other
    return all(map(np.array_equal, one, other))


def runs_of(leaves: Sequence[int]) -> list[tuple[int, int]]:
    """Leaves in order, as runs without a gap, half-open.

    >>> runs_of([0, 3, 4])
    [(0, 1), (3, 5)]
    """
    runs: list[tuple[int, int]] = []
    for leaf in leaves:
        if runs and runs[-1][1] == leaf:
            runs[-1] = (runs[-1][0], leaf + 1)
        else:
            runs.append((leaf, leaf + 1))
    return runs
