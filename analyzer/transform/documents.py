"""Documents reshaped and selected: units made binary, relations mapped to classes.

N-ary units to binary ones (Morey et al. 2018, section 2.1). Right-heavy: X(n1 n2 n3)
becomes X(n1 X'(n2 n3)), X' a nucleus with the relation of n1. Satellites of one nucleus
attach nearest first; of two as near, the right one first (section 4.1). Left-heavy is
the mirror image. Where the papers' own program gives up (NSS, SSN, SNSS, nuclei with
satellites) these rules go on: nuclei are joined first, with what is between them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from analyzer.exceptions import Place, RstError
from analyzer.model.discourse import (
    NO_RELATION,
    NUCLEUS,
    ROOT,
    ROOT_RELATION,
    SATELLITE,
    SPAN,
    UNATTACHED,
    DependencyTree,
    Documents,
    EduSpan,
    Enhancements,
    Reading,
    Unit,
    add_trees,
    bottom_up_order,
    joined,
    split_label,
    trees_of,
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


class Direction(Choice, what="way to binarize"):
    """How n-ary units are made binary."""

    RIGHT = "right"
    LEFT = "left"
    NONE = "none"


class Roots(Choice, what="choice of roots"):
    """What becomes of a document whose trees nothing joins."""

    JOIN = "join"  # a unit over all of them
    DROP = "drop"  # without the segments that nothing attaches
    FOREST = "forest"  # each tree by itself
    ERROR = "error"


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
            root = joined([part.copy() for part in roots])
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
    names = {split_label(label)[0] for label in labels}
    names.update(label for tree in documents.arcs.values() for label in tree.relations)
    return names - {"", SPAN, NO_RELATION, ROOT_RELATION}


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


# -- documents of several trees --------------------------------------------------------
#
# Titles that nothing attaches, forests. A reader joins their trees under one unit
# (`joined` of `model.discourse`), so that every document is a tree. From that tree,
# which says what was joined, the other choices are made here.


_JOINED = "joined under one unit"
_OF_THEIR_OWN = "taken for documents of their own"
_OWN, _OTHERS = "unattached segment", "EDU that the other side does not attach"
_LABELS = [f"{UNATTACHED}/{nuclearity}" for nuclearity in (NUCLEUS, SATELLITE)]


def of_several_trees(documents: Documents) -> list[int]:
    """Which documents are joined from several trees."""
    bank = documents.bank
    numbers = [SYMBOLS.id(label) for label in _LABELS]
    rows = np.flatnonzero(np.isin(bank.label, numbers))
    trees: list[int] = np.unique(bank.tree_of_node[rows]).tolist()
    return trees


def rooted(documents: Documents, roots: Roots | str = Roots.JOIN) -> Documents:
    """The documents; those of several trees are treated as was chosen, and noted.

    As a forest, a document has several roots in the table, and no unit over them.

    >>> two = joined([Unit("R", "---"), Unit("R", "---", [Unit("N", "list"),
    ...     Unit("N", "list")])])
    >>> documents = Documents.of_units([("a", two)])
    >>> [[u.label for u in rooted(documents, to).unit(0).walk()] for to in ("drop",)]
    [['---/R', 'list/N', 'list/N']]
    >>> rooted(documents, "forest").readings
    (Reading(noun='tree', fate='scored one by one', number=2, document='a'),)
    """
    roots, several = Roots(roots), of_several_trees(documents)
    if not several:
        return documents
    if roots is Roots.ERROR:
        return _refused(documents, several)
    if roots is Roots.DROP:
        dropped = {tree: unattached_edus(documents.unit(tree)) for tree in several}
        return without_edus(documents, dropped, {})
    trees = {tree: trees_of(documents.unit(tree)) for tree in several}
    fate = _JOINED if roots is Roots.JOIN else "scored one by one"
    counts = {tree: _number_of_trees(documents.unit(tree)) for tree in several}
    documents = _with_readings(documents, counts, "tree", fate)
    if roots is Roots.JOIN:
        return documents
    return replaced(documents, {tree: list(map(_own, trees[tree])) for tree in trees})


def _number_of_trees(root: Unit) -> int:
    """How many were joined, those included that stand within another."""
    return len(trees_of(root)) + sum(unit.label == _LABELS[1] for unit in root.walk())


def apart(documents: Documents) -> Documents:
    """Each tree a document of its own: those of one document are numbered."""
    several = set(of_several_trees(documents))
    units: list[tuple[str, Unit]] = []
    for tree, (name, root) in enumerate(documents):
        parts = trees_of(root) if tree in several else [root]
        if len(parts) == 1:
            units.append((name, root))
        else:
            names = (f"{name}:{number}" for number in range(1, len(parts) + 1))
            units += zip(names, map(_own, parts), strict=True)
    if not several:
        return documents
    made = Documents.of_units(units, documents.bank.source, documents.problems)
    counts = {tree: len(trees_of(documents.unit(tree))) for tree in several}
    with_readings = _with_readings(documents, counts, "tree", _OF_THEIR_OWN)
    return replace(made, readings=with_readings.readings)


def rooted_alone(documents: Documents, roots: Roots | str = Roots.JOIN) -> Documents:
    """As `rooted`, for what is compared with nothing: a forest's trees are `apart`."""
    return (
        apart(documents) if Roots(roots) is Roots.FOREST else rooted(documents, roots)
    )


def _own(tree: Unit) -> Unit:
    """A tree under no unit: its copy is a root."""
    copy = tree.copy()
    copy.nuclearity, copy.relation = ROOT, NO_RELATION
    return copy


def _with_readings(
    documents: Documents, counts: dict[int, int], noun: str, fate: str
) -> Documents:
    readings = [
        Reading(noun, fate, counts[tree], documents.names[tree])
        for tree in sorted(counts)
        if counts[tree]
    ]
    whole = dict.fromkeys((*documents.readings, *readings))  # once, if asked again
    return replace(documents, readings=tuple(whole))


def _refused(documents: Documents, several: Sequence[int]) -> Documents:
    """Without those of several trees, which are problems."""
    problems = []
    for tree in several:
        root = documents.unit(tree)
        place = Place(documents.names[tree], trees_of(root)[-1].line or None)
        problems.append(RstError("E950 trees", place, trees=_number_of_trees(root)))
    left = [tree for tree in range(len(documents)) if tree not in set(several)]
    return _kept(documents, left, problems)


def _kept(
    documents: Documents, left: Sequence[int], problems: Sequence[RstError]
) -> Documents:
    """Some of the documents, and what is wrong with others."""
    return replace(
        select_documents(documents, left),
        problems=(*documents.problems, *problems),
        stem=documents.stem,
        readings=documents.readings,
    )


# -- without the segments that nothing attaches ----------------------------------------


def unattached_edus(root: Unit) -> set[int]:
    """The EDUs, from 0, that nothing attaches, where something else is a tree."""
    edus = [unit for unit in root.walk() if unit.is_edu]
    return {at for at, edu in enumerate(edus) if edu.relation == UNATTACHED}


Edus = Mapping[int, set[int]]  # by document: some of its EDUs, from 0


def without_edus(documents: Documents, own: Edus, others: Edus) -> Documents:
    """Documents without some of their EDUs; one that nothing is left of is a problem.

    `own` are those that the documents do not attach, `others` those that other
    annotations of them do not.
    """
    changed: dict[int, list[Unit]] = {}
    problems = []
    dropped = {at: own.get(at, set()) | others.get(at, set()) for at in {*own, *others}}
    for tree, edus in sorted(dropped.items()):
        rest = pruned(documents.unit(tree), edus) if edus else documents.unit(tree)
        if rest is None:
            name = Place(documents.names[tree])
            problems.append(RstError("E951 is left", name, edus=len(edus)))
        else:
            changed[tree] = [joined(trees_of(rest))]
            changed[tree][0].enhancements = _beside(documents.unit(tree), edus)
    result = documents
    for some, noun in ((own, _OWN), (others, _OTHERS)):
        counts = {tree: len(some.get(tree, ())) for tree in changed}
        result = _with_readings(result, counts, noun, "dropped")
    trees = {at: len(trees_of(unit)) for at, [unit] in changed.items()}
    several = {at: count for at, count in trees.items() if count > 1}
    result = _with_readings(result, several, "tree", _JOINED)
    lost = set(dropped) - set(changed)
    kept = replaced(result, changed)
    if not lost:
        return kept
    left = [tree for tree in range(len(kept)) if tree not in lost]
    return _kept(kept, left, problems)


def _beside(root: Unit, edus: Collection[int]) -> Enhancements | None:
    """Secondary edges and signals without some EDUs, from 0; the others are numbered
    anew. What points to an EDU that is gone is gone."""
    given = root.enhancements
    if given is None or not edus:
        return given
    gone = sorted(edu + 1 for edu in edus)

    def left(span: EduSpan) -> EduSpan:
        before, until = bisect_left(gone, span[0]), bisect_right(gone, span[1])
        return span[0] - before, span[1] - until

    nodes = {
        name: node._replace(own=left(node.own), whole=left(node.whole))
        for name, node in given.nodes.items()
    }
    nodes = {name: node for name, node in nodes.items() if node.own[0] <= node.own[1]}
    edges = [
        edge for edge in given.edges if edge.source in nodes and edge.target in nodes
    ]
    sources = {*nodes, *(edge.name for edge in edges)}
    signals = [signal for signal in given.signals if signal.source in sources]
    return replace(given, nodes=nodes, edges=edges, signals=signals)


def pruned(root: Unit, edus: Collection[int]) -> Unit | None:
    """A copy without some EDUs, counted from 0; None if nothing is left.

    A unit of one unit is that unit. If the only nucleus is gone, the satellite that
    was nearest to it is the nucleus.

    >>> parts = [Unit("S", "cause", text="a"), Unit("N", "span", text="b"),
    ...     Unit("S", "result", text="c")]
    >>> [unit.label for unit in pruned(Unit("R", "---", parts), {1}).walk()]
    ['---/R', 'cause/S', 'span/N']
    """
    left: dict[int, Unit | None] = {}
    units = list(root.walk())
    number = sum(unit.is_edu for unit in units)
    for unit in reversed(units):
        if unit.is_edu:
            number -= 1
            left[id(unit)] = None if number in edus else unit.copy()
            continue
        nuclei = [
            at for at, child in enumerate(unit.children) if child.nuclearity == NUCLEUS
        ]
        kept = [
            (at, part) for at, c in enumerate(unit.children) if (part := left[id(c)])
        ]
        if len(kept) < 2:
            whole = kept[0][1] if kept else None
        else:
            whole = replace(unit, children=[part for _, part in kept], text="")
            still = [part for at, part in kept if at in nuclei]
            if not still and nuclei:
                nearest = min(
                    kept, key=lambda part: (abs(part[0] - nuclei[0]), -part[0])
                )
                nearest[1].nuclearity, nearest[1].relation = NUCLEUS, SPAN
            elif len(still) == 1 and len(nuclei) > 1:
                still[0].relation = SPAN
        if whole is not None:
            whole.nuclearity, whole.relation = unit.nuclearity, unit.relation
        left[id(unit)] = whole
    return left[id(root)]


def trimmed(root: Unit, is_kept: Sequence[bool]) -> Unit:
    """A copy without some characters of its text; white space is not counted.

    >>> trimmed(Unit("R", "---", text="a b c"), [False, True, True]).text
    ' b c'
    """
    copy = root.copy()
    flags = iter(is_kept)
    for edu in copy.walk():
        if edu.is_edu:
            edu.text = "".join(c for c in edu.text if c.isspace() or next(flags))
    return copy


# -- dependencies ----------------------------------------------------------------------


class RootedArcs(NamedTuple):
    """What became of a dependency tree or of a forest of them."""

    trees: Sequence[tuple[str, DependencyTree]]
    readings: Sequence[Reading] = ()
    problems: Sequence[RstError] = ()

    def __iter__(self) -> Iterator[tuple[str, DependencyTree]]:  # type: ignore[override]
        return iter(self.trees)


def rooted_arcs(tree: DependencyTree, roots: Roots | str, name: str) -> RootedArcs:
    """Dependencies of several roots, treated as was chosen; others stay as they are.

    Dependencies say by their heads that they are a forest, so nothing joins them.

    >>> forest = DependencyTree([0, 0, 2], ["ROOT", "ROOT", "cause"])
    >>> [(name, tree.heads) for name, tree in rooted_arcs(forest, "drop", "a")]
    [('a', [0, 1])]
    """
    roots, tops = Roots(roots), [n for n, head in enumerate(tree.heads) if not head]
    if len(tops) < 2 or roots is Roots.JOIN:
        return RootedArcs([(name, tree)])
    if roots is Roots.ERROR:
        return RootedArcs(
            [], (), [RstError("E950 trees", Place(name), trees=len(tops))]
        )
    top_of = list(range(len(tree)))
    for edu in bottom_up_order(tree, name)[::-1]:
        if head := tree.heads[edu - 1]:
            top_of[edu - 1] = top_of[head - 1]
    parts = [[n for n, top in enumerate(top_of) if top == root] for root in tops]
    if roots is Roots.FOREST:
        reading = Reading("tree", _OF_THEIR_OWN, len(tops), name)
        names = (f"{name}:{number}" for number in range(1, len(tops) + 1))
        trees = [_part(tree, part) for part in parts]
        return RootedArcs(list(zip(names, trees, strict=True)), [reading])
    kept = sorted(edu for part in parts if len(part) > 1 for edu in part)
    gone = len(tree) - len(kept)
    if not kept:
        return RootedArcs([], (), [RstError("E951 is left", Place(name), edus=gone)])
    reading = Reading(_OWN, "dropped", gone, name)
    return RootedArcs([(name, _part(tree, kept))], [reading] if gone else ())


def _part(tree: DependencyTree, edus: Sequence[int]) -> DependencyTree:
    """Some EDUs of a tree, from 0, with all that they depend on."""
    number = {0: 0} | {edu + 1: at for at, edu in enumerate(edus, start=1)}

    def chosen(values: Sequence[Any] | None) -> list[Any] | None:
        return None if values is None else [values[edu] for edu in edus]

    return DependencyTree(
        [number[tree.heads[edu]] for edu in edus],
        [tree.relations[edu] for edu in edus],
        chosen(tree.nuclearities),
        chosen(tree.ranks),
        [tree.texts[edu] for edu in edus],
        chosen(tree.sentences),
        {
            (number[head], rank): relation
            for (head, rank), relation in tree.odd_nuclei.items()
            if head in number
        },
        words=chosen(tree.words),
    )
