"""Splits of spans and labels of arcs: small models, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.rst_parser import attachment
from analyzer.rst_parser.attachment import (
    ArcScores,
    Label,
    Weights,
    label_chances,
    label_columns,
    label_templates,
    merged,
    split_chances,
    train_labels,
    train_splits,
)
from analyzer.rst_parser.edus import BAG, EduTable, edu_table
from analyzer.rst_parser.features import SpanFeatures, all_pairs, templates
from analyzer.rst_parser.linear import LinearModel, Vocabulary
from analyzer.rst_parser.stages import Stage, gold_stages
from analyzer.rst_parser.text import of_edus

# Two documents of one sentence: 0 ← 1 ← 2, and 3 ← 4.
TEXTS = [
    of_edus(["He left", "because it rained", "and it was cold."], "a"),
    of_edus(["We stayed", "although it rained."], "b"),
]
HEADS = np.array([-1, 0, 1, -1, 3])


def one_stage() -> tuple[EduTable, Stage]:
    edus = edu_table(TEXTS)
    [stage] = gold_stages(edus, HEADS, np.ones(5, np.int64), ["document"])
    return edus, stage


def nothing(classes: int) -> LinearModel:
    """A model that knows no feature."""
    weights = np.zeros((1, classes), np.float32)
    return LinearModel(Vocabulary(np.zeros(0, np.int32)), weights)


def labelling(model: LinearModel, classes: tuple[Label, ...]) -> Weights:
    return Weights((), (), model, classes, ())


def every_split(size: int) -> list[tuple[int, int, int]]:
    """first, split, last of all splits of all spans."""
    units = range(size)
    return [(a, b, e) for a in units for e in units for b in range(a, e)]


# -- arcs ------------------------------------------------------------------------------


def test_chances_of_governors_add_up() -> None:
    """Unit 0 has two candidates and may be the root: scores 1, 0, 2."""
    some = np.array([1, 2]), np.array([0, 0]), np.array([1.0, 0.0])
    scores = ArcScores(*some, np.array([2.0, 0.5, 700.0]))
    chances, as_root = scores.chances()
    total = np.exp([1, 0, 2]).sum()
    assert np.allclose(chances, np.exp([1, 0]) / total)
    assert np.allclose(as_root, [np.exp(2) / total, 1.0, 1.0])


def test_of_too_many_pairs_those_far_apart_count_for_several(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    edus = edu_table([of_edus([f"w{at}" for at in range(40)])])
    [stage] = gold_stages(edus, np.arange(40) - 1, np.ones(40, int), ["document"])
    governor, dependent = all_pairs(stage.units)
    gold = stage.governor.copy()
    gold[39] = 0
    pairs = attachment._fewer(stage.units, governor, dependent, gold)
    assert [len(column) for column in pairs] == [40 * 39] * 3
    assert (pairs[2] == 1).all()
    monkeypatch.setattr(attachment, "_MOST_PAIRS", 900)
    fewer = attachment._fewer(stage.units, governor, dependent, gold)
    kept = set(zip(fewer[0].tolist(), fewer[1].tolist(), strict=True))
    near = {
        (h, d)
        for h, d in zip(governor.tolist(), dependent.tolist(), strict=True)
        if abs(h - d) <= attachment._NEAR or gold[d] == h
    }
    assert near < kept
    assert len(kept) <= 900
    times = dict(zip(zip(*fewer[:2], strict=True), fewer[2].tolist(), strict=True))
    assert {times[pair] for pair in near} == {1}
    assert len({times[pair] for pair in kept - near}) == 1  # each for as many
    assert fewer[2].sum() == pytest.approx(40 * 39, rel=0.05)


# -- splits ----------------------------------------------------------------------------


def test_without_weights_all_splits_are_as_likely() -> None:
    edus, stage = one_stage()
    [(some, found)] = split_chances(nothing(2), edus, stage.units, 0, np.array([0]))
    assert (some.start, found.shape) == (0, (1, 3, 3, 3, 2))
    for first, split, last in every_split(3):
        ways = 2 * (last - first)  # so many splits, the head left or right
        assert np.allclose(found[0, first, split, last], -np.log(ways))
    assert np.isinf(found).sum() == found.size - 2 * len(every_split(3))


def test_what_is_scored_in_parts_is_what_is_scored_at_once() -> None:
    """Templates that look at one end are scored once for it: the sum is the same."""
    edus, stage = one_stage()
    first, split, last = np.array(every_split(3)).T
    spans = SpanFeatures(edus, stage.units, first, split, last)
    known, _ = Vocabulary.learn(spans.columns(templates("span", 0)), 1)
    weights = np.random.default_rng(1).normal(size=(len(known), 2)).astype(np.float32)
    weights[0] = 0
    model = LinearModel(known, weights)
    [(_, found)] = split_chances(model, edus, stage.units, 0, np.array([0]))
    values = np.exp(model.scores(spans.columns(templates("span", 0))))
    for at, (a, b, e) in enumerate(every_split(3)):
        total = sum(
            values[other].sum()
            for other, (start, _, end) in enumerate(every_split(3))
            if (start, end) == (a, e)
        )
        assert np.allclose(np.exp(found[0, a, b, e]), values[at] / total, rtol=1e-4)


def test_splits_that_were_shown_are_likely() -> None:
    edus, stage = one_stage()
    model = train_splits(edus, stage, strength=0.01, least=1)
    [(_, found)] = split_chances(model, edus, stage.units, 0, np.array([0]))
    assert np.exp(found[0, 0, 0, 2, 0]) > 0.9  # (0 (1 2)), the head in the left half
    assert np.exp(found[0, 1, 1, 2, 0]) > 0.9


# -- labels ----------------------------------------------------------------------------


def test_a_nucleus_never_stands_left_of_its_head() -> None:
    edus, stage = one_stage()
    backwards = Stage(0, stage.units, np.array([1, 2, -1, -1, 3]), stage.order)
    classes = (("cause", "S"), ("joint", "N"), ("list", "N"), ("purpose", "S"))
    found = label_chances(labelling(nothing(4), classes), edus, backwards)
    assert found.tolist() == [[0.5, 0, 0, 0.5], [0.5, 0, 0, 0.5], [0.25] * 4]


def test_chances_of_coarser_classes_are_sums() -> None:
    chances = np.array([[0.1, 0.2, 0.3, 0.4]])
    classes = [("cause", "S"), ("joint", "N"), ("reason", "S"), ("list", "N")]
    found, kept = merged(chances, classes, ["why", "list", "why", "list"])
    assert kept == [("list", "N"), ("why", "S")]
    assert np.allclose(found, [[0.6, 0.4]])


def test_labels_that_were_shown_are_likely() -> None:
    edus, stage = one_stage()
    cause, joint, contrast = ("cause", "S"), ("joint", "N"), ("contrast", "S")
    root = ("ROOT", "N")
    gold = [root, cause, joint, root, contrast]
    model, classes = train_labels(edus, [stage], gold, strength=0.01, least=1)
    assert classes == (cause, contrast, joint)
    chances = label_chances(labelling(model, classes), edus, stage)
    assert chances.argmax(axis=1).tolist() == [0, 2, 1]


def test_templates_are_counted_as_they_are_used() -> None:
    edus, stage = one_stage()
    unordered = Stage(stage.level, stage.units, stage.governor, None)
    for some, has_order in ((stage, True), (unordered, False)):
        columns = len(list(label_columns(edus, some)))
        told = label_templates(has_syntax=False, has_order=has_order)
        assert columns == told - 2 + 2 * BAG  # lemmas: one template, a column each
