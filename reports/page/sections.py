"""What the page says about each data set: summary, constructions, coverage, ..."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analyzer.analyses.functions import FunctionScores
from analyzer.analyses.gap import Domain
from analyzer.analyses.repairs import Repairs
from analyzer.analyses.score import ConstructionScores
from analyzer.analyses.score_rows import ConstructionRow
from analyzer.analyses.systems import SystemComparison
from analyzer.analyses.worth import By, Worth, worths_of
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import SettingsError
from analyzer.formats.registry import Family
from analyzer.metrics.ratios import ratio
from analyzer.pairing.ledger import (
    NO_GROUP,
    NOTHING_LEFT_OVER,
    Ledger,
)
from analyzer.safe_text import counted
from reports.page.coverage import coverage_section
from reports.page.datasets import domain_sections, plot_sections
from reports.page.error_data import ErrorSet
from reports.page.explanations import explanations
from reports.page.model import (
    DATA_SET,
    PARSER,
    Fact,
    Page,
    PageTable,
    Picture,
    Section,
    Wording,
)
from reports.page.systems import system_sections
from reports.plots.files import figure_svg
from reports.plots.repairs import waterfall_figure
from reports.tables.constructions import construction_table
from reports.tables.errors import confusion_table
from reports.tables.functions import function_tables
from reports.tables.omissions import zero_notes
from reports.tables.recurring import (
    convention_table,
    convention_texts,
    leaf_of,
    without_text,
)
from reports.tables.repairs import crossed_tables, type_table
from reports.tables.worth import worth_table

_COLUMNS = (
    "share_gold",
    "gold",
    "parsed",
    "f_h",
    "f_s",
    "att",
    "span_right",
    "span_left",
    "recall_s",
    "precision_s",
)
_MOST_CONFUSIONS = 500
_WORST = 3
_MOST_ROWS = 40
_WITH_TOTAL = ("functions", "word_functions")


@dataclass(frozen=True)
class ScoredData:
    """A data set with all that the page shows of it."""

    name: str
    scores: ConstructionScores
    confusions: Counter[tuple[str, str]]
    errors: ErrorSet
    ungrouped: Ledger = NOTHING_LEFT_OVER  # with the first of groups: what is in none
    repairs: Repairs | None = None  # of syntax
    every: int = 1  # of so many sentences, one was searched for these


def report_page(
    datasets: Sequence[ScoredData],
    *,
    title: str,
    lead: str,
    comparison: SystemComparison | None = None,
) -> Page:
    """The page for one data set or several; the first is the reference.

    With a `comparison`, the data sets are parsers on the same sentences.
    """
    domains = [Domain(one.name, one.scores) for one in datasets]
    if comparison is not None:
        beside = system_sections(comparison)
    elif len(datasets) > 1:
        beside = domain_sections(domains)
    else:
        beside = []
    of_each = [sections_of(one) for one in datasets]
    plots = plot_sections(domains, gaps=comparison is None)
    if len(datasets) == 1:
        summary, *rest = of_each[0]
        sections = [summary, *plots, *rest]
    else:
        # The same part of all data sets stands together: one of them is shown.
        keys = dict.fromkeys(one.key for part in of_each for one in part)
        sections = [*beside, *plots]
        sections += [
            one for key in keys for part in of_each for one in part if one.key == key
        ]
    signatures: dict[str, list[str]] = {}
    for one in datasets:
        signatures.setdefault(str(one.scores.signature), []).append(one.name)
    deriver = datasets[0].scores.deriver
    names = dict.fromkeys(
        name for one in datasets for name in one.scores.tally.constructions
    )
    return Page(
        title,
        lead,
        sections,
        [one.errors for one in datasets],
        signatures,
        explanations(names, deriver),
        wording_of(deriver, PARSER if comparison is not None else DATA_SET),
    )


def wording_of(deriver: Deriver, noun: str) -> Wording:
    """What a page about such trees calls its things."""
    if deriver.family is Family.SYNTAX:
        return Wording(noun)
    return Wording(noun, tree="document", leaf="unit")


def sections_of(data: ScoredData) -> list[Section]:
    """What the page says about one data set."""
    sections = [_summary(data), _constructions(data)]
    if data.scores.conventions:
        sections.append(_conventions(data))
    sections += [
        coverage_section(data.name, data.scores, data.ungrouped),
        _confusions(data),
    ]
    if data.repairs is not None:
        sections.append(_error_types(data.name, data.repairs, data.every))
    if data.scores.functions is not None:
        sections.append(_functions(data, data.scores.functions))
    return sections


def _conventions(data: ScoredData) -> Section:
    """Differences that recur: rather of annotation than errors."""
    found = data.scores.conventions
    told = without_text(data.scores, found)
    return Section(
        "conventions",
        "Annotation or parser?",
        data.name,
        paragraphs=[
            "One side has these constructions often and the other hardly ever, and "
            "the words in question mostly differ in the same way.",
            *(f"{text}." for text in convention_texts(found, leaf_of(data.scores))),
            f"{told[:1].upper()}{told[1:]}.",
        ],
        tables=[
            PageTable(
                convention_table(found),
                error_links=("construction",),
                dataset=data.name,
            )
        ],
    )


def _summary(data: ScoredData) -> Section:
    scores, counts = data.scores, data.scores.tally
    total = scores.total
    evalb = counts.evalb.f1
    covered = ratio(counts.gold_coverage.covered, counts.gold_coverage.brackets)
    facts = [
        Fact(_percent(total.f_s, 1), "F-s", "same head word, construction and span"),
        Fact(_percent(total.f_h, 1), "F-h", "same head word and construction"),
        Fact(_percent(total.att, 1), "att", "of these, attached to the same word"),
        Fact(_percent(total.span_right, 1), "spanR", "of these, the same right edge"),
        Fact(_percent(evalb, 2), f"{scores.deriver.bracket_name} F1", "without heads"),
        Fact(_percent(covered, 2), "% covered", "gold brackets that a pattern matches"),
    ]
    text = scores.scored_text()
    measure = scores.deriver.bracket_name
    moved = zero_notes(evalb, scores.f1_if_zero, measure)
    if data.ungrouped.items:
        moved = [*moved, f"{NO_GROUP}: {data.ungrouped.text()}"]
    lines = [text[:1].upper() + text[1:], *(one[:1].upper() + one[1:] for one in moved)]
    paragraphs = [_in_words(data), *(f"{line}." for line in lines)]
    return Section("summary", "Summary", data.name, facts, paragraphs)


def _in_words(data: ScoredData) -> str:
    """Which constructions cost most, and by which kind of error."""
    rows = [row for row in data.scores.rows if row.gold > row.matched_s]
    lost = sum(row.gold - row.matched_s for row in rows)
    if not lost:
        return "Every gold bracket is found, with its head word and construction."
    rows.sort(key=lambda row: (row.matched_s - row.gold, row.construction))
    named = "; ".join(_cost(row) for row in rows[:_WORST])
    gold = data.scores.total.gold
    return (
        f"The parser misses {lost:,} of {gold:,} gold brackets, or gets their head "
        f"word or span wrong. Most of them: {named}."
    )


def _cost(row: ConstructionRow) -> str:
    reasons = {
        "the head word is wrong": row.gold - row.matched_h,
        "only the span is wrong": row.matched_h - row.matched_s,
    }
    main, count = max(reasons.items(), key=lambda item: item[1])
    return f"{row.construction} ({row.gold - row.matched_s:,}; in {count:,} {main})"


def _constructions(data: ScoredData) -> Section:
    table = construction_table(data.scores, columns=_COLUMNS)
    # The notes of the table stand elsewhere on the page.
    table = replace(table, title="", notes=())
    return Section(
        "constructions",
        "Constructions",
        data.name,
        paragraphs=[
            "Most frequent first. F-h and F-s are F scores; att, spanR and spanL are "
            "shares of the F-h matches; R-s and P-s are recall and precision of F-s. "
            "A construction’s name leads to its errors, and says what it is if you "
            "point at it."
        ],
        tables=[
            PageTable(
                table,
                has_total=True,
                error_links=("construction",),
                dataset=data.name,
                marks=dict.fromkeys(
                    data.scores.conventions.names,
                    "rather a difference of annotation than errors: see below",
                ),
            )
        ],
        has_glossary=True,
    )


def _confusions(data: ScoredData) -> Section:
    table = confusion_table(data.confusions, limit=_MOST_CONFUSIONS)
    hidden = len(data.confusions) - len(table.rows)
    notes = (f"{counted(hidden, 'rarer pair')} not shown",) if hidden else ()
    return Section(
        "confusions",
        "Confusions",
        data.name,
        paragraphs=[
            "What gold projects for a word, and what the parser projects instead."
        ],
        tables=[PageTable(replace(table, title="", notes=notes))],
    )


def _error_types(name: str, found: Repairs, every: int) -> Section:
    """Errors by type, what they are worth, and both views of them."""
    worth, *others = worths_of(found, [By.TYPE, By.CONSTRUCTION, By.GOVERNOR])
    best = worth.rows[:_WORST]
    told = ", ".join(f"{row.group} {100 * (row.worth or 0):.2f}" for row in best)
    paragraphs = [
        "The edits that turn the parse into gold, by type (Kummerfeld et al. 2012, our "
        "rules). worth: the points of evalb F1 that the parser would gain if it never "
        "made these errors; in a row: if those above are mended as well. An error’s "
        "page in the browser below has the edit that mends it.",
    ]
    if every > 1:
        searched = counted(len(found.sentences), "sentence")
        paragraphs.append(
            f"The data set is large: one sentence in {every} was searched, {searched} "
            "in all. The command spinal repairs --worth searches every sentence."
        )
    if told:
        paragraphs.append(f"Worth most, in points of F1: {told}.")
    tables = [
        PageTable(replace(one, notes=()), has_total=has_total)
        for one, has_total in (
            (type_table(found), True),
            (worth_table(worth), False),
            *((worth_table(one, top=_MOST_ROWS), False) for one in others),
            *((one, True) for one in crossed_tables(found, top=_MOST_ROWS)),
        )
    ]
    return Section(
        "error-types", "Error types", name, (), paragraphs, tables, _waterfall(worth)
    )


def _waterfall(worth: Worth) -> list[Picture]:
    """The plot, if there is something to plot and matplotlib is there."""
    if not worth.rows:
        return []
    try:
        plot = figure_svg(waterfall_figure(worth))
    except SettingsError:  # the section of plots tells
        return []
    caption = "evalb F1 as types of error are mended, one after the other"
    return [Picture(plot, caption, is_plot=True)]


def _functions(data: ScoredData, scores: FunctionScores) -> Section:
    facts = [
        Fact(_percent(scores.total.f_fn, 1), "F-fn", "tags of brackets that both have"),
        Fact(_percent(scores.exact_set, 1), "% exact", "of these, all tags right"),
        Fact(_percent(scores.strict_f, 1), "strict F", "brackets with their tags"),
        Fact(
            _percent(scores.total.end_to_end_f, 1),
            "end-to-end F",
            "right tag on right bracket",
        ),
    ]
    tables = [
        PageTable(replace(table, notes=()), has_total=table.name in _WITH_TOTAL)
        for table in function_tables(scores, top=_MOST_CONFUSIONS)
    ]
    return Section("functions", "Function tags", data.name, facts, (), tables)


def _percent(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f}"
