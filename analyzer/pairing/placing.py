"""Words of both sides in the places of one text: see `pairing.mismatches`."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from analyzer.model.arrays import Flags, Ints
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.characters import CharSpans, plain
from analyzer.pairing.edits import Step, shortest_edit
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.ledger import Fate
from analyzer.pairing.words import Alignment
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.labels import default_labels


class WordPlaces(NamedTuple):
    """Where the words of one side stand, and which make their phrases doubtful."""

    spans: CharSpans
    is_doubtful: Flags


def set_apart(
    alignment: Alignment, gold: CharSpans, parsed: CharSpans
) -> tuple[Alignment, CharSpans, CharSpans]:
    """All trees to be compared, the words of those left out where no others are.

    So what the two sides have there counts, and nothing of it agrees.
    """
    was_compared = alignment.is_comparable
    room = max(gold.room, parsed.room)
    spans = []
    for given, starts in (
        (gold, alignment.gold_starts),
        (parsed, alignment.parsed_starts),
    ):
        is_placed = np.repeat(was_compared, np.diff(starts))
        start = np.empty(is_placed.size, np.int64)
        end = np.empty(is_placed.size, np.int64)
        apart = room + np.arange(np.count_nonzero(~is_placed))
        room += apart.size
        start[is_placed], end[is_placed] = given.start, given.end
        start[~is_placed], end[~is_placed] = apart, apart + 1
        spans.append((start, end))
    first, second = (CharSpans(start, end, room + 1) for start, end in spans)
    alignment = replace(
        alignment,
        is_comparable=np.ones_like(was_compared),
        left_out=[item._replace(fate=Fate.ZERO) for item in alignment.left_out],
        settled=alignment.left_out_trees,
    )
    return alignment, first, second


class _Words(NamedTuple):
    """The words of a tree that are aligned, and which of them are compared."""

    forms: list[str]
    is_kept: list[bool]

    def some(self, first: int, count: int) -> _Words:
        end = first + count
        return _Words(self.forms[first:end], self.is_kept[first:end])


class _Side:
    """Places of one side, for all its trees."""

    def __init__(self, starts: Ints, comparable: Flags) -> None:
        self.size = np.where(comparable, np.diff(starts), 0)
        self.first = np.cumsum(self.size) - self.size
        count = int(self.size.sum())
        self.start = np.zeros(count, np.int64)
        self.end = np.zeros(count, np.int64)
        self.is_doubtful = np.zeros(count, np.bool_)

    def places(self, room: int) -> WordPlaces:
        return WordPlaces(CharSpans(self.start, self.end, room), self.is_doubtful)


def places_of(
    pair: SentencePair,
    alignment: Alignment,
    tables: LabelTables,
    settled: dict[int, bool],
) -> tuple[WordPlaces, WordPlaces]:
    gold = _Side(alignment.gold_starts, alignment.is_comparable)
    parsed = _Side(alignment.parsed_starts, alignment.is_comparable)
    # Trees with equal words take as many places as they have words.
    room = np.maximum(gold.size, parsed.size)
    found = {}
    for tree, has_words in settled.items():
        words = _words(pair.gold, tree, tables)
        others = _words(pair.parsed, tree, tables) if has_words else _Words([], [])
        found[tree] = _Placed(words, others)
        room[tree] = found[tree].room
    base = np.cumsum(room) - room
    for side in (gold, parsed):
        within = np.arange(side.start.size) - np.repeat(side.first, side.size)
        side.start += np.repeat(base, side.size) + within
        side.end += side.start + 1
    for tree, placed in found.items():
        for side, words_placed in ((gold, placed.gold), (parsed, placed.parsed)):
            first = side.first[tree]
            for word, (start, end, is_doubtful) in enumerate(words_placed, first):
                side.start[word], side.end[word] = base[tree] + start, base[tree] + end
                side.is_doubtful[word] = is_doubtful
    total = int(room.sum()) + 1
    return gold.places(total), parsed.places(total)


def _words(bank: Treebank, tree: int, tables: LabelTables) -> _Words:
    """The words of a tree, those too that are not compared; but no traces."""
    first, last = bank.leaf_start[tree : tree + 2].tolist()
    tags = bank.label[bank.leaf_node[first:last]]
    is_kept = (~tables.deletes_word(tags)).tolist()
    empty = default_labels().empty
    chosen = [
        (plain(bank.form(leaf)), kept)
        for leaf, tag, kept in zip(range(first, last), tags, is_kept, strict=True)
        if kept or SYMBOLS.name(int(tag)) not in empty
    ]
    return _Words([form for form, _ in chosen], [kept for _, kept in chosen])


class _Placed:
    """The compared words of a pair of trees: start, end, whether doubtful."""

    def __init__(self, gold: _Words, parsed: _Words) -> None:
        self.room = 0
        self.gold: list[tuple[int, int, bool]] = []
        self.parsed: list[tuple[int, int, bool]] = []
        last_aligned = -1  # word of the parse
        is_gap = False  # since then, a word of gold was missing
        at, beside = 0, 0
        for step in shortest_edit(
            gold.forms,
            parsed.forms,
            gold_kinds=gold.is_kept,
            parsed_kinds=parsed.is_kept,
        ):
            words = gold.some(at, step.gold)
            others = parsed.some(beside, step.parsed)
            at, beside = at + step.gold, beside + step.parsed
            first = len(self.parsed)
            self._place(step, words, others)
            if not step.parsed and any(words.is_kept):
                is_gap = True
                self._doubt(last_aligned)
            elif step.gold and len(self.parsed) > first:
                if is_gap:
                    self._doubt(first)
                is_gap, last_aligned = False, len(self.parsed) - 1

    def _place(self, step: Step, gold: _Words, parsed: _Words) -> None:
        if step.is_equal:
            # As `aligned_by_characters`: a character counts if both keep its word.
            both = [
                left and right
                for left, right in zip(
                    _by_character(gold), _by_character(parsed), strict=True
                )
            ]
            edge = np.append(0, np.cumsum(both, dtype=np.int64)) + self.room
            self.room = int(edge[-1])
            for found, words in ((self.gold, gold), (self.parsed, parsed)):
                end = 0
                for form, is_kept in zip(*words, strict=True):
                    start, end = end, end + len(form)
                    if is_kept:
                        found.append((int(edge[start]), int(edge[end]), False))
            return
        # One word, or two of which both are compared or neither is.
        if any(gold.is_kept) or any(parsed.is_kept):
            place = (self.room, self.room + 1, step.gold != step.parsed)
            self.gold += [place] * step.gold
            self.parsed += [place] * step.parsed
            self.room += 1

    def _doubt(self, word: int) -> None:
        """Doubt a word of the parse, if there is one."""
        if word >= 0:
            self.parsed[word] = (*self.parsed[word][:2], True)


def _by_character(words: _Words) -> list[bool]:
    """For each character whether its word is compared."""
    return [kept for form, kept in zip(*words, strict=True) for _ in form]
