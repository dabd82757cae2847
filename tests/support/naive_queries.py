"""Queries by the obvious way: every node of a tree is tried, over `Node`.

Each relation is its definition in words, on lists of nodes from the root down. It reads
queries with the product's parser and knows nothing of columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from analyzer.model.tree import Node, Tree
from analyzer.queries.language import Pattern, Query, Relation, Requirement

Bindings = dict[str, int]


@dataclass(eq=False)
class Item:
    """A node or a word, with its place among all items of its tree, in pre-order."""

    label: str
    number: int
    row: int  # as `Matches` numbers it, within its bank
    parent: Item | None = None
    children: list[Item] = field(default_factory=list)

    def path(self) -> list[Item]:
        """What is above it, from the root down, and itself."""
        return [*(self.parent.path() if self.parent else []), self]

    def words(self) -> list[int]:
        """The numbers of the words below it, or its own if it is one."""
        if not self.children:
            return [self.number]
        return [number for child in self.children for number in child.words()]


def items_of(tree: Tree) -> list[Item]:
    """All nodes and words of a tree, in pre-order."""
    found: list[Item] = []

    def add(node: Node, parent: Item | None) -> None:
        item = Item(node.label, len(found), node.row, parent)
        found.append(item)
        if parent:
            parent.children.append(item)
        for child in node.children:
            add(child, item)
        if node.is_leaf:
            leaf = int(tree.bank.first[node.row])
            row = tree.bank.label.size + leaf
            word = Item(tree.bank.form(leaf), len(found), row, item)
            found.append(word)
            item.children.append(word)

    for row in tree.rows:
        if tree.parent_row[row] is None:
            add(Node(tree, row), None)
    return found


def related(operator: str, number: int, a: Item, b: Item) -> bool:
    """Whether a relation holds from A to B, as docs/find.md defines it."""
    if operator.startswith(">"):
        return related("<" + operator[1:].replace(">", "<"), number, b, a)
    if operator in (",", ",,", "$,", "$,,"):
        return related(operator.replace(",", "."), number, b, a)
    if a.path()[0] is not b.path()[0]:
        return False  # another tree of the same line
    if operator == ":":
        return True
    if operator == "==":
        return a is b
    if operator in ("..", "."):
        return _precedes(operator, a, b)
    if operator.startswith("$"):
        return _is_sister(operator, a, b)
    return _dominates(operator, number, a, b)


def _precedes(operator: str, a: Item, b: Item) -> bool:
    if a in b.path() or b in a.path():
        return False
    words = a.path()[0].words()
    between = words.index(b.words()[0]) - words.index(a.words()[-1])
    return between == 1 if operator == "." else between > 0


def _is_sister(operator: str, a: Item, b: Item) -> bool:
    if a is b or a.parent is None or b.parent is not a.parent:
        return False
    distance = a.parent.children.index(b) - a.parent.children.index(a)
    return {"$": True, "$.": distance == 1, "$..": distance > 0}[operator]


def _dominates(operator: str, number: int, a: Item, b: Item) -> bool:
    above = b.path()
    if a not in above[:-1]:
        return False
    steps = [*above[above.index(a) :]]  # from A down to B
    is_child = len(steps) == 2
    pairs = list(pairwise(steps))
    if operator == "<N":
        at = number - 1 if number > 0 else number
        there = a.children[at : at + 1 or None]
        return is_child and len(a.children) >= abs(number) and there[0] is b
    return {
        "<": is_child,
        "<<": True,
        "<:": is_child and len(a.children) == 1,
        "<<,": all(upper.children[0] is lower for upper, lower in pairs),
        "<<-": all(upper.children[-1] is lower for upper, lower in pairs),
        "<<:": all(len(upper.children) == 1 for upper, _ in pairs),
    }[operator]


def fits(pattern: Pattern, item: Item) -> bool:
    """Whether an item is as described: labels and words only."""
    assert pattern.description is not None
    texts = pattern.description.alternatives
    return any(text.accepts(item.label) for text in texts) != (
        pattern.description.is_negated
    )


def bindings(
    pattern: Pattern, item: Item, bound: Bindings, items: list[Item]
) -> Iterator[Bindings]:
    """All ways in which an item is a pattern, given what names are bound to."""
    if pattern.reference and bound.get(pattern.reference) != item.number:
        return
    if pattern.description and not fits(pattern, item):
        return
    if pattern.name:
        bound = {**bound, pattern.name: item.number}
    yield from conjunction(list(pattern.requirements), item, bound, items)


def conjunction(
    requirements: list[Requirement], item: Item, bound: Bindings, items: list[Item]
) -> Iterator[Bindings]:
    if not requirements:
        yield bound
        return
    first, *others = requirements
    ways = list(ways_of(first, item, bound, items))
    if first.is_negated:
        ways = [] if ways else [bound]
    elif first.is_optional:
        ways = ways or [bound]
    for way in ways:
        yield from conjunction(others, item, way, items)


def ways_of(
    requirement: Requirement, item: Item, bound: Bindings, items: list[Item]
) -> Iterator[Bindings]:
    if isinstance(requirement, Relation):
        for other in items:
            if related(requirement.operator, requirement.number, item, other):
                yield from bindings(requirement.target, other, bound, items)
        return
    for branch in requirement.branches:
        yield from conjunction(list(branch), item, bound, items)


def naive_matches(query: Query, tree: Tree) -> set[tuple[int, ...]]:
    """The rows of `Matches` that a tree has."""
    items = items_of(tree)
    names = query.names
    found = set()
    for item in items:
        for bound in bindings(query.pattern, item, {}, items):
            numbers = [bound.get(name, -1) for name in names]
            if not query.pattern.name:
                numbers[0] = item.number
            rows = (items[n].row if n >= 0 else -1 for n in numbers)
            found.add(tuple(rows))
    return found
