"""Bracket scores as tables and JSON, and in evalb's own layout."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.analyses.evalb import BracketScores, LabelCounts, Totals, label_rows
from analyzer.derivation.brackets import Brackets
from analyzer.metrics.brackets import EvalbColumns, Matched
from analyzer.metrics.ratios import ratio
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.safe_text import counted
from reports.model import (
    Column,
    Table,
    Value,
    View,
    columns,
    percent,
    table_of,
    with_ids,
)
from reports.tables.generated import generated_json, generated_table
from reports.tables.notes import left_out_records, zero_notes

if TYPE_CHECKING:
    from analyzer.analyses.conventions import ConventionScores
    from analyzer.analyses.generated import GeneratedTrees

_NEARLY_ALL = 0.9
_EQUATED = (
    "note: 'matched' counts gold brackets; labels that the parameters equate (such as "
    "ADVP and PRT) match each other, so it may exceed 'parsed'"
)


def brackets_view(
    result: BracketScores,
    *,
    by_label: bool = False,
    by_sentence: bool = False,
    faithfulness: bool = False,
    has_layout: bool = False,
) -> View:
    """Both summaries; if they were asked for, labels, sentences and form.

    `has_layout`: in place of all that, the end of evalb's own output.
    """
    generated = _generated(result.faithfulness)
    asked = [*generated] if faithfulness else []
    if by_label or result.labels:
        asked.append(label_table(result))
    if by_sentence and result.sentences is not None:
        asked.append(sentence_table(result.sentences, result.sentence_ids))
    tables = [summary_table(result), *(asked or generated)]
    main = asked[-1] if asked else summary_values(result)
    text = "\n".join(closing_lines(result)) if has_layout else None
    return View(tables, partial(evalb_json, result), main, text=text)


def conventions_view(scores: ConventionScores, *, faithfulness: bool = False) -> View:
    """One pair under all conventions."""
    tables = [convention_table(scores), *_generated(scores.faithfulness)]
    main = tables[1] if faithfulness else tables[0]
    return View(tables, partial(conventions_json, scores), main)


def _generated(trees: GeneratedTrees | None) -> list[Table]:
    return [] if trees is None else [generated_table(trees)]


def summary_table(result: BracketScores) -> Table:
    """Both of evalb's summaries, side by side."""
    fields = columns(
        "measure | all:number | cutoff:number={cutoff}",
        cutoff=f"≤ {result.parameters.cutoff_length} words",
    )
    totals = result.summary, result.summary_cutoff
    sides = [_shown_totals(total, has_mean=result.induction) for total in totals]
    what = "grammar induction" if result.induction else "evalb"
    title = f"Bracket scores, {what} with {result.parameters.name}"
    return table_of(
        "summary",
        title,
        fields,
        [[name, *values, sides[1][name]] for name, *values in sides[0].items()],
        *notes(result),
        str(result.signature),
    )


def summary_values(result: BracketScores) -> Table:
    """The summaries for programs: JSON's names, and numbers as they are."""
    everything, cutoff = result.summary.as_dict(), result.summary_cutoff.as_dict()
    rows = [[name, value, cutoff[name]] for name, value in everything.items()]
    return table_of("summary", "", "measure | all | cutoff", rows)


def notes(result: BracketScores) -> list[str]:
    """What a reader of the numbers should know: left-outs, wrappers counted."""
    lines = [result.scored_text()]
    if any(result.surplus) and not result.ledger.paired_by:
        longer = "gold" if result.surplus.in_gold else "parsed"
        more = counted(max(result.surplus), "sentence")
        lines.append(
            f"{more} only in {longer}: not scored, and pairs may be out of step"
        )
    if gaps := result.discontinuous:
        lines.append(
            f"brackets are sets of words; those with gaps alone: {gaps.matched:,} "
            f"matched, {gaps.gold:,} in gold, {gaps.parsed:,} in parsed, recall "
            f"{percent(gaps.recall)}, precision {percent(gaps.precision)}, F1 "
            f"{percent(gaps.f1)} (--raised: as brackets without gaps)"
        )
    lines += zero_notes(result.summary.f1, result.f1_if_zero, "evalb")
    same = [root for root in result.ledger.roots if root.is_same]
    if sum(root.sentences for root in same) > _NEARLY_ALL * result.ledger.scored:
        labels = " or ".join(
            sorted({f"'{root.gold}'" if root.gold else "no label" for root in same})
        )
        lines.append(
            f"note: every tree's root ({labels}) counts as a bracket here, as in "
            "EVALB; --no-root leaves it out"
        )
    return lines


def _shown_totals(total: Totals, *, has_mean: bool = False) -> dict[str, Value]:
    def percent(value: float | None) -> Value:
        return None if value is None else f"{100 * value:.2f}"

    def share(count: int) -> Value:
        return percent(ratio(count, total.valid))

    crossing = ratio(total.crossing, total.valid)
    return {
        "sentences": f"{total.sentences:,}",
        "scored": f"{total.valid:,}",
        "recall": percent(total.recall),
        "precision": percent(total.precision),
        "F1": percent(total.f1),
        **({"mean F1 of sentences": percent(total.macro_f1)} if has_mean else {}),
        "complete match": share(total.complete),
        "average crossing": None if crossing is None else f"{crossing:.2f}",
        "no crossing": share(total.no_crossing),
        "2 or less crossing": share(total.two_or_less_crossing),
        "tagging accuracy": percent(total.tagging_accuracy),
        "matched brackets": f"{total.matched:,}",
        "gold brackets": f"{total.gold:,}",
        "parsed brackets": f"{total.test:,}",
    }


def label_table(result: BracketScores) -> Table:
    """Bracket scores of each label."""
    return table_of(
        "labels",
        "By label",
        "label | gold:count | test:count=parsed | matched:count | recall:percent | "
        "precision:percent | f1:percent=F1",
        [list(row) for row in label_rows(result.labels)],
        *([_EQUATED] if any(map(_is_lopsided, result.labels.values())) else []),
    )


def _is_lopsided(counts: LabelCounts) -> bool:
    return counts.matched_gold != counts.matched_test


def sentence_table(sentences: EvalbColumns, ids: Sequence[str] = ()) -> Table:
    """evalb's columns for each sentence."""
    fields = [
        Column(name, name.replace("_", " "), "count")
        for name in ("sentence", *EvalbColumns._fields)
    ]
    rows = zip(*(column.tolist() for column in sentences), strict=True)
    table = table_of(
        "sentences",
        "By sentence",
        fields,
        [[number, *row] for number, row in enumerate(rows, start=1)],
        "status: 0 scored, 1 words differ or malformed, 2 failed parse",
    )
    return with_ids(table, ids)


def convention_table(scores: ConventionScores) -> Table:
    """Scores under each convention, and the difference to the first."""
    return table_of(
        "conventions",
        "One pair under the conventions in use",
        "convention | sentences:count | recall:percent | precision:percent | "
        "f1:percent=F1 | difference:points=vs. first",
        [
            [row.name, row.sentences, row.recall, row.precision, row.f1, row.difference]
            for row in scores.rows
        ],
        *scores.in_words(),
        "",
        scores.scored_text(),
        *zero_notes(scores.total.f1, scores.reference.f1_if_zero, "evalb"),
        str(scores.signature),
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
    if gaps := result.discontinuous:
        data["discontinuous"] = {
            "matched": gaps.matched,
            "gold": gaps.gold,
            "test": gaps.parsed,
            **{name: getattr(gaps, name) for name in ("recall", "precision", "f1")},
        }
    if result.faithfulness is not None:
        data["faithfulness"] = generated_json(result.faithfulness)
    if result.labels:
        data["labels"] = label_table(result).records()
    if result.sentences is not None:
        sentences = sentence_table(result.sentences, result.sentence_ids)
        data["sentences"] = sentences.records()
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
        data["faithfulness"] = generated_json(scores.faithfulness)
    return data


# -- evalb's own output, column for column, for scripts that scrape it -------------

_RULE = "=" * 76
HEADER = f"""\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
{_RULE}"""


@dataclass(frozen=True)
class SentenceLines:
    """What evalb prints about each sentence of a block; with its details if asked."""

    has_details: bool = False

    def __call__(self, pair: Pair, outcome: Matched) -> list[str]:
        lines = sentence_lines(outcome.counts, pair.first_sentence)
        if not self.has_details:
            return list(lines)
        return [
            "\n".join([line, *debug_lines(pair, outcome, tree)])
            for tree, line in enumerate(lines)
        ]


def sentence_lines(counts: EvalbColumns, first_sentence: int) -> Iterator[str]:
    """evalb's line for each sentence."""
    columns = [column.tolist() for column in counts]
    rows = zip(*columns, strict=True)
    for number, row in enumerate(rows, start=first_sentence):
        status, length, matched, gold, test, crossing, words, tags = row
        yield (
            f"{number:4d}  {length:3d}    {status:d}  "
            f"{_percent(matched, gold):6.2f} {_percent(matched, test):6.2f}   "
            f"{matched:3d}    {gold:3d}  {test:3d}    {crossing:3d}"
            f"   {words:4d}  {tags:4d}   {_percent(tags, words):6.2f}"
        )


def closing_lines(result: BracketScores) -> Iterator[str]:
    """The line of sums and both summaries."""
    total = result.summary
    yield _RULE
    sums = ""
    if total.gold > 0 and total.test > 0:
        recall, precision = _percents(total)
        sums = (
            f"                {recall:6.2f} {precision:6.2f} {total.matched:6d} "
            f"{total.gold:5d} {total.test:5d}  {total.crossing:5d}"
        )
    yield (
        f"{sums}  {total.words:5d} {total.correct_tags:5d}   "
        f"{_percent(total.correct_tags, total.words):6.2f}"
    )
    yield from ("=== Summary ===", "", "-- All --")
    yield from _summary(total)
    yield ""
    yield f"-- len<={result.parameters.cutoff_length} --"
    yield from _summary(result.summary_cutoff)


def _summary(total: Totals) -> Iterator[str]:
    recall, precision = _percents(total)
    # evalb divides by zero here when nothing matches, and prints nan.
    either = precision + recall
    counts = {
        "Number of sentence": total.sentences,
        "Number of Error sentence": total.error,
        "Number of Skip  sentence": total.skip,
        "Number of Valid sentence": total.valid,
    }
    measures = {
        "Bracketing Recall": recall,
        "Bracketing Precision": precision,
        "Bracketing FMeasure": 2 * precision * recall / either if either else math.nan,
        "Complete match": _percent(total.complete, total.valid),
        "Average crossing": total.crossing / total.valid if total.valid else 0.0,
        "No crossing": _percent(total.no_crossing, total.valid),
        "2 or less crossing": _percent(total.two_or_less_crossing, total.valid),
        "Tagging accuracy": _percent(total.correct_tags, total.words),
    }
    yield from (f"{name:<26}= {count:6d}" for name, count in counts.items())
    yield from (f"{name:<26}= {value:6.2f}" for name, value in measures.items())


def _percents(total: Totals) -> tuple[float, float]:
    """Recall and precision."""
    return _percent(total.matched, total.gold), _percent(total.matched, total.test)


def _percent(part: int, whole: int) -> float:
    # In this order, so that the rounding is evalb's to the last digit.
    return 100.0 * part / whole if whole else 0.0


def debug_lines(pair: Pair, outcome: Matched, tree: int) -> Iterator[str]:
    """What evalb shows of a sentence with DEBUG 1: its words, tags and brackets.

    The second column is evalb's result code: 0 no match, 1 match. evalb also lists
    deleted brackets, under code 5; we list those that count.
    """
    sides = (
        _shown_side(pair.gold, outcome.gold, outcome.matches.gold, tree),
        _shown_side(pair.parsed, outcome.parsed, outcome.matches.parsed, tree),
    )
    yield (
        f"-<1>---(wn1={len(sides[0][0]):3d}, bn1={len(sides[0][1]):3d})-           "
        f"-<2>---(wn2={len(sides[1][0]):3d}, bn2={len(sides[1][1]):3d})-"
    )
    for part, width in ((0, 40), (1, 32)):
        left, right = sides[0][part], sides[1][part]
        for here, there in zip_longest(left, right, fillvalue=""):
            yield f"{here:<{width}}{there}".rstrip()
        yield ""
    yield "========"


def _shown_side(
    bank: Treebank, brackets: Brackets, hits: np.ndarray, tree: int
) -> tuple[list[str], list[str]]:
    view = bank[tree]
    words = [
        f"{number:3d} : {leaf.label:<6s}  {leaf.form:<16s}"
        for number, leaf in enumerate(view.leaves)
    ]
    start, end = brackets.starts[tree], brackets.starts[tree + 1]
    offset = int(brackets.first[start]) if end > start else 0
    listed = [
        f"{number:3d} : {int(hits[row])} : {brackets.first[row] - offset:3d}  "
        f"{brackets.last[row] - offset:3d}  {SYMBOLS.name(brackets.label[row]):<6s}"
        for number, row in enumerate(range(start, end))
    ]
    return words, listed
