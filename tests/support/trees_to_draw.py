"""Trees to draw: by hand, deep ones, and any."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from analyzer.model.tree import Tree
from analyzer.model.treebank import TreebankBuilder

TOKEN = re.compile(r"\(([^\s()]*) ([^\s()]*)\)|\(([^\s()]*)|\)")
LEVELS = 20_000
KINDS = ("open", "leaf", "leaf", "close")
ANY_TEXT = st.text(st.characters(codec="utf-8"), max_size=4)


def tree_of(text: str) -> Tree:
    """The tree written in brackets, by the shortest reader that will do."""
    builder = TreebankBuilder()
    for token in TOKEN.finditer(text):
        if token[2] is not None:
            builder.leaf(token[1], token[2])
        elif token[3] is not None:
            builder.open(token[3])
        else:
            builder.close()
    builder.end_tree(line=1)
    return builder.finish()[0]


CAT = tree_of(
    "(S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))))"
)


def leaf_tree(tag: str, word: str) -> Tree:
    builder = TreebankBuilder()
    builder.leaf(tag, word)
    builder.end_tree(line=1)
    return builder.finish()[0]


def unary_chain(levels: int = LEVELS) -> Tree:
    builder = TreebankBuilder()
    for _ in range(levels):
        builder.open("A")
    builder.leaf("NN", "x")
    for _ in range(levels):
        builder.close()
    builder.end_tree(line=1)
    return builder.finish()[0]


def right_branching(levels: int = LEVELS) -> Tree:
    builder = TreebankBuilder()
    for level in range(levels):
        builder.open("S")
        builder.leaf("IN", f"that{level}")
    for _ in range(levels):
        builder.close()
    builder.end_tree(line=1)
    return builder.finish()[0]


def flat(words: int = LEVELS) -> Tree:
    """One phrase over many words."""
    builder = TreebankBuilder()
    builder.open("S")
    for _ in range(words):
        builder.leaf("NN", "x")
    builder.close()
    builder.end_tree(line=1)
    return builder.finish()[0]


@st.composite
def trees(draw_from: st.DrawFn, text: st.SearchStrategy[str] = ANY_TEXT) -> Tree:
    """Any tree, or none, or several; phrases may be empty."""
    builder = TreebankBuilder()
    is_open = 0
    for kind in draw_from(st.lists(st.sampled_from(KINDS), max_size=25)):
        if kind == "open":
            builder.open(draw_from(text))
            is_open += 1
        elif kind == "leaf":
            builder.leaf(draw_from(text), draw_from(text))
        elif is_open:
            builder.close()
            is_open -= 1
    for _ in range(is_open):
        builder.close()
    builder.end_tree(line=1)
    return builder.finish()[0]
