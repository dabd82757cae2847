"""The metrics of Morey, Muller and Asher (2017, 2018): each is a key to join on.

RST-Parseval: every unit but the root, EDUs included; its span, and as asked its
nuclearity, its relation, its head. Attachment decisions: every inner unit of the
binarised tree, the root included; nuclearity and relation are those of the decision.
Dependencies: every EDU, its governor, and as asked nuclearity, relation, order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from analyzer.derivation.units import Dependencies, UnitColumns
from analyzer.exceptions import AnalyzerError, PairingError
from analyzer.formats.rst.building import spans_of
from analyzer.metrics.join import Key, match
from analyzer.model.arrays import Flags, Ids, Ints
from analyzer.model.discourse import SATELLITE, DependencyTree, Documents, Unit
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.words import CharSpans

CONSTITUENT_METRICS = ("S", "N", "R", "F", "S+H", "N+H", "R+H", "F+H")
UNIT_METRICS = ("S", "N", "R", "F")
_BEYOND_ENDS = 1 << 31  # no document has as many EDUs or characters
DEPENDENCY_METRICS = ("UAS", "LAS-N", "LAS-R", "LAS-F", "OUAS")
# Of dependencies and graphs without a constituent tree, as well.
UNDIRECTED_METRICS = ("UUAS", "root")
LINK_METRICS = ("link", "link+relation")


class Constituents(NamedTuple):
    """Items of an encoding, one row each."""

    document: Ints
    first: Ints
    last: Ints
    nuclearity: Ids
    relation: Ids
    head: Ints

    @property
    def place(self) -> Ints:
        """The span that is decided on, as a number."""
        return self.first * _BEYOND_ENDS + self.last

    def only(self, rows: Flags) -> Constituents:
        """Some of the items."""
        columns: Iterator[Any] = (column[rows] for column in self)
        return Constituents(*columns)

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
        raise AnalyzerError("E003 attachment decisions need binary trees")
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
    relation alone, whatever the governor. UUAS: the two ends of an arc, whichever
    governs. link, link+relation: arcs between EDUs; root: which EDUs have no governor.
    """
    name, _, with_order = metric.partition("+")
    if name == "UUAS":
        ends = given.edu, given.governor
        return [np.minimum(*ends), np.maximum(*ends)]
    columns: Key = [given.edu]
    if name == "link":
        return [*columns, given.governor, *([given.relation] if with_order else [])]
    if name != "LA":
        columns.append(given.governor)
    if name in ("LAS-N", "LAS-F"):
        columns.append(given.nuclearity)
    if name in ("LAS-R", "LAS-F", "LA"):
        columns.append(given.relation)
    if with_order or name == "OUAS":
        columns.append(given.rank)
    return columns


def counted_arcs(given: Dependencies, metric: str, *, count_root: bool) -> Flags:
    """The rows that a dependency metric counts."""
    is_root: Flags = given.governor < 0
    if metric in LINK_METRICS:
        return ~is_root
    return is_root if metric == "root" else ~is_root | count_root


class MetricItems(NamedTuple):
    """What a metric counts on both sides, and where: in which document, and of which
    span or EDU it decides."""

    gold: Key
    parsed: Key
    gold_document: Ints
    parsed_document: Ints
    gold_place: Ints
    parsed_place: Ints

    def counts(self, documents: int) -> DocumentCounts:
        return count_matches(
            self.gold, self.parsed, self.gold_document, self.parsed_document, documents
        )


@dataclass(frozen=True)
class DocumentCounts:
    """Matched, gold and parsed items of each document."""

    matched: Ints
    gold: Ints
    parsed: Ints

    @property
    def micro(self) -> tuple[int, int, int]:
        return (int(self.matched.sum()), int(self.gold.sum()), int(self.parsed.sum()))


def count_matches(
    gold: Key, parsed: Key, gold_document: Ints, parsed_document: Ints, size: int
) -> DocumentCounts:
    """Join, and count by document."""
    found = match(gold, parsed)
    return DocumentCounts(
        np.bincount(gold_document[found.gold], minlength=size),
        np.bincount(gold_document, minlength=size),
        np.bincount(parsed_document, minlength=size),
    )


def segmentation_counts(
    gold: Documents,
    parsed: Documents,
    spans: tuple[CharSpans, CharSpans],
    *,
    with_ends: bool = False,
) -> DocumentCounts:
    """Boundaries between EDUs: matched, in gold, in parsed.

    Ends of texts, which nobody can miss, count with `with_ends` only.
    """
    sides = []
    for documents, of_edus in zip((gold, parsed), spans, strict=True):
        bank = documents.bank
        counts = np.ones(bank.leaf_node.size, np.bool_)
        counts[bank.leaf_start[1:] - 1] = with_ends
        document = np.repeat(np.arange(len(bank)), documents.edu_counts)
        sides.append((document[counts], of_edus.end[counts]))
    (gold_document, gold_start), (document, start) = sides
    return count_matches([gold_start], [start], gold_document, document, len(gold))


# -- what two analyses of a document do not share -------------------------------------


def check_same_edus(one: Unit, other: Unit) -> None:
    """PairingError if the documents do not have as many EDUs."""
    sizes = [sum(unit.is_edu for unit in root.walk()) for root in (one, other)]
    if sizes[0] != sizes[1]:
        raise PairingError("E411 the documents have", sizes=sizes[0], sizes_2=sizes[1])


def differing_units(
    one: Unit, other: Unit, metric: str = "F"
) -> tuple[list[int], list[int]]:
    """Units of each tree that the other lacks, as places in the walk.

    As RST-Parseval counts them: span alone (S), with nuclearity (N), with relation (R),
    with both (F).
    """
    keys = [_unit_keys(root, metric) for root in (one, other)]
    return _unmatched(keys[0], keys[1]), _unmatched(keys[1], keys[0])


def differing_arcs(
    one: DependencyTree, other: DependencyTree, metric: str = "F"
) -> tuple[list[int], list[int]]:
    """EDUs, from 1, whose attachment differs: head (S), with nuclearity, relation,
    both: UAS, LAS-N, LAS-R, LAS-F."""
    keys = [_arc_keys(tree, metric) for tree in (one, other)]
    differing = [
        edu
        for edu, (mine, theirs) in enumerate(zip(*keys, strict=True), start=1)
        if mine != theirs
    ]
    return differing, list(differing)


def _unit_keys(root: Unit, metric: str) -> list[Hashable]:
    spans = spans_of(root)
    return [
        (
            spans[id(unit)],
            unit.nuclearity if metric in "NF" else "",
            unit.relation if metric in "RF" else "",
        )
        for unit in root.walk()
    ]


def _arc_keys(tree: DependencyTree, metric: str) -> list[Hashable]:
    nuclearities = tree.nuclearities or [""] * len(tree)
    return [
        (head, nuclearity if metric in "NF" else "", relation if metric in "RF" else "")
        for head, nuclearity, relation in zip(
            tree.heads, nuclearities, tree.relations, strict=True
        )
    ]


def _unmatched(mine: Sequence[Hashable], theirs: Sequence[Hashable]) -> list[int]:
    left = Counter(theirs)
    unmatched = []
    for place, key in enumerate(mine):
        if left[key]:
            left[key] -= 1
        else:
            unmatched.append(place)
    return unmatched
