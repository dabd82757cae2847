"""From a path, a stream or a text to trees: whole (`read_trees`) or in runs.

A file is cut into runs of whole trees, as text (`TextRun`), and a run becomes a
table (`read_run`), here or in another process.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from analyzer.exceptions import InputError, Place
from analyzer.files.sources import files_of, from_text, name_of, opened_trees
from analyzer.formats.penn.blocks import TextRun, ends_of, read_run, refuse_if_hopeless
from analyzer.formats.penn.records import (
    Layout,
    blank_lines_separate,
    last_cut,
    line_ends,
    sniff,
    without_comments,
)
from analyzer.model.symbols import Ints
from analyzer.model.treebank import Treebank

# A block should fit the processor's cache; see benchmarks/README.md.
BLOCK_BYTES = 1 << 19
# What is looked at to tell how a file divides: not a block, so that the answer does
# not depend on how large blocks are.
_LOOK_BYTES = 1 << 19
# As much text as is kept in memory while the other file's trees are awaited.
_READY_BLOCKS = 4
# A record may be larger than a block, but not so large that it takes all memory.
_LARGEST_RECORD = 1 << 24

Progress = Callable[[int], None]


class FirstLook(NamedTuple):
    """What the start of a file tells about all of it."""

    layout: Layout
    is_whole: bool  # the start is the whole file
    trees: int
    blank_lines: int  # in LINES; elsewhere blank lines mean nothing
    blanks_separate: bool

    @property
    def has_no_trees(self) -> bool:
        return self.layout is Layout.LINES and self.is_whole and not self.trees


class TreeReader:
    """Reads one argument's files (path, glob, directory, '-') run by run.

    >>> import io
    >>> reader = TreeReader.of_stream(io.BytesIO(b"(A a)\\n\\n(B b)\\n"))
    >>> reader.keep_blank_lines = True
    >>> [len(bank) for bank in reader.blocks()]
    [3]
    """

    def __init__(
        self,
        spec: str,
        *,
        encoding: str = "utf-8",
        strict: bool = False,
        keep_blank_lines: bool = False,
        progress: Progress | None = None,
        stream: IO[bytes] | None = None,
    ) -> None:
        self.name = spec
        self.strict = strict
        self.keep_blank_lines = keep_blank_lines
        self.is_continued = False  # files came before: this one need not hold trees
        self.sentences = 0  # taken so far
        self._encoding = encoding
        self._files = files_of(spec) if stream is None else [spec]
        self._progress = progress
        self._stream = stream
        self._stack = ExitStack()
        self._next_file = 0 if stream is None else 1  # the one after what is open
        self._ahead = b""  # read, but not yet cut at the end of a tree
        self._ahead_is_all = False
        self._layout: Layout | None = None  # of the open file, once looked at
        self._ready = b""  # whole trees, and where each ends
        self._ends: Ints = np.zeros(0, np.int64)
        self._line = 1

    @classmethod
    def of_stream(cls, stream: IO[bytes], name: str = "<text>") -> TreeReader:
        return cls(name, stream=stream)

    def first_look(self) -> FirstLook:
        """Look at the start of the first file without consuming it."""
        if self._stream is None:
            self._open_next()
        layout = self._looked()
        start = self._ahead[:_LOOK_BYTES]
        trees = blanks = 0
        if layout is Layout.LINES:
            lines = without_comments(start).split(b"\n")
            if not lines[-1].strip():
                lines.pop()
            blanks = sum(not line.strip() for line in lines)
            trees = len(lines) - blanks
        is_whole = self._ahead_is_all and self._next_file == len(self._files)
        return FirstLook(layout, is_whole, trees, blanks, blank_lines_separate(start))

    def available(self, at_least: int = 1) -> int:
        """How many trees can be taken now: so many, if that is not too much text.

        Fewer where a file ends: the next file's trees are a run of their own.
        """
        while self._ends.size < at_least and (
            not self._ends.size or len(self._ready) < _READY_BLOCKS * BLOCK_BYTES
        ):
            if self._stream is None and not self._open_next():
                break
            if not self._cut_block():
                if self._ends.size:
                    break
                self._stream = None
        return self._ends.size

    def take(self, trees: int) -> TextRun:
        """The next trees, as many as are `available` or fewer."""
        assert self._layout is not None
        end = int(self._ends[trees - 1]) if trees < self._ends.size else None
        run = TextRun(
            self._ready[:end],
            trees,
            self._layout,
            self._files[self._next_file - 1],
            self._line,
            self.sentences + 1,
            self.keep_blank_lines,
            self.strict,
        )
        self._line += line_ends(run.text)
        self._ready = self._ready[len(run.text) :]
        self._ends = self._ends[trees:] - len(run.text)
        self.sentences += trees
        return run

    def runs(self) -> Iterator[TextRun]:
        """All trees, about a block at a time."""
        while trees := self.available():
            yield self.take(trees)

    def blocks(self) -> Iterator[Treebank]:
        """The trees, read. Raises on the first bad one if strict."""
        try:
            yield from map(read_run, self.runs())
        finally:
            self.close()

    def close(self) -> None:
        self._stack.close()

    def _open_next(self) -> bool:
        if self._next_file == len(self._files):
            self._stack.close()
            return False
        path = self._files[self._next_file]
        self._next_file += 1
        self._stack.close()
        self._stream = self._stack.enter_context(
            opened_trees(path, encoding=self._encoding)
        )
        self._ahead, self._ahead_is_all = b"", False
        self._layout, self._ready, self._line = None, b"", 1
        return True

    def _looked(self) -> Layout:
        """The layout of the open file."""
        if self._layout is None:
            self._read_ahead(_LOOK_BYTES)
            self._layout = sniff(self._ahead, is_whole=self._ahead_is_all)
            if self._next_file == 1 and not self.is_continued:
                refuse_if_hopeless(self._ahead, self._layout, self._files[0])
        return self._layout

    def _read_ahead(self, size: int) -> None:
        """Have `size` bytes ahead, or all that is left."""
        assert self._stream is not None
        while len(self._ahead) < size and not self._ahead_is_all:
            data = self._stream.read(size - len(self._ahead))
            self._ahead += data
            self._ahead_is_all = not data
            if self._progress and data:
                self._progress(len(data))

    def _cut_block(self) -> bool:
        """Make the next block's trees ready; False at the end of the file."""
        layout = self._looked()
        size = BLOCK_BYTES
        while True:
            self._read_ahead(size)
            if self._ahead_is_all and len(self._ahead) <= size:
                cut = len(self._ahead)
                break
            cut = last_cut(self._ahead[:size], layout)
            if cut:
                break
            if size > _LARGEST_RECORD:
                raise InputError(
                    f"a tree of more than {_LARGEST_RECORD >> 20} MB; is this a file "
                    "of trees?",
                    Place(
                        self._files[self._next_file - 1],
                        self._line + self._ready.count(b"\n"),
                    ),
                )
            size *= 2  # one record larger than the block
        if not cut:
            return False
        block, self._ahead = self._ahead[:cut], self._ahead[cut:]
        ends = ends_of(block, layout, self.keep_blank_lines)
        if not ends.size and not self._ends.size:
            # Comments and blank lines only: nobody will ever take them.
            self._line += line_ends(block)
            return True
        self._ends = np.concatenate([self._ends, ends + len(self._ready)])
        self._ready += block
        return True


def read_trees(
    source: str | Path | IO[bytes],
    *,
    encoding: str = "utf-8",
    strict: bool = False,
    keep_blank_lines: bool = False,
) -> Treebank:
    """All trees of a path, an open file or a text.

    A string that starts with '(' or spans lines is text, any other is a path (as
    on the command line: a file, a glob, a directory, '-'). Trees that are not well
    formed become trees without nodes, with a warning; with `strict` the first
    raises TreeSyntaxError. A blank line stands for no tree, unless
    `keep_blank_lines` makes it an empty one, as evalb does.

    >>> read_trees("(S (NP (PRP I)) (VP (VBP see)))")
    <Treebank <text>: 1 trees, 5 nodes, 2 leaves>
    """
    given_text = isinstance(source, str) and is_text(source)
    with ExitStack() as stack:
        if isinstance(source, str) and given_text:
            reader = TreeReader.of_stream(from_text(source))
        elif isinstance(source, str | Path):
            reader = TreeReader(str(source), encoding=encoding)
        else:
            stream = stack.enter_context(opened_trees(source, encoding=encoding))
            reader = TreeReader.of_stream(stream, name_of(source))
        reader.strict, reader.keep_blank_lines = strict, keep_blank_lines
        bank = Treebank.joined(list(reader.blocks()), reader.name)
    if not len(bank) and not given_text:
        raise InputError("no trees in here; expected brackets", Place(reader.name))
    if bank.problems:
        first = next(iter(bank.problems.values()))
        warnings.warn(
            f"{len(bank.problems)} of {len(bank)} trees could not be read; the first: "
            f"{first}",
            stacklevel=2,
        )
    return bank


def is_text(source: str) -> bool:
    """Whether a string is trees rather than the path of some."""
    return not source.strip() or source.lstrip().startswith("(") or "\n" in source
