"""Queries on columns: each relation is a comparison of integers.

Nodes are numbered in pre-order, words among them, each after its tag. A node's number
and the number after its last descendant say what dominates and what precedes what;
the numbers of its parent, of the top of its leftmost chain, and so on, say the rest.
So a relation is either *keyed* (both nodes have the same key, as children have their
parent's number) or a *range* (one node's number lies in a range of the other's).

What has to do with no name is asked of sets of nodes (sorted numbers): which of these
have any of those. Only named nodes, and what leads to them, are paired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, reduce
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.derivation.columns import ROOT
from analyzer.model.arrays import Flags, Ids, Ints, follow_links, number_densely, ranges
from analyzer.model.discourse import split_label
from analyzer.model.symbols import SYMBOLS, Symbols
from analyzer.pairing.in_step import Pair
from analyzer.pairing.words import align
from analyzer.queries.language import (
    IS,
    Condition,
    Description,
    Pattern,
    Query,
    Relation,
    Requirement,
    Text,
    accepted,
    defined,
    is_plain,
)
from analyzer.transform.labels import LabelSet, default_labels

if TYPE_CHECKING:
    from analyzer.derivation.deriver import Deriver
    from analyzer.model.treebank import Treebank

# So many combinations of nodes, of one tree, are looked at for a query.
MOST_ROWS: Final = 1_000_000
UNBOUND: Final = -1
_MOST_WORDS: Final = 1_000_000  # that are kept from block to block
_COMPARISONS = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


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
    # are told only if there is no match.
    labels: frozenset[str] = frozenset()
    unmet: frozenset[str] = frozenset()


def is_word(bank: Treebank, node: int) -> bool:
    """Whether the number of a match's node is that of a word."""
    return node >= bank.label.size


def first_word(bank: Treebank, nodes: Ints) -> Ints:
    """The first leaf of each node, in the bank."""
    return _of_nodes(bank, nodes, bank.first, 0)


def last_word(bank: Treebank, nodes: Ints) -> Ints:
    """The leaf after the last one of each node."""
    return _of_nodes(bank, nodes, bank.last, 1)


def tree_of(bank: Treebank, nodes: Ints) -> Ints:
    """The tree of each node; UNBOUND for a name that is not bound."""
    size = bank.label.size
    words = np.clip(nodes - size, 0, max(bank.leaf_node.size - 1, 0))
    inner = np.where(nodes < size, nodes, bank.leaf_node[words] if words.size else 0)
    found = np.searchsorted(bank.node_start, inner, side="right") - 1
    return np.where(nodes < 0, UNBOUND, found)


def label(bank: Treebank, node: int) -> str:
    """The label of a node, or the word that it is; "" if a name is not bound."""
    if node < 0:
        return ""
    return (
        bank.form(node - bank.label.size)
        if is_word(bank, node)
        else bank.label_name(node)
    )


def _of_nodes(
    bank: Treebank, nodes: Ints, column: npt.NDArray[np.int32], more: int
) -> Ints:
    size = bank.label.size
    inner = column[np.clip(nodes, 0, max(size - 1, 0))].astype(np.int64)
    found = np.where(nodes < size, inner, nodes - size + more)
    return np.where(nodes < 0, UNBOUND, found)


def find_matches(
    query: Query,
    bank: Treebank,
    deriver: Deriver | None = None,
    *,
    labels: LabelSet | None = None,
    most_rows: int = MOST_ROWS,
) -> Matches:
    """Where a query holds in a treebank.

    The deriver is asked if the query names constructions, heads or attachment; `labels`
    say what a basic category and a function tag are (without them: the deriver's).

    >>> from analyzer import read_trees
    >>> from analyzer.queries.language import parse_query
    >>> bank = read_trees("(S (NP (PRP I)) (VP (VBP see) (NP (PRP you))))")
    >>> found = find_matches(parse_query("NP=object , /^VB/=verb"), bank)
    >>> found.names, found.nodes.tolist()
    (('object', 'verb'), [[5, 4]])
    """
    bank.require_sound()
    if labels is None:
        labels = deriver.inventory.labels if deriver else default_labels()
    columns = Columns(bank, labels, deriver)
    search = _Search(query, columns, most_rows)
    places = search.places()
    nodes = columns.rows_of(places)
    found = Matches(query.names, nodes, tuple(search.given_up))
    if nodes.size:
        return found
    return found._replace(labels=columns.label_names(), unmet=search.unmet())


# -- nodes and words in pre-order ------------------------------------------------------

Keys = Callable[[Ints], Ints]


class Relative(NamedTuple):
    """A keyed relation: A's key is B's, and B stands `where` from A."""

    of_first: Keys  # -1: has none
    of_second: Keys
    where: str = "anywhere"  # or after, before, other (than A)

    def turned(self) -> Relative:
        """The same relation, from B to A."""
        where = {"after": "before", "before": "after"}.get(self.where, self.where)
        return Relative(self.of_second, self.of_first, where)


class Columns:
    """A treebank's nodes and words, numbered together in pre-order."""

    def __init__(
        self, bank: Treebank, labels: LabelSet, deriver: Deriver | None
    ) -> None:
        self.bank = bank
        self._labels = labels
        self._deriver = deriver
        self.size = bank.label.size + bank.leaf_node.size
        self.node_at = np.arange(bank.label.size) + bank.first
        self.word_at = bank.leaf_node + np.arange(1, bank.leaf_node.size + 1)

    def rows_of(self, places: Ints) -> Ints:
        """Rows of the treebank, and words after them, for numbers in pre-order."""
        before = np.searchsorted(self.word_at, places)
        is_a_word = np.append(self.word_at, -1)[before] == places
        found = np.where(is_a_word, self.bank.label.size + before, places - before)
        return np.where(places < 0, UNBOUND, found)

    def spread(self, of_nodes: Ints, of_words: Ints) -> Ints:
        """A column of nodes and one of words as one column."""
        found = np.empty(self.size, np.int64)
        found[self.node_at] = of_nodes
        found[self.word_at] = of_words
        return found

    # What keys and ranges are made of.

    @cached_property
    def end(self) -> Ints:
        """The number after the last descendant's."""
        bank = self.bank
        if (bank.last > bank.first).all():
            ends = self.word_at[bank.last - 1] + 1
        else:  # a phrase without words has no last one
            last = np.arange(bank.label.size)
            child = np.flatnonzero(bank.parent >= 0)
            last[bank.parent[child]] = child  # the last one stays
            last = follow_links(last)
            ends = self.node_at[last] + 1 + bank.is_leaf[last]
        return self.spread(ends, self.word_at + 1)

    @cached_property
    def parent(self) -> Ints:
        above = self.bank.parent
        is_root = above < 0
        parents = self.node_at[np.where(is_root, 0, above)]
        parents[is_root] = -1
        return self.spread(parents, self.word_at - 1)

    @cached_property
    def root(self) -> Ints:
        """Roots of trees; of several on one line, each is a tree."""
        roots = self.node_at[self.bank.depth == 0]
        return np.repeat(roots, np.diff(roots, append=self.size))

    def is_first(self, places: Ints) -> Flags:
        """Whether they are first children."""
        above = self.parent[places]
        is_so: Flags = (above >= 0) & (above == places - 1)
        return is_so

    def is_last(self, places: Ints) -> Flags:
        """Whether they are last children."""
        above = self.parent[places]
        is_so: Flags = (above >= 0) & (self.end[above] == self.end[places])
        return is_so

    @cached_property
    def number(self) -> Ints:
        """Which child of its parent each is, from 1."""
        return self._numbers[0]

    @cached_property
    def number_from_end(self) -> Ints:
        return self._numbers[1]

    @cached_property
    def _numbers(self) -> tuple[Ints, Ints]:
        above = self.parent
        order = np.argsort(above, kind="stable")
        starts = np.flatnonzero(np.append(True, np.diff(above[order]) != 0))
        sizes = np.diff(starts, append=order.size)
        number = np.empty(self.size, np.int64)
        number[order] = np.arange(1, order.size + 1) - np.repeat(starts, sizes)
        size = np.empty(self.size, np.int64)
        size[order] = np.repeat(sizes, sizes)
        return number, size + 1 - number

    @cached_property
    def left_top(self) -> Ints:
        """The top of the chain of first children that each is in."""
        everyone = np.arange(self.size)
        return follow_links(np.where(self.is_first(everyone), self.parent, everyone))

    @cached_property
    def single_top(self) -> Ints:
        """The top of the chain of only children that each is in."""
        everyone = np.arange(self.size)
        is_only = self.is_first(everyone) & self.is_last(everyone)
        return follow_links(np.where(is_only, self.parent, everyone))

    # Relations.

    def parent_if(self, number: int) -> Keys:
        """The parents of n-th children, or n-th from the end."""

        def parent(places: Ints) -> Ints:
            if number == 1:
                is_so = self.is_first(places)
            elif number == -1:
                is_so = self.is_last(places)
            else:
                column = self.number if number > 0 else self.number_from_end
                is_so = column[places] == abs(number)
            return np.where(is_so, self.parent[places], -1)

        return parent

    def _parent(self, places: Ints) -> Ints:
        return self.parent[places]

    def _parent_of_only(self, places: Ints) -> Ints:
        is_only = self.is_first(places) & self.is_last(places)
        return np.where(is_only, self.parent[places], -1)

    def _next_sister(self, places: Ints) -> Ints:
        above = self.parent[places]
        end = self.end[places]
        return np.where((above >= 0) & (end < self.end[above]), end, -1)

    def _next(self, places: Ints) -> Ints:
        """What comes right after a node, and is no part of what is above it."""
        end = self.end[places]
        return np.where(end < self.end[self.root[places]], end, -1)

    def _head_parent(self, places: Ints) -> Ints:
        above = self.parent[places]
        head = self.head[places]
        is_head = (above >= 0) & (head >= 0) & (self.head[above] == head)
        return np.where(is_head, above, -1)

    def relative(self, operator: str, number: int) -> Relative:
        """A keyed relation."""
        known: dict[str, Relative] = {
            "<": Relative(_itself, self._parent),
            "<N": Relative(_itself, self.parent_if(number)),
            "<:": Relative(_itself, self._parent_of_only),
            "<<,": Relative(self._left_top, self._left_top, "after"),
            "<<-": Relative(self._end, self._end, "after"),
            "<<:": Relative(self._single_top, self._single_top, "after"),
            "$": Relative(self._parent, self._parent, "other"),
            "$..": Relative(self._parent, self._parent, "after"),
            "$.": Relative(self._next_sister, _itself),
            ".": Relative(self._next, self._left_top),
            "==": Relative(_itself, _itself),
            ":": Relative(self._root, self._root),
            "<#": Relative(_itself, self._head_parent),
            "<<#": Relative(self._head, self._head, "after"),
            "~>": Relative(self._governor, self._head),
        }
        if operator in known:
            return known[operator]
        return known[_TURNED[operator]].turned()

    def _left_top(self, places: Ints) -> Ints:
        return self.left_top[places]

    def _single_top(self, places: Ints) -> Ints:
        return self.single_top[places]

    def _end(self, places: Ints) -> Ints:
        return self.end[places]

    def _root(self, places: Ints) -> Ints:
        return self.root[places]

    def _head(self, places: Ints) -> Ints:
        return self.head[places]

    def _governor(self, places: Ints) -> Ints:
        heads = self.head[places]
        return np.where(heads >= 0, self._governors[np.maximum(heads, 0)], -1)

    def reach(self, operator: str, places: Ints) -> tuple[Ints, Ints]:
        """The range of numbers that each node dominates (<<), or precedes (..)."""
        if operator == "<<":
            return places + 1, self.end[places]
        return self.end[places], self.end[self.root[places]]

    # What derivation trees say.

    @cached_property
    def _derived(self) -> _Derived:
        assert self._deriver is not None
        bank, deriver = self.bank, self._deriver
        side = align(Pair(bank, bank, 1), deriver.tables).gold
        rows = deriver.derive(side)
        leaves = side.word_leaves
        head = np.full(bank.label.size, -1, np.int64)
        head[rows.row] = leaves[rows.head]
        governor = np.full(bank.leaf_node.size, -1, np.int64)
        has = rows.governor != ROOT
        governor[head[rows.row[has]]] = leaves[rows.governor[has]]
        # Words that head no bracket attach to the head of what they are in.
        heads_some = np.zeros(bank.leaf_node.size, np.bool_)
        heads_some[head[rows.row]] = True
        lone = np.unique(leaves[~heads_some[leaves]])
        above = bank.parent[bank.leaf_node[lone]]
        while True:
            is_open = (above >= 0) & (head[above] < 0)
            if not is_open.any():
                break
            above = np.where(is_open, bank.parent[above], above)
        governor[lone] = np.where(above >= 0, head[above], -1)
        head[bank.leaf_node] = np.arange(bank.leaf_node.size)
        names = deriver.constructions.listed
        return _Derived(head, governor, rows.row, rows.construction, names)

    @cached_property
    def head(self) -> Ints:
        """The leaf that heads each node; -1 for what has no derivation."""
        return self.spread(self._derived.head, np.arange(self.word_at.size))

    @property
    def _governors(self) -> Ints:
        return self._derived.governor

    # Which nodes are as described.

    def described(self, description: Description) -> Ints:
        """The nodes that a description fits, in order."""
        if description.accepts_all:
            found = np.arange(self.size)
        else:
            nodes, words = self._accepted(description)
            if description.is_negated:
                nodes, words = ~nodes, ~words
            found = self._places(nodes, words)
        for condition in description.conditions:
            found = found[self.satisfied(condition, found)]
        return found

    def _places(self, nodes: Flags, words: Flags) -> Ints:
        found, others = self.node_at[nodes], self.word_at[words]
        return np.sort(np.concatenate([found, others])) if others.size else found

    def _accepted(self, description: Description) -> tuple[Flags, Flags]:
        """Which labels, and which words, are one of the alternatives."""
        texts = description.alternatives
        if not description.is_basic:
            return self.labelled(texts), self.worded(texts)
        bare = self._labels.bare_phrase, self._labels.bare_tag
        phrases, tags = (self.labelled(texts, of) for of in bare)
        nodes = np.where(self.bank.is_leaf, tags, phrases)
        return nodes, np.zeros(self.word_at.size, np.bool_)

    def label_names(self) -> frozenset[str]:
        """The labels that occur."""
        return frozenset(map(SYMBOLS.name, self._used_labels.tolist()))

    @cached_property
    def _used_labels(self) -> Ints:
        return number_densely(self.bank.label)[0]

    def labelled(
        self,
        texts: Sequence[Text],
        of: Callable[[str], str | Sequence[str]] = str,
    ) -> Flags:
        """Per node: whether its label, or what is made `of` it, is one of the texts."""
        used = self._used_labels
        is_so = np.zeros(int(used.max(initial=-1)) + 1, np.bool_)
        parts = [of(SYMBOLS.name(number)) for number in used.tolist()]
        listed = [[one] if isinstance(one, str) else one for one in parts]
        told = iter(accepted(texts, [value for values in listed for value in values]))
        is_so[used] = [
            max([next(told) for _ in values], default=False) for values in listed
        ]
        return is_so[self.bank.label]

    def worded(self, texts: Sequence[Text]) -> Flags:
        """Per leaf: whether its word is one of the texts."""
        is_so = np.zeros(self.word_at.size, np.bool_)
        others = []
        for text in texts:
            if text.kind == IS:
                is_so[self._leaves_of(text.text)] = True
            else:
                others.append(text)
        if others:
            numbers, words = self._words
            is_so |= words.accepted(tuple(others))[numbers]
        return is_so

    def _leaves_of(self, word: str) -> Ints:
        """The leaves that are a word."""
        bank, form = self.bank, word.encode("utf-8", "surrogatepass")
        leaves = np.flatnonzero(self._lengths == len(form))
        starts = bank.form_start[leaves]
        text = np.frombuffer(bank.text, np.uint8)
        for place, byte in enumerate(form):
            is_so = text[starts + place] == byte
            leaves, starts = leaves[is_so], starts[is_so]
        return leaves

    @cached_property
    def _lengths(self) -> Ints:
        return self.bank.form_end - self.bank.form_start

    @cached_property
    def _words(self) -> tuple[Ids, Vocabulary]:
        """The number of each leaf's word, and what they are."""
        bank, words = self.bank, Vocabulary.now()
        return words.numbers(bank, self._lengths), words

    def satisfied(self, condition: Condition, places: Ints) -> Flags:
        """Which of some nodes satisfy a condition in braces."""
        compare = _COMPARISONS[condition.comparison]
        rows = self.rows_of(places)
        if condition.attribute in ("words", "units"):
            sizes = last_word(self.bank, rows) - first_word(self.bank, rows)
            return np.asarray(compare(sizes, condition.number), np.bool_)
        is_so = self._has(condition, places, rows)
        return ~is_so if condition.comparison == "!=" else is_so

    def _has(self, condition: Condition, places: Ints, rows: Ints) -> Flags:
        attribute, texts = condition.attribute, condition.values
        nodes = self.bank.label.size
        is_node = rows < nodes
        node = np.where(is_node, rows, 0)
        word = np.where(is_node, 0, rows - nodes)
        if attribute == "text":
            firsts, lasts = first_word(self.bank, rows), last_word(self.bank, rows)
            forms = self.bank.forms(slice(None))
            spans = zip(firsts.tolist(), lasts.tolist(), strict=True)
            told = accepted(texts, [" ".join(forms[a:b]) for a, b in spans])
            return np.array(told, np.bool_)
        if attribute == "word":
            return ~is_node & self.worded(texts)[word] if word.size else ~is_node
        if attribute == "construction":
            derived = self._derived
            named = np.array(accepted(texts, derived.names), np.bool_)
            is_so = np.zeros(nodes, np.bool_)
            if named.size:
                is_so[derived.row[named[derived.construction]]] = True
            return is_node & is_so[node]
        if attribute in ("head", "headtag", "governor"):
            leaf = (
                self._governor(places) if attribute == "governor" else self.head[places]
            )
            flags = (
                self.labelled(texts)[self.bank.leaf_node]
                if attribute == "headtag"
                else self.worded(texts)
            )
            return (leaf >= 0) & flags[np.maximum(leaf, 0)]
        is_leaf = self.bank.is_leaf
        if attribute == "function":
            phrases = self.labelled(texts, self._labels.function_tags)
            tags = self.labelled(
                texts, lambda name: self._labels.function_tags(name, of_word=True)
            )
            is_so = np.where(is_leaf, tags, phrases)
        elif attribute == "tag":
            is_so = self.labelled(texts) & is_leaf
        elif attribute == "label":
            is_so = self.labelled(texts)
        else:
            part = 0 if attribute == "relation" else 1
            is_so = self.labelled(texts, lambda name: split_label(name)[part])
        return is_node & is_so[node]


# The relations that are others seen from the other side.
_TURNED = {
    **{">": "<", ">N": "<N", ">:": "<:", ">>,": "<<,", ">>-": "<<-", ">>:": "<<:"},
    **{"$,,": "$..", "$,": "$.", ",": ".", ">#": "<#", ">>#": "<<#", "<~": "~>"},
}
_RANGES = {"<<": "<<", "..": "..", ">>": "<<", ",,": ".."}


class _Derived(NamedTuple):
    """What queries ask of a derivation."""

    head: Ints  # per node of the bank, a leaf
    governor: Ints  # per leaf, a leaf
    row: Ints  # the brackets, and the construction of each
    construction: npt.NDArray[np.int32]
    names: list[str]


def _itself(places: Ints) -> Ints:
    return places


class Vocabulary:
    """Words by number, and which of them are as some query says.

    Most words of a block were in the one before, so it is kept; if it has grown large,
    another is begun.
    """

    _current: ClassVar[Vocabulary | None] = None

    def __init__(self) -> None:
        self._words = Symbols()
        self._accepted: dict[tuple[Text, ...], Flags] = {}

    @classmethod
    def now(cls) -> Vocabulary:
        """The one that is in use."""
        if cls._current is None or len(cls._current._words) > _MOST_WORDS:
            cls._current = cls()
        return cls._current

    def numbers(self, bank: Treebank, lengths: Ints) -> Ids:
        """The numbers of the words of a treebank."""
        try:
            return self._words.ids_in(bank.text, bank.form_start, lengths)
        except UnicodeDecodeError:  # bytes that are no text: they are replaced
            forms = bank.forms(slice(None))
            return np.array([self._words.id(form) for form in forms], np.int32)

    def accepted(self, texts: tuple[Text, ...]) -> Flags:
        """Per word: whether it is one of the texts."""
        known = self._accepted.get(texts, np.zeros(0, np.bool_))
        size = len(self._words)
        if known.size < size:
            new = [self._words.name(number) for number in range(known.size, size)]
            known = np.concatenate([known, np.array(accepted(texts, new), np.bool_)])
            self._accepted[texts] = known
        return known


# -- the search ------------------------------------------------------------------------

Table = dict[str, Ints]  # a column for each name that is bound so far


class _TooManyError(Exception):
    """There are more combinations than are looked at."""


class _Search:
    """A query on the columns of a treebank."""

    def __init__(self, query: Query, columns: Columns, most_rows: int) -> None:
        self._query = query
        self._columns = columns
        self._most = most_rows
        self._candidates: dict[int, Ints] = {}
        self._described: dict[Description, Ints] = {}
        self._named = {one.name: one for one, _ in query.patterns() if one.name}
        self.given_up: list[int] = []

    def places(self) -> Ints:
        """Numbers in pre-order: a row a match, a column a name."""
        pattern, names = self._query.pattern, self._query.names
        roots = self.candidates(pattern)
        if all(map(is_plain, pattern.requirements)):
            return roots[:, np.newaxis]
        found = [np.zeros((0, len(names)), np.int64), *self._bound(roots)]
        rows = np.concatenate(found)
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
            str(one) for one in needed if not self._columns.described(one).size
        )

    # Which nodes may be what, whatever the others are.

    def candidates(self, pattern: Pattern) -> Ints:
        """The nodes that a pattern may be: in order, and all of them if it is plain."""
        found = self._candidates.get(id(pattern))
        if found is None:
            found = self._base(pattern)
            for one in pattern.requirements:
                found = found[self.may_hold(found, one)]
            self._candidates[id(pattern)] = found
        return found

    def _base(self, pattern: Pattern) -> Ints:
        while pattern.description is None:
            pattern = self._named[pattern.reference]
        found = self._described.get(pattern.description)
        if found is None:
            found = self._columns.described(pattern.description)
            self._described[pattern.description] = found
        return found

    def may_hold(self, places: Ints, requirement: Requirement) -> Flags:
        """Which nodes meet a requirement; if it has to do with names, which may."""
        everyone = np.ones(places.size, np.bool_)
        if requirement.is_optional or (
            requirement.is_negated and not is_plain(requirement)
        ):
            return everyone
        if isinstance(requirement, Relation):
            targets = self.candidates(requirement.target)
            found = self.have_any(requirement, places, targets)
        else:
            found = ~everyone
            for branch in requirement.branches:
                found |= reduce(
                    np.logical_and,
                    (self.may_hold(places, one) for one in branch),
                    everyone,
                )
        return ~found if requirement.is_negated else found

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
            is_there = np.zeros(keys, np.bool_)
            is_there[key] = True
            return can & is_there[asked]
        if where == "other":
            among = np.zeros(keys, np.bool_)
            among[targets] = True
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
        for one in requirements:
            if not is_plain(one):
                table, kept = self._extended(table, subject[index], one)
            elif asked_plain:
                continue
            else:
                kept = np.flatnonzero(self.may_hold(subject[index], one))
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
            is_met = np.zeros(subject.size, np.bool_)
            is_met[index] = True
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
        if operator in _RANGES:
            if operator not in ("<<", ".."):
                first, second = second, first
            start, stop = columns.reach(_RANGES[operator], first)
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
        if operator in _RANGES:
            order = np.argsort(subject, kind="stable")
            start, stop = columns.reach(_RANGES[operator], targets)
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
        rows, found = self._spans(packed, low, high, targets)
        if where == "other":
            is_other = subject[rows] != found
            rows, found = rows[is_other], found[is_other]
        return rows, found

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
    is_new = np.zeros(order.size, np.bool_)
    is_new[:1] = True
    for column in columns:
        ordered = column[order]
        is_new[1:] |= ordered[1:] != ordered[:-1]
    return order[is_new]
