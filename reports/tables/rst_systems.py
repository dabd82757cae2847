"""The metrics of discourse parsers side by side, and which differences are real."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analyzer.analyses.rst_results import MICRO
from analyzer.analyses.rst_systems import (
    COMPARED,
    DocumentComparison,
    MetricDifference,
)
from analyzer.analyses.system_rows import DifferenceRow
from analyzer.analyses.systems import SystemComparison
from reports.model import Column, Table, Value
from reports.tables.rst_scores import ENCODINGS, metric_heading
from reports.tables.systems import difference_columns, verdict

_WHAT = {"document": "documents", "decision": "spans and EDUs"}


def metric_leaderboard(result: DocumentComparison) -> Table:
    """One row a system: micro F1 of each metric."""
    keys = [
        (encoding, metric) for encoding in COMPARED for metric in COMPARED[encoding]
    ]
    rows: list[list[Value]] = []
    for name, scores in result.scores.items():
        f1 = {
            (row.encoding, row.metric): row.f1
            for row in scores.rows
            if row.average == MICRO
        }
        rows.append([name, *(f1[key] for key in keys)])
    return Table(
        name="metrics",
        title="Discourse metrics, micro F1",
        columns=(
            Column("system"),
            *(
                Column(f"{key[0]}_{key[1]}", metric_heading(*key), "percent", 1)
                for key in keys
            ),
        ),
        rows=rows,
        notes=(str(result.signature),),
    )


def all_differences(
    result: SystemComparison,
    constructions: Mapping[str, Sequence[DifferenceRow]],
    metrics: Mapping[str, Sequence[MetricDifference]],
    metric: str,
) -> Table:
    """Metrics and constructions of all systems in one table, for programs."""
    rows: list[list[Value]] = []
    for system, of_system in metrics.items():
        rows += [
            [system, row.paired_by, row.encoding, row.metric, None, *row[3:]]
            for row in of_system
        ]
        rows += [
            [system, "document", "constructions", metric, *row]
            for row in constructions[system]
        ]
    return Table(
        name="all_differences",
        title=f"{result.baseline.name} and the others",
        columns=(
            Column("system"),
            Column("paired_by"),
            Column("encoding"),
            Column("metric"),
            Column("construction"),
            Column("gold", unit="count"),
            Column("score_a", unit="percent"),
            Column("score_b", unit="percent"),
            Column("difference", unit="points"),
            Column("low", unit="points"),
            Column("high", unit="points"),
            Column("p_value", unit="number", digits=4),
            Column("p_corrected", unit="number", digits=4),
        ),
        rows=rows,
    )


def metric_difference_tables(
    result: DocumentComparison, system: str, rows: Sequence[MetricDifference]
) -> list[Table]:
    """Each metric of two systems: by document, and by decision."""
    baseline = next(iter(result.scores))
    tables = []
    for paired_by, what in _WHAT.items():
        tables.append(
            Table(
                name=f"metrics_by_{paired_by}_{system}",
                title=f"Discourse metrics, paired by {paired_by}: "
                f"{baseline} and {system}",
                columns=(
                    Column("encoding"),
                    Column("metric"),
                    *difference_columns(baseline, system),
                ),
                rows=[
                    [ENCODINGS[row.encoding], *row[2:], verdict(row)]
                    for row in rows
                    if row.paired_by == paired_by
                ],
                notes=(
                    f"{system} minus {baseline}, micro F1; {what} are resampled; "
                    "interval: paired bootstrap, 95 %; p: approximate randomisation, "
                    f"{result.resamples:,} resamples; corrected: Holm over the metrics",
                ),
            )
        )
    return tables
