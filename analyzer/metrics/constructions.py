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
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from operator import add
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from analyzer import _native
from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.brackets import lost_brackets
from analyzer.derivation.columns import Derivation
from analyzer.derivation.deriver import Deriver
from analyzer.metrics.counts import Counts, plus
from analyzer.metrics.join import Join, Key, Matches, match
from analyzer.metrics.measures import Measure
from analyzer.metrics.ratios import MatchCounts
from analyzer.metrics.spine_differences import differing_words
from analyzer.model.arrays import Flags, Ints, number_densely, sums_between
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger, LeftOut, united
from analyzer.pairing.mismatches import OnMismatch, aligned
from analyzer.pairing.words import Alignment, Side
from analyzer.runtime.executor import declared_here

if TYPE_CHECKING:
    from analyzer.metrics.functions import FunctionBlock, FunctionTally
    from analyzer.transform.label_tables import LabelTables


Signs = npt.NDArray[np.int8]

# Matches have the same head and construction (F-h); what else has to be the same, for
# each count of them.
KEYS: dict[str, Callable[[Derivation], Key]] = {
    "matched_h": lambda side: [],
    "matched_s": lambda side: [side.first, side.last],
    "matched_att": lambda side: [side.attachment],
    "matched_span_right": lambda side: [side.last],
    "matched_span_left": lambda side: [side.first],
}
# What is counted of a construction; `attachable` are F-h matches that have an
# attachment of their own, as those of recursive constructions have not.
COUNTS = ["gold", "parsed", *KEYS, "attachable"]
MEASURES = [
    Measure("f_h", "2 matched_h", "gold + parsed", "F-h"),
    Measure("f_s", "2 matched_s", "gold + parsed", "F-s"),
    Measure("att", "matched_att", "attachable", "att"),
    Measure("span_right", "matched_span_right", "matched_h", "spanR", detail=1),
    Measure("span_left", "matched_span_left", "matched_h", "spanL", detail=2),
    Measure("precision_h", "matched_h", "parsed", "P-h", detail=3),
    Measure("recall_h", "matched_h", "gold", "R-h", detail=3),
    Measure("precision_s", "matched_s", "parsed", "P-s", detail=3),
    Measure("recall_s", "matched_s", "gold", "R-s", detail=3),
]


def measures_of(detail: int) -> list[Measure]:
    """The measures of a table that goes into so much detail."""
    return [measure for measure in MEASURES if measure.detail <= detail]


def declare(
    measure: Measure, **keys: Callable[[Derivation], Key]
) -> Callable[[], None]:
    """Add a measure of constructions, and counts of matches that it is made of.

    What is returned takes them back.
    """
    before = dict(KEYS)

    def set_keys(given: Mapping[str, Callable[[Derivation], Key]]) -> None:
        KEYS.clear()
        KEYS.update(given)
        COUNTS[:] = ["gold", "parsed", *KEYS, "attachable"]

    def take_back() -> None:
        MEASURES.remove(measure)
        declared_here.remove(measure)
        set_keys(before)

    MEASURES.append(measure)
    declared_here.append(measure)
    set_keys({**KEYS, **keys})
    return take_back


class ConstructionCounts(tuple[int, ...]):
    """What all ratios of a construction are made of: a number for each of `COUNTS`.

    >>> counts = ConstructionCounts(4, 6, matched_h=3)
    >>> counts.parsed, counts.matched_s, (counts + counts).matched_h
    (6, 0, 6)
    """

    __slots__ = ()

    def __new__(cls, *numbers: int, **named: int) -> Self:
        if not named and len(numbers) == len(COUNTS):  # as all sums are
            return super().__new__(cls, numbers)
        values = dict(zip(COUNTS, numbers, strict=False)) | named
        return super().__new__(cls, (values.get(name, 0) for name in COUNTS))

    def __getnewargs__(self) -> tuple[int, ...]:
        return tuple(self)

    def __getattr__(self, name: str) -> int:
        if name not in COUNTS:
            raise AttributeError(name)
        return self[COUNTS.index(name)]

    def __add__(self, other: tuple[int, ...]) -> Self:  # type: ignore[override]
        return type(self)(*map(add, self, other))

    def _replace(self, **changed: int) -> Self:
        return type(self)(*self, **changed)


class Comparison(NamedTuple):
    """Gold and parsed derivations of a block, and their joins."""

    gold: Derivation
    parsed: Derivation
    by: Mapping[str, Matches]  # a join for each of `KEYS`
    by_bracket: Matches  # evalb's, of brackets that have a construction
    by_bracket_and_head: Matches
    by_bracket_and_construction: Matches  # and head
    wrappers_matched: Ints  # per tree: what evalb matches beyond by_bracket
    alignment: Alignment
    constructions: ConstructionNames  # what the derivations' numbers mean
    lost_brackets: Ints | None = None  # per tree: see derivation.brackets
    functions: FunctionBlock | None = None  # if the deriver asks for them
    # Where the derivations above go by places in a text: by the words of each side.
    own_words: tuple[Derivation, Derivation] | None = None
    # Of each row of gold and of parsed, whether both sides tag its head alike: 1, 0, or
    # -1 if only one side has that word. None: all have the same tags, or none.
    same_tags: tuple[Signs, Signs] | None = None

    @property
    def by_head(self) -> Matches:
        return self.by["matched_h"]

    @property
    def by_span(self) -> Matches:
        return self.by["matched_s"]

    @property
    def by_attachment(self) -> Matches:
        return self.by["matched_att"]

    @property
    def by_own_words(self) -> tuple[Derivation, Derivation]:
        """Gold and parsed by the numbers of their own words, row by row the same."""
        return self.own_words or (self.gold, self.parsed)

    @property
    def sides(self) -> tuple[Side, Side]:
        """Whose words the numbers of `by_own_words` are.

        They are the same words unless such were aligned; gold's then serve for both.
        """
        alignment = self.alignment
        if self.own_words is None:
            return alignment.gold, alignment.gold
        return alignment.gold, alignment.parsed

    @property
    def left_out(self) -> list[LeftOut]:
        return self.alignment.left_out

    def ledger(self, trees: Flags | None = None) -> Ledger:
        """What is scored of the block, or of some trees, what is left out and why."""
        lost = self.lost_brackets
        if lost is not None and trees is not None:
            lost = lost[trees]
        ledger = self.alignment.ledger(trees, 0 if lost is None else int(lost.sum()))
        if not self.constructions.overlaps:
            return ledger
        return replace(ledger, overlaps=united(self.constructions.overlaps))

    @property
    def evalb_matched(self) -> Ints:
        """EVALB's matched brackets of each tree."""
        of_constructions = sums_between(self.by_bracket.gold, self.gold.starts)
        return of_constructions + self.wrappers_matched


class Coverage(NamedTuple):
    """How many brackets there are, and how many a pattern matches."""

    brackets: int = 0
    covered: int = 0


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
    tokens: int = 0  # of gold, punctuation too, but no traces; or EDUs
    functions: FunctionTally | None = None  # if asked for
    # F-s of constructions whose heads both sides tag alike, and of those tagged
    # differently.
    right_tags: MatchCounts = field(default_factory=MatchCounts)
    wrong_tags: MatchCounts = field(default_factory=MatchCounts)
    # Words by what their spines differ in: see `spine_differences`.
    differences: Counter[str] = field(default_factory=Counter)

    @property
    def evalb(self) -> MatchCounts:
        """EVALB's counts: of brackets that have a construction, and of wrappers."""
        return plus(self.brackets, self.wrappers)


def compare(
    pair: Pair, deriver: Deriver, *, on_mismatch: OnMismatch = OnMismatch.SKIP
) -> Comparison:
    """Derive both sides of a block and join them under every key.

    What becomes of a pair that cannot be compared: see `pairing.mismatches`.
    """
    tables = deriver.tables
    alignment = aligned(pair, tables, on_mismatch)
    comparison = compare_aligned(alignment, deriver)
    if deriver.has_tags:
        comparison = comparison._replace(same_tags=_same_tags(comparison, tables))
    if deriver.function_tags is not None:
        from analyzer.metrics.functions import function_block

        functions = function_block(
            alignment,
            comparison.gold,
            comparison.parsed,
            deriver.constructions,
            deriver.function_tags,
        )
        comparison = comparison._replace(functions=functions)
    if not alignment.left_out:
        return comparison
    lost = lost_brackets(alignment, tables, with_leaves=not deriver.has_tags)
    return comparison._replace(lost_brackets=lost)


def compare_aligned(alignment: Alignment, deriver: Deriver) -> Comparison:
    """Both sides derived, by the places of words where these have some, and joined."""
    own = gold, parsed = (
        deriver.derive(alignment.gold),
        deriver.derive(alignment.parsed),
    )
    if alignment.gold.places is None:
        return join(gold, parsed, alignment, deriver.constructions)
    from analyzer.derivation.characters import derivation_by_places

    gold = derivation_by_places(gold, alignment.gold)
    parsed = derivation_by_places(parsed, alignment.parsed)
    joined = join(gold, parsed, alignment, deriver.constructions)
    return joined._replace(own_words=own)


def _same_tags(
    comparison: Comparison, tables: LabelTables
) -> tuple[Signs, Signs] | None:
    """Whether both sides tag the heads of rows alike; None if they tag all words so."""
    sides = comparison.alignment.gold, comparison.alignment.parsed
    gold, parsed = (
        side.bank.label[side.bank.leaf_node[side.word_leaves]] for side in sides
    )
    rows = comparison.gold.head, comparison.parsed.head
    if sides[0].places is None or sides[1].places is None:  # words are numbered alike
        if np.array_equal(gold, parsed):  # as where the parser was given gold's
            return None
        same = (tables.tag(gold) == tables.tag(parsed)).astype(np.int8)
        return None if same.all() else (same[rows[0]], same[rows[1]])
    # What is at each place, on either side; last, for heads that are no words.
    places = [side.places.spans.number for side in sides if side.places is not None]
    place, which = number_densely(np.concatenate(places))
    tag = np.full((2, place.size + 1), -1, np.int64)
    for side, tags in enumerate((gold, parsed)):
        tag[side, np.split(which, [places[0].size])[side]] = tables.tag(tags)
    same = np.where((tag < 0).any(axis=0), -1, tag[0] == tag[1]).astype(np.int8)
    if same.all():
        return None
    near = [np.minimum(np.searchsorted(place, head), place.size - 1) for head in rows]
    signs = [
        np.where(place[at] == head, same[at], np.int8(-1))
        for at, head in zip(near, rows, strict=True)
    ]
    return signs[0], signs[1]


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
    by = {name: on_head.matches(key(gold), key(parsed)) for name, key in KEYS.items()}
    by_all = by["matched_s"]
    if constructions.merged:
        # A construction is of one label, unless several are scored as one.
        by_all = on_bracket.matches(
            [gold.head, gold.construction], [parsed.head, parsed.construction]
        )
    by_bracket = on_bracket.matches()
    return Comparison(
        gold=gold,
        parsed=parsed,
        by=by,
        by_bracket=by_bracket,
        by_bracket_and_head=on_bracket.matches([gold.head], [parsed.head]),
        by_bracket_and_construction=by_all,
        wrappers_matched=_wrappers_matched(gold, parsed, by_bracket),
        alignment=alignment,
        constructions=constructions,
    )


def _wrappers_matched(gold: Derivation, parsed: Derivation, matches: Matches) -> Ints:
    """Per tree, how many more brackets evalb matches, since it has wrappers too.

    Labels may be ignored or equated: then a wrapper can be paired with a bracket that
    has a construction, but only with one that `matches` left over.
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

    left = np.flatnonzero(~matches.gold)
    is_matched = match(
        key(gold, left), key(parsed, np.flatnonzero(~matches.parsed))
    ).gold
    wrappers = gold.wrappers.first.size
    return sums_between(is_matched[:wrappers], gold.wrappers.starts) + sums_between(
        is_matched[wrappers:], np.searchsorted(left, gold.starts)
    )


class BracketSums(NamedTuple):
    """What is counted of the brackets of a sentence, whatever their construction."""

    tokens: int
    gold_covered: int
    parsed_covered: int
    matched: int  # as evalb does
    same_head: int
    same_construction: int
    wrappers_matched: int
    wrappers_gold: int
    wrappers_parsed: int
    right_tags_matched: int
    right_tags_gold: int
    right_tags_parsed: int
    wrong_tags_matched: int
    wrong_tags_gold: int
    wrong_tags_parsed: int


class SentenceCounts(NamedTuple):
    """What is counted of each sentence; a tally is the sum of some of them, or all."""

    constructions: Counts  # fields: COUNTS
    brackets: Ints  # sentences x BracketSums
    differing: Counts  # words whose spines differ

    def tally(self, trees: Flags | None = None) -> Tally:
        """The counts of all sentences together, or of some; without function tags."""
        counts, brackets, differing = self
        if trees is not None:
            counts, differing = counts.only(trees), differing.only(trees)
            brackets = brackets[trees]
        constructions = counts.named(ConstructionCounts)
        gold = sum(row.gold for row in constructions.values())
        parsed = sum(row.parsed for row in constructions.values())
        sums = BracketSums(*brackets.sum(axis=0).tolist())
        return Tally(
            constructions=constructions,
            gold_coverage=Coverage(gold, sums.gold_covered),
            parsed_coverage=Coverage(parsed, sums.parsed_covered),
            brackets=MatchCounts(sums.matched, gold, parsed),
            wrappers=MatchCounts(*sums[-9:-6]),
            right_tags=MatchCounts(*sums[-6:-3]),
            wrong_tags=MatchCounts(*sums[-3:]),
            same_head=sums.same_head,
            same_construction=sums.same_construction,
            tokens=sums.tokens,
            differences=differing.rows_of_names(),
        )


def tally(
    comparison: Comparison,
    trees: Flags | None = None,
    counts: SentenceCounts | None = None,
) -> Tally:
    """The counts of a comparison, or of some of its trees.

    `counts` are those of its sentences, if they are known.
    """
    whole = (counts or sentence_counts(comparison)).tally(trees)
    if comparison.functions is not None:
        whole.functions = comparison.functions.tally(trees)
    return whole


def sentence_counts(comparison: Comparison) -> SentenceCounts:
    """The counts of each sentence of a comparison."""
    gold, parsed = comparison.gold, comparison.parsed
    columns = [
        _tokens(comparison),
        sums_between(gold.is_covered, gold.starts),
        sums_between(parsed.is_covered, parsed.starts),
        sums_between(comparison.by_bracket.gold, gold.starts),
        sums_between(comparison.by_bracket_and_head.gold, gold.starts),
        sums_between(comparison.by_bracket_and_construction.gold, gold.starts),
        comparison.wrappers_matched,
        np.diff(gold.wrappers.starts),
        np.diff(parsed.wrappers.starts),
        *_by_tags(comparison),
    ]
    differing = differing_words(
        gold, parsed, comparison.by_head, comparison.constructions
    )
    return SentenceCounts(_by_sentence(comparison), np.column_stack(columns), differing)


def _tokens(comparison: Comparison) -> Ints:
    """The tokens of gold's trees that are scored: what counts for evalb's length."""
    alignment, bank = comparison.alignment, comparison.alignment.gold.bank
    tokens = np.diff(bank.leaf_start)
    if alignment.tables is not None:
        tags = bank.label[bank.leaf_node]
        counts = alignment.tables.counts_for_length(tags)
        tokens = sums_between(counts, bank.leaf_start)
    return np.where(alignment.is_comparable, tokens, 0)


def _by_tags(comparison: Comparison) -> list[Ints]:
    """F-s of each sentence where tags are right, where wrong: matched, gold, parsed."""
    starts = comparison.gold.starts, comparison.parsed.starts
    sizes = [int(side.row.size) for side in (comparison.gold, comparison.parsed)]
    gold, parsed = comparison.same_tags or [np.ones(size, np.int8) for size in sizes]
    return [
        sums_between(flags, of)
        for sign in (1, 0)
        for flags, of in (
            (comparison.by_span.gold & (gold == sign), starts[0]),
            (gold == sign, starts[0]),
            (parsed == sign, starts[1]),
        )
    ]


def _by_sentence(comparison: Comparison) -> Counts:
    """The counts of each sentence, by construction.

    What resampling works on; see metrics/significance.py.
    """
    trees, size = comparison.gold.starts.size - 1, len(comparison.constructions)

    def cells(derivation: Derivation) -> Ints:
        tree = np.repeat(np.arange(trees), np.diff(derivation.starts))
        return tree * size + derivation.construction

    gold, parsed = cells(comparison.gold), cells(comparison.parsed)
    cell, which = number_densely(np.concatenate([gold, parsed]))
    in_gold, in_parsed = which[: gold.size], which[gold.size :]
    hits = [matches.gold for matches in comparison.by.values()]
    if _native.has_kernel():
        counts = np.zeros((cell.size, len(COUNTS)), np.int32)
        # Of each row, a bit for each count that it is one of.
        code = np.ones(gold.size, np.int32)
        for bit, is_hit in enumerate([*hits, hits[0]], start=2):
            code |= np.left_shift(is_hit, bit, dtype=np.int32)
        _native.count_bits(in_gold, code, counts)
        _native.count_bits(in_parsed, np.full(parsed.size, 2, np.int32), counts)
    else:
        matched = [in_gold[is_hit] for is_hit in hits]
        rows = [in_gold, in_parsed, *matched, matched[0]]
        columns = [np.bincount(row, minlength=cell.size) for row in rows]
        counts = np.stack(columns, axis=1).astype(np.int32)
    sentence, construction = np.divmod(cell, max(1, size))
    # Recursive constructions have no attachment of their own.
    is_recursive = comparison.constructions.is_recursive[construction]
    for name in ("matched_att", "attachable"):
        counts[is_recursive, COUNTS.index(name)] = 0
    sentence, construction = sentence.astype(np.int32), construction.astype(np.int32)
    names = comparison.constructions.listed
    return Counts(names, trees, sentence, construction, counts)
