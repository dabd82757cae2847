"""Errors by type, sentence by sentence and one by one, as tables and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analyzer.analyses.repair_records import (
    Classifier,
    RepairedSentence,
    Status,
    TypeCounts,
)
from analyzer.analyses.repairs import (
    NO_EDIT,
    ErrorRow,
    Repairs,
    TypeRow,
    error_rows,
)
from analyzer.editing.search import MOST_EDITS
from analyzer.metrics.ratios import ratio
from analyzer.safe_text import counted
from reports.model import Column, Table, Value, cells

if TYPE_CHECKING:
    from analyzer.analyses.repair_comparisons import RepairComparison, RepairDifference
    from analyzer.analyses.worth import Worth

_TYPE_COLUMNS = (
    Column("error_type", "error type"),
    Column("errors", unit="count"),
    Column("nodes", "brackets", "count"),
    Column("nodes_per_error", "ratio", "number"),
    Column("share", "%brackets", "percent", 1),
    Column("per_sentence", "a sentence", "number"),
)
_SENTENCE_COLUMNS = (
    Column("sentence", unit="count"),
    Column("status"),
    Column("words", unit="count"),
    Column("initial_errors", "bracket errors", "count"),
    Column("steps", "edits", "count"),
    Column("error_types", "error types"),
)
_COUNTS = ("sentence", "step", "nodes")
_HEADINGS = {"error_type": "error type", "nodes": "brackets"}
_ONLY_OURS = ("construction", "head", "governor")


def type_table(found: Repairs) -> Table:
    """Types of error in the manner of Kummerfeld et al. (2012, Table 2)."""
    return Table(
        name="error_types",
        title=f"Errors by type ({found.classifier})",
        columns=_TYPE_COLUMNS,
        rows=[cells(row, _TYPE_COLUMNS) for row in (*found.rows, found.total)],
        notes=notes_of(found),
    )


def notes_of(found: Repairs) -> list[str]:
    """What stands below every table of repairs."""
    notes = [found.scored_text()]
    if found.classifier is Classifier.KUMMERFELD:
        notes.append(
            "words are not compared, only their number, as the reference does; "
            "--classifier spinal compares them"
        )
    return [*notes, str(found.signature)]


def sentence_table(found: Repairs) -> Table:
    """What was found in each sentence."""
    rows: list[list[Value]] = []
    has_ids = found.has_ids
    for one in found.sentences:
        is_known = one.status != "refused"
        types = "; ".join(error.error_type for error in one.repairs)
        rows.append(
            [
                one.sentence,
                *([one.id] if has_ids else []),
                str(one.status),
                one.words if is_known else None,
                one.errors if is_known else None,
                _steps(one),
                types,
            ]
        )
    return Table(
        name="repaired_sentences",
        title="Sentences",
        columns=_with_id(found, _SENTENCE_COLUMNS),
        rows=rows,
        notes=notes_of(found),
    )


def _with_id(found: Repairs, columns: Sequence[Column]) -> list[Column]:
    """The columns; one more after the number, if files name their sentences."""
    first, *rest = columns
    return [first, *([Column("id")] if found.has_ids else []), *rest]


def _steps(one: RepairedSentence) -> int | None:
    """How many edits were made; of a search that was given up, one too many."""
    if one.status is Status.NO_PATH:
        return MOST_EDITS + 1
    return len(one.repairs) if one.status is Status.OK else None


def error_table(found: Repairs, *, limit: int | None = None) -> Table:
    """All errors, in the order in which they are mended."""
    listed = [(one.id, row) for one in found.sentences for row in error_rows(one)]
    rows = [row for _, row in listed]
    has_ids = found.has_ids
    hidden = len(rows) - len(rows[:limit])
    names = [
        name
        for name in ErrorRow._fields
        if found.classifier is Classifier.SPINAL or name not in _ONLY_OURS
    ]
    columns = [
        Column(name, _HEADINGS.get(name, ""), "count" if name in _COUNTS else "text")
        for name in names
    ]
    more = [f"{hidden:,} more not shown; --limit shows more"] if hidden else []
    return Table(
        name="repairs",
        title=f"{counted(len(rows), 'error')}, in the order in which they are mended",
        columns=_with_id(found, columns),
        rows=[
            [row.sentence, name, *rest] if has_ids else [row.sentence, *rest]
            for name, row in listed[:limit]
            for rest in [cells(row, columns)[1:]]
        ],
        notes=[*more, *notes_of(found)],
    )


def crossed_tables(found: Repairs, *, top: int | None = None) -> list[Table]:
    """Constructions by type of error: wrong brackets, and what F-h counts."""
    titles = {
        "brackets": "Wrong and missing brackets, by construction and type of error",
        "heads": "F-h errors, by construction and type of the edit that mends them",
    }
    return [_crossed(found, what, title, top) for what, title in titles.items()]


def _crossed(found: Repairs, what: str, title: str, top: int | None) -> Table:
    counts = found.crossed(what)
    by_name: dict[str, int] = {}
    by_type: dict[str, int] = {}
    for (name, kind), count in counts.items():
        by_name[name] = by_name.get(name, 0) + count
        by_type[kind] = by_type.get(kind, 0) + count
    names = sorted(by_name, key=lambda name: (-by_name[name], name))
    # What no edit explains comes last.
    types = sorted(by_type, key=lambda kind: (kind == NO_EDIT, -by_type[kind], kind))
    rows: list[list[Value]] = [
        [name, *(counts.get((name, kind), 0) for kind in types), by_name[name]]
        for name in names[:top]
    ]
    totals: list[Value] = ["total", *(by_type[kind] for kind in types)]
    hidden = len(names) - len(rows)
    return Table(
        name=f"crossed_{what}",
        title=title,
        columns=(
            Column("construction"),
            *(Column(kind, unit="count") for kind in types),
            Column("all", unit="count"),
        ),
        rows=[*rows, [*totals, sum(by_type.values())]],
        notes=[
            *([f"{hidden:,} rarer constructions not shown"] if hidden else []),
            *notes_of(found),
        ],
    )


_WORTH_COLUMNS = (
    Column("errors", unit="count"),
    Column("nodes", "brackets", "count"),
    Column("worth", "worth", "points"),
    Column("worth_s", "worth F-s", "points"),
    Column("f1_in_a_row", "F1 in a row", "percent"),
    Column("gain", "gain", "points"),
    Column("f_s_in_a_row", "F-s in a row", "percent"),
    Column("gain_s", "gain F-s", "points"),
)
_BY = {
    "type": "error type",
    "construction": "construction",
    "governor": "construction and phrase",
}


def worth_table(found: Worth, *, top: int | None = None) -> Table:
    """What groups of errors are worth, alone and one after the other."""
    columns = (Column("group", _BY[found.by]), *_WORTH_COLUMNS)
    start: list[Value] = ["as parsed", None, None, None, None, found.f1, None]
    rows = [cells(row, columns) for row in found.rows[:top]]
    others: list[list[Value]] = []
    hidden = len(found.rows) - len(rows)
    for row in found.others:
        if (row.gain or row.gain_s) and not hidden:
            others.append([row.group, None, None, *cells(row, columns)[3:]])
    notes = [f"{hidden:,} more not shown"] if hidden else []
    notes.append(
        f"worth: points of evalb F1 (and of F-s) if only these errors are mended; "
        f"each alone they add up to {_points(found.alone)}, all together to "
        f"{_points(found.together)}"
    )
    return Table(
        name=f"worth_by_{found.by}",
        title=f"What each {_BY[found.by]} is worth",
        columns=columns,
        rows=[[*start, found.f_s, None], *rows, *others],
        notes=[*notes, found.ledger.text("searched"), str(found.signature)],
    )


def worth_json(found: Worth) -> dict[str, Any]:
    """Worths for programs."""
    return {
        "by": str(found.by),
        "f1": found.f1,
        "f_s": found.f_s,
        "groups": [row._asdict() for row in found.rows],
        "others": [row._asdict() for row in found.others],
        "alone": found.alone,
        "together": found.together,
        "signature": str(found.signature),
    }


def _points(value: float) -> str:
    return f"{100 * value:.2f}"


def repair_difference_table(
    found: RepairComparison, other: str, rows: Sequence[RepairDifference]
) -> Table:
    """By type: errors of both systems, the difference, its interval and p-values."""
    columns = (
        Column("error_type", "error type"),
        Column("errors_a", f"{found.baseline}, errors", "count"),
        Column("errors_b", f"{other}, errors", "count"),
        Column("rate_a", found.baseline, "number", 1),
        Column("rate_b", other, "number", 1),
        Column("difference", unit="number", digits=1),
        Column("low", "from", "number", 1),
        Column("high", "to", "number", 1),
        Column("p_value", "p", "number", 4),
        Column("p_corrected", "p corrected", "number", 4),
    )
    return Table(
        name=f"repairs_{other}",
        title=f"Errors a 100 sentences: {found.baseline} and {other}",
        columns=columns,
        rows=[cells(row, columns) for row in rows],
        notes=[
            f"{other} minus {found.baseline}; interval: paired bootstrap, 95 %; p: "
            f"approximate randomisation, {found.resamples:,} resamples; corrected: "
            "Holm over the types",
            found.ledger.text("compared on"),
            str(found.signature),
        ],
    )


def repair_domain_table(found: Mapping[str, Repairs]) -> Table:
    """Errors a 100 sentences, by type and data set."""
    types: dict[str, int] = {}
    for one in found.values():
        for name, counts in one.types.items():
            types[name] = types.get(name, 0) + counts.errors
    order = sorted(types, key=lambda name: (-types[name], name))
    rows: list[list[Value]] = [
        [
            name,
            *(_rate(one, one.types.get(name, TypeCounts())) for one in found.values()),
        ]
        for name in order
    ]
    totals = [
        _rate(one, TypeCounts(one.total.errors, one.total.nodes))
        for one in found.values()
    ]
    first = next(iter(found.values()))
    return Table(
        name="repairs_by_domain",
        title=f"Errors a 100 sentences, by type ({first.classifier})",
        columns=(
            Column("error_type", "error type"),
            *(Column(name, unit="number", digits=1) for name in found),
        ),
        rows=[*rows, ["total", *totals]],
        notes=[
            *(f"{name}: {one.scored_text()}" for name, one in found.items()),
            str(first.signature),
        ],
    )


def _rate(found: Repairs, counts: TypeCounts) -> float | None:
    rate = ratio(counts.errors, found.ledger.scored)
    return None if rate is None else 100 * rate


def repairs_json(found: Repairs, *, sentences: bool = True) -> dict[str, Any]:
    """The result for programs; with all errors if they were kept."""
    data: dict[str, Any] = {
        "classifier": str(found.classifier),
        "types": [_record(row) for row in found.rows],
        "total": _record(found.total),
    }
    if found.kept is not None and sentences:
        data["sentences"] = sentence_table(found).records()
        data["errors"] = [
            row._asdict() for one in found.kept for row in error_rows(one)
        ]
    data["ledger"] = found.ledger.as_json()
    data["signature"] = str(found.signature)
    return data


def _record(row: TypeRow) -> dict[str, Any]:
    return row._asdict()
