"""What two annotators do differently, as one HTML page with both trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from analyzer.analyses.agreement import Agreement
from analyzer.analyses.disagreements import Example
from analyzer.checks.sources import SourceFile
from analyzer.formats.reading import read_trees
from analyzer.model.tree import Tree
from reports.drawing.tree_svg import pair_svg
from reports.model import Table
from reports.page.html import Page, PageTable, Picture, Section, page_html
from reports.tables.agreement import ranked

_GROUPS_DRAWN = 40


def agreement_page(result: Agreement, tables: Sequence[Table]) -> str:
    """The tables, and for the largest groups of disagreements both trees."""
    sections = [
        Section(one.name, one.title or one.name, tables=[PageTable(one)])
        for one in tables
    ]
    files: dict[str, SourceFile | None] = {}
    for number, (key, group) in enumerate(ranked(result)[:_GROUPS_DRAWN], start=1):
        pictures = [_picture(one, files) for one in group.examples[:1]]
        sections.append(
            Section(
                f"group-{number}",
                f"{key.kind}: {key.a} | {key.b} ({group.count:,})",
                pictures=[picture for picture in pictures if picture],
            )
        )
    lead = "Two annotations of the same text, and where they differ."
    return page_html(Page("Agreement", lead, sections))


def _picture(example: Example, files: dict[str, SourceFile | None]) -> Picture | None:
    """Both trees of an example, what only one of them has marked."""
    trees = [
        _tree(example.file, example.line, files),
        _tree(example.file_b, example.line_b, files),
    ]
    a, b = trees
    if a is None or b is None:
        return None
    svg = pair_svg(
        a,
        b,
        gold_marks=_only(a, b),
        parsed_marks=_only(b, a),
        titles=(f"A, line {example.line}", f"B, line {example.line_b}"),
    )
    return Picture(svg, f"{example.word}: {example.a or '-'} | {example.b or '-'}")


def _tree(path: str, line: int, files: dict[str, SourceFile | None]) -> Tree | None:
    if path not in files:
        files[path] = SourceFile.read(path)
    file = files[path]
    found = file.tree(line) if file else None
    if found is None:
        return None
    text = found.text[found.nodes[0].start : found.nodes[0].end]
    trees = read_trees(" ".join(text.split()))
    return trees[0] if len(trees) else None


def _only(one: Tree, other: Tree) -> list[int]:
    """The rows of brackets and tags that the other tree does not have."""
    left = Counter((node.label, *node.span) for node in other.nodes)
    rows = []
    for node in one.nodes:
        key = (node.label, *node.span)
        if left[key]:
            left[key] -= 1
        else:
            rows.append(node.row)
    return rows
