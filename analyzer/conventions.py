"""One pair of files under all the scoring conventions in use.

"How was this F1 calculated?" is the most asked question about parser scores.
Each row changes one choice against the first, so that the differences say which
choice moves the score by how much.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from analyzer.normalising import LabelTables
from analyzer.pairing import SentencePair, open_pairs
from analyzer.parameters import BUILT_IN, WRAPPERS, EvalbParameters
from analyzer.scorers.brackets import score_pair
from analyzer.scorers.evalb import BracketScores, Totals, total_of
from analyzer.treebank import Treebank

_PUNCTUATION = frozenset((",", ":", "``", "''", ".", "?", "!"))


class ConventionRow(NamedTuple):
    name: str
    sentences: int
    recall: float | None
    precision: float | None
    f1: float | None
    difference: float | None  # F1 against the first row
    choice: str  # how one would say it


@dataclass(frozen=True)
class Convention:
    """A way of scoring: parameters, and what the sums run over."""

    name: str
    choice: str
    parameters: EvalbParameters
    as_sets: bool = False
    macro: bool = False
    max_length: int | None = None


@dataclass(frozen=True)
class ConventionScores:
    rows: list[ConventionRow]
    reference: BracketScores  # the summary and left-outs of the first row

    @property
    def coverage(self) -> str:
        return self.reference.coverage()

    @property
    def signature(self) -> str:
        return self.reference.signature

    def in_words(self) -> list[str]:
        """Which choice moves the score by how much, largest first."""
        first, *others = self.rows
        if first.f1 is None:
            return ["Nothing could be scored."]
        lines = [f"F1 is {100 * first.f1:.2f} by {first.name}."]
        moved = [row for row in others if row.difference is not None]
        for row in sorted(moved, key=lambda row: -abs(row.difference or 0)):
            points = 100 * (row.difference or 0)
            if abs(points) < 0.005:
                lines.append(f"{row.choice} changes nothing here.")
            else:
                verb = "raises" if points > 0 else "lowers"
                lines.append(
                    f"{row.choice} {verb} it by {abs(points):.2f}, to "
                    f"{100 * (row.f1 or 0):.2f}."
                )
        return lines


def conventions() -> list[Convention]:
    """The conventions in use, the reference first."""
    collins = BUILT_IN["collins"]
    kept = tuple(label for label in collins.delete if label not in _PUNCTUATION)
    rooted = tuple(label for label in collins.delete if label not in WRAPPERS)
    return [
        Convention("EVALB, COLLINS.prm", "", collins),
        Convention("EVALB, new.prm", "Using new.prm", BUILT_IN["new"]),
        Convention(
            "punctuation kept",
            "Keeping punctuation",
            replace(collins, name="collins, punctuation kept", delete=kept),
        ),
        Convention(
            "root counted (PYEVALB)",
            "Counting the root as PYEVALB does",
            replace(collins, name="collins, root counted", delete=rooted),
        ),
        Convention(
            "root not counted",
            "Leaving out the root, whatever its label,",
            collins.without_roots(),
        ),
        Convention(
            "sets, not multisets (Stanford)",
            "Counting equal brackets once, as Stanford's scorer does,",
            collins,
            as_sets=True,
        ),
        Convention(
            "mean of sentence F1 (macro)",
            "Averaging over sentences instead of summing brackets",
            collins,
            macro=True,
        ),
        Convention(
            "unlabelled",
            "Ignoring labels",
            replace(collins, name="collins, unlabelled", labeled=False),
        ),
        Convention(
            "≤ 40 words",
            "Leaving out sentences of over 40 words",
            collins,
            max_length=40,
        ),
        Convention(
            "≤ 10 words",
            "Leaving out sentences of over 10 words",
            collins,
            max_length=10,
        ),
    ]


@dataclass
class _Running:
    convention: Convention
    tables: LabelTables
    total: Totals = field(default_factory=Totals)

    def add(self, pair: SentencePair) -> None:
        outcome = score_pair(pair, self.tables, as_sets=self.convention.as_sets)
        counts = outcome.counts
        if self.convention.max_length is not None:
            counts = counts.only(counts.length <= self.convention.max_length)
        self.total += total_of(counts)

    def row(self, reference: float | None) -> ConventionRow:
        f1 = self.total.macro_f1 if self.convention.macro else self.total.f1
        macro = self.convention.macro
        return ConventionRow(
            self.convention.name,
            self.total.valid,
            None if macro else self.total.recall,
            None if macro else self.total.precision,
            f1,
            None if f1 is None or reference is None else f1 - reference,
            self.convention.choice,
        )


def compare_conventions(
    gold: str | Treebank,
    parsed: str | Treebank,
    *,
    strict: bool = False,
    encoding: str = "utf-8",
    pairs: Iterable[SentencePair] | None = None,
) -> ConventionScores:
    """Score a pair of files under every convention, in one pass over them."""
    surplus = None
    if pairs is None:
        pairs, surplus = open_pairs(gold, parsed, strict=strict, encoding=encoding)
    running = [_Running(c, LabelTables(c.parameters)) for c in conventions()]
    reference = BracketScores(running[0].convention.parameters, "skip")
    for pair in pairs:
        for one in running:
            one.add(pair)
        outcome = score_pair(pair, running[0].tables)
        reference.summary += total_of(outcome.counts)
        reference.left_out += outcome.left_out
    first = running[0].total.f1
    rows = [one.row(first) for one in running]
    rows[0] = rows[0]._replace(difference=None)
    if surplus:
        reference.surplus = surplus()
    return ConventionScores(rows, reference)
