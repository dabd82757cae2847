"""Trees without some of their nodes, or some of the trees: what is left of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from analyzer.model.arrays import Flags, Ids, Ints, ranges
from analyzer.model.treebank import Treebank
from analyzer.model.yields import Yields

Value = TypeVar("Value")


def pruned(bank: Treebank, keep: Flags, label: Ids) -> Treebank:
    """The trees of the nodes to keep, under other labels (one for each node given).

    What stood below a node that is left out moves up. A bracket that is kept must
    have a leaf that is. Trees whose nodes are all left out are empty.
    """
    rows = np.flatnonzero(keep)
    leaves = np.flatnonzero(keep[bank.leaf_node])
    leaves_before = np.zeros(bank.leaf_node.size + 1, np.int64)
    np.cumsum(keep[bank.leaf_node], out=leaves_before[1:])
    nodes_before = np.zeros(keep.size + 1, np.int64)
    np.cumsum(keep, out=nodes_before[1:])
    first = leaves_before[bank.first[rows]].astype(np.int32)
    last = leaves_before[bank.last[rows]].astype(np.int32)
    is_leaf = bank.is_leaf[rows]
    return replace(
        bank,
        label=label[rows],
        depth=depths(is_leaf, first, last, leaves.size),
        first=first,
        last=last,
        is_leaf=is_leaf,
        leaf_node=np.flatnonzero(is_leaf),
        form_start=bank.form_start[leaves],
        form_end=bank.form_end[leaves],
        node_start=nodes_before[bank.node_start],
        leaf_start=leaves_before[bank.leaf_start],
    )


def depths(is_leaf: Flags, first: Ids, last: Ids, leaves: int) -> Ids:
    """How many brackets are open at each node.

    Of those that open before it, the ones that end before its first leaf are closed.
    """
    is_bracket = ~is_leaf
    opened = np.cumsum(is_bracket, dtype=np.int32) - is_bracket
    ended = np.bincount(last[is_bracket], minlength=leaves + 1)
    depth: Ids = opened - np.cumsum(ended, dtype=np.int32)[first]
    return depth.astype(np.int32)


def some_trees(bank: Treebank, trees: Ints) -> Treebank:
    """Some of the trees as a treebank of their own: in any order, a tree also twice.

    >>> from analyzer.formats.reading import read_trees
    >>> bank = read_trees("(A a)\\n(B b)\\n(C c)\\n")
    >>> [str(tree) for tree in some_trees(bank, np.array([2, 0, 2]))]
    ['(C c)', '(A a)', '(C c)']
    """
    chosen = trees.tolist()
    nodes, leaves = np.diff(bank.node_start)[trees], np.diff(bank.leaf_start)[trees]
    node = ranges(bank.node_start[trees], nodes)
    leaf = ranges(bank.leaf_start[trees], leaves)
    node_start, leaf_start = (np.append(0, np.cumsum(n)) for n in (nodes, leaves))
    by = leaf_start[:-1] - bank.leaf_start[trees]
    is_leaf = bank.is_leaf[node]
    return replace(
        bank,
        label=bank.label[node],
        depth=bank.depth[node],
        first=(bank.first[node] + by.repeat(nodes)).astype(np.int32),
        last=(bank.last[node] + by.repeat(nodes)).astype(np.int32),
        is_leaf=is_leaf,
        leaf_node=np.flatnonzero(is_leaf),
        form_start=bank.form_start[leaf],
        form_end=bank.form_end[leaf],
        node_start=node_start,
        leaf_start=leaf_start,
        line=bank.line[trees],
        problems=_of_trees(bank.problems, chosen),
        mends=_of_trees(bank.mends, chosen),
        ids=tuple(bank.ids[tree] for tree in chosen) if bank.ids else (),
        edges=tuple(bank.edges[at] for at in leaf.tolist()) if bank.edges else (),
        yields=_yields_of(bank, trees, node_start, by),
    )


def _of_trees(known: Mapping[int, Value], trees: Sequence[int]) -> dict[int, Value]:
    return {new: known[old] for new, old in enumerate(trees) if old in known}


def _yields_of(
    bank: Treebank, trees: Ints, node_start: Ints, by: Ints
) -> Yields | None:
    """The runs of leaves of some trees, whose leaves have other numbers now."""
    if bank.yields is None:
        return None
    starts = np.searchsorted(bank.yields.node, bank.node_start)
    sizes = np.diff(starts)[trees]
    node, first, last = (column[ranges(starts[trees], sizes)] for column in bank.yields)
    nodes_by = node_start[:-1] - bank.node_start[trees]
    leaf_by = by.repeat(sizes)
    return Yields(node + nodes_by.repeat(sizes), first + leaf_by, last + leaf_by)
