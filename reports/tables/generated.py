"""What is wrong with generated trees, as a table and JSON."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from analyzer.metrics.ratios import ratio
from analyzer.safe_text import counted
from reports.model import Table, Value, View, table_of

if TYPE_CHECKING:
    from analyzer.analyses.generated import GeneratedTrees

_SHOWN_LABELS = 10


def generated_view(trees: GeneratedTrees) -> View:
    """What is wrong with generated trees."""
    return View([generated_table(trees)], partial(generated_json, trees))


def generated_table(trees: GeneratedTrees) -> Table:
    """Form, words and labels of the parses, counted by sentences and by items."""
    return table_of(
        "faithfulness",
        "Faithfulness of the parsed trees",
        "what | sentences:count | share:percent.1=% | items:count=words, nodes",
        _rows(trees),
        *_notes(trees),
        str(trees.signature),
    )


def _rows(trees: GeneratedTrees) -> list[list[Value]]:
    """What is counted, in how many sentences and of how many, and in how many items."""
    # Other tables stand with this one, and most are made without such trees.
    from analyzer.analyses.generated import Form

    total, none = trees.total, None
    sentences, compared = total.sentences, total.compared
    labels = (total.unknown_labels, sentences, total.unknown_label_nodes)
    retokenized = (total.retokenized, compared, total.retokenized_words)
    counts: dict[str, tuple[int, int, int | None]] = {
        "sentences": (sentences, sentences, none),
        Form.WELL_FORMED.value: (total.well_formed, sentences, none),
        Form.EXTRACTED.value: (total.extracted, sentences, none),
        Form.MENDED.value: (total.mended, sentences, none),
        Form.MENDABLE.value: (total.mendable, sentences, none),
        Form.MALFORMED.value: (total.malformed, sentences, none),
        Form.REFUSED.value: (total.refused, sentences, none),
        Form.FAILED.value: (total.failed, sentences, none),
        **{f"mend: {mend}": (n, sentences, none) for mend, n in trees.mends.items()},
        "words compared": (compared, compared, total.words),
        "words equal": (total.faithful, compared, none),
        "words re-tokenised": retokenized,
        "words changed": (total.changed, compared, total.changed_words),
        "words missing": (total.missing, compared, total.missing_words),
        "words added": (total.added, compared, total.added_words),
        "unknown labels": labels,
    }
    return [[what, n, ratio(n, of), items] for what, (n, of, items) in counts.items()]


def _notes(trees: GeneratedTrees) -> list[str]:
    notes = []
    if trees.mends and not trees.is_mended:
        notes.append("--mend does this and scores the result")
    labels = trees.unknown_labels
    if labels:
        listed = [f"{label or '()'} {n:,}" for label, n in labels.items()]
        more = len(listed) - _SHOWN_LABELS
        shown = ", ".join(listed[:_SHOWN_LABELS])
        notes.append(
            f"labels that {trees.labels.name} does not have: {shown}"
            + (f" and {more:,} more" if more > 0 else "")
        )
    if trees.total.unknown_label_nodes_gold:
        notes.append(
            f"gold itself has {counted(trees.total.unknown_label_nodes_gold, 'node')} "
            "with such labels"
        )
    return notes


def generated_json(trees: GeneratedTrees) -> dict[str, Any]:
    """The object `faithfulness` of `spinal score` and `evalb`; see docs/json.md."""
    return {
        "total": trees.total._asdict(),
        "mended": trees.is_mended,
        "mends": trees.mends,
        "unknown_labels": trees.unknown_labels,
        "sentences": [row._asdict() for row in trees.rows],
        "signature": str(trees.signature),
    }
