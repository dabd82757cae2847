"""Which lines of a block are not well formed, for files of one tree a line.

A file may hold thousands of bad lines among good ones. All are found in one go, and the
good ones are then scanned as if the bad ones were blank.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analyzer.formats.penn.faults import Fault, Kind
from analyzer.formats.penn.scanner import (
    ATOM,
    CLOSE,
    OPEN,
    SPACE,
    is_utf8,
    kind_table,
    kinds_of,
    surrounded,
)
from analyzer.model.arrays import Flags, Ints
from analyzer.model.kernel import texts as kernel
from analyzer.model.kernel.library import has_kernel

_KINDS = tuple(Kind)


class BadLine(NamedTuple):
    """A line of a block that is no tree; its fault, if that is known already."""

    number: int  # from 0
    start: int
    end: int
    fault: Fault | None


def bad_lines(block: bytes) -> list[BadLine]:
    """The lines of a block without comments that the scanner does not take.

    >>> [(one.number, one.start) for one in bad_lines(b"(A a)\\n(B b\\n\\nC\\n")]
    [(1, 6), (3, 12)]
    """
    text = surrounded(block)
    if has_kernel():
        found = kernel.faults(text, kind_table())
        return [_bad_line(text, one) for one in found]
    starts, ends = _lines(text[: len(block) + 1])
    bad = np.flatnonzero(_is_bad(text[: len(block) + 1], starts, ends))
    return [
        BadLine(number, start - 1, end - 1, None)
        for number, start, end in zip(
            bad.tolist(), starts[bad].tolist(), ends[bad].tolist(), strict=True
        )
    ]


def _bad_line(text: bytes, found: kernel.FoundFault) -> BadLine:
    """The text has one byte more in front than the block."""
    fault = None
    if found.kind <= len(_KINDS):
        before, token = text[found.start : found.at], text[found.at : found.at_end]
        at = len(before) if before.isascii() else len(before.decode())
        fault = Fault(_KINDS[found.kind - 1], at, token.decode(), found.still_open)
    return BadLine(found.line, found.start - 1, found.end - 1, fault)


def _lines(text: bytes) -> tuple[Ints, Ints]:
    """Where lines start and end, after the line end that the text begins with."""
    newline = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
    starts = newline + 1
    ends = np.append(newline[1:], len(text))
    is_line = starts < len(text)
    return starts[is_line], ends[is_line]


def _is_bad(text: bytes, starts: Ints, ends: Ints) -> Flags:
    kinds = kinds_of(text)
    place = np.flatnonzero(kinds >= OPEN)
    is_open = np.append(kinds[place] == OPEN, False)
    # The brackets of each line, and how deep they are.
    first, last = np.searchsorted(place, starts), np.searchsorted(place, ends)
    depth = np.append(0, np.cumsum(np.where(is_open[:-1], 1, -1)))
    bad: Flags = depth[last] != depth[first]
    some = np.flatnonzero(first < last)
    if some.size:
        lowest = np.minimum.reduceat(depth[1:], first[some])
        bad[some] |= lowest < depth[first[some]]
    is_atom = kinds == ATOM
    after_close = np.flatnonzero(is_atom[1:] & (kinds[:-1] == CLOSE)) + 1
    bad[np.searchsorted(starts, after_close, side="right") - 1] = True
    # A word is right if it is the only one between '(' and ')', all on its line.
    word = np.flatnonzero(is_atom[1:] & (kinds[:-1] == SPACE)) + 1
    line = np.searchsorted(starts, word, side="right") - 1
    after = np.searchsorted(place, word)
    is_inside = (after > first[line]) & (after < last[line])
    is_in_leaf = is_inside & is_open[after - 1] & ~is_open[after]
    bad[line[~is_in_leaf]] = True
    bad[line[1:][after[1:] == after[:-1]]] = True
    if not is_utf8(text):
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            bad[number] |= not is_utf8(text[start:end])
    return bad
