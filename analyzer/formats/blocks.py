"""What a format is; what every reader of syntactic trees serves: blocks of trees.

A file gives as many trees as are asked for, so that two files can be read in step,
whatever formats they are in. A block may still be text: whoever gets it reads it, here
or in another process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, Protocol

from analyzer.exceptions import InputError, SettingsError, TreeSyntaxError
from analyzer.model.arrays import Ints
from analyzer.model.treebank import Treebank
from analyzer.transform.labels import LabelSet
from analyzer.transform.pruning import without_nontext

# A file that begins with this many bad trees, and no good one, is refused there: to
# explain what is wrong with each line of a long novel would take hours.
HOPELESS = 1000
# As many blocks as are kept in memory while the other file's trees are awaited.
READY_BLOCKS = 4

Progress = Callable[[int], None]


class Family(Enum):
    """What kind of trees a file holds: of sentences, or of documents."""

    SYNTAX = "syntax"
    DISCOURSE = "discourse"


@dataclass(frozen=True)
class Format:
    """A way to write trees down: it stands in the module that reads it.

    `begins` is given the start of a text, without the byte order mark, comments and
    white space that it may begin with. `reader` gives, for syntax, the `TreeFile` of a
    stream, its name and `FileOptions` (`whole_file` makes such a reader); for
    discourse, what is in a text with a name: a tree, several, or a `Document`.
    `writer` takes a tree of units, or if the format `is_of_dependencies` such a tree
    and the document's name.
    """

    name: str
    family: Family
    begins: Callable[[str], object]  # is true
    reader: Callable[..., Any]
    writer: Callable[..., str] | None = None
    endings: tuple[str, ...] = ()  # names of files that are in no other format
    is_of_dependencies: bool = False
    is_dialect: bool = False  # of brackets: each line of it can be read alone
    sees_comments: bool = False  # `begins` is given lines that begin with # as well
    # A stricter look at the start, for where the family is not known.
    tells_family: Callable[[str], object] | None = None


def never_begins(start: str) -> bool:
    """How files begin whose format has to be named."""
    return False


class Block(Protocol):
    """Trees of one file that are read and scored together. It can be pickled."""

    @property
    def trees(self) -> int: ...

    @property
    def first_sentence(self) -> int: ...

    def read(self) -> Treebank:
        """The trees, good and bad; if it is strict, the first bad one is raised."""
        ...


@dataclass(frozen=True)
class BlockAround:
    """A block that another is made of: it has the same trees, read otherwise."""

    block: Block

    @property
    def trees(self) -> int:
        return self.block.trees

    @property
    def first_sentence(self) -> int:
        return self.block.first_sentence


@dataclass(frozen=True)
class PlainBlock(BlockAround):
    """A block whose trees are read without what its label set says is no text."""

    labels: LabelSet

    def read(self) -> Treebank:
        return without_nontext(self.block.read(), self.labels)


class BlockSettings(NamedTuple):
    """How the trees of a file are read."""

    keep_blank_lines: bool = False
    strict: bool = False
    first_of_line: bool = False  # whatever else stands on the line of a tree


class FileOptions(NamedTuple):
    """How a file is opened: what all readers of syntactic trees take."""

    must_hold_trees: bool = False  # one that seems to hold no trees at all is refused
    progress: Progress | None = None  # is called with the bytes that were read
    mend: bool = False  # bad trees, where it is certain what they mean
    is_recoded: bool = True  # the stream is UTF-8, whatever is declared in it
    one_a_line: bool = False  # a line is a sentence, whatever stands in it


AS_USUAL = FileOptions()


class Fields(NamedTuple):
    """The names of fields: of answers, of their ids, and of gold beside them.

    A name with dots is looked up step by step: `choices.0.message.content`.
    """

    answer: str | None = None
    id: str | None = None
    gold: str | None = None

    @property
    def of_gold(self) -> Fields:
        """The fields of gold; without one, gold is a file of trees."""
        return Fields(self.gold, self.id)


NO_FIELDS = Fields()


def fields_of(
    answer: str | None, id: str | None = None, gold: str | None = None
) -> Fields:
    """Fields that were asked for; SettingsError if there is an id, and nothing else."""
    if id is not None and answer is None and gold is None:
        raise SettingsError("E582 the field of ids", id=id)
    return Fields(answer, id, gold)


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
        "E123 is this a file of trees? None of the first",
        problem.place,
        problem.excerpt,
        hopeless=HOPELESS,
        message=problem.message,
    )
