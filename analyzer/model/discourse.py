"""Discourse trees in the table of `analyzer.model.treebank`.

A unit's label is `relation/nuclearity`: `elaboration/S` a satellite, `list/N` one of
several nuclei, `span/N` the nucleus of a mononuclear relation, `---/R` the root. The
leaves are elementary discourse units (EDUs), their forms the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from analyzer.exceptions import Place, RstError
from analyzer.limits import limits
from analyzer.model.arrays import Ints
from analyzer.model.treebank import Treebank, TreebankBuilder
from analyzer.safe_text import counted, shortened

NUCLEUS, SATELLITE, ROOT = "N", "S", "R"
SPAN = "span"  # the relation of the nucleus of a mononuclear relation
NO_RELATION = "---"  # the root's
_REPR_WIDTH = 60
# What a tree has that nothing attaches to the rest of its document, a title say: the
# unit over several trees is ours, and claims no relation between them.
UNATTACHED = "unattached"
_JOINED = f"{UNATTACHED}/{NUCLEUS}"


EduSpan = tuple[int, int]  # first and last EDU, from 1


class GraphNode(NamedTuple):
    """A segment or a group of an .rs4 file, which edges and signals point to."""

    name: str  # the id
    kind: str  # 'segment', or the type of a group
    parent: str | None
    relation: str
    own: EduSpan  # without satellites that point to it
    whole: EduSpan  # with them: the unit that has the relation


class SecondaryEdge(NamedTuple):
    """A relation between two units beside those of the tree."""

    name: str  # the id
    source: str  # the id of a node
    target: str
    relation: str
    others: tuple[tuple[str, str], ...] = ()  # further attributes


class Signal(NamedTuple):
    """What shows that a relation holds: words, or layout, syntax and the like."""

    source: str  # the id of the node whose relation it shows, or of a secondary edge
    type: str  # `dm` is a connective
    subtype: str
    tokens: str  # numbers of words in the document, with commas; may be empty
    others: tuple[tuple[str, str], ...] = ()  # further attributes


@dataclass(frozen=True)
class Enhancements:
    """What eRST (Zeldes et al. 2024) adds to a tree: secondary edges and signals."""

    nodes: Mapping[str, GraphNode]  # in the order of the file
    edges: Sequence[SecondaryEdge] = ()
    signals: Sequence[Signal] = ()
    # What the header declares: relations with their types, signals' types with theirs.
    relations: Sequence[tuple[str, str]] = ()
    signal_types: Sequence[tuple[str, str]] = ()

    def __str__(self) -> str:
        edges = counted(len(self.edges), "secondary edge")
        return f"{edges} and {counted(len(self.signals), 'signal')}"

    @cached_property
    def edge_named(self) -> dict[str, SecondaryEdge]:
        return {edge.name: edge for edge in self.edges}


@dataclass(slots=True, eq=False, repr=False)
class Unit:
    """A discourse unit, for reading and reshaping; scores use columns.

    Trees of any depth can be compared, copied and pickled: as rows, not level by level.
    The root of a tree has its `enhancements`, which comparing does not look at.
    """

    nuclearity: str
    relation: str
    children: list[Unit] = field(default_factory=list)
    text: str = ""
    line: int = 0
    enhancements: Enhancements | None = None
    is_grouped: bool = False  # in .rs3, a group stands around it alone

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
        return _unit_of_rows, (_rows(self), self.enhancements)

    def __repr__(self) -> str:
        if self.is_edu:
            return f"<Unit {self.label}: {shortened(self.text, _REPR_WIDTH)}>"
        edus = counted(sum(unit.is_edu for unit in self.walk()), "EDU")
        return f"<Unit {self.label}: {edus}>"

    def __str__(self) -> str:
        return _repr_text(self)

    def _repr_svg_(self) -> str:
        return _repr_picture(self)

    def copy(self) -> Unit:
        """A tree of new units."""
        copies: dict[int, Unit] = {}
        for unit in reversed(list(self.walk())):
            children = [copies.pop(id(child)) for child in unit.children]
            copies[id(unit)] = Unit(
                unit.nuclearity, unit.relation, children, unit.text, unit.line
            )
            copies[id(unit)].is_grouped = unit.is_grouped
        copies[id(self)].enhancements = self.enhancements
        return copies[id(self)]


# Nuclearity, relation, text, line, and how many children.
_Row = tuple[str, str, str, int, int]


def _rows(root: Unit) -> list[_Row]:
    """A tree as rows, parents first."""
    return [
        (unit.nuclearity, unit.relation, unit.text, unit.line, len(unit.children))
        for unit in root.walk()
    ]


def _unit_of_rows(rows: Sequence[_Row], enhancements: Enhancements | None) -> Unit:
    done: list[Unit] = []  # what has no parent yet, the first one last
    for nuclearity, relation, text, line, count in reversed(rows):
        children = done[len(done) - count :][::-1]
        del done[len(done) - count :]
        done.append(Unit(nuclearity, relation, children, text, line))
    done[0].enhancements = enhancements
    return done[0]


class Reading(NamedTuple):
    """Something that a document has otherwise than RST would, and how it was read."""

    noun: str  # what there is of it, such as `tree`
    fate: str  # and what became of it: `joined under one unit`
    number: int
    document: str = ""


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
    readings: tuple[Reading, ...] = ()  # what was read otherwise than it is written
    # By number: those that have no constituent tree, or none that is known. In the
    # table, each of their EDUs stands alone.
    arcs: Mapping[int, DependencyTree] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bank.require_sound()

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
            add_trees(builder, [root])
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

    def texts_of(self, document: int) -> list[str]:
        """The texts of a document's EDUs."""
        start, end = self.bank.leaf_start[document : document + 2].tolist()
        return [self.bank.form(leaf) for leaf in range(start, end)]

    def text_of(self, document: int) -> str:
        """The text of a document, without white space."""
        return "".join("".join(form.split()) for form in self.texts_of(document))


def add_trees(builder: TreebankBuilder, roots: Sequence[Unit]) -> None:
    """A document as rows: of one tree, or of several that nothing joins."""
    pending: list[Unit | None] = [*reversed(roots)]
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
    """A document of the table as units; several trees are joined under one."""
    return joined(units_of(bank, tree))


def units_of(bank: Treebank, tree: int) -> list[Unit]:
    """The trees of a document: one, unless it is a forest."""
    view = bank[tree]
    units: dict[int, Unit] = {}
    for row in reversed(view.rows):
        relation, nuclearity = split_label(bank.label_name(row))
        children = [units.pop(child) for child in view.child_rows.get(row, [])]
        text = bank.form(int(bank.first[row])) if bank.is_leaf[row] else ""
        units[row] = Unit(nuclearity, relation, children, text)
    return [units[row] for row in view.root_rows]


def joined(trees: Sequence[Unit]) -> Unit:
    """One tree of several that stand side by side: a unit over all, each a nucleus.

    >>> [unit.label for unit in joined([Unit("R", "---"), Unit("R", "---")]).walk()]
    ['---/R', 'unattached/N', 'unattached/N']
    """
    if len(trees) > 1:
        for tree in trees:
            tree.nuclearity, tree.relation = NUCLEUS, UNATTACHED
        return Unit(ROOT, NO_RELATION, list(trees))
    [tree] = trees
    tree.nuclearity, tree.relation = ROOT, NO_RELATION
    return tree


def trees_of(root: Unit) -> list[Unit]:
    """The trees that were joined, as they stand below it; else the tree itself.

    >>> tree = Unit("R", "---", [Unit("N", "span"), Unit("S", "cause")])
    >>> len(trees_of(tree)), len(trees_of(joined([tree, Unit("R", "---")])))
    (1, 2)
    """
    trees: list[Unit] = []
    pending = [root]
    while pending:
        unit = pending.pop()
        # Binary trees have units between, which hold nothing but trees as well.
        if unit.children and all(child.label == _JOINED for child in unit.children):
            pending.extend(reversed(unit.children))
        else:
            trees.append(unit)
    return trees


def check_size(units: int, place: Place) -> None:
    """Refuse a document of too many units, best while there are not many more."""
    allowed = limits().tree_nodes
    if units > allowed:
        raise RstError("E377 units so far", place, units=units, allowed=allowed)


def split_label(label: str) -> tuple[str, str]:
    """Relation and nuclearity of a label.

    >>> split_label("elaboration/S")
    ('elaboration', 'S')
    """
    relation, _, nuclearity = label.rpartition("/")
    return relation, nuclearity


# -- dependency trees: one entry an EDU ------------------------------------------------

ROOT_RELATION = "ROOT"


class Arc(NamedTuple):
    """An EDU, from 1, depends on another one."""

    edu: int
    head: int
    relation: str


@dataclass
class DependencyTree:
    """One entry for each EDU, in the order of the text.

    heads: the EDU it depends on, from 1; 0 for the root, or for each of a forest.
    relations: the root's is `ROOT`.
    nuclearities: N (a further nucleus of its head) or S; the root's is N. None if the
        tree does not say.
    ranks: bottom up from 1, when it was attached to its head; those attached together,
        in one n-ary unit, share a rank. The root's is 1. None if the tree has no order.
    sentences: numbers of the sentences, where they are known.
    paragraphs: numbers of the paragraphs, where they are known.
    odd_nuclei: by head and rank, the relation of the nucleus that holds the head where
        it is not what its dependents say (a list whose first nucleus is no List).
    enhancements: secondary edges and signals of each EDU, as .rsd writes them.
    more: further governors of EDUs, in graphs that are no trees.
    is_of_arcs: scored and drawn as arcs; its annotators had no constituent tree in
        mind.
    words: of each EDU, where the file has them; its text has them with or without
        blanks between.
    """

    heads: list[int]
    relations: list[str]
    nuclearities: list[str] | None = None
    ranks: list[int] | None = None
    texts: list[str] = field(default_factory=list)
    sentences: list[int] | None = None
    odd_nuclei: Mapping[tuple[int, int], str] = field(default_factory=dict)
    enhancements: Sequence[tuple[str, str]] | None = None
    more: Sequence[Arc] = ()
    is_of_arcs: bool = False
    paragraphs: list[int] | None = None
    words: Sequence[Sequence[str]] | None = None

    def __post_init__(self) -> None:
        if not self.texts:
            self.texts = [""] * len(self.heads)

    def __len__(self) -> int:
        return len(self.heads)

    def __str__(self) -> str:
        return _repr_text(self)

    def _repr_svg_(self) -> str:
        return _repr_picture(self)

    @property
    def root(self) -> int:
        """The EDU, from 1, that depends on none; of a forest, the first."""
        return self.heads.index(0) + 1

    def arcs(self) -> list[Arc]:
        """That of each EDU, with head 0 of a root; then the further ones of graphs."""
        pairs = zip(self.heads, self.relations, strict=True)
        first = [Arc(edu, head, name) for edu, (head, name) in enumerate(pairs, 1)]
        return [*first, *self.more]

    def dependents(self) -> list[list[int]]:
        """By head, 0 for the root's: its dependents from left to right."""
        below: list[list[int]] = [[] for _ in range(len(self) + 1)]
        for edu, head in enumerate(self.heads, start=1):
            below[head].append(edu)
        return below

    def label(self, place: int) -> str:
        """Relation and order of an arc, from 1 in `arcs()`, as the paper writes them.

        >>> DependencyTree([0, 1], ["ROOT", "attribution"], ranks=[1, 2]).label(2)
        'attribution#2'
        """
        if place > len(self):
            return self.more[place - len(self) - 1].relation
        relation = self.relations[place - 1]
        if self.ranks is None or not self.heads[place - 1]:
            return relation
        return f"{relation}#{self.ranks[place - 1]}"


DiscourseTree = Unit | DependencyTree


def _repr_text(tree: DiscourseTree) -> str:
    """A tree as a terminal shows it."""
    from reports.drawing.discourse_text import draw
    from reports.drawing.tree_text import lines_text

    return lines_text(draw(tree))


def _repr_picture(tree: DiscourseTree) -> str:
    """A tree as a notebook shows it."""
    from reports.drawing.discourse_svg import discourse_svg

    return discourse_svg(tree)


def edu_texts(tree: DiscourseTree) -> list[str]:
    """The texts of the EDUs, in order."""
    if isinstance(tree, DependencyTree):
        return tree.texts
    return [unit.text for unit in tree.walk() if unit.is_edu]


def bottom_up_order(tree: DependencyTree, source: str = "<d-tree>") -> list[int]:
    """The EDUs, every dependent before its head; RstError if this is no tree.

    >>> bottom_up_order(DependencyTree([2, 0, 2], ["a", "ROOT", "b"]))
    [3, 1, 2]
    >>> bottom_up_order(DependencyTree([2, 1], ["a", "b"]))
    Traceback (most recent call last):
    analyzer.exceptions.RstError: <d-tree>: no root: no EDU has head 0
    """
    _check_lengths(tree, source)
    if tree.more:
        edu, head, _ = tree.more[0]
        first = tree.heads[edu - 1]
        raise RstError("E958 governors", Place(source), edu=edu, first=first, head=head)
    dependents = tree.dependents()
    if not dependents[0]:
        raise RstError("E331 no root", Place(source))
    order = list(dependents[0])
    for edu in order:  # grows while it is read
        order.extend(dependents[edu])
    if len(order) < len(tree):
        lost = min(set(range(1, len(tree) + 1)) - set(order))
        raise RstError("E373 does not lead to the root", Place(source), lost=lost)
    return order[::-1]


def _check_lengths(tree: DependencyTree, source: str) -> None:
    count = len(tree)
    if not count:
        raise RstError("E374 no EDUs", Place(source))
    for name in ("relations", "nuclearities", "ranks", "texts", "sentences"):
        values = getattr(tree, name)
        if values is not None and len(values) != count:
            raise RstError(
                "E375 EDUs", Place(source), count=len(values), name=name, count_2=count
            )
    for edu, head in enumerate(tree.heads, start=1):
        if not 0 <= head <= count:
            raise RstError(
                "E376 there are EDUs 1 to",
                Place(source),
                edu=edu,
                head=head,
                count=count,
            )
