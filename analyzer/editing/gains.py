"""What a move gains, from the keys of the brackets that it changes.

These are the brackets between the source and the target and their lowest common
ancestor; no tree is built. `BestMove` keeps the best of the moves that it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.editing.workbench import GoldBracket, Workbench


class Move(NamedTuple):
    """What a move does; `changes` are nodes and their new keys."""

    source: int
    left: int
    right: int
    target: int
    first: int  # the words that move
    last: int
    slot: int  # which of the six ways to find a target, a to f
    changes: list[tuple[int, int]]
    dissolved: int  # the child of the source that goes, or -1


class Gain(NamedTuple):
    """What a move gains, and the bracket that is added with it, if any."""

    size: int
    added: GoldBracket | None


TO_LEFT, TO_RIGHT, FAR_LEFT, FAR_RIGHT, UP_LEFT, UP_RIGHT = range(6)


class BestMove:
    """The first of the moves with the largest gain, if that is `least` or more."""

    def __init__(self, bench: Workbench, least: int) -> None:
        self.found: tuple[Move, Gain] | None = None
        self.least = least
        self._order: tuple[int, ...] = ()
        self._bench = bench
        self._seen: set[tuple[int, int, int, int, int]] = set()
        self._missing_from: dict[int, list[int]] = {}  # first word -> missing keys
        size = bench.width * bench.classes
        for key in bench.missing:
            self._missing_from.setdefault(key // size, []).append(key)

    def consider(
        self,
        source: int,
        left: int,
        right: int,
        target: int,
        slot: int,
        words: tuple[int, int],
    ) -> None:
        """Keep a candidate if it gains more than the best, or as much and is earlier.

        `words` are the position that it leaves or is joined at, and the other end.
        """
        candidate = (source, left, right, target, slot)
        if candidate in self._seen:
            return
        self._seen.add(candidate)
        rest = self._dissolved(source, left, right)
        changes = self._changes(source, target, slot, words)
        if self._at_best(changes) + (rest >= 0) + 1 < self.least:
            return
        size, delta = self._size(source, changes, rest)
        first, last = min(words), max(words)
        added = None
        if rest != target and size + 1 >= self.least:
            added = self._added(target, first, last, delta)
            size += added is not None
        if size < self.least:
            return
        move = Move(source, left, right, target, first, last, slot, changes, rest)
        order = self._place(move)
        if size > self.least or self.found is None or order < self._order:
            self.found, self._order = (move, Gain(size, added)), order
            self.least = size

    def _dissolved(self, source: int, left: int, right: int) -> int:
        """The only child that is left to a bracket, if it has its label; or -1."""
        bench = self._bench
        children = bench.child_list(source)
        if right - left + 2 != len(children):
            return -1
        rest = children[-1] if left == 0 else children[0]
        return rest if bench.would_dissolve(rest, source) else -1

    def _at_best(self, changes: Sequence[tuple[int, int]]) -> int:
        """What the changes gain if no two of them are of equal brackets."""
        bench = self._bench
        missing, surplus, key = bench.missing, bench.surplus, bench.key
        size = 0
        for node, new in changes:
            if new in missing:
                size += 2
            if key[node] not in surplus:
                size -= 2
        return size

    def _changes(
        self, source: int, target: int, slot: int, words: tuple[int, int]
    ) -> list[tuple[int, int]]:
        """The brackets that a move changes, and their new keys."""
        bench = self._bench
        first, last, parent = bench.first, bench.last, bench.parent
        compared, width, classes = bench.compared, bench.width, bench.classes
        at, cut = words
        found: list[tuple[int, int]] = []
        is_left = slot in (TO_LEFT, FAR_LEFT, UP_LEFT)
        if slot not in (TO_LEFT, TO_RIGHT):
            node = source
            ends_above = slot in (UP_LEFT, UP_RIGHT)
            if is_left:
                while node != target and (ends_above or first[node] == at):
                    new = (cut * width + last[node]) * classes + compared[node]
                    found.append((node, new))
                    node = parent[node]
            else:
                while node != target and (ends_above or last[node] == at):
                    new = (first[node] * width + cut) * classes + compared[node]
                    found.append((node, new))
                    node = parent[node]
            if ends_above:
                return found
        node = target
        if is_left:
            while last[node] == at:
                new = (first[node] * width + cut) * classes + compared[node]
                found.append((node, new))
                node = parent[node]
        else:
            while first[node] == at:
                new = (cut * width + last[node]) * classes + compared[node]
                found.append((node, new))
                node = parent[node]
        return found

    def _size(
        self, source: int, changes: Sequence[tuple[int, int]], dissolved: int
    ) -> tuple[int, dict[int, int]]:
        """By how much the errors decrease, from key counts, and how these change."""
        bench = self._bench
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
        self,
        target: int,
        first: int,
        last: int,
        delta: dict[int, int],
    ) -> GoldBracket | None:
        """The narrowest missing bracket around what moved, within the target.

        It crosses nothing if it begins and ends where children of the target do.
        """
        bench = self._bench
        span_first = min(bench.first[target], first)
        span_last = max(bench.last[target], last)
        edges = {first, last}
        for child in bench.child_list(target):
            edges.add(bench.first[child])
            edges.add(bench.last[child])
        lacking = [
            key
            for edge in edges
            if edge <= first
            for key in self._missing_from.get(edge, ())
        ]
        lacking += [key for key, by in delta.items() if by < 0]
        best: GoldBracket | None = None
        best_order: tuple[int, tuple[int, int, int]] = (0, (0, 0, 0))
        for key in lacking:
            have = bench.count.get(key, 0) + delta.get(key, 0)
            if have >= len(bench.wanted.get(key, ())):
                continue
            found = bench.gold_bracket(key, have)
            if not span_first <= found.first <= first:
                continue
            if not last <= found.last <= span_last:
                continue
            if found.first == first and found.last == last:
                continue
            if found.first not in edges or found.last not in edges:
                continue
            order = (found.last - found.first, found.place)
            if best is None or order < best_order:
                best, best_order = found, order
        return best

    def _place(self, move: Move) -> tuple[int, ...]:
        """Where a candidate stands among all: source in pre-order, left, right, target,
        which is looked for downwards, or upwards from the source."""
        bench = self._bench
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
