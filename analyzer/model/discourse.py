"""Discourse trees in the table of `analyzer.model.treebank`.

A unit's label is `relation/nuclearity`: `elaboration/S` a satellite, `list/N` one of
several nuclei, `span/N` the nucleus of a mononuclear relation, `---/R` the root. The
leaves are elementary discourse units (EDUs), their forms the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from analyzer.exceptions import Place, RstError
from analyzer.limits import limits
from analyzer.model.treebank import Treebank, TreebankBuilder

NUCLEUS, SATELLITE, ROOT = "N", "S", "R"
SPAN = "span"  # the relation of the nucleus of a mononuclear relation
NO_RELATION = "---"  # the root's


@dataclass(slots=True)
class Unit:
    """A discourse unit, for reading and reshaping; scores use columns."""

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

    def copy(self) -> Unit:
        """A tree of new units."""
        copies: dict[int, Unit] = {}
        for unit in reversed(list(self.walk())):
            children = [copies.pop(id(child)) for child in unit.children]
            copies[id(unit)] = Unit(
                unit.nuclearity, unit.relation, children, unit.text, unit.line
            )
        return copies[id(self)]


@dataclass(frozen=True)
class Corpus:
    """Discourse trees by name, as one table."""

    names: list[str]
    bank: Treebank

    def __len__(self) -> int:
        return len(self.names)

    def text_of(self, document: int) -> str:
        """The text of a document, without white space."""
        start, end = self.bank.leaf_start[document : document + 2].tolist()
        forms = (self.bank.form(leaf) for leaf in range(start, end))
        return "".join("".join(form.split()) for form in forms)


def check_size(units: int, place: Place) -> None:
    """Refuse a document of too many units, best while there are not many more."""
    allowed = limits().tree_nodes
    if units > allowed:
        raise RstError(
            f"found {units:,} units so far; at most {allowed:,} are read in one "
            "document; if it may have more, say so (--max-tree-nodes)",
            place,
        )


def corpus_of(documents: Sequence[tuple[str, Unit]], source: str = "<rst>") -> Corpus:
    """Trees of units as a table."""
    builder = TreebankBuilder(source)
    for _, root in documents:
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
    return Corpus([name for name, _ in documents], builder.finish())


def split_label(label: str) -> tuple[str, str]:
    """Relation and nuclearity of a label.

    >>> split_label("elaboration/S")
    ('elaboration', 'S')
    """
    relation, _, nuclearity = label.rpartition("/")
    return relation, nuclearity
