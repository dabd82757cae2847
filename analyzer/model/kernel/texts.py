"""Texts: their nodes, their lines at fault, what precedes reading them."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.model.arrays import Flags, Ids, Ints, KeyColumns
from analyzer.model.kernel.library import (
    FLAGS,
    IDS,
    INTS,
    NUMBERS,
    address,
    functions,
    structure,
    table_of,
)

# Zero bytes after a text that is scanned, so that eight can be read at once at its end.
PADDING = 16


class Scanned(NamedTuple):
    """The nodes of a text: columns as a treebank has them, names as places."""

    label: Ids  # -1: a name that is unknown or long
    depth: Ids
    first: Ids
    last: Ids
    is_leaf: Flags
    label_start: Ints
    leaf_node: Ints
    form_start: Ints
    form_end: Ints
    line_nodes: Ints  # before the end of each line
    line_leaves: Ints
    unknown: Ints  # nodes whose label is -1
    unknown_length: Ints  # of their labels


_Scanned = structure(
    "_Scanned",
    (IDS, "label depth first last open"),
    (FLAGS, "is_leaf"),
    (INTS, "label_start leaf_node form_start form_end unknown_node unknown_length"),
    (INTS, "line_nodes line_leaves"),
    (NUMBERS, "nodes leaves lines unknown"),
)


def scan(
    text: bytes, kinds: npt.NDArray[np.uint8], names: KeyColumns, *, by_lines: bool
) -> Scanned | None:
    """The nodes of a text with white space around it; None if it is irregular.

    The text ends with PADDING bytes of white space.
    """
    library, size = functions(), len(text) - PADDING
    counts = np.empty(4, np.int64)
    library.spinal_census(text, size, address(counts))
    nodes, lines, high, nul = counts.tolist()
    if nul or (high and not library.spinal_is_utf8(text, size)):
        return None
    ids = np.empty((5, nodes), np.int32)
    places = np.empty((6, nodes), np.int64)
    by_line = np.empty((2, lines), np.int64)
    is_leaf = np.empty(nodes, np.bool_)
    out = _Scanned(
        label=ids[0],
        depth=ids[1],
        first=ids[2],
        last=ids[3],
        open=ids[4],
        is_leaf=is_leaf,
        label_start=places[0],
        leaf_node=places[1],
        form_start=places[2],
        form_end=places[3],
        unknown_node=places[4],
        unknown_length=places[5],
        line_nodes=by_line[0],
        line_leaves=by_line[1],
    )
    known = table_of(names)
    if not library.spinal_scan(
        text, size, address(kinds), ctypes.byref(known), by_lines, ctypes.byref(out)
    ):
        return None
    return Scanned(
        label=ids[0],
        depth=ids[1],
        first=ids[2],
        last=ids[3],
        is_leaf=is_leaf,
        label_start=places[0],
        leaf_node=places[1, : out.leaves],
        form_start=places[2, : out.leaves],
        form_end=places[3, : out.leaves],
        line_nodes=by_line[0, : out.lines],
        line_leaves=by_line[1, : out.lines],
        unknown=places[4, : out.unknown],
        unknown_length=places[5, : out.unknown],
    )


class FoundFault(NamedTuple):
    """A line that is not well formed: places are in the text."""

    line: int  # from 0
    start: int
    end: int
    kind: int  # which of `formats.penn.faults.Kind`, from 1; beyond them: no text
    at: int  # what is at fault: where it starts
    at_end: int
    still_open: int


def faults(text: bytes, kinds: npt.NDArray[np.uint8]) -> list[FoundFault]:
    """The first fault of each line of a text, which is as `scan` takes it."""
    library, size = functions(), len(text) - PADDING
    counts = np.empty(4, np.int64)
    library.spinal_census(text, size, address(counts))
    nodes, lines, *_ = counts.tolist()
    out = np.empty((lines + 1, len(FoundFault._fields)), np.int64)
    opened = np.empty(nodes + 1, np.int64)
    found = library.spinal_faults(
        text, size, address(kinds), address(opened), address(out)
    )
    return [FoundFault(*one) for one in out[:found].tolist()]


def may_comment(text: bytes) -> bool:
    """Whether a line begins as comments do."""
    return bool(functions().spinal_may_comment(text, len(text)))


def line_ends(text: bytes) -> Ints:
    """The places after line ends."""
    find = functions().spinal_line_ends
    found = np.empty(find(text, len(text), None), np.int64)
    find(text, len(text), address(found))
    return found


def count_line_ends(text: bytes) -> int:
    """How many line ends there are."""
    return int(functions().spinal_line_ends(text, len(text), None))


def has_bracket_word(text: bytes) -> bool:
    """Whether ' ()' or ' ))' is somewhere in a text."""
    return bool(functions().spinal_has_bracket_word(text, len(text)))
