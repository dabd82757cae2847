"""Words that are compared: see pairing/words.py."""

from __future__ import annotations

import ctypes

import numpy as np

from analyzer.model.arrays import Flags, Ids, Ints
from analyzer.model.kernel.library import (
    FLAGS,
    IDS,
    INTS,
    NUMBERS,
    TEXT,
    functions,
    structure,
)

_Kept = structure(
    "_Kept",
    (IDS, "label"),
    (INTS, "leaf_node leaf_start"),
    (NUMBERS, "trees"),
    (FLAGS, "deletes"),
    (INTS, "leaves starts"),
    (NUMBERS, "kept"),
)


def kept(
    label: Ids, leaf_node: Ints, leaf_start: Ints, deletes: Flags
) -> tuple[Ints, Ints]:
    """The leaves whose labels are not deleted, and where each tree's begin."""
    leaves = np.empty(leaf_node.size, np.int64)
    starts = np.empty(leaf_start.size, np.int64)
    found = _Kept(
        label=label,
        leaf_node=leaf_node,
        leaf_start=leaf_start,
        trees=leaf_start.size - 1,
        deletes=deletes,
        leaves=leaves,
        starts=starts,
    )
    functions().spinal_kept(ctypes.byref(found))
    return leaves[: found.kept], starts


_Differ = structure(
    "_Differ",
    (TEXT, "gold_text"),
    (INTS, "gold_form_start gold_form_end gold_leaves gold_starts"),
    (TEXT, "parsed_text"),
    (INTS, "parsed_form_start parsed_form_end parsed_leaves parsed_starts"),
    (NUMBERS, "trees"),
    (FLAGS, "is_asked differs"),
)
Words = tuple[bytes, Ints, Ints, Ints, Ints]


def trees_differ(gold: Words, parsed: Words, is_asked: Flags) -> Flags:
    """Of trees that have as many words on both sides, those with words that differ.

    Words are a text, the starts and ends of leaves in it, the leaves that are compared,
    and where each tree's begin. Trees that are not asked for do not differ.
    """
    differs = np.empty(is_asked.size, np.bool_)
    given = _Differ(
        gold_text=gold[0],
        gold_form_start=gold[1],
        gold_form_end=gold[2],
        gold_leaves=gold[3],
        gold_starts=gold[4],
        parsed_text=parsed[0],
        parsed_form_start=parsed[1],
        parsed_form_end=parsed[2],
        parsed_leaves=parsed[3],
        parsed_starts=parsed[4],
        trees=is_asked.size,
        is_asked=is_asked,
        differs=differs,
    )
    functions().spinal_trees_differ(ctypes.byref(given))
    return differs


_Positions = structure(
    "_Positions",
    (INTS, "leaves starts leaf_start"),
    (NUMBERS, "trees"),
    (FLAGS, "is_comparable"),
    (INTS, "start end"),
)


def positions(
    leaves: Ints, starts: Ints, leaf_start: Ints, is_comparable: Flags, leaf_count: int
) -> tuple[Ints, Ints]:
    """Per leaf the number of the word that it is, and of the next one."""
    start, end = np.empty(leaf_count, np.int64), np.zeros(leaf_count, np.int64)
    given = _Positions(
        leaves=leaves,
        starts=starts,
        leaf_start=leaf_start,
        trees=is_comparable.size,
        is_comparable=is_comparable,
        start=start,
        end=end,
    )
    functions().spinal_positions(ctypes.byref(given))
    return start, end


_EqualTags = structure(
    "_EqualTags",
    (IDS, "gold_label"),
    (INTS, "gold_leaf_node gold_leaves gold_starts"),
    (IDS, "parsed_label"),
    (INTS, "parsed_leaf_node parsed_leaves parsed_starts"),
    (NUMBERS, "trees"),
    (FLAGS, "is_comparable"),
    (IDS, "classes"),
    (INTS, "equal"),
)
Tags = tuple[Ids, Ints, Ints, Ints]


def equal_tags(gold: Tags, parsed: Tags, is_comparable: Flags, classes: Ids) -> Ints:
    """Per comparable tree, the words that have tags of one class on both sides.

    Tags are the labels of nodes, the nodes of leaves, the leaves that are compared, and
    where each tree's begin.
    """
    equal = np.empty(is_comparable.size, np.int64)
    given = _EqualTags(
        gold_label=gold[0],
        gold_leaf_node=gold[1],
        gold_leaves=gold[2],
        gold_starts=gold[3],
        parsed_label=parsed[0],
        parsed_leaf_node=parsed[1],
        parsed_leaves=parsed[2],
        parsed_starts=parsed[3],
        trees=is_comparable.size,
        is_comparable=is_comparable,
        classes=classes,
        equal=equal,
    )
    functions().spinal_equal_tags(ctypes.byref(given))
    return equal
