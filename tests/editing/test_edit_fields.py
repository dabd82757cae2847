"""What an edit says of itself is so in the trees before and after it."""

from __future__ import annotations

import warnings

from hypothesis import Phase, given, settings

from analyzer import repairs
from analyzer.editing.mending import Snapshot, Stage
from analyzer.editing.search import ADD, MOVE, RELABEL, REMOVE
from analyzer.model.symbols import SYMBOLS
from tests.support.data_paths import WEB_PAIR
from tests.support.edited_trees import tree_pairs
from tests.support.examples import some
from tests.support.strategies import Plain, one_line


class Shape:
    """A snapshot with parents, children and spans of its nodes."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.parent: dict[int, int] = {}
        self.children: dict[int, list[int]] = {}
        self.span: dict[int, tuple[int, int]] = {}
        self.label = {
            node: SYMBOLS.name(snapshot.label[row])
            for node, row in snapshot.row_of.items()
        }
        node_at = {row: node for node, row in snapshot.row_of.items()}
        path: list[int] = []
        word = 0
        for row in range(len(snapshot.label)):
            node = node_at[row]
            path[snapshot.depth[row] :] = [node]
            self.children[node] = []
            self.span[node] = (word, word)
            if len(path) > 1:
                self.parent[node] = path[-2]
                self.children[path[-2]].append(node)
            word += snapshot.is_leaf[row]
            for above in path:
                self.span[above] = (self.span[above][0], word)

    def labels(self, nodes: list[int]) -> tuple[str, ...]:
        return tuple(self.label[node] for node in nodes)

    def above(self, node: int) -> list[int]:
        """The node and all that hold it."""
        return [node, *self.above(self.parent[node])] if node in self.parent else [node]

    def beside(self, node: int, last: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The labels of the siblings left of a node, and right of the last."""
        siblings = self.children[self.parent[node]]
        at, end = siblings.index(node), siblings.index(last) + 1
        return self.labels(siblings[:at]), self.labels(siblings[end:])


def check(stage: Stage) -> None:
    edit, before, after = stage.edit, Shape(stage.before), Shape(stage.after)
    node = edit.targets[0]
    if edit.operation == RELABEL:
        assert (before.label[node], after.label[node]) == (edit.label, edit.new_label)
    if edit.operation == MOVE:
        check_move(stage, before, after)
        return
    there = after if edit.operation == ADD else before
    parent = there.parent[node]
    assert there.labels(there.children[node]) == edit.children
    assert there.span[node] == (edit.first, edit.last)
    assert there.beside(node, node) == (edit.lefts, edit.rights)
    assert (there.label[node], there.label[parent]) == (edit.label, edit.parent)
    assert edit.family == len(there.children[parent])
    around = parent if edit.operation == REMOVE else node
    assert there.span[around] == edit.around
    assert (node in before.label) == (edit.operation != ADD)
    assert (node in after.label) == (edit.operation != REMOVE)


def check_move(stage: Stage, before: Shape, after: Shape) -> None:
    edit = stage.edit
    movers, (source, target) = list(edit.targets), edit.parents
    assert before.labels(movers) == edit.children
    assert [before.parent[node] for node in movers] == [source] * len(movers)
    assert before.beside(movers[0], movers[-1]) == (edit.lefts, edit.rights)
    assert (before.label[source], before.label[target]) == (
        edit.parent,
        edit.new_parent,
    )
    assert before.span[movers[0]][0] == edit.first
    assert before.span[movers[-1]][1] == edit.last
    shared = [node for node in before.above(target) if node in before.above(source)]
    assert before.span[shared[0]] == edit.around
    new = [node for node in after.label if node not in before.label]
    assert len(new) <= 1
    assert "".join(after.labels(new)) == edit.added  # its label may be empty
    if target in after.label and not new:
        assert after.beside(movers[0], movers[-1]) == (edit.new_lefts, edit.new_rights)
        assert {after.parent[node] for node in movers} == {target}


def check_all(gold: object, parsed: object, classifier: str) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = repairs(gold, parsed, classifier=classifier, keep_trees=True)  # type: ignore[arg-type]
    checked = 0
    for sentence in found.sentences:
        for stage in found.stages(sentence):
            if not stage.edit.parents and stage.edit.operation != MOVE:
                break  # roots are drawn though they are gone
            check(stage)
            checked += 1
    return checked


def test_edits_of_the_sample() -> None:
    assert check_all(*WEB_PAIR, "kummerfeld") > 40
    assert check_all(*WEB_PAIR, "spinal") > 40


@settings(deadline=None, max_examples=some(40), phases=[Phase.generate])
@given(tree_pairs())
def test_edits_of_random_trees(pairs: list[tuple[list[Plain], list[Plain]]]) -> None:
    single = [pair for pair in pairs if all(len(side) == 1 for side in pair)]
    sides = [
        [" ".join(map(one_line, pair[side])) for pair in single] for side in (0, 1)
    ]
    if single:
        check_all(*sides, "kummerfeld")
