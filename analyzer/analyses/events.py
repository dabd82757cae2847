"""What the scores say of each construction of each word of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.analyses.errors import Kind, error_rows
from analyzer.analyses.sentence_words import SentenceWords, sides_of
from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.columns import NULL, ROOT, Derivation
from analyzer.metrics.constructions import Comparison
from analyzer.model.arrays import Ints
from analyzer.pairing.in_step import SentencePair


class Event(NamedTuple):
    """What the scores say of one construction of one word (section 2.3)."""

    position: int
    word: str
    construction: str
    event: str  # match, recall error, precision error
    span: str
    attachment: str
    right_edge: str


def events(
    pair: SentencePair,
    comparison: Comparison,
    trees: Sequence[int],
) -> dict[int, list[Event]]:
    """The score events of some of the sentences, word by word, bottom up.

    Found for the whole block at once, column by column.
    """
    sides = [
        _Side(told, text, comparison.constructions)
        for told, text in zip(comparison.told, sides_of(pair, comparison), strict=True)
    ]
    matched = _matches(sides[0], sides[1], comparison)
    missed, _ = error_rows(comparison, Kind.HEAD_MISSED)
    _, spurious = error_rows(comparison, Kind.HEAD_SPURIOUS)
    rows = np.arange(sides[0].head.size)
    for column, value in zip(matched[3:], ("recall error", "", "", ""), strict=True):
        column[missed] = value
    matched[4][missed] = sides[0].spans[missed]
    wrong = [column[spurious] for column in sides[1].columns("precision error")]
    columns = [np.concatenate(two) for two in zip(matched, wrong, strict=True)]
    kind = np.zeros(rows.size + spurious.size, np.int64)
    kind[missed], kind[rows.size :] = 1, 2
    row = np.concatenate([rows, spurious])
    tree = np.concatenate([sides[0].tree, sides[1].tree[spurious]])
    order = np.lexsort([-row, kind, columns[0].astype(np.int64), tree])
    listed = list(map(Event, *(column[order].tolist() for column in columns)))
    starts = np.searchsorted(tree[order], np.arange(len(pair.gold) + 1)).tolist()
    return {one: listed[starts[one] : starts[one + 1]] for one in trees}


class _Side:
    """The rows of one side, as events show them."""

    def __init__(
        self, told: Derivation, text: SentenceWords, names: ConstructionNames
    ) -> None:
        trees = np.arange(told.starts.size - 1)
        self.tree = np.repeat(trees, np.diff(told.starts))
        self.head = told.head
        offset = text.offset[self.tree]
        self._position = (told.head - offset).astype(object)
        self._words = np.append(text.everything(), [None, None])
        self._name = np.array([*names.listed, None], object)[told.construction]
        self.last = told.last - offset
        self.spans = _written(told.first - offset) + ("-" + _written(self.last))
        # NULL and ROOT are the last two of the words.
        self._words[[NULL, ROOT]] = "null", "ROOT"
        self.governor = self._words[told.attachment]

    def columns(self, event: str) -> list[npt.NDArray[np.object_]]:
        """Of all rows, the columns of an event that is no match."""
        size = self.head.size
        blank = np.full(size, "", object)
        word = self._words[self.head]
        named = np.full(size, event, object)
        return [self._position, word, self._name, named, self.spans, blank, blank]


def _matches(
    gold: _Side, parsed: _Side, comparison: Comparison
) -> list[npt.NDArray[np.object_]]:
    """The columns of gold's rows, as if all were matched."""
    span, right = (np.full(gold.head.size, "same", object) for _ in range(2))
    attachment = "same (" + gold.governor + ")"
    ours, theirs = error_rows(comparison, Kind.SPAN)
    span[ours] = "gold " + gold.spans[ours] + ", parsed " + parsed.spans[theirs]
    ours, theirs = error_rows(comparison, Kind.SPAN_RIGHT)
    edges = _written(gold.last[ours]), _written(parsed.last[theirs])
    right[ours] = "gold " + edges[0] + ", parsed " + edges[1]
    ours, theirs = error_rows(comparison, Kind.ATTACHMENT)
    governors = gold.governor[ours], parsed.governor[theirs]
    attachment[ours] = "gold " + governors[0] + ", parsed " + governors[1]
    is_recursive = comparison.constructions.is_recursive
    attachment[is_recursive[comparison.told[0].construction]] = "-"
    position, word, name, named, *_ = gold.columns("match")
    return [position, word, name, named, span, attachment, right]


def _written(numbers: Ints) -> npt.NDArray[np.object_]:
    """Numbers from 0 as texts; small ones, of which each is written once."""
    texts = map(str, range(int(numbers.max(initial=-1)) + 1))
    found: npt.NDArray[np.object_] = np.array([*texts], object)[numbers]
    return found
