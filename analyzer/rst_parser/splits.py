"""Where a span is split in two, and in which half its head is: learnt from trees.

A binary tree is made by splitting, from the whole down. How likely each split of a
span is, and that the head is in its left or right half, is a choice among all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from analyzer.model.arrays import Floats, Ints
from analyzer.rst_parser.edus import EduTable
from analyzer.rst_parser.fitting import Design, Weights, minimize, penalised
from analyzer.rst_parser.linear import Vocabulary, scores
from analyzer.rst_parser.spans import (
    BOTH,
    LEFT,
    RIGHT,
    SPLIT,
    SpanView,
    span_templates,
)
from analyzer.rst_parser.stages import Stage
from analyzer.rst_parser.units import Units

_AT_ONCE = 1 << 14  # splits that are scored together: what memory holds
_LONGEST = 60  # units of a span that is learnt from: longer ones teach little more
SIDES = 2  # where the head is: left, right


@dataclass(frozen=True)
class SplitModel:
    """Weights of features for a head in the left half, and for one in the right."""

    level: int
    vocabulary: Vocabulary
    weights: Weights


def train_splits(
    edus: EduTable, stage: Stage, *, strength: float, least: int, steps: int
) -> SplitModel:
    """Weights by which the splits of a corpus are the most likely ones."""
    nodes = stage.nodes
    short = nodes.last - nodes.first < _LONGEST
    first, split, last = nodes.first[short], nodes.split[short], nodes.last[short]
    is_left = (nodes.dependent < nodes.governor)[short]
    counts = last - first
    node = np.repeat(np.arange(len(first)), counts)
    begin = np.cumsum(counts) - counts
    tried = first[node] + np.arange(len(node)) - begin[node]
    view = SpanView(edus, stage.units, first[node], tried, last[node])
    known, rows = Vocabulary.learn(view.columns(span_templates(stage.level)), least)
    del view
    design = Design(rows, len(known), turned=True)
    is_gold = np.zeros((len(node), SIDES), np.bool_)
    is_gold[np.flatnonzero(tried == split[node]), is_left * 1] = True

    def objective(point: Floats) -> tuple[float, Floats]:
        values = design.scores(point.reshape(-1, SIDES))
        chances = _chances(values, node, begin)
        loss = -float(np.log(chances[is_gold] + 1e-300).sum())
        slope = design.slope(chances - is_gold).ravel()
        return penalised(loss, slope, point, strength)

    start = np.zeros(len(known) * SIDES)
    if len(node):
        start = minimize(objective, start, steps=steps)
    weights = start.reshape(-1, SIDES).astype(np.float32)
    return SplitModel(stage.level, known, weights)


def _chances(values: Floats, node: Ints, begin: Ints) -> Floats:
    """Of all splits of a node, how likely each is, with the head left or right."""
    highest = np.maximum.reduceat(values.max(axis=1), begin)
    found = np.exp(values - highest[node][:, None])
    total = np.add.reduceat(found.sum(axis=1), begin)
    normal: Floats = found / total[node][:, None]
    return normal


@cache
def _shape(size: int) -> tuple[Ints, Ints, Ints, Ints]:
    """All splits of all spans of so many units: first, split, last; the spans' starts.

    The splits of one span stand together.
    """
    first, last = np.triu_indices(size, 1)
    counts = last - first
    begin = np.cumsum(counts) - counts
    which = np.repeat(np.arange(len(first)), counts)
    split = first[which] + np.arange(len(which)) - begin[which]
    return first[which], split, last[which], begin


def split_chances(
    model: SplitModel, edus: EduTable, units: Units, starts: Ints
) -> Iterator[tuple[slice, Floats]]:
    """Logarithms of how likely splits are: group × first × split × last × side.

    starts: the first units of groups of one size. What comes out is for some of them at
    a time, with their places in `starts`.
    """
    size = int(np.count_nonzero(units.group == units.group[starts[0]]))
    first, split, last, begin = _shape(size)
    counts = np.diff(np.append(begin, len(first)))
    span = np.repeat(np.arange(len(begin)), counts)
    step = max(1, _AT_ONCE // len(first))
    for at in range(0, len(starts), step):
        some = slice(at, at + step)
        values = _values(model, edus, units, starts[some], size)
        highest = np.maximum.reduceat(values.max(axis=2), begin, axis=1)
        spread = np.exp(values - highest[:, span, None]).sum(axis=2)
        total = np.log(np.add.reduceat(spread, begin, axis=1)) + highest
        found = np.full((len(values), size, size, size, SIDES), -np.inf)
        found[:, first, split, last] = values - total[:, span, None]
        yield some, found


def _values(
    model: SplitModel, edus: EduTable, units: Units, starts: Ints, size: int
) -> Floats:
    """Scores of all splits: group × split × side.

    What looks at one end of the span only is scored once for that end and the split.
    """
    first, split, last, _ = _shape(size)
    before = np.arange(size - 1)
    low, high = np.triu_indices(size - 1)

    def seen(a: Ints, b: Ints, e: Ints, reach: int) -> Floats:
        found = np.empty((len(starts), len(b), SIDES))
        step = max(1, _AT_ONCE // len(starts))
        for at in range(0, len(b), step):
            some = slice(at, at + step)
            spans = ((starts[:, None] + x[some]).ravel() for x in (a, b, e))
            view = SpanView(edus, units, *spans)
            columns = view.reaching(span_templates(model.level), reach)
            of_spans = scores(model.vocabulary, columns, model.weights)
            found[:, some] = of_spans.reshape(len(starts), -1, SIDES)
        return found

    at_split = seen(before, before, before + 1, SPLIT)
    to_left = np.zeros((len(starts), size, size, SIDES))
    to_left[:, low, high] = seen(low, high, high + 1, LEFT)
    to_right = np.zeros((len(starts), size, size, SIDES))
    to_right[:, low, high + 1] = seen(low, low, high + 1, RIGHT)
    found = seen(first, split, last, BOTH)
    found += at_split[:, split] + to_left[:, first, split] + to_right[:, split, last]
    return found
