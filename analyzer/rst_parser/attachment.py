"""Which unit governs which, where spans are split, by which relation: what is learnt.

**Arcs** are a choice among governors. The score of an arc is the sum of what the
governor, the dependent and both together say. A unit on its own is scored once for each
context that a pair can have, so that the many features of single units cost next to
nothing.

**Splits**: a binary tree is made by splitting, from the whole down. How likely each
split of a span is, and that the head is in its left or right half, is a choice among
all of them.

**Labels**: by which relation, and as nucleus or satellite, a unit depends on another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from analyzer.model.arrays import Floats, Ints
from analyzer.rst_parser.edus import EduTable
from analyzer.rst_parser.features import (
    CONTEXTS,
    PairFeatures,
    SpanFeatures,
    TreeFeatures,
    UnitFeatures,
    all_pairs,
    chosen,
    templates,
)
from analyzer.rst_parser.linear import (
    LEAST,
    Hashes,
    LinearModel,
    class_loss,
    decision_loss,
    hash_of,
    hashes,
    learn,
    log_loss,
    mixed,
    present,
    softmax,
)
from analyzer.rst_parser.stages import STAGES, Stage, Units
from analyzer.transform.head_order import Transform
from analyzer.transform.relations import RelationMap

Label = tuple[str, str]  # relation and nuclearity

SIDES = 2  # where the head of a span is: left, right
_AT_ONCE = 1 << 14  # pairs or splits that are scored together: what memory holds
_MOST_PAIRS, _NEAR = 400_000, 12  # to learn from; those of neighbours always
_LONGEST = 60  # units of a span that is learnt from: longer ones teach little more
# Of the two units that an arc joins.
_LABEL_UNIT = """
w1; w1 w2; w1 w2 w3; t1; t1 t2; t1 t2 t3; wl; tl; hw; ht; hf; ht hf; hf gt; gw hf;
conn; conn len; say; say hf; len; end; cap; open; quote; digit; q; ps; pp; pd;
heading; turn; finite; verb; verb hf; subj; inner; side hf; w1 hf; w1 ht; hw hf; conn
hf; conn ps; wl<; w1<; end<; conn<; w1>; t1>; conn>; hf>; end w1>; heading pp; f:w1
f:w2; f:conn; f:hf; f:t1 f:t2; l:end; size; sentences; f:heading size; l:q; f:turn
f:q; f:conn size; neg
"""
_LABEL_PAIR = """
dist; edist; sdist; level; level dist; level d.f:conn; level h.f:conn; level d.conn;
level d.hf; level h.hf; level d.w1; syn; syn d.hf; syn h.hf; syn d.hf d.w1; syn h.ht
d.hf; syn h.hw; syn d.hf d.ht; syn d.conn; syn h.say; syn d.say; dist d.conn; dist
d.hf; dist h.conn; h.w1 d.w1; h.t1 d.t1; h.hf d.hf; h.ht d.ht; h.hw d.hw; h.hw d.hf;
h.end d.w1; h.end d.conn; h.conn d.conn; h.say d.t1; h.len d.len; h.verb d.verb;
h.subj d.subj; h.heading d.heading; h.f:heading h.size d.size; speakers; speakers
h.l:q d.l:q; speakers d.conn; speakers d.f:turn d.len; overlap; overlap level; same;
same level; h.finite d.finite syn; h.l:q d.f:w1; h.f:conn d.f:conn; h.f:w1 d.f:w1;
parts; h.neg d.neg d.conn; h.pd d.pd level; between
"""
# What else depends on the two, and what they depend on: see `TreeFeatures`.
_LABEL_TREE = """
d.kids; h.kids; d.kids h.kids; rank; rank level; rank d.hf; rank d.conn; above; above
level; above d.hf; above h.hf; d.yield; h.yield; d.yield h.yield; level d.yield h.yield;
in.hf d.hf; in.conn d.conn; in.w1 d.w1; out.conn d.conn; out.hf d.hf; out.w1; in.conn;
kid.conn; kid.hf; kid.hf d.hf; kid.conn d.conn; kid.w1 d.w1; up.hf d.hf; up.conn d.conn;
up.w1; rank above level; rank above d.kids; up.heading h.heading; in.heading;
out.heading; in.q d.q; kid.q d.q; kid.turn d.turn
"""
# The two halves that the arc joins, where the order of attachment is known.
_LABEL_SPAN = """
nl nr; nl nr level; nl level; nr level; c.f:conn; c.f:conn level; c.f:conn nl; c.f:conn
nr; c.f:w1; c.f:w1 c.f:w2; c.f:t1 c.f:t2; b.l:end; b.l:end c.f:w1; b.l:end c.f:conn;
a.f:conn; a.f:conn c.f:conn; a.f:w1 c.f:w1; a.f:heading c.f:heading; a.f:heading nl nr;
c.f:heading; c.f:turn b.l:q; c.f:turn nl nr; goes_on one_left; goes_on one_right; c.hf
b.hf; a.hf c.hf; c.hf nl nr; e.l:end; y.f:conn; y.f:heading; x.l:end; begins ends;
begins ends level; break nl nr; e.hf c.hf; alike_first; c.f:subj; c.f:verb a.f:verb
"""


@dataclass(frozen=True)
class ParserSettings:
    """How a parser is trained.

    encoding: chain or tree (2018, section 3.4). relations: the classes that are given
    out, learnt in detail; None: as they are in the corpus. stages: which of sentence,
    paragraph and document are trees of their own; the last is the document. heuristics:
    the paper's parser (section 4.1): arcs as yes-or-no decisions, nuclearity from the
    relation, order by distance. seed: of what is random in training.
    """

    encoding: Transform = "chain"
    stages: tuple[str, ...] = STAGES
    relations_name: str = "fine"
    relations: RelationMap | None = None
    heuristics: bool = False
    multinuclear: frozenset[str] = frozenset()
    seed: int = 1


@dataclass(frozen=True)
class ArcModel:
    """Weights of single units (as governor, dependent, root) and of pairs."""

    units: LinearModel
    pairs: LinearModel


@dataclass(frozen=True)
class Weights:
    """All that is learnt of texts with syntax, or of those without.

    arcs, splits: one model a stage; no splits for the paper's parser, which needs none.
    classes: of the labels. segments: where EDUs begin, in a first pass and a second.
    """

    arcs: tuple[ArcModel, ...]
    splits: tuple[LinearModel, ...]
    labels: LinearModel
    classes: tuple[Label, ...]
    segments: tuple[LinearModel, ...]


# -- arcs ------------------------------------------------------------------------------


class ArcScores(NamedTuple):
    """All pairs of units, dependent by dependent; their scores, and those of roots."""

    governor: Ints
    dependent: Ints
    arcs: Floats
    roots: Floats  # of each unit, as the root of its group

    def chances(self) -> tuple[Floats, Floats]:
        """How likely each unit's governor is, and that it has none."""
        _, dependent, arcs, roots = self
        highest = roots.copy()
        np.maximum.at(highest, dependent, arcs)
        weight = np.exp(arcs - highest[dependent])
        of_root = np.exp(roots - highest)
        total = of_root + np.bincount(dependent, weight, minlength=len(roots))
        return weight / total[dependent], of_root / total


def arc_scores(model: ArcModel, edus: EduTable, units: Units, level: int) -> ArcScores:
    of_units = UnitFeatures(edus, units).columns(templates("unit", level))
    single = model.units.scores(of_units)
    governor, dependent = all_pairs(units)
    context = np.zeros(len(governor), np.int64)
    arcs = np.zeros(len(governor))
    for start in range(0, len(governor), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        pairs = PairFeatures(edus, units, governor[some], dependent[some])
        context[some] = pairs.context()
        arcs[some] = model.pairs.scores(pairs.columns(templates("pair", level)))
    arcs += single[governor, context]
    arcs += single[dependent, CONTEXTS + context]
    return ArcScores(governor, dependent, arcs, single[:, 2 * CONTEXTS])


def train_arcs(
    edus: EduTable, stage: Stage, *, strength: float, is_binary: bool = False
) -> ArcModel:
    """Weights by which the governors of a corpus are the most likely ones.

    is_binary: each pair is a decision of its own, yes or no, as in the paper; if not,
    each unit chooses one of all governors.
    """
    units, target, level = stage.units, stage.governor, stage.level
    governor, dependent, copies = _fewer(units, *all_pairs(units), target)
    is_gold, is_root = governor == target[dependent], target < 0
    decide, decide_root = decision_loss(is_gold, copies), decision_loss(is_root)
    log_copies = np.log(copies)
    pairs = PairFeatures(edus, units, governor, dependent)
    context = pairs.context()

    def loss(single: Floats, of_pairs: Floats) -> tuple[float, Floats, Floats]:
        arcs = single[governor, context]
        arcs += single[dependent, CONTEXTS + context]
        arcs += of_pairs
        roots = single[:, -1]
        if is_binary:
            lost, of_arcs = decide(arcs)
            lost_roots, of_roots = decide_root(roots)
            lost += lost_roots
        else:
            scores = ArcScores(governor, dependent, arcs + log_copies, roots)
            chances, as_root = scores.chances()
            lost = log_loss(chances[is_gold]) + log_loss(as_root[is_root])
            of_arcs, of_roots = chances - is_gold, as_root - is_root
        of_single = np.zeros((len(units), 2, CONTEXTS))
        for at, unit in enumerate((governor, dependent)):
            cell = unit * CONTEXTS + context
            sums = np.bincount(cell, of_arcs, minlength=len(units) * CONTEXTS)
            of_single[:, at] = sums.reshape(-1, CONTEXTS)
        of_units = np.column_stack([of_single.reshape(len(units), -1), of_roots])
        return lost, of_units, of_arcs

    of_units = UnitFeatures(edus, units).columns(templates("unit", level))
    parts = [
        (of_units, 2 * CONTEXTS + 1),
        (pairs.columns(templates("pair", level)), 0),
    ]
    del pairs, of_units  # what is seen takes memory, once it is asked for
    return ArcModel(*learn(parts, loss, strength=strength))


def _fewer(
    units: Units, governor: Ints, dependent: Ints, target: Ints
) -> tuple[Ints, Ints, Floats]:
    """Not too many pairs: of those far apart, every n-th, which counts n times."""
    copies = np.ones(len(governor))
    if len(governor) <= _MOST_PAIRS:
        return governor, dependent, copies
    apart = np.abs(units.place[governor] - units.place[dependent])
    is_far = (apart > _NEAR) & (governor != target[dependent])
    every = -(-int(is_far.sum()) // max(1, _MOST_PAIRS - int((~is_far).sum())))
    # Neither distances nor governors fall into step with a prime number.
    turn = (np.arange(len(governor)) * 7919) % every == 0
    kept = ~is_far | turn
    copies[is_far] = every
    return governor[kept], dependent[kept], copies[kept]


# -- splits ----------------------------------------------------------------------------


def _all_splits(first: Ints, last: Ints) -> tuple[Ints, Ints, Ints]:
    """All splits of some spans: of which span each is, where, each span's first one."""
    counts = last - first
    begin = np.cumsum(counts) - counts
    span = np.repeat(np.arange(len(first)), counts)
    return span, first[span] + np.arange(len(span)) - begin[span], begin


def train_splits(
    edus: EduTable, stage: Stage, *, strength: float, least: int = LEAST
) -> LinearModel:
    """Weights by which the splits of a corpus are the most likely ones.

    They are for a head in the left half, and for one in the right.
    """
    nodes = stage.nodes
    short = nodes.last - nodes.first < _LONGEST
    first, split, last = nodes.first[short], nodes.split[short], nodes.last[short]
    is_left = (nodes.dependent < nodes.governor)[short]
    node, tried, begin = _all_splits(first, last)
    is_gold = np.zeros((len(node), SIDES), np.bool_)
    is_gold[np.flatnonzero(tried == split[node]), is_left * 1] = True

    def loss(values: Floats) -> tuple[float, Floats]:
        highest = np.maximum.reduceat(values.max(axis=1), begin)
        raised = np.exp(values - highest[node][:, None])
        total = np.add.reduceat(raised.sum(axis=1), begin)
        chances = raised / total[node][:, None]
        return log_loss(chances[is_gold]), chances - is_gold

    spans = SpanFeatures(edus, stage.units, first[node], tried, last[node])
    columns = spans.columns(templates("span", stage.level))
    del spans  # its columns take memory, once they are made
    [model] = learn([(columns, SIDES)], loss, strength=strength, least=least)
    return model


@cache
def _shape(size: int) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """All splits of all spans of so many units: first, split, last, which span.

    The splits of one span stand together; and where those of each begin.
    """
    first, last = np.triu_indices(size, 1)
    span, split, begin = _all_splits(first, last)
    return first[span], split, last[span], span, begin


def split_chances(
    model: LinearModel, edus: EduTable, units: Units, level: int, starts: Ints
) -> Iterator[tuple[slice, Floats]]:
    """Logarithms of how likely splits are: group × first × split × last × side.

    starts: the first units of groups of one size. What comes out is for some of them at
    a time, with their places in `starts`.
    """
    size = int(units.sizes[units.group[starts[0]]])
    first, split, last, span, begin = _shape(size)
    step = max(1, _AT_ONCE // len(first))
    for at in range(0, len(starts), step):
        some = slice(at, at + step)
        values = _split_scores(model, edus, units, level, starts[some], size)
        highest = np.maximum.reduceat(values.max(axis=2), begin, axis=1)
        spread = np.exp(values - highest[:, span, None]).sum(axis=2)
        total = np.log(np.add.reduceat(spread, begin, axis=1)) + highest
        chances = np.full((len(values), size, size, size, SIDES), -np.inf)
        chances[:, first, split, last] = values - total[:, span, None]
        yield some, chances


def _split_scores(
    model: LinearModel,
    edus: EduTable,
    units: Units,
    level: int,
    starts: Ints,
    size: int,
) -> Floats:
    """Scores of all splits: group × split × side.

    What looks at one end of the span only is scored once for that end and the split.
    """
    first, split, last, _, _ = _shape(size)
    before = np.arange(size - 1)
    low, high = np.triu_indices(size - 1)

    def seen(a: Ints, b: Ints, e: Ints, reach: str) -> Floats:
        values = np.empty((len(starts), len(b), SIDES))
        step = max(1, _AT_ONCE // len(starts))
        for at in range(0, len(b), step):
            some = slice(at, at + step)
            ends = ((starts[:, None] + x[some]).ravel() for x in (a, b, e))
            spans = SpanFeatures(edus, units, *ends)
            of_spans = model.scores(spans.columns(templates("span", level), reach))
            values[:, some] = of_spans.reshape(len(starts), -1, SIDES)
        return values

    at_split = seen(before, before, before + 1, "")
    to_left = np.zeros((len(starts), size, size, SIDES))
    to_left[:, low, high] = seen(low, high, high + 1, "a")
    to_right = np.zeros((len(starts), size, size, SIDES))
    to_right[:, low, high + 1] = seen(low, low, high + 1, "e")
    values = seen(first, split, last, "ae")
    values += at_split[:, split] + to_left[:, first, split] + to_right[:, split, last]
    return values


# -- labels ----------------------------------------------------------------------------


def label_columns(edus: EduTable, stage: Stage) -> Iterator[Hashes]:
    """The features of the arcs of a stage."""
    governor, dependent = stage.arcs
    arcs = TreeFeatures(edus, stage)
    is_right = governor < dependent
    sides = hashes(["left", "right"])[is_right * 1]
    level = np.full(len(governor), hash_of(str(stage.level)), np.uint64)
    yield mixed("side", sides, level)
    for column in arcs.units.columns(_LABEL_UNIT):
        yield mixed("h", column[governor], sides)
        yield mixed("d", column[dependent], sides)
    for lemma in edus.bag[stage.units.head].T:
        for name, at in (("bh", governor), ("bd", dependent)):
            yield present(mixed(name, lemma[at], sides), lemma[at])
    arcs.add("level", level)
    for column in arcs.columns(f"{_LABEL_PAIR};{_LABEL_TREE}"):
        yield mixed("p", column, sides)
    if stage.order is not None:
        spans = _halves(edus, stage)
        spans.add("level", level)
        for column in spans.columns(_LABEL_SPAN):
            yield mixed("n", column, sides)


def _halves(edus: EduTable, stage: Stage) -> SpanFeatures:
    """The spans that arcs make; of what is not in one piece, the two units."""
    governor, dependent = stage.arcs
    nodes = stage.nodes
    node = np.full(len(stage.units), -1)
    node[nodes.dependent] = np.arange(len(nodes.dependent))
    at = node[dependent]
    first, last = np.minimum(governor, dependent), np.maximum(governor, dependent)
    split = last - 1
    is_node = at >= 0
    here = at[is_node]
    first[is_node], last[is_node] = nodes.first[here], nodes.last[here]
    split[is_node] = nodes.split[here]
    return SpanFeatures(edus, stage.units, first, split, last)


def train_labels(
    edus: EduTable,
    stages: Sequence[Stage],
    gold: Sequence[Label],
    *,
    strength: float,
    least: int = LEAST,
) -> tuple[LinearModel, tuple[Label, ...]]:
    """Weights of classes, and the classes; gold: the label of each EDU."""
    edu = np.concatenate([stage.units.head[stage.arcs[1]] for stage in stages])
    labels = [gold[at] for at in edu.tolist()]
    classes = tuple(sorted(set(labels)))
    number = {label: at for at, label in enumerate(classes)}
    loss = class_loss(np.array([number[label] for label in labels], np.int64))
    of_stages = zip(*(label_columns(edus, stage) for stage in stages), strict=True)
    columns = map(np.concatenate, of_stages)
    [model] = learn([(columns, len(classes))], loss, strength=strength, least=least)
    return model, classes


def label_chances(weights: Weights, edus: EduTable, stage: Stage) -> Floats:
    """How likely each class is for each arc; a nucleus stands right of its head."""
    values = weights.labels.scores(label_columns(edus, stage))
    governor, dependent = stage.arcs
    is_nucleus = np.array([nuclearity == "N" for _, nuclearity in weights.classes])
    if not is_nucleus.all():
        values[np.ix_(dependent < governor, is_nucleus)] = -np.inf
    return softmax(values)


def merged(
    chances: Floats, classes: Sequence[Label], names: Sequence[str]
) -> tuple[Floats, list[Label]]:
    """Chances of coarser classes: `names` has the new relation of each class."""
    coarse = [
        (name, nuclearity) for name, (_, nuclearity) in zip(names, classes, strict=True)
    ]
    kept = sorted(set(coarse))
    total = np.zeros((len(chances), len(kept)))
    for at, label in enumerate(coarse):
        total[:, kept.index(label)] += chances[:, at]
    return total, kept


def label_templates(*, has_syntax: bool, has_order: bool) -> int:
    """How many templates there are."""
    names = [_LABEL_UNIT, _LABEL_UNIT, _LABEL_PAIR, _LABEL_TREE]
    names += [_LABEL_SPAN] if has_order else []
    return 3 + sum(len(chosen(some, has_syntax)) for some in names)
