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
    found: Breakdown, *, top: int | None = 25, min_gold: int = 0
) -> View:
    """The cells, with intervals; several systems side by side, without."""
    of_first = found.systems[0].total
    cells = [cell for cell in found.cells if of_first(cell).gold >= min_gold][:top]
    rows = found.chosen_rows(cells)
    show = _side_by_side if len(found.systems) > 1 else _with_intervals
    shown, table = show(found, rows)
    keys = " and ".join(found.keys)
    title = f"{found.construction or 'All constructions'} by {keys}"
    cut = hidden(len(found.cells) - len(cells), "more row")
    flat = _flat_table(found, rows)

    def data() -> dict[str, Any]:
        return {
            "construction": found.construction,
            "by": list(found.keys),
            "cells": len(found.cells),
            "rows": flat.records(),
            "ledger": found.ledger.as_json(),
            "signature": str(found.signature),
        }

    def plots() -> Figures:
        from reports.plots.scores import breakdown_figure

        return {"breakdown": breakdown_figure(found, cells)}

    option = "--top 0 shows all"
    whole = Table("breakdown", shown, table, title, _notes(found, rows), cut, option)
    return View([whole], data, flat, (), plots)


_Shown = tuple[list[Column], list[list[Value]]]


def _with_intervals(found: Breakdown, rows: Sequence[Row]) -> _Shown:
    measures = shown_measures()
    shown = [*_key_columns(found), *columns("gold:count | parsed:count")]
    for measure in measures:
        shown += [column_of(measure), interval_columns(measure)[0]]
    table: list[list[Value]] = []
    for row in rows:
        table.append([*row.cell, row.gold, row.parsed])
        for measure in measures:
            interval = getattr(row, f"{measure.name}_interval")
            table[-1] += [getattr(row, measure.name), interval_text(interval)]
    return shown, table


def _side_by_side(found: Breakdown, rows: Sequence[Row]) -> _Shown:
    measures, size = shown_measures(), len(found.systems)
    shown = [*_key_columns(found), Column("gold", unit="count")]
    for system in found.systems:
        for measure in measures:
            column, title = column_of(measure), f"{measure.title} {system.name}"
            name = f"{measure.name}_{system.name}"
            shown.append(replace(column, name=name, heading=title))
    table: list[list[Value]] = []
    for at in range(0, len(rows), size):
        of_cell = rows[at : at + size]
        scores = [getattr(row, one.name) for row in of_cell for one in measures]
        table.append([*of_cell[0].cell, of_cell[0].gold, *scores])
    return shown, table


def _flat_table(found: Breakdown, rows: Sequence[Row]) -> Table:
    """A row for each cell and system, with all numbers: for programs."""
    shown = [Column("system"), *_key_columns(found)]
    shown += columns("gold:count | parsed:count")
    for measure in shown_measures():
        shown += [column_of(measure), *interval_columns(measure)[1:]]
    shown += [Column(name, unit="count") for name in matched_columns()]
    return Table("breakdown_rows", shown, [flat(row) for row in rows])


def _key_columns(found: Breakdown) -> list[Column]:
    return [Column(key.replace("-", "_"), key) for key in found.keys]


def _notes(found: Breakdown, rows: Sequence[Row]) -> list[str]:
    told = [
        one.ledger.text("looked at")
        if len(found.systems) == 1
        else f"{one.name}: {one.ledger.text('looked at')}"
        for one in found.systems
    ]
    if any(row.f_h is None and (row.gold or row.parsed) for row in rows):
        told.append(
            "-: only one side has constructions in this row, and those that match them "
            "are in other rows, so there is no F"
        )
    return [*told, str(found.signature)]
