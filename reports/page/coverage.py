"""What the page says about coverage, evalb's matches, and sentences left out."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.analyses.score import ConstructionScores
from analyzer.analyses.score_rows import TOTAL
from analyzer.metrics.ratios import ratio
from analyzer.pairing.ledger import Fate, Ledger, LeftOut
from reports.model import Column, Table
from reports.page.model import PageTable, Section

_MOST_LEFT_OUT = 500


def coverage_section(
    name: str, scores: ConstructionScores, ungrouped: Ledger
) -> Section:
    """Coverage of the patterns, the way to evalb's matches, and what was left out.

    `ungrouped`: with the first of groups, what belongs to none.
    """
    counts = scores.tally
    sides = (
        ("gold", counts.gold_coverage, counts.evalb.gold),
        ("parsed", counts.parsed_coverage, counts.evalb.parsed),
    )
    coverage = Table(
        "coverage",
        columns=(
            Column("side", "side"),
            Column("brackets", unit="count"),
            Column("covered", unit="count"),
            Column("coverage", "% covered", "percent"),
            Column("evalb_brackets", "evalb brackets", "count"),
            Column("matched", "evalb matches", "count"),
            Column("evalb", "% matched", "percent"),
        ),
        rows=[
            [
                side,
                part.brackets,
                part.covered,
                ratio(part.covered, part.brackets),
                brackets,
                counts.evalb.matched,
                ratio(counts.evalb.matched, brackets),
            ]
            for side, part, brackets in sides
        ],
        title="Brackets that a pattern of the inventory matches, and those that evalb "
        "matches (recall and precision)",
    )
    names = (
        "same head word, same construction (F-s matches)",
        "same head word, another construction",
        "another head word",
        "wrapper of a whole tree, which has no construction",
    )
    matched = counts.evalb.matched
    rows = [
        [name, part, ratio(part, matched)]
        for name, part in zip(names, scores.reconciliation, strict=True)
    ]
    if not counts.wrappers.gold and not counts.wrappers.parsed:
        rows.pop()
    reconciliation = Table(
        "reconciliation",
        columns=(
            Column("part", "of evalb’s matches"),
            Column("brackets", unit="count"),
            Column("share", "%", "percent"),
        ),
        rows=[*rows, [TOTAL, matched, ratio(matched, matched)]],
        title="How the scores add up to evalb’s matches",
    )
    tables = [PageTable(coverage), PageTable(reconciliation, has_total=True)]
    left_out = (*scores.ledger.items, *ungrouped.items)
    if left_out:
        tables.append(PageTable(_left_out_table(left_out, scores.ledger.noun)))
    return Section("coverage", "Coverage", name, (), (), tables)


def _left_out_table(left_out: Sequence[LeftOut], noun: str) -> Table:
    hidden = len(left_out) - _MOST_LEFT_OUT
    return Table(
        "left_out",
        columns=(
            Column(noun),
            Column("reason"),
            Column("message"),
        ),
        rows=[
            [item.document or item.sentence or "-", _why(item), item.error.message]
            for item in left_out[:_MOST_LEFT_OUT]
        ],
        title=f"{noun.capitalize()}s that are not compared",
        notes=(f"{hidden:,} more not shown",) if hidden > 0 else (),
    )


def _why(item: LeftOut) -> str:
    if item.fate is Fate.LEFT_OUT:
        return item.reason.value
    return f"{item.reason.value}: {item.fate.value}"
