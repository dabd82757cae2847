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

from collections import Counter
from dataclasses import dataclass, field
from operator import add
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.brackets import lost_brackets
from analyzer.derivation.columns import Derivation
from analyzer.derivation.deriver import Deriver
from analyzer.metrics.join import Join, Key, Matches, match
from analyzer.metrics.ratios import MatchCounts
from analyzer.metrics.spine_differences import differing_words
from analyzer.model.arrays import Flags, Ids, Ints, number_densely, sums_between
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.pairing.mismatches import OnMismatch, settle
from analyzer.pairing.words import Alignment, align

if TYPE_CHECKING:
    from analyzer.metrics.function_counts import FunctionTally
    from analyzer.metrics.functions import FunctionBlock


def late_types() -> dict[str, object]:
    """Types of fields that are imported only where a checkpoint is read."""
    from analyzer.metrics.function_counts import FunctionTally

    return {"FunctionTally": FunctionTally}


class Comparison(NamedTuple):
    """Gold and parsed derivations of a block, and their joins."""

    gold: Derivation
    parsed: Derivation
    by_head: Matches
    by_span: Matches
    by_attachment: Matches
    by_last: Matches
    by_first: Matches
    by_bracket: Matches  # evalb's, of brackets that have a construction
    by_bracket_and_head: Matches
    by_bracket_and_construction: Matches  # and head
    wrappers_matched: Ints  # per tree: what evalb matches beyond by_bracket
    alignment: Alignment
    constructions: ConstructionNames  # what the derivations' numbers mean
    lost_brackets: Ints | None = None  # per tree: see derivation.brackets
    functions: FunctionBlock | None = None  # if the deriver asks for them
    # Where the derivations above go by places in a text: by the words of each side.
    by_words: tuple[Derivation, Derivation] | None = None

    @property
    def told(self) -> tuple[Derivation, Derivation]:
        """Gold and parsed by the numbers of their own words, row by row the same."""
        return self.by_words or (self.gold, self.parsed)

    @property
    def left_out(self) -> list[LeftOut]:
        return self.alignment.left_out

    @property
    def ledger(self) -> Ledger:
        """What is scored of the block, what is left out and why."""
        lost = self.lost_brackets
        return self.alignment.ledger(None, 0 if lost is None else int(lost.sum()))

    @property
    def evalb_matched(self) -> Ints:
        """EVALB's matched brackets of each tree."""
        of_constructions = sums_between(self.by_bracket.gold, self.gold.starts)
        return of_constructions + self.wrappers_matched


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
        return ConstructionCounts._make(map(add, self, other))


COUNTS = ConstructionCounts._fields
_ATT = COUNTS.index("matched_att")


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
    brackets: MatchCounts = field(default_factory=MatchCounts)  # without heads
    wrappers: MatchCounts = field(default_factory=MatchCounts)  # no construction
    same_head: int = 0  # evalb matches whose heads agree too
    same_construction: int = 0  # and whose constructions do
    ledger: Ledger = field(default_factory=Ledger)
    functions: FunctionTally | None = None  # if asked for
    # Words by what their spines differ in: see `spine_differences`.
    differences: Counter[str] = field(default_factory=Counter)

    @property
    def sentences(self) -> int:
        """How many gold has."""
        return self.ledger.gold

    @property
    def scored(self) -> int:
        return self.ledger.scored

    @property
    def left_out(self) -> list[LeftOut]:
        return self.ledger.mismatches

    @property
    def evalb(self) -> MatchCounts:
        """EVALB's counts: of brackets that have a construction, and of wrappers."""
        return self.brackets.plus(self.wrappers)

    def add(self, other: Tally) -> None:
        for name, counts in other.constructions.items():
            known = self.constructions.get(name, ConstructionCounts())
            self.constructions[name] = known.plus(counts)
        self.gold_coverage = self.gold_coverage.plus(other.gold_coverage)
        self.parsed_coverage = self.parsed_coverage.plus(other.parsed_coverage)
        self.brackets = self.brackets.plus(other.brackets)
        self.wrappers = self.wrappers.plus(other.wrappers)
        self.same_head += other.same_head
        self.same_construction += other.same_construction
        self.ledger = self.ledger.plus(other.ledger)
        self.differences.update(other.differences)
        if other.functions is not None:
            if self.functions is None:
                self.functions = type(other.functions)()
            self.functions.add(other.functions)


def compare(
    pair: SentencePair, deriver: Deriver, *, on_mismatch: OnMismatch = OnMismatch.SKIP
) -> Comparison:
    """Derive both sides of a block and join them under every key.

    What becomes of a pair that cannot be compared: see `pairing.mismatches`.
    """
    tables = deriver.tables
    settled = settle(pair, align(pair, tables), tables, on_mismatch)
    alignment, places = settled
    gold = deriver.derive(pair.gold, alignment, of_gold=True)
    parsed = deriver.derive(pair.parsed, alignment, of_gold=False)
    by_words = None
    if places:
        from analyzer.derivation.characters import derivation_by_places

        by_words = gold, parsed
        gold = derivation_by_places(gold, places[0], of_gold=True)
        parsed = derivation_by_places(parsed, places[1], of_gold=False)
    found = join(gold, parsed, alignment, deriver.constructions)
    if deriver.function_tags is not None:
        from analyzer.metrics.functions import function_block

        functions = function_block(
            pair, settled, gold, parsed, deriver.constructions, deriver.function_tags
        )
        found = found._replace(functions=functions)
    if not alignment.left_out:
        return found
    found = found._replace(by_words=by_words)
    lost = lost_brackets(pair.gold, alignment, tables, with_leaves=not deriver.has_tags)
    return found._replace(lost_brackets=lost)


def join(
    gold: Derivation,
    parsed: Derivation,
    alignment: Alignment,
    constructions: ConstructionNames,
) -> Comparison:
    """Both sides joined under every key; words are whatever both number alike."""
    on_head = Join([gold.head, gold.construction], [parsed.head, parsed.construction])
    # Last words run backwards: so the rows come sorted, parents before children.
    on_bracket = Join(
        [gold.first, -gold.last, gold.key_label],
        [parsed.first, -parsed.last, parsed.key_label],
    )
    by_span = by_all = on_head.matches(
        [gold.first, gold.last], [parsed.first, parsed.last]
    )
    if constructions.merged:
        # A construction is of one label, unless several are scored as one.
        by_all = on_bracket.matches(
            [gold.head, gold.construction], [parsed.head, parsed.construction]
        )
    by_bracket = on_bracket.matches()
    return Comparison(
        gold=gold,
        parsed=parsed,
        by_head=on_head.matches(),
        by_span=by_span,
        by_attachment=on_head.matches([gold.attachment], [parsed.attachment]),
        by_last=on_head.matches([gold.last], [parsed.last]),
        by_first=on_head.matches([gold.first], [parsed.first]),
        by_bracket=by_bracket,
        by_bracket_and_head=on_bracket.matches([gold.head], [parsed.head]),
        by_bracket_and_construction=by_all,
        wrappers_matched=_wrappers_matched(gold, parsed, by_bracket),
        alignment=alignment,
        constructions=constructions,
    )


def _wrappers_matched(gold: Derivation, parsed: Derivation, found: Matches) -> Ints:
    """Per tree, how many more brackets evalb matches, since it has wrappers too.

    Labels may be ignored or equated: then a wrapper can be paired with a bracket that
    has a construction, but only with one that `found` left over.
    """
    if not (gold.wrappers.first.size or parsed.wrappers.first.size):
        return np.zeros(gold.starts.size - 1, np.int64)

    def key(side: Derivation, left: Ints) -> Key:
        around = side.wrappers
        return [
            np.append(around.first, side.first[left]),
            np.append(around.last, side.last[left]),
            np.append(around.key_label, side.key_label[left]),
        ]

    left = np.flatnonzero(~found.gold)
    is_matched = match(key(gold, left), key(parsed, np.flatnonzero(~found.parsed))).gold
    wrappers = gold.wrappers.first.size
    return sums_between(is_matched[:wrappers], gold.wrappers.starts) + sums_between(
        is_matched[wrappers:], np.searchsorted(left, gold.starts)
    )


def tally(comparison: Comparison, trees: Flags | None = None) -> Tally:
    """The counts of a comparison, or of some of its trees."""
    gold, parsed, names = comparison.gold, comparison.parsed, comparison.constructions
    alignment, lost = comparison.alignment, comparison.lost_brackets
    functions = comparison.functions
    chosen = np.ones(alignment.is_comparable.size, np.bool_) if trees is None else trees
    in_gold = np.repeat(chosen, np.diff(gold.starts))
    in_parsed = np.repeat(chosen, np.diff(parsed.starts))
    size = len(names)
    cells = gold.construction, parsed.construction
    if trees is not None:
        cells = np.where(in_gold, cells[0], size), np.where(in_parsed, cells[1], size)
    counts = _counted(comparison, *cells, size + 1)[:size]
    counts[names.is_recursive, _ATT] = 0
    return Tally(
        constructions={
            names[number]: ConstructionCounts(*counts[number].tolist())
            for number in np.flatnonzero(counts.any(axis=1)).tolist()
        },
        gold_coverage=_coverage(gold.is_covered[in_gold]),
        parsed_coverage=_coverage(parsed.is_covered[in_parsed]),
        brackets=MatchCounts(
            _count(comparison.by_bracket.gold & in_gold),
            _count(in_gold),
            _count(in_parsed),
        ),
        wrappers=MatchCounts(
            _sum(comparison.wrappers_matched, chosen),
            _sum(np.diff(gold.wrappers.starts), chosen),
            _sum(np.diff(parsed.wrappers.starts), chosen),
        ),
        same_head=_count(comparison.by_bracket_and_head.gold & in_gold),
        same_construction=_count(comparison.by_bracket_and_construction.gold & in_gold),
        ledger=alignment.ledger(trees, 0 if lost is None else _sum(lost, chosen)),
        functions=functions.tally(trees) if functions else None,
        differences=differing_words(
            gold, parsed, comparison.by_head, names, trees
        ).counted(),
    )


class Cells(NamedTuple):
    """Constructions of sentences, in order: only those that gold or the parse has."""

    sentence: Ids  # from 0
    construction: Ids
    counts: Ids  # cells x COUNTS

    def only(self, chosen: Flags) -> Cells:
        """Those of some of the sentences."""
        if chosen.all():
            return self
        rows = np.flatnonzero(chosen[self.sentence])
        return Cells(*(column[rows] for column in self))

    def sums(self, constructions: int) -> Ints:
        """Of all sentences: constructions x COUNTS."""
        found = [
            np.bincount(self.construction, column, minlength=constructions)
            for column in self.counts.T
        ]
        return np.stack(found, axis=1).astype(np.int64)

    def dense(self, sentences: int, constructions: int) -> Ints:
        """Sentences x constructions x COUNTS, zeros and all."""
        found = np.zeros((sentences, constructions, len(COUNTS)), np.int64)
        found[self.sentence, self.construction] = self.counts
        return found


def by_sentence(comparison: Comparison) -> Cells:
    """The counts of each sentence.

    What resampling works on; see metrics/significance.py.
    """
    trees, size = comparison.gold.starts.size - 1, len(comparison.constructions)

    def cells(derivation: Derivation) -> Ints:
        tree = np.repeat(np.arange(trees), np.diff(derivation.starts))
        return tree * size + derivation.construction

    gold, parsed = cells(comparison.gold), cells(comparison.parsed)
    cell, which = number_densely(np.concatenate([gold, parsed]))
    in_gold, in_parsed = which[: gold.size], which[gold.size :]
    counts = _counted(comparison, in_gold, in_parsed, cell.size)
    sentence, construction = np.divmod(cell, max(1, size))
    # Recursive constructions have no attachment of their own.
    is_recursive = comparison.constructions.is_recursive
    counts[is_recursive[construction], _ATT] = 0
    return Cells(*(one.astype(np.int32) for one in (sentence, construction, counts)))


def _counted(
    comparison: Comparison, gold: Ints | Ids, parsed: Ints | Ids, cells: int
) -> Ints:
    """Cells x COUNTS, given the cell of each row of gold and parsed."""
    matches = (
        comparison.by_head,
        comparison.by_span,
        comparison.by_attachment,
        comparison.by_last,
        comparison.by_first,
    )
    rows = [gold, parsed, *(gold[one.gold] for one in matches)]
    return np.stack([np.bincount(one, minlength=cells) for one in rows], axis=1)


def _coverage(is_covered: Flags) -> Coverage:
    return Coverage(is_covered.size, _count(is_covered))


def _sum(per_tree: Ints, chosen: Flags) -> int:
    return int(per_tree[chosen].sum())


def _count(flags: Flags) -> int:
    return int(np.count_nonzero(flags))
