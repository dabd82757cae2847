"""The tables of Morey, Muller and Asher (2017, 2018), with our rows among theirs.

Their rows are in `published_rst.tsv`: parsers, and people, on the test set of the
RST-DT. The papers' relative error reduction is the share of the distance between a
parser and people that another parser makes good.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from analyzer.analyses.compared import shared_notes
from analyzer.analyses.rst_scores import MACRO, MICRO, RstScores
from analyzer.metrics.ratios import error_reduction
from analyzer.metrics.rst import (
    CONSTITUENT_METRICS,
    DECISIONS,
    DEPENDENCY,
    DEPENDENCY_METRICS,
    PARSEVAL,
    UNIT_METRICS,
)
from analyzer.transform.documents import Direction
from reports.model import Column, Table, Value, View, columns, table_of
from reports.tables.rst_scores import ENCODINGS, rst_view

HUMAN = "human"
_ROWS = Path(__file__).with_name("published_rst.tsv")


class PublishedRow(NamedTuple):
    """A parser, or people, in a table of a paper; scores are fractions."""

    year: int
    table: int
    encoding: str
    average: str
    binarize: str
    group: str  # of parsers: 1, 2, 3; or human
    parser: str
    scores: Mapping[str, float]


@cache
def published_rows() -> tuple[PublishedRow, ...]:
    """All rows of the papers' tables."""
    rows = []
    for line in _ROWS.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            year, table, encoding, average, binarize, group, parser, scores = (
                line.split("\t")
            )
            pairs = (pair.split("=") for pair in scores.split(" "))
            by_metric = {name: float(value) / 100 for name, value in pairs}
            where = int(year), int(table), encoding, average, binarize
            rows.append(PublishedRow(*where, group, parser, by_metric))
    return tuple(rows)


class _Layout(NamedTuple):
    """A table of a paper, and the one that has its human agreement, if any has."""

    year: int
    table: int
    encoding: str
    average: str
    metrics: Sequence[str]
    human: tuple[int, int] | None = None


_RIGHT = (
    _Layout(2018, 1, PARSEVAL, MICRO, CONSTITUENT_METRICS, (2017, 2)),
    _Layout(2018, 2, DECISIONS, MICRO, CONSTITUENT_METRICS, (2017, 4)),
    _Layout(2018, 3, DEPENDENCY, MICRO, DEPENDENCY_METRICS),
    _Layout(2017, 3, PARSEVAL, MACRO, UNIT_METRICS, (2017, 3)),
)
# By how the reference is binarised: of left-heavy trees the papers have no table.
_LAYOUTS = {
    "right": _RIGHT,
    "left": [layout._replace(year=0, human=None) for layout in _RIGHT],
    "none": (
        _Layout(2018, 4, PARSEVAL, MICRO, CONSTITUENT_METRICS),
        _Layout(2018, 5, DEPENDENCY, MICRO, DEPENDENCY_METRICS),
    ),
}
_COMPARED = ((2017, 1), (2017, 2), (2017, 3), (2017, 4))


def published_view(
    systems: Sequence[tuple[str, RstScores]],
    *,
    by_document: bool = False,
    by_relation: bool = False,
) -> View:
    """The papers' tables in place of ours; what else was asked for stands below."""
    ours = rst_view(systems, by_document=by_document, by_relation=by_relation)
    others = [
        table for table in ours.tables if not re.fullmatch("rst(_.*)?", table.name)
    ]
    tables = [*published_tables(systems), *others]
    notes = shared_notes({name: scores.notes for name, scores in systems})
    return View(tables, ours.data, tables[0]).with_notes(notes)


def published_tables(systems: Sequence[tuple[str, RstScores]]) -> list[Table]:
    """A line a parser, ours and theirs; then relative error reductions."""
    settings = systems[0][1].settings
    layouts = _LAYOUTS[str(Direction(settings.binarize))]
    notes = [f"{name}: {scores.scored_text()}" for name, scores in systems]
    notes.append(
        "source: here, or the paper; theirs are on the test set of the RST-DT and "
        "cannot be compared with scores on other documents"
    )
    notes.append(str(systems[0][1].signature))
    tables = [_table(systems, layout, notes) for layout in layouts]
    return [*tables, _reductions(systems, layouts)]


def _table(
    systems: Sequence[tuple[str, RstScores]], layout: _Layout, notes: Sequence[str]
) -> Table:
    metrics = layout.metrics
    rows: list[list[Value]] = [
        [name, "here", *map(_scores(scores, layout).get, metrics)]
        for name, scores in systems
    ]
    for row in published_rows():
        is_parser = (row.year, row.table) == layout[:2] and row.group != HUMAN
        is_human = (row.year, row.table) == layout.human and row.group == HUMAN
        if is_parser or is_human:
            source = f"{row.year}, Table {row.table}"
            rows.append([row.parser, source, *map(row.scores.get, metrics)])
    shown = f"{ENCODINGS[layout.encoding]}, {layout.average} F1"
    name = f"{layout.year}, Table {layout.table}: " if layout.year else ""
    fields = [Column(metric, unit="percent", digits=1) for metric in metrics]
    return table_of(
        f"published_{layout.encoding}_{layout.average}",
        f"{name}{shown}",
        [*columns("parser | source"), *fields],
        rows,
        *notes,
    )


def _scores(scores: RstScores, layout: _Layout) -> dict[str, float | None]:
    return {
        row.metric: row.f1
        for row in scores.rows
        if (row.encoding, row.average) == (layout.encoding, layout.average)
    }


def _reductions(
    systems: Sequence[tuple[str, RstScores]], layouts: Sequence[_Layout]
) -> Table:
    """Of the papers' second group of parsers over the first; of ours over our first."""
    rows: list[list[Value]] = []
    for key in _COMPARED:
        of_table = [row for row in published_rows() if (row.year, row.table) == key]
        [human] = [row.scores for row in of_table if row.group == HUMAN]
        first, second = (
            _best([row.scores for row in of_table if row.group == group])
            for group in "12"
        )
        source = f"{key[0]}, Table {key[1]}"
        names = ["best of the first group", "best of the second", source]
        rows.append([*names, *_reduced(first, second, human)])
    parsers = [(name, scores) for name, scores in systems if name != HUMAN]
    people = dict(systems).get(HUMAN)
    for layout in layouts if people else ():
        assert people is not None
        human_scores = _scores(people, layout)
        baseline = _scores(parsers[0][1], layout) if parsers else {}
        source = f"here, {ENCODINGS[layout.encoding]}, {layout.average}"
        is_of_units = layout.encoding != DEPENDENCY
        for name, scores in parsers[1:] if is_of_units else ():
            reduced = _reduced(baseline, _scores(scores, layout), human_scores)
            rows.append([parsers[0][0], name, source, *reduced])
    fields = [Column(metric, unit="percent", digits=0) for metric in UNIT_METRICS]
    return table_of(
        "error_reduction",
        "Relative error reduction",
        [*columns("baseline | parser | source"), *fields],
        rows,
        "(parser - baseline) / (human - baseline); 2017, Table 1 has R or F under F; "
        "parsers here are compared if one of them is called human: a second annotation",
    )


def _best(rows: Sequence[Mapping[str, float]]) -> dict[str, float | None]:
    return {
        metric: max((row[metric] for row in rows if metric in row), default=None)
        for metric in UNIT_METRICS
    }


def _reduced(
    baseline: Mapping[str, float | None],
    parser: Mapping[str, float | None],
    human: Mapping[str, float | None],
) -> list[Value]:
    return [
        error_reduction(*(side.get(metric) for side in (baseline, parser, human)))
        for metric in UNIT_METRICS
    ]
