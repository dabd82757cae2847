"""Scores for a training loop: pairs go in as they come, a result comes out.

`ConstructionMetric` is `score`, `BracketMetric` is `evalb`; the numbers are the same as
those of one call on all pairs. Pairs wait until there are enough of them: to score them
one by one would take many times as long.
"""

from __future__ import annotations

import copy
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Generic, Self, TypeVar, Unpack

from analyzer.analyses.bracket_scores import BracketCounts, BracketScores
from analyzer.analyses.evalb import BracketWork
from analyzer.analyses.generated import GeneratedCounts, GeneratedTrees
from analyzer.analyses.opening import ScoringOptions, TreeReading
from analyzer.analyses.score import ConstructionScores
from analyzer.analyses.score_work import ScoreCounts, ScoreWork
from analyzer.derivation.syntax import syntax_deriver
from analyzer.exceptions import SettingsError
from analyzer.files.inputs import Input
from analyzer.formats.objects import TreeObject, as_treebank, listed
from analyzer.formats.penn.strings import StringsBlock
from analyzer.model.treebank import Treebank
from analyzer.pairing.inputs import Blocks
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.shards import open_input
from analyzer.runtime.executor import Backend
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.labels import DEFAULT_LABELS, LabelSet, load_labels
from analyzer.transform.parameters import EvalbParameters, parameters_for

# One tree, or a batch of them; None and '' are parses that failed.
OneTree = str | TreeObject | None
Batch = OneTree | Treebank | Iterable[OneTree]

_SOURCE = "<strings>"
# So many pairs are scored together.
_ENOUGH = 1 << 11

Scores = TypeVar("Scores", ConstructionScores, BracketScores)
Counts = TypeVar("Counts", ScoreCounts, BracketCounts)


class _Metric(ABC, Generic[Scores, Counts]):
    """What the metrics share: pairs that wait, and the scores of those before."""

    def __init__(self, *, mend: bool, max_left_out: float | None) -> None:
        self._mend = mend
        self._max_left_out = max_left_out
        self.reset()

    def reset(self) -> None:
        """Forget all pairs."""
        self._waiting: list[tuple[list[str] | Treebank, list[str] | Treebank]] = []
        self._count = 0  # of gold trees that wait
        self._scores: Scores = self._nothing()

    def update(self, gold: Batch, parsed: Batch) -> None:
        """Add a pair of trees, or a batch of gold trees and one of parsed trees.

        Trees are bracketings (one string each), trees of NLTK, Stanza or spinal; None
        or '' is a parse that failed. What one batch has more than the other is left
        out and told of, as with files.
        """
        sides = _trees(gold), _trees(parsed)
        self._waiting.append(sides)
        self._count += len(sides[0])
        if len(sides[0]) != len(sides[1]) or self._count >= _ENOUGH:
            self._flush()

    def compute(self) -> Scores:
        """The scores of all pairs since the metric was made or reset.

        Warns of what was left out, and raises if that is more than `max_left_out`.
        """
        self._flush()
        self._scores.ledger.check(_SOURCE, self._max_left_out)
        return copy.deepcopy(self._scores)

    def merge(self, other: Self) -> None:
        """Add the pairs of another metric, of another worker, say; they come last."""
        self._flush()
        scores = copy.deepcopy(other)
        scores._flush()
        if scores._scores.signature != self._scores.signature:
            raise SettingsError(
                "metrics of different settings cannot be merged: {other} into {own}",
                code="E597",
                other=str(scores._scores.signature),
                own=str(self._scores.signature),
            )
        self._add(self._counts(scores._scores))

    def __repr__(self) -> str:
        pairs = self._scores.ledger.gold + self._count
        return f"<{type(self).__name__}: {pairs:,} pairs>"

    def _flush(self) -> None:
        if not self._waiting:
            return
        gold, parsed = zip(*self._waiting, strict=True)
        self._waiting, self._count = [], 0
        partial = self._score(_joined(gold, False), _joined(parsed, self._mend))
        self._add(self._counts(partial))

    def _add(self, counts: Counts) -> None:
        before = self._scores.ledger.gold

        def moved(item: LeftOut) -> LeftOut:
            if not before or not item.sentence:
                return item
            error = copy.copy(item.error)
            if error.place is not None and error.place.sentence is not None:
                number = error.place.sentence + before
                error.place = replace(error.place, sentence=number, line=number)
            return item._replace(sentence=item.sentence + before, error=error)

        self._into(self._scores, counts.change(moved))

    @abstractmethod
    def _nothing(self) -> Scores:
        """The scores of no pairs."""

    @abstractmethod
    def _score(self, gold: Input | Treebank, parsed: Input | Treebank) -> Scores:
        """The scores of some pairs."""

    @abstractmethod
    def _counts(self, scores: Scores) -> Counts:
        """What scores are made of."""

    @abstractmethod
    def _into(self, scores: Scores, counts: Counts) -> None:
        """Add counts to scores."""


class ConstructionMetric(_Metric[ConstructionScores, ScoreCounts]):
    """`score` for a training loop: `update`, `compute`, `reset` and `merge`.

    The options are those of `score`; `params` is short for `parameters`.

    >>> metric = ConstructionMetric()
    >>> metric.update("(S (NP (PRP I)) (VP (VBP go)))", "(S (PRP I) (VP (VBP go)))")
    >>> metric.update(["(NP (NN rain))"] * 2, ["(NP (NN rain))", "(VP (NN rain))"])
    >>> metric.compute().total.gold
    5
    """

    def __init__(
        self,
        *,
        params: str | EvalbParameters | None = None,
        by_sentence: bool = False,
        **options: Unpack[ScoringOptions],
    ) -> None:
        if params is not None:
            options["parameters"] = params
        self._reading = TreeReading(**options)
        self._deriver = syntax_deriver(
            patterns=self._reading.patterns,
            parameters=self._reading.parameters,
            merge=self._reading.merge,
        )
        self._by_sentence = by_sentence
        super().__init__(
            mend=self._reading.mend, max_left_out=self._reading.max_left_out
        )

    def _nothing(self) -> ConstructionScores:
        return ConstructionScores(
            self._deriver,
            sentence_columns=[] if self._by_sentence else None,
            on_mismatch=self._reading.mismatch,
            faithfulness=GeneratedTrees.of(
                self._deriver.inventory.labels, mend=self._mend, asked=False
            ),
        )

    def _score(
        self, gold: Input | Treebank, parsed: Input | Treebank
    ) -> ConstructionScores:
        result = self._nothing()
        generated = result.faithfulness
        work = ScoreWork(
            self._deriver,
            self._by_sentence,
            self._reading.mismatch,
            generated.work if generated else None,
        )
        opened = self._reading.open(gold, parsed, self._deriver)
        for counts in opened.tasks.counts(work, Backend(1)):
            result.add(counts)
        result.tally.ledger = result.tally.ledger.plus(opened.others())
        return result

    def _counts(self, scores: ConstructionScores) -> ScoreCounts:
        return ScoreCounts(
            scores.tally,
            scores.sentence_columns,
            _generated(scores.faithfulness, self._scores.ledger),
            ids=tuple(scores.sentence_ids),
        )

    def _into(self, scores: ConstructionScores, counts: ScoreCounts) -> None:
        scores.add(counts)


class BracketMetric(_Metric[BracketScores, BracketCounts]):
    """`evalb` for a training loop: `update`, `compute`, `reset` and `merge`.

    The options are those of `evalb`; `params` is short for `parameters`. MAX_ERROR does
    not stop it.

    >>> metric = BracketMetric()
    >>> metric.update("(S (NP (PRP I)) (VP (VBP go)))", "(S (PRP I) (VP (VBP go)))")
    >>> metric.compute().summary.f1
    0.8
    """

    def __init__(
        self,
        *,
        params: str | EvalbParameters | None = None,
        parameters: str | EvalbParameters | None = None,
        treebank: str | LabelSet = DEFAULT_LABELS,
        on_mismatch: OnMismatch | str = OnMismatch.SKIP,
        max_left_out: float | None = None,
        by_label: bool = False,
        by_sentence: bool = False,
        mend: bool = False,
        strict: bool = False,
    ) -> None:
        labels = load_labels(treebank) if isinstance(treebank, str) else treebank
        self._labels = labels
        given = parameters_for(labels, parameters if params is None else params)
        self._parameters = replace(given, max_error=None)
        self._on_mismatch = OnMismatch(on_mismatch)
        self._strict = strict
        self._by_label = by_label
        self._by_sentence = by_sentence
        super().__init__(mend=mend, max_left_out=max_left_out)

    def _nothing(self) -> BracketScores:
        generated = GeneratedTrees.of(self._labels, mend=self._mend, asked=False)
        return BracketScores(
            self._parameters, self._on_mismatch, faithfulness=generated
        )

    def _score(self, gold: Input | Treebank, parsed: Input | Treebank) -> BracketScores:
        result = self._nothing()
        generated = result.faithfulness
        work = BracketWork(
            LabelTables(self._parameters),
            self._on_mismatch,
            self._by_label,
            self._by_sentence,
            None,
            generated.work if generated else None,
        )
        opened = open_input(
            gold, parsed, strict=self._strict, mend=self._mend, labels=self._labels
        )
        assert isinstance(opened, Blocks)
        for counts in opened.counts(work, Backend(1)):
            result.add(counts)
        result.ledger = result.ledger.plus(opened.ledger())
        return result

    def _counts(self, scores: BracketScores) -> BracketCounts:
        return BracketCounts(
            scores.summary,
            scores.summary_cutoff,
            scores.labels,
            scores.ledger,
            scores.roots,
            [] if scores.sentences is None else [scores.sentences],
            [],
            _generated(scores.faithfulness, self._scores.ledger),
            ids=tuple(scores.sentence_ids),
        )

    def _into(self, scores: BracketScores, counts: BracketCounts) -> None:
        scores.add(counts)


def _generated(found: GeneratedTrees | None, before: Ledger) -> GeneratedCounts | None:
    """What was wrong with some trees, numbered after those before."""
    if found is None:
        return None
    rows = [
        row._replace(sentence=row.sentence + before.gold, line=row.line + before.gold)
        for row in found.counts.rows
    ]
    return found.counts._replace(rows=rows)


def _trees(given: Any) -> list[str] | Treebank:
    """A batch as strings or as trees; one tree is a batch of one."""
    if isinstance(given, Treebank):
        return given
    if given is None or isinstance(given, str):
        if given and not given.lstrip().startswith("(") and os.path.exists(given):
            raise SettingsError(
                "{path} is a file; a metric takes trees, and score() takes files",
                code="E598",
                path=given,
            )
        return [given or ""]
    batch = listed(given)
    is_list = isinstance(batch, list | tuple)
    if is_list and all(one is None or isinstance(one, str) for one in batch):
        return [one or "" for one in batch]
    bank = as_treebank(batch)
    if bank is not None:
        return bank
    raise SettingsError(
        "cannot take trees from {kind}; expected bracketings, or trees of NLTK, Stanza "
        "or spinal",
        code="E599",
        kind=type(given).__name__,
    )


def _joined(batches: Iterable[list[str] | Treebank], mend: bool) -> Input | Treebank:
    """Batches as one input."""
    strings: list[str] = []
    banks: list[Treebank] = []
    for one in batches:
        if not isinstance(one, Treebank):
            strings += one
            continue
        if strings:
            banks.append(StringsBlock(tuple(strings), _SOURCE, mend=mend).read())
            strings = []
        banks.append(one)
    if not banks:
        return Input.of_strings(strings)
    if strings:
        banks.append(StringsBlock(tuple(strings), _SOURCE, mend=mend).read())
    return Treebank.join(banks, _SOURCE)
