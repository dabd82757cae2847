"""The fast reader: a block of well-formed brackets to columns, without a loop.

NumPy looks at all bytes at once: which are brackets, where do labels and words
(*atoms*) begin and end, how deep is each bracket, which bracket closes which.
Anything irregular makes `scan` return None; the grammar then says what is wrong.
Which bytes are white space and brackets is read off `grammars/common.lark`.

Rows are picked by number (`flatnonzero`, `compress`) and not by a mask: where a mask
goes up and down often, as these do, that takes a fifth of the time.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer import _native
from analyzer.formats.penn.records import (
    Layout,
    ends_of_lines,
    forced_starts,
    without_comments,
)
from analyzer.model.arrays import Flags, Ids, Ints, flags_at, narrowest
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from grammars import terminal_patterns

Bytes = npt.NDArray[np.uint8]

_NEWLINE = ord("\n")
# Kinds of bytes. All that end an atom are odd: see `_label_lengths`.
ATOM, SPACE, OPEN, CLOSE = 0, 1, 3, 5
# Room after the block, so that windows of eight bytes can be read at its end.
_PADDING = b"\n" * 16
_WINDOW = 8


class _Leaves(NamedTuple):
    """The leaves of a block: brackets around a word, or around an empty one."""

    node: Ints  # among all nodes
    opening: Ints  # among all brackets; the next one closes the leaf
    form_start: Ints
    form_end: Ints


class _Phrases(NamedTuple):
    """The brackets that are not of leaves."""

    opening: Ints  # among the phrases' brackets
    level: Ids  # before each of the phrases' brackets, and after the last
    leaves_before: Ids  # each of the phrases' brackets


def scan(
    block: bytes,
    layout: Layout,
    *,
    keep_blank_lines: bool,
    first_line: int = 1,
    source: str = "<text>",
) -> Treebank | None:
    """The trees of a block of whole records, or None if any is irregular."""
    plain = without_comments(block)
    text = surrounded(plain)
    by_lines = layout is Layout.LINES
    if _native.has_kernel():
        nodes = _native.scan(text, kind_table(), SYMBOLS.short_names, by_lines=by_lines)
    else:
        nodes = _scan(text, by_lines)
    if nodes is None:
        return None
    rows = nodes.unknown
    nodes.label[rows] = SYMBOLS.ids_in(
        text, nodes.label_start[rows], nodes.unknown_length
    )
    if by_lines:
        node_start, leaf_start, line = _line_starts(nodes, plain, block)
        if not keep_blank_lines:
            kept = np.flatnonzero(np.append(np.diff(node_start) > 0, True))
            node_start, leaf_start = node_start[kept], leaf_start[kept]
            line = line[kept[:-1]]
    else:
        starts = _free_starts(block, layout, nodes.label_start, nodes.depth)
        if starts is None:
            return None
        node_start, line = starts
        leaf_start = np.searchsorted(nodes.leaf_node, node_start)
    return Treebank.of_reader(
        label=nodes.label,
        depth=nodes.depth,
        first=nodes.first,
        last=nodes.last,
        is_leaf=nodes.is_leaf,
        leaf_node=nodes.leaf_node,
        form_start=nodes.form_start,
        form_end=nodes.form_end,
        node_start=node_start,
        leaf_start=leaf_start,
        line=line + (first_line - 1),
        text=text,
        source=source,
    )


def surrounded(block: bytes) -> bytes:
    """The block with white space around it.

    One byte in front gives every item a byte before it; those at the end are room.
    """
    return b"\n" + block + _PADDING


def _line_starts(
    nodes: _native.Scanned, plain: bytes, block: bytes
) -> tuple[Ints, Ints, Ints]:
    """Where lines start among nodes and leaves, the end of the last one; their lines.

    Lines are counted in the block as it is: in plain text, comments are spaces.
    """
    node_start, leaf_start = (
        np.append(0, column) for column in (nodes.line_nodes, nodes.line_leaves)
    )
    if plain[plain.rfind(b"\n") + 1 :].strip():
        node_start = np.append(node_start, nodes.label.size)
        leaf_start = np.append(leaf_start, nodes.leaf_node.size)
    line = np.arange(1, node_start.size)
    if plain is not block:
        ends = np.append(ends_of_lines(plain), len(plain))[: line.size]
        line = np.searchsorted(ends_of_lines(block), ends) + 1
    return node_start, leaf_start, line


@cache
def kind_table() -> Bytes:
    """The kind of each of the 256 bytes."""
    kinds = np.full(256, ATOM, np.uint8)
    for byte, kind in _kinds_of_bytes().items():
        assert byte <= ord(")")  # as LEAST_ATOM of the kernel says
        kinds[byte] = kind
    return kinds


# -- without the kernel ---------------------------------------------------------------


def _scan(text: bytes, by_lines: bool) -> _native.Scanned | None:
    """What the kernel gives, by NumPy; the labels are all unknown."""
    if not is_utf8(text):
        return None
    kinds = kinds_of(text)
    place = np.flatnonzero(kinds >= OPEN)
    is_open = kinds[place] == OPEN
    label_start = place.compress(is_open) + 1
    label_length = _label_lengths(kinds, label_start)
    leaves = _leaves(kinds, place, is_open, label_start + label_length)
    if leaves is None:
        return None
    phrases = _phrases(is_open, leaves)
    if phrases.level[-1] != 0 or phrases.level.min() < 0:
        return None  # brackets do not balance

    leaf = np.arange(leaves.node.size, dtype=np.int32)
    first_of_phrase = phrases.leaves_before[phrases.opening]
    is_leaf = flags_at(label_start.size, leaves.node)
    phrase_node = np.flatnonzero(~is_leaf)

    def column(of_leaves: Ids, of_phrases: Ids) -> Ids:
        both = np.empty(is_leaf.size, np.int32)
        both[leaves.node] = of_leaves
        both[phrase_node] = of_phrases
        return both

    line_nodes = np.zeros(0, np.int64)
    if by_lines:
        line_end = ends_of_lines(text[1 : len(text) - len(_PADDING)])
        line_nodes = np.searchsorted(label_start, line_end, side="right")
        # As many brackets close as open before the end of a line, unless one of these
        # that close comes after it.
        some = np.flatnonzero(line_nodes)
        if np.any(place[2 * line_nodes[some] - 1] > line_end[some]):
            return None  # a line ends within a tree
    # All brackets before a leaf that are not of leaves are of phrases.
    depth_of_leaf = phrases.level[leaves.opening - 2 * leaf]
    return _native.Scanned(
        label=np.full(is_leaf.size, -1, np.int32),
        depth=column(depth_of_leaf, phrases.level[phrases.opening]),
        first=column(leaf, first_of_phrase),
        last=column(leaf + np.int32(1), _lasts(phrases)),
        is_leaf=is_leaf,
        label_start=label_start,
        leaf_node=leaves.node,
        form_start=leaves.form_start,
        form_end=leaves.form_end,
        line_nodes=line_nodes,
        line_leaves=np.searchsorted(leaves.node, line_nodes),
        unknown=np.arange(is_leaf.size),
        unknown_length=label_length,
    )


def is_utf8(block: bytes) -> bool:
    """Whether it is text: UTF-8 without NUL."""
    if b"\0" in block:
        return False
    if block.isascii():
        return True
    # ASCII bytes end what comes before them, so each run of others can be judged by
    # itself, together with the byte that ends it.
    given = np.frombuffer(block, np.uint8)
    is_judged = given >= 128
    is_judged[1:] |= is_judged[:-1]
    try:
        return bool(given.compress(is_judged).tobytes().decode("utf-8"))
    except UnicodeDecodeError:
        return False


def kinds_of(text: bytes) -> Bytes:
    """The kind of each byte."""
    given = np.frombuffer(text, np.uint8)
    kinds = np.full(given.size, ATOM, np.uint8)
    for byte, kind in _kinds_of_bytes().items():
        if byte in text:
            kinds += (given == byte) * np.uint8(kind)
    return kinds


@cache
def _kinds_of_bytes() -> dict[int, int]:
    """Bytes that are of no atom, and their kinds, from the grammar's terminals."""
    terminals = terminal_patterns("common")
    kinds = {"OPEN": OPEN, "CLOSE": CLOSE, "WHITESPACE": SPACE}
    return {
        byte: kind
        for byte in range(128)
        for terminal, kind in kinds.items()
        if terminals[terminal].fullmatch(chr(byte))
    }


def _leaves(
    kinds: Bytes, place: Ints, is_open: Flags, label_end: Ints
) -> _Leaves | None:
    """The leaves: '(' and ')' in a row with a word between; None if a word is not so.

    An atom right after '(' is a label; one after white space is a word.
    """
    is_atom = kinds == ATOM
    if np.any(is_atom[1:] & (kinds[:-1] == CLOSE)):
        return None
    is_candidate = np.zeros(is_open.size, np.bool_)
    is_candidate[:-1] = is_open[:-1] > is_open[1:]
    opening = np.flatnonzero(is_candidate)
    node = np.flatnonzero(is_candidate.compress(is_open))
    # Nearly always each holds one word, between one space and ')'. If so, and there
    # are no more words than that, no word stands anywhere else.
    is_word_start = is_atom[1:] & (kinds[:-1] == SPACE)
    form_start, form_end = label_end[node] + 1, place[opening + 1]
    if (
        np.count_nonzero(is_word_start) == node.size
        and np.all(is_atom[form_start])
        and np.all(is_atom[form_end - 1])
    ):
        return _Leaves(node, opening, form_start, form_end)
    return _leaves_however_spaced(
        kinds,
        np.flatnonzero(is_word_start) + 1,
        _Leaves(node, opening, label_end[node], form_end),
    )


def _leaves_however_spaced(
    kinds: Bytes, word_start: Ints, candidate: _Leaves
) -> _Leaves | None:
    """The leaves among '(' and ')' in a row, given from the label's end to ')'.

    '(HYPH )' is a leaf with an empty word, which only the space before ')' tells
    from '(X)', a phrase without a yield.
    """
    node, opening, label_end, close_place = candidate
    word = np.searchsorted(word_start, label_end)
    words = np.searchsorted(word_start, close_place) - word
    if words.max(initial=0) > 1 or words.sum() != word_start.size:
        return None  # a word where none may stand
    has_word = words == 1
    is_labelled = kinds[label_end - 1] == ATOM
    is_leaf = has_word | (is_labelled & (kinds[close_place - 1] == SPACE))
    form_start, form_end = label_end.copy(), label_end.copy()
    form_start[has_word] = word_start
    form_end[has_word] = _atom_ends(kinds == ATOM, word_start)
    return _Leaves(
        *(column[is_leaf] for column in (node, opening, form_start, form_end))
    )


def _phrases(is_open: Flags, leaves: _Leaves) -> _Phrases:
    is_of_phrase = ~flags_at(is_open.size, leaves.opening)
    is_of_phrase[leaves.opening + 1] = False
    bracket = np.flatnonzero(is_of_phrase)
    opens = is_open[bracket]
    level = np.zeros(bracket.size + 1, np.int32)
    np.cumsum(opens.view(np.int8) * np.int8(2) - np.int8(1), out=level[1:])
    # What is not of a phrase before one of its brackets is the two of each leaf.
    leaves_before = ((bracket - np.arange(bracket.size)) >> 1).astype(np.int32)
    return _Phrases(np.flatnonzero(opens), level, leaves_before)


def _lasts(phrases: _Phrases) -> Ids:
    """For each phrase, in order, the number of leaves before it closes.

    Brackets of one level alternate: open, close, open, close. So after a stable
    sort by level, each bracket stands beside its partner.
    """
    own_level = np.minimum(phrases.level[:-1], phrases.level[1:])
    by_level = np.argsort(narrowest(own_level), kind="stable")
    last = np.empty(by_level.size, np.int32)
    last[by_level[0::2]] = phrases.leaves_before[by_level[1::2]]
    return last[phrases.opening]


def _label_lengths(kinds: Bytes, start: Ints) -> Ints:
    """How many bytes of an atom stand at each start."""
    length = _within_window(kinds, start)
    long = np.flatnonzero(length == _WINDOW)
    if long.size:
        more = _within_window(kinds, start[long] + _WINDOW)
        length[long] += more
        longer = long[more == _WINDOW]
        if longer.size:
            length[longer] = _atom_ends(kinds == ATOM, start[longer]) - start[longer]
    return length


def _within_window(kinds: Bytes, start: Ints) -> Ints:
    """How many bytes of an atom stand at each start, up to eight."""
    windows = np.ndarray((kinds.size - _WINDOW + 1,), "<u8", kinds, strides=(1,))
    # Eight kinds as one integer: below its lowest bit that is set are the bytes of
    # the atom, because kinds that end one are odd.
    ahead = windows[start]
    below = (ahead & -ahead) - np.uint64(1)
    length: Ints = (np.bitwise_count(below) >> 3).astype(np.int64)
    return length


def _atom_ends(is_atom: Flags, start: Ints) -> Ints:
    """Where the atoms that begin at the given places end."""
    end = np.flatnonzero(is_atom[:-1] > is_atom[1:]) + 1
    return end[np.searchsorted(end, start, side="right")]


def _free_starts(
    block: bytes, layout: Layout, label_start: Ints, depth: Ids
) -> tuple[Ints, Ints] | None:
    """Where trees start, and their lines, if they may take several lines each."""
    # In the text a byte stands before the block, and a label after its bracket.
    forced = np.searchsorted(label_start, forced_starts(block, layout) + 2)
    if depth[forced].any():
        return None  # a tree starts within another
    newline = np.flatnonzero(np.frombuffer(block, np.uint8) == _NEWLINE) + 1
    roots = np.flatnonzero(depth == 0)
    line = np.searchsorted(newline, label_start[roots] - 1) + 1
    return np.append(roots, label_start.size), line
