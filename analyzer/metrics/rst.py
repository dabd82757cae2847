"""The metrics of Morey, Muller and Asher (2017, 2018): each is a key to join on.

RST-Parseval: every unit but the root, EDUs included; its span, and as asked its
nuclearity, its relation, its head. Attachment decisions: every inner unit of the
binarised tree, the root included; nuclearity and relation are those of the decision.
Dependencies: every EDU, its governor, and as asked nuclearity, relation, order.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.derivation.characters import (
    dependencies_by_characters,
    never_matching,
    units_by_characters,
)
from analyzer.derivation.units import (
    Dependencies,
    UnitColumns,
    dependencies,
    unit_columns,
    with_arcs,
)
from analyzer.exceptions import AnalyzerError, InputWarning, PairingError
from analyzer.formats.rst.building import spans_of
from analyzer.metrics.join import Key, match
from analyzer.metrics.ratios import MatchCounts
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import (
    Flags,
    Ids,
    Ints,
    any_between,
    flags_at,
    number_densely,
)
from analyzer.model.discourse import SATELLITE, DependencyTree, Documents, Unit
from analyzer.model.settings import require_choice
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.characters import edu_spans
from analyzer.pairing.one_text import AlignedEdus, aligned_edus
from analyzer.pairing.words import CharSpans
from analyzer.safe_text import counted
from analyzer.transform.documents import (
    Direction,
    DocumentShape,
    binarize_documents,
    map_documents,
)

PARSEVAL = "rst-parseval"
DECISIONS = "labelled-attachment"
DEPENDENCY = "dependency"
ARCS = "arcs"
SEGMENTATION = "segmentation"
CONSTITUENT_METRICS: tuple[str, ...] = ("S", "N", "R", "F", "S+H", "N+H", "R+H", "F+H")
UNIT_METRICS: tuple[str, ...] = ("S", "N", "R", "F")
_BEYOND_ENDS = 1 << 31  # no document has as many EDUs or characters
DEPENDENCY_METRICS: tuple[str, ...] = ("UAS", "LAS-N", "LAS-R", "LAS-F", "OUAS")
# Of dependencies and graphs without a constituent tree, as well.
UNDIRECTED_METRICS = ("UUAS", "root")
LINK_METRICS = ("link", "link+relation")


class Items(NamedTuple):
    """What a metric counts on one side: what is joined on, and where each item is: in
    which document, and of which span or EDU it decides."""

    key: Key
    document: Ints
    place: Ints


class Constituents(NamedTuple):
    """Items of an encoding, one row each."""

    document: Ints
    first: Ints
    last: Ints
    nuclearity: Ids
    relation: Ids
    head: Ints

    def items(self, metric: str) -> Items:
        """What a metric counts; a place is a span, as a number."""
        place = self.first * _BEYOND_ENDS + self.last
        return Items(self.key(metric), self.document, place)

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
    """What a metric counts on both sides."""

    gold: Items
    parsed: Items

    def counts(self, documents: int) -> ClassCounts:
        """By document."""
        of_gold, of_parsed = self.gold.document, self.parsed.document
        return self.counts_by(of_gold, of_parsed, documents)

    def counts_by(self, of_gold: Ints, of_parsed: Ints, size: int) -> ClassCounts:
        """By whatever classes the items of both sides are in, numbered from 0."""
        return count_matches(self.gold.key, self.parsed.key, of_gold, of_parsed, size)


@dataclass(frozen=True)
class ClassCounts:
    """Matched, gold and parsed items of each class: each document, say."""

    matched: Ints
    gold: Ints
    parsed: Ints

    @property
    def micro(self) -> MatchCounts:
        columns = (self.matched, self.gold, self.parsed)
        return MatchCounts(*(int(column.sum()) for column in columns))

    @property
    def of_each(self) -> list[MatchCounts]:
        columns = (self.matched, self.gold, self.parsed)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return list(starmap(MatchCounts, rows))


def count_matches(
    gold: Key, parsed: Key, of_gold: Ints, of_parsed: Ints, size: int
) -> ClassCounts:
    """Join, and count by the classes that items are in."""
    matches = match(gold, parsed)
    return ClassCounts(
        np.bincount(of_gold[matches.gold], minlength=size),
        np.bincount(of_gold, minlength=size),
        np.bincount(of_parsed, minlength=size),
    )


def counts_by_name(
    gold: Key,
    parsed: Key,
    of_gold: npt.NDArray[np.integer[Any]],
    of_parsed: npt.NDArray[np.integer[Any]],
) -> list[tuple[str, MatchCounts]]:
    """Join, and count by the names (SYMBOLS) of items, gold's most frequent first."""
    used, which = number_densely(np.concatenate([of_gold, of_parsed]))
    sides = np.split(which, [of_gold.size])
    counts = count_matches(gold, parsed, sides[0], sides[1], used.size).of_each
    named = zip(map(SYMBOLS.name, used.tolist()), counts, strict=True)
    return sorted(named, key=lambda item: (-item[1].gold, item[0]))


def segmentation_counts(
    gold: Documents,
    parsed: Documents,
    spans: tuple[CharSpans, CharSpans],
    *,
    with_ends: bool = False,
) -> ClassCounts:
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


# -- gold and parsed documents under every encoding ------------------------------------


@dataclass(frozen=True)
class RstSettings(DocumentShape):
    """Everything that can move a number."""

    no_root: bool = False
    as_released: bool = False
    # Gold and parsed may have different EDUs: units are compared by their characters
    # (offsets), or by the ends of two EDUs (edu-ends; see `encode`).
    segmentation: str = "same"
    parseval_root: bool = False  # RST-Parseval counts the root too
    is_aligned: bool = False  # texts may differ: units with changed words match nothing
    # What is parsed is binarised as gold is; None: unless it is `as_released`.
    binarize_parsed: bool | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        choices = ("same", "offsets", "edu-ends")
        require_choice("segmentation", self.segmentation, choices)
        if self.is_aligned and self.segmentation == "same":
            object.__setattr__(self, "segmentation", "offsets")

    @property
    def of_both(self) -> bool:
        """Whether both sides are binarised."""
        chosen = self.binarize_parsed
        return not self.as_released if chosen is None else chosen

    @property
    def signature(self) -> Signature:
        binarized = "both" if self.of_both else "gold"
        return Signature.of(
            scorer="rst",
            binarize=self.binarize,
            relations=self.relations_name,
            **({} if self.binarize == Direction.NONE else {"binarized": binarized}),
            dependency_root=not self.no_root,
            parseval_root=self.parseval_root,
            released=self.as_released,
            segmentation=self.segmentation,
            **({"on_mismatch": "align"} if self.is_aligned else {}),
            **self.roots_setting,
            average="micro+macro",
        )


class EncodedSide(NamedTuple):
    """The documents of one side under every encoding."""

    units: dict[str, Constituents]
    arcs: Dependencies
    edus: AlignedEdus  # where they stand
    wide_units: int  # predicted, of more than two parts, if the reference is binary

    @property
    def changed_edus(self) -> int:
        """Where texts may differ."""
        return int(self.edus.is_changed.sum())


@dataclass(frozen=True)
class EncodedPairs:
    """Documents beside each other under every encoding."""

    settings: RstSettings
    sides: tuple[EncodedSide, EncodedSide]
    segmentation: ClassCounts | None
    # Documents without a constituent tree on either side; of them, those whose
    # dependencies do not say who is a nucleus, or in which order they are attached.
    graphs: Flags
    without_nuclei: Flags
    without_order: Flags

    def items(self) -> dict[tuple[str, str], MetricItems]:
        """What each metric counts, by encoding and metric."""
        items = {}
        for encoding in (PARSEVAL, DECISIONS):
            for metric in CONSTITUENT_METRICS:
                # The released program forgets the head in F+H.
                released = self.settings.as_released and metric == "F+H"
                key = "F" if released else metric
                items[encoding, metric] = self._constituents(encoding, key)
        arcs = [(DEPENDENCY, metric) for metric in DEPENDENCY_METRICS]
        if self.graphs.any():
            arcs += [(DEPENDENCY, metric) for metric in UNDIRECTED_METRICS]
            arcs += [(ARCS, metric) for metric in LINK_METRICS]
        return items | {key: self._arcs(key[1]) for key in arcs}

    def _constituents(self, encoding: str, metric: str) -> MetricItems:
        return MetricItems(*(side.units[encoding].items(metric) for side in self.sides))

    def _arcs(self, metric: str) -> MetricItems:
        # The released program asks for the order of attachment in its F.
        released = self.settings.as_released and metric == "LAS-F"
        name = "LAS-F+order" if released else metric
        # Of segmentations, nothing but their boundaries is scored.
        is_attached = any((side.arcs.governor >= 0).any() for side in self.sides)
        lacking = self.graphs & (not is_attached)
        if metric in ("LAS-N", "LAS-F"):
            lacking = lacking | self.without_nuclei
        if metric == "OUAS" or released:
            lacking = lacking | self.without_order
        count_root = not self.settings.no_root
        items = []
        for arcs in (side.arcs for side in self.sides):
            rows = counted_arcs(arcs, metric, count_root=count_root)
            rows &= ~lacking[arcs.document]
            key = [column[rows] for column in dependency_key(arcs, name)]
            items.append(Items(key, arcs.document[rows], arcs.edu[rows]))
        return MetricItems(*items)

    @property
    def counts(self) -> dict[tuple[str, str], ClassCounts]:
        """Matched, gold and parsed items of each metric, by document."""
        size = self.graphs.size
        counts = {key: items.counts(size) for key, items in self.items().items()}
        if self.segmentation is None:
            return counts
        return {(SEGMENTATION, "boundaries"): self.segmentation, **counts}

    @property
    def relation_counts(self) -> list[tuple[str, str, MatchCounts]]:
        """Of each encoding: each relation class under F (span, nuclearity, relation);
        of graphs, under link+relation."""
        items = {
            encoding: self._constituents(encoding, "F")
            for encoding in (PARSEVAL, DECISIONS)
        }
        if self.graphs.any():
            items[ARCS] = self._arcs(LINK_METRICS[-1])
        return [
            (encoding, name, counts)
            for encoding, (gold, parsed) in items.items()
            for name, counts in counts_by_name(  # relations come last
                gold.key, parsed.key, gold.key[-1], parsed.key[-1]
            )
        ]


def encode(gold: Documents, parsed: Documents, settings: RstSettings) -> EncodedPairs:
    """Documents that are pairs, one beside the other, under every encoding."""
    trees = [*gold.arcs.items(), *parsed.arcs.items()]
    graphs, without_nuclei, without_order = (
        flags_at(len(gold), places)
        for places in (
            [at for at, _ in trees],
            [at for at, graph in trees if graph.nuclearities is None],
            [at for at, graph in trees if graph.ranks is None],
        )
    )
    edus = _placed_edus(gold, parsed, settings)
    sides = (
        _encoded(gold, settings, edus[0], ~graphs, is_gold=True),
        _encoded(parsed, settings, edus[1], ~graphs, is_gold=False),
    )
    for note in wide_note(sides[1].wide_units, settings.binarize):
        warning = InputWarning(parsed.bank.source, note, is_note=False)
        warnings.warn(warning, stacklevel=2)
    segmentation = None
    if settings.segmentation != "same":
        spans = edus[0].places, edus[1].places
        with_ends = settings.segmentation == "edu-ends"
        segmentation = segmentation_counts(gold, parsed, spans, with_ends=with_ends)
    return EncodedPairs(
        settings, sides, segmentation, graphs, without_nuclei, without_order
    )


def _placed_edus(
    gold: Documents, parsed: Documents, settings: RstSettings
) -> Sequence[AlignedEdus]:
    """Where the EDUs of both sides stand: by number, or in the characters of texts."""
    if settings.is_aligned:
        edus: Sequence[AlignedEdus] = aligned_edus(gold, parsed)
    else:
        sizes = [int(side.bank.leaf_start[-1]) for side in (gold, parsed)]
        spans = CharSpans.of_words(max(sizes)), CharSpans.of_words(max(sizes))
        if settings.segmentation != "same":
            spans = edu_spans(gold, parsed)
        edus = [
            AlignedEdus(places, np.zeros(size, np.bool_))
            for places, size in zip(spans, sizes, strict=True)
        ]
    if settings.segmentation == "edu-ends":
        # As DMRST and isanlp count: where EDUs begin is not asked.
        return [side._replace(places=side.places.only_ends()) for side in edus]
    return edus


def _encoded(
    documents: Documents,
    settings: RstSettings,
    edus: AlignedEdus,
    is_tree: Flags,
    *,
    is_gold: bool,
) -> EncodedSide:
    """One side; units and arcs with changed EDUs match nothing."""
    documents = map_documents(documents, settings.relation_map)
    shaped = documents
    # The released program binarises the reference alone. Only attachment decisions need
    # binary trees on both sides.
    if is_gold or settings.of_both:
        shaped = binarize_documents(documents, settings.binarize)
    units = unit_columns(shaped)
    wide = 0
    if not is_gold and settings.binarize != Direction.NONE:
        wide = int(np.count_nonzero(units.child_count > 2))
    arcs = with_arcs(dependencies(units), documents)
    in_twos = binarize_documents(shaped, _binary(settings.binarize))
    binary = units if in_twos is shaped else unit_columns(in_twos)
    encodings = {
        PARSEVAL: rst_parseval(
            _placed_units(units, edus, is_gold), with_root=settings.parseval_root
        ),
        DECISIONS: attachment_decisions(_placed_units(binary, edus, is_gold)),
    }
    if not is_tree.all():
        encodings = {
            name: encoding.only(is_tree[encoding.document])
            for name, encoding in encodings.items()
        }
    return EncodedSide(encodings, _placed_arcs(arcs, edus, is_gold), edus, wide)


def _placed_units(units: UnitColumns, edus: AlignedEdus, is_gold: bool) -> UnitColumns:
    placed = units_by_characters(units, edus.places)
    doubtful = any_between(edus.is_changed, units.first, units.last)
    first = never_matching(placed.first, doubtful, is_gold=is_gold)
    return replace(placed, first=first)


def _placed_arcs(arcs: Dependencies, edus: AlignedEdus, is_gold: bool) -> Dependencies:
    placed = dependencies_by_characters(arcs, edus.places)
    changed = edus.is_changed
    governor = changed[np.maximum(arcs.governor, 0)] & (arcs.governor >= 0)
    doubtful = changed[arcs.edu] | governor
    edu = never_matching(placed.edu, doubtful, is_gold=is_gold)
    return replace(placed, edu=edu)


def wide_note(wide: int, direction: Direction | str) -> list[str]:
    """That so many predicted units are not binary though the reference is made so.

    Even the reference itself would not get 100 then.
    """
    if not wide:
        return []
    return [
        f"{counted(wide, 'predicted unit')} of more than two parts: the reference is "
        f"binarised (--binarize {Direction(direction)}), predictions are scored as "
        "they are, so that even the reference would not reach 100; --binarize-parsed "
        "yes treats both alike"
    ]


def _binary(direction: Direction | str) -> Direction | str:
    return Direction.RIGHT if direction == Direction.NONE else direction


# -- what two analyses of a document do not share -------------------------------------


def check_same_edus(left: Unit, right: Unit) -> None:
    """PairingError if the documents do not have as many EDUs."""
    sizes = [sum(unit.is_edu for unit in root.walk()) for root in (left, right)]
    if sizes[0] != sizes[1]:
        raise PairingError("E411 the documents have", sizes=sizes[0], sizes_2=sizes[1])


def differing_units(
    left: Unit, right: Unit, metric: str = "F"
) -> tuple[list[int], list[int]]:
    """Units of each tree that the other lacks, as places in the walk.

    As RST-Parseval counts them: span alone (S), with nuclearity (N), with relation (R),
    with both (F).
    """
    lacking = _lacking(_keys(left, metric), _keys(right, metric))
    return lacking[0].tolist(), lacking[1].tolist()


def differing_arcs(
    left: DependencyTree, right: DependencyTree, metric: str = "F"
) -> tuple[list[int], list[int]]:
    """Arcs, from 1, that only one side has: with this head (S), nuclearity, relation,
    both: UAS, LAS-N, LAS-R, LAS-F. Of a tree, the arcs are as many as its EDUs.

    Nuclearity counts only if both sides say it; graphs do not.
    """
    if left.nuclearities is None or right.nuclearities is None:
        metric = {"N": "S", "F": "R"}.get(metric, metric)
    lacking = _lacking(_arc_keys(left, metric), _arc_keys(right, metric))
    return (lacking[0] + 1).tolist(), (lacking[1] + 1).tolist()


def _lacking(left: Sequence[Hashable], right: Sequence[Hashable]) -> tuple[Ints, Ints]:
    """The places of the keys on each side that the other side lacks."""
    numbers: dict[Hashable, int] = {}
    columns = [
        np.array([numbers.setdefault(key, len(numbers)) for key in keys])
        for keys in (left, right)
    ]
    matches = match([columns[0]], [columns[1]])
    return np.flatnonzero(~matches.gold), np.flatnonzero(~matches.parsed)


def _keys(root: Unit, metric: str) -> list[Hashable]:
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
    arcs = tree.arcs()
    nuclearities = [*(tree.nuclearities or [""] * len(tree)), *[""] * len(tree.more)]
    return [
        (
            *(edu, head),
            nuclearity if metric in "NF" else "",
            relation if metric in "RF" else "",
        )
        for (edu, head, relation), nuclearity in zip(arcs, nuclearities, strict=True)
    ]
