"""Variation n-grams: the same words, bracketed or labelled differently.

Dickinson and Meurers 2003, 2005. A *nucleus* is a run of words that is a phrase
somewhere; where the same run, between the same neighbours, is another phrase or
none (NIL), one of them is likely wrong. The same over full labels finds function tags
that vary, and over tags, words that are tagged differently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from analyzer.checks.candidates import Candidate, chain_edit, chain_items
from analyzer.checks.contrast import Elsewhere, candidates_of, contrast
from analyzer.checks.findings import Edit
from analyzer.checks.surroundings import Surroundings
from analyzer.checks.word_stream import LONGEST, Repeats, varying
from analyzer.model.arrays import Ints, begins, in_order, number_densely
from analyzer.model.symbols import SYMBOLS
from analyzer.transform.labels import LabelSet

_NIL = "NIL"


class Nuclei:
    """Runs of the stream as items, and the edits that change what they are."""

    def __init__(self, around: Surroundings, length: int) -> None:
        self.around, self.length = around, length
        self._stream, self._items = around.items.stream, around.items

    def base(self, at: int) -> int:
        """The lowest item over exactly these words, or -1."""
        items = self._items
        word = int(self._stream.word_at[at])
        item = int(items.word_item[word])
        if self.length == 1:
            return item
        while item >= 0 and items.last[item] - word < self.length:
            item = int(items.parent[item])
        if item < 0 or items.last[item] - items.first[item] != self.length:
            return -1
        while items.children[item] == 1:
            item = int(items.first_child[item])
        return item

    def run(self, at: int) -> tuple[list[int], int]:
        """The sisters that make up these words, if they do; and what holds them."""
        items = self._items
        word = int(self._stream.word_at[at])
        end = word + self.length
        item = int(items.word_item[word])
        while True:
            above = int(items.parent[item])
            if above < 0 or items.first[above] < word or items.last[above] > end:
                break
            item = above
        sisters = [item]
        while items.last[sisters[-1]] < end and items.after[sisters[-1]] >= 0:
            sisters.append(int(items.after[sisters[-1]]))
        fits = items.last[sisters[-1]] == end
        above = int(items.parent[item])
        while above >= 0 and items.last[above] < end:
            above = int(items.parent[above])
        return (sisters if fits else []), above

    def mend_chain(self, at: int, wanted: str) -> tuple[Edit | None, tuple[int, ...]]:
        items, base = self._items, self.base(at)
        if base >= 0 and (self.length == 1 or chain_items(self.around, base)):
            parts = "" if wanted == _NIL else wanted
            edit = chain_edit(self.around, base, parts)
            return edit, (*chain_items(self.around, base), base)
        sisters, above = self.run(at)
        edit = None
        if sisters and wanted != _NIL and "/" not in wanted:
            row, last = (int(items.row[one]) for one in (sisters[0], sisters[-1]))
            edit = Edit("add", row, last, wanted)
        return edit, tuple(one for one in (*sisters, above) if one >= 0)

    def no_edit(self, at: int, _: str) -> tuple[Edit | None, tuple[int, ...]]:
        return None, (self.base(at),)

    def mend_tag(self, at: int, wanted: str) -> tuple[Edit | None, tuple[int, ...]]:
        item = int(self._items.word_item[self._stream.word_at[at]])
        return Edit("retag", int(self._items.row[item]), label=wanted), (item,)

    def mend_functions(
        self, at: int, wanted: str
    ) -> tuple[Edit | None, tuple[int, ...]]:
        chain = chain_items(self.around, self.base(at))
        names = wanted.split("/")
        for item, name in zip(chain, names, strict=False):
            row = int(self._items.row[item])
            if self._stream.bank.label_name(row) != name:
                functions = "-".join(self._stream.labels.function_tags(name))
                return Edit("functions", row, label=functions), (item,)
        return None, tuple(chain)


class Recurring(NamedTuple):
    """Words that recur, and what phrases they are, as `WordStream.chains_at` has it."""

    words: Repeats
    chain: Ints
    top: Ints


# What is suspicious about words that recur, n-grams of one length at a time.
Check = Callable[[Recurring], Iterator[Candidate]]


def check_recurring(
    around: Surroundings, checks: Sequence[Check], *, longest: int = LONGEST
) -> list[Candidate]:
    """What checks find; the words that recur are looked for once for all of them."""
    stream = around.items.stream
    return [
        candidate
        for words in stream.repeats(longest)
        for found in [Recurring(words, *stream.chains_at(words.at, words.length))]
        for check in checks
        for candidate in check(found)
    ]


def brackets_that_vary(around: Surroundings) -> Check:
    """V301, V302."""
    stream = around.items.stream

    def check(found: Recurring) -> Iterator[Candidate]:
        length = found.words.length
        nuclei = Nuclei(around, length)
        counts = _chain_counts(around) if length == 1 else None
        for at, values in groups_that_vary(found.words, found.chain):
            texts = [stream.chain_names[value] for value in values]
            yield from candidates_of(
                stream,
                contrast(length, at, texts),
                code="V302" if _NIL in texts else "V301",
                group=lambda names: pair_name("variation", names),
                mender=nuclei.mend_chain,
                elsewhere=counts,
            )

    return check


def _chain_counts(around: Surroundings) -> Elsewhere:
    """How often a word has a chain of phrases of its own."""
    stream = around.items.stream
    chain, _ = stream.chains_at(stream.stream_at, 1)
    names = stream.chain_names
    return _counts(around, [names[one] for one in chain.tolist()])


def _counts(around: Surroundings, names: Sequence[str]) -> Elsewhere:
    stream = around.items.stream
    word = stream.stream[stream.stream_at].tolist()
    times = Counter(zip(word, names, strict=True))
    return lambda at, name: times[int(stream.stream[at]), name]


def functions_that_vary(around: Surroundings) -> Check:
    """F701: phrases with the same labels over the same words, but for function tags."""
    stream = around.items.stream
    bank, labels = stream.bank, stream.labels

    def check(found: Recurring) -> Iterator[Candidate]:
        words, chain, top = found
        rows = np.flatnonzero(top >= 0)
        if rows.size < 2:
            return
        # The same words under the same labels are a group of their own.
        chains = len(stream.chain_names)
        key, order = in_order(words.group[rows] * chains + chain[rows])
        rows = rows[order]
        group = np.append(0, np.cumsum(key[1:] != key[:-1]))
        alike = Repeats(words.length, words.at[rows], group)
        full = bank.label[stream.phrases[top[rows]]].astype(np.int64)
        nuclei = Nuclei(around, words.length)
        for at, values in groups_that_vary(alike, full):
            names = [_without_indices(labels, SYMBOLS.name(value)) for value in values]
            if len(set(names)) < 2:
                continue
            yield from candidates_of(
                stream,
                contrast(words.length, at, names),
                code="F701",
                group=lambda names: pair_name("function", names),
                mender=nuclei.mend_functions,
            )

    return check


def _without_indices(labels: LabelSet, name: str) -> str:
    return "-".join([labels.bare_phrase(name), *labels.function_tags(name)])


def check_tags(around: Surroundings) -> list[Candidate]:
    """T501. One word is nucleus enough: longer ones hold the same variation."""
    stream = around.items.stream
    found: list[Candidate] = []
    tag = around.tag
    nuclei = Nuclei(around, 1)
    tags, number = number_densely(tag)
    names = [SYMBOLS.name(one) for one in tags.tolist()]
    counts = _counts(around, [names[one] for one in number.tolist()])
    for repeats in stream.repeats(longest=1):
        for at, values in groups_that_vary(repeats, tag[stream.word_at[repeats.at]]):
            found += candidates_of(
                stream,
                contrast(1, at, [SYMBOLS.name(value) for value in values]),
                code="T501",
                group=lambda names: pair_name("tag", names),
                mender=nuclei.mend_tag,
                elsewhere=counts,
            )
    return found


def groups_that_vary(
    repeats: Repeats, values: Ints
) -> Iterator[tuple[list[int], list[int]]]:
    """For each group whose values differ: its positions, and their values."""
    rows = np.flatnonzero(varying(repeats.group, values))
    if not rows.size:
        return
    group = repeats.group[rows]
    starts = np.flatnonzero(begins(group))
    ends = np.append(starts[1:], rows.size)
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        run = rows[start:end]
        yield repeats.at[run].tolist(), values[run].tolist()


def pair_name(kind: str, names: Sequence[str]) -> str:
    """The group of a contrast: what stands against what."""
    return f"{kind}: {' | '.join(sorted(names))}"
