"""The errors of a data set as the page's error browser reads them: small and flat.

The page holds thousands of trees, so they are packed: texts stand once in a table
and everything else is integers. `docs/report.md` describes the fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

from analyzer.analyses.errors import (
    OF_BRACKETS,
    ErrorsOfBlock,
    Instance,
    Kind,
    Projection,
)
from analyzer.analyses.repair_stages import Snapshot
from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.brackets import WordPositions, word_positions
from analyzer.derivation.columns import NULL, ROOT, Derivation
from analyzer.editing.preparing import prepare_for_evalb
from analyzer.metrics.constructions import Comparison
from analyzer.model.arrays import Flags, Ints
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import SentencePair
from analyzer.safe_text import drawable, on_page
from analyzer.transform.label_tables import LabelTables
from reports.page.edit_data import SentenceEdits

KINDS = tuple(kind.value for kind in OF_BRACKETS)  # function is the last
_NUMBERS_OF_ERROR = 8


@dataclass(frozen=True)
class ErrorSet:
    """The errors of one data set, packed, and how many there are in all.

    `sentences`: number, words compared (numbers of texts), gold tree, parsed tree, and
    its name if it has one.
    `types`: the kinds of node that occur in the trees.
    `errors`: eight integers each.
    """

    name: str
    texts: list[str]
    types: list[list[int]]
    sentences: list[list[Any]]
    errors: list[int]
    shown: int
    total: int
    # Of syntax: per error, the edit of its sentence that mends it, or -1; and per
    # sentence the edits (text, marks before and after), and the trees between them: the
    # first one, then what changes.
    links: list[int] = field(default_factory=list)
    edits: list[list[Any]] = field(default_factory=list)

    @property
    def has_functions(self) -> bool:
        """Whether some of the errors are of function tags."""
        return KINDS.index(Kind.FUNCTION.value) in self.errors[1::_NUMBERS_OF_ERROR]

    def as_json(self) -> dict[str, Any]:
        return {
            "name": drawable(self.name),
            "texts": self.texts,
            "types": self.types,
            "sentences": self.sentences,
            "errors": self.errors,
            "total": self.total,
            "links": self.links,
            "edits": self.edits,
        }


@dataclass
class _Numbers:
    """Values numbered in the order in which they are first met."""

    values: list[Any] = field(default_factory=list)
    _known: dict[Any, int] = field(default_factory=dict)

    def of(self, value: Any) -> int:
        number = self._known.setdefault(value, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number


class _Side(NamedTuple):
    """Gold or parsed of a run of sentences."""

    bank: Treebank
    derivation: Derivation
    is_matched: Flags  # as evalb matches brackets
    words: WordPositions
    constructions: ConstructionNames


class _Named(NamedTuple):
    """What is said of a node: numbers of texts, -1 for none."""

    construction: int = -1
    before: int = 0  # words of it before its head
    differs: int = 0  # from the other tree, as evalb compares brackets
    link: int = -1  # of a discourse unit: how it is linked to the rest


_NOTHING = _Named()


def _sides(pair: SentencePair, comparison: Comparison) -> tuple[_Side, _Side]:
    alignment, matches = comparison.alignment, comparison.by_bracket
    return (
        _Side(
            pair.gold,
            comparison.gold,
            matches.gold,
            word_positions(pair.gold, alignment, of_gold=True),
            comparison.constructions,
        ),
        _Side(
            pair.parsed,
            comparison.parsed,
            matches.parsed,
            word_positions(pair.parsed, alignment, of_gold=False),
            comparison.constructions,
        ),
    )


class ErrorCollector:
    """Takes comparisons block by block and keeps the first errors, in document order.

    It stops at `limit` errors, or when their trees take `budget` bytes; what comes
    after that is only counted.
    """

    def __init__(
        self,
        name: str,
        *,
        limit: int,
        budget: int,
        tables: LabelTables | None = None,
        is_chinese: bool = False,
        is_discourse: bool = False,
    ) -> None:
        self._is_chinese = is_chinese
        self._is_discourse = is_discourse
        self._tables = tables  # if given, errors are linked to edits
        self._links: list[int] = []
        self._edits: list[list[Any]] = []
        self._name = name
        self._limit = limit
        self._budget = budget
        self._texts = _Numbers()
        self._numbers: dict[str, int] = {}  # of texts as they are read
        self._types = _Numbers()
        self._plain: dict[tuple[int, bool], int] = {}  # label -> type without more
        self._sentences: list[list[Any]] = []
        self._errors: list[int] = []
        self._shown = self._total = 0

    @property
    def is_full(self) -> bool:
        """Whether more errors would only be counted."""
        return self._shown >= self._limit or self._budget <= 0

    def count(self, errors: int) -> None:
        """So many more errors, of which nothing is shown."""
        self._total += errors

    def add(self, pair: SentencePair, comparison: Comparison) -> None:
        """The errors of a block: shown as long as there is room, and counted."""
        block = ErrorsOfBlock(pair, comparison)
        room = 0 if self.is_full else self._limit - self._shown
        total, found = block.first(OF_BRACKETS, room)
        self._total += total
        sides = _sides(pair, comparison)
        repairs = None
        if found and self._tables is not None:
            prepared = prepare_for_evalb(pair, self._tables, comparison.alignment)
            repairs = SentenceEdits(prepared, is_chinese=self._is_chinese)
        for sentence, errors in _by_sentence(found):
            if self._budget <= 0:
                break
            tree = sentence - pair.first_sentence
            self._add_sentence(tree, sides, block.text.words(tree), errors, repairs)

    def finish(self) -> ErrorSet:
        return ErrorSet(
            self._name,
            self._texts.values,
            [list(values) for values in self._types.values],
            self._sentences,
            self._errors,
            self._shown,
            self._total,
            self._links,
            self._edits,
        )

    def _text(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = self._texts.of(on_page(text))
        return number

    def _add_sentence(
        self,
        tree: int,
        sides: tuple[_Side, _Side],
        words: list[str],
        errors: list[Instance],
        repairs: SentenceEdits | None,
    ) -> None:
        known = len(self._texts.values)
        first = errors[0]
        packed = [
            first.sentence,
            [self._text(word) for word in words],
            *(self._tree(side, tree, words) for side in sides),
            *([on_page(first.id)] if first.id else []),
        ]
        starts = [int(side.bank.node_start[tree]) for side in sides]
        rows = [self._error(len(self._sentences), error, starts) for error in errors]
        self._sentences.append(packed)
        self._errors += [number for row in rows for number in row]
        self._shown += len(rows)
        drawn: list[Any] = []
        if repairs is not None:
            found = repairs.of(tree)
            drawn = [
                [[self._text(told), *marks] for told, *marks in found.steps],
                changes([self._plain_tree(one) for one in found.trees]),
            ]
            self._links += [found.links_to(error) for error in errors]
            self._edits.append(drawn)
        added = [packed, rows, self._texts.values[known:], drawn]
        self._budget -= len(json.dumps(added, separators=(",", ":")))

    def _error(
        self, sentence: int, error: Instance, starts: Sequence[int]
    ) -> list[int]:
        present = error.gold or error.parsed
        assert present is not None
        sides = (error.gold, error.parsed)
        return [
            sentence,
            KINDS.index(error.kind.value),
            self._text(present.construction),
            error.position,
            *(
                -1 if side is None else side.row - start
                for side, start in zip(sides, starts, strict=True)
            ),
            *(NULL if side is None else _governor(side) for side in sides),
        ]

    def _nodes(self, side: _Side, tree: int) -> dict[int, _Named]:
        """What is said of the nodes of a tree that count."""
        derivation, names = side.derivation, side.constructions
        rows = _of_tree(derivation.starts, tree)
        found: dict[int, _Named] = {}
        for node, number, before, is_same in zip(
            derivation.row[rows].tolist(),
            derivation.construction[rows].tolist(),
            (derivation.head[rows] - derivation.first[rows]).tolist(),
            side.is_matched[rows].tolist(),
            strict=True,
        ):
            name = self._text(names[number])
            known = found.get(node, _NOTHING)
            if self._is_discourse and not names.recurs(names[number]):
                found[node] = known._replace(link=name)
            else:
                differs = 0 if is_same else 1
                found[node] = _Named(name, before, differs, known.link)
        return found

    def _tree(self, side: _Side, tree: int, words: list[str]) -> list[int]:
        """Nodes in pre-order: 2 x type + mark; -n closes n phrases.

        A leaf's type says how many compared words it is: 1, or 0 when deleted. When
        its word is not the compared one, the number of its text follows.
        """
        bank = side.bank
        nodes = self._nodes(side, tree)
        rows, leaves = _of_tree(bank.node_start, tree), _of_tree(bank.leaf_start, tree)
        counts = (side.words.end[leaves] - side.words.start[leaves]).tolist()
        next_words = zip(bank.forms(leaves), counts, strict=True)
        packed: list[int] = []
        open_phrases = 0
        at = 0  # the next compared word
        for node, number, depth, is_leaf in zip(
            range(rows.start, rows.stop),
            bank.label[rows].tolist(),
            bank.depth[rows].tolist(),
            bank.is_leaf[rows].tolist(),
            strict=True,
        ):
            if open_phrases > depth:
                packed.append(depth - open_phrases)
                open_phrases = depth
            label = self._text(SYMBOLS.name(number))
            named = nodes.get(node, _NOTHING)
            link = () if named.link < 0 else (named.link,)
            if not is_leaf:
                open_phrases += 1
                kind = (label, named.construction, named.before, *link)
                packed.append(2 * self._types.of(kind) + named.differs)
                continue
            form, count = next(next_words)
            is_own = not count or form != words[at]
            kind = (label, -2, count, int(is_own), *link)
            packed.append(2 * self._types.of(kind))
            if is_own:
                packed.append(self._text(form))
            at += count
        return packed

    def _plain_tree(self, tree: Snapshot) -> list[int]:
        """A tree between two edits: no constructions, no marks, all words compared."""
        packed: list[int] = []
        open_phrases = 0
        for _, label, depth, is_leaf in zip(*tree, strict=True):
            if open_phrases > depth:
                packed.append(depth - open_phrases)
            open_phrases = depth + (not is_leaf)
            kind = self._plain.get((label, is_leaf))
            if kind is None:
                rest = (-2, 1, 0) if is_leaf else (-1, 0)
                kind = 2 * self._types.of((self._text(SYMBOLS.name(label)), *rest))
                self._plain[label, is_leaf] = kind
            packed.append(kind)
        return packed


def _of_tree(starts: Ints, tree: int) -> slice:
    """The rows of a tree, given where each tree begins."""
    return slice(int(starts[tree]), int(starts[tree + 1]))


def changes(trees: Sequence[Sequence[int]]) -> list[list[int]]:
    """Packed trees, most of which are like the one before: what each changes of it.

    The first is itself; of each other one, how many numbers at the beginning and at
    the end stay, and what stands between them.

    >>> changes([[1, 2, 3, 4], [1, 9, 3, 4], [1, 9, 3, 4]])
    [[1, 2, 3, 4], [1, 2, 9], [4, 0]]
    """
    packed: list[list[int]] = []
    before: Sequence[int] = ()
    for tree in trees:
        if not packed:
            packed.append(list(tree))
        else:
            pairs = zip(before, tree, strict=False)
            start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            most = min(len(before), len(tree)) - start
            back = zip(reversed(before), reversed(tree), strict=False)
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], back))
            end = min(same, most)
            packed.append([start, end, *tree[start : len(tree) - end]])
        before = tree
    return packed


def _governor(side: Projection) -> int:
    if side.governor is None:
        return NULL
    return ROOT if side.governor_position is None else side.governor_position


def _by_sentence(found: Iterable[Instance]) -> list[tuple[int, list[Instance]]]:
    groups: dict[int, list[Instance]] = {}
    for one in found:
        groups.setdefault(one.sentence, []).append(one)
    return list(groups.items())
