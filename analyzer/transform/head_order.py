"""From constituents to dependencies of discourse and back.

A head-ordered dependency tree says for every EDU which EDU it depends on, by which
relation, as nucleus or satellite, and in which order the dependents of one head were
attached (Morey, Muller and Asher 2018, section 3.3). With the order it says as much as
the constituent tree: both directions lose nothing (Proposition 1).

Dependency parsers give heads and relations. To score their trees as constituents, the
rest is guessed (section 4.1): whether a dependent is a nucleus, from its relation; and
the order in which dependents are attached, from their distance.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from analyzer.exceptions import Place, RstError
from analyzer.model.discourse import (
    NO_RELATION,
    NUCLEUS,
    ROOT_RELATION,
    SATELLITE,
    SPAN,
    DependencyTree,
    DiscourseTree,
    Unit,
    bottom_up_order,
    joined,
)
from analyzer.transform.documents import Direction, binarize
from analyzer.transform.relations import (
    SAME_UNIT,
    RelationMap,
    normal_form,
    relation_class,
)

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
        raise RstError("E380 a unit that contains only one unit, which no", place)
    for child in unit.children:
        if child.nuclearity == NUCLEUS:
            return child
    raise RstError("E379 a unit without a nucleus has no head", place)


def _relation_of_head(others: Sequence[Unit]) -> str:
    """What Algorithm 2 gives the nucleus that holds the head: span, or, beside
    further nuclei, their relation."""
    return next((o.relation for o in others if o.nuclearity == NUCLEUS), SPAN)


# -- dependencies to constituents -----------------------------------------------------


def constituent_tree(tree: DependencyTree, *, source: str = "<d-tree>") -> Unit:
    """The c-tree of a head-ordered d-tree (2018, Algorithm 2); one unit a rank.

    The tree must be projective, have nuclearities and ranks, and attach on each side
    from the inside out. What lacks them gets them from `complete`.

    >>> tree = DependencyTree([2, 0, 2], ["R1", "ROOT", "R2"], ["S", "N", "S"],
    ...     [2, 1, 1], ["a", "b", "c"])
    >>> [unit.label for unit in constituent_tree(tree).walk()]
    ['---/R', 'R1/S', 'span/N', 'span/N', 'R2/S']
    """
    order = bottom_up_order(tree, source)
    if tree.nuclearities is None or tree.ranks is None:
        missing = "nuclearity" if tree.nuclearities is None else "order"
        raise RstError("E381 a dependency tree without", Place(source), missing=missing)
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
    # Each is a run of EDUs, so they stand side by side.
    return joined([units[root - 1] for root in dependents[0]])


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
                "E382 cannot be attached to EDU",
                Place(source),
                edu=edu,
                head=head,
                between=between,
            )
    for edu in members:
        nuclearity = tree.nuclearities[edu - 1]
        if edu != head and nuclearity not in (NUCLEUS, SATELLITE):
            raise RstError(
                "E383 expected N or S", Place(source), edu=edu, nuclearity=nuclearity
            )
        if edu < head and nuclearity == NUCLEUS:
            raise RstError(
                "E384 is a nucleus to the left of its head, EDU",
                Place(source),
                edu=edu,
                head=head,
            )


# -- nuclearity and order for d-trees that have none -----------------------------------

# What the authors' program takes for multinuclear, whatever the training set.
RELEASED_MULTINUCLEAR = frozenset({"joint", SAME_UNIT, "textual"})


@dataclass(frozen=True)
class Multinuclear:
    """Which relations hold between nuclei, however they are spelled.

    `classes` is the map that trees are scored or written under: a relation counts if
    its class does.

    >>> known = Multinuclear.of(["joint"], {"list": "joint"})
    >>> [label in known for label in ("Joint", "List", "cause")]
    [True, True, False]
    """

    normal_forms: frozenset[str]
    classes: RelationMap | None = None

    @classmethod
    def of(
        cls, given: Multinuclear | Iterable[str], classes: RelationMap | None = None
    ) -> Multinuclear:
        if isinstance(given, Multinuclear):
            return given
        return cls(frozenset(map(normal_form, given)), classes)

    def __contains__(self, relation: object) -> bool:
        return not self.normal_forms.isdisjoint(self._names(str(relation)))

    def is_same_unit(self, relation: str) -> bool:
        return normal_form(SAME_UNIT) in self._names(relation)

    def _names(self, relation: str) -> tuple[str, str]:
        of_class = relation_class(relation, self.classes or {})
        return normal_form(relation), normal_form(of_class)


def multinuclear_relations(training: Iterable[Unit]) -> frozenset[str]:
    """The relations that hold between nuclei wherever they occur in a training set.

    >>> listed = Unit("R", "---", [Unit("N", "list"), Unit("N", "list")])
    >>> caused = Unit("R", "---", [Unit("N", "span"), Unit("S", "cause")])
    >>> sorted(multinuclear_relations([listed, caused]))
    ['list']
    """
    among: dict[str, set[str]] = {NUCLEUS: set(), SATELLITE: set()}
    for root in training:
        for unit in root.walk():
            if unit.nuclearity in among:
                among[unit.nuclearity].add(unit.relation)
    return frozenset(among[NUCLEUS] - among[SATELLITE] - {SPAN, NO_RELATION})


def complete(
    tree: DependencyTree,
    multinuclear: Multinuclear | Iterable[str] = RELEASED_MULTINUCLEAR,
    *,
    join_nuclei: bool = False,
    source: str = "<d-tree>",
) -> DependencyTree:
    """The tree with nuclearities and ranks; those it has are kept.

    `join_nuclei` is for parsers trained on the tree transform: neighbouring dependents
    of one head with the same multinuclear relation form one n-ary unit.
    """
    bottom_up_order(tree, source)  # says what is wrong with it
    known = Multinuclear.of(multinuclear)
    if tree.nuclearities is None:
        tree = replace(tree, nuclearities=guessed_nuclearities(tree, known))
    if tree.ranks is None:
        ranks = guessed_ranks(tree, known, join_nuclei=join_nuclei)
        tree = replace(tree, ranks=ranks)
    return tree


def constituents(
    tree: DiscourseTree,
    source: str = "<tree>",
    *,
    multinuclear: Multinuclear | Iterable[str] = RELEASED_MULTINUCLEAR,
) -> Unit:
    """A tree of either kind as constituents; what a d-tree does not say is guessed."""
    if isinstance(tree, Unit):
        return tree
    whole = complete(tree, multinuclear, source=source)
    return constituent_tree(whole, source=source)


def guessed_nuclearities(
    tree: DependencyTree, multinuclear: Container[str]
) -> list[str]:
    """N for a dependent to the right of its head whose relation is multinuclear.

    To the left it is a satellite: the head is the leftmost nucleus.

    >>> guessed_nuclearities(
    ...     DependencyTree([2, 0, 2], ["joint", "ROOT", "joint"]), {"joint"})
    ['S', 'N', 'N']
    """
    return [
        NUCLEUS if not head or (head < edu and relation in multinuclear) else SATELLITE
        for edu, (head, relation) in enumerate(
            zip(tree.heads, tree.relations, strict=True), start=1
        )
    ]


def guessed_ranks(
    tree: DependencyTree,
    multinuclear: Multinuclear | None = None,
    *,
    join_nuclei: bool = False,
) -> list[int]:
    """When each dependent is attached to its head: `sdist-edist-rl`, same-unit first.

    Right dependents as far as the last `same-unit` come first. Then always the nearer
    of the next one to the left and the next one to the right: by sentences, if they are
    known, then by EDUs; of two as near, the right one.

    >>> guessed_ranks(DependencyTree([2, 0, 2], ["a", "ROOT", "b"]))
    [2, 1, 1]
    """
    known = multinuclear or Multinuclear.of(RELEASED_MULTINUCLEAR)
    sentences = tree.sentences or [0] * len(tree)
    ranks = [1] * len(tree)

    def distance(edu: int, head: int) -> tuple[int, int]:
        return abs(sentences[edu - 1] - sentences[head - 1]), abs(edu - head)

    for head, dependents in enumerate(tree.dependents()):
        if not head:
            continue
        left = [edu for edu in dependents if edu < head]  # the nearest is the last
        right = [edu for edu in reversed(dependents) if edu > head]
        same = [edu for edu in right if known.is_same_unit(tree.relations[edu - 1])]
        order: list[int] = []
        while same and right and right[-1] <= same[0]:
            order.append(right.pop())
        while left or right:
            goes_left = not right or (
                bool(left) and distance(left[-1], head) < distance(right[-1], head)
            )
            order.append(left.pop() if goes_left else right.pop())
        _number(tree, order, head, ranks, join_nuclei=join_nuclei)
    return ranks


def joined_ranks(tree: DependencyTree) -> list[int]:
    """The ranks of a tree that has them, those of n-ary multinuclear units made one.

    >>> joined_ranks(DependencyTree([0, 1, 1], ["ROOT", "list", "list"],
    ...     ["N", "N", "N"], [1, 1, 2]))
    [1, 1, 1]
    """
    assert tree.ranks is not None
    given = tree.ranks
    ranks = [1] * len(tree)
    for head, dependents in enumerate(tree.dependents()):
        if head:
            order = sorted(dependents, key=lambda edu: given[edu - 1])
            _number(tree, order, head, ranks, join_nuclei=True)
    return ranks


def _number(
    tree: DependencyTree,
    order: list[int],
    head: int,
    ranks: list[int],
    *,
    join_nuclei: bool,
) -> None:
    rank = 0
    inside: int | None = None  # the right dependent attached last
    for edu in order:
        if edu > head and join_nuclei and inside and _are_one(tree, inside, edu):
            ranks[edu - 1] = ranks[inside - 1]
        else:
            rank += 1
            ranks[edu - 1] = rank
        inside = edu if edu > head else inside


def _are_one(tree: DependencyTree, left: int, right: int) -> bool:
    nuclearities = tree.nuclearities or [SATELLITE] * len(tree)
    return (
        tree.relations[left - 1] == tree.relations[right - 1]
        and nuclearities[left - 1] == nuclearities[right - 1] == NUCLEUS
    )
