"""Errors by type, sentence by sentence and one by one, as tables and JSON."""

from __future__ import annotations

from typing import Any

from analyzer.analyses.repair_records import (
    Classifier,
    RepairedSentence,
    Status,
)
from analyzer.analyses.repairs import (
    NO_EDIT,
    ErrorRow,
    Repairs,
    TypeRow,
    error_rows,
)
from analyzer.editing.search import MOST_EDITS
from analyzer.safe_text import counted
from reports.model import Column, Table, Value, cells

_TYPE_COLUMNS = (
    Column("error_type", "error type"),
    Column("errors", unit="count"),
    Column("nodes", "brackets", "count"),
    Column("nodes_per_error", "ratio", "number"),
    Column("share", "%brackets", "percent", 1),
    Column("per_sentence", "a sentence", "number"),
)
# The headings of Kummerfeld et al. (2012, Table 2), which has the first four.
_PAPER_COLUMNS = (
    Column("error_type", "Error Type"),
    Column("errors", "Occurrences", "count"),
    Column("nodes", "Nodes Involved", "count"),
    Column("nodes_per_error", "Ratio", "number", 1),
    Column("share", "% Nodes", "percent", 1),
    Column("per_sentence", "Nodes / Sentence", "number"),
)
_UNCLASSIFIED = "UNSET"
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


def type_table(found: Repairs, *, as_in_paper: bool = False) -> Table:
    """Types of error, the most frequent first.

    As in the paper: under its headings, and what no rule classifies comes last.
    """
    columns, rows = _TYPE_COLUMNS, found.rows
    if as_in_paper:
        columns = _PAPER_COLUMNS
        rows = sorted(rows, key=lambda row: row.error_type.startswith(_UNCLASSIFIED))
    return Table(
        name="error_types",
        title=f"Errors by type ({found.classifier})",
        columns=columns,
        rows=[cells(row, columns) for row in (*rows, found.total)],
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
    first, *rest = _SENTENCE_COLUMNS
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
        columns=[first, Column("id"), *rest] if has_ids else _SENTENCE_COLUMNS,
        rows=rows,
        notes=notes_of(found),
    )


def _steps(one: RepairedSentence) -> int | None:
    """How many edits were made; of a search that was given up, one too many."""
    if one.status is Status.NO_PATH:
        return MOST_EDITS + 1
    return len(one.repairs) if one.status is Status.OK else None


def error_table(
    found: Repairs, *, limit: int | None = None, width: int | None = None
) -> Table:
    """All errors, in the order in which they are mended; words cut at a `width`.

    The columns begin as those of the reference's lists do, whatever there is more.
    """
    listed = [(one.id, row) for one in found.sentences for row in error_rows(one)]
    names = [
        name
        for name in ErrorRow._fields
        if found.classifier is Classifier.SPINAL or name not in _ONLY_OURS
    ]
    columns = [
        Column(name, _HEADINGS.get(name, ""), "count" if name in _COUNTS else "text")
        for name in names
    ]
    rows: list[list[Value]] = []
    for name, row in listed[:limit]:
        words = _cut(row.words, width) if width else row.words
        shown = list(cells(row._replace(words=words), columns))
        rows.append([*shown, name] if found.has_ids else shown)
    hidden = len(listed) - len(rows)
    more = [f"{hidden:,} more not shown; --limit shows more"] if hidden else []
    return Table(
        name="repairs",
        title=f"{counted(len(listed), 'error')}, in the order in which they are mended",
        columns=[*columns, Column("id")] if found.has_ids else columns,
        rows=rows,
        notes=[*more, *notes_of(found)],
    )


def _cut(text: str, width: int) -> str:
    """Words up to a width.

    >>> _cut("all of these words", 12), _cut("all", 12)
    ('all of thes…', 'all')
    """
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


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
            *([f"{counted(hidden, 'rarer construction')} not shown"] if hidden else []),
            *notes_of(found),
        ],
    )


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
