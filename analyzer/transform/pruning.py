"""Trees without some of their nodes: the columns of those that are left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analyzer.model.arrays import Flags, Ids
from analyzer.model.treebank import Treebank


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
