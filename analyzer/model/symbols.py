"""Labels as integers: one table for the whole run, shared by gold and parsed.

Because the table is shared, two treebanks that were read apart can be compared
by their label columns. Entries are only ever added, so what a call costs must go by the
labels that it meets, never by the length of the table.

Threads share the table. Names that are known are looked up without a lock; new ones are
added one at a time, under a lock that all tables of numbers have in common.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import RLock

import numpy as np
import numpy.typing as npt

from analyzer.model.arrays import (
    KEY_BYTES,
    Ids,
    Ints,
    KeyColumns,
    KeyTable,
    first_bytes,
    number_densely,
)

# Held by whoever adds to a table that gives out numbers. A process that is forked while
# another thread adds would wait for that thread for ever, hence the last lines.
ADDING = RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=ADDING.acquire,
        after_in_parent=ADDING.release,
        after_in_child=ADDING.release,
    )


# A key says nothing of zero bytes that a name ends in: per length, from which key on
# it is that of a name without.
_LEAST_KEYS = np.array([0, *(1 << 8 * n for n in range(KEY_BYTES))], np.uint64)


class Symbols:
    """Names and their numbers.

    >>> symbols = Symbols()
    >>> symbols.id("NP"), symbols.id("VP"), symbols.id("NP"), symbols.id("NP\\0")
    (0, 1, 0, 2)
    >>> symbols.name(1)
    'VP'
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._ids: dict[bytes, int] = {}
        # Names of up to eight bytes, as integers; none that ends in a zero byte.
        self._short_names = KeyTable()

    def __len__(self) -> int:
        return len(self._names)

    def id(self, name: str) -> int:
        """The number of a name, given out on first sight."""
        # Half a surrogate pair is no text, but may be a label of somebody's objects.
        return self._id_of_bytes(name.encode("utf-8", "surrogatepass"))

    def name(self, number: int) -> str:
        return self._names[number]

    def ids_in(self, text: bytes, starts: Ints, lengths: Ints) -> Ids:
        """The numbers of the names at the given places of a text."""
        if starts.size == 0:
            return np.zeros(0, np.int32)
        keys = first_bytes(text, starts, lengths)
        ids, unknown = self._short_names.look_up(keys)
        is_short = lengths <= KEY_BYTES
        is_short &= keys >= _LEAST_KEYS[np.minimum(lengths, KEY_BYTES)]
        short = np.flatnonzero(unknown & is_short)
        if short.size:
            # Most unknown names are many times the same few: look each up once.
            _, one_each, which = np.unique(
                keys[short], return_index=True, return_inverse=True
            )
            numbers = self._look_up(text, starts, lengths, short[one_each])
            ids[short] = np.array(numbers)[which]
        if not is_short.all():
            long = np.flatnonzero(~is_short)
            ids[long] = self._look_up(text, starts, lengths, long)
        return ids.astype(np.int32)

    @property
    def short_names(self) -> KeyColumns:
        """Names of up to eight bytes, as integers, and their numbers."""
        return self._short_names.columns

    def _look_up(
        self, text: bytes, starts: Ints, lengths: Ints, rows: Ints
    ) -> list[int]:
        places = zip(starts[rows].tolist(), lengths[rows].tolist(), strict=True)
        return [self._id_of_bytes(text[start : start + n]) for start, n in places]

    def _id_of_bytes(self, name: bytes) -> int:
        number = self._ids.get(name)
        if number is not None:
            return number
        with ADDING:
            number = self._ids.get(name)  # another thread may have been quicker
            if number is None:
                number = len(self._names)
                self._names.append(name.decode("utf-8", "surrogatepass"))
                if len(name) <= KEY_BYTES and not name.endswith(b"\0"):
                    self._short_names.add(int.from_bytes(name, "little"), number)
                self._ids[name] = number
            return number


SYMBOLS = Symbols()


def by_name(
    numbers: Ids | Ints, value: Callable[[str], object], dtype: npt.DTypeLike
) -> np.ndarray:
    """What a function makes of the name of each symbol; it is asked once for each.

    >>> labels = np.array([SYMBOLS.id(name) for name in ("NP", "S", "NP")])
    >>> by_name(labels, len, np.int64).tolist()
    [2, 1, 2]
    """
    used, which = number_densely(numbers)
    values = [value(SYMBOLS.name(number)) for number in used.tolist()]
    return np.array(values, dtype)[which]
