"""Pairs of nodes that are worth something, laid out in one array.

Two nodes are worth something only if they are in one *group*: nodes of the same
production (of the same name, for partial trees). For each node of the left trees there
is a run of pairs with the right nodes of its group. Where a pair stands is a sum of two
numbers, one of each node; so the pairs of their children, on which the pair's value
depends, are found by adding, without a search. Left nodes come deepest first: all pairs
of one depth are computed at once, from deeper ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analyzer.kernels.nodes import KernelNodes
from analyzer.model.arrays import Floats, Ints


@dataclass(frozen=True)
class ComparedNodes:
    """The nodes of a kernel: their groups, and the children that matter."""

    node: Ints  # those that are compared, tree by tree
    start: Ints  # per tree, and the end of the last one
    # per node of the table
    tree: Ints
    depth: Ints
    group: Ints
    kid_start: Ints
    kid_count: Ints
    # per child
    kids: Ints
    kid_group: Ints
    # all in all
    groups: int

    def of_trees(self, trees: range) -> Ints:
        return self.node[self.start[trees.start] : self.start[trees.stop]]


@dataclass(frozen=True)
class NodePairs:
    """All pairs of a left and a right node of one group, in runs, one a left node."""

    left: Ints  # deepest first; of one depth, those with most children first
    right: Ints  # by group
    run: Ints  # per left node: where its partners begin in `right`
    start: Ints  # per left node, and the end: where its run of pairs begins
    start_of: Ints  # the same by number of the node
    rank_of: Ints  # by number of a right node: its place in its group


@dataclass(frozen=True)
class Level:
    """The pairs of some left nodes of one depth."""

    left: Ints
    first: Ints  # per left node, and the end: its first pair, counted from this level
    row: Ints  # per pair: which of the left nodes
    right: Ints  # per pair: the right node
    pairs: slice  # where the pairs stand among all


# Computes the values of a level's pairs into the array of all values, in which those
# of deeper pairs stand already.
Fill = Callable[[ComparedNodes, NodePairs, Level, Floats], None]


def compared_nodes(
    nodes: KernelNodes,
    *,
    by_name: bool = False,
    with_leaves: bool = False,
    apart: Ints | None = None,
) -> ComparedNodes:
    """What is compared: nodes of one production, or of one name.

    By production, leaves are left out (`with_leaves` takes them in, but not as
    children: equal productions have equal leaves). `apart`: only nodes that are equal
    in this, too, are compared.
    """
    if by_name:
        is_in = np.ones(nodes.tree.size, np.bool_)
        is_kid = np.ones(nodes.kids.size, np.bool_)
        group = nodes.name // 2
    else:
        is_in = ~nodes.is_leaf | with_leaves
        is_kid = ~nodes.is_leaf[nodes.kids]
        leaf_group = nodes.productions + nodes.name
        group = np.where(nodes.is_leaf, leaf_group, nodes.production)
    if apart is not None:
        # Trees come one after the other, so these numbers nearly do: quick to search.
        group = apart * (int(group.max(initial=0)) + 1) + group
    node = np.flatnonzero(is_in)
    node = node[np.argsort(nodes.tree[node], kind="stable")]
    kids_before = np.append(0, np.cumsum(is_kid))
    kid_start = kids_before[nodes.kid_start]
    kids = nodes.kids[is_kid]
    return ComparedNodes(
        node=node,
        start=np.searchsorted(nodes.tree[node], np.arange(nodes.trees + 1)),
        tree=nodes.tree,
        depth=nodes.depth,
        group=group,
        kid_start=kid_start,
        kid_count=kids_before[nodes.kid_start + nodes.kid_count] - kid_start,
        kids=kids,
        kid_group=group[kids],
        groups=int(group.max(initial=-1)) + 1,
    )


def pairs_of(these: ComparedNodes, some: range, others: range) -> NodePairs:
    """The pairs of the nodes of some trees with those of others."""
    left, right = these.of_trees(some), these.of_trees(others)
    right = right[np.argsort(these.group[right], kind="stable")]
    groups = these.group[right]
    run = np.searchsorted(groups, these.group[left], "left")
    count = np.searchsorted(groups, these.group[left], "right") - run
    order = np.lexsort((-these.kid_count[left], -these.depth[left]))
    order = order[count[order] > 0]
    left, run = left[order], run[order]
    start = np.append(0, np.cumsum(count[order]))
    # Written only where it will be read: the table may be much larger than the block.
    start_of = np.empty(these.tree.size, np.int64)
    start_of[left] = start[:-1]
    is_first = np.ones(groups.size, np.bool_)
    is_first[1:] = groups[1:] != groups[:-1]
    places = np.arange(right.size)
    rank_of = np.empty(these.tree.size, np.int64)
    rank_of[right] = places - np.maximum.accumulate(np.where(is_first, places, 0))
    return NodePairs(left, right, run, start, start_of, rank_of)


def levels(these: ComparedNodes, pairs: NodePairs, limit: int) -> Iterator[Level]:
    """The pairs from the deepest up; levels of more than `limit` pairs in parts."""
    depth, start = these.depth[pairs.left], pairs.start
    ends = np.flatnonzero(depth[1:] != depth[:-1]) + 1
    bounds = [0, *ends.tolist(), depth.size] if depth.size else []
    for begin, end in pairwise(bounds):
        while begin < end:
            part = int(np.searchsorted(start, start[begin] + limit, "right")) - 1
            part = min(max(part, begin + 1), end)
            yield _level(pairs, begin, part)
            begin = part


def _level(pairs: NodePairs, begin: int, end: int) -> Level:
    start = pairs.start[begin : end + 1]
    row = np.repeat(np.arange(end - begin), np.diff(start))
    shift = pairs.run[begin:end] - start[:-1]
    first, last = int(start[0]), int(start[-1])
    return Level(
        left=pairs.left[begin:end],
        first=start - start[0],
        row=row,
        right=pairs.right[np.arange(first, last) + shift[row]],
        pairs=slice(first, last),
    )
