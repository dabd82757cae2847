"""What every reader of syntactic trees serves: blocks of trees, and a first look.

A file gives as many trees as are asked for, so that two files can be read in step,
whatever formats they are in. A block may still be text: whoever gets it reads it, here
or in another process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from analyzer.exceptions import InputError, TreeSyntaxError
from analyzer.model.arrays import Ints
from analyzer.model.treebank import Treebank
from analyzer.transform.labels import LabelSet
from analyzer.transform.plain_text import plain_text

# A file that begins with this many bad trees, and no good one, is refused there: to
# explain what is wrong with each line of a long novel would take hours.
HOPELESS = 1000
# As many blocks as are kept in memory while the other file's trees are awaited.
READY_BLOCKS = 4

Progress = Callable[[int], None]


class Block(Protocol):
    """Trees of one file that are read and scored together. It can be pickled."""

    @property
    def trees(self) -> int: ...

    @property
    def first_sentence(self) -> int: ...

    def read(self) -> Treebank:
        """The trees, good and bad; if it is strict, the first bad one is raised."""
        ...


class PlainBlock(NamedTuple):
    """A block whose trees are read as text: without what its label set says is none."""

    block: Block
    labels: LabelSet

    @property
    def trees(self) -> int:
        return self.block.trees

    @property
    def first_sentence(self) -> int:
        return self.block.first_sentence

    def read(self) -> Treebank:
        return plain_text(self.block.read(), self.labels)


class BlockSettings(NamedTuple):
    """How the trees of a file are read."""

    keep_blank_lines: bool = False
    strict: bool = False
    first_of_line: bool = False  # whatever else stands on the line of a tree


class FirstLook(NamedTuple):
    """What the start of a file tells about all of it."""

    is_whole: bool  # the start is the whole file
    is_counted: bool  # the numbers below are known
    trees: int = 0
    blank_lines: int = 0
    blanks_separate: bool = False  # blank lines stand between trees, for none

    @property
    def has_no_trees(self) -> bool:
        return self.is_counted and self.is_whole and not self.trees


class TreeFile(Protocol):
    """An open file of trees, from which blocks are taken."""

    def first_look(self) -> FirstLook:
        """Look at the start without consuming it."""
        ...

    def lengths(self) -> Ints:
        """The words of each sentence at the start, without consuming it.

        0 for a blank line that may stand for a sentence.
        """
        ...

    def available(self, at_least: int, settings: BlockSettings) -> int:
        """How many trees can be taken now: so many, if that is not too much text.

        0 where the file ends.
        """
        ...

    def take(self, trees: int, first_sentence: int, settings: BlockSettings) -> Block:
        """The next trees, as many as are `available` or fewer."""
        ...

    def close(self) -> None:
        """Nothing more will be taken."""
        ...


def read_all(file: TreeFile, source: str) -> Treebank:
    """All trees of a file, good and bad."""
    settings = BlockSettings()
    banks: list[Treebank] = []
    sentences = 0
    while trees := file.available(1, settings):
        banks.append(file.take(trees, sentences + 1, settings).read())
        sentences += trees
    file.close()
    return Treebank.join(banks, source)


def refusal(problem: TreeSyntaxError) -> InputError:
    """The error for a file without good trees, given what is wrong with the first."""
    return InputError(
        "is this a file of trees? None of the first {hopeless:,} "
        "could be read: {message}",
        problem.place,
        problem.excerpt,
        code="E123",
        hopeless=HOPELESS,
        message=problem.message,
    )
