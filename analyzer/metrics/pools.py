"""Sentences pooled by their counts, and resamples that are drawn from the pools.

A resampled score depends only on how many sentences of each kind were drawn, sentences
with the same counts being of one kind. Of 38,000 sentences a construction has a few
dozen kinds, so that these numbers are drawn instead of the sentences, with the same
probabilities:

* Sentences drawn with replacement: the number of draws that hit a sentence with
  anything to count is binomial. Given that number, the kinds are multinomial. A little
  less than expected is drawn of each kind, by Poisson's distribution; given their sum,
  such numbers are multinomial, too. What is still missing is drawn one by one; where
  the sum is too large, all are drawn again.
* Sentences swapped with probability one half: of each kind, as many as there are ones
  among so many random bits.

Random numbers are counted, not drawn in turn: the one at a place of a resample of a
score follows from the seed, the score's name and these two numbers alone (splitmix64).
So it does not matter what else is tested, in which order and by how many processes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from analyzer.metrics.join import packed
from analyzer.model.arrays import (
    Floats,
    Ints,
    Words64,
    first_places,
    mix,
    number_densely,
)
from analyzer.model.kernel import resamples as kernel
from analyzer.model.kernel.library import has_kernel

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
        _, kind = number_densely(kind * (int(column.max(initial=0)) + 1) + column)
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
    if has_kernel():
        return kernel.drawn(
            pool.rows,
            pool.times,
            **tables._asdict(),
            start=start,
            resamples=resamples,
        )
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
    starts = np.append(0, np.cumsum([one.size for one in chances]))
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
    found = np.cumsum(np.exp(logs - logs.max()))
    found /= found[-1]
    return found


def _draw(sums: Floats, chunk: slice, pool: Pool, tables: Tables, start: int) -> None:
    """What `kernel.drawn` gives, for some of the resamples."""
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
            found = _uniform(begins[again], place[again] + kind)
            times[again, kind] = _looked_up(chances, found)
        place[again] += kinds
        again = again[times[again].sum(axis=1) > hits[again]]
    missing = hits - times.sum(axis=1)
    which = np.repeat(np.arange(begins.size), missing)
    nth = np.arange(which.size) - np.repeat(np.cumsum(missing) - missing, missing)
    one = (_uniform(begins[which], place[which] + nth) * counting).astype(np.int64)
    kind_of = np.repeat(np.arange(kinds), pool.times)
    cell = which * kinds + kind_of[np.minimum(one, counting - 1)]
    times += np.bincount(cell, minlength=times.size).reshape(times.shape)
    sums[chunk] = times @ pool.rows


def swapped(pool: Pool, start: int, resamples: int) -> Floats:
    """Sums of the counts of sentences that are each chosen with probability one half.

    One row a resample.
    """
    if not pool.times.size:
        return np.zeros((resamples, pool.rows.shape[1]))
    if has_kernel():
        return kernel.swapped(pool.rows, pool.times, start, resamples)
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
    found: Floats = (words >> np.uint64(64 - _MANTISSA)).astype(np.float64)
    found *= 2.0**-_MANTISSA
    return found


def _looked_up(chances: Floats, found: Floats) -> Ints:
    """What is drawn, given a distribution function and numbers from 0 to 1."""
    return np.searchsorted(chances[:-1], found, side="right")


def _chunks(total: int, numbers: int) -> Iterator[slice]:
    """Slices of resamples that take so many random numbers each."""
    step = max(1, _AT_ONCE // max(1, numbers))
    for start in range(0, total, step):
        yield slice(start, min(total, start + step))
