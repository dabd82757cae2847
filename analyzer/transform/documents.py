"""Documents reshaped and selected: units made binary, relations mapped to classes.

N-ary units to binary ones (Morey et al. 2018, section 2.1). Right-heavy: X(n1 n2 n3)
becomes X(n1 X'(n2 n3)), X' a nucleus with the relation of n1. Satellites of one nucleus
attach nearest first; of two as near, the right one first (section 4.1). Left-heavy is
the mirror image. Where the papers' own program gives up (NSS, SSN, SNSS, nuclei with
satellites) these rules go on: nuclei are joined first, with what is between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import RstError
from analyzer.model.discourse import (
    NO_RELATION,
    NUCLEUS,
    ROOT_RELATION,
    SPAN,
    DependencyTree,
    Documents,
    Unit,
    add_trees,
    joined,
    split_label,
    units_of,
)
from analyzer.model.settings import Choice
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank, TreebankBuilder
from analyzer.transform.relations import (
    FINE,
    RelationMap,
    named_relations,
    relation_class,
)


class Direction(Choice):
    """How n-ary units are made binary."""

    RIGHT = "right"
    LEFT = "left"
    NONE = "none"

    @classmethod
    def what(cls) -> str:
        return "way to binarize"


class Roots(Choice):
    """What becomes of a document whose trees nothing joins."""

    JOIN = "join"  # a unit over all of them
    DROP = "drop"  # without the segments that nothing attaches
    FOREST = "forest"  # each tree by itself
    ERROR = "error"

    @classmethod
    def what(cls) -> str:
        return "choice of roots"


def binarize(root: Unit, direction: Direction | str = Direction.RIGHT) -> Unit:
    """A copy of the tree in which every unit has at most two children.

    >>> edus = [Unit("N", "list", text=text) for text in "abc"]
    >>> tree = binarize(Unit("R", "---", edus))
    >>> [unit.label for unit in tree.walk()]
    ['---/R', 'list/N', 'list/N', 'list/N', 'list/N']
    """
    direction = Direction(direction)
    copy = root.copy()
    if direction is Direction.NONE:
        return copy
    pending = [copy]
    while pending:
        unit = pending.pop()
        pending.extend(unit.children)
        if len(unit.children) > 2:
            _divide(unit, direction)
    return copy


def binarize_documents(documents: Documents, direction: Direction | str) -> Documents:
    """Every unit with two children; documents that are binary stay as they are."""
    direction = Direction(direction)
    bank = documents.bank
    children = np.bincount(bank.parent[bank.parent >= 0], minlength=bank.label.size)
    wide = np.flatnonzero(children > 2)
    if direction is Direction.NONE or not wide.size:
        return documents
    changed = {
        tree: [binarize(unit, direction) for unit in units_of(bank, tree)]
        for tree in np.unique(bank.tree_of_node[wide]).tolist()
    }
    return replaced(documents, changed)


def replaced(documents: Documents, changed: Mapping[int, Sequence[Unit]]) -> Documents:
    """Documents in which some have other trees: one each, or several side by side."""
    if not changed:
        return documents
    bank = documents.bank
    banks: list[Treebank] = []
    start = 0
    for tree in sorted(changed):
        builder = TreebankBuilder(bank.source)
        add_trees(builder, changed[tree])
        banks += [bank[start:tree], builder.finish()]
        start = tree + 1
    whole = Treebank.join([*banks, bank[start:]], bank.source)
    if documents.units is None:
        return replace(documents, bank=whole)
    units = list(documents.units)
    for tree, roots in changed.items():
        root = roots[0]
        if len(roots) > 1:  # as they are shown, and with what stands beside them
            root = joined([one.copy() for one in roots])
            root.enhancements = units[tree].enhancements
        units[tree] = root
    return replace(documents, bank=whole, units=units)


class _Part(NamedTuple):
    """Neighbours among many children that become one unit, and the nuclei in it."""

    unit: Unit
    start: int
    end: int
    first_nucleus: int
    last_nucleus: int  # half-open, too


def _divide(unit: Unit, direction: Direction) -> None:
    """Two children in place of many, and so on below.

    By places in the list, which is never copied: a list may have very many items.
    """
    children = unit.children
    nuclei = [at for at, child in enumerate(children) if child.nuclearity == NUCLEUS]
    if not nuclei:
        raise RstError("E378 a unit without a nucleus cannot be binarised")
    parts = [_Part(unit, 0, len(children), 0, len(nuclei))]
    while parts:
        part = parts.pop()
        whole, start, end, first, last = part
        if end - start == 2:
            whole.children = children[start:end]
            continue
        left, right = nuclei[first] - start, end - 1 - nuclei[last - 1]
        if not left and not right:
            parts += _two_of_nuclei(part, children, nuclei, direction)
            continue
        # What attaches last, so highest, is split off here; the rest is one nucleus.
        rest = Unit(NUCLEUS, SPAN)
        if _last_is_left(left, right, direction):
            whole.children = [children[start], rest]
            parts.append(_Part(rest, start + 1, end, first, last))
        else:
            whole.children = [rest, children[end - 1]]
            parts.append(_Part(rest, start, end - 1, first, last))


def _two_of_nuclei(
    part: _Part, children: list[Unit], nuclei: list[int], direction: Direction
) -> list[_Part]:
    """Nuclei at both ends; satellites between them stay with the nucleus before."""
    whole, start, end, first, last = part
    relation = children[start].relation
    second = first + 1 if direction == "right" else last - 1
    at = nuclei[second]
    whole.children = []
    parts = []
    for bounds in ((start, at, first, second), (at, end, second, last)):
        if bounds[1] - bounds[0] == 1:
            whole.children.append(children[bounds[0]])
        else:
            whole.children.append(Unit(NUCLEUS, relation))
            parts.append(_Part(whole.children[-1], *bounds))
    return parts


def _last_is_left(left: int, right: int, direction: Direction) -> bool:
    """Whether the satellite that attaches last is the leftmost one.

    The farther away, the later; as far away, the one that tied order puts second.
    """
    if left != right:
        return left > right
    return direction == "right"


# -- whole documents, without leaving the columns --------------------------------------


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
    roots: Roots | str = Roots.JOIN

    def __post_init__(self) -> None:
        Direction(self.binarize)
        Roots(self.roots)
        _ = self._named  # says what is wrong with it

    @property
    def relations_name(self) -> str:
        """What a signature calls the map."""
        return self._named[0]

    @property
    def relation_map(self) -> RelationMap | None:
        return self._named[1]

    @property
    def roots_setting(self) -> dict[str, str]:
        """What a signature says of documents of several trees, unless it is usual."""
        roots = Roots(self.roots)
        return {} if roots is Roots.JOIN else {"roots": roots.value}

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
    return replace(
        documents,
        bank=replace(bank, label=labels[which]),
        units=None,
        arcs={at: map_arcs(tree, relations) for at, tree in documents.arcs.items()},
    )


def map_arcs(tree: DependencyTree, relations: RelationMap | None) -> DependencyTree:
    """Classes for the relations of dependencies; the root's stays as it is."""
    if relations is None:
        return tree

    def classes(label: str) -> str:
        return label if label == ROOT_RELATION else relation_class(label, relations)

    return replace(
        tree,
        relations=list(map(classes, tree.relations)),
        odd_nuclei={key: classes(label) for key, label in tree.odd_nuclei.items()},
        more=[arc._replace(relation=classes(arc.relation)) for arc in tree.more],
    )


def relation_labels(documents: Documents) -> set[str]:
    """The relations that occur, as they are written."""
    labels = map(SYMBOLS.name, np.unique(documents.bank.label).tolist())
    found = {split_label(label)[0] for label in labels}
    found.update(one for tree in documents.arcs.values() for one in tree.relations)
    return found - {"", SPAN, NO_RELATION, ROOT_RELATION}


def select_documents(documents: Documents, wanted: Sequence[int]) -> Documents:
    """Some of the documents, in the given order."""
    if list(wanted) == list(range(len(documents))):
        return documents
    names = [documents.names[tree] for tree in wanted]
    banks = [documents.bank[start:end] for start, end in _neighbours(wanted)]
    arcs = documents.arcs
    return Documents(
        names,
        Treebank.join(banks, documents.bank.source),
        arcs={n: arcs[tree] for n, tree in enumerate(wanted) if tree in arcs},
    )


def _neighbours(wanted: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Neighbours together: 3 4 5 9 -> (3, 6), (9, 10)."""
    start = 0
    for at in range(1, len(wanted) + 1):
        if at == len(wanted) or wanted[at] != wanted[at - 1] + 1:
            yield wanted[start], wanted[at - 1] + 1
            start = at
