"""What `spinal check` prints: lines for people, and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analyzer.checks.findings import LEVELS, Finding, grouped
from analyzer.safe_text import counted, numbered, shortened
from reports.model import Column, Table

_WORDS_SHOWN = 60  # characters

Summary = Mapping[str, int]


def summary_line(counts: Summary) -> str:
    """The summary in words."""
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
            sentence = numbered(one.sentence, one.id)
            lines += [
                f"  {one.file}:{one.line}: {one.level} {one.code} "
                f"({one.reliability:.2f}) sentence {sentence}{others}",
                f"      {shortened(one.context, 100)}",
                f"      {one.message}",
            ]
        lines.append("")
    if len(shown) < total:
        lines.append(f"the first {len(shown):,} of {total:,}; --limit shows more")
    lines.append(summary_line(counts))
    return "\n".join(lines)


def finding_table(findings: Sequence[Finding]) -> Table:
    """Findings in sentences."""
    has_ids = any(one.id for one in findings)
    return Table(
        "findings",
        [
            Column("code"),
            Column("level"),
            Column("reliability", unit="number"),
            Column("file"),
            Column("line", unit="count"),
            Column("sentence", unit="count"),
            *([Column("id")] if has_ids else []),
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
                *([one.id] if has_ids else []),
                shortened(one.words, _WORDS_SHOWN),
                one.message,
                one.group,
            )
            for one in findings
        ],
    )


def document_finding_table(shown: Sequence[Finding], total: int) -> Table:
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


def inventory_finding_table(findings: Sequence[Finding]) -> Table:
    """Findings in an inventory."""
    return Table(
        name="findings",
        title=f"{len(findings)} findings",
        columns=(Column("code"), Column("place"), Column("message")),
        rows=[[one.code, one.place, one.message] for one in findings],
    )
