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

import numpy as np

from analyzer.analyses.attribution import EditLinks
from analyzer.analyses.errors import (
    NOTHING,
    OF_BRACKETS,
    ErrorsOfBlock,
    Instance,
    Kind,
    Projection,
    confused_rows,
    lost_rows,
)
from analyzer.analyses.repairs import NO_EDIT, Classifier, types_of
from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.brackets import WordPositions, word_positions
from analyzer.derivation.columns import NULL, ROOT, Derivation
from analyzer.editing.mending import Snapshot, mended, stages
from analyzer.editing.preparing import PreparedPair, prepare_for_evalb
from analyzer.editing.search import repair
from analyzer.metrics.constructions import Comparison
from analyzer.model.arrays import Flags, Ints
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.safe_text import drawable, on_page
from analyzer.transform.label_tables import LabelTables

KINDS = tuple(kind.value for kind in OF_BRACKETS)  # function is the last
_NUMBERS_OF_ERROR = 10
_NO_SENTENCE = 1 << 40  # one in so many: none but the first
_LEAF = -2  # in place of a construction
_DETAILED = (Kind.HEAD_MISSED, Kind.HEAD_SPURIOUS, Kind.SPAN)
_MOST_DRAWN = 30  # edits of a sentence: the trees of more would fill the page


@dataclass(frozen=True)
class ErrorSet:
    """The errors of one data set, packed, and how many there are in all.

    `every`: of so many sentences one is here, with all its errors: 1, 1 + every, …
    `is_whole`: false if even one sentence had too many, and has only some of them.
    `left_out`: numbers or names of the sentences that were not compared.
    `sentences`: number, words compared (numbers of texts), gold tree, parsed tree, and
    its name if it has one.
    `types`: the kinds of node that occur in the trees.
    `errors`: ten integers each.
    """

    name: str
    texts: list[str]
    types: list[list[int]]
    sentences: list[list[Any]]
    errors: list[int]
    shown: int
    total: int
    every: int = 1
    is_whole: bool = True
    # Of syntax: per error, the edit of its sentence that mends it, or -1; and per
    # sentence the edits (text, marks before and after), and the trees between them: the
    # first one, then what changes.
    links: list[int] = field(default_factory=list)
    edits: list[list[Any]] = field(default_factory=list)
    left_out: Sequence[int | str] = ()

    @property
    def has_functions(self) -> bool:
        """Whether some of the errors are of function tags."""
        return KINDS.index(Kind.FUNCTION.value) in self.errors[1::_NUMBERS_OF_ERROR]

    @property
    def constructions_by_type(self) -> set[tuple[str, str]]:
        """Constructions with errors, and the types of the edits that mend these."""
        pairs = set()
        places = range(0, len(self.errors), _NUMBERS_OF_ERROR)
        links = self.links or [-1] * len(places)
        for at, link in zip(places, links, strict=True):
            error_type = NO_EDIT
            if link >= 0:
                text = self.texts[self.edits[self.errors[at]][0][link][0]]
                error_type = text.partition(". ")[2].partition(": ")[0]
            pairs.add((self.texts[self.errors[at + 2]], error_type))
        return pairs

    def as_json(self) -> dict[str, Any]:
        names = ("texts", "types", "sentences", "errors", "total", "links", "edits")
        values = {name: getattr(self, name) for name in names}
        left_out = [on_page(x) if isinstance(x, str) else x for x in self.left_out]
        sample = {"every": self.every, "isWhole": self.is_whole, "leftOut": left_out}
        return {"name": drawable(self.name), **values, **sample}


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


def _sides(pair: Pair, comparison: Comparison) -> tuple[_Side, _Side]:
    alignment, matches = comparison.alignment, comparison.by_bracket
    given = (
        (pair.gold, comparison.gold, matches.gold, alignment.gold),
        (pair.parsed, comparison.parsed, matches.parsed, alignment.parsed),
    )
    gold, parsed = (
        _Side(bank, derivation, hits, word_positions(words), comparison.constructions)
        for bank, derivation, hits, words in given
    )
    return gold, parsed


class _Held(NamedTuple):
    """A sentence of the page, packed, with its errors and the edits that mend them."""

    sentence: list[Any]
    errors: list[list[int]]  # as in an `ErrorSet`, without the number of the sentence
    links: list[int]
    edits: list[Any] | None
    size: int  # in bytes, with the texts that it is the first to have


class ErrorCollector:
    """Takes comparisons block by block and keeps errors, in document order.

    All of them, as long as they are at most `limit` and take at most `budget` bytes.
    Else a sample over the whole input: one sentence in 2, in 4, … with all its errors.
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
        self._name = name
        self._limit = limit
        self._budget = budget
        self._texts = _Numbers()
        self._numbers: dict[str, int] = {}  # of texts as they are read
        self._details: dict[tuple[int, int, str], tuple[str, int]] = {}
        self._types = _Numbers()
        self._plain: dict[tuple[int, bool], int] = {}  # label -> type without more
        self._held: list[_Held] = []
        self._size = self._shown = self._total = 0
        self._is_whole = limit > 0
        self.every = 1 if limit else _NO_SENTENCE

    def count(self, errors: int) -> None:
        """So many errors there are, whether they are shown or not."""
        self._total += errors

    def add(self, pair: Pair, comparison: Comparison) -> None:
        """The errors of a block: those of its sentences that are in the sample."""
        block = ErrorsOfBlock(pair, comparison)
        numbers = [pair.number(tree) for tree in range(pair.sentences)]
        tree_of = {number: tree for tree, number in enumerate(numbers)}
        is_in_sample = np.array([self._samples(number) for number in numbers], np.bool_)
        _, instances, _ = block.sample(OF_BRACKETS, None, trees=is_in_sample)
        sides = _sides(pair, comparison)
        self._details = _details(comparison)
        prepared = None
        if instances and self._tables is not None:
            prepared = prepare_for_evalb(pair, self._tables, comparison.alignment)
        for sentence, errors in _by_sentence(instances):
            if not self._samples(sentence):  # others were dropped meanwhile
                continue
            tree = tree_of[sentence]
            held = self._packed(tree, sides, block.text.words(tree), errors, prepared)
            self._held.append(held)
            self._size += held.size
            self._shown += len(held.errors)
            while self._shown > self._limit or self._size > self._budget:
                if len(self._held) > 1:
                    self.thin(2 * self.every)
                elif self._shown > self._limit:
                    self._thin_sentence()
                else:  # one sentence is shown, however large
                    break

    def thin(self, every: int) -> None:
        """Keep one sentence in so many; `every` is a multiple of what it was."""
        self.every = every
        self._held = [entry for entry in self._held if self._samples(entry.sentence[0])]
        self._size = sum(entry.size for entry in self._held)
        self._shown = sum(len(entry.errors) for entry in self._held)

    def finish(self) -> ErrorSet:
        held = self._held
        texts, types = self._texts.values, self._types.values
        if self.every > 1:
            # Texts of sentences that were dropped must not stay.
            again = _Renumbered(texts, types)
            held = [again.held(entry) for entry in held]
            texts, types = again.texts.values, again.types.values
        return ErrorSet(
            self._name,
            texts,
            [list(values) for values in types],
            [entry.sentence for entry in held],
            [
                number
                for at, entry in enumerate(held)
                for error in entry.errors
                for number in (at, *error)
            ],
            self._shown,
            self._total,
            self.every,
            self._is_whole,
            [link for entry in held for link in entry.links],
            [entry.edits for entry in held if entry.edits is not None],
        )

    def _samples(self, sentence: int) -> bool:
        return (sentence - 1) % self.every == 0 and self._limit > 0

    def _thin_sentence(self) -> None:
        """Of the only sentence, which has too many errors, some from everywhere."""
        (entry,) = self._held
        step = -(-len(entry.errors) // self._limit)
        self._held = [
            entry._replace(errors=entry.errors[::step], links=entry.links[::step])
        ]
        self._shown = len(self._held[0].errors)
        self._is_whole = False

    def _text(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = self._texts.of(on_page(text))
        return number

    def _packed(
        self,
        tree: int,
        sides: tuple[_Side, _Side],
        words: list[str],
        errors: list[Instance],
        prepared: PreparedPair | None,
    ) -> _Held:
        known = len(self._texts.values)
        first = errors[0]
        packed = [
            first.sentence,
            [self._text(word) for word in words],
            *(self._tree(side, tree, words) for side in sides),
            *([on_page(first.id)] if first.id else []),
        ]
        starts = [int(side.bank.node_start[tree]) for side in sides]
        rows = [self._error(error, starts) for error in errors]
        links: list[int] = []
        edits: list[Any] | None = None
        if prepared is not None:
            links, edits = self._edits(prepared, tree, errors)
        added = [packed, rows, self._texts.values[known:], links, edits]
        size = len(json.dumps(added, separators=(",", ":")))
        return _Held(packed, rows, links, edits, size)

    def _edits(
        self, prepared: PreparedPair, tree: int, errors: list[Instance]
    ) -> tuple[list[int], list[Any]]:
        """Per error, the edit that mends it; then the edits.

        The edits are [] if they were not found, or are too many to be drawn.
        """
        gold, parsed = prepared.gold.tree_at(tree), prepared.parsed.tree_at(tree)
        path = repair(gold, parsed)
        if not path.is_complete or len(path.edits) > _MOST_DRAWN:
            return [-1] * len(errors), []
        types = types_of(path, Classifier.SPINAL, is_chinese=self._is_chinese)
        steps = stages(parsed, path.edits, types)
        of_edits = EditLinks(prepared, path, mended(path))
        links = [of_edits.of_error(error) - 1 for error in errors]
        trees = [
            *(stage.before for stage in steps[:1]),
            *(stage.after for stage in steps),
        ]
        drawn = [
            [
                [self._text(stage.text), stage.before_marks, stage.after_marks]
                for stage in steps
            ],
            changes([self._plain_tree(snapshot) for snapshot in trees]),
        ]
        return links, drawn

    def _error(self, error: Instance, starts: Sequence[int]) -> list[int]:
        present = error.gold or error.parsed
        assert present is not None
        sides = (error.gold, error.parsed)
        instead, part = "", -1
        if error.kind in _DETAILED:
            which = 0 if error.gold else 1
            instead, part = self._details[which, present.row, present.construction]
        return [
            KINDS.index(error.kind.value),
            self._text(present.construction),
            error.position,
            *(
                -1 if side is None else side.row - start
                for side, start in zip(sides, starts, strict=True)
            ),
            *(NULL if side is None else _governor(side) for side in sides),
            self._text(instead) if instead else -1,
            part,
        ]

    def _nodes(self, side: _Side, tree: int) -> dict[int, _Named]:
        """What is said of the nodes of a tree that count."""
        derivation, names = side.derivation, side.constructions
        rows = _of_tree(derivation.starts, tree)
        nodes: dict[int, _Named] = {}
        for node, number, before, is_same in zip(
            derivation.row[rows].tolist(),
            derivation.construction[rows].tolist(),
            (derivation.head[rows] - derivation.first[rows]).tolist(),
            side.is_matched[rows].tolist(),
            strict=True,
        ):
            name = self._text(names[number])
            known = nodes.get(node, _NOTHING)
            if self._is_discourse and not names.recurs(names[number]):
                nodes[node] = known._replace(link=name)
            else:
                differs = 0 if is_same else 1
                nodes[node] = _Named(name, before, differs, known.link)
        return nodes

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
            kind = (label, _LEAF, count, int(is_own), *link)
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
                rest = (_LEAF, 1, 0) if is_leaf else (-1, 0)
                kind = 2 * self._types.of((self._text(SYMBOLS.name(label)), *rest))
                self._plain[label, is_leaf] = kind
            packed.append(kind)
        return packed


class _Renumbered:
    """Sentences as if no others had been packed: texts and types numbered anew."""

    def __init__(self, texts: list[str], types: list[tuple[int, ...]]) -> None:
        self._texts, self._types = texts, types
        self.texts, self.types = _Numbers(), _Numbers()

    def held(self, given: _Held) -> _Held:
        number, words, gold, parsed, *name = given.sentence
        words = [self._text(word) for word in words]
        sentence = [number, words, self._tree(gold), self._tree(parsed), *name]
        errors = [
            [kind, self._text(text), *rest, self._text(instead), part]
            for kind, text, *rest, instead, part in given.errors
        ]
        edits = given.edits
        if edits:
            steps, trees = edits
            edits = [
                [[self._text(text), *marks] for text, *marks in steps],
                # The first tree, then how much of it stays and what changes.
                [self._tree(tree) for tree in trees[:1]]
                + [[*tree[:2], *self._tree(tree[2:])] for tree in trees[1:]],
            ]
        return given._replace(sentence=sentence, errors=errors, edits=edits)

    def _text(self, number: int) -> int:
        return number if number < 0 else self.texts.of(self._texts[number])

    def _tree(self, packed: list[int]) -> list[int]:
        numbers: list[int] = []
        codes = iter(packed)
        for code in codes:
            if code < 0:
                numbers.append(code)
                continue
            label, construction, *rest = self._types[code >> 1]
            is_leaf = construction == _LEAF
            fixed = 2 if is_leaf else 1  # numbers, after which a link may stand
            links = map(self._text, rest[fixed:])
            named = construction if is_leaf else self._text(construction)
            kind = (self._text(label), named, *rest[:fixed], *links)
            numbers.append(2 * self.types.of(kind) + code % 2)
            if is_leaf and rest[1]:
                numbers.append(self._text(next(codes)))
        return numbers


def _details(comparison: Comparison) -> dict[tuple[int, int, str], tuple[str, int]]:
    """What the other side has instead, and what a lost bracket is lost to (`LOSSES`).

    By side, node and construction of errors in heads and spans; "" and -1 for none.
    """
    sides, names = (comparison.gold, comparison.parsed), comparison.constructions

    def key(side: int, row: int) -> tuple[int, int, str]:
        node, construction = sides[side].row[row], sides[side].construction[row]
        return side, int(node), names[int(construction)]

    details: dict[tuple[int, int, str], tuple[str, int]] = {}
    rows = [column.tolist() for column in confused_rows(comparison)]
    for side in (0, 1):
        for row, other in zip(rows[side], rows[1 - side], strict=True):
            if row >= 0:
                instead = NOTHING if other < 0 else key(1 - side, other)[2]
                details[key(side, row)] = instead, -1
    for row, part in zip(
        *(column.tolist() for column in lost_rows(comparison)), strict=True
    ):
        instead, _ = details.get(key(0, row), ("", -1))
        details[key(0, row)] = instead, part
    return details


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


def _by_sentence(errors: Iterable[Instance]) -> list[tuple[int, list[Instance]]]:
    groups: dict[int, list[Instance]] = {}
    for error in errors:
        groups.setdefault(error.sentence, []).append(error)
    return list(groups.items())
