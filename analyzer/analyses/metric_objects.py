"""Scores for a training loop: pairs go in as they come, a result comes out.

`ConstructionMetric` is `score`, `BracketMetric` is `evalb`; the numbers are the same as
those of one call on all pairs. Pairs wait until there are enough of them: to score them
one by one would take many times as long.
"""

from __future__ import annotations

import copy
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Generic, Self, TypeVar, Unpack

from analyzer.analyses.compared import PairCounter, count_tasks
from analyzer.analyses.evalb import (
    BracketCounter,
    BracketCounts,
    BracketScores,
    evalb_settings,
)
from analyzer.analyses.generated import GeneratedTrees
from analyzer.analyses.opening import ScoringOptions, TreeReading, scoring_keywords
from analyzer.analyses.score import (
    ConstructionScores,
    ScoreCounter,
    ScoreCounts,
    construction_scores,
)
from analyzer.exceptions import SettingsError
from analyzer.files.inputs import Input
from analyzer.formats.objects import TreeObject, as_treebank, listed
from analyzer.formats.reading import ReadOptions, Tags, TreeReader
from analyzer.metrics.constructions import Tally
from analyzer.metrics.counts import plus
from analyzer.model.settings import keywords
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.tasks import open_input
from analyzer.runtime.executor import Backend
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.labels import DEFAULT_LABELS, LabelSet
from analyzer.transform.parameters import EvalbParameters

# One tree, or a batch of them; None and '' are parses that failed.
OneTree = str | TreeObject | None
Batch = OneTree | Treebank | Iterable[OneTree]

_SOURCE = "<strings>"
# So many pairs are scored together.
_ENOUGH = 1 << 11
# Options of `score` that are about files, or about sentences that are not yet there.
_OF_FILES = (
    *("pair", "field", "gold_field", "id", "encoding", "progress"),
    *("binarize", "relations"),
)

Scores = TypeVar("Scores", ConstructionScores, BracketScores)


class _Metric(ABC, Generic[Scores]):
    """What the metrics share: pairs that wait, and the counts of those before."""

    def __init__(
        self,
        options: ReadOptions,
        counter: Callable[[Pair], tuple[Any, Ledger]],
        generated: GeneratedTrees | None,
        max_left_out: float | None,
    ) -> None:
        self._options, self._counter = options, counter
        self._generated, self._max_left_out = generated, max_left_out
        self.reset()

    def reset(self) -> None:
        """Forget all pairs."""
        self._waiting: list[tuple[list[str] | Treebank, list[str] | Treebank]] = []
        self._waiting_trees = 0  # of gold
        self._counts: Any = None
        self._ledger = Ledger()

    def update(self, gold: Batch, parsed: Batch) -> None:
        """Add a pair of trees, or a batch of gold trees and one of parsed trees.

        Trees are bracketings (one string each), trees of NLTK, Stanza or spinal; None
        or '' is a parse that failed. What one batch has more than the other is left
        out and told of, as with files.
        """
        sides = _trees(gold), _trees(parsed)
        self._waiting.append(sides)
        self._waiting_trees += len(sides[0])
        if len(sides[0]) != len(sides[1]) or self._waiting_trees >= _ENOUGH:
            self._flush()

    def compute(self) -> Scores:
        """The scores of all pairs since the metric was made or reset.

        Warns of what was left out, and raises if that is more than `max_left_out`.
        """
        self._flush()
        self._ledger.check(_SOURCE, self._max_left_out)
        generated = copy.deepcopy(self._generated)
        if generated is not None and self._counts is not None:
            generated.add(self._counts.generated)
        return self._scores(copy.deepcopy(self._counts), self._ledger, generated)

    def merge(self, other: Self) -> None:
        """Add the pairs of another metric, of another worker, say; they come last."""
        self._flush()
        more = copy.deepcopy(other)
        more._flush()
        own, others = (
            metric._scores(None, Ledger(reading=metric._options.settings()), None)
            for metric in (self, more)
        )
        if own.signature != others.signature:
            raise SettingsError(
                "E597 metrics of different settings cannot be merged",
                other=str(others.signature),
                own=str(own.signature),
            )
        self._add(more._counts, more._ledger)

    def __repr__(self) -> str:
        pairs = self._ledger.gold + self._waiting_trees
        return f"<{type(self).__name__}: {pairs:,} pairs>"

    def _flush(self) -> None:
        if not self._waiting:
            return
        gold, parsed = zip(*self._waiting, strict=True)
        self._waiting, self._waiting_trees = [], 0
        sides = _joined(gold, self._options.for_gold), _joined(parsed, self._options)
        tasks = open_input(*sides, self._options)
        counts, ledger = count_tasks(
            tasks, self._counter, Backend(1), before=self._ledger
        )
        self._add(counts, ledger + tasks.ledger())

    def _add(self, counts: Any, ledger: Ledger) -> None:
        """Count pairs that come after those before, and number them so."""
        before = self._ledger.gold
        if counts is not None and counts.generated is not None:
            rows = [
                row._replace(sentence=row.sentence + before, line=row.line + before)
                for row in counts.generated.rows
            ]
            counts.generated = replace(counts.generated, rows=rows)
        items = tuple(_moved(item, before) for item in ledger.items)
        self._counts = plus(self._counts, counts)
        self._ledger += replace(ledger, items=items)

    @abstractmethod
    def _scores(
        self, counts: Any, ledger: Ledger, generated: GeneratedTrees | None
    ) -> Scores:
        """The scores that counts make; None: of nothing."""


def _moved(item: LeftOut, before: int) -> LeftOut:
    """What was left out, numbered after those before."""
    if not before or not item.sentence:
        return item
    error = copy.copy(item.error)
    if error.place is not None and error.place.sentence is not None:
        number = error.place.sentence + before
        error.place = replace(error.place, sentence=number, line=number)
    return item._replace(sentence=item.sentence + before, error=error)


class ConstructionMetric(_Metric[ConstructionScores]):
    """`score` for a training loop: `update`, `compute`, `reset` and `merge`.

    The options are those of `score` that are about trees; `params` is short for
    `parameters`. Pairs are as they are given, so that `pair`, `field` and other
    options about files are refused.

    >>> metric = ConstructionMetric()
    >>> metric.update("(S (NP (PRP I)) (VP (VBP go)))", "(S (PRP I) (VP (VBP go)))")
    >>> metric.update(["(NP (NN rain))"] * 2, ["(NP (NN rain))", "(VP (NN rain))"])
    >>> metric.compute().total.gold
    5
    """

    @scoring_keywords
    def __init__(
        self,
        *,
        by_sentence: bool = False,
        **options: Unpack[ScoringOptions],
    ) -> None:
        reading = TreeReading(**options)
        for name in _OF_FILES:
            if getattr(reading, name) != getattr(TreeReading, name):
                raise SettingsError("E482 is not for a metric", option=name)
        self._deriver = reading.syntax_deriver()
        self._mismatch, self._by_sentence = reading.mismatch, by_sentence
        labels = self._deriver.inventory.labels
        generated = GeneratedTrees(labels, True) if reading.mend else None
        work = generated.work if generated else None
        counter = ScoreCounter(self._deriver, by_sentence, work)
        super().__init__(
            ReadOptions(
                reading.strict,
                mend=reading.mend,
                labels=labels,
                grammar=reading.grammar,
                tags=Tags(reading.tags),
            ),
            PairCounter(self._deriver, counter, reading.mismatch),
            generated,
            reading.max_left_out,
        )

    def _scores(
        self, counts: Any, ledger: Ledger, generated: GeneratedTrees | None
    ) -> ConstructionScores:
        return construction_scores(
            self._deriver,
            self._mismatch,
            ledger,
            counts or ScoreCounts(Tally(), [] if self._by_sentence else None),
            generated,
        )


class BracketMetric(_Metric[BracketScores]):
    """`evalb` for a training loop: `update`, `compute`, `reset` and `merge`.

    The options are those of `evalb` that are about trees; `params` is short for
    `parameters`. MAX_ERROR does not stop it.

    >>> metric = BracketMetric()
    >>> metric.update("(S (NP (PRP I)) (VP (VBP go)))", "(S (PRP I) (VP (VBP go)))")
    >>> metric.compute().summary.f1
    0.8
    """

    @keywords()
    def __init__(
        self,
        *,
        params: str | EvalbParameters | None = None,
        treebank: str | LabelSet = DEFAULT_LABELS,
        delete_label: Sequence[str] = (),
        no_root: bool = False,
        unlabelled: bool = False,
        induction: bool = False,
        function_separator: str | None = None,
        raised: bool = False,
        cutoff: int | None = None,
        on_mismatch: OnMismatch | str = OnMismatch.SKIP,
        tags: Tags | str = Tags.OWN,
        max_left_out: float | None = None,
        by_label: bool = False,
        by_sentence: bool = False,
        mend: bool = False,
        faithfulness: bool = False,
        strict: bool = False,
        grammar: str | None = None,
    ) -> None:
        labels, given = evalb_settings(
            treebank,
            params,
            delete_label=delete_label,
            no_root=no_root,
            unlabelled=unlabelled,
            induction=induction,
            function_separator=function_separator,
            cutoff=cutoff,
        )
        self._parameters = replace(given, max_error=None)
        self._on_mismatch, self._raised = OnMismatch(on_mismatch), raised
        self._induction = induction
        generated = GeneratedTrees(labels, mend) if mend or faithfulness else None
        counter = BracketCounter(
            LabelTables(self._parameters),
            self._on_mismatch,
            by_label,
            by_sentence,
            generated=generated.work if generated else None,
            raised=raised,
            induction=induction,
        )
        options = ReadOptions(
            strict, mend=mend, labels=labels, grammar=grammar, tags=Tags(tags)
        )
        super().__init__(options, counter, generated, max_left_out)

    def _scores(
        self, counts: Any, ledger: Ledger, generated: GeneratedTrees | None
    ) -> BracketScores:
        counts = counts or BracketCounts()
        return BracketScores(
            self._parameters,
            self._on_mismatch,
            counts,
            ledger,
            generated,
            raised=self._raised,
            induction=self._induction,
        )


def _trees(given: Any) -> list[str] | Treebank:
    """A batch as strings or as trees; one tree is a batch of one."""
    if isinstance(given, Treebank):
        return given
    if given is None or isinstance(given, str):
        if given and not given.lstrip().startswith("(") and os.path.exists(given):
            raise SettingsError("E598 is a file", path=given)
        return [given or ""]
    batch = listed(given)
    is_list = isinstance(batch, list | tuple)
    if is_list and all(tree is None or isinstance(tree, str) for tree in batch):
        return [tree or "" for tree in batch]
    bank = as_treebank(batch)
    if bank is not None:
        return bank
    raise SettingsError("E599 cannot take trees from", kind=type(given).__name__)


def _joined(
    batches: Iterable[list[str] | Treebank], options: ReadOptions
) -> Input | Treebank:
    """Batches as one input."""
    strings: list[str] = []
    banks: list[Treebank] = []

    def read() -> None:
        given = options.open(Input.of_strings(strings))
        banks.extend(TreeReader(given, options._replace(labels=None)).banks())

    for batch in batches:
        if not isinstance(batch, Treebank):
            strings += batch
            continue
        if strings:
            read()
            strings = []
        banks.append(batch)
    if not banks:
        return Input.of_strings(strings)
    if strings:
        read()
    return Treebank.join(banks, _SOURCE)
