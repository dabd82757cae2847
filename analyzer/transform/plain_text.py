"""The text of a treebank: without what its label set says is none of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analyzer.model.arrays import Flags, Ints, number_densely
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.model.yields import Yields
from analyzer.transform.labels import LabelSet

# Lemmas are on most words of a text, or a word with a hyphen has none.
_MOST_WORDS = 0.5


def plain_text(bank: Treebank, labels: LabelSet) -> Treebank:
    """The trees without what is no text, without empty words, and without lemmas.

    Comments, identifiers and the like go with all that is below them, and phrases in
    which no word is left go too; trees stay, if without nodes.

    >>> from analyzer.formats.reading import read_trees
    >>> from analyzer.transform.labels import load_labels
    >>> bank = read_trees("( (IP-MAT (NP-SBJ *con*) (VBD came-come)) (ID A,1.2))")
    >>> print(plain_text(bank, load_labels("historical"))[0])
    ( (IP-MAT (VBD came)))
    """
    if not labels.changes_text:
        return bank
    is_word = ~_is_empty(bank, labels) & ~_is_below_no_text(bank, labels)
    kept = bank if is_word.all() else keep_leaves(bank, is_word)
    return _without_lemmas(kept, labels)


def keep_leaves(bank: Treebank, is_kept: Flags) -> Treebank:
    """The trees with these leaves only, and the phrases that have any."""
    before = np.append(0, np.cumsum(is_kept))
    first, last = before[bank.first], before[bank.last]
    row = np.flatnonzero(first < last)
    rows_before = np.searchsorted(row, np.arange(bank.label.size + 1))
    leaf = np.flatnonzero(is_kept)
    return replace(
        bank,
        label=bank.label[row],
        depth=bank.depth[row],
        first=first[row].astype(np.int32),
        last=last[row].astype(np.int32),
        is_leaf=bank.is_leaf[row],
        leaf_node=rows_before[bank.leaf_node[leaf]],
        form_start=bank.form_start[leaf],
        form_end=bank.form_end[leaf],
        node_start=rows_before[bank.node_start],
        leaf_start=before[bank.leaf_start],
        edges=tuple(bank.edges[at] for at in leaf.tolist()) if bank.edges else (),
        yields=_kept_yields(bank, before, row),
    )


def _kept_yields(bank: Treebank, before: Ints, row: Ints) -> Yields | None:
    """The runs of leaves that are left, of nodes that are."""
    if bank.yields is None:
        return None
    node, first, last = bank.yields
    first, last = before[first], before[last]
    kept = (first < last) & np.isin(node, row)
    return Yields(np.searchsorted(row, node[kept]), first[kept], last[kept])


def _is_empty(bank: Treebank, labels: LabelSet) -> Flags:
    """Per leaf: whether its word or its tag says that there is no word."""
    empty = [SYMBOLS.id(tag) for tag in labels.empty]
    found = np.isin(bank.label[bank.leaf_node], empty)
    if labels.empty_word:
        forms = bank.forms(np.arange(bank.leaf_node.size))
        known = {form: labels.is_empty_word(form) for form in set(forms)}
        found |= np.array([known[form] for form in forms], np.bool_)
    return found


def _is_below_no_text(bank: Treebank, labels: LabelSet) -> Flags:
    """Per leaf: whether it or a phrase above it is no text.

    A word of letters is text, whatever a parser tags it as.
    """
    used, which = number_densely(bank.label)
    names = [SYMBOLS.name(number) for number in used.tolist()]
    is_none = np.array([labels.bare_phrase(n) in labels.no_text for n in names], bool)
    row = np.flatnonzero(is_none[which])
    is_word = [
        bool(bank.is_leaf[one]) and bank.form(int(bank.first[one])).isalpha()
        for one in row.tolist()
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
