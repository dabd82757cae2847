"""Weights that are learnt: the slope is zero where the penalised loss is least."""

from __future__ import annotations

import numpy as np

from analyzer.rst_parser.fitting import minimize, train_choice, train_classes
from analyzer.rst_parser.linear import softmax

ROWS = np.array([[1, 1, 2, 2, 3, 0], [4, 5, 4, 5, 4, 4]], np.int32)
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
    weights = train_classes(ROWS, GOLD, classes=3, size=6, strength=0.5, steps=200)
    chances = softmax(weights[ROWS].sum(axis=0))
    wrong = chances - np.eye(3)[GOLD]
    slope = np.zeros((6, 3))
    for line in ROWS:
        np.add.at(slope, line, wrong)
    slope[0] = 0.0
    assert np.allclose(slope + 0.5 * weights, 0.0, atol=2e-2)
    assert not weights[0].any()  # what is not known has no weight


def test_a_choice_follows_the_majority() -> None:
    weights = train_choice(
        ROWS, np.array([1, 1, 0, 0, 1, 1]), size=6, strength=0.1, steps=100
    )
    found = weights[ROWS].sum(axis=0) > 0
    assert found[:4].tolist() == [True, True, False, False]
