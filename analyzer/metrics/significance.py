"""Is a difference real? Paired bootstrap and approximate randomisation, from counts.

Every score here is a ratio of sums over sentences, num / den. So a resampled score
needs only the resampled sums. Both tests resample sentences, which are what is
independent. Where counts are whole and sentences may be many, each score is resampled
by itself, from pools of sentences with the same counts (metrics/pools.py); where they
are not, sentences are drawn for all scores at once, and sums are a matrix product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.metrics.pools import Pool, drawn, pooled, stream, swapped
from analyzer.model.arrays import Floats, Ids, Ints
from analyzer.model.kernel import resamples as kernel
from analyzer.model.kernel.library import has_kernel

Progress = Callable[[int], None]
# The difference of a score, its interval, and its p-value.
_Tested = tuple[float, float, float, float]

DEFAULT_RESAMPLES = 10_000
DEFAULT_SEED = 12345
_ROUNDING = 1e-12
# Resamples a matrix product, and how many sentences those may draw: to bound memory.
_AT_ONCE = 500
_DRAWN_AT_ONCE = 20_000_000
_LARGEST_IN_32_BITS = 1 << 24  # that all whole numbers up to it are exact


class Statistics(NamedTuple):
    """A system's scores as sums: sentences x scores, numerators and denominators.

    With `times`, a row stands for so many sentences with the same counts.
    """

    num: Floats
    den: Floats
    times: Ints | None = None

    @property
    def scores(self) -> Floats:
        return _ratio(*self.sums)

    @property
    def sums(self) -> tuple[Floats, Floats]:
        """Of all sentences, numerators and denominators."""
        if self.times is None:
            return self.num.sum(axis=0), self.den.sum(axis=0)
        return self.times @ self.num, self.times @ self.den


def settings_of_tests(resamples: int, seed: int) -> dict[str, object]:
    """What a signature tells of the tests."""
    return {
        "test": "paired-bootstrap,approximate-randomisation",
        "resamples": resamples,
        "seed": seed,
        "correction": "holm",
    }


def collapse(a: Statistics, b: Statistics) -> tuple[Statistics, Statistics]:
    """Two systems with sentences of the same counts together.

    Where counts are small and sentences many, so are tests of them quick.

    >>> one = Statistics(np.array([[1.0], [0], [1]]), np.ones((3, 1)))
    >>> [side.times.tolist() for side in collapse(one, one)]
    [[1, 2], [1, 2]]
    """
    scores = a.num.shape[1]
    rows, times = np.unique(
        np.hstack([a.num, a.den, b.num, b.den]), axis=0, return_counts=True
    )
    parts = [rows[:, at * scores : (at + 1) * scores] for at in range(4)]
    return (
        Statistics(parts[0], parts[1], times),
        Statistics(parts[2], parts[3], times),
    )


class Difference(NamedTuple):
    """B minus A for each score: the difference, its interval, and its p-values."""

    difference: Floats
    low: Floats
    high: Floats
    p_value: Floats  # approximate randomisation, two-sided
    p_corrected: Floats  # Holm's correction over all scores but the last


def pools_of(a: Statistics, b: Statistics) -> list[Pool]:
    """Two systems as `paired_tests` takes them; their counts are whole."""
    columns = np.stack([a.num, a.den, b.num, b.den]).astype(np.int64)
    _, sentences, scores = columns.shape
    # Score by score, and sentence by sentence in each.
    rows = [column.T.ravel() for column in columns]
    return pooled(rows, np.repeat(np.arange(scores), sentences), scores, sentences)


def paired_tests(
    pools: Sequence[Pool],
    names: Sequence[str],
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    progress: Progress | None = None,
    threads: int = 1,
) -> Difference:
    """Compare two systems on the same sentences, score by score.

    The columns of a pool are numerator and denominator of system A, then those of B.
    Random numbers follow from the names of the scores: so several `threads` find the
    same. The last score is taken to be the total: it is tested, but is not one of the
    many comparisons that the correction is for.
    """
    found = np.full((4, len(pools)), np.nan)
    test = partial(_tested, resamples=resamples, seed=seed, level=level)
    for at, result in enumerate(_each(test, pools, names, threads)):
        found[:, at] = result
        if progress:
            done = [2 * resamples * n // len(pools) for n in (at, at + 1)]
            progress(done[1] - done[0])
    observed, low, high, p_value = found
    corrected = np.append(holm(p_value[:-1]), p_value[-1:])
    return Difference(observed, low, high, p_value, corrected)


def _each(
    test: Callable[[Pool, str], _Tested],
    pools: Sequence[Pool],
    names: Sequence[str],
    threads: int,
) -> Iterator[_Tested]:
    """What is tested of each score, in order."""
    if threads == 1:
        yield from starmap(test, zip(pools, names, strict=True))
        return
    from concurrent.futures import ThreadPoolExecutor  # for those who want it

    # The compiled kernel and NumPy let other threads run while they draw.
    with ThreadPoolExecutor(threads) as executor:
        yield from executor.map(test, pools, names)


def scores_of(pools: Sequence[Pool]) -> tuple[Floats, Floats]:
    """What both systems score."""
    sums = np.array([pool.sums for pool in pools], np.float64).reshape(-1, 4)
    return _ratio(sums[:, 0], sums[:, 1]), _ratio(sums[:, 2], sums[:, 3])


def _tested(pool: Pool, name: str, resamples: int, seed: int, level: float) -> _Tested:
    """The difference, its interval and its p-value, of one score."""
    whole = pool.sums.astype(np.float64)
    observed = float(_difference(whole[None])[0])
    if np.isnan(observed) and not pool.times.size:
        return observed, np.nan, np.nan, np.nan
    sums = drawn(pool, stream(seed, "bootstrap", name), resamples)
    low, high = _percentiles(_difference(sums), level)
    # What a swap takes from B and gives to A: nothing where both have the same counts.
    gain = pool._replace(rows=pool.rows[:, 2:] - pool.rows[:, :2]).merged
    swaps = swapped(gain, stream(seed, "randomisation", name), resamples)
    after = _difference(whole + np.hstack([swaps, -swaps]))
    # An undefined score after a swap cannot be called smaller.
    as_large = np.count_nonzero(~(np.abs(after) < abs(observed) - _ROUNDING))
    p_value = np.nan if np.isnan(observed) else (as_large + 1) / (resamples + 1)
    return observed, low, high, p_value


def _difference(sums: Floats) -> Floats:
    """B minus A, of rows as those of a pool."""
    return _ratio(sums[:, 2], sums[:, 3]) - _ratio(sums[:, 0], sums[:, 1])


def _percentiles(differences: Floats, level: float) -> tuple[float, float]:
    """The interval that holds so many of the differences that are defined."""
    known = differences[~np.isnan(differences)]
    if not known.size:
        return np.nan, np.nan
    tail = (1 - level) / 2
    low, high = np.quantile(known, [tail, 1 - tail]).tolist()
    return low, high


def bootstrap_interval(
    a: Statistics,
    b: Statistics,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    progress: Progress | None = None,
) -> tuple[Floats, Floats]:
    """Percentile interval of B minus A, sentences drawn with replacement.

    The same sentences are drawn for both systems (paired).
    """
    sentences, scores = a.num.shape
    random = np.random.default_rng(seed)
    stacked = np.hstack([a.num, a.den, b.num, b.den])
    groups = _groups(stacked) if a.times is None else None
    differences = []
    for count in _chunks(resamples, sentences):
        if groups is not None:
            shape = (count, sentences)
            sums = groups.sums(random.integers(0, sentences, shape, np.uint32))
        else:
            assert a.times is not None
            whole = int(a.times.sum())
            times = random.multinomial(whole, a.times / max(1, whole), count)
            sums = times.astype(np.float64) @ stacked
        a_num, a_den, b_num, b_den = np.split(sums, 4, axis=1)
        differences.append(_ratio(b_num, b_den) - _ratio(a_num, a_den))
        if progress:
            progress(count)
    everything = np.concatenate(differences)
    low, high = np.full(scores, np.nan), np.full(scores, np.nan)
    for score in range(scores):
        low[score], high[score] = _percentiles(everything[:, score], level)
    return low, high


def randomization_p(
    a: Statistics,
    b: Statistics,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
) -> Floats:
    """Two-sided p-value: how often chance swaps of the systems differ as much.

    Each sentence's outputs are swapped with probability one half. The observed
    outcome counts as one of the resamples, so p is never 0.
    """
    random = np.random.default_rng(seed)
    # Sentences on which both have the same counts are the same after a swap.
    differs = np.any((a.num != b.num) | (a.den != b.den), axis=1)
    swap_num = (b.num - a.num)[differs]
    swap_den = (b.den - a.den)[differs]
    stacked = np.hstack([swap_num, swap_den])
    (a_num, a_den), (b_num, b_den) = a.sums, b.sums
    observed = np.abs(_ratio(b_num, b_den) - _ratio(a_num, a_den))
    as_large = np.zeros(observed.size)
    groups = _groups(stacked) if a.times is None else None
    for count in _chunks(resamples, len(stacked)):
        shape = (count, len(stacked))
        if groups is not None:
            swaps = groups.sums(random.integers(0, 2, shape, np.uint8))
        else:
            assert a.times is not None
            swapped = random.binomial(a.times[differs], 0.5, shape)
            swaps = swapped.astype(np.float64) @ stacked
        num, den = np.split(swaps, 2, axis=1)
        difference = _ratio(b_num - num, b_den - den) - _ratio(a_num + num, a_den + den)
        # An undefined score after a swap cannot be called smaller.
        as_large += np.sum(~(np.abs(difference) < observed - _ROUNDING), axis=0)
        if progress:
            progress(count)
    p_value = (as_large + 1) / (resamples + 1)
    return np.where(np.isnan(observed), np.nan, p_value)


class _Groups(NamedTuple):
    """Sentences by their counts: those with the same are one group."""

    rows: npt.NDArray[np.floating[Any]]  # the counts of each group
    group: Ids  # of each sentence

    def sums(self, values: npt.NDArray[np.uint32] | npt.NDArray[np.uint8]) -> Floats:
        """Sums of counts, one row a resample.

        `values` are sentences that were drawn (32 bits), or 1 for each sentence that
        counts and 0 for others (8 bits).
        """
        if has_kernel():
            times = kernel.resampled(values, self.group, len(self.rows))
        else:
            times = np.empty((len(values), len(self.rows)), np.float32)
            for at, row in enumerate(values):
                times[at] = (
                    np.bincount(self.group[row], minlength=len(self.rows))
                    if values.dtype == np.uint32
                    else np.bincount(self.group, row, minlength=len(self.rows))
                )
        found: Floats = (times.astype(self.rows.dtype) @ self.rows).astype(np.float64)
        return found


def _groups(counts: Floats) -> _Groups:
    """Sentences with the same counts together: that makes the sums quicker.

    Where counts are whole, sums are the same in any order; and if none can be too large
    for that, in numbers of 32 bits, too.
    """
    alone = _Groups(counts, np.arange(len(counts), dtype=np.int32))
    if not np.array_equal(counts, np.rint(counts)):
        return alone
    largest = float(np.abs(counts).max(initial=0)) * max(1, len(counts))
    kind = np.float32 if largest < _LARGEST_IN_32_BITS else np.float64
    # Rows are told apart by one number each, made of random ones for the columns.
    weights = np.random.default_rng(0).integers(1, 1 << 62, counts.shape[1])
    key = counts.astype(np.int64) @ weights
    _, one_each, group = np.unique(key, return_index=True, return_inverse=True)
    rows = counts[one_each]
    if not np.array_equal(rows[group], counts):
        return alone  # two keys are equal by accident
    return _Groups(rows.astype(kind), group.astype(np.int32))


def holm(p_values: Floats) -> Floats:
    """Holm's step-down correction: the family-wise error stays below the level.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    factors = np.arange(order.size, 0, -1)
    corrected = np.full(p_values.size, np.nan)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p_values[order] * factors))
    return corrected


def _ratio(num: Floats, den: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(den > 0, num / den, np.nan)


def _chunks(total: int, sentences: int) -> Iterator[int]:
    step = min(_AT_ONCE, max(1, _DRAWN_AT_ONCE // max(1, sentences)))
    for start in range(0, total, step):
        yield min(step, total - start)
