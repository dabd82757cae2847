"""The best move of a tree: children of one bracket that should be another's.

A candidate (source, left, right, target) makes the children left to right of the
source children of the target (docs/repairs.md). Its gain follows from the keys of the
brackets that it changes, those between the two nodes and their lowest common ancestor;
no tree is built. Nor are all candidates looked at: a gain of two takes a bracket that
becomes a missing one by growing or shrinking, or one that dissolves. So the search
starts from these brackets, and what it takes grows with the errors of a sentence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from analyzer.editing.gains import (
    FAR_LEFT,
    FAR_RIGHT,
    TO_LEFT,
    TO_RIGHT,
    UP_LEFT,
    UP_RIGHT,
    BestMove,
    Gain,
    Move,
)
from analyzer.editing.workbench import Workbench


def best_move(bench: Workbench, least: int) -> tuple[Move, Gain] | None:
    """The first of the moves with the largest gain, if that is `least` or more."""
    if not bench.missing:
        return None  # nothing can become right, and to dissolve a bracket gains one
    best = BestMove(bench, least)
    moves = _Moves(bench, best)
    moves.by_brackets_made_right()
    if best.least <= 2:
        moves.by_brackets_dissolved()
    return best.found


class _Moves:
    """The moves that might gain enough."""

    def __init__(self, bench: Workbench, best: BestMove) -> None:
        self.bench = bench
        self._consider = best.consider
        surplus = bench.surplus
        self._extra = [node for node, key in enumerate(bench.key) if key in surplus]
        self._ending: dict[int, list[int]] = {}  # last word -> extra nodes
        self._starting: dict[int, list[int]] = {}
        for node in self._extra:
            self._ending.setdefault(bench.last[node], []).append(node)
            self._starting.setdefault(bench.first[node], []).append(node)
        # Missing brackets by their first word and class, and by their last.
        self._lasts: dict[int, list[int]] = {}
        self._firsts: dict[int, list[int]] = {}
        classes, width = bench.classes, bench.width
        for key in bench.missing:
            span, compared = divmod(key, classes)
            first, last = divmod(span, width)
            self._lasts.setdefault(first * classes + compared, []).append(last)
            self._firsts.setdefault(last * classes + compared, []).append(first)

    # -- where to look -----------------------------------------------------------

    def by_brackets_made_right(self) -> None:
        """Moves by which a bracket gets the words of a missing one."""
        bench = self.bench
        first, last = bench.first, bench.last
        lasts, firsts = self._lasts, self._firsts
        for node in [n for n, key in enumerate(bench.start_key) if key in lasts]:
            for end in lasts[bench.start_key[node]]:
                if end > last[node]:
                    self._grow(node, end, to_right=True)
                elif end < last[node]:
                    self._shrink(node, end, from_left=False)
        for node in [n for n, key in enumerate(bench.end_key) if key in firsts]:
            for start in firsts[bench.end_key[node]]:
                if start < first[node]:
                    self._grow(node, start, to_right=False)
                elif start > first[node]:
                    self._shrink(node, start, from_left=True)

    def _grow(self, grown: int, cut: int, *, to_right: bool) -> None:
        """a to d: words from beyond an end of the bracket become part of it."""
        bench = self.bench
        edge = bench.last if to_right else bench.first
        at = edge[grown]
        targets = list(self._extra_at_edge(grown, is_left=not to_right))
        if not targets:
            return
        source = bench.parent[grown]
        while source >= 0 and edge[source] == at:
            source = bench.parent[source]
        if source < 0:
            return
        children = bench.child_list(source)
        other = bisect_left(children, cut, key=edge.__getitem__)
        if other < len(children) and edge[children[other]] == cut:
            place = bisect_left(children, at, key=edge.__getitem__)
            left, right = (place + 1, other) if to_right else (other, place - 1)
            slot = TO_LEFT if to_right else TO_RIGHT
            if left <= right:
                for target in targets:
                    self._consider(source, left, right, target, slot, (at, cut))
        beside = (self._starting if to_right else self._ending).get(at, ())
        slot = FAR_LEFT if to_right else FAR_RIGHT
        for source in beside:
            span = self._span_to_leave(source, cut, is_left=to_right)
            if span:
                for target in targets:
                    self._consider(source, *span, target, slot, (at, cut))

    def _shrink(self, shrunk: int, cut: int, *, from_left: bool) -> None:
        """c to f: words at an end of the bracket leave it."""
        bench = self.bench
        at = (bench.first if from_left else bench.last)[shrunk]
        far = (self._ending if from_left else self._starting).get(at, ())
        far_slot = FAR_LEFT if from_left else FAR_RIGHT
        up_slot = UP_LEFT if from_left else UP_RIGHT
        for source in self._extra_at_edge(shrunk, is_left=from_left):
            span = self._span_to_leave(source, cut, is_left=from_left)
            if span is None:
                continue
            for target in far:
                self._consider(source, *span, target, far_slot, (at, cut))
            for target in self._above(source, shrunk, is_left=from_left):
                self._consider(source, *span, target, up_slot, (at, cut))

    def by_brackets_dissolved(self) -> None:
        """Moves that leave a bracket over one child of its own label, which goes."""
        bench = self.bench
        for node in self._extra:
            for is_left in (True, False):
                self._into_only_child(node, to_right=is_left)
                children = bench.child_list(node)
                rest = children[-1] if is_left else children[0]
                if len(children) < 2 or not node:
                    continue
                if not bench.would_dissolve(rest, node):
                    continue
                span = (0, len(children) - 2) if is_left else (1, len(children) - 1)
                at, cut = bench.first[node], bench.first[rest]
                if not is_left:
                    at, cut = bench.last[node], bench.last[rest]
                far = (self._ending if is_left else self._starting).get(at, ())
                slot = FAR_LEFT if is_left else FAR_RIGHT
                for target in far:
                    self._consider(node, *span, target, slot, (at, cut))
                slot = UP_LEFT if is_left else UP_RIGHT
                for target in self._above(node, node, is_left=is_left):
                    self._consider(node, *span, target, slot, (at, cut))

    def _into_only_child(self, target: int, *, to_right: bool) -> None:
        """a and b: all other children of a bracket become part of the first or last."""
        bench = self.bench
        edge = bench.last if to_right else bench.first
        at = edge[target]
        top, source = target, bench.parent[target]
        while source >= 0 and edge[source] == at:
            top, source = source, bench.parent[source]
        if source < 0 or bench.compared[top] != bench.compared[source]:
            return
        children = bench.child_list(source)
        last = len(children) - 1
        if to_right and children[0] == top:
            self._consider(source, 1, last, target, TO_LEFT, (at, bench.last[source]))
        elif not to_right and children[last] == top:
            cut = bench.first[source]
            self._consider(source, 0, last - 1, target, TO_RIGHT, (at, cut))

    # -- neighbours --------------------------------------------------------------

    def _extra_at_edge(self, node: int, *, is_left: bool) -> Iterator[int]:
        """The extra brackets that begin (or end) with this one, from it downwards."""
        key, surplus, children = self.bench.key, self.bench.surplus, self.bench.children
        at = 0 if is_left else -1
        while (inner := children[node]) is not None:
            if key[node] in surplus:
                yield node
            node = inner[at]

    def _span_to_leave(
        self, source: int, cut: int, *, is_left: bool
    ) -> tuple[int, int] | None:
        """The first children of a bracket up to a word, or the last from a word on."""
        bench = self.bench
        children = bench.child_list(source)
        count = len(children)
        if is_left:
            at = bisect_left(children, cut, key=bench.last.__getitem__)
            if source and at < count - 1 and bench.last[children[at]] == cut:
                return 0, at
            return None
        at = bisect_left(children, cut, key=bench.first.__getitem__)
        if source and 0 < at < count and bench.first[children[at]] == cut:
            return at, count - 1
        return None

    def _above(self, source: int, below: int, *, is_left: bool) -> Iterator[int]:
        """e and f: the brackets above `below` that children of the source can go to."""
        bench = self.bench
        edge = bench.first if is_left else bench.last
        parent, at = bench.parent, edge[source]
        is_above = source == below
        node = parent[source]
        while node > 0 and (node == parent[source] or edge[node] == at):
            if is_above:
                yield node
            is_above = is_above or node == below
            node = parent[node]
