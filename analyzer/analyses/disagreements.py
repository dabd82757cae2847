"""What two annotators do differently, grouped so that one decision settles many.

A group is a kind and what either side has: another construction for the same word
(`construction`), the same one over other words (`span-left`, `span-right`,
`span-both`), or attached elsewhere (`attachment`), and another tag (`tag`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from analyzer.analyses.errors import NOTHING, Kind, confused_rows, error_rows
from analyzer.derivation.columns import NULL, ROOT, Derivation
from analyzer.metrics.constructions import Comparison
from analyzer.model.arrays import Ids, Ints
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.characters import CharSpans

EXAMPLES = 100_000  # kept of each group: all, unless it is not worth reading
_WORDS_SHOWN = 12
CONSTRUCTION, ATTACHMENT, TAG = "construction", "attachment", "tag"
FUNCTION = "function"


class Example(NamedTuple):
    """Where a disagreement is: what each side has there, in words."""

    sentence: int
    word: str
    a: str | None
    b: str | None
    file: str = ""  # of A
    line: int = 0
    file_b: str = ""
    line_b: int = 0
    id: str = ""  # what the file calls the sentence


class GroupKey(NamedTuple):
    kind: str
    a: str
    b: str


@dataclass
class Group:
    count: int = 0
    examples: list[Example] = field(default_factory=list)


Groups = dict[GroupKey, Group]


@dataclass(frozen=True)
class Side:
    """One annotation of a block: words are counted as this side has them."""

    bank: Treebank
    derivation: Derivation
    leaves: Ints  # the leaf that each compared word is
    tags: Ids  # the tag of each compared word, as it is compared
    places: CharSpans  # where both sides agree that words are
    has_tags: bool = True  # EDUs have none

    def word(self, row: int) -> str:
        return self.bank.form(int(self.leaves[self.derivation.head[row]]))

    def span(self, row: int) -> str | None:
        """The words of a construction, the middle of a long one left out."""
        if row < 0:
            return None
        first, last = int(self.derivation.first[row]), int(self.derivation.last[row])
        words = [self.bank.form(int(leaf)) for leaf in self.leaves[first:last]]
        if len(words) > _WORDS_SHOWN:
            words = [*words[:5], "…", *words[-5:]]
        return " ".join(words)

    def governor(self, row: int) -> str:
        number = int(self.derivation.attachment[row])
        if number < 0:
            return _NO_WORD[number]
        return self.bank.form(int(self.leaves[number]))

    def tree(self, word: int) -> int:
        return (
            int(np.searchsorted(self.bank.leaf_start, self.leaves[word], "right")) - 1
        )


def function_disagreements(
    a: Side,
    b: Side,
    rows: tuple[Ints, Ints],
    names: tuple[Sequence[str], Sequence[str]],
    first_sentence: int,
) -> Iterator[tuple[GroupKey, Example]]:
    """Brackets with the same span and label, but with other function tags."""
    for left, right, one, other in zip(
        *(r.tolist() for r in rows), *names, strict=True
    ):
        if one == other:
            continue
        tree = a.tree(int(a.derivation.head[left]))
        shown = (a.span(left), b.span(right))
        example = _example(a, b, first_sentence, tree, a.word(left), shown)
        yield GroupKey(FUNCTION, one or NOTHING, other or NOTHING), example


_NO_WORD = {ROOT: "ROOT", NULL: "null"}


def _example(
    a: Side,
    b: Side,
    first: int,
    tree: int,
    word: str,
    shown: tuple[str | None, str | None],
) -> Example:
    places = [(side.bank.source, int(side.bank.line[tree])) for side in (a, b)]
    name = a.bank.id_of(tree) or b.bank.id_of(tree)
    return Example(first + tree, word, *shown, *places[0], *places[1], name)


def disagreements(
    a: Side, b: Side, comparison: Comparison, first_sentence: int
) -> Iterator[tuple[GroupKey, Example]]:
    """Every disagreement about constructions, in the order of kinds."""

    def example(left: int, right: int, shown: tuple[str | None, str | None]) -> Example:
        side, row = (a, left) if left >= 0 else (b, right)
        tree = side.tree(int(side.derivation.head[row]))
        return _example(a, b, first_sentence, tree, side.word(row), shown)

    names = comparison.constructions
    for left, right in _rows(confused_rows(comparison)):
        key = GroupKey(
            CONSTRUCTION,
            names[a.derivation.construction[left]] if left >= 0 else NOTHING,
            names[b.derivation.construction[right]] if right >= 0 else NOTHING,
        )
        yield key, example(left, right, (a.span(left), b.span(right)))
    for left, right in _rows(error_rows(comparison, Kind.SPAN)):
        name = names[a.derivation.construction[left]]
        key = GroupKey(_edge(comparison, left, right), name, name)
        yield key, example(left, right, (a.span(left), b.span(right)))
    for left, right in _rows(error_rows(comparison, Kind.ATTACHMENT)):
        name = names[a.derivation.construction[left]]
        key = GroupKey(
            ATTACHMENT,
            f"{name} < {_governed(a, left)}",
            f"{name} < {_governed(b, right)}",
        )
        yield key, example(left, right, (a.governor(left), b.governor(right)))


def tag_disagreements(
    a: Side, b: Side, words: tuple[Ints, Ints], first_sentence: int
) -> Iterator[tuple[GroupKey, Example]]:
    """PairTask of words that have different tags."""
    left, right = words
    differ = a.tags[left] != b.tags[right]
    for one, other in _rows((left[differ], right[differ])):
        tags = (SYMBOLS.name(int(a.tags[one])), SYMBOLS.name(int(b.tags[other])))
        word = a.bank.form(int(a.leaves[one]))
        told = _example(a, b, first_sentence, a.tree(one), word, tags)
        yield GroupKey(TAG, *tags), told


def add(groups: Groups, found: Iterator[tuple[GroupKey, Example]]) -> None:
    for key, example in found:
        group = groups.setdefault(key, Group())
        group.count += 1
        if len(group.examples) < EXAMPLES:
            group.examples.append(example)


def _rows(rows: tuple[Ints, Ints]) -> Iterator[tuple[int, int]]:
    return zip(rows[0].tolist(), rows[1].tolist(), strict=True)


def _edge(comparison: Comparison, left: int, right: int) -> str:
    """Which edges differ; seen where both sides number words alike."""
    a, b = comparison.gold, comparison.parsed
    if a.first[left] == b.first[right]:
        return "span-right"
    return "span-left" if a.last[left] == b.last[right] else "span-both"


def _governed(side: Side, row: int) -> str:
    """What kind of word governs: its tag; of discourse units, on which side."""
    governor = int(side.derivation.attachment[row])
    if governor < 0:
        return _NO_WORD[governor]
    if not side.has_tags:
        return "before" if governor < side.derivation.head[row] else "after"
    return SYMBOLS.name(int(side.tags[governor]))
