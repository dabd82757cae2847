"""Bracket scores, number for number those of EVALB (Sekine and Collins).

A bracket is a phrase: (label, first word, last word). Recall is the share of
gold brackets that the parse has, precision the share of the parse's that gold
has; duplicates (unary chains) count as often as they occur. docs/evalb.md has
the details.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analyzer.derivation.brackets import Brackets, counted_brackets, lost_brackets
from analyzer.exceptions import SettingsError
from analyzer.metrics.join import Key, Matches, match, packed
from analyzer.metrics.ratios import MatchCounts
from analyzer.model.arrays import Flags, Ints, sums_between
from analyzer.model.kernel import brackets as kernel
from analyzer.model.kernel import words as words_kernel
from analyzer.model.kernel.library import has_kernel
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.pairing.mismatches import OnMismatch, Settled, settle
from analyzer.pairing.words import align
from analyzer.transform.label_tables import LabelTables, lengths

OK, ERROR, SKIPPED = 0, 1, 2  # evalb's status codes


class SentenceCounts(NamedTuple):
    """evalb's columns, a row a sentence."""

    status: Ints
    length: Ints
    matched: Ints
    gold: Ints
    test: Ints
    crossing: Ints
    words: Ints
    correct_tags: Ints

    @property
    def is_scored(self) -> Flags:
        scored: Flags = self.status == OK
        return scored

    def only(self, chosen: Flags) -> SentenceCounts:
        """The rows of some of the sentences."""
        return SentenceCounts(*(column[chosen] for column in self))


class Matched(NamedTuple):
    """The outcome for a block."""

    counts: SentenceCounts
    gold: Brackets
    parsed: Brackets
    matches: Matches
    ledger: Ledger
    discontinuous: MatchCounts | None = None  # where trees have crossing branches

    @property
    def left_out(self) -> list[LeftOut]:
        return self.ledger.mismatches


def score_pair(
    pair: SentencePair,
    tables: LabelTables,
    *,
    on_mismatch: OnMismatch = OnMismatch.SKIP,
    as_sets: bool = False,
    raised: bool = False,
) -> Matched:
    """Score a block of sentences.

    Where branches can cross on both sides, trees are scored as they are: a bracket is a
    label and a set of words. With `raised`, or a side of plain brackets: as the
    brackets that were made of them.

    What becomes of a pair that cannot be compared: see `pairing.mismatches`; where
    gold itself is at fault it is left out. With `as_sets`, brackets that are equal
    count once.
    """
    settled = settle(pair, align(pair, tables), tables, on_mismatch)
    alignment = settled.alignment
    has_gaps = not raised and (
        pair.gold.yields is not None and pair.parsed.yields is not None
    )
    gold = counted_brackets(
        pair.gold, alignment, tables, of_gold=True, with_gaps=has_gaps
    )
    parsed = counted_brackets(
        pair.parsed, alignment, tables, of_gold=False, with_gaps=has_gaps
    )
    if settled.places and has_gaps:
        raise SettingsError(
            "words that differ cannot be aligned in trees with crossing branches; "
            "--raised scores them as brackets",
            code="E620",
        )
    if settled.places:
        from analyzer.derivation.characters import brackets_by_places

        gold = brackets_by_places(gold, settled.places[0], of_gold=True)
        parsed = brackets_by_places(parsed, settled.places[1], of_gold=False)
    if as_sets:
        gold, parsed = _distinct(gold), _distinct(parsed)
    # Last words run backwards: so the rows come sorted, parents before children.
    matches = match(
        [gold.first, -gold.last, gold.key_label, *_gaps(gold)],
        [parsed.first, -parsed.last, parsed.key_label, *_gaps(parsed)],
    )
    if has_gaps:
        # What crosses is told of brackets: those that were made of the trees.
        found = score_pair(pair, tables, on_mismatch=on_mismatch, raised=True)
        crossings = found.counts.crossing
    else:
        unmatched = ~matches.parsed
        crossings = sums_between(crossing(gold, parsed, unmatched), parsed.starts)
    comparable = alignment.is_comparable
    words = np.where(comparable, np.diff(alignment.gold_starts), 0)
    counts = SentenceCounts(
        status=np.where(comparable, OK, ERROR),
        length=lengths(pair.gold, tables),
        matched=sums_between(matches.gold, gold.starts),
        gold=np.diff(gold.starts),
        test=np.diff(parsed.starts),
        crossing=crossings,
        words=words,
        correct_tags=_correct_tags(pair, settled, tables),
    )
    for item, tree in zip(alignment.left_out, alignment.left_out_trees, strict=True):
        if item.reason.is_skip and not comparable[tree]:
            counts.status[tree] = SKIPPED
    lost = 0
    if alignment.left_out:
        lost = int(lost_brackets(pair.gold, alignment, tables).sum())
    ledger = alignment.ledger(lost_brackets=lost)
    return Matched(
        counts, gold, parsed, matches, ledger, _discontinuous(gold, parsed, matches)
    )


def _gaps(side: Brackets) -> list[Ints]:
    return [] if side.gaps is None else [side.gaps]


def _discontinuous(
    gold: Brackets, parsed: Brackets, matches: Matches
) -> MatchCounts | None:
    """The brackets with gaps alone, as disco-dop counts them (DISC_ONLY)."""
    if gold.gaps is None or parsed.gaps is None:
        return None
    return MatchCounts(
        int(np.count_nonzero(matches.gold & (gold.gaps != 0))),
        int(np.count_nonzero(gold.gaps)),
        int(np.count_nonzero(parsed.gaps)),
    )


def crossing(gold: Brackets, parsed: Brackets, candidates: Flags) -> Flags:
    """Which parsed brackets cross a gold one: overlap it, neither inside the other.

    Only candidates are looked at; a matched bracket cannot cross. A bracket from s
    to e is crossed when a gold one that starts inside it ends beyond e, or one that
    ends inside it starts before s.
    """
    if has_kernel():
        sides = (gold.first, gold.last), (parsed.first, parsed.last)
        return kernel.crossing(*sides, candidates)
    crosses = np.zeros(parsed.row.size, np.bool_)
    rows = np.flatnonzero(candidates & (parsed.last - parsed.first > 1))
    if not rows.size or not gold.row.size:
        return crosses
    size = int(max(gold.last.max(), parsed.last.max())) + 2
    # Of brackets with the same start (or end) the first in order is the largest;
    # assigned backwards, it is the one that stays.
    furthest_end = np.zeros(size, np.int64)
    furthest_end[gold.first[::-1]] = gold.last[::-1]
    earliest_start = np.full(size, size, np.int64)
    earliest_start[gold.last[::-1]] = gold.first[::-1]
    first, last = parsed.first[rows], parsed.last[rows]
    # reduceat over [first + 1, last), last, [first + 1, last), last ...
    inside = np.column_stack([first + 1, last]).ravel()
    ends_beyond = np.maximum.reduceat(furthest_end, inside)[::2] > last
    starts_before = np.minimum.reduceat(earliest_start, inside)[::2] < first
    crosses[rows] = ends_beyond | starts_before
    return crosses


def _correct_tags(pair: SentencePair, settled: Settled, tables: LabelTables) -> Ints:
    """Per sentence, the compared words that have the same tag in both."""
    alignment = settled.alignment
    comparable = alignment.is_comparable
    if has_kernel() and not settled.places:
        labels = pair.gold.label, pair.parsed.label
        classes = tables.tag_classes(*labels)
        sides = [
            (bank.label, bank.leaf_node, *alignment.leaves(of_gold=of_gold))
            for bank, of_gold in ((pair.gold, True), (pair.parsed, False))
        ]
        return words_kernel.equal_tags(sides[0], sides[1], comparable, classes)
    sizes = np.diff(alignment.gold_starts)
    in_gold = np.repeat(comparable, sizes)
    in_parsed = np.repeat(comparable, np.diff(alignment.parsed_starts))
    gold_leaf = alignment.gold_leaves[in_gold]
    parsed_leaf = alignment.parsed_leaves[in_parsed]
    gold_label = pair.gold.label[pair.gold.leaf_node[gold_leaf]]
    parsed_label = pair.parsed.label[pair.parsed.leaf_node[parsed_leaf]]
    gold_tag = tables.tag_class(gold_label)
    parsed_tag = tables.tag_class(parsed_label)
    if settled.places:
        number, other = (places.spans.number for places in settled.places)
        is_right = match([number, gold_tag], [other, parsed_tag]).gold
    else:
        is_right = gold_tag == parsed_tag
    words = np.where(comparable, sizes, 0)
    return sums_between(is_right, np.append(0, np.cumsum(words)))


def _distinct(given: Brackets) -> Brackets:
    """Each bracket once, however often it occurs."""
    columns: Key = [given.first, given.last, given.key_label, *_gaps(given)]
    key, _ = packed(columns, [np.zeros(1, np.int64)] * len(columns))
    keep = np.sort(np.unique(key, return_index=True)[1])
    return Brackets(
        row=given.row[keep],
        first=given.first[keep],
        last=given.last[keep],
        label=given.label[keep],
        key_label=given.key_label[keep],
        starts=np.searchsorted(keep, given.starts),
        words=given.words,
        wrappers=given.wrappers,
        gaps=None if given.gaps is None else given.gaps[keep],
    )
