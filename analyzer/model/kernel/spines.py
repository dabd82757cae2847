"""Derivations: see derivation/columns.py."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np

from analyzer.model.arrays import Flags, Ids, Ints, KeyColumns, Words64
from analyzer.model.kernel.library import (
    FLAGS,
    IDS,
    INTS,
    NUMBERS,
    WORDS,
    Table,
    functions,
    structure,
    table_of,
)


class FoundFamilies(NamedTuple):
    """Kept nodes, brackets and leaves in one order, and the brackets' productions."""

    parent: Ids  # per node: a bracket, or -1
    position: Ids  # per node: its number among its sisters
    bracket: Ids  # per node: which it is, or -1
    leaf: Ints  # per node: which it is, or -1
    production: Ints  # per bracket; -1 if it is unknown
    has_unknown: bool


_Families = structure(
    "_Families",
    (INTS, "row"),
    (NUMBERS, "rows"),
    (INTS, "leaves"),
    (NUMBERS, "leaf_count"),
    (IDS, "label first last"),
    (INTS, "leaf_node"),
    (WORDS, "mixed"),
    (Table, "productions"),
    (WORDS, "key"),
    (INTS, "production"),
    (WORDS, "power"),
    (NUMBERS, "unknown"),
    (IDS, "parent position node_bracket"),
    (INTS, "node_leaf"),
    (IDS, "open"),
    (NUMBERS, "nodes"),
)


def families(
    *,
    row: Ints,
    leaves: Ints,
    label: Ids,
    first: Ids,
    last: Ids,
    leaf_node: Ints,
    mixed: Words64,
    productions: KeyColumns,
) -> FoundFamilies:
    """Who is whose child among brackets and leaves; no leaf may stand twice."""
    nodes = row.size + leaves.size
    keys = np.empty((2, row.size), np.uint64)
    production = np.empty(row.size, np.int64)
    ids = np.empty((3, nodes), np.int32)
    leaf = np.empty(nodes, np.int64)
    found = _Families(
        row=row,
        rows=row.size,
        leaves=leaves,
        leaf_count=leaves.size,
        label=label,
        first=first,
        last=last,
        leaf_node=leaf_node,
        mixed=mixed,
        productions=table_of(productions),
        key=keys[0],
        production=production,
        power=keys[1],
        parent=ids[0],
        position=ids[1],
        node_bracket=ids[2],
        node_leaf=leaf,
        open=np.empty(row.size, np.int32),
    )
    functions().spinal_families(ctypes.byref(found))
    return FoundFamilies(
        ids[0], ids[1], ids[2], leaf, production, has_unknown=found.unknown > 0
    )


class FoundSpines(NamedTuple):
    """Per bracket: the columns of a derivation."""

    construction: Ids
    head: Ints
    attachment: Ints
    governor: Ints
    is_covered: Flags


_Spines = structure(
    "_Spines",
    (NUMBERS, "nodes"),
    (IDS, "parent position node_bracket"),
    (INTS, "node_leaf production leaf_word"),
    (IDS, "construction_of head_of"),
    (FLAGS, "covered is_recursive"),
    (IDS, "construction"),
    (INTS, "head attachment governor"),
    (FLAGS, "is_covered"),
    (INTS, "head_leaf"),
    (IDS, "top top_simple"),
)


def spines(
    found: FoundFamilies,
    *,
    leaf_word: Ints,
    construction_of: Ids,
    head_of: Ids,
    covered: Flags,
    is_recursive: Flags,
) -> FoundSpines:
    """Heads, attachments and governors, once all productions are known."""
    size = found.production.size
    numbers = np.empty((4, size), np.int64)
    tops = np.full((2, leaf_word.size), -1, np.int32)
    columns = FoundSpines(
        construction=np.empty(size, np.int32),
        head=numbers[0],
        attachment=numbers[1],
        governor=numbers[2],
        is_covered=np.empty(size, np.bool_),
    )
    given = _Spines(
        nodes=found.parent.size,
        parent=found.parent,
        position=found.position,
        node_bracket=found.bracket,
        node_leaf=found.leaf,
        production=found.production,
        leaf_word=leaf_word,
        construction_of=construction_of,
        head_of=head_of,
        covered=covered,
        is_recursive=is_recursive,
        construction=columns.construction,
        head=columns.head,
        attachment=columns.attachment,
        governor=columns.governor,
        is_covered=columns.is_covered,
        head_leaf=numbers[3],
        top=tops[0],
        top_simple=tops[1],
    )
    functions().spinal_spines(ctypes.byref(given))
    return columns
