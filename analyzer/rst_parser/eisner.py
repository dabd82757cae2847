"""The best projective dependency tree (Eisner 1996), many of one size at once."""

from __future__ import annotations

import numpy as np

from analyzer.model.arrays import Floats, Ids, Ints


def best_trees(arcs: Floats, roots: Floats) -> Ints:
    """The governor of each unit, -1 for the root's.

    arcs: tree × governor × dependent; roots: tree × unit, the score of being the root.

    >>> arcs = np.zeros((1, 3, 3))
    >>> arcs[0, 1] = 5
    >>> best_trees(arcs, np.zeros((1, 3))).tolist()
    [[1, -1, 1]]
    """
    trees, size, _ = arcs.shape
    if size == 1:
        return np.full((trees, 1), -1)
    # Spans [i, j]: complete and incomplete ones, their head at the left or right end.
    complete = np.full((2, trees, size, size), -np.inf)
    open_ = np.full((2, trees, size, size), -np.inf)
    split_complete = np.zeros((2, trees, size, size), np.int32)
    split_open = np.zeros((trees, size, size), np.int32)
    diagonal = np.arange(size)
    complete[:, :, diagonal, diagonal] = 0.0
    for width in range(1, size):
        first = np.arange(size - width)
        last = first + width
        steps = np.arange(width)
        middle = first[:, None] + steps  # start × split
        ends = last[:, None]
        # Head left: [i, m] and [m + 1, j] face each other.
        left = complete[0][:, first[:, None], middle]
        right = complete[1][:, middle + 1, ends]
        both = left + right
        best = both.argmax(axis=2)
        value = np.take_along_axis(both, best[:, :, None], 2)[:, :, 0]
        split_open[:, first, last] = first + best
        open_[0][:, first, last] = value + arcs[:, first, last]
        open_[1][:, first, last] = value + arcs[:, last, first]
        to_right = open_[0][:, first[:, None], middle + 1]
        to_right = to_right + complete[0][:, middle + 1, ends]
        best = to_right.argmax(axis=2)
        complete[0][:, first, last] = np.take_along_axis(to_right, best[:, :, None], 2)[
            :, :, 0
        ]
        split_complete[0][:, first, last] = first + 1 + best
        to_left = complete[1][:, first[:, None], middle] + open_[1][:, middle, ends]
        best = to_left.argmax(axis=2)
        complete[1][:, first, last] = np.take_along_axis(to_left, best[:, :, None], 2)[
            :, :, 0
        ]
        split_complete[1][:, first, last] = first + best
    whole = complete[1][:, 0, :] + complete[0][:, :, size - 1] + roots
    chosen = whole.argmax(axis=1)
    found = np.full((trees, size), -1)
    for tree in range(trees):
        root = int(chosen[tree])
        _trace(found[tree], split_open[tree], split_complete[:, tree], root)
    return found


def _trace(found: Ints, opened: Ids, completed: Ids, root: int) -> None:
    size = len(found)
    pending = [(True, 1, 0, root), (True, 0, root, size - 1)]
    while pending:
        is_complete, side, first, last = pending.pop()
        if first == last:
            continue
        if is_complete:
            split = int(completed[side, first, last])
            if side == 0:
                pending.append((False, 0, first, split))
                pending.append((True, 0, split, last))
            else:
                pending.append((True, 1, first, split))
                pending.append((False, 1, split, last))
        else:
            if side == 0:
                found[last] = first
            else:
                found[first] = last
            split = int(opened[first, last])
            pending.append((True, 0, first, split))
            pending.append((True, 1, split + 1, last))
