"""Discourse scores as tables and JSON, and in the layout of the papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from analyzer.analyses.rst_results import (
    DECISIONS,
    DEPENDENCY,
    MACRO,
    MICRO,
    PARSEVAL,
    SEGMENTATION,
    RstScores,
)
from analyzer.analyses.score import ConstructionScores
from analyzer.analyses.score_rows import TOTAL, row_of
from analyzer.metrics.constructions import ConstructionCounts
from analyzer.metrics.rst import CONSTITUENT_METRICS, DEPENDENCY_METRICS
from reports.model import Column, Table, Value, cells, stack
from reports.tables.constructions import (
    COLUMNS,
    DEFAULT_COLUMNS,
    construction_json,
)
from reports.tables.omissions import left_out_records, relation_labels_json
from reports.tables.recurring import convention_lines

ENCODINGS = {
    PARSEVAL: "RST-Parseval",
    DECISIONS: "attachment decisions",
    DEPENDENCY: "dependencies",
    SEGMENTATION: "segmentation",
}
_SHORT = {PARSEVAL: "", DECISIONS: "att ", DEPENDENCY: "", SEGMENTATION: ""}


def metric_heading(encoding: str, metric: str) -> str:
    """What a column is called that holds a metric.

    >>> metric_heading(DECISIONS, "S"), metric_heading(DEPENDENCY, "UAS")
    ('att S', 'UAS')
    """
    return f"{_SHORT[encoding]}{metric}"


def metric_table(scores: RstScores) -> Table:
    """Every metric: micro with its counts, and macro over documents."""
    by_key = {(row.encoding, row.metric, row.average): row for row in scores.rows}
    rows: list[list[Value]] = []
    for encoding, metric in scores.counts:
        micro = by_key[encoding, metric, MICRO]
        macro = by_key[encoding, metric, MACRO]
        rows.append(
            [
                ENCODINGS[encoding],
                metric,
                micro.matched,
                micro.gold,
                micro.predicted,
                micro.precision,
                micro.recall,
                micro.f1,
                macro.f1,
            ]
        )
    return Table(
        name="rst",
        title="Discourse scores",
        columns=(
            Column("encoding"),
            Column("metric"),
            Column("matched", unit="count"),
            Column("gold", unit="count"),
            Column("predicted", unit="count"),
            Column("precision", "micro P", "percent", 1),
            Column("recall", "micro R", "percent", 1),
            Column("f1", "micro F1", "percent", 1),
            Column("macro_f1", "macro F1", "percent", 1),
        ),
        rows=rows,
        notes=(
            "micro: counts summed over documents; macro: mean over documents",
            scores.scored_text(),
            str(scores.signature),
        ),
    )


def document_table(scores: RstScores) -> Table:
    """F1 of each document under each metric."""
    keys = list(scores.counts)
    values = {
        (row.document, row.encoding, row.metric): row.f1 for row in scores.document_rows
    }
    return Table(
        name="documents",
        title="F1 by document",
        columns=(
            Column("document"),
            *(
                Column(
                    f"{encoding}_{metric}", metric_heading(encoding, metric), "percent"
                )
                for encoding, metric in keys
            ),
        ),
        rows=[
            [name, *(values[name, encoding, metric] for encoding, metric in keys)]
            for name in scores.names
        ],
    )


def relation_tables(scores: RstScores) -> list[Table]:
    """F of each relation class, and the mean over classes (2017, section 5)."""
    tables = []
    for encoding in (PARSEVAL, DECISIONS):
        rows = [row for row in scores.relation_rows if row.encoding == encoding]
        known = [row.f1 for row in rows if row.f1 is not None and row.gold]
        mean = sum(known) / len(known) if known else None
        listed: list[list[Value]] = [list(row[1:]) for row in rows]
        listed.append(["mean over classes", None, None, None, None, None, mean])
        tables.append(
            Table(
                name=f"relations_{encoding}",
                title=f"By relation, {ENCODINGS[encoding]} (F: span, nuclearity, "
                "relation)",
                columns=(
                    Column("relation"),
                    Column("matched", unit="count"),
                    Column("gold", unit="count"),
                    Column("predicted", unit="count"),
                    Column("precision", unit="percent", digits=1),
                    Column("recall", unit="percent", digits=1),
                    Column("f1", "F1", "percent", 1),
                ),
                rows=listed,
            )
        )
    return tables


def construction_tables(scores: ConstructionScores) -> list[Table]:
    """The paper's Table 2 for discourse: schemas and links, each a family."""
    tables = []
    families = (
        (True, "schemas", "Schemas: units by relation and shape"),
        (False, "links", "Links: how the unit of each EDU attaches"),
    )
    columns = [COLUMNS[name] for name in ("construction", *DEFAULT_COLUMNS)]
    for is_schema, name, title in families:
        members = [row for row in scores.rows if row.recursive == is_schema]
        counts = [scores.tally.constructions[row.construction] for row in members]
        total = sum(one.gold for one in counts)
        rows = [
            row_of(row.construction, one, is_schema, total)
            for row, one in zip(members, counts, strict=True)
        ]
        sums = ConstructionCounts()
        for one in counts:
            sums = sums.plus(one)
        rows.append(row_of(TOTAL, sums, is_schema, total))
        tables.append(
            Table(
                name=name,
                title=title,
                columns=columns,
                rows=[cells(row, columns) for row in rows],
                notes=(
                    scores.scored_text(),
                    *(convention_lines(scores) if not is_schema else ()),
                    str(scores.signature),
                ),
            )
        )
    return tables


def published_tables(systems: Sequence[tuple[str, RstScores]]) -> list[Table]:
    """The papers' own tables: a line a parser, micro F1 (2018, Tables 1 to 3)."""
    layouts = (
        (PARSEVAL, CONSTITUENT_METRICS, "Table 1: RST-Parseval, micro F1"),
        (DECISIONS, CONSTITUENT_METRICS, "Table 2: attachment decisions, micro F1"),
        (DEPENDENCY, DEPENDENCY_METRICS, "Table 3: dependencies, micro F1"),
    )
    tables = []
    for encoding, metrics, title in layouts:
        rows: list[list[Value]] = []
        for name, scores in systems:
            f1 = {
                row.metric: row.f1
                for row in scores.rows
                if row.encoding == encoding and row.average == MICRO
            }
            rows.append([name, *(f1[metric] for metric in metrics)])
        tables.append(
            Table(
                name=f"published_{encoding}",
                title=title,
                columns=(
                    Column("parser"),
                    *(Column(metric, unit="percent", digits=1) for metric in metrics),
                ),
                rows=rows,
                notes=(
                    *(f"{name}: {scores.scored_text()}" for name, scores in systems),
                    str(systems[0][1].signature),
                ),
            )
        )
    return tables


def system_tables(
    systems: Sequence[tuple[str, RstScores]],
    *,
    by_document: bool = False,
    by_relation: bool = False,
    published: bool = False,
) -> tuple[list[Table], Table]:
    """The tables of each system, and the one of all systems that a CSV holds.

    One system alone needs no name.
    """
    tables = published_tables(systems) if published else []
    everyones = [(name, metric_table(scores)) for name, scores in systems]
    for (name, scores), (_, metrics) in zip(systems, everyones, strict=True):
        own = [] if published else [metrics]
        own += relation_tables(scores) if by_relation else []
        own += [document_table(scores)] if by_document else []
        tables += own if len(systems) == 1 else [_named(name, one) for one in own]
    if published or len(systems) == 1:
        return tables, tables[0]
    return tables, stack(everyones, Column("system"))


def _named(system: str, table: Table) -> Table:
    return replace(
        table, name=f"{table.name}_{system}", title=f"{table.title}: {system}"
    )


def systems_json(
    systems: Sequence[tuple[str, RstScores]], *, by_document: bool, by_relation: bool
) -> dict[str, Any]:
    """The object of `rst_scores_json`, or a list of them where there are several."""
    data = [
        rst_scores_json(scores, by_document=by_document, by_relation=by_relation)
        for _, scores in systems
    ]
    if len(systems) == 1:
        return data[0]
    named = []
    for (name, _), one in zip(systems, data, strict=True):
        for rows in ("rows", "documents", "relations"):
            if rows in one:
                one[rows] = [{"system": name, **row} for row in one[rows]]
        named.append({"system": name, **one})
    return {"systems": named}


def constructions_json(scores: ConstructionScores) -> dict[str, Any]:
    """The counts of schemas (recursive) and links; see docs/json.md."""
    data = construction_json(scores)
    names = (
        "constructions",
        "coverage",
        "conventions",
        "skipped",
        "ledger",
        "signature",
    )
    return {name: data[name] for name in (*names, "relation_labels") if name in data}


def rst_scores_json(
    scores: RstScores, *, by_document: bool, by_relation: bool
) -> dict[str, Any]:
    """The object that `spinal rst score --format json` writes; see docs/json.md."""
    data: dict[str, Any] = {
        "rows": [row._asdict() for row in scores.rows],
        "skipped": left_out_records(scores.left_out),
        "ledger": scores.ledger.as_json(),
        "signature": str(scores.signature),
        **relation_labels_json(scores.relation_hint),
    }
    if by_document:
        data["documents"] = [row._asdict() for row in scores.document_rows]
    if by_relation:
        data["relations"] = [row._asdict() for row in scores.relation_rows]
    return data
