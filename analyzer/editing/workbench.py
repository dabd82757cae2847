"""The tree that a search works on: edited step by step, its errors kept count of.

A *bracket* is any node that is not a terminal; its key is (first, last, class of its
label), packed in one number. What is wrong with a tree is told by how often each key
occurs in it and in gold: `missing` and `surplus` hold the
differences, and every edit keeps them up to date.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

# How many brackets the search for moves may look at, in one sentence: a second's work.
# What parsers make of sentences takes about 5,000.
MOST_LOOKED_AT = 1_000_000
UNCOUNTED = -1  # the class of a terminal, and of a root that is no bracket
NO_KEY = -1


class FlatTree(NamedTuple):
    """A tree as lists, one entry a node, in pre-order; the root comes first.

    Labels and classes are numbers; of brackets, equal classes are equal labels.
    """

    label: list[int]
    compared: list[int]  # the class; UNCOUNTED for terminals
    first: list[int]
    last: list[int]
    parent: list[int]  # -1 for the root
    is_terminal: list[bool]
    row: list[int]  # the node that it is in the prepared treebank; -1 for none


def has_same_brackets(gold: FlatTree, parsed: FlatTree) -> bool:
    """Whether two trees are the same but for tags: then there is nothing to search."""
    return gold[1:4] == parsed[1:4]  # classes, first and last words


class GoldBracket(NamedTuple):
    """A gold bracket that the tree lacks; they are ordered as they are listed."""

    first: int
    last: int
    node: int  # of the gold tree
    key: int


def keys_of(tree: FlatTree, width: int, classes: int) -> list[int]:
    """The keys of all nodes; NO_KEY for those that are no brackets."""
    return [
        (first * width + last) * classes + kind if kind >= 0 else NO_KEY
        for first, last, kind in zip(tree.first, tree.last, tree.compared, strict=True)
    ]


def ends_of(words: list[int], compared: list[int], classes: int) -> list[int]:
    """Of brackets, a word at their end and their class in one number."""
    return [
        word * classes + kind if kind >= 0 else NO_KEY
        for word, kind in zip(words, compared, strict=True)
    ]


def nodes_by(keys: list[int]) -> dict[int, list[int]]:
    """The brackets that have each key."""
    nodes: dict[int, list[int]] = {}
    for node, key in enumerate(keys):
        if key >= 0:
            nodes.setdefault(key, []).append(node)
    return nodes


def child_lists(tree: FlatTree) -> list[list[int] | None]:
    """The children of all nodes; None for terminals."""
    children: list[list[int] | None] = [
        None if is_terminal else [] for is_terminal in tree.is_terminal
    ]
    for node, parent in enumerate(tree.parent):
        if parent >= 0:
            siblings = children[parent]
            assert siblings is not None
            siblings.append(node)
    return children


class SearchTooLongError(Exception):
    """That a search has looked at more brackets than it may."""


class Layout(NamedTuple):
    """Where everything is in a tree that is being edited."""

    depth: list[int]  # per node
    # Per word: the lowest bracket that holds it and the word before; no other has a
    # child that begins there and is not its first.
    divided: list[int]


class Workbench:
    """A parsed tree in the making, beside the gold brackets that it should have.

    Nodes keep their numbers: those of the parsed tree in pre-order, then those added.
    """

    def __init__(
        self, gold: FlatTree, parsed: FlatTree, *, tags_dissolve: bool = False
    ) -> None:
        self.gold = gold
        self._tags_dissolve = tags_dissolve
        columns = [column.copy() for column in parsed[:5]]
        self.label, self.compared, self.first, self.last, self.parent = columns
        self.children = child_lists(parsed)
        # Keys: (first * width + last) * classes + class.
        self.width = parsed.last[0] + 1
        self.classes = classes = 1 + max(*self.compared, *gold.compared, 0)
        self.key = keys_of(parsed, self.width, classes)
        self.first_key = self.key.copy()  # before any edit
        # Of brackets, the first word with the class, and the last.
        self.start_key = ends_of(parsed.first, parsed.compared, classes)
        self.end_key = ends_of(parsed.last, parsed.compared, classes)
        self.count = {key: len(nodes) for key, nodes in nodes_by(self.key).items()}
        # The nodes of gold, by their keys; equal ones in pre-order.
        self.wanted = nodes_by(keys_of(gold, self.width, classes))
        self.missing: dict[int, int] = {}
        self.surplus: dict[int, int] = {}
        for key, nodes in self.wanted.items():
            if (lacks := len(nodes) - self.count.get(key, 0)) > 0:
                self.missing[key] = lacks
        for key, count in self.count.items():
            if (more := count - len(self.wanted.get(key, ()))) > 0:
                self.surplus[key] = more
        # Which step last changed the key of a node, or took the node away.
        self.changed: dict[int, int] = {}
        self.removed: dict[int, int] = {}
        self._wordless: set[int] = set()  # terminals that a bracket has become
        self._layout: Layout | None = None  # of the tree as it is now, if known
        self._looked_at = 0

    # -- questions ---------------------------------------------------------------

    def child_list(self, node: int) -> list[int]:
        """The children of a bracket."""
        children = self.children[node]
        assert children is not None
        return children

    def errors(self) -> int:
        """How many brackets are wrong or missing."""
        return sum(self.missing.values()) + sum(self.surplus.values())

    @property
    def layout(self) -> Layout:
        """Depths and boundaries; they are found once after each edit."""
        if self._layout is None:
            depth, divided = [0] * len(self.label), [0] * self.width
            pending = [0]
            while pending:
                node = pending.pop()
                inner = self.children[node]
                if inner:
                    pending += inner
                    for child in inner:
                        depth[child] = depth[node] + 1
                    for child in inner[1:]:
                        divided[self.first[child]] = node
            self._layout = Layout(depth, divided)
        return self._layout

    def depth(self, node: int) -> int:
        return self.layout.depth[node]

    def first_lacking(self, key: int) -> GoldBracket:
        """Of the gold brackets with a missing key, the first that has no partner."""
        return self.gold_bracket(key, self.count.get(key, 0))

    def gold_bracket(self, key: int, copy: int) -> GoldBracket:
        """One of the gold brackets with this key, from 0."""
        node = self.wanted[key][copy]
        return GoldBracket(self.gold.first[node], self.gold.last[node], node, key)

    def over_word(self, node: int, *, wordless: bool = True) -> bool:
        """Whether the node has one child, and that is a terminal.

        One that a bracket has become may count, or not.
        """
        children = self.child_list(node)
        is_terminal = len(children) == 1 and self.children[children[0]] is None
        return is_terminal and (wordless or children[0] not in self._wordless)

    def would_dissolve(self, child: int, parent: int) -> bool:
        """Whether a child that is left alone goes: it has the label of its parent.

        With `tags_dissolve` a terminal does, too, as the reference has it; the bracket
        becomes the terminal then.
        """
        if self.children[child] is not None:
            return self.compared[child] == self.compared[parent]
        return self._tags_dissolve and self.label[child] == self.label[parent]

    def crosses(self, bracket: GoldBracket) -> bool:
        """Whether a bracket of the tree overlaps this one in part."""
        first, last = bracket.first, bracket.last
        divided = self.layout.divided
        return (first > 0 and self.last[divided[first]] < last) or (
            last < self.width - 1 and self.first[divided[last]] > first
        )

    def _child_at(self, children: list[int], word: int) -> int:
        """The child that a word is in."""
        return children[bisect_right(children, word, key=self.first.__getitem__) - 1]

    def around(self, first: int, last: int) -> int:
        """The lowest bracket that holds these words and more, or the root."""
        node = 0
        while True:
            child = self._child_at(self.child_list(node), first)
            is_same = self.first[child] == first and self.last[child] == last
            if self.last[child] < last or is_same or self.children[child] is None:
                return node
            node = child

    def extra_in_order(self, keys: Sequence[int]) -> int:
        """Of surplus keys with the same span: the highest node with the key of the
        extra bracket that comes first in list order."""
        chains: list[tuple[int, int]] = []
        of_key: dict[int, list[int]] = {key: [] for key in keys}
        for node in [node for node, key in enumerate(self.key) if key in of_key]:
            of_key[self.key[node]].append(node)
        for key, nodes in of_key.items():
            if len(nodes) > 1:
                nodes.sort(key=self.depth)
            # The first copies are the ones that gold has.
            extra = nodes[len(self.wanted.get(key, ()))]
            chains.append((self.depth(extra) if len(keys) > 1 else 0, nodes[0]))
        return min(chains)[1]

    def look_at(self, brackets: int) -> None:
        """Count so many brackets that a search looks at; refuse if it is too much."""
        self._looked_at += brackets
        if self._looked_at > MOST_LOOKED_AT:
            raise SearchTooLongError

    # -- edits -------------------------------------------------------------------

    def recount(self, key: int, by: int) -> None:
        """A key occurs once more, or once less."""
        if key < 0:
            return
        count = self.count.get(key, 0) + by
        self.count[key] = count
        lacks = len(self.wanted.get(key, ())) - count
        self.missing.pop(key, None)
        self.surplus.pop(key, None)
        if lacks > 0:
            self.missing[key] = lacks
        elif lacks < 0:
            self.surplus[key] = -lacks

    def rekey(self, node: int, key: int, step: int) -> None:
        """A node has another span or label now."""
        self._layout = None
        self.recount(self.key[node], -1)
        self.recount(key, 1)
        self.key[node] = key
        self.start_key[node] = self.first[node] * self.classes + self.compared[node]
        self.end_key[node] = self.last[node] * self.classes + self.compared[node]
        self.changed[node] = step

    def relabel(self, node: int, label: int, compared: int, step: int) -> None:
        self.label[node], self.compared[node] = label, compared
        span = self.first[node] * self.width + self.last[node]
        self.rekey(node, span * self.classes + compared, step)

    def add(self, bracket: GoldBracket, step: int) -> int:
        """Put a bracket over the words of a missing one, above all of that span."""
        first, last = bracket.first, bracket.last
        parent = self.around(first, last)
        children = self.child_list(parent)
        left = bisect_left(children, first, key=self.first.__getitem__)
        right = bisect_left(children, last, key=self.last.__getitem__)
        node = len(self.label)
        inner = children[left : right + 1]
        children[left : right + 1] = [node]
        self.label.append(self.gold.label[bracket.node])
        self.compared.append(self.gold.compared[bracket.node])
        self.first.append(first)
        self.last.append(last)
        self.parent.append(parent)
        self.children.append(inner)
        for keys in (self.key, self.start_key, self.end_key):
            keys.append(NO_KEY)
        for child in inner:
            self.parent[child] = node
        self.rekey(node, bracket.key, step)
        return node

    def dissolve(self, child: int, step: int) -> None:
        """Take away a bracket below another of its label, or one above a tag of it."""
        if self.children[child] is not None:
            self.remove(child, step)
        else:
            self.remove(self.parent[child], step)
            self._wordless.add(child)

    def remove(self, node: int, step: int) -> None:
        """Take a bracket away; its children take its place.

        A root stays as the node that holds all others, but is no bracket any more.
        """
        self._layout = None
        self.recount(self.key[node], -1)
        self.key[node] = self.start_key[node] = self.end_key[node] = NO_KEY
        self.removed[node] = step
        parent = self.parent[node]
        if parent < 0:
            self.compared[node] = UNCOUNTED
            return
        children = self.child_list(node)
        siblings = self.child_list(parent)
        at = siblings.index(node)
        siblings[at : at + 1] = children
        for child in children:
            self.parent[child] = parent
        self.children[node] = []
