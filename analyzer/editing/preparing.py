"""Trees as a search compares them: what is deleted, cut off and renamed beforehand.

The reference prepares trees in its own way (docs/repairs.md); our classifier as evalb
and `score` do, so that the errors it counts are those that evalb counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from analyzer.derivation.brackets import counted_brackets
from analyzer.editing.types import PHRASES
from analyzer.editing.workbench import UNCOUNTED, FlatTree
from analyzer.model.arrays import KEY_BYTES, Flags, Ids, Ints, first_bytes
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.words import Alignment, Side, align
from analyzer.transform.label_tables import DELETED, LabelTables, wrapper_class
from analyzer.transform.labels import default_labels
from analyzer.transform.parameters import load_parameters
from analyzer.transform.pruning import pruned, without_roots

_ROOT = "ROOT"
_EMPTY = "-NONE-"
_BELOW_ROOTS = PHRASES | {"WHADVP", "NML"}  # where it looks for the root of a tree
_DELETED = frozenset((_EMPTY, ",", ":", "``", "''", "."))
# Words that fix their tag, whatever the tree says.
_TAG_OF_WORD = {
    **dict.fromkeys(("--", "-", ";", ":"), ":"),
    **dict.fromkeys(("-LRB-", "-LCB-", "{"), "-LRB-"),
    **dict.fromkeys(("-RRB-", "-RCB-", "}"), "-RRB-"),
    "Wa": "NNP",
}


@dataclass(frozen=True, eq=False)
class Prepared:
    """One side of a block, as it is compared."""

    bank: Treebank  # what is left, under the labels that are shown
    compared: Ids  # per node: the class of its label, UNCOUNTED for what is no bracket
    row: Ints  # per node: the node of the treebank as it was read
    has_roots: bool = True  # else all trees get the same root, which is no bracket

    @cached_property
    def _columns(self) -> tuple[list[int], list[list[Any]]]:
        """Where trees start, and the columns of `FlatTree` for all of them, but the
        last; words and nodes are counted in each tree."""
        bank = self.bank
        sizes = np.diff(bank.node_start)
        word = bank.leaf_start[:-1].repeat(sizes)
        spans = bank.first - word, bank.last - word
        parent = bank.parent - bank.node_start[:-1].repeat(sizes)
        columns = bank.label, self.compared, *spans, parent, bank.is_leaf
        return bank.node_start.tolist(), [column.tolist() for column in columns]

    def tree_at(self, number: int) -> FlatTree:
        """A tree as lists."""
        starts, columns = self._columns
        start, end = starts[number], starts[number + 1]
        label, compared, first, last, parent, is_leaf = [c[start:end] for c in columns]
        row = list(range(start, end))
        tree = FlatTree(label, compared, first, last, parent, is_leaf, row)
        is_whole = min(tree.parent[1:], default=0) >= 0
        tree.parent[0] = -1
        is_whole = is_whole and self.has_roots and not tree.is_terminal[0]
        return tree if is_whole else with_root(tree)

    def words(self, number: int) -> list[str]:
        """The words of a tree that are left."""
        start, end = self.bank.leaf_start[number : number + 2].tolist()
        return self.bank.forms(np.arange(start, end))


class PreparedPair(NamedTuple):
    gold: Prepared
    parsed: Prepared
    alignment: Alignment  # of what is left


def with_root(tree: FlatTree) -> FlatTree:
    """A tree without root, a single word, or several trees, under a root that is no
    bracket.

    Parents are counted from the first node; roots have negative ones.
    """
    return FlatTree(
        [SYMBOLS.id(""), *tree.label],
        [UNCOUNTED, *tree.compared],
        [0, *tree.first],
        [max(tree.last), *tree.last],
        [-1, *(max(parent + 1, 0) for parent in tree.parent)],
        [False, *tree.is_terminal],
        [-1, *tree.row],
    )


# -- as evalb does -----------------------------------------------------------------


def prepare_for_evalb(
    pair: Pair, tables: LabelTables, alignment: Alignment
) -> PreparedPair:
    """Both sides as evalb compares them: words must be equal."""
    gold = _evalb_side(alignment.gold, tables)
    parsed = _evalb_side(alignment.parsed, tables)
    return PreparedPair(gold, parsed, alignment)


def _evalb_side(side: Side, tables: LabelTables) -> Prepared:
    bank, used = side.bank, side.is_compared
    brackets = counted_brackets(side, tables)
    keep_leaf = np.zeros(bank.leaf_node.size, np.bool_)
    keep_leaf[side.word_leaves] = True
    before = np.append(0, np.cumsum(keep_leaf))
    has_words = before[bank.first] < before[bank.last]
    compared = np.full(bank.label.size, UNCOUNTED, np.int32)
    compared[brackets.row] = brackets.key_label
    # Wrappers of whole trees have no construction, but evalb may count them.
    rows = np.flatnonzero(~bank.is_leaf & has_words)
    kind = tables.phrase_class(bank.label[rows])
    is_wrapper = kind < DELETED
    compared[rows[is_wrapper]] = wrapper_class(kind[is_wrapper])
    keep = has_words & (bank.is_leaf | (compared != UNCOUNTED))
    # A root holds the tree together, even if it does not count; of several trees, none
    # does.
    roots_before = np.append(0, np.cumsum(bank.depth == 0))
    has_one_root = np.diff(roots_before[bank.node_start]) == 1
    roots = bank.node_start[:-1][used & has_one_root]
    keep[roots] = has_words[roots]
    label = bank.label.copy()
    label[~bank.is_leaf] = tables.phrase(bank.label[~bank.is_leaf])
    row = np.flatnonzero(keep)
    has_roots = not tables.parameters.labels.no_root
    return Prepared(pruned(bank, keep, label), compared[row], row, has_roots)


# -- as the reference does -----------------------------------------------------------


def prepare_as_reference(pair: Pair, *, no_root: bool = False) -> PreparedPair:
    """Both sides as the reference prepares them: only the number of words counts."""
    gold, parsed = (_reference_side(bank, no_root) for bank in (pair.gold, pair.parsed))
    prepared = pair._replace(gold=gold.bank, parsed=parsed.bank)
    tables = LabelTables(load_parameters("none"), compares_words=False)
    return PreparedPair(gold, parsed, align(prepared, tables))


def _reference_side(bank: Treebank, no_root: bool) -> Prepared:
    if no_root:
        bank = without_roots(bank, default_labels())
    label = _mapped(bank.label, clean_label)
    leaf = bank.leaf_node
    label[leaf] = _tags_by_word(bank, label[leaf])
    _rename_roots(bank, label)
    first_tree = _first_of_each_line(bank)
    is_empty = _inside(bank, label == SYMBOLS.id(_EMPTY))
    keep_leaf = _unless_nothing_is_left(bank, first_tree & ~is_empty, first_tree)
    label = _mapped(label, cut_label)
    label = _mapped(label, clean_label)
    label[leaf] = _tags_by_word(bank, label[leaf])
    is_deleted = np.isin(label, [SYMBOLS.id(name) for name in _DELETED])
    goes = _inside(bank, is_deleted)
    keep_leaf = _unless_nothing_is_left(bank, keep_leaf & ~goes, keep_leaf)
    left = np.append(0, np.cumsum(keep_leaf))
    keep: Flags = left[bank.first] < left[bank.last]
    label[label == SYMBOLS.id("PRT")] = SYMBOLS.id("ADVP")
    row = np.flatnonzero(keep)
    compared = np.where(bank.is_leaf, UNCOUNTED, label).astype(np.int32)
    return Prepared(pruned(bank, keep, label), compared[row], row, not no_root)


def _inside(bank: Treebank, chosen: Flags) -> Flags:
    """The leaves that some of the nodes hold, or are."""
    inside = np.zeros(bank.leaf_node.size + 1, np.int64)
    rows = np.flatnonzero(chosen)
    np.add.at(inside, bank.first[rows], 1)
    np.add.at(inside, bank.last[rows], -1)
    is_inside: Flags = np.cumsum(inside)[:-1] > 0
    return is_inside


def clean_label(label: str) -> str:
    """A label without alternatives.

    >>> [clean_label(label) for label in ("ADVP|PRT", "PRT|ADVP", "NN|VB", "NP-SBJ")]
    ['ADVP', 'ADVP', 'NN', 'NP-SBJ']
    """
    if "|" not in label:
        return label
    return "ADVP" if "ADVP" in label else label.split("|", 1)[0]


def cut_label(label: str) -> str:
    """A label without function tags and indices.

    >>> [cut_label(label) for label in ("NP-SBJ-1", "NP=2", "-LRB-", "-NONE-=1")]
    ['NP', 'NP', '-LRB-', '-NONE-']
    """
    bare = label.split("=", 1)[0]
    return bare if bare.startswith("-") else bare.split("-", 1)[0]


def _mapped(labels: Ids, change: Callable[[str], str]) -> Ids:
    """The labels, each changed."""
    used, which = np.unique(labels, return_inverse=True)
    changed = [SYMBOLS.id(change(SYMBOLS.name(label))) for label in used.tolist()]
    return np.array(changed, np.int32)[which]


def _tags_by_word(bank: Treebank, tags: Ids) -> Ids:
    """The tags of leaves, put right where the word decides the tag."""
    length = bank.form_end - bank.form_start
    short = np.flatnonzero(length < KEY_BYTES)
    word = first_bytes(bank.text, bank.form_start[short], length[short])
    tags = tags.copy()
    for form, tag in _TAG_OF_WORD.items():
        same = word == np.uint64(int.from_bytes(form.encode(), "little"))
        same &= length[short] == len(form)
        tags[short[same]] = SYMBOLS.id(tag)
    return tags


def _rename_roots(bank: Treebank, label: Ids) -> None:
    """Name a root `ROOT` that has several children, and no phrase's label.

    The reference goes down from the root through only children to find it.
    """
    root = SYMBOLS.id(_ROOT)
    roots = bank.node_start[:-1][np.diff(bank.node_start) > 0]
    if np.all(label[roots] == root):
        return
    names = [SYMBOLS.name(number) for number in label.tolist()]
    is_stop = bank.is_leaf | [cut_label(name) in _BELOW_ROOTS for name in names]
    children = np.bincount(bank.parent[bank.parent >= 0], minlength=label.size)
    for node in roots[label[roots] != root].tolist():
        while children[node] == 1 and not is_stop[node]:
            node += 1
        if not is_stop[node]:
            label[node] = root


def _first_of_each_line(bank: Treebank) -> Flags:
    """The leaves of the first tree, where a line holds several: the rest is ignored."""
    roots = np.flatnonzero(bank.depth == 0)
    is_first = np.zeros(bank.label.size, np.bool_)
    is_first[bank.node_start[:-1][np.diff(bank.node_start) > 0]] = True
    is_first = is_first[roots]
    widths = bank.last[roots] - bank.first[roots]
    return np.repeat(is_first, widths)


def _unless_nothing_is_left(bank: Treebank, keep: Flags, otherwise: Flags) -> Flags:
    """The leaves to keep; of a tree that would lose all of them, the others."""
    before = np.append(0, np.cumsum(keep))
    left = np.diff(before[bank.leaf_start])
    has_some = np.repeat(left > 0, np.diff(bank.leaf_start))
    return np.where(has_some, keep, otherwise)
