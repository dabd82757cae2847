"""Gold beside parsed: read in step, in blocks of equally many trees."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from analyzer.exceptions import InputError, PairingError, Place, SettingsError
from analyzer.files.inputs import Input, UnreadFile
from analyzer.files.sources import STDIN
from analyzer.formats.blocks import Block, Progress
from analyzer.formats.objects import TreeObjects, as_treebank, listed
from analyzer.formats.reading import Source, TreeReader, as_input, tree_files
from analyzer.model.arrays import Ints
from analyzer.model.treebank import Treebank
from analyzer.pairing.file_names import PairedFiles, paired_files
from analyzer.pairing.ledger import (
    NO_SURPLUS,
    NOTHING_LEFT_OVER,
    Ledger,
    LeftOut,
    Reason,
    Surplus,
)
from analyzer.runtime.executor import Backend, run_tasks
from analyzer.transform.labels import LabelSet
from analyzer.transform.plain_text import plain_text

# A file, glob, directory or URL; several; an open file; text that holds trees; trees
# that were read; or trees of other programs.
Trees = Source | Treebank | TreeObjects
Result = TypeVar("Result")


class Ending(NamedTuple):
    """What is known of a task once it has been read to its end."""

    sentences: int = 0
    surplus: Surplus = NO_SURPLUS
    warnings: tuple[tuple[str, str], ...] = ()  # file and note


NOTHING_MORE = Ending()


# A plain dictionary, which can travel to another process.
_NONE_KNOWN: Mapping[int, LeftOut] = {}


class SentencePair(NamedTuple):
    """A block of gold trees and the parsed trees beside them."""

    gold: Treebank
    parsed: Treebank
    first_sentence: int
    # By the number of the tree, from 0: why it cannot be compared, where that is known.
    known: Mapping[int, LeftOut] = _NONE_KNOWN

    @property
    def sentences(self) -> int:
        return len(self.gold)

    def id_of(self, tree: int) -> str:
        """What gold calls a sentence, else what parsed does; "" if nothing."""
        return self.gold.id_of(tree) or self.parsed.id_of(tree)

    def is_among(self, tree: int, wanted: Collection[int | str]) -> bool:
        """Whether a sentence is wanted: by its number, or by what files call it.

        In files that name no sentences, a number may be given as text.
        """
        number, id = self.first_sentence + tree, self.id_of(tree)
        return number in wanted or (id or str(number)) in wanted

    @property
    def ending(self) -> Ending:
        return NOTHING_MORE

    def pairs(self) -> Iterator[SentencePair]:
        yield self


class PairTask(Protocol):
    """A task of scoring: something that pairs can be read from."""

    def pairs(self) -> Iterator[SentencePair]: ...

    @property
    def ending(self) -> Ending:
        """What is known once all pairs are read, and would not be told otherwise."""
        ...


class CountedTask(PairTask, Protocol):
    """A task whose number of sentences is known beforehand."""

    @property
    def sentences(self) -> int: ...


class BlockPair(NamedTuple):
    """Blocks of equally many trees, still to be read: a task for any process."""

    gold: Block
    parsed: Block

    @property
    def sentences(self) -> int:
        return self.gold.trees

    @property
    def ending(self) -> Ending:
        return NOTHING_MORE

    def pairs(self) -> Iterator[SentencePair]:
        gold, parsed = self.gold.read(), self.parsed.read()
        yield SentencePair(gold, parsed, self.gold.first_sentence)


class PairReader:
    """Cuts gold and parsed, side by side, into blocks of equally many trees.

    `keep_blank_lines`, of gold and of parsed, is found out if not given.
    """

    def __init__(
        self,
        gold: TreeReader,
        parsed: TreeReader,
        keep_blank_lines: tuple[bool, bool] | None = None,
        *,
        by_line: bool = False,
    ) -> None:
        self._gold = gold
        self._parsed = parsed
        self.surplus = NO_SURPLUS  # known once all blocks are taken
        if keep_blank_lines is None:
            policies = likely_policies if by_line else blank_line_policies
            keep_blank_lines = policies(gold, parsed)
        gold.keep_blank_lines, parsed.keep_blank_lines = keep_blank_lines

    def blocks(self) -> Iterator[BlockPair]:
        gold, parsed = self._gold, self._parsed
        try:
            while wanted := gold.available():
                trees = min(wanted, parsed.available(at_least=wanted))
                if not trees:
                    break
                yield BlockPair(gold.take(trees), parsed.take(trees))
            is_lone = not (gold.input.is_text or gold.input.is_folder)
            if not wanted and not gold.sentences and is_lone:
                raise InputError(
                    "no trees in here; expected brackets", Place(gold.name), code="E848"
                )
            self.surplus = Surplus(_trees_left(gold), _trees_left(parsed))
        finally:
            gold.close()
            parsed.close()


class Blocks:
    """The input cut into blocks by this process."""

    def __init__(
        self,
        tasks: Iterator[CountedTask],
        names: tuple[str, str],
        left_over: Callable[[], Ledger] = Ledger,  # known once all tasks are read
        unread: Sequence[Sequence[UnreadFile]] = (),
    ) -> None:
        self.tasks = tasks
        self._left_over = left_over
        self.names = names
        self._unread = unread

    def counts(
        self, work: Callable[[PairTask], Result], backend: Backend
    ) -> Iterator[Result]:
        """What the work counts in each block, in order."""
        return run_tasks(work, self.tasks, backend=backend)

    def pairs(self) -> Iterator[SentencePair]:
        """Gold and parsed in step, read here."""
        return (pair for task in self.tasks for pair in task.pairs())

    @property
    def surplus(self) -> Surplus:
        """What one side has more, once all blocks are read."""
        return self._left_over().surplus

    @property
    def unread(self) -> list[UnreadFile]:
        """The files of gold and parsed that were not read, so far."""
        return [one for side in self._unread for one in side]

    def ledger(self) -> Ledger:
        """What no block tells: sentences that one side has more, files not read."""
        return self._left_over().plus(of_files(self.unread))


def open_blocks(
    gold: Trees,
    parsed: Trees,
    *,
    strict: bool = False,
    encoding: str = "utf-8",
    progress: Progress | None = None,
    mend: bool = False,
    labels: LabelSet | None = None,
    by_line: bool = False,
) -> Blocks:
    """Gold and parsed in step, in blocks that can be read and scored anywhere.

    With `mend`, parsed trees are mended where it is certain what they mean. With
    `labels`, what is no text by them is left out of both sides. With `by_line`, blank
    lines are sentences (unless they separate all trees), whatever would fit better.
    """
    opened = open_trees(gold, encoding), open_trees(parsed, encoding)
    names = name_of(opened[0]), name_of(opened[1])
    first, second = opened
    if isinstance(first, Treebank) and isinstance(second, Treebank):
        count = min(len(first), len(second))
        surplus = Surplus(len(first) - count, len(second) - count)
        pair = SentencePair(first[:count], second[:count], 1)
        if labels is not None:
            gold_text = plain_text(pair.gold, labels)
            pair = SentencePair(gold_text, plain_text(pair.parsed, labels), 1)
        return Blocks(iter([pair]), names, lambda: surplus.ledger(*names))
    if names == (STDIN, STDIN):
        raise SettingsError(
            "standard input ('-') can be gold or parsed, not both", code="E522"
        )

    def reader(given: Input | Treebank, mend: bool = False) -> TreeReader:
        if isinstance(given, Treebank):
            return TreeReader.of_bank(given, strict=strict, labels=labels)
        return TreeReader(
            given, strict=strict, progress=progress, mend=mend, labels=labels
        )

    unread = [side.unread for side in opened if isinstance(side, Input)]
    if isinstance(first, Input) and isinstance(second, Input):
        for side in (first, second):
            tree_files(side)  # others are told of, and no longer among its files
        if files := paired_files(first, second):
            readers = reader, partial(reader, mend=mend)
            by_file = _FilePairs(files, first, second, readers, by_line)
            return Blocks(by_file.blocks(), names, lambda: by_file.left_over, unread)
    both = PairReader(reader(first), reader(second, mend), by_line=by_line)
    return Blocks(both.blocks(), names, lambda: both.surplus.ledger(*names), unread)


class _FilePairs:
    """Gold and parsed as pairs of files of the same name, sentences numbered through.

    What blank lines mean is decided on the first files.
    """

    def __init__(
        self,
        files: PairedFiles,
        gold: Input,
        parsed: Input,
        readers: tuple[Callable[[Input], TreeReader], Callable[[Input], TreeReader]],
        by_line: bool,
    ) -> None:
        self._by_line = by_line
        self._files = files
        self._gold, self._parsed = gold, parsed
        self._readers = readers
        self.left_over = NOTHING_LEFT_OVER  # known once all blocks are taken

    def blocks(self) -> Iterator[BlockPair]:
        blanks: tuple[bool, bool] | None = None
        before = 0
        for gold, parsed in self._files.pairs:
            sides = (
                self._readers[0](self._gold.alone(gold)),
                self._readers[1](self._parsed.alone(parsed)),
            )
            for side in sides:
                side.sentences = before
            pair = PairReader(*sides, blanks, by_line=self._by_line)
            yield from pair.blocks()
            blanks = sides[0].keep_blank_lines, sides[1].keep_blank_lines
            before = sides[0].sentences
            over = pair.surplus.ledger(gold.name, parsed.name)
            self.left_over = self.left_over.plus(over)
        self.left_over = self.left_over.plus(
            without_partner(self._files, self._gold, self._parsed, *self._readers)
        )


def without_partner(
    files: PairedFiles,
    gold: Input,
    parsed: Input,
    of_gold: Callable[[Input], TreeReader] = TreeReader,
    of_parsed: Callable[[Input], TreeReader] = TreeReader,
) -> Ledger:
    """The ledger of files that the other side has not; their trees are counted."""
    found = NOTHING_LEFT_OVER
    for side, other, alone, reader in (
        (gold, parsed, files.only_gold, of_gold),
        (parsed, gold, files.only_parsed, of_parsed),
    ):
        in_gold = side is gold
        for file in alone:
            error = PairingError(
                "{other} has no file of this name",
                Place(file.name),
                code="E416",
                other=other.name,
            )
            trees = _trees_left(reader(side.alone(file)))
            reason = Reason.ONLY_GOLD if in_gold else Reason.ONLY_PARSED
            name = os.path.basename(file.name)
            item = LeftOut(
                0, reason, error, document=name, trees=trees, in_gold=in_gold
            )
            of_file = Ledger(
                gold=trees * in_gold, parsed=trees * (not in_gold), items=(item,)
            )
            found = found.plus(of_file)
    return found


def open_trees(given: Trees, encoding: str = "utf-8") -> Input | Treebank:
    """Trees as they are, anything else as the files that it stands for."""
    if isinstance(given, Treebank | Input):
        return given
    source = listed(given)
    bank = as_treebank(source)
    return as_input(source, encoding=encoding) if bank is None else bank


def name_of(trees: Input | Treebank) -> str:
    """What to call them in a message."""
    return trees.name if isinstance(trees, Input) else trees.source


def of_files(unread: Iterable[UnreadFile]) -> Ledger:
    """The ledger of files that could not be read; nobody knows what was in them."""
    items = (
        LeftOut(0, Reason.UNREADABLE, one.error, in_gold=False)
        for one in unread
        if one.is_loss
    )
    return Ledger(items=tuple(items))


def blank_line_policies(gold: TreeReader, parsed: TreeReader) -> tuple[bool, bool]:
    """Whether blank lines of gold and of parsed stand for a sentence.

    To evalb they do: a blank line is a parse that failed. But files exist whose
    blank lines only separate trees. Of short files, a reading is taken under which
    both have equally many sentences, if there is one. Else, or if there are several,
    it is the one under which most sentences have equally many words on both sides; of
    long files that is asked of their start. If several are as good, blank lines after
    nine of ten trees separate, and others are sentences.
    """
    looks = gold.first_look(), parsed.first_look()
    likely = likely_policies(gold, parsed)
    if not any(look.blank_lines for look in looks):
        return likely
    lengths = gold.lengths(), parsed.lengths()
    readings = [likely]
    for keeps_gold in (True, False):
        readings += [(keeps_gold, keeps_parsed) for keeps_parsed in (True, False)]

    are_whole = all(look.is_whole for look in looks)

    def fit(reading: tuple[bool, bool]) -> tuple[bool, int]:
        sides = [
            given if is_kept else given[given > 0]
            for given, is_kept in zip(lengths, reading, strict=True)
        ]
        count = min(side.size for side in sides)
        first, second = sides[0][:count], sides[1][:count]
        equally_long = int(np.count_nonzero((first == second) & (first > 0)))
        return are_whole and _are_as_many(*sides), equally_long

    return max(readings, key=fit)


def _are_as_many(lengths: Ints, others: Ints) -> bool:
    """Whether both may be as many sentences: blank lines at the end may be none."""
    sides = lengths, others
    sizes = sorted((side.size, np.trim_zeros(side, "b").size) for side in sides)
    return bool(sizes[0][0] >= sizes[1][1])


def likely_policies(gold: TreeReader, parsed: TreeReader) -> tuple[bool, bool]:
    """The same, each side by itself: blank lines after nine of ten trees separate."""
    looks = gold.first_look(), parsed.first_look()
    return not looks[0].blanks_separate, not looks[1].blanks_separate


def _trees_left(reader: TreeReader) -> int:
    """How many trees remain; empty ones at the very end do not count."""
    return sum(
        int(np.count_nonzero(np.diff(bank.node_start))) + len(bank.problems)
        for bank in reader.banks()
    )
