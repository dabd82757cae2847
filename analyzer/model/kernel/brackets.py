"""Brackets that count: see derivation/brackets.py."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np

from analyzer.model.arrays import Flags, Ids, Ints
from analyzer.model.kernel.library import (
    FLAGS,
    IDS,
    INTS,
    NUMBERS,
    NUMBERS_32,
    functions,
    structure,
)


class FoundBrackets(NamedTuple):
    """Brackets that count, in order, and the nodes that are wrappers."""

    row: Ints
    first: Ints
    last: Ints
    starts: Ints
    label: Ids
    key_label: Ids
    wrapper: Ints
    wrapper_starts: Ints


_Brackets = structure(
    "_Brackets",
    (IDS, "label first last"),
    (FLAGS, "is_leaf"),
    (INTS, "node_start"),
    (NUMBERS, "trees"),
    (FLAGS, "is_comparable"),
    (INTS, "word_start word_end"),
    (IDS, "phrase_class phrase"),
    (NUMBERS_32, "deleted"),
    (INTS, "row bracket_first bracket_last starts"),
    (IDS, "bracket_label key_label"),
    (INTS, "wrapper wrapper_starts"),
    (NUMBERS, "brackets wrappers"),
)


def brackets(
    *,
    label: Ids,
    first: Ids,
    last: Ids,
    is_leaf: Flags,
    node_start: Ints,
    is_comparable: Flags,
    word_start: Ints,
    word_end: Ints,
    phrase_class: Ids,
    phrase: Ids,
    deleted: int,
) -> FoundBrackets:
    """The brackets of comparable trees that have words in them."""
    room, trees = label.size - word_start.size, is_comparable.size
    numbers = np.empty((4, room), np.int64)
    ids = np.empty((2, room), np.int32)
    starts = np.empty((2, trees + 1), np.int64)
    found = _Brackets(
        label=label,
        first=first,
        last=last,
        is_leaf=is_leaf,
        node_start=node_start,
        trees=trees,
        is_comparable=is_comparable,
        word_start=word_start,
        word_end=word_end,
        phrase_class=phrase_class,
        phrase=phrase,
        deleted=deleted,
        row=numbers[0],
        bracket_first=numbers[1],
        bracket_last=numbers[2],
        starts=starts[0],
        bracket_label=ids[0],
        key_label=ids[1],
        wrapper=numbers[3],
        wrapper_starts=starts[1],
    )
    functions().spinal_brackets(ctypes.byref(found))
    size = found.brackets
    return FoundBrackets(
        row=numbers[0, :size],
        first=numbers[1, :size],
        last=numbers[2, :size],
        starts=starts[0],
        label=ids[0, :size],
        key_label=ids[1, :size],
        wrapper=numbers[3, : found.wrappers],
        wrapper_starts=starts[1],
    )


_Crossing = structure(
    "_Crossing",
    (INTS, "gold_first gold_last"),
    (NUMBERS, "golds"),
    (INTS, "parsed_first parsed_last"),
    (NUMBERS, "parseds"),
    (FLAGS, "is_asked"),
    (INTS, "furthest_end earliest_start"),
    (FLAGS, "crosses"),
)


def crossing(
    gold: tuple[Ints, Ints], parsed: tuple[Ints, Ints], is_asked: Flags
) -> Flags:
    """Which parsed brackets cross one of gold: of each side the firsts and the lasts.

    Larger brackets stand before those in them.
    """
    words = int(max(gold[1].max(initial=0), parsed[1].max(initial=0))) + 1
    crosses = np.empty(is_asked.size, np.bool_)
    given = _Crossing(
        gold_first=gold[0],
        gold_last=gold[1],
        golds=gold[0].size,
        parsed_first=parsed[0],
        parsed_last=parsed[1],
        parseds=parsed[0].size,
        is_asked=is_asked,
        furthest_end=np.zeros(words, np.int64),
        earliest_start=np.full(words, words, np.int64),
        crosses=crosses,
    )
    functions().spinal_crossing(ctypes.byref(given))
    return crosses
