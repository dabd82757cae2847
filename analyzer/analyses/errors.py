"""Single errors: which word, what gold has, what the parser has instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np

from analyzer.analyses.sentence_words import SentenceWords, sides_of
from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.columns import NULL, ROOT, Derivation
from analyzer.metrics.constructions import Comparison
from analyzer.metrics.join import Key, Matches, match
from analyzer.model.arrays import Flags, Ids, Ints
from analyzer.pairing.in_step import SentencePair


class Kind(Enum):
    """Kinds of error, as the scores count them."""

    HEAD_MISSED = "head-missed"  # gold has it, the parser has not: recall of F-h
    HEAD_SPURIOUS = "head-spurious"  # the parser has it, gold has not: precision
    SPAN = "span"  # same head and construction, another span
    SPAN_RIGHT = "span-right"  # the same, and the right edge differs
    ATTACHMENT = "attachment"  # the same head and construction, another governor
    FUNCTION = "function"  # the same bracket, other function tags
    WORD_FUNCTION = "word-function"  # the same word and tag, other function tags


# What is wrong with brackets; words have errors in function tags only.
OF_BRACKETS = tuple(kind for kind in Kind if kind is not Kind.WORD_FUNCTION)
NOTHING = "(nothing)"


class Projection(NamedTuple):
    """A construction as one side has it; for an error in a word's tags, the word."""

    construction: str  # of a word: its tag
    first: int  # words of the sentence, deleted ones left out, from 0
    last: int
    governor: str | None  # the word it attaches to, "ROOT", None for null
    governor_position: int | None
    row: int  # the node in the treebank
    functions: tuple[str, ...] | None = None  # of errors in these


class Instance(NamedTuple):
    """One error."""

    sentence: int
    kind: Kind
    word: str
    # Of the word, deleted ones left out, from 0: in gold's sentence, or in the parser's
    # where gold has no such construction.
    position: int
    gold: Projection | None
    parsed: Projection | None
    parsed_words: list[str] | None = None  # of the parse, if not gold's
    id: str = ""  # what the file calls the sentence

    def sides(self, words: list[str]) -> tuple[list[str], list[str]]:
        """The words of gold's sentence and of the parser's, given gold's."""
        return words, words if self.parsed_words is None else self.parsed_words


_EXACT: dict[Kind, Callable[[Comparison], Matches]] = {
    Kind.HEAD_MISSED: lambda comparison: comparison.by_span,
    Kind.HEAD_SPURIOUS: lambda comparison: comparison.by_span,
    Kind.SPAN: lambda comparison: comparison.by_span,
    Kind.SPAN_RIGHT: lambda comparison: comparison.by_last,
    Kind.ATTACHMENT: lambda comparison: comparison.by_attachment,
}


def error_rows(comparison: Comparison, kind: Kind) -> tuple[Ints, Ints]:
    """Rows of gold and of parsed that make up each error; -1 where there is none.

    Rows that agree exactly are paired first, then what is left by head and
    construction. So the errors of a kind are exactly as many as the scores say:
    matched_h minus matched_s for spans, gold minus matched_h for missed heads, ...
    """
    if kind in (Kind.FUNCTION, Kind.WORD_FUNCTION):
        return _wrong_functions(comparison, of_words=kind is Kind.WORD_FUNCTION)
    gold, parsed = comparison.gold, comparison.parsed
    exact = _EXACT[kind](comparison)
    left, right = np.flatnonzero(~exact.gold), np.flatnonzero(~exact.parsed)
    rest = match(
        [gold.head[left], gold.construction[left]],
        [parsed.head[right], parsed.construction[right]],
    )
    if kind is Kind.HEAD_MISSED:
        missed = left[~rest.gold]
        return missed, np.full(missed.size, -1)
    if kind is Kind.HEAD_SPURIOUS:
        spurious = right[~rest.parsed]
        return np.full(spurious.size, -1), spurious
    left, right = left[rest.gold], right[rest.partner[rest.gold]]
    if kind is Kind.ATTACHMENT:
        is_recursive = comparison.constructions.is_recursive
        counts = ~is_recursive[gold.construction[left]]
        left, right = left[counts], right[counts]
    return left, right


def _wrong_functions(comparison: Comparison, *, of_words: bool) -> tuple[Ints, Ints]:
    """Brackets that evalb matches and whose sets of function tags differ.

    Or words whose tags do not, by their numbers in the block.
    """
    if comparison.functions is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    found = comparison.functions
    pairs = (found.words if of_words else found.phrases).pairs
    return pairs.gold[~pairs.is_exact], pairs.parsed[~pairs.is_exact]


class _Located(NamedTuple):
    """The errors of one kind, in document order: rows as `error_rows` has them."""

    kind: Kind
    gold_row: Ints
    parsed_row: Ints
    tree: Ints
    position: Ints  # of the word, in its sentence


class ErrorsOfBlock:
    """The errors of a block, told one by one when they are asked for."""

    def __init__(self, pair: SentencePair, comparison: Comparison) -> None:
        self._pair, self._comparison = pair, comparison
        self._gold, self._parsed = comparison.told
        self.text, self._other = sides_of(pair, comparison)

    def first(
        self,
        kinds: Sequence[Kind],
        most: int | None,
        construction: str | None = None,
        trees: Flags | None = None,
    ) -> tuple[int, list[Instance]]:
        """How many errors there are, and the first ones in document order.

        Those of one construction, or of some trees, if these are given. Errors of one
        word are in the order of their kinds.
        """
        found = [self.located(kind, construction) for kind in kinds]
        if trees is not None:
            found = [_only(one, trees[one.tree]) for one in found]
        sizes = [one.tree.size for one in found]
        tree = np.concatenate([one.tree for one in found])
        position = np.concatenate([one.position for one in found])
        order = np.lexsort([position, tree])[:most]
        kind_of = np.repeat(np.arange(len(found)), sizes)[order]
        at = order - (np.cumsum(sizes) - sizes)[kind_of]
        both = zip(kind_of.tolist(), at.tolist(), strict=True)
        return tree.size, [self.instance(found[kind], row) for kind, row in both]

    def located(self, kind: Kind, construction: str | None = None) -> _Located:
        """Where the errors of a kind are."""
        gold, parsed, text, other = self._gold, self._parsed, self.text, self._other
        gold_row, parsed_row = error_rows(self._comparison, kind)
        if kind is Kind.WORD_FUNCTION:
            tree = text.trees_of(gold_row)
            words = _Located(
                kind, gold_row, parsed_row, tree, gold_row - text.offset[tree]
            )
            # Words have no construction.
            return _only(words, np.argsort(gold_row)[: 0 if construction else None])
        in_gold = gold_row >= 0
        heads = np.where(
            in_gold, _taken(gold.head, gold_row), _taken(parsed.head, parsed_row)
        )
        tree = np.where(in_gold, text.trees_of(heads), other.trees_of(heads))
        position = heads - np.where(in_gold, text.offset[tree], other.offset[tree])
        order = np.lexsort([heads, tree])
        if construction is not None:
            numbers = np.where(
                in_gold,
                _taken(gold.construction, gold_row),
                _taken(parsed.construction, parsed_row),
            )
            wanted = self._comparison.constructions.find(construction)
            order = order[numbers[order] == wanted]
        return _only(_Located(kind, gold_row, parsed_row, tree, position), order)

    def instance(self, found: _Located, at: int) -> Instance:
        """One of the errors."""
        pair, names = self._pair, self._comparison.constructions
        text, other = self.text, self._other
        tree, position = int(found.tree[at]), int(found.position[at])
        side = text if found.gold_row[at] >= 0 else other
        others = None if other is text else other.words(tree)
        if found.kind is Kind.WORD_FUNCTION:
            return self._word(found, at, others)
        of_gold = _projection(self._gold, int(found.gold_row[at]), names, text)
        of_parsed = _projection(self._parsed, int(found.parsed_row[at]), names, other)
        is_function = found.kind is Kind.FUNCTION
        block = self._comparison.functions if is_function else None
        if block and block.tags is not None and of_gold and of_parsed:
            labels = (
                pair.gold.label_name(of_gold.row),
                pair.parsed.label_name(of_parsed.row),
            )
            of_gold = of_gold._replace(functions=block.tags.parts(labels[0]).tags)
            of_parsed = of_parsed._replace(functions=block.tags.parts(labels[1]).tags)
        return Instance(
            pair.number(tree),
            found.kind,
            side.words(tree)[position],
            position,
            of_gold,
            of_parsed,
            None if others == text.words(tree) else others,
            pair.id_of(tree),
        )

    def _word(self, found: _Located, at: int, others: list[str] | None) -> Instance:
        """An error in the function tags of a word."""
        pair, tree = self._pair, int(found.tree[at])
        block, words = self._comparison.functions, self.text.words(tree)
        assert block is not None
        sides = []
        for bank, text, number in (
            (pair.gold, self.text, int(found.gold_row[at])),
            (pair.parsed, self._other, int(found.parsed_row[at])),
        ):
            position = number - int(text.offset[tree])
            leaf = text.leaf(tree, position)
            row = int(bank.leaf_node[leaf])
            bare, tags = block.tags.parts(bank.label_name(row), of_word=True)
            if bank.edges and bank.edges[leaf]:
                tags = tuple(sorted({*tags, bank.edges[leaf]}))
            sides.append(
                Projection(bare, position, position + 1, None, None, row, tags)
            )
        return Instance(
            pair.number(tree),
            found.kind,
            words[sides[0].first],
            sides[0].first,
            sides[0],
            sides[1],
            None if others == words else others,
            pair.id_of(tree),
        )


def _only(found: _Located, chosen: Flags | Ints) -> _Located:
    kind, *columns = found
    return _Located(kind, *(column[chosen] for column in columns))


def instances(
    pair: SentencePair,
    comparison: Comparison,
    kind: Kind,
    construction: str | None = None,
) -> Iterator[Instance]:
    """The errors of one kind, in document order."""
    errors = ErrorsOfBlock(pair, comparison)
    found = errors.located(kind, construction)
    return (errors.instance(found, at) for at in range(found.tree.size))


def confusions(comparison: Comparison) -> Counter[tuple[str, str]]:
    """Gold construction x what the parser projects for that word instead.

    What has no partner (see `confused_rows`) is set beside NOTHING.
    """
    sides = (comparison.gold.construction, comparison.parsed.construction)
    rows = confused_rows(comparison)
    names = [*comparison.constructions.listed, NOTHING]
    left, right = (
        np.where(of_side < 0, len(names) - 1, _taken(column, of_side))
        for column, of_side in zip(sides, rows, strict=True)
    )
    pairs, first, counts = np.unique(
        left * len(names) + right, return_index=True, return_counts=True
    )
    order = np.argsort(first)  # as they are met
    return Counter(
        {
            (names[pair // len(names)], names[pair % len(names)]): count
            for pair, count in zip(
                pairs[order].tolist(), counts[order].tolist(), strict=True
            )
        }
    )


def confused_rows(comparison: Comparison) -> tuple[Ints, Ints]:
    """Rows of gold and of parsed set beside each other; -1 where there is none.

    A missed construction is set beside a spurious one of the same word: first one
    with the same span, then any.
    """
    gold, parsed = comparison.gold, comparison.parsed
    missed, _ = error_rows(comparison, Kind.HEAD_MISSED)
    _, spurious = error_rows(comparison, Kind.HEAD_SPURIOUS)
    found: list[tuple[Ints, Ints]] = []
    for with_span in (True, False):
        left: Key = [gold.head[missed]]
        right: Key = [parsed.head[spurious]]
        if with_span:
            left += [gold.first[missed], gold.last[missed]]
            right += [parsed.first[spurious], parsed.last[spurious]]
        paired = match(left, right)
        found.append((missed[paired.gold], spurious[paired.partner[paired.gold]]))
        missed, spurious = missed[~paired.gold], spurious[~paired.parsed]
    found.append((missed, np.full(missed.size, -1)))
    found.append((np.full(spurious.size, -1), spurious))
    return (
        np.concatenate([rows for rows, _ in found]),
        np.concatenate([rows for _, rows in found]),
    )


def _taken(column: Ints | Ids, rows: Ints) -> Ints | Ids:
    return column[rows] if column.size else np.full(rows.size, -1)


def _projection(
    derivation: Derivation, row: int, names: ConstructionNames, text: SentenceWords
) -> Projection | None:
    if row < 0:
        return None
    tree = int(text.trees_of(derivation.head[row]))
    offset = int(text.offset[tree])
    governor = int(derivation.attachment[row])
    name, position = governor_name(governor, offset, text.words(tree))
    return Projection(
        names[int(derivation.construction[row])],
        int(derivation.first[row]) - offset,
        int(derivation.last[row]) - offset,
        name,
        position,
        int(derivation.row[row]),
    )


def governor_name(
    governor: int, offset: int, words: list[str]
) -> tuple[str | None, int | None]:
    """The word that an attachment is, and its position; ROOT, or None for null."""
    if governor == NULL:
        return None, None
    if governor == ROOT:
        return "ROOT", None
    return words[governor - offset], governor - offset
