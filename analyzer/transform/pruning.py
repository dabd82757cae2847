"""Trees without some of their nodes, or some of the trees: what is left of columns.

And without what a treebank's label set says is no text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from analyzer.model.arrays import Flags, Ids, Ints, any_between, ranges
from analyzer.model.symbols import SYMBOLS, by_name
from analyzer.model.treebank import Treebank, Yields
from analyzer.transform.labels import LabelSet

Value = TypeVar("Value")

# Lemmas are on most words of a text, or a word with a hyphen has none.
_MOST_WORDS = 0.5


def pruned(bank: Treebank, keep: Flags, label: Ids | None = None) -> Treebank:
    """The trees of the nodes to keep, under other labels if some are given (for all).

    What stood below a node that is left out moves up. A bracket that is kept must
    have a leaf that is. Trees whose nodes are all left out are empty.
    """
    rows, leaves = np.flatnonzero(keep), np.flatnonzero(keep[bank.leaf_node])
    leaves_before = np.append(0, np.cumsum(keep[bank.leaf_node]))
    nodes_before = np.append(0, np.cumsum(keep))
    first = leaves_before[bank.first[rows]].astype(np.int32)
    last = leaves_before[bank.last[rows]].astype(np.int32)
    is_leaf = bank.is_leaf[rows]
    yields = bank.yields
    if yields is not None:
        starts, ends = leaves_before[yields.first], leaves_before[yields.last]
        left = np.flatnonzero((starts < ends) & keep[yields.node])
        node = nodes_before[yields.node[left]]
        yields = Yields(node, starts[left], ends[left])
    return bank.reshaped(
        label=(bank.label if label is None else label)[rows],
        depth=depths(is_leaf, first, last, leaves.size),
        first=first,
        last=last,
        is_leaf=is_leaf,
        leaf_node=np.flatnonzero(is_leaf),
        form_start=bank.form_start[leaves],
        form_end=bank.form_end[leaves],
        node_start=nodes_before[bank.node_start],
        leaf_start=leaves_before[bank.leaf_start],
        edges=_chosen(bank.edges, leaves),
        yields=yields,
    )


def keep_leaves(bank: Treebank, is_kept: Flags) -> Treebank:
    """The trees with these leaves only, and the phrases that have any."""
    return pruned(bank, any_between(is_kept, bank.first, bank.last))


def depths(is_leaf: Flags, first: Ids, last: Ids, leaves: int) -> Ids:
    """How many brackets are open at each node.

    Of those that open before it, the ones that end before its first leaf are closed.
    """
    is_bracket = ~is_leaf
    opened = np.cumsum(is_bracket, dtype=np.int32) - is_bracket
    ended = np.bincount(last[is_bracket], minlength=leaves + 1)
    depth: Ids = opened - np.cumsum(ended, dtype=np.int32)[first]
    return depth.astype(np.int32)


def some_trees(bank: Treebank, trees: Ints) -> Treebank:
    """Some of the trees as a treebank of their own: in any order, a tree also twice.

    >>> from analyzer.formats.reading import read_trees
    >>> bank = read_trees("(A a)\\n(B b)\\n(C c)\\n")
    >>> [str(tree) for tree in some_trees(bank, np.array([2, 0, 2]))]
    ['(C c)', '(A a)', '(C c)']
    """
    chosen = trees.tolist()
    nodes, leaves = np.diff(bank.node_start)[trees], np.diff(bank.leaf_start)[trees]
    node = ranges(bank.node_start[trees], nodes)
    leaf = ranges(bank.leaf_start[trees], leaves)
    node_start, leaf_start = (np.append(0, np.cumsum(n)) for n in (nodes, leaves))
    by = leaf_start[:-1] - bank.leaf_start[trees]
    is_leaf = bank.is_leaf[node]
    return bank.reshaped(
        label=bank.label[node],
        depth=bank.depth[node],
        first=(bank.first[node] + by.repeat(nodes)).astype(np.int32),
        last=(bank.last[node] + by.repeat(nodes)).astype(np.int32),
        is_leaf=is_leaf,
        leaf_node=np.flatnonzero(is_leaf),
        form_start=bank.form_start[leaf],
        form_end=bank.form_end[leaf],
        node_start=node_start,
        leaf_start=leaf_start,
        line=bank.line[trees],
        problems=_of_trees(bank.problems, chosen),
        mends=_of_trees(bank.mends, chosen),
        ids=_chosen(bank.ids, trees),
        edges=_chosen(bank.edges, leaf),
        yields=_yields_of(bank, trees, node_start, by),
    )


def _chosen(column: Sequence[str], rows: Ints) -> tuple[str, ...]:
    """Some rows of a column, if it has any."""
    return tuple(column[row] for row in rows.tolist()) if column else ()


def _of_trees(known: Mapping[int, Value], trees: Sequence[int]) -> dict[int, Value]:
    return {new: known[old] for new, old in enumerate(trees) if old in known}


def _yields_of(
    bank: Treebank, trees: Ints, node_start: Ints, by: Ints
) -> Yields | None:
    """The runs of leaves of some trees, whose leaves have other numbers now."""
    if bank.yields is None:
        return None
    starts = np.searchsorted(bank.yields.node, bank.node_start)
    sizes = np.diff(starts)[trees]
    node, first, last = (column[ranges(starts[trees], sizes)] for column in bank.yields)
    nodes_by = node_start[:-1] - bank.node_start[trees]
    leaf_by = by.repeat(sizes)
    return Yields(node + nodes_by.repeat(sizes), first + leaf_by, last + leaf_by)


# -- what is text ----------------------------------------------------------------------


def without_nontext(bank: Treebank, labels: LabelSet) -> Treebank:
    """The trees without what is no text, without empty words, and without lemmas; and
    without their roots, if the labels say so.

    Comments, identifiers and the like go with all that is below them, and phrases in
    which no word is left go too; trees stay, if without nodes.

    >>> from analyzer.formats.reading import read_trees
    >>> from analyzer.transform.labels import load_labels
    >>> bank = read_trees("( (IP-MAT (NP-SBJ *con*) (VBD came-come)) (ID A,1.2))")
    >>> print(without_nontext(bank, load_labels("historical"))[0])
    ( (IP-MAT (VBD came)))
    """
    if labels.no_root:
        bank = without_roots(bank, labels)
    if not labels.has_nontext:
        return bank
    is_word = ~_is_empty(bank, labels) & ~_is_below_no_text(bank, labels)
    kept = bank if is_word.all() else keep_leaves(bank, is_word)
    return _without_lemmas(kept, labels)


def without_roots(bank: Treebank, labels: LabelSet) -> Treebank:
    """The trees without their roots: what stands below them moves up.

    A root is the topmost bracket of a tree if its label is a wrapper (TOP, ROOT, none
    at all ...), and what is directly below a root if that is such a bracket, too.

    >>> from analyzer.formats.reading import read_trees
    >>> from analyzer.transform.labels import default_labels
    >>> bank = read_trees("( (ROOT (S (NN rain))))\\n(TOP (NN a) (X (TOP (NN b))))")
    >>> [str(tree) for tree in without_roots(bank, default_labels())]
    ['(S (NN rain))', '(NN a) (X (TOP (NN b)))']
    """
    bare, wrappers = labels.bare_phrase, labels.wrapper
    is_wrapper = by_name(bank.label, lambda name: bare(name) in wrappers, np.bool_)
    is_wrapper &= ~bank.is_leaf
    is_root: Flags = is_wrapper & (bank.depth == 0)
    newest = is_root
    while newest.any():
        below = np.append(newest, False)[bank.parent]  # the parent of a top is -1
        newest = is_wrapper & below & ~is_root
        is_root |= newest
    return pruned(bank, ~is_root) if is_root.any() else bank


def _is_empty(bank: Treebank, labels: LabelSet) -> Flags:
    """Per leaf: whether its word or its tag says that there is no word."""
    empty = [SYMBOLS.id(tag) for tag in labels.empty]
    flags = np.isin(bank.label[bank.leaf_node], empty)
    if labels.empty_word:
        forms = bank.forms(np.arange(bank.leaf_node.size))
        known = {form: labels.is_empty_word(form) for form in set(forms)}
        flags |= np.array([known[form] for form in forms], np.bool_)
    return flags


def _is_below_no_text(bank: Treebank, labels: LabelSet) -> Flags:
    """Per leaf: whether it or a phrase above it is no text.

    A word of letters is text, whatever a parser tags it as.
    """
    bare, no_text = labels.bare_phrase, labels.no_text
    is_none = by_name(bank.label, lambda name: bare(name) in no_text, np.bool_)
    row = np.flatnonzero(is_none)
    is_word = [
        bool(bank.is_leaf[node]) and bank.form(int(bank.first[node])).isalpha()
        for node in row.tolist()
    ]
    row = row[~np.array(is_word, np.bool_)]
    inside = np.zeros(bank.leaf_node.size + 1, np.int64)
    np.add.at(inside, bank.first[row], 1)
    np.add.at(inside, bank.last[row], -1)
    return np.cumsum(inside[:-1]) > 0


def _without_lemmas(bank: Treebank, labels: LabelSet) -> Treebank:
    for separator in sorted(labels.lemma):
        end = _word_ends(bank, separator)
        if np.count_nonzero(end < bank.form_end) > _MOST_WORDS * end.size:
            return replace(bank, form_end=end)
    return bank


def _word_ends(bank: Treebank, separator: str) -> Ints:
    """Where words end if what follows the last separator is a lemma."""
    text = np.frombuffer(bank.text, np.uint8)
    places = np.flatnonzero(text == ord(separator))
    if not places.size:
        return bank.form_end
    # The last one that has something before it and something behind.
    at = np.searchsorted(places, bank.form_end - 1) - 1
    place = places[np.maximum(at, 0)]
    has_lemma = (at >= 0) & (place > bank.form_start)
    return np.where(has_lemma, place, bank.form_end)
