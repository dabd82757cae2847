"""The shortest edit that turns the words of gold into those of a parse.

A step pairs words with the same characters, one to one or in other tokens (`cannot`
beside `can not`), which costs nothing; or pairs a word with another one, leaves one out
or adds one, which costs an edit. Of equally short edits, one is taken that pairs words
which look alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import add
from typing import NamedTuple

import numpy as np

from analyzer.model.arrays import Flags, Ints, sums_between
from analyzer.model.treebank import Treebank
from analyzer.pairing.texts import are_words, plain
from analyzer.pairing.words import words_differ

# Pairs of words that are looked at. Sentences have far fewer; of a text of thousands of
# words, only pairs near the diagonal are.
_MOST_PAIRS = 200_000
_NARROWEST = 16  # pairs to either side of the diagonal, at least
_LONGEST_STEP = 32  # words that have the same characters as others
# What an edit costs, so that all pairs of unlike words cost less than one more edit.
_EDIT = 1 << 20
_IMPOSSIBLE = 1 << 60


class Step(NamedTuple):
    """So many words of gold beside so many of the parse."""

    gold: int
    parsed: int
    is_equal: bool = False  # they have the same characters


SAME = Step(1, 1, True)
CHANGED = Step(1, 1)
MISSING = Step(1, 0)
ADDED = Step(0, 1)


def shortest_edit(
    gold: Sequence[str],
    parsed: Sequence[str],
    *,
    gold_kinds: Sequence[object] | None = None,
    parsed_kinds: Sequence[object] | None = None,
) -> list[Step]:
    """The steps from the first word to the last.

    A word is changed only into one of its own kind, where kinds are given.

    >>> shortest_edit(["I", "can", "not", "go"], ["I", "cannot", "leave"])
    ... # doctest: +NORMALIZE_WHITESPACE
    [Step(gold=1, parsed=1, is_equal=True), Step(gold=2, parsed=1, is_equal=True),
     Step(gold=1, parsed=1, is_equal=False)]
    """
    table = _Table(gold, parsed, gold_kinds, parsed_kinds)
    at, beside = 0, 0
    steps = []
    while at < len(gold) or beside < len(parsed):
        step = table.best(at, beside)[1]
        steps.append(step)
        at, beside = at + step.gold, beside + step.parsed
    return steps


class _Table:
    """What it costs to get from each pair of places to the end."""

    def __init__(
        self,
        gold: Sequence[str],
        parsed: Sequence[str],
        gold_kinds: Sequence[object] | None,
        parsed_kinds: Sequence[object] | None,
    ) -> None:
        self._gold, self._parsed = gold, parsed
        self._folded = [word.casefold() for word in gold]
        self._folded_parsed = [word.casefold() for word in parsed]
        self._gold_kinds = gold_kinds or [None] * len(gold)
        self._parsed_kinds = parsed_kinds or [None] * len(parsed)
        self._text, self._parsed_text = "".join(gold), "".join(parsed)
        self._place = [0, *accumulate(map(len, gold))]
        self._parsed_place = [0, *accumulate(map(len, parsed))]
        rows, columns = len(gold), len(parsed)
        self._reach = max(_NARROWEST, _MOST_PAIRS // (2 * rows + 2))
        self._rows: list[list[int]] = [[] for _ in range(rows + 1)]
        self._starts = [max(0, self._middle(row) - self._reach) for row in range(rows)]
        self._starts.append(max(0, columns - self._reach))
        for row in range(rows, -1, -1):
            start = self._starts[row]
            end = min(columns, self._middle(row) + self._reach)
            costs = self._rows[row] = [_IMPOSSIBLE] * (end - start + 1)
            for column in range(end, start - 1, -1):
                costs[column - start] = self.best(row, column)[0]

    def _middle(self, row: int) -> int:
        return row * len(self._parsed) // max(1, len(self._gold))

    def _cost(self, row: int, column: int) -> int:
        at = column - self._starts[row]
        costs = self._rows[row]
        return costs[at] if 0 <= at < len(costs) else _IMPOSSIBLE

    def best(self, row: int, column: int) -> tuple[int, Step]:
        """The cheapest step from here, and what it costs to go that way to the end."""
        has_gold, has_parsed = row < len(self._gold), column < len(self._parsed)
        if not has_gold and not has_parsed:
            return 0, Step(0, 0, True)
        cost, step = _IMPOSSIBLE + 1, ADDED if has_parsed else MISSING
        if has_gold and has_parsed:
            if same := self._same_characters(row, column):
                cost = self._cost(row + same.gold, column + same.parsed)
                step = same
            if self._gold_kinds[row] == self._parsed_kinds[column]:
                change = _EDIT + self._is_unlike(row, column)
                change += self._cost(row + 1, column + 1)
                if change < cost:
                    cost, step = change, CHANGED
        if has_gold and (missing := _EDIT + self._cost(row + 1, column)) < cost:
            cost, step = missing, MISSING
        if has_parsed and (added := _EDIT + self._cost(row, column + 1)) < cost:
            cost, step = added, ADDED
        return cost, step

    def _same_characters(self, row: int, column: int) -> Step | None:
        """The fewest words from here on that have the same characters, if any."""
        text, beside = self._text, self._parsed_text
        place, parsed_place = self._place, self._parsed_place
        start, parsed_start = place[row], parsed_place[column]
        end, parsed_end = row + 1, column + 1
        last = min(len(self._gold), row + _LONGEST_STEP)
        parsed_last = min(len(self._parsed), column + _LONGEST_STEP)
        seen = 0
        while end <= last and parsed_end <= parsed_last:
            length = place[end] - start
            parsed_length = parsed_place[parsed_end] - parsed_start
            common = min(length, parsed_length)
            if (
                text[start + seen : start + common]
                != (beside[parsed_start + seen : parsed_start + common])
            ):
                return None
            if length == parsed_length:
                return Step(end - row, parsed_end - column, True)
            seen = common
            end += length < parsed_length
            parsed_end += length > parsed_length
        return None

    def _is_unlike(self, row: int, column: int) -> bool:
        """Whether they do not even begin alike, with half of the longer word."""
        word, other = self._folded[row], self._folded_parsed[column]
        half = (max(len(word), len(other)) + 1) // 2
        return word[:half] != other[:half]


# -- which words of gold a parse has kept ----------------------------------------------


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
    return bank.forms(first + np.flatnonzero(are_words(bank, slice(first, last))))


def word_totals(bank: Treebank) -> Ints:
    """How many words each tree has."""
    return sums_between(are_words(bank), bank.leaf_start)


def words_are_equal(gold: Treebank, parsed: Treebank) -> Flags:
    """Per pair of trees: whether all words are equal, byte by byte."""
    count = word_totals(gold)
    is_equal: Flags = count == word_totals(parsed)
    sides = []
    for bank in (gold, parsed):
        is_compared = np.repeat(is_equal, np.diff(bank.leaf_start)) & are_words(bank)
        sides.append(np.flatnonzero(is_compared))
    differs = words_differ(gold, sides[0], parsed, sides[1])
    tree = np.repeat(np.arange(count.size), np.where(is_equal, count, 0))
    is_equal[tree[differs]] = False
    return is_equal
