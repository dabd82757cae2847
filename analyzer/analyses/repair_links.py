"""Both views of one error: which edit mends what the scores count as wrong.

A construction that F-h misses is linked to the edit that mends its bracket; where the
bracket is right, to the first edit that moves it, or that changes its children. Where
there is none, no edit explains the error: a tag is wrong, or something further down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from analyzer.analyses.errors import Kind, error_rows
from analyzer.analyses.repair_records import NO_EDIT, HeadError
from analyzer.editing.mending import Mended
from analyzer.editing.preparing import Prepared, PreparedPair
from analyzer.editing.search import Path
from analyzer.editing.workbench import FlatTree
from analyzer.metrics.constructions import Comparison


class EditLinks:
    """The edits of a sentence by the nodes of both treebanks."""

    def __init__(self, prepared: PreparedPair, path: Path, mends: Mended) -> None:
        self._prepared = prepared
        self._path = path
        self._mends = mends
        self._of_gold = {node: number for number, node in mends.partner.items()}

    def of_gold(self, row: int) -> int:
        """The step that mends a node of the gold treebank; NO_EDIT."""
        node = _node(self._prepared.gold, self._path.bench.gold, row)
        return NO_EDIT if node is None else self._mending(node)

    def of_attachment(self, row: int) -> int:
        """The step that mends how a node of the gold treebank attaches; NO_EDIT.

        What it attaches to depends on all that is above it: the nearest counts.
        """
        gold = self._path.bench.gold
        node = _node(self._prepared.gold, gold, row)
        while node is not None and node >= 0:
            found = self._mending(node) or self._around(self._of_gold.get(node))
            if found:
                return found
            node = gold.parent[node]
        return NO_EDIT

    def _mending(self, node: int) -> int:
        if node in self._mends.missing:
            return self._mends.missing[node] + 1
        return self._touching(self._of_gold.get(node))

    def _around(self, node: int | None) -> int:
        for step, edit in enumerate(self._path.edits, start=1):
            if node in edit.inner:
                return step
        return NO_EDIT

    def of_parsed(self, row: int) -> int:
        """The step that mends a node of the parsed treebank; NO_EDIT."""
        node = _node(self._prepared.parsed, self._path.parsed, row)
        if node is None:
            return NO_EDIT
        if node in self._mends.extra:
            return self._mends.extra[node] + 1
        return self._touching(node)

    def _touching(self, node: int | None) -> int:
        for step, edit in enumerate(self._path.edits, start=1):
            if node in edit.targets or node in edit.parents:
                return step
        return NO_EDIT


def _node(side: Prepared, tree: FlatTree, row: int) -> int | None:
    """The number in the search of a node of the treebank as it was read."""
    at = int(np.searchsorted(side.row, row))
    if at == side.row.size or side.row[at] != row:
        return None
    shift = 1 if tree.row[0] < 0 else 0  # a root that was put above the others
    return at - tree.row[shift] + shift


class HeadErrors:
    """The F-h errors of a block, sentence by sentence."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._missed = _by_tree(
            error_rows(comparison, Kind.HEAD_MISSED)[0], comparison.gold.starts
        )
        self._spurious = _by_tree(
            error_rows(comparison, Kind.HEAD_SPURIOUS)[1], comparison.parsed.starts
        )

    def of(self, tree: int, links: EditLinks) -> Iterator[HeadError]:
        """Those of a sentence, with the edits that mend them."""
        names = self._comparison.constructions
        gold, parsed = self._comparison.gold, self._comparison.parsed
        for at in self._missed.get(tree, ()):
            name = names[int(gold.construction[at])]
            yield HeadError(name, True, links.of_gold(int(gold.row[at])))
        for at in self._spurious.get(tree, ()):
            name = names[int(parsed.construction[at])]
            yield HeadError(name, False, links.of_parsed(int(parsed.row[at])))


def _by_tree(rows: np.ndarray, starts: np.ndarray) -> dict[int, Sequence[int]]:
    found: dict[int, list[int]] = {}
    trees = np.searchsorted(starts, rows, side="right") - 1
    for tree, row in zip(trees.tolist(), rows.tolist(), strict=True):
        found.setdefault(tree, []).append(row)
    return dict(found)
