"""From a parse to gold by edits: the greedy search of Kummerfeld et al. (2012, 2013).

While brackets are wrong, the edit that mends most of them is made: a relabelled, added
or removed bracket, or children moved to another one (docs/repairs.md). Each edit is
one error; the brackets that it mends are its *nodes*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from analyzer.editing.gains import (
    FAR_LEFT,
    TO_LEFT,
    UP_LEFT,
    UP_RIGHT,
    Gain,
    Move,
)
from analyzer.editing.moves import best_move
from analyzer.editing.workbench import FlatTree, GoldBracket, Workbench

MOST_EDITS = 100
RELABEL, ADD, REMOVE, MOVE = "relabel", "add", "remove", "move"


class Edit(NamedTuple):
    """One error, and how it is mended.

    Labels are those of the tree at that moment. Of a move, `label` is empty, `children`
    are the moved nodes, `parent` and `new_parent` where they are taken from and put;
    `left` and `right` are their neighbours there, `new_left` and `new_right` here.
    Otherwise `left` and `right` are the neighbours of the bracket.
    """

    operation: str
    nodes: int  # how many bracket errors it mends
    first: int  # words of the sentence, those deleted left out, from 0; half-open
    last: int
    children: tuple[str, ...]
    label: str = ""
    new_label: str = ""  # of a relabelled bracket
    parent: str = ""
    new_parent: str = ""
    over_word: bool = False
    family: int = 0  # how many children the parent has
    left: str = ""
    right: str = ""
    new_left: str = ""
    new_right: str = ""
    added: str = ""  # the label of the bracket that a move adds
    # Then also: the label of the last bracket that is missing before it is added, and
    # whether it comes over a single node of its own label, beside what moved.
    last_lacking: str = ""
    is_over_same: bool = False
    # All neighbours, where it is taken from and where it is put; and the words of the
    # bracket, of its parent if it is removed, of the common ancestor if nodes move.
    lefts: tuple[str, ...] = ()
    rights: tuple[str, ...] = ()
    new_lefts: tuple[str, ...] = ()
    new_rights: tuple[str, ...] = ()
    around: tuple[int, int] = (0, 0)
    # The nodes meant, by their number in the search: what was relabelled, added or
    # removed, or what moved; and the brackets that they are moved from and to.
    targets: tuple[int, ...] = ()
    parents: tuple[int, ...] = ()
    inner: tuple[int, ...] = ()  # the children of a bracket that is added or removed


class Path(NamedTuple):
    """What a search found: all edits, or as many as it may make."""

    errors: int  # of brackets, before the first edit
    edits: list[Edit]
    is_complete: bool
    parsed: FlatTree  # as it was
    bench: Workbench  # as it has become


Watch = Callable[[Workbench], None]


def repair(
    gold: FlatTree,
    parsed: FlatTree,
    name: Callable[[int], str],
    *,
    most: int = MOST_EDITS,
    watch: Watch | None = None,
    special: Mapping[int, str] | None = None,
    tags_dissolve: bool = False,
) -> Path:
    """The edits that turn a parse into gold, in the order in which they are made.

    `name` gives the name of a label; `watch` sees the tree before the first edit and
    after each; `special` are terminals that edits name in another way; for
    `tags_dissolve` see `Workbench.would_dissolve`. If more than `most` edits are needed
    the path is not complete.
    """
    bench = Workbench(gold, parsed, tags_dissolve=tags_dissolve)
    errors = bench.errors()
    editor = _Editor(bench, name, special or {})
    if watch:
        watch(bench)
    while bench.missing or bench.surplus:
        if len(editor.edits) == most:
            return Path(errors, editor.edits, False, parsed, bench)
        editor.step()
        if watch:
            watch(bench)
    return Path(errors, editor.edits, True, parsed, bench)


class _Editor:
    """Chooses the next edit, makes it, and writes it down."""

    def __init__(
        self, bench: Workbench, name: Callable[[int], str], special: Mapping[int, str]
    ) -> None:
        self.bench = bench
        self.edits: list[Edit] = []
        self._name = name
        self._special = special

    def step(self) -> None:
        """A relabel gains two, an add or a remove one: so they need not be tried."""
        bench = self.bench
        wrong = self._relabelled()
        found = best_move(bench, 2 if wrong is None else 3)
        if found is not None:
            self._move(*found)
        elif wrong is not None:
            self._relabel(*wrong)
        elif (bracket := self._to_add()) is not None:
            self._add(bracket)
        else:
            self._remove()

    # -- choices -----------------------------------------------------------------

    def _relabelled(self) -> tuple[int, GoldBracket] | None:
        """The first bracket with a wrong label, and what it should be."""
        bench = self.bench
        by_span: dict[int, list[int]] = {}
        for key in bench.surplus:
            by_span.setdefault(key // bench.classes, []).append(key)
        found = [
            bench.first_lacking(key)
            for key in bench.missing
            if key // bench.classes in by_span
        ]
        if not found:
            return None
        bracket = min(found, key=lambda one: one.place)
        keys = by_span[bracket.key // bench.classes]
        return bench.extra_in_order(keys), bracket

    def _to_add(self) -> GoldBracket | None:
        """The first missing bracket that crosses none of the tree's."""
        bench = self.bench
        lacking = [bench.first_lacking(key) for key in bench.missing]
        lacking.sort(key=lambda one: one.place)
        return next((one for one in lacking if not bench.crosses(one)), None)

    # -- edits -------------------------------------------------------------------

    def _relabel(self, node: int, bracket: GoldBracket) -> None:
        bench = self.bench
        gold = bench.gold
        label = self._label(node)
        bench.relabel(
            node,
            gold.label[bracket.node],
            gold.compared[bracket.node],
            len(self.edits),
        )
        edit = self._of_bracket(RELABEL, node, nodes=2)
        self.edits.append(edit._replace(label=label, new_label=self._label(node)))

    def _add(self, bracket: GoldBracket) -> None:
        node = self.bench.add(bracket, len(self.edits))
        self.edits.append(self._of_bracket(ADD, node))

    def _remove(self) -> None:
        bench = self.bench
        first = min(key // bench.classes for key in bench.surplus)
        keys = [key for key in bench.surplus if key // bench.classes == first]
        node = bench.extra_in_order(keys)
        self.edits.append(self._of_bracket(REMOVE, node))
        bench.remove(node, len(self.edits) - 1)

    def _of_bracket(self, operation: str, node: int, *, nodes: int = 1) -> Edit:
        bench = self.bench
        parent = bench.parent[node]
        siblings = bench.child_list(parent) if parent >= 0 else [node]
        at = siblings.index(node)
        return Edit(
            operation,
            nodes,
            bench.first[node],
            bench.last[node],
            tuple(self._label(child) for child in bench.child_list(node)),
            label=self._label(node),
            parent=self._label(parent) if parent >= 0 else "",
            over_word=bench.over_word(node, wordless=operation != RELABEL),
            family=len(siblings),
            left=self._at(siblings, at - 1),
            right=self._at(siblings, at + 1),
            lefts=self._labels(siblings[:at]),
            rights=self._labels(siblings[at + 1 :]),
            around=self._span(parent if operation == REMOVE and parent >= 0 else node),
            targets=(node,),
            parents=(parent,) if parent >= 0 else (),
            inner=() if operation == RELABEL else tuple(bench.child_list(node)),
        )

    def _move(self, move: Move, gain: Gain) -> None:
        bench, step = self.bench, len(self.edits)
        source, target = move.source, move.target
        children, goal = bench.child_list(source), bench.child_list(target)
        movers = children[move.left : move.right + 1]
        left, right = (
            self._at(children, move.left - 1),
            self._at(children, move.right + 1),
        )
        labels = self._label(source), self._label(target)
        lefts = self._labels(children[: move.left])
        rights = self._labels(children[move.right + 1 :])
        at = _place(bench, move, goal)
        del children[move.left : move.right + 1]
        goal[at:at] = movers
        for child in movers:
            bench.parent[child] = target
        for node, key in move.changes:
            span = key // bench.classes
            bench.first[node], bench.last[node] = divmod(span, bench.width)
            bench.rekey(node, key, step)
        end = at + len(movers)
        around = self._at(goal, at - 1), self._at(goal, end)
        new_lefts, new_rights = self._labels(goal[:at]), self._labels(goal[end:])
        words = self._common(source, target)
        if move.dissolved >= 0:
            bench.dissolve(move.dissolved, step)
        last_lacking, is_over_same = "", False
        if gain.added is not None:
            last_lacking = self._last_lacking()
            is_over_same = self._is_over_same(gain.added, goal, movers)
            bench.add(gain.added, step)
        self.edits.append(
            Edit(
                MOVE,
                gain.size,
                move.first,
                move.last,
                tuple(self._label(child) for child in movers),
                parent=labels[0],
                new_parent=labels[1],
                left=left,
                right=right,
                new_left=around[0],
                new_right=around[1],
                lefts=lefts,
                rights=rights,
                new_lefts=new_lefts,
                new_rights=new_rights,
                around=words,
                added="" if gain.added is None else self._added_label(gain.added),
                last_lacking=last_lacking,
                is_over_same=is_over_same,
                targets=tuple(movers),
                parents=(source, target),
            )
        )

    def _added_label(self, bracket: GoldBracket) -> str:
        return self._name(self.bench.gold.label[bracket.node])

    def _last_lacking(self) -> str:
        bench = self.bench
        lacking = [bench.gold_bracket(key, -1) for key in bench.missing]
        lacking.sort(reverse=True)
        found = (one for one in lacking if not bench.crosses(one))
        return self._added_label(next(found))

    def _is_over_same(
        self, added: GoldBracket, goal: list[int], movers: list[int]
    ) -> bool:
        bench = self.bench
        inner = [
            node
            for node in goal
            if added.first < bench.first[node]
            and bench.last[node] < added.last
            and node not in movers
        ]
        label = bench.gold.label[added.node]
        return len(inner) == 1 and bench.label[inner[0]] == label

    def _labels(self, nodes: list[int]) -> tuple[str, ...]:
        return tuple(self._label(node) for node in nodes)

    def _span(self, node: int) -> tuple[int, int]:
        return self.bench.first[node], self.bench.last[node]

    def _common(self, source: int, target: int) -> tuple[int, int]:
        """The words of the lowest bracket that holds both."""
        first, last = self._span(source)
        while not (
            self.bench.first[target] <= first and last <= self.bench.last[target]
        ):
            target = self.bench.parent[target]
        return self._span(target)

    def _label(self, node: int) -> str:
        if node in self._special:
            return self._special[node]
        return self._name(self.bench.label[node])

    def _at(self, nodes: list[int], at: int) -> str:
        """The label of the node there; empty where there is none."""
        return self._label(nodes[at]) if 0 <= at < len(nodes) else ""


def _place(bench: Workbench, move: Move, goal: list[int]) -> int:
    """Where in the target's children the moved ones keep the order of the words."""
    if move.slot in (TO_LEFT, FAR_LEFT):
        return len(goal)
    if move.slot in (UP_LEFT, UP_RIGHT):
        inner = move.source
        while bench.parent[inner] != move.target:
            inner = bench.parent[inner]
        return goal.index(inner) + (move.slot == UP_RIGHT)
    return 0
