"""n-best lists against gold: `score_nbest`, and the result that it returns.

The parses of all lists are one long treebank, and gold is repeated beside it, so that
one comparison counts them all. Of each list, the best parse is the one with the highest
F1 of brackets in its sentence, of equal ones the first. First best and oracle are then
scores like any others (`score`), of one parse a sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.compared import PairCounter, Result, count_tasks, frame_of
from analyzer.analyses.opening import (
    ScoringOptions,
    TreeReading,
    name_of,
    scoring_keywords,
)
from analyzer.analyses.score import ConstructionScores, score_derived
from analyzer.exceptions import SettingsError
from analyzer.formats.nbest import NbestLists, read_nbest
from analyzer.formats.reading import Pairing, ReadOptions, Trees
from analyzer.formats.registry import Family
from analyzer.metrics.constructions import Comparison
from analyzer.metrics.counts import total_of
from analyzer.metrics.measures import TOTAL, Row
from analyzer.metrics.ratios import MatchCounts
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Floats, Ints, flags_at
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.tasks import Blocks
from analyzer.runtime.executor import Backend
from analyzer.safe_text import counted
from analyzer.transform.pruning import some_trees

if TYPE_CHECKING:
    import pandas as pd

_BLOCK = 2000  # parses that are compared at a time, and the rest of a list
_NONE = -1.0  # the F1 of a parse that cannot be compared: less than any


class NbestRow(NamedTuple):
    """A construction under the first parses and the best ones; None where undefined.

    `recall_any`: the share of gold's that some parse of its list has, with the same
    head and span. No choice of parses finds more.
    """

    construction: str
    gold: int
    f_s_first: float | None
    f_s_oracle: float | None
    recall_first: float | None
    recall_oracle: float | None
    recall_any: float | None


class ListRow(NamedTuple):
    """A sentence: its parses, the rank of the best, and F1 of brackets; else None."""

    sentence: int
    id: str
    parses: int
    rank: int | None
    f1_first: float | None
    f1_best: float | None


@dataclass
class NbestCounts:
    """What is counted in some lists: the F1 of each parse, and what any of them has."""

    f1: list[Floats] = field(default_factory=list)
    in_any: dict[str, MatchCounts] = field(default_factory=dict)


def count_lists(pair: Pair, comparison: Comparison) -> NbestCounts:
    """The F1 of each parse, and gold's constructions that some parse of a list has."""
    gold, parsed = comparison.gold, comparison.parsed
    rows = np.diff(gold.starts)
    either = sum(
        np.diff(side.starts) + np.diff(side.wrappers.starts) for side in (gold, parsed)
    )
    f1 = np.where(either > 0, 2 * comparison.evalb_matched / np.maximum(either, 1), 1.0)
    f1 = np.where(comparison.alignment.is_comparable, f1, _NONE)
    # Gold is the same beside each parse: its n-th bracket is always the same one.
    assert pair.groups is not None
    _, of_list = np.unique(np.array(pair.groups), return_inverse=True)
    most = np.zeros(of_list.max() + 1, np.int64)
    np.maximum.at(most, of_list, rows)
    first = np.append(0, np.cumsum(most))
    within = np.arange(gold.construction.size) - np.repeat(gold.starts[:-1], rows)
    bracket = np.repeat(first[of_list], rows) + within
    construction = np.zeros(first[-1], np.int64)
    construction[bracket] = gold.construction
    is_found = flags_at(first[-1], bracket[comparison.by_span.gold])
    size = len(comparison.constructions)
    in_gold = np.bincount(construction, minlength=size)
    hits = np.bincount(construction[is_found], minlength=size)
    return NbestCounts(
        [f1],
        {
            comparison.constructions[n]: MatchCounts(int(hits[n]), int(in_gold[n]))
            for n in np.flatnonzero(in_gold).tolist()
        },
    )


@dataclass(eq=False, repr=False)
class NbestScores(Result):
    """What `score_nbest` returns: the scores of the first parses and of the best."""

    first: ConstructionScores
    oracle: ConstructionScores
    parses: Ints  # of each list
    ranks: Ints  # of the best, from 1; 0 where no parse can be compared with gold
    f1: tuple[Floats, Floats]  # of each sentence: the first parse, and the best
    in_any: dict[str, MatchCounts]  # what some parse of its list has
    ids: tuple[str, ...] = ()
    cannot_be_compared: int = 0  # parses that stand below the first of their list
    out_of_order: int = 0  # lists whose first parse has not the highest score

    @property
    def ledger(self) -> Ledger:
        """What was scored of the first parses, what was left out and why."""
        return self.first.ledger

    @property
    def n(self) -> int:
        """The parses of the longest list."""
        return int(self.parses.max(initial=0))

    def _shown(self) -> str:
        shown = []
        for name, scores in (("first", self.first), ("oracle", self.oracle)):
            f1 = scores.tally.evalb.f1
            shown.append(f"{name} {'undefined' if f1 is None else f'{100 * f1:.2f}'}")
        return "F1 " + ", ".join(shown)

    @property
    def notes(self) -> list[str]:
        notes = list(self.first.notes)
        if fewer := int(np.count_nonzero(self.parses < self.n)):
            none = int(np.count_nonzero(self.parses == 0))
            without = f", {none:,} of them none" if none else ""
            notes.append(
                f"{counted(fewer, 'sentence')} of {self.parses.size:,} "
                f"{'has' if fewer == 1 else 'have'} fewer than {self.n} parses{without}"
            )
        if more := self.oracle.ledger.scored - self.first.ledger.scored:
            notes.append(
                f"the oracle has {counted(more, 'sentence')} more than the first best, "
                "whose first parse cannot be compared with gold (--on-mismatch zero "
                "scores the same sentences)"
            )
        if self.cannot_be_compared:
            notes.append(
                f"{counted(self.cannot_be_compared, 'parse')} below the first of a "
                "list cannot be compared with gold, and so cannot be the best"
            )
        if self.out_of_order:
            notes.append(
                f"in {counted(self.out_of_order, 'list')} a later parse has a higher "
                "score than the first; ranks are those of the file"
            )
        return notes

    @cached_property
    def rank_counts(self) -> dict[int, int]:
        """In how many sentences the best parse has each rank."""
        known = self.ranks[self.ranks > 0].tolist()
        return dict(sorted(Counter(known).items()))

    @property
    def rows(self) -> list[NbestRow]:
        """One row for each construction, most frequent in gold first."""
        first = {row.construction: row for row in self.first.rows}
        return [
            _nbest_row(first.get(row.construction), row, self.in_any)
            for row in self.oracle.rows
        ]

    @property
    def total(self) -> NbestRow:
        """All constructions together."""
        in_any = {TOTAL: total_of(list(self.in_any.values()), MatchCounts())}
        return _nbest_row(self.first.total, self.oracle.total, in_any)

    @property
    def list_rows(self) -> list[ListRow]:
        """One row for each sentence."""
        columns = (self.parses, self.ranks, *self.f1)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [
            ListRow(
                *(number, self.ids[number - 1] if self.ids else "", parses),
                *(rank or None, None if first < 0 else first),
                None if best < 0 else best,
            )
            for number, (parses, rank, first, best) in enumerate(rows, start=1)
        ]

    @property
    def signature(self) -> Signature:
        """How the result was obtained."""
        return self.first.signature.replace(
            scorer="nbest", nbest=self.n, oracle="sentence-f1"
        )

    def frame(self) -> pd.DataFrame:
        """The rows and the total as a DataFrame, indexed by construction."""
        return frame_of([*self.rows, self.total], NbestRow._fields, "construction")

    def sentences_frame(self) -> pd.DataFrame:
        """One row for each sentence: the rank of its best parse, and F1."""
        return frame_of(self.list_rows, ListRow._fields)


def _nbest_row(
    first: Row | None, best: Row, in_any: Mapping[str, MatchCounts]
) -> NbestRow:
    name = best.construction
    return NbestRow(
        name,
        best.gold,
        None if first is None else first.f_s,
        best.f_s,
        None if first is None else first.recall_s,
        best.recall_s,
        in_any[name].recall if name in in_any else None,
    )


@scoring_keywords
def score_nbest(
    gold: Trees,
    lists: Trees | Sequence[Sequence[str]],
    *,
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[ScoringOptions],
) -> NbestScores:
    """Scores of n-best lists against gold: the first parses, and the best ones.

    `lists` is a file of lists (docs/nbest.md), or a list of bracketings for each
    sentence; gold is given as to `score`, whose options these are. The n-th list goes
    with the n-th sentence of gold.

    >>> gold = ["(S (NP (PRP I)) (VP (VBP see)))"]
    >>> scores = score_nbest(gold, [["(S (PRP I) (VP (VBP see)))", gold[0]]])
    >>> scores.ranks.tolist(), scores.first.tally.evalb.f1, scores.oracle.tally.evalb.f1
    ([2], 0.8, 1.0)
    """
    reading = TreeReading(**options)
    for option, value, refused in (
        ("--pair text", Pairing(reading.pair), Pairing.TEXT),
        ("--on-mismatch align", reading.mismatch, OnMismatch.ALIGN),
    ):
        if value is refused:
            raise SettingsError("E557 go with gold in order", option=option)
    opened = reading.resolve(gold)
    deriver = reading.deriver_for(opened)
    if deriver.family is not Family.SYNTAX:
        raise SettingsError("E558 contains discourse trees", trees=name_of(opened))
    labels, backend = deriver.inventory.labels, backend or Backend(jobs)
    bank = Treebank.join(reading.sentences(opened, labels))
    read = ReadOptions(
        *(reading.strict, reading.encoding, reading.progress, reading.mend, labels),
        grammar=reading.grammar,
    )
    nbest = read_nbest(lists, read)

    blocks = Blocks(iter(list(_pairs(bank, nbest))), (bank.source, nbest.name))
    # What stops the run is what is wrong with the first parses.
    is_error = reading.mismatch is OnMismatch.ERROR
    policy = OnMismatch.SKIP if is_error else reading.mismatch
    counter = PairCounter(deriver, count_lists, policy)
    counts, _ = count_tasks(blocks, counter, backend)
    counts = counts or NbestCounts()
    f1 = np.concatenate([np.zeros(0), *counts.f1])

    first_row, shared = nbest.starts[:-1], min(len(bank), len(nbest))
    best_row = first_row.copy()
    for at in range(shared):
        start, end = nbest.starts[at : at + 2].tolist()
        best_row[at] = start + int(np.argmax(f1[start:end]))
    firsts, bests = f1[first_row[:shared]], f1[best_row[:shared]]
    ranks = np.where(bests < 0, 0, best_row[:shared] - first_row[:shared] + 1)
    is_later = ~flags_at(f1.size, first_row[:shared])
    first, oracle = (
        score_derived(bank, some_trees(nbest.bank, rows), deriver, reading, backend)
        for rows in (first_row, best_row)
    )
    ids = bank.ids or tuple(nbest.bank.id_of(row) for row in first_row.tolist())
    result = NbestScores(
        first,
        oracle,
        nbest.parses[:shared],
        ranks,
        (firsts, bests),
        counts.in_any,
        ids[:shared] if any(ids) else (),
        int(np.count_nonzero((f1 < 0) & is_later)),
        nbest.out_of_order,
    )
    reading.warn_left_out(result.ledger, nbest.name)
    return result


def _pairs(gold: Treebank, lists: NbestLists) -> Iterator[Pair]:
    """The parses of lists in blocks, each beside its sentence of gold."""
    shared, list_of = min(len(gold), len(lists)), lists.list_of
    at = 0
    while at < shared:
        wanted = int(lists.starts[at]) + _BLOCK
        after = max(
            at + 1, int(np.searchsorted(lists.starts, wanted, side="right")) - 1
        )
        after = min(after, shared)
        rows = slice(*lists.starts[[at, after]].tolist())
        numbers = list_of[rows]
        groups = [f"{number:09}" for number in numbers.tolist()]
        beside = some_trees(gold, numbers)
        yield Pair(beside, lists.bank[rows], at + 1, groups=groups)
        at = after
