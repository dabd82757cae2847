"""How alike parsers are: each taken as the reference of the others (2018, Tables 6-7).

Scores are micro F1 over the documents that all of them have, on trees binarised alike.
F1 does not change when reference and prediction are exchanged, so a table is symmetric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations_with_replacement
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from analyzer.analyses.compared import Result, frame_of
from analyzer.derivation.units import UnitColumns, dependencies, unit_columns
from analyzer.exceptions import AnalyzerError, PairingError, Place, SettingsError
from analyzer.formats.documents import DocumentSource, as_documents
from analyzer.metrics.ratios import MatchCounts
from analyzer.metrics.rst import (
    CONSTITUENT_METRICS,
    DEPENDENCY_METRICS,
    Items,
    MetricItems,
    attachment_decisions,
    dependency_key,
    rst_parseval,
)
from analyzer.metrics.signature import Signature
from analyzer.model.discourse import Documents
from analyzer.model.settings import keywords, misuse, require_percent, several
from analyzer.pairing.ledger import DOCUMENT, Ledger, LeftOut, Reason
from analyzer.pairing.partners import compare_labels, names_to_pair, rooted_alike
from analyzer.pairing.same_text import SharedNames, shared_names
from analyzer.safe_text import counted
from analyzer.transform.documents import (
    Direction,
    DocumentShape,
    Roots,
    select_documents,
)
from analyzer.transform.relations import FINE, RelationHint, RelationMap

if TYPE_CHECKING:
    import pandas as pd

PARSEVAL_PREFIX = "rst-parseval:"
METRICS = (
    *CONSTITUENT_METRICS,
    *DEPENDENCY_METRICS,
    *(PARSEVAL_PREFIX + metric for metric in CONSTITUENT_METRICS),
)
TABLES_6_AND_7 = ("S", "UAS")


@dataclass(frozen=True)
class Similarity:
    """One metric between all systems; `pairs[i][j]` equals `pairs[j][i]`.

    The first of two is as gold, the second as parsed.
    """

    metric: str
    names: list[str]
    pairs: list[list[MatchCounts]]

    def value(self, first: int, second: int) -> float:
        """F1 from 0 to 1; what has no items is alike."""
        f1 = self.pairs[first][second].f1
        return 1.0 if f1 is None else f1


class SimilarityRow(NamedTuple):
    """A metric, one system as the reference of another, and what they share."""

    metric: str
    reference: str
    prediction: str
    matched: int
    n_reference: int
    n_prediction: int
    f1: float | None


@dataclass(frozen=True, eq=False, repr=False)
class Similarities(Result):
    """One table a metric, the documents they are about, and those left out."""

    tables: list[Similarity]
    documents: list[str]
    ledger: Ledger  # a document counts as gold's if any system has it
    shape: DocumentShape = field(default_factory=DocumentShape)
    # Systems whose relation labels are not those of the first, and a map for them.
    relation_hints: Mapping[str, RelationHint] = field(default_factory=dict)

    verb: ClassVar[str] = "compared"

    @property
    def problems(self) -> list[AnalyzerError]:
        """Documents that could not be read."""
        return self.ledger.unread

    @property
    def signature(self) -> Signature:
        return Signature.of(
            scorer="rst-similarity",
            binarize=self.shape.binarize,
            relations=self.shape.relations_name,
            **self.shape.roots_setting,
            average="micro",
        )

    @property
    def rows(self) -> list[SimilarityRow]:
        return [
            SimilarityRow(table.metric, reference, prediction, *pair, pair.f1)
            for table in self.tables
            for reference, row in zip(table.names, table.pairs, strict=True)
            for prediction, pair in zip(table.names, row, strict=True)
        ]

    def frame(self) -> pd.DataFrame:
        """The rows as a table of pandas."""
        return frame_of(self.rows, SimilarityRow._fields)

    def __repr__(self) -> str:
        systems = counted(len(self.tables[0].names) if self.tables else 0, "system")
        documents = counted(len(self.documents), "document")
        metrics = ", ".join(table.metric for table in self.tables)
        return f"<Similarities: {systems}, {documents}, {metrics}>"


@keywords()
def similarity(
    systems: Mapping[str, DocumentSource],
    metric: str | Sequence[str] = TABLES_6_AND_7,
    *,
    binarize: Direction | str = Direction.RIGHT,
    relations: str | RelationMap | None = FINE,
    roots: Roots | str = Roots.JOIN,
    strict: bool = False,
    encoding: str = "utf-8",
    jobs: int | None = 1,
    max_left_out: float | None = None,
) -> Similarities:
    """How similar systems are, pair by pair, over the documents that all of them have.

    S, N, R, F and with +H are on attachment decisions, `rst-parseval:S` and so on on
    the units of the file, UAS and so on on dependencies with the root counted.

    >>> similarity({"A": "(NS-Cause (1) (2))", "B": "(NS-Reason (1) (2))"})
    <Similarities: 2 systems, 1 document, S, UAS>
    """
    require_percent("max_left_out", max_left_out)
    if not isinstance(systems, Mapping):
        raise misuse("similarity", "the systems have no names")
    metrics = several(metric)
    unknown = [name for name in metrics if name not in METRICS]
    if unknown:
        raise SettingsError("E509 there are", unknown=unknown[0], metrics=METRICS)
    shape = DocumentShape(binarize, relations, roots)
    sides = [
        as_documents(
            source, encoding=encoding, strict=strict, jobs=jobs, keep_texts=False
        )
        for source in systems.values()
    ]
    sides = rooted_alike(sides, shape.roots)
    shared, ledger = _shared(sides)
    chosen = [
        select_documents(side, [places[n] for places in shared.places])
        for n, side in enumerate(sides)
    ]
    compared = {
        name: compare_labels(chosen[0], side, shape.relation_map)
        for name, side in zip(systems, chosen, strict=True)
    }
    hints = {name: hint for name, hint in compared.items() if hint}
    encoded = [unit_columns(shape.reshape(side)) for side in chosen]
    tables = [
        _table(name, list(systems), encoded, len(shared.names)) for name in metrics
    ]
    ledger.check(", ".join(systems), max_left_out)
    return Similarities(tables, shared.names, ledger, shape, hints)


def _items(units: UnitColumns, metric: str) -> Items:
    """What the metric counts of a system's trees."""
    if metric in DEPENDENCY_METRICS:
        arcs = dependencies(units)
        return Items(dependency_key(arcs, metric), arcs.document, arcs.edu)
    if metric.startswith(PARSEVAL_PREFIX):
        return rst_parseval(units).items(metric.removeprefix(PARSEVAL_PREFIX))
    return attachment_decisions(units).items(metric)


def _table(
    metric: str, names: list[str], systems: Sequence[UnitColumns], documents: int
) -> Similarity:
    items = [_items(units, metric) for units in systems]
    pairs = [[MatchCounts()] * len(names) for _ in names]
    for row, column in combinations_with_replacement(range(len(names)), 2):
        counts = MetricItems(items[row], items[column]).counts(documents).micro
        pairs[row][column] = counts
        pairs[column][row] = MatchCounts(counts.matched, counts.parsed, counts.gold)
    return Similarity(metric, names, pairs)


def _shared(systems: Sequence[Documents]) -> tuple[SharedNames, Ledger]:
    """Documents that all have, with as many EDUs; and why others are left out."""
    shared = shared_names(*names_to_pair(*systems))
    reasons = {
        name: PairingError(
            "E444 missing from", lacking=len(lacking), systems=len(systems)
        )
        for name, lacking in shared.missing.items()
    }
    everywhere = SharedNames([], [], shared.missing)
    for name, places in zip(shared.names, shared.places, strict=True):
        counts = (documents.edu_counts for documents in systems)
        sizes = {int(of[at]) for of, at in zip(counts, places, strict=True)}
        if len(sizes) > 1:
            reasons[name] = PairingError(
                "E445 differs in its number of EDUs", sizes=sorted(sizes)
            )
        else:
            everywhere.names.append(name)
            everywhere.places.append(places)
    names = dict.fromkeys(chain.from_iterable(names_to_pair(*systems)))
    items = [
        LeftOut(
            0,
            Reason.MISSING if name in shared.missing else Reason.OTHER_EDUS,
            reasons[name].at(Place(name)),
            document=name,
        )
        for name in names
        if name in reasons
    ]
    items += [
        LeftOut(0, Reason.BAD_TREE, problem, in_gold=False)
        for documents in systems
        for problem in documents.problems
    ]
    size, scored = len(names), len(everywhere.names)
    # Systems have no sides: what several have in common is said once.
    readings = dict.fromkeys(
        (-1, reading) for side in systems for reading in side.readings
    )
    ledger = Ledger(
        DOCUMENT, size, size, scored, tuple(items), readings=tuple(readings)
    )
    return everywhere, ledger


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
        raise SettingsError("E510 no systems to cluster")
    while len(clusters) > 1:
        height, left, right = min(
            (_distance(table, clusters[i], clusters[j]), i, j)
            for j in range(len(clusters))
            for i in range(j)
        )
        second = clusters.pop(right)
        first = clusters[left]
        members = first.members + second.members
        clusters[left] = Cluster(members, height, (first, second))
    return clusters[0]


def _distance(table: Similarity, left: Cluster, right: Cluster) -> float:
    total = sum(1 - table.value(i, j) for i in left.members for j in right.members)
    return total / (len(left.members) * len(right.members))


def metric_name(metric: str) -> str:
    """What a metric is, for people.

    >>> metric_name("S"), metric_name("UAS"), metric_name("rst-parseval:N")
    ('S on attachment decisions', 'UAS', 'N in RST-Parseval')
    """
    if metric.startswith(PARSEVAL_PREFIX):
        return f"{metric.removeprefix(PARSEVAL_PREFIX)} in RST-Parseval"
    if metric in CONSTITUENT_METRICS:
        return f"{metric} on attachment decisions"
    return metric


def parts_first(top: Cluster) -> list[Cluster]:
    """The clusters of a dendrogram, each after those that it is made of."""
    order = [top]
    for cluster in order:  # grows while it is read
        order.extend(cluster.parts or ())
    return order[::-1]
