"""Intervals cover what they claim, p-values are uniform under the null."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.metrics.significance import (
    Difference,
    Statistics,
    bootstrap_interval,
    collapse,
    holm,
    paired_tests,
    pools_of,
    randomization_p,
    scores_of,
)

SIMULATIONS = 200
SENTENCES = 150


def simulated(
    random: np.random.Generator, accuracy_a: float, accuracy_b: float
) -> tuple[Statistics, Statistics]:
    """Two systems on the same sentences, which differ in difficulty."""
    size = random.poisson(8, (SENTENCES, 1)) + 1.0
    ease = random.normal(0, 0.08, (SENTENCES, 1))
    hits = [
        random.binomial(size.astype(int), np.clip(accuracy + ease, 0, 1))
        for accuracy in (accuracy_a, accuracy_b)
    ]
    a, b = (Statistics(hit.astype(float), size) for hit in hits)
    return a, b


def outcome(
    a: Statistics, b: Statistics, resamples: int, seed: int = 12345
) -> Difference:
    names = [str(score) for score in range(a.num.shape[1])]
    return paired_tests(pools_of(a, b), names, resamples=resamples, seed=seed)


def test_intervals_cover_the_true_difference() -> None:
    """95 % intervals hold the truth in about 95 % of simulations."""
    random = np.random.default_rng(1)
    truth = 0.04
    covered = np.zeros(2)
    for seed in range(SIMULATIONS):
        a, b = simulated(random, 0.70, 0.70 + truth)
        pooled = outcome(a, b, resamples=400, seed=seed)
        drawn = bootstrap_interval(a, b, resamples=400, seed=seed)
        for at, (low, high) in enumerate(((pooled.low, pooled.high), drawn)):
            covered[at] += low[0] <= truth <= high[0]
    assert np.all((covered / SIMULATIONS >= 0.90) & (covered / SIMULATIONS <= 0.99))


def test_p_values_are_uniform_under_the_null() -> None:
    random = np.random.default_rng(2)
    p_values = []
    for seed in range(SIMULATIONS):
        a, b = simulated(random, 0.8, 0.8)
        swapped = randomization_p(a, b, resamples=200, seed=seed)[0]
        p_values.append((outcome(a, b, resamples=200, seed=seed).p_value[0], swapped))
    # Kolmogorov-Smirnov: the largest gap to the uniform distribution, 1 % level.
    ordered = np.sort(p_values, axis=0)
    expected = np.arange(1, SIMULATIONS + 1)[:, None] / SIMULATIONS
    assert np.abs(ordered - expected).max() < 1.63 / np.sqrt(SIMULATIONS)


def test_threads_find_the_same() -> None:
    random = np.random.default_rng(11)
    a, b = (
        Statistics(random.integers(0, 4, (50, 7)) * 1.0, np.full((50, 7), 4.0))
        for _ in range(2)
    )
    names, done = list("abcdefg"), []
    alone = paired_tests(pools_of(a, b), names, resamples=60)
    together = paired_tests(
        pools_of(a, b), names, resamples=60, progress=done.append, threads=3
    )
    np.testing.assert_array_equal(together, alone)
    assert sum(done) == 2 * 60


def test_a_real_difference_is_found_and_seeded() -> None:
    a, b = simulated(np.random.default_rng(3), 0.7, 0.85)
    first = outcome(a, b, resamples=500, seed=7)
    again = outcome(a, b, resamples=500, seed=7)
    other = outcome(a, b, resamples=500, seed=0)
    assert first.p_value[0] < 0.01
    assert first.low[0] > 0
    assert first.low[0] == again.low[0]
    assert first.low[0] != other.low[0]


def test_a_system_against_itself() -> None:
    a, _ = simulated(np.random.default_rng(4), 0.7, 0.7)
    same = outcome(a, a, resamples=100)
    assert same.difference[0] == same.low[0] == same.high[0] == 0
    assert same.p_value[0] == 1


def test_a_score_without_instances_has_no_p_value() -> None:
    nothing = Statistics(np.zeros((5, 1)), np.zeros((5, 1)))
    found = outcome(nothing, nothing, resamples=10)
    assert np.isnan(found.p_value[0])
    assert np.isnan(found.low[0])


def test_swapping_the_systems_turns_the_sign() -> None:
    a, b = simulated(np.random.default_rng(5), 0.7, 0.8)
    forth = outcome(a, b, resamples=300)
    back = outcome(b, a, resamples=300)
    assert forth.difference[0] == pytest.approx(-back.difference[0])
    assert forth.low[0] == pytest.approx(-back.high[0])


def test_holm_by_hand() -> None:
    """Sorted: .01 x 4, .02 x 3, .03 x 2, .5 x 1, never decreasing."""
    given = np.array([0.02, 0.5, 0.01, 0.03])
    assert holm(given).tolist() == pytest.approx([0.06, 0.5, 0.04, 0.06])
    assert holm(np.array([0.4, 0.9, np.nan]))[:2].tolist() == pytest.approx([0.8, 0.9])


def test_equal_sentences_together_are_tested_alike() -> None:
    """Sentences of the same counts can be drawn by how many there are."""
    random = np.random.default_rng(3)
    a, b = (
        Statistics(
            2.0 * random.integers(0, 2, (400, 3)) * random.integers(0, 2, (400, 1)),
            np.full((400, 3), 2.0),
        )
        for _ in range(2)
    )
    together = collapse(a, b)
    assert len(together[0].num) < 70
    for whole, fewer in zip((a, b), together, strict=True):
        assert np.allclose(whole.scores, fewer.scores)
    pools = pools_of(a, b)
    assert np.allclose(scores_of(pools), [a.scores, b.scores])
    pooled = outcome(a, b, resamples=4000)
    expected = np.array([pooled.low, pooled.high, pooled.p_value])
    for sides in ((a, b), together):
        interval = bootstrap_interval(*sides, resamples=4000)
        p_value = randomization_p(*sides, resamples=4000)
        assert np.allclose([*interval, p_value], expected, atol=0.03)
