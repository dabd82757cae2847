"""The one join behind every score: the multiset intersection of two tables.

Rows are joined on a key of one or more integer columns. Which columns is all
that tells one score from another (see the table in docs/scores.md).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.symbols import Flags, Ints

_LARGEST_KEY = np.iinfo(np.int64).max
_Column = npt.NDArray[np.integer]
Key = list[_Column]  # the columns that rows are joined on


class Matches(NamedTuple):
    """Which rows found a partner, and which partner the gold ones found."""

    gold: Flags
    parsed: Flags
    partner: Ints  # per gold row: the parsed row, -1 if none


def match(gold: Key, parsed: Key) -> Matches:
    """Pair the rows of two tables that have equal keys, each row at most once.

    Of several rows with the same key, the first gold one is paired with the first
    parsed one, the second with the second, and so on.

    >>> found = match([np.array([7, 7, 5])], [np.array([5, 7, 9])])
    >>> found.gold.tolist(), found.parsed.tolist(), found.partner.tolist()
    ([True, False, True], [True, True, False], [1, -1, 0])
    """
    gold_key, parsed_key = packed(gold, parsed)
    gold_order = np.argsort(gold_key, kind="stable")
    parsed_order = np.argsort(parsed_key, kind="stable")
    gold_sorted, parsed_sorted = gold_key[gold_order], parsed_key[parsed_order]
    # The n-th gold row with a key belongs beside the n-th parsed row with it: n
    # places after the first parsed one, if the key still stands there.
    position = np.searchsorted(parsed_sorted, gold_sorted) + _occurrence(gold_sorted)
    inside = position < parsed_sorted.size
    candidate = np.minimum(position, max(parsed_sorted.size - 1, 0))
    is_match = inside
    if parsed_sorted.size:
        is_match = inside & (parsed_sorted[candidate] == gold_sorted)
    partner = np.full(gold_key.size, -1, np.int64)
    partner[gold_order[is_match]] = parsed_order[candidate[is_match]]
    parsed_flags = np.zeros(parsed_key.size, np.bool_)
    parsed_flags[partner[partner >= 0]] = True
    return Matches(partner >= 0, parsed_flags, partner)


def packed(gold: Key, parsed: Key) -> tuple[Ints, Ints]:
    """The key columns of both tables as one integer column each.

    Equal keys give equal integers and only those do. Columns may hold -1 for
    null, which equals only itself.
    """
    gold_key = np.zeros(len(gold[0]), np.int64)
    parsed_key = np.zeros(len(parsed[0]), np.int64)
    room = 1
    for left, right in zip(gold, parsed, strict=True):
        low = min(left.min(initial=0), right.min(initial=0))
        high = max(left.max(initial=0), right.max(initial=0))
        size = int(high) - int(low) + 1
        if room > _LARGEST_KEY // size:
            gold_key, parsed_key, room = _renumbered(gold_key, parsed_key)
            left, right, size = _renumbered(left, right)
            low = 0
        gold_key = gold_key * size + (left - low)
        parsed_key = parsed_key * size + (right - low)
        room *= size
    return gold_key, parsed_key


def _renumbered(gold: _Column, parsed: _Column) -> tuple[Ints, Ints, int]:
    """The same values, numbered without gaps, when keys outgrow 64 bits."""
    distinct, number = np.unique(np.concatenate([gold, parsed]), return_inverse=True)
    return number[: gold.size], number[gold.size :], distinct.size


def _occurrence(ordered: Ints) -> Ints:
    """For each of the sorted values, how many equal ones stand before it."""
    rows = np.arange(ordered.size)
    is_first = np.ones(ordered.size, np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return rows - np.maximum.accumulate(np.where(is_first, rows, 0))
