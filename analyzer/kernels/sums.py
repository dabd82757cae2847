"""Values of pairs of nodes, added up tree by tree, in blocks of bounded memory.

**Subset trees** (Collins and Duffy 2002): of a pair of equal productions,
Δ = λ ∏ (σ + Δ(child, child)) over the children that are no leaves; with σ = 0 these are
complete subtrees. A pair of children with different productions has Δ = 0.

**Partial trees** (Moschitti 2006): for a pair of nodes of equal labels with n and m
children, S(k, l) is the sum over equally long subsequences that end in children k and
l, D(k, l) the sum of all those that end there or before, each child in between costing
λ:

    S(k, l) = Δ(k, l) (1 + D(k-1, l-1))
    D(k, l) = Σ over i ≤ k, j ≤ l of λ^(k-i + l-j) S(i, j)
    Δ       = μ (λ² + Σ S(k, l))

All lengths at once, in O(n m): Moschitti's recursion has one table a length.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analyzer.kernels.nodes import (
    ComparedNodes,
    KernelNodes,
    Level,
    NodePairs,
    compared_nodes,
    levels,
    pairs_of,
)
from analyzer.model.arrays import Flags, Floats, Ints

# Pairs of nodes, and sums, in memory at a time. Two large trees may have more pairs.
BLOCK_PAIRS = 1 << 19
# Cells of a table over pairs and children in memory at a time.
_CELLS = 1 << 20


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
        sums = _sums(pairs, row_key, column_key, len(some) * len(others), how)
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
        sums = _sums(pairs, key, np.zeros_like(key), len(part), how)
        result[part.start : part.stop] = sums
    return result


def _sums(
    pairs: NodePairs, row_key: Ints, column_key: Ints, cells: int, how: SumSettings
) -> Floats:
    """The values of all pairs, added up by the sum of their trees' keys."""
    fill = _fill_subset_trees
    if how.is_partial:
        fill = _fill_partial_trees
    elif how.in_logs:
        fill = _fill_logs_of_subset_trees
    delta = np.empty(int(pairs.start[-1]))
    key = np.empty(delta.size, np.int64)
    with np.errstate(over="ignore"):  # TreeKernel looks for infinite sums
        for level in levels(pairs, BLOCK_PAIRS):
            fill(how, pairs, level, delta)
            left_key = row_key[pairs.nodes.tree[level.left]]
            right_key = column_key[pairs.nodes.tree[level.right]]
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


# -- subset trees ----------------------------------------------------------------------

# Each computes the values of a level's pairs into the array of all values, in which
# those of deeper pairs stand already.


def _fill_subset_trees(
    how: SumSettings, pairs: NodePairs, level: Level, delta: Floats
) -> None:
    value = delta[level.pairs]
    value.fill(how.decay)
    for size, equal, place in _children(pairs, level):
        if how.sigma == 1:  # most children differ, and change nothing
            value[equal] *= 1 + delta[place]
        else:
            factor = np.full(size, how.sigma)
            factor[equal] += delta[place]
            value[:size] *= factor


def _fill_logs_of_subset_trees(
    how: SumSettings, pairs: NodePairs, level: Level, delta: Floats
) -> None:
    """Logarithms of the values, which no float may hold themselves.

    A node over 2,300 equal words is worth 0.4 · 1.4^2300, more than any float.
    """
    with np.errstate(divide="ignore"):
        log_decay, log_sigma = np.log(how.decay), np.log(how.sigma)
    value = delta[level.pairs]
    value.fill(log_decay)
    for size, equal, place in _children(pairs, level):
        factor = np.full(size, log_sigma)
        factor[equal] = np.logaddexp(log_sigma, delta[place])
        value[:size] += factor


def _children(pairs: NodePairs, level: Level) -> Iterator[tuple[int, Ints, Ints]]:
    """Child by child: how many pairs have one, for which the two are of one group,
    and where the pair of these children stands.

    Left nodes with most children come first, so those that have an i-th child are a
    beginning of the list, and so are their pairs.
    """
    these = pairs.nodes
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


# -- partial trees ---------------------------------------------------------------------


def _fill_partial_trees(
    how: SumSettings, pairs: NodePairs, level: Level, delta: Floats
) -> None:
    value = delta[level.pairs]
    value.fill(how.decay**2)
    these = pairs.nodes
    many = these.kid_count[level.left][level.row]
    for n, m, chosen in _shapes(many, these.kid_count[level.right]):
        own = these.kid_start[level.left[level.row[chosen]]]
        other = these.kid_start[level.right[chosen]]
        value[chosen] += _subsequences(pairs, own, other, n, m, delta, how.decay)
    value *= how.mu


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
    pairs: NodePairs,
    own: Ints,
    other: Ints,
    n: int,
    m: int,
    delta: Floats,
    decay: float,
) -> Floats:
    """Σ S(k, l) for pairs of nodes with n and m children, which begin as given."""
    these = pairs.nodes
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
