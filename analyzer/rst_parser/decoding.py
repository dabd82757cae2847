"""From weights to trees: the best trees over units, stage by stage.

**Dependency trees** are the best projective ones by their arcs (Eisner 1996). **Binary
trees** are the best by arcs and splits: each node joins two halves, and the head of one
depends on the head of the other, so a tree is as likely as its arcs and its splits. A
chart has the best tree of each span with each head (Eisner and Satta 1999); of large
spans, only the likeliest splits and heads are looked at. Groups of one size are decoded
together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from analyzer.model.arrays import Floats, Ids, Ints
from analyzer.model.discourse import NUCLEUS, ROOT_RELATION, DependencyTree, Unit
from analyzer.rst_parser.attachment import (
    ArcScores,
    Label,
    ParserSettings,
    Weights,
    arc_scores,
    label_chances,
    merged,
    split_chances,
)
from analyzer.rst_parser.edus import edu_table
from analyzer.rst_parser.linear import TINY
from analyzer.rst_parser.stages import Stage, Units, parsed_stages
from analyzer.rst_parser.text import TokenText
from analyzer.transform.head_order import (
    constituent_tree,
    guessed_nuclearities,
    guessed_ranks,
    joined_ranks,
)
from analyzer.transform.relations import relation_class

ROOT_LABEL: Label = (ROOT_RELATION, NUCLEUS)
_DIGITS = 4  # of a probability that is shown
_SPLITS, _HEADS = 12, 8  # of a span that are looked at


class EduRow(NamedTuple):
    """An EDU as it was attached: to which one (0: none), how, and how surely."""

    document: str
    edu: int
    text: str
    head: int
    relation: str
    nuclearity: str
    rank: int
    head_probability: float
    relation_probability: float


class ParsedDocument(NamedTuple):
    """A document's tree, and how sure the parser is of every part of it.

    governors, labels: by EDU, the probability of its governor and of its relation.
    """

    name: str
    tree: DependencyTree
    governors: list[float]
    labels: list[float]

    @property
    def unit(self) -> Unit:
        """The tree as constituents."""
        return constituent_tree(self.tree, source=self.name)

    @property
    def edus(self) -> list[EduRow]:
        tree = self.tree
        assert tree.nuclearities is not None
        assert tree.ranks is not None
        columns = tree.texts, tree.heads, tree.relations, tree.nuclearities, tree.ranks
        sure = (
            [round(p, _DIGITS) for p in chances]
            for chances in (self.governors, self.labels)
        )
        rows = zip(*columns, *sure, strict=True)
        return [EduRow(self.name, edu, *row) for edu, row in enumerate(rows, start=1)]


def parse_edus(
    weights: Weights, settings: ParserSettings, texts: Sequence[TokenText]
) -> list[ParsedDocument]:
    """Trees of texts whose EDUs are known; several at once are quicker than each."""
    trees = _Trees(weights, settings, texts)
    stages = parsed_stages(trees.edus, settings.stages, trees.decoded)
    for number, stage in enumerate(stages):
        trees.add(stage, number)
    return trees.documents()


class _Trees:
    """What parsing fills in, for all EDUs of some documents."""

    def __init__(
        self, weights: Weights, settings: ParserSettings, texts: Sequence[TokenText]
    ) -> None:
        self._weights, self._settings, self._texts = weights, settings, texts
        self.edus = edu_table(texts)
        count = len(self.edus)
        self._heads = np.full(count, -1)
        self._turns = np.zeros(count, np.int64)  # when each is attached to its head
        self._head_chances, self._label_chances = np.ones((2, count))
        self._labels = [ROOT_LABEL] * count
        # The relation that each class of the labels is given out as.
        self._names = [relation for relation, _ in weights.classes]
        known = settings.relations
        if known is not None:
            self._names = [relation_class(name, known) for name in self._names]

    def decoded(self, units: Units, level: int) -> tuple[Ints, Ints | None]:
        """The best trees; also fills in how sure their arcs are."""
        weights = self._weights
        scores = arc_scores(weights.arcs[level], self.edus, units, level)
        chances, as_root = scores.chances()
        order = None
        if weights.splits:
            order = np.zeros(len(units), np.int64)
            logs = np.log(chances + TINY), np.log(as_root + TINY)
            scores = scores._replace(arcs=logs[0], roots=logs[1])
        governor = np.full(len(units), -1)
        for members, dense in _by_size(units, scores):
            roots = scores.roots[members]
            if order is None:
                trees = best_trees(dense, roots)
                governor[members] = np.where(trees >= 0, trees + members[:, :1], -1)
                continue
            model, starts = weights.splits[level], members[:, 0]
            for some, splits in split_chances(model, self.edus, units, level, starts):
                trees, late = best_binary_trees(dense[some], roots[some], splits)
                here = members[some]
                governor[here] = np.where(trees >= 0, trees + here[:, :1], -1)
                order[here] = late
        is_arc = governor[scores.dependent] == scores.governor
        edu = units.head[scores.dependent[is_arc]]
        self._head_chances[edu] = chances[is_arc]
        return governor, order

    def add(self, stage: Stage, number: int) -> None:
        """Fill in the arcs of a stage, which are attached after those before."""
        governor, dependent = stage.arcs
        if not len(governor):
            return
        head = stage.units.head
        edu = head[dependent]
        self._heads[edu] = head[governor]
        if stage.order is not None:
            self._turns[edu] = number * len(self.edus) + stage.order[dependent]
        fine = label_chances(self._weights, self.edus, stage)
        coarse, classes = merged(fine, self._weights.classes, self._names)
        best = coarse.argmax(axis=1)
        self._label_chances[edu] = coarse[np.arange(len(best)), best]
        for at, label in zip(edu.tolist(), best.tolist(), strict=True):
            self._labels[at] = classes[label]

    def documents(self) -> list[ParsedDocument]:
        documents = []
        ranks = _ranks(self._heads, self._turns) if self._weights.splits else None
        start = 0
        for text in self._texts:
            edus = text.edus()
            here = slice(start, start + len(edus))
            heads = self._heads[here]
            tree = DependencyTree(
                np.where(heads < 0, 0, heads - start + 1).tolist(),
                [relation for relation, _ in self._labels[here]],
                [nuclearity for _, nuclearity in self._labels[here]],
                None if ranks is None else ranks[here].tolist(),
                text.edu_texts(),
                [text.sentences[first] + 1 for first, _ in edus],
            )
            self._complete(tree)
            sure = (self._head_chances[here], self._label_chances[here])
            chances = (some.tolist() for some in sure)
            documents.append(ParsedDocument(text.name, tree, *chances))
            start = here.stop
        return documents

    def _complete(self, tree: DependencyTree) -> None:
        """Nuclearity and order by the paper's rules, if that is asked for."""
        settings = self._settings
        if settings.heuristics:
            tree.nuclearities = guessed_nuclearities(tree, settings.multinuclear)
        is_joined = settings.encoding == "tree"
        if tree.ranks is None:
            tree.ranks = guessed_ranks(tree, join_nuclei=is_joined)
        elif is_joined:
            tree.ranks = joined_ranks(tree)


def _ranks(heads: Ints, turns: Ints) -> Ints:
    """The rank of each EDU among those of its head, from 1; heads: -1 for roots."""
    order = np.lexsort((turns, heads))
    starts = np.flatnonzero(np.append(True, np.diff(heads[order]) != 0))
    sizes = np.diff(np.append(starts, len(order)))
    ranks = np.zeros(len(heads), np.int64)
    ranks[order] = np.arange(len(order)) - np.repeat(starts, sizes) + 1
    ranks[heads < 0] = 1
    return ranks


def _by_size(units: Units, scores: ArcScores) -> Iterator[tuple[Ints, Floats]]:
    """Groups of the same size: their units, and group × governor × dependent."""
    place, sizes = units.place, units.sizes
    # The pairs of a group stand together, dependent by dependent.
    pair_start = np.append(0, np.cumsum(sizes * (sizes - 1)))
    for size in np.unique(sizes[sizes > 1]).tolist():
        groups = np.flatnonzero(sizes == size)
        pairs = pair_start[groups][:, None] + np.arange(size * (size - 1))
        dense = np.full((len(groups), size, size), -np.inf)
        governor, dependent = scores.governor[pairs], scores.dependent[pairs]
        each = np.arange(len(groups))[:, None]
        dense[each, place[governor], place[dependent]] = scores.arcs[pairs]
        yield units.starts[groups][:, None] + np.arange(size), dense


# -- the best projective dependency trees, many of one size at once --------------------


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
    governors = np.full((trees, size), -1)
    for tree in range(trees):
        root = int(chosen[tree])
        _trace(governors[tree], split_open[tree], split_complete[:, tree], root)
    return governors


def _trace(governors: Ints, opened: Ids, completed: Ids, root: int) -> None:
    size = len(governors)
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
                governors[last] = first
            else:
                governors[first] = last
            split = int(opened[first, last])
            pending.append((True, 0, first, split))
            pending.append((True, 1, split + 1, last))


# -- the best binary trees, many of one size at once -----------------------------------


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
    governors = np.full(roots.shape, -1)
    order = np.zeros(roots.shape, np.int64)
    for tree, root in enumerate(whole.argmax(axis=1).tolist()):
        chart.trace(tree, root, governors[tree], order[tree])
    return governors, order


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
        scores = both.max(axis=2)
        self.best[:, first, last] = scores
        chosen = np.take_along_axis(split, best, 2) if width > _SPLITS else left + best
        self._split[:, first, last] = chosen
        self._hang(first, width, scores)

    def _hang(self, first: Ints, width: int, scores: Floats) -> None:
        """The spans as dependents of every unit."""
        trees = np.arange(len(scores))[:, None, None]
        if width < _HEADS:
            heads = (first[:, None] + np.arange(width + 1))[None]
        else:
            heads = np.argpartition(-scores, _HEADS - 1, axis=2)[:, :, :_HEADS]
        spans = np.arange(len(first))[:, None]
        # tree × span × head × governor
        hung = scores[trees, spans, heads][..., None] + self._by_dependent[trees, heads]
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
