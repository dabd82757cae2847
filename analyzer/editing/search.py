"""From a parse to gold by edits: the greedy search of Kummerfeld et al. (2012, 2013).

While brackets are wrong, the edit that mends most of them is made: a relabelled, added
or removed bracket, or children moved to another one (docs/repairs.md). Each edit is
one error; the brackets that it mends are its *nodes*.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from analyzer.editing.moves import (
    FAR_LEFT,
    TO_LEFT,
    UP_LEFT,
    UP_RIGHT,
    Move,
    best_move,
)
from analyzer.editing.workbench import (
    FlatTree,
    GoldBracket,
    SearchTooLongError,
    Workbench,
)
from analyzer.model.symbols import SYMBOLS

MOST_EDITS = 100
RELABEL, ADD, REMOVE, MOVE = "relabel", "add", "remove", "move"


class Edit(NamedTuple):
    """One error, and how it is mended.

    Labels are those of the tree at that moment. Of a move, `label` is empty, `children`
    are the moved nodes, `parent` and `new_parent` where they are taken from and put;
    `lefts` and `rights` are their neighbours there, `new_lefts` and `new_rights` here.
    Otherwise `lefts` and `rights` are the neighbours of the bracket.
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
    lefts: tuple[str, ...] = ()
    rights: tuple[str, ...] = ()
    new_lefts: tuple[str, ...] = ()
    new_rights: tuple[str, ...] = ()
    added: str = ""  # the label of the bracket that a move adds
    # Then also: the label of the last bracket that is missing before it is added, and
    # whether it comes over a single node of its own label, beside what moved.
    last_lacking: str = ""
    is_over_same: bool = False
    # The words of the bracket, of its parent if it is removed, of the common ancestor
    # if nodes move.
    around: tuple[int, int] = (0, 0)
    # The nodes meant, by their number in the search: what was relabelled, added or
    # removed, or what moved; and the brackets that they are moved from and to.
    targets: tuple[int, ...] = ()
    parents: tuple[int, ...] = ()
    inner: tuple[int, ...] = ()  # the children of a bracket that is added or removed
    # While it is classified in Chinese: tags that differ, parsed and gold.
    confused: tuple[str, ...] = ()
    # Brackets whose children may change, and what these are then: to make it again.
    shape: tuple[tuple[int, tuple[int, ...]], ...] = ()

    @property
    def left(self) -> str:
        return self.lefts[-1] if self.lefts else ""

    @property
    def right(self) -> str:
        return self.rights[0] if self.rights else ""

    @property
    def new_left(self) -> str:
        return self.new_lefts[-1] if self.new_lefts else ""

    @property
    def new_right(self) -> str:
        return self.new_rights[0] if self.new_rights else ""


class EditTarget(NamedTuple):
    """What an edit is about, by our classifier: a construction as `score` names it."""

    construction: str = ""
    head: str = ""  # the word that heads it
    governor: str = ""  # the phrase that it stands in, in gold if gold has it


class Path(NamedTuple):
    """What a search found: all edits, or as many as it may make."""

    errors: int  # of brackets, before the first edit
    edits: list[Edit]
    is_complete: bool
    is_cut: bool  # whether it was given up, as it took too long
    parsed: FlatTree  # as it was
    bench: Workbench  # as it has become


def repair(
    gold: FlatTree,
    parsed: FlatTree,
    *,
    special: Mapping[int, str] | None = None,
    tags_dissolve: bool = False,
) -> Path:
    """The edits that turn a parse into gold, in the order in which they are made.

    `special` are terminals that edits name in another way; for `tags_dissolve` see
    `Workbench.would_dissolve`. If more than `MOST_EDITS` are needed, or if more than
    `MOST_LOOKED_AT` brackets would have to be looked at, the path is not complete.
    """
    bench = Workbench(gold, parsed, tags_dissolve=tags_dissolve)
    errors = bench.errors()
    editor = _Editor(bench, special or {})
    is_cut = False
    try:
        while (bench.missing or bench.surplus) and len(editor.edits) < MOST_EDITS:
            editor.step()
    except SearchTooLongError:
        is_cut = True
    is_complete = not bench.missing and not bench.surplus
    return Path(errors, editor.edits, is_complete, is_cut, parsed, bench)


class _Editor:
    """Chooses the next edit, makes it, and writes it down."""

    def __init__(self, bench: Workbench, special: Mapping[int, str]) -> None:
        self.bench = bench
        self.edits: list[Edit] = []
        self._special = special

    def step(self) -> None:
        """A relabel gains two, an add or a remove one: so they need not be tried."""
        wrong = self._relabelled()
        move = best_move(self.bench, 2 if wrong is None else 3)
        if move is not None:
            edit = self._move(move)
        elif wrong is not None:
            edit = self._relabel(*wrong)
        elif (bracket := self._to_add()) is not None:
            edit = self._add(bracket)
        else:
            edit = self._remove()
        self.edits.append(edit)

    # -- choices -----------------------------------------------------------------

    def _relabelled(self) -> tuple[int, GoldBracket] | None:
        """The first bracket with a wrong label, and what it should be."""
        bench = self.bench
        by_span: dict[int, list[int]] = {}
        for key in bench.surplus:
            by_span.setdefault(key // bench.classes, []).append(key)
        keys = [key for key in bench.missing if key // bench.classes in by_span]
        if not keys:
            return None
        bracket = min(bench.first_lacking(key) for key in keys)
        return bench.extra_in_order(by_span[bracket.key // bench.classes]), bracket

    def _to_add(self) -> GoldBracket | None:
        """The first missing bracket that crosses none of the tree's."""
        bench = self.bench
        lacking = sorted(bench.first_lacking(key) for key in bench.missing)
        return next(
            (bracket for bracket in lacking if not bench.crosses(bracket)), None
        )

    # -- edits -------------------------------------------------------------------

    def _relabel(self, node: int, bracket: GoldBracket) -> Edit:
        gold, label = self.bench.gold, self._label(node)
        to = gold.label[bracket.node], gold.compared[bracket.node]
        self.bench.relabel(node, *to, len(self.edits))
        edit = self._of_bracket(RELABEL, node, nodes=2)
        return edit._replace(label=label, new_label=edit.label, inner=())

    def _add(self, bracket: GoldBracket) -> Edit:
        return self._of_bracket(ADD, self.bench.add(bracket, len(self.edits)))

    def _remove(self) -> Edit:
        bench = self.bench
        first = min(key // bench.classes for key in bench.surplus)
        keys = [key for key in bench.surplus if key // bench.classes == first]
        node = bench.extra_in_order(keys)
        edit = self._of_bracket(REMOVE, node)
        bench.remove(node, len(self.edits))
        return edit

    def _of_bracket(self, operation: str, node: int, *, nodes: int = 1) -> Edit:
        bench = self.bench
        parent, inner = bench.parent[node], bench.child_list(node)
        siblings = bench.child_list(parent) if parent >= 0 else [node]
        at = siblings.index(node)
        lefts, rights = siblings[:at], siblings[at + 1 :]
        then = (*lefts, *inner, *rights) if operation == REMOVE else tuple(siblings)
        return Edit(
            operation,
            nodes,
            *self._span(node),
            self._labels(inner),
            label=self._label(node),
            parent=self._label(parent) if parent >= 0 else "",
            over_word=bench.over_word(node, wordless=operation != RELABEL),
            family=len(siblings),
            lefts=self._labels(lefts),
            rights=self._labels(rights),
            around=self._span(parent if operation == REMOVE and parent >= 0 else node),
            targets=(node,),
            parents=(parent,) if parent >= 0 else (),
            inner=tuple(inner),
            shape=((parent, then), (node, tuple(inner))) if parent >= 0 else (),
        )

    def _move(self, move: Move) -> Edit:
        bench, step = self.bench, len(self.edits)
        source, target = move.source, move.target
        children, goal = bench.child_list(source), bench.child_list(target)
        movers = children[move.left : move.right + 1]
        labels = self._label(source), self._label(target)
        lefts = self._labels(children[: move.left])
        rights = self._labels(children[move.right + 1 :])
        at = _place(bench, move, goal)
        end = at + len(movers)
        del children[move.left : move.right + 1]
        goal[at:at] = movers
        for child in movers:
            bench.parent[child] = target
        for node, key in move.changes:
            span = key // bench.classes
            bench.first[node], bench.last[node] = divmod(span, bench.width)
            bench.rekey(node, key, step)
        new_lefts, new_rights = self._labels(goal[:at]), self._labels(goal[end:])
        around = self._common(source, target)
        reshaped = [bench.parent[source], source, target]
        if move.dissolved >= 0:
            bench.dissolve(move.dissolved, step)
        added, last_lacking, is_over_same = "", "", False
        if move.added is not None:
            added, last_lacking = self._gold_label(move.added), self._last_lacking()
            is_over_same = self._is_over_same(move.added, goal, movers)
            node = bench.add(move.added, step)
            reshaped += [bench.parent[node], node]
        return Edit(
            MOVE,
            move.gain,
            move.first,
            move.last,
            self._labels(movers),
            parent=labels[0],
            new_parent=labels[1],
            lefts=lefts,
            rights=rights,
            new_lefts=new_lefts,
            new_rights=new_rights,
            added=added,
            last_lacking=last_lacking,
            is_over_same=is_over_same,
            around=around,
            targets=tuple(movers),
            parents=(source, target),
            shape=self._shape(reshaped),
        )

    def _gold_label(self, bracket: GoldBracket) -> str:
        return SYMBOLS.name(self.bench.gold.label[bracket.node])

    def _last_lacking(self) -> str:
        bench = self.bench
        lacking = [bench.gold_bracket(key, -1) for key in bench.missing]
        lacking.sort(reverse=True)
        return self._gold_label(
            next(bracket for bracket in lacking if not bench.crosses(bracket))
        )

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

    def _common(self, source: int, target: int) -> tuple[int, int]:
        """The words of the lowest bracket that holds both."""
        bench = self.bench
        first, last = self._span(source)
        while not (bench.first[target] <= first and last <= bench.last[target]):
            target = bench.parent[target]
        return self._span(target)

    def _span(self, node: int) -> tuple[int, int]:
        return self.bench.first[node], self.bench.last[node]

    def _shape(self, nodes: list[int]) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The children of nodes, as they are now."""
        children = self.bench.child_list
        return tuple([(node, tuple(children(node))) for node in nodes if node >= 0])

    def _labels(self, nodes: list[int]) -> tuple[str, ...]:
        return tuple([self._label(node) for node in nodes])

    def _label(self, node: int) -> str:
        return self._special.get(node) or SYMBOLS.name(self.bench.label[node])


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
