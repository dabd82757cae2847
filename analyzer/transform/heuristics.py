"""Nuclearity and order for d-trees that have none (2018, section 4.1).

Dependency parsers give heads and relations. To score their trees as constituents, the
rest is guessed: whether a dependent is a nucleus, from its relation; and the order in
which dependents are attached, from their distance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from analyzer.model.dependencies import DependencyTree, DiscourseTree, checked
from analyzer.model.discourse import NO_RELATION, NUCLEUS, SATELLITE, SPAN, Unit
from analyzer.transform.head_order import constituent_tree

SAME_UNIT = "same-unit"
# What the authors' program takes for multinuclear, whatever the training set.
RELEASED_MULTINUCLEAR = frozenset({"joint", SAME_UNIT, "textual"})


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
    multinuclear: Collection[str] = RELEASED_MULTINUCLEAR,
    *,
    join_nuclei: bool = False,
    source: str = "<d-tree>",
) -> DependencyTree:
    """The tree with nuclearities and ranks; those it has are kept.

    `join_nuclei` is for parsers trained on the tree transform: neighbouring dependents
    of one head with the same multinuclear relation form one n-ary unit.
    """
    checked(tree, source)
    if tree.nuclearities is None:
        tree = replace(tree, nuclearities=guessed_nuclearities(tree, multinuclear))
    if tree.ranks is None:
        tree = replace(tree, ranks=guessed_ranks(tree, join_nuclei=join_nuclei))
    return tree


def constituents(
    tree: DiscourseTree,
    source: str = "<tree>",
    *,
    multinuclear: Collection[str] = RELEASED_MULTINUCLEAR,
) -> Unit:
    """A tree of either kind as constituents; what a d-tree does not say is guessed."""
    if isinstance(tree, Unit):
        return tree
    whole = complete(tree, multinuclear, source=source)
    return constituent_tree(whole, source=source)


def guessed_nuclearities(
    tree: DependencyTree, multinuclear: Collection[str]
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


def guessed_ranks(tree: DependencyTree, *, join_nuclei: bool = False) -> list[int]:
    """When each dependent is attached to its head: `sdist-edist-rl`, same-unit first.

    Right dependents as far as the last `same-unit` come first. Then always the nearer
    of the next one to the left and the next one to the right: by sentences, if they are
    known, then by EDUs; of two as near, the right one.

    >>> guessed_ranks(DependencyTree([2, 0, 2], ["a", "ROOT", "b"]))
    [2, 1, 1]
    """
    sentences = tree.sentences or [0] * len(tree)
    ranks = [1] * len(tree)

    def distance(edu: int, head: int) -> tuple[int, int]:
        return abs(sentences[edu - 1] - sentences[head - 1]), abs(edu - head)

    for head, dependents in enumerate(tree.dependents()):
        if not head:
            continue
        left = [edu for edu in dependents if edu < head]  # the nearest is the last
        right = [edu for edu in reversed(dependents) if edu > head]
        same = [edu for edu in right if tree.relations[edu - 1] == SAME_UNIT]
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


def _are_one(tree: DependencyTree, one: int, other: int) -> bool:
    nuclearities = tree.nuclearities or [SATELLITE] * len(tree)
    return (
        tree.relations[one - 1] == tree.relations[other - 1]
        and nuclearities[one - 1] == nuclearities[other - 1] == NUCLEUS
    )
