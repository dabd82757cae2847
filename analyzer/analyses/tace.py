"""Two annotations of documents compared as RST-Tace does (Wan et al. 2019).

A relation is a satellite and its nucleus, or one of several nuclei and those after it.
It has a constituent (the satellite, the one nucleus), an attachment point (the nucleus,
the other nuclei), and central subconstituents: what is left of the constituent, and of
the other nuclei, without their own satellites. Relations of two annotations are paired
so that as many as possible have the same central subconstituents, else the same
constituent and attachment point, else these two exchanged, else some central
subconstituents. Pairs without any of it match nothing, and relations that one side has
more than the other are not counted: both as RST-Tace has it. EDUs are compared by their
numbers, whatever their texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import sqrt
from typing import NamedTuple

import numpy as np

from analyzer.formats.rst.building import spans_of
from analyzer.metrics.ratios import CategoryPairs, cohen
from analyzer.model.arrays import Ints
from analyzer.model.discourse import NUCLEUS, EduSpan, Unit

CONSTITUENT, ATTACHMENT = "constituent", "attachment point"
NUCLEARITY, RELATION, AVERAGE = "nuclearity", "relation", "average"
FACTORS = (CONSTITUENT, ATTACHMENT, NUCLEARITY, RELATION)
_ABSENT = "(none)"


class Matching(IntEnum):
    """How well two relations fit: what a pair costs."""

    SAME_CENTRE = 0
    SAME_ENDS = 1
    EXCHANGED_ENDS = 2
    SOME_CENTRE = 3
    NONE = 4


class TaceRelation(NamedTuple):
    """A relation as RST-Tace lists it."""

    name: str  # in lower case
    is_multinuclear: bool
    constituent: EduSpan
    attachment: EduSpan
    centre: tuple[EduSpan, ...]

    @property
    def direction(self) -> str:
        """`right` if the nucleus comes after, `left` before; `multi`."""
        if self.is_multinuclear:
            return "multi"
        return "right" if self.constituent[1] < self.attachment[0] else "left"


class TacePair(NamedTuple):
    """Two relations, and how well they fit."""

    a: TaceRelation
    b: TaceRelation
    matching: Matching

    def agrees(self, factor: str) -> bool:
        """Whether both have the same; what is a nucleus is no satellite."""
        same_kind = self.a.is_multinuclear == self.b.is_multinuclear
        if factor == CONSTITUENT:
            return same_kind and self.a.constituent == self.b.constituent
        if factor == ATTACHMENT:
            return self.a.attachment == self.b.attachment
        return _label(self.a, factor) == _label(self.b, factor)


def _label(relation: TaceRelation, factor: str) -> str:
    if factor == NUCLEARITY:
        return relation.direction
    if factor == RELATION:
        return relation.name
    span = relation.constituent if factor == CONSTITUENT else relation.attachment
    return f"{span[0]}-{span[1]}"


# -- the relations of a document -------------------------------------------------------


def tace_relations(root: Unit) -> list[TaceRelation]:
    """The relations of a tree: mononuclear ones first, each kind by its centre.

    >>> from analyzer.formats.registry import read_document
    >>> tree = read_document("(NN-list (1) (NS-cause (2) (3)))")
    >>> [(item.name, item.constituent, item.centre) for item in tace_relations(tree)]
    [('cause', (3, 3), ((3, 3),)), ('list', (1, 1), ((1, 1), (2, 2)))]
    """
    spans = spans_of(root)
    mononuclear: list[TaceRelation] = []
    multinuclear: list[TaceRelation] = []
    for unit in root.walk():
        nuclei = [child for child in unit.children if child.nuclearity == NUCLEUS]
        if not nuclei:
            continue
        whole = (spans[id(nuclei[0])][0], spans[id(nuclei[-1])][1])
        for child in unit.children:
            if child.nuclearity != NUCLEUS:
                centre = (_centre(child, spans),)
                ends = spans[id(child)], whole
                name = child.relation.lower()
                mononuclear.append(TaceRelation(name, False, *ends, centre))
        centres = tuple(_centre(nucleus, spans) for nucleus in nuclei)
        for at, nucleus in enumerate(nuclei[:-1]):
            others = (spans[id(nuclei[at + 1])][0], whole[1])
            name = nucleus.relation.lower()
            ends = spans[id(nucleus)], others
            multinuclear.append(TaceRelation(name, True, *ends, centres[at:]))
    return [*sorted(mononuclear, key=_place), *sorted(multinuclear, key=_place)]


def _centre(unit: Unit, spans: dict[int, EduSpan]) -> EduSpan:
    """The nucleus of a unit with one; others are their own centre.

    So is what stands in a group by itself: RST-Tace looks one group down.
    """
    nuclei = [child for child in unit.children if child.nuclearity == NUCLEUS]
    has_one = len(nuclei) == 1 and not unit.is_grouped
    return spans[id(nuclei[0] if has_one else unit)]


def _place(relation: TaceRelation) -> float:
    return 0.99999 * relation.centre[0][0] + 0.00001 * relation.centre[-1][1]


# -- pairs -----------------------------------------------------------------------------


def tace_pairs(a: Unit, b: Unit) -> list[TacePair]:
    """The relations of two trees in pairs: as many as the tree with fewer has."""
    return pair_relations(tace_relations(a), tace_relations(b))


def pair_relations(
    a: Sequence[TaceRelation], b: Sequence[TaceRelation]
) -> list[TacePair]:
    """The pairs that cost least together."""
    # Most pairs have nothing in common, and are not looked at.
    sharing: dict[object, set[int]] = {}
    for at, relation in enumerate(b):
        for part in _parts(relation):
            sharing.setdefault(part, set()).add(at)
    costs = np.full((len(a), len(b)), int(Matching.NONE), np.int64)
    for at, relation in enumerate(a):
        others = set().union(*(sharing.get(part, ()) for part in _parts(relation)))
        for other in others:
            costs[at, other] = matching_of(relation, b[other])
    return [
        TacePair(a[left], b[right], Matching(int(costs[left, right])))
        for left, right in cheapest_pairs(costs)
    ]


def _parts(relation: TaceRelation) -> list[object]:
    """Parts of a relation: two that match in any way have at least one in common."""
    return [*relation.centre, frozenset((relation.constituent, relation.attachment))]


def matching_of(a: TaceRelation, b: TaceRelation) -> Matching:
    """How well two relations fit."""
    shared = set(a.centre) & set(b.centre)
    if shared == set(a.centre) == set(b.centre):
        return Matching.SAME_CENTRE
    if (a.constituent, a.attachment) == (b.constituent, b.attachment):
        return Matching.SAME_ENDS
    if (a.constituent, a.attachment) == (b.attachment, b.constituent):
        return Matching.EXCHANGED_ENDS
    if shared and (a.is_multinuclear or b.is_multinuclear):
        return Matching.SOME_CENTRE
    return Matching.NONE


def cheapest_pairs(costs: Ints) -> list[tuple[int, int]]:
    """Rows and columns in pairs whose costs have the least sum, by row.

    Shortest augmenting paths (Crouse 2016): row by row, a path of least reduced cost
    leads over columns that are taken to one that is free. Of several that are as cheap,
    a free column is taken, the first one: as SciPy, which RST-Tace uses, does.

    >>> cheapest_pairs(np.array([[4, 1, 3], [2, 0, 5]]))
    [(0, 1), (1, 0)]
    """
    if costs.shape[0] > costs.shape[1]:
        return sorted((row, column) for column, row in cheapest_pairs(costs.T))
    rows, columns = costs.shape
    of_row = np.zeros(rows, np.int64)  # what the duals add to a row's costs
    of_column = np.zeros(columns, np.int64)
    column_of, row_of = np.full(rows, -1), np.full(columns, -1)
    for start in range(rows):
        shortest = np.full(columns, np.iinfo(np.int64).max)
        before = np.full(columns, -1)  # the row from which a column was reached
        seen_rows, seen_columns = [start], []
        left = np.arange(columns)[::-1].copy()
        length, row = 0, start
        while True:
            reached = length + costs[row, left] - of_row[row] - of_column[left]
            is_shorter = reached < shortest[left]
            shortest[left[is_shorter]] = reached[is_shorter]
            before[left[is_shorter]] = row
            length = int(shortest[left].min())
            cheapest = np.flatnonzero(shortest[left] == length)
            free = cheapest[row_of[left[cheapest]] < 0]
            at = int(free[-1] if free.size else cheapest[0])
            column = int(left[at])
            seen_columns.append(column)
            left[at] = left[-1]
            left = left[:-1]
            if row_of[column] < 0:
                break
            row = int(row_of[column])
            seen_rows.append(row)
        of_row[start] += length
        for row in seen_rows[1:]:
            of_row[row] += length - shortest[column_of[row]]
        of_column[seen_columns] -= length - shortest[seen_columns]
        while True:  # each row on the path takes the column that it was left by
            row = int(before[column])
            row_of[column] = row
            column_of[row], column = column, int(column_of[row])
            if row == start:
                break
    return list(enumerate(column_of.tolist()))


# -- how far two annotations agree -----------------------------------------------------


class TaceDocument(NamedTuple):
    """The factors of one document: the share of pairs that agree, and kappa."""

    document: str
    ratios: dict[str, float]
    kappas: dict[str, float | None]
    has_same_edus: bool = True


class TaceRow(NamedTuple):
    """A factor: mean, standard deviation, least and most over documents."""

    factor: str
    ratio: float | None
    ratio_std: float | None
    ratio_min: float | None
    ratio_max: float | None
    kappa: float | None
    kappa_std: float | None
    kappa_min: float | None
    kappa_max: float | None


@dataclass(frozen=True)
class TaceAgreement:
    """Documents compared as RST-Tace does."""

    documents: list[TaceDocument]

    @property
    def rows(self) -> list[TaceRow]:
        """The factors, and their average, over all documents."""
        return [
            TaceRow(
                factor,
                *_summary([document.ratios[factor] for document in self.documents]),
                *_summary([document.kappas[factor] for document in self.documents]),
            )
            for factor in (*FACTORS, AVERAGE)
        ]


def _summary(values: Sequence[float | None]) -> tuple[float | None, ...]:
    known = [value for value in values if value is not None]
    if not known:
        return None, None, None, None
    mean = sum(known) / len(known)
    squares = sum((value - mean) ** 2 for value in known)
    std = sqrt(squares / (len(known) - 1)) if len(known) > 1 else None
    return mean, std, min(known), max(known)


def tace_agreement(
    documents: Iterable[tuple[str, Unit, Unit]],
) -> TaceAgreement:
    """How far annotations of documents agree; documents without relations are not."""
    agreements = []
    for name, a, b in documents:
        pairs = tace_pairs(a, b)
        if pairs:
            sizes = [sum(unit.is_edu for unit in root.walk()) for root in (a, b)]
            document = tace_document(name, pairs)
            agreements.append(document._replace(has_same_edus=sizes[0] == sizes[1]))
    return TaceAgreement(agreements)


def tace_document(name: str, pairs: Sequence[TacePair]) -> TaceDocument:
    """Ratio and kappa of each factor.

    A pair without matching counts as two things that only one side has.
    """
    things = sum(2 if pair.matching is Matching.NONE else 1 for pair in pairs)
    matched = [pair for pair in pairs if pair.matching is not Matching.NONE]
    ratios: dict[str, float] = {}
    kappas: dict[str, float | None] = {}
    for factor in FACTORS:
        ratios[factor] = sum(pair.agrees(factor) for pair in matched) / things
        labels: CategoryPairs = Counter()
        for pair in pairs:
            ours, theirs = _label(pair.a, factor), _label(pair.b, factor)
            if pair.matching is Matching.NONE:
                labels[ours, _ABSENT] += 1
                labels[_ABSENT, theirs] += 1
            else:
                labels[ours, theirs] += 1
        kappas[factor] = cohen(labels).kappa
    ratios[AVERAGE] = sum(ratios.values()) / len(FACTORS)
    known = [kappa for kappa in kappas.values() if kappa is not None]
    whole = len(known) == len(FACTORS)
    kappas[AVERAGE] = sum(known) / len(FACTORS) if whole else None
    return TaceDocument(name, ratios, kappas)
