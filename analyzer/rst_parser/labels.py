"""By which relation, and as nucleus or satellite, a unit depends on another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analyzer.model.arrays import Floats
from analyzer.rst_parser.edus import EduTable
from analyzer.rst_parser.fitting import Weights, train_classes
from analyzer.rst_parser.hashing import Hashes, hash_of, mixed
from analyzer.rst_parser.linear import Rows, Vocabulary, scores, softmax
from analyzer.rst_parser.stages import Stage
from analyzer.rst_parser.templates import PairView, parsed

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


@dataclass(frozen=True)
class LabelModel:
    vocabulary: Vocabulary
    weights: Weights  # feature × class
    classes: tuple[tuple[str, str], ...]  # relation and nuclearity


def label_columns(edus: EduTable, stage: Stage) -> Iterator[Hashes]:
    """The features of the arcs of a stage."""
    governor, dependent = stage.arcs
    view = PairView(edus, stage.units, governor, dependent)
    is_right = governor < dependent
    sides = np.array([hash_of("left"), hash_of("right")], np.uint64)[is_right * 1]
    level = np.full(len(governor), hash_of(str(stage.level)), np.uint64)
    yield mixed("side", sides, level)
    for column in view.units.columns(_UNIT):
        yield mixed("h", column[governor], sides)
        yield mixed("d", column[dependent], sides)
    view.add("level", level)
    for column in view.columns(_PAIR):
        yield mixed("p", column, sides)


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


def label_chances(
    model: LabelModel, table: Rows, edus: EduTable, stage: Stage
) -> Floats:
    """How likely each class is for each arc; a nucleus stands right of its head."""
    found = scores(table, label_columns(edus, stage), model.weights)
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


def label_templates() -> int:
    """How many templates there are."""
    return 1 + 2 * len(parsed(_UNIT)) + len(parsed(_PAIR))
