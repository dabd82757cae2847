"""DiscoTK's scores and correlations as tables and JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.discotk.evaluation import CorrelationRow, Estimate, Evaluation
from analyzer.discotk.score_table import ScoreTable
from analyzer.discotk.scoring import Combined
from analyzer.discotk.tuning import Model
from reports.model import Column, Table, Value

_DIGITS = 4


def system_table(table: ScoreTable, signature: str) -> Table:
    """One row a system: the mean of each score over segments."""
    means = table.system_means()
    notes = [f"means over {len(table.segments):,} segments"]
    return Table(
        name="discotk_systems",
        title="System scores",
        columns=(Column("system"), *_numbers(table.metrics)),
        rows=[
            [name, *means[place].tolist()] for place, name in enumerate(table.systems)
        ],
        notes=[*notes, signature] if signature else notes,
    )


def segment_table(table: ScoreTable) -> Table:
    """One row a system and segment: what `read_scores` reads."""
    has_pair = [Column("pair")] if table.pair else []
    rows: list[list[Value]] = []
    for place, system in enumerate(table.systems):
        for at, segment in enumerate(table.segments):
            before: list[Value] = [table.pair] if table.pair else []
            values = table.values[place, at].tolist()
            rows.append([*before, system, segment, *values])
    return Table(
        name="discotk_segments",
        title="Segment scores",
        columns=(
            *has_pair,
            Column("system"),
            Column("segment"),
            *_numbers(table.metrics),
        ),
        rows=rows,
    )


def correlation_table(result: Evaluation, signature: str) -> Table:
    """The paper's Table 1: tau at segment level, rho and r at system level."""
    several = len(result.comparisons) > 1
    with_ends = any(row.spearman.low is not None for row in result.rows)
    names = [f"tau_{name}" for name in result.variants]
    heads = [f"τ {name.upper()}" for name in result.variants]
    columns = [Column("pair"), Column("metric")] if several else [Column("metric")]
    for name, head in zip([*names, "rho", "r"], [*heads, "ρ", "r"], strict=True):
        columns.append(Column(name, head, "number", _DIGITS))
        if with_ends:
            columns.append(Column(f"{name}_low", "low", "number", 3))
            columns.append(Column(f"{name}_high", "high", "number", 3))
    columns.append(Column("metric_ties", "ties %", "percent", 1))
    counts = [
        f"{pair or 'rankings'}: {count:,} human comparisons, "
        f"{len(result.human[pair])} systems"
        for pair, count in result.comparisons.items()
    ]
    return Table(
        name="correlations",
        title="Correlation with human judgements",
        columns=columns,
        rows=[
            [
                *([row.pair] if several else []),
                row.metric,
                *_cells(row, result.variants, with_ends=with_ends),
                row.ties,
            ]
            for row in result.rows
        ],
        notes=[*counts, *result.notes, signature],
    )


def _cells(
    row: CorrelationRow, variants: tuple[str, ...], *, with_ends: bool
) -> list[Value]:
    estimates = [*(row.tau[name] for name in variants), row.spearman, row.pearson]
    if with_ends:
        return [value for one in estimates for value in one]
    return [one.value for one in estimates]


def weight_table(model: Model, signature: str) -> Table:
    """What each metric weighs in the learned combination."""
    return Table(
        name="weights",
        title="Weights",
        columns=(Column("metric"), Column("weight", unit="number", digits=3)),
        rows=[list(pair) for pair in zip(model.metrics, model.weights, strict=True)],
        notes=[f"learned from {model.comparisons:,} comparisons", signature],
    )


def scores_json(combined: Combined, signature: str, notes: list[str]) -> dict[str, Any]:
    """The object that `spinal discotk score --format json` writes."""
    table, means = combined.segments, combined.systems.system_means()
    return {
        "signature": signature,
        "pair": table.pair,
        "metrics": list(table.metrics),
        "notes": notes,
        "systems": [
            {
                "system": name,
                "scores": dict(zip(table.metrics, means[n].tolist(), strict=True)),
                "segments": {
                    segment: np.asarray(table.values[n, at]).tolist()
                    for at, segment in enumerate(table.segments)
                },
            }
            for n, name in enumerate(table.systems)
        ],
    }


def correlation_json(result: Evaluation, signature: str) -> dict[str, Any]:
    """The object that `spinal discotk correlate --format json` writes."""
    return {
        "signature": signature,
        "comparisons": result.comparisons,
        "human": result.human,
        "notes": result.notes,
        "rows": [
            {
                "pair": row.pair,
                "metric": row.metric,
                "tau": {name: _estimate(row.tau[name]) for name in result.variants},
                "spearman": _estimate(row.spearman),
                "pearson": _estimate(row.pearson),
                "metric_ties": row.ties,
            }
            for row in result.rows
        ],
    }


def tuning_json(model: Model, result: Evaluation, signature: str) -> dict[str, Any]:
    """The object that `spinal discotk tune --format json` writes."""
    weights = dict(zip(model.metrics, model.weights, strict=True))
    found = correlation_json(result, signature)
    return {"weights": weights, "learned_from": model.comparisons, **found}


def _estimate(one: Estimate) -> dict[str, float | None]:
    return one._asdict() if one.low is not None else {"value": one.value}


def _numbers(names: tuple[str, ...]) -> list[Column]:
    return [Column(name, unit="number", digits=_DIGITS) for name in names]
