"""Rows of two tables that have equal keys: see metrics/join.py."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from analyzer.model.arrays import Flags, Ints
from analyzer.model.kernel.library import (
    ARRAY,
    IDS,
    INT64,
    INTS,
    NUMBERS,
    address,
    functions,
    pointer,
    structure,
)

MOST_COLUMNS = 2  # that `agree` takes


MOST_KEYS = 4  # that `packed` takes

_Columns = ARRAY * MOST_KEYS


class _Packed(ctypes.Structure):
    _fields_ = [
        *((side, _Columns) for side in ("gold", "parsed")),
        *((name, INT64) for name in ("columns", "golds", "parseds")),
        ("key", ARRAY),
        ("fits", INT64),
    ]


def packed(gold: list[npt.NDArray[Any]], parsed: list[npt.NDArray[Any]]) -> Ints | None:
    """Columns of both tables as one number a row, gold's first; None if too large.

    Equal rows give equal numbers, and only those do.
    """
    sides = [
        [np.ascontiguousarray(one, np.int64) for one in side] for side in (gold, parsed)
    ]
    key = np.empty(len(gold[0]) + len(parsed[0]), np.int64)
    found = _Packed(
        *(_Columns(*map(address, side)) for side in sides),
        len(gold),
        len(gold[0]),
        len(parsed[0]),
        address(key),
    )
    functions().spinal_packed(ctypes.byref(found))
    return key if found.fits else None


_Pairs = structure(
    "_Pairs",
    (INTS, "key"),
    (NUMBERS, "gold rows"),
    (IDS, "slots"),
    (NUMBERS, "slot_bits"),
    (IDS, "group golds parseds partner"),
    (INTS, "gold_lone parsed_lone crowded"),
    (NUMBERS, "lone crowd"),
)


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
    functions().spinal_pairs(ctypes.byref(found))
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
    given = [*map(pointer, kept), *[None] * (2 * MOST_COLUMNS - len(kept))]
    functions().spinal_agree(
        pointer(gold_row),
        pointer(parsed_row),
        INT64(gold_row.size),
        *given,
        pointer(partner),
        *map(pointer, flags),
    )
    return *flags, partner
