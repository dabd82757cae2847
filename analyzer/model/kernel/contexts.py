"""Contexts of choices by number, what was chosen in them: see checks/experts.py."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from analyzer.model.arrays import Flags, Ids, Ints, Words64
from analyzer.model.kernel.library import ARRAY, INT64, address, functions, pointer

Singles = npt.NDArray[np.float32]


def context(columns: Sequence[npt.NDArray[np.integer] | Flags]) -> Words64:
    """One number for what several columns of a length say together."""
    given = [np.ascontiguousarray(column, np.int64) for column in columns]
    hashed = np.empty(given[0].size, np.uint64)
    functions().spinal_context(
        (ARRAY * len(given))(*map(address, given)),
        INT64(len(given)),
        INT64(hashed.size),
        pointer(hashed),
    )
    return hashed


def rows(slot: Ids, table: Ids) -> Ids:
    """A number for each slot that occurs twice or more, from 1 on; 0 for others.

    The table is room to work in, an entry for each slot.
    """
    slot, row = np.ascontiguousarray(slot), np.empty(slot.size, np.int32)
    functions().spinal_rows(
        pointer(slot), INT64(slot.size), pointer(table), INT64(table.size), pointer(row)
    )
    return row


def counts(row: Ids, chosen: Ints, shape: tuple[int, int]) -> Singles:
    """How often each class was chosen in each context."""
    found = np.zeros(shape, np.float32)
    chosen = np.ascontiguousarray(chosen, np.int64)
    functions().spinal_counts(
        pointer(row), pointer(chosen), INT64(row.size), INT64(shape[1]), pointer(found)
    )
    return found


def add_rows(sums: Singles, table: Singles, row: Ids) -> None:
    """Add a row of the table to each of the sums; none of them has gaps."""
    functions().spinal_add_rows(
        pointer(sums),
        INT64(len(sums)),
        INT64(sums.shape[1]),
        pointer(table),
        pointer(row),
    )
