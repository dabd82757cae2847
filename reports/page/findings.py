"""The findings of `spinal check` in discourse trees, as one HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from analyzer.checks.findings import CODES, LEVELS, Finding
from reports.page.html import page_html
from reports.page.model import Fact, Page, PageTable, Section
from reports.tables.findings import (
    document_finding_table,
)

_WORDS_DRAWN = 16  # around a finding; a whole sentence is too wide to compare
_GROUPS_DRAWN = 60


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
