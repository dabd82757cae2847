"""Sections of the page that show parsers beside each other: scores and differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analyzer.analyses.score_rows import TOTAL
from analyzer.analyses.system_rows import DifferenceRow, System
from analyzer.analyses.systems import SystemComparison
from analyzer.exceptions import SettingsError
from reports.model import Column, Table, Value
from reports.page.model import PageTable, Picture, Section
from reports.plots.files import figure_svg
from reports.plots.scores import difference_figure
from reports.tables.recurring import leaf_of, shared_text
from reports.tables.rst_systems import metric_difference_tables, metric_leaderboard
from reports.tables.systems import (
    METRIC_NAMES,
    agreement_table,
    difference_table,
    is_significant,
    leaderboard,
)

_METRIC = "f_s"


def system_sections(result: SystemComparison) -> list[Section]:
    """Parsers side by side: scores, differences, who finds what, shared habits."""
    others = result.systems[1:]
    rows = {other.name: result.differences(other, _METRIC) for other in others}
    sections = [
        _scores(result, rows),
        _differences(result, rows),
        _who_finds_what(result),
    ]
    if result.conventions:
        sections.append(
            Section(
                "shared-conventions",
                "Parsers against gold",
                paragraphs=[
                    f"{shared_text(one, leaf_of(result.baseline.scores))}."
                    for one in result.conventions
                ],
            )
        )
    return sections


def _scores(result: SystemComparison, rows: dict[str, list[DifferenceRow]]) -> Section:
    scored = result.scored_text()
    board = leaderboard(result)
    tables = [PageTable(replace(board, title="", notes=()))]
    if result.documents is not None:
        metrics = metric_leaderboard(result.documents)
        tables.append(PageTable(replace(metrics, notes=())))
    tables.append(PageTable(_side_by_side(result), has_total=True))
    return Section(
        "parsers",
        "Parsers",
        paragraphs=[
            *(
                _in_words(result.baseline.name, name, listed[-1])
                for name, listed in rows.items()
            ),
            f"{scored[:1].upper()}{scored[1:]}.",
        ],
        tables=tables,
    )


def _in_words(baseline: str, name: str, total: DifferenceRow) -> str:
    """How much better or worse a parser is in all, and how certain that is."""
    if total.difference is None or total.low is None or total.high is None:
        return f"{name} and {baseline} cannot be compared."
    points = f"{100 * abs(total.difference):.1f} points"
    direction = "above" if total.difference > 0 else "below"
    p = f"p = {total.p_value:.4f}" if total.p_value is not None else "p unknown"
    return (
        f"{name} is {points} {direction} {baseline} in F-s (95 % interval "
        f"{100 * total.low:+.1f} to {100 * total.high:+.1f}; {p})."
    )


def _side_by_side(result: SystemComparison) -> Table:
    """F-h and F-s of each construction under every parser."""
    by_name = [
        {row.construction: row for row in system.scores.rows}
        for system in result.systems
    ]
    names = list(dict.fromkeys(name for rows in by_name for name in rows))
    columns = [Column("construction"), Column("gold", unit="count")]
    for system in result.systems:
        for field, heading in (("f_h", "F-h"), ("f_s", "F-s")):
            title = f"{system.name} {heading}"
            columns.append(Column(f"{system.name}_{field}", title, "percent", 1))
    gold = {
        name: next(rows[name].gold for rows in by_name if name in rows)
        for name in names
    }
    table: list[list[Value]] = [
        [
            name,
            gold[name],
            *(
                getattr(rows[name], field) if name in rows else None
                for rows in by_name
                for field in ("f_h", "f_s")
            ),
        ]
        for name in sorted(names, key=lambda name: (-gold[name], name))
    ]
    totals = result.total
    table.append(
        [
            TOTAL,
            totals[0].gold,
            *(value for total in totals for value in (total.f_h, total.f_s)),
        ]
    )
    return Table("side_by_side", columns, table, "Constructions by parser")


def _differences(
    result: SystemComparison, rows: dict[str, list[DifferenceRow]]
) -> Section:
    tables, pictures = [], []
    for other in result.systems[1:]:
        listed = rows[other.name]
        if result.documents is not None:
            metrics = result.documents.differences(other.name)
            tables += [
                PageTable(one)
                for one in metric_difference_tables(
                    result.documents, other.name, metrics
                )
            ]
        table = difference_table(result, other, listed, _METRIC)
        tables.append(
            PageTable(
                table,
                has_total=True,
                error_links=("construction",),
                dataset=other.name,
            )
        )
        pictures += _plot(result, other, listed)
    certain = [
        f"{row.construction} ({100 * (row.difference or 0):+.1f}, {name})"
        for name, listed in rows.items()
        for row in listed[:-1]
        if is_significant(row)
    ]
    told = ", ".join(certain) if certain else "none"
    return Section(
        "differences",
        "Differences",
        paragraphs=[
            f"Constructions in which the difference in F-s is certain: {told}."
        ],
        tables=tables,
        pictures=pictures,
    )


def _plot(
    result: SystemComparison, other: System, rows: Sequence[DifferenceRow]
) -> list[Picture]:
    baseline = result.baseline.name
    try:
        plot = figure_svg(
            difference_figure(
                rows, a=baseline, b=other.name, metric=METRIC_NAMES[_METRIC]
            )
        )
    except SettingsError:  # the section of plots tells
        return []
    caption = f"Differences in F-s between {baseline} and {other.name}"
    return [Picture(plot, caption, is_plot=True)]


def _who_finds_what(result: SystemComparison) -> Section:
    tables = []
    for other in result.systems[1:]:
        table = agreement_table(result, other, result.agreement(other))
        # Sentences have numbers; the error browser shows them.
        table = replace(table, notes=("examples are numbers of sentences",))
        tables.append(
            PageTable(
                table,
                has_total=True,
                error_links=("construction",),
                dataset=other.name,
            )
        )
    return Section(
        "found",
        "Who finds what",
        paragraphs=[
            "Gold brackets that both parsers find with head, construction and span, "
            "that only one of them finds, or neither."
        ],
        tables=tables,
    )
