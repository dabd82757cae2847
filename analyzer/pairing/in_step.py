"""Gold beside parsed: read in step, in blocks of equally many trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from analyzer.exceptions import PairingError, SettingsError
from analyzer.files.sources import STDIN
from analyzer.formats.blocks import Block, FirstLook, Progress
from analyzer.formats.reading import TreeReader, is_text
from analyzer.model.treebank import Treebank
from analyzer.runtime.executor import Backend, run_tasks
from analyzer.safe_text import counted

# A file, glob, directory or URL; text that holds trees; or trees that were read.
Trees = str | Treebank
Result = TypeVar("Result")


class Surplus(NamedTuple):
    """Sentences that one file has and the other has not."""

    in_gold: int
    in_parsed: int

    def plus(self, other: Surplus) -> Surplus:
        return Surplus(self.in_gold + other.in_gold, self.in_parsed + other.in_parsed)


NO_SURPLUS = Surplus(0, 0)


class Ending(NamedTuple):
    """What is known of a task once it has been read to its end."""

    sentences: int = 0
    surplus: Surplus = NO_SURPLUS
    warnings: tuple[tuple[str, str], ...] = ()  # file and note


NOTHING_MORE = Ending()


class SentencePair(NamedTuple):
    """A block of gold trees and the parsed trees beside them."""

    gold: Treebank
    parsed: Treebank
    first_sentence: int

    @property
    def sentences(self) -> int:
        return len(self.gold)

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
    ) -> None:
        self._gold = gold
        self._parsed = parsed
        self.surplus = NO_SURPLUS  # known once all blocks are taken
        if keep_blank_lines is None:
            keep_blank_lines = blank_line_policies(
                gold.first_look(), parsed.first_look()
            )
        gold.keep_blank_lines, parsed.keep_blank_lines = keep_blank_lines

    def blocks(self) -> Iterator[BlockPair]:
        gold, parsed = self._gold, self._parsed
        try:
            while wanted := gold.available():
                trees = min(wanted, parsed.available(at_least=wanted))
                if not trees:
                    break
                yield BlockPair(gold.take(trees), parsed.take(trees))
            self.surplus = Surplus(_trees_left(gold), _trees_left(parsed))
        finally:
            gold.close()
            parsed.close()


class Blocks:
    """The input cut into blocks by this process."""

    def __init__(
        self,
        tasks: Iterator[CountedTask],
        surplus: Callable[[], Surplus],
        names: tuple[str, str],
    ) -> None:
        self.tasks = tasks
        self._surplus = surplus
        self._names = names

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
        """What is left over at the end, where nothing else would tell."""
        return self._surplus()

    def lengths_differ(self) -> PairingError | None:
        surplus = self.surplus
        return lengths_differ(*self._names, surplus) if any(surplus) else None


def open_blocks(
    gold: Trees,
    parsed: Trees,
    *,
    strict: bool = False,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> Blocks:
    """Gold and parsed in step, in blocks that can be read and scored anywhere."""
    names = name_of(gold), name_of(parsed)
    if isinstance(gold, Treebank) and isinstance(parsed, Treebank):
        count = min(len(gold), len(parsed))
        surplus = Surplus(len(gold) - count, len(parsed) - count)
        pair = SentencePair(gold[:count], parsed[:count], 1)
        return Blocks(iter([pair]), lambda: surplus, names)
    if gold == parsed == STDIN:
        raise SettingsError(
            "standard input ('-') can be gold or parsed, not both", code="E522"
        )

    def reader(given: Trees) -> TreeReader:
        if isinstance(given, Treebank):
            given = "".join(f"{tree}\n" for tree in given)
        if is_text(given):
            return TreeReader.of_text(given, strict=strict)
        return TreeReader(given, encoding=encoding, strict=strict, progress=progress)

    both = PairReader(reader(gold), reader(parsed))
    return Blocks(both.blocks(), lambda: both.surplus, names)


def name_of(trees: Trees) -> str:
    """What to call them in a message."""
    return trees if isinstance(trees, str) else trees.source


def lengths_differ(
    gold: str, parsed: str, surplus: Surplus, more: int = 0
) -> PairingError:
    """The error for two files, and for so many more pairs of files."""
    others = f" (and so do {counted(more, 'more pair')} of files)" if more else ""
    return PairingError(
        "{gold_} and {parsed_} differ in length by {surplus:sentence}{others}",
        code="E413",
        gold_=gold,
        parsed_=parsed,
        surplus=max(surplus),
        others=others,
    )


def blank_line_policies(gold: FirstLook, parsed: FirstLook) -> tuple[bool, bool]:
    """Whether blank lines of gold and of parsed stand for a sentence.

    To evalb they do: a blank line is a parse that failed. But files exist whose
    blank lines only separate trees. If both files are small enough to count,
    the reading under which they are equally long is taken, evalb's first.
    """
    is_counted = gold.is_counted or parsed.is_counted
    if gold.is_whole and parsed.is_whole and is_counted:
        for keep_gold, keep_parsed in (
            (True, True),
            (False, True),
            (True, False),
            (False, False),
        ):
            gold_count = gold.trees + keep_gold * gold.blank_lines
            parsed_count = parsed.trees + keep_parsed * parsed.blank_lines
            if gold_count == parsed_count:
                return keep_gold, keep_parsed
    return not gold.blanks_separate, not parsed.blanks_separate


def _trees_left(reader: TreeReader) -> int:
    """How many trees remain; empty ones at the very end do not count."""
    return sum(
        int(np.count_nonzero(np.diff(bank.node_start))) + len(bank.problems)
        for bank in reader.banks()
    )
