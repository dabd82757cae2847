"""How a file divides into records, a record being what counts as one sentence.

Three layouts are told apart by looking at the start of a file:

* LINES: a record a line, as evalb wants it. A blank line may be a parse that
  failed (evalb counts it) or a mere separator; see `blank_lines_separate`.
* INDENTED: a tree over many lines, as in the Penn Treebank: each begins with
  '(' in the first column, the lines that continue it are indented.
* FREE: anything else that is balanced; a record ends where its brackets do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from grammars import terminal_patterns

_NEWLINE = ord("\n")
_OPEN = ord("(")
_CLOSE = ord(")")
# Blank lines separate when at least this share of the trees is followed by one.
_SEPARATED_SHARE = 0.9
# Shares of lines that are whole trees, for a file with broken trees in it.
_MOSTLY_WHOLE = 0.8
_RATHER_WHOLE = 0.5


class Layout(Enum):
    LINES = "one tree a line"
    INDENTED = "trees over many lines, indented"
    FREE = "trees over many lines"


class Record(NamedTuple):
    """A piece of a block that holds one sentence."""

    start: int
    end: int
    lines_before: int


def without_comments(block: bytes) -> bytes:
    """The block with comment lines, and their line ends, turned into spaces.

    Every other byte keeps its place.
    """
    if block[:1] not in (b"#", b"*") and b"\n#" not in block and b"\n*x*" not in block:
        return block
    return _comment_line().sub(lambda found: b" " * len(found[0]), block)


@cache
def _comment_line() -> re.Pattern[bytes]:
    source = terminal_patterns("common")["COMMENT"].pattern
    return re.compile(source.encode() + rb"\n?", re.MULTILINE)


def sniff(block: bytes, *, is_whole: bool) -> Layout:
    """The layout of a file, from its first block (or all of it)."""
    text = np.frombuffer(_comment_line().sub(b"", block) + b"\n", np.uint8)
    signs = (text == _OPEN).astype(np.int8) - (text == _CLOSE)
    depths = np.cumsum(signs, dtype=np.int64)
    line_ends = np.flatnonzero(text == _NEWLINE)
    depth_after_line = depths[line_ends]
    if not is_whole:
        line_ends, depth_after_line = line_ends[:-1], depth_after_line[:-1]
    if not depth_after_line.any():
        return Layout.LINES

    line_starts = np.concatenate([[0], line_ends[:-1] + 1])
    starts_with_open = text[line_starts] == _OPEN
    depth_before = np.concatenate([[0], depth_after_line[:-1]])
    ends_at_zero = np.flatnonzero(depth_after_line == 0)
    is_balanced = depths.min() >= 0 and (
        depth_after_line[-1] == 0
        if is_whole
        # The last tree may be cut off, but not more than half of the block.
        else ends_at_zero.size and ends_at_zero[-1] > depth_after_line.size // 2
    )
    is_indented = _has_indented_lines(text, line_starts)
    own_balance = depth_after_line - depth_before
    whole = own_balance[starts_with_open] == 0
    whole_lines = float(whole.mean()) if whole.size else 0.0
    if is_balanced:
        all_start_in_first_column = not np.any(starts_with_open & (depth_before > 0))
        if is_indented and all_start_in_first_column:
            return Layout.INDENTED
        # A ')' missing in one tree and one too many in another balance each other.
        if whole_lines >= _MOSTLY_WHOLE:
            return Layout.LINES
        between = np.diff(depth_before[starts_with_open], append=depth_after_line[-1])
        are_whole = np.count_nonzero(between == 0) >= _MOSTLY_WHOLE * between.size
        return Layout.INDENTED if is_indented and are_whole else Layout.FREE
    # Something is broken. If most lines that start with '(' are whole trees, it
    # is a file of one tree a line with a few bad ones.
    if whole_lines >= _RATHER_WHOLE:
        return Layout.LINES
    return Layout.INDENTED if is_indented else Layout.FREE


def blank_lines_separate(block: bytes) -> bool:
    """Whether blank lines in a file of one tree a line only separate the trees."""
    lines = without_comments(block).split(b"\n")
    is_blank = [not line.strip() for line in lines]
    followed = [after for here, after in pairwise(is_blank) if not here]
    # The last tree is always followed by the end of the file.
    return len(followed) > 2 and sum(followed[:-1]) >= _SEPARATED_SHARE * (
        len(followed) - 1
    )


def last_cut(block: bytes, layout: Layout) -> int:
    """Where the last whole record of a block ends; 0 if none does."""
    if layout is Layout.LINES:
        return block.rfind(b"\n") + 1
    if layout is Layout.INDENTED:
        return block.rfind(b"\n(") + 1
    text = np.frombuffer(without_comments(block), np.uint8)
    depths = np.cumsum(
        (text == _OPEN).astype(np.int8) - (text == _CLOSE), dtype=np.int64
    )
    ends = np.flatnonzero((text == _NEWLINE) & (depths <= 0))
    return int(ends[-1]) + 1 if ends.size else 0


def records(block: bytes, layout: Layout) -> Iterator[Record]:
    """The records of a block, well formed or not, blank lines included in LINES.

    Used only for blocks that the fast reader did not take whole.
    """
    if layout is Layout.LINES:
        lines = without_comments(block).split(b"\n")
        if not lines[-1].strip():
            lines.pop()
        yield from _records_of_lines(block, lines)
        return
    start = depth = position = first_line = 0
    is_open = was_blank = False
    for number, given in enumerate(block.split(b"\n")):
        line = _comment_line().sub(b"", given)
        begins_tree = line.startswith(b"(")
        forced = layout is Layout.INDENTED or was_blank
        was_blank = not line.strip()
        if is_open and begins_tree and forced:
            yield Record(start, position, first_line)
            is_open = False
        if not is_open and line.strip():
            start, depth, first_line, is_open = position, 0, number, True
        depth += line.count(b"(") - line.count(b")")
        position += len(given) + 1
        if is_open and depth <= 0:
            yield Record(start, min(position, len(block)), first_line)
            is_open = False
    if is_open:
        yield Record(start, len(block), first_line)


def _records_of_lines(block: bytes, lines: list[bytes]) -> Iterator[Record]:
    position = 0
    newlines_before = 0
    for line in lines:
        end = min(position + len(line) + 1, len(block))
        # Comments before a tree are part of its record; its own line comes last.
        newlines = block.count(b"\n", position, max(position, end - 1))
        yield Record(position, end, newlines_before + newlines)
        newlines_before += newlines + 1
        position = end


def _has_indented_lines(
    text: np.ndarray[tuple[int], np.dtype[np.uint8]],
    line_starts: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> bool:
    first = text[line_starts]
    return bool(np.any((first == ord(" ")) | (first == ord("\t"))))
