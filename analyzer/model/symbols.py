"""Labels as integers: one table for the whole run, shared by gold and parsed.

Because the table is shared, two treebanks that were read apart can be compared
by their label columns. Entries are only ever added.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Ids = npt.NDArray[np.int32]
Words64 = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]

KEY_BYTES = 8
_KEEP_BYTES = np.array(
    [(1 << (8 * n)) - 1 for n in range(KEY_BYTES + 1)], dtype=np.uint64
)
# Fibonacci hashing: the golden ratio in 64 bits spreads similar keys apart.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
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
        return ((key * int(_SPREAD)) & _ALL_BITS) >> (64 - self._slot_bits)

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
        self._short_names = KeyTable()  # names of up to eight bytes, as integers

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
        """The numbers of the names at the given places of a text."""
        if starts.size == 0:
            return np.zeros(0, np.int32)
        keys = first_bytes(text, starts, lengths)
        ids, unknown = self._short_names.look_up(keys)
        is_short = lengths <= KEY_BYTES
        short = np.flatnonzero(unknown & is_short)
        if short.size:
            # Most unknown names are many times the same few: look each up once.
            _, one_each, which = np.unique(
                keys[short], return_index=True, return_inverse=True
            )
            found = self._look_up(text, starts, lengths, short[one_each])
            ids[short] = np.array(found)[which]
        if not is_short.all():
            long = np.flatnonzero(~is_short)
            ids[long] = self._look_up(text, starts, lengths, long)
        return ids.astype(np.int32)

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
            if len(name) <= KEY_BYTES:
                self._short_names.add(int.from_bytes(name, "little"), number)
        return number


SYMBOLS = Symbols()
