"""Bracket scores as tables and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analyzer.analyses.bracket_scores import (
    BracketScores,
    LabelCounts,
    Totals,
    label_rows,
)
from analyzer.metrics.brackets import SentenceCounts
from analyzer.metrics.ratios import ratio
from analyzer.safe_text import counted
from reports.model import Column, Table, Value, percent, with_ids
from reports.tables.omissions import left_out_records, zero_notes

if TYPE_CHECKING:
    from analyzer.analyses.conventions import ConventionScores

_NEARLY_ALL = 0.9
_EQUATED = (
    "note: 'matched' counts gold brackets; labels that the parameters equate (such as "
    "ADVP and PRT) match each other, so it may exceed 'parsed'"
)
_MEASURES = (
    "sentences",
    "scored",
    "recall",
    "precision",
    "F1",
    "complete match",
    "average crossing",
    "no crossing",
    "2 or less crossing",
    "tagging accuracy",
    "matched brackets",
    "gold brackets",
    "parsed brackets",
)


def summary_table(result: BracketScores) -> Table:
    """Both of evalb's summaries, side by side."""
    cutoff = f"≤ {result.parameters.cutoff_length} words"
    rows = zip(
        _MEASURES,
        _shown_totals(result.summary),
        _shown_totals(result.summary_cutoff),
        strict=True,
    )
    return Table(
        name="summary",
        title=f"Bracket scores, evalb with {result.parameters.name}",
        columns=(
            Column("measure"),
            Column("all", unit="number"),
            Column("cutoff", cutoff, unit="number"),
        ),
        rows=[list(row) for row in rows],
        notes=(*notes(result), str(result.signature)),
    )


def summary_values(result: BracketScores) -> Table:
    """The summaries for programs: JSON's names, and numbers as they are."""
    everything, cutoff = result.summary.as_dict(), result.summary_cutoff.as_dict()
    return Table(
        name="summary",
        columns=(Column("measure"), Column("all"), Column("cutoff")),
        rows=[[name, value, cutoff[name]] for name, value in everything.items()],
    )


def notes(result: BracketScores) -> list[str]:
    """What a reader of the numbers should know: left-outs, wrappers counted."""
    lines = [result.scored_text()]
    if any(result.surplus):
        longer = "gold" if result.surplus.in_gold else "parsed"
        more = counted(max(result.surplus), "sentence")
        lines.append(
            f"{more} only in {longer}: not scored, and pairs may be out of step"
        )
    if found := result.discontinuous:
        lines.append(
            f"brackets are sets of words; those with gaps alone: {found.matched:,} "
            f"matched, {found.gold:,} in gold, {found.parsed:,} in parsed, recall "
            f"{percent(found.recall)}, precision {percent(found.precision)}, F1 "
            f"{percent(found.f1)} (--raised: as brackets without gaps)"
        )
    lines += zero_notes(result.summary.f1, result.f1_if_zero, "evalb")
    lines += _wrapper_note(result)
    return lines


def _wrapper_note(result: BracketScores) -> list[str]:
    """Wrappers that the parameters do not delete move the score, unnoticed."""
    if not all(result.roots):
        return []  # one side could not be read: nothing is compared
    tops = [seen.most_common(1)[0] for seen in result.roots]
    # Trees that could not be read have no root.
    readable = [sum(seen.values()) for seen in result.roots]
    wrappers = result.parameters.labels.wrapper
    counted = [
        label in wrappers
        and label not in result.parameters.delete
        and count > _NEARLY_ALL * trees
        for (label, count), trees in zip(tops, readable, strict=True)
    ]
    gold, parsed = (f"'{label}'" if label else "no label" for label, _ in tops)
    if all(counted) and gold == parsed:
        return [
            f"note: every tree's root ({gold}) counts as a bracket here, as in EVALB; "
            "--delete-label leaves it out"
        ]
    if any(counted) and gold != parsed:
        return [
            f"note: the root has {gold} in gold and {parsed} in parsed, and not both "
            "are deleted, so one bracket per sentence cannot match"
        ]
    return []


def _shown_totals(total: Totals) -> list[Value]:
    def percent(value: float | None) -> Value:
        return None if value is None else f"{100 * value:.2f}"

    crossing = ratio(total.crossing, total.valid)
    return [
        f"{total.sentences:,}",
        f"{total.valid:,}",
        percent(total.recall),
        percent(total.precision),
        percent(total.f1),
        percent(ratio(total.complete, total.valid)),
        None if crossing is None else f"{crossing:.2f}",
        percent(ratio(total.no_crossing, total.valid)),
        percent(ratio(total.two_or_less_crossing, total.valid)),
        percent(total.tagging_accuracy),
        f"{total.matched:,}",
        f"{total.gold:,}",
        f"{total.test:,}",
    ]


def label_table(result: BracketScores) -> Table:
    """Bracket scores of each label."""
    return Table(
        name="labels",
        title="By label",
        columns=(
            Column("label"),
            Column("gold", unit="count"),
            Column("test", "parsed", unit="count"),
            Column("matched", unit="count"),
            Column("recall", unit="percent"),
            Column("precision", unit="percent"),
            Column("f1", "F1", unit="percent"),
        ),
        rows=[list(row) for row in label_rows(result.labels)],
        notes=[_EQUATED] if any(map(_is_lopsided, result.labels.values())) else [],
    )


def _is_lopsided(counts: LabelCounts) -> bool:
    return counts.matched_gold != counts.matched_test


def sentence_table(sentences: SentenceCounts, ids: Sequence[str] = ()) -> Table:
    """evalb's columns for each sentence."""
    names = SentenceCounts._fields
    rows = zip(*(column.tolist() for column in sentences), strict=True)
    table = Table(
        name="sentences",
        title="By sentence",
        columns=(
            Column("sentence", unit="count"),
            *(Column(name, name.replace("_", " "), unit="count") for name in names),
        ),
        rows=[[number, *row] for number, row in enumerate(rows, start=1)],
        notes=("status: 0 scored, 1 words differ or malformed, 2 failed parse",),
    )
    return with_ids(table, ids)


def convention_table(scores: ConventionScores) -> Table:
    """Scores under each convention, and the difference to the first."""
    return Table(
        name="conventions",
        title="One pair under the conventions in use",
        columns=(
            Column("convention"),
            Column("sentences", unit="count"),
            Column("recall", unit="percent"),
            Column("precision", unit="percent"),
            Column("f1", "F1", unit="percent"),
            Column("difference", "vs. first", unit="points"),
        ),
        rows=[
            [row.name, row.sentences, row.recall, row.precision, row.f1, row.difference]
            for row in scores.rows
        ],
        notes=(
            *scores.in_words(),
            "",
            scores.scored_text(),
            *zero_notes(scores.total.f1, scores.reference.f1_if_zero, "evalb"),
            str(scores.signature),
        ),
    )


def evalb_json(result: BracketScores) -> dict[str, Any]:
    """The object that `spinal evalb --format json` writes; see docs/json.md."""
    data: dict[str, Any] = {
        "summary": result.summary.as_dict(),
        "summary_cutoff": {
            "cutoff_length": result.parameters.cutoff_length,
            **result.summary_cutoff.as_dict(),
        },
        "left_out": left_out_records(result.left_out),
        "surplus": result.surplus._asdict(),
        "f1_if_zero": result.f1_if_zero,
        "ledger": result.ledger.as_json(),
        "notes": notes(result),
        "signature": str(result.signature),
    }
    if found := result.discontinuous:
        data["discontinuous"] = {
            "matched": found.matched,
            "gold": found.gold,
            "test": found.parsed,
            "recall": found.recall,
            "precision": found.precision,
            "f1": found.f1,
        }
    if result.faithfulness is not None:
        from reports.tables.generated import generated_json

        data["faithfulness"] = generated_json(result.faithfulness)
    if result.labels:
        data["labels"] = label_table(result).records()
    if result.sentences is not None:
        data["sentences"] = sentence_table(
            result.sentences, result.sentence_ids
        ).records()
    return data


def conventions_json(scores: ConventionScores) -> dict[str, Any]:
    """The object that `spinal evalb --conventions --format json` writes."""
    data = {
        "conventions": convention_table(scores).records(),
        "in_words": scores.in_words(),
        "coverage": scores.scored_text(),
        "ledger": scores.ledger.as_json(),
        "signature": str(scores.signature),
    }
    if scores.faithfulness is not None:
        from reports.tables.generated import generated_json

        data["faithfulness"] = generated_json(scores.faithfulness)
    return data
