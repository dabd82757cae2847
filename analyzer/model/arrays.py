"""Columns as arrays: their types, keys looked up, rows hashed, links followed.

And who is whose parent, from depths; whether results that hold arrays are equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Ints = npt.NDArray[np.int64]
Ids = npt.NDArray[np.int32]
Words64 = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

KEY_BYTES = 8
_KEEP_BYTES = np.array(
    [(1 << (8 * n)) - 1 for n in range(KEY_BYTES + 1)], dtype=np.uint64
)
# The golden ratio in 64 bits spreads similar keys apart (Fibonacci hashing). It is odd,
# and so has an inverse modulo 2 ** 64.
_GOLDEN = 0x9E3779B97F4A7C15
_SPREAD = np.uint64(_GOLDEN)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_ALL_BITS = (1 << 64) - 1
_MAX_SLOT_BITS = 20
_ROOM_FOR_EACH = 8  # entries of a look-up table for each value that is looked up


def first_bytes(text: bytes, starts: Ints, lengths: Ints) -> Words64:
    """The first eight bytes of each span of a text, or all it has, as one integer."""
    if int(starts.max(initial=0)) + KEY_BYTES > len(text):
        text += bytes(KEY_BYTES)
    windows = np.ndarray((len(text) - KEY_BYTES + 1,), "<u8", text, strides=(1,))
    return windows[starts] & _KEEP_BYTES[np.minimum(lengths, KEY_BYTES)]


class KeyColumns(NamedTuple):
    """The arrays of a `KeyTable`: they fit together, and are replaced together."""

    slot_bits: int
    slots: Ints  # -> number
    keys: Words64  # of each number, to verify a hit
    has_key: Flags

    def slot_of(self, key: int) -> int:
        """The slot of one key: `slots_of` without the cost of making an array."""
        return ((key * _GOLDEN) & _ALL_BITS) >> (64 - self.slot_bits)

    def slots_of(self, keys: Words64) -> Ints:
        shift = np.uint64(64 - self.slot_bits)
        return ((keys * _SPREAD) >> shift).view(np.int64)

    def with_more_numbers(self) -> KeyColumns:
        """Room for twice as many numbers."""
        return self._replace(
            keys=np.concatenate([self.keys, np.zeros_like(self.keys)]),
            has_key=np.concatenate([self.has_key, np.zeros_like(self.has_key)]),
        )

    def with_more_slots(self) -> KeyColumns:
        """So many slots that no two keys share one, or as many as there may be."""
        numbers = np.flatnonzero(self.has_key)
        larger = self
        while larger.slot_bits < _MAX_SLOT_BITS:
            larger = larger._replace(slot_bits=larger.slot_bits + 2)
            taken = larger.slots_of(self.keys[numbers])
            if np.diff(np.sort(taken)).all():  # no two are equal
                break
        slots = np.zeros(1 << larger.slot_bits, np.int64)
        slots[taken] = numbers
        return larger._replace(slots=slots)


class KeyTable:
    """64-bit keys -> numbers, for whole columns of keys at once.

    A hash table in two arrays: slot -> number, and number -> its key, to verify the
    hit. It grows until no two keys share a slot; keys that still do in the largest
    table are reported as unknown, and the caller looks them up one by one.

    Slots hold 64 bits because NumPy indexes by such numbers without converting them.

    Any number of threads may look keys up while one adds some: each reads columns that
    fit together, and a key is there before a slot leads to it. Two threads must not add
    at the same time.
    """

    def __init__(self) -> None:
        bits, room = 12, 64
        self._columns = KeyColumns(
            bits,
            np.zeros(1 << bits, np.int64),
            np.zeros(room, np.uint64),
            np.zeros(room, np.bool_),
        )

    @property
    def columns(self) -> KeyColumns:
        """The arrays as they are now; see above for who may read them."""
        return self._columns

    def look_up(self, keys: Words64) -> tuple[Ints, Flags]:
        """Each key's number, and which keys are unknown (their number is void)."""
        columns = self._columns
        # A slot that nobody took leads to number 0, whose key is 0 if it has none.
        first_has_key = columns.has_key[0]
        numbers = columns.slots[columns.slots_of(keys)]
        # Another thread may meanwhile have put a number there that these keys are too
        # short for: it is clipped to one whose key is another, and so is unknown.
        unknown = columns.keys.take(numbers, mode="clip") != keys
        if not first_has_key:
            unknown |= numbers == 0
        return numbers, unknown

    def add(self, key: int, number: int) -> None:
        columns = self._columns
        while number >= columns.keys.size:
            columns = columns.with_more_numbers()
        columns.keys[number] = key
        columns.has_key[number] = True
        slot = columns.slot_of(key)
        present = int(columns.slots[slot])
        is_taken = (
            present != number
            and bool(columns.has_key[present])
            and columns.slot_of(int(columns.keys[present])) == slot
        )
        if not is_taken:
            columns.slots[slot] = number
        elif columns.slot_bits < _MAX_SLOT_BITS:
            columns = columns.with_more_slots()
        self._columns = columns

    def add_many(self, keys: Sequence[int], numbers: Sequence[int]) -> None:
        """Keys and their numbers, all of them new; as `add` for each, but quicker."""
        if not keys:
            return
        columns = self._columns
        while max(numbers) >= columns.keys.size:
            columns = columns.with_more_numbers()
        number, key = np.array(numbers, np.int64), np.array(keys, np.uint64)
        columns.keys[number] = key
        columns.has_key[number] = True
        slot = columns.slots_of(key)
        present = columns.slots[slot]
        is_taken = columns.has_key[present] & (present != number)
        is_taken &= columns.slots_of(columns.keys[present]) == slot
        if not is_taken.any() and np.diff(np.sort(slot)).all():
            columns.slots[slot] = number
        elif columns.slot_bits < _MAX_SLOT_BITS:
            columns = columns.with_more_slots()
        else:
            columns.slots[slot[~is_taken]] = number[~is_taken]
        self._columns = columns


def number_densely(values: Ids | Ints) -> tuple[Ints, Ints]:
    """The distinct values in order, and for each value which of them it is.

    As `np.unique`, but it sorts only where values are large for their number: the cost
    is in proportion to how many there are, not to how large they are.

    >>> distinct, which = number_densely(np.array([7, 3, 7]))
    >>> distinct.tolist(), which.tolist()
    ([3, 7], [1, 0, 1])
    """
    most = int(values.max(initial=-1)) + 1
    if most > _ROOM_FOR_EACH * values.size:
        distinct, which = np.unique(values, return_inverse=True)
        return distinct.astype(np.int64), which
    is_there = np.zeros(most, np.bool_)
    is_there[values] = True
    before = np.cumsum(is_there, dtype=np.int32)
    return np.flatnonzero(is_there), before[values] - np.int64(1)


def in_order(values: Ints) -> tuple[Ints, Ints]:
    """Values from 0 on in order, and where each was; equal ones stay as they were.

    >>> in_order(np.array([7, 3, 7]))
    (array([3, 7, 7]), array([1, 0, 2]))
    """
    bits = values.size.bit_length()
    if int(values.max(initial=0)) >> (63 - bits):
        order = np.argsort(values, kind="stable")
        return values[order], order
    # Numbers are sorted in half the time that it takes to say where they were; so each
    # says it itself.
    packed = values << bits
    packed |= np.arange(values.size)
    packed.sort()
    return packed >> bits, packed & ((1 << bits) - 1)


def first_places(which: Ints) -> Ints:
    """Where each of the numbers from 0 on is first; all of them occur.

    >>> first_places(np.array([1, 0, 1])).tolist()
    [1, 0]
    """
    places = np.empty(int(which.max(initial=-1)) + 1, np.int64)
    places[which[::-1]] = np.arange(which.size)[::-1]  # what is assigned last, stays
    return places


def begins(column: Ints | Ids) -> Flags:
    """Where a column has another value than in the row before.

    >>> begins(np.array([7, 7, 3])).tolist()
    [True, False, True]
    """
    return np.append(True, column[1:] != column[:-1])[: column.size]


def mix(values: Words64) -> Words64:
    """Numbers spread over 64 bits (splitmix64), so that their sums do not collide."""
    value = (values + np.uint64(1)) * _SPREAD
    value = (value ^ (value >> np.uint64(30))) * _MIX_1
    value = (value ^ (value >> np.uint64(27))) * _MIX_2
    return value ^ (value >> np.uint64(31))


def powers(count: int) -> Words64:
    """The first powers of the base that rows are hashed with, from 1 on.

    A row's hash is the sum of its mixed numbers, each times the next power. Where
    powers run on through all rows, `inverse_powers` takes a sum back to its start.
    """
    return _powers(_GOLDEN, count)


def inverse_powers(count: int) -> Words64:
    """What takes each of the `powers` back to 1."""
    return _powers(pow(_GOLDEN, -1, 1 << 64), count)


def _powers(base: int, count: int) -> Words64:
    factors = np.full(count, base, np.uint64)
    factors[:1] = 1
    return np.cumprod(factors, dtype=np.uint64)


def run_hashes(values: Ids | Ints, starts: Ints) -> Words64:
    """A hash of each run of values; runs begin at these places, the first at 0.

    >>> first, second, _ = run_hashes(np.array([7, 3, 7, 3, 3]), np.array([0, 2, 4]))
    >>> bool(first == second)
    True
    """
    sizes = np.diff(np.append(starts, values.size))
    step = np.arange(values.size) - np.repeat(starts, sizes)
    power = powers(int(step.max(initial=0)) + 1)[step]
    mixed = mix(values.astype(np.uint64)) * power
    return np.add.reduceat(mixed, starts) if starts.size else mixed


def follow_links(link: Ints) -> Ints:
    """Where each link leads in the end: links are followed two at a time.

    >>> follow_links(np.array([0, 0, 1, 2])).tolist()
    [0, 0, 0, 0]
    """
    while True:
        further = link[link]
        if np.array_equal(further, link):
            return link
        link = further


def sums_between(values: Ints | Flags | Ids, starts: Ints) -> Ints:
    """Sums of the values from each start up to the next.

    >>> sums_between(np.array([1, 2, 3]), np.array([0, 1, 1, 3])).tolist()
    [1, 0, 5]
    """
    running = np.zeros(values.size + 1, np.int64)
    np.cumsum(values, out=running[1:])
    return np.diff(running[starts])


def any_between(flags: Flags, first: Ints | Ids, last: Ints | Ids) -> Flags:
    """Whether any of the flags from each first up to its last is true.

    >>> flags = np.array([True, False, True])
    >>> any_between(flags, np.array([0, 1]), np.array([2, 2])).tolist()
    [True, False]
    """
    before = np.append(0, np.cumsum(flags))
    result: Flags = before[last] > before[first]
    return result


def flags_at(size: int, places: Any) -> Flags:
    """So many flags, which are true at some places.

    >>> flags_at(3, [1]).tolist()
    [False, True, False]
    """
    flags = np.zeros(size, np.bool_)
    flags[places] = True
    return flags


def ranges(starts: Ints, sizes: Ints) -> Ints:
    """So many numbers from each start on.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = np.cumsum(sizes) - sizes
    numbers: Ints = np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)
    return numbers


# -- parents, from the depths of nodes in pre-order ------------------------------------


def parents_and_levels(depth: Ids) -> tuple[Ints, Ints]:
    """The parent of each node of a table in pre-order, and all nodes level by level."""
    parent, child, _ = parents(depth)
    return parent, np.concatenate([np.flatnonzero(parent < 0), child])


class Parents(NamedTuple):
    """Who is whose child, in a table in pre-order."""

    parent: Ints  # per node; -1 for a root
    child: Ints  # all that are no roots: level by level, sisters together, in order
    starts: Ints  # where in `child` each phrase's children start


def parents(depth: Ids) -> Parents:
    """The parents and children of nodes in pre-order, from their depths.

    A first child comes right after its parent. In the order by level, the other
    children come right after the first one.
    """
    by_level = np.argsort(narrowest(depth), kind="stable")
    is_first = np.zeros(depth.size, np.bool_)
    is_first[1:] = depth[1:] > depth[:-1]
    starts = np.flatnonzero(is_first[by_level])
    roots = int(starts[0]) if starts.size else by_level.size  # they come before all
    child = by_level[roots:]
    starts -= roots
    parent = np.full(depth.size, -1, np.int64)
    sizes = np.diff(starts, append=child.size)
    parent[child] = np.repeat(child[starts] - 1, sizes)
    return Parents(parent, child, starts)


def narrowest(column: Ids) -> np.ndarray:
    """The column in the narrowest type that holds it.

    NumPy sorts 8- and 16-bit integers by radix, in linear time.
    """
    largest = int(column.max(initial=0))
    return column.astype(np.min_scalar_type(largest))


# -- equality of results that hold arrays ----------------------------------------------


class Value:
    """Base of data classes (`eq=False`) whose fields may hold arrays.

    Two are equal if they are of one class and all their fields are.
    """

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        compared = [field.name for field in fields(self) if field.compare]  # type: ignore[arg-type]
        return all(
            same_value(getattr(self, name), getattr(other, name)) for name in compared
        )

    # They may be added to, and arrays have no hash.
    __hash__ = None  # type: ignore[assignment]


class Shown:
    """Base of results that a notebook shows by their views."""

    def _repr_html_(self) -> str:
        from reports.views import result_html

        return result_html(self)

    def plot(self, name: str | None = None) -> Axes:
        """A plot of it, by its name if it has several; matplotlib's axes.

        `axes.figure` is the figure, as for `axes.figure.savefig("plot.pdf")`.
        """
        from reports.views import plot_of

        return plot_of(self, name)


def same_value(a: Any, b: Any) -> bool:
    """Whether two values are equal, arrays within them included.

    >>> same_value([(1, np.arange(2))], [(1, np.arange(2))])
    True
    >>> same_value({"a": np.arange(2)}, {"a": np.arange(3)})
    False
    """
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and np.array_equal(
            a, b, equal_nan=a.dtype.kind == "f"
        )
    if isinstance(a, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same_value, a, b))
    if isinstance(a, Mapping):
        return (
            isinstance(b, Mapping)
            and a.keys() == b.keys()
            and all(same_value(value, b[key]) for key, value in a.items())
        )
    return bool(a == b)
