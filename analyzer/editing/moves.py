"""The best move of a tree: children of one bracket that should be another's.

A candidate (source, left, right, target) makes the children left to right of the
source children of the target (docs/repairs.md). Its gain follows from the keys of the
brackets that it changes, those between the two nodes and their lowest common ancestor;
no tree is built. Nearly all candidates are passed over at once: a gain of two takes a
bracket whose new key is missing, or a bracket that dissolves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    rank: int  # of the target among those of its slot
    changes: tuple[tuple[int, int], ...]
    dissolved: int  # the child of the source that goes, or -1


class Gain(NamedTuple):
    """What a move gains, and the bracket that is added with it, if any."""

    size: int
    added: GoldBracket | None


TO_LEFT, TO_RIGHT, FAR_LEFT, FAR_RIGHT, UP_LEFT, UP_RIGHT = range(6)


def best_move(bench: Workbench, least: int) -> tuple[Move, Gain] | None:
    """The first of the moves with the largest gain, if that is `least` or more."""
    best: tuple[Move, Gain] | None = None
    best_order: tuple[int, ...] = ()
    missing = bench.missing
    for move in candidates(bench):
        hits = sum(key in missing for _, key in move.changes)
        dissolves = move.dissolved >= 0
        if 2 * hits + dissolves + 1 < least:
            continue
        gain = gain_of(bench, move)
        if gain.size < least:
            continue
        order = _order(bench, move)
        if gain.size > least or best is None or order < best_order:
            best, best_order, least = (move, gain), order, gain.size
    return best


def _order(bench: Workbench, move: Move) -> tuple[int, ...]:
    """Where a candidate stands among all: source in pre-order, left, right, target."""
    source = move.source
    return (
        bench.first[source],
        -bench.last[source],
        bench.depth(source),
        move.left,
        move.right,
        move.slot,
        move.rank,
    )


def gain_of(bench: Workbench, move: Move) -> Gain:
    """By how much the errors decrease: from key counts alone."""
    key, count, wanted = bench.key, bench.count, bench.wanted
    delta: dict[int, int] = {}
    for node, new in move.changes:
        old = key[node]
        delta[old] = delta.get(old, 0) - 1
        delta[new] = delta.get(new, 0) + 1
    size = 0
    if move.dissolved >= 0:
        # The child has the span and the label that the source is left with.
        gone = dict(move.changes).get(move.source, key[move.source])
        delta[gone] = delta.get(gone, 0) - 1
        size = 1
    for changed, by in delta.items():
        if by:
            want, have = len(wanted.get(changed, ())), count.get(changed, 0)
            size += 2 * (min(want, have + by) - min(want, have))
    added = None
    if move.dissolved != move.target:
        added = _added(bench, move, delta)
    return Gain(size + (added is not None), added)


def _added(bench: Workbench, move: Move, delta: dict[int, int]) -> GoldBracket | None:
    """The narrowest missing bracket around what moved, within the target."""
    first, last, target = move.first, move.last, move.target
    span_first = min(bench.first[target], first)
    span_last = max(bench.last[target], last)
    edges: set[int] | None = None
    best: GoldBracket | None = None
    best_order = (0, 0)
    lacking = [*bench.missing, *(key for key, by in delta.items() if by < 0)]
    for key in lacking:
        have = bench.count.get(key, 0) + delta.get(key, 0)
        brackets = bench.wanted.get(key, ())
        if have >= len(brackets):
            continue
        found = brackets[have]
        inside = span_first <= found.first <= first and last <= found.last <= span_last
        if not inside or (found.first == first and found.last == last):
            continue
        if edges is None:
            edges = {first, last}
            for child in bench.child_list(target):
                edges.add(bench.first[child])
                edges.add(bench.last[child])
        if found.first not in edges or found.last not in edges:
            continue
        order = (found.last - found.first, found.place)
        if best is None or order < best_order:
            best, best_order = found, order
    return best


def candidates(bench: Workbench) -> Iterator[Move]:
    """The moves that might gain two or more, in no particular order."""
    extra = bench.extra_nodes()
    for node in extra:
        yield from _to_neighbours(bench, node)
        children = bench.child_list(node)
        if len(children) > 1 and node:
            yield from _out_of(bench, node, children, extra)


def _to_neighbours(bench: Workbench, target: int) -> Iterator[Move]:
    """a and b: what follows the target, or stands before it, becomes part of it."""
    first, last, compared = bench.first, bench.last, bench.compared
    width, classes, missing = bench.width, bench.classes, bench.missing
    for slot in (TO_LEFT, TO_RIGHT):
        at_end = -1 if slot == TO_LEFT else 0
        path = [target]
        top, source = target, bench.parent[target]
        while source >= 0:
            children = bench.child_list(source)
            if children[at_end] != top:
                break
            path.append(source)
            top, source = source, bench.parent[source]
        else:
            continue
        at = children.index(top)
        count = len(children)
        can_dissolve = at in (0, count - 1) and compared[top] == compared[source]
        others = range(at + 1, count) if slot == TO_LEFT else range(at)
        for other in others:
            if slot == TO_LEFT:
                left, right, words = at + 1, other, (last[top], last[children[other]])
                changes = [
                    (node, (first[node] * width + words[1]) * classes + compared[node])
                    for node in path
                ]
            else:
                left, right, words = other, at - 1, (first[children[other]], first[top])
                changes = [
                    (node, (words[0] * width + last[node]) * classes + compared[node])
                    for node in path
                ]
            dissolves = can_dissolve and right - left + 2 == count
            if dissolves or any(key in missing for _, key in changes):
                yield Move(
                    source,
                    left,
                    right,
                    target,
                    *words,
                    slot,
                    len(path),
                    tuple(changes),
                    top if dissolves else -1,
                )


def _out_of(
    bench: Workbench, source: int, children: list[int], extra: Sequence[int]
) -> Iterator[Move]:
    """c to f: the first or last children of an extra bracket leave it."""
    count = len(children)
    compared = bench.compared
    for is_left in (True, False):
        targets = _targets(bench, source, extra, is_left=is_left)
        rest = children[-1] if is_left else children[0]
        can_dissolve = (
            bench.children[rest] is not None and compared[rest] == compared[source]
        )
        for at in range(count - 1) if is_left else range(1, count):
            left, right = (0, at) if is_left else (at, count - 1)
            words = bench.first[children[left]], bench.last[children[right]]
            dissolves = can_dissolve and right - left + 2 == count
            for slot, rank, target, losing, gaining in targets:
                changes = _changes(bench, losing, gaining, words, is_left=is_left)
                if dissolves or any(key in bench.missing for _, key in changes):
                    yield Move(
                        source,
                        left,
                        right,
                        target,
                        *words,
                        slot,
                        rank,
                        changes,
                        rest if dissolves else -1,
                    )


class _Target(NamedTuple):
    slot: int
    rank: int
    node: int
    losing: tuple[int, ...]  # brackets that lose the words
    gaining: tuple[int, ...]  # brackets that gain them


def _targets(
    bench: Workbench, source: int, extra: Sequence[int], *, is_left: bool
) -> list[_Target]:
    """Where children can go from the left or right edge of a bracket."""
    edge = bench.first if is_left else bench.last
    facing = bench.last if is_left else bench.first
    at = edge[source]
    path = [source]
    found: list[_Target] = []
    node = bench.parent[source]
    up = UP_LEFT if is_left else UP_RIGHT
    while node > 0 and (node == bench.parent[source] or edge[node] == at):
        found.append(_Target(up, len(path), node, tuple(path), ()))
        path.append(node)
        node = bench.parent[node]
    if at == (0 if is_left else bench.words):
        return found
    # All that begin (or end) with the source, up to the common ancestor.
    losing = [source]
    node = bench.parent[source]
    while edge[node] == at:
        losing.append(node)
        node = bench.parent[node]
    far = [node for node in extra if facing[node] == at]
    far.sort(key=bench.depth)
    for rank, target in enumerate(far):
        gaining = [target]
        node = bench.parent[target]
        while facing[node] == at:
            gaining.append(node)
            node = bench.parent[node]
        slot = FAR_LEFT if is_left else FAR_RIGHT
        found.append(_Target(slot, rank, target, tuple(losing), tuple(gaining)))
    return found


def _changes(
    bench: Workbench,
    losing: tuple[int, ...],
    gaining: tuple[int, ...],
    words: tuple[int, int],
    *,
    is_left: bool,
) -> tuple[tuple[int, int], ...]:
    """The brackets that a move changes, and their new keys."""
    first, last, compared = bench.first, bench.last, bench.compared
    width, classes = bench.width, bench.classes
    if is_left:
        start = words[1]
        return tuple(
            [(n, (start * width + last[n]) * classes + compared[n]) for n in losing]
            + [(n, (first[n] * width + start) * classes + compared[n]) for n in gaining]
        )
    end = words[0]
    return tuple(
        [(n, (first[n] * width + end) * classes + compared[n]) for n in losing]
        + [(n, (end * width + last[n]) * classes + compared[n]) for n in gaining]
    )
