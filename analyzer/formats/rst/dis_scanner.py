"""The fast reader of .dis: many documents at once, straight to columns.

One expression splits a document at its units; what stands between them may only be
closing brackets, which give the depths. Texts are not kept. Anything irregular gives
None: the reader that builds units then reads the document, or says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from analyzer.limits import limits
from analyzer.model.arrays import Flags, Ids, Ints, follow_links, number_densely
from analyzer.model.discourse import NO_RELATION, NUCLEUS, ROOT, SATELLITE
from analyzer.model.families import parents_and_levels
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank

_UNIT = re.compile(
    r"\(\s*(Root|Nucleus|Satellite)\s*"
    r"\(\s*(?:span\s+([0-9]{1,9})\s+([0-9]{1,9})|leaf\s+([0-9]{1,9}))\s*\)"
    r"(?:\s*\(\s*rel2par\s+([^\s()/]+)\s*\))?"
    r"(?:\s*\(\s*text\s+(_)![^_]*+(?:_(?!!)[^_]*+)*+_!\s*\))?"
)
_FIELDS = 7  # of a unit in a split: its six groups, and what follows it
_SHORT = {"Root": ROOT, "Nucleus": NUCLEUS, "Satellite": SATELLITE}


def scan_documents(texts: Sequence[str], source: str = "<rst>") -> Treebank | None:
    """The trees of well-formed .dis documents, without their texts; or None."""
    fields: list[list[str | None]] = [[] for _ in range(_FIELDS)]
    starts = [0]
    for text in texts:
        parts = _UNIT.split(text)
        units = len(parts) // _FIELDS
        if parts[0].strip() or not 1 <= units <= limits().tree_nodes:
            return None
        for at, column in enumerate(fields):
            column += parts[at + 1 :: _FIELDS]
        starts.append(len(fields[0]))
    nuclearity, first, last, edu, relation, has_text, after = fields
    labels = _labels(relation, nuclearity)
    if labels is None or set("".join(map(str, after))) - set(" \t\r\n)"):
        return None
    is_leaf = np.array([number is not None for number in edu], np.bool_)
    closes = np.array([str(text).count(")") for text in after], np.int64)
    texts_fit = [mark is not None for mark in has_text] == is_leaf.tolist()
    depth = _depths(closes, np.array(starts), is_leaf)
    if depth is None or not texts_fit:
        return None
    bank = _assembled(labels, depth, is_leaf, np.array(starts), source)
    numbers = [
        np.array([int(number) for number in column if number is not None], np.int64)
        for column in (first, last, edu)
    ]
    return bank if _is_sound(bank, *numbers) else None


def _labels(
    relation: Sequence[str | None], nuclearity: Sequence[str | None]
) -> Ids | None:
    """`cause/S` for each unit; None if a root has a relation, or another has none."""
    pairs = list(zip(relation, nuclearity, strict=True))
    numbers: dict[tuple[str | None, str | None], int] = {}
    for name, kind in set(pairs):
        if (name is None) != (kind == "Root"):
            return None
        label = f"{name or NO_RELATION}/{_SHORT[str(kind)]}"
        numbers[name, kind] = SYMBOLS.id(label)
    return np.array([numbers[pair] for pair in pairs], np.int32)


def _depths(closes: Ints, starts: Ints, is_leaf: Flags) -> Ids | None:
    """Depth of each unit; None unless each document is one tree.

    A unit opens one bracket, so it is as deep as units stand before it that are not
    closed. A leaf is closed at once; what is not a leaf has units in it.
    """
    if np.any((closes == 0) == is_leaf):
        return None
    closed = np.append(0, np.cumsum(closes))
    opened = np.arange(closes.size)
    if not np.array_equal(closed[starts], starts):
        return None  # a document ends before, or after, its brackets do
    depth: Ints = opened - closed[:-1]
    is_root = np.zeros(closes.size, np.bool_)
    is_root[starts[:-1]] = True
    if np.any(depth < 0) or not np.array_equal(depth == 0, is_root):
        return None
    return depth.astype(np.int32)


def _assembled(
    label: Ids, depth: Ids, is_leaf: Flags, starts: Ints, source: str
) -> Treebank:
    leaf_node = np.flatnonzero(is_leaf)
    leaves_before: Ints = np.cumsum(is_leaf, dtype=np.int64) - is_leaf
    parent, by_level = parents_and_levels(depth)
    # Siblings come in order, so the last one written is the last child; followed
    # down, it leads to the last leaf.
    last_child = np.arange(label.size)
    children = by_level[parent[by_level] >= 0]
    last_child[parent[children]] = children
    last = leaves_before[follow_links(last_child)] + 1
    nothing = np.zeros(leaf_node.size, np.int64)
    return Treebank(
        label=label,
        depth=depth,
        first=leaves_before.astype(np.int32),
        last=last.astype(np.int32),
        is_leaf=is_leaf,
        leaf_node=leaf_node,
        form_start=nothing,
        form_end=nothing,
        node_start=starts,
        leaf_start=np.searchsorted(leaf_node, starts),
        line=np.ones(starts.size - 1, np.int64),
        text=b"",
        source=source,
    )


def _is_sound(bank: Treebank, first: Ints, last: Ints, edu: Ints) -> bool:
    """Whether units are numbered as they stand, and each has a nucleus."""
    inner = np.flatnonzero(~bank.is_leaf)
    document = bank.tree_of_node
    before = bank.leaf_start[document]
    used, which = number_densely(bank.label)
    names = [SYMBOLS.name(number) for number in used.tolist()]
    ends = [name.endswith(f"/{NUCLEUS}") for name in names]
    is_nucleus = np.array(ends, np.bool_)[which]
    has_nucleus = bank.is_leaf.copy()
    has_nucleus[bank.parent[is_nucleus]] = True
    leaf_before = before[bank.leaf_node]
    return bool(
        np.array_equal(edu, np.arange(edu.size) - leaf_before + 1)
        and np.array_equal(first, bank.first[inner] - before[inner] + 1)
        and np.array_equal(last, bank.last[inner] - before[inner])
        and has_nucleus.all()
    )
