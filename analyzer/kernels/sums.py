"""Values of pairs of nodes, added up tree by tree, in blocks of bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analyzer.kernels.node_pairs import (
    ComparedNodes,
    Fill,
    NodePairs,
    compared_nodes,
    levels,
    pairs_of,
)
from analyzer.kernels.nodes import KernelNodes
from analyzer.kernels.partial_trees import partial_trees
from analyzer.kernels.subset_trees import subset_trees, subset_trees_in_logs
from analyzer.model.arrays import Floats, Ints

# Pairs of nodes, and sums, in memory at a time. Two large trees may have more pairs.
BLOCK_PAIRS = 1 << 19


@dataclass(frozen=True)
class SumSettings:
    """What is summed; `analyzer.kernels.tree_kernel` has the definitions."""

    decay: float
    mu: float
    sigma: float
    is_partial: bool  # partial trees
    with_leaves: bool  # equal leaves count, too
    in_logs: bool  # logarithms of all sums, for those that no float holds

    def nodes_of(self, nodes: KernelNodes, apart: Ints | None = None) -> ComparedNodes:
        return compared_nodes(
            nodes, by_name=self.is_partial, with_leaves=self.with_leaves, apart=apart
        )

    @property
    def fill(self) -> Fill:
        if self.is_partial:
            return partial_trees(self.decay, self.mu)
        if self.in_logs:
            return subset_trees_in_logs(self.decay, self.sigma)
        return subset_trees(self.decay, self.sigma)


def gram_sums(
    nodes: KernelNodes, rows: range, columns: range, how: SumSettings
) -> Floats:
    """The sums for each tree of `rows` with each of `columns`: a matrix."""
    these = how.nodes_of(nodes)
    result = np.empty((len(rows), len(columns)))
    is_symmetric = rows == columns
    tree = np.arange(nodes.trees)
    pending = [(rows, columns)]
    while pending:
        some, others = pending.pop()
        if not some or not others:
            continue
        if _is_too_large(these, some, others):
            pending += _split(some, others, is_symmetric=is_symmetric)
            continue
        pairs = pairs_of(these, some, others)
        row_key = (tree - some.start) * len(others)
        column_key = tree - others.start
        sums = _sums(these, pairs, row_key, column_key, len(some) * len(others), how)
        block = sums.reshape(len(some), len(others))
        if is_symmetric and some == others:
            # Sums in another order differ in the last digit: one of them counts.
            lower = np.tril_indices(len(some), -1)
            block[lower] = block.T[lower]
        top, left = some.start - rows.start, others.start - columns.start
        result[top : top + len(some), left : left + len(others)] = block
        if is_symmetric:
            result[left : left + len(others), top : top + len(some)] = block.T
    return result


def pairwise_sums(
    nodes: KernelNodes, rows: range, columns: range, how: SumSettings
) -> Floats:
    """The sums for the trees of `rows` and `columns` at the same place."""
    # Rows and columns are the same trees, or columns come right after the rows.
    place = np.arange(nodes.trees) % max(1, len(rows))
    these = how.nodes_of(nodes, apart=place[nodes.tree])
    result = np.empty(len(rows))
    for part in parts(_pair_counts(these, rows, columns), BLOCK_PAIRS):
        some = rows[part.start : part.stop]
        others = columns[part.start : part.stop]
        pairs = pairs_of(these, some, others)
        key = place - part.start
        result[part.start : part.stop] = _sums(
            these, pairs, key, np.zeros_like(key), len(part), how
        )
    return result


def _sums(
    these: ComparedNodes,
    pairs: NodePairs,
    row_key: Ints,
    column_key: Ints,
    cells: int,
    how: SumSettings,
) -> Floats:
    """The values of all pairs, added up by the sum of their trees' keys."""
    fill = how.fill
    delta = np.empty(int(pairs.start[-1]))
    key = np.empty(delta.size, np.int64)
    with np.errstate(over="ignore"):  # TreeKernel looks for infinite sums
        for level in levels(these, pairs, BLOCK_PAIRS):
            fill(these, pairs, level, delta)
            left_key = row_key[these.tree[level.left]]
            right_key = column_key[these.tree[level.right]]
            key[level.pairs] = left_key[level.row] + right_key
        if how.in_logs:
            return _added_logs(key, delta, cells)
        sums = np.bincount(key, weights=delta, minlength=cells)
        return np.asarray(sums, np.float64)


def _added_logs(key: Ints, logs: Floats, cells: int) -> Floats:
    """The logarithms of sums, from the logarithms of what is added."""
    largest = np.full(cells, -np.inf)
    np.maximum.at(largest, key, logs)
    # Where all is zero, the largest logarithm is that of 0.
    above = np.where(np.isfinite(largest), largest, 0.0)
    shares = np.bincount(key, weights=np.exp(logs - above[key]), minlength=cells)
    with np.errstate(divide="ignore"):
        return np.asarray(above + np.log(shares), np.float64)


def _is_too_large(these: ComparedNodes, some: range, others: range) -> bool:
    """Whether the pairs of these trees are more than a block should hold."""
    cells = len(some) * len(others)
    if cells == 1 or cells > BLOCK_PAIRS:
        return cells > 1
    of_group = np.bincount(these.group[these.of_trees(others)], minlength=these.groups)
    count = int(of_group[these.group[these.of_trees(some)]].sum())
    return count > BLOCK_PAIRS


def _split(
    some: range, others: range, *, is_symmetric: bool
) -> list[tuple[range, range]]:
    """A block in smaller ones, as square as may be: those have the fewest nodes.

    Of a block on the diagonal of a symmetric matrix, three quarters are enough.

    >>> _split(range(4), range(4), is_symmetric=True)
    [(range(0, 2), range(0, 2)), (range(0, 2), range(2, 4)), (range(2, 4), range(2, 4))]
    >>> _split(range(2), range(4), is_symmetric=False)
    [(range(0, 2), range(0, 2)), (range(0, 2), range(2, 4))]
    """
    if is_symmetric and some == others:
        first, last = _halves(some)
        return [(first, first), (first, last), (last, last)]
    if len(some) >= len(others):
        return [(half, others) for half in _halves(some)]
    return [(some, half) for half in _halves(others)]


def _halves(trees: range) -> tuple[range, range]:
    middle = len(trees) // 2
    return trees[:middle], trees[middle:]


def _pair_counts(these: ComparedNodes, rows: range, columns: range) -> Ints:
    """How many pairs of nodes each pair of trees has."""
    left = these.of_trees(rows)
    groups = np.sort(these.group[these.of_trees(columns)])
    count = np.searchsorted(groups, these.group[left], "right")
    count -= np.searchsorted(groups, these.group[left], "left")
    place = these.tree[left] - rows.start
    return np.bincount(place, weights=count, minlength=len(rows)).astype(np.int64)


def parts(sizes: Ints, limit: int) -> Iterator[range]:
    """Runs of places whose sizes add up to no more than the limit, or that are one.

    >>> list(parts(np.array([1, 2, 9, 1]), 3))
    [range(0, 2), range(2, 3), range(3, 4)]
    """
    begin = total = 0
    for place, size in enumerate(sizes.tolist()):
        if total + size > limit and place > begin:
            yield range(begin, place)
            begin, total = place, 0
        total += size
    if begin < sizes.size:
        yield range(begin, int(sizes.size))
