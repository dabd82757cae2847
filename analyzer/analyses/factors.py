"""Agreement on discourse: constituent, attachment, nuclearity and relation.

After Iruskieta, da Cunha and Taboada (2015) and RST-Tace (Wan, Kutschbach, Lüdeling and
Stede 2019). A row is a relation: the unit that plugs in (the constituent), the EDU that
it is attached to, the order of nucleus and satellite, the relation. Rows are compared
where both annotators have the constituent.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from analyzer.derivation.units import ROOT_EDU, dependencies, unit_columns
from analyzer.metrics.join import Key, match
from analyzer.metrics.kappa import CategoryPairs, Kappa, cohen, kappa_of
from analyzer.metrics.ratios import f_score
from analyzer.model.arrays import Ints
from analyzer.model.discourse import SATELLITE, Documents
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.characters import CharSpans

CONSTITUENT, ATTACHMENT, NUCLEARITY, RELATION, ALL = (
    "constituent",
    "attachment",
    "nuclearity",
    "relation",
    "all",
)
_WIDEST = 10_000


class FactorRow(NamedTuple):
    """F of the constituents that agree in a factor, and kappa of it among those."""

    factor: str
    a: int
    b: int
    matched: int
    f1: float | None
    kappa: Kappa | None  # None: a factor that is no choice of one category


class _Relations(NamedTuple):
    first: Ints
    last: Ints
    columns: dict[str, Ints]  # a category per factor


def factors(
    a: Documents, b: Documents, places: tuple[CharSpans, CharSpans]
) -> list[FactorRow]:
    """The four factors, and all of them together."""
    sides = [_relations(one, where) for one, where in zip((a, b), places, strict=True)]
    spans: list[Key] = [[side.first, -side.last] for side in sides]
    found = match(spans[0], spans[1])
    left, right = np.flatnonzero(found.gold), found.partner[found.gold]
    sizes = [side.first.size for side in sides]
    rows = []
    agreed = np.ones(left.size, np.bool_)
    for factor in (ATTACHMENT, NUCLEARITY, RELATION):
        one, other = sides[0].columns[factor][left], sides[1].columns[factor][right]
        same = one == other
        agreed &= same
        pairs: CategoryPairs = Counter(zip(one.tolist(), other.tolist(), strict=True))
        rows.append(_row(factor, sizes, int(same.sum()), cohen(pairs)))
    spans_kappa = _of_spans(len(left), sizes, _candidates(a, b, places))
    return [
        _row(CONSTITUENT, sizes, left.size, spans_kappa),
        *rows,
        _row(ALL, sizes, int(agreed.sum()), None),
    ]


def _row(factor: str, sizes: list[int], matched: int, kappa: Kappa | None) -> FactorRow:
    a, b = sizes
    return FactorRow(factor, a, b, matched, f_score(matched, a, b), kappa)


def _relations(corpus: Documents, places: CharSpans) -> _Relations:
    units = unit_columns(corpus)
    arcs = dependencies(units)
    inner = np.flatnonzero(arcs.governor != ROOT_EDU)
    top, governor = arcs.top[inner], arcs.governor[inner]
    first, last = places.start[units.first[top]], places.end[units.last[top] - 1]
    is_satellite = arcs.nuclearity[inner] == SYMBOLS.id(SATELLITE)
    comes_after = governor < arcs.edu[inner]
    width = np.minimum(places.end[governor] - places.start[governor], _WIDEST - 1)
    return _Relations(
        first,
        last,
        {
            # How far away, from the constituent on: a category that texts share.
            ATTACHMENT: (places.start[governor] - first) * _WIDEST + width,
            NUCLEARITY: np.where(is_satellite, 1 + comes_after.astype(np.int64), 0),
            RELATION: arcs.relation[inner].astype(np.int64),
        },
    )


def _candidates(a: Documents, b: Documents, places: tuple[CharSpans, CharSpans]) -> int:
    """How many spans of EDUs there are that could be constituents, in all texts.

    EDUs of either side bound spans; the whole text is not a choice.
    """
    total = 0
    starts = [
        np.split(where.start, corpus.bank.leaf_start[1:-1])
        for corpus, where in zip((a, b), places, strict=True)
    ]
    for one, other in zip(*starts, strict=True):
        edus = np.union1d(one, other).size
        total += edus * (edus + 1) // 2 - 1
    return total


def _of_spans(matched: int, sizes: list[int], candidates: int) -> Kappa:
    """Every candidate is a constituent or is not (Marcu, Amorrortu, Romera 1999)."""
    a, b = sizes
    neither = candidates - a - b + matched
    same = matched + neither
    chance = a * b + (candidates - a) * (candidates - b)
    return kappa_of(candidates, same, chance)
