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
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.ledger import Fate, Reason
from analyzer.pairing.words import Alignment
from analyzer.transform.label_tables import LabelTables, kept_leaves

if TYPE_CHECKING:
    from analyzer.pairing.placing import WordPlaces


class OnMismatch(Choice):
    """What becomes of a parse that cannot be compared with gold word by word."""

    SKIP = "skip"
    ZERO = "zero"
    ALIGN = "align"
    ERROR = "error"

    @classmethod
    def what(cls) -> str:
        return "on_mismatch"


def mismatch_setting(on_mismatch: OnMismatch) -> dict[str, str]:
    """The part of a signature that says so, unless it is the usual way."""
    return {} if on_mismatch == "skip" else {"mismatch": on_mismatch.value}


ALIGNED = (Reason.LENGTH, Reason.WORDS)


class Settled(NamedTuple):
    """An alignment, and the words' places if these are not their numbers."""

    alignment: Alignment
    places: tuple[WordPlaces, WordPlaces] | None = None


def settle(
    pair: SentencePair,
    alignment: Alignment,
    tables: LabelTables,
    on_mismatch: OnMismatch,
) -> Settled:
    """The alignment with the pairs that were left out, if these are to be scored."""
    if on_mismatch in ("skip", "error"):
        return Settled(alignment)
    trees = alignment.left_out_trees
    has_words = np.diff(alignment.gold_starts) > 0
    settled = {
        tree: on_mismatch == "align" and item.reason in ALIGNED
        for tree, item in zip(trees.tolist(), alignment.left_out, strict=True)
        if item.reason is not Reason.BAD_GOLD
        # Where neither side has words, there is nothing that the parse fails to find.
        and (on_mismatch == "zero" or has_words[tree] or item.reason in ALIGNED)
    }
    if not settled:
        return Settled(alignment)
    alignment = _with_words_of(pair, alignment, tables, settled)
    items = [
        item._replace(fate=Fate.ALIGNED if settled[tree] else Fate.ZERO)
        if tree in settled
        else item
        for tree, item in zip(trees.tolist(), alignment.left_out, strict=True)
    ]
    alignment = replace(alignment, settled=trees, left_out=items)
    from analyzer.pairing.placing import places_of

    return Settled(alignment, places_of(pair, alignment, tables, settled))


def _with_words_of(
    pair: SentencePair,
    alignment: Alignment,
    tables: LabelTables,
    settled: dict[int, bool],
) -> Alignment:
    """The alignment with more trees; False: without the words of the parse."""
    comparable = alignment.is_comparable.copy()
    comparable[list(settled)] = True
    sides = []
    for bank, leaves, starts, is_gold in (
        (pair.gold, alignment.gold_leaves, alignment.gold_starts, True),
        (pair.parsed, alignment.parsed_leaves, alignment.parsed_starts, False),
    ):
        kept = kept_leaves(bank, tables)
        bounds = np.searchsorted(kept, bank.leaf_start)
        words = np.split(leaves, starts[1:-1])
        for tree, has_words in settled.items():
            end = bounds[tree + 1] if is_gold or has_words else bounds[tree]
            words[tree] = kept[bounds[tree] : end]
        sizes = np.array([0, *(one.size for one in words)], np.int64)
        sides.append((np.concatenate(words), np.cumsum(sizes)))
    (gold, gold_starts), (parsed, parsed_starts) = sides
    return replace(
        alignment,
        gold_leaves=gold,
        parsed_leaves=parsed,
        gold_starts=gold_starts,
        parsed_starts=parsed_starts,
        is_comparable=comparable,
    )
