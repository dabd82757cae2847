"""Subset trees (Collins and Duffy 2002): values of pairs of equal productions.

Δ = λ ∏ (σ + Δ(child, child)) over the children that are no leaves; with σ = 0 these are
complete subtrees. A pair of children with different productions has Δ = 0.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from analyzer.kernels.node_pairs import ComparedNodes, Fill, Level, NodePairs
from analyzer.model.arrays import Floats, Ints


def subset_trees(decay: float, sigma: float) -> Fill:
    """Fills values by the definition above."""

    def fill(
        these: ComparedNodes, pairs: NodePairs, level: Level, delta: Floats
    ) -> None:
        value = delta[level.pairs]
        value.fill(decay)
        for size, equal, found in _children(these, pairs, level):
            if sigma == 1:  # most children differ, and change nothing
                value[equal] *= 1 + delta[found]
            else:
                factor = np.full(size, sigma)
                factor[equal] += delta[found]
                value[:size] *= factor

    return fill


def subset_trees_in_logs(decay: float, sigma: float) -> Fill:
    """Fills logarithms of the values, which no float may hold themselves.

    A node over 2,300 equal words is worth 0.4 · 1.4^2300, more than any float.
    """
    with np.errstate(divide="ignore"):
        log_decay, log_sigma = np.log(decay), np.log(sigma)

    def fill(
        these: ComparedNodes, pairs: NodePairs, level: Level, delta: Floats
    ) -> None:
        value = delta[level.pairs]
        value.fill(log_decay)
        for size, equal, found in _children(these, pairs, level):
            factor = np.full(size, log_sigma)
            factor[equal] = np.logaddexp(log_sigma, delta[found])
            value[:size] += factor

    return fill


def _children(
    these: ComparedNodes, pairs: NodePairs, level: Level
) -> Iterator[tuple[int, Ints, Ints]]:
    """Child by child: how many pairs have one, for which the two are of one group,
    and where the pair of these children stands.

    Left nodes with most children come first, so those that have an i-th child are a
    beginning of the list, and so are their pairs.
    """
    fewer = -these.kid_count[level.left]
    with_kids = int(level.first[np.searchsorted(fewer, 0)])
    right_kids = these.kid_start[level.right[:with_kids]]
    for i in range(-int(fewer[0])):
        rows = int(np.searchsorted(fewer, -i))
        size = int(level.first[rows])
        own = these.kid_start[level.left[:rows]] + i
        other = right_kids[:size] + i
        own_group = these.kid_group[own][level.row[:size]]
        equal = np.flatnonzero(these.kid_group[other] == own_group)
        start = pairs.start_of[these.kids[own]][level.row[equal]]
        yield size, equal, start + pairs.rank_of[these.kids[other[equal]]]
