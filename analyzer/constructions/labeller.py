"""Which construction a node is, and which child is its head.

Regular expressions run on distinct productions only: each is matched once, its
construction and head are remembered, and spread over all nodes by index (a
corpus of 600,000 nodes has some tens of thousands of distinct productions).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from analyzer.constructions.inventory import (
    SIMPLE_CASE,
    Child,
    Inventory,
    Mark,
    Pattern,
    as_text,
    marked_text,
)
from analyzer.constructions.names import ConstructionNames
from analyzer.exceptions import PatternError, Place
from analyzer.model.arrays import (
    Flags,
    Ids,
    Ints,
    KeyColumns,
    KeyTable,
    Words64,
    inverse_powers,
    mix,
    powers,
)
from analyzer.model.symbols import ADDING, SYMBOLS


@dataclass(frozen=True)
class Production:
    """A distinct production, and what the inventory makes of it."""

    parent: str
    children: tuple[Child, ...]
    construction: str
    head: int  # which child
    matches: tuple[str, ...]  # the patterns that match; none: uncovered
    marks: tuple[Mark, ...] = ()  # punctuation that makes it another construction

    def __str__(self) -> str:
        return f"{self.parent} -> {' '.join(_written(self.children, self.marks))}"


class Labeller:
    """Labels productions by an inventory; remembers every production it has seen.

    A production that no pattern matches is uncovered: it is named as the simple
    case of its nonterminal (`X-t`) and gets the inventory's default head. If two
    patterns match, the first of the inventory counts: `ConstructionNames.overlaps`,
    which every result tells, and `spinal patterns check`, which tells how often.

    `merged` folds constructions: see `ConstructionNames`.
    """

    def __init__(
        self, inventory: Inventory, merged: dict[str, str] | None = None
    ) -> None:
        self.inventory = inventory
        self.constructions = ConstructionNames(
            {pattern.name: pattern.is_recursive for pattern in inventory.patterns},
            merged,
        )
        # Productions as numbers of labels, and as what people read, made when asked.
        self._numbered: list[tuple[int, list[int], list[bool]]] = []
        self._productions: list[Production] = []
        self._by_key: dict[int, int] = {}
        self._table = KeyTable()
        self._items: dict[tuple[int, bool], str] = {}  # of children: see `as_text`
        # Per production: construction, head child, whether a pattern matches.
        self._construction: list[int] = []
        self._head: list[int] = []
        self._is_covered: list[bool] = []
        self._columns: tuple[Ids, Ids, Flags] | None = None
        # Productions in which punctuation makes a difference, and by what they are
        # found: the production without it, and the marks.
        self._marks: dict[int, tuple[Mark, ...]] = {}
        self._by_marks: dict[int, int] = {}
        self._marks_table, self._marked = KeyTable(), np.zeros(1, np.int64)

    def __reduce__(self) -> tuple[Any, ...]:
        """Numbers are of this process: what names constructions is pickled instead."""
        return Labeller, (self.inventory, self.constructions.merged)

    def __repr__(self) -> str:
        return f"<Labeller by {self.inventory.name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Labeller) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.inventory)

    @property
    def identity(self) -> tuple[object, ...]:
        """What determines the names of constructions, to distinguish labellers."""
        return self.inventory, self.constructions.merged

    @property
    def productions(self) -> list[Production]:
        """All productions so far; a production's place is its number."""
        if len(self._productions) < len(self._numbered):
            with ADDING:
                for numbered in self._numbered[len(self._productions) :]:
                    parent, children = SYMBOLS.name(numbered[0]), _children(*numbered)
                    marks = self._marks.get(len(self._productions), ())
                    self._productions.append(self.label(parent, children, marks))
        return self._productions

    def texts_of(self, numbers: Sequence[int]) -> list[str]:
        """Productions as texts, by their numbers; "" for -1, which is none."""
        known = [None if number < 0 else self._numbered[number] for number in numbers]
        return [
            "" if key is None else f"{SYMBOLS.name(key[0])} {as_text(_children(*key))}"
            for key in known
        ]

    @property
    def coverage(self) -> Iterator[tuple[str, tuple[Child, ...], bool]]:
        """Parent and children of each production so far; whether a pattern matches.

        They are in the order of `productions`, but no pattern is matched again.
        """
        for numbered, is_covered in zip(self._numbered, self._is_covered, strict=True):
            yield SYMBOLS.name(numbered[0]), _children(*numbered), is_covered

    @property
    def parents(self) -> Iterator[str]:
        """The parent of each production so far."""
        return (SYMBOLS.name(parent) for parent, *_ in self._numbered)

    def productions_of(
        self, parent_label: Ids, child_label: Ids, child_is_leaf: Flags, starts: Ints
    ) -> Ints:
        """The number of each production, given its parent and its run of children."""
        keys = self._keys(parent_label, child_label, child_is_leaf, starts)
        numbers, unknown = self._table.look_up(keys)
        rows = np.flatnonzero(unknown)
        if rows.size:
            distinct, first, which = np.unique(
                keys[rows], return_index=True, return_inverse=True
            )
            ends = np.append(starts[1:], child_label.size)
            one_each = rows[first]
            parents = parent_label[one_each].tolist()
            runs = map(slice, starts[one_each].tolist(), ends[one_each].tolist())
            new = [
                (parent, child_label[run].tolist(), child_is_leaf[run].tolist())
                for parent, run in zip(parents, runs, strict=True)
            ]
            numbers[rows] = np.array(self._numbers_of(distinct.tolist(), new))[which]
        return numbers

    @property
    def mark_kinds(self) -> Ids | None:
        """Per label: which kind of mark it is, from 1; 0 for none.

        As a phrase, -1 if its patterns see marks. None if no pattern names any.
        """
        if not self.inventory.seeing:
            return None
        return _mark_kinds(self.inventory.marks, self.inventory.seeing)

    def with_marks(self, production: Ints, owner: Ids, place: Ids, kind: Ids) -> Ints:
        """The productions of brackets that have marks, in place of those without.

        Of each mark: its bracket, so many children before it, and its kind. Brackets
        are in order; the result has one number for each that has marks.
        """
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        base = production[owner[starts]]
        spread = mix((place.astype(np.int64) << 8 | kind).astype(np.uint64))
        sums = np.add.reduceat(spread, starts) + mix(base.astype(np.uint64))
        numbers, unknown = self._marks_table.look_up(sums)
        marked = self._marked
        if unknown.any():
            ends = np.append(starts[1:], owner.size)
            tags = self.inventory.marks
            with ADDING:
                new: list[int] = []
                added: list[int] = []
                for at in np.flatnonzero(unknown).tolist():
                    key = int(sums[at])
                    if key not in self._by_marks:  # nor has another thread added it
                        run = slice(starts[at], ends[at])
                        both = zip(place[run].tolist(), kind[run].tolist(), strict=True)
                        marks = tuple(
                            Mark(before, tags[tag - 1]) for before, tag in both
                        )
                        self._by_marks[key] = self._marked.size + len(added)
                        new.append(key)
                        added.append(self._add_marked(int(base[at]), marks))
                    numbers[at] = self._by_marks[key]
                self._marked = np.append(self._marked, np.array(added, np.int64))
                self._marks_table.add_many(new, [self._by_marks[key] for key in new])
                marked = self._marked
        productions: Ints = marked[numbers]
        return productions

    @property
    def keys(self) -> tuple[KeyColumns, Words64]:
        """The keys of known productions; what keys are made of, by label."""
        return self._table.columns, _mixed_labels()

    @property
    def marked_keys(self) -> tuple[KeyColumns, Ints]:
        """The keys of productions with marks, as `with_marks` makes them; the number
        of the production that each of them is."""
        return self._marks_table.columns, self._marked

    def columns(self) -> tuple[Ids, Ids, Flags]:
        """Per production: construction, head child, whether a pattern matches."""
        columns = self._columns
        if columns is None or columns[0].size < len(self._numbered):
            with ADDING:
                columns = self._columns = (
                    np.array(self._construction, np.int32),
                    np.array(self._head, np.int32),
                    np.array(self._is_covered, np.bool_),
                )
        return columns

    def _numbers_of(
        self, keys: list[int], given: list[tuple[int, list[int], list[bool]]]
    ) -> list[int]:
        """The numbers of productions that the table did not know."""
        with ADDING:
            new = []
            for key, production in zip(keys, given, strict=True):
                if key not in self._by_key:  # another thread may have been quicker
                    new.append(key)
                    self._by_key[key] = len(self._numbered)
                    self._add(*production)
            self._table.add_many(new, [self._by_key[key] for key in new])
            return [self._by_key[key] for key in keys]

    def _add_marked(self, base: int, marks: tuple[Mark, ...]) -> int:
        """The number of a production with marks: the same, if they change nothing."""
        self._add(*self._numbered[base], marks)
        columns: tuple[list[Any], ...] = (
            self._construction,
            self._head,
            self._is_covered,
        )
        if all(column[-1] == column[base] for column in columns):
            for column in (*columns, self._numbered):
                column.pop()
            return base
        self._marks[len(self._numbered) - 1] = marks
        return len(self._numbered) - 1

    def _add(
        self,
        parent: int,
        labels: list[int],
        are_leaves: list[bool],
        marks: tuple[Mark, ...] = (),
    ) -> None:
        """What the inventory makes of a production, in numbers."""
        name, items = SYMBOLS.name(parent), self._items
        texts = []
        for child in zip(labels, are_leaves, strict=True):
            if child not in items:
                items[child] = Child(SYMBOLS.name(child[0]), child[1]).item
            texts.append(items[child])
        marked = marked_text(texts, marks, self.inventory.marks) if marks else None
        matches = self.inventory.matches_in(name, "".join(texts), marked)
        match = next(matches, None)
        if match is not None:
            construction, head = match[0].name, match[1]
            # Ours have none, and it takes time.
            is_checked = self.inventory.is_built_in
            if not is_checked and (other := next(matches, None)) is not None:
                children = _children(parent, labels, are_leaves)
                self._overlap(match[0], other[0], name, [*_written(children, marks)])
        else:
            construction, head = self._uncovered(
                name, _children(parent, labels, are_leaves)
            )
        self._construction.append(self.constructions.number(construction))
        self._head.append(head)
        self._is_covered.append(match is not None)
        self._numbered.append((parent, labels, are_leaves))

    def _overlap(
        self, first: Pattern, second: Pattern, parent: str, children: Sequence[str]
    ) -> None:
        """Remember that two patterns match a production."""
        source = self.inventory.source
        error = PatternError(
            "E243 two patterns match",
            Place(source, second.line),
            production=f"{parent} -> {' '.join(children)}",
            first=first.name,
            first_place=Place(source, first.line),
            second=second.name,
            second_place=Place(source, second.line),
        )
        self.constructions.overlaps.append(error)

    def _uncovered(self, parent: str, children: Sequence[Child]) -> tuple[str, int]:
        """Construction and head of a production that no pattern matches."""
        head = self.inventory.default_head(parent, children)
        return f"{parent}-{SIMPLE_CASE}", head

    def label(
        self, parent: str, children: Sequence[Child], marks: Sequence[Mark] = ()
    ) -> Production:
        """What the inventory makes of a production."""
        matches = [
            (pattern.name, head)
            for pattern, head in self.inventory.matches(parent, children, marks)
        ]
        construction, head = (
            matches[0] if matches else self._uncovered(parent, children)
        )
        names = tuple(name for name, _ in matches)
        known = parent, tuple(children), construction, head, names
        return Production(*known, tuple(marks))

    def _keys(
        self, parent_label: Ids, child_label: Ids, child_is_leaf: Flags, starts: Ints
    ) -> Words64:
        """A 64-bit key for each production: a polynomial over its mixed children.

        Two productions share a key by accident only: for 100,000 distinct ones the
        chance is one in three billion.
        """
        labels_mixed = _mixed_labels()
        mixed = labels_mixed[child_label.astype(np.int64) * 2 + child_is_leaf]
        # The powers run on through all children, and are then brought back to where
        # each production starts.
        forth, back = _powers(mixed.size.bit_length())
        before = np.zeros(mixed.size + 1, np.uint64)
        np.cumsum(mixed * forth[: mixed.size], out=before[1:])
        sums = np.diff(before[starts], append=before[-1:]) * back[starts]
        return sums + labels_mixed[parent_label.astype(np.int64) * 2]


def _children(_: int, labels: list[int], are_leaves: list[bool]) -> tuple[Child, ...]:
    """Children, by the names of their labels."""
    both = zip(map(SYMBOLS.name, labels), are_leaves, strict=True)
    return tuple(Child(name, is_leaf) for name, is_leaf in both)


def _written(children: Sequence[Child], marks: Sequence[Mark]) -> Iterator[str]:
    """The labels of children, and the tags of the marks between them."""
    for place in range(len(children) + 1):
        yield from (mark.tag for mark in marks if mark.position == place)
        yield from (child.label for child in children[place : place + 1])


# What `Labeller.mark_kinds` gives, for all labellers that name the same marks.
_kinds: dict[tuple[object, ...], Ids] = {}
_MOST_KINDS = 8  # that are kept


def _mark_kinds(marks: tuple[str, ...], seeing: frozenset[str]) -> Ids:
    key = marks, seeing
    kinds = _kinds.get(key)
    if kinds is None or kinds.size < len(SYMBOLS):
        numbers = {tag: number for number, tag in enumerate(marks, start=1)}
        numbers |= dict.fromkeys(seeing, -1)
        symbols = [SYMBOLS.id(label) for label in numbers]
        # Longer than needed, so that this happens but a few times.
        kinds = np.zeros(2 * len(SYMBOLS), np.int32)
        kinds[symbols] = [*numbers.values()]
        with ADDING:
            _kinds[key] = kinds
            while len(_kinds) > _MOST_KINDS:
                del _kinds[next(iter(_kinds))]
    return kinds


_mixed: Words64 = mix(np.arange(1 << 12, dtype=np.uint64))


def _mixed_labels() -> Words64:
    """A well-mixed 64-bit number for each label, as a phrase and as a tag.

    They follow from nothing but their place, so all labellers share them.
    """
    global _mixed
    mixed, size = _mixed, 2 * len(SYMBOLS)
    if mixed.size < size:
        # Longer than needed, so that this happens but a few times.
        mixed = _mixed = mix(np.arange(2 * size, dtype=np.uint64))
    return mixed


@lru_cache(maxsize=2)  # one size for gold, one for parsed
def _powers(bits: int) -> tuple[Words64, Words64]:
    """Powers of the base for children, and what takes each run back to its start.

    They begin at the base itself: at 1, a parent could change places with a child.
    """
    return powers((1 << bits) + 1)[1:], inverse_powers(1 << bits)
