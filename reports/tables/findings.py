"""What `spinal check` prints: lines for people, a table, and a page with trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from analyzer.checks.discourse import RstFinding
from analyzer.checks.findings import CODES, LEVELS, Finding, Spot, grouped
from analyzer.checks.word_stream import Corpus
from analyzer.formats.penn.reader import read_trees
from analyzer.model.tree import Tree
from analyzer.safe_text import counted
from reports.drawing.tree_svg import pair_svg, tree_svg
from reports.model import Column, Table
from reports.page.html import Fact, Page, PageTable, Picture, Section, page_html

_WORDS_SHOWN = 60  # characters
_WORDS_DRAWN = 16  # around a finding; a whole sentence is too wide to compare
_GROUPS_DRAWN = 60

Summary = dict[str, int]


def summary(findings: Sequence[Finding], corpus: Corpus, suppressed: int) -> Summary:
    levels = Counter(one.level for one in findings)
    return {
        "trees": len(corpus.bank),
        "words": int(corpus.kept.size),
        "findings": len(findings),
        "groups": len({one.group for one in findings}),
        **{level: levels[level] for level in LEVELS},
        "known": suppressed,
    }


def summary_line(counts: Summary) -> str:
    levels = ", ".join(counted(counts[level], level) for level in LEVELS[:2])
    known = f"; {counts['known']:,} known left out" if counts["known"] else ""
    return (
        f"{counted(counts['findings'], 'finding')} in "
        f"{counted(counts['groups'], 'group')} ({levels}, {counts['info']:,} info) in "
        f"{counted(counts['trees'], 'tree')}, {counted(counts['words'], 'word')}{known}"
    )


def finding_text(shown: Sequence[Finding], total: int, counts: Summary) -> str:
    """Groups of findings, a place a line as compilers write it."""
    lines = []
    for group, findings in grouped(shown):
        lines.append(f"{group} ({counted(len(findings), 'finding')})")
        for one in findings:
            more = len(one.suspects) - 1
            others = f" and {counted(more, 'more place')}" if more else ""
            lines += [
                f"  {one.file}:{one.line}: {one.level} {one.code} "
                f"({one.reliability:.2f}) sentence {one.sentence}{others}",
                f"      {_shortened(one.context, 100)}",
                f"      {one.message}",
            ]
        lines.append("")
    if len(shown) < total:
        lines.append(f"the first {len(shown):,} of {total:,}; --limit shows more")
    lines.append(summary_line(counts))
    return "\n".join(lines)


def finding_table(findings: Sequence[Finding]) -> Table:
    return Table(
        "findings",
        [
            Column("code"),
            Column("level"),
            Column("reliability", unit="number"),
            Column("file"),
            Column("line", unit="count"),
            Column("sentence", unit="count"),
            Column("words"),
            Column("analyses"),
            Column("group"),
        ],
        [
            (
                one.code,
                one.level,
                round(one.reliability, 4),
                one.file,
                one.line,
                one.sentence,
                _shortened(one.words, _WORDS_SHOWN),
                one.message,
                one.group,
            )
            for one in findings
        ],
    )


def check_page(shown: Sequence[Finding], corpus: Corpus, counts: Summary) -> str:
    """One self-contained page: groups, each with its findings and two trees."""
    facts = [
        Fact(f"{counts[name]:,}", name) for name in ("findings", "groups", *LEVELS)
    ]
    sections = [
        Section("summary", "Findings", facts=facts, paragraphs=[summary_line(counts)])
    ]
    for number, (group, findings) in enumerate(grouped(shown), start=1):
        pictures = [drawn(findings[0], corpus)] if number <= _GROUPS_DRAWN else []
        sections.append(
            Section(
                f"group-{number}",
                group,
                paragraphs=[
                    f"{counted(len(findings), 'finding')}: "
                    + "; ".join(sorted({CODES[one.code] for one in findings}))
                ],
                pictures=[picture for picture in pictures if picture],
                tables=[PageTable(finding_table(findings))],
            )
        )
    return page_html(
        Page("Treebank check", "Where the treebank contradicts itself.", sections)
    )


def drawn(finding: Finding, corpus: Corpus) -> Picture | None:
    """The suspect beside the most frequent analysis, or alone if there is none."""
    spot = finding.suspects[0]
    if not corpus.bank[spot.tree]:
        return None
    one, marks = _excerpt(corpus.bank[spot.tree], spot)
    caption = f"{finding.words}: {finding.message}"
    rival = _rival(finding)
    if rival is None:
        svg = tree_svg(one, marks=marks, mark_class="noted")
        return Picture(svg, caption)
    other, other_marks = _excerpt(corpus.bank[rival[1].tree], rival[1])
    line, other_line = (int(corpus.bank.line[s.tree]) for s in (spot, rival[1]))
    svg = pair_svg(
        one,
        other,
        gold_marks=marks,
        parsed_marks=other_marks,
        titles=(f"line {line}", f"line {other_line}: {rival[0]}"),
    )
    return Picture(svg, caption)


def _rival(finding: Finding) -> tuple[str, Spot] | None:
    """The most frequent analysis that the first suspect is not of."""
    for analysis in finding.analyses:
        if analysis.spots and finding.suspects[0] not in analysis.spots:
            return analysis.text, analysis.spots[0]
    return None


def _excerpt(tree: Tree, spot: Spot) -> tuple[Tree, list[int]]:
    """The phrase around a place that is small enough to draw; rows to mark in it."""
    around = [
        node
        for node in tree.nodes
        if node.span[0] <= spot.first and spot.last <= node.span[1]
    ]
    small = [node for node in around if node.span[1] - node.span[0] <= _WORDS_DRAWN]
    # Parents come first: the first small one is the largest, the last the smallest.
    node = small[0] if small else around[-1]
    part = read_trees(str(node))[0]
    first, last = spot.first - node.span[0], spot.last - node.span[0]
    marks = [
        one.row for one in part.nodes if first <= one.span[0] and one.span[1] <= last
    ]
    return part, marks


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def rst_table(shown: Sequence[RstFinding], total: int) -> Table:
    """Findings in discourse trees; a document is named, and its units."""
    rest = f"the first {len(shown):,} of {total:,}; --limit shows more"
    return Table(
        "findings",
        [
            Column("code"),
            Column("level"),
            Column("document"),
            Column("line", unit="count"),
            Column("message"),
        ],
        [
            (one.code, one.level, one.document, one.line or None, one.message)
            for one in shown
        ],
        title="Findings",
        notes=[rest if len(shown) < total else counted(total, "finding")],
    )
