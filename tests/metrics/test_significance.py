"""Intervals cover what they claim, p-values are uniform under the null."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.metrics.counts import Counts
from analyzer.metrics.measures import Measure
from analyzer.metrics.significance import (
    Difference,
    Pool,
    dense_pools,
    holm,
    interval,
    paired_tests,
    score_pools,
)
from analyzer.model.arrays import Floats, Ints
from tests.support.examples import some

SIMULATIONS = 200
SENTENCES = 150


def simulated(
    random: np.random.Generator, accuracy_a: float, accuracy_b: float
) -> Ints:
    """Two systems on the same sentences, which differ in difficulty.

    Hits and sizes of A, then those of B: columns x sentences x one score.
    """
    size = random.poisson(8, (SENTENCES, 1)) + 1
    ease = random.normal(0, 0.08, (SENTENCES, 1))
    hits = [
        random.binomial(size, np.clip(accuracy + ease, 0, 1))
        for accuracy in (accuracy_a, accuracy_b)
    ]
    return np.stack([hits[0], size, hits[1], size])


def outcome(fractions: Ints, resamples: int, seed: int = 12345) -> Difference:
    names = [str(score) for score in range(fractions.shape[2])]
    return paired_tests(dense_pools(fractions), names, resamples=resamples, seed=seed)


# -- the same by drawing and swapping sentences one by one -----------------------------


def _ratios(sums: Floats) -> Floats:
    """B minus A, given sums of columns."""
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (np.where(d > 0, n / d, np.nan) for n, d in (sums[:2], sums[2:]))
    return np.asarray(b - a)


def naive_interval(fractions: Ints, resamples: int, seed: int) -> tuple[Floats, Floats]:
    random = np.random.default_rng(seed)
    sentences = fractions.shape[1]
    differences = [
        _ratios(fractions[:, random.integers(0, sentences, sentences)].sum(axis=1))
        for _ in range(resamples)
    ]
    low, high = np.nanquantile(differences, [0.025, 0.975], axis=0)
    return low, high


def naive_p(fractions: Ints, resamples: int, seed: int) -> Floats:
    random = np.random.default_rng(seed)
    turned = fractions[[2, 3, 0, 1]]
    observed = np.abs(_ratios(fractions.sum(axis=1)))
    as_large = np.ones(observed.shape)
    for _ in range(resamples):
        is_swapped = random.integers(0, 2, (1, fractions.shape[1], 1)) == 1
        after = _ratios(np.where(is_swapped, turned, fractions).sum(axis=1))
        as_large += ~(np.abs(after) < observed - 1e-12)
    return as_large / (resamples + 1)


# --------------------------------------------------------------------------------------


def test_intervals_cover_the_true_difference() -> None:
    """95 % intervals hold the truth in about 95 % of simulations."""
    random = np.random.default_rng(1)
    truth = 0.04
    covered = np.zeros(2)
    for seed in range(SIMULATIONS):
        fractions = simulated(random, 0.70, 0.70 + truth)
        pooled = outcome(fractions, resamples=400, seed=seed)
        drawn = naive_interval(fractions, resamples=400, seed=seed)
        for at, (low, high) in enumerate(((pooled.low, pooled.high), drawn)):
            covered[at] += low[0] <= truth <= high[0]
    assert np.all((covered / SIMULATIONS >= 0.90) & (covered / SIMULATIONS <= 0.99))


def test_an_interval_covers_the_true_score() -> None:
    """So does that of one system."""
    random = np.random.default_rng(6)
    covered = 0
    for seed in range(SIMULATIONS):
        (pool,) = dense_pools(simulated(random, 0.7, 0.7)[:2])
        low, high = interval(pool, "x", resamples=400, seed=seed)
        assert low is not None
        assert high is not None
        covered += low <= 0.7 <= high
    assert 0.90 <= covered / SIMULATIONS <= 0.99


def test_p_values_are_uniform_under_the_null() -> None:
    random = np.random.default_rng(2)
    p_values = []
    for seed in range(SIMULATIONS):
        fractions = simulated(random, 0.8, 0.8)
        swapped = naive_p(fractions, resamples=200, seed=seed)[0]
        pooled = outcome(fractions, resamples=200, seed=seed).p_value[0]
        p_values.append((pooled, swapped))
    # Kolmogorov-Smirnov: the largest gap to the uniform distribution, 1 % level.
    ordered = np.sort(p_values, axis=0)
    expected = np.arange(1, SIMULATIONS + 1)[:, None] / SIMULATIONS
    assert np.abs(ordered - expected).max() < 1.63 / np.sqrt(SIMULATIONS)


def random_fractions(random: np.random.Generator, sentences: int, scores: int) -> Ints:
    """Up to four things a sentence, and how many of them each system finds."""
    hits = random.integers(0, 5, (2, sentences, scores))
    sizes = np.full((sentences, scores), 4)
    return np.stack([hits[0], sizes, hits[1], sizes])


def test_threads_find_the_same() -> None:
    pools = dense_pools(random_fractions(np.random.default_rng(11), 50, 7))
    names, done = list("abcdefg"), []
    alone = paired_tests(pools, names, resamples=60)
    together = paired_tests(pools, names, resamples=60, progress=done.append, threads=3)
    np.testing.assert_array_equal(together, alone)
    assert sum(done) == 2 * 60


def test_a_real_difference_is_found_and_seeded() -> None:
    fractions = simulated(np.random.default_rng(3), 0.7, 0.85)
    first = outcome(fractions, resamples=500, seed=7)
    again = outcome(fractions, resamples=500, seed=7)
    other = outcome(fractions, resamples=500, seed=0)
    assert first.p_value[0] < 0.01
    assert first.low[0] > 0
    assert first.low[0] == again.low[0]
    assert first.low[0] != other.low[0]


def test_a_system_against_itself() -> None:
    fractions = simulated(np.random.default_rng(4), 0.7, 0.7)
    same = outcome(fractions[[0, 1, 0, 1]], resamples=100)
    assert same.difference[0] == same.low[0] == same.high[0] == 0
    assert same.p_value[0] == 1


def test_a_score_without_instances_has_no_p_value() -> None:
    nothing = np.zeros((4, 5, 1), np.int64)
    found = outcome(nothing, resamples=10)
    assert np.isnan(found.p_value[0])
    assert np.isnan(found.low[0])
    assert found.row(0) == [None] * 7
    (pool,) = dense_pools(nothing[:2])
    assert interval(pool, "x", resamples=10, seed=1) == (None, None)


def test_swapping_the_systems_turns_the_sign() -> None:
    fractions = simulated(np.random.default_rng(5), 0.7, 0.8)
    forth = outcome(fractions, resamples=300)
    back = outcome(fractions[[2, 3, 0, 1]], resamples=300)
    assert forth.difference[0] == pytest.approx(-back.difference[0])
    assert forth.low[0] == pytest.approx(-back.high[0])
    assert (forth.score_a[0], forth.score_b[0]) == (back.score_b[0], back.score_a[0])


def test_holm_by_hand() -> None:
    """Sorted: .01 x 4, .02 x 3, .03 x 2, .5 x 1, never decreasing."""
    given = np.array([0.02, 0.5, 0.01, 0.03])
    assert holm(given).tolist() == pytest.approx([0.06, 0.5, 0.04, 0.06])
    assert holm(np.array([0.4, 0.9, np.nan]))[:2].tolist() == pytest.approx([0.8, 0.9])


def test_a_total_is_no_comparison_to_correct_for() -> None:
    pools = dense_pools(random_fractions(np.random.default_rng(8), 60, 4))
    names = list("abcd")
    with_total = paired_tests(pools, names, resamples=99)
    without = paired_tests(pools, names, resamples=99, has_total=False)
    np.testing.assert_array_equal(with_total.p_value, without.p_value)
    np.testing.assert_array_equal(without.p_corrected, holm(without.p_value))
    np.testing.assert_array_equal(
        with_total.p_corrected, [*holm(with_total.p_value[:3]), with_total.p_value[3]]
    )


def test_pools_are_tested_as_sentences_one_by_one() -> None:
    """Sentences of the same counts can be drawn by how many there are."""
    random = np.random.default_rng(3)
    hits = 2 * random.integers(0, 2, (2, 400, 3)) * random.integers(0, 2, (2, 400, 1))
    sizes = np.full((400, 3), 2)
    fractions = np.stack([hits[0], sizes, hits[1], sizes])
    pools = dense_pools(fractions)
    assert all(len(pool.rows) == 4 for pool in pools)
    pooled = outcome(fractions, resamples=4000)
    sums = fractions.sum(axis=1)
    assert np.allclose(pooled.score_a, sums[0] / sums[1])
    assert np.allclose(pooled.score_b, sums[2] / sums[3])
    expected = *naive_interval(fractions, 4000, 1), naive_p(fractions, 4000, 2)
    found = pooled.low, pooled.high, pooled.p_value
    assert np.allclose(found, expected, atol=0.03)
    ends = [
        interval(pool, "x", resamples=4000, seed=1)
        for pool in dense_pools(fractions[2:])
    ]
    nothing = np.stack([0 * sizes, sizes, hits[1], sizes])
    of_one = naive_interval(nothing, 4000, 3)
    assert np.allclose(np.transpose(ends), of_one, atol=0.03)


# -- pools of counts -------------------------------------------------------------------

RATIO = Measure("ratio", "2 hits - misses", "hits + misses", "R")
FIELDS = ["hits", "misses", "others"]


def by_hand(counts: list[Counts], is_common: list[bool]) -> list[Pool]:
    """Sentence by sentence, name by name: kinds in the order in which they are met."""
    (names,) = {tuple(one.names) for one in counts}
    pools = []
    for name in (*range(len(names)), None):
        kinds: dict[tuple[int, ...], int] = {}
        for sentence in range(len(is_common)):
            row: list[int] = []
            for one in counts:
                sums = [0, 0]
                for at, number in enumerate(one.sentence.tolist()):
                    if number == sentence and name in (None, one.name[at]):
                        hits, misses, _ = one.values[at].tolist()
                        sums[0] += 2 * hits - misses
                        sums[1] += hits + misses
                row += sums
            if any(row):
                kinds[tuple(row)] = kinds.get(tuple(row), 0) + 1
        rows = np.array([*kinds], np.int64).reshape(-1, 2 * len(counts))
        pools.append(Pool(rows, np.array([*kinds.values()], np.int64), sum(is_common)))
    return pools


@st.composite
def systems(draw: st.DrawFn) -> tuple[list[Counts], list[bool]]:
    """Counts of one system or two, of the sentences that both have."""
    is_common = draw(st.lists(st.booleans(), min_size=1, max_size=6))
    names = list("abc")[: draw(st.integers(0, 3))]
    cells = [
        (sentence, name)
        for sentence, is_one in enumerate(is_common)
        if is_one
        for name in range(len(names))
    ]
    found = []
    for _ in range(draw(st.integers(1, 2))):
        rows = [cell for cell in cells if draw(st.booleans())]
        values = [draw(st.tuples(*[st.integers(0, 2)] * 3)) for _ in rows]
        columns = np.array(rows, np.int32).reshape(-1, 2)
        array = np.array(values, np.int32).reshape(-1, 3)
        found.append(Counts(names, len(is_common), *columns.T, array))
    return found, is_common


@settings(deadline=None, max_examples=some(80))
@given(systems())
def test_pools_of_counts_are_those_by_hand(
    given: tuple[list[Counts], list[bool]],
) -> None:
    counts, is_common = given
    pools = score_pools(counts, RATIO, FIELDS, np.array(is_common))
    expected = by_hand(counts, is_common)
    assert [pool.rows.tolist() for pool in pools] == [
        pool.rows.tolist() for pool in expected
    ]
    assert [pool.times.tolist() for pool in pools] == [
        pool.times.tolist() for pool in expected
    ]
    assert {pool.sentences for pool in pools} == {sum(is_common)}
