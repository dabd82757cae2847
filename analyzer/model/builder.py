"""A treebank built node by node."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analyzer.exceptions import TreeSyntaxError
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.model.yields import Yields


class TreebankBuilder:
    """Builds a treebank from events: open, leaf, close, end_tree.

    The way in for everything but well-formed bracket files.

    >>> builder = TreebankBuilder("example")
    >>> builder.open("NP"); builder.leaf("DT", "the"); builder.leaf("NN", "cat")
    >>> builder.close(); builder.end_tree(line=1)
    >>> print(builder.finish()[0])
    (NP (DT the) (NN cat))
    """

    def __init__(self, source: str = "<text>", *, may_cross: bool = False) -> None:
        self._source = source
        self._may_cross = may_cross  # branches, in the trees that these are made of
        self._label: list[int] = []
        self._depth: list[int] = []
        self._first: list[int] = []
        self._last: list[int] = []
        self._leaf_node: list[int] = []
        self._forms: list[bytes] = []
        self._node_start = [0]
        self._leaf_start = [0]
        self._line: list[int] = []
        self._problems: dict[int, TreeSyntaxError] = {}
        self._open: list[int] = []
        self._ids: dict[str, int] = {}  # of labels that were met
        self._tree_ids: list[str] = []
        self._edges: list[str] = []
        self._yields: list[tuple[int, int, int]] = []

    def open(self, label: str, runs: Sequence[tuple[int, int]] = ()) -> None:
        """A phrase; `runs` of the tree's words, where it is no run of brackets."""
        node, leaf = self._add(label), self._leaf_start[-1]
        self._yields += [(node, leaf + first, leaf + last) for first, last in runs]
        self._open.append(node)

    def leaf(self, label: str, form: str, edge: str = "") -> None:
        node = self._add(label)
        self._leaf_node.append(node)
        self._forms.append(form.encode())
        self._last[node] = len(self._leaf_node)
        self._edges.append(edge)

    def close(self) -> None:
        self._last[self._open.pop()] = len(self._leaf_node)

    def end_tree(
        self, line: int, problem: TreeSyntaxError | None = None, *, id: str = ""
    ) -> None:
        """Finish a tree; with a problem, one that could not be read."""
        self._tree_ids.append(id)
        if problem is not None:
            self._problems[len(self._line)] = problem
        self._line.append(line)
        self._node_start.append(len(self._label))
        self._leaf_start.append(len(self._leaf_node))

    def finish(self) -> Treebank:
        ends = np.cumsum([len(form) for form in self._forms], dtype=np.int64)
        is_leaf = np.zeros(len(self._label), np.bool_)
        is_leaf[self._leaf_node] = True
        return Treebank(
            label=np.array(self._label, np.int32),
            depth=np.array(self._depth, np.int32),
            first=np.array(self._first, np.int32),
            last=np.array(self._last, np.int32),
            is_leaf=is_leaf,
            leaf_node=np.array(self._leaf_node, np.int64),
            form_start=ends - np.array([len(f) for f in self._forms], np.int64),
            form_end=ends,
            node_start=np.array(self._node_start, np.int64),
            leaf_start=np.array(self._leaf_start, np.int64),
            line=np.array(self._line, np.int64),
            text=b"".join(self._forms),
            source=self._source,
            problems=self._problems,
            ids=tuple(self._tree_ids) if any(self._tree_ids) else (),
            edges=tuple(self._edges) if any(self._edges) else (),
            yields=Yields.of(self._yields) if self._may_cross else None,
        )

    def _add(self, label: str) -> int:
        number = self._ids.get(label)
        if number is None:
            number = self._ids[label] = SYMBOLS.id(label)
        self._label.append(number)
        self._depth.append(len(self._open))
        self._first.append(len(self._leaf_node))
        self._last.append(-1)
        return len(self._label) - 1
