"""Discourse trees from one format to another."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, get_args

from analyzer.exceptions import AnalyzerError, InputError, Place
from analyzer.formats.documents import (
    NamedDocument,
    Paths,
    file_text,
    read_rst,
    read_written,
)
from analyzer.formats.registry import Family, detect, write_rst
from analyzer.formats.rst.rs3_writer import rs3_losses
from analyzer.model.dependencies import ROOT_RELATION, DependencyTree, DiscourseTree
from analyzer.model.discourse import Unit
from analyzer.model.settings import require_choice
from analyzer.pairing.ledger import DOCUMENT, Ledger, of_one_side
from analyzer.safe_text import counted
from analyzer.transform.binarize import Direction
from analyzer.transform.binarize import binarize as binarize_tree
from analyzer.transform.head_order import (
    Order,
    Transform,
    constituent_tree,
    dependency_tree,
    transformed,
)
from analyzer.transform.heuristics import (
    RELEASED_MULTINUCLEAR,
    complete,
    multinuclear_relations,
)
from analyzer.transform.relations import (
    FINE,
    RelationMap,
    map_relations,
    named_relations,
    relation_class,
)

_DEPENDENCIES = ("rsd", "conllu")


class ConvertedDocument(NamedTuple):
    name: str
    text: str


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
    multinuclear: Collection[str] | None  # None: those of the released program

    @property
    def wants_arcs(self) -> bool:
        return self.to in _DEPENDENCIES

    @property
    def is_reshaped(self) -> bool:
        is_ordered = self.order == "strict" or self.transform == "chain"
        return self.binarize != "none" or is_ordered


def convert(
    *sources: Paths,
    to: str,
    binarize: Direction | str = Direction.NONE,
    relations: str | RelationMap | None = FINE,
    order: Order = "weak",
    transform: Transform = "tree",
    multinuclear: str | Collection[str] | None = None,
    strict: bool = False,
    encoding: str = "utf-8",
) -> Conversion:
    """Documents in a format of `WRITTEN`, of constituents or dependencies.

    `order` and `transform` say how constituents become dependencies. A dependency tree
    without nuclearity gets it from the relations that are `multinuclear`: a collection,
    a text with commas, a file of them, or trees to learn them from.

    >>> convert("(NS-Cause (1) (2))", to="brackets").documents
    [ConvertedDocument(name='text', text='(Root (Nucleus:span _!!_) \
(Satellite:Cause _!!_))\\n')]
    """
    require_choice("order", order, get_args(Order))
    require_choice("transform", transform, get_args(Transform))
    settings = _Settings(
        to,
        Direction(binarize),
        named_relations(relations)[1],
        order,
        transform,
        _multinuclear(multinuclear, encoding),
    )
    result = Conversion([], [], [])
    for named in _documents(sources, encoding, result):
        try:
            tree = _reshape(named, settings)
            text = write_rst(tree, to, name=named.name)
        except AnalyzerError as error:
            if error.place is None or error.place.source is None:
                error.place = Place(named.source)
            result.problems.append(error)
            continue
        result.documents.append(ConvertedDocument(named.name, text))
        result.warnings.extend(_losses(tree, named, to))
        result.warnings.extend(named.document.warnings)
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
                    "a second document {name!r}; the first is in {first}",
                    Place(named.source),
                    code="E187",
                    name=named.name,
                    first=taken[named.name],
                )
                result.problems.append(problem)
                continue
            taken[named.name] = named.source
            yield named


def _multinuclear(
    given: str | Collection[str] | None, encoding: str
) -> Collection[str] | None:
    if given is None or not isinstance(given, str):
        return given
    if os.path.isfile(given):
        text = file_text(given, encoding=encoding)
        if detect(text, Family.DISCOURSE) is None:
            return frozenset(text.replace(",", " ").split())
    if os.path.exists(given) or "*" in given:
        training = read_rst(given, encoding=encoding, strict=True)
        return multinuclear_relations(root for _, root in training)
    if os.sep in given:
        raise InputError("no such file", Place(given), code="E102")
    return frozenset(label.strip() for label in given.split(",") if label.strip())


def _reshape(named: NamedDocument, settings: _Settings) -> DiscourseTree:
    """The tree as it is to be written: of the kind that the format is for."""
    tree, source = named.document.tree, named.source
    if isinstance(tree, Unit):
        root = map_relations(tree, settings.relations)
    else:
        tree = _map_arcs(tree, settings.relations)
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
        return transformed(root, "chain", source=source)
    return dependency_tree(root, order=settings.order, source=source)


def _map_arcs(tree: DependencyTree, relations: RelationMap | None) -> DependencyTree:
    if relations is None:
        return tree
    return replace(
        tree,
        relations=[
            label if label == ROOT_RELATION else relation_class(label, relations)
            for label in tree.relations
        ],
        odd_nuclei={
            key: relation_class(label, relations)
            for key, label in tree.odd_nuclei.items()
        },
    )


def _losses(tree: DiscourseTree, named: NamedDocument, to: str) -> list[str]:
    """What the format has no place for."""
    if to == "rs3" and isinstance(tree, Unit):
        return [f"{named.source}: {loss}" for loss in rs3_losses(tree)]
    if to == "rsd" and not isinstance(tree, Unit) and tree.odd_nuclei:
        nuclei = counted(len(tree.odd_nuclei), "first nucleus's relation")
        return [f"{named.source}: {nuclei} left out: .rsd has no place for it"]
    return []
