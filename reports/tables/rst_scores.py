"""Discourse scores as tables and JSON, as the papers have them, and side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from analyzer.analyses.compared import shared_notes
from analyzer.analyses.erst import ALL, EDGES, ENHANCED_METRICS, SIGNALS
from analyzer.analyses.generated_documents import (
    DocumentFaithfulness,
    GeneratedDocuments,
)
from analyzer.analyses.rst_relations import ClassificationRow, RelationClassification
from analyzer.analyses.rst_scores import MACRO, MICRO, RstScores
from analyzer.analyses.rst_systems import COMPARED, DocumentComparison
from analyzer.analyses.score import ConstructionScores, construction_row
from analyzer.analyses.systems import SystemComparison
from analyzer.metrics.constructions import ConstructionCounts
from analyzer.metrics.counts import total_of
from analyzer.metrics.intervals import Interval
from analyzer.metrics.measures import TOTAL, Row
from analyzer.metrics.ratios import ratio
from analyzer.metrics.rst import (
    ARCS,
    DECISIONS,
    DEPENDENCY,
    DEPENDENCY_METRICS,
    PARSEVAL,
    SEGMENTATION,
)
from reports.model import (
    Column,
    Table,
    Value,
    View,
    columns,
    difference_columns,
    interval_text,
    stack,
    table_of,
    verdict,
)
from reports.tables.constructions import (
    cells_with_intervals,
    construction_columns,
    construction_json,
    default_columns,
)
from reports.tables.notes import (
    convention_lines,
    left_out_records,
    relation_labels_json,
)

ENCODINGS = {
    PARSEVAL: "RST-Parseval",
    DECISIONS: "attachment decisions",
    DEPENDENCY: "dependencies",
    ARCS: "arcs",
    SEGMENTATION: "segmentation",
}
# Of EDUs that differ: what a title adds, and what the note below a table says.
_SEGMENTATIONS = {
    "same": ("", ()),
    "offsets": (
        ", end to end by offsets",
        (
            "offsets: a unit is its first and its last character; ends of texts are no "
            "boundaries",
        ),
    ),
    "edu-ends": (
        ", end to end by EDU ends",
        (
            "edu-ends: a unit is the ends of its first and last EDU, and the end of a "
            "text is a boundary, as DMRST and isanlp count",
        ),
    ),
}
# What has to be the same under each metric, and what rows are for.
_ENHANCED = {
    EDGES: (("both units", "and the relation"), "relation"),
    SIGNALS: (("unit and type", "and the subtype", "and the words"), "type"),
}
Metric = tuple[str, str]  # an encoding, and what is scored of it
_SHORT = {PARSEVAL: "", DECISIONS: "att ", DEPENDENCY: "", ARCS: "", SEGMENTATION: ""}


def metric_heading(encoding: str, metric: str) -> str:
    """What a column is called that holds a metric.

    >>> metric_heading(DECISIONS, "S"), metric_heading(DEPENDENCY, "UAS")
    ('att S', 'UAS')
    """
    return f"{_SHORT[encoding]}{metric}"


def metric_table(scores: RstScores) -> Table:
    """Every metric: micro with its counts, and macro over documents."""
    by_key = {(row.encoding, row.metric, row.average): row for row in scores.rows}
    rows: list[list[Value]] = []
    for encoding, metric in scores.counts:
        micro = by_key[encoding, metric, MICRO]
        rows.append([ENCODINGS[encoding], metric, micro.matched, micro.gold])
        rows[-1] += [micro.predicted, micro.precision, micro.recall, micro.f1]
        rows[-1].append(interval_text(Interval(micro.low, micro.high)))
        rows[-1].append(by_key[encoding, metric, MACRO].f1)
    title, notes = _SEGMENTATIONS[scores.settings.segmentation]
    return table_of(
        "rst",
        f"Discourse scores{title}",
        "encoding | metric | matched:count | gold:count | predicted:count | "
        "precision:percent.1=micro P | recall:percent.1=micro R | "
        "f1:percent.1=micro F1 | interval=95 % | macro_f1:percent.1=macro F1",
        rows,
        "micro: counts summed over documents; macro: mean over documents; 95 %: of "
        "micro F1, documents resampled",
        *notes,
        scores.scored_text(),
        str(scores.signature),
    )


def document_table(scores: RstScores) -> Table:
    """F1 of each document under each metric."""
    f1 = {
        (row.document, row.encoding, row.metric): row.f1 for row in scores.document_rows
    }
    fields = [Column("document"), *_metric_columns(scores.counts, digits=2)]
    rows = [[name, *(f1[name, *key] for key in scores.counts)] for name in scores.names]
    return table_of("documents", "F1 by document", fields, rows)


def _metric_columns(keys: Iterable[Metric], digits: int) -> list[Column]:
    names = [(f"{key[0]}_{key[1]}", metric_heading(*key)) for key in keys]
    return [Column(name, heading, "percent", digits) for name, heading in names]


def _micro_f1(
    systems: Iterable[tuple[str, RstScores]], keys: Sequence[Metric]
) -> list[list[Value]]:
    """One row a system: its name, and its scores under some metrics."""
    rows: list[list[Value]] = []
    for name, scores in systems:
        micro = [row for row in scores.rows if row.average == MICRO]
        f1 = {(row.encoding, row.metric): row.f1 for row in micro}
        rows.append([name, *(f1[key] for key in keys)])
    return rows


def relation_tables(scores: RstScores) -> list[Table]:
    """F of each relation class, and the mean over classes (2017, section 5)."""
    tables = []
    what = "F: span, nuclearity, relation"
    for encoding in (PARSEVAL, DECISIONS, ARCS):
        rows = [row for row in scores.relation_rows if row.encoding == encoding]
        if encoding == ARCS and not rows:
            continue
        what = "link and relation" if encoding == ARCS else what
        known = [row.f1 for row in rows if row.f1 is not None and row.gold]
        mean = sum(known) / len(known) if known else None
        table = table_of(
            f"relations_{encoding}",
            f"By relation, {ENCODINGS[encoding]} ({what})",
            "relation | matched:count | gold:count | predicted:count | "
            "precision:percent.1 | recall:percent.1 | f1:percent.1=F1",
            [*rows, ["mean over classes", *[None] * 5, mean]],
        )
        tables.append(table)
    return tables


def level_table(scores: RstScores) -> Table:
    """Every metric within sentences, within paragraphs and above."""
    return table_of(
        "levels",
        "By level, micro",
        "encoding | metric | level | matched:count | gold:count | predicted:count | "
        "precision:percent.1=P | recall:percent.1=R | f1:percent.1=F1",
        [[ENCODINGS[row.encoding], *row[1:]] for row in scores.level_rows],
        "level: the smallest part of the text that holds the unit, or both EDUs of the "
        "arc; the counts of the three add up to the total",
    )


def faithfulness_tables(scores: RstScores) -> list[Table]:
    """What was changed in the texts: by documents, EDUs and characters."""
    generated = scores.faithfulness
    if generated is None:
        return []
    rows, all_of = generated.compared, len(generated.compared)

    def of(flag: str) -> int:
        return sum(bool(getattr(row, flag)) for row in rows)

    counts: list[tuple[str, int, int, int | None, int | None]] = [
        ("documents", generated.documents, generated.documents, None, None),
        ("malformed", generated.malformed, generated.documents, None, None),
        ("not predicted", generated.missing, generated.documents, None, None),
        (
            *("text compared", all_of, generated.documents),
            *(generated.total("edus"), generated.total("characters")),
        ),
        ("text and EDUs equal", of("is_faithful"), all_of, None, None),
        ("text equal", of("has_text"), all_of, None, None),
        (
            *("EDUs end elsewhere", of("moved_boundaries"), all_of),
            *(generated.total("moved_boundaries"), None),
        ),
        (
            *("EDUs changed", of("changed_edus"), all_of),
            *(generated.total("changed_edus"), None),
        ),
        ("text changed", of("changed"), all_of, None, generated.total("changed")),
        ("text missing", of("missing"), all_of, None, generated.total("missing")),
        ("text added", of("added"), all_of, None, generated.total("added")),
        ("other text, can be aligned", of("is_alike"), all_of, None, None),
        (
            *("too little of gold's text", all_of - of("has_text") - of("is_alike")),
            *(all_of, None, None),
        ),
    ]
    listed = [
        [what, number, ratio(number, total), edus, characters]
        for what, number, total, edus, characters in counts
    ]
    return [
        table_of(
            "faithfulness",
            "Faithfulness of the predicted texts",
            "what | documents:count | share:percent.1=% | edus:count=EDUs | "
            "characters:count",
            listed,
            "EDUs and characters of gold, of added text those predicted; white space "
            "and case do not count; too little: less than half, which --on-mismatch "
            "align leaves out",
            str(generated.signature),
        )
    ]


def faithfulness_json(generated: GeneratedDocuments) -> dict[str, Any]:
    """The object `faithfulness` of `spinal rst score`; see docs/json.md."""
    names = DocumentFaithfulness._fields[1:]
    return {
        "documents": generated.documents,
        "malformed": generated.malformed,
        "not_predicted": generated.missing,
        "compared": len(generated.compared),
        "total": {name: generated.total(name) for name in names},
        "unfaithful": _records(generated.rows),
        "signature": str(generated.signature),
    }


def enhanced_tables(scores: RstScores) -> list[Table]:
    """Secondary edges, signals, and what is found of relations by their signals."""
    if scores.enhanced is None:
        return []
    tables = []
    for what, metrics in ENHANCED_METRICS.items():
        rows = [row[1:] for row in scores.enhanced.rows if row.what == what]
        if not rows:
            continue
        rows.sort(key=lambda row: row[0] != ALL)  # the totals first
        texts, kind = _ENHANCED[what]
        table = table_of(
            what.replace(" ", "_"),
            f"{what.capitalize()}, micro",
            f"{kind} | metric | matched:count | gold:count | predicted:count | "
            "precision:percent.1 | recall:percent.1 | f1:percent.1=F1",
            rows,
            f"the same: {'; '.join(map(': '.join, zip(metrics, texts, strict=True)))}",
        )
        tables.append(table)
    signalled = scores.enhanced.signalled_rows
    shown: dict[tuple[str, str], list[Value]] = {}
    for row in signalled:
        cells = shown.setdefault(
            (row.encoding, row.signal), [ENCODINGS[row.encoding], row.signal, row.gold]
        )
        if "H" not in row.metric:
            cells.append(row.recall)
    for encoding, names in ((DECISIONS, "SNRF"), (DEPENDENCY, DEPENDENCY_METRICS)):
        fields = [Column(name, unit="percent", digits=1) for name in names]
        table = table_of(
            f"signalled_{encoding}",
            f"What is found of gold's relations, by signal: {ENCODINGS[encoding]}",
            [*columns("signal | gold:count"), *fields],
            [cells[1:] for key, cells in shown.items() if key[0] == encoding],
            "recall; connective: a signal of type dm; other: signals of other types",
        )
        tables.append(table)
    return tables


def construction_tables(scores: ConstructionScores) -> list[Table]:
    """The paper's Table 2 for discourse: schemas and links, each a family."""
    tables = []
    families = (
        (True, "schemas", "Schemas: units by relation and shape"),
        (False, "links", "Links: how the unit of each EDU attaches"),
    )
    known = construction_columns()
    fields = [known[name] for name in ("construction", *default_columns())]
    for is_schema, name, title in families:
        members = [row for row in scores.rows if row.recursive == is_schema]
        counts = [scores.tally.constructions[row.construction] for row in members]
        total = sum(count.gold for count in counts)
        rows = [
            construction_row(row.construction, count, is_schema, total)
            for row, count in zip(members, counts, strict=True)
        ]
        sums = total_of(counts, ConstructionCounts())
        rows.append(construction_row(TOTAL, sums, is_schema, total))
        names = {row.construction for row in members}
        table = cells_with_intervals(
            scores, rows, default_columns(), names.__contains__
        )
        lines = [] if is_schema else convention_lines(scores)
        notes = (scores.scored_text(), *lines, str(scores.signature))
        tables.append(table_of(name, title, fields, table, *notes))
    return tables


def rst_view(
    given: RstScores | Sequence[tuple[str, RstScores]],
    *,
    by_document: bool = False,
    by_relation: bool = False,
) -> View:
    """The metrics of a system, or of each of several by name.

    A CSV holds those of all systems.
    """
    systems = [("", given)] if isinstance(given, RstScores) else given
    tables: list[Table] = []
    everyones = [(name, metric_table(scores)) for name, scores in systems]
    for (name, scores), (_, metrics) in zip(systems, everyones, strict=True):
        own = [metrics]
        own += relation_tables(scores) if by_relation else []
        own += [document_table(scores)] if by_document else []
        own += [level_table(scores)] if scores.level_rows else []
        own += enhanced_tables(scores)
        own += faithfulness_tables(scores)
        tables += own if len(systems) == 1 else [_named(name, table) for table in own]
    main = tables[0]
    if len(systems) > 1:
        main = stack(everyones, Column("system"))
    data = partial(
        systems_json, systems, by_document=by_document, by_relation=by_relation
    )
    notes = {name: scores.notes for name, scores in systems}
    return View(tables, data, main).with_notes(shared_notes(notes))


def constructions_view(scores: ConstructionScores) -> View:
    """Schemas and links of discourse trees."""
    view = View(construction_tables(scores), partial(constructions_json, scores))
    return view.with_notes(scores.notes)


def classifications_view(systems: Sequence[tuple[str, RelationClassification]]) -> View:
    """Relation classification of a system; of several, side by side and then each."""
    if len(systems) == 1:
        return classification_view(systems[0][1])
    rows = [
        [
            name,
            *(cell for row in result.summary for cell in (row.value, _interval(row))),
        ]
        for name, result in systems
    ]
    side_by_side = table_of(
        "systems",
        "Relation classification",
        "system | accuracy:percent.1=accuracy | interval=95 % | "
        "macro:percent.1=macro F1 | macro_interval=95 %",
        rows,
        "each system by the relations that it and gold have: see the tables below",
    )
    tables = [side_by_side]
    notes: list[str] = []
    for name, result in systems:
        view = classification_view(result)
        tables += [_named(name, table) for table in view.tables]
        notes += view.notes

    def data() -> dict[str, Any]:
        return {
            "systems": {name: classification_json(result) for name, result in systems}
        }

    return View(tables, data, side_by_side).with_notes(notes)


def _interval(row: ClassificationRow) -> str:
    return interval_text(Interval(row.low, row.high))


def classification_view(result: RelationClassification, top: int | None = 20) -> View:
    """Accuracy and mean, each label, and which for which."""
    where = "the same units" if result.is_of_rels else "the same governor"
    counted_of = (
        f"{result.gold.size:,} of {result.of_gold:,} relations of gold counted: those "
        f"with {where} on both sides"
    )
    summary = table_of(
        "classification",
        "Relation classification",
        "metric | value:percent.1=score | interval=95 %",
        [[row.metric, row.value, _interval(row)] for row in result.summary],
        counted_of,
        "macro F1: mean over the labels that gold has; 95 %: documents resampled",
        result.scored_text(),
        str(result.signature),
    )
    labels = table_of(
        "labels",
        "By label",
        "label | matched:count | gold:count | predicted:count | "
        "precision:percent.1=P | recall:percent.1=R | f1:percent.1=F1 | interval=95 %",
        [[*row[:7], interval_text(Interval(row.low, row.high))] for row in result.rows],
    )
    others = result.confusion
    confusion = table_of(
        "confusion",
        "Taken for another label",
        "gold | predicted | relations:count",
        [[row.gold, row.predicted or "(none)", row.relations] for row in others[:top]],
        *(
            [f"{len(others) - top:,} pairs more: --format json"]
            if top and others[top:]
            else []
        ),
    )
    data = partial(classification_json, result)
    return View([summary, labels, confusion], data, labels).with_notes(result.notes)


def classification_json(result: RelationClassification) -> dict[str, Any]:
    """The object of `rst score --classification --format json`; see docs/json.md."""
    return {
        "summary": _records(result.summary),
        "labels": _records(result.rows),
        "confusion": _records(result.confusion),
        "relations": result.of_gold,
        "counted": int(result.gold.size),
        "skipped": left_out_records(result.left_out),
        "ledger": result.ledger.as_json(),
        "signature": str(result.signature),
    }


def _named(system: str, table: Table) -> Table:
    return replace(
        table, name=f"{table.name}_{system}", title=f"{table.title}: {system}"
    )


def systems_json(
    systems: Sequence[tuple[str, RstScores]], *, by_document: bool, by_relation: bool
) -> dict[str, Any]:
    """The object of `rst_scores_json`, or a list of them where there are several."""
    data = [
        rst_scores_json(scores, by_document=by_document, by_relation=by_relation)
        for _, scores in systems
    ]
    if len(systems) == 1:
        return data[0]
    named = []
    for (name, _), content in zip(systems, data, strict=True):
        for rows in ("rows", "documents", "relations"):
            if rows in content:
                content[rows] = [{"system": name, **row} for row in content[rows]]
        named.append({"system": name, **content})
    return {"systems": named}


def constructions_json(scores: ConstructionScores) -> dict[str, Any]:
    """The counts of schemas (recursive) and links; see docs/json.md."""
    data = construction_json(scores)
    names = ("constructions", "coverage", "conventions", "skipped", "ledger")
    others = [name for name in ("signature", "relation_labels") if name in data]
    return {name: data[name] for name in (*names, *others)}


def rst_scores_json(
    scores: RstScores, *, by_document: bool, by_relation: bool
) -> dict[str, Any]:
    """The object that `spinal rst score --format json` writes; see docs/json.md."""
    data: dict[str, Any] = {
        "rows": _records(scores.rows),
        "skipped": left_out_records(scores.left_out),
        "ledger": scores.ledger.as_json(),
        "signature": str(scores.signature),
        **relation_labels_json(scores.relation_hint),
    }
    if by_document:
        data["documents"] = _records(scores.document_rows)
    if by_relation:
        data["relations"] = _records(scores.relation_rows)
    if scores.faithfulness is not None:
        data["faithfulness"] = faithfulness_json(scores.faithfulness)
    if scores.level_rows:
        data["levels"] = _records(scores.level_rows)
    if scores.enhanced is not None:
        data["enhanced"] = _records(scores.enhanced.rows)
        data["signalled"] = _records(scores.enhanced.signalled_rows)
    return data


def _records(rows: Iterable[Any]) -> list[dict[str, Any]]:
    return [row._asdict() for row in rows]


# -- discourse parsers side by side, and which differences are real ----------------

_WHAT = {"document": "documents", "decision": "spans and EDUs"}


def metric_leaderboard(result: DocumentComparison) -> Table:
    """One row a system: micro F1 of each metric."""
    keys = [
        (encoding, metric) for encoding in COMPARED for metric in COMPARED[encoding]
    ]
    return table_of(
        "metrics",
        "Discourse metrics, micro F1",
        [Column("system"), *_metric_columns(keys, digits=1)],
        _micro_f1(result.scores.items(), keys),
        str(result.signature),
    )


def all_differences(
    result: SystemComparison,
    constructions: Mapping[str, Sequence[Row]],
    metrics: Mapping[str, Sequence[Row]],
    metric: str,
) -> Table:
    """Metrics and constructions of all systems in one table, for programs."""
    rows: list[list[Value]] = []
    for system, of_system in metrics.items():
        rows += [
            [system, row.paired_by, row.encoding, row.metric, None, *row[3:]]
            for row in of_system
        ]
        rows += [
            [system, "document", "constructions", metric, *row]
            for row in constructions[system]
        ]
    return table_of(
        "all_differences",
        f"{result.baseline.name} and the others",
        "system | paired_by | encoding | metric | construction | gold:count | "
        "score_a:percent | score_b:percent | difference:points | low:points | "
        "high:points | p_value:number.4 | p_corrected:number.4",
        rows,
    )


def metric_difference_tables(
    result: DocumentComparison, system: str, rows: Sequence[Row]
) -> list[Table]:
    """Each metric of two systems: by document, and by decision."""
    baseline = next(iter(result.scores))
    fields = (*columns("encoding | metric"), *difference_columns(baseline, system))
    return [
        table_of(
            f"metrics_by_{paired_by}_{system}",
            f"Discourse metrics, paired by {paired_by}: {baseline} and {system}",
            fields,
            [
                [ENCODINGS[row.encoding], *row[2:], verdict(row)]
                for row in rows
                if row.paired_by == paired_by
            ],
            f"{system} minus {baseline}, micro F1; {what} are resampled; interval: "
            "paired bootstrap, 95 %; p: approximate randomisation, "
            f"{result.resamples:,} resamples; corrected: Holm over the metrics",
        )
        for paired_by, what in _WHAT.items()
    ]
