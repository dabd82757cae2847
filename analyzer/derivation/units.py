"""Heads, nuclearity and relation of every unit, as columns."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from analyzer.derivation.columns import top_of_spines
from analyzer.model.arrays import (
    Flags,
    Ids,
    Ints,
    begins,
    follow_links,
    number_densely,
    parents_and_levels,
)
from analyzer.model.discourse import NUCLEUS, DependencyTree, Documents, split_label
from analyzer.model.symbols import SYMBOLS


@dataclass(frozen=True)
class UnitColumns:
    """One row a unit, in the order of the table."""

    document: Ints
    parent: Ints
    is_edu: Flags
    first: Ints  # EDUs, counted through the corpus
    last: Ints  # half-open
    nuclearity: Ids  # numbers of SYMBOLS
    relation: Ids
    head: Ints  # the EDU that heads it
    children: Ints  # rows of children, level by level, siblings together
    child_start: Ints  # per unit: where its children begin in `children`
    child_count: Ints


def unit_columns(corpus: Documents) -> UnitColumns:
    bank = corpus.bank
    parent, by_level = parents_and_levels(bank.depth)
    used, which = number_densely(bank.label)
    parts = [split_label(SYMBOLS.name(number)) for number in used.tolist()]
    relation_of = np.array([SYMBOLS.id(relation) for relation, _ in parts], np.int32)
    nuclearity_of = np.array([SYMBOLS.id(nuc) for _, nuc in parts], np.int32)
    relation, nuclearity = relation_of[which], nuclearity_of[which]

    children = by_level[parent[by_level] >= 0]
    of_child = parent[children]
    count = np.bincount(of_child, minlength=bank.label.size)
    start = np.zeros(bank.label.size, np.int64)
    begin = np.flatnonzero(begins(of_child))
    start[of_child[begin]] = begin

    # The head of a unit is the head of its leftmost nucleus.
    link = np.arange(bank.label.size)
    nuclei = children[nuclearity[children] == SYMBOLS.id(NUCLEUS)]
    link[parent[nuclei[::-1]]] = nuclei[::-1]
    head_row = follow_links(link)
    return UnitColumns(
        document=bank.tree_of_node,
        parent=parent,
        is_edu=bank.is_leaf,
        first=bank.first.astype(np.int64),
        last=bank.last.astype(np.int64),
        nuclearity=nuclearity,
        relation=relation,
        head=bank.first[head_row].astype(np.int64),
        children=children,
        child_start=start,
        child_count=count,
    )


@dataclass(frozen=True)
class Dependencies:
    """One row an arc of an EDU: how the highest unit it heads attaches (2018, section
    3)."""

    document: Ints
    edu: Ints  # its number, counted through the corpus; in graphs, it may come again
    governor: Ints  # an EDU, counted through the corpus; ROOT_EDU for the root
    nuclearity: Ids
    relation: Ids
    rank: Ints  # bottom-up, from 1: which unit of the governor's spine it joins
    top: Ints  # the highest unit that the EDU heads


ROOT_EDU = -1


def dependencies(units: UnitColumns) -> Dependencies:
    """The head-ordered dependency tree of each document (Algorithm 1).

    The root EDU has relation ROOT, nuclearity N and rank 1.
    """
    edus = np.flatnonzero(units.is_edu)
    rows = np.arange(units.head.size)
    top = top_of_spines(units.head, rows)[units.head[edus]]
    above = units.parent[top]
    is_root = above < 0
    # Units of one head form a path: from the top down in the table's order.
    inner = np.flatnonzero(~units.is_edu)
    order = inner[np.lexsort((-inner, units.head[inner]))]
    heads = units.head[order]
    is_first = begins(heads)
    places = np.arange(order.size)
    begun = np.maximum.accumulate(np.where(is_first, places, 0))
    rank = np.ones(units.head.size, np.int64)
    rank[order] = places - begun + 1
    return Dependencies(
        document=units.document[edus],
        edu=np.arange(edus.size),
        governor=np.where(is_root, ROOT_EDU, units.head[above]),
        nuclearity=np.where(is_root, SYMBOLS.id(NUCLEUS), units.nuclearity[top]),
        relation=np.where(is_root, SYMBOLS.id("ROOT"), units.relation[top]),
        rank=np.where(is_root, 1, rank[above]),
        top=top,
    )


NOT_SAID = -1  # nuclearity or rank, of dependencies that say nothing of them


def with_arcs(given: Dependencies, documents: Documents) -> Dependencies:
    """The dependencies of documents, those of `arcs` as they were read."""
    if not documents.arcs:
        return given
    others = ~np.isin(given.document, list(documents.arcs))
    parts = [
        [getattr(given, column.name)[others] for column in fields(Dependencies)],
        *(
            _columns(tree, at, int(documents.bank.leaf_start[at]))
            for at, tree in documents.arcs.items()
        ),
    ]
    return Dependencies(*map(np.concatenate, zip(*parts, strict=True)))


def _columns(tree: DependencyTree, document: int, before: int) -> list[Ints]:
    """The arcs of a document, as columns; so many EDUs are in those before it."""
    edus, heads, relations = zip(*tree.arcs(), strict=True)
    edu, head = np.array(edus, np.int64), np.array(heads, np.int64)
    numbers = None
    if tree.nuclearities is not None:
        numbers = [SYMBOLS.id(label) for label in tree.nuclearities]
    nuclearities, ranks = (
        np.array([*values, *[NOT_SAID] * len(tree.more)], np.int64)
        if values is not None
        else np.full(edu.size, NOT_SAID)
        for values in (numbers, tree.ranks)
    )
    return [
        np.full(edu.size, document),
        edu + before - 1,
        np.where(head > 0, head + before - 1, ROOT_EDU),
        nuclearities,
        np.array([SYMBOLS.id(label) for label in relations], np.int64),
        ranks,
        np.full(edu.size, NOT_SAID),
    ]
