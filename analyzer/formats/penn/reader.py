"""A file of brackets, cut into blocks of whole trees."""

from __future__ import annotations

import numpy as np

from analyzer.exceptions import InputError, Place
from analyzer.files.sources import Readable
from analyzer.formats.blocks import READY_BLOCKS, BlockSettings, FirstLook, Progress
from analyzer.formats.penn.blocks import (
    TextBlock,
    refuse_if_hopeless,
    sentence_ends,
)
from analyzer.formats.penn.bracket_words import escape_bracket_words
from analyzer.formats.penn.identifiers import Names, is_historical
from analyzer.formats.penn.records import (
    Layout,
    blank_lines,
    last_cut,
    line_ends,
    sniff,
    words_between,
)
from analyzer.model.arrays import Ints

# A block should fit the processor's cache; see benchmarks/README.md.
BLOCK_BYTES = 1 << 19
# What is looked at to tell how a file divides: not a block, so that the answer does
# not depend on how large blocks are.
_LOOK_BYTES = 1 << 19
# A record may be larger than a block, but not so large that it takes all memory.
_LARGEST_RECORD = 1 << 24


class BracketFile:
    """An open file of brackets; a `TreeFile`.

    `must_hold_trees`: one that seems to hold no trees at all is refused. With `mend`,
    bad trees are mended where it is certain what they mean. `has_markup`: lines of
    markup, made comments, name the sentences.

    >>> import io
    >>> file = BracketFile(io.BytesIO(b"(A a)\\n\\n(B b)\\n"))
    >>> file.available(1, BlockSettings(keep_blank_lines=True))
    3
    """

    def __init__(
        self,
        stream: Readable,
        name: str = "<text>",
        *,
        must_hold_trees: bool = False,
        progress: Progress | None = None,
        mend: bool = False,
        has_markup: bool = False,
    ) -> None:
        self._mend = mend
        self._names = Names.MARKUP if has_markup else Names.NONE
        self._stream = stream
        self._name = name
        self._must_hold_trees = must_hold_trees
        self._progress = progress
        self._ahead = b""  # read, but not yet cut at the end of a tree
        self._ahead_is_all = False
        self._plain = 0  # so much of it has no brackets that are words
        self._layout: Layout | None = None  # once looked at
        self._look: tuple[bytes, FirstLook] | None = None  # and what was ahead then
        self._ready = b""  # whole trees, and where each ends
        self._ends: Ints = np.zeros(0, np.int64)
        self._line = 1

    def first_look(self) -> FirstLook:
        """Look at the start without consuming it."""
        layout = self._looked()
        if self._look is None or self._look[0] is not self._ahead:
            start = self._ahead[:_LOOK_BYTES]
            lines = blank_lines(start)
            # Elsewhere blank lines mean nothing.
            is_counted = layout is Layout.LINES
            found = FirstLook(
                is_whole=self._ahead_is_all and len(self._ahead) == len(start),
                is_counted=is_counted,
                trees=lines.others if is_counted else 0,
                blank_lines=lines.blank if is_counted else 0,
                blanks_separate=lines.separate,
            )
            self._look = self._ahead, found
        return self._look[1]

    def lengths(self) -> Ints:
        """The words of each record at the start, without consuming it; of blanks 0."""
        layout = self._looked()
        start = self._ahead[:_LOOK_BYTES]
        if len(self._ahead) > len(start) or not self._ahead_is_all:
            start = start[: last_cut(start, layout)]
        ends = sentence_ends(start, layout, keep_blank_lines=True, names=self._names)
        return words_between(start, ends)

    def available(self, at_least: int, settings: BlockSettings) -> int:
        """How many trees can be taken now: so many, if that is not too much text."""
        while self._ends.size < at_least and (
            not self._ends.size or len(self._ready) < READY_BLOCKS * BLOCK_BYTES
        ):
            if not self._cut_block(settings.keep_blank_lines):
                break
        return self._ends.size

    def take(
        self, trees: int, first_sentence: int, settings: BlockSettings
    ) -> TextBlock:
        """The next trees, as many as are `available` or fewer."""
        assert self._layout is not None
        end = int(self._ends[trees - 1]) if trees < self._ends.size else None
        block = TextBlock(
            self._ready[:end],
            trees,
            self._layout,
            self._name,
            self._line,
            first_sentence,
            settings.keep_blank_lines,
            settings.strict,
            self._mend,
            self._names,
            settings.first_of_line,
        )
        self._line += line_ends(block.text)
        self._ready = self._ready[len(block.text) :]
        self._ends = self._ends[trees:] - len(block.text)
        return block

    def close(self) -> None:
        """The stream belongs to whoever opened it."""

    def _looked(self) -> Layout:
        """The layout, from the start of the file."""
        if self._layout is None:
            self._read_ahead(_LOOK_BYTES)
            start = escape_bracket_words(self._ahead)
            self._plain = len(start) if start == self._ahead else 0
            layout = sniff(start, is_whole=self._ahead_is_all)
            if self._mend:
                from analyzer.formats.penn.answers import layout_of_answers

                end = None if self._ahead_is_all else last_cut(start, layout)
                layout = layout_of_answers(start[:end], layout)
            self._layout = layout
            if is_historical(start):
                self._names = Names.HISTORICAL
            if self._must_hold_trees:
                refuse_if_hopeless(start, layout, self._name, can_mend=self._mend)
        return self._layout

    def _read_ahead(self, size: int) -> None:
        """Have `size` bytes ahead, or all that is left."""
        while len(self._ahead) < size and not self._ahead_is_all:
            data = self._stream.read(size - len(self._ahead))
            self._ahead += data
            self._ahead_is_all = not data
            if self._progress and data:
                self._progress(len(data))

    def _cut_block(self, keep_blank_lines: bool) -> bool:
        """Make the next block's trees ready; False at the end of the file."""
        layout = self._looked()
        size = BLOCK_BYTES
        while True:
            self._read_ahead(size)
            if layout in (Layout.SEPARATED, Layout.FREE):
                # Where records end is told by their brackets.
                self._ahead = escape_bracket_words(self._ahead)
            if self._ahead_is_all and len(self._ahead) <= size:
                cut = len(self._ahead)
                break
            ahead = self._ahead[:size]
            cut = _last_cut(ahead, layout)
            if cut:
                break
            if size > _LARGEST_RECORD:
                raise InputError(
                    "a tree of more than {largest_record} MB; is this a file of trees?",
                    Place(self._name, self._line + self._ready.count(b"\n")),
                    code="E125",
                    largest_record=_LARGEST_RECORD >> 20,
                )
            size *= 2  # one record larger than the block
        if not cut:
            return False
        block, self._ahead = self._ahead[:cut], self._ahead[cut:]
        if self._plain >= cut:
            self._plain -= cut
        else:
            self._plain, block = 0, escape_bracket_words(block)
        ends = sentence_ends(block, layout, keep_blank_lines, self._names)
        if self._names is Names.MARKUP and ends.size:
            # A line that names the next tree stays with it.
            block, self._ahead = block[: ends[-1]], block[ends[-1] :] + self._ahead
        if not ends.size and not self._ends.size:
            # Comments and blank lines only: nobody will ever take them.
            self._line += line_ends(block)
            return True
        self._ends = np.concatenate([self._ends, ends + len(self._ready)])
        self._ready += block
        return True


def _last_cut(ahead: bytes, layout: Layout) -> int:
    """Where the last record that is sure to be whole ends; 0 if none is."""
    if layout is not Layout.ANSWERS:
        return last_cut(ahead, layout)
    from analyzer.formats.penn.answers import last_answer_cut

    return last_answer_cut(ahead)
