"""Rows of compared systems: a construction under two of them, and who finds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from analyzer.analyses.score import ConstructionScores
from analyzer.exceptions import SettingsError
from analyzer.metrics.constructions import COUNTS, Cells, Tally
from analyzer.metrics.pools import Pool, pooled
from analyzer.metrics.ratios import f_score
from analyzer.metrics.sentence_counts import SystemCounts, tally_of
from analyzer.model.arrays import Flags, Floats, Ids, Ints, number_densely
from analyzer.model.values import Value
from analyzer.pairing.ledger import Ledger

_GOLD, _PARSED, _HEAD, _SPAN, _ATT, _RIGHT, _LEFT = range(len(COUNTS))
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
        size, constructions = self.counted.is_comparable.size, len(self.counted.names)
        return self.counted.cells.dense(size, constructions)

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

    @cached_property
    def _alone(self) -> Tally:
        """The counts of all sentences that can be scored of it."""
        own = self.counted.is_comparable
        if np.count_nonzero(own) == self.scores.tally.scored:
            return self.scores.tally  # all systems can be compared on these
        return tally_of(self.counted, own)


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


def fractions(counts: Ids, metric: str) -> tuple[Ids, Ids]:
    """A metric as numerator and denominator, from rows of counts."""
    columns = counts.T
    if metric in ("f_s", "f_h"):
        matched = columns[_SPAN if metric == "f_s" else _HEAD]
        return 2 * matched, columns[_GOLD] + columns[_PARSED]
    of_heads = {"att": _ATT, "span_right": _RIGHT, "span_left": _LEFT}.get(metric)
    if of_heads is None:
        raise SettingsError(
            "no metric {metric!r}; there are {metrics:list}",
            code="E512",
            metric=metric,
            metrics=METRICS,
        )
    return columns[of_heads], columns[_HEAD]


def pools_of_cells(
    systems: Sequence[Cells], metric: str, is_recursive: Flags, is_common: Flags
) -> list[Pool]:
    """What two systems count of a metric, for each construction and, last, in total.

    Cells are of common sentences. Recursive constructions have no attachment.
    """
    size = is_recursive.size
    cells = [one.sentence * np.int64(size) + one.construction for one in systems]
    both, place = number_densely(np.concatenate(cells))
    columns = np.zeros((4, both.size), np.int64)
    for at, rows in enumerate(np.split(place, [cells[0].size])):
        columns[2 * at : 2 * at + 2, rows] = fractions(systems[at].counts, metric)
    sentence, construction = np.divmod(both, size)
    if metric == "att":
        columns *= ~is_recursive[construction]
    totals = [
        np.bincount(sentence, column, minlength=is_common.size).astype(np.int64)
        for column in columns
    ]
    return pooled(
        [np.append(*two) for two in zip(columns, totals, strict=True)],
        np.append(construction, np.full(is_common.size, size)),
        size + 1,
        int(np.count_nonzero(is_common)),
    )


def difference_row(
    name: str, gold: int, columns: Sequence[Floats], at: int
) -> DifferenceRow:
    """A construction under two systems, and what the tests say."""
    values = [column[at] for column in columns]
    return DifferenceRow(
        name, gold, *(None if np.isnan(value) else float(value) for value in values)
    )


def found_rows(
    names: Sequence[str],
    construction: Ids,
    found_a: Flags,
    found_b: Flags,
    sentence: Ids,
) -> list[FoundRow]:
    """Per construction: how many brackets both find, one, or neither; and examples.

    Brackets stand in the order of sentences.
    """
    # Both, only A, only B, neither.
    cell = np.int64(4) * construction + 2 * ~found_a + ~found_b
    table = np.bincount(cell, minlength=4 * len(names)).reshape(-1, 4)
    examples = np.zeros_like(table)
    examples.flat[cell[::-1]] = sentence[::-1]  # what is assigned last, stays
    return [
        FoundRow(name, *row, *((one or None) for one in (*firsts[1:], firsts[0])))
        for name, row, firsts in zip(
            names, table.tolist(), examples.tolist(), strict=True
        )
    ]
