"""A treebank as the checks see it: words in one stream, brackets over them.

Traces are left out, punctuation stays. All columns are integers; n-grams are
compared by hashes of runs of the stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from analyzer.checks.findings import LeafSpan
from analyzer.formats.blocks import Progress
from analyzer.formats.reading import ReadOptions, TreeReader, Trees, open_trees
from analyzer.model.arrays import (
    Flags,
    Ids,
    Ints,
    Value,
    Words64,
    begins,
    in_order,
    inverse_powers,
    mix,
    powers,
)
from analyzer.model.symbols import SYMBOLS, Symbols, by_name
from analyzer.model.treebank import Treebank
from analyzer.transform.labels import LabelSet, default_labels
from analyzer.transform.pruning import without_nontext

BOUNDARY = 0  # the word between sentences
# A longer nucleus adds nothing: whoever repeats that much repeats the document.
LONGEST = 60


class Repeats(NamedTuple):
    """The n-grams of one length that occur more than once in the same context.

    One row an occurrence, those of a group together.
    """

    length: int
    at: Ints  # position in the stream of the nucleus's first word
    group: Ints  # numbered from 0


def read_banks(
    treebanks: Iterable[Trees],
    labels: LabelSet,
    *,
    encoding: str = "utf-8",
    strict: bool = False,
    progress: Progress | None = None,
) -> Iterator[Treebank]:
    """All trees, a treebank after the other, without what is no text by the labels."""
    for given in [open_trees(treebank, encoding) for treebank in treebanks]:
        if isinstance(given, Treebank):
            yield without_nontext(given, labels)
        else:
            options = ReadOptions(strict, progress=progress, labels=labels)
            reader = TreeReader(given, options)
            yield from reader.banks()


@dataclass(frozen=True, eq=False)
class WordStream(Value):
    """A whole treebank, its files one after another."""

    bank: Treebank
    files: Sequence[str]
    file_of_tree: Ints
    labels: LabelSet

    @staticmethod
    def of(banks: Iterable[Treebank], labels: LabelSet | None = None) -> WordStream:
        """The stream of blocks of trees, in their order."""
        listed = list(banks)
        files: dict[str, int] = {}
        of_tree = [
            np.full(len(bank), files.setdefault(bank.source, len(files)), np.int64)
            for bank in listed
        ]
        joined = Treebank.join(listed)
        numbers = np.concatenate(of_tree) if of_tree else np.zeros(0, np.int64)
        return WordStream(joined, list(files), numbers, labels or default_labels())

    @cached_property
    def first_of_file(self) -> Ints:
        """Per tree: the first tree of its file."""
        trees = np.arange(self.file_of_tree.size)
        is_first = begins(self.file_of_tree)
        return np.maximum.accumulate(np.where(is_first, trees, 0))

    def number_in_file(self, tree: int) -> int:
        """A sentence as people count it, from 1."""
        return tree - int(self.first_of_file[tree]) + 1

    def file_of(self, tree: int) -> str:
        return self.files[int(self.file_of_tree[tree])]

    # -- words -----------------------------------------------------------------

    @cached_property
    def kept(self) -> Ints:
        """The leaves that are no traces."""
        tag = self.bank.label[self.bank.leaf_node]
        empty = [SYMBOLS.id(name) for name in self.labels.empty]
        return np.flatnonzero(~np.isin(tag, empty))

    @cached_property
    def kept_before(self) -> Ints:
        before = np.zeros(self.bank.leaf_node.size + 1, np.int64)
        before[self.kept + 1] = 1
        return np.cumsum(before)

    @cached_property
    def tree_of_word(self) -> Ints:
        return np.searchsorted(self.bank.leaf_start, self.kept, side="right") - 1

    @cached_property
    def stream_at(self) -> Ints:
        """The position of each kept word in the stream."""
        return np.arange(self.kept.size) + self.tree_of_word + 1

    @cached_property
    def stream(self) -> Ids:
        """Word numbers, with BOUNDARY before, between and after the sentences."""
        words = Symbols()
        words.id("\x00")  # takes number 0, BOUNDARY
        bank = self.bank
        start = bank.form_start[self.kept]
        number = words.ids_in(
            bank.text + bytes(8), start, bank.form_end[self.kept] - start
        )
        stream = np.zeros(self.kept.size + len(bank) + 1, np.int32)
        stream[self.stream_at] = number
        return stream

    @cached_property
    def sentences(self) -> Words64:
        """A hash of each sentence's words."""
        starts = self.bank.leaf_start
        edge = self.kept_before[starts] + np.arange(starts.size)
        return self._run_hashes(edge[:-1], edge[1:])

    def hashed(self, first: Ints, last: Ints) -> Words64:
        """A hash of runs of kept words, with their neighbours."""
        return self._run_hashes(self.stream_at[first] - 1, self.stream_at[last - 1] + 2)

    def _run_hashes(self, start: Ints, end: Ints) -> Words64:
        sums = self._prefix[end] - self._prefix[start]
        hashes: Words64 = sums * inverse_powers(self.stream.size)[start]
        return hashes

    @cached_property
    def word_at(self) -> Ints:
        """The kept word at each position of the stream; -1 at a boundary."""
        word = np.full(self.stream.size, -1, np.int64)
        word[self.stream_at] = np.arange(self.kept.size)
        return word

    def span(self, at: int, length: int) -> LeafSpan:
        """The place of a run of the stream."""
        word = int(self.word_at[at])
        tree = int(self.tree_of_word[word])
        start = int(self.bank.leaf_start[tree])
        first = int(self.kept[word]) - start
        return LeafSpan(tree, first, int(self.kept[word + length - 1]) - start + 1)

    def span_of_row(self, row: int) -> LeafSpan:
        """The place of a word or phrase of the bank."""
        tree = int(self.bank.tree_of_node[row])
        start = int(self.bank.leaf_start[tree])
        first, last = int(self.bank.first[row]), int(self.bank.last[row])
        return LeafSpan(tree, first - start, last - start)

    # -- brackets ----------------------------------------------------------------

    @cached_property
    def phrases(self) -> Ints:
        """The rows of phrases that have words; wrappers at the root left out."""
        bank = self.bank
        has_words = self.kept_before[bank.first] < self.kept_before[bank.last]
        bare, wrappers = self.labels.bare_phrase, self.labels.wrapper
        wraps = by_name(bank.label, lambda name: bare(name) in wrappers, np.bool_)
        is_wrapper = (bank.depth == 0) & wraps
        return np.flatnonzero(~bank.is_leaf & has_words & ~is_wrapper)

    # -- repeats -----------------------------------------------------------------

    def repeats(self, longest: int = LONGEST) -> Iterator[Repeats]:
        """Word n-grams with one word of context on each side that recur.

        The context is the non-fringe heuristic of Dickinson and Meurers; the edge of
        a sentence is context like a word. A longer n-gram can recur only where its
        beginning does, so the rows to look at become fewer with each length.
        """
        stream = self.stream
        start = np.flatnonzero(stream[1:] != BOUNDARY)
        group = stream[start].astype(np.int64)  # by what stands on the left
        for length in range(longest + 1):
            size = length + 1
            start, group = _regrouped(start, group, stream[start + size])
            if not start.size:
                return
            if length:
                yield Repeats(length, start + 1, group)
            # What was context on the right is now part of the nucleus.
            goes_on = stream[start + size] != BOUNDARY
            start, group = start[goes_on], group[goes_on]

    @cached_property
    def _prefix(self) -> Words64:
        mixed = mix(self.stream.astype(np.uint64))
        sums = np.zeros(self.stream.size + 1, np.uint64)
        np.cumsum(mixed * powers(self.stream.size), out=sums[1:])
        return sums


def _regrouped(at: Ints, group: Ints, word: Ids) -> tuple[Ints, Ints]:
    """Places of a group that have the same word as well, if there are several.

    Groups are numbered anew; places that were in order stay in order within each.
    """
    words = int(word.max(initial=0)) + 1
    key, order = in_order(group * words + word)
    is_first = begins(key)
    recurs = ~(is_first & np.append(is_first[1:], True)[: key.size])
    return at[order[recurs]], np.cumsum(is_first[recurs]) - 1


def varying(groups: Ints, values: Ints) -> Flags:
    """Which rows are of a group whose values differ; rows of a group are together."""
    starts = np.flatnonzero(begins(groups))
    differs = np.minimum.reduceat(values, starts) != np.maximum.reduceat(values, starts)
    flags: Flags = differs[groups]
    return flags
