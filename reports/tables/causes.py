"""Why heads, edges and attachments are wrong: tables."""

from __future__ import annotations

from analyzer.analyses.causes import KINDS, Causes
from analyzer.analyses.domain_gap import Split
from analyzer.safe_text import counted
from reports.model import Table, Value, columns, hidden, percent, table_of

_NAMED = 5  # causes that a line of the table names
# That only the left edge is wrong is counted with the left edges.
_SHOWN = [kind for kind in KINDS if kind != "left_only"]
_KINDS = {"head": "head", "right": "right edge", "left": "only left edge"}


def causes_table(result: Causes, *, top: int | None = 20) -> Table:
    """A row for each construction and what is wrong with it, most misses first."""
    rows: list[list[Value]] = []
    for (construction, kind), causes in result.by_misses.items():
        if kind not in _SHOWN:
            continue
        misses = causes.total()
        ordered = sorted(causes.items(), key=lambda item: (-item[1], item[0]))
        named = [
            f"{percent(count / misses, 0)} % {cause}"
            for cause, count in ordered[:_NAMED]
        ]
        others = len(ordered) - len(named)
        if others:
            rest = sum(count for _, count in ordered[_NAMED:])
            named.append(
                f"{percent(rest / misses, 0)} % of {counted(others, 'other kind')}"
            )
        rows.append([construction, KINDS[kind][0], misses, "; ".join(named)])
    return table_of(
        "causes",
        "Why heads, edges and attachments are wrong",
        "construction | kind=what | misses:count | causes",
        rows[:top],
        "attached lower: the parser has it inside the construction, gold outside; "
        "higher: the reverse. Shares are of the misses, and sum to 100 %",
        cut=hidden(len(rows) - len(rows[:top]), "smaller group"),
    )


def cause_rows_table(causes: Causes) -> Table:
    """All causes, for programs."""
    fields = "construction | kind | cause | misses:count | share:percent.1"
    return table_of("cause_rows", "", fields, causes.rows)


def gap_causes_table(split: Split, *, top: int | None = 12) -> Table:
    """Which causes make the gap, over all constructions."""
    summed = split.summed_causes
    shown = summed[:top]
    rows = [
        [_KINDS[row.kind], row.cause, row.reference, row.domain, float(row.points)]
        for row in shown
    ]
    return table_of(
        f"gap_causes_{split.measure}_{split.domain}",
        f"Which causes make the gap: {split.domain} against {split.reference}",
        columns(
            "kind=what | cause | reference:count=misses {a} | "
            "domain:count=misses {b} | points:points!",
            a=split.reference,
            b=split.domain,
        ),
        rows,
        "points of the accuracy part; all causes sum to it",
        cut=hidden(len(summed) - len(shown), "smaller cause"),
        option="--top shows more",
    )
