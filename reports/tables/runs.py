"""Several runs of each system: means, their spread, and what differs."""

from __future__ import annotations

from typing import Any

from analyzer.analyses.runs import RunComparison, RunRow
from analyzer.metrics.constructions import MEASURES
from analyzer.metrics.intervals import Interval
from analyzer.metrics.measures import TOTAL, measure_named
from reports.model import Column, Table, Value, View, hidden, interval_text, table_of


def runs_view(result: RunComparison, *, min_share: float = 0.5) -> View:
    """In words, then the means of systems, then construction by construction."""
    others = list(result.runs)[1:]
    tables = [overview(result)]
    tables += [difference_table(result, name, min_share) for name in others]
    words = [result.in_words(name) for name in others]

    def data() -> dict[str, Any]:
        return {
            "ledger": result.ledger.as_json(),
            "runs": [row._asdict() for row in result.rows],
            "differences": [
                row._asdict() for name in others for row in result.differences(name)
            ],
            "in_words": words,
            "signature": str(result.signature),
        }

    return View(tables, data, flat_table(result), words)


def overview(result: RunComparison) -> Table:
    """One row a system and score of all: the total, and the metrics of discourse."""
    names = result.names
    of_all = {*names[names.index(TOTAL) :]}
    title = measure_named(result.metric, MEASURES).title
    rows: list[list[Value]] = [
        [
            *(row.system, title if row.name == TOTAL else row.name, row.runs),
            *(row.mean, row.sd, row.best, row.worst, _interval(row)),
        ]
        for row in result.rows
        if row.name in of_all
    ]
    return table_of(
        "runs",
        "Systems, over their runs",
        "system | score | runs:count | mean:percent.1 | sd:percent.1 | "
        "best:percent.1 | worst:percent.1 | interval=95 %",
        rows,
        f"95 %: of the mean, over runs and {result.compared.units.setting}",
        result.scored_text(),
        str(result.signature),
    )


def difference_table(result: RunComparison, system: str, min_share: float) -> Table:
    """Each construction under the first system and another, over their runs."""
    first = next(iter(result.runs))
    by_name = {(row.system, row.name): row for row in result.rows}
    rows = result.differences(system)
    gold = next(row.gold for row in rows if row.name == TOTAL) or 1
    last = [row.name for row in rows].index(TOTAL)
    shown = [
        row
        for at, row in enumerate(rows)
        if at >= last or 100 * row.gold / gold >= min_share
    ]
    table: list[list[Value]] = []
    for row in shown:
        sides = [by_name[name, row.name] for name in (first, system)]
        verdict = ""
        if row.difference is not None and row.interval.excludes_zero:
            verdict = "better" if row.difference > 0 else "worse"
        table.append([row.name, row.gold])
        table[-1] += [value for one in sides for value in (one.mean, one.sd)]
        table[-1] += [row.difference, interval_text(row.interval, sign="+"), verdict]
    fields = [Column("name", "construction"), Column("gold", unit="count")]
    for name in (first, system):
        fields += [
            Column(f"{name}_mean", name, "percent", 1),
            Column(f"{name}_sd", "sd", "percent", 1, is_score=False),
        ]
    fields += [Column("difference", unit="points"), Column("interval", "95 %")]
    return table_of(
        f"runs_{system}",
        f"{measure_named(result.metric, MEASURES).title}, means over runs: {first} and "
        f"{system}",
        [*fields, Column("verdict")],
        table,
        f"{system} less {first}; 95 %: over runs and {result.compared.units.setting}, "
        f"{result.resamples:,} resamples; of twenty constructions that do not differ, "
        "one would seem to",
        cut=hidden(len(rows) - len(shown), "rarer construction"),
    )


def flat_table(result: RunComparison) -> Table:
    """A row for each system and score, with all numbers: for programs."""
    return table_of(
        "run_rows",
        "",
        "system | name | gold:count | runs:count | mean:percent.1 | sd:percent.1 | "
        "best:percent.1 | worst:percent.1 | low:percent.1 | high:percent.1",
        result.rows,
    )


def _interval(row: RunRow) -> str:
    return interval_text(Interval(row.low, row.high))
