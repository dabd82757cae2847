"""What tree kernels compare: nodes as numbers, and pairs of them laid out in one array.

Two nodes are worth something only if they are in one *group*: nodes of the same
production (of the same name, for partial trees). For each node of the left trees there
is a run of pairs with the right nodes of its group. Where a pair stands is a sum of two
numbers, one of each node; so the pairs of their children, on which the pair's value
depends, are found by adding, without a search. Left nodes come deepest first: all pairs
of one depth are computed at once, from deeper ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analyzer.model.arrays import Flags, Ints, parents_and_levels
from analyzer.model.symbols import SYMBOLS, Symbols
from analyzer.model.treebank import Treebank

_WINDOW = 8  # bytes that Symbols.ids_in reads at a time


@dataclass(frozen=True)
class KernelNodes:
    """One row a node of any tree: phrases and tags, then words.

    A leaf is a word under its tag, or a bracket with nothing in it.
    """

    trees: int
    tree: Ints
    depth: Ints
    name: Ints  # twice the number of its spelling, and 1 more for a leaf
    is_leaf: Flags
    production: Ints  # of the nodes that are no leaves; -1 for a leaf
    productions: int  # how many there are
    kids: Ints  # children, in order, those of one node together
    kid_start: Ints  # per node: where its children begin
    kid_count: Ints


def kernel_nodes(bank: Treebank) -> KernelNodes:
    """The nodes of all trees; equal names and productions have equal numbers.

    >>> from analyzer.formats.reading import read_trees
    >>> nodes = kernel_nodes(read_trees("(A (B x) (x))"))
    >>> nodes.is_leaf.tolist()  # A, B, x under A, x under B
    [False, False, True, True]
    >>> nodes.kids.tolist(), bool(nodes.name[2] == nodes.name[3])
    ([1, 2, 3], True)
    """
    size, words = bank.label.size, bank.leaf_node.size
    parent, by_level = parents_and_levels(bank.depth)
    children = by_level[parent[by_level] >= 0]
    kids = np.concatenate([children, np.arange(size, size + words)])
    parents = np.concatenate([parent[children], bank.leaf_node])
    kids = kids[np.argsort(parents, kind="stable")]
    kid_count = np.bincount(parents, minlength=size + words)
    kid_start = np.cumsum(kid_count) - kid_count

    is_leaf = kid_count == 0
    name = _spellings(bank) * 2 + is_leaf
    production, productions = _productions(name, is_leaf, kids, kid_start, kid_count)
    tree = bank.tree_of_node
    depth = bank.depth.astype(np.int64)
    return KernelNodes(
        trees=len(bank),
        tree=np.concatenate([tree, tree[bank.leaf_node]]),
        depth=np.concatenate([depth, depth[bank.leaf_node] + 1]),
        name=name,
        is_leaf=is_leaf,
        production=production,
        productions=productions,
        kids=kids,
        kid_start=kid_start,
        kid_count=kid_count,
    )


def _spellings(bank: Treebank) -> Ints:
    """A number for what each node is called, label or word.

    In a table of its own, so that the vocabulary does not end up among the labels.
    """
    table = Symbols()
    labels, which = np.unique(bank.label, return_inverse=True)
    spelt = [table.id(SYMBOLS.name(label)) for label in labels.tolist()]
    text = bank.text + bytes(_WINDOW)
    word = table.ids_in(text, bank.form_start, bank.form_end - bank.form_start)
    return np.concatenate([np.array(spelt, np.int64)[which], word])


def _productions(
    name: Ints, is_leaf: Flags, kids: Ints, kid_start: Ints, kid_count: Ints
) -> tuple[Ints, int]:
    """The number of each node's production: its own name, then its children's.

    The key is the names themselves, not a hash of them, so two productions can never
    be taken for one.
    """
    inner = np.flatnonzero(~is_leaf)
    names = name[kids].tobytes()
    width = name.itemsize
    start = (kid_start[inner] * width).tolist()
    end = ((kid_start + kid_count)[inner] * width).tolist()
    numbers: dict[tuple[int, bytes], int] = {}
    production = np.full(name.size, -1, np.int64)
    production[inner] = [
        numbers.setdefault((own, names[s:e]), len(numbers))
        for own, s, e in zip(name[inner].tolist(), start, end, strict=True)
    ]
    return production, len(numbers)


# -- pairs that are worth something ----------------------------------------------------


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

    nodes: ComparedNodes
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
    return NodePairs(these, left, right, run, start, start_of, rank_of)


def levels(pairs: NodePairs, limit: int) -> Iterator[Level]:
    """The pairs from the deepest up; levels of more than `limit` pairs in parts."""
    depth, start = pairs.nodes.depth[pairs.left], pairs.start
    ends = np.flatnonzero(depth[1:] != depth[:-1]) + 1
    bounds = [0, *ends.tolist(), depth.size] if depth.size else []
    for begin, end in pairwise(bounds):
        while begin < end:
            part = int(np.searchsorted(start, start[begin] + limit, "right")) - 1
            part = min(max(part, begin + 1), end)
            here = start[begin : part + 1]
            first, last = int(here[0]), int(here[-1])
            row = np.repeat(np.arange(part - begin), np.diff(here))
            shift = pairs.run[begin:part] - here[:-1]
            yield Level(
                left=pairs.left[begin:part],
                first=here - first,
                row=row,
                right=pairs.right[np.arange(first, last) + shift[row]],
                pairs=slice(first, last),
            )
            begin = part
