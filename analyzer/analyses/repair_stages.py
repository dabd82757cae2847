"""The trees that a search goes through: before and after each edit, to be drawn."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from analyzer.analyses.repair_records import Classifier, RepairedSentence
from analyzer.analyses.repairs import Repairs
from analyzer.editing.preparing import prepare_as_reference, prepare_for_evalb
from analyzer.editing.search import ADD, REMOVE, Edit, Path, repair
from analyzer.editing.workbench import FlatTree, Workbench
from analyzer.exceptions import SettingsError
from analyzer.formats.reading import read_trees
from analyzer.model.builder import TreebankBuilder
from analyzer.model.symbols import SYMBOLS
from analyzer.model.tree import Tree
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.words import align


class Stage(NamedTuple):
    """One edit: the tree before and after it, and the rows of the nodes meant."""

    step: int
    error_type: str
    edit: Edit
    before: Tree
    after: Tree
    before_marks: list[int]
    after_marks: list[int]

    @property
    def told(self) -> str:
        """The edit in words."""
        return step_text(self.step, self.error_type, self.edit)


class Snapshot(NamedTuple):
    """The tree of a search at one moment: its nodes, in pre-order."""

    row_of: dict[int, int]  # their place here, by their number in the search
    label: list[int]
    depth: list[int]
    is_leaf: list[bool]

    def tree(self, words: list[str]) -> Tree:
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


def stages(found: Repairs, sentence: RepairedSentence) -> list[Stage]:
    """The edits of a sentence, each with the trees before and after it.

    `found` is of `repairs(…, keep_trees=True)`.
    """
    if sentence.trees is None or found.deriver is None:
        raise SettingsError("trees were not kept: pass keep_trees=True", code="E554")
    gold, parsed = read_trees(sentence.trees.gold), read_trees(sentence.trees.parsed)
    pair = SentencePair(gold, parsed, 1)
    is_ours = found.classifier is Classifier.SPINAL
    if is_ours:
        tables = found.deriver.tables
        prepared = prepare_for_evalb(pair, tables, align(pair, tables))
    else:
        prepared = prepare_as_reference(pair)
    words = prepared.parsed.bank[0].words
    _, seen = watched(
        prepared.gold.trees()(0),
        prepared.parsed.trees()(0),
        tags_dissolve=not is_ours,
    )
    both = zip(pairwise(seen), pairwise(one.tree(words) for one in seen), strict=True)
    return [
        Stage(*one[:3], *trees, *marks(one.edit, *around))
        for one, (around, trees) in zip(sentence.repairs, both, strict=True)
    ]


def watched(
    gold: FlatTree, parsed: FlatTree, *, tags_dissolve: bool = False
) -> tuple[Path, list[Snapshot]]:
    """The edits of a sentence, and the tree before the first and after each."""
    seen: list[Snapshot] = []
    path = repair(
        gold,
        parsed,
        SYMBOLS.name,
        watch=lambda bench: seen.append(_snapshot(bench)),
        tags_dissolve=tags_dissolve,
    )
    return path, seen


def step_text(step: int, error_type: str, edit: Edit) -> str:
    """An edit of a sentence in words, with its number and type."""
    return f"{step}. {error_type}: {edit_text(edit)}"


def edit_text(edit: Edit) -> str:
    """What an edit does, in words.

    >>> edit_text(Edit("move", 3, 4, 6, ("PP",), parent="NP", new_parent="VP"))
    'move PP from NP to VP (3 brackets)'
    """
    brackets = "1 bracket" if edit.nodes == 1 else f"{edit.nodes} brackets"
    if edit.operation == "move":
        moved = " ".join(edit.children)
        more = f", add {edit.added}" if edit.added else ""
        told = f"move {moved} from {edit.parent} to {edit.new_parent}{more}"
    elif edit.operation == "relabel":
        told = f"relabel {edit.label} as {edit.new_label}"
    else:
        over = " ".join(edit.children)
        told = f"{edit.operation} {edit.label} over {over}"
    return f"{told} ({brackets})"


def marks(edit: Edit, before: Snapshot, after: Snapshot) -> tuple[list[int], list[int]]:
    """What an edit takes away, puts or moves: the rows before it, and after it."""
    new = [node for node in after.row_of if node not in before.row_of]
    gone = [node for node in before.row_of if node not in after.row_of]
    left = [] if edit.operation == ADD else [*edit.targets, *gone]
    right = [] if edit.operation == REMOVE else [*edit.targets, *new]
    return _rows(left, before), _rows(right, after)


def _rows(nodes: list[int], tree: Snapshot) -> list[int]:
    return sorted({tree.row_of[node] for node in nodes if node in tree.row_of})


def _snapshot(bench: Workbench) -> Snapshot:
    nodes: list[int] = []
    depths: list[int] = []
    # A root that stands for nothing is no part of the tree.
    is_nothing = bench.key[0] < 0 and not SYMBOLS.name(bench.label[0])
    pending, depth_of = [0], [-1 if is_nothing else 0]
    while pending:
        node, depth = pending.pop(), depth_of.pop()
        nodes.append(node)
        depths.append(depth)
        children = bench.children[node]
        if children:
            pending += children[::-1]
            depth_of += [depth + 1] * len(children)
    if is_nothing:
        del nodes[0], depths[0]
    return Snapshot(
        {node: row for row, node in enumerate(nodes)},
        [bench.label[node] for node in nodes],
        depths,
        [bench.children[node] is None for node in nodes],
    )
