"""Trees and nodes as people see them: light views of a treebank's columns.

Views are for printing, drawing, notebooks and tests; nothing that scores loops
over them. No function here recurses, so the depth of a tree does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from analyzer.model.treebank import Treebank, TreebankBuilder
from analyzer.safe_text import shortened

if TYPE_CHECKING:
    import nltk

_REPR_WIDTH = 72
# Deeper levels are not indented further: the text of a tree of 50,000 levels would
# otherwise be gigabytes of spaces.
DEEPEST_INDENT = 100
_ESCAPES = {
    **{ord(space): "_" for space in " \t\n\r\v\f"},
    ord("("): "-LRB-",
    ord(")"): "-RRB-",
}


class Node:
    """One node: a row of the table, with names instead of numbers."""

    __slots__ = ("row", "tree")

    def __init__(self, tree: Tree, row: int) -> None:
        self.tree = tree
        self.row = row

    @property
    def label(self) -> str:
        return self.tree.bank.label_name(self.row)

    @property
    def is_leaf(self) -> bool:
        """Whether this is a tag over a word (in a discourse tree, a unit)."""
        return bool(self.tree.bank.is_leaf[self.row])

    @property
    def span(self) -> tuple[int, int]:
        """First leaf and the one after the last, counted within the tree."""
        bank, offset = self.tree.bank, self.tree.first_leaf
        return (int(bank.first[self.row]) - offset, int(bank.last[self.row]) - offset)

    @property
    def words(self) -> list[str]:
        first, last = self.span
        return self.tree.words[first:last]

    @property
    def form(self) -> str | None:
        """The word of a leaf, None for a phrase."""
        return self.words[0] if self.is_leaf else None

    @property
    def children(self) -> list[Node]:
        rows = self.tree.child_rows.get(self.row, [])
        return [Node(self.tree, row) for row in rows]

    @property
    def parent(self) -> Node | None:
        row = self.tree.parent_row[self.row]
        return None if row is None else Node(self.tree, row)

    def to_tree(self) -> Tree:
        """The node and all below it as a tree of its own.

        >>> from analyzer import read_trees
        >>> tree = read_trees("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")[0]
        >>> tree.root.children[0].to_tree()
        <Tree 1: (NP (DT the) (NN cat))>
        """
        bank = self.tree.bank
        builder = TreebankBuilder(bank.source)
        for kind, row in self.tree.events([self.row]):
            if kind == "open":
                builder.open(bank.label_name(row))
            elif kind == "leaf":
                builder.leaf(bank.label_name(row), bank.form(int(bank.first[row])))
            else:
                builder.close()
        builder.end_tree(line=self.tree.line)
        return builder.finish()[0]

    def __iter__(self) -> Iterator[Node]:
        return iter(self.children)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Node)
            and other.row == self.row
            and other.tree.bank == self.tree.bank
        )

    def __hash__(self) -> int:
        return hash((self.tree.bank, self.row))

    def __str__(self) -> str:
        return self.tree.brackets([self.row])

    def __repr__(self) -> str:
        first, last = self.span
        words = shortened(" ".join(self.words), _REPR_WIDTH)
        return f"<Node {self.label} {first}-{last}: {words}>"


class Tree:
    """One tree of a treebank (now and then none, or several, on one line).

    >>> from analyzer import read_trees
    >>> tree = read_trees("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")[0]
    >>> tree
    <Tree 1: (S (NP (DT the) (NN cat)) (VP (VBD sat)))>
    >>> tree.root.children[0].words
    ['the', 'cat']
    >>> print(tree.indented())
    (S
      (NP (DT the) (NN cat))
      (VP (VBD sat)))
    """

    def __init__(self, bank: Treebank, index: int) -> None:
        self.bank = bank
        self.index = index

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tree)
            and other.index == self.index
            and other.bank == self.bank
        )

    def __hash__(self) -> int:
        return hash((self.bank, self.index))

    # -- structure ---------------------------------------------------------------

    @property
    def rows(self) -> range:
        start = self.bank.node_start
        return range(int(start[self.index]), int(start[self.index + 1]))

    @property
    def first_leaf(self) -> int:
        return int(self.bank.leaf_start[self.index])

    @cached_property
    def words(self) -> list[str]:
        start = self.bank.leaf_start
        leaves = slice(int(start[self.index]), int(start[self.index + 1]))
        return self.bank.forms(leaves)

    @cached_property
    def parent_row(self) -> dict[int, int | None]:
        parents: dict[int, int | None] = {}
        above: list[int] = []
        depths = self.bank.depth[self.rows.start : self.rows.stop].tolist()
        for row, depth in zip(self.rows, depths, strict=True):
            del above[depth:]
            parents[row] = above[-1] if above else None
            above.append(row)
        return parents

    @cached_property
    def child_rows(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = {}
        for row, parent in self.parent_row.items():
            if parent is not None:
                children.setdefault(parent, []).append(row)
        return children

    @property
    def root_rows(self) -> list[int]:
        return [row for row in self.rows if self.bank.depth[row] == 0]

    @property
    def roots(self) -> list[Node]:
        return [Node(self, row) for row in self.root_rows]

    @property
    def root(self) -> Node:
        """The root; IndexError for a tree without nodes."""
        return self.roots[0]

    @property
    def nodes(self) -> list[Node]:
        """All nodes, parents before children."""
        return [Node(self, row) for row in self.rows]

    @property
    def leaves(self) -> list[Node]:
        return [node for node in self.nodes if node.is_leaf]

    @property
    def line(self) -> int:
        return int(self.bank.line[self.index])

    @property
    def id(self) -> str:
        """What the file calls it; "" if it does not."""
        return self.bank.id_of(self.index)

    # -- text ------------------------------------------------------------------

    def brackets(self, roots: Sequence[int] | None = None) -> str:
        """The tree in brackets, on one line; with `roots`, what is below these rows."""
        return "".join(text for _, _, text in self.bracket_parts(roots))

    def indented(self, indent: int = 2) -> str:
        """The tree in brackets, a phrase a line; phrases of leaves stay on one line."""
        return "".join(text for _, _, text in self.bracket_parts(indent=indent))

    def bracket_parts(
        self, roots: Sequence[int] | None = None, *, indent: int | None = None
    ) -> Iterator[tuple[str, int, str]]:
        """What brackets are made of, in order: kind, row and text.

        Kinds are `space`, `open` (bracket and label), `word` and `close`. With an
        indent, each phrase is on its own line.
        """
        is_first = True
        for kind, row in self.events(self.root_rows if roots is None else roots):
            if kind == "close":
                yield "close", row, ")"
                continue
            if not is_first:
                yield "space", row, self._space_before(row, indent)
            is_first = False
            yield "open", row, "(" + written(self.bank.label_name(row))
            if kind == "leaf":
                yield "word", row, f" {written(self._form(row))}"
                yield "close", row, ")"

    def _space_before(self, row: int, indent: int | None) -> str:
        if indent is None:
            return " "
        parent = self.parent_row[row]
        is_leaf = self.bank.is_leaf
        if parent is not None and all(
            is_leaf[child] for child in self.child_rows[parent]
        ):
            return " "
        return "\n" + " " * (indent * min(int(self.bank.depth[row]), DEEPEST_INDENT))

    def events(self, roots: Sequence[int]) -> Iterator[tuple[str, int]]:
        """open, leaf and close, in the order in which brackets are written."""
        pending = [("visit", row) for row in reversed(roots)]
        while pending:
            kind, row = pending.pop()
            if kind == "close":
                yield kind, row
            elif self.bank.is_leaf[row]:
                yield "leaf", row
            else:
                yield "open", row
                pending.append(("close", row))
                children = self.child_rows.get(row, [])
                pending.extend(("visit", child) for child in reversed(children))

    def _form(self, row: int) -> str:
        return self.bank.form(int(self.bank.first[row]))

    def __str__(self) -> str:
        return self.brackets()

    def __repr__(self) -> str:
        return f"<Tree {self.index + 1}: {shortened(str(self), _REPR_WIDTH)}>"

    def __len__(self) -> int:
        """Number of leaves."""
        return len(self.words)

    def __bool__(self) -> bool:
        return len(self.rows) > 0

    # -- other forms -----------------------------------------------------------

    def to_nltk(self) -> nltk.Tree:
        """As an `nltk.Tree` (several roots get an unlabelled one above them)."""
        from nltk import Tree as NltkTree

        built: dict[int, Any] = {}
        for row in reversed(self.rows):
            if self.bank.is_leaf[row]:
                built[row] = NltkTree(self.bank.label_name(row), [self._form(row)])
            else:
                children = [built.pop(child) for child in self.child_rows.get(row, [])]
                built[row] = NltkTree(self.bank.label_name(row), children)
        roots = [built[row] for row in self.root_rows]
        return roots[0] if len(roots) == 1 else NltkTree("", roots)

    def _repr_svg_(self) -> str:
        from reports.drawing.outline import outline
        from reports.drawing.tree_svg import tree_svg

        return tree_svg(outline(self))

    def _repr_html_(self) -> str:
        return f"<div>{self._repr_svg_()}</div>"


def written(text: str) -> str:
    """A label or a word as it stands in brackets.

    Trees that come from elsewhere may hold brackets and spaces, which would end it.

    >>> written("New York (NY)")
    'New_York_-LRB-NY-RRB-'
    """
    return text.translate(_ESCAPES)
