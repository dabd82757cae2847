"""The words of a block's sentences that are compared: which number is which word."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analyzer.metrics.constructions import Comparison
from analyzer.model.arrays import Ints
from analyzer.model.values import same_value
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.words import Alignment


class SentenceWords:
    """The compared words of a block's side, to say what a number means."""

    def __init__(
        self, pair: SentencePair, alignment: Alignment, *, of_gold: bool = True
    ) -> None:
        self._bank = pair.gold if of_gold else pair.parsed
        self._leaves, self._starts = alignment.leaves(of_gold=of_gold)
        sizes = np.where(alignment.is_comparable, np.diff(self._starts), 0)
        self.offset = np.cumsum(sizes) - sizes  # per tree: its first word's number
        self._known: dict[int, list[str]] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SentenceWords) and same_value(
            self._columns(), other._columns()
        )

    def __hash__(self) -> int:
        return hash(self._bank)

    def _columns(self) -> tuple[object, ...]:
        return self._bank, self._leaves, self._starts, self.offset

    def words(self, tree: int) -> list[str]:
        if tree not in self._known:
            self._known[tree] = self._forms(tree)
        return self._known[tree]

    def _forms(self, tree: int) -> list[str]:
        leaves = self._leaves[self._starts[tree] : self._starts[tree + 1]]
        return self._bank.forms(leaves)

    def everything(self) -> npt.NDArray[np.object_]:
        """The words of all trees that are compared, by their numbers."""
        sizes = np.diff(self._starts)
        first = np.repeat(self.offset - self._starts[:-1], sizes)
        number = np.arange(sizes.sum()) + first
        # What is not compared has the numbers of what comes next, which is put later.
        found = np.empty(max(0, int(number.max(initial=-1)) + 1), object)
        found[number] = self._bank.forms(self._leaves)
        return found

    def leaf(self, tree: int, position: int) -> int:
        """Which leaf of the treebank a word is."""
        return int(self._leaves[self._starts[tree] + position])

    def trees_of(self, words: Ints) -> Ints:
        """The trees that words' numbers lie in."""
        return np.searchsorted(self.offset, words, side="right") - 1


def sides_of(
    pair: SentencePair, comparison: Comparison
) -> tuple[SentenceWords, SentenceWords]:
    """The compared words of gold and of parsed.

    They are the same words unless such were aligned; gold's then serve for both.
    """
    gold = SentenceWords(pair, comparison.alignment)
    if comparison.by_words is None:
        return gold, gold
    return gold, SentenceWords(pair, comparison.alignment, of_gold=False)
