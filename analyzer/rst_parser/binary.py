"""The best binary tree over units, by arcs and splits; many of one size at once.

Each node of such a tree joins two halves, and the head of one depends on the head of
the other: so a tree is as likely as its arcs and its splits. A chart has the best tree
of each span with each head (Eisner and Satta 1999). Of large spans, the likeliest
splits and heads are looked at only.
"""

from __future__ import annotations

import numpy as np

from analyzer.model.arrays import Floats, Ints

_SPLITS, _HEADS = 12, 8  # of a span that are looked at


def best_binary_trees(arcs: Floats, roots: Floats, splits: Floats) -> tuple[Ints, Ints]:
    """The governor of each unit, -1 for the root's, and how late it is attached.

    arcs: tree × governor × dependent; roots: tree × unit; splits: tree × first × split
    × last × side, where side is 0 if the head is in the left half; all of them
    logarithms.

    >>> splits = np.full((1, 3, 3, 3, 2), -9.0)
    >>> splits[0, 0, 0, 2, 0] = splits[0, 1, 1, 2, 0] = 0  # (0 (1 2))
    >>> best_binary_trees(np.zeros((1, 3, 3)), np.zeros((1, 3)), splits)
    (array([[-1,  0,  1]]), array([[0, 2, 1]]))
    """
    chart = _Chart(arcs)
    for width in range(1, arcs.shape[1]):
        chart.widen(width, splits)
    whole = chart.best[:, 0, -1] + roots
    found = np.full(roots.shape, -1)
    order = np.zeros(roots.shape, np.int64)
    for tree, root in enumerate(whole.argmax(axis=1).tolist()):
        chart.trace(tree, root, found[tree], order[tree])
    return found, order


class _Chart:
    """best: of each span with each head, the best tree's score. hook: of each span
    and each unit outside it, the best score of the span as its dependent, arc and all.
    split, dependent: by which split, and with which head, these came about.
    """

    def __init__(self, arcs: Floats) -> None:
        trees, size, _ = arcs.shape
        shape = trees, size, size, size
        each = np.arange(size)
        self._by_dependent = np.ascontiguousarray(arcs.transpose(0, 2, 1))
        self.best = np.full(shape, -np.inf)
        self.best[:, each, each, each] = 0.0
        self.hook = np.full(shape, -np.inf)
        self.hook[:, each, each] = self._by_dependent
        self._split = np.zeros(shape, np.int16)
        self._dependent = np.zeros(shape, np.int16)
        self._dependent[:, each, each] = each[:, None]

    def widen(self, width: int, splits: Floats) -> None:
        """Fill in the spans that are one wider than `width`."""
        trees, size, _ = self._by_dependent.shape
        first = np.arange(size - width)
        last = first + width
        at, left, steps = np.ix_(np.arange(trees), first, np.arange(width))
        split = left + steps
        right = left + width
        values = splits[at, left, split, right]  # tree × span × split × side
        if width > _SPLITS:
            likely = np.argpartition(-values.max(axis=3), _SPLITS - 1, axis=2)
            likely = likely[:, :, :_SPLITS]
            split = left + likely
            values = np.take_along_axis(values, likely[..., None], 2)
        head_left = self.best[at, left, split] + self.hook[at, split + 1, right]
        head_left += values[..., :1]
        head_right = self.best[at, split + 1, right] + self.hook[at, left, split]
        head_right += values[..., 1:]
        # A head is in one half: of the other, one of the two is minus infinity.
        both = np.maximum(head_left, head_right, out=head_left)
        best = both.argmax(axis=2)
        found = both.max(axis=2)
        self.best[:, first, last] = found
        chosen = np.take_along_axis(split, best, 2) if width > _SPLITS else left + best
        self._split[:, first, last] = chosen
        self._hang(first, width, found)

    def _hang(self, first: Ints, width: int, found: Floats) -> None:
        """The spans as dependents of every unit."""
        trees = np.arange(len(found))[:, None, None]
        if width < _HEADS:
            heads = (first[:, None] + np.arange(width + 1))[None]
        else:
            heads = np.argpartition(-found, _HEADS - 1, axis=2)[:, :, :_HEADS]
        spans = np.arange(len(first))[:, None]
        # tree × span × head × governor
        hung = found[trees, spans, heads][..., None] + self._by_dependent[trees, heads]
        best = hung.argmax(axis=2)
        self.hook[:, first, first + width] = hung.max(axis=2)
        if width < _HEADS:
            best += first[:, None]
        else:
            best = heads[trees, spans, best]
        self._dependent[:, first, first + width] = best

    def trace(self, tree: int, root: int, governor: Ints, order: Ints) -> None:
        """Fill in one tree; the later a dependent, the larger the span."""
        size = len(governor)
        pending = [(0, size - 1, root)]
        while pending:
            first, last, head = pending.pop()
            if first == last:
                continue
            split = int(self._split[tree, first, last, head])
            is_left = head <= split
            other = (split + 1, last) if is_left else (first, split)
            dependent = int(self._dependent[tree, other[0], other[1], head])
            governor[dependent] = head
            order[dependent] = last - first
            mine = (first, split) if is_left else (split + 1, last)
            pending += [(*mine, head), (*other, dependent)]
