"""Bracket scores, number for number those of EVALB (Sekine and Collins).

A bracket is a phrase: (label, first word, last word). Recall is the share of
gold brackets that the parse has, precision the share of the parse's that gold
has; duplicates (unary chains) count as often as they occur. docs/evalb.md has
the details.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analyzer import _native
from analyzer.derivation.brackets import Brackets, counted_brackets, lost_brackets
from analyzer.exceptions import SettingsError
from analyzer.metrics.join import Key, Matches, match, packed
from analyzer.metrics.ratios import MatchCounts
from analyzer.model.arrays import Flags, Ints, sums_between
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.pairing.mismatches import OnMismatch, aligned
from analyzer.pairing.words import Alignment
from analyzer.transform.label_tables import LabelTables, lengths

OK, ERROR, SKIPPED = 0, 1, 2  # evalb's status codes


class EvalbColumns(NamedTuple):
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

    def only(self, chosen: Flags) -> EvalbColumns:
        """The rows of some of the sentences."""
        return EvalbColumns(*(column[chosen] for column in self))


class Matched(NamedTuple):
    """The outcome for a block."""

    counts: EvalbColumns
    gold: Brackets
    parsed: Brackets
    matches: Matches
    ledger: Ledger
    discontinuous: MatchCounts | None = None  # where trees have crossing branches

    @property
    def left_out(self) -> list[LeftOut]:
        return self.ledger.mismatches


def score_pair(
    pair: Pair,
    tables: LabelTables,
    *,
    on_mismatch: OnMismatch = OnMismatch.SKIP,
    as_sets: bool = False,
    raised: bool = False,
    without_trivial: bool = False,
) -> Matched:
    """Score a block of sentences.

    Where branches can cross on both sides, trees are scored as they are: a bracket is a
    label and a set of words. With `raised`, or a side of plain brackets: as the
    brackets that were made of them.

    What becomes of a pair that cannot be compared: see `pairing.mismatches`; where
    gold itself is at fault it is left out. With `as_sets`, brackets that are equal
    count once. `without_trivial`: brackets of one word and of the whole sentence, which
    any tree has, do not count, and a sentence of one word is skipped.
    """
    alignment = aligned(pair, tables, on_mismatch)
    has_gaps = not raised and (
        pair.gold.yields is not None and pair.parsed.yields is not None
    )
    gold = counted_brackets(alignment.gold, tables, with_gaps=has_gaps)
    parsed = counted_brackets(alignment.parsed, tables, with_gaps=has_gaps)
    if without_trivial:
        gold = _nontrivial(gold, alignment.gold.sizes)
        parsed = _nontrivial(parsed, alignment.parsed.sizes)
    has_places = alignment.gold.places is not None
    if has_places and has_gaps:
        raise SettingsError("E620 words that differ cannot be aligned in trees")
    if has_places:
        from analyzer.derivation.characters import brackets_by_places

        gold = brackets_by_places(gold, alignment.gold)
        parsed = brackets_by_places(parsed, alignment.parsed)
    if as_sets:
        gold, parsed = _distinct(gold), _distinct(parsed)
    # Last words run backwards: so the rows come sorted, parents before children.
    matches = match(
        [gold.first, -gold.last, gold.key_label, *_gaps(gold)],
        [parsed.first, -parsed.last, parsed.key_label, *_gaps(parsed)],
    )
    if has_gaps:
        # Crossings are counted on the brackets that were made of the trees.
        bracketed = score_pair(pair, tables, on_mismatch=on_mismatch, raised=True)
        crossings = bracketed.counts.crossing
    else:
        unmatched = ~matches.parsed
        crossings = sums_between(crossing(gold, parsed, unmatched), parsed.starts)
    comparable = alignment.is_comparable
    counts = EvalbColumns(
        status=np.where(comparable, OK, ERROR),
        length=lengths(pair.gold, tables),
        matched=sums_between(matches.gold, gold.starts),
        gold=np.diff(gold.starts),
        test=np.diff(parsed.starts),
        crossing=crossings,
        words=alignment.gold.sizes,
        correct_tags=_correct_tags(alignment, tables),
    )
    for item, tree in zip(alignment.left_out, alignment.left_out_trees, strict=True):
        if item.reason.is_skip and not comparable[tree]:
            counts.status[tree] = SKIPPED
    if without_trivial:
        counts.status[comparable & (counts.words < 2)] = SKIPPED
    lost = 0
    if alignment.left_out:
        lost = int(lost_brackets(alignment, tables).sum())
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
    if _native.has_kernel():
        sides = (gold.first, gold.last), (parsed.first, parsed.last)
        return _native.crossing(*sides, candidates)
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


def _correct_tags(alignment: Alignment, tables: LabelTables) -> Ints:
    """Per sentence, the compared words that have the same tag in both."""
    gold, parsed = alignment.gold, alignment.parsed
    if _native.has_kernel() and gold.places is None:
        classes = tables.by_number(gold.bank.label, parsed.bank.label).tag_class
        return _native.equal_tags(gold, parsed, alignment.is_comparable, classes)
    gold_tag, parsed_tag = (
        tables.tag_class(side.bank.label[side.bank.leaf_node[side.word_leaves]])
        for side in (gold, parsed)
    )
    if gold.places and parsed.places:
        numbers = gold.places.spans.number, parsed.places.spans.number
        is_right = match([numbers[0], gold_tag], [numbers[1], parsed_tag]).gold
    else:
        is_right = gold_tag == parsed_tag
    return sums_between(is_right, np.append(0, np.cumsum(gold.sizes)))


def _distinct(given: Brackets) -> Brackets:
    """Each bracket once, however often it occurs."""
    columns: Key = [given.first, given.last, given.key_label, *_gaps(given)]
    key, _ = packed(columns, [np.zeros(1, np.int64)] * len(columns))
    return _some(given, np.sort(np.unique(key, return_index=True)[1]))


def _nontrivial(given: Brackets, sizes: Ints) -> Brackets:
    """Without brackets of one word, and of all words of their sentence."""
    width = given.last - given.first
    is_part = (width > 1) & (width < np.repeat(sizes, np.diff(given.starts)))
    if given.gaps is not None:
        is_part |= given.gaps != 0
    return _some(given, np.flatnonzero(is_part))


def _some(given: Brackets, keep: Ints) -> Brackets:
    """Some of the rows, in order."""
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
