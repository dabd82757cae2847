"""Segment scores as one array: systems x segments x metrics, NaN where missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analyzer.exceptions import InputError, PairingError, SettingsError
from analyzer.model.arrays import Floats
from analyzer.safe_text import counted

_NAMED = 3


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """The scores of one language pair; higher is better."""

    pair: str  # such as fr-en; '' if the file did not say
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    metrics: tuple[str, ...]
    values: Floats  # systems x segments x metrics

    def column(self, metric: str) -> Floats:
        """A metric's values, systems x segments."""
        if metric not in self.metrics:
            known = ", ".join(self.metrics)
            raise SettingsError(
                "no metric {metric!r}; there are {known}",
                code="E914",
                metric=metric,
                known=known,
            )
        return np.asarray(self.values[:, :, self.metrics.index(metric)], np.float64)

    def select(self, metrics: Sequence[str]) -> ScoreTable:
        """Some of the metrics, in the order asked for."""
        columns = [self.column(metric) for metric in metrics]
        return self.with_values(metrics, np.stack(columns, axis=2))

    def with_values(self, metrics: Sequence[str], values: Floats) -> ScoreTable:
        return ScoreTable(
            self.pair, self.systems, self.segments, tuple(metrics), values
        )

    def system_means(self) -> Floats:
        """System scores, systems x metrics: the mean over segments."""
        return np.asarray(self.values.mean(axis=1), np.float64)


def join_tables(first: ScoreTable, second: ScoreTable) -> ScoreTable:
    """Metrics of two tables side by side, on the systems and segments of the first.

    What the second does not have is missing there (NaN), for `fill_gaps` to judge; a
    system it does not have at all is an error.
    """
    twice = sorted(set(first.metrics) & set(second.metrics))
    if twice:
        raise SettingsError(
            "the metric {twice} is given twice; rename one", code="E912", twice=twice[0]
        )
    absent = [name for name in first.systems if name not in set(second.systems)]
    if absent:
        raise PairingError(
            "no scores of {metrics:list} for {some_1}; there are {some}",
            code="E913",
            metrics=second.metrics,
            some_1=_some(absent),
            some=_some(list(second.systems)),
        )
    segment_at = {name: place for place, name in enumerate(second.segments)}
    rows = [second.systems.index(name) for name in first.systems]
    here = [at for at, name in enumerate(first.segments) if name in segment_at]
    there = [segment_at[first.segments[at]] for at in here]
    shape = (len(first.systems), len(first.segments), len(second.metrics))
    more = np.full(shape, np.nan)
    more[:, here] = second.values[np.ix_(rows, there)]
    return first.with_values(
        (*first.metrics, *second.metrics), np.concatenate([first.values, more], axis=2)
    )


def fill_gaps(
    table: ScoreTable, *, missing: str = "error", notes: list[str] | None = None
) -> ScoreTable:
    """The table without gaps.

    `missing="error"`: a missing value is an error that names the first ones.
    `missing="worst"`: it becomes the metric's lowest value, and a note says how many.
    A metric without any value is always an error.
    """
    values = table.values.copy()
    for place, metric in enumerate(table.metrics):
        column = values[:, :, place]
        gaps = np.argwhere(np.isnan(column))
        if not len(gaps):
            continue
        amount = counted(len(gaps), "value")
        if len(gaps) == column.size:
            raise InputError(
                "{metric} has no value for any system and segment",
                code="E915",
                metric=metric,
            )
        if missing == "error":
            named = [
                f"{table.systems[system]} segment {table.segments[segment]}"
                for system, segment in gaps[:_NAMED].tolist()
            ]
            raise PairingError(
                "{metric} lacks {amount}: {some}; --missing worst takes "
                "its lowest value",
                code="E916",
                metric=metric,
                amount=amount,
                some=_some(named, len(gaps)),
            )
        column[np.isnan(column)] = np.nanmin(column)
        if notes is not None:
            notes.append(f"{metric}: {amount} missing, taken as its lowest")
    return table.with_values(table.metrics, values)


def min_max(table: ScoreTable, *, notes: list[str] | None = None) -> ScoreTable:
    """x' = (x - min) / (max - min) over all systems and segments, metric by metric.

    A constant metric (max = min) says nothing: it becomes 0, and a note tells.
    """
    low = table.values.min(axis=(0, 1))
    spread = table.values.max(axis=(0, 1)) - low
    for metric, width in zip(table.metrics, spread.tolist(), strict=True):
        if not np.isfinite(width):
            raise InputError(
                "{metric} has values that are not finite", code="E917", metric=metric
            )
        if width == 0 and notes is not None:
            notes.append(f"{metric} is constant (max = min): counted as 0 throughout")
    scaled = (table.values - low) / np.where(spread > 0, spread, 1.0)
    return table.with_values(table.metrics, scaled)


def _some(names: Sequence[str], total: int = 0) -> str:
    rest = max(total, len(names)) - min(len(names), _NAMED)
    shown = ", ".join(names[:_NAMED])
    return f"{shown} and {rest:,} more" if rest else shown
