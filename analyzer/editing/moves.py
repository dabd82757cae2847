"""The best move of a tree: children of one bracket that should be another's.

A candidate (source, left, right, target) makes the children left to right of the
source children of the target (docs/repairs.md). Its gain follows from the keys of the
brackets that it changes, those between the two nodes and their lowest common ancestor;
no tree is built. Nearly all candidates are passed over at once: a gain of two takes a
bracket whose new key is missing, or a bracket that dissolves.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
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


class _Index:
    """What is missing and what is extra, by where it begins and ends.

    So a move is looked for where a bracket would become a missing one, and not among
    all that can be moved: what a search takes grows with the errors of a sentence.
    """

    def __init__(self, bench: Workbench) -> None:
        classes = bench.classes
        self.extra = bench.extra_nodes()
        self.keys: dict[int, list[int]] = {}  # first word -> missing keys
        self._lasts: dict[int, list[int]] = {}  # first word and class -> last words
        self._firsts: dict[int, list[int]] = {}
        for key in bench.missing:
            span, compared = divmod(key, classes)
            first, last = divmod(span, bench.width)
            self.keys.setdefault(first, []).append(key)
            self._lasts.setdefault(first * classes + compared, []).append(last)
            self._firsts.setdefault(last * classes + compared, []).append(first)
        self.ending: dict[int, list[int]] = {}  # last word -> extra nodes
        self.starting: dict[int, list[int]] = {}
        for node in self.extra:
            self.ending.setdefault(bench.last[node], []).append(node)
            self.starting.setdefault(bench.first[node], []).append(node)
        self._bench = bench

    def lasts(self, node: int) -> Iterable[int]:
        """Where the node would have to end to be a missing bracket."""
        bench = self._bench
        key = bench.first[node] * bench.classes + bench.compared[node]
        return self._lasts.get(key, ())

    def firsts(self, node: int) -> Iterable[int]:
        """Where it would have to begin."""
        bench = self._bench
        key = bench.last[node] * bench.classes + bench.compared[node]
        return self._firsts.get(key, ())


def best_move(bench: Workbench, least: int) -> tuple[Move, Gain] | None:
    """The first of the moves with the largest gain, if that is `least` or more."""
    best: tuple[Move, Gain] | None = None
    best_order: tuple[int, ...] = ()
    missing = bench.missing
    index = _Index(bench)
    for move in _candidates(bench, index):
        hits = sum(key in missing for _, key in move.changes)
        dissolves = move.dissolved >= 0
        if 2 * hits + dissolves + 1 < least:
            continue
        gain = _gain_of(bench, index, move, least)
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


def _gain_of(bench: Workbench, index: _Index, move: Move, least: int) -> Gain:
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
    if move.dissolved != move.target and size + 1 >= least:
        added = _added(bench, index, move, delta)
    return Gain(size + (added is not None), added)


def _added(
    bench: Workbench, index: _Index, move: Move, delta: dict[int, int]
) -> GoldBracket | None:
    """The narrowest missing bracket around what moved, within the target.

    It crosses nothing if it begins and ends where children of the target do.
    """
    first, last, target = move.first, move.last, move.target
    span_first = min(bench.first[target], first)
    span_last = max(bench.last[target], last)
    edges = {first, last}
    for child in bench.child_list(target):
        edges.add(bench.first[child])
        edges.add(bench.last[child])
    lacking = [
        key for edge in edges if edge <= first for key in index.keys.get(edge, ())
    ]
    lacking += [key for key, by in delta.items() if by < 0]
    best: GoldBracket | None = None
    best_order = (0, 0)
    for key in lacking:
        have = bench.count.get(key, 0) + delta.get(key, 0)
        brackets = bench.wanted.get(key, ())
        if have >= len(brackets):
            continue
        found = brackets[have]
        inside = span_first <= found.first <= first and last <= found.last <= span_last
        if not inside or (found.first == first and found.last == last):
            continue
        if found.first not in edges or found.last not in edges:
            continue
        order = (found.last - found.first, found.place)
        if best is None or order < best_order:
            best, best_order = found, order
    return best


def _candidates(bench: Workbench, index: _Index) -> Iterator[Move]:
    """The moves that might gain two or more, in no particular order."""
    for node in index.extra:
        yield from _to_neighbours(bench, index, node)
        children = bench.child_list(node)
        if len(children) > 1 and node:
            yield from _out_of(bench, index, node, children, is_left=True)
            yield from _out_of(bench, index, node, children, is_left=False)


def _to_neighbours(bench: Workbench, index: _Index, target: int) -> Iterator[Move]:
    """a and b: what follows the target, or stands before it, becomes part of it."""
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
        at = bisect_left(children, bench.first[top], key=bench.first.__getitem__)
        if slot == TO_LEFT:
            others = _ends_after(bench, index, path, children, at)
        else:
            others = _starts_before(bench, index, path, children, at)
        can_dissolve = bench.compared[top] == bench.compared[source]
        last = len(children) - 1
        if can_dissolve and at == (0 if slot == TO_LEFT else last):
            others.add(last - at)
        for other in others:
            left, right = (at + 1, other) if slot == TO_LEFT else (other, at - 1)
            words = bench.first[children[left]], bench.last[children[right]]
            dissolves = can_dissolve and right - left + 2 == len(children)
            gone = top if dissolves else -1
            changes = _changes(bench, (), path, words, is_left=slot == TO_LEFT)
            yield Move(
                source, left, right, target, *words, slot, len(path), changes, gone
            )


def _ends_after(
    bench: Workbench, index: _Index, path: list[int], children: list[int], at: int
) -> set[int]:
    """The children up to which a bracket on the path could grow to be a missing one."""
    last = bench.last
    found = set()
    for node in path:
        for end in index.lasts(node):
            if end > last[node]:
                other = bisect_left(children, end, lo=at + 1, key=last.__getitem__)
                if other < len(children) and last[children[other]] == end:
                    found.add(other)
    return found


def _starts_before(
    bench: Workbench, index: _Index, path: list[int], children: list[int], at: int
) -> set[int]:
    """The children from which on it could."""
    first = bench.first
    found = set()
    for node in path:
        for start in index.firsts(node):
            if start < first[node]:
                other = bisect_left(children, start, hi=at, key=first.__getitem__)
                if other < at and first[children[other]] == start:
                    found.add(other)
    return found


class _Target(NamedTuple):
    slot: int
    rank: int
    node: int
    losing: list[int]  # brackets that lose the words
    gaining: list[int]  # brackets that gain them
    ends: set[int]  # children that the move might end (or begin) with


def _out_of(
    bench: Workbench,
    index: _Index,
    source: int,
    children: list[int],
    *,
    is_left: bool,
) -> Iterator[Move]:
    """c to f: the first or last children of an extra bracket leave it."""
    count = len(children)
    rest = children[-1] if is_left else children[0]
    can_dissolve = (
        bench.children[rest] is not None
        and bench.compared[rest] == bench.compared[source]
    )
    if is_left:
        places = {bench.last[child]: at for at, child in enumerate(children[:-1])}
    else:
        places = {bench.first[child]: at + 1 for at, child in enumerate(children[1:])}
    all_but_one = (count - 2 if is_left else 1) if can_dissolve else -1
    for target in _targets(
        bench, index, source, places, is_left=is_left, all_of_them=can_dissolve
    ):
        ends = target.ends | {all_but_one} if can_dissolve else target.ends
        for at in ends:
            left, right = (0, at) if is_left else (at, count - 1)
            words = bench.first[children[left]], bench.last[children[right]]
            changes = _changes(
                bench, target.losing, target.gaining, words, is_left=is_left
            )
            yield Move(
                source,
                left,
                right,
                target.node,
                *words,
                target.slot,
                target.rank,
                changes,
                rest if at == all_but_one else -1,
            )


def _targets(
    bench: Workbench,
    index: _Index,
    source: int,
    places: dict[int, int],
    *,
    is_left: bool,
    all_of_them: bool,
) -> Iterator[_Target]:
    """Where children can go from the left or right edge of a bracket.

    `places` are the ends of children, by which a bracket would end (or begin) then.
    Only targets that make a bracket right count, unless `all_of_them` are wanted.
    """
    edge = bench.first if is_left else bench.last
    lost, gained = index.firsts, index.lasts
    if not is_left:
        lost, gained = gained, lost
    at = edge[source]
    path = [source]
    ends = {places[one] for one in lost(source) if one in places}
    node = bench.parent[source]
    up = UP_LEFT if is_left else UP_RIGHT
    while node > 0 and (node == bench.parent[source] or edge[node] == at):
        if ends or all_of_them:
            yield _Target(up, len(path), node, path.copy(), [], ends.copy())
        path.append(node)
        ends |= {places[one] for one in lost(node) if one in places}
        node = bench.parent[node]
    far = (index.ending if is_left else index.starting).get(at, [])
    if not far or at == (0 if is_left else bench.words):
        return
    # All that begin (or end) with the source, up to the common ancestor.
    losing = [source]
    node = bench.parent[source]
    while edge[node] == at:
        losing.append(node)
        node = bench.parent[node]
    ends = {places[one] for node in losing for one in lost(node) if one in places}
    facing = bench.last if is_left else bench.first
    slot = FAR_LEFT if is_left else FAR_RIGHT
    for rank, target in enumerate(sorted(far, key=bench.depth)):
        gaining = [target]
        node = bench.parent[target]
        while facing[node] == at:
            gaining.append(node)
            node = bench.parent[node]
        more = {
            places[one] for node in gaining for one in gained(node) if one in places
        }
        if ends or more or all_of_them:
            yield _Target(slot, rank, target, losing, gaining, ends | more)


def _changes(
    bench: Workbench,
    losing: Iterable[int],
    gaining: Iterable[int],
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
