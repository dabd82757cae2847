"""All that a page about parsers shows: of data sets, and of several parsers.

Scores, confusions, the errors and the edits are counted from the same pairs of blocks,
so every file is opened once. A data set is read a second time only if it has
more than MOST_SEARCHED sentences: then one of so many is searched for edits, and which
ones that are is known when all have been read.
With several parsers, gold is read once for each of them: what its blank lines mean, and
where its blocks end, depends on the output beside it (`pairing.in_step`).
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Unpack

from analyzer.analyses.causes import Causes
from analyzer.analyses.compared import Outcome
from analyzer.analyses.domain_gap import Dataset, reference_first
from analyzer.analyses.error_data import ErrorCollector, ErrorSet
from analyzer.analyses.errors import (
    OF_BRACKETS,
    confusions,
    count_losses,
    error_rows,
)
from analyzer.analyses.functions import FunctionScores
from analyzer.analyses.opening import (
    Opened,
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
    name_of,
)
from analyzer.analyses.repair_comparisons import repairs_of_groups
from analyzer.analyses.repairs import CHINESE, Classifier, Repairs, search_tasks
from analyzer.analyses.score import ConstructionScores, ScoreCounter, ScoreCounts
from analyzer.analyses.systems import (
    SystemComparison,
    SystemCounts,
    compare_systems,
    count_sentences,
    join_systems,
    require_systems,
)
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import InputWarning, LeftOutWarning, Place, SettingsError
from analyzer.files.inputs import Input
from analyzer.formats.registry import Family
from analyzer.metrics.constructions import Tally, compare
from analyzer.metrics.counts import plus
from analyzer.pairing.in_step import Pair, PairTask
from analyzer.pairing.ledger import NOTHING_LEFT_OVER, Ledger
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.tasks import (
    Blocks,
    GroupedTask,
    Shards,
    by_group,
    group_tasks,
    groups_of,
)
from analyzer.runtime.executor import Backend, run_tasks

if TYPE_CHECKING:
    from analyzer.analyses.find_pairs import FoundPairs, QueryCounter
    from analyzer.derivation.syntax import SyntaxDeriver
    from analyzer.queries.named import Queries

MAX_INSTANCES = 200_000  # errors of a data set or parser that a page holds
MOST_MATCHES = 100  # of a query that a page lists, missed and invented each
MOST_SEARCHED = 2_500  # sentences of a data set whose edits are counted
BUDGET = 40_000_000  # bytes of a page, for the errors of all data sets together


@dataclass(frozen=True)
class ScoredData:
    """A data set with all that the page shows of it."""

    name: str
    scores: ConstructionScores
    confusions: Counter[tuple[str, str]]
    errors: ErrorSet
    ungrouped: Ledger = NOTHING_LEFT_OVER  # with the first of groups: what is in none
    repairs: Repairs | None = None  # of syntax
    every: int = 1  # of so many sentences, one was searched for these
    queries: FoundPairs | None = None  # if asked for
    # Gold brackets lost, by construction and by what to (`errors.LOSSES`).
    losses: Counter[tuple[str, str]] = field(default_factory=Counter)


def score_for_page(
    datasets: Sequence[Dataset],
    *,
    group_by: str | Sequence[str] | None = None,
    reference: str | None = None,
    max_instances: int = MAX_INSTANCES,
    budget: int = BUDGET,
    has_edits: bool = True,
    queries: str | Queries | None = None,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> list[ScoredData]:
    """All about data sets: (name, gold, parsed), the reference first.

    `group_by` makes several of one, as in `domains`. Errors are collected here, of each
    at most `max_instances`; the trees of all take about `budget` bytes. Once only a
    sample of them is taken, so many `jobs` go on counting. Of syntax, the edits that
    mend errors are looked for, unless `has_edits` is false. `queries` are scored as
    well, if given: a file of them, or a mapping.
    """
    reading = TreeReading(**options)
    opened = [
        (name, reading.resolve(gold), reading.resolve(parsed))
        for name, gold, parsed in datasets
    ]
    deriver = reading.deriver_for(opened[0][1])
    groups = groups_of(group_by, len(opened))
    names = [name for name, *_ in opened]
    if groups is not None:
        names = list(dict.fromkeys(groups))
    kept = max_instances, budget, has_edits
    run = _Run(reading, deriver, names, *kept, jobs, queries)
    for name, gold, parsed in opened:
        run.keep(gold, parsed)
        run.read(name, gold, parsed, groups)
    run.warn_left_out()
    return reference_first(run.finish(groups), reference)


def report_systems(
    gold: Trees,
    systems: Mapping[str, Trees] | Iterable[tuple[str, Trees]],
    *,
    resamples: int,
    seed: int,
    max_instances: int = MAX_INSTANCES,
    queries: str | Queries | None = None,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> tuple[SystemComparison, list[ScoredData]]:
    """All about parsers on the same gold: as `compare`, and as `score_for_page`."""
    reading = TreeReading(**options)
    given = require_systems(systems, resamples, seed, "write_comparison")
    reference = reading.resolve(gold)
    outputs = [(name, reading.resolve(parsed)) for name, parsed in given]
    deriver = reading.deriver_for(reference)
    names = [name for name, _ in outputs]
    kept = max_instances, BUDGET, True
    run = _Run(reading, deriver, names, *kept, jobs, queries)
    if deriver.family is Family.DISCOURSE:
        # Parsers are compared on the documents that all of them have, and each is
        # shown with all of its own: the same documents, which are read once.
        outputs = [(name, reading.documents(parsed)) for name, parsed in outputs]
        reference = reading.documents(reference)
        comparison = compare_systems(
            *(reference, outputs), resamples=resamples, seed=seed, jobs=jobs, **options
        )
        for name, parsed in outputs:
            run.read(name, reference, parsed)
    else:
        run.keep(reference, *(parsed for _, parsed in outputs))
        counted = (
            (name, parsed, run.read(name, reference, parsed, by_sentence=True))
            for name, parsed in outputs
        )
        comparison = join_systems(
            counted, deriver, reading.mismatch, resamples=resamples, seed=seed
        )
        reading.warn_left_out(comparison.ledger, reference)
    with without_repeated_warnings():  # of all systems together
        run.warn_left_out()
    run.sample_alike()
    return comparison, run.finish()


@contextmanager
def without_repeated_warnings() -> Iterator[None]:
    """Ignore what readers warn of: it was said when the files were first read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        warnings.simplefilter("ignore", LeftOutWarning)
        yield


class _Counts(NamedTuple):
    """What is counted in a block."""

    scored: ScoreCounts
    confusions: Counter[tuple[str, str]]
    errors: int
    ledger: Ledger
    sentences: list[SystemCounts]  # if systems are compared
    losses: Counter[tuple[str, str]]


class _SampledTask(NamedTuple):
    """A task for another process, and which sentences of each group are sampled."""

    task: PairTask
    every: dict[str, int]


@dataclass(frozen=True)
class _Counter:
    """How a task is counted, group by group."""

    deriver: Deriver
    on_mismatch: OnMismatch = OnMismatch.SKIP
    by_sentence: bool = False
    queries: QueryCounter | None = None

    def __call__(self, given: _SampledTask) -> list[tuple[str, _Counts, Pair]]:
        """The counts of a task, and of each block the sentences that are sampled."""
        return [
            (name, self.count(part), part.one_in(given.every[name]))
            for pair in given.task.pairs()
            for name, part in by_group(pair)
        ]

    def count(self, pair: Pair, sink: ErrorCollector | None = None) -> _Counts:
        """The counts of a block; errors are those of sentences with gold's words."""
        scored = with_words = compare(pair, self.deriver, on_mismatch=self.on_mismatch)
        if scored.left_out and self.on_mismatch == "error":
            raise scored.left_out[0].error
        is_aligned = scored.left_out and self.on_mismatch != "skip"
        if pair.places is not None or is_aligned:
            with_words = compare(pair.word_by_word(), self.deriver)
        if sink is not None:
            sink.add(pair, with_words)
        counter = ScoreCounter(self.deriver, causes=True, queries=self.queries)
        return _Counts(
            counter(pair._replace(groups=None), scored),
            confusions(with_words),
            sum(error_rows(with_words, kind)[0].size for kind in OF_BRACKETS),
            scored.ledger(),
            count_sentences(pair, scored) if self.by_sentence else [],
            count_losses(scored),
        )


@dataclass
class _Dataset:
    """What was read of a data set."""

    name: str
    gold: OpenedTrees
    parsed: OpenedTrees
    opened: Opened
    # All its pairs, as long as each group has few enough to be searched whole.
    pairs: list[Pair] | None = field(default_factory=list)
    sizes: Counter[str] = field(default_factory=Counter)

    def hold(self, pair: Pair) -> None:
        """Keep a pair that will be searched, if all of them will be."""
        if self.pairs is None:
            return
        self.sizes.update(pair.groups or ())
        self.pairs.append(pair)
        if max(self.sizes.values(), default=0) > MOST_SEARCHED:
            self.pairs = None


class _Run:
    """Reads data sets, and keeps what was counted of each, or of each group."""

    def __init__(
        self,
        reading: TreeReading,
        deriver: Deriver,
        names: Sequence[str],
        max_instances: int,
        budget: int,
        has_edits: bool,
        jobs: int | None,
        queries: str | Queries | None = None,
    ) -> None:
        if len(set(names)) < len(names):
            raise SettingsError(
                "E813 two data sets have the same name",
                repeated=next(name for name in names if names.count(name) > 1),
            )
        self._reading, self._deriver, self._jobs = reading, deriver, jobs
        self._datasets: list[_Dataset] = []
        is_syntax = deriver.family is Family.SYNTAX
        self._has_edits = has_edits and is_syntax
        self._sinks = {
            name: ErrorCollector(
                name,
                limit=max_instances,
                budget=budget // len(names),
                tables=deriver.tables if self._has_edits else None,
                is_chinese=deriver.inventory.labels.name == CHINESE,
                is_discourse=not is_syntax,
            )
            for name in names
        }
        self._scores = {
            name: ConstructionScores(deriver, on_mismatch=reading.mismatch)
            for name in names
        }
        self._confusions = {name: Counter[tuple[str, str]]() for name in names}
        self._losses = {name: Counter[tuple[str, str]]() for name in names}
        self._asked: QueryCounter | None = None
        if queries is not None:
            from analyzer.analyses.find_pairs import QueryCounter

            self._asked = QueryCounter.of(queries, deriver, limit=MOST_MATCHES)
        self._counts = {name: ScoreCounts(Tally()) for name in names}
        self._ungrouped = NOTHING_LEFT_OVER

    def keep(self, *sides: OpenedTrees) -> None:
        """Have a pipe so that it can be read again."""
        for side in sides:
            if self._has_edits and isinstance(side, Input):
                side.keep()

    def read(
        self,
        name: str,
        gold: OpenedTrees,
        parsed: OpenedTrees,
        groups: Sequence[str] | None = None,
        *,
        by_sentence: bool = False,
    ) -> Outcome[list[SystemCounts]]:
        """Count a data set; what is kept of each sentence, if that is asked for."""
        reading = self._reading.of_data_set(name, [*self._scores, name])
        opened = reading.open(gold, parsed, self._deriver)
        assert isinstance(opened.tasks, Blocks)
        dataset = _Dataset(name, gold, parsed, opened)
        if not self._has_edits:
            dataset.pairs = None
        self._datasets.append(dataset)
        sentences: list[SystemCounts] = []
        counter = _Counter(
            self._deriver, self._reading.mismatch, by_sentence, self._asked
        )
        for group, counts in self._counted(dataset, groups, counter):
            known = plus(self._counts[group], counts.scored)
            self._counts[group], scores = known, self._scores[group]
            scores.tally, scores.unit_counts = known.tally, known.units
            scores.causes = Causes(known.causes or Counter())
            scores.ledger += counts.ledger
            self._confusions[group].update(counts.confusions)
            self._losses[group].update(counts.losses)
            sentences += counts.sentences
        others = opened.left_over()
        if groups is None:
            self._scores[name].ledger += others
        elif error := others.lengths_differ:
            raise error.at(Place(name_of(parsed)))
        else:
            self._ungrouped = replace(others, noun=self._deriver.noun)
        for group in [name] if groups is None else self._scores:
            self._scores[group].relation_hint = opened.relation_hint
        names = name_of(gold), name_of(parsed)
        ledger = self._scores[name].ledger if groups is None else others
        return Outcome(sentences, ledger, opened.relation_hint, names)

    def _counted(
        self, dataset: _Dataset, groups: Sequence[str] | None, counter: _Counter
    ) -> Iterator[tuple[str, _Counts]]:
        """The counts of each block; sinks get its errors as long as they want some."""
        assert isinstance(dataset.opened.tasks, Blocks)
        given = dataset.opened.tasks.tasks
        tasks: Iterator[PairTask]
        if groups is not None:
            tasks = group_tasks(given, groups)
        else:
            tasks = (
                GroupedTask(task, [dataset.name] * task.sentences) for task in given
            )
        sinks = self._sinks
        if groups is None:
            sinks = {dataset.name: sinks[dataset.name]}
        for task in tasks:
            is_sample = all(sink.every > 1 for sink in sinks.values())
            if self._jobs != 1 and dataset.pairs is None and is_sample:
                rest = chain([task], tasks)
                break
            for pair in task.pairs():
                dataset.hold(pair)
                for name, part in by_group(pair):
                    counts = counter.count(part, sinks[name])
                    sinks[name].count(counts.errors)
                    yield name, counts
        else:
            return
        sampled = (
            _SampledTask(task, {name: sink.every for name, sink in sinks.items()})
            for task in rest
        )
        for counted in run_tasks(counter, sampled, jobs=self._jobs):
            for name, counts, pair in counted:
                sinks[name].count(counts.errors)
                sinks[name].add(pair, compare(pair.word_by_word(), self._deriver))
                yield name, counts

    def sample_alike(self) -> None:
        """Have the errors of the same sentences of all parsers."""
        every = max(sink.every for sink in self._sinks.values())
        for sink in self._sinks.values():
            sink.thin(every)

    def warn_left_out(self) -> None:
        """Warn of what was left out, on behalf of the function that was called."""
        FunctionScores.require_tags_of(
            [scores.tally.functions for scores in self._scores.values()],
            self._deriver.function_tags,
        )
        first = next(iter(self._scores), "")
        for name, scores in self._scores.items():
            others = self._ungrouped if name == first else NOTHING_LEFT_OVER
            self._reading.warn_left_out(scores.ledger + others, name)

    def finish(self, groups: Sequence[str] | None = None) -> list[ScoredData]:
        """All that was found, with the edits."""
        largest = max(scores.ledger.gold for scores in self._scores.values())
        every = max(1, -(-largest // MOST_SEARCHED))
        edits: dict[str, Repairs] = {}
        for dataset in self._datasets if self._has_edits else ():
            whole = self._edits(dataset, every, by_sentence=groups is not None)
            if groups is None:
                edits[dataset.name] = whole
            else:
                edits = repairs_of_groups(whole, groups)
        first = next(iter(self._scores), "")
        return [
            ScoredData(
                name,
                scores,
                self._confusions[name],
                self._sinks[name].finish(),
                self._ungrouped if name == first else NOTHING_LEFT_OVER,
                edits.get(name),
                every,
                self._queries(name, scores.ledger),
                self._losses[name],
            )
            for name, scores in self._scores.items()
        ]

    def _queries(self, name: str, ledger: Ledger) -> FoundPairs | None:
        """What the queries find in a data set, if there are any."""
        if self._asked is None:
            return None
        counts = self._counts[name].queries, ledger
        return self._asked.result({name: counts}, self._reading)

    def _edits(self, dataset: _Dataset, every: int, *, by_sentence: bool) -> Repairs:
        """The edits of a data set: of the pairs that were kept, or read again."""
        deriver: SyntaxDeriver = self._deriver  # type: ignore[assignment]
        # What other processes find of so little takes longer to send.
        backend = Backend(self._jobs if every > 1 else 1)
        tasks: Blocks | Shards
        with without_repeated_warnings():
            if dataset.pairs is not None:
                names = dataset.opened.tasks.names
                tasks = Blocks(iter(dataset.pairs), names, dataset.opened.left_over)
            else:
                tasks = self._reading.open_sentences(
                    *(dataset.gold, dataset.parsed, backend),
                    labels=deriver.inventory.labels,
                )
            return search_tasks(
                *(tasks, Classifier.SPINAL, deriver),
                by_sentence=by_sentence,
                keep_trees=True,
                backend=backend,
                every=every,
            )
