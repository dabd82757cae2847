"""What is drawn from pools has the probabilities of sentences drawn one by one."""

from __future__ import annotations

from itertools import product
from math import comb, factorial

import numpy as np
import pytest

from analyzer.metrics.significance import Pool, drawn, pooled, stream, swapped
from tests.support.kernels import both_ways

RESAMPLES = 20_000


def counting(times: list[int], sentences: int) -> Pool:
    """Kinds whose sums are how many sentences of each were drawn."""
    rows = np.eye(len(times), 4, dtype=np.int64)
    return Pool(rows, np.array(times, np.int64), sentences)


def chi_square(found: np.ndarray, chances: dict[tuple[int, ...], float]) -> float:
    """How far counts are from what is expected, in standard deviations."""
    outcomes, counts = np.unique(found, axis=0, return_counts=True)
    seen = {tuple(map(int, one)): n for one, n in zip(outcomes, counts, strict=True)}
    assert set(seen) <= set(chances)  # nothing that is impossible
    likely = {one: p for one, p in chances.items() if p * len(found) >= 5}
    rest = len(found) - sum(seen.get(one, 0) for one in likely)
    expected = [p * len(found) for p in likely.values()]
    cells = list(zip((seen.get(one, 0) for one in likely), expected, strict=True))
    if sum(expected) < len(found) - 5:
        cells.append((rest, len(found) - sum(expected)))
    value = sum((n - e) ** 2 / e for n, e in cells)
    return float((value - (len(cells) - 1)) / np.sqrt(2 * max(1, len(cells) - 1)))


def multinomial(times: list[int], sentences: int) -> dict[tuple[int, ...], float]:
    """The chances of how often each kind is drawn, those without counts left out."""
    found = {}
    others = sentences - sum(times)
    for counts in product(range(sentences + 1), repeat=len(times)):
        left = sentences - sum(counts)
        if left < 0 or (left and not others):
            continue
        ways = factorial(sentences) // factorial(left)
        chance = (others / sentences) ** left
        for count, size in zip(counts, times, strict=True):
            ways //= factorial(count)
            chance *= (size / sentences) ** count
        found[counts] = ways * chance
    assert sum(found.values()) == pytest.approx(1)
    return found


@pytest.mark.parametrize(
    ("times", "sentences"), [([1], 3), ([2, 1], 5), ([6, 3, 2], 11), ([7, 5], 14)]
)
def test_few_sentences_are_drawn_with_their_chances(
    times: list[int], sentences: int
) -> None:
    found = drawn(counting(times, sentences), stream(3, "x"), RESAMPLES)
    kinds = found[:, : len(times)].astype(np.int64)
    assert chi_square(kinds, multinomial(times, sentences)) < 4
    assert not found[:, len(times) :].any()


@pytest.mark.parametrize(("times", "sentences"), [([400, 250, 50], 1000), ([990], 990)])
def test_many_sentences_vary_as_they_should(times: list[int], sentences: int) -> None:
    found = drawn(counting(times, sentences), stream(4, "x"), RESAMPLES)
    found = found[:, : len(times)]
    share = np.array(times) / sentences
    spread = sentences * (np.diag(share) - np.outer(share, share))
    error = np.sqrt(np.diag(spread) / RESAMPLES) + 1e-9
    assert np.all(np.abs(found.mean(axis=0) - times) < 4 * error)
    variances = np.outer(np.diag(spread), np.diag(spread))
    of_spread = np.sqrt((variances + spread**2) / RESAMPLES) + 1e-9
    assert np.all(np.abs(np.atleast_2d(np.cov(found.T)) - spread) < 4 * of_spread)


@pytest.mark.parametrize("size", [1, 5, 63, 64, 65, 130])
def test_swaps_are_of_one_half(size: int) -> None:
    found = swapped(counting([size], size), stream(5, "x"), RESAMPLES)
    chances = {(n,): comb(size, n) / 2**size for n in range(size + 1)}
    assert chi_square(found[:, :1].astype(np.int64), chances) < 4


def test_the_kernel_draws_and_swaps_the_same() -> None:
    random = np.random.default_rng(1)
    for kinds, most, others in ((1, 3, 0), (3, 2, 5), (40, 90, 700), (5, 4000, 0)):
        rows = random.integers(-9, 1 << 40, (kinds, 4))
        times = random.integers(1, most + 1, kinds)
        pool = Pool(rows, times, int(times.sum()) + others)
        for function in (drawn, swapped):
            for resamples in (1, 300):
                numpy, c = both_ways(
                    lambda function=function, n=resamples, pool=pool: function(  # type: ignore[misc]
                        pool, stream(0, "score"), n
                    )
                )
                assert np.array_equal(numpy, c)


def test_resamples_follow_from_seed_name_and_number() -> None:
    pool = counting([5, 4, 3], 20)
    whole = drawn(pool, stream(1, "NP"), 100)
    assert np.array_equal(drawn(pool, stream(1, "NP"), 30), whole[:30])
    assert not np.array_equal(drawn(pool, stream(2, "NP"), 100), whole)
    assert not np.array_equal(drawn(pool, stream(1, "VP"), 100), whole)
    assert stream(1, "a", "b") != stream(1, "ab")


def test_sentences_are_pooled_in_the_order_they_are_met() -> None:
    columns = [np.array([2, 0, 1, 2, 1, 1]), np.array([0, 0, 5, 0, 5, 5])]
    pools = pooled(columns, np.array([0, 0, 0, 0, 2, 2]), 3, sentences=9)
    assert [pool.rows.tolist() for pool in pools] == [[[2, 0], [1, 5]], [], [[1, 5]]]
    assert [pool.times.tolist() for pool in pools] == [[2, 1], [], [2]]
    assert pools[0].sums.tolist() == [5, 5]
    gains = Pool(np.array([[3, 0], [0, 0], [3, 0], [-3, 0]]), np.arange(1, 5), 9)
    assert gains.merged.rows.tolist() == [[3, 0], [-3, 0]]
    assert gains.merged.times.tolist() == [4, 4]
