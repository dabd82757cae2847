"""Derivation trees sentence by sentence: `derive`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Unpack

from analyzer.analyses.events import Event, events
from analyzer.analyses.opening import ScoringOptions, TreeReading, Trees
from analyzer.analyses.sentence_words import SentenceWords, sides_of
from analyzer.derivation.columns import Derivation
from analyzer.derivation.deriver import Deriver
from analyzer.derivation.spines import BlockSpines, Spine
from analyzer.metrics.constructions import compare
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Ints
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import CountedTask, PairTask, SentencePair
from analyzer.pairing.inputs import Blocks
from analyzer.pairing.ledger import Fate, Ledger, LeftOut, Reason
from analyzer.pairing.mismatches import OnMismatch, mismatch_setting
from analyzer.pairing.words import align
from analyzer.runtime.executor import Backend, run_tasks
from analyzer.safe_text import counted

if TYPE_CHECKING:
    import pandas as pd


class Derived(NamedTuple):
    """A sentence's derivation, or two, and what is scored."""

    number: int
    sides: list[list[Spine]]
    events: list[Event]
    left_out: LeftOut | None = None  # why it is not compared, if so
    id: str = ""  # what the file calls it

    @property
    def note(self) -> str:
        """Why it is not compared, if so."""
        return str(self.left_out or "")


@dataclass(frozen=True)
class Derivations:
    """What `derive` returns: sentences in the order of the text."""

    deriver: Deriver
    rows: list[Derived]
    ledger: Ledger  # of these sentences, and documents without partner
    on_mismatch: OnMismatch = OnMismatch.SKIP

    def __repr__(self) -> str:
        count = counted(len(self.rows), self.deriver.noun)
        return f"<Derivations: {count}, {self.ledger.text('compared')}>"

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences that cannot be compared, and why."""
        return self.ledger.mismatches

    @property
    def signature(self) -> Signature:
        """How the derivations were made."""
        mismatch = mismatch_setting(self.on_mismatch)
        return Signature.of(scorer="derive", **self.deriver.settings, **mismatch)

    def frame(self) -> pd.DataFrame:
        """One row a spine, of all sentences and sides."""
        import pandas as pd

        rows = [
            (one.number, side, *spine)
            for one in self.rows
            for side, spines in zip(("gold", "parsed"), one.sides, strict=False)
            for spine in spines
        ]
        return pd.DataFrame(rows, columns=["sentence", "side", *Spine._fields])

    def events_frame(self) -> pd.DataFrame:
        """One row an event: what the scores say of each construction of each word."""
        import pandas as pd

        rows = [(one.number, *event) for one in self.rows for event in one.events]
        return pd.DataFrame(rows, columns=["sentence", *Event._fields])

    def _repr_html_(self) -> str:
        from reports.notebook import derivations_html

        return derivations_html(self)


def derive(
    gold: Trees,
    parsed: Trees | None = None,
    *,
    sentences: Collection[int | str] = (),
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Derivations:
    """The derivation trees of all sentences, or of some by number or by name.

    With `parsed`, those of both sides, and what the scores count in each sentence. So
    many `jobs` (None: all processors) share the work.
    `ScoringOptions` lists the other options.

    >>> found = derive("(S (NP (PRP I)) (VP (VBP see)))")
    >>> [str(spine) for spine in found.rows[0].sides[0]]
    ['I NP-t @S-vp', 'see VP-t S-vp']
    """
    reading = TreeReading(**options)
    found = DerivedTrees(gold, parsed, sentences, reading, jobs=jobs)
    rows = list(found)
    reading.finish(found.ledger, found.name)
    return Derivations(found.deriver, rows, found.ledger, reading.mismatch)


@dataclass(frozen=True)
class _DeriveWork:
    """How the sentences of a task are derived, those that are wanted by number."""

    deriver: Deriver
    wanted: frozenset[int | str]
    both: bool
    on_mismatch: OnMismatch

    def __call__(self, task: PairTask) -> list[Derived]:
        return [
            one
            for pair in task.pairs()
            for one in derived_sentences(
                pair,
                self.deriver,
                self.wanted,
                both=self.both,
                on_mismatch=self.on_mismatch,
            )
        ]


@dataclass(frozen=True)
class _ShowWork:
    """Derives sentences and writes each as text in the same process."""

    derive: _DeriveWork
    show: Callable[[Derived], str]

    def __call__(self, task: PairTask) -> list[tuple[Derived, str]]:
        found = self.derive(task)
        return [(one._replace(sides=[], events=[]), self.show(one)) for one in found]


class DerivedTrees:
    """The sentences of `derive` one after another, read as they are asked for."""

    def __init__(
        self,
        gold: Trees,
        parsed: Trees | None,
        sentences: Collection[int | str],
        reading: TreeReading,
        *,
        jobs: int | None = 1,
    ) -> None:
        self._backend = Backend(jobs)
        given = reading.given(gold)
        self.deriver = reading.deriver_for(given)
        self.ledger = Ledger(self.deriver.noun)  # of the blocks that were begun
        self._work = _DeriveWork(
            self.deriver, frozenset(sentences), parsed is not None, reading.mismatch
        )
        if parsed is None:
            opened = reading.open_alone(given, self.deriver)
        else:
            opened = reading.open(given, reading.given(parsed), self.deriver)
        self.name = opened.tasks.names[1]
        self._opened = opened

    def __iter__(self) -> Iterator[Derived]:
        for found in run_tasks(self._work, self._tasks(), backend=self._backend):
            self._count(found)
            yield from found
        self._end()

    def shown(self, show: Callable[[Derived], str]) -> Iterator[tuple[Derived, str]]:
        """Each sentence, without its spines and events, and its text.

        The processes that derive a sentence write the text too: that takes longer.
        """
        work = _ShowWork(self._work, show)
        for found in run_tasks(work, self._tasks(), backend=self._backend):
            self._count([one for one, _ in found])
            yield from found
        self._end()

    def _end(self) -> None:
        if not self._work.wanted:
            self.ledger = self.ledger.plus(self._opened.others())

    def _tasks(self) -> Iterator[CountedTask]:
        """All, or those up to the last sentence that is wanted."""
        assert isinstance(self._opened.tasks, Blocks)
        numbers = [one for one in self._work.wanted if isinstance(one, int)]
        is_by_number = len(numbers) == len(self._work.wanted)
        last = max(numbers, default=None) if is_by_number else None
        read = 0
        for task in self._opened.tasks.tasks:
            yield task
            read += task.sentences
            if last is not None and read >= last:
                return

    def _count(self, block: Sequence[Derived]) -> None:
        items = tuple(one.left_out for one in block if one.left_out)
        found = Ledger(gold=len(block), parsed=len(block), items=items)
        found = replace(found, scored=len(block) - found.lost)
        self.ledger = self.ledger.plus(found)


def derived_sentences(
    pair: SentencePair,
    deriver: Deriver,
    wanted: Collection[int | str] = (),
    *,
    both: bool,
    on_mismatch: OnMismatch = OnMismatch.SKIP,
) -> Iterator[Derived]:
    """The derivations of a block's sentences, or of those that are wanted by number.

    Without `both`, of gold alone, and nothing is scored.
    """
    trees = [
        tree
        for tree in range(len(pair.gold))
        if not wanted or pair.is_among(tree, wanted)
    ]
    if not trees:
        return
    if not both:
        yield from _alone(pair, deriver, trees)
        return
    comparison = compare(pair, deriver, on_mismatch=on_mismatch)
    alignment = comparison.alignment
    left_out = alignment.left_out_trees.tolist()
    why = dict(zip(left_out, alignment.left_out, strict=True))
    sides = [
        _spines(bank, told, deriver, alignment.leaves(of_gold=bank is pair.gold), text)
        for bank, told, text in zip(
            (pair.gold, pair.parsed),
            comparison.told,
            sides_of(pair, comparison),
            strict=True,
        )
    ]
    scored = events(pair, comparison, trees)
    for tree in trees:
        number, id = pair.number(tree), pair.id_of(tree)
        item = why.get(tree)
        if item and on_mismatch == "error":
            raise item.error
        if item and item.fate is not Fate.ALIGNED:
            alone = [
                next(derived_sentences(_one(bank, tree), deriver, both=False))
                for bank in (pair.gold, pair.parsed)
            ]
            spines = [side for one in alone for side in one.sides]
        else:
            spines = [side.of_tree(tree) for side in sides]
        yield Derived(number, spines, scored[tree], item, id)


def _alone(
    pair: SentencePair, deriver: Deriver, trees: Collection[int]
) -> Iterator[Derived]:
    """The derivations of trees by themselves."""
    alignment = align(pair, deriver.tables)
    derivation = deriver.derive(pair.gold, alignment, of_gold=True)
    left_out = alignment.left_out_trees.tolist()
    why = dict(zip(left_out, map(_of_one, alignment.left_out), strict=True))
    text, leaves = SentenceWords(pair, alignment), alignment.leaves(of_gold=True)
    side = _spines(pair.gold, derivation, deriver, leaves, text)
    for tree in trees:
        number, id = pair.number(tree), pair.id_of(tree)
        yield Derived(number, [side.of_tree(tree)], [], why.get(tree), id)


def _spines(
    bank: Treebank,
    derivation: Derivation,
    deriver: Deriver,
    leaves: tuple[Ints, Ints],
    text: SentenceWords,
) -> BlockSpines:
    return BlockSpines(
        bank,
        derivation,
        deriver.constructions,
        leaves=leaves[0],
        starts=leaves[1],
        first_word=text.offset,
    )


def _of_one(item: LeftOut) -> LeftOut:
    """Why a tree cannot be derived, where there is one side only."""
    is_bad = item.reason is Reason.BAD_GOLD
    return item._replace(reason=Reason.BAD_TREE) if is_bad else item


def _one(bank: Treebank, tree: int) -> SentencePair:
    """A tree beside itself."""
    return SentencePair(bank[tree : tree + 1], bank[tree : tree + 1], tree + 1)
