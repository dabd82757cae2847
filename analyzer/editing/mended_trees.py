"""Parses in which only some errors are mended, many at a time, as columns.

A tree in which only some errors are mended has the right brackets of the parse, the
wrong ones that are not mended, and the missing ones that are; but where a mended one
crosses a wrong one, the wrong one goes: gold is favoured, and the result is a tree.
The more is mended, the more brackets are right and the fewer are wrong, whatever the
order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from analyzer.editing.mending import Sentence
from analyzer.editing.search import MOST_EDITS
from analyzer.formats.reading import read_trees
from analyzer.metrics.join import packed
from analyzer.model.arrays import Flags, Ids, Ints, begins, ranges
from analyzer.model.treebank import Treebank
from analyzer.transform.pruning import depths

# A sentence, by its number from 0, and which of its edits are made (from 0).
Mend = tuple[int, Collection[int]]
_NO_EDIT = -1


class _Brackets(NamedTuple):
    """Brackets of trees, one tree after the other, each in pre-order."""

    tree: Ints
    label: Ints
    first: Ints  # words, from 0 in each tree
    last: Ints
    edit: Ints  # which takes it away, or adds it

    @classmethod
    def of(
        cls, bank: Treebank, errors: Sequence[Sequence[tuple[int, int]]]
    ) -> _Brackets:
        """All brackets of a treebank, and for each tree which are mended by what."""
        row = np.flatnonzero(~bank.is_leaf)
        tree = bank.tree_of_node[row]
        edit = np.full(row.size, _NO_EDIT)
        starts = np.searchsorted(tree, np.arange(len(bank)))
        for start, of_tree in zip(starts.tolist(), errors, strict=True):
            for at, number in of_tree:
                edit[start + at] = number
        before = bank.leaf_start[tree]
        first, last = bank.first[row] - before, bank.last[row] - before
        label = bank.label[row].astype(np.int64)
        return cls(tree, label, first, last, edit)

    def only(self, rows: Ints | Flags) -> _Brackets:
        return _Brackets(*(column[rows] for column in self))

    def of_trees(self, trees: Ints) -> _Brackets:
        """Those of some trees, in this order; the trees are numbered anew."""
        starts = np.searchsorted(self.tree, trees)
        sizes = np.searchsorted(self.tree, trees, side="right") - starts
        found = self.only(ranges(starts, sizes))
        return found._replace(tree=np.arange(trees.size).repeat(sizes))

    def plus(self, other: _Brackets) -> _Brackets:
        return _Brackets(*map(np.concatenate, zip(self, other, strict=True)))


class MendedTrees:
    """Makes trees of sentences in which only some errors are mended.

    >>> gold, parsed = "(S (NP (NN a)) (VP (VB b)))", "(S (NN a) (X (VB b)))"
    >>> given = Sentence(gold, parsed, extra=[(1, 1)], missing=[(1, 0), (2, 1)])
    >>> for tree in MendedTrees([given]).trees([(0, {0}), (0, {1}), (0, {0, 1})]):
    ...     print(tree)
    (S (NP (NN a)) (X (VB b)))
    (S (NN a) (VP (VB b)))
    (S (NP (NN a)) (VP (VB b)))
    """

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.gold = read_trees("".join(one.gold + "\n" for one in sentences))
        self.parsed = read_trees("".join(one.parsed + "\n" for one in sentences))
        self._of_gold = _Brackets.of(self.gold, [one.missing for one in sentences])
        self._of_parsed = _Brackets.of(self.parsed, [one.extra for one in sentences])

    def trees(self, mends: Sequence[Mend]) -> Treebank:
        """The parses of these sentences, each with some edits made."""
        sentences = np.array([sentence for sentence, _ in mends], np.int64)
        made = np.zeros((len(mends), MOST_EDITS + 1), np.bool_)  # the last: _NO_EDIT
        sizes = [len(edits) for _, edits in mends]
        each = [edit for _, edits in mends for edit in edits]
        made[np.arange(len(mends)).repeat(sizes), each] = True
        parsed = self._of_parsed.of_trees(sentences)
        added = self._of_gold.of_trees(sentences)
        added = added.only(made[added.tree, added.edit])
        goes = made[parsed.tree, parsed.edit]
        wrong = np.flatnonzero((parsed.edit != _NO_EDIT) & ~goes)
        goes[wrong[_cross(parsed.only(wrong), added)]] = True
        both = parsed.plus(added)
        order = np.lexsort((-both.last, both.first, both.tree))
        stays = np.append(~goes, np.ones(added.tree.size, np.bool_))[order]
        touched = np.append(goes, np.ones(added.tree.size, np.bool_))[order]
        brackets = both.only(order)
        rows = self._as_in_gold(brackets, sentences, stays, touched)
        return self._tree_of(brackets.only(rows[stays]), sentences)

    def _as_in_gold(
        self, brackets: _Brackets, sentences: Ints, stays: Flags, touched: Flags
    ) -> Ints:
        """The rows of brackets in pre-order, also of those that do not stay.

        Brackets with the same words stand one above the other: as in the parse, and
        where something was mended there, in the order that gold has them. Those that
        gold has not stay where they are.
        """
        rows = np.arange(stays.size)
        columns = brackets.tree, brackets.first, brackets.last
        span = np.cumsum(np.logical_or.reduce([begins(one) for one in columns]))
        chained = np.bincount(span[stays], minlength=rows.size + 1) > 1
        chained &= np.bincount(span[touched], minlength=rows.size + 1) > 0
        asked = rows[stays & chained[span]]
        if not asked.size or not self._of_gold.tree.size:
            return rows
        chains, gold = brackets.only(asked), self._of_gold
        wanted, known = packed(
            [sentences[chains.tree], chains.first, chains.last, chains.label],
            [gold.tree, gold.first, gold.last, gold.label],
        )
        order = np.argsort(known, kind="stable")
        at = np.minimum(np.searchsorted(known[order], wanted), known.size - 1)
        rank = order[at]  # the first that gold has of this label
        is_known = known[rank] == wanted
        asked = asked[is_known]
        rows[asked] = asked[np.lexsort((rank[is_known], span[asked]))]
        return rows

    def _tree_of(self, brackets: _Brackets, sentences: Ints) -> Treebank:
        """The trees that have these brackets above the words of the parses."""
        words = np.diff(self.parsed.leaf_start)[sentences]
        leaf_start = np.append(0, np.cumsum(words))
        leaf = ranges(self.parsed.leaf_start[sentences], words)
        first = brackets.first + leaf_start[brackets.tree]
        last = brackets.last + leaf_start[brackets.tree]
        # A leaf comes after the brackets that begin with it.
        leaf_node = np.arange(leaf.size)
        leaf_node += np.searchsorted(first, leaf_node, side="right")
        row = np.arange(first.size) + first
        is_leaf = np.ones(row.size + leaf.size, np.bool_)
        is_leaf[row] = False

        def column(of_brackets: Ints | Ids, of_leaves: Ints | Ids) -> Ids:
            found = np.empty(is_leaf.size, np.int32)
            found[row], found[leaf_node] = of_brackets, of_leaves
            return found

        numbers = np.arange(leaf.size)
        firsts, lasts = column(first, numbers), column(last, numbers + 1)
        tags = self.parsed.label[self.parsed.leaf_node[leaf]]
        sizes = words + np.bincount(brackets.tree, minlength=sentences.size)
        return Treebank(
            label=column(brackets.label, tags),
            depth=depths(is_leaf, firsts, lasts, leaf.size),
            first=firsts,
            last=lasts,
            is_leaf=is_leaf,
            leaf_node=leaf_node,
            form_start=self.parsed.form_start[leaf],
            form_end=self.parsed.form_end[leaf],
            node_start=np.append(0, np.cumsum(sizes)),
            leaf_start=leaf_start,
            line=np.ones(sentences.size, np.int64),
            text=self.parsed.text,
        )


def _cross(brackets: _Brackets, others: _Brackets) -> Flags:
    """Whether each bracket overlaps in part with one of the same tree's others."""
    starts = np.searchsorted(others.tree, brackets.tree)
    sizes = np.searchsorted(others.tree, brackets.tree, side="right") - starts
    first, last = brackets.first.repeat(sizes), brackets.last.repeat(sizes)
    beside = others.only(ranges(starts, sizes))
    start, end = beside.first, beside.last
    crosses = (first < start) & (start < last) & (last < end)
    crosses |= (start < first) & (first < end) & (end < last)
    found = np.zeros(brackets.tree.size, np.bool_)
    found[np.arange(brackets.tree.size).repeat(sizes)[crosses]] = True
    return found
