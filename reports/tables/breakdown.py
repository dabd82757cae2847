"""Breakdowns as tables and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.analyses.breakdown import Breakdown
from analyzer.analyses.cells import BreakdownRow, Cell, Interval
from analyzer.safe_text import counted
from reports.model import Column, Table, Value

_SCORES = (("f_h", "F-h"), ("f_s", "F-s"), ("att", "att"))


def breakdown_table(found: Breakdown, cells: Sequence[Cell]) -> Table:
    """The cells, with intervals; several systems side by side, without."""
    if len(found.systems) > 1:
        return _side_by_side(found, cells)
    rows = found.chosen_rows(cells)
    columns = [*_key_columns(found), Column("gold", unit="count")]
    columns.append(Column("parsed", unit="count"))
    for name, heading in _SCORES:
        columns.append(Column(name, heading, "percent", 1))
        columns.append(Column(f"{name}_interval", "95 %"))
    return Table(
        name="breakdown",
        title=_title(found),
        columns=columns,
        rows=[
            [
                *row.cell,
                row.gold,
                row.parsed,
                *(
                    value
                    for name, _ in _SCORES
                    for value in (
                        getattr(row, name),
                        _shown(getattr(row, f"{name}_interval")),
                    )
                ),
            ]
            for row in rows
        ],
        notes=_notes(found, cells),
    )


def _side_by_side(found: Breakdown, cells: Sequence[Cell]) -> Table:
    columns = [*_key_columns(found), Column("gold", unit="count")]
    for system in found.systems:
        for name, heading in _SCORES:
            title = f"{heading} {system.name}"
            columns.append(Column(f"{name}_{system.name}", title, "percent", 1))
    table = []
    for cell in cells:
        rows = found.chosen_rows([cell])
        scores: list[Value] = [getattr(row, one) for row in rows for one, _ in _SCORES]
        table.append([*cell, rows[0].gold, *scores])
    return Table("breakdown", columns, table, _title(found), _notes(found, cells))


def flat_table(found: Breakdown, cells: Sequence[Cell]) -> Table:
    """A row for each cell and system, with all numbers: for programs."""
    columns = [Column("system"), *_key_columns(found)]
    columns += [Column("gold", unit="count"), Column("parsed", unit="count")]
    for name, heading in _SCORES:
        columns.append(Column(name, heading, "percent", 1))
        for end in ("low", "high"):
            columns.append(Column(f"{name}_{end}", f"{heading} {end}", "percent", 1))
    return Table(
        "breakdown_rows", columns, [_flat(row) for row in found.chosen_rows(cells)]
    )


def breakdown_json(found: Breakdown, cells: Sequence[Cell]) -> dict[str, Any]:
    """The object that docs/json.md describes."""
    return {
        "construction": found.construction,
        "by": list(found.keys),
        "cells": len(found.cells),
        "rows": flat_table(found, cells).records(),
        "ledger": found.ledger.as_json(),
        "signature": str(found.signature),
    }


def _flat(row: BreakdownRow) -> list[Value]:
    scores: list[Value] = []
    for name, _ in _SCORES:
        interval: Interval = getattr(row, f"{name}_interval")
        scores += [getattr(row, name), interval.low, interval.high]
    return [row.system, *row.cell, row.gold, row.parsed, *scores]


def _key_columns(found: Breakdown) -> list[Column]:
    return [Column(key.replace("-", "_"), key) for key in found.keys]


def _title(found: Breakdown) -> str:
    return f"{found.construction or 'All constructions'} by {' and '.join(found.keys)}"


def _notes(found: Breakdown, cells: Sequence[Cell]) -> list[str]:
    hidden = len(found.cells) - len(cells)
    more = [f"{counted(hidden, 'more row')} not shown (--top 0 shows all)"]
    told = [
        one.ledger.text("looked at")
        if len(found.systems) == 1
        else f"{one.name}: {one.ledger.text('looked at')}"
        for one in found.systems
    ]
    return [*(more if hidden else []), *told, str(found.signature)]


def _shown(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return ""
    return f"{100 * interval.low:.0f}–{100 * interval.high:.0f}"
