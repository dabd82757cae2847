"""One text, in other sentences and other tokens: where its words stand.

The texts of both sides are laid beside each other from their beginning to their end
(`differences`), whatever their sentences and tokens; white space, escapes and case do
not count. So each word has a place in a text that has the characters of both sides, and
the same joins compare trees by these places (`placed`).

A pair is still of gold's sentences. The parsed trees that begin in a sentence of gold
stand beside it, none or several; their brackets match gold's of other sentences as
well. So it does not matter where the parsed side ends its sentences: every other
bracket is where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import PairingError, Place
from analyzer.formats.reading import Pairing
from analyzer.model.arrays import Flags, Ints, any_between, flags_at
from analyzer.model.discourse import Documents
from analyzer.model.treebank import Treebank
from analyzer.pairing.characters import TextDifference
from analyzer.pairing.in_step import LeafPlaces, Pair
from analyzer.pairing.ledger import Fate, Ledger, LeftOut, Reason
from analyzer.pairing.same_text import without_partner
from analyzer.pairing.texts import plain_words
from analyzer.pairing.words import Alignment, CharSpans, Side, WordPlaces, nothing_left
from analyzer.transform.label_tables import LabelTables, kept_by_tree
from analyzer.transform.pruning import some_trees

# Texts that differ agree again where so many characters are the same: first in all of
# what is left of them, then, if little is between two such places, in that.
_AGAIN, _AGAIN_NEARBY, _NEARBY = 12, 6, 100
_WINDOW = 64  # characters that are searched at first
_END = "\ud800"  # stands after both texts, and in no text that was decoded
_BLOCK = 500  # sentences
_SHOWN = 20  # characters after a difference


# -- two texts beside each other -------------------------------------------------------


class Difference(NamedTuple):
    """What one text has in place of some of the other, half-open; one can be empty."""

    start: int
    end: int
    other_start: int
    other_end: int

    @property
    def is_change(self) -> bool:
        """Whether both texts have something there."""
        return self.start < self.end and self.other_start < self.other_end


def differences(text: str, other: str, again: int = _AGAIN) -> list[Difference]:
    """Where two texts differ; between these places they are the same.

    A difference ends at the nearest place from which `again` characters are the same.

    >>> differences("one text and more of it", "one test or more of it")
    [Difference(start=6, end=12, other_start=6, other_end=11)]
    """
    text, other = text + _END * again, other + _END * again
    passages: list[Difference] = []
    at, beside = 0, 0
    while (same := _common(text, other, at, beside)) < len(text) - at:
        at, beside = at + same, beside + same
        skipped, more = _resumed(text, other, at, beside, again)
        passages.append(Difference(at, at + skipped, beside, beside + more))
        at, beside = at + skipped, beside + more
    if again == _AGAIN_NEARBY:
        return passages
    return [finer for it in passages for finer in _refined(it, text, other)]


def _refined(given: Difference, text: str, other: str) -> list[Difference]:
    """A short difference as those that it consists of."""
    start, end, other_start, other_end = given
    if not given.is_change or max(end - start, other_end - other_start) > _NEARBY:
        return [given]
    texts = text[start:end], other[other_start:other_end]
    return [
        Difference(left + start, right + start, low + other_start, high + other_start)
        for left, right, low, high in differences(*texts, _AGAIN_NEARBY)
    ]


def _common(text: str, other: str, at: int, beside: int) -> int:
    """How many characters are the same from two places on."""
    size, most = 0, min(len(text) - at, len(other) - beside)
    step = _WINDOW
    while size < most and step:
        step = min(step, most - size)
        left, right = at + size, beside + size
        if text[left : left + step] == other[right : right + step]:
            size, step = size + step, 2 * step
        else:
            step //= 2
    return size


def _resumed(
    text: str, other: str, at: int, beside: int, again: int
) -> tuple[int, int]:
    """How many characters have to be skipped in both, so that the next are the same.

    At the end they are, so there is such a place.
    """
    window = _WINDOW
    while True:
        first: dict[str, int] = {}
        for skipped in range(min(window, len(text) - at - again + 1)):
            gram = text[at + skipped : at + skipped + again]
            first.setdefault(gram, skipped)
        skips = [
            (first[gram] + more, more)
            for more in range(min(window, len(other) - beside - again + 1))
            if (gram := other[beside + more : beside + more + again]) in first
        ]
        # What begins outside of the window skips more than that.
        if skips and (min(skips)[0] < window or window > len(text) + len(other)):
            together, more = min(skips)
            return together - more, more
        window *= 2


# -- words in the places of both texts -------------------------------------------------


class _Text:
    """The text of a treebank, in which its words stand between edges."""

    def __init__(self, bank: Treebank) -> None:
        given = plain_words(bank)
        words = [word.lower() for word in given]
        self.text, self.shown = "".join(words), "".join(given)
        if len(self.text) != len(self.shown):  # of few letters, as that of İ
            self.shown = self.text
        self.edge: Ints = np.cumsum([0, *map(len, words)])
        self.tree_edge: Ints = self.edge[bank.leaf_start]

    def trees_of(self, characters: Ints) -> Ints:
        """The trees that characters are in."""
        trees: Ints = np.searchsorted(self.tree_edge, characters, side="right") - 1
        return trees

    def is_within_word(self, character: int) -> bool:
        """Whether a word goes on there that began before."""
        return bool(self.edge[np.searchsorted(self.edge, character)] != character)


class Placed(NamedTuple):
    """All words of two sides by their places, and what stands beside each sentence."""

    gold: LeafPlaces
    parsed: LeafPlaces
    sentence: Ints  # of each parsed tree: gold's that it begins in; -1: in none
    reach: Ints  # gold's that it ends in
    has_partner: Flags  # per sentence of gold: whether parsed has any of it
    differing: Mapping[int, TextDifference]  # sentences whose texts differ


def placed(gold_bank: Treebank, parsed_bank: Treebank) -> Placed:
    """The words of both sides in a text that has all characters of both.

    A difference takes as many places as it has characters. What stands in it agrees
    with nothing; but if both sides have something there, it begins and ends at the same
    places.
    """
    gold, parsed = _Text(gold_bank), _Text(parsed_bank)
    passages = [
        _widened(_moved(it, gold, parsed), gold, parsed)
        for it in differences(gold.text, parsed.text)
    ]
    start, end, other_start, other_end = np.array(passages, np.int64).reshape(-1, 4).T
    size, others = end - start, other_end - other_start
    before = _Characters.of(len(gold.text), start, end, others, is_first=True)
    after = _Characters.of(
        len(parsed.text), other_start, other_end, size, is_first=False
    )
    # Characters that agree have the same place: so it is known where parsed ones are.
    agreeing = np.flatnonzero(after.agrees)
    sentence = gold.trees_of(np.searchsorted(before.begin, after.begin[agreeing]))
    bounds = np.searchsorted(agreeing, parsed.tree_edge)
    has_any = np.diff(bounds) > 0
    padded = np.append(sentence, -1)
    first = np.where(has_any, padded[bounds[:-1]], -1)
    has_partner = np.diff(np.append(0, np.cumsum(before.agrees))[gold.tree_edge]) > 0
    has_partner |= np.diff(gold.tree_edge) == 0  # what says nothing lacks nothing
    for tree in gold_bank.problems:
        has_partner[tree] = False
    return Placed(
        before.of_words(gold.edge),
        after.of_words(parsed.edge),
        first,
        np.where(has_any, padded[bounds[1:] - 1], -1),
        has_partner,
        _differing(gold, parsed, passages, has_partner, first),
    )


def _moved(given: Difference, gold: _Text, parsed: _Text) -> Difference:
    """What one side adds, where it fits best to the words of both.

    `cat sat` and `cats sat`: it is the first s that is added, not the second one.
    """
    start, end, other_start, other_end = best = given
    if given.is_change:
        return given
    side, last = (gold, end - 1) if start < end else (parsed, other_end - 1)
    size = max(end - start, other_end - other_start)

    def edges(it: Difference) -> int:
        sides = (gold, it.start), (gold, it.end), (parsed, it[2]), (parsed, it[3])
        return sum(not text.is_within_word(character) for text, character in sides)

    for by in range(1, 1 + min(_AGAIN_NEARBY - 2, start, other_start)):
        if side.text[last - by + 1] != side.text[last - by + 1 - size]:
            break
        moved = Difference(*(character - by for character in given))
        best = max(best, moved, key=edges)
    return best


def _widened(given: Difference, gold: _Text, parsed: _Text) -> Difference:
    """What one side adds to a word is a change of that word."""
    start, end, other_start, other_end = given
    if given.is_change:
        return given
    side, (left, right) = (gold, given[:2]) if start < end else (parsed, given[2:])
    if side.is_within_word(left):
        return Difference(start - 1, end, other_start - 1, other_end)
    if side.is_within_word(right):
        return Difference(start, end + 1, other_start, other_end + 1)
    return given


class _Characters(NamedTuple):
    """Where the characters of one text begin and end in a text that has both."""

    begin: Ints  # and one more, at the end
    end: Ints
    agrees: Flags  # whether the other text has it
    is_alone: Flags  # whether the other text has nothing there

    @classmethod
    def of(
        cls, size: int, start: Ints, end: Ints, others: Ints, *, is_first: bool
    ) -> _Characters:
        """In a difference the other text has so many, which stand after those of the
        first text."""
        moved = np.zeros(size + 1, np.int64)
        np.add.at(moved, end if is_first else start, others)
        begin = np.arange(size + 1) + np.cumsum(moved)
        finish = begin + 1
        is_change = (start < end) & (others > 0)
        if is_first:
            finish[end[is_change] - 1] += others[is_change]
        else:
            begin[start[is_change]] -= others[is_change]
        differs = _covered(size, start, end)
        changes = _covered(size, start[is_change], end[is_change])
        return cls(begin, finish, ~differs, differs & ~changes)

    def of_words(self, edge: Ints) -> LeafPlaces:
        """The places of words between such edges."""
        start, end = edge[:-1], edge[1:]
        first = self.begin[start]
        last = np.where(start < end, self.end[np.maximum(end - 1, 0)], first)
        return LeafPlaces(first, last, any_between(self.is_alone, start, end))


class AlignedEdus(NamedTuple):
    """EDUs of one side by their places in a text that has the characters of both."""

    places: CharSpans
    is_changed: Flags  # whether it has characters that the other side lacks


def aligned_edus(gold: Documents, parsed: Documents) -> tuple[AlignedEdus, AlignedEdus]:
    """The EDUs of documents that are pairs, though their texts may differ.

    White space and case do not count. Where both texts have something else, it begins
    and ends at the same places.
    """
    starts: list[list[Ints]] = [[], []]
    ends: list[list[Ints]] = [[], []]
    changed: list[list[Flags]] = [[], []]
    seen = 0
    for at in range(len(gold)):
        texts = [
            [squeezed(edu) for edu in side.texts_of(at)] for side in (gold, parsed)
        ]
        passages = differences("".join(texts[0]), "".join(texts[1]))
        start, end, other_start, other_end = (
            np.array(passages, np.int64).reshape(-1, 4).T
        )
        edges = [np.cumsum([0, *map(len, edus)]) for edus in texts]
        both = (
            _Characters.of(
                int(edges[0][-1]), start, end, other_end - other_start, is_first=True
            ),
            _Characters.of(
                int(edges[1][-1]), other_start, other_end, end - start, is_first=False
            ),
        )
        for n, (characters, edge) in enumerate(zip(both, edges, strict=True)):
            words = characters.of_words(edge)
            starts[n].append(words.start + seen)
            ends[n].append(words.end + seen)
            changed[n].append(any_between(~characters.agrees, edge[:-1], edge[1:]))
        seen += max(int(characters.begin[-1]) for characters in both)
    room = seen + 1
    of_gold, of_parsed = (
        AlignedEdus(
            CharSpans(_column(starts[n]), _column(ends[n]), room),
            np.concatenate([np.zeros(0, np.bool_), *changed[n]]),
        )
        for n in (0, 1)
    )
    return of_gold, of_parsed


def squeezed(text: str) -> str:
    """What is compared of a text: neither white space nor case."""
    return "".join(text.split()).lower()


def _column(parts: Sequence[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, np.int64), *parts])


def share_of_text(gold: str, parsed: str) -> float:
    """How much of a text the other one has, in the same order."""
    passages = differences(squeezed(gold), squeezed(parsed))
    lost = sum(difference.end - difference.start for difference in passages)
    return 1 - lost / max(len(squeezed(gold)), 1)


def _covered(size: int, start: Ints, end: Ints) -> Flags:
    """What lies between a start and its end."""
    steps = np.zeros(size + 1, np.int64)
    np.add.at(steps, start, 1)
    np.add.at(steps, end, -1)
    covered: Flags = np.cumsum(steps)[:-1] > 0
    return covered


def _differing(
    gold: _Text,
    parsed: _Text,
    passages: Sequence[Difference],
    has_partner: Flags,
    sentence: Ints,
) -> dict[int, TextDifference]:
    """Of sentences with a partner, the first difference from it."""
    differing: dict[int, TextDifference] = {}
    for start, end, other_start, other_end in passages:
        if start == end:
            trees = parsed.trees_of(np.arange(other_start, other_end))
            if (sentence[trees] < 0).all():
                continue  # of whole sentences it is told otherwise
            start = min(start, len(gold.text) - 1)
        characters = np.arange(start, max(end, start + 1))
        for tree in np.unique(gold.trees_of(characters)).tolist():
            if has_partner[tree] and tree not in differing:
                begin = int(gold.tree_edge[tree])
                at = max(start, begin)
                shown = (
                    gold.shown[max(begin, at - 5) : at + _SHOWN],
                    parsed.shown[max(0, other_start - 5) : other_start + _SHOWN],
                )
                differing[tree] = TextDifference(at - begin + 1, *shown)
    return differing


# -- pairs -----------------------------------------------------------------------------


def pairs_over_one_text(
    gold: Treebank,
    parsed: Treebank,
    layout: Placed,
    pairing: Pairing,
    first_sentence: int = 1,
) -> tuple[list[Pair], Ledger]:
    """Gold's sentences, each beside the parsed ones that begin in it.

    Beside gold's sentences of which parsed has nothing stand empty trees; the ledger
    has the parsed ones of which gold has nothing.

    >>> from analyzer.formats.reading import read_trees
    >>> gold = read_trees("(X (NN one))\\n(X (NN two) (NN more))")
    >>> parsed = read_trees("(X (NN one) (X (NN two)))\\n(X (NN more))")
    >>> [pair], _ = pairs_over_one_text(
    ...     gold, parsed, placed(gold, parsed), Pairing.CHARACTERS
    ... )
    >>> [tree.words for tree in pair.parsed]
    [['one', 'two'], ['more']]
    """
    alone = np.flatnonzero(layout.sentence < 0).tolist()
    items = [without_partner(parsed, tree, tree + 1, in_gold=False) for tree in alone]
    ledger = Ledger(
        parsed=len(parsed) - len(gold), items=tuple(items), paired_by=pairing.value
    )
    blocks = _blocks(layout, gold, parsed, pairing is Pairing.JP_EVALB, first_sentence)
    return list(blocks), ledger


def _blocks(
    layout: Placed, gold: Treebank, parsed: Treebank, once: bool, first_sentence: int
) -> Iterator[Pair]:
    """Blocks of gold's sentences that no parsed tree reaches beyond."""
    trees = np.flatnonzero(layout.sentence >= 0)
    at = np.searchsorted(layout.sentence[trees], np.arange(len(gold) + 1))
    reach = np.append(-1, np.maximum.accumulate(layout.reach[trees]))
    places = (
        layout.gold.by_tree(gold.leaf_start),
        layout.parsed.by_tree(parsed.leaf_start),
    )
    start = 0
    for end in range(1, len(gold) + 1):
        is_cut = end - start >= _BLOCK and reach[at[end]] < end
        if not is_cut and end < len(gold):
            continue
        beside = _beside(parsed, trees, at[start : end + 1])
        known = {
            tree - start: _as_left_out(layout, gold, tree, first_sentence + tree)
            for tree in range(start, end)
            if not layout.has_partner[tree] or tree in layout.differing
        }
        both = [
            (
                places[0][tree],
                LeafPlaces.joined(
                    [places[1][n] for n in trees[at[tree] : at[tree + 1]]]
                ),
            )
            for tree in range(start, end)
        ]
        number = first_sentence + start
        yield Pair(gold[start:end], beside, number, known, places=both, once=once)
        start = end


def _beside(parsed: Treebank, trees: Ints, at: Ints) -> Treebank:
    """Parsed trees as so many as gold has sentences, each of none or several trees."""
    chosen = trees[at[0] : at[-1]]
    bank, starts = some_trees(parsed, chosen), at - at[0]
    first = np.minimum(starts[:-1], max(0, chosen.size - 1))
    sentence = np.repeat(np.arange(at.size - 1), np.diff(starts)).tolist()
    ids = [
        "+".join(filter(None, bank.ids[left:right])) for left, right in pairwise(starts)
    ]
    return bank.reshaped(
        node_start=bank.node_start[starts],
        leaf_start=bank.leaf_start[starts],
        line=bank.line[first] if chosen.size else np.ones_like(first),
        ids=tuple(ids) if bank.ids else (),
        mends={sentence[tree]: how for tree, how in bank.mends.items()},
    )


def _as_left_out(layout: Placed, gold: Treebank, tree: int, sentence: int) -> LeftOut:
    """Why a sentence has no partner, or else how its text differs from the parse's."""
    if tree not in layout.differing:
        return without_partner(gold, tree, sentence, in_gold=True)
    place = Place(gold.source, int(gold.line[tree]), None, sentence, gold.id_of(tree))
    error = PairingError(
        "E437 the texts differ at character", place, **layout.differing[tree]._asdict()
    )
    return LeftOut(sentence, Reason.WORDS, error, Fate.ALIGNED)


# -- what is compared, once it is known which words count ------------------------------


def aligned_by_places(pair: Pair, tables: LabelTables) -> Alignment:
    """Trees over one text, by the places of their words.

    As in `aligned_by_characters`, a place counts if no side deletes the word there. As
    with aligned words (`mismatches`), phrases are doubtful that hold words which the
    other side has not, and parsed ones that hold a word beside such a word of gold.
    """
    assert pair.places is not None
    banks = pair.gold, pair.parsed
    every = [LeafPlaces.joined(side) for side in zip(*pair.places, strict=True)]
    kept = [kept_by_tree(bank, tables) for bank in banks]
    size = max(int(places.end.max(initial=0)) for places in every)
    counts = np.ones(size, np.bool_)
    for places, (leaves, _) in zip(every, kept, strict=True):
        is_deleted = ~flags_at(places.start.size, leaves)
        counts &= ~_covered(size, places.start[is_deleted], places.end[is_deleted])
    before = np.append(0, np.cumsum(counts))

    has_words = np.diff(kept[0][1]) + np.diff(kept[1][1]) > 0
    left_out = dict(pair.known)
    for tree in np.flatnonzero(~has_words).tolist():
        place = Place(
            pair.gold.source, int(pair.gold.line[tree]), None, pair.number(tree)
        )
        why = LeftOut(pair.number(tree), Reason.NOTHING_LEFT, nothing_left(place))
        left_out.setdefault(tree, why)
    is_compared = np.ones(len(pair.gold), np.bool_)
    lost = [tree for tree, item in left_out.items() if item.fate is Fate.LEFT_OUT]
    is_compared[lost] = False

    words = [
        places.some(leaves[np.repeat(is_compared, np.diff(starts))])
        for places, (leaves, starts) in zip(every, kept, strict=True)
    ]
    doubtful = words[0].is_alone, words[1].is_alone | _beside_missing(pair, words)
    room = int(before[-1]) + 1
    begins = _beginnings(pair, is_compared, before)
    gold, parsed = (
        Side(
            *(bank, leaves, starts, is_compared, bank is pair.gold),
            WordPlaces(
                CharSpans(before[places.start], before[places.end], room),
                doubts,
                pair.once,
                begins,
            ),
        )
        for bank, (leaves, starts), places, doubts in zip(
            banks, kept, words, doubtful, strict=True
        )
    )
    trees = sorted(left_out)
    items = [left_out[tree] for tree in trees]
    return Alignment(gold, parsed, items, tables, np.array(trees, np.int64))


def _beginnings(pair: Pair, is_compared: Flags, before: Ints) -> Ints:
    """Where each sentence of gold begins; one that is left out, where the next does."""
    assert pair.places is not None
    begins = np.full(len(pair.gold), before[-1] + 1)
    for tree, (gold, _) in enumerate(pair.places):
        if is_compared[tree] and gold.start.size:
            begins[tree] = before[gold.start[0]]
    begins = np.minimum.accumulate(begins[::-1])[::-1]
    # What is before the first belongs to it.
    begins[: int(np.argmax(is_compared)) + 1] = -1
    return begins


def _beside_missing(pair: Pair, words: Sequence[LeafPlaces]) -> Flags:
    """The parsed words before and after one of gold's that is missing, if these are in
    its sentence: nobody knows in which of their phrases it would be."""
    gold, parsed = words
    is_beside = np.zeros(parsed.start.size, np.bool_)
    missing = gold.start[gold.is_alone]
    assert pair.places is not None
    bounds = [
        (places.start[0], places.end[-1])
        for places, _ in pair.places
        if places.start.size
    ]
    if not (missing.size and is_beside.size):
        return is_beside
    starts, ends = np.array(bounds).T
    sentence = np.searchsorted(starts, missing, side="right") - 1
    after = np.searchsorted(parsed.start, missing)
    for word in (after - 1, after):
        near = np.clip(word, 0, is_beside.size - 1)
        is_inside = (near == word) & (parsed.start[near] >= starts[sentence])
        is_beside[near[is_inside & (parsed.start[near] < ends[sentence])]] = True
    return is_beside
