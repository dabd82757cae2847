"""Discourse trees to be drawn, and what two of a document do not share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analyzer.exceptions import InputError, PairingError, Place, RstError
from analyzer.formats.documents import DocumentSource, as_documents
from analyzer.metrics.rst import check_same_edus, differing_arcs, differing_units
from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import Documents, Unit
from analyzer.pairing.by_name import SharedNames, names_to_pair, shared_names
from analyzer.safe_text import counted
from analyzer.transform.binarize import Direction, binarize_documents
from analyzer.transform.documents import DocumentShape, map_documents
from analyzer.transform.head_order import dependency_tree
from analyzer.transform.relations import FINE, RelationMap


class ShownDocument(NamedTuple):
    """A document to draw: one tree, or two with what differs."""

    name: str
    trees: Sequence[Unit | DependencyTree]
    marks: list[list[int]]  # of each tree: units by their place, or EDUs from 1


@dataclass(frozen=True, repr=False)
class ShownDocuments:
    """What `show_rst` returns."""

    rows: list[ShownDocument]
    problems: Sequence[RstError]  # documents that could not be read

    def __repr__(self) -> str:
        return f"<ShownDocuments: {counted(len(self.rows), 'document')}>"


def show_rst(
    *sources: DocumentSource,
    document: str | None = None,
    as_dependencies: bool = False,
    marks: str = "F",
    binarize: Direction | str = Direction.NONE,
    relations: str | RelationMap | None = FINE,
    strict: bool = False,
    encoding: str = "utf-8",
) -> ShownDocuments:
    """The trees of one source, or gold's and a parser's with what differs.

    `document` names one of a folder's. `marks`: what has to be the same, span or head
    (S), with nuclearity (N), with relation (R), with both (F).

    >>> [shown] = show_rst("(NS-Cause (1) (2))", "(NS-Reason (1) (2))").rows
    >>> shown.marks
    [[2], [2]]
    """
    shape = DocumentShape(binarize, relations)
    sides = [as_documents(one, encoding=encoding, strict=strict) for one in sources]
    found = _chosen(sides, document)
    reshaped = [
        binarize_documents(map_documents(side, shape.relation_map), shape.binarize)
        for side in sides
    ]
    rows = [
        _shown(
            name,
            [side.unit(at) for side, at in zip(reshaped, places, strict=True)],
            as_dependencies=as_dependencies,
            marks=marks,
        )
        for name, places in zip(found.names, found.places, strict=True)
    ]
    return ShownDocuments(rows, [one for side in sides for one in side.problems])


def _chosen(sides: Sequence[Documents], document: str | None) -> SharedNames:
    """The documents that all sides have, or one of them."""
    for side in sides:
        if document is not None and document not in side.names:
            raise InputError(
                "there is no document {document!r}; there are {some} …",
                Place(side.bank.source),
                code="E842",
                document=document,
                some=", ".join(side.names[:5]),
            )
        if not side.names:
            raise InputError(
                "contains no documents", Place(side.bank.source), code="E840"
            )
    if document is not None:
        places = tuple(side.names.index(document) for side in sides)
        return SharedNames([document], [places], {})
    found = shared_names(*names_to_pair(*sides))
    if not found.names:
        raise PairingError(
            "no document is in both", Place(sides[0].bank.source), code="E841"
        )
    return found


def _shown(
    name: str, roots: list[Unit], *, as_dependencies: bool, marks: str
) -> ShownDocument:
    if len(roots) == 2:
        check_same_edus(*roots)
    differing: list[list[int]] = [[]]
    if as_dependencies:
        trees = [dependency_tree(root, source=name) for root in roots]
        if len(trees) == 2:
            differing = list(differing_arcs(trees[0], trees[1], marks))
        return ShownDocument(name, trees, differing)
    if len(roots) == 2:
        differing = list(differing_units(roots[0], roots[1], marks))
    return ShownDocument(name, roots, differing)
