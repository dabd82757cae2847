"""The metrics of Morey, Muller and Asher (2017, 2018): each is a key to join on.

RST-Parseval: every unit but the root, EDUs included; its span, and as asked its
nuclearity, its relation, its head. Attachment decisions: every inner unit of the
binarised tree, the root included; nuclearity and relation are those of the decision.
Dependencies: every EDU, its governor, and as asked nuclearity, relation, order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analyzer.derivation.units import Dependencies, UnitColumns
from analyzer.exceptions import AnalyzerError
from analyzer.metrics.join import Key, match
from analyzer.model.arrays import Ids, Ints
from analyzer.model.discourse import SATELLITE
from analyzer.model.symbols import SYMBOLS

CONSTITUENT_METRICS = ("S", "N", "R", "F", "S+H", "N+H", "R+H", "F+H")
DEPENDENCY_METRICS = ("UAS", "LAS-N", "LAS-R", "LAS-F", "OUAS")


class Constituents(NamedTuple):
    """Items of an encoding, one row each."""

    document: Ints
    first: Ints
    last: Ints
    nuclearity: Ids
    relation: Ids
    head: Ints

    def key(self, metric: str) -> Key:
        """The columns that a metric joins on."""
        # EDUs are counted through the corpus, so a span is of one document. With the
        # longest first, the rows come sorted, parents before children.
        columns: Key = [self.first, self.first - self.last]
        name, _, with_head = metric.partition("+")
        if name in ("N", "F"):
            columns.append(self.nuclearity)
        if name in ("R", "F"):
            columns.append(self.relation)
        if with_head:
            columns.append(self.head)
        return columns


def rst_parseval(units: UnitColumns, *, with_root: bool = False) -> Constituents:
    """Every unit but the root, as it stands in the file (Marcu's encoding).

    With the root, as Figure 3 of the 2018 paper counts.
    """
    rows = np.flatnonzero(with_root | (units.parent >= 0))
    return Constituents(
        units.document[rows],
        units.first[rows],
        units.last[rows],
        units.nuclearity[rows],
        units.relation[rows],
        units.head[rows],
    )


def attachment_decisions(units: UnitColumns) -> Constituents:
    """Every inner unit of binary trees: (NS, SN or NN; relation of the decision).

    The relation is the right child's if that is a satellite, else the left child's.
    """
    rows = np.flatnonzero(~units.is_edu)
    if np.any(units.child_count[rows] != 2):
        raise AnalyzerError("attachment decisions need binary trees: binarise first")
    left = units.children[units.child_start[rows]]
    right = units.children[units.child_start[rows] + 1]
    satellite = SYMBOLS.id(SATELLITE)
    left_is, right_is = (units.nuclearity[side] == satellite for side in (left, right))
    pattern = np.where(right_is, SYMBOLS.id("NS"), SYMBOLS.id("NN"))
    pattern = np.where(left_is, SYMBOLS.id("SN"), pattern).astype(np.int32)
    relation = np.where(right_is, units.relation[right], units.relation[left])
    return Constituents(
        units.document[rows],
        units.first[rows],
        units.last[rows],
        pattern,
        relation.astype(np.int32),
        units.head[rows],
    )


def dependency_key(given: Dependencies, metric: str) -> Key:
    """The columns that a dependency metric joins on; one row an EDU.

    UAS: the governor. LAS-N, LAS-R, LAS-F: also nuclearity, relation, both. With
    `+order`, and for OUAS, also the order of attachment (2018, section 3.6). LA: the
    relation alone, whatever the governor.
    """
    name, _, with_order = metric.partition("+")
    columns: Key = [given.edu]
    if name != "LA":
        columns.append(given.governor)
    if name in ("LAS-N", "LAS-F"):
        columns.append(given.nuclearity)
    if name in ("LAS-R", "LAS-F", "LA"):
        columns.append(given.relation)
    if with_order or name == "OUAS":
        columns.append(given.rank)
    return columns


@dataclass(frozen=True)
class DocumentCounts:
    """Matched, gold and predicted items of each document."""

    matched: Ints
    gold: Ints
    predicted: Ints

    @property
    def micro(self) -> tuple[int, int, int]:
        return (
            int(self.matched.sum()),
            int(self.gold.sum()),
            int(self.predicted.sum()),
        )


def counted(
    gold: Key, predicted: Key, gold_document: Ints, predicted_document: Ints, size: int
) -> DocumentCounts:
    """Join, and count by document."""
    found = match(gold, predicted)
    return DocumentCounts(
        np.bincount(gold_document[found.gold], minlength=size),
        np.bincount(gold_document, minlength=size),
        np.bincount(predicted_document, minlength=size),
    )
