"""Who is whose parent, from the depths of nodes in pre-order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analyzer.model.arrays import Ids, Ints


def parents_and_levels(depth: Ids) -> tuple[Ints, Ints]:
    """The parent of each node of a table in pre-order, and all nodes level by level."""
    parent, child, _ = families(depth)
    return parent, np.concatenate([np.flatnonzero(parent < 0), child])


class Families(NamedTuple):
    """Who is whose child, in a table in pre-order."""

    parent: Ints  # per node; -1 for a root
    child: Ints  # all that are no roots: level by level, sisters together, in order
    starts: Ints  # where in `child` each phrase's children start


def families(depth: Ids) -> Families:
    """The parents and children of nodes in pre-order, from their depths.

    A first child comes right after its parent. In the order by level, the other
    children come right after the first one.
    """
    by_level = np.argsort(narrowest(depth), kind="stable")
    is_first = np.zeros(depth.size, np.bool_)
    is_first[1:] = depth[1:] > depth[:-1]
    starts = np.flatnonzero(is_first[by_level])
    roots = int(starts[0]) if starts.size else by_level.size  # they come before all
    child = by_level[roots:]
    starts -= roots
    parent = np.full(depth.size, -1, np.int64)
    sizes = np.diff(starts, append=child.size)
    parent[child] = np.repeat(child[starts] - 1, sizes)
    return Families(parent, child, starts)


def narrowest(column: Ids) -> np.ndarray:
    """The column in the narrowest type that holds it.

    NumPy sorts 8- and 16-bit integers by radix, in linear time.
    """
    largest = int(column.max(initial=0))
    return column.astype(np.min_scalar_type(largest))
