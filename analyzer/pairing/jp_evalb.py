"""Sentences and words as jp-evalb aligns them (Jo, Park and Park 2024).

jp-evalb compares trees over other sentences and other tokens, by the numbers of groups
of words. These rules are its own, so that its numbers can be had. Where one side ends
before the other its program fails; here a group that has begun takes what is left, and
whole sentences that are left have no partner.

* Two sentences go together if their texts are the same, in lower case and without
  spaces; or if the edit distance is at most 0.15 of gold's length and the next two
  sentences go together as well, or there are no more.
* Of other sentences a group is made. Until the next two sentences go together, the side
  grows whose last sentence is the shorter one; if both are as long, the group ends.
* In such a group, words are aligned in the same way: two words that are the same but
  for case go together; of others a group is made until the next two are the same, and
  the side grows that has more characters left; if both have equally many, it ends. The
  last words of a side go with all that is left of the other.
* Brackets that are equal match once, however often both sides have them, but all of
  them count.

docs/characters.md says how this differs from `characters`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import LeafPlaces
from analyzer.pairing.one_text import Placed

_MOST_EDITS = 15  # percent of the length of gold's text
# How words are spelled out before texts are compared.
_SPELLED = {"''": '"', "`": "'", "``": '"', "ca": "can", "wo": "will", "n't": "not"}


class Group(NamedTuple):
    """Sentences, or words, from here up to there, half-open; of gold and of parsed."""

    gold: range
    parsed: range


class _Sentences:
    """The sentences of one side that have words."""

    def __init__(self, bank: Treebank) -> None:
        sizes = np.diff(bank.leaf_start)
        self.trees = np.flatnonzero(sizes > 0).tolist()
        self.words = [
            [word.lower() for word in bank.forms(slice(*bank.leaf_start[n : n + 2]))]
            for n in self.trees
        ]
        self.texts = [
            "".join(_SPELLED.get(w, w) for w in words) for words in self.words
        ]
        self.lengths = [len(" ".join(words)) for words in self.words]


def placed_as_jp_evalb(gold: Treebank, parsed: Treebank) -> Placed:
    """The words of both sides by the numbers of their groups."""
    sides = _Sentences(gold), _Sentences(parsed)
    sentence, reach = np.full((2, len(parsed)), -1)
    has_partner = np.zeros(len(gold), np.bool_)
    places: tuple[list[int], list[int]] = [], []
    room = 0
    for group in sentence_groups(*sides):
        first, last = (sides[0].trees[group.gold[at]] for at in (0, -1))
        has_partner[[sides[0].trees[tree] for tree in group.gold]] = True
        for tree in group.parsed:
            sentence[sides[1].trees[tree]], reach[sides[1].trees[tree]] = first, last
        words = [
            [word for tree in some for word in side.words[tree]]
            for side, some in zip(sides, group, strict=True)
        ]
        for number, of_words in enumerate(word_groups(words[0], words[1]), room):
            for numbers, some in zip(places, of_words, strict=True):
                numbers += [number] * len(some)
        room = 1 + max(side[-1] for side in places)
    in_gold, in_parsed = (
        LeafPlaces(start, start + 1, np.zeros(start.size, np.bool_))
        for start in (
            # What is left of a side, whose other has ended, agrees with nothing.
            np.array(numbers + [room] * (bank.leaf_node.size - len(numbers)), np.int64)
            for numbers, bank in zip(places, (gold, parsed), strict=True)
        )
    )
    return Placed(in_gold, in_parsed, sentence, reach, has_partner, {})


def sentence_groups(gold: _Sentences, parsed: _Sentences) -> Iterator[Group]:
    """Sentences that go together: one and one, or those of a group."""
    ends = len(gold.texts), len(parsed.texts)
    at, beside = 0, 0
    while at < ends[0] and beside < ends[1]:
        end, other_end = at + 1, beside + 1
        if not _go_together(gold.texts, parsed.texts, at, beside):
            while not _go_together(gold.texts, parsed.texts, end, other_end):
                longer = gold.lengths[end - 1] - parsed.lengths[other_end - 1]
                if end == ends[0] or other_end == ends[1]:
                    end, other_end = ends
                elif longer < 0:
                    end += 1
                elif longer > 0:
                    other_end += 1
                else:
                    break
        yield Group(range(at, end), range(beside, other_end))
        at, beside = end, other_end


def _go_together(
    gold: Sequence[str], parsed: Sequence[str], at: int, beside: int
) -> bool:
    while at < len(gold) and beside < len(parsed):
        gold_text, parsed_text = gold[at], parsed[beside]
        if gold_text == parsed_text:
            return True
        if not _is_near(gold_text, parsed_text, len(gold_text) * _MOST_EDITS // 100):
            return False
        at, beside = at + 1, beside + 1
    return at == len(gold) and beside == len(parsed)


def _is_near(text: str, other: str, most: int) -> bool:
    """Whether so many edits of characters, or fewer, turn a text into the other."""
    if abs(len(text) - len(other)) > most:
        return False
    costs = list(range(len(other) + 1))
    for row, character in enumerate(text, start=1):
        diagonal, costs[0] = costs[0], row
        # Further from the diagonal than this, there are more edits than allowed.
        first, last = max(1, row - most), min(len(other), row + most)
        if first > 1:
            diagonal, costs[first - 1] = costs[first - 1], most + 1
        for column in range(first, last + 1):
            kept = diagonal + (character != other[column - 1])
            diagonal = costs[column]
            costs[column] = min(kept, diagonal + 1, costs[column - 1] + 1)
        if last < len(other):
            costs[last + 1] = most + 1
        if min(costs[first - 1 : last + 1]) > most:
            return False
    return costs[-1] <= most


def word_groups(gold: Sequence[str], parsed: Sequence[str]) -> Iterator[Group]:
    """Words that go together: one and one, or those of a group; all words are in one.

    >>> groups = word_groups(["can", "not", "go"], ["cannot", "go"])
    >>> [(len(group.gold), len(group.parsed)) for group in groups]
    [(2, 1), (1, 1)]
    """
    ends = len(gold), len(parsed)
    # Per word, and at the end: how many characters there are from it on.
    left, other_left = (
        [*accumulate((len(word) for word in reversed(words)), initial=0)][::-1]
        for words in (gold, parsed)
    )
    at, beside = 0, 0
    while at < ends[0] and beside < ends[1]:
        end, other_end = at + 1, beside + 1
        is_group = gold[at] != parsed[beside]
        while is_group and end < ends[0] and other_end < ends[1]:
            longer = left[end] - other_left[other_end]
            if gold[end] == parsed[other_end] or not longer:
                break
            end, other_end = end + (longer > 0), other_end + (longer < 0)
        if end == ends[0] or other_end == ends[1]:
            end, other_end = ends
        yield Group(range(at, end), range(beside, other_end))
        at, beside = end, other_end
