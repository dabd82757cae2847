"""What is wrong with generated trees, as a table and JSON."""

from __future__ import annotations

from typing import Any

from analyzer.analyses.generated import Form, GeneratedTrees
from analyzer.metrics.ratios import ratio
from reports.model import Column, Table, Value

_SHOWN_LABELS = 10


def generated_table(found: GeneratedTrees) -> Table:
    """Form, words and labels of the parses, counted by sentences and by items."""
    return Table(
        name="faithfulness",
        title="Faithfulness of the parsed trees",
        columns=(
            Column("what"),
            Column("sentences", unit="count"),
            Column("share", "%", "percent", 1),
            Column("items", "words, nodes", unit="count"),
        ),
        rows=_rows(found),
        notes=(*_notes(found), str(found.signature)),
    )


def _rows(found: GeneratedTrees) -> list[list[Value]]:
    total = found.total

    def row(what: str, count: int, of: int, items: int | None = None) -> list[Value]:
        return [what, count, ratio(count, of), items]

    forms = {
        Form.WELL_FORMED: total.well_formed,
        Form.MENDED: total.mended,
        Form.MENDABLE: total.mendable,
        Form.MALFORMED: total.malformed,
        Form.FAILED: total.failed,
    }
    rows = [row("sentences", total.sentences, total.sentences)]
    rows += [row(form.value, forms[form], total.sentences) for form in forms]
    rows += [
        row(f"mend: {mend}", count, total.sentences)
        for mend, count in found.mends.items()
    ]
    compared = total.compared
    return [
        *rows,
        row("words compared", compared, compared, total.words),
        row("words equal", total.faithful, compared),
        row("words re-tokenised", total.retokenized, compared, total.retokenized_words),
        row("words changed", total.changed, compared, total.changed_words),
        row("words missing", total.missing, compared, total.missing_words),
        row("words added", total.added, compared, total.added_words),
        row(
            "unknown labels",
            total.unknown_labels,
            total.sentences,
            total.unknown_label_nodes,
        ),
    ]


def _notes(found: GeneratedTrees) -> list[str]:
    notes = []
    if found.mends and not found.is_mended:
        notes.append("--mend makes these mends and scores the result")
    labels = found.unknown_labels
    if labels:
        listed = [f"{label or '()'} {n:,}" for label, n in labels.items()]
        more = len(listed) - _SHOWN_LABELS
        shown = ", ".join(listed[:_SHOWN_LABELS])
        notes.append(
            f"labels that {found.labels.name} does not have: {shown}"
            + (f" and {more:,} more" if more > 0 else "")
        )
    if found.total.unknown_label_nodes_gold:
        notes.append(
            f"gold itself has {found.total.unknown_label_nodes_gold:,} nodes with "
            "such labels"
        )
    return notes


def generated_json(found: GeneratedTrees) -> dict[str, Any]:
    """The object `faithfulness` of `spinal score` and `evalb`; see docs/json.md."""
    return {
        "total": found.total._asdict(),
        "mended": found.is_mended,
        "mends": found.mends,
        "unknown_labels": found.unknown_labels,
        "sentences": [row._asdict() for row in found.rows],
        "signature": str(found.signature),
    }
