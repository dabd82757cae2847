"""Two inputs as blocks of pairs: files, folders paired by name, trees in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from analyzer.exceptions import PairingError, Place, SettingsError
from analyzer.files.finding import UnreadFile
from analyzer.files.inputs import Input
from analyzer.files.sources import STDIN
from analyzer.formats.blocks import Progress
from analyzer.formats.reading import TreeReader, Trees, open_trees, tree_files
from analyzer.model.treebank import Treebank
from analyzer.pairing.file_names import PairedFiles, paired_files
from analyzer.pairing.in_step import (
    BlockPair,
    CountedTask,
    PairReader,
    PairTask,
    Result,
    SentencePair,
    trees_left,
)
from analyzer.pairing.ledger import (
    NOTHING_LEFT_OVER,
    Ledger,
    LeftOut,
    Reason,
    Surplus,
)
from analyzer.runtime.executor import Backend, run_tasks
from analyzer.transform.labels import LabelSet
from analyzer.transform.plain_text import plain_text


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
            trees = trees_left(reader(side.alone(file)))
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
