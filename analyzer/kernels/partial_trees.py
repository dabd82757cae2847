"""Partial trees (Moschitti 2006): values of pairs of nodes with equal labels.

For a pair of nodes with n and m children, S(k, l) is the sum over equally long
subsequences that end in children k and l, D(k, l) the sum of all those that end there
or before, each child in between costing λ:

    S(k, l) = Δ(k, l) (1 + D(k-1, l-1))
    D(k, l) = Σ over i ≤ k, j ≤ l of λ^(k-i + l-j) S(i, j)
    Δ       = μ (λ² + Σ S(k, l))

All lengths at once, in O(n m): Moschitti's recursion has one table a length.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from analyzer.kernels.node_pairs import ComparedNodes, Fill, Level, NodePairs
from analyzer.model.arrays import Flags, Floats, Ints

# Cells of a table over pairs and children in memory at a time.
_CELLS = 1 << 20


def partial_trees(decay: float, mu: float) -> Fill:
    """Fills values by the definition above."""

    def fill(
        these: ComparedNodes, pairs: NodePairs, level: Level, delta: Floats
    ) -> None:
        value = delta[level.pairs]
        value.fill(decay**2)
        many = these.kid_count[level.left][level.row]
        for n, m, chosen in _shapes(many, these.kid_count[level.right]):
            own = these.kid_start[level.left[level.row[chosen]]]
            other = these.kid_start[level.right[chosen]]
            value[chosen] += _subsequences(these, pairs, own, other, n, m, delta, decay)
        value *= mu

    return fill


def _shapes(many: Ints, others: Ints) -> Iterator[tuple[int, int, Ints]]:
    """Pairs of nodes with children, by how many they have, in lots of bounded size."""
    chosen = np.flatnonzero((many > 0) & (others > 0))
    if not chosen.size:
        return
    many, others = many[chosen], others[chosen]
    shape = many * (int(others.max()) + 1) + others
    order = np.argsort(shape, kind="stable")
    ends = np.flatnonzero(np.diff(shape[order])) + 1
    for run in np.split(order, ends):
        n, m = int(many[run[0]]), int(others[run[0]])
        step = max(1, _CELLS // m)
        for begin in range(0, run.size, step):
            yield n, m, chosen[run[begin : begin + step]]


def _subsequences(
    these: ComparedNodes,
    pairs: NodePairs,
    own: Ints,
    other: Ints,
    n: int,
    m: int,
    delta: Floats,
    decay: float,
) -> Floats:
    """Σ S(k, l) for pairs of nodes with n and m children, which begin as given."""
    columns = other[:, None] + np.arange(m)
    group = these.kid_group[columns]
    rank: Ints | None = None
    total = np.zeros(own.size)
    # D(k-1, l-1) stands at l: a column of zeros comes first. None: nothing found yet.
    before: Floats | None = None
    down = np.zeros((own.size, m))
    for k in range(n):
        is_hit: Flags = group == these.kid_group[own + k][:, None]
        hits = np.flatnonzero(is_hit)
        if hits.size:
            if rank is None:
                rank = pairs.rank_of[these.kids[columns]].ravel()
            pair = hits // m
            begins = pairs.start_of[these.kids[own + k]]
            ended = delta[begins[pair] + rank[hits]]
            if before is not None:
                ended *= 1 + before.ravel()[hits]
            total += np.bincount(pair, weights=ended, minlength=own.size)
        if k == n - 1:
            break
        down *= decay
        if hits.size:
            down.ravel()[hits] += ended
        if before is not None or hits.size:
            before = _shifted(_decayed(down, decay))
    return total


def _decayed(values: Floats, decay: float) -> Floats:
    """Along each row, the sum of all values so far, λ to the power of their distance.

    In log2(m) steps: sums over 1, 2, 4 … neighbours.
    """
    sums = values.copy()
    step, weight = 1, decay
    while step < values.shape[1]:
        sums[:, step:] += weight * sums[:, :-step]
        step, weight = 2 * step, weight * weight
    return sums


def _shifted(values: Floats) -> Floats:
    shifted = np.zeros_like(values)
    shifted[:, 1:] = values[:, :-1]
    return shifted
