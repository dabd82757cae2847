"""Gold beside parsed: read in step, in blocks of equally many trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np

from analyzer.errors import (
    SettingsError,
)
from analyzer.layout import Layout
from analyzer.reading import FirstLook, Progress, TreeReader, is_text
from analyzer.sources import STDIN, from_text
from analyzer.treebank import Treebank


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


def _next_block(blocks: Iterator[Treebank]) -> Treebank | None:
    return next((bank for bank in blocks if len(bank)), None)


def _trees_left(rest: Treebank | None, blocks: Iterator[Treebank]) -> int:
    """How many trees remain; empty ones at the very end do not count."""
    remaining = chain([rest] if rest is not None else [], blocks)
    return sum(
        int(np.count_nonzero(np.diff(bank.node_start))) + len(bank.problems)
        for bank in remaining
    )
