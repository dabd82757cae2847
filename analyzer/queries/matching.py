"""Queries on columns: which nodes stand in a relation to which others.

A requirement without names is asked of sets of nodes (sorted numbers): which of the
first have any of the second. Only named nodes, and what leads to them, are paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import gt, lt, ne
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from analyzer.derivation.syntax import syntax_deriver
from analyzer.exceptions import QueryError
from analyzer.model.arrays import Flags, Ints, flags_at, ranges
from analyzer.queries.columns import RANGES, UNBOUND, Columns, tree_of
from analyzer.queries.language import (
    Description,
    Pattern,
    Query,
    Relation,
    Requirement,
    defined,
    is_plain,
)
from analyzer.transform.labels import LabelSet, default_labels

if TYPE_CHECKING:
    from analyzer.derivation.deriver import Deriver
    from analyzer.model.treebank import Treebank

# So many combinations of nodes, of one tree, are looked at for a query; and so many
# cells, one for each name of a row, are held at once.
MOST_ROWS: Final = 1_000_000
_MOST_CELLS: Final = 40_000_000


class Matches(NamedTuple):
    """Where a query holds: a row a match, a column a named node.

    Nodes are rows of the treebank; a number from `bank.label.size` on is a word: the
    leaf of that number minus the size. UNBOUND (-1) where a name is not bound. Rows
    are in the order of the first column, which has a pre-order, then of the others;
    no two are equal.
    """

    names: tuple[str, ...]
    nodes: Ints  # matches × names
    # Trees where there were too many combinations to look at: nothing is found in them.
    given_up: tuple[int, ...] = ()
    # Labels in the bank, and the descriptions that a match needs and no node fits; they
    # are there only if there is no match.
    labels: frozenset[str] = frozenset()
    unmet: frozenset[str] = frozenset()


def find_matches(
    query: Query,
    bank: Treebank,
    deriver: Deriver | None = None,
    *,
    labels: LabelSet | None = None,
    most_rows: int = MOST_ROWS,
) -> Matches:
    """Where a query holds in a treebank.

    The deriver is asked if the query names constructions, heads or attachment (without
    one: that of English syntax); `labels` say what a basic category and a function tag
    are (without them: the deriver's).

    >>> from analyzer import read_trees
    >>> from analyzer.queries.language import parse_query
    >>> bank = read_trees("(S (NP (PRP I)) (VP (VBP see) (NP (PRP you))))")
    >>> matches = find_matches(parse_query("NP=object , /^VB/=verb"), bank)
    >>> matches.names, matches.nodes.tolist()
    (('object', 'verb'), [[5, 4]])
    """
    bank.require_sound()
    if deriver is None and query.needs_derivation:
        deriver = syntax_deriver()
    if labels is None:
        labels = deriver.inventory.labels if deriver else default_labels()
    return find_on_columns(query, Columns(bank, labels, deriver), most_rows)


def find_on_columns(
    query: Query, columns: Columns, most_rows: int = MOST_ROWS
) -> Matches:
    """The same on columns, which several queries can share."""
    search = _Search(query, columns, most_rows)
    places = search.places()
    nodes = columns.rows_of(places)
    matches = Matches(query.names, nodes, tuple(search.given_up))
    if nodes.size:
        return matches
    return matches._replace(labels=columns.label_names(), unmet=search.unmet())


# -- the search ------------------------------------------------------------------------

Table = dict[str, Ints]  # a column for each name that is bound so far


class _TooManyError(Exception):
    """There are more combinations than are looked at."""


class _Search:
    """A query on the columns of a treebank."""

    def __init__(self, query: Query, columns: Columns, most_rows: int) -> None:
        self._query = query
        self._columns = columns
        self._most = min(most_rows, _MOST_CELLS // len(query.names))
        self._candidates: dict[int, Ints] = {}
        self._described: dict[Description, Ints] = {}
        self._named = {
            pattern.name: pattern for pattern, _ in query.patterns() if pattern.name
        }
        self.given_up: list[int] = []

    def places(self) -> Ints:
        """Numbers in pre-order: a row a match, a column a name."""
        pattern, names = self._query.pattern, self._query.names
        roots = self.candidates(pattern)
        if all(map(is_plain, pattern.requirements)):
            return roots[:, np.newaxis]
        parts = [np.zeros((0, len(names)), np.int64)]
        most, there = _MOST_CELLS // len(names), 0
        for part in self._bound(roots):
            there += len(part)
            if there > most:
                raise QueryError("E662 there are more than", most=most)
            parts.append(part)
        rows = np.concatenate(parts)
        return rows[_distinct(list(rows.T))]

    def _bound(self, roots: Ints) -> Iterator[Ints]:
        """The rows of all trees: in parts, where there are too many at once."""
        pattern, names = self._query.pattern, self._query.names
        pending = [roots]
        while pending:
            part = pending.pop()
            if not part.size:
                continue
            try:
                table, _ = self._required({names[0]: part}, part, pattern.requirements)
            except _TooManyError:
                columns = self._columns
                tree = tree_of(columns.bank, columns.rows_of(part))
                if tree[0] == tree[-1]:
                    self.given_up.append(int(tree[0]))
                    continue
                half = int(np.searchsorted(tree, tree[part.size // 2], side="left"))
                half = half or int(np.searchsorted(tree, tree[0], side="right"))
                pending += [part[half:], part[:half]]
                continue
            yield np.stack([table[name] for name in names], axis=1)

    def unmet(self) -> frozenset[str]:
        """The descriptions that a match needs and that no node fits."""
        needed = self._query.descriptions()
        return frozenset(
            str(description)
            for description in needed
            if not self._columns.described(description).size
        )

    # Which nodes may be what, whatever the others are.

    def candidates(self, pattern: Pattern) -> Ints:
        """The nodes that a pattern may be: in order, and all of them if it is plain."""
        places = self._candidates.get(id(pattern))
        if places is None:
            places = self._base(pattern)
            for requirement in pattern.requirements:
                places = places[self.may_hold(places, requirement)]
            self._candidates[id(pattern)] = places
        return places

    def _base(self, pattern: Pattern) -> Ints:
        while pattern.description is None:
            pattern = self._named[pattern.reference]
        places = self._described.get(pattern.description)
        if places is None:
            places = self._columns.described(pattern.description)
            self._described[pattern.description] = places
        return places

    def may_hold(self, places: Ints, requirement: Requirement) -> Flags:
        """Which nodes meet a requirement; if it has to do with names, which may."""
        everyone = np.ones(places.size, np.bool_)
        if requirement.is_optional or (
            requirement.is_negated and not is_plain(requirement)
        ):
            return everyone
        if isinstance(requirement, Relation):
            targets = self.candidates(requirement.target)
            flags = self.have_any(requirement, places, targets)
        else:
            flags = ~everyone
            for branch in requirement.branches:
                flags |= reduce(
                    np.logical_and,
                    (self.may_hold(places, part) for part in branch),
                    everyone,
                )
        return ~flags if requirement.is_negated else flags

    def have_any(self, relation: Relation, places: Ints, targets: Ints) -> Flags:
        """Which nodes stand in a relation to any of the targets, which are in order."""
        columns, operator = self._columns, relation.operator
        if not targets.size or not places.size:
            return np.zeros(places.size, np.bool_)
        if operator in ("<<", ".."):
            start, stop = columns.reach(operator, places)
            following = np.append(targets, columns.size)[
                np.searchsorted(targets, start)
            ]
            return following < stop
        if operator == ">>":  # ranges lie within each other, or apart
            furthest = np.append(np.maximum.accumulate(columns.end[targets]), -1)
            return furthest[np.searchsorted(targets, places) - 1] > places
        if operator == ",,":
            ends = np.sort(columns.end[targets])
            latest = np.append(ends, -1)[
                np.searchsorted(ends, places, side="right") - 1
            ]
            return latest > columns.root[places]
        of_first, of_second, where = columns.relative(operator, relation.number)
        key = of_second(targets)
        has_key = key >= 0
        key, targets = key[has_key], targets[has_key]
        asked = of_first(places)
        can = asked >= 0
        asked = np.where(can, asked, 0)
        keys = columns.size + 1  # an end is after all numbers
        if where == "anywhere":
            is_there = flags_at(keys, key)
            return can & is_there[asked]
        if where == "other":
            among = flags_at(keys, targets)
            return can & (np.bincount(key, minlength=keys)[asked] > among[places])
        if where == "after":
            last = np.full(keys, -1)
            last[key] = targets  # the last one stays
            return can & (last[asked] > places)
        first = np.full(keys, keys)
        first[key[::-1]] = targets[::-1]
        return can & (first[asked] < places)

    # Named nodes, and what leads to them, in rows.

    def _required(
        self,
        table: Table,
        subject: Ints,
        requirements: Sequence[Requirement],
        *,
        asked_plain: bool = True,
    ) -> tuple[Table, Ints]:
        """The rows that meet all requirements of a node, and which rows they come from.

        `asked_plain`: those that have to do with no name are known to be met.
        """
        index = np.arange(subject.size)
        for requirement in requirements:
            if not is_plain(requirement):
                table, kept = self._extended(table, subject[index], requirement)
            elif asked_plain:
                continue
            else:
                kept = np.flatnonzero(self.may_hold(subject[index], requirement))
                table = _taken(table, kept)
            index = index[kept]
        return table, index

    def _extended(
        self, table: Table, subject: Ints, requirement: Requirement
    ) -> tuple[Table, Ints]:
        """The rows with every way to meet a requirement, and where they come from."""
        new = defined(requirement)
        if isinstance(requirement, Relation):
            branches = [self._related(table, subject, requirement)]
        else:
            branches = [
                self._required(table, subject, branch, asked_plain=False)
                for branch in requirement.branches
            ]
        index = np.concatenate([kept for _, kept in branches])
        if requirement.is_negated or requirement.is_optional:
            is_met = flags_at(subject.size, index)
            unmet = np.flatnonzero(~is_met)
            if requirement.is_negated:
                return _taken(table, unmet), unmet
            branches.append((_taken(table, unmet), unmet))
            index = np.concatenate([index, unmet])
        columns = {}
        for name in new:
            parts = [
                part.get(name, np.full(kept.size, UNBOUND)) for part, kept in branches
            ]
            columns[name] = np.concatenate(parts)
        distinct = _distinct([index, *columns.values()])
        index = index[distinct]
        return {**_taken(table, index), **_taken(columns, distinct)}, index

    def _related(
        self, table: Table, subject: Ints, relation: Relation
    ) -> tuple[Table, Ints]:
        target = relation.target
        candidates = self.candidates(target)
        if target.reference:
            other = table[target.reference]
            rows = np.flatnonzero((other >= 0) & _among(other, candidates))
            rows = rows[self._stand_so(relation, subject[rows], other[rows])]
            other = other[rows]
        else:
            rows, other = self._pairs(relation, subject, candidates)
        inner = _taken(table, rows)
        if target.name:
            inner[target.name] = other
        inner, kept = self._required(inner, other, target.requirements)
        return inner, rows[kept]

    def _stand_so(self, relation: Relation, first: Ints, second: Ints) -> Flags:
        """Whether each of the first stands in a relation to its second."""
        columns, operator = self._columns, relation.operator
        if operator in RANGES:
            if operator not in ("<<", ".."):
                first, second = second, first
            start, stop = columns.reach(RANGES[operator], first)
            return (start <= second) & (second < stop)
        of_first, of_second, where = columns.relative(operator, relation.number)
        key = of_first(first)
        is_so: Flags = (key >= 0) & (key == of_second(second))
        if where != "anywhere":
            compare = {"after": gt, "before": lt, "other": ne}[where]
            is_so &= np.asarray(compare(second, first))
        return is_so

    def _pairs(
        self, relation: Relation, subject: Ints, targets: Ints
    ) -> tuple[Ints, Ints]:
        """All pairs in a relation: the rows of subjects, and targets."""
        columns, operator = self._columns, relation.operator
        if operator in ("<<", ".."):
            start, stop = columns.reach(operator, subject)
            return self._spans(targets, start, stop)
        if operator in RANGES:
            order = np.argsort(subject, kind="stable")
            start, stop = columns.reach(RANGES[operator], targets)
            which, place = self._spans(subject[order], start, stop, order)
            return place, targets[which]
        of_first, of_second, where = columns.relative(operator, relation.number)
        key = of_second(targets)
        targets, key = targets[key >= 0], key[key >= 0]
        order = np.argsort(key, kind="stable")
        targets, key = targets[order], key[order]
        asked = of_first(subject)
        wide = columns.size + 1
        packed = key * wide + targets
        low, high = asked * wide, asked * wide + columns.size
        if where == "after":
            low = low + subject + 1
        elif where == "before":
            high = asked * wide + subject
        rows, partners = self._spans(packed, low, high, targets)
        if where == "other":
            is_other = subject[rows] != partners
            rows, partners = rows[is_other], partners[is_other]
        return rows, partners

    def _spans(
        self, numbers: Ints, start: Ints, stop: Ints, values: Ints | None = None
    ) -> tuple[Ints, Ints]:
        """Per span, the numbers in it, which are in order, or values beside them."""
        first = np.searchsorted(numbers, start)
        sizes = np.maximum(np.searchsorted(numbers, stop) - first, 0)
        if int(sizes.sum()) > self._most:
            raise _TooManyError
        chosen = ranges(first, sizes)
        rows = np.repeat(np.arange(start.size), sizes)
        return rows, (numbers if values is None else values)[chosen]


def _taken(table: Table, rows: Ints) -> Table:
    return {name: column[rows] for name, column in table.items()}


def _among(values: Ints, numbers: Ints) -> Flags:
    """Which values are among numbers, which are in order."""
    there: Flags = np.append(numbers, -1)[np.searchsorted(numbers, values)] == values
    return there


def _distinct(columns: list[Ints]) -> Ints:
    """One row of each that are equal, in the order of the columns."""
    order = np.lexsort(columns[::-1])
    is_new = flags_at(order.size, slice(1))
    for column in columns:
        ordered = column[order]
        is_new[1:] |= ordered[1:] != ordered[:-1]
    return order[is_new]
