"""What the page says about each data set: summary, constructions, coverage, ..."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import patterns
from analyzer.analyses.causes import KINDS as CAUSES
from analyzer.analyses.causes import Causes
from analyzer.analyses.domain_gap import Domain
from analyzer.analyses.errors import LOSSES, NOTHING
from analyzer.analyses.find_pairs import KINDS, FoundPairs
from analyzer.analyses.functions import FunctionScores
from analyzer.analyses.repairs import Repairs
from analyzer.analyses.report import ScoredData
from analyzer.analyses.score import ConstructionScores
from analyzer.analyses.systems import SystemComparison
from analyzer.analyses.worth import By, worths_of
from analyzer.constructions.inventory import SIMPLE_CASE, Inventory, Pattern
from analyzer.derivation.deriver import Deriver
from analyzer.formats.registry import Family
from analyzer.metrics.constructions import MEASURES, measures_of
from analyzer.metrics.intervals import UNKNOWN, Interval
from analyzer.metrics.measures import TOTAL, measure_named
from analyzer.metrics.ratios import ratio
from analyzer.pairing.ledger import NO_GROUP, Fate, Ledger, LeftOut
from analyzer.safe_text import counted, on_page
from reports.drawing.lost_svg import Lost, lost_svg
from reports.model import (
    Column,
    Table,
    Value,
    interval_text,
    sample_text,
    spread,
    table_of,
)
from reports.page.comparisons import domain_sections, plot_sections, system_sections
from reports.page.html import ANY, error_link
from reports.page.model import (
    DATA_SET,
    PARSER,
    Explanation,
    Fact,
    Fold,
    Link,
    Page,
    PageTable,
    Picture,
    Section,
    Wording,
    pictures_of,
)
from reports.plots.scores import waterfall_figure
from reports.tables.causes import causes_table
from reports.tables.constructions import construction_table
from reports.tables.errors import confusion_table
from reports.tables.functions import function_tables
from reports.tables.notes import (
    convention_table,
    convention_texts,
    leaf_of,
    without_text,
    zero_notes,
)
from reports.tables.queries import instead_table, match_table, score_table
from reports.tables.repairs import crossed_tables, type_table, worth_table

_MOST_CONFUSIONS = 500
_MOST_ROWS = 40
_MOST_BARS = 10
# Which errors show a kind of cause: left edges are among the spans.
_KIND_OF_CAUSE = dict(
    zip(
        (title for title, _ in CAUSES.values()),
        ("head-missed", "head-spurious", "span-right", "span", "span", "attachment"),
        strict=True,
    )
)
_WITH_TOTAL = ("functions", "word_functions")


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
    domains = [Domain(data.name, data.scores) for data in datasets]
    if comparison is not None:
        beside = system_sections(comparison)
    elif len(datasets) > 1:
        beside = domain_sections(domains)
    else:
        beside = []
    of_each = [sections_of(data) for data in datasets]
    plots = plot_sections(domains, gaps=comparison is None)
    # The same part of all data sets stands together: one of them is shown. First comes
    # what is lost, and what compares them.
    keys = dict.fromkeys(section.key for part in of_each for section in part)
    listed = [
        section
        for key in keys
        for part in of_each
        for section in part
        if section.key == key
    ]
    count = len(datasets)
    sections = [*listed[:count], *beside, *listed[count:], *plots]
    signatures: dict[str, list[str]] = {}
    for data in datasets:
        signatures.setdefault(str(data.scores.signature), []).append(data.name)
    deriver = datasets[0].scores.deriver
    names = dict.fromkeys(
        name for data in datasets for name in data.scores.tally.constructions
    )
    errors = [
        replace(data.errors, left_out=[x.document or x.sentence for x in left_out])
        for data in datasets
        for left_out in [data.scores.ledger.mismatches]
    ]
    wording = wording_of(deriver, PARSER if comparison is not None else DATA_SET)
    explained = explanations(names, deriver)
    return Page(title, lead, sections, errors, signatures, explained, wording)


def wording_of(deriver: Deriver, noun: str) -> Wording:
    """What a page about such trees calls its things."""
    if deriver.family is Family.SYNTAX:
        return Wording(noun)
    losses = {part: text.replace("words", "units") for part, text in LOSSES.items()}
    return Wording(noun, tree="document", leaf="unit", losses=losses)


def sections_of(data: ScoredData) -> list[Section]:
    """What the page says about one data set."""
    sections = [_lost(data), _summary(data), _constructions(data)]
    if data.scores.conventions:
        sections.append(_conventions(data))
    if data.scores.causes is not None and data.scores.causes.counts:
        sections.append(_causes(data.name, data.scores.causes))
    sections.append(_confusions(data))
    if data.repairs is not None:
        sections.append(_error_types(data, data.repairs, data.every))
    if data.scores.functions is not None:
        sections.append(_functions(data, data.scores.functions))
    if data.queries is not None:
        sections.append(_queries(data, data.queries))
    return [*sections, coverage_section(data.name, data.scores, data.ungrouped)]


def _conventions(data: ScoredData) -> Section:
    """Differences that recur: rather of annotation than errors."""
    conventions = data.scores.conventions
    without = without_text(data.scores, conventions)
    paragraphs = [
        "One side has these constructions often and the other hardly ever, and the "
        "words in question mostly differ in the same way.",
        *(f"{text}." for text in convention_texts(conventions, leaf_of(data.scores))),
        f"{without[:1].upper()}{without[1:]}.",
    ]
    table = PageTable(
        convention_table(conventions), False, ("construction",), data.name
    )
    title = "Annotation or parser?"
    return Section("conventions", title, data.name, (), paragraphs, [table])


def _causes(name: str, causes: Causes) -> Section:
    """Why heads, edges and attachments are wrong."""
    table = causes_table(causes, top=_MOST_ROWS)
    notes = [f"{note[:1].upper()}{note[1:]}." for note in table.notes]

    def link(row: Mapping[str, Value], column: str) -> str:
        kind = _KIND_OF_CAUSE[str(row["kind"])] if column == "misses" else ANY
        is_linked = column in ("construction", "misses")
        return error_link(name, str(row["construction"]), kind) if is_linked else ""

    shown = PageTable(replace(table, title="", notes=()), link=link)
    return Section("causes", "Why it is wrong", name, (), notes, [shown])


def _lost(data: ScoredData) -> Section:
    """Where the score goes: brackets lost, by construction and by what to."""
    scores, total = data.scores, data.scores.total
    heading = "Where your F1 goes"
    if not data.losses:
        text = "No gold bracket is lost: each has its head, construction and span."
        return Section("lost", heading, data.name, paragraphs=[text])
    shares = scores.intervals(measure_named("recall_s", MEASURES))

    def row_of(name: str, gold: int) -> Lost:
        low, high = (None if end is None else 1 - end for end in shares[name])
        parts = {part: data.losses[name, part] for part in LOSSES}
        return Lost(on_page(name), gold, parts, Interval(high, low))

    rows = [row_of(row.construction, row.gold) for row in scores.rows]
    rows = sorted((row for row in rows if row.lost), key=lambda row: -row.lost)
    shown, others = rows[:_MOST_BARS], rows[_MOST_BARS:]
    if others:
        parts = {part: sum(row.parts[part] for row in others) for part in LOSSES}
        name, gold = f"{len(others)} others", sum(row.gold for row in others)
        shown.append(Lost(name, gold, parts, UNKNOWN, is_construction=False))

    def link(row: Lost | None, part: str) -> str:
        kind = f"lost-{part}" if part else "lost"
        return error_link(data.name, row.name if row else ANY, kind)

    lost = Lost(
        TOTAL,
        total.gold,
        Counter(part for _, part in data.losses.elements()),
        row_of(TOTAL, 0).interval,
    )
    text = (
        f"{lost.text} gold brackets are lost, {lost.share}: the parser has none "
        f"with the same head {leaf_of(scores)}, construction and span."
    )
    caption = (
        "Brackets lost, of those in gold. The line is the 95 % interval, by resampling "
        f"{scores.units.setting}. Click on a bar, a name or a colour to see them."
    )
    losses = wording_of(scores.deriver, DATA_SET).losses
    svg = lost_svg(shown, link, f"{heading}: brackets lost by construction", losses)
    picture = Picture(svg, caption, is_ours=True)
    return Section("lost", heading, data.name, (), [text], pictures=[picture])


def _summary(data: ScoredData) -> Section:
    scores, counts = data.scores, data.scores.tally
    total = scores.total
    evalb = counts.evalb.f1
    covered = ratio(counts.gold_coverage.covered, counts.gold_coverage.brackets)
    interval = interval_text(scores.intervals(measure_named("f_s", MEASURES))[TOTAL])
    sure = f" (95 %: {interval})" if interval else ""
    leaf = leaf_of(scores)
    facts = [
        Fact(_percent(total.f_s, 1), "F-s", f"head {leaf}, construction, span{sure}"),
        Fact(_percent(total.f_h, 1), "F-h", f"same head {leaf} and construction"),
        Fact(_percent(total.att, 1), "att", f"of these, attached to the same {leaf}"),
        Fact(_percent(total.span_right, 1), "spanR", "of these, the same right edge"),
        Fact(_percent(evalb, 2), f"{scores.deriver.bracket_name} F1", "without heads"),
        Fact(_percent(covered, 2), "% covered", "gold brackets that a pattern matches"),
    ]
    text = scores.scored_text()
    measure = scores.deriver.bracket_name
    moved = zero_notes(evalb, scores.f1_if_zero, measure)
    if data.ungrouped.items:
        moved = [*moved, f"{NO_GROUP}: {data.ungrouped.text()}"]
    paragraphs = [
        *(f"{line[:1].upper()}{line[1:]}." for line in (text, *moved)),
        *(f"Note: {note}." for note in scores.notes if note != text),
    ]
    return Section("summary", "Summary", data.name, facts, paragraphs)


def _constructions(data: ScoredData) -> Section:
    measures = [measure.name for measure in measures_of(detail=2)]
    measures.insert(measures.index("f_s") + 1, "f_s_interval")
    columns = ["share_gold", "gold", "parsed", *measures, "recall_s", "precision_s"]
    table = construction_table(data.scores, columns=columns)
    lost = {row.construction: row.gold - row.matched_s for row in data.scores.rows}
    lost[TOTAL] = sum(lost.values())
    rows = [[name, lost[str(name)], *cells] for name, *cells in table.rows]
    # The most lost first, the total last; the notes stand elsewhere on the page.
    rows[:-1] = sorted(rows[:-1], key=lambda row: -lost[str(row[0])])
    first, *others = table.columns
    shown = [first, Column("lost", unit="count"), *others]
    table = replace(table, title="", notes=(), columns=shown, rows=rows)
    text = (
        "lost: gold brackets for which the parser has none with the same head, "
        "construction and span. att, spanR and spanL are shares of the F-h matches; "
        "R-s and P-s are recall and precision of F-s, whose 95 % interval is by "
        "resampling "
        f"{data.scores.units.setting}."
    )
    mark = "probably a difference of annotation, not errors: see below"
    marks = dict.fromkeys(data.scores.conventions.names, mark)
    kinds = {"lost": "lost", "f_h": "head", "att": "attachment"}
    kinds |= {"construction": ANY, "f_s": "lost", "span_right": "span-right"}

    names = {name for name, _ in data.errors.constructions_by_type} | {TOTAL}

    def link(row: Mapping[str, Value], column: str) -> str:
        name = on_page(str(row["construction"]))
        perfect = 0 if column == "lost" else 1
        if column not in kinds or row[column] in (None, perfect, TOTAL):
            return ""
        chosen = ANY if name == TOTAL else name
        return error_link(data.name, chosen, kinds[column]) if name in names else ""

    page_table = PageTable(table, True, marks=marks, link=link)
    title = "Constructions"
    return Section(
        "constructions", title, data.name, (), [text], [page_table], has_glossary=True
    )


def _confusions(data: ScoredData) -> Section:
    table = confusion_table(data.confusions, limit=_MOST_CONFUSIONS)
    leaf = leaf_of(data.scores)
    text = f"What a {leaf} heads in gold, and what it heads in the parse instead."

    def link(row: Mapping[str, Value], _: str) -> str:
        gold, parsed = str(row["gold"]), str(row["parsed"])
        if gold == NOTHING:
            return error_link(data.name, parsed, "head-spurious", instead=gold)
        return error_link(data.name, gold, "head-missed", instead=parsed)

    shown = PageTable(replace(table, title="", notes=()), link=link)
    return Section("confusions", "Confusions", data.name, (), [text], [shown])


def _error_types(data: ScoredData, edits: Repairs, every: int) -> Section:
    """Errors by type, what they are worth, and both views of them."""
    worth, *others = worths_of(edits, [By.TYPE, By.CONSTRUCTION, By.GOVERNOR])
    paragraphs = [
        "The edits that turn the parse into gold, by type (classifier "
        f"{edits.classifier}, as in spinal repairs --classifier {edits.classifier}). "
        "worth: points of evalb F1 gained if these errors are corrected; "
        "cumulative: if the errors of the rows above are corrected, too."
    ]
    sample = ""
    if every > 1:
        searched = counted(len(edits.sentences), "sentence")
        sample = f"of a sample: one sentence in {every} was searched, {searched} in all"
        paragraphs.append(
            f"The data set is large. All numbers here are {sample}, spread over the "
            "whole file; counts are of these, and worth is an estimate for the whole."
        )

    pairs = data.errors.constructions_by_type
    names, types = ({pair[side] for pair in pairs} for side in (0, 1))

    def link(row: Mapping[str, Value], column: str) -> str:
        """Of groups and their counts; in crossed tables, of constructions by type.

        Only of those with errors: an edit may mend none of a construction's.
        """
        first, *_ = row
        group = on_page(str(row[first]).partition(" under ")[0])
        if (group, column) in pairs and row[column]:
            return error_link(data.name, group, type=column)
        if column not in (first, "errors", "all") or group not in names | types:
            return ""
        chosen = {"type": group} if group in types else {"construction": group}
        return error_link(data.name, **chosen)

    listed = [
        PageTable(
            replace(table, notes=[sample] if sample else ()), has_total, link=link
        )
        for table, has_total in (
            (type_table(edits), True),
            (worth_table(worth), False),
            *((worth_table(table, top=_MOST_ROWS), False) for table in others),
            *((table, True) for table in crossed_tables(edits, top=_MOST_ROWS)),
        )
    ]
    folds = [
        Fold(
            shown.table.title,
            tables=[replace(shown, table=replace(shown.table, title=""))],
        )
        for shown in listed[2:]
    ]
    caption = "evalb F1 as types of error are corrected, one after the other"
    of = [f"classifier {edits.classifier}", *([sample] if sample else [])]
    caption += f" ({'; '.join(of)})"
    plots = {caption: partial(waterfall_figure, worth)} if worth.rows else {}
    pictures = pictures_of(plots)
    return Section(
        *(
            "error-types",
            "Error types",
            data.name,
            (),
            paragraphs,
            listed[:2],
            pictures,
        ),
        folds=folds,
    )


def _functions(data: ScoredData, scores: FunctionScores) -> Section:
    end_to_end = scores.total.end_to_end_f
    facts = [
        Fact(_percent(scores.total.f_fn, 1), "F-fn", "tags of brackets that both have"),
        Fact(_percent(scores.exact_set, 1), "% exact", "of these, all tags right"),
        Fact(_percent(scores.strict_f, 1), "strict F", "brackets with their tags"),
        Fact(_percent(end_to_end, 1), "end-to-end F", "right tag on right bracket"),
    ]

    def link(row: Mapping[str, Value], column: str) -> str:
        first, *_ = row
        if column != first or row[first] == TOTAL:
            return ""
        name = str(row["construction"]) if "construction" in row else ANY
        return error_link(data.name, name, "function")

    tables = [
        PageTable(
            replace(table, notes=()),
            table.name in _WITH_TOTAL,
            link=None if table.name.startswith("word") else link,
        )
        for table in function_tables(scores, top=_MOST_CONFUSIONS)
    ]
    return Section("functions", "Function tags", data.name, facts, (), tables)


def _queries(data: ScoredData, matches: FoundPairs) -> Section:
    """Queries, and what one side has alone; sentences lead to their errors."""
    scores = score_table(matches, with_texts=True)
    tables = [PageTable(replace(scores, title="", notes=()))]
    for kind in KINDS:
        alone = match_table(matches, kind)
        if alone.rows:
            tables.append(PageTable(instead_table(matches, kind)))
            tables.append(PageTable(alone, link=_sentences(data)))
    introduction = (
        "Queries on gold and on the parse. Two matches are the same if the nodes that "
        "the query names, or else its first node, span the same words or have the same "
        "heads. P is precision, R recall, 95 % their intervals. Queries may match the "
        "same words, so there is no total. Sentence numbers lead to the errors."
    )
    notes = [note for note in matches.notes if note not in data.scores.notes]
    paragraphs = [introduction, *(f"Note: {note}." for note in notes)]
    return Section("queries", "Queries", data.name, (), paragraphs, tables)


def _sentences(data: ScoredData) -> Link:
    """Numbers of sentences lead to their errors, where the page has some."""
    browsed = {str(sentence[0]) for sentence in data.errors.sentences}

    def link(row: Mapping[str, Value], column: str) -> str:
        number = str(row[column])
        is_number = column == "sentence" and number in browsed
        return error_link(data.name, sentence=number) if is_number else ""

    return link


def _percent(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f}"


# -- coverage, evalb's matches, and sentences left out -----------------------------

_MOST_LEFT_OUT = 500


def coverage_section(
    name: str, scores: ConstructionScores, ungrouped: Ledger
) -> Section:
    """Coverage of the patterns, the way to evalb's matches, and what was left out.

    `ungrouped`: with the first of groups, what belongs to none.
    """
    counts, leaf = scores.tally, leaf_of(scores)
    measure = scores.deriver.bracket_name
    sides = (
        ("gold", counts.gold_coverage, counts.evalb.gold),
        ("parsed", counts.parsed_coverage, counts.evalb.parsed),
    )
    matched = counts.evalb.matched
    rows: list[list[Value]] = [
        [
            *(side, part.brackets, part.covered, ratio(part.covered, part.brackets)),
            *(brackets, matched, ratio(matched, brackets)),
        ]
        for side, part, brackets in sides
    ]
    coverage = table_of(
        "coverage",
        f"Brackets that a pattern of the inventory matches, and those of {measure} "
        "(recall and precision)",
        "side=side | brackets:count | covered:count | coverage:percent=% covered | "
        f"evalb_brackets:count={measure} brackets | matched:count={measure} matches | "
        "evalb:percent=% matched",
        rows,
    )
    names = (
        f"same head {leaf}, same construction (F-s matches)",
        f"same head {leaf}, another construction",
        f"another head {leaf}",
        "wrapper of a whole tree, which has no construction",
    )
    rows = [
        [name, part, ratio(part, matched)]
        for name, part in zip(names, scores.reconciliation, strict=True)
    ]
    if not counts.wrappers.gold and not counts.wrappers.parsed:
        rows.pop()
    reconciliation = table_of(
        "reconciliation",
        f"How the scores add up to the matches of {measure}",
        f"part=of the matches of {measure} | brackets:count | share:percent=%",
        [*rows, [TOTAL, matched, ratio(matched, matched)]],
    )
    tables = [PageTable(coverage), PageTable(reconciliation, has_total=True)]
    left_out = (*scores.ledger.items, *ungrouped.items)
    if left_out:
        tables.append(PageTable(_left_out_table(left_out, scores.ledger.noun)))
    return Section("coverage", "Coverage", name, (), (), tables)


def _left_out_table(left_out: Sequence[LeftOut], noun: str) -> Table:
    shown = spread(left_out, _MOST_LEFT_OUT)
    return table_of(
        "left_out",
        f"{noun.capitalize()}s that are not compared",
        f"{noun} | reason | message",
        [
            [item.document or item.sentence or "-", _why(item), item.error.message]
            for item in shown
        ],
        cut=sample_text(len(shown), len(left_out), noun),
    )


def _why(item: LeftOut) -> str:
    if item.fate is Fate.LEFT_OUT:
        return item.reason.value
    return f"{item.reason.value}: {item.fate.value}"


# -- what constructions are, in the words of their inventory -----------------------

_LINKS = "rst.links"


def explanations(names: Iterable[str], deriver: Deriver) -> dict[str, Explanation]:
    """The explanations of these constructions, in this order, where there is one.

    They are the comments above the patterns (`patterns/*.pat`), and the first
    production that a pattern must match; of links between discourse units, what
    stands in `patterns/rst.links`.
    """
    explain = _of_syntax if deriver.family is Family.SYNTAX else _of_discourse
    return {name: text for name, text in explain(names, deriver.inventory) if text}


def _of_syntax(
    names: Iterable[str], inventory: Inventory
) -> Iterator[tuple[str, Explanation | None]]:
    known = {pattern.name: pattern for pattern in inventory.patterns}
    for name in names:
        if name in known:
            yield name, _explained(known[name])
        elif name.rpartition("-")[2] == SIMPLE_CASE:
            yield name, Explanation("a phrase that no pattern of the inventory matches")


def _of_discourse(
    names: Iterable[str], inventory: Inventory
) -> Iterator[tuple[str, Explanation | None]]:
    """Names are a relation and the shape of a unit, or how it is linked."""
    shapes = {
        pattern.name.rpartition("-")[2]: pattern for pattern in inventory.patterns
    }
    links = _links()
    for name in names:
        relation, _, ending = name.rpartition("-")
        if pattern := shapes.get(ending):
            text = _explained(pattern).text
            yield name, Explanation(f"{text} (relation: {relation})")
        elif ending in links:
            after = f" (relation: {relation})" if relation else ""
            yield name, Explanation(links[ending] + after)


def _explained(pattern: Pattern) -> Explanation:
    example = next(
        (
            f"{example.parent} → {' '.join(example.children)}"
            for example in pattern.examples
            if example.is_positive and example.parent == pattern.nonterminal
        ),
        "",
    )
    return Explanation(pattern.comment, example)


def _links() -> Mapping[str, str]:
    """Lines 'name: text'; what stands after # is a comment."""
    lines = (patterns.text(_LINKS) or "").splitlines()
    split = (line.partition(":") for line in lines if not line.startswith("#"))
    return {name.strip(): text.strip() for name, _, text in split if text}
