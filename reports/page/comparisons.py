"""Sections of the page that show parsers, or data sets, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from analyzer.analyses.domain_gap import Domain, Part, Split, cumulative, split_gap
from analyzer.analyses.systems import FoundRow, SystemComparison
from analyzer.exceptions import SettingsError
from analyzer.metrics.constructions import MEASURES
from analyzer.metrics.intervals import Interval, gap_text
from analyzer.metrics.measures import TOTAL, Row, measure_named
from analyzer.metrics.ratios import ratio
from reports.model import (
    Column,
    Table,
    Value,
    columns,
    interval_text,
    is_significant,
    shown,
    table_of,
)
from reports.page.html import ANY, error_link
from reports.page.model import (
    Fold,
    Heat,
    PageTable,
    Picture,
    Section,
    drawn_plots,
    pictures_of,
)
from reports.plots.scores import cumulative_figure, difference_figure, split_figure
from reports.tables.domains import domain_table, overview_table, paragraph, split_table
from reports.tables.notes import leaf_of, shared_text
from reports.tables.rst_scores import metric_difference_tables, metric_leaderboard
from reports.tables.systems import difference_table, leaderboard

_F_S = measure_named("f_s", MEASURES)
_FEW = 3  # others, of which each is told in a sentence of its own
_STEPS = 8  # of colour in a heat map
_DARKEST = 0.5  # what is lost where a heat map is darkest
_LARGEST = 0.16  # the difference where it is
_TEXT = {"gap": Column("", unit="points", digits=1)}


# -- heat maps -------------------------------------------------------------------------


def score_map(scored: Sequence[Domain], title: str, *, same_gold: bool) -> PageTable:
    """F-s by construction and data set, or parser; what loses most brackets first.

    A cell has its interval, and leads to its errors. It is the darker, the more is
    lost for certain: by the upper end of the interval. With `same_gold`, what is
    counted stands in a column of its own, else in each cell.
    """
    names = {f"{one.name}_f_s": one.name for one in scored}
    ends = {one.name: one.scores.intervals(_F_S) for one in scored}
    rows = {
        one.name: {row.construction: row for row in (*one.scores.rows, total)}
        for one in scored
        for total in [one.scores.total]
    }
    lost: dict[str, int] = {}
    for of_one in rows.values():
        for name, row in of_one.items():
            lost[name] = lost.get(name, 0) + row.gold - row.matched_s
    order = sorted(lost, key=lambda name: (name == TOTAL, -lost[name], name))

    def heat(row: Mapping[str, Value], column: str) -> Heat | None:
        construction, name = str(row["construction"]), names.get(column)
        if name is None or row[column] is None:
            return None
        interval = ends[name][construction]
        detail = [interval_text(interval)]
        if not same_gold:
            detail.append(f"n {rows[name][construction].gold:,}")
        sure = 0.0 if interval.high is None else (1 - interval.high) / _DARKEST
        return Heat(-_step(sure), " · ".join(filter(None, detail)))

    def link(row: Mapping[str, Value], column: str) -> str:
        construction, name = str(row["construction"]), names.get(column)
        if name is None or row[column] is None:
            return ""
        return error_link(name, ANY if construction == TOTAL else construction)

    gold = [Column("gold", unit="count")] if same_gold else []
    table = table_of(
        "score_map",
        title,
        [
            Column("construction"),
            *gold,
            *(Column(key, name, "percent", 1) for key, name in names.items()),
        ],
        [
            [
                name,
                *(max(one[name].gold for one in rows.values() if name in one),)
                * same_gold,
                *(one[name].f_s if name in one else None for one in rows.values()),
            ]
            for name in order
        ],
        "F-s, below it its 95 % interval"
        + ("" if same_gold else " and the number of gold brackets")
        + "; the darker, the more is lost for certain, by the interval's upper end",
    )
    return PageTable(table, has_total=True, link=link, heat=heat)


def _step(size: float) -> int:
    """A step of colour, of a size from 0 to 1 or more.

    >>> _step(0.01), _step(0.5), _step(2)
    (0, 4, 8)
    """
    return min(_STEPS, int(_STEPS * size + 0.5))


def _gap_heat(value: float, interval: Interval, is_sure: bool, mark: str = "") -> Heat:
    """A difference has a colour if it is one: orange if worse, blue if better."""
    step = max(1, _step(abs(value) / _LARGEST)) if is_sure else 0
    return Heat(-step if value < 0 else step, interval_text(interval, sign="+") + mark)


def _told_apart(reference: str, gaps: Mapping[str, tuple[float, Interval]]) -> str:
    """Which of many are better or worse than the first; only what can be shown."""

    def listed(sign: int) -> str:
        chosen = {
            name: gap
            for name, (gap, interval) in gaps.items()
            if interval.excludes_zero == bool(sign) and gap * sign >= 0
        }
        ranked = sorted(chosen, key=lambda name: -abs(chosen[name]) * abs(sign))
        return ", ".join(
            f"{name} ({shown(chosen[name], _TEXT['gap'])})" if sign else name
            for name in ranked
        )

    parts = {"higher": listed(1), "lower": listed(-1)}
    told = [
        f"F-s is {word} than that of {reference}: {names}."
        for word, names in parts.items()
        if names
    ]
    if same := listed(0):
        told.append(f"No difference from {reference} can be shown: {same}.")
    return " ".join(told)


def _all_errors(row: Mapping[str, Value], column: str) -> str:
    """The name of a parser or a data set, in the first column, leads to its errors."""
    first = next(iter(row))
    return error_link(str(row[first])) if column == first else ""


# -- parsers ---------------------------------------------------------------------------


def system_sections(result: SystemComparison) -> list[Section]:
    """Parsers side by side, as they were given: scores, differences, who finds what."""
    others = result.systems[1:]
    rows = {other.name: result.differences(other, _F_S.name) for other in others}
    found = {other.name: result.agreement(other) for other in others}
    sections = [
        _parsers(result, rows, found),
        _found(result.baseline.name, found),
        _differences(result, rows),
    ]
    if result.conventions:
        leaf = leaf_of(result.baseline.scores)
        told = [f"{shared_text(one, leaf)}." for one in result.conventions]
        title = "Parsers against gold"
        sections.append(Section("shared-conventions", title, paragraphs=told))
    return sections


def _parsers(
    result: SystemComparison,
    rows: Mapping[str, list[Row]],
    found: Mapping[str, list[FoundRow]],
) -> Section:
    scored, a = result.scored_text(), result.baseline.name
    order = [system.name for system in result.systems]
    board = leaderboard(result)
    board = replace(
        board,
        title="",
        notes=(),
        columns=[Column("system", "parser"), *board.columns[1:]],
        rows=sorted(board.rows, key=lambda row: order.index(str(row[0]))),
    )
    tables = [PageTable(board, link=_all_errors)]
    if result.documents is not None:
        metrics = metric_leaderboard(result.documents)
        tables.append(PageTable(replace(metrics, notes=())))
    domains = [Domain(system.name, system.scores) for system in result.systems]
    tables.append(score_map(domains, "Constructions by parser", same_gold=True))
    told = [
        f"{_in_words(a, name, listed[-1])} {found[name][-1].in_words(a, name)}."
        for name, listed in rows.items()
    ]
    if len(rows) > _FEW:
        gaps = {
            name: (listed[-1].difference or 0.0, _interval(listed[-1]))
            for name, listed in rows.items()
        }
        told = [_told_apart(a, gaps)]
    told.append(f"{scored[:1].upper()}{scored[1:]}.")
    told += [f"Note: {note}." for note in result.notes if note != scored]
    return Section("parsers", "Parsers", None, (), told, tables)


def _interval(row: Row) -> Interval:
    return Interval(row.low, row.high)


def _in_words(baseline: str, name: str, total: Row) -> str:
    """How much better or worse a parser is in all, and how certain that is."""
    interval = _interval(total)
    if total.difference is None or not interval_text(interval):
        return f"{name} and {baseline} cannot be compared."
    points = f"{100 * abs(total.difference):.1f} points"
    direction = "above" if total.difference > 0 else "below"
    p = f"p = {total.p_value:.4f}" if total.p_value is not None else "p unknown"
    ends = f"{gap_text(interval)}; {p}"
    if not interval.excludes_zero:
        return (
            f"No difference in F-s can be shown between {name} and {baseline}: {name} "
            f"is {points} {direction} ({ends})."
        )
    return f"{name} is {points} {direction} {baseline} in F-s ({ends})."


def _differences(result: SystemComparison, rows: Mapping[str, list[Row]]) -> Section:
    a = result.baseline.name
    folds = []
    for other in result.systems[1:]:
        b, listed, tables = other.name, rows[other.name], []
        if result.documents is not None:
            metrics = result.documents.differences(b)
            of_metrics = metric_difference_tables(result.documents, b, metrics)
            tables += [PageTable(table) for table in of_metrics]
        table = difference_table(result, other, listed, _F_S.name)
        tables.append(PageTable(table, True, ("construction",), b))
        plot = partial(difference_figure, listed, a=a, b=b, metric=_F_S.title)
        pictures = pictures_of({f"Differences in F-s between {a} and {b}": plot})
        summary = f"{b} against {a}, construction by construction"
        folds.append(Fold(summary, (), tables, pictures))
    certain = [
        f"{row.construction} ({shown(row.difference, _TEXT['gap'])}, {name})"
        for name, listed in rows.items()
        for row in listed[:-1]
        if is_significant(row)
    ]
    told = (
        "A difference in F-s can be shown (p < 0.05, corrected for the number of "
        "constructions) "
    )
    if len(rows) > _FEW:
        told += f"in {len(certain):,} cells of the table, which are marked *."
    else:
        told += f"in: {', '.join(certain) or 'no construction'}."
    tables = [_difference_map(a, rows)] if len(rows) > 1 else []
    folds[0] = replace(folds[0], is_open=len(rows) == 1)
    return Section("differences", "Differences", None, (), [told], tables, folds=folds)


def _difference_map(baseline: str, rows: Mapping[str, list[Row]]) -> PageTable:
    """F-s less that of the first parser, by construction and parser."""
    by_name = {
        f"{name}_difference": {row.construction: row for row in listed}
        for name, listed in rows.items()
    }
    gold = {
        row.construction: row.gold for one in by_name.values() for row in one.values()
    }

    def heat(row: Mapping[str, Value], column: str) -> Heat | None:
        tested = by_name.get(column, {}).get(str(row["construction"]))
        if tested is None or tested.difference is None:
            return None
        is_total = tested.construction == TOTAL
        is_sure = (
            _interval(tested).excludes_zero if is_total else is_significant(tested)
        )
        mark = " *" if is_sure else ""
        return _gap_heat(tested.difference, _interval(tested), is_sure, mark)

    def link(row: Mapping[str, Value], column: str) -> str:
        construction = str(row["construction"])
        if column not in by_name or row[column] is None:
            return ""
        name = column.removesuffix("_difference")
        return error_link(name, ANY if construction == TOTAL else construction)

    table = table_of(
        "difference_map",
        f"F-s less that of {baseline}, by construction and parser",
        [
            *columns("construction | gold:count"),
            *(
                Column(key, name, "points", 1, is_score=True)
                for key, name in zip(by_name, rows, strict=True)
            ),
        ],
        [
            [
                name,
                gold[name],
                *(
                    getattr(one.get(name), "difference", None)
                    for one in by_name.values()
                ),
            ]
            for name in sorted(gold, key=lambda n: (n == TOTAL, -gold[n], n))
        ],
        "below each difference its 95 % interval; only those with * have a colour: "
        "p < 0.05, corrected; of the total: its interval is without 0",
    )
    return PageTable(table, has_total=True, link=link, heat=heat)


def _found(baseline: str, found: Mapping[str, list[FoundRow]]) -> Section:
    """What each parser repairs and breaks, as two lists that lead to the errors."""
    told = (
        "Gold brackets with head, construction and span, on the sentences that all "
        "parsers can be compared on. Each line leads to the brackets, in their "
        "sentences, with the trees of all parsers."
    )
    folds = [
        Fold(
            f"{rows[-1].in_words(baseline, name)}.",
            (),
            [_repaired(baseline, name, rows), _broken(baseline, name, rows)],
            is_open=len(found) == 1,
        )
        for name, rows in found.items()
    ]
    title = "Repaired and broken"
    return Section("found", title, paragraphs=[told], folds=folds)


def _repaired(a: str, b: str, rows: Sequence[FoundRow]) -> PageTable:
    title = f"Repaired: {a} misses them, {b} finds them"
    counts = [
        (row.construction, row.repaired, row.repaired + row.neither) for row in rows
    ]
    return _found_list("repaired", title, counts, "missed", a, b)


def _broken(a: str, b: str, rows: Sequence[FoundRow]) -> PageTable:
    title = f"Broken: {a} finds them, {b} misses them"
    counts = [(row.construction, row.broken, row.broken + row.both) for row in rows]
    return _found_list("broken", title, counts, "found", b, a)


def _found_list(
    name: str,
    title: str,
    counts: Sequence[tuple[str, int, int]],
    of: str,
    loser: str,
    finder: str,
) -> PageTable:
    """Brackets that one parser loses and the other finds, most of them first."""
    *listed, total = counts
    ranked = sorted((row for row in listed if row[1]), key=lambda row: -row[1])
    table = table_of(
        f"{name}_{loser}_{finder}",
        title,
        f"construction | {name}:count | {of}:count=of those {of} | share:percent.1=%",
        [[*row, ratio(*row[1:])] for row in (*ranked, total)],
    )

    def link(row: Mapping[str, Value], column: str) -> str:
        construction = ANY if row["construction"] == TOTAL else str(row["construction"])
        if column not in ("construction", name) or not row[name]:
            return ""
        return error_link(loser, construction, "lost", by=f"found:{finder}")

    return PageTable(table, has_total=True, link=link, is_half=True)


# -- data sets -------------------------------------------------------------------------

_MANY_DOMAINS = 4
_ROWS_OF_MANY = 12


def domain_sections(domains: Sequence[Domain]) -> list[Section]:
    """Data sets side by side, and where the gap to the first comes from."""
    reference, *others = domains
    # After the reference, those that the parser does worst.
    ranked = [reference, *sorted(others, key=lambda one: one.scores.total.f_s or 0.0)]
    tables = [
        PageTable(_without_counts(overview_table(domains)), link=_all_errors),
        score_map(ranked, "Constructions by data set", same_gold=False),
    ]
    folds = []
    if len(domains) < _MANY_DOMAINS:
        side_by_side = PageTable(replace(domain_table(domains), notes=()), True)
        folds = [Fold("All scores of the constructions", (), [side_by_side])]
    return [
        Section("datasets", "Data sets", tables=tables, folds=folds),
        _gaps([split_gap(reference, one) for one in ranked[1:]]),
    ]


def _without_counts(overview: Table) -> Table:
    """The overview with less to read: each data set has a section about coverage."""
    hidden = {"gold_covered", "parsed_covered"}
    kept = [at for at, one in enumerate(overview.columns) if one.name not in hidden]
    names = {"gold_coverage": "gold % covered", "parsed_coverage": "parsed % covered"}
    return replace(
        overview,
        title="",
        columns=[
            replace(one, heading=names.get(one.name, one.heading))
            for one in (overview.columns[at] for at in kept)
        ],
        rows=[[row[at] for at in kept] for row in overview.rows],
    )


def _gaps(splits: Sequence[Split]) -> Section:
    """The gaps as one table; each in words and construction by construction, folded."""
    top = _ROWS_OF_MANY if len(splits) >= _MANY_DOMAINS else None
    fields = ("difference", "distribution", "accuracy", "interaction")
    by_name = {split.domain: split for split in splits}

    def heat(row: Mapping[str, Value], column: str) -> Heat | None:
        split = by_name[str(row["domain"])]
        interval = split.interval(split.total, column) if column in fields else None
        if interval is None or row[column] is None:
            return None
        return _gap_heat(float(row[column] or 0), interval, interval.excludes_zero)

    table = table_of(
        "gaps",
        f"F-s less that of {splits[0].reference}, and its parts",
        "domain=data set | f_s:percent.1=F-s | difference:points.1=gap! | "
        "distribution:points.1! | accuracy:points.1! | interaction:points.1! | "
        "constructions=surely weigh most",
        [
            [
                split.domain,
                None if split.domain_score is None else float(split.domain_score),
                *(float(getattr(split.total, name)) for name in fields),
                ", ".join(map(_part_text, _sure_parts(split))) or "–",
            ]
            for split in splits
        ],
        "below each number its 95 % interval; only what is without 0 has a colour",
    )
    gaps = {
        split.domain: (float(split.total.difference), split.interval(split.total))
        for split in splits
    }
    folds = [
        Fold(
            f"{split.domain} against {split.reference}: "
            f"{shown(gap, _TEXT['gap'])} points"
            + ("" if interval.excludes_zero else ", which may be chance"),
            [paragraph(split)],
            [PageTable(split_table(split, top=top), True)],
            is_open=len(splits) == 1,
        )
        for split, (gap, interval) in zip(splits, gaps.values(), strict=True)
    ]
    many = len(splits) > 1
    told = [_told_apart(splits[0].reference, gaps)] if many else []
    tables = [PageTable(table, link=_all_errors, heat=heat)] if many else []
    return Section("gap", "The gap", paragraphs=told, tables=tables, folds=folds)


def _sure_parts(split: Split) -> list[Part]:
    """The constructions that surely weigh most, whatever their sign."""
    return [p for p in split.parts if split.interval(p).excludes_zero][:_FEW]


def _part_text(part: Part) -> str:
    return f"{part.construction} {shown(float(part.difference), _TEXT['gap'])}"


# -- plots -----------------------------------------------------------------------------


def plot_sections(domains: Sequence[Domain], *, gaps: bool = True) -> list[Section]:
    """Plots, of the gaps too; without matplotlib, what to do about it.

    Of many data sets or parsers, each has a small plot of its own.
    """
    first = domains[0]
    plots: dict[str, Any] = {}
    pictures: list[Picture] = []
    told = []
    if len(domains) > _MANY_DOMAINS:
        lowest = min(
            (p.f_s for one in domains for p in cumulative(one.scores) if p.f_s),
            default=0,
        )
        floor = int(10 * lowest) / 10
        pictures = [small_curves(one, first, floor) for one in domains]
        told = [
            "Cumulative F-h (upper line) and F-s (lower line), most frequent "
            f"constructions first; across: % of gold brackets. Grey: {first.name}, F-s."
        ]
    else:
        caption = "Cumulative F-h and F-s, most frequent constructions first"
        plots[caption] = partial(cumulative_figure, domains)
    for domain in domains[1:_MANY_DOMAINS] if gaps else ():
        between = f"between {first.name} and {domain.name}"
        caption = f"What makes the difference in F-s {between}"
        plots[caption] = partial(split_figure, split_gap(first, domain))
    try:
        pictures += drawn_plots(plots)
    except SettingsError as error:  # the extra `plots` is not installed
        told.append(f"No plots: {error.message}.")
    return [Section("plots", "Plots", paragraphs=told, pictures=pictures)]


_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 190, 110, 24, 30, 8, 14


def small_curves(domain: Domain, reference: Domain, floor: float) -> Picture:
    """Cumulative F-h and F-s of a data set, and F-s of the reference behind them.

    All scores are from `floor` to 1, so that such plots can be compared.
    """

    def place(share: float, score: float) -> tuple[float, float]:
        across = _LEFT + share * (_WIDTH - _LEFT - _RIGHT)
        return across, _TOP + (1 - score) / (1 - floor) * (_HEIGHT - _TOP - _BOTTOM)

    def line(of: Domain, field: str, look: str) -> str:
        points = [(p.share, getattr(p, field)) for p in cumulative(of.scores)]
        places = [place(share, y) for share, y in points if y is not None]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        return f'<path d="M{path}" fill="none" {look}/>' if places else ""

    def text(x: float, y: float, words: str, look: str) -> str:
        return (
            f'<text x="{x:.1f}" y="{y + 3:.1f}" font-size="10px" {look}>{words}</text>'
        )

    parts = []
    for score in (floor, (1 + floor) / 2, 1.0):
        left, y = place(0, score)
        right, _ = place(1, score)
        look = 'stroke="var(--plot-grid)" stroke-width="1"'
        parts.append(f'<path d="M{left} {y:.1f}H{right}" {look}/>')
        parts.append(
            text(left - 4, y, f"{100 * score:.0f}", 'text-anchor="end" fill="s"')
        )
    if domain is not reference:
        parts.append(
            line(reference, "f_s", 'stroke="var(--plot-pale)" stroke-width="1"')
        )
    before = -1e9
    for field, color in (("f_h", 1), ("f_s", 2)):
        look = f'stroke="var(--plot-{color})" stroke-width="1.8"'
        parts.append(line(domain, field, look))
        if (total := getattr(domain.scores.total, field)) is not None:
            x, y = place(1, total)
            before = max(y, before + 10)  # below the other, if both end alike
            parts.append(text(x + 4, before, f"{100 * total:.1f}", 'font-weight="600"'))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f"{''.join(parts)}</svg>"
    )
    return Picture(svg, domain.name, is_plot=True, is_small=True)
