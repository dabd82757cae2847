"""The findings of `spinal check` as one HTML page, with the trees they are in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from analyzer.checks.findings import CODES, LEVELS, Finding, LeafSpan, grouped
from analyzer.checks.sources import Sources
from analyzer.checks.word_stream import WordStream
from analyzer.model.tree import Tree
from analyzer.safe_text import counted
from reports.drawing.tree_svg import pair_svg, tree_svg
from reports.page.html import Fact, Page, PageTable, Picture, Section, page_html
from reports.tables.findings import (
    Summary,
    document_finding_table,
    finding_table,
    summary_line,
)

_WORDS_DRAWN = 16  # around a finding; a whole sentence is too wide to compare
_GROUPS_DRAWN = 60


def check_page(
    shown: Sequence[Finding],
    all_of_them: Sequence[Finding],
    sources: Sources,
    counts: Summary,
    ledger: str,
) -> str:
    """One self-contained page: groups, each with its findings and two trees.

    A group tells how many findings it has, shown or not.
    """
    corpus = sources.stream
    sizes = Counter(one.group for one in all_of_them)
    facts = [
        Fact(f"{counts[name]:,}", name) for name in ("findings", "groups", *LEVELS)
    ]
    sections = [
        Section(
            "summary",
            "Findings",
            facts=facts,
            paragraphs=[summary_line(counts), ledger],
        )
    ]
    for number, (group, findings) in enumerate(grouped(shown), start=1):
        pictures = [_picture(findings[0], corpus)] if number <= _GROUPS_DRAWN else []
        sections.append(
            Section(
                f"group-{number}",
                group,
                paragraphs=[
                    f"{counted(sizes[group], 'finding')}: "
                    + "; ".join(sorted({CODES[one.code] for one in findings}))
                ],
                pictures=[picture for picture in pictures if picture],
                tables=[PageTable(finding_table(findings, sources))],
            )
        )
    return page_html(
        Page("Treebank check", "Where the treebank contradicts itself.", sections)
    )


def document_check_page(shown: Sequence[Finding], total: int, ledger: str) -> str:
    """Findings in discourse trees, code by code, with their texts."""
    levels = Counter(one.level for one in shown)
    facts = [Fact(f"{total:,}", "findings")]
    facts += [Fact(f"{levels[level]:,}", level) for level in LEVELS]
    sections = [Section("summary", "Findings", facts=facts, paragraphs=[ledger])]
    codes: dict[str, list[Finding]] = {}
    for one in shown:
        codes.setdefault(one.code, []).append(one)
    for code, findings in codes.items():
        table = document_finding_table(findings, len(findings))
        title = f"{code}: {CODES[code]}"
        sections.append(Section(code.lower(), title, tables=[PageTable(table)]))
    return page_html(Page("Discourse check", "What contradicts the rest.", sections))


def _picture(finding: Finding, corpus: WordStream) -> Picture | None:
    """The suspect beside the most frequent analysis, or alone if there is none."""
    span = finding.suspects[0]
    if not corpus.bank[span.tree]:
        return None
    one, marks = _excerpt(corpus.bank[span.tree], span)
    caption = f"{finding.words}: {finding.message}"
    rival = _rival(finding)
    if rival is None:
        svg = tree_svg(one, marks=marks, mark_class="noted")
        return Picture(svg, caption)
    other, other_marks = _excerpt(corpus.bank[rival[1].tree], rival[1])
    line, other_line = (int(corpus.bank.line[s.tree]) for s in (span, rival[1]))
    svg = pair_svg(
        one,
        other,
        gold_marks=marks,
        parsed_marks=other_marks,
        titles=(f"line {line}", f"line {other_line}: {rival[0]}"),
    )
    return Picture(svg, caption)


def _rival(finding: Finding) -> tuple[str, LeafSpan] | None:
    """The most frequent analysis that the first suspect is not of."""
    for analysis in finding.analyses:
        if analysis.spans and finding.suspects[0] not in analysis.spans:
            return analysis.text, analysis.spans[0]
    return None


def _excerpt(tree: Tree, span: LeafSpan) -> tuple[Tree, list[int]]:
    """The phrase around a place that is small enough to draw; rows to mark in it."""
    around = [
        node
        for node in tree.nodes
        if node.span[0] <= span.first and span.last <= node.span[1]
    ]
    small = [node for node in around if node.span[1] - node.span[0] <= _WORDS_DRAWN]
    # Parents come first: the first small one is the largest, the last the smallest.
    node = small[0] if small else around[-1]
    part = node.to_tree()
    first, last = span.first - node.span[0], span.last - node.span[0]
    marks = [
        one.row for one in part.nodes if first <= one.span[0] and one.span[1] <= last
    ]
    return part, marks
