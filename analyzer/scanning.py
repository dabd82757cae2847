"""The fast reader: a block of well-formed brackets to columns, without a loop.

NumPy looks at all bytes at once: which are brackets, where do labels and words
(*atoms*) begin and end, how deep is each bracket, which bracket closes which.
Anything irregular makes `scan` return None; the grammar then says what is wrong.
Which bytes are white space and brackets is read off `grammars/common.lark`.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from analyzer.layout import Layout, forced_starts, without_comments
from analyzer.symbols import SYMBOLS, Flags, Ids, Ints
from analyzer.treebank import Treebank, narrowest
from grammars import terminal_patterns

_NEWLINE = ord("\n")
_ATOM, _SPACE, _OPEN, _CLOSE, _NOTHING = 0, 1, 2, 3, 9
# Kinds of four items in a row, read as one little-endian integer.
_OPEN_ATOM_ATOM_CLOSE = 0x03000002
_OPEN_ATOM_CLOSE = 0x030002
_THREE_ITEMS = 0xFFFFFF
# Room after the block, so that windows of eight bytes can be read at its end.
_PADDING = b"\n" * 16


def scan(
    block: bytes,
    layout: Layout,
    *,
    keep_blank_lines: bool,
    first_line: int = 1,
    source: str = "<text>",
) -> Treebank | None:
    """The trees of a block of whole records, or None if any is irregular."""
    if not _is_utf8(block):
        return None
    # One byte of white space in front gives every item a byte before it.
    text = b"\n" + without_comments(block) + _PADDING
    kinds = np.frombuffer(text.translate(_kinds_of_bytes()), np.uint8)
    is_atom = kinds == _ATOM
    is_item = kinds >= _OPEN
    is_item[1:] |= is_atom[1:] > is_atom[:-1]
    # Items in order: brackets, and the first byte of each atom.
    place = np.flatnonzero(is_item)
    atom_end = np.flatnonzero(is_atom[:-1] > is_atom[1:]) + 1
    kind = np.full(place.size + 3, _NOTHING, np.uint8)
    kind[:-3] = kinds[place]

    # Every '(' opens a node; what follows it tells a leaf from a phrase.
    opens = np.flatnonzero(kind == _OPEN)
    node_place = place[opens]
    next_place = place[np.minimum(opens + 1, place.size - 1)]
    has_label = (next_place == node_place + 1) & (kind[opens + 1] == _ATOM)
    is_leaf, has_word = _leaves(kind, kinds, place, opens, has_label)
    atoms_of_node = has_label.astype(np.int64) + has_word
    if int(atoms_of_node.sum()) != atom_end.size:
        return None  # a word where none may stand

    # The bracket that closes a leaf is the next one after its atoms.
    leaf_open = opens[is_leaf]
    phrase_sign = np.where(kind[:-3] == _ATOM, 0, 5 - 2 * kind[:-3].astype(np.int8))
    phrase_sign[leaf_open] = 0
    phrase_sign[leaf_open + 1 + atoms_of_node[is_leaf]] = 0
    level = np.cumsum(phrase_sign, dtype=np.int32)
    if level.size and (level[-1] != 0 or level.min() < 0):
        return None  # brackets do not balance

    is_leaf_open = np.zeros(place.size, np.bool_)
    is_leaf_open[leaf_open] = True
    leaves_before = np.cumsum(is_leaf_open, dtype=np.int32)
    first = leaves_before[opens] - is_leaf
    last = first + np.int32(1)
    last[~is_leaf] = leaves_before[_closing(phrase_sign, level)]
    depth = level[opens] - np.where(is_leaf, np.int32(0), np.int32(1))

    label_atom = np.cumsum(atoms_of_node) - atoms_of_node
    label_end = node_place + 1
    label_end[has_label] = atom_end[label_atom[has_label]]
    starts = _tree_starts(text, block, layout, place, kind, level, node_place, depth)
    if starts is None:
        return None
    node_start, line = starts
    leaf_node = np.flatnonzero(is_leaf)
    form_start, form_end = _forms(
        label_end[leaf_node],
        has_word[leaf_node],
        (label_atom + has_label)[leaf_node],
        place[kind[:-3] == _ATOM],
        atom_end,
    )
    if layout is Layout.LINES and not keep_blank_lines:
        is_kept = np.diff(node_start) > 0
        node_start = np.append(node_start[:-1][is_kept], node_start[-1])
        line = line[is_kept]
    leaf_start = np.searchsorted(leaf_node, node_start)
    label = SYMBOLS.ids_in(text, node_place + 1, label_end - node_place - 1)
    return Treebank(
        label=label,
        depth=depth.astype(np.int32),
        first=first.astype(np.int32),
        last=last.astype(np.int32),
        is_leaf=is_leaf,
        leaf_node=leaf_node,
        form_start=form_start,
        form_end=form_end,
        node_start=node_start,
        leaf_start=leaf_start,
        line=line + (first_line - 1),
        text=text,
        source=source,
    )


@cache
def _kinds_of_bytes() -> bytes:
    """The kind of each of the 256 bytes, from the grammar's terminals."""
    terminals = terminal_patterns("common")
    kinds = bytearray([_ATOM] * 256)
    for byte in range(128):
        character = chr(byte)
        if terminals["OPEN"].fullmatch(character):
            kinds[byte] = _OPEN
        elif terminals["CLOSE"].fullmatch(character):
            kinds[byte] = _CLOSE
        elif terminals["WHITESPACE"].fullmatch(character):
            kinds[byte] = _SPACE
    return bytes(kinds)


def _is_utf8(block: bytes) -> bool:
    if b"\0" in block:
        return False
    try:
        return block.isascii() or bool(block.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _leaves(
    kind: np.ndarray, kinds: np.ndarray, place: Ints, opens: Ints, has_label: Flags
) -> tuple[Flags, Flags]:
    """Which nodes are leaves, and which of those have a word."""
    items = np.ndarray((kind.size - 3,), "<u4", kind, strides=(1,))[opens]
    labelled_word = (items == _OPEN_ATOM_ATOM_CLOSE) & has_label
    one_atom = (items & np.uint32(_THREE_ITEMS)) == _OPEN_ATOM_CLOSE
    if not one_atom.any():
        return labelled_word, labelled_word
    # '( cat)': a word under an empty label; '(HYPH )': a leaf with an empty word,
    # which only the space before ')' tells from '(X)', a phrase without a yield.
    bare_word = one_atom & ~has_label
    before_close = kinds[place[np.minimum(opens + 2, place.size - 1)] - 1]
    empty_word = one_atom & has_label & (before_close == _SPACE)
    has_word = labelled_word | bare_word
    return has_word | empty_word, has_word


def _closing(sign: Ids, level: Ids) -> Ints:
    """For each phrase, in order, the item that closes it.

    Brackets of one level alternate: open, close, open, close. So after a stable
    sort by level, each bracket stands beside its partner.
    """
    bracket = np.flatnonzero(sign)
    is_open = sign[bracket] > 0
    own_level = level[bracket] + ~is_open
    by_level = bracket[np.argsort(narrowest(own_level), kind="stable")]
    opening, closing = by_level[0::2], by_level[1::2]
    of_item = np.empty(sign.size, np.int64)
    of_item[opening] = closing
    return of_item[bracket[is_open]]


def _tree_starts(
    text: bytes,
    block: bytes,
    layout: Layout,
    place: Ints,
    kind: np.ndarray,
    level: Ids,
    node_place: Ints,
    depth: Ids,
) -> tuple[Ints, Ints] | None:
    """First node of each tree (and the end of the last), and its line."""
    # Lines are counted in the block as it is: in `text`, comments are spaces.
    newline = np.flatnonzero(np.frombuffer(block, np.uint8) == _NEWLINE) + 1
    if layout is not Layout.LINES:
        # In `text` a byte stands before the block.
        forced = np.searchsorted(node_place, forced_starts(block, layout) + 1)
        if depth[forced].any():
            return None  # a tree starts within another
        roots = np.flatnonzero(depth == 0)
        line = np.searchsorted(newline, node_place[roots]) + 1
        return np.append(roots, node_place.size), line
    end = len(text) - len(_PADDING)
    within_block = np.frombuffer(text, np.uint8)[1:end]
    line_end = np.flatnonzero(within_block == _NEWLINE) + 1
    if text[line_end[-1] if line_end.size else 1 : end].strip():
        line_end = np.append(line_end, end)
    items_before = np.searchsorted(place, line_end)
    previous = np.maximum(items_before - 1, 0)
    if level.size and np.any(
        ((kind[previous] != _CLOSE) | (level[previous] != 0)) & (items_before > 0)
    ):
        return None  # a line ends within a tree
    node_start = np.append(0, np.searchsorted(node_place, line_end))
    return node_start.astype(np.int64), np.searchsorted(newline, line_end) + 1


def _forms(
    label_end: Ints, has_word: Flags, word_atom: Ints, atom_start: Ints, atom_end: Ints
) -> tuple[Ints, Ints]:
    """Where each leaf's word starts and ends; an empty word is an empty span."""
    if has_word.all():
        return atom_start[word_atom], atom_end[word_atom]
    atom = np.minimum(word_atom, max(atom_start.size - 1, 0))
    return (
        np.where(has_word, atom_start[atom], label_end),
        np.where(has_word, atom_end[atom], label_end),
    )
