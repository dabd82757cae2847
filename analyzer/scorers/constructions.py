"""Scores per construction: F-h, F-s, attachment, span-right (Kulick et al. 2014).

Each score is a join of gold and parsed brackets; only the key differs:

    F-h     head word, construction
    F-s     head word, construction, first word, last word
    att     head word, construction, word attached to (or null)
    spanR   head word, construction, last word;  spanL: first word

F-h and F-s are F scores. att, spanR and spanL are shares of the F-h matches; att
is undefined for recursive constructions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from analyzer.constructions import Labeller
from analyzer.derivations import Derivation, derive
from analyzer.matching import Key, Matches, match
from analyzer.normalising import LabelTables
from analyzer.pairing import Alignment, LeftOut, SentencePair, align
from analyzer.scorers.brackets import brackets, word_positions
from analyzer.symbols import Flags, Ints
from analyzer.treebank import Treebank


class Comparison(NamedTuple):
    """Gold and parsed derivations of a run of sentences, and their joins."""

    gold: Derivation
    parsed: Derivation
    by_head: Matches
    by_span: Matches
    by_attachment: Matches
    by_last: Matches
    by_first: Matches
    by_bracket: Matches  # evalb's
    by_bracket_and_head: Matches
    alignment: Alignment

    @property
    def left_out(self) -> list[LeftOut]:
        return self.alignment.left_out


class ConstructionCounts(NamedTuple):
    """What all ratios of a construction are made of."""

    gold: int = 0
    parsed: int = 0
    matched_h: int = 0
    matched_s: int = 0
    matched_att: int = 0
    matched_span_right: int = 0
    matched_span_left: int = 0

    def plus(self, other: ConstructionCounts) -> ConstructionCounts:
        return ConstructionCounts(*(a + b for a, b in zip(self, other, strict=True)))


class Coverage(NamedTuple):
    """How many brackets there are, and how many a pattern matches."""

    brackets: int = 0
    covered: int = 0

    def plus(self, other: Coverage) -> Coverage:
        return Coverage(self.brackets + other.brackets, self.covered + other.covered)


@dataclass
class Tally:
    """Counts of a corpus; tallies of its parts add up to it."""

    constructions: dict[str, ConstructionCounts] = field(default_factory=dict)
    gold_coverage: Coverage = field(default_factory=Coverage)
    parsed_coverage: Coverage = field(default_factory=Coverage)
    evalb_gold: int = 0
    evalb_test: int = 0
    evalb_matched: int = 0
    same_head: int = 0  # evalb matches whose heads agree too
    sentences: int = 0
    scored: int = 0
    left_out: list[LeftOut] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        for name, counts in other.constructions.items():
            known = self.constructions.get(name, ConstructionCounts())
            self.constructions[name] = known.plus(counts)
        self.gold_coverage = self.gold_coverage.plus(other.gold_coverage)
        self.parsed_coverage = self.parsed_coverage.plus(other.parsed_coverage)
        self.evalb_gold += other.evalb_gold
        self.evalb_test += other.evalb_test
        self.evalb_matched += other.evalb_matched
        self.same_head += other.same_head
        self.sentences += other.sentences
        self.scored += other.scored
        self.left_out += other.left_out


def derivation_of(
    bank: Treebank,
    alignment: Alignment,
    tables: LabelTables,
    labeller: Labeller,
    *,
    of_gold: bool,
) -> Derivation:
    """The derivation trees of one side, over the brackets that evalb compares."""
    leaves = alignment.gold_leaves if of_gold else alignment.parsed_leaves
    starts = alignment.gold_starts if of_gold else alignment.parsed_starts
    given = brackets(bank, alignment, tables, of_gold=of_gold)
    if not alignment.is_comparable.all():
        leaves = leaves[np.repeat(alignment.is_comparable, np.diff(starts))]
    return derive(
        bank,
        row=given.row,
        first=given.first,
        last=given.last,
        key_label=given.key_label,
        phrase_label=given.label,
        leaves=leaves,
        leaf_word=word_positions(bank, alignment, of_gold=of_gold).start,
        labeller=labeller,
    )


def derivations_alone(
    bank: Treebank, tables: LabelTables, labeller: Labeller
) -> Derivation:
    """The derivation trees of a treebank by itself."""
    alignment = align(SentencePair(bank, bank, 1), tables)
    return derivation_of(bank, alignment, tables, labeller, of_gold=True)


def compare(pair: SentencePair, tables: LabelTables, labeller: Labeller) -> Comparison:
    """Derive both sides of a run of sentences and join them under every key."""
    alignment = align(pair, tables)
    gold = derivation_of(pair.gold, alignment, tables, labeller, of_gold=True)
    parsed = derivation_of(pair.parsed, alignment, tables, labeller, of_gold=False)
    g_span: Key = [gold.first, -gold.last]
    p_span: Key = [parsed.first, -parsed.last]
    g_head: Key = [gold.head, gold.construction]
    p_head: Key = [parsed.head, parsed.construction]
    g_bracket: Key = [*g_span, gold.key_label]
    p_bracket: Key = [*p_span, parsed.key_label]
    return Comparison(
        gold=gold,
        parsed=parsed,
        by_head=match(g_head, p_head),
        by_span=match([*g_span, *g_head], [*p_span, *p_head]),
        by_attachment=match([*g_head, gold.attachment], [*p_head, parsed.attachment]),
        by_last=match([*g_head, gold.last], [*p_head, parsed.last]),
        by_first=match([*g_head, gold.first], [*p_head, parsed.first]),
        by_bracket=match(g_bracket, p_bracket),
        by_bracket_and_head=match([*g_bracket, gold.head], [*p_bracket, parsed.head]),
        alignment=alignment,
    )


def tally(comparison: Comparison, labeller: Labeller) -> Tally:
    """The counts of a comparison."""
    gold, parsed = comparison.gold, comparison.parsed
    size = len(labeller.names)

    def counted(flags: Flags | None = None) -> Ints:
        chosen = gold.construction if flags is None else gold.construction[flags]
        return np.bincount(chosen, minlength=size)

    columns = np.column_stack(
        [
            counted(),
            np.bincount(parsed.construction, minlength=size),
            counted(comparison.by_head.gold),
            counted(comparison.by_span.gold),
            np.where(labeller.is_recursive, 0, counted(comparison.by_attachment.gold)),
            counted(comparison.by_last.gold),
            counted(comparison.by_first.gold),
        ]
    )
    comparable = comparison.alignment.is_comparable
    return Tally(
        constructions={
            labeller.names[number]: ConstructionCounts(*columns[number].tolist())
            for number in np.flatnonzero(columns.any(axis=1)).tolist()
        },
        gold_coverage=_coverage(gold),
        parsed_coverage=_coverage(parsed),
        evalb_gold=gold.row.size,
        evalb_test=parsed.row.size,
        evalb_matched=int(np.count_nonzero(comparison.by_bracket.gold)),
        same_head=int(np.count_nonzero(comparison.by_bracket_and_head.gold)),
        sentences=comparable.size,
        scored=int(np.count_nonzero(comparable)),
        left_out=list(comparison.left_out),
    )


def comparisons(
    pairs: Iterator[SentencePair], tables: LabelTables, labeller: Labeller
) -> Iterator[tuple[SentencePair, Comparison]]:
    for pair in pairs:
        yield pair, compare(pair, tables, labeller)


def _coverage(derivation: Derivation) -> Coverage:
    covered = int(np.count_nonzero(derivation.is_covered))
    return Coverage(derivation.row.size, covered)
