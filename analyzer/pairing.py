"""Gold beside parsed: read together, and told which sentences can be compared.

Two sentences can be compared when the same words are left in both after the
tags that the parameters name are deleted. As evalb does, a pair whose numbers of
words differ gets a second chance: quotes that one side deleted because of
their tag, and the other did not, are put back (QUOTE_LABEL).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain
from typing import NamedTuple

import numpy as np

from analyzer.errors import (
    AnalyzerError,
    PairingError,
    Place,
    SettingsError,
    TreeSyntaxError,
)
from analyzer.layout import Layout
from analyzer.normalising import LabelTables, kept_leaves
from analyzer.reading import FirstLook, Progress, TreeReader, is_text
from analyzer.sources import STDIN, from_text
from analyzer.symbols import Flags, Ints
from analyzer.treebank import Treebank

_QUOTE_WORDS = ("'", '"', "/")


class Reason(Enum):
    """Why a pair of trees cannot be compared. evalb skips the first two."""

    FAILED = "failed parse"
    NOTHING_LEFT = "no words left after deletion"
    LENGTH = "length mismatch"
    WORDS = "word mismatch"
    BAD_GOLD = "malformed gold"
    BAD_PARSE = "malformed parse"

    @property
    def is_skip(self) -> bool:
        return self in (Reason.FAILED, Reason.NOTHING_LEFT)


MALFORMED = (Reason.BAD_GOLD, Reason.BAD_PARSE)


class LeftOut(NamedTuple):
    """A sentence that is not compared, and why."""

    sentence: int
    reason: Reason
    error: AnalyzerError


class SentencePair(NamedTuple):
    """A run of gold trees and the parsed trees beside them."""

    gold: Treebank
    parsed: Treebank
    first_sentence: int


class Surplus(NamedTuple):
    """Sentences that one file has and the other has not."""

    in_gold: int
    in_parsed: int


class PairReader:
    """Reads gold and parsed side by side, in blocks of equally many trees."""

    def __init__(self, gold: TreeReader, parsed: TreeReader) -> None:
        self._gold = gold
        self._parsed = parsed
        self.surplus = Surplus(0, 0)
        gold.keep_blank_lines, parsed.keep_blank_lines = blank_line_policies(
            gold.first_look(), parsed.first_look()
        )

    def pairs(self) -> Iterator[SentencePair]:
        gold, parsed = self._gold.blocks(), self._parsed.blocks()
        left: Treebank | None = None
        right: Treebank | None = None
        sentence = 1
        while True:
            left = left if left is not None and len(left) else _next_block(gold)
            right = right if right is not None and len(right) else _next_block(parsed)
            if left is None or right is None:
                break
            count = min(len(left), len(right))
            yield SentencePair(left[:count], right[:count], sentence)
            sentence += count
            left, right = left[count:], right[count:]
        self.surplus = Surplus(_trees_left(left, gold), _trees_left(right, parsed))


def open_pairs(
    gold: str | Treebank,
    parsed: str | Treebank,
    *,
    strict: bool = False,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> tuple[Iterator[SentencePair], Callable[[], Surplus]]:
    """Gold and parsed in step; and, once read, what one has more than the other."""
    if isinstance(gold, Treebank) and isinstance(parsed, Treebank):
        count = min(len(gold), len(parsed))
        surplus = Surplus(len(gold) - count, len(parsed) - count)
        return iter([SentencePair(gold[:count], parsed[:count], 1)]), lambda: surplus

    if gold == parsed == STDIN:
        raise SettingsError("standard input ('-') can be gold or parsed, not both")

    def reader(given: str | Treebank) -> TreeReader:
        if isinstance(given, Treebank):
            text = "\n".join(str(tree) for tree in given) + "\n"
            found = TreeReader.of_stream(from_text(text), given.source)
        elif is_text(given):
            found = TreeReader.of_stream(from_text(given))
        else:
            found = TreeReader(given, encoding=encoding, progress=progress)
        found.strict = strict
        return found

    pair_reader = PairReader(reader(gold), reader(parsed))
    return pair_reader.pairs(), lambda: pair_reader.surplus


def blank_line_policies(gold: FirstLook, parsed: FirstLook) -> tuple[bool, bool]:
    """Whether blank lines of gold and of parsed stand for a sentence.

    To evalb they do: a blank line is a parse that failed. But files exist whose
    blank lines only separate trees. If both files are small enough to count,
    the reading under which they are equally long is taken, evalb's first.
    """
    if (
        gold.is_whole
        and parsed.is_whole
        and Layout.LINES
        in (
            gold.layout,
            parsed.layout,
        )
    ):
        for keep_gold, keep_parsed in (
            (True, True),
            (False, True),
            (True, False),
            (False, False),
        ):
            gold_count = gold.trees + keep_gold * gold.blank_lines
            parsed_count = parsed.trees + keep_parsed * parsed.blank_lines
            if gold_count == parsed_count:
                return keep_gold, keep_parsed
    return not gold.blanks_separate, not parsed.blanks_separate


@dataclass(frozen=True)
class Alignment:
    """Which words of gold and parsed correspond, for a run of pairs.

    `gold_leaves` and `parsed_leaves` are the leaves that are compared, in order
    (a leaf may stand twice: see `_put_back_quotes`); the `…_starts` say where
    each tree's begin.
    """

    gold_leaves: Ints
    parsed_leaves: Ints
    gold_starts: Ints
    parsed_starts: Ints
    is_comparable: Flags
    left_out: list[LeftOut]


def align(pair: SentencePair, tables: LabelTables) -> Alignment:
    """Compare the words of each pair of trees."""
    gold, parsed = pair.gold, pair.parsed
    tables.refresh()
    gold_leaves, parsed_leaves = kept_leaves(gold, tables), kept_leaves(parsed, tables)
    gold_starts = np.searchsorted(gold_leaves, gold.leaf_start)
    parsed_starts = np.searchsorted(parsed_leaves, parsed.leaf_start)
    gold_count, parsed_count = np.diff(gold_starts), np.diff(parsed_starts)

    has_words = parsed_count > 0
    unequal = has_words & (gold_count != parsed_count)
    if tables.parameters.quotes and unequal.any():
        gold_pieces = np.split(gold_leaves, gold_starts[1:-1])
        parsed_pieces = np.split(parsed_leaves, parsed_starts[1:-1])
        for tree in np.flatnonzero(unequal).tolist():
            gold_pieces[tree], parsed_pieces[tree] = _put_back_quotes(
                pair, tree, tables
            )
        gold_leaves, gold_starts = _from_pieces(gold_pieces)
        parsed_leaves, parsed_starts = _from_pieces(parsed_pieces)
        gold_count, parsed_count = np.diff(gold_starts), np.diff(parsed_starts)

    is_comparable = has_words & (gold_count == parsed_count)
    for tree in (*gold.problems, *parsed.problems):
        is_comparable[tree] = False
    in_gold = np.repeat(is_comparable, gold_count)
    in_parsed = np.repeat(is_comparable, parsed_count)
    differs = words_differ(gold, gold_leaves[in_gold], parsed, parsed_leaves[in_parsed])
    wrong = np.flatnonzero(differs & tables.compares_words)
    if wrong.size and tables.parameters.equal_words:
        equal = {frozenset(words) for words in tables.parameters.equal_words}
        wrong = np.array(
            [
                word
                for word in wrong.tolist()
                if frozenset(
                    (
                        gold.form(gold_leaves[in_gold][word]),
                        parsed.form(parsed_leaves[in_parsed][word]),
                    )
                )
                not in equal
            ],
            np.int64,
        )
    if wrong.size:
        tree_of_word = np.repeat(np.arange(len(gold)), gold_count)[in_gold]
        is_comparable[tree_of_word[wrong]] = False

    alignment = Alignment(
        gold_leaves, parsed_leaves, gold_starts, parsed_starts, is_comparable, []
    )
    for tree in np.flatnonzero(~is_comparable).tolist():
        alignment.left_out.append(_why_left_out(pair, tree, alignment, tables))
    return alignment


def words_differ(
    gold: Treebank, gold_leaves: Ints, parsed: Treebank, parsed_leaves: Ints
) -> Flags:
    """For each pair of leaves, whether their words differ, byte by byte."""
    gold_start, parsed_start = (
        gold.form_start[gold_leaves],
        parsed.form_start[parsed_leaves],
    )
    length = gold.form_end[gold_leaves] - gold_start
    differs: Flags = length != parsed.form_end[parsed_leaves] - parsed_start
    length = np.where(differs, 0, length)
    # The bytes of all words end to end: byte n of a word is at its start plus n.
    end = np.cumsum(length)
    within = np.arange(int(end[-1]) if end.size else 0) - np.repeat(
        end - length, length
    )
    gold_text = np.frombuffer(gold.text, np.uint8)
    parsed_text = np.frombuffer(parsed.text, np.uint8)
    unequal = (
        gold_text[np.repeat(gold_start, length) + within]
        != parsed_text[np.repeat(parsed_start, length) + within]
    )
    if unequal.any():
        word_of_byte = np.repeat(np.arange(length.size), length)
        differs[word_of_byte[unequal]] = True
    return differs


def _next_block(blocks: Iterator[Treebank]) -> Treebank | None:
    return next((bank for bank in blocks if len(bank)), None)


def _trees_left(rest: Treebank | None, blocks: Iterator[Treebank]) -> int:
    """How many trees remain; empty ones at the very end do not count."""
    remaining = chain([rest] if rest is not None else [], blocks)
    return sum(
        int(np.count_nonzero(np.diff(bank.node_start))) + len(bank.problems)
        for bank in remaining
    )


def _from_pieces(pieces: list[Ints]) -> tuple[Ints, Ints]:
    starts = np.concatenate([[0], np.cumsum([piece.size for piece in pieces])])
    return np.concatenate(pieces), starts.astype(np.int64)


@dataclass
class _Quote:
    leaf: int
    label: int
    index: int  # number of kept words before it, as evalb keeps count
    is_deleted: bool


def _quotes(
    bank: Treebank, tree: int, tables: LabelTables
) -> tuple[list[int], list[_Quote]]:
    """A tree's kept leaves, and its tokens that may be quotes."""
    kept: list[int] = []
    quotes: list[_Quote] = []
    for leaf in range(int(bank.leaf_start[tree]), int(bank.leaf_start[tree + 1])):
        label = int(bank.label[bank.leaf_node[leaf]])
        is_deleted = bool(tables.deletes_word[label])
        if tables.may_be_quote[label] and bank.form(leaf) in _QUOTE_WORDS:
            quotes.append(_Quote(leaf, label, len(kept), is_deleted))
        if not is_deleted:
            kept.append(leaf)
    return kept, quotes


def _put_back_quotes(
    pair: SentencePair, tree: int, tables: LabelTables
) -> tuple[Ints, Ints]:
    """evalb's second chance for a pair of unequal lengths, step by step.

    The bookkeeping is evalb's own, including that a quote which is put back also
    moves its own index, so that two quotes in a row can put one back twice.
    """
    gold_kept, gold_quotes = _quotes(pair.gold, tree, tables)
    parsed_kept, parsed_quotes = _quotes(pair.parsed, tree, tables)
    for at_parsed, parsed_quote in enumerate(parsed_quotes):
        index = parsed_quote.index
        for at_gold, gold_quote in enumerate(gold_quotes):
            if gold_quote.index != index or gold_quote.label == parsed_quote.label:
                continue
            if gold_quote.is_deleted and not parsed_quote.is_deleted:
                gold_kept.insert(gold_quote.index, gold_quote.leaf)
                for quote in gold_quotes[at_gold:]:
                    quote.index += 1
            elif parsed_quote.is_deleted and not gold_quote.is_deleted:
                parsed_kept.insert(parsed_quote.index, parsed_quote.leaf)
                for quote in parsed_quotes[at_parsed:]:
                    quote.index += 1
    return np.array(gold_kept, np.int64), np.array(parsed_kept, np.int64)


def _why_left_out(
    pair: SentencePair, tree: int, alignment: Alignment, tables: LabelTables
) -> LeftOut:
    sentence = pair.first_sentence + tree
    gold, parsed = pair.gold, pair.parsed

    def left_out(reason: Reason, message: str) -> LeftOut:
        place = Place(parsed.source, int(parsed.line[tree]), None, sentence)
        return LeftOut(sentence, reason, PairingError(message, place))

    for reason, bank in ((Reason.BAD_GOLD, gold), (Reason.BAD_PARSE, parsed)):
        if tree in bank.problems:
            problem = bank.problems[tree]
            place = replace(problem.place or Place(bank.source), sentence=sentence)
            error = TreeSyntaxError(problem.message, place, problem.excerpt)
            return LeftOut(sentence, reason, error)
    gold_leaves = alignment.gold_leaves[
        alignment.gold_starts[tree] : alignment.gold_starts[tree + 1]
    ]
    parsed_leaves = alignment.parsed_leaves[
        alignment.parsed_starts[tree] : alignment.parsed_starts[tree + 1]
    ]
    if parsed_leaves.size == 0:
        if parsed.leaf_start[tree] == parsed.leaf_start[tree + 1]:
            return left_out(Reason.FAILED, "failed parse: the tree has no words")
        return left_out(Reason.NOTHING_LEFT, "no words are left after deletion")
    gold_words = [gold.form(leaf) for leaf in gold_leaves.tolist()]
    parsed_words = [parsed.form(leaf) for leaf in parsed_leaves.tolist()]
    at, detail = _first_difference(gold_words, parsed_words, tables)
    if len(gold_words) != len(parsed_words):
        message = (
            f"lengths differ: gold has {len(gold_words)} words to compare, parsed "
            f"{len(parsed_words)}; first difference at word {at}: {detail}"
        )
        return left_out(Reason.LENGTH, message)
    return left_out(Reason.WORDS, f"word {at} differs: {detail}")


def _first_difference(
    gold: list[str], parsed: list[str], tables: LabelTables
) -> tuple[int, str]:
    equal = {frozenset(words) for words in tables.parameters.equal_words}
    for at, (left, right) in enumerate(zip(gold, parsed, strict=False), start=1):
        if left != right and frozenset((left, right)) not in equal:
            return at, f"gold {left!r}, parsed {right!r}"
    shorter = min(len(gold), len(parsed))
    left = repr(gold[shorter]) if len(gold) > shorter else "nothing"
    right = repr(parsed[shorter]) if len(parsed) > shorter else "nothing"
    return shorter + 1, f"gold {left}, parsed {right}"
