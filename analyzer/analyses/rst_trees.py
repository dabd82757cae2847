"""Discourse trees from one format to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple, get_args

from analyzer.analyses.compared import frame_of
from analyzer.exceptions import AnalyzerError, InputError, PairingError, Place, RstError
from analyzer.formats.documents import (
    DocumentSource,
    NamedDocument,
    Paths,
    as_documents,
    multinuclear_of,
    read_written,
)
from analyzer.formats.registry import write_rst
from analyzer.formats.rst.arcs import unknown_to_disrpt, with_edges, write_segments
from analyzer.formats.rst.rs3 import rs3_losses, rs4_losses
from analyzer.metrics.rst import check_same_edus, differing_arcs, differing_units
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Shown
from analyzer.model.discourse import (
    NUCLEUS,
    DependencyTree,
    DiscourseTree,
    Documents,
    Enhancements,
    Reading,
    Unit,
)
from analyzer.model.settings import keywords, require_choice
from analyzer.pairing.ledger import (
    DOCUMENT,
    SIDES,
    Ledger,
    of_one_side,
    reading_lines,
)
from analyzer.pairing.partners import names_to_pair, rooted_alike, sided_readings
from analyzer.pairing.same_text import SharedNames, shared_names
from analyzer.safe_text import counted
from analyzer.transform.documents import (
    Direction,
    DocumentShape,
    RootedArcs,
    Roots,
    binarize_documents,
    map_arcs,
    map_documents,
    rooted_alone,
    rooted_arcs,
)
from analyzer.transform.documents import binarize as binarize_tree
from analyzer.transform.head_order import (
    RELEASED_MULTINUCLEAR,
    Order,
    Transform,
    complete,
    constituent_tree,
    dependency_tree,
    transformed,
)
from analyzer.transform.relations import (
    FINE,
    RelationMap,
    map_relations,
    named_relations,
)

if TYPE_CHECKING:
    import pandas as pd

_DEPENDENCIES = ("rsd", "conllu", "rels")


class ConvertedDocument(NamedTuple):
    name: str
    text: str
    words: str = ""  # of .rels: the .conllu that lies beside it


@dataclass(frozen=True)
class Conversion:
    """What `convert` gives back: documents as text, and what was lost."""

    documents: list[ConvertedDocument]
    problems: list[AnalyzerError]  # documents that could not be read or written
    warnings: list[str]  # what the format has no place for

    @property
    def ledger(self) -> Ledger:
        """How many documents there are, and which were not converted."""
        documents = len(self.documents) + len(self.problems)
        return of_one_side(DOCUMENT, documents, self.problems)


@dataclass(frozen=True)
class _Settings:
    to: str
    binarize: Direction
    relations: RelationMap | None
    order: Order
    transform: Transform
    multinuclear: Iterable[str] | None  # None: those of the released program

    @property
    def wants_arcs(self) -> bool:
        return self.to in _DEPENDENCIES

    @property
    def is_reshaped(self) -> bool:
        is_ordered = self.order == "strict" or self.transform == "chain"
        return self.binarize != "none" or is_ordered


@keywords()
def convert(
    *sources: Paths,
    to: str,
    binarize: Direction | str = Direction.NONE,
    relations: str | RelationMap | None = FINE,
    roots: Roots | str = Roots.JOIN,
    order: Order = "weak",
    transform: Transform = "tree",
    multinuclear: str | Iterable[str] | None = None,
    strict: bool = False,
    encoding: str = "utf-8",
) -> Conversion:
    """Documents in a format of `WRITTEN`, of constituents or dependencies.

    `roots`: what becomes of documents of several trees; of a forest, each tree is a
    document. `order` and `transform` say how constituents become dependencies. A
    dependency tree without nuclearity gets it from the relations that are
    `multinuclear`: a collection, a text with commas, a file of them, or trees to learn
    them from.

    >>> convert("(NS-Cause (1) (2))", to="brackets").documents
    [ConvertedDocument(name='text', text='(Root (Nucleus:span _!!_) \
(Satellite:Cause _!!_))\\n', words='')]
    """
    require_choice("order", order, get_args(Order))
    require_choice("transform", transform, get_args(Transform))
    settings = _Settings(
        to,
        Direction(binarize),
        named_relations(relations)[1],
        order,
        transform,
        multinuclear_of(multinuclear, encoding),
    )
    result = Conversion([], [], [])
    readings: list[Reading] = []
    given = _documents(sources, encoding, result)
    for named in _rooted(given, Roots(roots), result, readings):
        try:
            tree = _reshape(named, settings)
            text = write_rst(tree, to, name=named.name)
        except AnalyzerError as error:
            if error.place is None or error.place.source is None:
                error.place = Place(named.source)
            result.problems.append(error)
            continue
        converted = ConvertedDocument(named.name, text)
        if to == "rels" and isinstance(tree, DependencyTree):
            converted = converted._replace(words=write_segments(tree, named.name))
        result.documents.append(converted)
        result.warnings.extend(_losses(tree, named, to))
        result.warnings.extend(named.document.warnings)
    result.warnings.extend(reading_lines((-1, reading) for reading in readings))
    if result.problems and strict:
        raise result.problems[0]
    return result


def _documents(
    sources: Sequence[Paths], encoding: str, result: Conversion
) -> Iterator[NamedDocument]:
    taken: dict[str, str] = {}
    for source in sources:
        documents, problems = read_written(source, encoding=encoding)
        result.problems.extend(problems)
        for named in documents:
            if named.name in taken:
                problem = InputError(
                    "E187 a second document",
                    Place(named.source),
                    name=named.name,
                    first=taken[named.name],
                )
                result.problems.append(problem)
                continue
            taken[named.name] = named.source
            yield named


def _rooted(
    given: Iterable[NamedDocument],
    roots: Roots,
    result: Conversion,
    readings: list[Reading],
) -> Iterator[NamedDocument]:
    """Documents of several trees as chosen; what is said of them goes to `readings`."""
    for named in given:
        document = named.document
        readings += [
            reading._replace(document=named.name) for reading in document.readings
        ]
        parts: RootedArcs | Documents
        if not isinstance(document.tree, Unit):
            try:
                parts = rooted_arcs(document.tree, roots, named.name)
            except RstError as error:  # a graph
                result.problems.append(error.at(Place(named.source)))
                continue
        else:
            alone = Documents.of_units([(named.name, document.tree)])
            parts = rooted_alone(alone, roots)
        readings += parts.readings
        result.problems.extend(
            problem.at(Place(named.source)) for problem in parts.problems
        )
        for name, tree in parts:
            yield NamedDocument(name, named.source, document._replace(tree=tree))


def _reshape(named: NamedDocument, settings: _Settings) -> DiscourseTree:
    """The tree as it is to be written: of the kind that the format is for."""
    tree, source = named.document.tree, named.source
    if isinstance(tree, Unit):
        root = map_relations(tree, settings.relations)
    else:
        tree = map_arcs(tree, settings.relations)
        if settings.wants_arcs and not settings.is_reshaped:
            if settings.multinuclear is None:
                return tree  # with no more in it than there was
            return complete(tree, settings.multinuclear, source=source)
        # Relations are mapped first: the heuristics ask for those that are written.
        known = settings.multinuclear
        known = RELEASED_MULTINUCLEAR if known is None else known
        root = constituent_tree(complete(tree, known, source=source), source=source)
    root = binarize_tree(root, settings.binarize)
    if not settings.wants_arcs:
        return root
    if settings.transform == "chain":
        arcs = transformed(root, "chain", source=source)
    else:
        arcs = dependency_tree(root, order=settings.order, source=source)
    beside = tree.enhancements
    if settings.to == "rels" and isinstance(beside, Enhancements):
        more = map_arcs(with_edges(arcs, beside), settings.relations).more
        return replace(arcs, more=more)
    return arcs


def _losses(tree: DiscourseTree, named: NamedDocument, to: str) -> list[str]:
    """What the format has no place for."""
    if to == "rs4" and isinstance(tree, Unit):
        return [f"{named.source}: {loss}" for loss in rs4_losses(tree)]
    beside, losses = named.document.tree.enhancements, []
    if beside and not (isinstance(tree, DependencyTree) and tree.enhancements):
        what = "secondary edges and signals"
        if isinstance(beside, Enhancements):
            if to == "rels" and isinstance(tree, DependencyTree):
                beside = replace(beside, edges=beside.edges[len(tree.more) :])
            what = str(beside)
        losses = [f"{named.source}: {what} left out: .{to} has no place for them"]
    if to == "rs3" and isinstance(tree, Unit):
        return losses + [f"{named.source}: {loss}" for loss in rs3_losses(tree)]
    if to == "rels" and isinstance(tree, DependencyTree):
        if unknown := unknown_to_disrpt(tree):
            labels = ", ".join(unknown)
            losses.append(f"{named.source}: no label of DISRPT 2025 for {labels}")
        return losses
    if not isinstance(tree, Unit) and tree.more:
        more = counted(len(tree.more), "further governor")
        losses.append(f"{named.source}: {more} left out: .{to} has one for each EDU")
    if to == "rsd" and not isinstance(tree, Unit) and tree.odd_nuclei:
        nuclei = counted(len(tree.odd_nuclei), "first nucleus's relation")
        losses.append(f"{named.source}: {nuclei} left out: .rsd has no place for it")
    return losses


# -- how many constituent trees a dependency tree can mean -----------------------------
#
# A head with n dependents on its left and m on its right can take them in U(n, m)
# orders, because those on one side come from the inside out: U(n, m) = U(n-1, m) +
# U(n, m-1), U(n, 0) = U(0, m) = 1, so U(n, m) = (n+m)! / (n! m!) (2018, Proposition 4).
# The orders of different heads are independent: their numbers multiply. With the order
# known, there is one tree (Proposition 1).


class Ambiguity(NamedTuple):
    """What a d-tree without order leaves open."""

    edus: int
    spiders: int  # heads with dependents on both sides: where the ambiguity is
    binary: int  # binary c-trees: strict orders (Proposition 4)
    all: int  # c-trees, n-ary ones included: weak orders


class AmbiguityRow(NamedTuple):
    document: str
    edus: int
    spiders: int
    binary: int
    all: int


@dataclass(frozen=True, repr=False)
class AmbiguityCounts(Shown):
    """What `ambiguity` gives back: one row a document, and those left out."""

    rows: list[AmbiguityRow]
    left_out: list[AnalyzerError]  # documents that no dependencies stand for
    shape: DocumentShape = field(default_factory=DocumentShape)
    problems: Sequence[RstError] = ()  # documents that could not be read
    readings: Sequence[Reading] = ()  # what was read otherwise than it is written

    @property
    def ledger(self) -> Ledger:
        """How many documents there are, and which were not counted."""
        errors = [*self.problems, *self.left_out]
        documents = len(self.rows) + len(errors)
        return of_one_side(DOCUMENT, documents, errors, self.readings)

    @property
    def total(self) -> AmbiguityRow:
        """Of all documents: their numbers multiply."""
        return AmbiguityRow(
            "all",
            sum(row.edus for row in self.rows),
            sum(row.spiders for row in self.rows),
            prod(row.binary for row in self.rows),
            prod(row.all for row in self.rows),
        )

    @property
    def signature(self) -> Signature:
        return Signature.of(
            scorer="rst-ambiguity",
            binarize=self.shape.binarize,
            relations=self.shape.relations_name,
            **self.shape.roots_setting,
        )

    def frame(self) -> pd.DataFrame:
        """The rows as a table of pandas."""
        return frame_of(self.rows, AmbiguityRow._fields)

    def __repr__(self) -> str:
        spiders = counted(self.total.spiders, "spider")
        return f"<AmbiguityCounts: {counted(len(self.rows), 'document')}, {spiders}>"


@keywords()
def ambiguity(
    *sources: DocumentSource,
    binarize: Direction | str = Direction.RIGHT,
    relations: str | RelationMap | None = FINE,
    roots: Roots | str = Roots.JOIN,
    strict: bool = False,
    encoding: str = "utf-8",
) -> AmbiguityCounts:
    """How many constituent trees fit the dependencies of documents.

    >>> ambiguity("(NS-Cause (SN-Attribution (1) (2)) (3))").rows
    [AmbiguityRow(document='text', edus=3, spiders=1, binary=2, all=3)]
    """
    shape = DocumentShape(binarize, relations, roots)
    rows: list[AmbiguityRow] = []
    left_out: list[AnalyzerError] = []
    problems: list[RstError] = []
    readings: list[Reading] = []
    for source in sources:
        read = as_documents(source, encoding=encoding, strict=strict)
        documents = rooted_alone(read, roots)
        readings += documents.readings
        problems += documents.problems
        for name, root in documents:
            mapped = map_relations(root, shape.relation_map)
            try:
                tree = dependency_tree(binarize_tree(mapped, binarize), source=name)
            except AnalyzerError as error:
                if strict:
                    raise
                left_out.append(error)
                continue
            rows.append(AmbiguityRow(name, *count_orders(tree)))
    return AmbiguityCounts(rows, left_out, shape, problems, readings)


def count_orders(tree: DependencyTree) -> Ambiguity:
    """Count the orders of a d-tree, whether it has one or not.

    Of n-ary units, those that RST has are counted (Constraint 1): one nucleus and its
    satellites, or nuclei of one relation. Without nuclearities all are satellites.

    >>> figure_5 = DependencyTree([2, 0, 2], ["R1", "ROOT", "R2"])
    >>> count_orders(figure_5)
    Ambiguity(edus=3, spiders=1, binary=2, all=3)
    """
    sides = _sides(tree)
    return Ambiguity(
        edus=len(tree),
        spiders=sum(bool(left and right) for left, right in sides),
        binary=prod(
            comb(len(lefts) + len(rights), len(lefts)) for lefts, rights in sides
        ),
        all=prod(_weak_orders(tree, left, right) for left, right in sides),
    )


def _sides(tree: DependencyTree) -> list[tuple[list[int], list[int]]]:
    """Of every head: its left and its right dependents, from the inside out."""
    return [
        (
            [edu for edu in reversed(dependents) if edu < head],
            [edu for edu in dependents if edu > head],
        )
        for head, dependents in enumerate(tree.dependents())
        if head and dependents
    ]


def _weak_orders(tree: DependencyTree, left: list[int], right: list[int]) -> int:
    """Ways to attach the dependents in groups.

    Counted item by item, the left ones of a group before its right ones: `on_left[j]`
    counts the ways to have attached the first i left and the first j right ones with
    a left one last, `on_right[j]` with a right one last.
    """

    def may_join(edu: int, inside: int | None) -> bool:
        """Whether it can be in one unit with the one attached just before it."""
        kinds = [_kind(tree, edu), _kind(tree, inside)]
        return kinds[0] == kinds[1]

    on_left, on_right = [0] * (len(right) + 1), [0] * (len(right) + 1)
    for i in range(len(left) + 1):
        now_left, now_right = [0] * (len(right) + 1), [0] * (len(right) + 1)
        for j in range(len(right) + 1):
            if i == j == 0:
                continue
            starts = int(i + j == 1)  # nothing is attached before the first one
            if i:
                # A new group after anything, or the same one after a left one.
                same = on_left[j] if i > 1 and may_join(left[i - 1], left[i - 2]) else 0
                now_left[j] = on_left[j] + on_right[j] + same + starts
            if j:
                before_left, before_right = now_left[j - 1], now_right[j - 1]
                now_right[j] = before_left + before_right + starts
                if j > 1 and may_join(right[j - 1], right[j - 2]):
                    now_right[j] += before_right
                if i and may_join(right[j - 1], left[i - 1]):
                    now_right[j] += before_left
        on_left, on_right = now_left, now_right
    return on_left[-1] + on_right[-1] if left or right else 1


def _kind(tree: DependencyTree, edu: int | None) -> str:
    """Dependents of the same kind can stand in one unit: all satellites, or nuclei of
    the same relation."""
    if edu is None or tree.nuclearities is None:
        return ""
    return tree.relations[edu - 1] if tree.nuclearities[edu - 1] == NUCLEUS else ""


# -- trees to be drawn -----------------------------------------------------------------


class ShownDocument(NamedTuple):
    """A document to draw: one tree, or two with what differs."""

    name: str
    trees: Sequence[Unit | DependencyTree]
    marks: list[list[int]]  # of each tree: units by their place, or EDUs from 1
    beside: Sequence[Enhancements | None] = ()  # of each tree: its edges and signals


@dataclass(frozen=True, repr=False)
class ShownDocuments:
    """What `show_rst` returns."""

    rows: list[ShownDocument]
    problems: Sequence[RstError]  # documents that could not be read
    notes: Sequence[str] = ()  # what was read otherwise than it is written

    def __repr__(self) -> str:
        return f"<ShownDocuments: {counted(len(self.rows), 'document')}>"


def show_rst(
    *sources: DocumentSource,
    document: str | None = None,
    as_dependencies: bool = False,
    marks: str = "F",
    binarize: Direction | str = Direction.NONE,
    relations: str | RelationMap | None = FINE,
    roots: Roots | str = Roots.JOIN,
    strict: bool = False,
    encoding: str = "utf-8",
) -> ShownDocuments:
    """The trees of one source, or gold's and a parser's with what differs.

    `document` names one of a folder's. `roots`: what becomes of documents of several
    trees; of one side's forest, each tree is shown by itself. `marks`: what has to be
    the same, span or head (S), with nuclearity (N), with relation (R), with both (F).
    Where one side has arcs and no tree (dialogues, SciDTB), both are shown as arcs.

    >>> [shown] = show_rst("(NS-Cause (1) (2))", "(NS-Reason (1) (2))").rows
    >>> shown.marks
    [[2], [2]]
    """
    shape = DocumentShape(binarize, relations, roots)
    sides = [
        as_documents(source, encoding=encoding, strict=strict, graphs=True)
        for source in sources
    ]
    if len(sides) == 1:
        sides = [rooted_alone(sides[0], roots)]
    else:
        sides = rooted_alike(sides, roots)
    shared = _chosen(sides, document)
    reshaped = [
        binarize_documents(map_documents(side, shape.relation_map), shape.binarize)
        for side in sides
    ]
    rows = [
        _shown(
            name,
            [
                _enhanced(shaped.unit(at), side.unit(at), shape.relation_map)
                for shaped, side, at in zip(reshaped, sides, places, strict=True)
            ],
            [side.arcs.get(at) for side, at in zip(reshaped, places, strict=True)],
            as_dependencies=as_dependencies,
            marks=marks,
        )
        for name, places in zip(shared.names, shared.places, strict=True)
    ]
    problems = [problem for side in sides for problem in side.problems]
    readings = [
        (-1 if len(sides) == 1 else n, reading) for n, reading in sided_readings(*sides)
    ]
    return ShownDocuments(rows, problems, reading_lines(readings, SIDES))


def _enhanced(shaped: Unit, read: Unit, relations: RelationMap | None) -> Unit:
    """The reshaped tree with the secondary edges and signals that were read."""
    if shaped is not read and read.enhancements:
        shaped.enhancements = map_relations(read, relations).enhancements
    return shaped


def _chosen(sides: Sequence[Documents], document: str | None) -> SharedNames:
    """The documents that all sides have, or one of them."""
    for side in sides:
        if document is not None and document not in side.names:
            raise InputError(
                "E842 there is no document",
                Place(side.bank.source),
                document=document,
                some=", ".join(side.names[:5]),
            )
        if not side.names and side.problems:
            raise side.problems[0]
        if not side.names:
            raise InputError("E840 contains no documents", Place(side.bank.source))
    if document is not None:
        places = tuple(side.names.index(document) for side in sides)
        return SharedNames([document], [places], {})
    shared = shared_names(*names_to_pair(*sides))
    if not shared.names:
        raise PairingError("E841 no document is in both", Place(sides[0].bank.source))
    return shared


def _shown(
    name: str,
    roots: list[Unit],
    graphs: list[DependencyTree | None],
    *,
    as_dependencies: bool,
    marks: str,
) -> ShownDocument:
    if len(roots) == 2:
        check_same_edus(*roots)
    differing: list[list[int]] = [[]]
    beside = [root.enhancements for root in roots]
    if as_dependencies or any(graphs):
        trees = [
            graph or dependency_tree(root, source=name)
            for root, graph in zip(roots, graphs, strict=True)
        ]
        if len(trees) == 2:
            differing = list(differing_arcs(trees[0], trees[1], marks))
        return ShownDocument(name, trees, differing, beside)
    if len(roots) == 2:
        differing = list(differing_units(roots[0], roots[1], marks))
    return ShownDocument(name, roots, differing, beside)
