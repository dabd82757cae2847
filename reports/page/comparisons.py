"""Sections of the page that show parsers, or data sets, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from analyzer.analyses.domain_gap import Domain, split_gap
from analyzer.analyses.systems import SystemComparison
from analyzer.exceptions import SettingsError
from analyzer.metrics.intervals import Interval, gap_text
from analyzer.metrics.measures import TOTAL, Row
from reports.model import (
    Column,
    Table,
    beside,
    columns,
    is_significant,
    table_of,
)
from reports.page.model import PageTable, Section, drawn_plots, pictures_of
from reports.plots.scores import cumulative_figure, difference_figure, split_figure
from reports.tables.domains import domain_table, overview_table, paragraph, split_table
from reports.tables.notes import leaf_of, shared_text
from reports.tables.rst_scores import metric_difference_tables, metric_leaderboard
from reports.tables.systems import (
    agreement_table,
    difference_table,
    leaderboard,
    metric_title,
)

_METRIC = "f_s"


def system_sections(result: SystemComparison) -> list[Section]:
    """Parsers side by side: scores, differences, who finds what, shared habits."""
    others = result.systems[1:]
    rows = {other.name: result.differences(other, _METRIC) for other in others}
    sections = [_scores(result, rows), _differences(result, rows)]
    sections.append(_who_finds_what(result))
    if result.conventions:
        leaf = leaf_of(result.baseline.scores)
        told = [f"{shared_text(one, leaf)}." for one in result.conventions]
        title = "Parsers against gold"
        sections.append(Section("shared-conventions", title, paragraphs=told))
    return sections


def _scores(result: SystemComparison, rows: dict[str, list[Row]]) -> Section:
    scored = result.scored_text()
    board = leaderboard(result)
    tables = [PageTable(replace(board, title="", notes=()))]
    if result.documents is not None:
        metrics = metric_leaderboard(result.documents)
        tables.append(PageTable(replace(metrics, notes=())))
    tables.append(PageTable(_side_by_side(result), has_total=True))
    baseline = result.baseline.name
    told = [_in_words(baseline, name, listed[-1]) for name, listed in rows.items()]
    told.append(f"{scored[:1].upper()}{scored[1:]}.")
    told += [f"Note: {note}." for note in result.notes if note != scored]
    return Section("parsers", "Parsers", None, (), told, tables)


def _in_words(baseline: str, name: str, total: Row) -> str:
    """How much better or worse a parser is in all, and how certain that is."""
    if total.difference is None or total.low is None or total.high is None:
        return f"{name} and {baseline} cannot be compared."
    points = f"{100 * abs(total.difference):.1f} points"
    direction = "above" if total.difference > 0 else "below"
    p = f"p = {total.p_value:.4f}" if total.p_value is not None else "p unknown"
    interval = Interval(total.low, total.high)
    ends = f"{gap_text(interval)}; {p}"
    if not interval.excludes_zero:
        return (
            f"No difference in F-s can be shown between {name} and {baseline}: {name} "
            f"is {points} {direction} ({ends})."
        )
    return f"{name} is {points} {direction} {baseline} in F-s ({ends})."


def _side_by_side(result: SystemComparison) -> Table:
    """F-h and F-s of each construction under every parser."""
    rows_of = [{row.construction: row for row in one} for one in result.rows]
    gold = {name: row.gold for rows in reversed(rows_of) for name, row in rows.items()}
    names = sorted(gold, key=lambda name: (-gold[name], name))
    shown = list(columns("construction | gold:count"))
    for system in result.systems:
        for field, heading in (("f_h", "F-h"), ("f_s", "F-s")):
            title = f"{system.name} {heading}"
            shown.append(Column(f"{system.name}_{field}", title, "percent", 1))
    rows = beside(rows_of, names, ("f_h", "f_s"))
    rows.append([TOTAL])
    for total in result.total:
        rows[-1] += [total.f_h, total.f_s]
    counts = [*(gold[name] for name in names), result.total[0].gold]
    listed = [[row[0], n, *row[1:]] for row, n in zip(rows, counts, strict=True)]
    return table_of("side_by_side", "Constructions by parser", shown, listed)


def _differences(result: SystemComparison, rows: dict[str, list[Row]]) -> Section:
    tables, pictures = [], []
    a, title = result.baseline.name, metric_title(_METRIC)
    for other in result.systems[1:]:
        b, listed = other.name, rows[other.name]
        if result.documents is not None:
            metrics = result.documents.differences(b)
            of_metrics = metric_difference_tables(result.documents, b, metrics)
            tables += [PageTable(table) for table in of_metrics]
        tables.append(_linked(difference_table(result, other, listed, _METRIC), b))
        plot = partial(difference_figure, listed, a=a, b=b, metric=title)
        caption = f"Differences in F-s between {a} and {b}"
        pictures += pictures_of({caption: plot})
    certain = [
        f"{row.construction} ({100 * (row.difference or 0):+.1f}, {name})"
        for name, listed in rows.items()
        for row in listed[:-1]
        if is_significant(row)
    ]
    told = ", ".join(certain) if certain else "none"
    told = (
        "Constructions in which a difference in F-s can be shown (p < 0.05, corrected "
        f"for their number): {told}."
    )
    return Section("differences", "Differences", None, (), [told], tables, pictures)


def _linked(table: Table, parser: str) -> PageTable:
    """Constructions and a total; each leads to the errors of a parser."""
    return PageTable(table, True, ("construction",), parser)


def _who_finds_what(result: SystemComparison) -> Section:
    told = (
        "Gold brackets that both parsers find with head, construction and span, that "
        "only one of them finds, or neither."
    )
    tables = []
    for other in result.systems[1:]:
        table = agreement_table(result, other, result.agreement(other))
        # Sentences have numbers; the error browser shows them.
        table = replace(table, notes=("examples are numbers of sentences",))
        tables.append(_linked(table, other.name))
    return Section("found", "Who finds what", None, (), [told], tables)


# -- data sets ---------------------------------------------------------------------

_MANY_DOMAINS = 4
_ROWS_OF_MANY = 12


def domain_sections(domains: Sequence[Domain]) -> list[Section]:
    """Data sets side by side, and where the gap to the first comes from."""
    splits = [split_gap(domains[0], domain) for domain in domains[1:]]
    top = _ROWS_OF_MANY if len(domains) > _MANY_DOMAINS else None
    side_by_side = replace(domain_table(domains), notes=())
    tables = [
        PageTable(replace(overview_table(domains), title="")),
        PageTable(side_by_side, has_total=True),
    ]
    told = [paragraph(split) for split in splits]
    gaps = [PageTable(split_table(split, top=top), True) for split in splits]
    return [
        Section("datasets", "Data sets", tables=tables),
        Section("gap", "The gap", paragraphs=told, tables=gaps),
    ]


def plot_sections(domains: Sequence[Domain], *, gaps: bool = True) -> list[Section]:
    """Plots, of the gaps too; without matplotlib, what to do about it."""
    first = domains[0]
    plots: dict[str, Any] = {
        "Cumulative F-h and F-s, most frequent constructions first": partial(
            cumulative_figure, domains
        )
    }
    for domain in domains[1:_MANY_DOMAINS] if gaps else ():
        between = f"between {first.name} and {domain.name}"
        caption = f"What makes the difference in F-s {between}"
        plots[caption] = partial(split_figure, split_gap(first, domain))
    try:
        pictures = drawn_plots(plots)
    except SettingsError as error:  # the extra `plots` is not installed
        return [Section("plots", "Plots", paragraphs=[f"No plots: {error.message}."])]
    return [Section("plots", "Plots", pictures=pictures)]
