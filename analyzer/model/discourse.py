"""Discourse trees in the table of `analyzer.model.treebank`.

A unit's label is `relation/nuclearity`: `elaboration/S` a satellite, `list/N` one of
several nuclei, `span/N` the nucleus of a mononuclear relation, `---/R` the root. The
leaves are elementary discourse units (EDUs), their forms the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analyzer.exceptions import Place, RstError
from analyzer.limits import limits
from analyzer.model.arrays import Ints
from analyzer.model.builder import TreebankBuilder
from analyzer.model.treebank import Treebank
from analyzer.safe_text import counted

NUCLEUS, SATELLITE, ROOT = "N", "S", "R"
SPAN = "span"  # the relation of the nucleus of a mononuclear relation
NO_RELATION = "---"  # the root's


@dataclass(slots=True, eq=False)
class Unit:
    """A discourse unit, for reading and reshaping; scores use columns.

    Trees of any depth can be compared, copied and pickled: as rows, not level by level.
    """

    nuclearity: str
    relation: str
    children: list[Unit] = field(default_factory=list)
    text: str = ""
    line: int = 0

    @property
    def is_edu(self) -> bool:
        return not self.children

    @property
    def label(self) -> str:
        return f"{self.relation}/{self.nuclearity}"

    def walk(self) -> Iterator[Unit]:
        """This unit and all below it, parents first, from left to right."""
        pending = [self]
        while pending:
            unit = pending.pop()
            yield unit
            pending.extend(reversed(unit.children))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Unit):
            return NotImplemented
        return self is other or _rows(self) == _rows(other)

    # It can be changed.
    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _unit_of_rows, (_rows(self),)

    def copy(self) -> Unit:
        """A tree of new units."""
        copies: dict[int, Unit] = {}
        for unit in reversed(list(self.walk())):
            children = [copies.pop(id(child)) for child in unit.children]
            copies[id(unit)] = Unit(
                unit.nuclearity, unit.relation, children, unit.text, unit.line
            )
        return copies[id(self)]


# Nuclearity, relation, text, line, and how many children.
_Row = tuple[str, str, str, int, int]


def _rows(root: Unit) -> list[_Row]:
    """A tree as rows, parents first."""
    return [
        (unit.nuclearity, unit.relation, unit.text, unit.line, len(unit.children))
        for unit in root.walk()
    ]


def _unit_of_rows(rows: Sequence[_Row]) -> Unit:
    done: list[Unit] = []  # what has no parent yet, the first one last
    for nuclearity, relation, text, line, count in reversed(rows):
        children = done[len(done) - count :][::-1]
        del done[len(done) - count :]
        done.append(Unit(nuclearity, relation, children, text, line))
    return done[0]


@dataclass(frozen=True)
class Documents:
    """Discourse trees by name, as one table; and what is wrong with others.

    They can be gone through, or asked for one by name, as trees of units:

    >>> cause = Unit("R", "---", [Unit("N", "span"), Unit("S", "cause")])
    >>> documents = Documents.of_units([("a", cause)])
    >>> documents
    <Documents <rst>: 1 document, 2 EDUs>
    >>> [unit.label for unit in documents["a"].walk()]
    ['---/R', 'span/N', 'cause/S']
    """

    names: list[str]
    bank: Treebank
    problems: Sequence[RstError] = ()
    # As they were read, with their lines; without, they are made from the table.
    units: Sequence[Unit] | None = None
    # What all are called before their numbers (`test`, `test:1`), if they were read
    # from one file that was named; None: of a folder, or of several files.
    stem: str | None = None

    @classmethod
    def of_units(
        cls,
        documents: Iterable[tuple[str, Unit]],
        source: str = "<rst>",
        problems: Sequence[RstError] = (),
    ) -> Documents:
        """Trees of units as a table."""
        names: list[str] = []
        units: list[Unit] = []
        builder = TreebankBuilder(source)
        for name, root in documents:
            names.append(name)
            units.append(root)
            _add(builder, root)
        return cls(names, builder.finish(), problems, units)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[tuple[str, Unit]]:
        return ((name, self.unit(at)) for at, name in enumerate(self.names))

    def __getitem__(self, name: str) -> Unit:
        if name not in self.names:
            raise KeyError(name)
        return self.unit(self.names.index(name))

    def __repr__(self) -> str:
        parts = [
            counted(len(self), "document"),
            counted(int(self.bank.leaf_start[-1]), "EDU"),
        ]
        if self.problems:
            parts.append(f"{len(self.problems):,} could not be read")
        return f"<Documents {self.bank.source}: {', '.join(parts)}>"

    @property
    def edu_counts(self) -> Ints:
        return np.diff(self.bank.leaf_start)

    def unit(self, document: int) -> Unit:
        """A tree as units."""
        if self.units is not None:
            return self.units[document]
        return unit_of(self.bank, document)

    def text_of(self, document: int) -> str:
        """The text of a document, without white space."""
        start, end = self.bank.leaf_start[document : document + 2].tolist()
        forms = (self.bank.form(leaf) for leaf in range(start, end))
        return "".join("".join(form.split()) for form in forms)


def _add(builder: TreebankBuilder, root: Unit) -> None:
    pending: list[Unit | None] = [root]
    while pending:
        unit = pending.pop()
        if unit is None:
            builder.close()
        elif not unit.children:
            builder.leaf(f"{unit.relation}/{unit.nuclearity}", unit.text)
        else:
            builder.open(f"{unit.relation}/{unit.nuclearity}")
            pending.append(None)
            pending.extend(unit.children[::-1])
    builder.end_tree(line=1)


def unit_of(bank: Treebank, tree: int) -> Unit:
    """A tree of the table as units."""
    view = bank[tree]
    units: dict[int, Unit] = {}
    for row in reversed(view.rows):
        relation, nuclearity = split_label(bank.label_name(row))
        children = [units.pop(child) for child in view.child_rows.get(row, [])]
        text = bank.form(int(bank.first[row])) if bank.is_leaf[row] else ""
        units[row] = Unit(nuclearity, relation, children, text)
    return units[view.root_rows[0]]


def check_size(units: int, place: Place) -> None:
    """Refuse a document of too many units, best while there are not many more."""
    allowed = limits().tree_nodes
    if units > allowed:
        raise RstError(
            "found {units:,} units so far; at most {allowed:,} are "
            "read in one document; to allow more, use --max-tree-nodes",
            place,
            code="E377",
            units=units,
            allowed=allowed,
        )


def split_label(label: str) -> tuple[str, str]:
    """Relation and nuclearity of a label.

    >>> split_label("elaboration/S")
    ('elaboration', 'S')
    """
    relation, _, nuclearity = label.rpartition("/")
    return relation, nuclearity
