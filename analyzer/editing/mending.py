"""Edits made again: which mends which bracket, trees with some of them, or one by one.

Every bracket error of a parse is mended by one edit: that which took the wrong bracket
away, or made it the one that gold has; that which added the missing one, or made
another that one. So the brackets of all edits are the errors of the parse, each once.

A tree in which only some errors are mended has the right brackets of the parse, the
wrong ones that are not mended, and the missing ones that are; but where a mended one
crosses a wrong one, the wrong one goes: gold is favoured, and the result is a tree.
The more is mended, the more brackets are right and the fewer are wrong, whatever the
order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from analyzer.editing.search import ADD, MOST_EDITS, MOVE, RELABEL, REMOVE, Edit, Path
from analyzer.editing.workbench import UNCOUNTED, FlatTree, child_lists, nodes_by
from analyzer.metrics.join import packed
from analyzer.model.arrays import Flags, Ids, Ints, begins, flags_at, ranges
from analyzer.model.symbols import SYMBOLS
from analyzer.model.tree import Tree
from analyzer.model.treebank import Treebank, TreebankBuilder
from analyzer.transform.pruning import depths

_NO_EDIT = -1  # of a bracket that is right
NO_STEP = 0  # of an error that no edit mends


class Mended(NamedTuple):
    """The bracket errors of a parse, and the edit that mends each (from 0)."""

    extra: dict[int, int]  # node of the parsed tree -> edit
    missing: dict[int, int]  # node of the gold tree -> edit
    partner: dict[int, int]  # node of the search's last tree -> node of gold


class MendedError(NamedTuple):
    """A bracket or a construction that is wrong or missing, and what mends it."""

    construction: str
    is_missing: bool
    step: int  # from 1; NO_STEP


def mended(path: Path) -> Mended:
    """Which edit of a complete path mends which bracket."""
    if not path.edits:
        return Mended({}, {}, {})
    bench = path.bench
    before, after = nodes_by(bench.first_key), nodes_by(bench.key)
    extra: dict[int, int] = {}
    for key, nodes in before.items():
        surplus = len(nodes) - len(bench.wanted.get(key, ()))
        if surplus > 0:
            # Of equal brackets, those are the extra ones that an edit touched.
            gone = [node for node in nodes if bench.key[node] != key]
            gone.sort(key=lambda node: _last_edit(path, node))
            extra |= {node: _last_edit(path, node) for node in gone[:surplus]}
    missing: dict[int, int] = {}
    partner: dict[int, int] = {}
    known = len(bench.first_key)
    for key, brackets in bench.wanted.items():
        nodes = after.get(key, [])
        if len(nodes) > 1:
            nodes.sort(key=bench.depth)
        partner.update(zip(nodes, brackets, strict=False))
        lacking = brackets[len(before.get(key, ())) :]
        if not lacking:
            continue
        new = [n for n in nodes if n >= known or bench.first_key[n] != key]
        new.sort(key=lambda node: bench.changed[node])
        for bracket, node in zip(lacking, new, strict=False):
            missing[bracket] = bench.changed[node]
    return Mended(extra, missing, partner)


def _last_edit(path: Path, node: int) -> int:
    """The edit that took a node away, or else the last that changed it."""
    bench = path.bench
    return bench.removed.get(node, bench.changed.get(node, 0))


class KeptTrees(NamedTuple):
    """Trees as they were compared, and which edit mends which of their brackets."""

    bank: Treebank
    edit: Ints  # per node: that takes it away, or adds it, from 0; or _NO_EDIT

    @classmethod
    def of(cls, bank: Treebank) -> KeptTrees:
        """The trees of a bank, which no edit mends so far; of words and nodes only."""
        plain = replace(bank, problems={}, mends={}, ids=(), edges=(), yields=None)
        return cls(plain, np.full(bank.label.size, _NO_EDIT))

    def note(self, tree: FlatTree, edits: Mapping[int, int]) -> None:
        """Write down the edits that mend nodes of a tree."""
        for node, edit in edits.items():
            self.edit[tree.row[node]] = edit

    @staticmethod
    def joined(parts: Sequence[KeptTrees]) -> KeptTrees:
        """The trees of several, one after the other."""
        edits = [np.zeros(0, np.int64), *(part.edit for part in parts)]
        bank = Treebank.join([part.bank for part in parts])
        return KeptTrees(bank, np.concatenate(edits))


class _Brackets(NamedTuple):
    """Brackets of trees, one tree after the other, each in pre-order."""

    tree: Ints
    label: Ints
    first: Ints  # words, from 0 in each tree
    last: Ints
    edit: Ints  # which takes it away, or adds it

    @classmethod
    def of(cls, kept: KeptTrees) -> _Brackets:
        bank = kept.bank
        row = np.flatnonzero(~bank.is_leaf)
        tree = bank.tree_of_node[row]
        before = bank.leaf_start[tree]
        first, last = bank.first[row] - before, bank.last[row] - before
        return cls(tree, bank.label[row].astype(np.int64), first, last, kept.edit[row])

    def only(self, rows: Ints | Flags) -> _Brackets:
        return _Brackets(*(column[rows] for column in self))

    def of_trees(self, trees: Ints) -> _Brackets:
        """Those of some trees, in this order; the trees are numbered anew."""
        starts = np.searchsorted(self.tree, trees)
        sizes = np.searchsorted(self.tree, trees, side="right") - starts
        brackets = self.only(ranges(starts, sizes))
        return brackets._replace(tree=np.arange(trees.size).repeat(sizes))

    def plus(self, other: _Brackets) -> _Brackets:
        return _Brackets(*map(np.concatenate, zip(self, other, strict=True)))


# A tree, by its number from 0, and which of its edits are made (from 0).
SomeEdits = tuple[int, Collection[int]]


class EditedTrees:
    """Parses in which only some edits are made, many at a time, as columns."""

    def __init__(self, gold: KeptTrees, parsed: KeptTrees) -> None:
        self._gold, self._parsed = _Brackets.of(gold), _Brackets.of(parsed)
        self._bank = parsed.bank

    def apply_edits(self, chosen: Sequence[SomeEdits]) -> Treebank:
        """The parses of these trees, each with some edits made."""
        trees = np.array([tree for tree, _ in chosen], np.int64)
        made = np.zeros((len(chosen), MOST_EDITS + 1), np.bool_)  # the last: _NO_EDIT
        sizes = [len(edits) for _, edits in chosen]
        each = [edit for _, edits in chosen for edit in edits]
        made[np.arange(len(chosen)).repeat(sizes), each] = True
        parsed = self._parsed.of_trees(trees)
        added = self._gold.of_trees(trees)
        added = added.only(made[added.tree, added.edit])
        goes = made[parsed.tree, parsed.edit]
        wrong = np.flatnonzero((parsed.edit != _NO_EDIT) & ~goes)
        goes[wrong[_cross(parsed.only(wrong), added)]] = True
        both = parsed.plus(added)
        order = np.lexsort((-both.last, both.first, both.tree))
        is_added = np.ones(added.tree.size, np.bool_)
        stays, touched = (np.append(side, is_added)[order] for side in (~goes, goes))
        brackets = both.only(order)
        rows = self._as_in_gold(brackets, trees, stays, touched)
        return self._tree_of(brackets.only(rows[stays]), trees)

    def _as_in_gold(
        self, brackets: _Brackets, trees: Ints, stays: Flags, touched: Flags
    ) -> Ints:
        """The rows of brackets in pre-order, also of those that do not stay.

        Brackets with the same words stand one above the other: as in the parse, and
        where something was mended there, in the order that gold has them. Those that
        gold has not stay where they are.
        """
        rows = np.arange(stays.size)
        columns = brackets.tree, brackets.first, brackets.last
        span = np.cumsum(np.logical_or.reduce([begins(column) for column in columns]))
        chained = np.bincount(span[stays], minlength=rows.size + 1) > 1
        chained &= np.bincount(span[touched], minlength=rows.size + 1) > 0
        asked, gold = rows[stays & chained[span]], self._gold
        if not asked.size or not gold.tree.size:
            return rows
        chains = brackets.only(asked)
        wanted, known = packed(
            [trees[chains.tree], chains.first, chains.last, chains.label],
            [gold.tree, gold.first, gold.last, gold.label],
        )
        order = np.argsort(known, kind="stable")
        at = np.minimum(np.searchsorted(known[order], wanted), known.size - 1)
        rank = order[at]  # the first that gold has of this label
        is_known = known[rank] == wanted
        asked = asked[is_known]
        rows[asked] = asked[np.lexsort((rank[is_known], span[asked]))]
        return rows

    def _tree_of(self, brackets: _Brackets, trees: Ints) -> Treebank:
        """The trees that have these brackets above the words of the parses."""
        parsed = self._bank
        words = np.diff(parsed.leaf_start)[trees]
        leaf_start = np.append(0, np.cumsum(words))
        leaf = ranges(parsed.leaf_start[trees], words)
        first = brackets.first + leaf_start[brackets.tree]
        last = brackets.last + leaf_start[brackets.tree]
        # A leaf comes after the brackets that begin with it.
        leaf_node = np.arange(leaf.size)
        leaf_node += np.searchsorted(first, leaf_node, side="right")
        row = np.arange(first.size) + first
        is_leaf = ~flags_at(row.size + leaf.size, row)

        def column(of_brackets: Ints | Ids, of_leaves: Ints | Ids) -> Ids:
            values = np.empty(is_leaf.size, np.int32)
            values[row], values[leaf_node] = of_brackets, of_leaves
            return values

        numbers = np.arange(leaf.size)
        firsts, lasts = column(first, numbers), column(last, numbers + 1)
        tags = parsed.label[parsed.leaf_node[leaf]]
        sizes = words + np.bincount(brackets.tree, minlength=trees.size)
        return Treebank.of_reader(
            label=column(brackets.label, tags),
            depth=depths(is_leaf, firsts, lasts, leaf.size),
            first=firsts,
            last=lasts,
            is_leaf=is_leaf,
            leaf_node=leaf_node,
            form_start=parsed.form_start[leaf],
            form_end=parsed.form_end[leaf],
            node_start=np.append(0, np.cumsum(sizes)),
            leaf_start=leaf_start,
            line=np.ones(trees.size, np.int64),
            text=parsed.text,
        )


def _cross(brackets: _Brackets, others: _Brackets) -> Flags:
    """Whether each bracket overlaps in part with one of the same tree's others."""
    starts = np.searchsorted(others.tree, brackets.tree)
    sizes = np.searchsorted(others.tree, brackets.tree, side="right") - starts
    own = np.arange(brackets.tree.size).repeat(sizes)
    first, last = brackets.first[own], brackets.last[own]
    _, _, start, end, _ = others.only(ranges(starts, sizes))
    crosses = (first < start) & (start < last) & (last < end)
    crosses |= (start < first) & (first < end) & (end < last)
    is_crossed = flags_at(brackets.tree.size, own[crosses])
    return is_crossed


# -- the trees that a search goes through, to be drawn --------------------------------


class Snapshot(NamedTuple):
    """The tree of a search at one moment: its nodes, in pre-order."""

    row_of: dict[int, int]  # their place here, by their number in the search
    label: list[int]
    depth: list[int]
    is_leaf: list[bool]

    def rows(self, nodes: list[int]) -> list[int]:
        """The places of nodes, of those that are here."""
        return sorted({self.row_of[node] for node in nodes if node in self.row_of})

    def tree(self, words: Sequence[str]) -> Tree:
        """As people see it."""
        builder = TreebankBuilder("edited")
        leaves = iter(words)
        is_open = 0
        for label, depth, is_leaf in zip(*self[1:], strict=True):
            for _ in range(depth, is_open):
                builder.close()
            is_open = depth
            if is_leaf:
                builder.leaf(SYMBOLS.name(label), next(leaves))
            else:
                builder.open(SYMBOLS.name(label))
                is_open += 1
        for _ in range(is_open):
            builder.close()
        builder.end_tree(line=1)
        return builder.finish()[0]


def replay(parsed: FlatTree, edits: Sequence[Edit]) -> Iterator[Snapshot]:
    """A parse before its first edit, and after each."""
    label, children = parsed.label.copy(), child_lists(parsed)
    counts = parsed.compared[0] != UNCOUNTED  # the root, as a bracket
    yield _snapshot(label, children, root_counts=counts)
    for edit in edits:
        if edit.operation == RELABEL:
            label[edit.targets[0]] = SYMBOLS.id(edit.new_label)
        elif edit.operation == REMOVE and not edit.parents:
            counts = False
        for node, inner in edit.shape:
            if node == len(label):
                label.append(SYMBOLS.id(edit.label or edit.added))
                children.append([])
            children[node] = list(inner)
        yield _snapshot(label, children, root_counts=counts)


def _snapshot(
    label: list[int], children: list[list[int] | None], *, root_counts: bool
) -> Snapshot:
    # A root that stands for nothing is no part of the tree.
    is_hidden = not root_counts and not SYMBOLS.name(label[0])
    nodes: dict[int, int] = {}
    depths: list[int] = []
    pending = [(0, -1 if is_hidden else 0)]
    while pending:
        node, depth = pending.pop()
        if depth >= 0:
            nodes[node] = len(nodes)
            depths.append(depth)
        pending += [(child, depth + 1) for child in reversed(children[node] or ())]
    labels = [label[node] for node in nodes]
    return Snapshot(nodes, labels, depths, [children[node] is None for node in nodes])


def edit_text(edit: Edit) -> str:
    """What an edit does, in words.

    >>> edit_text(Edit("move", 3, 4, 6, ("PP",), parent="NP", new_parent="VP"))
    'move PP from NP to VP (3 brackets)'
    """
    brackets = "1 bracket" if edit.nodes == 1 else f"{edit.nodes} brackets"
    children = " ".join(edit.children)
    if edit.operation == MOVE:
        more = f", add {edit.added}" if edit.added else ""
        text = f"move {children} from {edit.parent} to {edit.new_parent}{more}"
    elif edit.operation == RELABEL:
        text = f"relabel {edit.label} as {edit.new_label}"
    else:
        text = f"{edit.operation} {edit.label} over {children}"
    return f"{text} ({brackets})"


class Stage(NamedTuple):
    """One edit: the tree before and after it, and the rows of the nodes meant."""

    step: int
    text: str  # the edit in words, with its number and type
    edit: Edit
    before: Snapshot
    after: Snapshot
    before_marks: list[int]
    after_marks: list[int]
    words: Sequence[str]  # of the trees, if they are to be seen

    def trees(self) -> tuple[Tree, Tree]:
        """Before and after, as people see them."""
        return self.before.tree(self.words), self.after.tree(self.words)


def stages(
    parsed: FlatTree,
    edits: Sequence[Edit],
    types: Sequence[str],
    words: Sequence[str] = (),
) -> list[Stage]:
    """The edits of a sentence; `types` are theirs."""
    steps = []
    around = pairwise(replay(parsed, edits))
    each = zip(types, edits, around, strict=True)
    for step, (error_type, edit, (before, after)) in enumerate(each, start=1):
        new = [node for node in after.row_of if node not in before.row_of]
        gone = [node for node in before.row_of if node not in after.row_of]
        left = [] if edit.operation == ADD else [*edit.targets, *gone]
        right = [] if edit.operation == REMOVE else [*edit.targets, *new]
        text = f"{step}. {error_type}: {edit_text(edit)}"
        marks = before.rows(left), after.rows(right)
        steps.append(Stage(step, text, edit, before, after, *marks, words))
    return steps
