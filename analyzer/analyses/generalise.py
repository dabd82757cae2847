"""How a parser generalises from its training data: `generalise`.

A parser is tried on the data it was trained on (TRAIN), on other data of the same kind
(DEV), and on data of another kind. What it misses on the last of these, in points of
F-s, splits exactly into stages: for each construction, with its weight w in the last
data set (its share of gold's and the parser's brackets there) and its scores r,

    not learnt        missed on its own training data     w (1 - r of TRAIN)
    not generalised   learnt, but missed on DEV           w (r of TRAIN - r of DEV)
    lost              found on DEV, missed on new data    w (r of DEV - r there)

Over all stages and constructions that is 1 - F-s. Weights are those of one data set, so
that a construction's frequency is in no stage; what the other frequencies make of a
score is told beside it (`distribution`). What a data set does not have keeps the score
of the next data set that has it: a construction that TRAIN lacks was not learnt from
it. Each stage is also told by kind of error, as `domain_gap` has them.

Sums are fractions, so that the parts add up. Intervals are of resampled documents where
a data set has ten or more, else of sentences; all constructions are drawn together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt

from analyzer.analyses.compared import frame_of, require_draws
from analyzer.analyses.domain_gap import (
    Datasets,
    Domain,
    ScoredDomains,
    datasets_of,
    drawn_units,
)
from analyzer.analyses.opening import (
    ScoringOptions,
    TreeReading,
    name_of,
    scoring_keywords,
)
from analyzer.analyses.score import score_derived
from analyzer.exceptions import Place, SettingsError
from analyzer.metrics.constructions import COUNTS
from analyzer.metrics.intervals import (
    Interval,
    Units,
    lost_half_units,
    percentiles,
)
from analyzer.metrics.measures import TOTAL
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import DEFAULT_SEED
from analyzer.model.arrays import Floats, Value
from analyzer.model.settings import require_number
from analyzer.runtime.executor import Backend

if TYPE_CHECKING:
    import pandas as pd

STAGES = ("not_learnt", "not_generalised", "lost")
WHOLE = "whole"  # all stages together
KINDS = ("head", "right", "left")
ALL = "all"  # kinds together
RESAMPLES = 1000
LEAST_GOLD = 20  # of a construction whose F-h is correlated
_FEWEST_CORRELATED = 3
_NORMAL = 1.959964  # standard deviations that hold 95 % of a normal distribution
_Numbers = npt.NDArray[Any]  # floats, or fractions


class Points(NamedTuple):
    """A part of what is missing, or a difference, and its 95 % interval."""

    points: Fraction
    low: float | None
    high: float | None

    @property
    def is_certain(self) -> bool:
        """Whether the interval excludes 0."""
        return Interval(self.low, self.high).excludes_zero


def _points(points: Fraction, *ends: Any) -> Points:
    """Points and the ends of their interval, which may be unknown."""
    low, high = (None if np.isnan(end) else float(end) for end in ends)
    return Points(points, low, high)


class Correlation(NamedTuple):
    """Pearson's r of F-h, over constructions that both data sets have often enough."""

    first: str
    second: str
    constructions: int
    r: float | None  # None where it is undefined
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class Target(Value):
    """What is missing on a data set, by construction, stage and kind of error.

    The arrays have all of these, and last, along each axis, their sum.
    """

    name: str
    before: str  # the data set of the stage before its own
    constructions: list[str]  # that which most is missing of first
    stages: tuple[str, ...]
    points: npt.NDArray[np.object_]  # fractions: constructions x stages x kinds
    low: Floats
    high: Floats
    distribution: Points  # what other frequencies alone make of the score before

    def at(
        self, construction: str = TOTAL, stage: str = WHOLE, kind: str = ALL
    ) -> Points:
        """The points of one construction at one stage, by one kind of error."""
        place = (
            [*self.constructions, TOTAL].index(construction),
            [*self.stages, WHOLE].index(stage),
            [*KINDS, ALL].index(kind),
        )
        return _points(self.points[place], self.low[place], self.high[place])


def _counted(units: Units, constructions: Sequence[str]) -> Floats:
    """Of units x constructions: all brackets, then those matched, each counted twice.

    By their heads, with the right edge as well, with both edges.
    """
    counts = units.named(constructions).dense(COUNTS)
    matches = ("matched_h", "matched_span_right", "matched_s")
    columns = [
        counts["gold"] + counts["parsed"],
        *(2 * counts[name] for name in matches),
    ]
    return np.stack(columns, axis=-1)[:, :-1]  # without their total


def _drawn(units: Units, rows: Floats, resamples: int, seed: int) -> Floats:
    """The sums of resampled units; nan if there are too few units."""
    size, *shape = rows.shape
    sums = units.sums(rows.reshape(size, -1), resamples, seed)
    if sums is None:
        return np.full((resamples, *shape), np.nan)
    return sums.reshape(resamples, *shape)


def _padded(rows: Sequence[Floats], draws: Sequence[Floats], seed: int) -> list[Floats]:
    """Resamples of several sets, each with half a unit more of every construction."""
    having = sum(np.count_nonzero(row[..., 0], axis=0) for row in rows)
    sums = np.sum([row.sum(axis=0) for row in rows], axis=0).T
    lost = [sums[0], sums[-1], *(a - b for a, b in pairwise(sums))]
    means = np.stack(lost) / np.maximum(having, 1)
    padded = []
    for at, drawn in enumerate(draws):
        all_of, _, head, right, left = lost_half_units(means, len(drawn), seed + at)
        kept = [all_of, all_of - head, all_of - head - right]
        padded.append(drawn + np.stack([*kept, kept[-1] - left], axis=-1))
    return padded


def stage_points(sets: Sequence[_Numbers], whole: _Numbers | None = None) -> _Numbers:
    """What is missing in the last set: constructions x stages x kinds, with their sums.

    A set has a row for each construction: all brackets, those with the right head, with
    the right edge as well, with both edges; axes before these are kept. `whole`: all
    brackets of the last set, if they are not the sum of its rows.
    """
    target = sets[-1]
    if whole is None:
        whole = target[..., 0].sum(axis=-1, keepdims=True)
    weight = target[..., 0] / whole
    rate = np.zeros_like(target[..., 1:]) * weight[..., None]
    # From the last set backwards: a set without a construction gets the rates of the
    # set that comes after it.
    rates = []
    for numbers in reversed(sets):
        has = (numbers[..., 0] > 0)[..., None]
        missing = numbers[..., :-1] - numbers[..., 1:]
        rate = np.where(has, missing / np.where(has, numbers[..., :1], 1), rate)
        rates.append(rate)
    rates.reverse()
    steps = [rates[0], *(b - a for a, b in pairwise(rates))]
    points: _Numbers = np.stack(steps, axis=-2) * weight[..., None, None]
    for axis in (-1, -2, -3):
        sums = points.sum(axis=axis, keepdims=True)
        points = np.concatenate([points, sums], axis=axis)
    return points


def _other_frequencies(sets: Sequence[_Numbers], points: _Numbers) -> Any:
    """How the last set's frequencies alone would change the score of the one before."""
    before = sets[-2]
    score = before[..., -1].sum(axis=-1) / before[..., 0].sum(axis=-1)
    missing = points[..., -1, :-2, -1].sum(axis=-1)
    return 1 - missing - score


@dataclass(frozen=True, eq=False, repr=False)
class Generalisation(ScoredDomains):
    """What `generalise` returns: what a parser misses, and at what stage.

    Its data sets are TRAIN, DEV, and what else there is.
    """

    targets: list[Target]  # DEV, and what else there is
    correlations: list[Correlation]
    units: dict[str, tuple[int, str]]  # of each data set, what is drawn
    min_gold: int
    resamples: int
    seed: int

    @property
    def signature(self) -> Signature:
        """How the numbers were obtained."""
        return self.domains[0].scores.signature.replace(
            scorer="generalise",
            intervals=drawn_units(self.domains),
            resamples=self.resamples,
            seed=self.seed,
            correlated_from=self.min_gold,
        )

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """A row for each data set, construction, stage and kind, sums included."""
        return [
            (target.name, construction, stage, kind, float(point.points), *point[1:])
            for target in self.targets
            for construction in (*target.constructions, TOTAL)
            for stage in (*target.stages, WHOLE)
            for kind in (*KINDS, ALL)
            for point in [target.at(construction, stage, kind)]
        ]

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame: points of F-s, as numbers from -1 to 1."""
        names = ("data_set", "construction", "stage", "kind", "points", "low", "high")
        return frame_of(self.rows, names)

    def correlations_frame(self) -> pd.DataFrame:
        """The correlations of F-h between data sets."""
        return frame_of(self.correlations, Correlation._fields)


@scoring_keywords
def generalise(
    datasets: Datasets,
    *,
    min_gold: int = LEAST_GOLD,
    resamples: int = RESAMPLES,
    seed: int = DEFAULT_SEED,
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[ScoringOptions],
) -> Generalisation:
    """What a parser has not learnt, what it does not generalise, what it loses.

    The data sets are (name, gold, parsed): that which the parser was trained on, other
    data of its kind, and any number of other kinds. F-h is correlated over the
    constructions that both data sets have `min_gold` times in gold, or more.
    `ScoringOptions` lists the other options: `units` names the documents of each data
    set, as {"dev": "dev.tsv:document"}; without it, files and names of sentences tell.

    >>> gold = "(S (NP (PRP I)) (VP (VBP see) (NP (NNS birds))))"
    >>> flat = "(S (NP (PRP I)) (VP (VBP see) (NNS birds)))"
    >>> result = generalise([("train", gold, gold), ("dev", gold, flat)], resamples=10)
    >>> result.targets[0].at(stage="not_learnt").points
    Fraction(0, 1)
    >>> result.targets[0].at("NP-t", "not_generalised").points
    Fraction(1, 7)
    """
    require_draws(resamples, seed)
    require_number("min_gold", min_gold, least=1)
    listed = datasets_of(datasets)
    names = [name for name, *_ in listed]
    if len(names) < 2:
        raise SettingsError(
            "E680 expected training data and other data, each", n=len(names)
        )
    reading, backend = TreeReading(**options), backend or Backend(jobs)
    deriver = None
    domains: list[Domain] = []
    for name, *sides in listed:
        gold, parsed = reading.resolve(sides[0]), reading.resolve(sides[1])
        deriver = deriver or reading.deriver_for(gold)
        of_set = reading.of_data_set(name, names)
        scores = score_derived(gold, parsed, deriver, of_set, backend)
        if error := scores.ledger.lengths_differ:
            raise error.at(Place(name_of(parsed)))
        if not scores.tally.brackets.gold:
            why = scores.ledger.text()
            raise SettingsError("E681 nothing of the data set", name=name, ledger=why)
        domains.append(Domain(name, scores))
        reading.warn_left_out(scores.ledger, name)
    constructions = sorted(
        {name for domain in domains for name in domain.scores.tally.constructions}
    )
    units = [domain.scores.units for domain in domains]
    rows = [_counted(set_units, constructions) for set_units in units]
    draws = [
        _drawn(set_units, of_set, resamples, seed + at)
        for at, (set_units, of_set) in enumerate(zip(units, rows, strict=True))
    ]
    with np.errstate(divide="ignore", invalid="ignore"):
        targets = [
            _target(names, constructions, rows, draws, at, seed)
            for at in range(1, len(names))
        ]
    sizes = {
        name: (set_units.number, set_units.noun.removesuffix("s"))
        for name, set_units in zip(names, units, strict=True)
    }
    correlations = [_correlation(*pair, min_gold) for pair in combinations(domains, 2)]
    return Generalisation(
        domains, targets, correlations, sizes, min_gold, resamples, seed
    )


def _target(
    names: Sequence[str],
    constructions: Sequence[str],
    rows: Sequence[Floats],
    draws: Sequence[Floats],
    at: int,
    seed: int,
) -> Target:
    """What is missing on the data set with that number."""
    path = [0, 1, at] if at > 1 else [0, 1]
    sums = [rows[number].sum(axis=0).astype(np.int64) for number in path]
    exact = [np.vectorize(Fraction, otypes=[object])(set_sums) for set_sums in sums]
    resampled = [draws[number] for number in path]
    points, drawn = stage_points(exact), stage_points(resampled)
    # Rare constructions: see `lost_half_units`. Their sums need no more.
    padded = _padded([rows[number] for number in path], resampled, seed)
    whole = resampled[-1][..., 0].sum(axis=-1, keepdims=True)
    drawn[:, :-1] = stage_points(padded, whole)[:, :-1]
    low, high = percentiles(drawn)
    frequencies = percentiles(_other_frequencies(resampled, drawn))
    present = np.flatnonzero(sums[-1][:, 0])
    order = sorted(present.tolist(), key=lambda row: (-points[row, -1, -1], row))
    places = [*order, -1]
    return Target(
        names[at],
        names[path[-2]],
        [constructions[row] for row in order],
        STAGES[: len(path)],
        points[places],
        low[places],
        high[places],
        _points(_other_frequencies(exact, points), *frequencies),
    )


def _correlation(domain: Domain, other: Domain, min_gold: int) -> Correlation:
    """How the F-h of two data sets go together, construction by construction.

    The interval is Fisher's: constructions are what is drawn. Resampled sentences would
    add their own noise to both F-h, which makes every correlation smaller.
    """
    there = {row.construction: row for row in other.scores.rows}
    both = [
        (row.f_h, there[row.construction].f_h)
        for row in domain.scores.rows
        if row.construction in there
        and min(row.gold, there[row.construction].gold) >= min_gold
    ]
    nothing = Correlation(domain.name, other.name, len(both), None, None, None)
    if len(both) < _FEWEST_CORRELATED:
        return nothing
    x, y = (np.array(side) - np.mean(side) for side in zip(*both, strict=True))
    spread = float(np.sqrt((x @ x) * (y @ y)))
    if not spread:
        return nothing
    r = min(1.0, max(-1.0, float(x @ y) / spread))
    if len(both) == _FEWEST_CORRELATED or abs(r) == 1:
        return nothing._replace(r=r)
    reach = _NORMAL / np.sqrt(len(both) - 3)
    low, high = (float(np.tanh(np.arctanh(r) + by)) for by in (-reach, reach))
    return nothing._replace(r=r, low=low, high=high)
