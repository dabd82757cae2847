"""What becomes of pairs of trees that cannot be compared word by word.

`skip` leaves them out, as evalb does, and `error` stops at the first. With `zero` such
a parse has found nothing. With `align` words that differ are aligned: the words of both
sides get places in a text that has all words of both, so that the same joins compare
them. A phrase is *doubtful* if it cannot be told what the right words would make of it;
it then matches nothing:

* a phrase of gold that holds a word which the parse has not;
* a phrase of the parse that holds a word which gold has not;
* a phrase of the parse that holds a word beside which one of gold's is missing: nobody
  knows whether that would be in the phrase.

So no parse gains by losing words. docs/generated.md has examples.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.model.settings import Choice
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Fate, Reason
from analyzer.pairing.texts import are_words, plain
from analyzer.pairing.words import Alignment, CharSpans, Side, WordPlaces, align
from analyzer.transform.label_tables import LabelTables, kept_by_tree

if TYPE_CHECKING:
    from analyzer.pairing.edits import Step


class OnMismatch(Choice, what="on_mismatch"):
    """What becomes of a parse that cannot be compared with gold word by word."""

    SKIP = "skip"
    ZERO = "zero"
    ALIGN = "align"
    ERROR = "error"


def mismatch_setting(on_mismatch: OnMismatch) -> dict[str, str]:
    """The part of a signature that says so, unless it is the usual way."""
    return {} if on_mismatch == "skip" else {"on_mismatch": on_mismatch.value}


ALIGNED = (Reason.LENGTH, Reason.WORDS)


def aligned(pair: Pair, tables: LabelTables, on_mismatch: OnMismatch) -> Alignment:
    """Which words of a block are compared, by one or by their places in one text; and
    what becomes of the other pairs."""
    if pair.places is None:
        return apply_mismatch_policy(align(pair, tables), tables, on_mismatch)
    from analyzer.pairing.one_text import aligned_by_places  # few runs do

    alignment = aligned_by_places(pair, tables)
    is_scored = on_mismatch in (OnMismatch.ZERO, OnMismatch.ALIGN)
    return set_apart(alignment, but=Reason.BAD_GOLD) if is_scored else alignment


def apply_mismatch_policy(
    alignment: Alignment, tables: LabelTables, on_mismatch: OnMismatch
) -> Alignment:
    """The alignment with the pairs that were left out, if these are to be scored."""
    if on_mismatch in ("skip", "error"):
        return alignment
    trees = alignment.left_out_trees
    has_words = np.diff(alignment.gold.starts) > 0
    settled = {
        tree: on_mismatch == "align" and item.reason in ALIGNED
        for tree, item in zip(trees.tolist(), alignment.left_out, strict=True)
        if item.reason is not Reason.BAD_GOLD
        # Where neither side has words, there is nothing that the parse fails to find.
        and (on_mismatch == "zero" or has_words[tree] or item.reason in ALIGNED)
    }
    if not settled:
        return alignment
    gold = _with_words_of(alignment.gold, tables, dict.fromkeys(settled, True))
    parsed = _with_words_of(alignment.parsed, tables, settled)
    items = [
        item._replace(fate=Fate.ALIGNED if settled[tree] else Fate.ZERO)
        if tree in settled
        else item
        for tree, item in zip(trees.tolist(), alignment.left_out, strict=True)
    ]
    places = places_of(gold, parsed, tables, settled)
    gold, parsed = (
        replace(side, places=its_places)
        for side, its_places in zip((gold, parsed), places, strict=True)
    )
    return replace(alignment, gold=gold, parsed=parsed, left_out=items, settled=trees)


def _with_words_of(side: Side, tables: LabelTables, trees: dict[int, bool]) -> Side:
    """The side with more trees to compare; False: without their words."""
    is_compared = side.is_compared.copy()
    is_compared[list(trees)] = True
    kept, bounds = kept_by_tree(side.bank, tables)
    words = np.split(side.leaves, side.starts[1:-1])
    for tree, has_words in trees.items():
        end = bounds[tree + 1] if has_words else bounds[tree]
        words[tree] = kept[bounds[tree] : end]
    starts = np.cumsum([0, *(leaves.size for leaves in words)])
    return replace(
        side, leaves=np.concatenate(words), starts=starts, is_compared=is_compared
    )


# -- words of both sides in the places of one text -------------------------------------


def set_apart(alignment: Alignment, but: Reason | None = None) -> Alignment:
    """All trees to be compared, the words of those left out where no others are.

    So what the two sides have there counts, and nothing of it agrees. What is left out
    for the reason `but` stays so.
    """
    was_compared, is_compared = alignment.is_comparable, alignment.is_comparable.copy()
    trees, items = alignment.left_out_trees, list(alignment.left_out)
    for at, (tree, item) in enumerate(zip(trees.tolist(), items, strict=True)):
        if item.reason is not but and not was_compared[tree]:
            items[at] = item._replace(fate=Fate.ZERO)
            is_compared[tree] = True
    sides = alignment.gold, alignment.parsed
    given = [side.places for side in sides if side.places is not None]
    room = max(places.spans.room for places in given)
    apart_sides = []
    for side, places in zip(sides, given, strict=True):
        is_placed = was_compared[is_compared].repeat(np.diff(side.starts)[is_compared])
        start = np.empty(is_placed.size, np.int64)
        end = np.empty(is_placed.size, np.int64)
        doubtful = np.zeros(is_placed.size, np.bool_)
        apart = room + np.arange(np.count_nonzero(~is_placed))
        room += apart.size
        start[is_placed], end[is_placed] = places.spans.start, places.spans.end
        start[~is_placed], end[~is_placed] = apart, apart + 1
        if places.is_doubtful is not None:
            doubtful[is_placed] = places.is_doubtful
        apart_sides.append((start, end, doubtful))
    gold, parsed = (
        replace(
            side,
            is_compared=is_compared,
            places=places._replace(
                spans=CharSpans(start, end, room + 1), is_doubtful=doubtful
            ),
        )
        for side, places, (start, end, doubtful) in zip(
            sides, given, apart_sides, strict=True
        )
    )
    return replace(alignment, gold=gold, parsed=parsed, left_out=items, settled=trees)


class _Words(NamedTuple):
    """The words of a tree that are aligned, and which of them are compared."""

    forms: list[str]
    is_kept: list[bool]

    def some(self, first: int, count: int) -> _Words:
        end = first + count
        return _Words(self.forms[first:end], self.is_kept[first:end])


def places_of(
    gold: Side, parsed: Side, tables: LabelTables, settled: dict[int, bool]
) -> list[WordPlaces]:
    """Where the words of both sides stand in a text that has all words of both."""
    # Trees with equal words take as many places as they have words.
    room = np.maximum(gold.sizes, parsed.sizes)
    placed = {}
    for tree, has_words in settled.items():
        words = _words(gold.bank, tree, tables)
        others = _words(parsed.bank, tree, tables) if has_words else _Words([], [])
        placed[tree] = _Placed(words, others)
        room[tree] = placed[tree].room
    base = np.cumsum(room) - room
    places = []
    for side in (gold, parsed):
        within = np.arange(side.sizes.sum()) - np.repeat(side.offset, side.sizes)
        start = np.repeat(base, side.sizes) + within
        end = start + 1
        is_doubtful = np.zeros(start.size, np.bool_)
        for tree, both in placed.items():
            words_placed = both.gold if side.is_gold else both.parsed
            for word, (first, last, doubt) in enumerate(
                words_placed, int(side.offset[tree])
            ):
                start[word], end[word] = base[tree] + first, base[tree] + last
                is_doubtful[word] = doubt
        spans = CharSpans(start, end, int(room.sum()) + 1)
        places.append(WordPlaces(spans, is_doubtful))
    return places


def _words(bank: Treebank, tree: int, tables: LabelTables) -> _Words:
    """The words of a tree, those too that are not compared; but no traces."""
    first, last = bank.leaf_start[tree : tree + 2].tolist()
    is_kept = ~tables.deletes_word(bank.label[bank.leaf_node[first:last]])
    leaves = np.flatnonzero(is_kept | are_words(bank, slice(first, last)))
    forms = bank.forms(first + leaves)
    return _Words([*map(plain, forms)], is_kept[leaves].tolist())


class _Placed:
    """The compared words of a pair of trees: start, end, whether doubtful."""

    def __init__(self, gold: _Words, parsed: _Words) -> None:
        from analyzer.pairing.edits import shortest_edit  # few runs align words

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
            for places, words in ((self.gold, gold), (self.parsed, parsed)):
                end = 0
                for form, is_kept in zip(*words, strict=True):
                    start, end = end, end + len(form)
                    if is_kept:
                        places.append((int(edge[start]), int(edge[end]), False))
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
