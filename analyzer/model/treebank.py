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
from operator import attrgetter, is_
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

import numpy as np

from analyzer.exceptions import AnalyzerError, TreeSyntaxError
from analyzer.model.arrays import Flags, Ids, Ints, parents, parents_and_levels
from analyzer.model.symbols import SYMBOLS

if TYPE_CHECKING:
    from analyzer.model.tree import Tree

Value = TypeVar("Value")

# A text is decoded at once if a word of it is asked for every so many bytes.
_WORTH_DECODING = 100


class Yields(NamedTuple):
    """The words of nodes that have gaps, as trees with crossing branches have them.

    Columns hold trees of brackets: each node is a run of leaves. A tree with crossing
    branches is read as one of brackets (`formats.crossing`); what its nodes
    were before stands here, for those that were something else: one row a run of
    leaves, half-open; those of a node together, in order.

    Without a row: branches could cross in this format, and do not.
    """

    node: Ints  # in the treebank's columns
    first: Ints
    last: Ints

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, int]]) -> Yields:
        """From rows."""
        return cls(*np.array(rows, np.int64).reshape(-1, 3).T)

    def moved(self, nodes: int, leaves: int) -> Yields:
        """The same, where nodes and leaves have numbers that are so much higher."""
        return Yields(self.node + nodes, self.first + leaves, self.last + leaves)


def runs_of(leaves: Sequence[int]) -> list[tuple[int, int]]:
    """Leaves in order, as runs without a gap, half-open.

    >>> runs_of([0, 3, 4])
    [(0, 1), (3, 5)]
    """
    runs: list[tuple[int, int]] = []
    for leaf in leaves:
        if runs and runs[-1][1] == leaf:
            runs[-1] = (runs[-1][0], leaf + 1)
        else:
            runs.append((leaf, leaf + 1))
    return runs


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
    # The columns that are known to describe trees: see `require_sound`.
    _sound: tuple[Any, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Numbers of labels are of this process: their names are pickled instead."""
        names, label = self._label_names()
        columns = {column.name: getattr(self, column.name) for column in fields(self)}
        return _unpickled, (columns | {"label": label, "_sound": ()}, names)

    def content(self) -> tuple[list[str], list[bytes]]:
        """The names of labels, and all columns as bytes: equal where the trees are."""
        names, label = self._label_names()
        columns = [getattr(self, column.name) for column in fields(self)]
        arrays = [column for column in columns if isinstance(column, np.ndarray)]
        return names, [label.tobytes(), *(a.tobytes() for a in arrays[1:]), self.text]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Treebank):
            return NotImplemented
        return self is other or (
            (self.source, self.problems, self.ids, self.edges)
            == (other.source, other.problems, other.ids, other.edges)
            and _same_yields(self.yields, other.yields)
            and self.content() == other.content()
        )

    def __hash__(self) -> int:
        return hash((self.source, self.label.size, len(self.text)))

    def _label_names(self) -> tuple[list[str], Ints]:
        """The names of the labels in here, and for each node which it has."""
        self.require_sound()
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

    def reshaped(self, **columns: Any) -> Treebank:
        """With other columns, which follow from these and so are as sound."""
        self.require_sound()
        return _vouched_for(replace(self, **columns))

    def _range(self, start: int, stop: int) -> Treebank:
        self.require_sound()
        n0, n1 = int(self.node_start[start]), int(self.node_start[stop])
        l0, l1 = int(self.leaf_start[start]), int(self.leaf_start[stop])
        yields = self.yields
        if yields is not None:
            some = slice(*np.searchsorted(yields.node, (n0, n1)))
            yields = Yields(*(column[some] for column in yields)).moved(-n0, -l0)
        return self.reshaped(
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
            problems=_between(self.problems, start, stop),
            mends=_between(self.mends, start, stop),
            ids=self.ids[start:stop],
            edges=self.edges[l0:l1],
            yields=yields,
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
            return TreebankBuilder(source or "<text>").finish()
        for bank in banks:
            bank.require_sound()
        nodes = _offsets([bank.label.size for bank in banks])
        leaves = _offsets([bank.leaf_node.size for bank in banks])
        trees = _offsets([len(bank) for bank in banks])
        # Slices of one treebank share its text, which is needed once.
        shared = {id(bank.text): bank.text for bank in banks}
        offsets = _offsets([len(text) for text in shared.values()])
        place = dict(zip(shared, offsets, strict=False))
        texts = [place[id(bank.text)] for bank in banks]

        def joined(column: str) -> Any:
            return np.concatenate([getattr(bank, column) for bank in banks])

        def shifted(column: str, by: list[int]) -> Ints:
            pieces = [getattr(b, column) + by[i] for i, b in enumerate(banks)]
            return np.concatenate(pieces)

        def starts(column: str, by: list[int]) -> Ints:
            pieces = [getattr(b, column)[:-1] + by[i] for i, b in enumerate(banks)]
            return np.concatenate([*pieces, [by[-1]]]).astype(np.int64)

        return Treebank.of_reader(
            label=joined("label"),
            depth=joined("depth"),
            first=shifted("first", leaves).astype(np.int32),
            last=shifted("last", leaves).astype(np.int32),
            is_leaf=joined("is_leaf"),
            leaf_node=shifted("leaf_node", nodes),
            form_start=shifted("form_start", texts),
            form_end=shifted("form_end", texts),
            node_start=starts("node_start", nodes),
            leaf_start=starts("leaf_start", leaves),
            line=joined("line"),
            text=b"".join(shared.values()),
            source=source or banks[0].source,
            problems=_joined_mappings([bank.problems for bank in banks], trees),
            mends=_joined_mappings([bank.mends for bank in banks], trees),
            ids=_joined([bank.ids for bank in banks], trees),
            edges=_joined([bank.edges for bank in banks], leaves),
            yields=_joined_yields([bank.yields for bank in banks], nodes, leaves),
        )

    # -- invariants -----------------------------------------------------------

    @classmethod
    def of_reader(cls, **columns: Any) -> Treebank:
        """A treebank of columns that are sound by the way in which they were made.

        For readers, which make many; whoever else calls Treebank(…) need not think of
        it, and pays for one look at the columns (`require_sound`).
        """
        return _vouched_for(cls(**columns))

    def require_sound(self) -> None:
        """Raise AnalyzerError unless the columns describe trees.

        Compiled code trusts them, so it asks first. What is known of columns is known
        of these very arrays, which nobody can change: those of a treebank that was made
        by hand or by `replace`, or unpickled, are looked at, and copied.
        """
        columns, known = _columns_of(self), self._sound
        if not (known and all(map(is_, columns, known))):
            nodes = columns[:_OF_NODES]
            self._check(knows_nodes=bool(known) and all(map(is_, nodes, known)))
            _vouched_for(self, copy=True)

    def check(self) -> None:
        """Raise AnalyzerError unless the columns describe trees, whoever made them."""
        self._check()

    def _check(self, *, knows_nodes: bool = False) -> None:
        for fact in _untrue(self, knows_nodes=knows_nodes):
            raise AnalyzerError(_DAMAGED, fact=fact)


_DAMAGED = "E004 damaged treebank table"
# What is known to be sound, or not, and what arrays hold. The first ones say which node
# is where; the others follow them, and are looked at in no time.
_COLUMNS: dict[str, Any] = {
    **dict.fromkeys(("depth", "first", "last"), np.int32),
    **{"is_leaf": np.bool_, "leaf_node": np.int64, "label": np.int32},
    **dict.fromkeys(("form_start", "form_end", "node_start", "leaf_start"), np.int64),
    **{"line": np.int64, "text": bytes, "ids": tuple, "edges": tuple},
}
_OF_NODES = 5
_columns_of = attrgetter(*_COLUMNS, "problems", "yields")


def _vouched_for(bank: Treebank, *, copy: bool = False) -> Treebank:
    """The treebank, of whose columns it is known from now on that they describe trees.

    Its arrays cannot be made writeable any more; whoever else has them might write to
    them, unless they are copied.
    """
    known = bank._sound
    for name, column in zip(_COLUMNS, _columns_of(bank), strict=False):
        if isinstance(column, np.ndarray) and not any(
            column is other for other in known
        ):
            data = (column.copy() if copy else column).data
            object.__setattr__(bank, name, np.asarray(data.toreadonly()))
    object.__setattr__(bank, "_sound", _columns_of(bank))
    return bank


def _untrue(bank: Treebank, *, knows_nodes: bool) -> Iterator[str]:
    """What is wrong with columns that describe no trees.

    Later checks take for granted that the earlier ones passed.
    """
    columns = _columns_of(bank)
    for column, kind in zip(columns, _COLUMNS.values(), strict=False):
        is_array = isinstance(column, np.ndarray) and column.ndim == 1
        if (column.dtype if is_array else type(column)) != kind:
            yield "columns are arrays of their types"
    nodes, leaves, trees = (
        bank.depth.size,
        bank.leaf_node.size,
        bank.node_start.size - 1,
    )
    sizes = [*[nodes] * 4, leaves, nodes, *[leaves] * 2, *[trees + 1] * 2, trees]
    if (
        [column.size for column in columns[: len(sizes)]] != sizes
        or len(bank.ids) not in (0, trees)
        or len(bank.edges) not in (0, leaves)
    ):
        yield "columns have an entry for each node, leaf or tree"
    if not knows_nodes:
        yield from _untrue_of_nodes(bank)
    yield from _untrue_of_trees(bank)


def _untrue_of_trees(bank: Treebank) -> Iterator[str]:
    nodes, leaves, trees = bank.depth.size, bank.leaf_node.size, len(bank)
    first, depth = np.append(bank.first, leaves), np.append(bank.depth, 0)
    starts = bank.node_start
    if (
        (starts[0], starts[-1]) != (0, nodes)
        or np.any(starts[1:] < starts[:-1])
        or np.any(depth[starts] != 0)
        or not np.array_equal(first[starts], bank.leaf_start)
    ):
        yield "starts cover all rows"
    if nodes and not 0 <= bank.label.min() <= bank.label.max() < len(SYMBOLS):
        yield "labels are known"
    if leaves and not (
        bank.form_start.min() >= 0
        and np.all(bank.form_start <= bank.form_end)
        and bank.form_end.max() <= len(bank.text)
    ):
        yield "words lie within the text"
    if not all(0 <= tree < trees for tree in bank.problems):
        yield "problems are of trees that are there"
    if bank.yields is not None:
        node, start, end = map(np.asarray, bank.yields)
        if node.size and not (
            node.size == start.size == end.size
            and 0 <= node.min() <= node.max() < nodes
            and start.min() >= 0
            and np.all(start < end)
            and end.max() <= leaves
        ):
            yield "runs of words lie within the bank"


def _untrue_of_nodes(bank: Treebank) -> Iterator[str]:
    is_leaf, depth, first, last = bank.is_leaf, bank.depth, bank.first, bank.last
    leaf = np.arange(bank.leaf_node.size)
    if not np.array_equal(np.flatnonzero(is_leaf), bank.leaf_node):
        yield "leaf_node and is_leaf agree"
    of_leaves = first[bank.leaf_node], last[bank.leaf_node] - 1
    if not all(np.array_equal(column, leaf) for column in of_leaves):
        yield "a leaf spans itself"
    if not np.array_equal(first, np.cumsum(is_leaf) - is_leaf):
        yield "a node begins with the leaf that comes next"
    if np.any(depth < 0) or np.any(depth[:1]) or np.any(np.diff(depth) > ~is_leaf[:-1]):
        yield "a node comes right after its parent, or after what is below its sisters"
    parent, child, starts = parents(depth)
    last_child = child[np.append(starts[1:], child.size)[: starts.size] - 1]
    expected = first + is_leaf
    expected[parent[last_child]] = last[last_child]
    if not np.array_equal(last, expected):
        yield "a phrase ends with its last child"


def _same_yields(left: Yields | None, right: Yields | None) -> bool:
    if left is None or right is None:
        return left is right
    return all(map(np.array_equal, left, right))


def _unpickled(columns: dict[str, Any], names: list[str]) -> Treebank:
    numbers = np.array([SYMBOLS.id(name) for name in names], np.int32)
    try:
        label = numbers[columns["label"]]
    except IndexError:
        raise AnalyzerError(_DAMAGED, fact="labels have names") from None
    return Treebank(**columns | {"label": label})


def _decoded(text: bytes, starts: Ints, ends: Ints) -> list[str]:
    """Parts of a text, which is decoded at once."""
    whole = text.decode()
    if len(whole) < len(text):
        inner = np.flatnonzero((np.frombuffer(text, np.uint8) & 0xC0) == 0x80)
        starts = starts - np.searchsorted(inner, starts)
        ends = ends - np.searchsorted(inner, ends)
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    return [whole[start:end] for start, end in spans]


def _between(known: Mapping[int, Value], start: int, stop: int) -> dict[int, Value]:
    """What is known of some trees, by their numbers among these."""
    return {
        tree - start: value for tree, value in known.items() if start <= tree < stop
    }


def _joined_mappings(
    parts: Sequence[Mapping[int, Value]], trees: Sequence[int]
) -> dict[int, Value]:
    """What is known of the trees of banks one after another."""
    both = zip(parts, trees, strict=False)
    return {tree + by: value for part, by in both for tree, value in part.items()}


def _joined_yields(
    parts: Sequence[Yields | None], nodes: Sequence[int], leaves: Sequence[int]
) -> Yields | None:
    """Those of banks one after another, given where each one's rows begin."""
    moved = [
        part.moved(node, leaf)
        for part, node, leaf in zip(parts, nodes, leaves, strict=False)
        if part is not None
    ]
    return Yields(*map(np.concatenate, zip(*moved, strict=True))) if moved else None


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


class TreebankBuilder:
    """Builds a treebank from events: open, leaf, close, end_tree.

    The way in for everything but well-formed bracket files.

    >>> builder = TreebankBuilder("example")
    >>> builder.open("NP"); builder.leaf("DT", "the"); builder.leaf("NN", "cat")
    >>> builder.close(); builder.end_tree(line=1)
    >>> print(builder.finish()[0])
    (NP (DT the) (NN cat))
    """

    def __init__(self, source: str = "<text>", *, may_cross: bool = False) -> None:
        self._source = source
        self._may_cross = may_cross  # branches, in the trees that these are made of
        self._label: list[int] = []
        self._depth: list[int] = []
        self._first: list[int] = []
        self._last: list[int] = []
        self._leaf_node: list[int] = []
        self._forms: list[bytes] = []
        self._node_start = [0]
        self._leaf_start = [0]
        self._line: list[int] = []
        self._problems: dict[int, TreeSyntaxError] = {}
        self._open: list[int] = []
        self._ids: dict[str, int] = {}  # of labels that were met
        self._tree_ids: list[str] = []
        self._edges: list[str] = []
        self._yields: list[tuple[int, int, int]] = []

    def open(self, label: str, runs: Sequence[tuple[int, int]] = ()) -> None:
        """A phrase; `runs` of the tree's words, where it is no run of brackets."""
        node, leaf = self._add(label), self._leaf_start[-1]
        self._yields += [(node, leaf + first, leaf + last) for first, last in runs]
        self._open.append(node)

    def leaf(self, label: str, form: str, edge: str = "") -> None:
        node = self._add(label)
        self._leaf_node.append(node)
        self._forms.append(form.encode("utf-8", "replace"))
        self._last[node] = len(self._leaf_node)
        self._edges.append(edge)

    def close(self) -> None:
        self._last[self._open.pop()] = len(self._leaf_node)

    def end_tree(
        self, line: int, problem: TreeSyntaxError | None = None, *, id: str = ""
    ) -> None:
        """Finish a tree; with a problem, one that could not be read."""
        self._tree_ids.append(id)
        if problem is not None:
            self._problems[len(self._line)] = problem
        self._line.append(line)
        self._node_start.append(len(self._label))
        self._leaf_start.append(len(self._leaf_node))

    def finish(self) -> Treebank:
        ends = np.cumsum([len(form) for form in self._forms], dtype=np.int64)
        is_leaf = np.zeros(len(self._label), np.bool_)
        is_leaf[self._leaf_node] = True
        return Treebank.of_reader(
            label=np.array(self._label, np.int32),
            depth=np.array(self._depth, np.int32),
            first=np.array(self._first, np.int32),
            last=np.array(self._last, np.int32),
            is_leaf=is_leaf,
            leaf_node=np.array(self._leaf_node, np.int64),
            form_start=ends - np.array([len(f) for f in self._forms], np.int64),
            form_end=ends,
            node_start=np.array(self._node_start, np.int64),
            leaf_start=np.array(self._leaf_start, np.int64),
            line=np.array(self._line, np.int64),
            text=b"".join(self._forms),
            source=self._source,
            problems=self._problems,
            ids=tuple(self._tree_ids) if any(self._tree_ids) else (),
            edges=tuple(self._edges) if any(self._edges) else (),
            yields=Yields.of(self._yields) if self._may_cross else None,
        )

    def _add(self, label: str) -> int:
        number = self._ids.get(label)
        if number is None:
            number = self._ids[label] = SYMBOLS.id(label)
        self._label.append(number)
        self._depth.append(len(self._open))
        self._first.append(len(self._leaf_node))
        self._last.append(-1)
        return len(self._label) - 1
