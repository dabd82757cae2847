"""How alike parsers are: each taken as the reference of the others (2018, Tables 6-7).

Scores are micro F1 over the documents that all of them have, on trees binarised alike.
F1 does not change when reference and prediction are exchanged, so a table is symmetric.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import NamedTuple

from analyzer.derivation.units import dependencies, unit_columns
from analyzer.exceptions import SettingsError
from analyzer.metrics.join import Key
from analyzer.metrics.ratios import f_score
from analyzer.metrics.rst import (
    CONSTITUENT_METRICS,
    DEPENDENCY_METRICS,
    attachment_decisions,
    count_matches,
    dependency_key,
    rst_parseval,
)
from analyzer.model.arrays import Ints
from analyzer.model.discourse import Documents, Unit
from analyzer.transform.binarize import Direction, binarize_documents
from analyzer.transform.documents import map_documents
from analyzer.transform.relations import RelationMap

Document = tuple[str, Unit]
PARSEVAL_PREFIX = "rst-parseval:"
METRICS = (
    *CONSTITUENT_METRICS,
    *DEPENDENCY_METRICS,
    *(PARSEVAL_PREFIX + metric for metric in CONSTITUENT_METRICS),
)
TABLES_6_AND_7 = ("S", "UAS")


class Pair(NamedTuple):
    """What two parsers share under a metric."""

    matched: int
    first: int  # items of the one
    second: int  # and of the other

    @property
    def f1(self) -> float | None:
        return f_score(self.matched, self.first, self.second)


@dataclass(frozen=True)
class Similarity:
    """One metric between all systems; `pairs[i][j]` equals `pairs[j][i]`."""

    metric: str
    names: list[str]
    pairs: list[list[Pair]]

    def value(self, one: int, other: int) -> float:
        """F1 from 0 to 1; what has no items is alike."""
        f1 = self.pairs[one][other].f1
        return 1.0 if f1 is None else f1


@dataclass(frozen=True)
class Similarities:
    """One table a metric, the documents they are about, and those left out."""

    tables: list[Similarity]
    documents: list[str]
    left_out: list[str]


def similarities(
    systems: Sequence[tuple[str, Sequence[Document]]],
    metrics: Sequence[str] = TABLES_6_AND_7,
    *,
    binarize: Direction = "right",
    relations: RelationMap | None = None,
) -> Similarities:
    """Tables of pairwise similarity.

    S, N, R, F and with +H are on attachment decisions, `rst-parseval:S` and so on on
    the units of the file, UAS and so on on dependencies with the root count_matches.
    """
    unknown = [metric for metric in metrics if metric not in METRICS]
    if unknown:
        raise SettingsError(f"no metric {unknown[0]!r}; there are {', '.join(METRICS)}")
    shared, left_out = _shared([dict(documents) for _, documents in systems])
    encoded = []
    for _, documents in systems:
        trees = dict(documents)
        chosen = Documents.of_units([(name, trees[name]) for name in shared])
        mapped = map_documents(chosen, relations)
        encoded.append(_Encoded(binarize_documents(mapped, binarize)))
    names = [name for name, _ in systems]
    tables = [_table(metric, names, encoded, len(shared)) for metric in metrics]
    return Similarities(tables, shared, left_out)


class _Encoded:
    """A system's trees under the encodings."""

    def __init__(self, documents: Documents) -> None:
        self._units = unit_columns(documents)

    def items(self, metric: str) -> tuple[Key, Ints]:
        """What the metric joins on, and the document of each item."""
        if metric in DEPENDENCY_METRICS:
            arcs = dependencies(self._units)
            return dependency_key(arcs, metric), arcs.document
        if metric.startswith(PARSEVAL_PREFIX):
            units = rst_parseval(self._units)
            return units.key(metric.removeprefix(PARSEVAL_PREFIX)), units.document
        decisions = attachment_decisions(self._units)
        return decisions.key(metric), decisions.document


def _table(
    metric: str, names: list[str], systems: Sequence[_Encoded], documents: int
) -> Similarity:
    items = [system.items(metric) for system in systems]
    pairs = [[Pair(0, 0, 0)] * len(names) for _ in names]
    for one, other in combinations_with_replacement(range(len(names)), 2):
        (left, of_left), (right, of_right) = items[one], items[other]
        found = Pair(*count_matches(left, right, of_left, of_right, documents).micro)
        pairs[one][other] = found
        pairs[other][one] = Pair(found.matched, found.second, found.first)
    return Similarity(metric, names, pairs)


def _shared(systems: Sequence[dict[str, Unit]]) -> tuple[list[str], list[str]]:
    """Documents that all have, with as many EDUs; and why others are left out."""
    everywhere, left_out = [], []
    for name in dict.fromkeys(name for trees in systems for name in trees):
        having = [trees[name] for trees in systems if name in trees]
        sizes = {sum(unit.is_edu for unit in tree.walk()) for tree in having}
        if len(having) < len(systems):
            missing = len(systems) - len(having)
            left_out.append(f"{name}: missing from {missing} of {len(systems)}")
        elif len(sizes) > 1:
            counts = ", ".join(map(str, sorted(sizes)))
            left_out.append(f"{name}: differs in its number of EDUs: {counts}")
        else:
            everywhere.append(name)
    return everywhere, left_out


# -- clusters -------------------------------------------------------------------------


@dataclass(frozen=True)
class Cluster:
    """Systems joined at a height: 1 minus their mean similarity; 0 for one alone."""

    members: tuple[int, ...]
    height: float = 0.0
    parts: tuple[Cluster, Cluster] | None = None


def clustered(table: Similarity) -> Cluster:
    """Hierarchical clustering by average linkage (UPGMA).

    The two nearest clusters are joined, again and again; the distance between two is
    the mean over all pairs of their members of 1 minus the similarity. Of equally near
    ones, those named first are joined first; of two parts, the one that holds the
    system named first stands first.
    """
    clusters = [Cluster((place,)) for place in range(len(table.names))]
    if not clusters:
        raise SettingsError("no systems to cluster")
    while len(clusters) > 1:
        height, one, other = min(
            (_distance(table, clusters[i], clusters[j]), i, j)
            for j in range(len(clusters))
            for i in range(j)
        )
        second = clusters.pop(other)
        first = clusters[one]
        members = first.members + second.members
        clusters[one] = Cluster(members, height, (first, second))
    return clusters[0]


def _distance(table: Similarity, one: Cluster, other: Cluster) -> float:
    total = sum(1 - table.value(i, j) for i in one.members for j in other.members)
    return total / (len(one.members) * len(other.members))
