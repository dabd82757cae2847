"""evalb's own output, column for column, for scripts that scrape it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analyzer.analyses.bracket_scores import BracketScores, Totals
from analyzer.derivation.brackets import Brackets
from analyzer.metrics.brackets import Matched, SentenceCounts
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import SentencePair

_RULE = "=" * 76
HEADER = f"""\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
{_RULE}"""


@dataclass(frozen=True)
class SentenceLines:
    """What evalb prints about each sentence of a block; with its details if asked."""

    has_details: bool = False

    def __call__(self, pair: SentencePair, outcome: Matched) -> list[str]:
        lines = sentence_lines(outcome.counts, pair.first_sentence)
        if not self.has_details:
            return list(lines)
        return [
            "\n".join([line, *debug_lines(pair, outcome, tree)])
            for tree, line in enumerate(lines)
        ]


def sentence_lines(counts: SentenceCounts, first_sentence: int) -> Iterator[str]:
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
        sums = (
            f"                {_percent(total.matched, total.gold):6.2f} "
            f"{_percent(total.matched, total.test):6.2f} {total.matched:6d} "
            f"{total.gold:5d} {total.test:5d}  {total.crossing:5d}"
        )
    yield (
        f"{sums}  {total.words:5d} {total.correct_tags:5d}   "
        f"{_percent(total.correct_tags, total.words):6.2f}"
    )
    yield "=== Summary ==="
    yield ""
    yield "-- All --"
    yield from _summary(total)
    yield ""
    yield f"-- len<={result.parameters.cutoff_length} --"
    yield from _summary(result.summary_cutoff)


def _summary(total: Totals) -> Iterator[str]:
    recall, precision = (
        _percent(total.matched, total.gold),
        _percent(total.matched, total.test),
    )
    # evalb divides by zero here when nothing matches, and prints nan.
    either = precision + recall
    f_measure = 2 * precision * recall / either if either else float("nan")
    yield f"Number of sentence        = {total.sentences:6d}"
    yield f"Number of Error sentence  = {total.error:6d}"
    yield f"Number of Skip  sentence  = {total.skip:6d}"
    yield f"Number of Valid sentence  = {total.valid:6d}"
    yield f"Bracketing Recall         = {recall:6.2f}"
    yield f"Bracketing Precision      = {precision:6.2f}"
    yield f"Bracketing FMeasure       = {f_measure:6.2f}"
    yield f"Complete match            = {_percent(total.complete, total.valid):6.2f}"
    crossing = total.crossing / total.valid if total.valid else 0.0
    yield f"Average crossing          = {crossing:6.2f}"
    no_crossing = _percent(total.no_crossing, total.valid)
    yield f"No crossing               = {no_crossing:6.2f}"
    two_or_less = _percent(total.two_or_less_crossing, total.valid)
    yield f"2 or less crossing        = {two_or_less:6.2f}"
    tagging = _percent(total.correct_tags, total.words)
    yield f"Tagging accuracy          = {tagging:6.2f}"


def _percent(part: int, whole: int) -> float:
    # In this order, so that the rounding is evalb's to the last digit.
    return 100.0 * part / whole if whole else 0.0


def debug_lines(pair: SentencePair, outcome: Matched, tree: int) -> Iterator[str]:
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
        for row in range(max(len(left), len(right))):
            here = left[row] if row < len(left) else ""
            there = right[row] if row < len(right) else ""
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
