"""Words that recur with different derivation fragments (Kulick et al. 2011, 2012).

Internal: the spines of the words and how they attach to each other, as far as they
lie within the words. (What the whole attaches to is in `doubts`.) Findings are grouped
by what differs between the fragments, so that one decision settles all findings of a
group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from analyzer.checks.candidates import Candidate
from analyzer.checks.contrast import candidates_of, contrast
from analyzer.checks.surroundings import Surroundings
from analyzer.checks.variation import Check, Nuclei, Recurring, groups_that_vary
from analyzer.checks.word_stream import NIL, WordStream
from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.columns import Derivation
from analyzer.model.arrays import Ints, inverse_powers, mix, powers

_OUTSIDE = "outside"
_NO_CONSTRUCTION = "?"


class Fragments:
    """Phrases with their constructions, comparable as fragments."""

    def __init__(
        self,
        stream: WordStream,
        derivation: Derivation,
        constructions: ConstructionNames,
    ) -> None:
        self.stream = stream
        self._names = [*constructions.listed, _NO_CONSTRUCTION]
        phrases = stream.phrases
        of_row = np.full(stream.bank.label.size, len(constructions), np.int64)
        of_row[derivation.row] = derivation.construction
        self.construction = of_row[phrases]
        head = np.full(stream.bank.label.size, -1, np.int64)
        head[derivation.row] = derivation.head
        self.head = head[phrases]
        index = np.full(stream.bank.label.size, -1, np.int64)
        index[phrases] = np.arange(phrases.size)
        above = stream.bank.parent[phrases]
        self.parent = np.where(above >= 0, index[above], -1)
        self._types: dict[str, Counter[str]] = {}

    def insides(self, top: Ints) -> Ints:
        """A number for what is inside of each phrase; equal for equal fragments."""
        if not self._inside.size:
            return np.full_like(top, NIL)
        number: Ints = np.where(top >= 0, self._inside[top] + 1, NIL)
        return number

    @cached_property
    def _inside(self) -> Ints:
        """Per phrase, from 0.

        A fragment is the sum of its phrases' numbers, each times a power of where it
        begins; sizes tell which of two phrases over the same words is the upper one.
        """
        first, length = self.stream.first, self.stream.length
        end = np.searchsorted(first, first + length)
        size = end - np.arange(first.size)
        value = mix(self.construction.astype(np.uint64))
        value = mix(value ^ length.astype(np.uint64) << np.uint64(20))
        count = int(first.max(initial=0)) + 1
        value = mix(value ^ size.astype(np.uint64)) * powers(count)[first]
        sums = np.zeros(first.size + 1, np.uint64)
        np.cumsum(value, out=sums[1:])
        whole = (sums[end] - sums[:-1]) * inverse_powers(count)[first]
        _, number = np.unique(whole, return_inverse=True)
        inside: Ints = number.astype(np.int64)
        return inside

    def inside_text(self, at: int, length: int) -> str:
        """The fragment in brackets, a dot a word, and its type remembered."""
        first, lengths = self.stream.first, self.stream.length
        start, stop = np.searchsorted(first, [at, at + length]).tolist()
        inner = [
            index
            for index in range(start, stop)
            if first[index] + lengths[index] <= at + length
        ]
        opened: dict[int, list[str]] = {}
        closed: Counter[int] = Counter()
        kinds: Counter[str] = Counter()
        there = set(inner)
        for index in inner:
            begin = int(first[index]) - at
            name = self._names[int(self.construction[index])]
            opened.setdefault(begin, []).append(f"({name} ")
            closed[begin + int(lengths[index]) - 1] += 1
            parent = int(self.parent[index])
            inside = parent in there
            where = self._names[int(self.construction[parent])] if inside else _OUTSIDE
            kinds[f"{name}@{where}"] += 1
        pieces = [
            "".join(opened.get(word, [])) + "·" + ")" * closed[word]
            for word in range(length)
        ]
        text = " ".join(pieces)
        self._types[text] = kinds
        return text

    def group(self, names: Sequence[str]) -> str:
        """What the two most frequent fragments do not share."""
        one, other = (self._types[name] for name in sorted(names[:2]))
        sides = []
        for only in (one - other, other - one):
            sides.append(" + ".join(sorted(only)) or "nothing")
        if sides == ["nothing", "nothing"]:
            sides = ["the same constructions in other places"]
        return f"derivation: {' | '.join(sides)}"


def fragments_that_vary(
    around: Surroundings, derivation: Derivation, constructions: ConstructionNames
) -> Check:
    """D401."""
    stream = around.items.stream
    fragments = Fragments(stream, derivation, constructions)

    def check(found: Recurring) -> Iterator[Candidate]:
        length = found.words.length
        if length == 1:  # one word has no inside but its chain: variation
            return
        nuclei = Nuclei(around, length)
        number = fragments.insides(found.top)
        for at, values in groups_that_vary(found.words, number):
            if NIL in values:  # words that are no phrase here vary as brackets
                continue
            texts = [fragments.inside_text(one, length) for one in at]
            if len(set(texts)) < 2:
                continue
            yield from candidates_of(
                stream,
                contrast(length, at, texts),
                code="D401",
                group=fragments.group,
                mender=nuclei.no_edit,
            )

    return check
