"""Two annotations of the same text: how far they agree, and where they do not.

The joins are those of `score`; neither side is gold, so only what is symmetric is
told: F scores, shares of matches, and Cohen's kappa where categories are given:

    label        phrases with the same span: which label
    construction phrases with the same span: which construction
    attachment   the same head and construction: how far away the governor is
    tag          words: which tag

kappa = (observed - expected) / (1 - expected); undefined if nothing is matched or
agreement is certain (one category). Cohen (1960).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from analyzer.analyses.disagreements import (
    Groups,
    Side,
    add,
    disagreements,
    tag_disagreements,
)
from analyzer.analyses.errors import Kind, error_rows
from analyzer.analyses.score import ConstructionRow, ConstructionScores, settings
from analyzer.constructions.inventory import Inventory
from analyzer.constructions.labeller import DISCOURSE, Labeller
from analyzer.constructions.language import DEFAULT_INVENTORY
from analyzer.metrics.constructions import Comparison, derivation_of, joined, tally
from analyzer.metrics.join import Key, match
from analyzer.metrics.ratios import ratio
from analyzer.metrics.signature import Signature
from analyzer.model.symbols import SYMBOLS, Ids, Ints
from analyzer.model.treebank import Treebank
from analyzer.pairing.characters import Places, aligned_by_characters, by_characters
from analyzer.pairing.in_step import SentencePair, open_pairs
from analyzer.pairing.words import align
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.parameters import EvalbParameters

_LONGEST = 10_000  # characters of a governor that are told apart
_NOT_A_WORD = -(1 << 60)  # ROOT and null: further away than any word
Pairs = Counter[tuple[str | int, str | int]]


class Kappa(NamedTuple):
    """Cohen's kappa and what it is made of; None where undefined."""

    n: int
    observed: float | None
    expected: float | None
    kappa: float | None


def cohen(pairs: Pairs) -> Kappa:
    """Chance-corrected agreement over pairs of categories.

    >>> cohen(Counter({("a", "a"): 20, ("a", "b"): 5, ("b", "a"): 10, ("b", "b"): 15}))
    Kappa(n=50, observed=0.7, expected=0.5, kappa=0.4)
    >>> cohen(Counter({("a", "a"): 3})).kappa is None
    True
    """
    n = sum(pairs.values())
    left: Counter[str | int] = Counter()
    right: Counter[str | int] = Counter()
    for (one, other), count in pairs.items():
        left[one] += count
        right[other] += count
    same = sum(count for (one, other), count in pairs.items() if one == other)
    # In whole numbers, so that full agreement is 1 and sides can be exchanged.
    chance = sum(count * right[category] for category, count in left.items())
    return Kappa(
        n,
        ratio(same, n),
        ratio(chance, n * n),
        ratio(same * n - chance, n * n - chance),
    )


class AgreementRow(NamedTuple):
    """A construction, or all of them; counts, ratios, None where undefined."""

    construction: str
    recursive: bool
    a: int
    b: int
    matched_h: int
    matched_s: int
    matched_att: int | None
    matched_span_right: int
    matched_span_left: int
    f_h: float | None
    f_s: float | None
    att: float | None
    span_right: float | None
    span_left: float | None
    kappa_construction: float | None
    kappa_att: float | None


@dataclass
class Agreement:
    """What `agree` returns: scores, kappas, and the disagreements in groups."""

    scores: ConstructionScores
    by_characters: bool = False
    labels: Pairs = field(default_factory=Counter)
    constructions: Pairs = field(default_factory=Counter)
    attachments: dict[str, Pairs] = field(default_factory=dict)
    tags: Pairs = field(default_factory=Counter)
    groups: Groups = field(default_factory=dict)

    @property
    def signature(self) -> Signature:
        # The scores' own, so that a number can be traced; only the scorer differs.
        unit = "characters" if self.by_characters else "words"
        scored = self.scores.signature.replace(scorer="agreement")
        return scored.insert("patterns", positions=unit)

    @property
    def kappas(self) -> dict[str, Kappa]:
        together: Pairs = Counter()
        for pairs in self.attachments.values():
            together.update(pairs)
        found = {
            "label": cohen(self.labels),
            "construction": cohen(self.constructions),
            "attachment": cohen(together),
            "tag": cohen(self.tags),
        }
        if self.scores.labeller.kind == DISCOURSE:
            # Units have no label but their construction, and EDUs no tags.
            del found["label"], found["tag"]
        return found

    @property
    def rows(self) -> list[AgreementRow]:
        """One row a construction, most frequent first."""
        rows = sorted(
            self.scores.rows, key=lambda r: (-r.gold - r.parsed, r.construction)
        )
        return [self._row(row) for row in rows]

    @property
    def total(self) -> AgreementRow:
        kappas = self.kappas
        return _agreement_row(
            self.scores.total, kappas["construction"].kappa, kappas["attachment"].kappa
        )

    def _row(self, row: ConstructionRow) -> AgreementRow:
        name = row.construction
        against_rest: Pairs = Counter()
        for (one, other), count in self.constructions.items():
            against_rest[one == name, other == name] += count
        kappa = cohen(self.attachments.get(name, Counter())).kappa
        return _agreement_row(row, cohen(against_rest).kappa, kappa)

    def add(
        self, pair: SentencePair, comparison: Comparison, sides: tuple[Side, Side]
    ) -> None:
        """Count a run of sentences."""
        labeller = self.scores.labeller
        self.scores.tally.add(tally(comparison, labeller))
        self.constructions.update(_construction_pairs(comparison, labeller))
        for name, pairs in _attachment_pairs(comparison, labeller, sides).items():
            self.attachments.setdefault(name, Counter()).update(pairs)
        sentence = pair.first_sentence
        add(self.groups, disagreements(*sides, comparison, labeller, sentence))
        if labeller.kind != DISCOURSE:  # units have no labels, and EDUs no tags
            self.labels.update(_label_pairs(comparison))
            found = match([sides[0].places.word], [sides[1].places.word])
            words = (np.flatnonzero(found.gold), found.partner[found.gold])
            tags = (sides[0].tags[words[0]], sides[1].tags[words[1]])
            self.tags.update(_named(tags[0], tags[1], SYMBOLS.names))
            add(self.groups, tag_disagreements(*sides, words, sentence))


def _agreement_row(
    row: ConstructionRow, kappa: float | None, kappa_att: float | None
) -> AgreementRow:
    return AgreementRow(
        construction=row.construction,
        recursive=row.recursive,
        a=row.gold,
        b=row.parsed,
        matched_h=row.matched_h,
        matched_s=row.matched_s,
        matched_att=row.matched_att,
        matched_span_right=row.matched_span_right,
        matched_span_left=row.matched_span_left,
        f_h=row.f_h,
        f_s=row.f_s,
        att=row.att,
        span_right=row.span_right,
        span_left=row.span_left,
        kappa_construction=kappa,
        kappa_att=kappa_att,
    )


def agree(
    a: str | Treebank,
    b: str | Treebank,
    *,
    patterns: str | Inventory = DEFAULT_INVENTORY,
    parameters: str | EvalbParameters = "collins",
    merge: dict[str, str] | None = None,
    by_characters: bool = False,
    strict: bool = False,
    encoding: str = "utf-8",
) -> Agreement:
    """How far two annotations of the same sentences agree.

    >>> one = "(S (NP (PRP I)) (VP (VBP see)))"
    >>> agree(one, one).total.f_s
    1.0
    """
    tables, labeller = settings(patterns=patterns, parameters=parameters, merge=merge)
    pairs, surplus = open_pairs(a, b, strict=strict, encoding=encoding)
    result = Agreement(ConstructionScores(labeller, tables.parameters), by_characters)
    agree_into(result, pairs, tables)
    result.scores.surplus = surplus()
    return result


def agree_into(
    result: Agreement, pairs: Iterator[SentencePair], tables: LabelTables
) -> None:
    """Compare pair by pair, adding to the result."""
    for pair in pairs:
        found = _compared(pair, tables, result.scores.labeller, result.by_characters)
        result.add(pair, *found)


def _compared(
    pair: SentencePair, tables: LabelTables, labeller: Labeller, characters: bool
) -> tuple[Comparison, tuple[Side, Side]]:
    if characters:
        alignment, *places = aligned_by_characters(pair, tables)
    else:
        alignment = align(pair, tables)
        sizes = np.diff(alignment.gold_starts)[alignment.is_comparable]
        places = [Places.of_words(int(sizes.sum()))] * 2
    sides = []
    for at, bank in enumerate((pair.gold, pair.parsed)):
        derivation = derivation_of(bank, alignment, tables, labeller, of_gold=at == 0)
        leaves = (alignment.gold_leaves, alignment.parsed_leaves)[at]
        starts = (alignment.gold_starts, alignment.parsed_starts)[at]
        leaves = leaves[np.repeat(alignment.is_comparable, np.diff(starts))]
        tags = tables.tag_class[bank.label[bank.leaf_node[leaves]]]
        sides.append(Side(bank, derivation, leaves, tags, places[at]))
    a, b = (side.derivation for side in sides)
    if characters:
        a, b = by_characters(a, places[0]), by_characters(b, places[1])
    return joined(a, b, alignment, labeller), (sides[0], sides[1])


def _paired(exact: tuple[Key, Key], loose: tuple[Key, Key]) -> tuple[Ints, Ints]:
    """Rows that agree, then what is left with the same loose key, in order."""
    same = match(*exact)
    left, right = np.flatnonzero(~same.gold), np.flatnonzero(~same.parsed)
    rest = match([c[left] for c in loose[0]], [c[right] for c in loose[1]])
    return (
        np.concatenate([np.flatnonzero(same.gold), left[rest.gold]]),
        np.concatenate([same.partner[same.gold], right[rest.partner[rest.gold]]]),
    )


def _label_pairs(comparison: Comparison) -> Pairs:
    a, b = comparison.gold, comparison.parsed
    spans: tuple[Key, Key] = ([a.first, -a.last], [b.first, -b.last])
    exact: tuple[Key, Key] = ([*spans[0], a.key_label], [*spans[1], b.key_label])
    left, right = _paired(exact, spans)
    return _named(a.key_label[left], b.key_label[right], SYMBOLS.names)


def _construction_pairs(comparison: Comparison, labeller: Labeller) -> Pairs:
    sides = (comparison.gold, comparison.parsed)
    if labeller.kind == DISCOURSE:
        # A link and a schema over the same EDUs are two things, not two names of one.
        families = [labeller.is_recursive[side.construction] for side in sides]
    else:
        families = [np.zeros(side.row.size, np.bool_) for side in sides]
    spans: list[Key] = [
        [side.first, -side.last, family.astype(np.int64)]
        for side, family in zip(sides, families, strict=True)
    ]
    names = (sides[0].construction, sides[1].construction)
    left, right = _paired(
        ([*spans[0], names[0]], [*spans[1], names[1]]), (spans[0], spans[1])
    )
    return _named(names[0][left], names[1][right], labeller.names)


def _attachment_pairs(
    comparison: Comparison, labeller: Labeller, sides: tuple[Side, Side]
) -> dict[str, Pairs]:
    """Per match of head and construction: how far the governor is, on each side.

    Governors are words, and every sentence has others; how far away one is, is a
    category that all sentences share, and it is the same exactly if the word is.
    """
    simple = ~labeller.is_recursive[comparison.gold.construction]
    exact = comparison.by_attachment
    chosen = np.flatnonzero(exact.gold & simple)
    others = error_rows(comparison, labeller, Kind.ATTACHMENT)
    left = np.concatenate([chosen, others[0]])
    right = np.concatenate([exact.partner[chosen], others[1]])
    number = comparison.gold.construction[left]
    found: dict[str, Pairs] = {}
    if not left.size:
        return found
    columns = [number, _distance(sides[0], left), _distance(sides[1], right)]
    distinct, counts = np.unique(
        np.column_stack(columns).astype(np.int64), axis=0, return_counts=True
    )
    for (name, one, other), count in zip(
        distinct.tolist(), counts.tolist(), strict=True
    ):
        pairs = found.setdefault(labeller.names[name], Counter())
        pairs[one, other] = count
    return found


def _distance(side: Side, rows: Ints) -> Ints:
    """From head to governor, and how long the governor is: in one number."""
    governor = side.derivation.attachment[rows]
    start, end = side.places.start, side.places.end
    word = np.maximum(governor, 0)
    width = np.minimum(end[word] - start[word], _LONGEST - 1)
    distance = (start[word] - start[side.derivation.head[rows]]) * _LONGEST + width
    return np.where(governor >= 0, distance, _NOT_A_WORD + governor)


def _named(left: Ints | Ids, right: Ints | Ids, names: list[str]) -> Pairs:
    """How often each pair of names occurs."""
    if not left.size:
        return Counter()
    both = np.column_stack([left, right]).astype(np.int64)
    distinct, counts = np.unique(both, axis=0, return_counts=True)
    return Counter(
        {
            (names[one], names[other]): count
            for (one, other), count in zip(
                distinct.tolist(), counts.tolist(), strict=True
            )
        }
    )
