"""The brackets of trees that count, and where words stand after deletion."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analyzer import _native
from analyzer.model.arrays import Ids, Ints
from analyzer.model.treebank import Treebank
from analyzer.pairing.words import Alignment, Side
from analyzer.transform.label_tables import (
    DELETED,
    LabelTables,
    wrapper_class,
)


class WordPositions(NamedTuple):
    """Per leaf: the number of the word it is, and of the next; equal if deleted."""

    start: Ints
    end: Ints


class Wrappers(NamedTuple):
    """Brackets around whole trees that evalb counts; they have no construction."""

    first: Ints
    last: Ints
    key_label: Ids
    starts: Ints  # per tree

    @classmethod
    def none(cls, trees: int) -> Wrappers:
        """Of so many trees, none has any."""
        nothing = np.zeros(0, np.int64)
        starts = np.zeros(trees + 1, np.int64)
        return cls(nothing, nothing, nothing.astype(np.int32), starts)


class Brackets(NamedTuple):
    """The brackets of one side that count, in document order."""

    row: Ints  # in the treebank's node columns
    first: Ints  # spans in words left after deletion, counted through the block
    last: Ints
    label: Ids  # without function tags
    key_label: Ids  # what is compared: equated labels are one
    starts: Ints  # per tree
    words: WordPositions
    wrappers: Wrappers  # not among the others
    # A number for the gaps of each, 0 for none; None where no tree has any.
    gaps: Ints | None = None


def word_positions(side: Side) -> WordPositions:
    """Where each leaf stands among the words that are compared.

    The words of trees left out do not count, so that the words of gold and parsed
    have the same numbers.
    """
    bank, leaves, starts = side.bank, side.leaves, side.starts
    comparable, size = side.is_compared, side.bank.leaf_node.size
    if _native.has_kernel():
        return WordPositions(*_native.positions(side, comparable))
    # A quote that was put back twice counts as two words, as in evalb.
    width = np.bincount(leaves, minlength=size)
    end = np.cumsum(width)
    if not comparable.all():
        words = np.where(comparable, np.diff(starts), 0)
        shift = np.cumsum(words) - words - starts[:-1]
        end += np.repeat(shift, np.diff(bank.leaf_start))
    return WordPositions(end - width, end)


def lost_brackets(
    alignment: Alignment, tables: LabelTables, *, with_leaves: bool = False
) -> Ints:
    """Per tree, its gold brackets if it is left out because of its parse.

    They would count as missed if the parse were taken to find nothing. `with_leaves`:
    leaves count too, as the links of EDUs do.
    """
    bank = alignment.gold.bank
    lost = np.zeros(len(bank), np.int64)
    both = zip(alignment.left_out_trees.tolist(), alignment.left_out, strict=True)
    trees = [tree for tree, item in both if item.is_lost and tree not in bank.problems]
    if not trees:
        return lost
    for tree in trees:
        start, end = bank.node_start[tree : tree + 2].tolist()
        if with_leaves:
            lost[tree] = end - start
            continue
        first, last = bank.leaf_start[tree : tree + 2].tolist()
        tags = bank.label[bank.leaf_node[first:last]]
        words = np.append(0, np.cumsum(~tables.deletes_word(tags)))
        row = start + np.flatnonzero(~bank.is_leaf[start:end])
        has_words = words[bank.first[row] - first] < words[bank.last[row] - first]
        counts = has_words & (tables.phrase_class(bank.label[row]) != DELETED)
        lost[tree] = np.count_nonzero(counts)
    return lost


def counted_brackets(
    side: Side, tables: LabelTables, *, with_gaps: bool = False
) -> Brackets:
    """The brackets of one side's comparable trees that have words left in them.

    `with_gaps`: those of trees with crossing branches as they are, sets of words; else
    as brackets were made of them.
    """
    bank, words = side.bank, word_positions(side)
    if _native.has_kernel() and not with_gaps:
        return _brackets_compiled(side, tables, words)
    row = np.flatnonzero(~bank.is_leaf & (bank.first < bank.last))
    label = bank.label[row]
    compared = tables.phrase_class(label)
    first = words.start.take(bank.first[row])
    last = words.end.take(bank.last[row] - 1)
    gaps = _put_gaps(bank, words, row, first, last) if with_gaps else None
    has_words = first < last
    if not side.is_compared.all():
        sizes = np.diff(np.searchsorted(row, bank.node_start))
        has_words &= np.repeat(side.is_compared, sizes)
    wrapper = np.flatnonzero((compared < DELETED) & has_words)
    wrappers = Wrappers(
        first=first[wrapper],
        last=last[wrapper],
        key_label=wrapper_class(compared[wrapper]),
        starts=np.searchsorted(row[wrapper], bank.node_start),
    )
    counts = (compared > DELETED) & has_words
    row = row.compress(counts)
    return Brackets(
        row=row,
        first=first.compress(counts),
        last=last.compress(counts),
        label=tables.phrase(label.compress(counts)),
        key_label=compared.compress(counts),
        starts=np.searchsorted(row, bank.node_start),
        words=words,
        wrappers=wrappers,
        gaps=None if gaps is None else gaps.compress(counts),
    )


def _brackets_compiled(
    side: Side, tables: LabelTables, words: WordPositions
) -> Brackets:
    """What `counted_brackets` gives, by the compiled kernel."""
    bank = side.bank
    known = tables.by_number(bank.label)
    labels = known.phrase_class, known.phrase
    row, first, last, label, key_label, starts, wrapper, wrapper_starts = (
        _native.brackets(bank, side.is_compared, words, labels, DELETED)
    )
    wrappers = Wrappers(
        first=words.start[bank.first[wrapper]],
        last=words.end[bank.last[wrapper] - 1],
        key_label=wrapper_class(known.phrase_class[bank.label[wrapper]]),
        starts=wrapper_starts,
    )
    return Brackets(row, first, last, label, key_label, starts, words, wrappers)


def _put_gaps(
    bank: Treebank, words: WordPositions, row: Ints, first: Ints, last: Ints
) -> Ints:
    """What is between the first and the last word of each, and not in it, as a number.

    `first` and `last` become those of nodes with gaps. What is left of a node after
    deletion may have none.
    """
    gaps = np.zeros(row.size, np.int64)
    if bank.yields is None:
        return gaps
    node, start, end = bank.yields
    kept = words.start.take(start).tolist(), words.end.take(end - 1).tolist()
    runs_of: dict[int, list[int]] = {}
    for at, begin, finish in zip(node.tolist(), *kept, strict=True):
        runs = runs_of.setdefault(at, [])
        if begin == finish:
            continue
        if runs and runs[-1] == begin:
            runs[-1] = finish
        else:
            runs += [begin, finish]
    place_of = dict(zip(row.tolist(), range(row.size), strict=True))
    for at, runs in runs_of.items():
        place = place_of.get(at)
        if place is None:
            continue
        first[place], last[place] = (runs[0], runs[-1]) if runs else (0, 0)
        if len(runs) > 2:
            # Words are numbered alike on both sides, and so is what is made of them.
            gaps[place] = hash(tuple(runs)) >> 1 or 1
    return gaps
