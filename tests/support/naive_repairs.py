"""The search of `repairs` by its definition: every change is made on a copy of the
tree, and counted anew. Slow, and as plain as the definition (docs/repairs.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field


@dataclass(eq=False)
class Node:
    label: str
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None
    first: int = 0
    last: int = 0

    def nodes(self) -> Iterator[Node]:
        """All nodes, in pre-order."""
        yield self
        for child in self.children:
            yield from child.nodes()

    def root(self) -> Node:
        return self if self.parent is None else self.parent.root()

    def number(self) -> None:
        """Count words, and let children know their parents."""
        self._number(0)

    def _number(self, first: int) -> int:
        self.first = self.last = first
        for child in self.children:
            child.parent = self
            self.last = child._number(self.last)
        self.last += not self.children
        return self.last

    @property
    def key(self) -> tuple[int, int, str]:
        return self.first, self.last, self.label


def tree_of(plain: tuple) -> Node:
    """A tree from nested pairs: a label with a word, or with trees."""
    label, inner = plain
    return Node(label, [] if isinstance(inner, str) else [tree_of(x) for x in inner])


def _brackets(tree: Node) -> list[Node]:
    found = [node for node in tree.nodes() if node.children]
    return sorted(found, key=lambda node: (node.first, node.last))


class Errors:
    def __init__(self, tree: Node, gold: Node) -> None:
        mine, right = _brackets(tree), _brackets(gold)
        self.extra = _unmatched(mine, right)
        lacking = _unmatched(right, mine)
        self.missing = [
            one
            for one in lacking
            if not any(
                other.first < one[0] < other.last < one[1]
                or one[0] < other.first < one[1] < other.last
                for other in mine
            )
        ]
        self.count = len(self.extra) + len(lacking)

    def is_extra(self, node: Node) -> bool:
        return node.key in self.extra


def _unmatched(brackets: list[Node], others: list[Node]) -> list[tuple[int, int, str]]:
    left = Counter(node.key for node in others)
    found = []
    for node in brackets:
        if left[node.key]:
            left[node.key] -= 1
        else:
            found.append(node.key)
    return found


Step = tuple[str, int, int, str]  # operation, first and last word, labels of nodes
Change = tuple[Node, Step]


def _copied(*nodes: Node) -> list[Node]:
    return deepcopy(list(nodes))


def _highest(tree: Node, key: tuple[int, int, str]) -> Node:
    return next(node for node in tree.nodes() if node.key == key)


def _relabels(tree: Node, errors: Errors) -> Iterator[Change]:
    for missing in errors.missing:
        for extra in errors.extra:
            if missing[:2] == extra[:2]:
                (node,) = _copied(_highest(tree, extra))
                node.label = missing[2]
                yield node.root(), ("relabel", *extra[:2], f"{extra[2]} {missing[2]}")


def _with(tree: Node, missing: tuple[int, int, str]) -> Node:
    """A copy with a bracket above all others of its span, but below the root."""
    (new,) = _copied(tree)
    parent = new
    first, last, label = missing
    while True:
        inner = [
            child
            for child in parent.children
            if child.first <= first
            and last <= child.last
            and (child.first, child.last) != (first, last)
        ]
        if not inner:
            break
        parent = inner[0]
    own = [x for x in parent.children if first <= x.first and x.last <= last]
    at = parent.children.index(own[0])
    parent.children[at : at + len(own)] = [Node(label, own)]
    new.number()
    return new


def _adds(tree: Node, errors: Errors) -> Iterator[Change]:
    for missing in errors.missing:
        yield _with(tree, missing), ("add", *missing)


def _removes(tree: Node, errors: Errors) -> Iterator[Change]:
    for extra in errors.extra:
        (node,) = _copied(_highest(tree, extra))
        parent = node.parent
        if parent is None:
            continue
        at = parent.children.index(node)
        parent.children[at : at + 1] = node.children
        new = parent.root()
        new.number()
        yield new, ("remove", *extra)


def _moves(tree: Node, gold: Node, errors: Errors) -> Iterator[Change]:
    for source in tree.nodes():
        count = len(source.children)
        for left in range(count):
            for right in range(left, count):
                if right - left + 1 < count:
                    for target in _targets(tree, errors, source, left, right):
                        yield _moved(gold, source, left, right, target)


def _targets(
    tree: Node, errors: Errors, source: Node, left: int, right: int
) -> Iterator[Node]:
    children = source.children
    is_last = right == len(children) - 1
    for is_there, at, edge in ((left > 0, left - 1, -1), (not is_last, right + 1, 0)):
        node = children[at] if is_there else source
        while is_there and node.children:
            if errors.is_extra(node):
                yield node
            node = node.children[edge]
    if not errors.is_extra(source):
        return
    brackets = [node for node in tree.nodes() if node.children]
    if left == 0 and source.first > 0:
        yield from (
            n for n in brackets if n.last == source.first and n.key in errors.extra
        )
    if is_last and source.last < tree.last:
        yield from (
            n for n in brackets if n.first == source.last and n.key in errors.extra
        )
    for is_there, end in ((left == 0, "first"), (is_last, "last")):
        node = source.parent
        while is_there and node is not None and node.parent is not None:
            yield node
            if getattr(node.parent, end) != getattr(source, end):
                break
            node = node.parent


def _moved(gold: Node, source: Node, left: int, right: int, target: Node) -> Change:
    old, new = _copied(source, target)
    movers = old.children[left : right + 1]
    first, last = movers[0].first, movers[-1].last
    del old.children[left : right + 1]
    at = sum(child.first < first for child in new.children)
    if new is not old and old in [n for c in new.children for n in c.nodes()]:
        # Out of a child: before it, or after it.
        at = next(i for i, c in enumerate(new.children) if old in list(c.nodes()))
        at += left > 0
    new.children[at:at] = movers
    span = new.first, new.last
    gone = None
    if len(old.children) == 1 and old.children[0].label == old.label:
        gone = old.children[0]
        old.children = gone.children
    tree = old.root()
    tree.number()
    if gone is not new:
        span = new.first, new.last
        around = [
            one
            for one in Errors(tree, gold).missing
            if one[0] <= first
            and last <= one[1]
            and one[:2] != (first, last)
            and span[0] <= one[0]
            and one[1] <= span[1]
        ]
        if around:
            tree = _with(tree, min(around, key=lambda one: one[1] - one[0]))
    step = ("move", first, last, " ".join(node.label for node in movers))
    return tree, step


def naive_repairs(gold: Node, parsed: Node) -> list[tuple[Step, int]]:
    """The changes from a parse to gold, and what each gains."""
    gold.number()
    parsed.number()
    found: list[tuple[Step, int]] = []
    tree, errors = parsed, Errors(parsed, gold)
    while errors.count:
        best: tuple[int, Change] | None = None
        for change in (
            *_relabels(tree, errors),
            *_adds(tree, errors),
            *_removes(tree, errors),
            *_moves(tree, gold, errors),
        ):
            gain = errors.count - Errors(change[0], gold).count
            if best is None or gain > best[0]:
                best = gain, change
        assert best is not None
        gain, (tree, step) = best
        found.append((step, gain))
        errors = Errors(tree, gold)
    return found
