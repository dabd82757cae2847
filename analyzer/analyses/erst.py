"""What eRST adds to discourse trees, scored (Zeldes et al. 2024).

Secondary edges and signals are rows like all others, joined on a key: an edge is its
two units, and as asked its relation; a signal is the relation that it shows, its type,
and as asked its subtype and words. Units are the same if their EDUs are. The scores of
the tree itself are broken down by whether its relations are signalled in gold: by a
connective, by something else, by nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analyzer.derivation.units import UnitColumns, dependencies, unit_columns
from analyzer.metrics.join import Key, match
from analyzer.metrics.measures import Row, row_type
from analyzer.metrics.ratios import SCORED, MatchCounts, ratio
from analyzer.metrics.rst import MetricItems, counts_by_name
from analyzer.model.arrays import Ids, Ints
from analyzer.model.discourse import Documents, EduSpan, Enhancements, Signal
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.words import CharSpans
from analyzer.transform.documents import Direction, binarize_documents
from analyzer.transform.relations import RelationMap, relation_class

EDGES = "secondary edges"
SIGNALS = "signals"
# What has to be the same: of an edge both units (S), the relation too (R); of a signal
# the relation that it shows and its type, the subtype too, the words too.
ENHANCED_METRICS = {EDGES: ("S", "R"), SIGNALS: ("type", "subtype", "words")}
CONNECTIVE, OTHER, NONE = "connective", "other", "none"
ROOT, NOT_ANNOTATED = "root", "not annotated"
CLASSES = (CONNECTIVE, OTHER, NONE, ROOT, NOT_ANNOTATED)
CONNECTIVE_TYPE = "dm"  # discourse marker, in GUM's signals
ALL = "all"
_NOTHING: EduSpan = (0, 0)

# Edges or signals of one kind: a relation, a type of signals, or all.
EnhancedRow = row_type(
    *("EnhancedRow", "what", "kind", "metric", *SCORED), module=__name__
)


class SignalledRow(NamedTuple):
    """Relations of gold that are signalled in one way: how many of them are found."""

    encoding: str
    metric: str
    signal: str
    matched: int
    gold: int
    recall: float | None


@dataclass(frozen=True)
class EnhancedScores:
    """What `score_rst` gives back with `erst`."""

    rows: list[Row]  # none if nothing but trees is predicted
    signalled_rows: list[SignalledRow]


class _Item(NamedTuple):
    """A secondary edge, or a signal: what it is of, and what it says."""

    source: EduSpan
    target: EduSpan  # nothing, if it is a signal of a unit
    kind: str
    further: tuple[str, ...] = ()


class EnhancedSide(NamedTuple):
    """The documents of one side, what they have beside their trees, and their places.

    A document without anything beside its tree has None.
    """

    documents: Documents
    enhancements: Sequence[Enhancements | None]
    places: CharSpans  # of each EDU


def enhancements_of(
    documents: Documents, chosen: Sequence[int]
) -> list[Enhancements | None]:
    """What some documents have beside their trees."""
    if documents.units is None:
        return [None] * len(chosen)
    return [documents.units[at].enhancements for at in chosen]


def score_enhancements(
    gold: EnhancedSide,
    parsed: EnhancedSide,
    relations: RelationMap | None,
    binarize: Direction | str,
    items: Mapping[tuple[str, str], MetricItems],
    *,
    decisions: str,
    arcs: str,
    count_root: bool,
) -> EnhancedScores:
    """Edges, signals, and the tree by signals; `items` are what its metrics count."""
    rows: list[Row] = []
    for what, metrics in ENHANCED_METRICS.items() if any(parsed.enhancements) else ():
        of_gold, of_parsed = (_items(side, what, relations) for side in (gold, parsed))
        for metric in metrics:
            rows += _scored(what, metric, of_gold, of_parsed)
    signalled = _signalled(gold, items, binarize, decisions, arcs, count_root)
    return EnhancedScores(rows, signalled)


# -- edges and signals ----------------------------------------------------------------


def _items(side: EnhancedSide, what: str, relations: RelationMap | None) -> list[_Item]:
    """All edges or signals of the documents."""
    items: list[_Item] = []
    starts = side.documents.bank.leaf_start.tolist()
    for start, given in zip(starts, side.enhancements, strict=False):
        if given is not None:
            of_one = _edges(given, relations) if what == EDGES else _signals(given)
            items += [_placed(item, start, side.places) for item in of_one]
    return items


def _edges(given: Enhancements, relations: RelationMap | None) -> Iterator[_Item]:
    for edge in given.edges:
        relation = edge.relation
        if relations is not None:
            relation = relation_class(relation, relations)
        source, target = (given.nodes[end].own for end in (edge.source, edge.target))
        yield _Item(source, target, relation)


def _signals(given: Enhancements) -> Iterator[_Item]:
    for signal in given.signals:
        source, target = _signalled_units(given, signal)
        yield _Item(source, target, signal.type, (signal.subtype, signal.tokens))


def _signalled_units(given: Enhancements, signal: Signal) -> tuple[EduSpan, EduSpan]:
    if signal.source in given.nodes:
        return given.nodes[signal.source].whole, _NOTHING
    edge = given.edge_named[signal.source]
    return given.nodes[edge.source].own, given.nodes[edge.target].own


def _placed(item: _Item, start: int, places: CharSpans) -> _Item:
    """EDUs as their places in all documents, numbered alike on both sides."""
    source, target = (
        (int(places.start[start + first - 1]), int(places.end[start + last - 1]))
        if first
        else (-1, -1)
        for first, last in (item.source, item.target)
    )
    return item._replace(source=source, target=target)


def _scored(
    what: str, metric: str, gold: Sequence[_Item], parsed: Sequence[_Item]
) -> list[Row]:
    """The total, and each kind if the metric asks for it, most frequent first."""
    keys = _key(gold, metric), _key(parsed, metric)
    kinds = [_symbols([item.kind for item in side]) for side in (gold, parsed)]
    of_kinds = counts_by_name(*keys, *kinds)
    matched = sum(counts.matched for _, counts in of_kinds)
    whole = MatchCounts(matched, len(gold), len(parsed))
    rows = [EnhancedRow(what, ALL, metric, *whole.scored)]
    if metric == "S":
        return rows
    return rows + [
        EnhancedRow(what, kind, metric, *counts.scored) for kind, counts in of_kinds
    ]


def _key(items: Sequence[_Item], metric: str) -> Key:
    places = np.array([[*item.source, *item.target] for item in items], np.int64)
    columns: Key = list(places.reshape(-1, 4).T)
    if metric != "S":
        columns.append(_symbols([item.kind for item in items]))
    further = {"subtype": 1, "words": 2}.get(metric, 0)
    for at in range(further):
        columns.append(_symbols([item.further[at] for item in items]))
    return columns


def _symbols(names: Sequence[str]) -> Ids:
    return np.array([SYMBOLS.id(name) for name in names], np.int32)


# -- the tree, by whether relations are signalled -------------------------------------


def _signalled(
    gold: EnhancedSide,
    items: Mapping[tuple[str, str], MetricItems],
    binarize: Direction | str,
    decisions: str,
    arcs: str,
    count_root: bool,
) -> list[SignalledRow]:
    """Each attachment decision and each arc is a relation: that of a dependent EDU."""
    of_edu = _classes(gold)
    whole = gold.documents
    shaped = unit_columns(binarize_documents(whole, binarize))
    in_twos = Direction.RIGHT if binarize == Direction.NONE else binarize
    binary = unit_columns(binarize_documents(whole, in_twos))
    is_root = dependencies(shaped).governor < 0
    of_arcs = np.where(is_root, CLASSES.index(ROOT), of_edu)
    classes = {
        decisions: of_edu[_dependents(binary)],
        arcs: of_arcs if count_root else of_arcs[~is_root],
    }
    rows = []
    for (encoding, metric), pairs in items.items():
        if encoding in classes:
            in_gold = np.bincount(classes[encoding], minlength=len(CLASSES))
            is_found = match(pairs.gold.key, pairs.parsed.key).gold
            hits = np.bincount(classes[encoding][is_found], minlength=len(CLASSES))
            rows += [
                SignalledRow(
                    encoding, metric, name, matched, total, ratio(matched, total)
                )
                for name, matched, total in zip(
                    CLASSES, hits.tolist(), in_gold.tolist(), strict=True
                )
                if total
            ]
    return rows


def _dependents(binary: UnitColumns) -> Ints:
    """Of each inner unit of binary trees, in order: the EDU that it attaches."""
    arcs = dependencies(binary)
    above = binary.parent[arcs.top]
    dependent = np.zeros(binary.parent.size, np.int64)
    dependent[above[above >= 0]] = arcs.edu[above >= 0]
    return dependent[~binary.is_edu]


def _classes(gold: EnhancedSide) -> Ints:
    """How the relation by which each EDU attaches is signalled, as a place in CLASSES.

    A signal of a unit is one of the EDU that heads it; of the unit that heads its
    parent (the first nucleus), of the EDU that heads the next one.
    """
    units = unit_columns(gold.documents)
    starts = gold.documents.bank.leaf_start.tolist()
    classes = np.full(starts[-1], CLASSES.index(NOT_ANNOTATED))
    rows = {
        (first, last): row
        for row, (first, last) in enumerate(
            zip(units.first.tolist(), units.last.tolist(), strict=True)
        )
    }
    for at, given in enumerate(gold.enhancements):
        if given is None:
            continue
        start = starts[at]
        classes[start : starts[at + 1]] = CLASSES.index(NONE)
        for signal in given.signals:
            if signal.source in given.nodes:
                first, last = given.nodes[signal.source].whole
                row = rows.get((start + first - 1, start + last))
                if row is not None:
                    is_connective = signal.type == CONNECTIVE_TYPE
                    name = CONNECTIVE if is_connective else OTHER
                    edu = _attached(units, row)
                    classes[edu] = min(classes[edu], CLASSES.index(name))
    return classes


def _attached(units: UnitColumns, row: int) -> int:
    """The EDU whose attachment a relation of this unit is about."""
    parent = int(units.parent[row])
    head = int(units.head[row])
    if parent < 0 or int(units.head[parent]) != head:
        return head
    start = int(units.child_start[parent])
    siblings = units.children[start : start + int(units.child_count[parent])].tolist()
    place = siblings.index(row)
    others = [*siblings[place + 1 :], *siblings[:place]]
    return int(units.head[others[0]]) if others else head
