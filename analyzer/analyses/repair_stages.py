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
        return f"{self.step}. {self.error_type}: {edit_text(self.edit)}"


class Snapshot(NamedTuple):
    """The tree of a search at one moment."""

    tree: Tree
    row_of: dict[int, int]  # of nodes, by their number in the search


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
        words,
        tags_dissolve=not is_ours,
    )
    both = zip(sentence.repairs, pairwise(seen), strict=True)
    return [stage(one.step, one.error_type, one.edit, *trees) for one, trees in both]


def watched(
    gold: FlatTree, parsed: FlatTree, words: list[str], *, tags_dissolve: bool = False
) -> tuple[Path, list[Snapshot]]:
    """The edits of a sentence, and the tree before the first and after each."""
    seen: list[Snapshot] = []
    path = repair(
        gold,
        parsed,
        SYMBOLS.name,
        watch=lambda bench: seen.append(_snapshot(bench, words)),
        tags_dissolve=tags_dissolve,
    )
    return path, seen


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


def stage(
    step: int, error_type: str, edit: Edit, before: Snapshot, after: Snapshot
) -> Stage:
    """An edit with its trees; what it takes away, puts or moves is marked."""
    new = [node for node in after.row_of if node not in before.row_of]
    gone = [node for node in before.row_of if node not in after.row_of]
    left = [] if edit.operation == ADD else [*edit.targets, *gone]
    right = [] if edit.operation == REMOVE else [*edit.targets, *new]
    return Stage(
        step,
        error_type,
        edit,
        before.tree,
        after.tree,
        sorted({before.row_of[node] for node in left if node in before.row_of}),
        sorted({after.row_of[node] for node in right if node in after.row_of}),
    )


def _snapshot(bench: Workbench, words: list[str]) -> Snapshot:
    builder = TreebankBuilder("edited")
    row_of: dict[int, int] = {}
    pending: list[int | None] = [0]
    while pending:
        node = pending.pop()
        if node is None:
            builder.close()
            continue
        label, children = SYMBOLS.name(bench.label[node]), bench.children[node]
        is_nothing = node == 0 and bench.key[0] < 0 and not label
        if not is_nothing:
            row_of[node] = len(row_of)
        if children is None:
            builder.leaf(label, words[bench.first[node]])
            continue
        if not is_nothing:
            builder.open(label)
            pending.append(None)
        pending.extend(reversed(children))
    builder.end_tree(line=1)
    return Snapshot(builder.finish()[0], row_of)
