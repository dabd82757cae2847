"""Sums over pairs of nodes, many trees at a time.

Two nodes are worth something only if they are in one *group*: nodes of the same
production (of the same label, for partial trees). So the pairs of a block of trees are
laid out in one array: for each node of the left trees, its run of pairs with the right
nodes of its group. Where a pair stands is a sum of two numbers, one of each node, and
so are the pairs of the children, on which the pair's value depends. Left nodes come
deepest first: all pairs of one depth are computed at once, from deeper ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analyzer.kernel_nodes import KernelNodes
from analyzer.symbols import Ints

Floats = npt.NDArray[np.float64]

# Pairs of nodes in memory at a time; a pair of large trees may have more by itself.
BLOCK_PAIRS = 1 << 19


@dataclass(frozen=True)
class Evaluation:
    """What is summed: see `analyzer.kernels` for the definitions."""

    decay: float
    mu: float
    sigma: float
    is_partial: bool  # partial trees: groups are labels, not productions
    with_leaves: bool  # equal leaves count, too
    in_logs: bool  # logarithms of all values, for those that no float holds


@dataclass(frozen=True)
class Compared:
    """The nodes of a kernel: their groups, and the children that matter."""

    node: Ints  # those that are compared, tree by tree
    start: Ints  # per tree, and the end of the last one
    tree: Ints  # this and what follows per node of the table
    depth: Ints
    group: Ints
    kids: Ints
    kid_group: Ints
    kid_start: Ints
    kid_count: Ints


@dataclass(frozen=True)
class Pairs:
    """All pairs of a left and a right node of one group, in runs, one a left node."""

    left: Ints  # deepest first; of one depth, those with most children first
    right: Ints  # by group
    run: Ints  # per left node: where its partners begin in `right`
    start: Ints  # per left node, and the end: where its run of pairs begins
    start_of: Ints  # the same by number of the node
    rank_of: Ints  # by number of a right node: its place in its group


# Fills the values of the pairs of some left nodes from those of deeper ones. Given are
# the compared nodes, their pairs, the first and last of those left nodes, the right
# node of each pair, the number of the left node of each pair, and all values.
Fill = Callable[[Compared, Pairs, int, int, Ints, Ints, Floats], None]


def gram_sums(
    nodes: KernelNodes, rows: range, columns: range, how: Evaluation
) -> Floats:
    """The sums for each tree of `rows` with each of `columns`: a matrix."""
    these = compared(nodes, how)
    result = np.empty((len(rows), len(columns)))
    is_symmetric = rows == columns
    pending = [(rows, columns)]
    while pending:
        some, others = pending.pop()
        if is_symmetric:  # on and above the diagonal
            others = range(max(others.start, some.start), others.stop)
        if not some or not others:
            continue
        pieces = _pieces(these, nodes, some, others)
        if pieces > 1 and len(some) * len(others) > 1:
            if len(some) > 1:
                pending += [(part, others) for part in _split(some, pieces)]
            else:
                pending += [(some, part) for part in _split(others, pieces)]
            continue
        pairs = pairs_of(these, some, others)
        row_key = (these.tree - some.start) * len(others)
        column_key = these.tree - others.start
        cells = len(some) * len(others)
        sums = _sums(these, pairs, row_key, column_key, cells, how)
        block = sums.reshape(len(some), len(others))
        top, left = some.start - rows.start, others.start - columns.start
        result[top : top + len(some), left : left + len(others)] = block
        if is_symmetric:
            result[left : left + len(others), top : top + len(some)] = block.T
    return result


def pairwise_sums(
    nodes: KernelNodes, rows: range, columns: range, how: Evaluation
) -> Floats:
    """The sums for the trees of `rows` and `columns` at the same place."""
    # Both are the same trees, or one follows the other.
    place = nodes.tree % max(1, len(rows))
    these = compared(nodes, how, apart=place)
    result = np.empty(len(rows))
    sizes = _pair_counts(these, rows, columns)
    for part in _parts(sizes, BLOCK_PAIRS):
        some = range(rows.start + part.start, rows.start + part.stop)
        others = range(columns.start + part.start, columns.start + part.stop)
        pairs = pairs_of(these, some, others)
        key = place - part.start
        result[part.start : part.stop] = _sums(
            these, pairs, key, np.zeros_like(key), len(part), how
        )
    return result


def compared(
    nodes: KernelNodes, how: Evaluation, *, apart: Ints | None = None
) -> Compared:
    """What the kernel compares; `apart`: only nodes that are equal in this, too."""
    if how.is_partial:
        is_in, group = np.ones(nodes.tree.size, np.bool_), nodes.name // 2
        is_kid = np.ones(nodes.kids.size, np.bool_)
    else:
        is_in = ~nodes.is_leaf | how.with_leaves
        group = np.where(nodes.is_leaf, nodes.productions + nodes.name, 0)
        group = np.where(nodes.is_leaf, group, nodes.production)
        # Equal productions have equal leaves, which then change nothing.
        is_kid = ~nodes.is_leaf[nodes.kids]
    if apart is not None:
        group = group * (int(apart.max(initial=0)) + 1) + apart
    node = np.flatnonzero(is_in)
    node = node[np.argsort(nodes.tree[node], kind="stable")]
    kids_before = np.append(0, np.cumsum(is_kid))
    kid_start = kids_before[nodes.kid_start]
    kids = nodes.kids[is_kid]
    return Compared(
        node=node,
        start=np.searchsorted(nodes.tree[node], np.arange(nodes.trees + 1)),
        tree=nodes.tree,
        depth=nodes.depth,
        group=group,
        kids=kids,
        kid_group=group[kids],
        kid_start=kid_start,
        kid_count=kids_before[nodes.kid_start + nodes.kid_count] - kid_start,
    )


def pairs_of(these: Compared, some: range, others: range) -> Pairs:
    """The pairs of the nodes of some trees with those of others."""
    left = these.node[these.start[some.start] : these.start[some.stop]]
    right = these.node[these.start[others.start] : these.start[others.stop]]
    right = right[np.argsort(these.group[right], kind="stable")]
    groups = these.group[right]
    run = np.searchsorted(groups, these.group[left], "left")
    count = np.searchsorted(groups, these.group[left], "right") - run
    order = np.lexsort((-these.kid_count[left], -these.depth[left]))
    order = order[count[order] > 0]
    left, run = left[order], run[order]
    start = np.append(0, np.cumsum(count[order]))
    # Written only where it will be read; the tables may be much larger than the block.
    start_of = np.empty(these.tree.size, np.int64)
    start_of[left] = start[:-1]
    is_first = np.append(True, groups[1:] != groups[:-1])[: groups.size]
    places = np.arange(right.size)
    rank_of = np.empty(these.tree.size, np.int64)
    rank_of[right] = places - np.maximum.accumulate(np.where(is_first, places, 0))
    return Pairs(left, right, run, start, start_of, rank_of)


def _sums(
    these: Compared,
    pairs: Pairs,
    row_key: Ints,
    column_key: Ints,
    cells: int,
    how: Evaluation,
) -> Floats:
    """The values of all pairs, added up by the sum of their nodes' keys."""
    fill = _filler(how)
    delta = np.empty(int(pairs.start[-1]))
    key = np.empty(delta.size, np.int64)
    with np.errstate(over="ignore"):
        for begin, end in _levels(these.depth[pairs.left]):
            first, last = int(pairs.start[begin]), int(pairs.start[end])
            count = np.diff(pairs.start[begin : end + 1])
            row = np.repeat(np.arange(end - begin), count)
            shift = pairs.run[begin:end] - pairs.start[begin:end]
            right = pairs.right[np.arange(first, last) + shift[row]]
            fill(these, pairs, begin, end, right, row, delta)
            key[first:last] = row_key[pairs.left[begin:end]][row] + column_key[right]
        if how.in_logs:
            return _added_logs(key, delta, cells)
        return np.bincount(key, weights=delta, minlength=cells)


def _added_logs(key: Ints, logs: Floats, cells: int) -> Floats:
    """The logarithms of sums, from the logarithms of what is added."""
    largest = np.full(cells, -np.inf)
    np.maximum.at(largest, key, logs)
    shares = np.bincount(key, weights=np.exp(logs - largest[key]), minlength=cells)
    with np.errstate(divide="ignore"):
        return np.asarray(largest + np.log(shares), np.float64)


def _filler(how: Evaluation) -> Fill:
    if how.is_partial:
        from analyzer.kernel_partial import partial_trees

        return partial_trees(how.decay, how.mu)
    if how.in_logs:
        return _subset_trees_in_logs(how)
    return _subset_trees(how)


def _subset_trees(how: Evaluation) -> Fill:
    def fill(
        these: Compared,
        pairs: Pairs,
        begin: int,
        end: int,
        right: Ints,
        row: Ints,
        delta: Floats,
    ) -> None:
        first = int(pairs.start[begin])
        value = delta[first : int(pairs.start[end])]
        value.fill(how.decay)
        for size, hits, found in _child_pairs(these, pairs, begin, end, right, row):
            if how.sigma == 1:
                value[hits] *= 1 + delta[found]
            else:
                factor = np.full(size, how.sigma)
                factor[hits] += delta[found]
                value[:size] *= factor

    return fill


def _subset_trees_in_logs(how: Evaluation) -> Fill:
    with np.errstate(divide="ignore"):
        decay, sigma = np.log(how.decay), np.log(how.sigma)

    def fill(
        these: Compared,
        pairs: Pairs,
        begin: int,
        end: int,
        right: Ints,
        row: Ints,
        delta: Floats,
    ) -> None:
        first = int(pairs.start[begin])
        value = delta[first : int(pairs.start[end])]
        value.fill(decay)
        for size, hits, found in _child_pairs(these, pairs, begin, end, right, row):
            factor = np.full(size, sigma)
            factor[hits] = np.logaddexp(sigma, delta[found])
            value[:size] += factor

    return fill


def _child_pairs(
    these: Compared, pairs: Pairs, begin: int, end: int, right: Ints, row: Ints
) -> Iterator[tuple[int, Ints, Ints]]:
    """Child by child: how many pairs have one, whose are of one group, and where.

    Left nodes with most children come first, so those with an i-th child are a
    beginning of the list, and so are their pairs.
    """
    left = pairs.left[begin:end]
    kid_count = these.kid_count[left]
    start = pairs.start[begin : end + 1] - pairs.start[begin]
    widest = int(kid_count[0])
    if not widest:
        return
    has_kids = int(np.searchsorted(-kid_count, 0, "left"))
    right_kid = these.kid_start[right[: start[has_kids]]]
    for i in range(widest):
        some = int(np.searchsorted(-kid_count, -i, "left"))
        size = int(start[some])
        own = these.kid_start[left[:some]] + i
        own_group = these.kid_group[own]
        other = right_kid[:size] + i
        hits = np.flatnonzero(these.kid_group[other] == own_group[row[:size]])
        begins = pairs.start_of[these.kids[own]]
        found = begins[row[hits]] + pairs.rank_of[these.kids[other[hits]]]
        yield size, hits, found


def _levels(depth: Ints) -> Iterator[tuple[int, int]]:
    """The runs of equal depth."""
    ends = np.flatnonzero(depth[1:] != depth[:-1]) + 1
    bounds = [0, *ends.tolist(), depth.size] if depth.size else []
    return zip(bounds[:-1], bounds[1:], strict=True)


def _pieces(these: Compared, nodes: KernelNodes, some: range, others: range) -> int:
    """In how many blocks the pairs of these trees should be taken."""
    left = these.node[these.start[some.start] : these.start[some.stop]]
    right = these.node[these.start[others.start] : these.start[others.stop]]
    size = int(these.group.max(initial=0)) + 1
    of_group = np.bincount(these.group[right], minlength=size)
    count = int(of_group[these.group[left]].sum())
    cells = len(some) * len(others)
    return -(-max(count, cells) // BLOCK_PAIRS)


def _split(trees: range, pieces: int) -> list[range]:
    step = -(-len(trees) // min(pieces, len(trees)))
    return [trees[i : i + step] for i in range(0, len(trees), step)]


def _pair_counts(these: Compared, rows: range, columns: range) -> Ints:
    """How many pairs of nodes each pair of trees has, about."""
    left = these.node[these.start[rows.start] : these.start[rows.stop]]
    right = these.node[these.start[columns.start] : these.start[columns.stop]]
    groups = np.sort(these.group[right])
    count = np.searchsorted(groups, these.group[left], "right")
    count -= np.searchsorted(groups, these.group[left], "left")
    place = these.tree[left] - rows.start
    return np.bincount(place, weights=count, minlength=len(rows)).astype(np.int64)


def _parts(sizes: Ints, limit: int) -> Iterator[range]:
    """Runs of trees that have no more than so many pairs, or are one."""
    begin = total = 0
    for place, size in enumerate(sizes.tolist()):
        if total + size > limit and place > begin:
            yield range(begin, place)
            begin, total = place, 0
        total += size
    if begin < sizes.size:
        yield range(begin, int(sizes.size))
