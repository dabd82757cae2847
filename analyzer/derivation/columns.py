"""Derivation trees: heads, spines and how they attach (Kulick et al. 2014, section 2).

Head leaves percolate up. The nodes that one leaf heads, bottom up, are its
elementary tree, or *spine*; the top of a spine attaches to the spine of its
parent's head. See docs/scores.md for the definitions with an example.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer import _native
from analyzer.derivation.brackets import Wrappers
from analyzer.model.arrays import Flags, Ids, Ints, follow_links, parents
from analyzer.model.treebank import Treebank

if TYPE_CHECKING:
    from analyzer.constructions.labeller import Labeller
    from analyzer.transform.label_tables import LabelTables

# Attachments that are no word. Null equals only null, so they may be joined on.
NULL, ROOT = -1, -2
IN_SPINE = "within its spine"  # how a null attachment is shown


@dataclass(frozen=True)
class Derivation:
    """The constructions of a block of trees, one row a bracket, in document order.

    Words are counted through the block, deleted ones left out.
    """

    row: Ints  # the node in the treebank
    starts: Ints  # per tree: where its rows begin
    first: Ints
    last: Ints
    key_label: Ids  # the label as evalb compares it
    construction: Ids  # number of its name
    head: Ints  # the word that heads it
    attachment: Ints  # the word its spine attaches to, ROOT, or NULL
    governor: Ints  # the same for every row of the spine, never NULL
    production: Ints  # number of the labeller's production
    is_covered: Flags
    wrappers: Wrappers  # not among the rows

    def only(self, chosen: Flags) -> Derivation:
        """Some of the rows."""
        starts = np.append(0, np.cumsum(chosen))[self.starts]
        columns = {
            field.name: getattr(self, field.name)[chosen]
            for field in fields(self)
            if field.name not in ("starts", "wrappers")
        }
        return replace(self, starts=starts, **columns)


def derive(
    bank: Treebank,
    *,
    row: Ints,
    first: Ints,
    last: Ints,
    key_label: Ids,
    phrase_label: Ids,
    tables: LabelTables,
    leaves: Ints,
    leaf_word: Ints,
    labeller: Labeller,
    wrappers: Wrappers,
) -> Derivation:
    """The derivation trees of the given brackets (rows of `bank`) and leaves.

    `leaves` are those that were not deleted, `leaf_word` the number of the word that
    each leaf of the bank is; `tables` say what of a tag patterns know.
    """
    label = bank.label.copy()
    label[row] = phrase_label
    if tables.cuts_tags:
        label[bank.leaf_node] = tables.tag(label[bank.leaf_node])
    find = _spines_compiled if _native.has_kernel() else _spines
    spines = find(bank, row, label, leaves, leaf_word, labeller)
    return Derivation(
        row=row,
        starts=np.searchsorted(row, bank.node_start),
        first=first,
        last=last,
        key_label=key_label,
        wrappers=wrappers,
        **spines._asdict(),
    )


class _Spines(NamedTuple):
    """The columns of a derivation that follow from the others."""

    construction: Ids
    head: Ints
    attachment: Ints
    governor: Ints
    production: Ints
    is_covered: Flags


def _spines_compiled(
    bank: Treebank,
    row: Ints,
    label: Ids,
    leaves: Ints,
    leaf_word: Ints,
    labeller: Labeller,
) -> _Spines:
    """What `_spines` gives, by the compiled kernel."""
    if not np.all(leaves[1:] > leaves[:-1]):
        leaves = np.unique(leaves)  # a quote that was put back can stand twice
    known, mixed = labeller.keys
    kinds, marked = labeller.mark_kinds, labeller.marked_keys
    columns = _native.parents(bank, row, leaves, label, mixed, known, kinds, marked)
    if columns.has_unknown:
        rows = np.flatnonzero(columns.production < 0)
        is_unknown = np.zeros(row.size + 1, np.bool_)  # the last: no parent
        is_unknown[rows] = True
        child = np.flatnonzero(is_unknown[columns.parent])
        child = child[np.argsort(columns.parent[child], kind="stable")]
        parent, is_leaf = columns.parent[child], columns.bracket[child] < 0
        node = np.where(
            is_leaf, bank.leaf_node[columns.leaf[child]], row[columns.bracket[child]]
        )
        columns.production[rows] = labeller.productions_of(
            label[row[rows]], label[node], is_leaf, np.searchsorted(parent, rows)
        )
    _see_marks(labeller, columns.production, *columns.marks)
    recursive = labeller.constructions.is_recursive
    construction, head, attachment, governor, is_covered = _native.spines(
        columns, leaf_word, labeller.columns(), recursive
    )
    return _Spines(
        construction, head, attachment, governor, columns.production, is_covered
    )


def _spines(
    bank: Treebank,
    row: Ints,
    label: Ids,
    leaves: Ints,
    leaf_word: Ints,
    labeller: Labeller,
) -> _Spines:
    """Heads, spines and attachments; `label` is each node's, as patterns know it."""
    kept = np.zeros(bank.label.size, np.bool_)
    kept[row] = True
    kept[bank.leaf_node[leaves]] = True
    node = np.flatnonzero(kept)
    is_leaf = bank.is_leaf[node]
    bracket = np.flatnonzero(~is_leaf)
    first_leaf = bank.first[node].astype(np.int64)
    parent, child, starts = parents(_depths(is_leaf, first_leaf, bank.last[row]))
    phrase = parent[child[starts]]
    label_of = label[node]
    own_production = np.empty(node.size, np.int64)
    own_production[phrase] = labeller.productions_of(
        label_of[phrase], label_of[child], is_leaf[child], starts
    )
    number: Ids = np.where(is_leaf, -1, np.cumsum(~is_leaf) - 1).astype(np.int32)
    position = np.zeros(node.size, np.int32)
    sizes = np.diff(starts, append=child.size)
    position[child] = np.arange(child.size) - np.repeat(starts, sizes)
    of_parent: Ids = np.append(number, np.int32(-1))[parent]
    bracket_production = own_production[bracket]
    if labeller.mark_kinds is not None:
        known = of_parent, position, number, bracket
        marks = _marks(bank, row, np.unique(leaves), label, labeller.mark_kinds, *known)
        _see_marks(labeller, bracket_production, *marks)
    production = bracket_production[number[phrase]]
    construction, head_position, is_covered = labeller.columns()

    head = np.arange(node.size)
    head[phrase] = child[starts + head_position[production]]
    head = follow_links(head)

    production = bracket_production
    own_construction = construction[production]
    spine = head[bracket]
    head_word = leaf_word[first_leaf[spine]]
    above = parent[top_of_spines(head, bracket)[spine]]
    below = np.flatnonzero(above >= 0)
    governor = np.full(bracket.size, ROOT, np.int64)
    governor[below] = leaf_word[first_leaf[head[above[below]]]]
    simple = np.flatnonzero(~labeller.constructions.is_recursive.take(own_construction))
    top_simple = top_of_spines(head, bracket[simple])[spine[simple]]
    carries = simple.compress(top_simple == bracket[simple])
    attachment = np.full(bracket.size, NULL, np.int64)
    attachment[carries] = governor[carries]
    return _Spines(
        construction=own_construction,
        head=head_word,
        attachment=attachment,
        governor=governor,
        production=production,
        is_covered=is_covered[production],
    )


def _see_marks(
    labeller: Labeller, production: Ints, owner: Ids, place: Ids, kind: Ids
) -> None:
    """Give brackets with punctuation in them the productions that patterns see there.

    That is done for phrases that have patterns which name punctuation, and for
    punctuation that was deleted. Of each mark: its bracket, so many children before it,
    its kind.
    """
    if owner.size:
        order = np.argsort(owner, kind="stable")
        owner, place, kind = owner[order], place[order], kind[order]
        has_marks = owner[np.flatnonzero(np.diff(owner, prepend=-1))]
        production[has_marks] = labeller.with_marks(production, owner, place, kind)


def _marks(
    bank: Treebank,
    row: Ints,
    leaves: Ints,
    label: Ids,
    kinds: Ids,
    parent_of: Ids,
    position: Ids,
    bracket: Ids,
    node_of: Ints,
) -> tuple[Ids, Ids, Ids]:
    """The marks that `_native.parents` finds, by NumPy.

    Of kept nodes: the bracket above, the number among sisters, which bracket it is; of
    brackets: which node it is.
    """
    kind_of_leaf = kinds[label[bank.leaf_node]]
    kind_of_leaf[leaves] = 0
    mark = np.flatnonzero(kind_of_leaf > 0)
    opened = np.searchsorted(row, bank.leaf_node[mark])
    # The kept node before it, or the sister or the parent of the mark above that.
    before = opened + np.searchsorted(leaves, mark) - 1
    mark, before = mark[before >= 0], before[before >= 0]
    ends = np.append(bank.last[row], np.iinfo(np.int32).max)  # the last: no bracket
    while True:
        parent = parent_of[before]
        own = bracket[before]
        is_inside = (own >= 0) & (ends[own] > mark)
        climbs = np.flatnonzero(~is_inside & (ends[parent] <= mark))
        if not climbs.size:
            break
        before[climbs] = node_of[parent[climbs]]
    owner = np.where(is_inside, own, parent)
    place = np.where(is_inside, 0, position[before] + 1)
    seen = np.flatnonzero(owner >= 0)
    seen = seen[kinds[label[row[owner[seen]]]] < 0]
    return owner[seen], place[seen], kind_of_leaf[mark[seen]]


def top_of_spines(head: Ints, nodes: Ints) -> Ints:
    """For each leaf that heads any of the nodes, the topmost of those.

    Parents come before children, so the topmost is the first; assigned backwards,
    it is the one that stays.
    """
    top = np.full(head.size, -1, np.int64)
    top[head[nodes[::-1]]] = nodes[::-1]
    return top


def _depths(is_leaf: Flags, first_leaf: Ints, ends: Ids) -> Ids:
    """The depth of each kept node among kept nodes: kept phrases open around it.

    All have a yield. So of the phrases that open before a node, those are closed that
    end before its first leaf; and no others end there. `ends` are the phrases'.
    """
    is_phrase = ~is_leaf
    opened = np.cumsum(is_phrase, dtype=np.int32) - is_phrase
    leaves = int(first_leaf.max(initial=0)) + 1
    ended = np.bincount(ends, minlength=leaves)
    closed = np.cumsum(ended, dtype=np.int32)[first_leaf]
    depth: Ids = opened - closed
    return depth
