"""What two annotators do differently, as one HTML page with both trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from analyzer.analyses.agreement import Agreement, Annotators
from analyzer.analyses.disagreements import Example
from analyzer.analyses.error_data import ErrorSet
from analyzer.analyses.errors import Kind
from analyzer.analyses.opening import ScoringOptions, Trees
from analyzer.analyses.report import score_for_page
from analyzer.checks.sources import SourceFile
from analyzer.formats.reading import read_trees
from analyzer.model.tree import Tree
from analyzer.safe_text import counted
from reports.drawing.outline import pair_outlines
from reports.drawing.tree_svg import pair_picture
from reports.model import Table
from reports.page.html import page_html
from reports.page.model import DATA_SET, Page, PageTable, Picture, Section
from reports.page.sections import explanations, wording_of
from reports.tables.agreement import disagreement_table, ranked

_GROUPS_DRAWN = 12
_BROWSED = ("construction", "span-left", "span-right", "span-both", "attachment")
NAME = "A-B"  # in addresses
_KINDS = {Kind.HEAD_MISSED.value: "only A", Kind.HEAD_SPURIOUS.value: "only B"}


def agreement_page(
    result: Agreement,
    tables: Sequence[Table],
    *,
    sides: tuple[str, str],
    errors: ErrorSet | None = None,
) -> str:
    """The tables, and the disagreements one by one with both trees.

    Groups that the browser of `errors` does not show have an example drawn; without
    errors, the largest groups of all kinds. `sides` are the names of A and B.
    """
    sections = [
        Section(table.name, table.title or table.name, tables=[_table(table, errors)])
        for table in tables
    ]
    sections[0] = replace(sections[0], has_glossary=True)
    if drawn := _drawn(result, apart=errors is not None):
        sections.append(Section("drawn", "Examples drawn", pictures=drawn))
    lead, shown = f"A: {sides[0]}; B: {sides[1]}", [errors] if errors else []
    return _page("Agreement", lead, sections, shown, result, DATA_SET)


def _page(
    title: str,
    lead: str,
    sections: Sequence[Section],
    errors: Sequence[ErrorSet],
    result: Agreement,
    noun: str,
) -> str:
    """A page of disagreements, with the explanations of a result's constructions."""
    deriver = result.scores.deriver
    wording = replace(
        wording_of(deriver, noun),
        sides=("A", "B"),
        kinds=_KINDS,
        losses={},
        errors="Disagreements",
        error="disagreement",
    )
    explained = explanations(result.scores.tally.constructions, deriver)
    return page_html(Page(title, lead, sections, errors, {}, explained, wording))


def pair_names(result: Annotators) -> dict[tuple[str, str], str]:
    """What the page calls each pair: by the names of files, or all of their paths."""
    short = {name: Path(name).stem for name in result.names}
    if len(set(short.values())) < len(short):
        short = {name: name for name in result.names}
    return {(a, b): f"{short[a]} – {short[b]}" for a, b in result.pairs}


def annotators_page(
    result: Annotators,
    tables: Sequence[Table],
    limit: int | None,
    errors: Sequence[ErrorSet] = (),
) -> str:
    """Three annotators or more: all together, each pair, and where a pair disagrees.

    A pair is what a data set is elsewhere: one is chosen, and its disagreements are
    listed, grouped and browsed with both trees.
    """
    sections = [_section(shown_table) for shown_table in tables]
    for pair, name in pair_names(result).items():
        table = disagreement_table(result.pairs[pair], limit=limit, examples=1)
        paragraphs = [f"A: {pair[0]}; B: {pair[1]}: {table.title}."]
        section = _section(replace(table, title="Where they disagree"))
        sections.append(replace(section, dataset=name, paragraphs=paragraphs))
    lead = f"{', '.join(result.names)}: each pair of them, the first as A, then B."
    some = next(iter(result.pairs.values()))
    title = "Agreement of annotators"
    return _page(title, lead, sections, errors, some, "pair")


def _section(table: Table) -> Section:
    shown = PageTable(replace(table, title=""))
    return Section(table.name, table.title or table.name, tables=[shown])


def _table(table: Table, errors: ErrorSet | None) -> PageTable:
    is_total = table.name == "agreement"
    links = ("construction",) if is_total and errors else ()
    # Its title is the section's.
    untitled = replace(table, title="")
    return PageTable(untitled, is_total, links, NAME if errors else None)


def disagreements_of(
    pairs: Sequence[tuple[str, Trees, Trees]],
    *,
    max_instances: int,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> list[ErrorSet]:
    """What the browser shows: where A and B differ in sentences with the same words."""
    scored = score_for_page(
        pairs, max_instances=max_instances, has_edits=False, jobs=jobs, **options
    )
    return [data.errors for data in scored]


def _drawn(result: Agreement, *, apart: bool) -> list[Picture]:
    """The first example of the largest groups, if their trees can be found."""
    files: dict[str, SourceFile | None] = {}
    pictures = []
    for key, group in ranked(result):
        if apart and key.kind in _BROWSED:
            continue
        for example in group.examples[:1]:
            if picture := _picture(example, files):
                times = counted(group.count, "time")
                about = f"{key.kind}: {key.a} | {key.b} ({times})"
                pictures.append(replace(picture, caption=f"{about}, {picture.caption}"))
        if len(pictures) == _GROUPS_DRAWN:
            break
    return pictures


def _picture(example: Example, files: dict[str, SourceFile | None]) -> Picture | None:
    """Both trees of an example, what only one of them has marked."""
    a = _tree(example.file, example.line, files)
    b = _tree(example.file_b, example.line_b, files)
    if a is None or b is None:
        return None
    titles = (f"A, line {example.line}", f"B, line {example.line_b}")
    svg = pair_picture(*pair_outlines(a, b), titles=titles).svg
    return Picture(svg, f"{example.word}: {example.a or '-'} | {example.b or '-'}")


def _tree(path: str, line: int, files: dict[str, SourceFile | None]) -> Tree | None:
    if path not in files:
        files[path] = SourceFile.read(path)
    file = files[path]
    place = file.tree(line) if file else None
    if place is None:
        return None
    text = place.text[place.nodes[0].start : place.nodes[0].end]
    trees = read_trees(" ".join(text.split()))
    return trees[0] if len(trees) else None
