"""Features as numbers: strings hashed once, and combined as columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]

NOTHING = (1 << 64) - 1  # where there is no feature
_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@lru_cache(maxsize=1 << 18)
def hash_of(text: str) -> int:
    """64 bits that are the same in every process and on every machine."""
    return int.from_bytes(blake2b(text.encode("utf-8"), digest_size=8).digest())


def hashes(texts: Sequence[str]) -> Hashes:
    return np.array([hash_of(text) for text in texts], np.uint64)


def present(column: Hashes, seen: Hashes) -> Hashes:
    """The column, but nothing where nothing was seen."""
    return np.where(seen == np.uint64(NOTHING), np.uint64(NOTHING), column)


def mixed(name: str, *columns: Hashes) -> Hashes:
    """One number for what the columns say together, under a name.

    >>> one, other = hashes(["a", "b"]), hashes(["b", "a"])
    >>> bool((mixed("x", one, other) == mixed("x", other, one)).any())
    False
    """
    found = np.uint64(hash_of(name)) ^ columns[0]
    for at, column in enumerate(columns):
        if at:
            found ^= column
        found *= _ODD  # arrays wrap around without a warning
        found ^= found >> _SHIFT
    return found
