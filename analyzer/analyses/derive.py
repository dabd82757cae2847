"""Derivation trees sentence by sentence, and what the scores say of them: `derive`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt

from analyzer.analyses.compared import Compared, frame_of
from analyzer.analyses.errors import Kind, error_rows
from analyzer.analyses.opening import (
    ScoringOptions,
    TreeReading,
    Trees,
    scoring_keywords,
)
from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.columns import IN_SPINE, NULL, ROOT, Derivation
from analyzer.derivation.dependencies import (
    Dependency,
    Outside,
    OutsideWords,
    conllu_lines,
    dependencies,
)
from analyzer.derivation.deriver import Deriver
from analyzer.derivation.spines import BlockSpines, Spine
from analyzer.exceptions import SettingsError
from analyzer.formats.registry import Family
from analyzer.metrics.constructions import Comparison, compare
from analyzer.model.arrays import Ints
from analyzer.model.settings import several
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import CountedTask, Pair, PairTask
from analyzer.pairing.ledger import Fate, Ledger, LeftOut, Reason, united
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.tasks import Blocks
from analyzer.pairing.words import Side, align
from analyzer.runtime.executor import Backend, run_tasks
from analyzer.safe_text import counted
from analyzer.transform.labels import LabelSet

if TYPE_CHECKING:
    import pandas as pd


class Event(NamedTuple):
    """What the scores say of one construction of one word (section 2.3)."""

    position: int
    word: str
    construction: str
    event: str  # match, recall error, precision error
    span: str
    attachment: str
    right_edge: str


def events(
    pair: Pair, comparison: Comparison, trees: Sequence[int]
) -> dict[int, list[Event]]:
    """The score events of some of the sentences, word by word, bottom up.

    They are computed for the whole block at once, column by column.
    """
    names = comparison.constructions
    sides = [
        _EventSide(rows, side, names)
        for rows, side in zip(comparison.by_own_words, comparison.sides, strict=True)
    ]
    matched = _matches(sides[0], sides[1], comparison)
    missed, _ = error_rows(comparison, Kind.HEAD_MISSED)
    _, spurious = error_rows(comparison, Kind.HEAD_SPURIOUS)
    rows = np.arange(sides[0].head.size)
    for column, value in zip(matched[3:], ("recall error", "", "", ""), strict=True):
        column[missed] = value
    matched[4][missed] = sides[0].spans[missed]
    wrong = [column[spurious] for column in sides[1].columns("precision error")]
    columns = [np.concatenate(two) for two in zip(matched, wrong, strict=True)]
    kind = np.zeros(rows.size + spurious.size, np.int64)
    kind[missed], kind[rows.size :] = 1, 2
    row = np.concatenate([rows, spurious])
    tree = np.concatenate([sides[0].tree, sides[1].tree[spurious]])
    order = np.lexsort([-row, kind, columns[0].astype(np.int64), tree])
    listed = list(map(Event, *(column[order].tolist() for column in columns)))
    starts = np.searchsorted(tree[order], np.arange(len(pair.gold) + 1)).tolist()
    return {number: listed[starts[number] : starts[number + 1]] for number in trees}


class _EventSide:
    """The rows of one side, as events show them."""

    def __init__(self, rows: Derivation, side: Side, names: ConstructionNames) -> None:
        trees = np.arange(rows.starts.size - 1)
        self.tree = np.repeat(trees, np.diff(rows.starts))
        self.head = rows.head
        offset = side.offset[self.tree]
        self._position = (rows.head - offset).astype(object)
        self._words = np.array([*side.bank.forms(side.word_leaves), None, None], object)
        self._name = np.array([*names.listed, None], object)[rows.construction]
        self.last = rows.last - offset
        self.spans = _written(rows.first - offset) + ("-" + _written(self.last))
        # NULL and ROOT are the last two of the words.
        self._words[[NULL, ROOT]] = IN_SPINE, "ROOT"
        self.governor = self._words[rows.attachment]

    def columns(self, event: str) -> list[npt.NDArray[np.object_]]:
        """Of all rows, the columns of an event that is no match."""
        size = self.head.size
        blank = np.full(size, "", object)
        word = self._words[self.head]
        named = np.full(size, event, object)
        return [self._position, word, self._name, named, self.spans, blank, blank]


def _matches(
    gold: _EventSide, parsed: _EventSide, comparison: Comparison
) -> list[npt.NDArray[np.object_]]:
    """The columns of gold's rows, as if all were matched."""
    span, right = (np.full(gold.head.size, "same", object) for _ in range(2))
    attachment = "same (" + gold.governor + ")"
    ours, theirs = error_rows(comparison, Kind.SPAN)
    span[ours] = "gold " + gold.spans[ours] + ", parsed " + parsed.spans[theirs]
    ours, theirs = error_rows(comparison, Kind.SPAN_RIGHT)
    edges = _written(gold.last[ours]), _written(parsed.last[theirs])
    right[ours] = "gold " + edges[0] + ", parsed " + edges[1]
    ours, theirs = error_rows(comparison, Kind.ATTACHMENT)
    governors = gold.governor[ours], parsed.governor[theirs]
    attachment[ours] = "gold " + governors[0] + ", parsed " + governors[1]
    is_recursive = comparison.constructions.is_recursive
    attachment[is_recursive[comparison.gold.construction]] = "-"
    position, word, name, named, *_ = gold.columns("match")
    return [position, word, name, named, span, attachment, right]


def _written(numbers: Ints) -> npt.NDArray[np.object_]:
    """Numbers from 0 as texts. All up to the largest are made: it is small."""
    texts = map(str, range(int(numbers.max(initial=-1)) + 1))
    written: npt.NDArray[np.object_] = np.array([*texts], object)[numbers]
    return written


class Derived(NamedTuple):
    """A sentence's derivation, or two, and what is scored."""

    number: int
    sides: list[list[Spine]]
    events: list[Event]
    left_out: LeftOut | None = None  # why it is not compared, if so
    id: str = ""  # what the file calls it
    outside: Sequence[Outside] = ()  # words in no construction, of gold alone

    @property
    def note(self) -> str:
        """Why it is not compared, if so."""
        return str(self.left_out or "")

    def dependencies(self, labels: LabelSet) -> list[Dependency]:
        """One dependency a word: see docs/scores.md, "As dependencies"."""
        return dependencies(self.sides[0], self.outside, labels)

    def conllu(self, labels: LabelSet) -> str:
        """The sentence in CoNLL-U, the construction of each arc as its relation; if it
        could not be read, nothing."""
        words = self.dependencies(labels)
        name = self.id or str(self.number)
        return "".join(f"{line}\n" for line in conllu_lines(words, name))


@dataclass(eq=False, repr=False)
class Derivations(Compared):
    """What `derive` returns: sentences in the order of the text."""

    rows: list[Derived] = field(default_factory=list)

    scorer: ClassVar[str] = "derive"
    verb: ClassVar[str] = "compared"

    def _shown(self) -> str:
        return counted(len(self.rows), self.deriver.noun)

    def frame(self) -> pd.DataFrame:
        """One row a spine, of all sentences and sides."""
        rows = [
            (sentence.number, side, *spine)
            for sentence in self.rows
            for side, spines in zip(("gold", "parsed"), sentence.sides, strict=False)
            for spine in spines
        ]
        return frame_of(rows, ["sentence", "side", *Spine._fields])

    def conllu(self) -> str:
        """All sentences that could be read, in CoNLL-U.

        Not of a comparison, which has the words of two treebanks.
        """
        check_conllu(self.deriver, has_parsed=any(len(r.sides) > 1 for r in self.rows))
        labels = self.deriver.inventory.labels
        return "".join(sentence.conllu(labels) for sentence in self.rows)

    def events_frame(self) -> pd.DataFrame:
        """One row an event: what the scores say of each construction of each word."""
        rows = [
            (sentence.number, *event)
            for sentence in self.rows
            for event in sentence.events
        ]
        return frame_of(rows, ["sentence", *Event._fields])


@scoring_keywords
def derive(
    gold: Trees,
    parsed: Trees | None = None,
    *,
    sentence: int | str | Collection[int | str] = (),
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Derivations:
    """The derivation trees of all sentences, or of those of some numbers or names.

    With `parsed`, those of both sides, and what the scores count in each sentence. So
    many `jobs` (None: all processors) share the work.
    `ScoringOptions` lists the other options.

    >>> derivations = derive("(S (NP (PRP I)) (VP (VBP see)))")
    >>> [str(spine) for spine in derivations.rows[0].sides[0]]
    ['I NP-t @S-vp', 'see VP-t S-vp']
    """
    reading = TreeReading(**options)
    derived = DerivedTrees(gold, parsed, several(sentence), reading, jobs=jobs)
    rows = list(derived)
    reading.warn_left_out(derived.ledger, derived.name)
    return Derivations(derived.deriver, reading.mismatch, derived.ledger, rows=rows)


def check_conllu(deriver: Deriver, *, has_parsed: bool) -> None:
    """Whether derivations can be written as CoNLL-U."""
    if deriver.family is not Family.SYNTAX:
        raise SettingsError("E642 documents")
    if has_parsed:
        raise SettingsError("E643 one treebank")


@dataclass(frozen=True)
class _DeriveWork:
    """How the sentences of a task are derived, those that are wanted by number."""

    deriver: Deriver
    wanted: frozenset[int | str]
    both: bool
    on_mismatch: OnMismatch

    def __call__(self, task: PairTask) -> list[Derived]:
        return [
            sentence
            for pair in task.pairs()
            for sentence in derived_sentences(
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
        sentences = self.derive(task)
        return [
            (sentence._replace(sides=[], events=[], outside=()), self.show(sentence))
            for sentence in sentences
        ]


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
        given = reading.resolve(gold)
        self.deriver = reading.deriver_for(given)
        self.ledger = Ledger(self.deriver.noun)  # of the blocks that were begun
        self._work = _DeriveWork(
            self.deriver, frozenset(sentences), parsed is not None, reading.mismatch
        )
        if parsed is None:
            opened = reading.open_alone(given, self.deriver)
        else:
            opened = reading.open(given, reading.resolve(parsed), self.deriver)
        self.name = opened.tasks.names[1]
        self._opened = opened

    def __iter__(self) -> Iterator[Derived]:
        for block in run_tasks(self._work, self._tasks(), backend=self._backend):
            self._count(block)
            yield from block
        self._end()

    def shown(self, show: Callable[[Derived], str]) -> Iterator[tuple[Derived, str]]:
        """Each sentence, without its spines and events, and its text.

        The processes that derive a sentence write the text too: that takes longer.
        """
        work = _ShowWork(self._work, show)
        for block in run_tasks(work, self._tasks(), backend=self._backend):
            self._count([sentence for sentence, _ in block])
            yield from block
        self._end()

    def _end(self) -> None:
        overlaps = united(self.deriver.constructions.overlaps)
        self.ledger += Ledger(overlaps=overlaps)
        if not self._work.wanted:
            self.ledger += self._opened.left_over()

    def _tasks(self) -> Iterator[CountedTask]:
        """All, or those up to the last sentence that is wanted."""
        assert isinstance(self._opened.tasks, Blocks)
        numbers = [number for number in self._work.wanted if isinstance(number, int)]
        is_by_number = len(numbers) == len(self._work.wanted)
        last = max(numbers, default=None) if is_by_number else None
        read = 0
        for task in self._opened.tasks.tasks:
            yield task
            read += task.sentences
            if last is not None and read >= last:
                return

    def _count(self, block: Sequence[Derived]) -> None:
        items = tuple(sentence.left_out for sentence in block if sentence.left_out)
        ledger = Ledger(gold=len(block), parsed=len(block), items=items)
        ledger = replace(ledger, scored=len(block) - ledger.lost)
        self.ledger += ledger


def derived_sentences(
    pair: Pair,
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
        BlockSpines(side, rows, deriver.constructions)
        for side, rows in zip(
            (alignment.gold, alignment.parsed), comparison.by_own_words, strict=True
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
                next(derived_sentences(_tree_alone(bank, tree), deriver, both=False))
                for bank in (pair.gold, pair.parsed)
            ]
            spines = [side for sentence in alone for side in sentence.sides]
        else:
            spines = [side.of_tree(tree) for side in sides]
        yield Derived(number, spines, scored[tree], item, id)


def _alone(pair: Pair, deriver: Deriver, trees: Collection[int]) -> Iterator[Derived]:
    """The derivations of trees by themselves."""
    alignment = align(pair, deriver.tables)
    derivation = deriver.derive(alignment.gold)
    left_out = alignment.left_out_trees.tolist()
    why = dict(zip(left_out, map(_of_one, alignment.left_out), strict=True))
    side = BlockSpines(alignment.gold, derivation, deriver.constructions)
    outside = OutsideWords(alignment.gold, derivation, deriver.inventory.labels)
    for tree in trees:
        number, id = pair.number(tree), pair.id_of(tree)
        spines = [side.of_tree(tree)]
        yield Derived(number, spines, [], why.get(tree), id, outside.of_tree(tree))


def _of_one(item: LeftOut) -> LeftOut:
    """Why a tree cannot be derived, where there is one side only."""
    is_bad = item.reason is Reason.BAD_GOLD
    return item._replace(reason=Reason.BAD_TREE) if is_bad else item


def _tree_alone(bank: Treebank, tree: int) -> Pair:
    """A tree beside itself."""
    return Pair(bank[tree : tree + 1], bank[tree : tree + 1], tree + 1)
