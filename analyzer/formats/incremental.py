"""Files whose trees are built one by one as they are read, and served in blocks."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import (
    BadSentenceError,
    InputError,
    InputWarning,
    Place,
    TreeSyntaxError,
)
from analyzer.files.sources import Readable
from analyzer.formats.blocks import (
    AS_USUAL,
    HOPELESS,
    READY_BLOCKS,
    BlockSettings,
    FileOptions,
    FirstLook,
    refusal,
)
from analyzer.model.arrays import Ints
from analyzer.model.treebank import Treebank, TreebankBuilder
from analyzer.safe_text import counted

# Read at a time.
CHUNK_BYTES = 1 << 16
# Rows of a block: trees and their nodes. As many as a block of brackets has.
BLOCK_ROWS = 1 << 15
# A line may be long, but not so long that it takes all memory.
_LONGEST_LINE = 1 << 24


class BuiltBlock(NamedTuple):
    """Trees of one file that are built already."""

    bank: Treebank
    first_sentence: int
    strict: bool = False
    is_numbered: bool = False  # its problems have the numbers of their trees already

    @property
    def trees(self) -> int:
        return len(self.bank)

    def read(self) -> Treebank:
        """The trees, good and bad; if it is strict, the first bad one is raised."""
        problems = self.bank.problems
        if not self.is_numbered:
            problems = {
                tree: numbered_problem(problem, self.first_sentence + tree)
                for tree, problem in problems.items()
            }
        if problems and self.strict:
            raise problems[min(problems)]
        return replace(self.bank, problems=problems) if problems else self.bank


def numbered_problem(problem: TreeSyntaxError, sentence: int) -> TreeSyntaxError:
    """The error of a tree that has this number."""
    place = problem.place and replace(problem.place, sentence=sentence)
    return problem.at(place)


class BuiltTree(NamedTuple):
    """What became of a sentence."""

    nodes: int
    was_raised: bool = False
    was_lowered: bool = False  # a word that hung under the root


def crossing_notes(sentences: int, raised: int, lowered: int) -> list[str]:
    """What brackets could not keep of some sentences."""
    notes = []
    if raised:
        have = "has" if raised == 1 else "have"
        trees = counted(sentences, "tree")
        notes.append(
            f"{raised:,} of {trees} {have} crossing branches, resolved by raising"
        )
    if lowered:
        notes.append(
            f"in {counted(lowered, 'tree')} words under the root moved down to "
            "their neighbours"
        )
    return notes


class BuiltFile:
    """An open file whose trees are built as it is read; a `TreeFile`.

    A format says in `_feed` what becomes of the next bytes (none: the end), and hands
    trees to `_built` and `_refused`. At its end it warns (InputWarning) of what
    brackets could not keep.
    """

    def __init__(
        self, stream: Readable, name: str, options: FileOptions = AS_USUAL
    ) -> None:
        self._stream = stream
        self._name = name
        self._options = options
        self._is_read = False  # to its end
        self._builder = self._new_builder()
        self._rows = 0  # in the builder
        self._ready: list[Treebank] = []
        self._first_problem: TreeSyntaxError | None = None
        self._sentences = self._bad = self._raised = self._lowered = 0

    def first_look(self) -> FirstLook:
        """Look at the first block without consuming it."""
        if not self._ready:
            self._build_block()
        trees = self._trees_ready()
        return FirstLook(is_whole=self._is_read, is_counted=True, trees=trees)

    def lengths(self) -> Ints:
        """The words of each sentence of the first block, without consuming it."""
        self.first_look()
        words = [np.diff(bank.leaf_start) for bank in self._ready]
        return np.concatenate([np.zeros(0, np.int64), *words])

    def available(self, at_least: int, settings: BlockSettings) -> int:
        """How many trees can be taken now: so many, if these are not too many blocks.

        0 where the file ends.
        """
        while self._trees_ready() < at_least and len(self._ready) < READY_BLOCKS:
            if not self._build_block():
                break
        return self._trees_ready()

    def take(
        self, trees: int, first_sentence: int, settings: BlockSettings
    ) -> BuiltBlock:
        """The next trees, as many as are `available` or fewer."""
        taken: list[Treebank] = []
        missing = trees
        while missing:
            bank = self._ready.pop(0)
            if len(bank) > missing:
                self._ready.insert(0, bank[missing:])
                bank = bank[:missing]
            taken.append(bank)
            missing -= len(bank)
        bank = Treebank.join(taken, self._name)
        return BuiltBlock(bank, first_sentence, settings.strict)

    def close(self) -> None:
        """Also warns of what was read, if that was not all."""
        self._warn()

    def _trees_ready(self) -> int:
        return sum(map(len, self._ready))

    def _build_block(self) -> bool:
        """Make the next block's trees ready; False at the end of the file."""
        while not self._is_read and self._rows < BLOCK_ROWS:
            data = self._stream.read(CHUNK_BYTES)
            if self._options.progress and data:
                self._options.progress(len(data))
            self._is_read = not data
            self._feed(data)
            if self._is_read:
                self._warn()
        if not self._rows:
            return False
        self._ready.append(self._finished())
        self._builder, self._rows = self._new_builder(), 0
        return True

    def _new_builder(self) -> TreebankBuilder:
        return TreebankBuilder(self._name, may_cross=True)

    def _feed(self, data: bytes) -> None:
        """Read on; no data is the end."""
        raise NotImplementedError

    def _finished(self) -> Treebank:
        """The trees of the block that is ready."""
        return self._builder.finish()

    def _built(self, tree: BuiltTree, line: int, id: str) -> None:
        """A tree is in the builder, up to its end."""
        self._builder.end_tree(line, id=id)
        self._sentences += 1
        self._rows += 1 + tree.nodes
        self._raised += tree.was_raised
        self._lowered += tree.was_lowered

    def _refused(self, error: BadSentenceError, line: int, id: str) -> None:
        """A sentence makes no tree; nothing of it is in the builder."""
        problem = error.as_a(TreeSyntaxError).at(Place(self._name, line, id=id))
        self._builder.end_tree(line, problem, id=id)
        self._first_problem = self._first_problem or problem
        self._sentences += 1
        self._rows += 1
        self._bad += 1
        if self._options.must_hold_trees and self._bad == self._sentences == HOPELESS:
            raise refusal(numbered_problem(self._first_problem, 1))

    def _notes(self) -> list[str]:
        """What else is in the file and not in the trees, for one warning."""
        return []

    def _warn(self) -> None:
        """Warn, once, of what is in the file and not in the trees."""
        notes = crossing_notes(self._sentences, self._raised, self._lowered)
        self._raised = self._lowered = 0
        notes += self._notes()
        if notes:
            warnings.warn(InputWarning(self._name, "; ".join(notes)), stacklevel=2)


class LineFile(BuiltFile):
    """A file that is read line by line; `_line` takes them, `_last_line` the end."""

    def __init__(
        self, stream: Readable, name: str, options: FileOptions = AS_USUAL
    ) -> None:
        super().__init__(stream, name, options)
        self._pending: list[bytes] = []  # of a line whose end is not read yet
        self._size = 0  # of that
        self._number = 0  # of the line that was read last

    def _feed(self, data: bytes) -> None:
        if data:
            first, *others = data.split(b"\n")
            self._pending.append(first)
            self._size += len(first)
            for line in others:
                self._take_line()
                self._pending, self._size = [line], len(line)
            if self._size > _LONGEST_LINE:
                raise InputError(
                    "E161 a line of more than",
                    Place(self._name, self._number + 1),
                    megabytes=_LONGEST_LINE >> 20,
                )
            return
        if any(self._pending):
            self._take_line()
        self._last_line()

    def _take_line(self) -> None:
        self._number += 1
        whole = b"".join(self._pending).removesuffix(b"\r")
        self._pending = []
        self._line(whole.decode("utf-8", "replace"))

    def _line(self, line: str) -> None:
        raise NotImplementedError

    def _last_line(self) -> None:
        raise NotImplementedError


class BankFile:
    """A treebank beside a file: a `TreeFile` whose trees are read already."""

    def __init__(self, bank: Treebank) -> None:
        self._bank = bank
        self._taken = 0

    def first_look(self) -> FirstLook:
        return FirstLook(is_whole=True, is_counted=False)

    def lengths(self) -> Ints:
        return np.diff(self._bank.leaf_start)

    def available(self, at_least: int, settings: BlockSettings) -> int:
        return len(self._bank) - self._taken

    def take(
        self, trees: int, first_sentence: int, settings: BlockSettings
    ) -> BuiltBlock:
        part = self._bank[self._taken : self._taken + trees]
        self._taken += trees
        return BuiltBlock(part, first_sentence, settings.strict, is_numbered=True)

    def close(self) -> None:
        """There is nothing open."""


def whole_file(read: Callable[[str, str], Treebank]) -> Callable[..., BankFile]:
    """The reader of a `Format`, made of what reads a text that has a name."""

    def opened(
        stream: Readable, name: str, options: FileOptions = AS_USUAL
    ) -> BankFile:
        data = b"".join(iter(lambda: stream.read(CHUNK_BYTES), b""))
        return BankFile(read(data.decode("utf-8", "replace"), name))

    return opened
