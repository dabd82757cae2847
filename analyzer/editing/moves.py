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
from typing import NamedTuple

from analyzer.editing.workbench import GoldBracket, Workbench

# The six ways to find a target, a to f.
TO_LEFT, TO_RIGHT, FAR_LEFT, FAR_RIGHT, UP_LEFT, UP_RIGHT = range(6)

_Changes = list[tuple[int, int]]  # brackets and their new keys
_Range = tuple[int, int]  # of children, or words


class Move(NamedTuple):
    """What a move does, and what it gains."""

    source: int
    left: int
    right: int
    target: int
    first: int  # the words that move
    last: int
    slot: int
    changes: _Changes
    dissolved: int  # the child of the source that goes, or -1
    gain: int
    added: GoldBracket | None  # the bracket that is added with it


def best_move(bench: Workbench, least: int) -> Move | None:
    """The first of the moves with the largest gain, if that is `least` or more."""
    if not bench.missing:
        return None  # nothing can become right, and to dissolve a bracket gains one
    moves = _Moves(bench, least)
    moves.by_brackets_made_right()
    if moves.least <= 2:
        moves.by_brackets_dissolved()
    return moves.best


class _Moves:
    """The moves that might gain enough, and the best of them."""

    def __init__(self, bench: Workbench, least: int) -> None:
        self.bench = bench
        self.best: Move | None = None
        self.least = least
        self._order: tuple[int, ...] = ()  # of the best
        self._seen: set[tuple[int, int, int, int, int]] = set()
        surplus = bench.surplus
        self._extra = [node for node, key in enumerate(bench.key) if key in surplus]
        self._ending: dict[int, list[int]] = {}  # last word -> extra nodes
        self._starting: dict[int, list[int]] = {}
        for node in self._extra:
            self._ending.setdefault(bench.last[node], []).append(node)
            self._starting.setdefault(bench.first[node], []).append(node)
        # Missing brackets by their first word, by it and their class, by their last.
        self._missing_from: dict[int, list[int]] = {}
        self._lasts: dict[int, list[int]] = {}
        self._firsts: dict[int, list[int]] = {}
        classes, width = bench.classes, bench.width
        for key in bench.missing:
            span, compared = divmod(key, classes)
            first, last = divmod(span, width)
            self._missing_from.setdefault(first, []).append(key)
            self._lasts.setdefault(first * classes + compared, []).append(last)
            self._firsts.setdefault(last * classes + compared, []).append(first)

    # -- where to look -----------------------------------------------------------

    def by_brackets_made_right(self) -> None:
        """Moves by which a bracket gets the words of a missing one."""
        bench = self.bench
        first, last = bench.first, bench.last
        lasts, firsts = self._lasts, self._firsts
        for node in [n for n, key in enumerate(bench.start_key) if key in lasts]:
            bench.look_at(len(lasts[bench.start_key[node]]))
            for end in lasts[bench.start_key[node]]:
                if end > last[node]:
                    self._grow(node, end, to_right=True)
                elif end < last[node]:
                    self._shrink(node, end, is_left=False)
        for node in [n for n, key in enumerate(bench.end_key) if key in firsts]:
            bench.look_at(len(firsts[bench.end_key[node]]))
            for start in firsts[bench.end_key[node]]:
                if start < first[node]:
                    self._grow(node, start, to_right=False)
                elif start > first[node]:
                    self._shrink(node, start, is_left=True)

    def _grow(self, grown: int, cut: int, *, to_right: bool) -> None:
        """a to d: words from beyond an end of the bracket become part of it."""
        bench = self.bench
        edge = bench.last if to_right else bench.first
        at = edge[grown]
        sources: list[tuple[int, _Range, int]] = []
        source = bench.layout.divided[at]  # where the bracket ends and the words are
        if edge[source] == cut or bench.layout.divided[cut] == source:
            children = bench.child_list(source)
            other = bisect_left(children, cut, key=edge.__getitem__)
            place = bisect_left(children, at, key=edge.__getitem__)
            span = (place + 1, other) if to_right else (other, place - 1)
            sources.append((source, span, TO_LEFT if to_right else TO_RIGHT))
        beside = self._to_leave(at, cut, is_left=to_right)
        if beside:
            sources.append((*beside, FAR_LEFT if to_right else FAR_RIGHT))
        if sources:
            targets = self._extra_at_edge(grown, is_left=not to_right)
            for source, span, slot in sources:
                for target in targets:
                    self._consider(source, span, target, slot, (at, cut))

    def _shrink(self, shrunk: int, cut: int, *, is_left: bool) -> None:
        """c to f: words at an end of the bracket leave it."""
        first, last = self.bench.first, self.bench.last
        at = (first if is_left else last)[shrunk]
        leaving = self._to_leave(at, cut, is_left=is_left)
        if leaving:
            source, span = leaving
            if first[shrunk] <= first[source] and last[source] <= last[shrunk]:
                self._leave(source, span, shrunk, (at, cut), is_left=is_left)

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
                edge = bench.first if is_left else bench.last
                self._leave(node, span, node, (edge[node], edge[rest]), is_left=is_left)

    def _into_only_child(self, target: int, *, to_right: bool) -> None:
        """a and b: all other children of a bracket become part of the first or last."""
        bench = self.bench
        edge = bench.last if to_right else bench.first
        at = edge[target]
        source = bench.layout.divided[at]
        children = bench.child_list(source)
        last = len(children) - 1
        top = children[0 if to_right else last]
        if edge[top] != at or edge[source] == at:
            return  # it is not the first (or last), or there are no others
        if bench.compared[top] != bench.compared[source]:
            return
        words = at, edge[source]
        if to_right:
            self._consider(source, (1, last), target, TO_LEFT, words)
        else:
            self._consider(source, (0, last - 1), target, TO_RIGHT, words)

    def _leave(
        self, source: int, span: _Range, below: int, words: _Range, *, is_left: bool
    ) -> None:
        """c to f: children at an end of a bracket go beside it, or up."""
        slot = FAR_LEFT if is_left else FAR_RIGHT
        for target in (self._ending if is_left else self._starting).get(words[0], ()):
            self._consider(source, span, target, slot, words)
        slot = UP_LEFT if is_left else UP_RIGHT
        for target in self._above(source, below, is_left=is_left):
            self._consider(source, span, target, slot, words)

    # -- neighbours --------------------------------------------------------------

    def _extra_at_edge(self, node: int, *, is_left: bool) -> list[int]:
        """The extra brackets that begin (or end) with this one, from it downwards."""
        key, surplus, children = self.bench.key, self.bench.surplus, self.bench.children
        at = 0 if is_left else -1
        chain = []
        while (inner := children[node]) is not None:
            chain.append(node)
            node = inner[at]
        self.bench.look_at(len(chain))
        return [node for node in chain if key[node] in surplus]

    def _to_leave(
        self, at: int, cut: int, *, is_left: bool
    ) -> tuple[int, _Range] | None:
        """The extra bracket that begins (or ends) at one word and has a child that ends
        (or begins) at the other, and its children between them."""
        bench = self.bench
        source = bench.layout.divided[cut]
        own, edge = bench.first, bench.last
        if not is_left:
            own, edge = edge, own
        if not source or own[source] != at or bench.key[source] not in bench.surplus:
            return None
        children = bench.child_list(source)
        place = bisect_left(children, cut, key=edge.__getitem__)
        return source, (0, place) if is_left else (place, len(children) - 1)

    def _above(self, source: int, below: int, *, is_left: bool) -> Iterator[int]:
        """e and f: the brackets above `below` that children of the source can go to."""
        bench = self.bench
        edge = bench.first if is_left else bench.last
        parent, at = bench.parent, edge[source]
        is_above = source == below
        node = parent[source]
        while node > 0 and (node == parent[source] or edge[node] == at):
            bench.look_at(1)
            if is_above:
                yield node
            is_above = is_above or node == below
            node = parent[node]

    # -- what it gains -----------------------------------------------------------

    def _consider(
        self, source: int, span: _Range, target: int, slot: int, words: _Range
    ) -> None:
        """Keep a candidate if it gains more than the best, or as much and is earlier.

        `words` are the position that it leaves or is joined at, and the other end.
        """
        left, right = span
        candidate = (source, left, right, target, slot)
        if candidate in self._seen:
            return
        self._seen.add(candidate)
        rest = self._dissolved(source, left, right)
        changes = self._changes(source, target, slot, words)
        self.bench.look_at(1 + len(changes))
        if self._at_best(changes) + (rest >= 0) + 1 < self.least:
            return
        gain, delta = self._size(source, changes, rest)
        first, last = min(words), max(words)
        added = None
        if rest != target and gain + 1 >= self.least:
            added = self._added(target, first, last, delta)
            gain += added is not None
        if gain < self.least:
            return
        move = Move(*candidate[:4], first, last, slot, changes, rest, gain, added)
        order = self._place(move)
        if gain > self.least or self.best is None or order < self._order:
            self.best, self._order, self.least = move, order, gain

    def _dissolved(self, source: int, left: int, right: int) -> int:
        """The only child that is left to a bracket, if it has its label; or -1."""
        bench = self.bench
        children = bench.child_list(source)
        if right - left + 2 != len(children):
            return -1
        rest = children[-1] if left == 0 else children[0]
        return rest if bench.would_dissolve(rest, source) else -1

    def _at_best(self, changes: _Changes) -> int:
        """What the changes gain if no two of them are of equal brackets."""
        bench = self.bench
        missing, surplus, key = bench.missing, bench.surplus, bench.key
        size = 0
        for node, new in changes:
            if new in missing:
                size += 2
            if key[node] not in surplus:
                size -= 2
        return size

    def _changes(self, source: int, target: int, slot: int, words: _Range) -> _Changes:
        """The brackets that lose what moves, up to the target, and those that get it.

        A target above the source keeps its words, and so do all above it.
        """
        is_left = slot in (TO_LEFT, FAR_LEFT, UP_LEFT)
        lose = slot not in (TO_LEFT, TO_RIGHT)
        changes = self._rekeyed(source, target, words, is_first=is_left) if lose else []
        if slot not in (UP_LEFT, UP_RIGHT):
            changes += self._rekeyed(target, -1, words, is_first=not is_left)
        return changes

    def _rekeyed(
        self, node: int, top: int, words: _Range, *, is_first: bool
    ) -> _Changes:
        """The brackets from a node up to, not including, the top that begin (or end) at
        one of two words, and their keys if they did at the other."""
        bench = self.bench
        parent, compared, classes = bench.parent, bench.compared, bench.classes
        size = bench.width * classes
        at, cut = words
        edge, other = bench.first, bench.last
        base, weight = cut * size, classes
        if not is_first:
            edge, other = other, edge
            base, weight = cut * classes, size
        changes = []
        while node != top and edge[node] == at:
            changes.append((node, base + other[node] * weight + compared[node]))
            node = parent[node]
        return changes

    def _size(
        self, source: int, changes: _Changes, dissolved: int
    ) -> tuple[int, dict[int, int]]:
        """By how much the errors decrease, from key counts, and how these change."""
        bench = self.bench
        key, count, wanted = bench.key, bench.count, bench.wanted
        delta: dict[int, int] = {}
        for node, new in changes:
            old = key[node]
            delta[old] = delta.get(old, 0) - 1
            delta[new] = delta.get(new, 0) + 1
        size = 0
        if dissolved >= 0:
            # The child has the span and the label that the source is left with.
            gone = dict(changes).get(source, key[source])
            delta[gone] = delta.get(gone, 0) - 1
            size = 1
        for changed, by in delta.items():
            if by:
                want, have = len(wanted.get(changed, ())), count.get(changed, 0)
                size += 2 * (min(want, have + by) - min(want, have))
        return size, delta

    def _added(
        self, target: int, first: int, last: int, delta: dict[int, int]
    ) -> GoldBracket | None:
        """The narrowest missing bracket around what moved, within the target.

        It crosses nothing if it begins and ends where children of the target do.
        """
        bench = self.bench
        span_first = min(bench.first[target], first)
        span_last = max(bench.last[target], last)
        edges = {first, last}
        children = bench.child_list(target)
        bench.look_at(len(children))
        for child in children:
            edges.add(bench.first[child])
            edges.add(bench.last[child])
        starts = [edge for edge in edges if edge <= first]
        lacking = [key for edge in starts for key in self._missing_from.get(edge, ())]
        lacking += [key for key, by in delta.items() if by < 0]
        best: tuple[int, GoldBracket] | None = None  # by its width
        for key in lacking:
            have = bench.count.get(key, 0) + delta.get(key, 0)
            if have >= len(bench.wanted.get(key, ())):
                continue
            bracket = bench.gold_bracket(key, have)
            start, end = bracket.first, bracket.last
            if not (span_first <= start <= first and last <= end <= span_last):
                continue
            if start not in edges or end not in edges or (start, end) == (first, last):
                continue
            if best is None or (end - start, bracket) < best:
                best = end - start, bracket
        return best[1] if best else None

    def _place(self, move: Move) -> tuple[int, ...]:
        """Where a candidate stands among all: source in pre-order, left, right, target,
        which is looked for downwards, or upwards from the source."""
        bench = self.bench
        source = move.source
        rank = bench.depth(move.target)
        return (
            bench.first[source],
            -bench.last[source],
            bench.depth(source),
            move.left,
            move.right,
            move.slot,
            -rank if move.slot in (UP_LEFT, UP_RIGHT) else rank,
        )
