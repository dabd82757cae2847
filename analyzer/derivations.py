"""Derivation trees: heads, spines and how they attach (Kulick et al. 2014, section 2).

Head leaves percolate up. The nodes that one leaf heads, bottom up, are its
elementary tree, or *spine*; the top of a spine attaches to the spine of its
parent's head. See docs/scores.md for the definitions with an example.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analyzer.constructions import Labeller
from analyzer.symbols import Flags, Ids, Ints
from analyzer.treebank import Treebank, parents_and_levels

# Attachments that are no word. Null equals only null, so they may be joined on.
NULL, ROOT = -1, -2


@dataclass(frozen=True)
class Derivation:
    """The constructions of a run of trees, one row a bracket, in document order.

    Words are counted through the run, deleted ones left out.
    """

    row: Ints  # the node in the treebank
    starts: Ints  # per tree: where its rows begin
    first: Ints
    last: Ints
    key_label: Ids  # the label as evalb compares it
    construction: Ids  # number of the labeller's name
    head: Ints  # the word that heads it
    attachment: Ints  # the word its spine attaches to, ROOT, or NULL
    governor: Ints  # the same for every row of the spine, never NULL
    production: Ints  # number of the labeller's production
    is_covered: Flags


def derive(
    bank: Treebank,
    *,
    row: Ints,
    first: Ints,
    last: Ints,
    key_label: Ids,
    phrase_label: Ids,
    leaves: Ints,
    leaf_word: Ints,
    labeller: Labeller,
) -> Derivation:
    """The derivation trees of the given brackets (rows of `bank`) and leaves.

    `leaves` are those that were not deleted, `leaf_word` the number of the word that
    each leaf of the bank is.
    """
    kept = np.zeros(bank.label.size, np.bool_)
    kept[row] = True
    kept[bank.leaf_node[leaves]] = True
    node = np.flatnonzero(kept)
    is_leaf = bank.is_leaf[node]
    label = bank.label[node].copy()
    label[~is_leaf] = phrase_label
    parent, by_level = parents_and_levels(_depth_among(kept, bank)[node])

    # Level by level, the children of a node stand together, in order.
    child = by_level[parent[by_level] >= 0]
    of_child = parent[child]
    is_start = np.ones(child.size, np.bool_)
    is_start[1:] = of_child[1:] != of_child[:-1]
    starts = np.flatnonzero(is_start)
    phrase = of_child[starts]
    production = labeller.productions_of(
        label[phrase], label[child], is_leaf[child], starts
    )
    construction, head_position, is_covered = labeller.columns()

    head = np.arange(node.size)
    head[phrase] = child[starts + head_position[production]]
    head = followed_links(head)
    own_production = np.empty(node.size, np.int64)
    own_production[phrase] = production

    bracket = np.flatnonzero(~is_leaf)
    production = own_production[bracket]
    head_word = leaf_word[bank.first[node[head]]]
    above = parent[top_of_spines(head, bracket)[head[bracket]]]
    governor = np.where(above >= 0, head_word[above], ROOT)
    simple = bracket[~labeller.is_recursive[construction[production]]]
    carries = np.zeros(node.size, np.bool_)
    carries[simple] = top_of_spines(head, simple)[head[simple]] == simple
    return Derivation(
        row=row,
        starts=np.searchsorted(row, bank.node_start),
        first=first,
        last=last,
        key_label=key_label,
        construction=construction[production],
        head=head_word[bracket],
        attachment=np.where(carries[bracket], governor, NULL),
        governor=governor,
        production=production,
        is_covered=is_covered[production],
    )


def top_of_spines(head: Ints, nodes: Ints) -> Ints:
    """For each leaf that heads any of the nodes, the topmost of those.

    Parents come before children, so the topmost is the first; assigned backwards,
    it is the one that stays.
    """
    top = np.full(head.size, -1, np.int64)
    top[head[nodes[::-1]]] = nodes[::-1]
    return top


def followed_links(link: Ints) -> Ints:
    """Where each link leads in the end: links are followed two at a time."""
    while True:
        further = link[link]
        if np.array_equal(further, link):
            return link
        link = further


def _depth_among(kept: Flags, bank: Treebank) -> Ids:
    """The depth of each kept node among kept nodes."""
    # Nodes without a yield are nobody's ancestors; deleted phrases are.
    passed_over = ~kept & ~bank.is_leaf & (bank.first < bank.last)
    if not passed_over.any():
        return bank.depth
    is_root = bank.depth == 0
    if not np.any(passed_over & ~is_root):
        # The usual case: only the wrapper goes.
        root = np.cumsum(is_root) - 1
        shallower: Ids = bank.depth - passed_over[is_root][root]
        return shallower
    # Deleted phrases anywhere: count kept ancestors, following parents two, four,
    # eight ... at a time. Row -1, the parent of roots, is the last row here.
    parent = np.append(bank.parent, bank.label.size)
    parent[parent < 0] = bank.label.size
    ancestors = np.append(kept, False)[parent].astype(np.int32)
    while np.any(parent != bank.label.size):
        ancestors += ancestors[parent]
        parent = parent[parent]
    above: Ids = ancestors[:-1]
    return above
