"""What is drawn of a tree beside another variant of it: the phrase around a place."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from analyzer.checks.findings import Finding, LeafSpan
from analyzer.formats.reading import read_trees
from analyzer.model.tree import Node, Tree, written

_WORDS_DRAWN = 16  # a whole sentence is too wide to compare
_LEFT_OUT = "(… …)"


class Excerpt(NamedTuple):
    """A phrase that is small enough to draw, and the place in it."""

    tree: Tree
    first: int
    last: int

    @property
    def rows(self) -> list[int]:
        return [one.row for one, _ in self._inside]

    @property
    def _inside(self) -> list[tuple[Node, tuple[str, int, int]]]:
        """What is in the place: nodes, and their labels and words."""
        return [
            (one, (one.label, one.span[0] - self.first, one.span[1] - self.first))
            for one in self.tree.nodes
            if self.first <= one.span[0] and one.span[1] <= self.last
        ]

    def without(self, other: Excerpt) -> list[int]:
        """The rows of what the other one does not have."""
        left = Counter(key for _, key in other._inside)
        rows = []
        for node, key in self._inside:
            if not left[key]:
                rows.append(node.row)
            left[key] -= 1
        return rows


def drawn_words(finding: Finding) -> LeafSpan:
    """The words of the first place, and of others in its tree that fit beside it."""
    first = finding.suspects[0]
    start, end = first.first, first.last
    for one in finding.suspects:
        a, b = min(start, one.first), max(end, one.last)
        if one.tree == first.tree and b - a <= _WORDS_DRAWN:
            start, end = a, b
    return LeafSpan(first.tree, start, end)


def excerpts(one: Tree, other: Tree, span: LeafSpan) -> tuple[Excerpt, Excerpt]:
    """Two variants of a sentence: the phrases around a place that have the same words.

    >>> now = read_trees("(S (PP (IN in)) (NP (NN fact)) (VP (VBZ is)))")[0]
    >>> then = read_trees("(S (PP (IN in) (NP (NN fact))) (VP (VBZ is)))")[0]
    >>> [str(one.tree) for one in excerpts(now, then, LeafSpan(0, 0, 2))]
    ['(S (PP (IN in)) (NP (NN fact)) (VP (VBZ is)))', \
'(S (PP (IN in) (NP (NN fact))) (VP (VBZ is)))']
    """
    around = [_around(tree, span.first, span.last).span for tree in (one, other)]
    words = min(a for a, _ in around), max(b for _, b in around)
    return _cut(one, span, words), _cut(other, span, words)


def excerpt(tree: Tree, span: LeafSpan) -> Excerpt:
    """The phrase around a place."""
    return _cut(tree, span, (span.first, span.last))


def _around(tree: Tree, first: int, last: int) -> Node:
    """The largest phrase around some words that can be drawn, or else the smallest."""
    around = [
        node for node in tree.nodes if node.span[0] <= first and last <= node.span[1]
    ]
    small = [node for node in around if node.span[1] - node.span[0] <= _WORDS_DRAWN]
    # Parents come first: the first small one is the largest, the last the smallest.
    return small[0] if small else around[-1]


def _cut(tree: Tree, span: LeafSpan, words: tuple[int, int]) -> Excerpt:
    """The phrase around some words; if it is large, what is beside the place is cut."""
    node = _around(tree, *words)
    start, end = node.span
    if end - start <= _WORDS_DRAWN or span.first == span.last:
        return Excerpt(node.to_tree(), span.first - start, span.last - start)
    text, before = _short(node, span)
    return Excerpt(read_trees(text)[0], before, before + span.last - span.first)


def _short(node: Node, span: LeafSpan) -> tuple[str, int]:
    """A phrase without what is beside a place, and how many cuts there are before it.

    >>> tree = read_trees("(S (A a) (X (B b) (C c) (D d) (E e)) (F f) (G g))")[0]
    >>> _short(tree.root, LeafSpan(0, 2, 4))
    ('(S (… …) (X (… …) (C c) (D d) (… …)) (… …))', 2)
    """
    parts: list[str] = []
    before = 0
    for child in node.children:
        first, last = child.span
        if last <= span.first or span.last <= first:
            if parts[-1:] != [_LEFT_OUT]:
                parts.append(_LEFT_OUT)
                before += last <= span.first
        elif span.first <= first and last <= span.last:
            parts.append(str(child.to_tree()))
        else:
            text, cuts = _short(child, span)
            parts.append(text)
            before += cuts
    return f"({written(node.label)} {' '.join(parts)})", before
