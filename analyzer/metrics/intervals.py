"""How sure a ratio is: intervals by resampling what is independent.

What is independent are documents, where the input has enough of them, else sentences:
the units. In each resample every unit is given a random weight (exponential, mean and
variance 1: the Bayesian bootstrap of Rubin 1981), and all ratios are computed anew from
the weighted sums of counts. An interval holds 95 % of what comes out. Two things make
such intervals true for few units and rare constructions as well:

* Of few units, the variance is estimated badly. Their weights vary more, by as much as
  the quantile of Student's distribution is larger than that of the normal one.
* Five of five may be luck. Half a hit and half a miss are added (Jeffreys' prior), of
  the square root of the mean size of a unit, for what is unknown lies between single
  brackets, which would be 1, and units that are right or wrong as a whole.

benchmarks/intervals.py simulates how often such intervals hold the truth;
docs/scores.md has its table. Differences between two systems on the same sentences are
tested in `metrics.significance`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import gamma
from typing import NamedTuple

import numpy as np

from analyzer import _native
from analyzer.metrics.counts import Counts, concatenated
from analyzer.metrics.measures import Measure
from analyzer.model.arrays import Flags, Floats, Ints, mix, number_densely

RESAMPLES = 1000
SEED = 12345
LEVEL = 0.95
# So many documents make documents the units; of fewer, too little can be said.
FEWEST_DOCUMENTS = 10
# Sentences beyond so many are drawn in so many bundles. Bundles of independent
# sentences are independent, too; the width of an interval is then known to 3 %.
_BUNDLES = 512
_FOLD_AT = 12  # parts that are kept before they are added up: to bound memory
_MANY = 200  # units, of which Student's quantile is that of the normal distribution
_DIGITS = 6
_ROUNDING = 1e-12
_NORMAL = 1.959964  # the quantile of 97.5 %


class Interval(NamedTuple):
    """The ends of an interval; None if nothing can be said."""

    low: float | None
    high: float | None

    @property
    def excludes_zero(self) -> bool:
        """Whether a difference with this interval is one."""
        if self.low is None or self.high is None:
            return False
        return self.low > _ROUNDING or self.high < -_ROUNDING


UNKNOWN = Interval(None, None)


def interval_text(interval: Interval, sign: str = "") -> str:
    """An interval of a percentage; nothing where none is known.

    >>> interval_text(Interval(0.913, 0.9279)), interval_text(Interval(None, None))
    ('91.3–92.8', '')
    >>> interval_text(Interval(-0.064, 0.048), sign="+")
    '-6.4 to +4.8'
    """
    if interval.low is None or interval.high is None:
        return ""
    ends = interval.low, interval.high
    low, high = (f"{100 * end:{sign}.1f}" for end in ends)
    return f"{low} to {high}" if sign else f"{low}–{high}"


def gap_text(interval: Interval) -> str:
    """The interval of a difference, as sentences tell it.

    >>> gap_text(Interval(0.128, 0.146))
    '95 % interval +12.8 to +14.6'
    """
    return f"95 % interval {interval_text(interval, sign='+')}"


@dataclass(frozen=True)
class UnitCounts:
    """Counts of units, of all blocks so far: of sentences, and of documents.

    Parts stand in the order of the input. In those of sentences, their numbers are
    modulo `_BUNDLES` once parts are added up.
    """

    sentences: tuple[Counts, ...] = ()
    documents: tuple[tuple[Sequence[str], Counts], ...] = ()  # names, by their numbers

    @staticmethod
    def of(
        counts: Counts,
        documents: Sequence[str],
        sums: Mapping[str, Sequence[int]] | None = None,
    ) -> UnitCounts:
        """Those of a block, given the document of each of its sentences.

        `sums` are the counts of all sentences, by name, where they are known.
        """
        names, which = _numbered(documents)
        if sums and len(names) == 1:
            rows = np.arange(len(sums))
            values = np.array([*sums.values()], np.int64)
            only = Counts([*sums], 1, np.zeros_like(rows), rows, values)
            return UnitCounts((counts,), ((names, only),))
        return UnitCounts((counts,), ((names, _added(counts, which, len(names))),))

    def __add__(self, other: UnitCounts) -> UnitCounts:
        joined = UnitCounts(
            self.sentences + other.sentences, self.documents + other.documents
        )
        return joined.folded() if len(joined.sentences) > _FOLD_AT else joined

    def folded(self) -> UnitCounts:
        """The same, all parts added up."""
        if not self.sentences:
            return self
        sentences = concatenated(self.sentences)
        bundles = np.arange(max(_BUNDLES, sentences.sentences)) % _BUNDLES
        # The number of sentences stays what it is: parts that follow count from it.
        in_bundles = _added(sentences, bundles, sentences.sentences)
        documents = concatenated([counts for _, counts in self.documents])
        names, which = _numbered(
            [name for part_names, _ in self.documents for name in part_names]
        )
        return UnitCounts(
            (in_bundles,), ((names, _added(documents, which, len(names))),)
        )

    @property
    def units(self) -> Units:
        """What is resampled."""
        whole = self.folded()
        if not whole.sentences:
            nothing = np.zeros(0, np.int64)
            return Units("sentences", 0, Counts([], 0, nothing, nothing, nothing))
        (names, documents), sentences = whole.documents[0], whole.sentences[0]
        scored = int(np.count_nonzero(np.bincount(documents.sentence)))
        if scored >= FEWEST_DOCUMENTS and len(names) < sentences.sentences:
            return Units("documents", scored, _in_order(documents))
        number = sentences.sentences
        bundles = sentences._replace(sentences=min(_BUNDLES, number))
        return Units("sentences", number, _in_order(bundles))


def _numbered(documents: Sequence[str]) -> tuple[list[str], Ints]:
    """The documents, each once, and the number of each that was given."""
    number = {name: at for at, name in enumerate(dict.fromkeys(documents))}
    if len(number) == 1:  # as of most blocks
        return list(number), np.zeros(len(documents), np.int64)
    return list(number), np.array([number[name] for name in documents], np.int64)


def _in_order(counts: Counts) -> Counts:
    """The same by sorted names, of those that occur.

    So all sums are the same, to the last bit, however blocks met them.
    """
    used, which = number_densely(counts.name.astype(np.int64))
    names = [counts.names[number] for number in used.tolist()]
    occurring = counts._replace(names=names, name=which)
    return occurring.renamed(sorted(names))


def _added(counts: Counts, unit: Ints, units: int) -> Counts:
    """The counts of units, given the unit of each sentence."""
    size = max(1, len(counts.names))
    cell, which = number_densely(unit[counts.sentence] * size + counts.name)
    sums = np.zeros((cell.size, counts.values.shape[1]), np.int64)
    if _native.has_kernel():
        _native.sum_rows(which, counts.values, sums)
    else:
        for column, values in enumerate(counts.values.T):
            sums[:, column] = np.bincount(which, values, minlength=cell.size)
    number, name = np.divmod(cell, size)
    return Counts(counts.names, units, number, name, sums)


class SentenceUnits(NamedTuple):
    """Which unit each sentence is of, for tests that draw units of several systems."""

    noun: str
    which: Ints | None  # of each sentence, its document; None: sentences are drawn
    is_common: Flags  # of each unit: whether there is anything to compare

    @staticmethod
    def of(documents: Sequence[str], is_common: Flags, noun: str) -> SentenceUnits:
        """Documents, if there are enough of them among the common sentences."""
        names, which = _numbered(documents)
        has_any = np.bincount(which[is_common], minlength=len(names)) > 0
        number, common = np.count_nonzero(has_any), np.count_nonzero(is_common)
        if FEWEST_DOCUMENTS <= number < common:
            return SentenceUnits("document", which, has_any)
        return SentenceUnits(noun, None, is_common)

    @property
    def setting(self) -> str:
        """What a signature says of it."""
        return f"{np.count_nonzero(self.is_common)} {self.noun}s"

    def of_counts(self, counts: Counts) -> Counts:
        """The counts of each unit."""
        if self.which is None:
            return counts
        return _added(counts, self.which, self.is_common.size)

    def of_chosen(self, counts: Counts) -> Units:
        """The units that are common, and what is counted of each."""
        some = counts.only(self.is_common) if self.which is None else counts
        noun, taken = f"{self.noun}s", self.of_counts(some).taken(self.is_common)
        return Units(noun, taken.sentences, taken)

    def added(self, rows: Ints) -> Ints:
        """Rows of common sentences, added up by unit; only units with any."""
        if self.which is None:
            return rows[self.is_common]
        sums = np.zeros((self.is_common.size, rows.shape[1]), rows.dtype)
        np.add.at(sums, self.which, rows)
        return sums[self.is_common]


class Units(NamedTuple):
    """What is resampled: what it is, how many there are, what is counted of each."""

    noun: str
    number: int
    counts: Counts  # by unit, or by bundles of units

    @property
    def setting(self) -> str:
        """What a signature says of it."""
        return f"{self.number} {self.noun}"

    def only(self, is_wanted: Callable[[str], bool]) -> Units:
        """The same units; what is not wanted does not count, in the total neither."""
        counts = self.counts
        wanted = np.array([is_wanted(name) for name in counts.names], np.bool_)
        rows = np.flatnonzero(wanted[counts.name])
        columns = counts.sentence[rows], counts.name[rows], counts.values[rows]
        return self._replace(counts=Counts(counts.names, counts.sentences, *columns))

    def named(self, names: Sequence[str]) -> Units:
        """The same units, and only the counts of these names, in this order."""
        place = {name: at for at, name in enumerate(names)}
        new = np.array([place.get(name, -1) for name in self.counts.names], np.int64)
        counts = self.only(place.__contains__).counts
        return self._replace(counts=counts._replace(names=names, name=new[counts.name]))

    def sums(
        self, columns: Floats, resamples: int = RESAMPLES, seed: int = SEED
    ) -> Floats | None:
        """Weighted sums of columns (units x anything): resamples x anything.

        None if there are too few units to say anything.
        """
        weights = _weights(self.counts.sentences, resamples, seed)
        return None if weights is None else weights @ columns

    def dense(self, fields: Sequence[str]) -> dict[str, Floats]:
        """Each field as units x names, and all names together as the last one."""
        counts = self.counts
        size = len(counts.names) + 1
        columns = counts.values.T if counts.sentences else [()] * len(fields)
        dense = {}
        for field, column in zip(fields, columns, strict=True):
            table = np.zeros((counts.sentences, size))
            table[counts.sentence, counts.name] = column
            table[:, -1] = table.sum(axis=1)
            dense[field] = table
        return dense

    def intervals(
        self,
        measure: Measure,
        fields: Sequence[str],
        resamples: int = RESAMPLES,
        seed: int = SEED,
    ) -> list[Interval]:
        """Of a measure: one for each name of the counts, the last of all together."""
        dense = self.dense(fields)
        numerator, denominator = measure.fraction(dense.__getitem__)
        size = len(self.counts.names) + 1
        sums = self.sums(np.hstack([numerator, denominator]), resamples, seed)
        if sums is None:
            return [UNKNOWN] * size
        with np.errstate(divide="ignore", invalid="ignore"):
            mean_size = denominator.sum(axis=0) / (denominator > 0).sum(axis=0)
            ratios = ratios_of(sums[:, :size], sums[:, size:], mean_size, seed)
            observed = numerator.sum(axis=0) / denominator.sum(axis=0)
        low, high = percentiles(ratios)
        low = np.where(observed == 0, 0.0, np.minimum(low, observed))
        high = np.where(observed == 1, 1.0, np.maximum(high, observed))
        return [
            UNKNOWN if np.isnan(middle) else Interval(start, end)
            for start, middle, end in zip(
                low.tolist(), observed.tolist(), high.tolist(), strict=True
            )
        ]


def ratios_of(hits: Floats, of: Floats, mean_size: Floats, seed: int) -> Floats:
    """Ratios of resampled sums, half a hit and half a miss added, each of such size."""
    more_hits, more_misses = (weights[:, None] for weights in half_units(len(of), seed))
    unit = np.sqrt(mean_size)
    return (hits + more_hits * unit) / (of + (more_hits + more_misses) * unit)


def lost_half_units(means: Floats, resamples: int, seed: int) -> list[Floats]:
    """Half a unit more in each resample: all, right, and wrong in three ways.

    Rare constructions need it: a difference between 1 of 1 and 0 of 1, or between 1 and
    none at all, may be luck. `means` are the same counts of a mean unit. Of its
    brackets, as many as the square root are right or wrong together, as often as not:
    wrong by the head, the right or the left edge.
    """
    of = means[0]
    together = np.sqrt(of)
    with np.errstate(invalid="ignore"):
        others = np.nan_to_num(means * (1 - together / of))
    weights = half_units(resamples, seed)[0][:, None]
    place = uniform(seed, -5, resamples)[:, None]
    ends = (0, 1 / 2, 2 / 3, 5 / 6, 1)
    is_in = [(low <= place) & (place < high) for low, high in pairwise(ends)]
    parts = zip(others[1:], is_in, strict=True)
    return [weights * of, *(weights * (mean + here * together) for mean, here in parts)]


def percentiles(values: Floats) -> tuple[Floats, Floats]:
    """The ends of the interval of each column: 95 % of its rows lie within.

    Digits that resampling cannot know, and processors compute otherwise, are cut off.
    """
    rows = len(values)
    first, last = int(rows * (1 - LEVEL) / 2), int(rows * (1 + LEVEL) / 2)
    ranked = np.partition(values, [first, last], axis=0)
    low, high = np.round(ranked[[first, last]], _DIGITS)
    return low, high


@lru_cache(8)
def _weights(units: int, resamples: int, seed: int) -> Floats | None:
    """A weight for each unit in each resample; None if there are too few units.

    Powers of exponential numbers (Weibull), of mean 1 and the variance that is wanted.
    """
    if units < 2:
        return None
    ratio = _NORMAL / _student(units - 1)
    precision = ((units - 1) * ratio**2 - 1) / units  # 1 / variance
    if precision <= 0:
        return None
    weights = -np.log(uniform(seed, units, resamples * units))
    if units < _MANY:
        power = _power(1 / precision)
        weights = weights**power / gamma(1 + power)
    return weights.reshape(resamples, units)


def _power(variance: float) -> float:
    """The power of an exponential number that has this variance, its mean being 1.

    >>> round(_power(1.0), 6), round(_power(5.0), 6)
    (1.0, 2.0)
    """
    low, high = 0.5, 8.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        if gamma(1 + 2 * middle) / gamma(1 + middle) ** 2 - 1 < variance:
            low = middle
        else:
            high = middle
    return low


@lru_cache(8)
def half_units(resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Two times the weights of half a unit, in each resample: Gamma(1/2)."""
    first, second = (
        -np.log(uniform(seed, at, resamples))
        * np.cos(2 * np.pi * uniform(seed, at + 1, resamples)) ** 2
        for at in (-2, -4)
    )
    return first, second


def uniform(seed: int, stream: int, size: int) -> Floats:
    """Random numbers between 0 and 1; the same on every machine, in every version."""
    start = mix(np.array([(seed << 32) + stream % (1 << 31)], np.uint64))
    words = mix(np.arange(size, dtype=np.uint64) + start)
    return ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53


def _student(freedom: int) -> float:
    """The quantile of 97.5 % of Student's distribution (Cornish and Fisher's series).

    >>> [round(_student(freedom), 2) for freedom in (4, 9, 30, 500)]
    [2.77, 2.26, 2.04, 1.96]
    """
    z = _NORMAL
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
