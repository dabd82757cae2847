"""Construction scores as tables and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.analyses.score import ConstructionScores
from analyzer.analyses.score_rows import ConstructionRow, SentenceRow
from analyzer.exceptions import SettingsError
from analyzer.metrics.ratios import ratio
from reports.model import Column, Table, cells, percent, with_ids
from reports.tables.omissions import (
    hidden_notes,
    left_out_records,
    relation_labels_json,
    zero_notes,
)
from reports.tables.recurring import convention_lines

COLUMNS = {
    "construction": Column("construction"),
    "share_gold": Column("share_gold", "%gold", "percent", 1),
    "gold": Column("gold", unit="count"),
    "parsed": Column("parsed", unit="count"),
    "matched_h": Column("matched_h", "match-h", "count"),
    "matched_s": Column("matched_s", "match-s", "count"),
    "matched_att": Column("matched_att", "match-att", "count"),
    "matched_span_right": Column("matched_span_right", "match-R", "count"),
    "matched_span_left": Column("matched_span_left", "match-L", "count"),
    "f_h": Column("f_h", "F-h", "percent", 1),
    "f_s": Column("f_s", "F-s", "percent", 1),
    "att": Column("att", "att", "percent", 1),
    "span_right": Column("span_right", "spanR", "percent", 1),
    "span_left": Column("span_left", "spanL", "percent", 1),
    "precision_h": Column("precision_h", "P-h", "percent", 1),
    "recall_h": Column("recall_h", "R-h", "percent", 1),
    "precision_s": Column("precision_s", "P-s", "percent", 1),
    "recall_s": Column("recall_s", "R-s", "percent", 1),
}
# The paper's Table 2, and the counts behind it.
DEFAULT_COLUMNS = ("share_gold", "gold", "parsed", "f_h", "f_s", "att", "span_right")


def chosen_columns(names: str | None) -> list[str]:
    """Column names from a comma-separated list; `all` for every one."""
    if names is None:
        return list(DEFAULT_COLUMNS)
    if names == "all":
        return [name for name in COLUMNS if name != "construction"]
    given = [name.strip().replace("-", "_") for name in names.split(",")]
    for name in given:
        if name not in COLUMNS:
            raise SettingsError(
                "no column {name!r}; there are {columns:list}, and 'all'",
                code="E705",
                name=name,
                columns=COLUMNS,
            )
    return [name for name in given if name != "construction"]


def construction_table(
    scores: ConstructionScores,
    *,
    columns: Sequence[str] = DEFAULT_COLUMNS,
    min_share: float = 0.0,
    top: int | None = None,
    sort: str = "gold",
) -> Table:
    """The paper's Table 2 for one data set, and a total row.

    Sorted by a count or %gold, the largest come first; by a ratio, the worst.
    """
    if sort not in COLUMNS:
        raise SettingsError(
            "cannot sort by {sort!r}; there are {columns:list}",
            code="E704",
            sort=sort,
            columns=COLUMNS,
        )
    everything = scores.rows
    rows = [row for row in everything if 100 * (row.share_gold or 0.0) >= min_share]
    rows = _sorted(rows, sort)[:top]
    shown = [COLUMNS[name] for name in ("construction", *columns)]
    hidden = len(everything) - len(rows)
    return Table(
        name="constructions",
        title=f"Constructions ({scores.deriver.inventory.name})",
        columns=shown,
        rows=[cells(row, shown) for row in (*rows, scores.total)],
        notes=(
            *hidden_notes(hidden),
            *summary_lines(scores),
            *convention_lines(scores),
            str(scores.signature),
        ),
    )


def _sorted(rows: list[ConstructionRow], by: str) -> list[ConstructionRow]:
    def value(row: ConstructionRow) -> Any:
        return getattr(row, by)

    if by == "construction":
        return sorted(rows, key=value)
    worst_first = COLUMNS[by].unit == "percent" and by != "share_gold"
    known = [row for row in rows if value(row) is not None]
    unknown = [row for row in rows if value(row) is None]
    return sorted(known, key=value, reverse=not worst_first) + unknown


def summary_lines(scores: ConstructionScores) -> list[str]:
    """Coverage, evalb and the reconciliation with it, in words."""
    counts = scores.tally
    parts = scores.reconciliation
    measure = scores.deriver.bracket_name
    wrappers = ""
    if parts.wrapper:
        wrappers = f", {parts.wrapper:,} are wrappers, which have no construction"
    return [
        "coverage: "
        + ", ".join(
            f"{side} {part.covered:,} of {part.brackets:,} brackets "
            f"({percent(ratio(part.covered, part.brackets))} %)"
            for side, part in (
                ("gold", counts.gold_coverage),
                ("parsed", counts.parsed_coverage),
            )
        ),
        f"{measure}: recall {percent(counts.evalb.recall)}, "
        f"precision {percent(counts.evalb.precision)}, "
        f"F1 {_f1(scores)}",
        f"of {counts.evalb.matched:,} {measure} matches, "
        f"{parts.same_head_same_construction:,} have the same head and construction "
        f"(F-s), {parts.same_head_other_construction:,} the same head but another "
        f"construction, {parts.other_head:,} another head{wrappers}",
        scores.scored_text(),
        *zero_notes(scores.tally.evalb.f1, scores.f1_if_zero, measure),
    ]


def _f1(scores: ConstructionScores) -> str:
    counts = scores.tally
    f1 = counts.evalb.f1
    return percent(f1)


def sentence_table(scores: ConstructionScores) -> Table:
    """The counts of each sentence."""
    table = Table(
        name="sentences",
        title="By sentence",
        columns=[
            Column(name, name.replace("_", " "), "count")
            for name in SentenceRow._fields
        ],
        rows=[list(row) for row in scores.sentence_rows],
    )
    return with_ids(table, scores.sentence_ids)


def construction_json(scores: ConstructionScores) -> dict[str, Any]:
    """The object that `spinal score --format json` writes; see docs/json.md."""
    counts = scores.tally
    data: dict[str, Any] = {
        "constructions": [row._asdict() for row in scores.rows],
        "total": scores.total._asdict(),
        "coverage": {
            "gold": counts.gold_coverage._asdict(),
            "parsed": counts.parsed_coverage._asdict(),
        },
        "evalb": {
            "gold": counts.evalb.gold,
            "test": counts.evalb.parsed,
            "matched": counts.evalb.matched,
            "recall": counts.evalb.recall,
            "precision": counts.evalb.precision,
            "f1": counts.evalb.f1,
            "f1_if_zero": scores.f1_if_zero,
        },
        "reconciliation": scores.reconciliation._asdict(),
        "conventions": scores.conventions.as_json(),
        "sentences_total": scores.ledger.gold,
        "sentences_scored": scores.ledger.scored,
        "skipped": left_out_records(scores.left_out),
        "surplus": scores.surplus._asdict(),
        "ledger": scores.ledger.as_json(),
        "signature": str(scores.signature),
    }
    data |= relation_labels_json(scores.relation_hint)
    if scores.functions is not None:
        data["functions"] = scores.functions.as_json()
    if scores.faithfulness is not None:
        from reports.tables.generated import generated_json

        data["faithfulness"] = generated_json(scores.faithfulness)
    if scores.sentence_columns is not None:
        data["sentences"] = sentence_table(scores).records()
    return data
