"""Weights that are learnt: the slope is zero where the penalised loss is least."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.rst_parser.linear import (
    NOTHING,
    Vocabulary,
    class_loss,
    decision_loss,
    hashes,
    learn,
    minimize,
    softmax,
)

COLUMNS = [hashes(list("aabbc_")), hashes(list("dedeed"))]
COLUMNS[0][-1] = NOTHING
_, ROWS = Vocabulary.learn(COLUMNS, 1)
GOLD = np.array([0, 0, 1, 1, 2, 2])


def test_a_quadratic_is_solved() -> None:
    target = np.array([3.0, -2.0, 0.5])
    stretch = np.array([1.0, 10.0, 0.1])

    def objective(point: np.ndarray) -> tuple[float, np.ndarray]:
        off = point - target
        return float((stretch * off * off).sum() / 2), stretch * off

    found = minimize(objective, np.zeros(3), steps=100)
    assert np.allclose(found, target, atol=1e-2)


def test_classes_end_where_slope_and_penalty_meet() -> None:
    loss = class_loss(GOLD)
    [model] = learn([(COLUMNS, 3)], loss, strength=0.5, least=1, steps=200)
    chances = softmax(model.weights[ROWS].sum(axis=0))
    assert np.allclose(softmax(model.scores(COLUMNS)), chances)
    wrong = chances - np.eye(3)[GOLD]
    slope = np.zeros((6, 3))
    for line in ROWS:
        np.add.at(slope, line, wrong)
    slope[0] = 0.0
    assert np.allclose(slope + 0.5 * model.weights, 0.0, atol=2e-2)
    assert not model.weights[0].any()  # what is not known has no weight


def test_a_choice_follows_the_majority() -> None:
    gold = np.array([1, 1, 0, 0, 1, 1]) == 1
    loss = decision_loss(gold)
    [model] = learn([(COLUMNS, 0)], loss, strength=0.1, least=1, steps=100)
    found = model.scores(COLUMNS) > 0
    assert found[:4].tolist() == [True, True, False, False]


def test_without_data_all_weights_are_zero() -> None:
    nothing = [column[:0] for column in COLUMNS]
    [model] = learn([(nothing, 3)], class_loss(GOLD[:0]), strength=1.0)
    assert model.weights.tolist() == [[0.0] * 3]


def test_models_that_share_a_loss_learn_though_one_has_no_data() -> None:
    nothing = [column[:0] for column in COLUMNS]
    decide = decision_loss(GOLD > 0)

    def loss(scores: np.ndarray, none: np.ndarray) -> tuple[float, Any, Any]:
        return *decide(scores), none

    [alone] = learn([(COLUMNS, 0)], decide, strength=0.1, least=1)
    both = learn([(COLUMNS, 0), (nothing, 0)], loss, strength=0.1, least=1)
    assert np.array_equal(both[0].weights, alone.weights)
    assert alone.weights.any()
    assert both[1].weights.tolist() == [0.0]
