"""Brackets and derivations by places in a text, not by the numbers of words or EDUs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analyzer.derivation.brackets import Brackets
from analyzer.derivation.columns import NULL, ROOT, Derivation
from analyzer.derivation.units import ROOT_EDU, Dependencies, UnitColumns
from analyzer.model.arrays import Flags, Ids, Ints
from analyzer.pairing.words import CharSpans, Side

# The head of what cannot match, of parsed and of gold: no word, and never equal.
_NO_HEAD = min(NULL, ROOT) - 1, min(NULL, ROOT) - 2


def derivation_by_characters(given: Derivation, spans: CharSpans) -> Derivation:
    """The derivation with places in the text for the numbers of words."""
    number = spans.number

    def placed(words: Ints) -> Ints:
        # ROOT and NULL are no words, and stay what they are.
        return np.where(words >= 0, number[np.maximum(words, 0)], words)

    if not number.size:
        return given
    wrappers = given.wrappers._replace(
        first=spans.start[given.wrappers.first],
        last=spans.end[given.wrappers.last - 1],
    )
    return replace(
        given,
        first=spans.start[given.first],
        last=spans.end[given.last - 1],
        head=placed(given.head),
        attachment=placed(given.attachment),
        governor=placed(given.governor),
        wrappers=wrappers,
    )


def derivation_by_places(given: Derivation, side: Side) -> Derivation:
    """The derivation by the places of words; what is doubtful matches nothing."""
    assert side.places is not None
    placed = derivation_by_characters(given, side.places.spans)
    doubtful = _doubtful(given.first, given.last, side.places.is_doubtful)
    around = given.wrappers
    doubted = _doubtful(around.first, around.last, side.places.is_doubtful)
    labels = _labels(placed.first, placed.last, given.key_label, doubtful, side)
    wrappers = placed.wrappers
    of_wrappers = _labels(
        wrappers.first, wrappers.last, around.key_label, doubted, side
    )
    return replace(
        placed,
        starts=_starts(given.starts, placed.first, side),
        head=np.where(doubtful, _NO_HEAD[side.is_gold], placed.head),
        key_label=labels,
        wrappers=wrappers._replace(
            key_label=of_wrappers,
            starts=_starts(around.starts, wrappers.first, side),
        ),
    )


def brackets_by_places(given: Brackets, side: Side) -> Brackets:
    """The brackets by the places of words; what is doubtful matches nothing."""
    if not given.row.size or side.places is None:
        return given
    doubtful = _doubtful(given.first, given.last, side.places.is_doubtful)
    first = side.places.spans.start[given.first]
    last = side.places.spans.end[given.last - 1]
    labels = _labels(first, last, given.key_label, doubtful, side)
    starts = _starts(given.starts, first, side)
    return given._replace(first=first, last=last, key_label=labels, starts=starts)


def _starts(given: Ints, first: Ints, side: Side) -> Ints:
    """Per sentence where its brackets begin: parsed ones are gold's that they are in.

    What is in no sentence of gold is of the last one before it.
    """
    if side.is_gold or side.places is None or side.places.sentences is None:
        return given
    starts: Ints = np.append(np.searchsorted(first, side.places.sentences), first.size)
    return starts


def _doubtful(first: Ints, last: Ints, word_is_doubtful: Flags | None) -> Flags:
    """The brackets that hold a doubtful word."""
    if word_is_doubtful is None:
        return np.zeros(first.size, np.bool_)
    before = np.append(0, np.cumsum(word_is_doubtful))
    doubtful: Flags = before[last] > before[first]
    return doubtful


def _labels(first: Ints, last: Ints, label: Ids, doubtful: Flags, side: Side) -> Ids:
    """Labels, those of doubtful brackets made negative: of gold even, of parsed odd.

    So are those of brackets that equal one before them, where such match but once.
    """
    if side.places is not None and side.places.once:
        rows = np.stack([first, last, label.astype(np.int64)])
        is_first = np.zeros(label.size, np.bool_)
        is_first[np.unique(rows, axis=1, return_index=True)[1]] = True
        doubtful = doubtful | ~is_first
    labels: Ids = np.where(doubtful, -2 * label - 2 - (not side.is_gold), label)
    return labels.astype(np.int32)


def units_by_characters(units: UnitColumns, spans: CharSpans) -> UnitColumns:
    """The columns with characters for EDUs; heads are numbered by their spans."""
    return replace(
        units,
        first=spans.start[units.first],
        last=spans.end[units.last - 1],
        head=spans.number[units.head],
    )


def never_matching(rows: Ints, is_doubtful: Flags, *, is_gold: bool) -> Ints:
    """A column of what rows are of; doubtful ones get numbers that nothing else has."""
    own = -2 * np.arange(rows.size) - 2 - is_gold
    return np.where(is_doubtful, own, rows)


def dependencies_by_characters(given: Dependencies, spans: CharSpans) -> Dependencies:
    number = spans.number
    is_root = given.governor == ROOT_EDU
    governor = np.where(is_root, ROOT_EDU, number[np.maximum(given.governor, 0)])
    return replace(given, edu=number[given.edu], governor=governor)
