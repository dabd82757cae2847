"""How well metrics agree with people: tau of segments, rho and r of systems.

A comparison is two translations of a segment that a person ranked. tau is the sum of
its coefficients over the number of comparisons that count; the ways differ in what a
tie does. `<`: the first is better; X: the comparison does not count.

    human   metric:  WMT12      WMT13      WMT14      xties
                     < = >      < = >      < = >      < = >
      <              1 −1 −1    1 X −1     1 0 −1     1 0 −1
      =              X X X      X X X      X X X      0 1 0
      >             −1 −1 1    −1 X 1     −1 0 1     −1 0 1

WMT16 calls WMT14's way `noties` and xties `hties`; WMT20's Kendall-like tau is WMT12's
again, on differences of human scores. WMT10 and WMT11 counted as WMT14 does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.discotk.score_tables import (
    Comparisons,
    ScoreTable,
    fill_gaps,
    places,
    with_ties_broken,
)
from analyzer.exceptions import PairingError, SettingsError
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import DEFAULT_SEED, Pool, dense_pools, interval
from analyzer.model.arrays import Floats

Signs = npt.NDArray[np.int64]

_X = np.nan
# Rows: human <, =, >; columns: metric <, =, >.
_COEFFICIENTS: dict[str, Floats] = {
    "wmt12": np.array([[1, -1, -1], [_X, _X, _X], [-1, -1, 1]], np.float64),
    "wmt13": np.array([[1, _X, -1], [_X, _X, _X], [-1, _X, 1]], np.float64),
    "wmt14": np.array([[1, 0, -1], [_X, _X, _X], [-1, 0, 1]], np.float64),
    "xties": np.array([[1, 0, -1], [0, 1, 0], [-1, 0, 1]], np.float64),
}
TABLE_VARIANTS: tuple[str, ...] = ("wmt12", "wmt13", "wmt14")
_LEVEL = 0.95
VARIANTS = tuple(_COEFFICIENTS)
OTHER_NAMES = {
    "wmt10": "wmt14",
    "wmt11": "wmt14",
    "wmt16": "wmt14",
    "noties": "wmt14",
    "hties": "xties",
    "kendall-like": "wmt12",
    "wmt20": "wmt12",
}


# -- coefficients ----------------------------------------------------------------------


class Tau(NamedTuple):
    """tau as its two sums."""

    numerator: float
    denominator: float

    @property
    def value(self) -> float | None:
        """tau; None if no comparison counts."""
        return self.numerator / self.denominator if self.denominator else None


def variant_name(name: str) -> str:
    """The name under which a way of counting stands in the table above."""
    chosen = OTHER_NAMES.get(name.lower(), name.lower())
    if chosen not in _COEFFICIENTS:
        known = ", ".join([*VARIANTS, *OTHER_NAMES])
        raise SettingsError("E903 no Kendall's tau", name=name, known=known)
    return chosen


def coefficients(human: Signs, metric: Signs, variant: str) -> Floats:
    """The coefficient of each comparison, NaN where it does not count.

    Signs: -1 the first is better, 0 a tie, 1 the second is better.
    """
    return np.asarray(_COEFFICIENTS[variant_name(variant)][human + 1, metric + 1])


def tau(human: Signs, metric: Signs, variant: str = "wmt14") -> Tau:
    """Kendall's tau over comparisons.

    >>> human, metric = np.array([-1, -1, -1, 0, 0, 1]), np.array([-1, 1, 0, -1, 0, 1])
    >>> [tau(human, metric, way) for way in ("wmt12", "wmt13", "wmt14")]
    [Tau(numerator=0.0, denominator=4), Tau(numerator=1.0, denominator=3), \
Tau(numerator=1.0, denominator=4)]
    """
    values = coefficients(human, metric, variant)
    counts = ~np.isnan(values)
    return Tau(float(values[counts].sum()), int(counts.sum()))


def better_signs(first: Floats, second: Floats) -> Signs:
    """-1 where the first score is higher, 0 where they are equal, 1 otherwise."""
    return np.asarray(np.sign(second - first), np.int64)


def pearson(x: Floats, y: Floats) -> float | None:
    """Pearson's r; None for fewer than two points or a constant.

    >>> pearson(np.array([1.0, 2, 3]), np.array([2.0, 4, 6]))
    1.0
    """
    if x.size < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    a, b = x - x.mean(), y - y.mean()
    r = float((a @ b) / np.sqrt((a @ a) * (b @ b)))
    return min(1.0, max(-1.0, r))


def spearman(x: Floats, y: Floats) -> float | None:
    """Spearman's rho: Pearson's r of the ranks, equal values sharing their mean rank.

    >>> spearman(np.array([1.0, 5, 9]), np.array([10.0, 30, 20]))
    0.5
    """
    return pearson(ranks(x), ranks(y))


def ranks(values: Floats) -> Floats:
    """Ranks from 1, ties with the mean of theirs.

    >>> ranks(np.array([3.0, 1, 3])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[which.ravel()], np.float64)


def expected_wins(wins: Floats) -> Floats:
    """How likely each system beats another one; `wins[i, j]`: i ranked above j.

    The mean over opponents j of win_ij / (win_ij + win_ji); ties do not count, nor
    opponents that a system was never ranked against. NaN without opponents.

    >>> expected_wins(np.array([[0.0, 3], [1, 0]])).tolist()
    [0.75, 0.25]
    """
    met = wins + wins.T
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(met > 0, wins / met, 0.0)
        return np.asarray(share.sum(axis=1) / (met > 0).sum(axis=1), np.float64)


# -- metrics on language pairs ---------------------------------------------------------


class Estimate(NamedTuple):
    """A correlation, and its bootstrap interval if one was asked for."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class CorrelationRow:
    """One metric on one language pair."""

    pair: str
    metric: str
    tau: Mapping[str, Estimate]
    spearman: Estimate
    pearson: Estimate
    ties: float  # share of comparisons in which the metric ties


@dataclass(frozen=True)
class Evaluation:
    """All metrics on all language pairs; the means over pairs come last."""

    variants: tuple[str, ...]
    rows: list[CorrelationRow]
    comparisons: dict[str, int]
    human: dict[str, dict[str, float]]  # per pair and system
    notes: list[str] = field(default_factory=list)


def evaluate(
    tables: Sequence[ScoreTable],
    human: Sequence[Comparisons],
    *,
    variants: Sequence[str] = TABLE_VARIANTS,
    human_scores: Mapping[str, Mapping[str, float]] | None = None,
    system_tables: Sequence[ScoreTable] | None = None,
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
) -> Evaluation:
    """Correlations of every metric, language pair by language pair.

    A metric's system score is the mean over segments, of `system_tables` if given (a
    tuned metric's segment scores go through a sigmoid, its system scores do not). A
    system's human score is its expected wins in the rankings, unless it is given.
    Intervals: segments are drawn with replacement, with all that was said of them.
    """
    names = tuple(dict.fromkeys(variant_name(variant) for variant in variants))
    result = Evaluation(names, [], {}, {})
    for table, system_table, rankings in zip(
        tables, system_tables or tables, human, strict=True
    ):
        given = None
        if human_scores is not None:
            given = human_scores.get(rankings.pair, human_scores.get(""))
            if given is None:
                raise PairingError(
                    "E905 no human scores of systems for", pair=rankings.pair
                )
        _evaluate_pair(result, table, system_table, rankings, given, resamples, seed)
    if len(result.comparisons) > 1:
        result.rows.extend(_means(result))
    return result


def _evaluate_pair(
    result: Evaluation,
    table: ScoreTable,
    system_table: ScoreTable,
    human: Comparisons,
    given: Mapping[str, float] | None,
    resamples: int,
    seed: int,
) -> None:
    system, segment = places(table, human)
    if human.left_out:
        result.notes.append(
            f"{human.pair}: {human.left_out:,} pairs are without a rank, of one system "
            "or with the reference, and do not count"
        )
    extra = [name for name in table.systems if name not in set(human.systems)]
    if extra:
        shown = ", ".join(extra[:3]) + (", …" if len(extra) > 3 else "")
        result.notes.append(f"{human.pair}: nobody ranked {shown}; not used")
    at = segment[human.segment]
    first = table.values[system[human.first], at]
    second = table.values[system[human.second], at]
    signs = better_signs(first, second)  # comparisons x metrics
    wins = _wins(human)
    if given is None:
        people = expected_wins(wins.sum(axis=0))
    else:
        absent = [name for name in human.systems if name not in given]
        if absent:
            raise PairingError("E904 no human score for the system", absent=absent[0])
        people = np.array([given[name] for name in human.systems], np.float64)
    values = system_table.values[system]
    means = values.mean(axis=1)
    taus = {
        name: [
            _tau(pool, place, resamples, seed)
            for place, pool in enumerate(_pools(human, signs, name))
        ]
        for name in result.variants
    }
    # Segments that nobody ranked are drawn too: the system scores are means over all.
    by_segment = np.zeros((len(table.segments), *wins.shape[1:]))
    by_segment[segment] = wins
    drawn = _system_intervals(
        values, by_segment if given is None else None, people, resamples, seed
    )
    for place, metric in enumerate(table.metrics):
        result.rows.append(
            CorrelationRow(
                human.pair,
                metric,
                {name: estimates[place] for name, estimates in taus.items()},
                Estimate(spearman(means[:, place], people), *drawn[place][0]),
                Estimate(pearson(means[:, place], people), *drawn[place][1]),
                float((signs[:, place] == 0).mean()),
            )
        )
    result.comparisons[human.pair] = len(human)
    result.human[human.pair] = dict(zip(human.systems, people.tolist(), strict=True))


def _pools(human: Comparisons, signs: Signs, variant: str) -> list[Pool]:
    """tau's two sums, segment by segment, for each metric."""
    values = coefficients(human.sign[:, None], signs, variant)
    sums = np.zeros((2, len(human.segments), values.shape[1]), np.int64)
    np.add.at(sums[0], human.segment, np.nan_to_num(values).astype(np.int64))
    np.add.at(sums[1], human.segment, ~np.isnan(values))
    return dense_pools(sums)


def _tau(pool: Pool, place: int, resamples: int, seed: int) -> Estimate:
    concordance, comparisons = pool.sums.tolist()
    value = concordance / comparisons if comparisons else None
    if not resamples:
        return Estimate(value)
    ends = interval(pool, f"tau {place}", resamples=resamples, seed=seed)
    return Estimate(value, *ends)


def _wins(human: Comparisons) -> Floats:
    """Who was ranked above whom: segments x systems x systems."""
    size = len(human.systems)
    wins = np.zeros((len(human.segments), size, size))
    for sign, winner, loser in (
        (-1, human.first, human.second),
        (1, human.second, human.first),
    ):
        at = human.sign == sign
        np.add.at(wins, (human.segment[at], winner[at], loser[at]), 1.0)
    return wins


def _system_intervals(
    values: Floats, wins: Floats | None, people: Floats, resamples: int, seed: int
) -> list[list[tuple[float | None, float | None]]]:
    """Intervals of rho and r for each metric: Nones without resamples."""
    metrics = values.shape[2]
    if not resamples:
        return [[(None, None), (None, None)]] * metrics
    segments = values.shape[1]
    random = np.random.default_rng(seed)
    drawn_values = np.full((resamples, metrics, 2), np.nan)
    flat = values.transpose(1, 0, 2).reshape(segments, -1)
    for sample in range(resamples):
        drawn = random.integers(0, segments, segments)
        times = np.bincount(drawn, minlength=segments).astype(np.float64)
        means = (times @ flat).reshape(values.shape[0], metrics) / segments
        if wins is not None:
            won = times @ wins.reshape(segments, -1)
            people = expected_wins(won.reshape(wins.shape[1:]))
        for metric in range(metrics):
            for place, measure in enumerate((spearman, pearson)):
                value = measure(means[:, metric], people)
                drawn_values[sample, metric, place] = np.nan if value is None else value
    return [
        [_percentiles(drawn_values[:, m, place]) for place in (0, 1)]
        for m in range(metrics)
    ]


def _percentiles(values: Floats) -> tuple[float | None, float | None]:
    known = values[~np.isnan(values)]
    if not known.size:
        return None, None
    tail = (1 - _LEVEL) / 2
    low, high = np.quantile(known, [tail, 1 - tail]).tolist()
    return low, high


def _means(result: Evaluation) -> list[CorrelationRow]:
    """Plain means over language pairs, for the metrics that all pairs have."""
    rows = []
    for metric in dict.fromkeys(row.metric for row in result.rows):
        same = [row for row in result.rows if row.metric == metric]
        if len(same) < len(result.comparisons):
            result.notes.append(f"{metric}: not on all language pairs, so no mean")
            continue
        rows.append(
            CorrelationRow(
                "mean",
                metric,
                {
                    name: _mean([row.tau[name] for row in same])
                    for name in result.variants
                },
                _mean([row.spearman for row in same]),
                _mean([row.pearson for row in same]),
                float(np.mean([row.ties for row in same])),
            )
        )
    return rows


def _mean(estimates: Sequence[Estimate]) -> Estimate:
    values = [estimate.value for estimate in estimates if estimate.value is not None]
    complete = len(values) == len(estimates)
    return Estimate(float(np.mean(values)) if complete else None)


def correlate(
    tables: Sequence[ScoreTable],
    human: Sequence[Comparisons],
    *,
    variants: Sequence[str] = TABLE_VARIANTS,
    human_scores: Mapping[str, Mapping[str, float]] | None = None,
    only: Sequence[str] | None = None,
    break_ties: bool = False,
    missing: str = "error",
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
    notes: list[str] | None = None,
) -> tuple[Evaluation, Signature]:
    """The correlations of metrics with people, language pair by language pair."""
    if resamples < 0:
        raise SettingsError(
            "E907 --bootstrap must be 0 or more, not", resamples=resamples
        )
    chosen = [table.select(only) for table in tables] if only else tables
    whole = [fill_gaps(table, missing=missing, notes=notes) for table in chosen]
    evaluation = evaluate(
        [with_ties_broken(table) for table in whole] if break_ties else whole,
        human,
        variants=variants,
        human_scores=human_scores,
        system_tables=whole,
        resamples=resamples,
        seed=seed,
    )
    signature = Signature.of(
        scorer="correlate",
        tau=evaluation.variants,
        human="expected-wins" if human_scores is None else "given",
        break_ties=break_ties,
        missing=missing,
        bootstrap=resamples,
        seed=seed,
    )
    return evaluation, signature
