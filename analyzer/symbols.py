"""Labels as integers: one table for the whole run, shared by gold and parsed.

Because the table is shared, two treebanks that were read apart can be compared
by their label columns. Entries are only ever added.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Ids = npt.NDArray[np.int32]
Words64 = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]

_KEY_BYTES = 8
_KEEP_BYTES = np.array(
    [(1 << (8 * n)) - 1 for n in range(_KEY_BYTES + 1)], dtype=np.uint64
)
# Fibonacci hashing: the golden ratio in 64 bits spreads similar keys apart.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MAX_SLOT_BITS = 20


class Symbols:
    """Names and their numbers.

    >>> symbols = Symbols()
    >>> symbols.id("NP"), symbols.id("VP"), symbols.id("NP")
    (0, 1, 0)
    >>> symbols.name(1)
    'VP'
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._ids: dict[bytes, int] = {}
        # A hash table in two arrays for names of up to eight bytes: slot -> id,
        # and id -> its bytes as one integer, to verify the hit.
        self._slot_bits = 12
        self._slots: Ids = np.zeros(1 << self._slot_bits, np.int32)
        self._keys: Words64 = np.zeros(0, np.uint64)

    def __len__(self) -> int:
        return len(self._names)

    def id(self, name: str) -> int:
        """The number of a name, given out on first sight."""
        return self._id_of_bytes(name.encode())

    def name(self, number: int) -> str:
        return self._names[number]

    @property
    def names(self) -> list[str]:
        """All names; a name's position is its number."""
        return list(self._names)

    def ids_in(self, text: bytes, starts: Ints, lengths: Ints) -> Ids:
        """The numbers of the names at the given places of a text.

        The text must go on for at least eight bytes after the last start.
        """
        if starts.size == 0:
            return np.zeros(0, np.int32)
        # Eight bytes at each start, read as one integer, cut to the name's length.
        windows = np.ndarray((len(text) - 7,), "<u8", text, strides=(1,))
        keys = windows[starts] & _KEEP_BYTES[np.minimum(lengths, _KEY_BYTES)]
        ids = self._slots[self._slot(keys)]
        if len(self._names):
            unknown = self._keys[ids] != keys
        else:
            unknown = np.ones(keys.size, np.bool_)
        is_short = lengths <= _KEY_BYTES
        if unknown.any():
            # Most unknown names are many times the same few: look each up once.
            short = np.flatnonzero(unknown & is_short)
            _, one_each, which = np.unique(
                keys[short], return_index=True, return_inverse=True
            )
            found = self._look_up(text, starts, lengths, short[one_each])
            ids[short] = np.array(found, np.int32)[which]
        if not is_short.all():
            long = np.flatnonzero(~is_short)
            ids[long] = self._look_up(text, starts, lengths, long)
        return ids

    def column(self, of_name: Callable[[str], int]) -> Ids:
        """A property of every name, as a column to look labels up in."""
        return np.array([of_name(name) for name in self._names], np.int32)

    def _look_up(
        self, text: bytes, starts: Ints, lengths: Ints, rows: Ints
    ) -> list[int]:
        places = zip(starts[rows].tolist(), lengths[rows].tolist(), strict=True)
        return [self._id_of_bytes(text[start : start + n]) for start, n in places]

    def _id_of_bytes(self, name: bytes) -> int:
        number = self._ids.get(name)
        if number is None:
            number = len(self._names)
            self._names.append(name.decode("utf-8", "replace"))
            self._ids[name] = number
            self._index(name, number)
        return number

    def _slot(self, keys: Words64) -> Ints:
        shift = np.uint64(64 - self._slot_bits)
        return ((keys * _SPREAD) >> shift).astype(np.int64)

    def _index(self, name: bytes, number: int) -> None:
        # Long names never match a key of eight bytes without NUL: all ones is safe.
        is_short = len(name) <= _KEY_BYTES
        key = int.from_bytes(name, "little") if is_short else (1 << 64) - 1
        self._keys = np.append(self._keys, np.uint64(key))
        if not is_short:
            return
        slot = int(self._slot(self._keys[-1:])[0])
        taken = number > 0 and self._slot_is_used(slot)
        if taken and self._slot_bits < _MAX_SLOT_BITS:
            self._grow()
        elif not taken:
            self._slots[slot] = number

    def _slot_is_used(self, slot: int) -> bool:
        key = self._keys[self._slots[slot]]
        return bool(self._slot(np.array([key]))[0] == slot)

    def _grow(self) -> None:
        """Make the table larger until no two short names share a slot.

        Names that still collide in the largest table stay correct: they fail the
        verification and are looked up one by one.
        """
        short = np.flatnonzero(self._keys != np.uint64((1 << 64) - 1))
        while self._slot_bits < _MAX_SLOT_BITS:
            self._slot_bits += 2
            slots = self._slot(self._keys[short])
            if np.unique(slots).size == slots.size:
                break
        self._slots = np.zeros(1 << self._slot_bits, np.int32)
        self._slots[slots] = short


SYMBOLS = Symbols()
