"""Short notation for dependency trees, and how far two of them differ."""

from __future__ import annotations

from analyzer.model.discourse import DependencyTree, Unit
from analyzer.transform.head_order import constituent_tree


def arcs(tree: DependencyTree) -> list[str]:
    """The paper's notation, in the order of the dependents: `2 -R1#1> 1`."""
    return [
        f"{head} -{tree.label(edu)}> {edu}"
        for edu, head in enumerate(tree.heads, start=1)
        if head
    ]


def ordered(heads: list[int], ranks: list[int]) -> DependencyTree:
    """An unlabelled d-tree; all dependents are satellites."""
    relations = ["r" if head else "ROOT" for head in heads]
    nuclearities = ["S" if head else "N" for head in heads]
    texts = [str(edu) for edu in range(1, len(heads) + 1)]
    return DependencyTree(heads, relations, nuclearities, ranks, texts)


def spans_and_heads(root: Unit) -> set[tuple[int, int, int]]:
    """First EDU, last EDU and head of every inner unit: what S+H counts."""
    units = list(root.walk())
    found: dict[int, tuple[int, int, int]] = {}
    number = sum(unit.is_edu for unit in units)
    for unit in reversed(units):
        if unit.is_edu:
            found[id(unit)] = (number, number, number)
            number -= 1
        else:
            below = [found[id(child)] for child in unit.children]
            heads = [
                at[2]
                for child, at in zip(unit.children, below, strict=True)
                if child.nuclearity == "N"
            ]
            found[id(unit)] = (below[0][0], below[-1][1], heads[0])
    return {found[id(unit)] for unit in units if not unit.is_edu}


def delta_sh(one: DependencyTree, other: DependencyTree) -> int:
    """Triples of one tree that the other lacks (2018, section 3.6)."""
    trees = [spans_and_heads(constituent_tree(tree)) for tree in (one, other)]
    return len(trees[0] - trees[1])


def delta_uas(one: DependencyTree, other: DependencyTree) -> int:
    """Arcs of one tree that the other lacks."""
    return sum(a != b and a != 0 for a, b in zip(one.heads, other.heads, strict=True))


def wrong_choices(one: DependencyTree, other: DependencyTree) -> int:
    """Per head, the sets of dependents that one tree has attached at some point and
    the other never: the paper's 'wrong choices' for trees with the same arcs."""
    return len(_prefixes(one) - _prefixes(other))


def _prefixes(tree: DependencyTree) -> set[tuple[int, frozenset[int]]]:
    assert tree.ranks is not None
    ranks = tree.ranks
    return {
        (head, frozenset(edu for edu in edus if ranks[edu - 1] <= ranks[last - 1]))
        for head, edus in enumerate(tree.dependents())
        if head
        for last in edus
    }
