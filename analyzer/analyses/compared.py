"""One runner for all analyses that compare, and what their results have in common.

An analysis is a function `count(pair, comparison)`, which gives what it counts in a
block of sentences: records, dictionaries, lists (`metrics.counts.plus` adds them up).
`run_count` reads gold and parsed once, compares them block by block, in this process or
in others, and gives the sum with its ledger. docs/architecture.md shows how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple

import numpy as np

from analyzer.exceptions import SettingsError, worded
from analyzer.formats.blocks import Family
from analyzer.metrics.counts import plus
from analyzer.metrics.intervals import UnitCounts, Units
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Flags, Shown, Value
from analyzer.model.settings import require_number
from analyzer.pairing.in_step import Found, Pair, PairTask, Part
from analyzer.pairing.ledger import SENTENCE, Ledger, LeftOut, Surplus, total
from analyzer.pairing.mismatches import OnMismatch, mismatch_setting
from analyzer.pairing.tags import require_tags, traits_of
from analyzer.pairing.tasks import Blocks, Shards, group_tasks, groups_of
from analyzer.runtime.executor import Backend, run_tasks

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.analyses.opening import OpenedTrees, TreeReading, Trees
    from analyzer.derivation.deriver import Deriver
    from analyzer.metrics.constructions import Comparison
    from analyzer.transform.labels import LabelHint
    from analyzer.transform.relations import RelationHint

Count = Callable[[Pair, "Comparison"], Found]
_TELLING = 50  # so many sentences tell whether words have tags
_Counter = Callable[[Pair], tuple[Found, Ledger]]


@dataclass(frozen=True)
class TaskCounter(Generic[Found]):
    """Counts the pairs of a task, in any process."""

    count: _Counter[Found]

    def __call__(self, task: PairTask) -> Part[Found | None]:
        counts: Found | None = None
        ledger = Ledger()
        for pair in task.pairs():
            of_pair, left_out = self.count(pair)
            counts, ledger = plus(counts, of_pair), ledger + left_out
        return Part(counts, ledger, task.summary)


@dataclass(frozen=True)
class PairCounter(Generic[Found]):
    """Compares a pair, and gives what `count` finds in it."""

    deriver: Deriver
    count: Count[Found]
    on_mismatch: OnMismatch = OnMismatch.SKIP

    def __call__(self, pair: Pair) -> tuple[Found, Ledger]:
        # Brackets are counted without derivations, and start sooner without them.
        from analyzer.metrics.constructions import compare

        comparison = compare(pair, self.deriver, on_mismatch=self.on_mismatch)
        if comparison.left_out and self.on_mismatch == "error":
            raise comparison.left_out[0].error
        ledger = comparison.ledger()
        if self.deriver.has_tags:
            ledger = replace(ledger, traits=traits_of(pair))
        return self.count(pair, comparison), ledger


class Outcome(NamedTuple, Generic[Found]):
    """What was counted in all of gold and parsed; None if there was nothing."""

    counts: Found | None
    ledger: Ledger
    relation_hint: RelationHint | None
    names: tuple[str, str]  # what gold and parsed are called


def run_count(
    gold: OpenedTrees,
    parsed: OpenedTrees,
    reading: TreeReading,
    deriver: Deriver,
    count: Count[Found],
    *,
    backend: Backend | None = None,
    groups: Sequence[str] | None = None,
    by_number: bool = False,
    each: Callable[[Found], Found | None] | None = None,
) -> Outcome[Found]:
    """What `count` finds in all pairs of gold and parsed, added up.

    With `groups`, the group of each sentence, pairs know theirs. With `by_number`, they
    must know the numbers of their sentences, which those of a shard do not. `each` is
    called with what was found in a task, and says what is kept of it.
    """
    backend = backend or Backend(1)
    by_number = by_number or groups is not None
    opened = reading.open(gold, parsed, deriver, backend, by_number=by_number)
    counter = PairCounter(deriver, count, reading.mismatch)
    counts, ledger = count_tasks(
        opened.tasks, counter, backend, groups=groups, each=each
    )
    ledger = Ledger(deriver.noun) + ledger + opened.left_over()
    return Outcome(counts, ledger, opened.relation_hint, opened.tasks.names)


def count_systems(
    gold: OpenedTrees,
    parsed: Trees | Mapping[str, Trees],
    reading: TreeReading,
    deriver: Deriver,
    count: Count[Found],
    *,
    backend: Backend,
    group_by: str | Sequence[str] | None = None,
) -> Iterator[tuple[str, Outcome[Found]]]:
    """What `count` finds of a parser's output, or of each of several by name.

    Sentences know their numbers, and with `group_by` their groups. Whoever is called by
    the user warns of what is left out: a warning names the line of the call.
    """
    systems = parsed if isinstance(parsed, Mapping) else {"parsed": parsed}
    groups = groups_of(group_by, 1)
    for name, output in systems.items():
        yield (
            name,
            run_count(
                *(gold, reading.resolve(output), reading, deriver, count),
                backend=backend,
                groups=groups,
                by_number=True,
            ),
        )


def count_tasks(
    tasks: Blocks | Shards,
    count: _Counter[Found],
    backend: Backend,
    *,
    groups: Sequence[str] | None = None,
    each: Callable[[Any], Any] | None = None,
    before: Ledger | None = None,
) -> tuple[Found | None, Ledger]:
    """What is counted in all tasks, added up; None if there was nothing.

    UntaggedError if the counts need tags and a side has none. That is known as soon as
    many sentences are counted, or a part is shown; else when all are, with those that
    were counted `before`.
    """
    work = TaskCounter(count)
    if groups is None:
        parts = tasks.counts(work, backend)
    else:
        assert isinstance(tasks, Blocks)  # since sentences know their numbers
        parts = run_tasks(work, group_tasks(tasks.tasks, groups), backend=backend)
    counts: Found | None = None
    ledger = Ledger(traits=before.traits) if before else Ledger()
    for part in parts:
        ledger += part.ledger
        if each is not None or ledger.gold >= _TELLING:
            require_tags(ledger, tasks.names)  # before anything is shown
        if part.counts is not None:
            counts = plus(counts, each(part.counts) if each else part.counts)
    require_tags(ledger, tasks.names)
    return counts, ledger


def documents_of(deriver: Deriver, documents: Sequence[str]) -> Sequence[str]:
    """The document of each sentence; trees of discourse are documents themselves."""
    if deriver.family is Family.DISCOURSE:
        return [""] * len(documents)
    return documents


def units_of(deriver: Deriver, counts: UnitCounts) -> Units:
    """What is resampled; trees of discourse are documents."""
    is_of_documents = deriver.family is Family.DISCOURSE
    return counts.units._replace(noun="documents") if is_of_documents else counts.units


def common_ledger(
    ledgers: Sequence[Ledger], is_common: Flags, noun: str = SENTENCE
) -> Ledger:
    """What systems have in common, and what some of them cannot be compared on."""
    lost = {
        item.sentence: item for ledger in reversed(ledgers) for item in ledger.left_out
    }
    items = tuple(lost[sentence] for sentence in sorted(lost))
    size, common = is_common.size, int(np.count_nonzero(is_common))
    whole = total(ledgers)
    common_to_all = Ledger(noun, size, size, common, items)
    return replace(
        common_to_all,
        overlaps=whole.overlaps,
        mended=whole.mended,
        extracted=whole.extracted,
        paired_by=whole.paired_by,
        reading=whole.reading,
    )


class Result(Value, Shown):
    """What all results have in common: a ledger of what was left out."""

    verb: ClassVar[str] = "scored"
    counts_roots: ClassVar[bool] = False  # whether roots move some of its numbers

    if TYPE_CHECKING:

        @property
        def ledger(self) -> Ledger:
            """What was scored, what was left out and why."""

    def __repr__(self) -> str:
        shown = self._shown(), self.scored_text(), *self.notes
        parts = dict.fromkeys(part for part in shown if part)
        return worded(f"<{type(self).__name__}: {', '.join(parts)}>")

    def _shown(self) -> str:
        """The number that matters most, for the result's repr."""
        return ""

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences that cannot be compared with gold, and why."""
        return self.ledger.mismatches

    @property
    def surplus(self) -> Surplus:
        """What only one side has."""
        return self.ledger.surplus

    @property
    def notes(self) -> list[str]:
        """What changes the meaning of the numbers: it is said wherever these are."""
        ledger = self.ledger
        is_sound = ledger.is_complete and not ledger.out_of_step
        scored = [] if is_sound else [self.scored_text()]
        roots = ledger.root_notes() if self.counts_roots else []
        return [*scored, *map(worded, roots), *map(str, ledger.overlaps)]

    def scored_text(self) -> str:
        """What was scored, how, and what was left out, in a sentence."""
        return self.ledger.text(self.verb)


@dataclass(eq=False, repr=False)
class Compared(Result):
    """What results of comparisons have in common: how they were obtained."""

    deriver: Deriver
    on_mismatch: OnMismatch = OnMismatch.SKIP
    ledger: Ledger = field(default_factory=Ledger)
    relation_hint: RelationHint | None = None  # of documents: a map for their labels

    scorer: ClassVar[str]  # in the signature

    def __post_init__(self) -> None:
        self.ledger = replace(self.ledger, noun=self.deriver.noun)

    @property
    def label_hint(self) -> LabelHint | None:
        """Whose labels the trees seem to have, if the inventory's are others."""
        return self.deriver.label_hint

    @property
    def notes(self) -> list[str]:
        return [*super().notes, *texts_of(self.label_hint, self.relation_hint)]

    @property
    def signature(self) -> Signature:
        """How the result was obtained."""
        return Signature.of(
            scorer=self.scorer,
            **self.deriver.settings,
            **mismatch_setting(self.on_mismatch),
            **self.ledger.settings,
        )


@dataclass(eq=False, repr=False)
class OfSystems(Result):
    """What results about each of several parsers have in common."""

    systems: list[Any]  # each with its ledger
    settings: Signature
    resamples: int
    seed: int
    label_hint: LabelHint | None  # whose labels gold seems to have, if others

    @property
    def ledger(self) -> Ledger:
        """What was left out, of all systems."""
        return total(system.ledger for system in self.systems)

    @property
    def signature(self) -> Signature:
        """How the result was obtained."""
        return self.settings


def require_draws(
    resamples: int, seed: int, parsed: Trees | Mapping[str, Trees] = ""
) -> None:
    """SettingsError if `resamples` or `seed` is out of range, or no system is given."""
    require_number("resamples", resamples, least=1)
    require_number("seed", seed, least=0)
    if isinstance(parsed, Mapping) and not parsed:
        raise SettingsError("E873 no system is given")


def texts_of(*hints: LabelHint | RelationHint | None) -> list[str]:
    """The texts of all hints that are not None."""
    return [worded(str(hint)) for hint in hints if hint is not None]


def shared_notes(notes_of: Mapping[str, Sequence[str]]) -> list[str]:
    """The notes of several results: each with their names, unless all have it.

    >>> shared_notes({"A": ["one", "two"], "B": ["two"], "C": ["two", "one"]})
    ['A, C: one', 'two']
    """
    names_of: dict[str, dict[str, None]] = {}
    for name, notes in notes_of.items():
        for note in notes:
            names_of.setdefault(note, {})[name] = None
    return [
        note if len(names) == len(notes_of) else f"{', '.join(names)}: {note}"
        for note, names in names_of.items()
    ]


def frame_of(
    rows: Sequence[Any], columns: Sequence[str], index: str = ""
) -> pd.DataFrame:
    """Rows as a DataFrame, indexed by one of the columns if that is named."""
    import pandas as pd

    frame = pd.DataFrame(rows, columns=list(columns))
    return frame.set_index(index) if index else frame
