"""The nodes and words of a treebank in pre-order, and what a query asks of them.

Nodes are numbered in pre-order, words among them, each after its tag. A node's number
and the number after its last descendant say what dominates and what precedes what;
the numbers of its parent, of the top of its leftmost chain, and so on, say the rest.
So a relation is either *keyed* (both nodes have the same key, as children have their
parent's number) or a *range* (one node's number lies in a range of the other's).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.derivation.columns import ROOT
from analyzer.model.arrays import (
    KEY_BYTES,
    Flags,
    Ids,
    Ints,
    KeyTable,
    Words64,
    first_bytes,
    flags_at,
    follow_links,
    mix,
)
from analyzer.model.discourse import split_label
from analyzer.model.symbols import ADDING, SYMBOLS
from analyzer.pairing.in_step import Pair
from analyzer.pairing.words import align
from analyzer.queries.language import IS, Condition, Description, Text, accepted
from analyzer.transform.labels import LabelSet

if TYPE_CHECKING:
    from analyzer.derivation.deriver import Deriver
    from analyzer.model.treebank import Treebank


# -- what is known of words and labels -------------------------------------------------
#
# A query asks each word and each label once. Most of those of a block were in the one
# before, so what is known is kept; if it has grown large, it is begun anew.


_MOST_WORDS: Final = 1_000_000
_MOST_QUESTIONS: Final = 500
_UNKNOWN, _NO, _YES = 0, 1, 2


class Lexicon:
    """Words by number, and which words and labels are one of some texts."""

    _current: ClassVar[Lexicon | None] = None

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._words: list[str] = []
        # Words of up to 16 bytes: the first eight and the last eight tell them apart.
        self._table = KeyTable()
        self._ends = np.zeros((3, 64), np.uint64)  # both, and the length; by number
        self._accepted: dict[tuple[Text, ...], Flags] = {}
        self._labels: dict[object, npt.NDArray[np.uint8]] = {}

    @classmethod
    def now(cls) -> Lexicon:
        """The one that is in use."""
        kept = cls._current
        if (
            kept is None
            or len(kept._words) > _MOST_WORDS
            or len(kept._accepted) + len(kept._labels) > _MOST_QUESTIONS
        ):
            kept = cls._current = cls()
        return kept

    # -- words -----------------------------------------------------------------

    def numbers(self, bank: Treebank, lengths: Ints) -> Ints:
        """The numbers of the words of a treebank."""
        starts = bank.form_start
        first = first_bytes(bank.text, starts, lengths)
        # Of a short word the same, so that it begins where the word does.
        at = np.maximum(starts, bank.form_end - KEY_BYTES)
        last = first_bytes(bank.text, at, lengths)
        sizes = lengths.astype(np.uint64)
        key = mix(first) + mix(last ^ (sizes << np.uint64(56)))
        numbers, unknown = self._table.look_up(key)
        for known, own in zip(self._ends, (first, last, sizes), strict=True):
            # Another thread may have added numbers that these are too short for.
            unknown |= known.take(numbers, mode="clip") != own
        unknown |= lengths > 2 * KEY_BYTES
        rest = np.flatnonzero(unknown)
        if rest.size:
            ends = np.stack([column[rest] for column in (first, last, sizes)])
            numbers[rest] = self._looked_up(bank, rest, ends, key[rest])
        return numbers

    def _looked_up(
        self, bank: Treebank, leaves: Ints, ends: Words64, key: Words64
    ) -> list[int]:
        """The numbers of words one by one; new ones are added."""
        text = bank.text
        spans = zip(
            range(leaves.size),
            bank.form_start[leaves].tolist(),
            bank.form_end[leaves].tolist(),
            strict=True,
        )
        numbers = []
        with ADDING:
            for at, start, end in spans:
                form = text[start:end]
                number = self._numbers.get(form)
                if number is None:
                    number = self._add(form)
                    if end - start <= 2 * KEY_BYTES:
                        self._ends[:, number] = ends[:, at]
                        self._table.add(int(key[at]), number)
                numbers.append(number)
        return numbers

    def _add(self, form: bytes) -> int:
        number = len(self._words)
        self._words.append(form.decode("utf-8", "replace"))
        self._numbers[form] = number
        if number >= self._ends.shape[1]:
            self._ends = np.concatenate([self._ends, np.zeros_like(self._ends)], axis=1)
        return number

    def accepted(self, texts: tuple[Text, ...]) -> Flags:
        """Per word: whether it is one of the texts."""
        known = self._accepted.get(texts, np.zeros(0, np.bool_))
        if known.size < len(self._words):
            new = accepted(texts, self._words[known.size :])
            known = np.concatenate([known, np.array(new, np.bool_)])
            self._accepted[texts] = known
        return known

    # -- labels ----------------------------------------------------------------

    def labelled(
        self, label: Ids, texts: tuple[Text, ...], part: str, labels: LabelSet
    ) -> Flags:
        """Per label: whether it, or this part of it, is one of the texts."""
        question = texts, part, labels.identity
        known = self._labels.get(question, np.zeros(0, np.uint8))
        if known.size < len(SYMBOLS):
            more = np.zeros(len(SYMBOLS) - known.size, np.uint8)
            known = self._labels[question] = np.concatenate([known, more])
        states = known[label]
        if not states.all():
            new = np.unique(label[states == _UNKNOWN])
            parts = [
                _PARTS[part](labels, SYMBOLS.name(number)) for number in new.tolist()
            ]
            answers = iter(
                accepted(texts, [value for values in parts for value in values])
            )
            is_so = [
                max([next(answers) for _ in values], default=False) for values in parts
            ]
            known[new] = np.where(is_so, _YES, _NO)
            states = known[label]
        there: Flags = states == _YES
        return there


# What a query may ask of a label.
_PARTS: dict[str, Callable[[LabelSet, str], Sequence[str]]] = {
    "label": lambda labels, name: [name],
    "phrase": lambda labels, name: [labels.bare_phrase(name)],
    "tag": lambda labels, name: [labels.bare_tag(name)],
    "functions": lambda labels, name: labels.function_tags(name),
    "tag functions": lambda labels, name: labels.function_tags(name, of_word=True),
    "relation": lambda labels, name: split_label(name)[:1],
    "nuclearity": lambda labels, name: split_label(name)[1:],
}


UNBOUND: Final = -1
_COMPARISONS = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


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
    trees = np.searchsorted(bank.node_start, inner, side="right") - 1
    return np.where(nodes < 0, UNBOUND, trees)


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
    values = np.where(nodes < size, inner, nodes - size + more)
    return np.where(nodes < 0, UNBOUND, values)


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
        rows = np.where(is_a_word, self.bank.label.size + before, places - before)
        return np.where(places < 0, UNBOUND, rows)

    def spread(self, of_nodes: Ints, of_words: Ints) -> Ints:
        """A column of nodes and one of words as one column."""
        column = np.empty(self.size, np.int64)
        column[self.node_at] = of_nodes
        column[self.word_at] = of_words
        return column

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
    def numbers(self) -> tuple[Ints, Ints]:
        """Which child of its parent each is, from 1; and from the end."""
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

    def parent_of_nth(self, number: int) -> Keys:
        """The parents of n-th children, or n-th from the end."""

        def parent(places: Ints) -> Ints:
            if number == 1:
                is_so = self.is_first(places)
            elif number == -1:
                is_so = self.is_last(places)
            else:
                is_so = self.numbers[number < 0][places] == abs(number)
            return np.where(is_so, self.parent[places], -1)

        return parent

    def parent_of_only(self, places: Ints) -> Ints:
        is_only = self.is_first(places) & self.is_last(places)
        return np.where(is_only, self.parent[places], -1)

    def next_sister(self, places: Ints) -> Ints:
        above = self.parent[places]
        end = self.end[places]
        return np.where((above >= 0) & (end < self.end[above]), end, -1)

    def next_place(self, places: Ints) -> Ints:
        """What comes right after a node, and is no part of what is above it."""
        end = self.end[places]
        return np.where(end < self.end[self.root[places]], end, -1)

    def head_parent(self, places: Ints) -> Ints:
        above = self.parent[places]
        head = self.head[places]
        is_head = (above >= 0) & (head >= 0) & (self.head[above] == head)
        return np.where(is_head, above, -1)

    def governor(self, places: Ints) -> Ints:
        """The leaf that the spine of each node attaches to; -1 for none."""
        heads = self.head[places]
        governors = self._derived.governor
        return np.where(heads >= 0, governors[np.maximum(heads, 0)], -1)

    def relative(self, operator: str, number: int) -> Relative:
        """A keyed relation."""
        first, second, where = _KEYED[_TURNED.get(operator, operator)]
        relation = Relative(self._key(first, number), self._key(second, number), where)
        return relation.turned() if operator in _TURNED else relation

    def _key(self, name: str, number: int) -> Keys:
        """What gives nodes a key: a method of this name, or a column."""
        if name == "parent_of_nth":
            return self.parent_of_nth(number)
        if name == "itself":
            return _itself
        column = getattr(self, name)
        keys: Keys = column if callable(column) else column.__getitem__
        return keys

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
        heads_some = flags_at(bank.leaf_node.size, head[rows.row])
        lone = np.unique(leaves[~heads_some[leaves]])
        has_none = (head < 0) & (bank.parent >= 0)
        itself = np.arange(bank.label.size)
        nearest = follow_links(np.where(has_none, bank.parent, itself))
        governor[lone] = head[nearest[bank.leaf_node[lone]]]
        head[bank.leaf_node] = np.arange(bank.leaf_node.size)
        names = deriver.constructions.listed
        return _Derived(head, governor, rows.row, rows.construction, names)

    @cached_property
    def head(self) -> Ints:
        """The leaf that heads each node; -1 for what has no derivation."""
        return self.spread(self._derived.head, np.arange(self.word_at.size))

    # Which nodes are as described.

    def described(self, description: Description) -> Ints:
        """The nodes that a description fits, in order."""
        if description.accepts_all:
            places = np.arange(self.size)
        else:
            nodes, words = self._accepted(description)
            if description.is_negated:
                nodes, words = ~nodes, ~words
            places = self._places(nodes, words)
        for condition in description.conditions:
            places = places[self.satisfied(condition, places)]
        return places

    def _places(self, nodes: Flags, words: Flags) -> Ints:
        inner, below = self.node_at[nodes], self.word_at[words]
        return np.sort(np.concatenate([inner, below])) if below.size else inner

    def _accepted(self, description: Description) -> tuple[Flags, Flags]:
        """Which labels, and which words, are one of the alternatives."""
        texts = description.alternatives
        if not description.is_basic:
            return self.labelled(texts), self.worded(texts)
        phrases, tags = (self.labelled(texts, part) for part in ("phrase", "tag"))
        nodes = np.where(self.bank.is_leaf, tags, phrases)
        return nodes, np.zeros(self.word_at.size, np.bool_)

    def label_names(self) -> frozenset[str]:
        """The labels that occur."""
        return frozenset(map(SYMBOLS.name, np.unique(self.bank.label).tolist()))

    def labelled(self, texts: Sequence[Text], part: str = "label") -> Flags:
        """Per node: whether its label, or a part of it, is one of the texts."""
        return Lexicon.now().labelled(self.bank.label, tuple(texts), part, self._labels)

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
            numbers, lexicon = self._words
            is_so |= lexicon.accepted(tuple(others))[numbers]
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
    def _words(self) -> tuple[Ints, Lexicon]:
        """The number of each leaf's word, and what they are."""
        lexicon = Lexicon.now()
        return lexicon.numbers(self.bank, self._lengths), lexicon

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
            answers = accepted(texts, [" ".join(forms[a:b]) for a, b in spans])
            return np.array(answers, np.bool_)
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
                self.governor(places) if attribute == "governor" else self.head[places]
            )
            flags = (
                self.labelled(texts)[self.bank.leaf_node]
                if attribute == "headtag"
                else self.worded(texts)
            )
            return (leaf >= 0) & flags[np.maximum(leaf, 0)]
        is_leaf = self.bank.is_leaf
        if attribute == "function":
            phrases = self.labelled(texts, "functions")
            tags = self.labelled(texts, "tag functions")
            is_so = np.where(is_leaf, tags, phrases)
            if edges := self.bank.edges:  # of words, in TIGER-XML
                known = dict(
                    zip(set(edges), accepted(texts, list(set(edges))), strict=True)
                )
                is_so[self.bank.leaf_node[[known[edge] for edge in edges]]] = True
        elif attribute == "tag":
            is_so = self.labelled(texts) & is_leaf
        elif attribute == "label":
            is_so = self.labelled(texts)
        else:
            is_so = self.labelled(texts, attribute)
        return is_node & is_so[node]


# Relations: the keys of A and of B, which are columns or methods, and where B stands.
_KEYED = {
    "<": ("itself", "parent", "anywhere"),
    "<N": ("itself", "parent_of_nth", "anywhere"),
    "<:": ("itself", "parent_of_only", "anywhere"),
    "<<,": ("left_top", "left_top", "after"),
    "<<-": ("end", "end", "after"),
    "<<:": ("single_top", "single_top", "after"),
    "$": ("parent", "parent", "other"),
    "$..": ("parent", "parent", "after"),
    "$.": ("next_sister", "itself", "anywhere"),
    ".": ("next_place", "left_top", "anywhere"),
    "==": ("itself", "itself", "anywhere"),
    ":": ("root", "root", "anywhere"),
    "<#": ("itself", "head_parent", "anywhere"),
    "<<#": ("head", "head", "after"),
    "~>": ("governor", "head", "anywhere"),
}
# The relations that are others seen from the other side.
_TURNED = {
    **{">": "<", ">N": "<N", ">:": "<:", ">>,": "<<,", ">>-": "<<-", ">>:": "<<:"},
    **{"$,,": "$..", "$,": "$.", ",": ".", ">#": "<#", ">>#": "<<#", "<~": "~>"},
}
RANGES = {"<<": "<<", "..": "..", ">>": "<<", ",,": ".."}


class _Derived(NamedTuple):
    """What queries ask of a derivation."""

    head: Ints  # per node of the bank, a leaf
    governor: Ints  # per leaf, a leaf
    row: Ints  # the brackets, and the construction of each
    construction: npt.NDArray[np.int32]
    names: list[str]


def _itself(places: Ints) -> Ints:
    return places
