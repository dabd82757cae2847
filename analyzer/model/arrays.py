"""Columns as arrays: their types, keys looked up, rows hashed, links followed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

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


def first_bytes(text: bytes, starts: Ints, lengths: Ints) -> Words64:
    """The first eight bytes of each span of a text, or all it has, as one integer."""
    if int(starts.max(initial=0)) + KEY_BYTES > len(text):
        text += bytes(KEY_BYTES)
    windows = np.ndarray((len(text) - KEY_BYTES + 1,), "<u8", text, strides=(1,))
    return windows[starts] & _KEEP_BYTES[np.minimum(lengths, KEY_BYTES)]


class KeyTable:
    """64-bit keys -> numbers, for whole columns of keys at once.

    A hash table in two arrays: slot -> number, and number -> its key, to verify the
    hit. It grows until no two keys share a slot; keys that still do in the largest
    table are reported as unknown, and the caller looks them up one by one.

    Slots hold 64 bits because NumPy indexes by such numbers without converting them.
    """

    def __init__(self) -> None:
        self._slot_bits = 12
        self._slots: Ints = np.zeros(1 << self._slot_bits, np.int64)
        self._keys: Words64 = np.zeros(64, np.uint64)
        self._has_key: Flags = np.zeros(64, np.bool_)

    def look_up(self, keys: Words64) -> tuple[Ints, Flags]:
        """Each key's number, and which keys are unknown (their number is void)."""
        numbers = self._slots[self._slot(keys)]
        unknown = self._keys[numbers] != keys
        if not self._has_key[0]:
            # Slots that nobody took lead to number 0, whose key then looks like 0.
            unknown |= numbers == 0
        return numbers, unknown

    def add(self, key: int, number: int) -> None:
        while number >= self._keys.size:
            self._keys = np.concatenate([self._keys, np.zeros_like(self._keys)])
            self._has_key = np.concatenate(
                [self._has_key, np.zeros_like(self._has_key)]
            )
        self._keys[number] = key
        self._has_key[number] = True
        slot = self._slot_of(key)
        present = int(self._slots[slot])
        is_taken = (
            present != number
            and bool(self._has_key[present])
            and self._slot_of(int(self._keys[present])) == slot
        )
        if not is_taken:
            self._slots[slot] = number
        elif self._slot_bits < _MAX_SLOT_BITS:
            self._grow()

    def _slot_of(self, key: int) -> int:
        """The slot of one key: `_slot` without the cost of making an array."""
        return ((key * _GOLDEN) & _ALL_BITS) >> (64 - self._slot_bits)

    def _slot(self, keys: Words64) -> Ints:
        shift = np.uint64(64 - self._slot_bits)
        return ((keys * _SPREAD) >> shift).view(np.int64)

    def _grow(self) -> None:
        numbers = np.flatnonzero(self._has_key)
        while self._slot_bits < _MAX_SLOT_BITS:
            self._slot_bits += 2
            slots = self._slot(self._keys[numbers])
            if np.unique(slots).size == slots.size:
                break
        self._slots = np.zeros(1 << self._slot_bits, np.int64)
        self._slots[slots] = numbers


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
