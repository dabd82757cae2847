"""Documents selected and reshaped, without leaving the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analyzer.model.discourse import NO_RELATION, SPAN, Documents, split_label
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.transform.binarize import Direction, binarize_documents
from analyzer.transform.relations import (
    FINE,
    RelationMap,
    named_relations,
    relation_class,
)


@dataclass(frozen=True)
class DocumentShape:
    """How documents are reshaped before they are compared.

    `relations` is a map of relations to classes: its name, its file, or the map itself;
    `fine` leaves labels as they are.

    >>> DocumentShape(relations="gum").relation_map["causal-result"]
    'causal'
    >>> DocumentShape(binarize="up")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    analyzer.exceptions.SettingsError: no way to binarize 'up'; there are right, ...
    """

    binarize: Direction | str = Direction.RIGHT
    relations: str | RelationMap | None = FINE

    def __post_init__(self) -> None:
        Direction(self.binarize)
        _ = self._named  # says what is wrong with it

    @property
    def relations_name(self) -> str:
        """What a signature calls the map."""
        return self._named[0]

    @property
    def relation_map(self) -> RelationMap | None:
        return self._named[1]

    @cached_property
    def _named(self) -> tuple[str, RelationMap | None]:
        return named_relations(self.relations)

    def reshape(self, documents: Documents) -> Documents:
        mapped = map_documents(documents, self.relation_map)
        return binarize_documents(mapped, self.binarize)


def map_documents(documents: Documents, relations: RelationMap | None) -> Documents:
    """Classes for relations; what the map does not name is lower-cased."""
    if relations is None:
        return documents
    bank = documents.bank
    numbers, which = np.unique(bank.label, return_inverse=True)
    names = []
    for number in numbers.tolist():
        relation, nuclearity = split_label(SYMBOLS.name(number))
        names.append(f"{relation_class(relation, relations)}/{nuclearity}")
    labels = np.array([SYMBOLS.id(name) for name in names], np.int32)
    return Documents(documents.names, bank.with_labels(labels[which]))


def relation_labels(documents: Documents) -> set[str]:
    """The relations that occur, as they are written."""
    labels = map(SYMBOLS.name, np.unique(documents.bank.label).tolist())
    return {split_label(label)[0] for label in labels} - {"", SPAN, NO_RELATION}


def select_documents(documents: Documents, wanted: Sequence[int]) -> Documents:
    """Some of the documents, in the given order."""
    if list(wanted) == list(range(len(documents))):
        return documents
    names = [documents.names[tree] for tree in wanted]
    banks = [documents.bank[start:end] for start, end in _neighbours(wanted)]
    return Documents(names, Treebank.join(banks, documents.bank.source))


def _neighbours(wanted: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Neighbours together: 3 4 5 9 -> (3, 6), (9, 10)."""
    start = 0
    for at in range(1, len(wanted) + 1):
        if at == len(wanted) or wanted[at] != wanted[at - 1] + 1:
            yield wanted[start], wanted[at - 1] + 1
            start = at
