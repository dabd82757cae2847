"""Different tokens or EDUs of the same text: where they stand, in characters.

With characters in place of the numbers of words, the same joins compare trees over
different tokens (DESIGN, section 1). White space does not count, nor do characters of
words that either side deletes (punctuation): `end.` and `end` `.` end alike.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import PairingError, Place
from analyzer.model.arrays import Flags, Ints
from analyzer.model.discourse import Documents
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import LeftOut, Reason
from analyzer.pairing.texts import plain_words
from analyzer.pairing.words import Alignment, CharSpans, Side, WordPlaces, nothing_left
from analyzer.transform.label_tables import LabelTables, kept_by_tree

_SHOWN = 20  # characters around a difference


class TextDifference(NamedTuple):
    """Where two texts begin to differ, and what stands there."""

    character: int  # from 1
    one: str
    other: str

    def error(self, *, gold: str, parsed: str) -> PairingError:
        """The error for texts that differ; `gold` and `parsed` are what to call them.

        >>> difference = first_difference("itrained", "itsnowed")
        >>> difference.error(gold="gold", parsed="predicted").message
        "the texts differ at character 3: gold 'itrained', predicted 'itsnowed'"
        """
        return PairingError(
            "E436 the texts differ at character",
            gold=gold,
            parsed=parsed,
            **self._asdict(),
        )


def first_difference(first: str, second: str) -> TextDifference | None:
    """Where two texts differ; None if nowhere."""
    if first == second:
        return None
    both = enumerate(zip(first, second, strict=False))
    at = next(
        (n for n, (left, right) in both if left != right), min(len(first), len(second))
    )
    shown = [text[max(0, at - 5) : at + _SHOWN] for text in (first, second)]
    return TextDifference(at + 1, *shown)


def edu_spans(gold: Documents, parsed: Documents) -> tuple[CharSpans, CharSpans]:
    """Where each EDU stands in the characters of all documents, white space left out.

    Documents that are compared have the same text, so they start at the same place.
    """
    sides = []
    for bank in (gold.bank, parsed.bank):
        leaves = range(bank.leaf_node.size)
        sizes = np.array([len("".join(bank.form(n).split())) for n in leaves], np.int64)
        ends = np.cumsum(sizes)
        sides.append((ends - sizes, ends))
    room = max(int(ends.max(initial=0)) for _, ends in sides) + 1
    (start, end), (other_start, other_end) = sides
    return CharSpans(start, end, room), CharSpans(other_start, other_end, room)


def with_word_places(alignment: Alignment) -> Alignment:
    """The alignment; its sides know that words stand where their numbers say."""
    places = WordPlaces(CharSpans.of_words(int(alignment.gold.sizes.sum())))
    gold, parsed = (
        replace(side, places=places) for side in (alignment.gold, alignment.parsed)
    )
    return replace(alignment, gold=gold, parsed=parsed)


def aligned_by_characters(pair: Pair, tables: LabelTables) -> Alignment:
    """Trees over the same text; its sides know where words stand in it."""
    banks = pair.gold, pair.parsed
    kept = [kept_by_tree(bank, tables) for bank in banks]
    comparable = np.zeros(len(pair.gold), np.bool_)
    left_out: list[LeftOut] = []
    places: list[list[tuple[Ints, Ints]]] = [[], []]
    seen = 0
    for tree in range(len(pair.gold)):
        sides = [
            _Text(bank, tree, leaves[starts[tree] : starts[tree + 1]])
            for bank, (leaves, starts) in zip(banks, kept, strict=True)
        ]
        why = _why_not(pair, tree, sides)
        if why is not None:
            left_out.append(why)
            continue
        comparable[tree] = True
        # A character counts if both sides keep the word that it is in.
        before = np.append(0, np.cumsum(sides[0].is_kept & sides[1].is_kept)) + seen
        for edges, side in zip(places, sides, strict=True):
            edges.append((before[side.start], before[side.end]))
        seen = int(before[-1])
    gold, parsed = (
        Side(bank, leaves, starts, comparable, is_gold, WordPlaces(spans))
        for bank, (leaves, starts), is_gold, spans in zip(
            banks, kept, (True, False), _numbered(places), strict=True
        )
    )
    return Alignment(gold, parsed, left_out, tables)


class _Text:
    """The text of a tree, without white space, and its kept words."""

    def __init__(self, bank: Treebank, tree: int, kept: Ints) -> None:
        first, last = bank.leaf_start[tree : tree + 2].tolist()
        words = plain_words(bank, slice(first, last))
        self.text = "".join(words)
        end = np.cumsum([len(word) for word in words], dtype=np.int64)
        start = np.append(0, end[:-1]) if end.size else end
        self.start: Ints = start[kept - first]
        self.end: Ints = end[kept - first]
        self.is_kept: Flags = np.zeros(len(self.text), np.bool_)
        for left, right in zip(self.start.tolist(), self.end.tolist(), strict=True):
            self.is_kept[left:right] = True


def _why_not(pair: Pair, tree: int, sides: list[_Text]) -> LeftOut | None:
    if tree in pair.known:
        return pair.known[tree]
    sentence = pair.number(tree)
    for reason, bank in ((Reason.BAD_GOLD, pair.gold), (Reason.BAD_PARSE, pair.parsed)):
        if tree in bank.problems:
            return LeftOut(sentence, reason, bank.problems[tree])
    bank = pair.parsed
    place = Place(bank.source, int(bank.line[tree]), None, sentence)
    gold_text, parsed_text = (side.text for side in sides)
    difference = first_difference(gold_text, parsed_text)
    if difference:
        error = PairingError(
            "E437 the texts differ at character", place, **difference._asdict()
        )
        return LeftOut(sentence, Reason.WORDS, error)
    if not sides[0].start.size or not sides[1].start.size:
        return LeftOut(sentence, Reason.NOTHING_LEFT, nothing_left(place))
    return None


def _numbered(places: list[list[tuple[Ints, Ints]]]) -> list[CharSpans]:
    """The edges of words as numbers: the same place has the same number on both sides.

    Where both sides have the same words, these are the usual numbers of words.
    """
    columns = [
        np.concatenate([np.zeros(0, np.int64), *(spans[at] for spans in side)])
        for side in places
        for at in (0, 1)
    ]
    edges = np.unique(np.concatenate(columns))
    start_a, end_a, start_b, end_b = (np.searchsorted(edges, c) for c in columns)
    room = edges.size + 1
    return [CharSpans(start_a, end_a, room), CharSpans(start_b, end_b, room)]
