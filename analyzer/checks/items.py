"""Words and phrases as one table of items: who is beside, above and below whom.

Traces and what holds nothing else are left out, and so is the wrapper at the root. An
item is a number, in document order, parents first; -1 is none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analyzer.checks.word_stream import WordStream
from analyzer.model.arrays import Flags, Ints, number_densely
from analyzer.model.symbols import SYMBOLS

NONE = -1


def stable_keys(names: Iterable[str]) -> Ints:
    """A number for each name that depends on nothing else.

    What is counted under such numbers is the same in any order of files.
    """
    return np.array([_stable_key(name) for name in names], np.int64)


def _stable_key(name: str) -> int:
    digest = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def _keys_of_symbols(numbers: Ints) -> Ints:
    used, which = number_densely(numbers)
    return stable_keys(SYMBOLS.name(int(number)) for number in used)[which]


@dataclass(frozen=True, eq=False)
class Items:
    """The items of a stream, and the heads of its phrases (kept words)."""

    stream: WordStream
    head_of_phrase: Ints

    @cached_property
    def row(self) -> Ints:
        """The row of each item in the treebank."""
        stream = self.stream
        words = stream.bank.leaf_node[stream.kept]
        return np.sort(np.concatenate([words, stream.phrases]))

    @cached_property
    def _of_row(self) -> Ints:
        of_row = np.full(self.stream.bank.label.size + 1, NONE, np.int64)
        of_row[self.row] = np.arange(self.row.size)
        return of_row  # the last entry: the item of row -1

    @property
    def size(self) -> int:
        return int(self.row.size)

    @cached_property
    def is_word(self) -> Flags:
        return self.stream.bank.is_leaf[self.row]

    @cached_property
    def parent(self) -> Ints:
        return self._of_row[self.stream.bank.parent[self.row]]

    @cached_property
    def tree(self) -> Ints:
        return self.stream.bank.tree_of_node[self.row]

    @cached_property
    def _sisters(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Previous and next sister; first and last child."""
        order = np.argsort(self.parent, kind="stable")
        above = self.parent[order]
        same = (above[1:] == above[:-1]) & (above[1:] >= 0)
        before = np.full(self.size, NONE, np.int64)
        after = before.copy()
        before[order[1:][same]] = order[:-1][same]
        after[order[:-1][same]] = order[1:][same]
        first, last = np.full(self.size, NONE), np.full(self.size, NONE)
        child = order[above >= 0]
        starts = before[child] < 0
        first[self.parent[child[starts]]] = child[starts]
        ends = after[child] < 0
        last[self.parent[child[ends]]] = child[ends]
        return before, after, first, last

    @property
    def before(self) -> Ints:
        return self._sisters[0]

    @property
    def after(self) -> Ints:
        return self._sisters[1]

    @property
    def first_child(self) -> Ints:
        return self._sisters[2]

    @property
    def last_child(self) -> Ints:
        return self._sisters[3]

    @cached_property
    def children(self) -> Ints:
        """How many children each item has."""
        return np.bincount(self.parent[self.parent >= 0], minlength=self.size)

    # -- words -----------------------------------------------------------------------

    @cached_property
    def first(self) -> Ints:
        """The first kept word of each item, and where it ends."""
        return self.stream.kept_before[self.stream.bank.first[self.row]]

    @cached_property
    def last(self) -> Ints:
        return self.stream.kept_before[self.stream.bank.last[self.row]]

    @cached_property
    def word_item(self) -> Ints:
        """The item of each kept word."""
        return np.flatnonzero(self.is_word)

    @cached_property
    def head(self) -> Ints:
        """The kept word that heads each item."""
        head = self.first.copy()
        phrase = self._of_row[self.stream.phrases]
        known = self.head_of_phrase >= 0
        head[phrase[known]] = self.head_of_phrase[known]
        return head

    # -- labels ----------------------------------------------------------------------

    @cached_property
    def label(self) -> Ints:
        """Tags as they are, phrase labels without function tags; numbers of SYMBOLS."""
        label = self.stream.bank.label[self.row].astype(np.int64)
        label[self._of_row[self.stream.phrases]] = self.stream.bare_label
        return label

    @cached_property
    def coarse(self) -> Ints:
        """Labels with tags cut to what patterns know: `N-D` is `N`."""
        coarse = self.label.copy()
        tags = coarse[self.is_word]
        used, which = number_densely(tags)
        names = [
            self.stream.labels.bare_tag(SYMBOLS.name(int(number))) for number in used
        ]
        coarse[self.is_word] = np.array([SYMBOLS.id(n) for n in names], np.int64)[which]
        return coarse

    @cached_property
    def label_key(self) -> Ints:
        """Labels by what they are called, whatever their number in this process."""
        return _keys_of_symbols(self.label)

    @cached_property
    def coarse_key(self) -> Ints:
        return _keys_of_symbols(self.coarse)

    def at(self, column: Ints, item: Ints) -> Ints:
        """The column's value for some items; -1 for none."""
        return np.where(item >= 0, column[item], NONE)
