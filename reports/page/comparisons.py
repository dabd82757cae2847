"""Sections of the page that show parsers, or data sets, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from analyzer.analyses.domain_gap import Domain, Split, cumulative, split_gap
from analyzer.analyses.systems import FoundRow, SystemComparison
from analyzer.exceptions import SettingsError
from analyzer.metrics.constructions import MEASURES
from analyzer.metrics.intervals import Interval, gap_text
from analyzer.metrics.measures import TOTAL, Row, measure_named
from analyzer.metrics.ratios import ratio
from reports.model import (
    Column,
    Value,
    interval_text,
    is_significant,
    shown,
    table_of,
)
from reports.page.html import ANY, error_link
from reports.page.model import (
    Cell,
    Fold,
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
_FEW = 3  # of so many others, each has a sentence of its own
_STEPS = 8  # of colour in a heat map
_LARGEST = 0.16  # the difference where it is darkest
_POINTS = Column("", unit="points", digits=1)


# -- heat maps -------------------------------------------------------------------------


def score_map(scored: Sequence[Domain], title: str, *, same_gold: bool) -> PageTable:
    """F-s by construction and data set, or parser; what loses most brackets first.

    A cell is the darker, the more is lost for certain: by the upper end of its
    interval. With `same_gold`, the number of gold brackets has a column; else it stands
    in each cell.
    """
    cells, lost, gold = {}, Counter[str](), Counter[str]()
    for domain in scored:
        ends = domain.scores.intervals(_F_S)
        for row in (*domain.scores.rows, domain.scores.total):
            name, interval = row.construction, ends[row.construction]
            detail = interval_text(interval) + f" · n {row.gold:,}" * (not same_gold)
            sure = 0.0 if interval.high is None else 1 - interval.high
            link = error_link(domain.name, _asked(name))
            if row.f_s is not None:
                cells[name, f"{domain.name}_f_s"] = Cell(
                    row.f_s, -_step(sure**0.5), detail, link
                )
            lost[name] += row.gold - row.matched_s
            gold[name] = max(gold[name], row.gold)
    rows = sorted(lost, key=lambda name: (name == TOTAL, -lost[name], name))
    names = {f"{domain.name}_f_s": domain.name for domain in scored}
    table = table_of(
        "score_map",
        title,
        [
            Column("construction"),
            *[Column("gold", unit="count")] * same_gold,
            *(Column(key, name, "percent", 1) for key, name in names.items()),
        ],
        [
            [
                row,
                *[gold[row]] * same_gold,
                *(
                    cells[row, key].value if (row, key) in cells else None
                    for key in names
                ),
            ]
            for row in rows
        ],
        f"F-s, and below it its 95 % interval{'' if same_gold else ' and n in gold'}. "
        "Darker: the interval ends lower, so there are surely more errors",
    )
    return PageTable(table, has_total=True, cells=cells)


def _asked(construction: str) -> str:
    """What a link names; the total is of all constructions."""
    return ANY if construction == TOTAL else construction


def _step(size: float) -> int:
    """A step of colour, of a size from 0 to 1 or more.

    >>> _step(0.01), _step(0.5), _step(2)
    (0, 4, 8)
    """
    return min(_STEPS, int(_STEPS * size + 0.5))


def _gap_cell(value: float, interval: Interval) -> Cell:
    """Coloured if the interval excludes 0: orange if worse, blue if better."""
    step = max(1, _step(abs(value) / _LARGEST)) if interval.excludes_zero else 0
    detail = interval_text(interval, sign="+")
    return Cell(value, -step if value < 0 else step, detail)


def _gap_text(reference: str, gaps: Mapping[str, tuple[float, bool]]) -> str:
    """Which of many are better or worse than the first: what can be shown, what not.

    >>> _gap_text("A", {"B": (0.02, True), "C": (-0.01, False), "D": (0.03, True)})
    'F-s is higher than that of A: D (+3.0), B (+2.0). No difference from A can be \
shown: C.'
    """
    ranked = sorted(gaps.items(), key=lambda item: -abs(item[1][0]))
    listed: dict[str, list[str]] = {"higher": [], "lower": [], "": []}
    for name, (gap, is_sure) in ranked:
        if is_sure:
            word = "higher" if gap > 0 else "lower"
            listed[word].append(f"{name} ({shown(gap, _POINTS)})")
        else:
            listed[""].append(name)
    return " ".join(
        f"F-s is {word} than that of {reference}: {', '.join(names)}."
        if word
        else f"No difference from {reference} can be shown: {', '.join(names)}."
        for word, names in listed.items()
        if names
    )


def _all_errors(row: Mapping[str, Value], column: str) -> str:
    """The name of a parser or a data set, in the first column, leads to its errors."""
    first = next(iter(row))
    return error_link(str(row[first])) if column == first else ""


# -- parsers ---------------------------------------------------------------------------


def system_sections(result: SystemComparison) -> list[Section]:
    """Parsers side by side, as they were given: scores, differences, who finds what."""
    others = result.systems[1:]
    rows = {other.name: result.differences(other, _F_S.name) for other in others}
    agreements = {other.name: result.agreement(other) for other in others}
    sections = [
        _parsers(result, rows, agreements),
        _repaired_and_broken(result.baseline.name, agreements),
        _differences(result, rows),
    ]
    if result.conventions:
        leaf = leaf_of(result.baseline.scores)
        paragraphs = [
            f"{shared_text(convention, leaf)}." for convention in result.conventions
        ]
        title = "Parsers against gold"
        sections.append(Section("shared-conventions", title, paragraphs=paragraphs))
    return sections


def _parsers(
    result: SystemComparison,
    rows: Mapping[str, list[Row]],
    agreements: Mapping[str, list[FoundRow]],
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
    paragraphs = [
        f"{_in_words(a, name, listed[-1])} {agreements[name][-1].in_words(a, name)}."
        for name, listed in rows.items()
    ]
    if len(rows) > _FEW:
        gaps = {
            name: (listed[-1].difference or 0.0, _is_sure(listed[-1]))
            for name, listed in rows.items()
        }
        paragraphs = [_gap_text(a, gaps)]
    paragraphs.append(f"{scored[:1].upper()}{scored[1:]}.")
    paragraphs += [f"Note: {note}." for note in result.notes if note != scored]
    return Section("parsers", "Parsers", None, (), paragraphs, tables)


def _interval(row: Row) -> Interval:
    return Interval(row.low, row.high)


def _is_sure(row: Row) -> bool:
    """Whether a test shows a difference; the total is not one of many."""
    if row.construction != TOTAL:
        return is_significant(row)
    is_rare = row.p_value is not None and row.p_value < 0.05
    return is_rare and _interval(row).excludes_zero


def _in_words(baseline: str, name: str, total: Row) -> str:
    """How much better or worse a parser is in all, and how certain that is."""
    interval = _interval(total)
    if total.difference is None or not interval_text(interval):
        return f"{name} and {baseline} cannot be compared."
    points = f"{100 * abs(total.difference):.1f} points"
    direction = "above" if total.difference > 0 else "below"
    p = f"p = {total.p_value:.4f}" if total.p_value is not None else "p unknown"
    ends = f"{gap_text(interval)}; {p}"
    if not _is_sure(total):
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
        f"{row.construction} ({shown(row.difference, _POINTS)}, {name})"
        for name, listed in rows.items()
        for row in listed[:-1]
        if is_significant(row)
    ]
    text = (
        "A difference in F-s can be shown (p < 0.05, corrected for the number of "
        f"constructions) in: {', '.join(certain) or 'no construction'}."
    )
    folds[0] = replace(folds[0], is_open=len(rows) == 1)
    return Section("differences", "Differences", paragraphs=[text], folds=folds)


def _repaired_and_broken(
    baseline: str, agreements: Mapping[str, list[FoundRow]]
) -> Section:
    """What each parser repairs and breaks, as two lists that lead to the errors."""
    lead = (
        "Gold brackets with head, construction and span, on the sentences that all "
        "parsers can be compared on. Each line leads to the brackets, in their "
        "sentences, with the trees of all parsers."
    )
    folds = [
        Fold(
            f"{rows[-1].in_words(baseline, name)}.",
            (),
            _lists_of_brackets(baseline, name, rows),
            is_open=len(agreements) == 1,
        )
        for name, rows in agreements.items()
    ]
    return Section("found", "Repaired and broken", paragraphs=[lead], folds=folds)


def _lists_of_brackets(a: str, b: str, rows: Sequence[FoundRow]) -> list[PageTable]:
    """Brackets that one parser loses and the other finds, most of them first."""
    repaired = [
        (row.construction, row.only_b, row.only_b + row.neither) for row in rows
    ]
    broken = [(row.construction, row.only_a, row.only_a + row.both) for row in rows]
    tables = []
    for name, counts, of, title, loser, finder in (
        ("repaired", repaired, "missed", f"{a} misses them, {b} finds them", a, b),
        ("broken", broken, "found", f"{a} finds them, {b} misses them", b, a),
    ):
        *listed, total = counts
        ranked = sorted((row for row in listed if row[1]), key=lambda row: -row[1])
        table = table_of(
            f"{name}_{b}",
            f"{name.capitalize()}: {title}",
            f"construction | {name}:count | {of}:count=of those {of} | "
            "share:percent.1=%",
            [[*row, ratio(*row[1:])] for row in (*ranked, total)],
        )
        link = partial(_brackets_link, name, loser, finder)
        tables.append(PageTable(table, has_total=True, link=link, is_half=True))
    return tables


def _brackets_link(
    name: str, loser: str, finder: str, row: Mapping[str, Value], column: str
) -> str:
    if column not in ("construction", name) or not row[name]:
        return ""
    construction = _asked(str(row["construction"]))
    return error_link(loser, construction, "lost", by=f"found:{finder}")


# -- data sets -------------------------------------------------------------------------

_MANY_DOMAINS = 4
_ROWS_OF_MANY = 12


def domain_sections(domains: Sequence[Domain]) -> list[Section]:
    """Data sets side by side, and where the gap to the first comes from."""
    reference, *others = domains
    # After the reference, those that the parser does worst.
    ranked = [
        reference,
        *sorted(others, key=lambda domain: domain.scores.total.f_s or 0.0),
    ]
    tables = [
        PageTable(replace(overview_table(domains), title=""), link=_all_errors),
        score_map(ranked, "Constructions by data set", same_gold=False),
    ]
    folds = []
    if len(domains) < _MANY_DOMAINS:
        side_by_side = PageTable(replace(domain_table(domains), notes=()), True)
        folds = [Fold("All scores of the constructions", (), [side_by_side])]
    return [
        Section("datasets", "Data sets", tables=tables, folds=folds),
        _gaps([split_gap(reference, other) for other in ranked[1:]]),
    ]


def _gaps(splits: Sequence[Split]) -> Section:
    """The gaps as one table; each in words and construction by construction, folded."""
    top = _ROWS_OF_MANY if len(splits) >= _MANY_DOMAINS else None
    fields = ("difference", "distribution", "accuracy", "interaction")
    rows: list[list[Value]] = []
    cells, gaps, folds = {}, {}, []
    for split in splits:
        for name in fields:
            value, ends = (
                float(getattr(split.total, name)),
                split.interval(split.total, name),
            )
            cells[split.domain, name] = _gap_cell(value, ends)
        gap = float(split.total.difference)
        is_sure = split.interval(split.total).excludes_zero
        gaps[split.domain] = gap, is_sure
        rows.append(
            [split.domain, None, *(cells[split.domain, n].value for n in fields)]
        )
        if split.domain_score is not None:
            rows[-1][1] = float(split.domain_score)
        sure = [part for part in split.parts if split.interval(part).excludes_zero]
        parts = [
            f"{part.construction} {shown(float(part.difference), _POINTS)}"
            for part in sure[:_FEW]
        ]
        rows[-1].append(", ".join(parts) or "–")
        chance = "" if is_sure else ", which may be chance"
        summary = (
            f"{split.domain} against {split.reference}: {shown(gap, _POINTS)} points"
        )
        parts_table = PageTable(split_table(split, top=top), True)
        is_open = len(splits) == 1
        folds.append(
            Fold(summary + chance, [paragraph(split)], [parts_table], is_open=is_open)
        )
    table = table_of(
        "gaps",
        f"F-s less that of {splits[0].reference}, and its parts",
        "domain=data set | f_s:percent.1=F-s | difference:points.1=gap! | "
        "distribution:points.1! | accuracy:points.1! | interaction:points.1! | "
        "constructions=surely weigh most",
        rows,
        "Below each number: its 95 % interval. Coloured if the interval excludes 0",
    )
    if len(splits) == 1:
        return Section("gap", "The gap", folds=folds)
    paragraphs = [_gap_text(splits[0].reference, gaps)]
    tables = [PageTable(table, link=_all_errors, cells=cells)]
    return Section("gap", "The gap", paragraphs=paragraphs, tables=tables, folds=folds)


# -- plots -----------------------------------------------------------------------------


def plot_sections(domains: Sequence[Domain], *, gaps: bool = True) -> list[Section]:
    """Plots, of the gaps too; without matplotlib, what to do about it.

    Of many data sets or parsers, each has a small plot of its own.
    """
    first = domains[0]
    plots: dict[str, Any] = {}
    pictures: list[Picture] = []
    paragraphs = []
    if len(domains) > _MANY_DOMAINS:
        lowest = min(
            (p.f_s for domain in domains for p in cumulative(domain.scores) if p.f_s),
            default=0,
        )
        floor = int(10 * lowest) / 10
        pictures = [small_curves(domain, first, floor) for domain in domains]
        paragraphs = [
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
        paragraphs.append(f"No plots: {error.message}.")
    return [Section("plots", "Plots", paragraphs=paragraphs, pictures=pictures)]


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
