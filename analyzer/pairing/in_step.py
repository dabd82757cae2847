"""Gold beside parsed: read in step, in blocks of equally many trees."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from analyzer.exceptions import InputError, InputWarning, Place
from analyzer.formats.blocks import Block
from analyzer.formats.reading import TreeReader
from analyzer.model.arrays import Flags, Ints
from analyzer.model.treebank import Treebank
from analyzer.pairing.ledger import NO_SURPLUS, Fate, Ledger, LeftOut, Surplus
from analyzer.safe_text import counted
from analyzer.transform.pruning import some_trees

Result = TypeVar("Result")
Found = TypeVar("Found")


class TaskSummary(NamedTuple):
    """What is known of a task once it has been read to its end."""

    surplus: Surplus = NO_SURPLUS
    warnings: tuple[tuple[str, str], ...] = ()  # file and note


NO_SUMMARY = TaskSummary()


class Part(NamedTuple, Generic[Found]):
    """What was counted in a task, and what was left out of it."""

    counts: Found
    ledger: Ledger
    summary: TaskSummary = NO_SUMMARY


# A plain dictionary, which can travel to another process.
_NONE_KNOWN: Mapping[int, LeftOut] = {}


_NUMBER = re.compile(r"[\d.]*\d$")


def document_of(id: str) -> str:
    """What a sentence's id says of its document: all but the number at the end.

    >>> list(map(document_of, ["GUM_fiction_beast-12", "AELR3,23.5", "s7"]))
    ['GUM_fiction_beast', 'AELR3', 's']
    """
    return _NUMBER.sub("", id).rstrip("-_.,:;#/ ")


class LeafPlaces(NamedTuple):
    """Where each leaf begins and ends in a text that both sides share."""

    start: Ints
    end: Ints
    is_alone: Flags  # whether the other side has nothing there

    def some(self, leaves: Ints) -> LeafPlaces:
        return LeafPlaces(self.start[leaves], self.end[leaves], self.is_alone[leaves])

    def by_tree(self, leaf_start: Ints) -> list[LeafPlaces]:
        """Those of each tree."""
        columns = [np.split(column, leaf_start[1:-1]) for column in self]
        return [LeafPlaces(*parts) for parts in zip(*columns, strict=True)]

    @staticmethod
    def joined(parts: Sequence[LeafPlaces]) -> LeafPlaces:
        """Those of several trees, one after another."""
        none = np.zeros(0, np.int64)
        empty = LeafPlaces(none, none, none.astype(np.bool_))
        columns = zip(empty, *parts, strict=True)
        return LeafPlaces(*(np.concatenate(column) for column in columns))


class Pair(NamedTuple):
    """A block of gold trees and the parsed trees beside them."""

    gold: Treebank
    parsed: Treebank
    first_sentence: int
    # By the number of the tree, from 0: why it cannot be compared, where that is known.
    known: Mapping[int, LeftOut] = _NONE_KNOWN
    every: int = 1  # of so many sentences in a row, one is here: see `one_in`
    groups: Sequence[str] | None = None  # of each sentence, if it has one
    tags: str = ""  # the side whose tags both have: see `tags`
    # Of each sentence, the places of words in one text, by which trees are compared
    # (see `one_text`); None: words are compared one by one.
    places: Sequence[tuple[LeafPlaces, LeafPlaces]] | None = None
    once: bool = False  # whether equal brackets of a side can match but once
    units: Sequence[str] | None = None  # of each sentence, its document, if given

    @property
    def sentences(self) -> int:
        return len(self.gold)

    def number(self, tree: int) -> int:
        """The number of a sentence in the input."""
        return self.first_sentence + tree * self.every

    def one_in(self, every: int) -> Pair:
        """The sentences 1, 1 + every, 1 + 2 * every, … of the input."""
        if every == 1:
            return self
        skipped = (1 - self.first_sentence) % every
        trees = np.arange(skipped, self.sentences, every)
        return Pair(
            some_trees(self.gold, trees),
            some_trees(self.parsed, trees),
            self.first_sentence + skipped,
            {
                new: self.known[tree]
                for new, tree in enumerate(trees.tolist())
                if tree in self.known
            },
            every,
            places=self.places and [self.places[tree] for tree in trees.tolist()],
            once=self.once,
        )

    def word_by_word(self) -> Pair:
        """The same sentences, to be compared where both sides have the same words."""
        if self.places is None:
            return self
        lost = {
            tree: why for tree, why in self.known.items() if why.fate is Fate.LEFT_OUT
        }
        return self._replace(places=None, known=lost)

    def id_of(self, tree: int) -> str:
        """What gold calls a sentence, else what parsed does; "" if nothing."""
        return self.gold.id_of(tree) or self.parsed.id_of(tree)

    @property
    def documents(self) -> list[str]:
        """The document of each sentence: as given, as its id says, else gold's file."""
        if self.units is not None:
            return list(self.units)
        if not self.gold.ids:
            return [self.gold.source] * self.sentences
        return [document_of(id) if id else self.gold.source for id in self.gold.ids]

    def is_among(self, tree: int, wanted: Collection[int | str]) -> bool:
        """Whether a sentence is wanted: by its number, or by what files call it.

        In files that name no sentences, a number may be given as text.
        """
        number, id = self.number(tree), self.id_of(tree)
        return number in wanted or (id or str(number)) in wanted

    @property
    def summary(self) -> TaskSummary:
        return NO_SUMMARY

    def pairs(self) -> Iterator[Pair]:
        yield self


class PairTask(Protocol):
    """A task of scoring: something that pairs can be read from."""

    def pairs(self) -> Iterator[Pair]: ...

    @property
    def summary(self) -> TaskSummary:
        """What is known once all pairs are read, and would not be told otherwise."""
        ...


class CountedTask(PairTask, Protocol):
    """A task whose number of sentences is known beforehand."""

    @property
    def sentences(self) -> int: ...


@dataclass(frozen=True)
class TaskAround:
    """A task whose pairs are those of another, changed."""

    task: CountedTask

    @property
    def sentences(self) -> int:
        return self.task.sentences

    @property
    def summary(self) -> TaskSummary:
        return self.task.summary


class UnreadPair(NamedTuple):
    """Blocks of equally many trees, still to be read: a task for any process."""

    gold: Block
    parsed: Block

    @property
    def sentences(self) -> int:
        return self.gold.trees

    @property
    def summary(self) -> TaskSummary:
        return NO_SUMMARY

    def pairs(self) -> Iterator[Pair]:
        gold, parsed = self.gold.read(), self.parsed.read()
        yield Pair(gold, parsed, self.gold.first_sentence)


class PairReader:
    """Cuts gold and parsed, side by side, into blocks of equally many trees.

    `keep_blank_lines`, of gold and of parsed, is found out if not given. With `by_line`
    a line has one tree, the first, and blank ones are judged for each side by itself.
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
        gold.first_of_line = parsed.first_of_line = by_line

    def blocks(self) -> Iterator[UnreadPair]:
        gold, parsed = self._gold, self._parsed
        try:
            while wanted := gold.available():
                trees = min(wanted, parsed.available(at_least=wanted))
                if not trees:
                    break
                yield UnreadPair(gold.take(trees), parsed.take(trees))
            is_lone = not (gold.input.is_text or gold.input.is_folder)
            if not wanted and not gold.sentences and is_lone:
                raise InputError("E848 contains no trees", Place(gold.name))
            self.surplus = Surplus(trees_left(gold), trees_left(parsed))
        finally:
            gold.close()
            parsed.close()


def blank_line_policies(gold: TreeReader, parsed: TreeReader) -> tuple[bool, bool]:
    """Whether blank lines of gold and of parsed stand for a sentence.

    To evalb they do: a blank line is a parse that failed. But files exist whose
    blank lines only separate trees. Of short files, a reading is taken under which
    both have equally many sentences, if there is one. Else, or if there are several,
    it is the one under which most sentences have equally many words on both sides; of
    long files that is asked of their start. If several are as good, blank lines after
    nine of ten trees separate, and so do those that are more than the trees; others are
    sentences.
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

    chosen = max(readings, key=fit)
    for side, look, usual, is_kept in zip(
        (gold, parsed), looks, likely, chosen, strict=True
    ):
        if is_kept != usual and look.blank_lines:
            _tell_of_blanks(side.name, look.blank_lines, is_kept)
    return chosen


def _tell_of_blanks(name: str, blanks: int, are_kept: bool) -> None:
    """That blank lines are not read as their number suggests."""
    lines = counted(blanks, "blank line")
    what = "failed parses" if are_kept else "separators, not failed parses"
    fits = "so that sentences fit those of the other file"
    note = f"{lines} taken for {what}, {fits}"
    warnings.warn(InputWarning(name, note), stacklevel=3)


def _are_as_many(lengths: Ints, others: Ints) -> bool:
    """Whether both may be as many sentences: blank lines at the end may be none."""
    sides = lengths, others
    sizes = sorted((side.size, np.trim_zeros(side, "b").size) for side in sides)
    return bool(sizes[0][0] >= sizes[1][1])


def likely_policies(gold: TreeReader, parsed: TreeReader) -> tuple[bool, bool]:
    """Whether blank lines are failed parses, judged for each side by itself.

    They separate trees if they follow nine of ten of them, or are more than they.
    """
    looks = gold.first_look(), parsed.first_look()
    return not looks[0].blanks_separate, not looks[1].blanks_separate


def trees_left(reader: TreeReader) -> int:
    """How many trees remain; empty ones at the very end do not count."""
    return sum(
        int(np.count_nonzero(np.diff(bank.node_start))) + len(bank.problems)
        for bank in reader.banks()
    )
