"""Both views of one error: what edits are about, and which mends what scores count.

A construction that F-h misses is linked to the edit that mends its bracket; where the
bracket is right, to the first edit that moves it, or that changes its children. Where
there is none, no edit explains the error: a tag is wrong, or something further down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from analyzer.analyses.errors import Instance, Kind, error_rows
from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.columns import Derivation
from analyzer.editing.mending import NO_STEP, Mended, MendedError
from analyzer.editing.preparing import Prepared, PreparedPair
from analyzer.editing.search import MOVE, REMOVE, Edit, EditTarget, Path
from analyzer.editing.types import ATTACHMENTS
from analyzer.editing.workbench import FlatTree
from analyzer.metrics.constructions import Comparison
from analyzer.model.arrays import Ints
from analyzer.model.symbols import SYMBOLS


class EditLinks:
    """The edits of a sentence by the nodes of both treebanks."""

    def __init__(self, prepared: PreparedPair, path: Path, mends: Mended) -> None:
        self._prepared = prepared
        self._path = path
        self._mends = mends
        self._of_gold = {node: number for number, node in mends.partner.items()}

    def of_error(self, error: Instance) -> int:
        """The step that mends an error of the scores; NO_STEP."""
        step = NO_STEP
        if error.gold and error.kind is Kind.ATTACHMENT:
            step = self.of_attachment(error.gold.row)
        elif error.gold:
            step = self.of_gold(error.gold.row)
        if not step and error.parsed:
            step = self.of_parsed(error.parsed.row)
        return step

    def of_gold(self, row: int) -> int:
        """The step that mends a node of the gold treebank; NO_STEP."""
        node = _node(self._prepared.gold, self._path.bench.gold, row)
        return NO_STEP if node is None else self._mending(node)

    def of_attachment(self, row: int) -> int:
        """The step that mends how a node of the gold treebank attaches; NO_STEP.

        What it attaches to depends on all that is above it: the nearest counts.
        """
        gold = self._path.bench.gold
        node = _node(self._prepared.gold, gold, row)
        while node is not None and node >= 0:
            step = self._mending(node) or self._around(self._of_gold.get(node))
            if step:
                return step
            node = gold.parent[node]
        return NO_STEP

    def of_parsed(self, row: int) -> int:
        """The step that mends a node of the parsed treebank; NO_STEP."""
        node = _node(self._prepared.parsed, self._path.parsed, row)
        if node in self._mends.extra:
            return self._mends.extra[node] + 1
        return self._touching(node)

    def _mending(self, node: int) -> int:
        if node in self._mends.missing:
            return self._mends.missing[node] + 1
        return self._touching(self._of_gold.get(node))

    def _touching(self, node: int | None) -> int:
        for step, edit in enumerate(self._path.edits, start=1):
            if node in edit.targets or node in edit.parents:
                return step
        return NO_STEP

    def _around(self, node: int | None) -> int:
        for step, edit in enumerate(self._path.edits, start=1):
            if node in edit.inner:
                return step
        return NO_STEP


def _node(side: Prepared, tree: FlatTree, row: int) -> int | None:
    """The number in the search of a node of the treebank as it was read."""
    at = int(np.searchsorted(side.row, row))
    if at == side.row.size or side.row[at] != row:
        return None
    shift = 1 if tree.row[0] < 0 else 0  # a root that was put above the others
    return at - tree.row[shift] + shift


class _Side:
    """The constructions of gold or of parsed, by the brackets of a search."""

    def __init__(
        self,
        prepared: Prepared,
        derivation: Derivation,
        names: ConstructionNames,
        wrong_heads: Ints,
    ) -> None:
        self._prepared = prepared
        self._derivation = derivation
        self._names = names
        self._rows = {row: at for at, row in enumerate(derivation.row.tolist())}
        self._wrong: dict[int, list[int]] = {}
        trees = np.searchsorted(derivation.starts, wrong_heads, side="right") - 1
        for tree, at in zip(trees.tolist(), wrong_heads.tolist(), strict=True):
            self._wrong.setdefault(tree, []).append(at)

    def named(self, tree: FlatTree, node: int, label: int) -> tuple[str, int]:
        """The construction of a bracket, and its head's position in the sentence.

        What was added or is around a whole tree has none: its label, and -1.
        """
        row = tree.row[node] if node < len(tree.row) else -1
        at = self._rows.get(int(self._prepared.row[row])) if row >= 0 else None
        if at is None:
            return SYMBOLS.name(label), -1
        head = int(self._derivation.head[at] - self._derivation.first[at])
        name = self._names[int(self._derivation.construction[at])]
        return name, head + tree.first[node]

    def wrong_heads(self, tree: int) -> Iterator[tuple[str, int]]:
        """The constructions of a sentence that F-h counts as wrong, and their nodes."""
        for at in self._wrong.get(tree, ()):
            name = self._names[int(self._derivation.construction[at])]
            yield name, int(self._derivation.row[at])


class EditAttribution:
    """How the scores see the edits of the sentences of a block."""

    def __init__(self, prepared: PreparedPair, comparison: Comparison) -> None:
        self._prepared = prepared
        names = comparison.constructions
        missed = error_rows(comparison, Kind.HEAD_MISSED)[0]
        spurious = error_rows(comparison, Kind.HEAD_SPURIOUS)[1]
        self._gold = _Side(prepared.gold, comparison.gold, names, missed)
        self._parsed = _Side(prepared.parsed, comparison.parsed, names, spurious)

    def targets(
        self, tree: int, path: Path, types: Sequence[str], mends: Mended
    ) -> list[EditTarget]:
        """What each edit of a sentence is about."""
        words = self._prepared.parsed.words(tree)
        return [
            self._target(path, edit, _principal(path, edit, error_type), mends, words)
            for edit, error_type in zip(path.edits, types, strict=True)
        ]

    def bracket_errors(self, path: Path, mends: Mended) -> tuple[MendedError, ...]:
        """All wrong and missing brackets of a sentence, as `score` names them."""
        missing = [
            (self._of_gold(path, at), True, e) for at, e in mends.missing.items()
        ]
        extra = [(self._of_parsed(path, at), False, e) for at, e in mends.extra.items()]
        return tuple(
            MendedError(name, is_missing, edit + 1)
            for (name, _), is_missing, edit in (*missing, *extra)
        )

    def head_errors(
        self, tree: int, path: Path, mends: Mended
    ) -> tuple[MendedError, ...]:
        """The constructions that F-h counts as wrong, with the edits that mend them."""
        links = EditLinks(self._prepared, path, mends)
        missed, spurious = (s.wrong_heads(tree) for s in (self._gold, self._parsed))
        return (
            *(MendedError(name, True, links.of_gold(row)) for name, row in missed),
            *(MendedError(name, False, links.of_parsed(row)) for name, row in spurious),
        )

    def _target(
        self, path: Path, edit: Edit, node: int, mends: Mended, words: list[str]
    ) -> EditTarget:
        bench = path.bench
        governor = edit.new_parent if edit.operation == MOVE else edit.parent
        if edit.operation != REMOVE and edit.parents:
            partner = mends.partner.get(edit.parents[-1])
            if partner is not None:
                governor = SYMBOLS.name(bench.gold.label[partner])
        if bench.children[node] is None:
            tag = SYMBOLS.name(bench.label[node])
            return EditTarget(tag, words[bench.first[node]], governor)
        partner = mends.partner.get(node)
        if partner is not None:
            name, head = self._of_gold(path, partner)
        else:
            name, head = self._of_parsed(path, node)
        return EditTarget(name, "" if head < 0 else words[head], governor)

    def _of_gold(self, path: Path, node: int) -> tuple[str, int]:
        gold = path.bench.gold
        return self._gold.named(gold, node, gold.label[node])

    def _of_parsed(self, path: Path, node: int) -> tuple[str, int]:
        return self._parsed.named(path.parsed, node, path.bench.label[node])


def _principal(path: Path, edit: Edit, error_type: str) -> int:
    """The node that an edit is about: of several that move, what decided its type."""
    wanted = ATTACHMENTS.get(error_type, ())
    for node, label in zip(edit.targets, edit.children, strict=False):
        if edit.operation == MOVE and label in wanted:
            return node
    phrases = [node for node in edit.targets if path.bench.children[node] is not None]
    return phrases[0] if phrases else edit.targets[0]
