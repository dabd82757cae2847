"""A treebank is a table: one row a node, in pre-order, all trees end to end.

The leaves of a syntactic tree are words; the leaves of a discourse tree are
elementary discourse units. Nothing after the reader cares which. See
`docs/columns.md` for every column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from analyzer.exceptions import AnalyzerError, TreeSyntaxError
from analyzer.model.arrays import Flags, Ids, Ints
from analyzer.model.families import parents_and_levels
from analyzer.model.symbols import SYMBOLS
from analyzer.model.yields import Yields, joined, same_yields

if TYPE_CHECKING:
    from analyzer.model.tree import Tree


# A text is decoded at once if a word of it is asked for every so many bytes.
_WORTH_DECODING = 100


@dataclass(frozen=True, eq=False)
class Treebank:
    """Columns of nodes, leaves and trees. Arrays are read-only.

    Spans are half-open and count the leaves of the whole bank: the words of node
    `i` are those from `first[i]` up to, not including, `last[i]`.
    """

    # per node
    label: Ids
    depth: Ids  # 0 for a root
    first: Ids
    last: Ids
    is_leaf: Flags
    # per leaf
    leaf_node: Ints  # its row in the node columns
    form_start: Ints  # its form is text[form_start:form_end]
    form_end: Ints
    # per tree; the starts have one entry more, the end of the last tree
    node_start: Ints
    leaf_start: Ints
    line: Ints  # 1-based line where it starts
    # per bank
    text: bytes
    source: str = "<text>"
    # trees that could not be read: they have no rows, and their error stands here
    problems: Mapping[int, TreeSyntaxError] = field(default_factory=dict)
    # how trees were mended, or could have been where they are problems
    mends: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    # What the file calls each tree, "" for nothing; empty where it names none.
    ids: tuple[str, ...] = ()
    # Per leaf, the label of the edge above it, as graphs have them; empty: none has.
    edges: tuple[str, ...] = ()
    # The words of nodes whose branches crossed others; None where none can.
    yields: Yields | None = None

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Numbers of labels are of this process: what travels is their names."""
        names, label = self._label_names()
        columns = {one.name: getattr(self, one.name) for one in fields(self)}
        return _unpickled, (columns | {"label": label}, names)

    def content(self) -> tuple[list[str], list[bytes]]:
        """The names of labels, and all columns as bytes: equal where the trees are."""
        names, label = self._label_names()
        columns = [getattr(self, one.name) for one in fields(self)]
        arrays = [one for one in columns if isinstance(one, np.ndarray)]
        return names, [label.tobytes(), *(a.tobytes() for a in arrays[1:]), self.text]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Treebank):
            return NotImplemented
        return self is other or (
            (self.source, self.problems, self.ids, self.edges)
            == (other.source, other.problems, other.ids, other.edges)
            and same_yields(self.yields, other.yields)
            and self.content() == other.content()
        )

    def __hash__(self) -> int:
        return hash((self.source, self.label.size, len(self.text)))

    def _label_names(self) -> tuple[list[str], Ints]:
        """The names of the labels in here, and for each node which it has."""
        used, label = np.unique(self.label, return_inverse=True)
        return [SYMBOLS.name(number) for number in used.tolist()], label

    # -- size and access -----------------------------------------------------

    def __len__(self) -> int:
        return self.node_start.size - 1

    @overload
    def __getitem__(self, index: int) -> Tree: ...
    @overload
    def __getitem__(self, index: slice) -> Treebank: ...
    def __getitem__(self, index: int | slice) -> Tree | Treebank:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                raise ValueError("a treebank can be sliced in steps of 1 only")
            return self._range(start, max(start, stop))
        from analyzer.model.tree import Tree

        if not -len(self) <= index < len(self):
            raise IndexError(f"no tree {index} in a treebank of {len(self)}")
        return Tree(self, index % len(self))

    def __iter__(self) -> Iterator[Tree]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        bad = f", {len(self.problems)} unreadable" if self.problems else ""
        return (
            f"<Treebank {self.source}: {len(self):,} trees, {self.label.size:,} nodes, "
            f"{self.leaf_node.size:,} leaves{bad}>"
        )

    def _repr_html_(self) -> str:
        from html import escape

        trees = "".join(tree._repr_html_() for tree in self[:3])
        more = f"<p>… and {len(self) - 3:,} more</p>" if len(self) > 3 else ""
        return f"<p>{escape(repr(self))}</p>{trees}{more}"

    # -- derived columns -------------------------------------------------------

    @cached_property
    def parent(self) -> Ints:
        """Row of each node's parent, -1 for a root."""
        parent, _ = parents_and_levels(self.depth)
        parent.flags.writeable = False
        return parent

    @cached_property
    def tree_of_node(self) -> Ints:
        """Index of the tree that each node is in."""
        sizes = np.diff(self.node_start)
        return np.repeat(np.arange(len(self), dtype=np.int64), sizes)

    def with_labels(self, label: Ids) -> Treebank:
        """These trees with other labels, one for each node."""
        return replace(self, label=label)

    def form(self, leaf: int) -> str:
        """The word (or text) of a leaf."""
        start, end = int(self.form_start[leaf]), int(self.form_end[leaf])
        return self.text[start:end].decode("utf-8", "replace")

    def forms(self, leaves: Ints | slice) -> list[str]:
        """The words of some leaves."""
        starts, ends = self.form_start[leaves], self.form_end[leaves]
        if starts.size * _WORTH_DECODING >= len(self.text):
            with suppress(UnicodeDecodeError):  # some of it has to be replaced
                return _decoded(self.text, starts, ends)
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        return [self.text[start:end].decode("utf-8", "replace") for start, end in spans]

    def id_of(self, tree: int) -> str:
        """What the file calls a tree; "" if it has no name."""
        return self.ids[tree] if self.ids else ""

    def label_name(self, node: int) -> str:
        return SYMBOLS.name(int(self.label[node]))

    # -- slicing and joining -----------------------------------------------------

    def _range(self, start: int, stop: int) -> Treebank:
        n0, n1 = int(self.node_start[start]), int(self.node_start[stop])
        l0, l1 = int(self.leaf_start[start]), int(self.leaf_start[stop])
        return Treebank(
            label=self.label[n0:n1],
            depth=self.depth[n0:n1],
            first=self.first[n0:n1] - np.int32(l0),
            last=self.last[n0:n1] - np.int32(l0),
            is_leaf=self.is_leaf[n0:n1],
            leaf_node=self.leaf_node[l0:l1] - n0,
            form_start=self.form_start[l0:l1],
            form_end=self.form_end[l0:l1],
            node_start=self.node_start[start : stop + 1] - n0,
            leaf_start=self.leaf_start[start : stop + 1] - l0,
            line=self.line[start:stop],
            text=self.text,
            source=self.source,
            problems={
                tree - start: problem
                for tree, problem in self.problems.items()
                if start <= tree < stop
            },
            mends={
                tree - start: mends
                for tree, mends in self.mends.items()
                if start <= tree < stop
            },
            ids=self.ids[start:stop],
            edges=self.edges[l0:l1],
            yields=None if self.yields is None else self.yields.between((n0, n1), l0),
        )

    def with_empty_trees(self, count: int) -> Treebank:
        """The trees, followed by this many trees without nodes."""
        return replace(
            self,
            node_start=np.append(self.node_start, [self.node_start[-1]] * count),
            leaf_start=np.append(self.leaf_start, [self.leaf_start[-1]] * count),
            line=np.append(self.line, np.ones(count, self.line.dtype)),
            ids=(*self.ids, *[""] * count) if self.ids else (),
        )

    @staticmethod
    def join(banks: Sequence[Treebank], source: str | None = None) -> Treebank:
        """Several banks as one, in order."""
        if len(banks) == 1 and source in (None, banks[0].source):
            return banks[0]
        if not banks:
            return _without_trees(source or "<text>")
        nodes = _offsets([bank.label.size for bank in banks])
        leaves = _offsets([bank.leaf_node.size for bank in banks])
        trees = _offsets([len(bank) for bank in banks])
        texts = _offsets([len(bank.text) for bank in banks])

        def shifted(column: str, by: list[int]) -> Ints:
            pieces = [getattr(b, column) + by[i] for i, b in enumerate(banks)]
            return np.concatenate(pieces)

        def starts(column: str, by: list[int]) -> Ints:
            pieces = [getattr(b, column)[:-1] + by[i] for i, b in enumerate(banks)]
            return np.concatenate([*pieces, [by[-1]]]).astype(np.int64)

        return Treebank(
            label=np.concatenate([bank.label for bank in banks]),
            depth=np.concatenate([bank.depth for bank in banks]),
            first=shifted("first", leaves).astype(np.int32),
            last=shifted("last", leaves).astype(np.int32),
            is_leaf=np.concatenate([bank.is_leaf for bank in banks]),
            leaf_node=shifted("leaf_node", nodes),
            form_start=shifted("form_start", texts),
            form_end=shifted("form_end", texts),
            node_start=starts("node_start", nodes),
            leaf_start=starts("leaf_start", leaves),
            line=np.concatenate([bank.line for bank in banks]),
            text=b"".join(bank.text for bank in banks),
            source=source or banks[0].source,
            problems={
                tree + trees[i]: problem
                for i, bank in enumerate(banks)
                for tree, problem in bank.problems.items()
            },
            mends={
                tree + trees[i]: mends
                for i, bank in enumerate(banks)
                for tree, mends in bank.mends.items()
            },
            ids=_joined([bank.ids for bank in banks], trees),
            edges=_joined([bank.edges for bank in banks], leaves),
            yields=joined([bank.yields for bank in banks], nodes, leaves),
        )

    # -- invariants -----------------------------------------------------------

    def check(self) -> None:
        """Raise AnalyzerError unless the columns describe trees."""
        leaves = self.leaf_node.size
        facts = {
            "spans lie within the bank": (
                not self.first.size
                or (self.first.min() >= 0 and self.last.max() <= leaves)
            ),
            "spans are not negative": bool(np.all(self.first <= self.last)),
            "a leaf spans itself": bool(
                np.array_equal(self.first[self.leaf_node], np.arange(leaves))
                and np.all(self.last[self.leaf_node] == np.arange(leaves) + 1)
            ),
            "leaf_node and is_leaf agree": bool(
                np.array_equal(np.flatnonzero(self.is_leaf), self.leaf_node)
            ),
            "starts cover all rows": (
                self.node_start[-1] == self.label.size and self.leaf_start[-1] == leaves
            ),
        }
        for fact, holds in facts.items():
            if not holds:
                raise AnalyzerError(
                    "damaged treebank table: not true that {fact}",
                    code="E004",
                    fact=fact,
                )


def _unpickled(columns: dict[str, Any], names: list[str]) -> Treebank:
    numbers = np.array([SYMBOLS.id(name) for name in names], np.int32)
    return Treebank(**columns | {"label": numbers[columns["label"]]})


def _decoded(text: bytes, starts: Ints, ends: Ints) -> list[str]:
    """Parts of a text, which is decoded at once."""
    whole = text.decode()
    if len(whole) < len(text):
        inner = np.flatnonzero((np.frombuffer(text, np.uint8) & 0xC0) == 0x80)
        starts = starts - np.searchsorted(inner, starts)
        ends = ends - np.searchsorted(inner, ends)
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    return [whole[start:end] for start, end in spans]


def _without_trees(source: str) -> Treebank:
    """No tree at all."""
    none, start = np.zeros(0, np.int64), np.zeros(1, np.int64)
    no_ids = none.astype(np.int32)
    return Treebank(
        label=no_ids,
        depth=no_ids,
        first=no_ids,
        last=no_ids,
        is_leaf=none.astype(np.bool_),
        leaf_node=none,
        form_start=none,
        form_end=none,
        node_start=start,
        leaf_start=start,
        line=none,
        text=b"",
        source=source,
    )


def _joined(columns: Sequence[tuple[str, ...]], starts: list[int]) -> tuple[str, ...]:
    """Columns one after another; nothing where one has none, unless all have none."""
    if not any(columns):
        return ()
    sizes = [end - start for start, end in pairwise(starts)]
    whole = [
        column or ("",) * size for column, size in zip(columns, sizes, strict=True)
    ]
    return tuple(chain.from_iterable(whole))


def _offsets(sizes: Sequence[int]) -> list[int]:
    return [0, *np.cumsum(sizes).tolist()]
