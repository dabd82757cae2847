"""What repairs are worth, as a table and JSON."""

from __future__ import annotations

from typing import Any

from analyzer.analyses.worth import Worth
from reports.model import Column, Table, Value, cells

_WORTH_COLUMNS = (
    Column("errors", unit="count"),
    Column("nodes", "brackets", "count"),
    Column("f1", "F1", "percent"),
    Column("worth", "worth", "points"),
    Column("f_s", "F-s", "percent"),
    Column("worth_s", "worth F-s", "points"),
    Column("f1_in_a_row", "F1 in a row", "percent"),
    Column("gain", "gain", "points"),
    Column("f_s_in_a_row", "F-s in a row", "percent"),
    Column("gain_s", "gain F-s", "points"),
)
_BY = {
    "type": "error type",
    "construction": "construction",
    "governor": "construction and phrase",
}


def worth_table(found: Worth, *, top: int | None = None) -> Table:
    """What groups of errors are worth, alone and one after the other."""
    columns = (Column("group", _BY[found.by]), *_WORTH_COLUMNS)
    scores: list[Value] = [found.f1, None, found.f_s, None]
    start: list[Value] = ["as parsed", None, None, *scores, *scores]
    rows = [cells(row, columns) for row in found.rows[:top]]
    others: list[list[Value]] = []
    hidden = len(found.rows) - len(rows)
    for row in found.others:
        if (row.gain or row.gain_s) and not hidden:
            others.append([row.group, None, None, *cells(row, columns)[3:]])
    notes = [f"{hidden:,} more not shown"] if hidden else []
    notes.append(
        f"worth: points of evalb F1 (and of F-s) if only these errors are mended; "
        f"each alone they add up to {_points(found.alone)}, all together to "
        f"{_points(found.together)}"
    )
    return Table(
        name=f"worth_by_{found.by}",
        title=f"What each {_BY[found.by]} is worth",
        columns=columns,
        rows=[start, *rows, *others],
        notes=[*notes, found.ledger.text("searched"), str(found.signature)],
    )


def worth_json(found: Worth) -> dict[str, Any]:
    """Worths for programs."""
    return {
        "by": str(found.by),
        "f1": found.f1,
        "f_s": found.f_s,
        "groups": [row._asdict() for row in found.rows],
        "others": [row._asdict() for row in found.others],
        "alone": found.alone,
        "together": found.together,
        "signature": str(found.signature),
    }


def _points(value: float) -> str:
    return f"{100 * value:.2f}"
