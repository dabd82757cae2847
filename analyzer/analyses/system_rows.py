"""Rows of compared systems: a construction under two of them, and who finds it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from analyzer.analyses.score import ConstructionScores
from analyzer.exceptions import SettingsError
from analyzer.metrics.constructions import COUNTS, Tally
from analyzer.metrics.ratios import f_score
from analyzer.metrics.sentence_counts import SystemCounts, tally_of
from analyzer.metrics.significance import Difference
from analyzer.model.arrays import Flags, Floats, Ints
from analyzer.model.values import Value
from analyzer.pairing.ledger import Ledger

GOLD, _PARSED, _HEAD, _SPAN, _ATT, _RIGHT, _LEFT = range(len(COUNTS))
METRICS = ("f_s", "f_h", "att", "span_right", "span_left")


@dataclass(frozen=True, eq=False)
class System(Value):
    """One parser's output and what was counted of it."""

    name: str
    counted: SystemCounts
    scores: ConstructionScores

    @property
    def counts(self) -> Ints:
        """Sentences x constructions x COUNTS."""
        return self.counted.counts

    @property
    def ledger(self) -> Ledger:
        """What can be scored of its output, what not and why."""
        return replace(self.counted.ledger, noun=self.scores.deriver.noun)

    @property
    def f1(self) -> float | None:
        """evalb's F1 on all sentences that can be scored of it."""
        return self._alone.evalb.f1

    @property
    def f1_if_zero(self) -> float | None:
        """evalb's F1 if what cannot be scored of it counted as finding nothing."""
        counts, lost = self._alone.evalb, self.counted.ledger.lost_brackets
        return f_score(counts.matched, counts.gold + lost, counts.parsed)

    @property
    def _alone(self) -> Tally:
        return tally_of(self.counted, self.counted.is_comparable)


class DifferenceRow(NamedTuple):
    """One construction under two systems; None where a score is undefined."""

    construction: str
    gold: int
    score_a: float | None
    score_b: float | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    p_corrected: float | None


class FoundRow(NamedTuple):
    """Gold brackets of a construction, by which system finds them (F-s)."""

    construction: str
    both: int
    only_a: int
    only_b: int
    neither: int
    example_only_a: int | None  # a sentence's number
    example_only_b: int | None
    example_neither: int | None
    example_both: int | None


def fractions(counts: Ints, metric: str) -> tuple[Floats, Floats]:
    """A metric as numerator and denominator, from the last axis of counts."""

    def column(which: int) -> Floats:
        return counts[:, :, which].astype(np.float64)

    if metric in ("f_s", "f_h"):
        matched = column(_SPAN if metric == "f_s" else _HEAD)
        return 2 * matched, column(GOLD) + column(_PARSED)
    of_heads = {"att": _ATT, "span_right": _RIGHT, "span_left": _LEFT}.get(metric)
    if of_heads is None:
        raise SettingsError(
            "no metric {metric!r}; there are {metrics:list}",
            code="E512",
            metric=metric,
            metrics=METRICS,
        )
    return column(of_heads), column(_HEAD)


def with_total(columns: Floats) -> Floats:
    """Scores of sentences, and their sum as one more column."""
    return np.column_stack([columns, columns.sum(axis=1)])


def difference_row(
    name: str, gold: int, a: Floats, b: Floats, tested: Difference, at: int
) -> DifferenceRow:
    """A construction under two systems, and what the tests say."""
    values = (a[at], b[at], *(column[at] for column in tested))
    return DifferenceRow(
        name, gold, *(None if np.isnan(value) else float(value) for value in values)
    )


def found_row(
    name: str, chosen: Flags, found_a: Flags, found_b: Flags, sentence: Ints
) -> FoundRow:
    """How many of the chosen brackets both find, one, or neither; and examples."""
    groups = [
        chosen & found_a & found_b,
        chosen & found_a & ~found_b,
        chosen & ~found_a & found_b,
        chosen & ~found_a & ~found_b,
    ]
    counts = [int(np.count_nonzero(group)) for group in groups]
    first = [int(sentence[group][0]) if group.any() else None for group in groups]
    return FoundRow(
        name,
        both=counts[0],
        only_a=counts[1],
        only_b=counts[2],
        neither=counts[3],
        example_only_a=first[1],
        example_only_b=first[2],
        example_neither=first[3],
        example_both=first[0],
    )
