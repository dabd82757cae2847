"""Systems side by side: leaderboard, differences with their certainty, agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from analyzer.analyses.systems import (
    GOLD_AMONG,
    FoundRow,
    System,
    SystemComparison,
)
from analyzer.metrics.constructions import MEASURES, measures_of
from analyzer.metrics.intervals import Interval
from analyzer.metrics.measures import TOTAL, Row, measure_named
from analyzer.safe_text import numbered
from reports.model import (
    Column,
    Figures,
    Table,
    Value,
    View,
    column_of,
    columns,
    difference_columns,
    differences_json,
    hidden,
    interval_text,
    stack,
    table_of,
    verdict,
)
from reports.tables.notes import leaf_of, shared_lines, without_text, zero_notes

if TYPE_CHECKING:
    from analyzer.analyses.runs import RunComparison


def metric_title(metric: str) -> str:
    """What people call a measure of constructions."""
    return measure_named(metric, MEASURES).title


def systems_view(
    result: SystemComparison,
    *,
    differences: Mapping[str, Sequence[Row]] | None = None,
    metrics: Mapping[str, Sequence[Row]] | None = None,
    neighbours: Sequence[Row] = (),
    metric: str = "f_s",
    min_share: float = 0.5,
) -> View:
    """The leaderboard; constructions by system; neighbours in rank, if given.

    Then what differs from the baseline, and who finds what: of the systems that
    `differences` are given of, else of the first. `metrics` are those of discourse
    metrics, of documents.
    """
    first, documents = result.systems[1], result.documents
    if differences is None:
        differences = {first.name: result.differences(first, metric)}
        if documents is not None:
            metrics = {first.name: documents.differences(first.name)}
    metrics = metrics or {}
    others = [system for system in result.systems if system.name in differences]
    agreements = {other.name: result.agreement(other) for other in others}
    matrix = construction_matrix(result, metric, min_share=min_share)
    tables, of_others = [leaderboard(result)], []
    if len(result.systems) > 2:  # of two, the table of differences has both
        tables.append(matrix)
    if neighbours:
        tables.append(neighbour_table(result, neighbours, metric))
    if documents is not None:
        from reports.tables import rst_scores

        tables.append(rst_scores.metric_leaderboard(documents))
    for other in others:
        name, rows = other.name, differences[other.name]
        if documents is not None:
            of_metrics = metrics[name]
            tables += rst_scores.metric_difference_tables(documents, name, of_metrics)
        table = difference_table(result, other, rows, metric, min_share=min_share)
        of_others.append(table)
        tables.append(table)
        tables.append(
            agreement_table(result, other, agreements[name], min_share=min_share)
        )
    main = stacked_differences(result, of_others, metric) if of_others else matrix
    if documents is not None:
        main = rst_scores.all_differences(result, differences, metrics, metric)
    given = result, differences, agreements, metric, metrics, neighbours
    data = partial(systems_json, *given)
    return View(tables, data, main, plots=partial(_plots, result, differences, metric))


def _plots(
    result: SystemComparison, differences: Mapping[str, Sequence[Row]], metric: str
) -> Figures:
    from reports.plots.scores import difference_figure

    baseline, title = result.baseline.name, metric_title(metric)
    return {
        f"differences_{metric}_{name}": difference_figure(
            rows, a=baseline, b=name, metric=title
        )
        for name, rows in differences.items()
    }


def function_differences_view(
    result: SystemComparison, differences: Mapping[str, Sequence[Row]]
) -> View:
    """Function tags of all systems, and what differs in each."""
    from reports.tables.functions import function_difference_table, functions_overview

    a = result.baseline.name
    named = [(system.name, system.scores.functions) for system in result.systems]
    overview = functions_overview(
        [(n, scores) for n, scores in named if scores], what="system"
    )
    tables = [
        function_difference_table(rows, a=a, b=name)
        for name, rows in differences.items()
    ]
    data = {
        "systems": overview.records(),
        "comparisons": differences_json(a, differences),
    }
    return View([overview, *tables], lambda: {"functions": data})


def leaderboard(result: SystemComparison) -> Table:
    """One row a system, best F-s first."""
    measures = measures_of(detail=1)
    after = [measure.name for measure in measures].index("f_s") + 1
    shown = [column_of(measure, digits=2) for measure in measures]
    shown.insert(after, Column("interval", "95 %"))
    rows: list[list[Value]] = []
    for system in result.ranked:
        evalb, total = system.scores.tally.evalb, system.scores.total
        scores: list[Value] = [getattr(total, measure.name) for measure in measures]
        scores.insert(after, interval_text(_interval(system)))
        rows.append([system.name, evalb.recall, evalb.precision, evalb.f1, *scores])
    fields = columns(
        "system | recall:percent={evalb} R | precision:percent={evalb} P | "
        "f1:percent={evalb} F1",
        evalb=result.baseline.scores.deriver.bracket_name,
    )
    return table_of(
        "leaderboard",
        "Systems",
        [*fields, *shown],
        rows,
        result.scored_text(),
        *_of_each(result),
        *(f"{name}: {GOLD_AMONG}" for name in result.gold_among),
        *_conventions(result),
        str(result.signature),
    )


def _interval(system: System) -> Interval:
    """Where the F-s of a system lies."""
    return system.scores.intervals(measure_named("f_s", MEASURES))[TOTAL]


def _system_records(result: SystemComparison) -> list[dict[str, Any]]:
    """The leaderboard for programs: the ends of intervals as numbers."""
    records = []
    for record, system in zip(
        leaderboard(result).records(), result.ranked, strict=True
    ):
        low, high = _interval(system)
        numbers = {key: value for key, value in record.items() if key != "interval"}
        records.append({**numbers, "f_s_low": low, "f_s_high": high})
    return records


def construction_matrix(
    result: SystemComparison, metric: str, *, min_share: float = 0.0
) -> Table:
    """One row a construction, one column a system, the best first."""
    scores = {
        system.name: {row.construction: row for row in [*of.rows, of.total]}
        for system in result.ranked
        for of in [system.scores]
    }
    total = result.baseline.scores.total
    shown = [
        row.construction
        for row in result.baseline.scores.rows
        if row.gold and 100 * row.gold >= min_share * total.gold
    ]
    rows: list[list[Value]] = [
        [
            name,
            scores[result.baseline.name][name].gold,
            *(getattr(rows.get(name), metric, None) for rows in scores.values()),
        ]
        for name in (*shown, total.construction)
    ]
    measure = column_of(measure_named(metric, MEASURES))
    fields = [
        *columns("construction | gold:count"),
        *(replace(measure, name=name, heading=name) for name in scores),
    ]
    with_gold = [row for row in result.baseline.scores.rows if row.gold]
    return table_of(
        f"constructions_{metric}",
        f"{metric_title(metric)} by construction and system",
        fields,
        rows,
        cut=hidden(len(with_gold) - len(shown), "rarer construction"),
    )


def neighbour_table(
    result: SystemComparison, rows: Sequence[Row], metric: str
) -> Table:
    """Of each system and the next in rank: whether they differ."""
    fields = [
        *columns("better=system | worse=next in rank"),
        *difference_columns("score", "of the next"),
    ]
    return table_of(
        f"neighbours_{metric}",
        f"{metric_title(metric)}: neighbours in rank",
        fields,
        [[*row, verdict(row)] for row in rows],
        "the next minus the one before; tests as those of differences; corrected: Holm "
        "over these pairs",
    )


def _of_each(result: SystemComparison) -> list[str]:
    """What is left out of each system alone, where something is."""
    measure = result.deriver.bracket_name
    return [
        f"{system.name}: {line}"
        for system in result.systems
        if system.ledger.items
        for line in (
            system.ledger.text(),
            *zero_notes(system.f1, system.f1_if_zero, measure),
        )
    ]


def _conventions(result: SystemComparison) -> list[str]:
    """What systems say about annotation, and the scores without what they share."""
    conventions = result.conventions
    shared = {
        convention.difference for convention in conventions if convention.is_shared
    }
    lines = shared_lines(conventions, leaf_of(result.baseline.scores))
    for system in result.systems:
        without = system.scores.conventions.only(shared)
        if without:
            lines.append(f"{system.name}: {without_text(system.scores, without)}")
    return lines


def difference_table(
    result: SystemComparison,
    other: System,
    rows: Sequence[Row],
    metric: str,
    *,
    min_share: float = 0.0,
) -> Table:
    """Per construction: both scores, the difference, its interval and p-values."""
    total = rows[-1].gold or 1
    shown = [row for row in rows if 100 * row.gold / total >= min_share]
    a, b = result.baseline.name, other.name
    return table_of(
        f"differences_{metric}_{b}",
        f"{metric_title(metric)}: {a} and {b}",
        [Column("construction"), *difference_columns(a, b)],
        [[*row, verdict(row)] for row in shown],
        f"{b} minus {a}; interval: paired bootstrap, 95 %, of {result.units.setting}; "
        f"p: approximate randomisation, {result.resamples:,} resamples; corrected: "
        "Holm over the constructions",
        cut=hidden(len(rows) - len(shown), "rarer construction"),
    )


def stacked_differences(
    result: SystemComparison, tables: Sequence[Table], metric: str
) -> Table:
    """The differences of all systems in one table; of one system, its own."""
    if len(tables) == 1:
        return tables[0]
    names = [system.name for system in result.systems[1 : len(tables) + 1]]
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
        title=f"{metric_title(metric)}: {result.baseline.name} and the others",
        columns=columns,
    )


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
    fields = columns(
        "construction | both:count | only_a:count=only {a} | only_b:count=only {b} | "
        "neither:count | example_only_a:count=e.g. only {a} | "
        "example_only_b:count=e.g. only {b} | example_neither:count=e.g. neither | "
        "example_both:count=e.g. both",
        a=a,
        b=b,
    )
    if ids:  # names beside the numbers
        fields = (*fields[:5], *(replace(field, unit="text") for field in fields[5:]))
    return table_of(
        f"agreement_{other.name}",
        f"Who finds what: {a} and {b}",
        fields,
        [[*row[:5], *(_example(number, ids) for number in row[5:])] for row in rows],
        rows[-1].in_words(a, b),
        "examples are sentence numbers: spinal derive GOLD PARSED N shows one",
    )


def _example(sentence: int | None, ids: Sequence[str]) -> Value:
    """A sentence's number, with its name where sentences have names."""
    if sentence is None or not ids:
        return sentence
    return numbered(sentence, ids[sentence - 1])


def systems_json(
    result: SystemComparison,
    differences: Mapping[str, Sequence[Row]],
    agreements: Mapping[str, Sequence[FoundRow]],
    metric: str,
    metrics: Mapping[str, Sequence[Row]] | None = None,
    neighbours: Sequence[Row] = (),
) -> dict[str, Any]:
    """The object that `spinal compare --format json` writes; see docs/json.md.

    `agreements`: who finds what. `metrics`: of discourse trees, the differences under
    the metrics for them.
    """
    hints = {name: hint._asdict() for name, hint in result.relation_hints.items()}
    ids = result.baseline.counted.ids
    comparisons = differences_json(result.baseline.name, differences)
    for comparison in comparisons:
        name = comparison["system"]
        comparison["agreement"] = [
            {**row._asdict(), "repaired": row.repaired, "broken": row.broken}
            for row in agreements[name]
        ]
        if ids:
            comparison["ids"] = list(ids)
        if metrics and name in metrics:
            comparison["metrics"] = [row._asdict() for row in metrics[name]]
    return {
        "systems": _system_records(result),
        "metric": metric,
        "constructions": construction_matrix(result, metric).records(),
        "neighbours": [row._asdict() for row in neighbours],
        "gold_among": result.gold_among,
        "comparisons": comparisons,
        "conventions": [item.as_json() for item in result.conventions],
        "coverage": result.scored_text(),
        "ledger": result.ledger.as_json(),
        "ledgers": {item.name: item.ledger.as_json() for item in result.systems},
        "signature": str(result.signature),
        **({"relation_labels": hints} if hints else {}),
    }


# -- several runs of each system -------------------------------------------------------


def runs_view(result: RunComparison, *, min_share: float = 0.5) -> View:
    """In words, then the means of systems, then construction by construction."""
    others = list(result.runs)[1:]
    tables = [runs_table(result)]
    tables += [run_difference_table(result, name, min_share) for name in others]
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

    return View(tables, data, run_rows_table(result), words)


def runs_table(result: RunComparison) -> Table:
    """One row a system and score of all: the total, and the metrics of discourse."""
    names = result.names
    of_all = {*names[names.index(TOTAL) :]}
    title = metric_title(result.metric)
    rows: list[list[Value]] = [
        [
            *(row.system, title if row.name == TOTAL else row.name, row.runs),
            *(row.mean, row.sd, row.best, row.worst),
            interval_text(Interval(row.low, row.high)),
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


def run_difference_table(result: RunComparison, system: str, min_share: float) -> Table:
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
        table[-1] += [value for side in sides for value in (side.mean, side.sd)]
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
        f"{metric_title(result.metric)}, means over runs: {first} and {system}",
        [*fields, Column("verdict")],
        table,
        f"{system} less {first}; 95 %: over runs and {result.compared.units.setting}, "
        f"{result.resamples:,} resamples; of twenty constructions that do not differ, "
        "one would seem to",
        cut=hidden(len(rows) - len(shown), "rarer construction"),
    )


def run_rows_table(result: RunComparison) -> Table:
    """A row for each system and score, with all numbers: for programs."""
    return table_of(
        "run_rows",
        "",
        "system | name | gold:count | runs:count | mean:percent.1 | sd:percent.1 | "
        "best:percent.1 | worst:percent.1 | low:percent.1 | high:percent.1",
        result.rows,
    )
