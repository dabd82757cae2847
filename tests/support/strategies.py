"""Hypothesis strategies for trees, and for the ways in which files write them.

A tree is a pair: a label and a word, or a label and a tuple of trees.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st

from analyzer.model.tree import Tree as TreeView

Plain = tuple[str, Any]

_ASCII_SPACE = " \t\n\r\v\f"
# Everything a label or a word may hold: brackets and ASCII white space end it.
_CHARACTERS = st.characters(
    codec="utf-8", exclude_characters=_ASCII_SPACE + "()\0", exclude_categories=["Cs"]
)
_LABELS = [
    *("S", "NP", "VP", "NP-SBJ-1", "NP=2", "ADVP|PRT", "S+VP", "@NP", "-NONE-", "X1"),
    *("WHADVP", "NP-LONG-LABEL", "NP-LONG-LABEM", "Épithète", "名詞句", "#", "*x*", ""),
]
_WORDS = [
    *(
        "the",
        "-LRB-",
        "\\/",
        "*T*-1",
        "*x*",
        "#1",
        "`'",
        '"',
        "'s",
        "$",
        "1,000.5",
        "=",
    ),
    *("été", "e\u0301te\u0301", "日本語", "no\u00a0break", "wide\u3000space", "\u200b"),
    *("\u2028", "\x1c", "\x85", "\ufeff", "👩‍👩‍👧", "عربي", "a" * 40),
]


def labels() -> st.SearchStrategy[str]:
    return st.sampled_from(_LABELS) | st.text(_CHARACTERS, max_size=10)


def words() -> st.SearchStrategy[str]:
    return st.sampled_from(_WORDS) | st.text(_CHARACTERS, min_size=1, max_size=10)


def _leaves() -> st.SearchStrategy[Plain]:
    # A word may be empty under a label: '(HYPH )'. Without one it is no leaf.
    return st.tuples(labels(), words()) | st.tuples(labels().filter(bool), st.just(""))


def grouped(leaves: list[Plain], groups: list[tuple[int, int, str]]) -> list[Plain]:
    """Trees over the leaves: each group puts a label over some neighbours.

    A group of one makes a unary chain, a group of none a phrase without words.
    """
    items = list(leaves)
    for start, size, label in groups:
        at = start % (len(items) + 1)
        items[at : at + size] = [(label, tuple(items[at : at + size]))]
    return items


def _groups(label: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    one = st.tuples(st.integers(0, 7), st.integers(0, 4), label)
    return st.lists(one, max_size=10)


@st.composite
def trees(draw: st.DrawFn) -> Plain:
    """One tree, now and then a mere leaf or a phrase without words."""
    leaves = draw(st.lists(_leaves(), max_size=8))
    items = grouped(leaves, draw(_groups(labels())))
    if len(items) == 1:
        return items[0]
    return draw(labels()), tuple(items)


def banks(max_size: int = 5) -> st.SearchStrategy[list[Plain]]:
    return st.lists(trees(), min_size=1, max_size=max_size)


_SCORED_LABELS = st.sampled_from(
    ["NP", "NP-SBJ", "NP=2", "VP", "S", "ADVP", "PRT", "TOP", "X", "-NONE-", ",", ""]
)
_SCORED_TAGS = st.sampled_from(["NN", "NN", "NN", "DT", ",", ".", "-NONE-", "PRT", ":"])
_SCORED_WORDS = st.sampled_from(["a", "the", "é", "longer-than-eight", "*", ","])


def _scored_tree(draw: st.DrawFn, leaves: list[Plain]) -> Plain:
    items = grouped(leaves, draw(_groups(_SCORED_LABELS)))
    return draw(_SCORED_LABELS), tuple(items)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Plain, Plain]:
    """Gold and parsed over the same words; now and then a tag or word differs."""
    leaf = st.tuples(_SCORED_TAGS, _SCORED_WORDS)
    leaves = draw(st.lists(leaf, min_size=1, max_size=9))
    changed = list(leaves)
    for at in draw(st.sets(st.integers(0, 8), max_size=2)):
        if at < len(leaves):
            changed[at] = (draw(_SCORED_TAGS), leaves[at][1])
    if draw(st.integers(0, 9)) == 0:
        changed[0] = draw(leaf)
    if draw(st.integers(0, 9)) == 0:
        changed.pop()
    return _scored_tree(draw, leaves), _scored_tree(draw, changed)


def pair_lists(max_size: int = 6) -> st.SearchStrategy[list[tuple[Plain, Plain]]]:
    return st.lists(pairs(), min_size=1, max_size=max_size)


# -- writing -------------------------------------------------------------------


def one_line(tree: Plain, gap: str = " ") -> str:
    """The tree in brackets; `gap` is the white space between its parts."""
    label, content = tree
    if isinstance(content, str):
        return f"({label}{gap}{content}{gap if content else ''})"
    # Without children no gap: '(X )' would be a leaf with an empty word.
    parts = "".join(f"{gap}{one_line(child, gap)}" for child in content)
    return f"({label}{parts}{gap if content else ''})"


def pair_texts(pairs: list[tuple[Plain, Plain]]) -> tuple[str, str]:
    """Gold and parsed of pairs, a tree a line."""
    gold, parsed = zip(*pairs, strict=True)
    return (
        "".join(one_line(tree) + "\n" for tree in gold),
        "".join(one_line(tree) + "\n" for tree in parsed),
    )


def _over_lines(tree: Plain, start: str, step: str) -> str:
    """The tree with each phrase on a line of its own, further in by `step`."""
    label, content = tree
    if isinstance(content, str):
        # At the start of a line some words would make it a comment.
        broken = not step and content and not content.startswith(("#", "*x*"))
        return f"({label}{start if broken else ' '}{content})"
    inner = start + step
    parts = "".join(inner + _over_lines(child, inner, step) for child in content)
    return f"({label}{parts}{start if content and not step else ''})"


class Dialect(NamedTuple):
    """One of the ways in which treebanks write trees."""

    layout: str  # lines, indented, free
    wrapper: str | None
    newline: str = "\n"
    mark: bytes = b""
    blank_lines: bool = False
    comments: bool = False
    gap: str = " "

    def wrapped(self, tree: Plain) -> Plain:
        return tree if self.wrapper is None else (self.wrapper, (tree,))

    def record(self, tree: Plain) -> str:
        """One tree, without the line end after it."""
        if self.layout == "lines":
            return one_line(self.wrapped(tree), self.gap)
        step = "  " if self.layout == "indented" else ""
        return _over_lines(self.wrapped(tree), "\n", step)

    def file(self, trees: list[Plain]) -> bytes:
        lines = []
        for number, tree in enumerate(trees):
            if self.comments:
                lines.append(f"# comment ( {number}" if number % 2 else "*x*) header")
            lines.append(self.record(tree))
            if self.blank_lines:
                lines.append("")
        text = "".join(line + "\n" for line in lines).replace("\n", self.newline)
        return self.mark + text.encode()


WRAPPERS = (None, "", "TOP", "ROOT", "S1")


def dialects() -> st.SearchStrategy[Dialect]:
    return st.builds(
        Dialect,
        layout=st.sampled_from(["lines", "indented", "free"]),
        wrapper=st.sampled_from(WRAPPERS),
        newline=st.sampled_from(["\n", "\r\n"]),
        mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
        blank_lines=st.booleans(),
        comments=st.booleans(),
        gap=st.sampled_from([" ", "  ", "\t", " \f", "\v ", "\r"]),
    )


# -- damage --------------------------------------------------------------------

_INSERTED = st.sampled_from(
    ["(", ")", "((", "))", " ", "word", "(X", "(X )", "()", "( w)", "#", "\t", "é"]
)


@st.composite
def garbled_lines(draw: st.DrawFn, line_ends: bool = False) -> bytes:
    """A tree on one line, with pieces deleted and inserted at random."""
    text = draw(trees().map(one_line))
    inserted = _INSERTED | st.just("\n") if line_ends else _INSERTED
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        if draw(st.booleans()):
            text = text[:at] + draw(inserted) + text[at:]
        else:
            text = text[:at] + text[at + draw(st.integers(1, 3)) :]
    return text.encode()


@st.composite
def garbled_files(draw: st.DrawFn) -> bytes:
    """A file in some dialect, with bytes deleted, inserted and overwritten."""
    data = draw(dialects()).file(draw(banks()))
    pieces = [b"(", b")", b"\n", b" ", b"\xff", b"\xc3", b"#", b"\n\n", b"\n(", b"w"]
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(data)))
        cut = draw(st.integers(0, 3))
        inserted = draw(st.sampled_from(pieces)) if draw(st.booleans()) else b""
        data = data[:at] + inserted + data[at + cut :]
    return data


# -- reading back --------------------------------------------------------------


def plain(tree: TreeView) -> list[Plain]:
    """A view as it was drawn: its roots as nested tuples."""
    built: dict[int, Plain] = {}
    for node in reversed(tree.nodes):
        children = tuple(built[child.row] for child in node.children)
        built[node.row] = (node.label, node.form if node.is_leaf else children)
    return [built[row] for row in tree.root_rows]
