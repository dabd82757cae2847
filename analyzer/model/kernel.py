"""The compiled kernel, where there is one: inner loops in C, called through ctypes.

`hatch_build.py` compiles `kernel.c` when spinal is installed and a C compiler is there;
without one, or with SPINAL_KERNEL=numpy in the environment, NumPy does the same work.
The functions here take and give arrays and know nothing else; who calls them has the
NumPy twin beside the call.
"""

from __future__ import annotations

import ctypes
import os
import sys
from binascii import crc32
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.model.arrays import Flags, Ids, Ints, KeyColumns, Words64

SOURCE = os.path.join(os.path.dirname(__file__), "kernel.c")
LIBRARY = os.path.join(
    os.path.dirname(SOURCE), "libkernel.dll" if os.name == "nt" else "libkernel.so"
)
# Zero bytes after a text that is scanned, so that eight can be read at once at its end.
PADDING = 16
MOST_COLUMNS = 2  # that `agree` takes

_int32, _int64, _array = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p


def checksum() -> int:
    """Of the C source: a library that was compiled from another one is not used."""
    with open(SOURCE, "rb") as stream:
        return crc32(stream.read())


def load(path: str) -> ctypes.CDLL | None:
    """The library at that place, if it can be used here."""
    if os.environ.get("SPINAL_KERNEL") == "numpy" or sys.byteorder != "little":
        return None
    try:
        library = ctypes.CDLL(path)
        library.spinal_source.restype = ctypes.c_uint32
        if library.spinal_source() != checksum():
            return None
    except (OSError, AttributeError):
        return None
    text = (ctypes.c_char_p, _int64)
    library.spinal_census.argtypes = (*text, _array)
    library.spinal_is_utf8.argtypes = text
    library.spinal_may_comment.argtypes = text
    library.spinal_has_bracket_word.argtypes = text
    library.spinal_scan.argtypes = (*text, _array, _array, ctypes.c_int, _array)
    library.spinal_faults.argtypes = (*text, _array, _array, _array)
    library.spinal_faults.restype = _int64
    return library


class Library:
    """What is loaded; tests put another in its place."""

    def __init__(self, path: str = LIBRARY) -> None:
        self.path = path
        self.functions: Any = load(path) if os.path.exists(path) else None

    def __str__(self) -> str:
        return f"compiled ({self.path})" if self.functions else "NumPy"


CURRENT = Library()


def functions() -> Any:
    """The compiled functions; None where there are none."""
    return CURRENT.functions


class _Structure(ctypes.Structure):
    """A structure of the C source; arrays given to it are kept as long as it is."""

    def __init__(self, **given: Any) -> None:
        # Columns that are views with gaps are copied; what is written has none.
        self.given = {
            name: np.ascontiguousarray(value)
            if isinstance(value, np.ndarray)
            else value
            for name, value in given.items()
        }
        values = {
            name: value.__array_interface__["data"][0]
            if isinstance(value, np.ndarray)
            else value
            for name, value in self.given.items()
        }
        super().__init__(**values)


class _Table(ctypes.Structure):
    _fields_ = [
        ("slots", _array),
        ("keys", _array),
        ("size", _int64),
        ("slot_bits", _int32),
        ("first_has_key", _int32),
    ]


def _table(columns: KeyColumns) -> _Table:
    """The table as C sees it; whoever calls keeps the columns meanwhile."""
    slots, keys = _address(columns.slots), _address(columns.keys)
    has_first = int(columns.has_key[0])
    return _Table(slots, keys, columns.keys.size, columns.slot_bits, has_first)


def _address(array: npt.NDArray[Any]) -> int:
    """Where an array without gaps begins."""
    return int(array.__array_interface__["data"][0])


def _rows(table: npt.NDArray[Any]) -> range:
    """Where each of the rows of an array begins."""
    start, step = _address(table), max(1, table.strides[0])
    return range(start, start + step * len(table), step)


def _arrays(names: str) -> list[tuple[str, Any]]:
    return [(name, _array) for name in names.split()]


def _numbers(names: str) -> list[tuple[str, Any]]:
    return [(name, _int64) for name in names.split()]


# -- reading -------------------------------------------------------------------------


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


class _Scanned(ctypes.Structure):
    _fields_ = [
        *_arrays("label depth first last open is_leaf label_start leaf_node"),
        *_arrays("form_start form_end unknown_node unknown_length"),
        *_arrays("line_nodes line_leaves"),
        *_numbers("nodes leaves lines unknown"),
    ]


def scan(
    text: bytes, kinds: npt.NDArray[np.uint8], names: KeyColumns, *, by_lines: bool
) -> Scanned | None:
    """The nodes of a text with white space around it; None if it is irregular.

    The text ends with PADDING bytes of white space.
    """
    library, size = CURRENT.functions, len(text) - PADDING
    counts = np.empty(4, np.int64)
    library.spinal_census(text, size, _address(counts))
    nodes, lines, high, nul = counts.tolist()
    if nul or (high and not library.spinal_is_utf8(text, size)):
        return None
    ids = np.empty((5, nodes), np.int32)
    places = np.empty((6, nodes), np.int64)
    by_line = np.empty((2, lines), np.int64)
    is_leaf = np.empty(nodes, np.bool_)
    out = _Scanned(*_rows(ids), _address(is_leaf), *_rows(places), *_rows(by_line))
    known = _table(names)
    if not library.spinal_scan(
        text, size, _address(kinds), ctypes.byref(known), by_lines, ctypes.byref(out)
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
    library, size = CURRENT.functions, len(text) - PADDING
    counts = np.empty(4, np.int64)
    library.spinal_census(text, size, _address(counts))
    nodes, lines, *_ = counts.tolist()
    out = np.empty((lines + 1, len(FoundFault._fields)), np.int64)
    opened = np.empty(nodes + 1, np.int64)
    found = library.spinal_faults(
        text, size, _address(kinds), _address(opened), _address(out)
    )
    return [FoundFault(*one) for one in out[:found].tolist()]


def may_comment(text: bytes) -> bool:
    """Whether a line begins as comments do."""
    return bool(CURRENT.functions.spinal_may_comment(text, len(text)))


def has_bracket_word(text: bytes) -> bool:
    """Whether ' ()' or ' ))' is somewhere in a text."""
    return bool(CURRENT.functions.spinal_has_bracket_word(text, len(text)))


# -- brackets ------------------------------------------------------------------------


class FoundBrackets(NamedTuple):
    """Brackets that count, in order, and the nodes that are wrappers."""

    row: Ints
    first: Ints
    last: Ints
    starts: Ints
    label: Ids
    key_label: Ids
    wrapper: Ints
    wrapper_starts: Ints


class _Brackets(_Structure):
    _fields_ = [
        *_arrays("label first last is_leaf node_start"),
        *_numbers("trees"),
        *_arrays("is_comparable word_start word_end phrase_class phrase"),
        ("deleted", _int32),
        *_arrays("row bracket_first bracket_last starts bracket_label key_label"),
        *_arrays("wrapper wrapper_starts"),
        *_numbers("brackets wrappers"),
    ]


def brackets(
    *,
    label: Ids,
    first: Ids,
    last: Ids,
    is_leaf: Flags,
    node_start: Ints,
    is_comparable: Flags,
    word_start: Ints,
    word_end: Ints,
    phrase_class: Ids,
    phrase: Ids,
    deleted: int,
) -> FoundBrackets:
    """The brackets of comparable trees that have words in them."""
    room, trees = label.size - word_start.size, is_comparable.size
    numbers = np.empty((4, room), np.int64)
    ids = np.empty((2, room), np.int32)
    starts = np.empty((2, trees + 1), np.int64)
    found = _Brackets(
        label=label,
        first=first,
        last=last,
        is_leaf=is_leaf,
        node_start=node_start,
        trees=trees,
        is_comparable=is_comparable,
        word_start=word_start,
        word_end=word_end,
        phrase_class=phrase_class,
        phrase=phrase,
        deleted=deleted,
        row=numbers[0],
        bracket_first=numbers[1],
        bracket_last=numbers[2],
        starts=starts[0],
        bracket_label=ids[0],
        key_label=ids[1],
        wrapper=numbers[3],
        wrapper_starts=starts[1],
    )
    CURRENT.functions.spinal_brackets(ctypes.byref(found))
    size = found.brackets
    return FoundBrackets(
        row=numbers[0, :size],
        first=numbers[1, :size],
        last=numbers[2, :size],
        starts=starts[0],
        label=ids[0, :size],
        key_label=ids[1, :size],
        wrapper=numbers[3, : found.wrappers],
        wrapper_starts=starts[1],
    )


# -- derivations ---------------------------------------------------------------------


class FoundFamilies(NamedTuple):
    """Kept nodes, brackets and leaves in one order, and the brackets' productions."""

    parent: Ids  # per node: a bracket, or -1
    position: Ids  # per node: its number among its sisters
    bracket: Ids  # per node: which it is, or -1
    leaf: Ints  # per node: which it is, or -1
    production: Ints  # per bracket; -1 if it is unknown
    has_unknown: bool


class _Families(_Structure):
    _fields_ = [
        *_arrays("row"),
        *_numbers("rows"),
        *_arrays("leaves"),
        *_numbers("leaf_count"),
        *_arrays("label first last leaf_node mixed"),
        ("productions", _Table),
        *_arrays("key production power"),
        *_numbers("unknown"),
        *_arrays("parent position node_bracket node_leaf open"),
        *_numbers("nodes"),
    ]


def families(
    *,
    row: Ints,
    leaves: Ints,
    label: Ids,
    first: Ids,
    last: Ids,
    leaf_node: Ints,
    mixed: Words64,
    productions: KeyColumns,
) -> FoundFamilies:
    """Who is whose child among brackets and leaves; no leaf may stand twice."""
    nodes = row.size + leaves.size
    keys = np.empty((2, row.size), np.uint64)
    production = np.empty(row.size, np.int64)
    ids = np.empty((3, nodes), np.int32)
    leaf = np.empty(nodes, np.int64)
    found = _Families(
        row=row,
        rows=row.size,
        leaves=leaves,
        leaf_count=leaves.size,
        label=label,
        first=first,
        last=last,
        leaf_node=leaf_node,
        mixed=mixed,
        productions=_table(productions),
        key=keys[0],
        production=production,
        power=keys[1],
        parent=ids[0],
        position=ids[1],
        node_bracket=ids[2],
        node_leaf=leaf,
        open=np.empty(row.size, np.int32),
    )
    CURRENT.functions.spinal_families(ctypes.byref(found))
    return FoundFamilies(
        ids[0], ids[1], ids[2], leaf, production, has_unknown=found.unknown > 0
    )


class FoundSpines(NamedTuple):
    """Per bracket: the columns of a derivation."""

    construction: Ids
    head: Ints
    attachment: Ints
    governor: Ints
    is_covered: Flags


class _Spines(_Structure):
    _fields_ = [
        *_numbers("nodes"),
        *_arrays("parent position node_bracket node_leaf production leaf_word"),
        *_arrays("construction_of head_of covered is_recursive construction"),
        *_arrays("head attachment governor is_covered head_leaf top top_simple"),
    ]


def spines(
    found: FoundFamilies,
    *,
    leaf_word: Ints,
    construction_of: Ids,
    head_of: Ids,
    covered: Flags,
    is_recursive: Flags,
) -> FoundSpines:
    """Heads, attachments and governors, once all productions are known."""
    size = found.production.size
    numbers = np.empty((4, size), np.int64)
    tops = np.full((2, leaf_word.size), -1, np.int32)
    columns = FoundSpines(
        construction=np.empty(size, np.int32),
        head=numbers[0],
        attachment=numbers[1],
        governor=numbers[2],
        is_covered=np.empty(size, np.bool_),
    )
    given = _Spines(
        nodes=found.parent.size,
        parent=found.parent,
        position=found.position,
        node_bracket=found.bracket,
        node_leaf=found.leaf,
        production=found.production,
        leaf_word=leaf_word,
        construction_of=construction_of,
        head_of=head_of,
        covered=covered,
        is_recursive=is_recursive,
        construction=columns.construction,
        head=columns.head,
        attachment=columns.attachment,
        governor=columns.governor,
        is_covered=columns.is_covered,
        head_leaf=numbers[3],
        top=tops[0],
        top_simple=tops[1],
    )
    CURRENT.functions.spinal_spines(ctypes.byref(given))
    return columns


# -- words and joins -----------------------------------------------------------------


def words_differ(
    gold: tuple[bytes, Ints, Ints, Ints], parsed: tuple[bytes, Ints, Ints, Ints]
) -> Flags:
    """Which pairs of words differ: of each text the starts, the ends, which are meant.

    Words of both are paired in order.
    """
    words = gold[3].size
    differs = np.empty(words, np.bool_)
    kept = [
        [np.ascontiguousarray(one, np.int64) for one in side[1:]]
        for side in (gold, parsed)
    ]
    CURRENT.functions.spinal_words_differ(
        ctypes.c_char_p(gold[0]),
        *map(_pointer, kept[0]),
        ctypes.c_char_p(parsed[0]),
        *map(_pointer, kept[1]),
        _int64(words),
        _pointer(differs),
    )
    return differs


class _Pairs(_Structure):
    _fields_ = [
        *_arrays("key"),
        *_numbers("gold rows"),
        *_arrays("slots"),
        *_numbers("slot_bits"),
        *_arrays("group golds parseds partner gold_lone parsed_lone crowded"),
        *_numbers("lone crowd"),
    ]


def pairs(key: Ints, gold: int) -> tuple[Ints, Ints, Ints]:
    """Rows that have their key alone with one row of the other side; crowded rows.

    The first `gold` rows are of one side, those after them of the other. Crowded are
    those whose key two rows or more have, but for these pairs.
    """
    bits = max(4, int(2 * key.size).bit_length())
    work = np.empty((4, key.size), np.int32)
    out = np.empty((3, key.size), np.int64)
    found = _Pairs(
        key=key,
        gold=gold,
        rows=key.size,
        slots=np.zeros(1 << bits, np.int32),
        slot_bits=bits,
        group=work[0],
        golds=work[1],
        parseds=work[2],
        partner=work[3],
        gold_lone=out[0],
        parsed_lone=out[1],
        crowded=out[2],
    )
    CURRENT.functions.spinal_pairs(ctypes.byref(found))
    return out[0, : found.lone], out[1, : found.lone], out[2, : found.crowd]


def agree(
    gold_row: Ints,
    parsed_row: Ints,
    columns: list[tuple[npt.NDArray[Any], npt.NDArray[Any]]],
    sizes: tuple[int, int],
) -> tuple[Flags, Flags, Ints]:
    """Of pairs of rows those that agree in some columns: flags, and partners."""
    partner = np.full(sizes[0], -1, np.int64)
    flags = np.zeros(sizes[0], np.bool_), np.zeros(sizes[1], np.bool_)
    kept = [np.ascontiguousarray(one, np.int64) for two in columns for one in two]
    given = [*map(_pointer, kept), *[None] * (2 * MOST_COLUMNS - len(kept))]
    CURRENT.functions.spinal_agree(
        _pointer(gold_row),
        _pointer(parsed_row),
        _int64(gold_row.size),
        *given,
        _pointer(partner),
        *map(_pointer, flags),
    )
    return *flags, partner


def resampled(
    values: npt.NDArray[np.uint32] | npt.NDArray[np.uint8], group: Ids, groups: int
) -> npt.NDArray[np.float32]:
    """Per resample, a row of the values: how often each group is drawn, or chosen.

    Numbers of 32 bits are what is drawn, those of 8 bits say what is chosen.
    """
    out = np.zeros((len(values), groups), np.float32)
    library = CURRENT.functions
    is_drawn = values.dtype == np.uint32
    count = library.spinal_draws if is_drawn else library.spinal_choices
    sizes = _int64(values.shape[0]), _int64(values.shape[1])
    count(_pointer(values), *sizes, _pointer(group), _int64(groups), _pointer(out))
    return out


def _pointer(array: npt.NDArray[Any]) -> ctypes.c_void_p:
    return _array(_address(array))
