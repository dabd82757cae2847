"""What `spinal kernel` and `spinal discotk` print."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from analyzer.discotk.evaluation import CorrelationRow, Estimate, Evaluation, Model
from analyzer.discotk.functions import (
    MetricCorrelations,
    TranslationScores,
    TunedMetrics,
)
from analyzer.discotk.score_tables import ScoreTable
from analyzer.discotk.scoring import Combined
from analyzer.kernels.comparisons import Neighbour, PairValue
from analyzer.model.arrays import Floats
from analyzer.pairing.ledger import Ledger
from reports.model import Column, Figures, Table, Value, View, columns, table_of

_DIGITS = 6


def pairs_view(pairs: Sequence[PairValue], ledger: Ledger, signature: str) -> View:
    """The kernel of each pair of trees."""
    known = [pair.value for pair in pairs if pair.value is not None]
    notes = [ledger.text("compared", ("A", "B")), signature]
    exact = Table("kernel", columns("a=A | b=B | k=K"), pairs, notes=notes)

    def data() -> dict[str, Any]:
        return {
            "signature": signature,
            "pairs": exact.records(),
            "mean": sum(known) / len(known) if known else None,
            "ledger": ledger.as_json(),
        }

    return View([_rounded(exact)], data)


def nearest_view(neighbours: Sequence[Neighbour], signature: str) -> View:
    """The nearest trees of each tree."""
    fields = columns("a=A | rank:count | b=B | k=K")
    exact = Table("nearest", fields, neighbours, notes=[signature])
    data = {"signature": signature, "nearest": exact.records()}
    return View([_rounded(exact)], lambda: data)


def _rounded(table: Table) -> Table:
    """Its last column in significant digits: kernels range over many powers of ten."""
    rows = [
        [*row[:-1], None if row[-1] is None else f"{row[-1]:.{_DIGITS}g}"]
        for row in table.rows
    ]
    return replace(table, rows=rows)


def matrix_text(
    values: Floats, rows: Sequence[str], columns: Sequence[str], separator: str
) -> str:
    """The matrix with a heading and a first column of names; numbers in full.

    >>> import numpy as np
    >>> print(matrix_text(np.array([[1, 0.5]]), ["1"], ["1", "2"], ","), end="")
    tree,1,2
    1,1.0,0.5
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(["tree", *columns])
    for name, row in zip(rows, values.tolist(), strict=True):
        writer.writerow([name, *("" if value != value else value for value in row)])
    return out.getvalue()


# -- DiscoTK -----------------------------------------------------------------------

_SCORE_DIGITS = 4


def scores_view(scores: TranslationScores, *, with_segments: bool = False) -> View:
    """The scores of systems, for people; those of segments, for programs."""
    combined, signature = scores.combined, scores.signature
    segments = segment_table(combined.segments)
    tables = [system_table(combined.systems, signature)]
    data = partial(scores_json, combined, signature, scores.notes)
    return View([*tables, segments] if with_segments else tables, data, segments)


def tuning_view(tuned: TunedMetrics) -> View:
    """Correlations of learned weights, and the weights."""
    model, result, signature = tuned.model, tuned.evaluation, tuned.signature
    tables = [correlation_table(result, signature), weight_table(model, signature)]
    return View(tables, partial(tuning_json, model, result, signature))


def correlation_view(correlations: MetricCorrelations) -> View:
    """Correlations, with a plot of them."""
    result, signature = correlations.evaluation, correlations.signature

    def plots() -> Figures:
        from reports.plots.similarity import tau_figure

        return {"tau": tau_figure(result)}

    data = partial(correlation_json, result, signature)
    return View([correlation_table(result, signature)], data, plots=plots)


def system_table(table: ScoreTable, signature: str) -> Table:
    """One row a system: the mean of each score over segments."""
    means = table.system_means()
    notes = [f"means over {len(table.segments):,} segments"]
    return table_of(
        "discotk_systems",
        "System scores",
        [Column("system"), *_numbers(table.metrics)],
        [[name, *row] for name, row in zip(table.systems, means.tolist(), strict=True)],
        *([*notes, signature] if signature else notes),
    )


def segment_table(table: ScoreTable) -> Table:
    """One row a system and segment: what `read_scores` reads."""
    pair: list[Value] = [table.pair] if table.pair else []
    fields = columns("pair | system | segment" if pair else "system | segment")
    rows = [
        [*pair, system, segment, *values]
        for system, of_system in zip(table.systems, table.values.tolist(), strict=True)
        for segment, values in zip(table.segments, of_system, strict=True)
    ]
    shown = [*fields, *_numbers(table.metrics)]
    return table_of("discotk_segments", "Segment scores", shown, rows)


def correlation_table(result: Evaluation, signature: str) -> Table:
    """The paper's Table 1: tau at segment level, rho and r at system level."""
    several = len(result.comparisons) > 1
    with_ends = any(row.spearman.low is not None for row in result.rows)
    names = [f"tau_{name}" for name in result.variants]
    heads = [f"τ {name.upper()}" for name in result.variants]
    shown = ["pair", "metric"] if several else ["metric"]
    for name, head in zip([*names, "rho", "r"], [*heads, "ρ", "r"], strict=True):
        shown.append(f"{name}:number.{_SCORE_DIGITS}={head}")
        if with_ends:
            shown.append(f"{name}_low:number.3=low | {name}_high:number.3=high")
    shown.append("metric_ties:percent.1=ties %")
    counts = [
        f"{pair or 'rankings'}: {count:,} human comparisons, "
        f"{len(result.human[pair])} systems"
        for pair, count in result.comparisons.items()
    ]
    rows = [
        [row.pair, row.metric, *_cells(row, result.variants, with_ends=with_ends)]
        for row in result.rows
    ]
    return table_of(
        "correlations",
        "Correlation with human judgements",
        " | ".join(shown),
        rows if several else [row[1:] for row in rows],
        *counts,
        *result.notes,
        signature,
    )


def _cells(
    row: CorrelationRow, variants: tuple[str, ...], *, with_ends: bool
) -> list[Value]:
    estimates = [*(row.tau[name] for name in variants), row.spearman, row.pearson]
    if with_ends:
        return [*(value for estimate in estimates for value in estimate), row.ties]
    return [*(estimate.value for estimate in estimates), row.ties]


def weight_table(model: Model, signature: str) -> Table:
    """What each metric weighs in the learned combination."""
    return table_of(
        "weights",
        "Weights",
        "metric | weight:number.3",
        zip(model.metrics, model.weights, strict=True),
        f"learned from {model.comparisons:,} comparisons",
        signature,
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
    correlations = correlation_json(result, signature)
    return {"weights": weights, "learned_from": model.comparisons, **correlations}


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return estimate._asdict() if estimate.low is not None else {"value": estimate.value}


def _numbers(names: tuple[str, ...]) -> list[Column]:
    return [Column(name, unit="number", digits=_SCORE_DIGITS) for name in names]
