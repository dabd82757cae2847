"""The findings of `spinal check` in discourse trees, as one HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from analyzer.checks.findings import CODES, LEVELS, Finding
from reports.model import Column, Table
from reports.page.html import page_html
from reports.page.model import Fact, Page, PageTable, Section
from reports.tables.findings import (
    document_finding_table,
)


def document_check_page(shown: Sequence[Finding], total: int, ledger: str) -> str:
    """Findings in discourse trees, code by code, with an index of the codes."""
    levels = Counter(one.level for one in shown)
    facts = [Fact(f"{total:,}", "findings")]
    facts += [Fact(f"{levels[level]:,}", level) for level in LEVELS]
    codes: dict[str, list[Finding]] = {}
    for one in shown:
        codes.setdefault(one.code, []).append(one)
    summary = Section(
        "summary",
        "Findings",
        facts=facts,
        paragraphs=[f"{ledger[:1].upper()}{ledger[1:]}."],
        tables=[
            PageTable(_index(codes), links={code: f"#{code.lower()}" for code in codes})
        ],
    )
    sections = [summary]
    for code, findings in codes.items():
        table = replace(document_finding_table(findings, len(findings)), title="")
        sections.append(
            Section(
                code.lower(),
                f"{code}: {CODES[code]}",
                tables=[PageTable(table)],
                in_navigation=False,
            )
        )
    return page_html(Page("Discourse check", "What contradicts the rest.", sections))


def _index(codes: Mapping[str, Sequence[Finding]]) -> Table:
    """What was found, code by code; each leads to its findings."""
    return Table(
        "index",
        columns=(
            Column("code"),
            Column("what"),
            Column("findings", unit="count"),
            Column("surest", unit="number", digits=2),
        ),
        rows=[
            [code, CODES[code], len(found), max(one.confidence for one in found)]
            for code, found in codes.items()
        ],
    )
