"""By which relation, and as nucleus or satellite, a unit depends on another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analyzer.model.arrays import Floats
from analyzer.rst_parser.edus import EduTable
from analyzer.rst_parser.fitting import Weights, train_classes
from analyzer.rst_parser.hashing import Hashes, hash_of, hashes, mixed, present
from analyzer.rst_parser.linear import Vocabulary, scores, softmax
from analyzer.rst_parser.spans import SpanView
from analyzer.rst_parser.stages import Stage
from analyzer.rst_parser.surroundings import Surroundings
from analyzer.rst_parser.units import chosen

_UNIT = """
w1; w1 w2; w1 w2 w3; t1; t1 t2; t1 t2 t3; wl; tl; hw; ht; hf; ht hf; hf gt; gw hf;
conn; conn len; say; say hf; len; end; cap; open; quote; digit; q; ps; pp; pd;
heading; turn; finite; verb; verb hf; subj; inner; side hf; w1 hf; w1 ht; hw hf; conn
hf; conn ps; wl<; w1<; end<; conn<; w1>; t1>; conn>; hf>; end w1>; heading pp; f:w1
f:w2; f:conn; f:hf; f:t1 f:t2; l:end; size; sentences; f:heading size; l:q; f:turn
f:q; f:conn size; neg
"""
_PAIR = """
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
# What else depends on the two, and what they depend on. in, out: the dependent on the
# same side that is next to it, nearer to the governor and farther; kid: its own first
# to the right; up: the governor's governor.
_TREE = """
d.kids; h.kids; d.kids h.kids; rank; rank level; rank d.hf; rank d.conn; above; above
level; above d.hf; above h.hf; d.yield; h.yield; d.yield h.yield; level d.yield h.yield;
in.hf d.hf; in.conn d.conn; in.w1 d.w1; out.conn d.conn; out.hf d.hf; out.w1; in.conn;
kid.conn; kid.hf; kid.hf d.hf; kid.conn d.conn; kid.w1 d.w1; up.hf d.hf; up.conn d.conn;
up.w1; rank above level; rank above d.kids; up.heading h.heading; in.heading;
out.heading; in.q d.q; kid.q d.q; kid.turn d.turn
"""
# The two halves that the arc joins, where the order of attachment is known.
_SPAN = """
nl nr; nl nr level; nl level; nr level; c.f:conn; c.f:conn level; c.f:conn nl; c.f:conn
nr; c.f:w1; c.f:w1 c.f:w2; c.f:t1 c.f:t2; b.l:end; b.l:end c.f:w1; b.l:end c.f:conn;
a.f:conn; a.f:conn c.f:conn; a.f:w1 c.f:w1; a.f:heading c.f:heading; a.f:heading nl nr;
c.f:heading; c.f:turn b.l:q; c.f:turn nl nr; goes_on one_left; goes_on one_right; c.hf
b.hf; a.hf c.hf; c.hf nl nr; e.l:end; y.f:conn; y.f:heading; x.l:end; begins ends;
begins ends level; break nl nr; e.hf c.hf; alike_first; c.f:subj; c.f:verb a.f:verb
"""


@dataclass(frozen=True)
class LabelModel:
    vocabulary: Vocabulary
    weights: Weights  # feature × class
    classes: tuple[tuple[str, str], ...]  # relation and nuclearity


def label_columns(edus: EduTable, stage: Stage) -> Iterator[Hashes]:
    """The features of the arcs of a stage."""
    governor, dependent = stage.arcs
    pairs = Surroundings(edus, stage)
    is_right = governor < dependent
    sides = hashes(["left", "right"])[is_right * 1]
    level = np.full(len(governor), hash_of(str(stage.level)), np.uint64)
    yield mixed("side", sides, level)
    for column in pairs.units.columns(_UNIT):
        yield mixed("h", column[governor], sides)
        yield mixed("d", column[dependent], sides)
    for lemma in edus.bag[stage.units.head].T:
        for name, at in (("bh", governor), ("bd", dependent)):
            yield present(mixed(name, lemma[at], sides), lemma[at])
    pairs.add("level", level)
    for column in pairs.columns(f"{_PAIR};{_TREE}"):
        yield mixed("p", column, sides)
    if stage.order is not None:
        spans = _halves(edus, stage)
        spans.add("level", level)
        for column in spans.columns(_SPAN):
            yield mixed("n", column, sides)


def _halves(edus: EduTable, stage: Stage) -> SpanView:
    """The spans that arcs make; of what is not in one piece, the two units."""
    governor, dependent = stage.arcs
    nodes = stage.nodes
    node = np.full(len(stage.units), -1)
    node[nodes.dependent] = np.arange(len(nodes.dependent))
    at = node[dependent]
    low, high = np.minimum(governor, dependent), np.maximum(governor, dependent)
    if not len(nodes.dependent):
        return SpanView(edus, stage.units, low, high - 1, high)
    first = np.where(at < 0, low, nodes.first[at])
    split = np.where(at < 0, high - 1, nodes.split[at])
    last = np.where(at < 0, high, nodes.last[at])
    return SpanView(edus, stage.units, first, split, last)


def _joined_columns(edus: EduTable, stages: Sequence[Stage]) -> Iterator[Hashes]:
    parts = [label_columns(edus, stage) for stage in stages]
    for columns in zip(*parts, strict=True):
        yield np.concatenate(columns)


def train_labels(
    edus: EduTable,
    stages: Sequence[Stage],
    gold: Sequence[tuple[str, str]],
    *,
    strength: float,
    least: int,
    steps: int,
) -> LabelModel:
    """gold: relation and nuclearity of each EDU."""
    known, rows = Vocabulary.learn(_joined_columns(edus, stages), least)
    edu = np.concatenate([stage.units.head[stage.arcs[1]] for stage in stages])
    classes = tuple(sorted({gold[at] for at in edu.tolist()}))
    number = {one: at for at, one in enumerate(classes)}
    target = np.array([number[gold[at]] for at in edu.tolist()], np.int64)
    weights = train_classes(
        rows,
        target,
        classes=len(classes),
        size=len(known),
        strength=strength,
        steps=steps,
    )
    return LabelModel(known, weights, classes)


def label_chances(model: LabelModel, edus: EduTable, stage: Stage) -> Floats:
    """How likely each class is for each arc; a nucleus stands right of its head."""
    found = scores(model.vocabulary, label_columns(edus, stage), model.weights)
    governor, dependent = stage.arcs
    is_nucleus = np.array([nuclearity == "N" for _, nuclearity in model.classes])
    if not is_nucleus.all():
        found[np.ix_(dependent < governor, is_nucleus)] = -np.inf
    return softmax(found)


def merged(
    chances: Floats, classes: Sequence[tuple[str, str]], names: Sequence[str]
) -> tuple[Floats, list[tuple[str, str]]]:
    """Chances of coarser classes: `names` has the new relation of each class."""
    found = [
        (name, nuclearity) for name, (_, nuclearity) in zip(names, classes, strict=True)
    ]
    kept = sorted(set(found))
    total = np.zeros((len(chances), len(kept)))
    for at, one in enumerate(found):
        total[:, kept.index(one)] += chances[:, at]
    return total, kept


def label_templates(*, has_syntax: bool, has_order: bool) -> int:
    """How many templates there are."""
    pairs = chosen(f"{_PAIR};{_TREE}", has_syntax)
    spans = chosen(_SPAN, has_syntax) if has_order else ()
    return 3 + 2 * len(chosen(_UNIT, has_syntax)) + len(pairs) + len(spans)
