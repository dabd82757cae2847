"""Trees without some of their nodes, or some of the trees: what is left of columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analyzer.model.arrays import Flags, Ids, Ints
from analyzer.model.treebank import Treebank
from analyzer.transform.plain_text import keep_leaves


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
        depth=_depths(is_leaf, first, last, leaves.size),
        first=first,
        last=last,
        is_leaf=is_leaf,
        leaf_node=np.flatnonzero(is_leaf),
        form_start=bank.form_start[leaves],
        form_end=bank.form_end[leaves],
        node_start=nodes_before[bank.node_start],
        leaf_start=leaves_before[bank.leaf_start],
    )


def _depths(is_leaf: Flags, first: Ids, last: Ids, leaves: int) -> Ids:
    """How many brackets are open at each node.

    Of those that open before it, the ones that end before its first leaf are closed.
    """
    is_bracket = ~is_leaf
    opened = np.cumsum(is_bracket, dtype=np.int32) - is_bracket
    ended = np.bincount(last[is_bracket], minlength=leaves + 1)
    depth: Ids = opened - np.cumsum(ended, dtype=np.int32)[first]
    return depth.astype(np.int32)


def some_trees(bank: Treebank, trees: Ints) -> Treebank:
    """Some of the trees, in order, as a treebank of their own.

    >>> from analyzer.formats.reading import read_trees
    >>> bank = read_trees("(A a)\\n(B b)\\n(C c)\\n")
    >>> [str(tree) for tree in some_trees(bank, np.array([0, 2]))]
    ['(A a)', '(C c)']
    """
    is_chosen = np.zeros(len(bank), np.bool_)
    is_chosen[trees] = True
    left = keep_leaves(bank, np.repeat(is_chosen, np.diff(bank.leaf_start)))
    old = trees.tolist()
    starts = np.append(trees, len(bank))  # the others have no rows any more
    return replace(
        left,
        node_start=left.node_start[starts],
        leaf_start=left.leaf_start[starts],
        line=bank.line[trees],
        problems={
            new: bank.problems[tree]
            for new, tree in enumerate(old)
            if tree in bank.problems
        },
        mends={
            new: bank.mends[tree] for new, tree in enumerate(old) if tree in bank.mends
        },
        ids=tuple(bank.ids[tree] for tree in old) if bank.ids else (),
    )
