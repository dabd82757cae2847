"""What a page about a parser shows: scores, confusions, and the first errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple, Protocol, Unpack

from analyzer.analyses.domains import Dataset, reference_first
from analyzer.analyses.errors import OF_BRACKETS, confusions, error_rows
from analyzer.analyses.functions import FunctionScores
from analyzer.analyses.opening import ScoringOptions, TreeReading, name_of
from analyzer.analyses.score import ConstructionScores
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import Place, SettingsError
from analyzer.metrics.constructions import Comparison, Tally, compare, tally
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.inputs import Blocks
from analyzer.pairing.ledger import NOTHING_LEFT_OVER, Ledger
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.sidecar import GroupedPairs, group_tasks, groups_of
from analyzer.runtime.executor import run_tasks


class ErrorSink(Protocol):
    """Takes errors with their trees until it has enough, and counts the others."""

    @property
    def is_full(self) -> bool: ...

    def add(self, pair: SentencePair, comparison: Comparison) -> None: ...

    def count(self, errors: int) -> None: ...


@dataclass
class DatasetOverview:
    """A data set with all that can be said of it in numbers."""

    name: str
    scores: ConstructionScores
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    # With the first of several groups: what belongs to none.
    ungrouped: Ledger = NOTHING_LEFT_OVER


class OverviewCounts(NamedTuple):
    """What is counted in a block."""

    tally: Tally
    confusions: Counter[tuple[str, str]]
    errors: int


@dataclass(frozen=True)
class OverviewWork:
    """How a task is counted, group by group."""

    deriver: Deriver
    on_mismatch: OnMismatch = OnMismatch.SKIP

    def __call__(self, task: GroupedPairs) -> list[tuple[str, OverviewCounts]]:
        return [
            (name, self.count(pair, compare(pair, self.deriver)))
            for name, pair in task.by_group()
        ]

    def count(self, pair: SentencePair, found: Comparison) -> OverviewCounts:
        """The counts of a block; errors are those of sentences with gold's words."""
        errors = sum(error_rows(found, kind)[0].size for kind in OF_BRACKETS)
        scored = found
        if found.left_out and self.on_mismatch == "error":
            raise found.left_out[0].error
        if found.left_out and self.on_mismatch != "skip":
            scored = compare(pair, self.deriver, on_mismatch=self.on_mismatch)
        return OverviewCounts(tally(scored), confusions(found), errors)


def overview(
    datasets: Sequence[Dataset],
    *,
    group_by: str | Sequence[str] | None = None,
    reference: str | None = None,
    sink: Callable[[str, int], ErrorSink] | None = None,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> list[DatasetOverview]:
    """Scores and confusions of data sets: (name, gold, parsed), the reference first.

    `group_by` makes several of one, as in `compare_domains`. `sink` is given the name
    of a data set and how many there are, and makes what takes its errors. They are
    collected here; once all sinks are full, so many `jobs` go on counting.
    `ScoringOptions` lists the other options.
    """
    reading = TreeReading(**options)
    opened_sets = [
        (name, reading.given(gold), reading.given(parsed))
        for name, gold, parsed in datasets
    ]
    deriver = reading.deriver_for(opened_sets[0][1])
    groups = groups_of(group_by, len(datasets))
    if groups is None:
        names = [name for name, *_ in datasets]
    else:
        names = list(dict.fromkeys(groups))
    found = {name: _nothing_yet(name, deriver, reading) for name in names}
    if len(found) < len(names):
        raise SettingsError(
            "two data sets have the same name: {repeated}",
            code="E813",
            repeated=next(name for name in names if names.count(name) > 1),
        )
    sinks = {name: sink(name, len(names)) for name in names} if sink else {}
    for name, gold, parsed in opened_sets:
        opened = reading.open(gold, parsed, deriver)
        assert isinstance(opened.tasks, Blocks)
        made = [name] if groups is None else names
        tasks = _grouped(opened.tasks, groups, name)
        takers = {one: sinks[one] for one in made if one in sinks}
        work = OverviewWork(deriver, reading.mismatch)
        for one, counts in _counted(tasks, work, takers, jobs):
            found[one].scores.tally.add(counts.tally)
            found[one].confusions.update(counts.confusions)
        others = opened.others()
        if groups is not None and (error := others.lengths_differ):
            raise error.at(Place(name_of(parsed)))
        for one in made:
            found[one].scores.relation_hint = opened.relation_hint
        if groups is None:
            tally = found[name].scores.tally
            tally.ledger = tally.ledger.plus(others)
        else:
            found[names[0]].ungrouped = replace(others, noun=deriver.noun)
    FunctionScores.require_tags_of(
        [one.scores.tally.functions for one in found.values()], deriver.function_tags
    )
    for result in found.values():
        reading.finish(result.scores.ledger.plus(result.ungrouped), result.name)
    return reference_first(list(found.values()), reference)


def _nothing_yet(name: str, deriver: Deriver, reading: TreeReading) -> DatasetOverview:
    scores = ConstructionScores(deriver, on_mismatch=reading.mismatch)
    return DatasetOverview(name, scores)


def _grouped(
    tasks: Blocks, groups: Sequence[str] | None, name: str
) -> Iterator[GroupedPairs]:
    if groups is not None:
        return group_tasks(tasks.tasks, groups)
    return (GroupedPairs(task, [name] * task.sentences) for task in tasks.tasks)


def _counted(
    tasks: Iterator[GroupedPairs],
    work: OverviewWork,
    sinks: dict[str, ErrorSink],
    jobs: int | None,
) -> Iterator[tuple[str, OverviewCounts]]:
    """The counts of each block; the sinks get its errors as long as they want some."""
    rest: Iterable[GroupedPairs] = tasks
    for task in tasks:
        if all(sink.is_full for sink in sinks.values()):
            rest = chain([task], tasks)
            break
        for name, pair in task.by_group():
            comparison = compare(pair, work.deriver)
            sinks[name].add(pair, comparison)
            yield name, work.count(pair, comparison)
    for counted in run_tasks(work, rest, jobs=jobs):
        for name, counts in counted:
            if name in sinks:
                sinks[name].count(counts.errors)
            yield name, counts
