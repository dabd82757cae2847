"""The one join behind every score: the multiset intersection of two tables.

Rows are joined on a key of one or more integer columns. Which columns is all
that tells one score from another (see the table in docs/scores.md).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer import _native
from analyzer.model.arrays import Flags, Ints, flags_at

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

    >>> matches = match([np.array([7, 7, 5])], [np.array([5, 7, 9])])
    >>> matches.gold.tolist(), matches.parsed.tolist(), matches.partner.tolist()
    ([True, False, True], [True, True, False], [1, -1, 0])
    """
    return Join(gold, parsed).matches()


class Join:
    """Two tables joined on a key, that may be joined on more columns as well.

    Rows that are equal under a finer key are so under the coarser one: each group of
    rows with one key can be treated by itself. Nearly all groups are one gold and one
    parsed row. Such a *lone* pair is a pair under a finer key exactly if the further
    columns agree, which takes no sort. Only *crowded* rows, whose key occurs twice or
    more on a side, have to be joined anew.

    >>> join = Join([np.array([7, 7, 5])], [np.array([5, 7, 9])])
    >>> join.matches([np.array([1, 2, 3])], [np.array([4, 2, 3])]).partner.tolist()
    [-1, 1, -1]
    """

    def __init__(self, gold: Key, parsed: Key) -> None:
        self._sizes = gold_size, _ = len(gold[0]), len(parsed[0])
        key = _packed_together(gold, parsed)
        self._gold_lone, self._parsed_lone, crowded = (
            _native.pairs(key, gold_size)
            if _native.has_kernel()
            else _lone_and_crowded(key, gold_size)
        )
        self._gold_crowded = crowded[crowded < gold_size]
        self._parsed_crowded = crowded[self._gold_crowded.size :] - gold_size
        self._key_of_crowded = key[crowded]

    def matches(self, gold: Key | None = None, parsed: Key | None = None) -> Matches:
        """The pairs of rows that agree in the key, and in further columns if given."""
        columns = list(zip(gold or [], parsed or [], strict=True))
        is_compiled = _native.has_kernel() and len(columns) <= _native.MOST_COLUMNS
        matches = Matches(
            *(_native.agree if is_compiled else _agreeing)(
                self._gold_lone, self._parsed_lone, columns, self._sizes
            )
        )
        if self._gold_crowded.size and self._parsed_crowded.size:
            left_key, right_key = np.split(
                self._key_of_crowded, [self._gold_crowded.size]
            )
            left, right = _paired_in_order(
                *packed(
                    [
                        left_key,
                        *(
                            gold_column[self._gold_crowded]
                            for gold_column, _ in columns
                        ),
                    ],
                    [
                        right_key,
                        *(
                            parsed_column[self._parsed_crowded]
                            for _, parsed_column in columns
                        ),
                    ],
                )
            )
            gold_row, parsed_row = self._gold_crowded[left], self._parsed_crowded[right]
            matches.partner[gold_row] = parsed_row
            matches.gold[gold_row] = matches.parsed[parsed_row] = True
        return matches


def _agreeing(
    gold_row: Ints,
    parsed_row: Ints,
    columns: list[tuple[_Column, _Column]],
    sizes: tuple[int, int],
) -> tuple[Flags, Flags, Ints]:
    """Of pairs of rows those that agree in some columns: flags, and partners."""
    for left, right in columns:
        agrees = left[gold_row] == right[parsed_row]
        gold_row, parsed_row = gold_row.compress(agrees), parsed_row.compress(agrees)
    partner = np.full(sizes[0], -1, np.int64)
    partner[gold_row] = parsed_row
    parsed_flags = flags_at(sizes[1], parsed_row)
    return partner >= 0, parsed_flags, partner


def _lone_and_crowded(key: Ints, gold_size: int) -> tuple[Ints, Ints, Ints]:
    """What `_native.pairs` gives, by a sort."""
    order = np.argsort(key, kind="stable")
    in_order = key[order]
    is_like_last = np.zeros(key.size + 1, np.bool_)
    np.equal(in_order[1:], in_order[:-1], out=is_like_last[1:-1])
    is_like_next = is_like_last[1:]
    # Lone pairs: like the next row, but neither is like those around them. The
    # sort is stable, so within a group gold rows stand before parsed ones.
    starts_pair = is_like_next > is_like_last[:-1]
    starts_pair[:-1] &= ~is_like_next[1:]
    is_gold = order < gold_size
    starts_pair[:-1] &= is_gold[:-1] > is_gold[1:]
    pair = np.flatnonzero(starts_pair)
    is_crowded = is_like_next | is_like_last[:-1]
    is_crowded[pair] = is_crowded[pair + 1] = False
    crowded = np.sort(order[np.flatnonzero(is_crowded)])
    return order[pair], order[pair + 1] - gold_size, crowded


def packed(gold: Key, parsed: Key) -> tuple[Ints, Ints]:
    """The key columns of both tables as one integer column each.

    Equal keys give equal integers and only those do. Columns may hold -1 for
    null, which equals only itself.
    """
    key = _packed_together(gold, parsed)
    return key[: len(gold[0])], key[len(gold[0]) :]


def _packed_together(gold: Key, parsed: Key) -> Ints:
    """The keys of gold, and after them those of parsed."""
    if _native.has_kernel():
        keys = _native.packed(gold, parsed)
        if keys is not None:
            return keys
    key = np.zeros(len(gold[0]) + len(parsed[0]), np.int64)
    room = 1
    for column in map(np.concatenate, zip(gold, parsed, strict=True)):
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        size = high - low + 1
        if room > _LARGEST_KEY // size:
            key, room = _renumbered(key)
            column, size = _renumbered(column)
            low = 0
        key *= size
        key += column
        key -= low
        room *= size
    return key


def _renumbered(column: _Column) -> tuple[Ints, int]:
    """The values numbered without gaps, for keys that outgrow 64 bits."""
    distinct, number = np.unique(column, return_inverse=True)
    return number, distinct.size


def _paired_in_order(gold_key: Ints, parsed_key: Ints) -> tuple[Ints, Ints]:
    """Rows with equal keys: the n-th gold one with the n-th parsed one."""
    gold_order = np.argsort(gold_key, kind="stable")
    parsed_order = np.argsort(parsed_key, kind="stable")
    gold_sorted, parsed_sorted = gold_key[gold_order], parsed_key[parsed_order]
    # It stands n places after the first parsed one, if the key still stands there.
    position = np.searchsorted(parsed_sorted, gold_sorted) + _occurrence(gold_sorted)
    candidate = np.minimum(position, parsed_sorted.size - 1)
    is_match = (candidate == position) & (parsed_sorted[candidate] == gold_sorted)
    return gold_order[is_match], parsed_order[candidate[is_match]]


def _occurrence(ordered: Ints) -> Ints:
    """For each of the sorted values, how many equal ones stand before it."""
    rows = np.arange(ordered.size)
    is_first = np.ones(ordered.size, np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return rows - np.maximum.accumulate(np.where(is_first, rows, 0))
