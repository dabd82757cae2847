"""Documents of several trees: titles that nothing attaches, forests.

A reader joins them under one unit (`joined` of `model.discourse`), so that every
document is a tree. From that tree, which says what was joined, the other choices are
made here.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from analyzer.exceptions import Place, RstError
from analyzer.model.discourse import (
    NO_RELATION,
    NUCLEUS,
    ROOT,
    SATELLITE,
    SPAN,
    UNATTACHED,
    DependencyTree,
    Documents,
    EduSpan,
    Enhancements,
    Reading,
    Unit,
    bottom_up_order,
    joined,
    trees_of,
)
from analyzer.model.symbols import SYMBOLS
from analyzer.transform.documents import Roots, replaced, select_documents

_JOINED = "joined under one unit"
_OF_THEIR_OWN = "taken for documents of their own"
_OWN, _OTHERS = "unattached segment", "EDU that the other side does not attach"
_LABELS = [f"{UNATTACHED}/{nuclearity}" for nuclearity in (NUCLEUS, SATELLITE)]


def of_several_trees(documents: Documents) -> list[int]:
    """Which documents are joined from several trees."""
    bank = documents.bank
    numbers = [SYMBOLS.id(label) for label in _LABELS]
    rows = np.flatnonzero(np.isin(bank.label, numbers))
    found: list[int] = np.unique(bank.tree_of_node[rows]).tolist()
    return found


def rooted(documents: Documents, roots: Roots | str = Roots.JOIN) -> Documents:
    """The documents with what was chosen done to those of several trees, and said.

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
    found: list[tuple[str, Unit]] = []
    for tree, (name, root) in enumerate(documents):
        parts = trees_of(root) if tree in several else [root]
        if len(parts) == 1:
            found.append((name, root))
        else:
            names = (f"{name}:{number}" for number in range(1, len(parts) + 1))
            found += zip(names, map(_own, parts), strict=True)
    if not several:
        return documents
    made = Documents.of_units(found, documents.bank.source, documents.problems)
    counts = {tree: len(trees_of(documents.unit(tree))) for tree in several}
    told = _with_readings(documents, counts, "tree", _OF_THEIR_OWN)
    return replace(made, readings=told.readings)


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
    told = dict.fromkeys((*documents.readings, *readings))  # once, if asked again
    return replace(documents, readings=tuple(told))


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
        found = pruned(documents.unit(tree), edus) if edus else documents.unit(tree)
        if found is None:
            name = Place(documents.names[tree])
            problems.append(RstError("E951 is left", name, edus=len(edus)))
        else:
            changed[tree] = [joined(trees_of(found))]
            changed[tree][0].enhancements = _beside(documents.unit(tree), edus)
    told = documents
    for some, noun in ((own, _OWN), (others, _OTHERS)):
        counts = {tree: len(some.get(tree, ())) for tree in changed}
        told = _with_readings(told, counts, noun, "dropped")
    trees = {at: len(trees_of(unit)) for at, [unit] in changed.items()}
    several = {at: count for at, count in trees.items() if count > 1}
    told = _with_readings(told, several, "tree", _JOINED)
    lost = set(dropped) - set(changed)
    kept = replaced(told, changed)
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
    nodes = {name: one for name, one in nodes.items() if one.own[0] <= one.own[1]}
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
            at for at, one in enumerate(unit.children) if one.nuclearity == NUCLEUS
        ]
        kept = [(at, one) for at, c in enumerate(unit.children) if (one := left[id(c)])]
        if len(kept) < 2:
            whole = kept[0][1] if kept else None
        else:
            whole = replace(unit, children=[one for _, one in kept], text="")
            still = [one for at, one in kept if at in nuclei]
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
    """Dependencies with what was chosen done to them, if they have several roots.

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
    parts = [[n for n, top in enumerate(top_of) if top == one] for one in tops]
    if roots is Roots.FOREST:
        told = Reading("tree", _OF_THEIR_OWN, len(tops), name)
        names = (f"{name}:{number}" for number in range(1, len(tops) + 1))
        trees = [_part(tree, part) for part in parts]
        return RootedArcs(list(zip(names, trees, strict=True)), [told])
    kept = sorted(edu for part in parts if len(part) > 1 for edu in part)
    gone = len(tree) - len(kept)
    if not kept:
        return RootedArcs([], (), [RstError("E951 is left", Place(name), edus=gone)])
    told = Reading(_OWN, "dropped", gone, name)
    return RootedArcs([(name, _part(tree, kept))], [told] if gone else ())


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
