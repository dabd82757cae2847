"""Breakdowns as tables and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from analyzer.analyses.breakdown import (
    Breakdown,
    flat,
    matched_columns,
    shown_measures,
)
from analyzer.metrics.measures import Row
from reports.model import (
    Column,
    Figures,
    Table,
    Value,
    View,
    column_of,
    columns,
    hidden,
    interval_columns,
    interval_text,
)


def breakdown_view(
    breakdown: Breakdown, *, top: int | None = 25, min_gold: int = 0
) -> View:
    """The cells, with intervals; several systems side by side, without."""
    of_first = breakdown.systems[0].total
    cells = [cell for cell in breakdown.cells if of_first(cell).gold >= min_gold][:top]
    rows = breakdown.chosen_rows(cells)
    show = _side_by_side if len(breakdown.systems) > 1 else _with_intervals
    shown, table = show(breakdown, rows)
    keys = " and ".join(breakdown.keys)
    title = f"{breakdown.construction or 'All constructions'} by {keys}"
    cut = hidden(len(breakdown.cells) - len(cells), "more row")
    flat = _flat_table(breakdown, rows)

    def data() -> dict[str, Any]:
        return {
            "construction": breakdown.construction,
            "by": list(breakdown.keys),
            "cells": len(breakdown.cells),
            "rows": flat.records(),
            "ledger": breakdown.ledger.as_json(),
            "signature": str(breakdown.signature),
        }

    def plots() -> Figures:
        from reports.plots.scores import breakdown_figure

        return {"breakdown": breakdown_figure(breakdown, cells)}

    option = "--top 0 shows all"
    whole = Table(
        "breakdown", shown, table, title, _notes(breakdown, rows), cut, option
    )
    return View([whole], data, flat, (), plots)


_Shown = tuple[list[Column], list[list[Value]]]


def _with_intervals(breakdown: Breakdown, rows: Sequence[Row]) -> _Shown:
    measures = shown_measures()
    shown = [*_key_columns(breakdown), *columns("gold:count | parsed:count")]
    for measure in measures:
        shown += [column_of(measure), interval_columns(measure)[0]]
    table: list[list[Value]] = []
    for row in rows:
        table.append([*row.cell, row.gold, row.parsed])
        for measure in measures:
            interval = getattr(row, f"{measure.name}_interval")
            table[-1] += [getattr(row, measure.name), interval_text(interval)]
    return shown, table


def _side_by_side(breakdown: Breakdown, rows: Sequence[Row]) -> _Shown:
    measures, size = shown_measures(), len(breakdown.systems)
    shown = [*_key_columns(breakdown), Column("gold", unit="count")]
    for system in breakdown.systems:
        for measure in measures:
            column, title = column_of(measure), f"{measure.title} {system.name}"
            name = f"{measure.name}_{system.name}"
            shown.append(replace(column, name=name, heading=title))
    table: list[list[Value]] = []
    for at in range(0, len(rows), size):
        of_cell = rows[at : at + size]
        scores = [getattr(row, measure.name) for row in of_cell for measure in measures]
        table.append([*of_cell[0].cell, of_cell[0].gold, *scores])
    return shown, table


def _flat_table(breakdown: Breakdown, rows: Sequence[Row]) -> Table:
    """A row for each cell and system, with all numbers: for programs."""
    shown = [Column("system"), *_key_columns(breakdown)]
    shown += columns("gold:count | parsed:count")
    for measure in shown_measures():
        shown += [column_of(measure), *interval_columns(measure)[1:]]
    shown += [Column(name, unit="count") for name in matched_columns()]
    return Table("breakdown_rows", shown, [flat(row) for row in rows])


def _key_columns(breakdown: Breakdown) -> list[Column]:
    return [Column(key.replace("-", "_"), key) for key in breakdown.keys]


def _notes(breakdown: Breakdown, rows: Sequence[Row]) -> list[str]:
    notes = [
        system.ledger.text("looked at")
        if len(breakdown.systems) == 1
        else f"{system.name}: {system.ledger.text('looked at')}"
        for system in breakdown.systems
    ]
    if any(row.f_h is None and (row.gold or row.parsed) for row in rows):
        notes.append(
            "-: only one side has constructions in this row, and those that match them "
            "are in other rows, so there is no F"
        )
    return [*notes, str(breakdown.signature)]
