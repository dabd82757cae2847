"""Different tokenisations of the same text: words by character offsets.

With characters in place of the numbers of words, the same joins compare trees over
different tokens (DESIGN, section 1). White space does not count, nor do characters of
words that either side deletes (punctuation): `end.` and `end` `.` end alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from analyzer.derivation.columns import Derivation
from analyzer.exceptions import PairingError, Place
from analyzer.model.arrays import Flags, Ints
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.words import Alignment, LeftOut, Reason
from analyzer.transform.label_tables import LabelTables, kept_leaves
from analyzer.transform.labels import default_labels

_SHOWN = 20  # characters around a difference
# One text may be escaped as the Penn Treebank does, the other not.
_ESCAPED = {
    **{"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{"},
    **{"-RCB-": "}", "``": '"', "''": '"', "“": '"', "”": '"', "’": "'", "‘": "'"},
}


@dataclass(frozen=True)
class Places:
    """Where each compared word of a run begins and ends; `room`: beyond every end."""

    start: Ints
    end: Ints
    room: int

    @staticmethod
    def of_words(count: int) -> Places:
        """Words that both sides number alike: a place is that number."""
        return Places(np.arange(count), np.arange(count) + 1, count + 2)

    @property
    def word(self) -> Ints:
        """One number for a word: two are the same if both their ends are."""
        return self.start * self.room + self.end


def aligned_by_characters(
    pair: SentencePair, tables: LabelTables
) -> tuple[Alignment, Places, Places]:
    """Trees over the same text, and where their words stand in it."""
    kept = [kept_leaves(bank, tables) for bank in (pair.gold, pair.parsed)]
    starts = [
        np.searchsorted(leaves, bank.leaf_start)
        for leaves, bank in zip(kept, (pair.gold, pair.parsed), strict=True)
    ]
    comparable = np.zeros(len(pair.gold), np.bool_)
    left_out: list[LeftOut] = []
    places: list[list[tuple[Ints, Ints]]] = [[], []]
    seen = 0
    for tree in range(len(pair.gold)):
        sides = [
            _Text(bank, tree, leaves[start[tree] : start[tree + 1]])
            for bank, leaves, start in zip(
                (pair.gold, pair.parsed), kept, starts, strict=True
            )
        ]
        why = _why_not(pair, tree, sides)
        if why is not None:
            left_out.append(why)
            continue
        comparable[tree] = True
        # A character counts if both sides keep the word that it is in.
        before = np.append(0, np.cumsum(sides[0].is_kept & sides[1].is_kept)) + seen
        for found, side in zip(places, sides, strict=True):
            found.append((before[side.start], before[side.end]))
        seen = int(before[-1])
    alignment = Alignment(kept[0], kept[1], starts[0], starts[1], comparable, left_out)
    left, right = _numbered(places)
    return alignment, left, right


class _Text:
    """The text of a tree, without white space, and its kept words."""

    def __init__(self, bank: Treebank, tree: int, kept: Ints) -> None:
        first, last = bank.leaf_start[tree : tree + 2].tolist()
        tags = (bank.label[bank.leaf_node[leaf]] for leaf in range(first, last))
        empty = default_labels().empty
        words = [
            "" if SYMBOLS.name(int(tag)) in empty else plain(bank.form(leaf))
            for leaf, tag in zip(range(first, last), tags, strict=True)
        ]
        self.text = "".join(words)
        end = np.cumsum([len(word) for word in words], dtype=np.int64)
        start = np.append(0, end[:-1]) if end.size else end
        self.start: Ints = start[kept - first]
        self.end: Ints = end[kept - first]
        self.is_kept: Flags = np.zeros(len(self.text), np.bool_)
        for left, right in zip(self.start.tolist(), self.end.tolist(), strict=True):
            self.is_kept[left:right] = True


def plain(word: str) -> str:
    """A word without escapes and white space.

    >>> plain("-LRB-"), plain("1\\\\/2")
    ('(', '1/2')
    """
    word = _ESCAPED.get(word, word).replace("\\/", "/").replace("\\*", "*")
    return "".join(word.split())


def _why_not(pair: SentencePair, tree: int, sides: list[_Text]) -> LeftOut | None:
    sentence = pair.first_sentence + tree
    for reason, bank in (
        (Reason.BAD_GOLD, pair.gold),
        (Reason.BAD_PARSE, pair.parsed),
    ):
        if tree in bank.problems:
            return LeftOut(sentence, reason, bank.problems[tree])
    one, other = (side.text for side in sides)
    reason, message = Reason.WORDS, ""
    if one != other:
        both = zip(one, other, strict=False)
        at = next(
            (at for at, (left, right) in enumerate(both) if left != right),
            min(len(one), len(other)),
        )
        shown = [repr(text[max(0, at - 5) : at + _SHOWN]) for text in (one, other)]
        message = f"the texts differ at character {at + 1}: {shown[0]}, {shown[1]}"
    elif not sides[0].start.size or not sides[1].start.size:
        reason, message = Reason.NOTHING_LEFT, "no words are left after deletion"
    if not message:
        return None
    bank = pair.parsed
    place = Place(bank.source, int(bank.line[tree]), None, sentence)
    return LeftOut(sentence, reason, PairingError(message, place))


def _numbered(places: list[list[tuple[Ints, Ints]]]) -> list[Places]:
    """Edges of words numbered through, those of both sides together.

    So that words have the same numbers as ever where both sides have the same words.
    """
    columns = [
        np.concatenate([np.zeros(0, np.int64), *(one[at] for one in found)])
        for found in places
        for at in (0, 1)
    ]
    edges = np.unique(np.concatenate(columns))
    start_a, end_a, start_b, end_b = (np.searchsorted(edges, c) for c in columns)
    room = edges.size + 1
    return [Places(start_a, end_a, room), Places(start_b, end_b, room)]


def by_characters(given: Derivation, places: Places) -> Derivation:
    """The derivation with places in the text for the numbers of words."""
    word = places.word

    def placed(words: Ints) -> Ints:
        # ROOT and NULL are no words, and stay what they are.
        return np.where(words >= 0, word[np.maximum(words, 0)], words)

    if not word.size:
        return given
    return replace(
        given,
        first=places.start[given.first],
        last=places.end[given.last - 1],
        head=placed(given.head),
        attachment=placed(given.attachment),
        governor=placed(given.governor),
    )
