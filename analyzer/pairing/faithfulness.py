"""Which words of gold a parse has kept: what is counted of a pair of trees."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import NamedTuple

import numpy as np

from analyzer.model.arrays import Flags, Ints, sums_between
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.characters import plain
from analyzer.pairing.edits import ADDED, CHANGED, MISSING, SAME, Step, shortest_edit
from analyzer.pairing.words import words_differ
from analyzer.transform.labels import default_labels


class WordCounts(NamedTuple):
    """What became of the words of gold, and how many were added.

    The first four add up to gold's words. Retokenized are words with the same
    characters in other tokens or escapes, as `cannot` for `can not`, `(` for -LRB-.
    """

    equal: int = 0
    retokenized: int = 0
    changed: int = 0
    missing: int = 0
    added: int = 0

    def plus(self, other: WordCounts) -> WordCounts:
        return WordCounts._make(map(add, self, other))

    @property
    def is_faithful(self) -> bool:
        """Whether the parse has gold's words and no others."""
        return not any(self[1:])


def word_counts(gold: Sequence[str], parsed: Sequence[str]) -> WordCounts:
    """The words of gold, counted by what a parse made of them.

    >>> gold = ["I", "can", "not", "go", "there"]
    >>> word_counts(gold, ["I", "cannot", "leave", "."])
    WordCounts(equal=1, retokenized=2, changed=2, missing=0, added=0)
    """
    if list(gold) == list(parsed):
        return WordCounts(equal=len(gold))
    counts = WordCounts()
    at, beside = 0, 0
    steps = shortest_edit([plain(word) for word in gold], [plain(w) for w in parsed])
    for step in steps:
        is_equal = step == SAME and gold[at] == parsed[beside]
        counts = counts.plus(_counts_of(step, is_equal))
        at, beside = at + step.gold, beside + step.parsed
    return counts


def _counts_of(step: Step, is_equal: bool) -> WordCounts:
    if is_equal:
        return WordCounts(equal=1)
    by_step = {
        CHANGED: WordCounts(changed=1),
        MISSING: WordCounts(missing=1),
        ADDED: WordCounts(added=1),
    }
    return by_step.get(step) or WordCounts(retokenized=step.gold)


def words_of(bank: Treebank, tree: int) -> list[str]:
    """The words of a tree; empty elements, such as traces, are none."""
    first, last = bank.leaf_start[tree : tree + 2].tolist()
    leaves = np.arange(first, last)
    return bank.forms(leaves[_are_words(bank)[first:last]])


def word_totals(bank: Treebank) -> Ints:
    """How many words each tree has."""
    return sums_between(_are_words(bank), bank.leaf_start)


def words_are_equal(gold: Treebank, parsed: Treebank) -> Flags:
    """Per pair of trees: whether all words are equal, byte by byte."""
    count = word_totals(gold)
    is_equal: Flags = count == word_totals(parsed)
    sides = []
    for bank in (gold, parsed):
        is_compared = np.repeat(is_equal, np.diff(bank.leaf_start)) & _are_words(bank)
        sides.append(np.flatnonzero(is_compared))
    differs = words_differ(gold, sides[0], parsed, sides[1])
    tree = np.repeat(np.arange(count.size), np.where(is_equal, count, 0))
    is_equal[tree[differs]] = False
    return is_equal


def _are_words(bank: Treebank) -> Flags:
    """Which leaves are words: all but empty elements."""
    empty = [SYMBOLS.id(tag) for tag in default_labels().empty]
    are_words: Flags = ~np.isin(bank.label[bank.leaf_node], empty)
    return are_words
