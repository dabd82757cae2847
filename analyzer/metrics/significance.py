"""Is a difference real? Paired bootstrap and approximate randomisation, from counts.

Every score here is a ratio of sums over sentences, num / den. So a resampled score
needs only the resampled sums. Both tests resample sentences, which are what is
independent. Each score is resampled by itself, from pools of sentences with the same
counts, as is told below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import starmap
from typing import NamedTuple

import numpy as np

from analyzer import _native
from analyzer.metrics.counts import Counts
from analyzer.metrics.join import packed
from analyzer.metrics.measures import Measure, Row
from analyzer.model.arrays import (
    Flags,
    Floats,
    Ints,
    Words64,
    first_places,
    mix,
    number_densely,
)

Progress = Callable[[int], None]
# The difference of a score, its interval, and its p-value.
_Tested = tuple[float, float, float, float]

DEFAULT_RESAMPLES = 10_000
DEFAULT_SEED = 12345
LEVEL = 0.95  # of intervals
_ROUNDING = 1e-12
# What is told of a score under two systems, after its name; None where undefined.
DIFFERENCE = (
    *("gold", "score_a", "score_b", "difference"),
    *("low", "high", "p_value", "p_corrected"),
)


def settings_of_tests(resamples: int, seed: int) -> dict[str, object]:
    """What a signature tells of the tests."""
    return {
        "test": "paired-bootstrap,approximate-randomisation",
        "resamples": resamples,
        "seed": seed,
        "correction": "holm",
    }


def score_pools(
    systems: Sequence[Counts], measure: Measure, fields: Sequence[str], common: Flags
) -> list[Pool]:
    """What systems count of a measure, for each name and, last, for all together.

    Counts are of the `common` sentences, all by the same names. The columns of a pool
    are numerator and denominator of each system in turn.
    """
    size = len(systems[0].names)
    cells = [counts.sentence * np.int64(size) + counts.name for counts in systems]
    both, place = number_densely(np.concatenate(cells))
    columns = np.zeros((2 * len(systems), both.size), np.int64)
    starts = np.cumsum([cell.size for cell in cells])[:-1]
    for at, rows in enumerate(np.split(place, starts)):
        values = dict(zip(fields, systems[at].values.T, strict=True))
        columns[2 * at : 2 * at + 2, rows] = measure.fraction(values.__getitem__)
    sentence, name = np.divmod(both, max(1, size))
    totals = [
        np.bincount(sentence, column, minlength=common.size).astype(np.int64)
        for column in columns
    ]
    return pooled(
        [np.append(*two) for two in zip(columns, totals, strict=True)],
        np.append(name, np.full(common.size, size)),
        size + 1,
        int(np.count_nonzero(common)),
    )


def dense_pools(fractions: Ints) -> list[Pool]:
    """Pools of scores whose counts are in an array: columns x sentences x scores."""
    _, sentences, scores = fractions.shape
    # Score by score, and sentence by sentence in each.
    rows = [column.T.ravel() for column in fractions]
    return pooled(rows, np.repeat(np.arange(scores), sentences), scores, sentences)


class Difference(NamedTuple):
    """B minus A for each score: both scores, the difference, what the tests say."""

    score_a: Floats
    score_b: Floats
    difference: Floats
    low: Floats
    high: Floats
    p_value: Floats  # approximate randomisation, two-sided
    p_corrected: Floats  # Holm's correction, over all scores but the total

    def row(self, at: int) -> list[float | None]:
        """The fields of `DIFFERENCE` but the first, of a score."""
        values = [float(column[at]) for column in self]
        return [None if np.isnan(value) else value for value in values]

    def rows(
        self, make: Callable[..., Row], names: Sequence[str], gold: Sequence[int]
    ) -> list[Row]:
        """A row for each score: its name, then the fields of `DIFFERENCE`."""
        named = enumerate(zip(names, gold, strict=True))
        return [make(*name_and_gold, *self.row(at)) for at, name_and_gold in named]


def paired_tests(
    pools: Sequence[Pool],
    names: Sequence[str],
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
    threads: int = 1,
    has_total: bool = True,
) -> Difference:
    """Compare two systems on the same sentences, score by score.

    The columns of a pool are numerator and denominator of system A, then those of B.
    Random numbers follow from the names of the scores: so several `threads` find the
    same. The last score is the total, if there is one: it is tested, but is not one of
    the many comparisons that the correction is for.
    """
    tested = np.full((4, len(pools)), np.nan)
    test = partial(_tested, resamples=resamples, seed=seed)
    for at, result in enumerate(_each(test, pools, names, threads)):
        tested[:, at] = result
        if progress:
            done = [2 * resamples * n // len(pools) for n in (at, at + 1)]
            progress(done[1] - done[0])
    p_value = tested[3]
    corrected = holm(p_value)
    if has_total:
        corrected = np.append(holm(p_value[:-1]), p_value[-1:])
    sums = np.array([pool.sums for pool in pools], np.float64).reshape(-1, 4)
    scores = _ratio(sums[:, 0], sums[:, 1]), _ratio(sums[:, 2], sums[:, 3])
    observed, low, high, _ = tested
    return Difference(*scores, observed, low, high, p_value, corrected)


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


def _tested(pool: Pool, name: str, resamples: int, seed: int) -> _Tested:
    """The difference, its interval and its p-value, of one score."""
    whole = pool.sums.astype(np.float64)
    observed = float(_difference(whole[None])[0])
    if np.isnan(observed) and not pool.times.size:
        return observed, np.nan, np.nan, np.nan
    sums = drawn(pool, stream(seed, "bootstrap", name), resamples)
    low, high = _percentiles(_difference(sums))
    # What a swap takes from B and gives to A: nothing where both have the same counts.
    gain = pool._replace(rows=pool.rows[:, 2:] - pool.rows[:, :2]).merged
    swaps = swapped(gain, stream(seed, "randomisation", name), resamples)
    after = _difference(whole + np.hstack([swaps, -swaps]))
    # An undefined score after a swap cannot be called smaller.
    as_large = np.count_nonzero(~(np.abs(after) < abs(observed) - _ROUNDING))
    p_value = np.nan if np.isnan(observed) else (as_large + 1) / (resamples + 1)
    return observed, low, high, p_value


def interval(
    pool: Pool, name: str, *, resamples: int, seed: int
) -> tuple[float | None, float | None]:
    """The interval of a score, sentences drawn with replacement; None where undefined.

    The columns of its pool are numerator and denominator.
    """
    sums = drawn(pool, stream(seed, "bootstrap", name), resamples)
    ends = _percentiles(_ratio(sums[:, 0], sums[:, 1]))
    low, high = (None if np.isnan(end) else end for end in ends)
    return low, high


def _difference(sums: Floats) -> Floats:
    """B minus A, of rows as those of a pool."""
    return _ratio(sums[:, 2], sums[:, 3]) - _ratio(sums[:, 0], sums[:, 1])


def _percentiles(values: Floats) -> tuple[float, float]:
    """The interval that holds so many of the values that are defined."""
    known = values[~np.isnan(values)]
    if not known.size:
        return np.nan, np.nan
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(known, [tail, 1 - tail]).tolist()
    return low, high


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


# -- pools: what is resampled ----------------------------------------------------------
#
# A resampled score depends only on how many sentences of each kind were drawn,
# sentences with the same counts being of one kind. Of 38,000 sentences a construction
# has a few dozen kinds, so that these numbers are drawn instead of the sentences, with
# the same probabilities:
#
# * Sentences drawn with replacement: the number of draws that hit a sentence with
#   anything to count is binomial. Given that number, the kinds are multinomial. A
#   little less than expected is drawn of each kind, by Poisson's distribution; given
#   their sum, such numbers are multinomial, too. What is still missing is drawn one by
#   one; where the sum is too large, all are drawn again.
# * Sentences swapped with probability one half: of each kind, as many as there are ones
#   among so many random bits.
#
# Random numbers are counted, not drawn in turn: the one at a place of a resample of a
# score follows from the seed, the score's name and these two numbers alone
# (splitmix64). So it does not matter what else is tested, in which order and by how
# many processes.

# So many standard deviations fewer are drawn by Poisson's distribution.
_FEWER = 2.0
_TAIL = 10  # standard deviations beyond which nothing is ever drawn
_WORD_BITS = 64
_MANTISSA = 53  # bits of a number between 0 and 1
_AT_ONCE = 1 << 20  # random numbers: to bound memory


class Pool(NamedTuple):
    """Kinds of sentences: what is counted of each, and how many there are.

    Sentences with nothing to count are in `sentences` alone.
    """

    rows: Ints  # kinds x columns
    times: Ints
    sentences: int

    @property
    def sums(self) -> Ints:
        """Of all sentences."""
        return self.times @ self.rows

    @property
    def merged(self) -> Pool:
        """Kinds with the same counts as one, those of zeros left out."""
        columns = list(self.rows.T)
        key, _ = packed(columns, [np.zeros(1, np.int64)] * len(columns))
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        times = np.zeros(first.size, np.int64)
        np.add.at(times, which, self.times)
        order = np.argsort(first)
        order = order[self.rows[first[order]].any(axis=1)]
        return Pool(self.rows[first[order]], times[order], self.sentences)


def pooled(columns: list[Ints], score: Ints, scores: int, sentences: int) -> list[Pool]:
    """A pool for each score, of rows that are each a sentence's counts for a score.

    Kinds stand in the order in which they are first met. Rows of zeros do not matter.

    >>> both = [np.array([1, 2, 1, 0]), np.array([3, 3, 3, 0])]
    >>> first, second = pooled(both, np.array([0, 0, 0, 1]), 2, sentences=5)
    >>> first.rows.tolist(), first.times.tolist(), second.rows.tolist()
    ([[1, 3], [2, 3]], [2, 1], [])
    """
    kind = score.astype(np.int64)
    for column in columns:
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        _, kind = number_densely(kind * (high - low + 1) + (column - low))
    times = np.bincount(kind)
    first = first_places(kind)
    rows = np.stack([column[first] for column in columns], axis=1)
    some = np.flatnonzero(rows.any(axis=1))
    some = some[np.lexsort((first[some], score[first[some]]))]
    ends = np.searchsorted(score[first[some]], np.arange(1, scores))
    return [
        Pool(rows[kinds].astype(np.int64), times[kinds].astype(np.int64), sentences)
        for kinds in np.split(some, ends)
    ]


def stream(seed: int, *names: str) -> int:
    """Where the random numbers of a score begin, for `drawn` and `swapped`."""
    entropy = [seed, *"\0".join(names).encode()]
    return int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0])


def drawn(pool: Pool, start: int, resamples: int) -> Floats:
    """Sums of counts of as many sentences as there are, drawn with replacement.

    One row a resample.
    """
    if not pool.times.size:
        return np.zeros((resamples, pool.rows.shape[1]))
    tables = _tables(pool)
    if _native.has_kernel():
        columns = pool.rows.shape[1]
        sums = _native.sums_drawn(
            np.pad(pool.rows, ((0, 0), (0, 4 - columns))),  # it knows rows of four
            pool.times,
            **tables._asdict(),
            start=start,
            resamples=resamples,
        )
        return sums[:, :columns]
    sums = np.empty((resamples, pool.rows.shape[1]))
    for chunk in _chunks(resamples, pool.times.size):
        _draw(sums, chunk, pool, tables, start)
    return sums


class Tables(NamedTuple):
    """Distribution functions: of draws that count, and of kinds.

    Kinds that have as many sentences have one in common.
    """

    hits: Floats
    fewest_hits: int  # what the first of `hits` is of
    chances: Floats  # one distribution after the other, each from 0 on
    starts: Ints  # where each begins, and the end of the last
    which: Ints  # is each kind's


def _tables(pool: Pool) -> Tables:
    counting = int(pool.times.sum())
    share = max(0.0, 1 - _FEWER / np.sqrt(counting))
    times, which = np.unique(pool.times, return_inverse=True)
    chances = [_poisson(mean) for mean in (share * times).tolist()]
    starts = np.append(0, np.cumsum([distribution.size for distribution in chances]))
    hits, fewest = _binomial(pool.sentences, counting)
    return Tables(hits, fewest, np.concatenate(chances), starts.astype(np.int64), which)


def _poisson(mean: float) -> Floats:
    """P(X <= k) from k = 0 on, 1 at last."""
    most = int(mean + _TAIL * np.sqrt(mean) + _TAIL)
    steps = np.log(max(mean, 1e-300) / np.arange(1, most + 1))
    return _distribution(np.append(0.0, steps))


def _binomial(trials: int, hits: int) -> tuple[Floats, int]:
    """P(X <= k) for a chance of hits / trials, and the k that it begins with."""
    if hits >= trials:
        return np.ones(1), trials
    chance = hits / trials
    reach = int(_TAIL * np.sqrt(trials * chance * (1 - chance)) + _TAIL)
    low, high = max(0, hits - reach), min(trials, hits + reach)
    k = np.arange(low, high, dtype=np.float64)
    steps = np.log((trials - k) / (k + 1) * (chance / (1 - chance)))
    return _distribution(np.append(0.0, steps)), low


def _distribution(log_steps: Floats) -> Floats:
    """The distribution function, given the logarithms of ratios of its steps."""
    logs = np.cumsum(log_steps)
    sums = np.cumsum(np.exp(logs - logs.max()))
    sums /= sums[-1]
    return sums


def _draw(sums: Floats, chunk: slice, pool: Pool, tables: Tables, start: int) -> None:
    """What `_native.sums_drawn` gives, for some of the resamples."""
    begins = _beginnings(start, chunk)
    hits = tables.fewest_hits + _looked_up(tables.hits, _uniform(begins, 0))
    kinds, counting = pool.times.size, int(pool.times.sum())
    times = np.empty((begins.size, kinds), np.int64)
    place = np.ones(begins.size, np.int64)  # of the next random number
    again = np.arange(begins.size)
    while again.size:
        for kind in range(kinds):
            start, end = tables.starts[tables.which[kind] + np.arange(2)].tolist()
            chances = tables.chances[start:end]
            numbers = _uniform(begins[again], place[again] + kind)
            times[again, kind] = _looked_up(chances, numbers)
        place[again] += kinds
        again = again[times[again].sum(axis=1) > hits[again]]
    missing = hits - times.sum(axis=1)
    which = np.repeat(np.arange(begins.size), missing)
    nth = np.arange(which.size) - np.repeat(np.cumsum(missing) - missing, missing)
    sentence = (_uniform(begins[which], place[which] + nth) * counting).astype(np.int64)
    kind_of = np.repeat(np.arange(kinds), pool.times)
    cell = which * kinds + kind_of[np.minimum(sentence, counting - 1)]
    times += np.bincount(cell, minlength=times.size).reshape(times.shape)
    sums[chunk] = times @ pool.rows


def swapped(pool: Pool, start: int, resamples: int) -> Floats:
    """Sums of the counts of sentences that are each chosen with probability one half.

    One row a resample.
    """
    if not pool.times.size:
        return np.zeros((resamples, pool.rows.shape[1]))
    if _native.has_kernel():
        return _native.sums_swapped(pool.rows, pool.times, start, resamples)
    words = -(-pool.times // _WORD_BITS)
    ends = np.cumsum(words)
    mask = np.full(int(ends[-1]), ~np.uint64(0))
    beyond = (words * _WORD_BITS - pool.times).astype(np.uint64)
    mask[ends - 1] >>= beyond
    sums = np.empty((resamples, pool.rows.shape[1]))
    place = np.arange(mask.size, dtype=np.uint64)
    for chunk in _chunks(resamples, mask.size):
        bits = mix(_beginnings(start, chunk)[:, None] + place) & mask
        ones = np.bitwise_count(bits).astype(np.int64)
        sums[chunk] = np.add.reduceat(ones, ends - words, axis=1) @ pool.rows
    return sums


def _beginnings(start: int, chunk: slice) -> Words64:
    """Where the random numbers of each resample begin."""
    resample = np.arange(chunk.start, chunk.stop, dtype=np.uint64)
    return mix(resample + np.uint64(start))


def _uniform(begins: Words64, place: Ints | int) -> Floats:
    """The numbers from 0 to less than 1 at these places."""
    words = mix(begins + np.asarray(place).astype(np.uint64))
    numbers: Floats = (words >> np.uint64(64 - _MANTISSA)).astype(np.float64)
    numbers *= 2.0**-_MANTISSA
    return numbers


def _looked_up(chances: Floats, numbers: Floats) -> Ints:
    """What is drawn, given a distribution function and numbers from 0 to 1."""
    return np.searchsorted(chances[:-1], numbers, side="right")


def _chunks(total: int, numbers: int) -> Iterator[slice]:
    """Slices of resamples that take so many random numbers each."""
    step = max(1, _AT_ONCE // max(1, numbers))
    for start in range(0, total, step):
        yield slice(start, min(total, start + step))
