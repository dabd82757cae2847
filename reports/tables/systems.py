"""Systems side by side: leaderboard, differences with their certainty, agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer.analyses.system_rows import DifferenceRow, FoundRow, System
from analyzer.analyses.systems import SystemComparison
from analyzer.safe_text import counted, numbered
from reports.model import Column, ColumnUnit, Table, Value, stack
from reports.tables.omissions import zero_notes
from reports.tables.recurring import leaf_of, shared_lines, without_text

if TYPE_CHECKING:
    from analyzer.analyses.rst_systems import MetricDifference
    from analyzer.analyses.system_functions import FunctionDifference

_LEVEL = 0.05  # of significance
METRIC_NAMES = {
    "f_s": "F-s",
    "f_h": "F-h",
    "att": "att",
    "span_right": "spanR",
    "span_left": "spanL",
}


def leaderboard(result: SystemComparison) -> Table:
    """One row a system, best F-s first."""
    rows: list[list[Value]] = []
    for system in result.systems:
        counts, total = system.scores.tally, system.scores.total
        rows.append(
            [
                system.name,
                counts.evalb.recall,
                counts.evalb.precision,
                counts.evalb.f1,
                total.f_h,
                total.f_s,
                total.att,
                total.span_right,
            ]
        )
    rows.sort(key=lambda row: -float(row[5] or 0))
    measure = result.baseline.scores.deriver.bracket_name
    return Table(
        name="leaderboard",
        title="Systems",
        columns=(
            Column("system"),
            Column("recall", f"{measure} R", "percent", 2),
            Column("precision", f"{measure} P", "percent", 2),
            Column("f1", f"{measure} F1", "percent", 2),
            Column("f_h", "F-h", "percent", 2),
            Column("f_s", "F-s", "percent", 2),
            Column("att", "att", "percent", 2),
            Column("span_right", "spanR", "percent", 2),
        ),
        rows=rows,
        notes=(
            result.scored_text(),
            *_of_each(result),
            *_conventions(result),
            str(result.signature),
        ),
    )


def _of_each(result: SystemComparison) -> list[str]:
    """What is left out of each system alone, where something is."""
    measure = result.deriver.bracket_name
    return [
        f"{one.name}: {line}"
        for one in result.systems
        if one.ledger.items
        for line in (
            one.ledger.text(),
            *zero_notes(one.f1, one.f1_if_zero, measure),
        )
    ]


def _conventions(result: SystemComparison) -> list[str]:
    """What systems say about annotation, and the scores without what they share."""
    found = result.conventions
    shared = {one.difference for one in found if one.is_shared}
    lines = shared_lines(found, leaf_of(result.baseline.scores))
    for one in result.systems:
        without = one.scores.conventions.only(shared)
        if without:
            lines.append(f"{one.name}: {without_text(one.scores, without)}")
    return lines


def difference_table(
    result: SystemComparison,
    other: System,
    rows: Sequence[DifferenceRow],
    metric: str,
    *,
    min_share: float = 0.0,
) -> Table:
    """Per construction: both scores, the difference, its interval and p-values."""
    total = rows[-1].gold or 1
    shown = [row for row in rows if 100 * row.gold / total >= min_share]
    hidden = len(rows) - len(shown)
    notes = [
        f"{other.name} minus {result.baseline.name}; interval: paired bootstrap, 95 %; "
        f"p: approximate randomisation, {result.resamples:,} resamples; corrected: "
        "Holm over the constructions"
    ]
    if hidden:
        notes.insert(0, f"{counted(hidden, 'rarer construction')} not shown")
    return Table(
        name=f"differences_{metric}_{other.name}",
        title=f"{METRIC_NAMES[metric]}: {result.baseline.name} and {other.name}",
        columns=(
            Column("construction"),
            *difference_columns(result.baseline.name, other.name),
        ),
        rows=[[*row, verdict(row)] for row in shown],
        notes=notes,
    )


def stacked_differences(
    result: SystemComparison, tables: Sequence[Table], metric: str
) -> Table:
    """The differences of all systems in one table; of one system, its own."""
    if len(tables) == 1:
        return tables[0]
    names = [system.name for system in result.systems[1:]]
    together = stack(list(zip(names, tables, strict=True)), Column("system"))
    # A column is called as the second system where there are two.
    plain = {"score_b": "its score"}
    columns = [
        replace(column, heading=plain.get(column.name, column.heading))
        for column in together.columns
    ]
    return replace(
        together,
        name=f"differences_{metric}",
        title=f"{METRIC_NAMES[metric]}: {result.baseline.name} and the others",
        columns=columns,
    )


def is_significant(
    row: DifferenceRow | MetricDifference | FunctionDifference,
) -> bool:
    """Whether the difference would be rare by chance, over all constructions."""
    return row.p_corrected is not None and row.p_corrected < _LEVEL


def difference_columns(a: str, b: str) -> tuple[Column, ...]:
    """What a table says of a score under two systems, and whether they differ."""
    return (
        Column("gold", unit="count"),
        Column("score_a", a, "percent", 1),
        Column("score_b", b, "percent", 1),
        Column("difference", unit="points", is_score=True),
        Column("low", "from", "points", is_score=True),
        Column("high", "to", "points", is_score=True),
        Column("p_value", "p", "number", 4, is_score=True),
        Column("p_corrected", "p corrected", "number", 4, is_score=True),
        Column("verdict", ""),
    )


def verdict(row: DifferenceRow | MetricDifference | FunctionDifference) -> str:
    """Whether a system is better or worse than the baseline, if that is certain."""
    if row.difference is None or not is_significant(row):
        return ""
    return "better" if row.difference > 0 else "worse"


def agreement_table(
    result: SystemComparison,
    other: System,
    rows: Sequence[FoundRow],
    *,
    min_share: float = 0.0,
) -> Table:
    """Gold brackets by who finds them (head, construction and span), with examples."""
    a, b = result.baseline.name, other.name
    total = sum(rows[-1][1:5]) or 1
    rows = [row for row in rows if 100 * sum(row[1:5]) / total >= min_share]
    ids = result.baseline.counted.ids
    unit: ColumnUnit = "text" if ids else "count"
    return Table(
        name=f"agreement_{other.name}",
        title=f"Who finds what: {a} and {b}",
        columns=(
            Column("construction"),
            Column("both", unit="count"),
            Column("only_a", f"only {a}", "count"),
            Column("only_b", f"only {b}", "count"),
            Column("neither", unit="count"),
            Column("example_only_a", f"e.g. only {a}", unit),
            Column("example_only_b", f"e.g. only {b}", unit),
            Column("example_neither", "e.g. neither", unit),
            Column("example_both", "e.g. both", unit),
        ),
        rows=[
            [*row[:5], *(_example(number, ids) for number in row[5:])] for row in rows
        ],
        notes=("examples are sentence numbers: spinal derive GOLD PARSED N shows one",),
    )


def _example(sentence: int | None, ids: Sequence[str]) -> Value:
    """A sentence's number, with its name where sentences have names."""
    if sentence is None or not ids:
        return sentence
    return numbered(sentence, ids[sentence - 1])


def systems_json(
    result: SystemComparison,
    differences: Mapping[str, Sequence[DifferenceRow]],
    found: Mapping[str, Sequence[FoundRow]],
    metric: str,
    metrics: Mapping[str, Sequence[MetricDifference]] | None = None,
) -> dict[str, Any]:
    """The object that `spinal compare --format json` writes; see docs/json.md.

    `found`: who finds what. `metrics`: of discourse trees, the differences under the
    metrics for them.
    """
    metrics = metrics or {}
    hints = {name: hint._asdict() for name, hint in result.relation_hints.items()}
    ids = result.baseline.counted.ids
    return {
        "systems": leaderboard(result).records(),
        "metric": metric,
        "comparisons": [
            {
                "baseline": result.baseline.name,
                "system": system.name,
                "differences": [row._asdict() for row in differences[system.name]],
                "agreement": [row._asdict() for row in found[system.name]],
                **({"ids": list(ids)} if ids else {}),
                **(
                    {"metrics": [row._asdict() for row in metrics[system.name]]}
                    if system.name in metrics
                    else {}
                ),
            }
            for system in result.systems[1:]
        ],
        "conventions": [one.as_json() for one in result.conventions],
        "coverage": result.scored_text(),
        "ledger": result.ledger.as_json(),
        "ledgers": {one.name: one.ledger.as_json() for one in result.systems},
        "signature": str(result.signature),
        **({"relation_labels": hints} if hints else {}),
    }
