"""Metrics against humans: tau at segment level, rho and r at system level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from analyzer.discotk.correlation import (
    Signs,
    better_signs,
    coefficients,
    expected_wins,
    pearson,
    spearman,
    variant_name,
)
from analyzer.discotk.score_table import ScoreTable
from analyzer.discotk.tuning import places
from analyzer.discotk.wmt_files import Comparisons
from analyzer.exceptions import PairingError
from analyzer.metrics.significance import DEFAULT_SEED, Statistics, bootstrap_interval
from analyzer.model.arrays import Floats

TABLE_VARIANTS = ("wmt12", "wmt13", "wmt14")
_LEVEL = 0.95


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
    system_scores: dict[str, dict[str, list[float]]]  # per pair and metric
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
    names = tuple(dict.fromkeys(variant_name(one) for one in variants))
    result = Evaluation(names, [], {}, {}, {})
    for table, system_table, one in zip(
        tables, system_tables or tables, human, strict=True
    ):
        given = None
        if human_scores is not None:
            given = human_scores.get(one.pair, human_scores.get(""))
            if given is None:
                raise PairingError(
                    "no human scores of systems for {pair}", code="E905", pair=one.pair
                )
        _evaluate_pair(result, table, system_table, one, given, resamples, seed)
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
            raise PairingError(
                "no human score for the system {absent}", code="E904", absent=absent[0]
            )
        people = np.array([given[name] for name in human.systems], np.float64)
    values = system_table.values[system]
    means = values.mean(axis=1)
    statistics = [_statistics(human, signs, name) for name in result.variants]
    taus = [one.scores for one in statistics]
    intervals = [_interval(one, resamples, seed) for one in statistics]
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
                {
                    name: _estimate(taus[n][place], intervals[n], place)
                    for n, name in enumerate(result.variants)
                },
                Estimate(spearman(means[:, place], people), *drawn[place][0]),
                Estimate(pearson(means[:, place], people), *drawn[place][1]),
                float((signs[:, place] == 0).mean()),
            )
        )
    result.comparisons[human.pair] = len(human)
    result.human[human.pair] = dict(zip(human.systems, people.tolist(), strict=True))
    result.system_scores[human.pair] = {
        metric: means[:, place].tolist() for place, metric in enumerate(table.metrics)
    }


def _statistics(human: Comparisons, signs: Signs, variant: str) -> Statistics:
    """tau's two sums, segment by segment: segments x metrics."""
    found = coefficients(human.sign[:, None], signs, variant)
    shape = (len(human.segments), found.shape[1])
    num, den = np.zeros(shape), np.zeros(shape)
    np.add.at(num, human.segment, np.nan_to_num(found))
    np.add.at(den, human.segment, ~np.isnan(found))
    return Statistics(num, den)


def _interval(
    statistics: Statistics, resamples: int, seed: int
) -> tuple[Floats, Floats] | None:
    if not resamples:
        return None
    nothing = Statistics(np.zeros_like(statistics.num), np.ones_like(statistics.den))
    return bootstrap_interval(nothing, statistics, resamples=resamples, seed=seed)


def _estimate(
    value: float, interval: tuple[Floats, Floats] | None, place: int
) -> Estimate:
    if interval is None:
        return Estimate(_known(value))
    return Estimate(*(_known(v) for v in (value, *(end[place] for end in interval))))


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
    found = np.full((resamples, metrics, 2), np.nan)
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
                found[sample, metric, place] = np.nan if value is None else value
    return [
        [_percentiles(found[:, m, place]) for place in (0, 1)] for m in range(metrics)
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
    values = [one.value for one in estimates if one.value is not None]
    complete = len(values) == len(estimates)
    return Estimate(float(np.mean(values)) if complete else None)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
