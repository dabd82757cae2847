"""From a path, a stream or a text to trees: whole (`read_trees`) or in blocks.

Blocks of about a megabyte go through the fast reader; only what it does not
take goes, record by record, through the grammar. A record that cannot be read
becomes a tree without nodes whose error stands in `Treebank.problems`, so that
the trees after it keep their numbers.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, NamedTuple

from analyzer.bracket_grammar import read_record
from analyzer.errors import InputError, Place
from analyzer.layout import (
    Layout,
    Record,
    blank_lines_separate,
    last_cut,
    records,
    sniff,
    without_comments,
)
from analyzer.scanning import scan
from analyzer.sources import files_of, from_text, name_of, opened
from analyzer.treebank import Treebank, TreebankBuilder

# A block should fit the processor's cache; see benchmarks/README.md.
BLOCK_BYTES = 1 << 19
# A file that begins with this many bad trees, and no good one, is refused there: to
# explain what is wrong with each line of a long novel would take hours.
_HOPELESS = 1000

Progress = Callable[[int], None]


class FirstLook(NamedTuple):
    """What the first block of a file tells about all of it."""

    layout: Layout
    is_whole: bool  # the block is the whole file
    trees: int
    blank_lines: int  # in LINES; elsewhere blank lines mean nothing
    blanks_separate: bool

    @property
    def has_no_trees(self) -> bool:
        return self.layout is Layout.LINES and self.is_whole and not self.trees


class TreeReader:
    """Reads one argument's files (path, glob, directory, '-') block by block.

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
        self.sentences = 0
        self._encoding = encoding
        self._files = files_of(spec) if stream is None else [spec]
        self._progress = progress
        self._stream = stream
        self._ahead = b""
        self._ahead_is_all = False
        self._stack = ExitStack()
        self._next_file = 0 if stream is None else 1  # the one after what is open

    @classmethod
    def of_stream(cls, stream: IO[bytes], name: str = "<text>") -> TreeReader:
        return cls(name, stream=stream)

    def first_look(self) -> FirstLook:
        """Look at the first file's first block without consuming it."""
        if self._stream is None:
            self._open_next()
        self._read_ahead(BLOCK_BYTES)
        block = self._ahead
        layout = sniff(block, is_whole=self._ahead_is_all)
        trees = blanks = 0
        if layout is Layout.LINES:
            lines = without_comments(block).split(b"\n")
            if not lines[-1].strip():
                lines.pop()
            blanks = sum(not line.strip() for line in lines)
            trees = len(lines) - blanks
        is_whole = self._ahead_is_all and self._next_file == len(self._files)
        return FirstLook(layout, is_whole, trees, blanks, blank_lines_separate(block))

    def blocks(self) -> Iterator[Treebank]:
        """The trees, a block at a time. Raises on the first bad one if strict."""
        with self._stack:
            while self._stream is not None or self._next_file < len(self._files):
                if self._stream is None:
                    self._open_next()
                yield from self._blocks_of_file()
                self._stream = None

    def _open_next(self) -> None:
        path = self._files[self._next_file]
        self._next_file += 1
        self._stack.close()
        self._stream = self._stack.enter_context(opened(path, encoding=self._encoding))
        self._ahead, self._ahead_is_all = b"", False

    def _read_ahead(self, size: int) -> None:
        """Have `size` bytes ahead, or all that is left."""
        assert self._stream is not None
        while len(self._ahead) < size and not self._ahead_is_all:
            data = self._stream.read(size - len(self._ahead))
            self._ahead += data
            self._ahead_is_all = not data
            if self._progress and data:
                self._progress(len(data))

    def _blocks_of_file(self) -> Iterator[Treebank]:
        source = self._files[self._next_file - 1]
        layout = self.first_look().layout
        line, size = 1, BLOCK_BYTES
        while True:
            self._read_ahead(size)
            if self._ahead_is_all:
                block, self._ahead = self._ahead, b""
            else:
                cut = last_cut(self._ahead, layout)
                if cut == 0:  # one record larger than the block
                    size *= 2
                    continue
                block, self._ahead = self._ahead[:cut], self._ahead[cut:]
            size = BLOCK_BYTES
            if block:
                bank = read_block(
                    block,
                    layout,
                    keep_blank_lines=self.keep_blank_lines,
                    first_line=line,
                    first_sentence=self.sentences + 1,
                    source=source,
                    strict=self.strict,
                )
                self.sentences += len(bank)
                line += block.count(b"\n")
                yield bank
            if self._ahead_is_all and not self._ahead:
                return


def read_block(
    block: bytes,
    layout: Layout,
    *,
    keep_blank_lines: bool,
    first_line: int = 1,
    first_sentence: int = 1,
    source: str = "<text>",
    strict: bool = False,
) -> Treebank:
    """The trees of a block of whole records, good and bad."""

    def fast(start: int, end: int, line: int) -> Treebank | None:
        return scan(
            block[start:end],
            layout,
            keep_blank_lines=keep_blank_lines,
            first_line=line,
            source=source,
        )

    whole = fast(0, len(block), first_line)
    if whole is not None:
        return whole
    # Something in here is irregular: halve the block until what is irregular
    # stands alone, and let the grammar read that.
    banks: list[Treebank] = []
    sentence = first_sentence
    pieces = _halves(list(records(block, layout)))
    while pieces:
        piece = pieces.pop()
        start, end = piece[0].start, piece[-1].end
        line = first_line + block.count(b"\n", 0, start)
        bank = fast(start, end, line)
        if bank is None and len(piece) > 1:
            pieces += _halves(piece)
            continue
        if bank is None:
            builder = TreebankBuilder(source)
            problem = read_record(
                block[start:end],
                builder,
                line=first_line + piece[0].lines_before,
                place=Place(source, line, None, sentence),
            )
            if problem is not None and strict:
                raise problem
            bank = builder.finish()
            if first_sentence == 1 and len(banks) == _HOPELESS:
                _refuse_if_hopeless(banks)
        sentence += len(bank)
        banks.append(bank)
    return Treebank.joined(banks, source)


def _refuse_if_hopeless(banks: list[Treebank]) -> None:
    first = banks[0].problems.get(0)
    if first and not any(bank.label.size for bank in banks):
        raise InputError(
            f"is this a file of trees? None of the first {len(banks):,} could be read: "
            f"{first.message}",
            first.place,
            first.excerpt,
        )


def _halves(piece: list[Record]) -> list[list[Record]]:
    """Both halves of a list, the first one last: a stack's order."""
    middle = len(piece) // 2
    return [half for half in (piece[middle:], piece[:middle]) if half]


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
            stream = stack.enter_context(opened(source, encoding=encoding))
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
