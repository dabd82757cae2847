"""Different segmentations of the same text: units by character offsets.

With offsets in place of the numbers of EDUs, the same joins compare trees over
different EDUs (DESIGN, section 1): end to end, as the literature scores a segmenter and
a parser together. White space does not count.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analyzer.derivation.units import ROOT_EDU, Dependencies, UnitColumns
from analyzer.metrics.rst import DocumentCounts, counted
from analyzer.model.arrays import Ints
from analyzer.model.discourse import Documents

_SHOWN = 20  # characters around a difference


def first_difference(gold: str, predicted: str) -> str | None:
    """Where two texts differ; None if nowhere.

    >>> first_difference("itrained", "itsnowed")
    "the texts differ at character 3: gold 'itrained', predicted 'itsnowed'"
    """
    if gold == predicted:
        return None
    pairs = enumerate(zip(gold, predicted, strict=False))
    at = next(
        (n for n, (left, right) in pairs if left != right),
        min(len(gold), len(predicted)),
    )
    shown = [repr(text[max(0, at - 5) : at + _SHOWN]) for text in (gold, predicted)]
    place = f"the texts differ at character {at + 1}"
    return f"{place}: gold {shown[0]}, predicted {shown[1]}"


class Offsets:
    """Where each EDU of a corpus starts and ends, in characters of all documents.

    Documents that are compared have the same text, so they start at the same place.
    """

    def __init__(self, corpus: Documents) -> None:
        bank = corpus.bank
        sizes = [
            len("".join(bank.form(leaf).split())) for leaf in range(bank.leaf_node.size)
        ]
        self.end: Ints = np.cumsum(sizes, dtype=np.int64)
        self.start: Ints = self.end - np.array(sizes, np.int64)
        self.document: Ints = np.repeat(np.arange(len(bank)), np.diff(bank.leaf_start))
        self.is_first = np.zeros(bank.leaf_node.size, np.bool_)
        self.is_first[bank.leaf_start[:-1]] = True
        # One number for an EDU: two EDUs are the same if both their ends are.
        self._room = int(self.end.max(initial=0)) + 1

    def edu(self, room: int) -> Ints:
        return self.start * room + self.end

    @property
    def room(self) -> int:
        return self._room


def by_offsets(units: UnitColumns, offsets: Offsets, room: int) -> UnitColumns:
    """The columns with offsets for EDUs; heads are numbered by their offsets."""
    return replace(
        units,
        first=offsets.start[units.first],
        last=offsets.end[units.last - 1],
        head=offsets.edu(room)[units.head],
    )


def dependencies_by_offsets(
    given: Dependencies, offsets: Offsets, room: int
) -> Dependencies:
    edu = offsets.edu(room)
    is_root = given.governor == ROOT_EDU
    governor = np.where(is_root, ROOT_EDU, edu[np.maximum(given.governor, 0)])
    return replace(given, edu=edu, governor=governor)


def segmentation_counts(gold: Offsets, predicted: Offsets, size: int) -> DocumentCounts:
    """Boundaries between EDUs: matched, in gold, predicted; ends of texts apart."""
    sides = []
    for side in (gold, predicted):
        inner = ~side.is_first
        sides.append((side.document[inner], side.start[inner]))
    (gold_document, gold_start), (document, start) = sides
    return counted([gold_start], [start], gold_document, document, size)
