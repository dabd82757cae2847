"""The compiled kernel, where there is one: inner loops in C, called through ctypes.

`hatch_build.py` compiles the C files beside this one when spinal is installed and a C
compiler is there; without one, or with SPINAL_KERNEL=numpy in the environment, NumPy
does the same work. Beside each call stands the NumPy code that does the same.

C trusts what it is given. So parameters are typed as the C source has them (the library
carries its own signatures), and a treebank is sound before its columns get there:
functions that need some take the treebank, and `Treebank.require_sound` has the last
word on it.
"""

from __future__ import annotations

import ctypes
import os
import sys
from binascii import crc32
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from analyzer.model.arrays import Flags, Floats, Ids, Ints, KeyColumns, Words64

if TYPE_CHECKING:
    from analyzer.model.treebank import Treebank

SOURCES = os.path.dirname(__file__)
LIBRARY = os.path.join(SOURCES, "libkernel.dll" if os.name == "nt" else "libkernel.so")

Array = npt.NDArray[Any]
Singles = npt.NDArray[np.float32]


# -- the library -----------------------------------------------------------------------


class UnusableError(Exception):
    """Why a library is not used: it says so in a few words."""


class _Address(ctypes.c_void_p):
    """Where an array begins; the array is kept as long as this is."""

    array: Array


class _ArrayParameter:
    """An array of one type, without gaps: what ctypes asks how to pass one."""

    def __init__(self, dtype: type[np.generic], *, is_written: bool) -> None:
        self._dtype = np.dtype(dtype)
        self._is_written = is_written

    def from_param(self, given: Array | bytes | None) -> _Address | bytes | None:
        """Arrays that are read may be views with gaps, or of a type of that kind: they
        are copied. Those that are written to may not. A text is read as it is."""
        if given is None or (isinstance(given, bytes) and not self._is_written):
            return given
        array: Any = given
        if array.dtype == np.bool_:
            array = array.view(np.uint8)
        if self._is_written:
            if array.dtype != self._dtype or not array.flags.carray:
                raise TypeError(f"no array of {self._dtype} that can be written to")
        elif array.dtype != self._dtype or not array.flags.c_contiguous:
            array = array.astype(self._dtype, order="C", casting="same_kind")
        address = _Address(array.__array_interface__["data"][0])
        address.array = array
        return address


# What C calls them -> what is passed, and what arrays of them hold.
_TYPES: dict[str, tuple[Any, type[np.generic]]] = {
    "int": (ctypes.c_int, np.intc),
    "int32_t": (ctypes.c_int32, np.int32),
    "int64_t": (ctypes.c_int64, np.int64),
    "uint8_t": (ctypes.c_uint8, np.uint8),
    "uint32_t": (ctypes.c_uint32, np.uint32),
    "uint64_t": (ctypes.c_uint64, np.uint64),
    "float": (ctypes.c_float, np.float32),
    "double": (ctypes.c_double, np.float64),
}


def _parameter(declared: str) -> Any:
    """What is passed for a parameter of C: `const int64_t *starts`, `int64_t size`."""
    *words, name = declared.split()
    scalar, array = _TYPES[words[-1]]
    if name.startswith("*"):
        return _ArrayParameter(array, is_written="const" not in words)
    return scalar


class _Kernel:
    """The functions of a library, each typed when it is first called."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Callable[..., Any]:
        text = ctypes.c_char.in_dll(self._library, f"spinal_parameters_{name}")
        declared = ctypes.string_at(ctypes.addressof(text)).decode().split(", ")
        function = self._library[f"spinal_{name}"]
        function.restype = _TYPES[declared[0]][0] if declared[0] != "void" else None
        function.argtypes = [_parameter(kind) for kind in declared[1:]]
        setattr(self, name, function)
        return function


def checksum(folder: str) -> int:
    """Of the C files: a library that was compiled from others is not used."""
    total = 0
    for name in sorted(os.listdir(folder)):
        if name.endswith((".c", ".h")):
            with open(os.path.join(folder, name), "rb") as stream:
                total = crc32(stream.read(), total)
    return total


def load(path: str) -> _Kernel:
    """The functions of the library at a place; UnusableError if it cannot be used."""
    if os.environ.get("SPINAL_KERNEL") == "numpy":
        raise UnusableError("as SPINAL_KERNEL says")
    if sys.byteorder != "little" or not os.path.exists(path):
        raise UnusableError("nothing is compiled")
    try:
        library = ctypes.CDLL(path)
        library.spinal_source.restype = ctypes.c_uint32
        if library.spinal_source() != checksum(SOURCES):
            raise UnusableError(f"{path} was compiled from other sources")
    except (OSError, AttributeError):
        raise UnusableError(f"{path} cannot be loaded") from None
    return _Kernel(library)


class Library:
    """What is loaded; tests put another in its place.

    >>> str(Library("no-such-library.so"))
    'NumPy (nothing is compiled)'
    """

    def __init__(self, path: str = LIBRARY) -> None:
        self.path = path
        self.kernel: Any = None
        self._why_not = "as asked"
        try:
            self.kernel = load(path)
        except UnusableError as why:
            self._why_not = str(why)

    def __str__(self) -> str:
        if self.kernel:
            return f"compiled ({self.path})"
        return f"NumPy ({self._why_not})"


CURRENT = Library()


def has_kernel() -> bool:
    """Whether there are compiled functions; else NumPy does their work."""
    return CURRENT.kernel is not None


def _table(columns: KeyColumns) -> tuple[Array, Array, int, int, int]:
    """A `KeyTable` as C takes it."""
    slots, keys = columns.slots, columns.keys
    return slots, keys, keys.size, columns.slot_bits, int(columns.has_key[0])


# -- texts: their nodes, their lines at fault, what precedes reading them --------------

# Bytes of white space after a text, so that eight can be read at once at its end.
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
    unknown: Ints  # nodes whose label is -1
    unknown_length: Ints  # of their labels
    line_nodes: Ints  # before the end of each line
    line_leaves: Ints


def scan(
    text: bytes, kinds: npt.NDArray[np.uint8], names: KeyColumns, *, by_lines: bool
) -> Scanned | None:
    """The nodes of a text with white space around it; None if it is irregular.

    The text ends with PADDING bytes of white space.
    """
    c, size = CURRENT.kernel, len(text) - PADDING
    nodes, line_ends, has_others, has_nul = _census(text).tolist()
    if has_nul or (has_others and not c.is_utf8(text, size)):
        return None
    label, depth, first, last, open_ = np.empty((5, nodes), np.int32)
    places = np.empty((6, nodes), np.int64)
    by_line = np.empty((2, line_ends), np.int64)
    is_leaf, counts = np.empty(nodes, np.bool_), np.empty(3, np.int64)
    columns = Scanned(label, depth, first, last, is_leaf, *places, *by_line)
    known = _table(names)
    if not c.scan(text, size, kinds, by_lines, *known, *columns, open_, counts):
        return None
    leaves, lines, unknown = counts.tolist()
    return columns._replace(
        leaf_node=columns.leaf_node[:leaves],
        form_start=columns.form_start[:leaves],
        form_end=columns.form_end[:leaves],
        unknown=columns.unknown[:unknown],
        unknown_length=columns.unknown_length[:unknown],
        line_nodes=columns.line_nodes[:lines],
        line_leaves=columns.line_leaves[:lines],
    )


def _census(text: bytes) -> Ints:
    """How many '(' and line ends there are, whether other bytes than ASCII, or 0."""
    counts = np.empty(4, np.int64)
    CURRENT.kernel.census(text, len(text) - PADDING, counts)
    return counts


class RawFault(NamedTuple):
    """A line that is not well formed: places are in the text."""

    line: int  # from 0
    start: int
    end: int
    kind: int  # which of `formats.penn.faults.Kind`, from 1; beyond them: no text
    at: int  # what is at fault: where it starts
    at_end: int
    still_open: int


def faults(text: bytes, kinds: npt.NDArray[np.uint8]) -> list[RawFault]:
    """The first fault of each line of a text, which is as `scan` takes it."""
    nodes, line_ends, *_ = _census(text).tolist()
    rows = np.empty((line_ends + 1, len(RawFault._fields)), np.int64)
    open_ = np.empty(nodes + 1, np.int64)
    size = len(text) - PADDING
    count = CURRENT.kernel.faults(text, size, kinds, open_, rows)
    return [RawFault(*row) for row in rows[:count].tolist()]


def may_comment(text: bytes) -> bool:
    """Whether a line begins as comments do."""
    return bool(CURRENT.kernel.may_comment(text, len(text)))


def line_ends(text: bytes) -> Ints:
    """The places after line ends."""
    places = np.empty(count_line_ends(text), np.int64)
    CURRENT.kernel.line_ends(text, len(text), places)
    return places


def count_line_ends(text: bytes) -> int:
    """How many line ends there are."""
    return int(CURRENT.kernel.line_ends(text, len(text), None))


def has_bracket_word(text: bytes) -> bool:
    """Whether ' ()' or ' ))' is somewhere in a text."""
    return bool(CURRENT.kernel.has_bracket_word(text, len(text)))


# -- words that are compared: see pairing/words.py -------------------------------------


class Words(Protocol):
    """One side of what is compared (`pairing.words.Side`)."""

    @property
    def bank(self) -> Treebank: ...
    @property
    def leaves(self) -> Ints: ...  # those that are compared
    @property
    def starts(self) -> Ints: ...  # where each tree's begin


def kept(bank: Treebank, deletes: Flags) -> tuple[Ints, Ints]:
    """The leaves whose labels are not deleted, and where each tree's begin."""
    bank.require_sound()
    leaves, starts = np.empty_like(bank.leaf_node), np.empty_like(bank.leaf_start)
    given = bank.label, bank.leaf_node, bank.leaf_start, len(bank), deletes
    count = CURRENT.kernel.kept(*given, leaves, starts)
    return leaves[:count], starts


def trees_differ(gold: Words, parsed: Words, is_asked: Flags) -> Flags:
    """Of trees that have as many words on both sides, those with words that differ.

    Trees that are not asked for do not differ.
    """
    differs = np.empty(is_asked.size, np.bool_)
    columns: list[Any] = []
    for side in (gold, parsed):
        bank = side.bank
        bank.require_sound()
        columns += bank.text, bank.form_start, bank.form_end, side.leaves, side.starts
    CURRENT.kernel.trees_differ(*columns, is_asked.size, is_asked, differs)
    return differs


def positions(side: Words, is_comparable: Flags) -> tuple[Ints, Ints]:
    """Per leaf the number of the word that it is, and of the next one."""
    bank = side.bank
    bank.require_sound()
    start, end = np.empty_like(bank.leaf_node), np.zeros_like(bank.leaf_node)
    trees = side.leaves, side.starts, bank.leaf_start, is_comparable.size
    CURRENT.kernel.positions(*trees, is_comparable, start, end)
    return start, end


def equal_tags(gold: Words, parsed: Words, is_comparable: Flags, classes: Ids) -> Ints:
    """Per comparable tree, the words that have tags of one class on both sides."""
    equal = np.empty(is_comparable.size, np.int64)
    columns: list[Array] = []
    for side in (gold, parsed):
        bank = side.bank
        bank.require_sound()
        columns += bank.label, bank.leaf_node, side.leaves, side.starts
    trees = is_comparable.size
    CURRENT.kernel.equal_tags(*columns, trees, is_comparable, classes, equal)
    return equal


# -- brackets: see derivation/brackets.py and metrics/brackets.py ----------------------


def brackets(
    bank: Treebank,
    is_comparable: Flags,
    words: tuple[Ints, Ints],
    labels: tuple[Ids, Ids],
    deleted: int,
) -> tuple[Ints, Ints, Ints, Ids, Ids, Ints, Ints, Ints]:
    """The brackets of comparable trees that have words in them.

    `words` are what `positions` gives; `labels` are, per label, its class and the label
    without function tags. Of brackets: the row, the first and last word, label and
    class; where each tree's begin. The rows of wrappers; where each tree's begin.
    """
    bank.require_sound()
    room = bank.label.size - bank.leaf_node.size
    *columns, wrapper = np.empty((4, room), np.int64)
    ids = np.empty((2, room), np.int32)
    starts, wrapper_starts = np.empty((2, len(bank) + 1), np.int64)
    counts = np.empty(2, np.int64)
    nodes = bank.label, bank.first, bank.last, bank.is_leaf, bank.node_start, len(bank)
    written = (*columns, *ids, starts, wrapper, wrapper_starts, counts)
    CURRENT.kernel.brackets(*nodes, is_comparable, *words, *labels, deleted, *written)
    size, wrappers = counts.tolist()
    row, first, last = (column[:size] for column in columns)
    label, label_class = ids[:, :size]
    return (
        *(row, first, last, label, label_class, starts),
        *(wrapper[:wrappers], wrapper_starts),
    )


def crossing(
    gold: tuple[Ints, Ints], parsed: tuple[Ints, Ints], is_asked: Flags
) -> Flags:
    """Which parsed brackets cross one of gold: of each side the firsts and the lasts.

    Larger brackets stand before those in them.
    """
    words = int(max(gold[1].max(initial=0), parsed[1].max(initial=0))) + 1
    ends, starts = np.zeros(words, np.int64), np.full(words, words, np.int64)
    crosses = np.empty(is_asked.size, np.bool_)
    sides = *gold, gold[0].size, *parsed, parsed[0].size
    CURRENT.kernel.crossing(*sides, is_asked, ends, starts, crosses)
    return crosses


# -- derivations: see derivation/columns.py --------------------------------------------


class ParentColumns(NamedTuple):
    """Kept nodes, brackets and leaves in one order, and the brackets' productions."""

    parent: Ids  # per node: a bracket, or -1
    position: Ids  # per node: its number among its sisters
    bracket: Ids  # per node: which it is, or -1
    leaf: Ints  # per node: which it is, or -1
    production: Ints  # per bracket; -1 if it is unknown
    has_unknown: bool
    # Per mark: its bracket, so many children before it, its kind. Empty if the
    # productions of all brackets that have marks are known: these have them already.
    marks: tuple[Ids, Ids, Ids]


def parents(
    bank: Treebank,
    row: Ints,
    leaves: Ints,
    label: Ids,
    mixed: Words64,
    productions: KeyColumns,
    kinds: Ids | None,
    marked: tuple[KeyColumns, Ints],
) -> ParentColumns:
    """Who is whose child among brackets and leaves; no leaf may stand twice.

    Labels are the nodes', as patterns know them. Marks are punctuation that was
    deleted, below brackets whose patterns see it: see `Labeller.mark_kinds` and
    `Labeller.marked_keys`.
    """
    bank.require_sound()
    nodes, everything = row.size + leaves.size, bank.leaf_node.size
    production, open_ = np.empty(row.size, np.int64), np.empty(row.size, np.int32)
    keys = np.empty((2, row.size), np.uint64)
    parent, position, bracket = np.empty((3, nodes), np.int32)
    leaf, size = np.empty(nodes, np.int64), np.zeros(1, np.int64)
    most = 0 if kinds is None else everything - leaves.size
    owner, place, kind = np.empty((3, most), np.int32)
    slots, marked_keys, room, *others = _table(marked[0])
    # Another thread may add keys meanwhile, whose productions are not in `marked`.
    room = min(room, marked[1].size)
    unknown = CURRENT.kernel.parents(
        *(row, row.size, leaves, leaves.size, everything),
        *(label, bank.first, bank.last, bank.leaf_node, mixed, *_table(productions)),
        *(kinds, slots, marked_keys, room, *others, marked[1]),
        *(production, *keys, open_, np.zeros(row.size if most else 0, np.uint64)),
        *(parent, position, bracket, leaf),
        *(owner, place, kind, np.empty(most, np.int64), size),
    )
    marks = owner[: size[0]], place[: size[0]], kind[: size[0]]
    return ParentColumns(
        parent, position, bracket, leaf, production, unknown > 0, marks
    )


def spines(
    columns: ParentColumns,
    leaf_word: Ints,
    productions: tuple[Ids, Ids, Flags],
    is_recursive: Flags,
) -> tuple[Ids, Ints, Ints, Ints, Flags]:
    """Heads and attachments, once all productions are known.

    Of productions: construction, head child, whether a pattern matches. Per bracket:
    construction, head, attachment, governor, whether a pattern matches.
    """
    size = columns.production.size
    construction, is_covered = np.empty(size, np.int32), np.empty(size, np.bool_)
    head, attachment, governor, head_leaf = np.zeros((4, size), np.int64)
    tops = np.full((2, leaf_word.size), -1, np.int32)
    CURRENT.kernel.spines(
        *(columns.parent.size, *columns[:5], leaf_word, *productions, is_recursive),
        *(construction, head, attachment, governor, is_covered, head_leaf, *tops),
    )
    return construction, head, attachment, governor, is_covered


def count_bits(cell: Array, code: Ids, counts: Ids) -> None:
    """Add to counts (cells x bits) how often each bit is set, by the cells of rows."""
    CURRENT.kernel.count_bits(cell, code, code.size, counts.shape[1], counts)


def sum_rows(cell: Array, values: Array, sums: Ints) -> None:
    """Add rows of numbers to sums (cells x columns), by the cells of the rows."""
    CURRENT.kernel.sum_rows(cell, values, *values.shape, sums)


# -- rows of two tables that have equal keys: see metrics/join.py ----------------------

MOST_COLUMNS = 2  # that `agree` takes


def packed(gold: Sequence[Array], parsed: Sequence[Array]) -> Ints | None:
    """Columns of both tables as one number a row, gold's first; None if too large.

    Equal rows give equal numbers, and only those do.
    """
    key = np.zeros(len(gold[0]) + len(parsed[0]), np.int64)
    room = np.ones(1, np.int64)
    for left, right in zip(gold, parsed, strict=True):
        sides = left, len(left), right, len(right)
        if not CURRENT.kernel.add_key(*sides, room, key):
            return None
    return key


def pairs(key: Ints, gold: int) -> tuple[Ints, Ints, Ints]:
    """Rows that have their key alone with one row of the other side; crowded rows.

    The first `gold` rows are of one side, those after them of the other. Crowded are
    those whose key two rows or more have, but for these pairs.
    """
    bits = max(4, int(2 * key.size).bit_length())
    slots, work = np.zeros(1 << bits, np.int32), np.empty((4, key.size), np.int32)
    gold_lone, parsed_lone, crowded = written = np.empty((3, key.size), np.int64)
    counts = np.empty(2, np.int64)
    CURRENT.kernel.pairs(key, gold, key.size, slots, bits, *work, *written, counts)
    lone, crowd = counts.tolist()
    return gold_lone[:lone], parsed_lone[:lone], crowded[:crowd]


def agree(
    gold_row: Ints,
    parsed_row: Ints,
    columns: Sequence[tuple[Array, Array]],
    sizes: tuple[int, int],
) -> tuple[Flags, Flags, Ints]:
    """Of pairs of rows those that agree in some columns: flags, and partners."""
    partner = np.full(sizes[0], -1, np.int64)
    flags = np.zeros(sizes[0], np.bool_), np.zeros(sizes[1], np.bool_)
    compared = [*columns, *[(None, None)] * MOST_COLUMNS][:MOST_COLUMNS]
    (left, right), (left_2, right_2) = compared
    given = gold_row, parsed_row, gold_row.size, left, right, left_2, right_2
    CURRENT.kernel.agree(*given, partner, *flags)
    return *flags, partner


# -- sentences that are drawn, or chosen: see metrics/significance.py --------


_GUIDES = 512  # as in the C source


def sums_drawn(
    rows: Ints,
    times: Ints,
    *,
    hits: Floats,
    fewest_hits: int,
    chances: Floats,
    starts: Ints,
    which: Ints,
    start: int,
    resamples: int,
) -> Floats:
    """Sums of the counts of sentences drawn with replacement (metrics/significance.py).

    A row has four counts.
    """
    kind_of = np.repeat(np.arange(times.size, dtype=np.int32), times)
    guides = [_guide(chances[a:b]) for a, b in pairwise(starts.tolist())]
    sums = np.empty((resamples, 4))
    CURRENT.kernel.drawn(
        *(rows, times.size, kind_of, kind_of.size, hits, hits.size - 1, fewest_hits),
        *(chances, starts, which, _guide(hits), np.concatenate(guides), start),
        *(resamples, np.empty(resamples, np.uint64), np.empty(resamples, np.int64)),
        sums,
    )
    return sums


def _guide(chances: Floats) -> Ids:
    """Where to begin to look, for each of so many parts of what is from 0 to 1."""
    parts = np.arange(_GUIDES) / _GUIDES
    return np.searchsorted(chances[:-1], parts, side="right").astype(np.int32)


def sums_swapped(rows: Ints, times: Ints, start: int, resamples: int) -> Floats:
    """Sums of the counts of sentences that are chosen with probability one half."""
    sums = np.zeros((resamples, rows.shape[1]))
    CURRENT.kernel.swapped(rows, *rows.shape, times, start, resamples, sums)
    return sums


# -- contexts of choices by number, what was chosen in them: see checks/experts.py -----


def context(columns: Sequence[npt.NDArray[np.integer] | Flags]) -> Words64:
    """One number for what several columns of a length say together."""
    hashed = np.zeros(columns[0].size, np.uint64)
    for number, column in enumerate(columns):
        CURRENT.kernel.add_context(column, hashed.size, number, hashed)
    return hashed


def recurring(slot: Ids, table: Ids) -> Ids:
    """A number for each slot that occurs twice or more, from 1 on; 0 for others.

    The table is room to work in, an entry for each slot.
    """
    row = np.empty(slot.size, np.int32)
    CURRENT.kernel.rows(slot, slot.size, table, table.size, row)
    return row


def choice_counts(row: Ids, chosen: Ints, shape: tuple[int, int]) -> Singles:
    """How often each class was chosen in each context."""
    counts = np.zeros(shape, np.float32)
    CURRENT.kernel.counts(row, chosen, row.size, shape[1], counts)
    return counts


def add_rows(sums: Singles, table: Singles, row: Ids) -> None:
    """Add a row of the table to each of the sums; none of them has gaps."""
    CURRENT.kernel.add_rows(sums, *sums.shape, table, row)
