"""How well EDU boundaries were found: compared by characters, white space aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analyzer.exceptions import AnalyzerError, PairingError, Place
from analyzer.metrics.ratios import ratio
from analyzer.rst_parser.tokens import TokenText
from analyzer.safe_text import counted


class SegmentRow(NamedTuple):
    document: str
    gold: int
    found: int
    matched: int

    @property
    def precision(self) -> float | None:
        return ratio(self.matched, self.found)

    @property
    def recall(self) -> float | None:
        return ratio(self.matched, self.gold)

    @property
    def f1(self) -> float | None:
        return ratio(2 * self.matched, self.gold + self.found)


@dataclass(frozen=True)
class SegmentScores:
    """One row a document, and what could not be compared."""

    rows: list[SegmentRow]
    problems: Sequence[AnalyzerError] = ()

    @property
    def total(self) -> SegmentRow:
        return SegmentRow(
            "all",
            sum(row.gold for row in self.rows),
            sum(row.found for row in self.rows),
            sum(row.matched for row in self.rows),
        )

    def __repr__(self) -> str:
        f1 = self.total.f1
        shown = "-" if f1 is None else f"{f1:.3f}"
        return f"<SegmentScores: {counted(len(self.rows), 'document')}, F1 {shown}>"


def score_segments(
    gold: Sequence[TokenText], found: Sequence[TokenText]
) -> SegmentScores:
    """Boundaries of texts of the same names; the words must be the same."""
    by_name = {one.name: one for one in found}
    rows: list[SegmentRow] = []
    problems: list[AnalyzerError] = []
    for one in gold:
        other = by_name.get(one.name)
        if other is None:
            problems.append(
                PairingError("was not segmented", Place(one.name), code="E438")
            )
            continue
        (expected, text), (predicted, other_text) = _places(one), _places(other)
        if text != other_text:
            at = next(
                (
                    number
                    for number, (a, b) in enumerate(zip(text, other_text, strict=False))
                    if a != b
                ),
                min(len(text), len(other_text)),
            )
            problems.append(
                PairingError(
                    "the text is not that of the gold EDUs: it has {other!r} where "
                    "they have {one!r}",
                    Place(one.name),
                    code="E439",
                    one=text[at : at + 20],
                    other=other_text[at : at + 20],
                )
            )
            continue
        rows.append(
            SegmentRow(
                one.name, len(expected), len(predicted), len(expected & predicted)
            )
        )
    return SegmentScores(rows, problems)


def _places(text: TokenText) -> tuple[set[int], str]:
    """Where EDUs begin, in characters, and the text without white space."""
    starts = set(text.edu_starts or ())
    found = set()
    pieces: list[str] = []
    length = 0
    for at, form in enumerate(text.forms):
        if at in starts:
            found.add(length)
        pieces.append("".join(form.split()))
        length += len(pieces[-1])
    return found, "".join(pieces)
