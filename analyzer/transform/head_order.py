"""From constituents to dependencies of discourse and back.

A head-ordered dependency tree says for every EDU which EDU it depends on, by which
relation, as nucleus or satellite, and in which order the dependents of one head were
attached (Morey, Muller and Asher 2018, section 3.3). With the order it says as much as
the constituent tree: both directions lose nothing (Proposition 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from analyzer.exceptions import Place, RstError
from analyzer.model.dependencies import ROOT_RELATION, DependencyTree, checked
from analyzer.model.discourse import NO_RELATION, NUCLEUS, ROOT, SATELLITE, SPAN, Unit
from analyzer.transform.binarize import Direction, binarize

Transform = Literal["chain", "tree"]
Order = Literal["weak", "strict"]


# -- constituents to dependencies -----------------------------------------------------


def dependency_tree(
    root: Unit, *, order: Order = "weak", source: str = "<tree>"
) -> DependencyTree:
    """The head-ordered d-tree of a c-tree (2018, Algorithm 1).

    The head of a unit is that of its leftmost nucleus; every other child's head depends
    on it, with that child's relation and nuclearity. Weak order: all children of a unit
    are attached together, and nothing is lost. Strict order: one after the other, which
    is the d-tree of the left-heavy binarisation (section 3.4).

    >>> a, b, c = (Unit("N", "list", text=text) for text in "abc")
    >>> tree = dependency_tree(Unit("R", "---", [a, b, c]))
    >>> tree.heads, tree.ranks
    ([0, 1, 1], [1, 1, 1])
    >>> dependency_tree(Unit("R", "---", [a, b, c]), order="strict").ranks
    [1, 1, 2]
    """
    if order == "strict":
        root = binarize(root, "left")
    units = list(root.walk())
    edus = [unit for unit in units if unit.is_edu]
    tree = DependencyTree(
        heads=[0] * len(edus),
        relations=[ROOT_RELATION] * len(edus),
        nuclearities=[NUCLEUS] * len(edus),
        ranks=[1] * len(edus),
        texts=[edu.text for edu in edus],
    )
    assert tree.nuclearities is not None
    assert tree.ranks is not None
    odd: dict[tuple[int, int], str] = {}
    head_of = {id(edu): number for number, edu in enumerate(edus, start=1)}
    attached = [0] * (len(edus) + 1)
    # Parents stand before children in a walk, so from its end all heads are known.
    for unit in reversed(units):
        if unit.is_edu:
            continue
        head_child = _head_child(unit, source)
        head = head_of[id(unit)] = head_of[id(head_child)]
        attached[head] += 1
        others = [child for child in unit.children if child is not head_child]
        for child in others:
            edu = head_of[id(child)]
            tree.heads[edu - 1] = head
            tree.relations[edu - 1] = child.relation
            tree.nuclearities[edu - 1] = child.nuclearity
            tree.ranks[edu - 1] = attached[head]
        if head_child.relation != _relation_of_head(others):
            odd[head, attached[head]] = head_child.relation
    return replace(tree, odd_nuclei=odd)


def transformed(
    root: Unit, transform: Transform = "chain", *, source: str = "<tree>"
) -> DependencyTree:
    """The d-tree as parsers are trained on it (2018, section 3.4).

    chain: of the right-heavy binarisation, where each nucleus of a list depends on the
    one before it; tree: of the tree as it is, where all depend on the first.
    """
    direction = Direction.RIGHT if transform == "chain" else Direction.NONE
    return dependency_tree(binarize(root, direction), source=source)


def _head_child(unit: Unit, source: str) -> Unit:
    place = Place(source, unit.line or None)
    if len(unit.children) == 1:
        raise RstError(
            "a unit that contains only one unit, which no dependency can express",
            place,
            code="E380",
        )
    for child in unit.children:
        if child.nuclearity == NUCLEUS:
            return child
    raise RstError("a unit without a nucleus has no head", place, code="E379")


def _relation_of_head(others: Sequence[Unit]) -> str:
    """What Algorithm 2 gives the nucleus that holds the head: span, or, beside
    further nuclei, their relation."""
    return next((o.relation for o in others if o.nuclearity == NUCLEUS), SPAN)


# -- dependencies to constituents -----------------------------------------------------


def constituent_tree(tree: DependencyTree, *, source: str = "<d-tree>") -> Unit:
    """The c-tree of a head-ordered d-tree (2018, Algorithm 2); one unit a rank.

    The tree must be projective, have nuclearities and ranks, and attach on each side
    from the inside out. What lacks them gets them from `analyzer.transform.heuristics`.

    >>> tree = DependencyTree([2, 0, 2], ["R1", "ROOT", "R2"], ["S", "N", "S"],
    ...     [2, 1, 1], ["a", "b", "c"])
    >>> [unit.label for unit in constituent_tree(tree).walk()]
    ['---/R', 'R1/S', 'span/N', 'span/N', 'R2/S']
    """
    order = checked(tree, source)
    if tree.nuclearities is None or tree.ranks is None:
        missing = "nuclearity" if tree.nuclearities is None else "order"
        raise RstError(
            "a dependency tree without {missing}",
            Place(source),
            code="E381",
            missing=missing,
        )
    dependents = tree.dependents()
    units = [Unit(NUCLEUS, SPAN, text=text) for text in tree.texts]
    spans = [(edu, edu) for edu in range(1, len(tree) + 1)]
    for head in order:
        groups: dict[int, list[int]] = {}
        for edu in dependents[head]:
            groups.setdefault(tree.ranks[edu - 1], []).append(edu)
        for rank in sorted(groups):
            members = sorted([*groups[rank], head])
            _check_group(tree, members, head, spans, source)
            first, last = spans[members[0] - 1][0], spans[members[-1] - 1][1]
            for edu in groups[rank]:
                units[edu - 1].relation = tree.relations[edu - 1]
                units[edu - 1].nuclearity = tree.nuclearities[edu - 1]
            others = [units[edu - 1] for edu in groups[rank]]
            relation = _relation_of_head(others)
            units[head - 1].relation = tree.odd_nuclei.get((head, rank), relation)
            children = [units[edu - 1] for edu in members]
            units[head - 1] = Unit(NUCLEUS, SPAN, children)
            spans[head - 1] = (first, last)
    whole = units[tree.root - 1]
    whole.nuclearity, whole.relation = ROOT, NO_RELATION
    return whole


def _check_group(
    tree: DependencyTree,
    members: Sequence[int],
    head: int,
    spans: Sequence[tuple[int, int]],
    source: str,
) -> None:
    """What is attached together must be neighbours, and the head the first nucleus."""
    assert tree.nuclearities is not None
    for left, right in pairwise(members):
        if spans[left - 1][1] + 1 != spans[right - 1][0]:
            edu = left if left != head else right
            between = spans[left - 1][1] + 1
            raise RstError(
                "EDU {edu} cannot be attached to EDU {head} before EDU "
                "{between}, which is between them",
                Place(source),
                code="E382",
                edu=edu,
                head=head,
                between=between,
            )
    for edu in members:
        nuclearity = tree.nuclearities[edu - 1]
        if edu != head and nuclearity not in (NUCLEUS, SATELLITE):
            raise RstError(
                "EDU {edu} has nuclearity {nuclearity!r}; expected N or S",
                Place(source),
                code="E383",
                edu=edu,
                nuclearity=nuclearity,
            )
        if edu < head and nuclearity == NUCLEUS:
            raise RstError(
                "EDU {edu} is a nucleus to the left of its head, EDU "
                "{head}; the head is the leftmost nucleus",
                Place(source),
                code="E384",
                edu=edu,
                head=head,
            )
