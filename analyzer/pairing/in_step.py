"""Gold beside parsed: read in step, in blocks of equally many trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

import numpy as np

from analyzer.exceptions import SettingsError
from analyzer.files.sources import STDIN
from analyzer.formats.blocks import Block, FirstLook, Progress
from analyzer.formats.reading import TreeReader, is_text
from analyzer.model.treebank import Treebank


class Surplus(NamedTuple):
    """Sentences that one file has and the other has not."""

    in_gold: int
    in_parsed: int

    def plus(self, other: Surplus) -> Surplus:
        return Surplus(self.in_gold + other.in_gold, self.in_parsed + other.in_parsed)


NO_SURPLUS = Surplus(0, 0)


class Ending(NamedTuple):
    """What is known of a piece of the input once it has been read to its end."""

    sentences: int = 0
    surplus: Surplus = NO_SURPLUS
    warnings: tuple[str, ...] = ()


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


class Pairs(Protocol):
    """Something that pairs can be read from: a task of scoring."""

    def pairs(self) -> Iterator[SentencePair]: ...

    @property
    def ending(self) -> Ending:
        """What is known once all pairs are read, and would not be told otherwise."""
        ...


class CountedPairs(Pairs, Protocol):
    """The same, where the number of sentences is known beforehand."""

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


def open_texts(
    gold: str,
    parsed: str,
    *,
    strict: bool = False,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> PairReader:
    """Gold and parsed, given as on the command line or as text."""
    if gold == parsed == STDIN:
        raise SettingsError("standard input ('-') can be gold or parsed, not both")

    def reader(given: str) -> TreeReader:
        if is_text(given):
            return TreeReader.of_text(given, strict=strict)
        return TreeReader(given, encoding=encoding, strict=strict, progress=progress)

    return PairReader(reader(gold), reader(parsed))


def open_pairs(
    gold: str | Treebank,
    parsed: str | Treebank,
    *,
    strict: bool = False,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> tuple[Iterator[SentencePair], Callable[[], Surplus]]:
    """Gold and parsed in step; and, once read, what one has more than the other."""
    tasks, surplus = open_tasks(
        gold, parsed, strict=strict, encoding=encoding, progress=progress
    )
    return (pair for task in tasks for pair in task.pairs()), surplus


def open_tasks(
    gold: str | Treebank,
    parsed: str | Treebank,
    *,
    strict: bool = False,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> tuple[Iterator[CountedPairs], Callable[[], Surplus]]:
    """The same, but not read yet: pieces that can be read and scored anywhere."""
    if isinstance(gold, Treebank) and isinstance(parsed, Treebank):
        count = min(len(gold), len(parsed))
        surplus = Surplus(len(gold) - count, len(parsed) - count)
        return iter([SentencePair(gold[:count], parsed[:count], 1)]), lambda: surplus
    reader = open_texts(
        _as_text(gold),
        _as_text(parsed),
        strict=strict,
        encoding=encoding,
        progress=progress,
    )
    return reader.blocks(), lambda: reader.surplus


def _as_text(given: str | Treebank) -> str:
    if isinstance(given, str):
        return given
    return "".join(f"{tree}\n" for tree in given)


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
