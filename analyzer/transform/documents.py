"""Documents selected, and their relations mapped, without leaving the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from analyzer.model.discourse import Documents, split_label
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.transform.relations import RelationMap, relation_class


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


def select_documents(documents: Documents, wanted: Sequence[int]) -> Documents:
    """Some of the documents, in the given order."""
    if list(wanted) == list(range(len(documents))):
        return documents
    names = [documents.names[tree] for tree in wanted]
    banks = [documents.bank[start:end] for start, end in _neighbours(wanted)]
    return Documents(names, Treebank.joined(banks, documents.bank.source))


def _neighbours(wanted: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Neighbours together: 3 4 5 9 -> (3, 6), (9, 10)."""
    start = 0
    for at in range(1, len(wanted) + 1):
        if at == len(wanted) or wanted[at] != wanted[at - 1] + 1:
            yield wanted[start], wanted[at - 1] + 1
            start = at
