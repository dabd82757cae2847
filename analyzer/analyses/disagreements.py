"""What two annotations of a block have in common, and what they do differently.

Disagreements are grouped so that one decision settles many. A group is a kind and what
either side has: another construction for the same word (`construction`), the same one
over other words (`span-left`, `span-right`, `span-both`), or attached elsewhere
(`attachment`), another tag (`tag`), other function tags (`function`). Beside them, the
categories that both chose for the same thing are counted, pair by pair.
Discourse has four factors besides: constituent, attachment, nuclearity, relation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from analyzer.analyses.errors import NOTHING, Kind, confused_rows, error_rows
from analyzer.derivation.columns import IN_SPINE, NULL, ROOT, Derivation
from analyzer.derivation.deriver import Deriver
from analyzer.derivation.units import ROOT_EDU, dependencies, unit_columns
from analyzer.metrics.constructions import Comparison, Tally, compare_aligned, tally
from analyzer.metrics.join import Key, match
from analyzer.metrics.ratios import CategoryPairs, Kappa, cohen, f_score, kappa_of
from analyzer.model.arrays import Flags, Ids, Ints
from analyzer.model.discourse import SATELLITE, Documents
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.characters import aligned_by_characters, with_word_places
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger
from analyzer.pairing.mismatches import OnMismatch, set_apart
from analyzer.pairing.tags import traits_of
from analyzer.pairing.words import CharSpans, Side, align
from analyzer.transform.labels import LabelSet

EXAMPLES = 100_000  # kept of each group: all, unless it is not worth reading
_WORDS_SHOWN = 12
_LONGEST = 10_000  # characters of a governor that are told apart
_NOT_A_WORD = -(1 << 60)  # ROOT and null: further away than any word
CONSTRUCTION: str = "construction"
ATTACHMENT: str = "attachment"
TAG: str = "tag"
FUNCTION: str = "function"
LABEL: str = "label"  # of a bracket
EXTRA: str = "extra"
MISSING: str = "missing"


class Example(NamedTuple):
    """Where a disagreement is: what each side has there, in words."""

    sentence: int
    word: str
    a: str | None
    b: str | None
    file: str = ""  # of A
    line: int = 0
    file_b: str = ""
    line_b: int = 0
    id: str = ""  # what the file calls the sentence


class GroupKey(NamedTuple):
    kind: str
    a: str
    b: str


@dataclass
class Group:
    """Disagreements of one kind."""

    count: int = 0
    examples: list[Example] = field(default_factory=list)

    def __add__(self, other: Group) -> Group:
        examples = [*self.examples, *other.examples][:EXAMPLES]
        return Group(self.count + other.count, examples)


Groups = dict[GroupKey, Group]


@dataclass(frozen=True)
class AnnotatedSide:
    """One annotation of a block: words are counted as this side has them."""

    side: Side
    derivation: Derivation
    tags: Ids  # the tag of each compared word, as it is compared
    has_tags: bool = True  # EDUs have none

    @property
    def bank(self) -> Treebank:
        return self.side.bank

    @cached_property
    def leaves(self) -> Ints:
        """The leaf that each compared word is."""
        return self.side.word_leaves

    @property
    def places(self) -> CharSpans:
        """Where both sides agree that words are."""
        assert self.side.places is not None
        return self.side.places.spans

    def word(self, row: int) -> str:
        return self.bank.form(int(self.leaves[self.derivation.head[row]]))

    def span(self, row: int) -> str | None:
        """The words of a construction, the middle of a long one left out."""
        if row < 0:
            return None
        first, last = int(self.derivation.first[row]), int(self.derivation.last[row])
        leaves, middle = self.leaves[first:last], []
        if leaves.size > _WORDS_SHOWN:
            leaves, middle = leaves[[*range(5), *range(-5, 0)]], ["…"]
        words = self.bank.forms(leaves)
        return " ".join([*words[:5], *middle, *words[5:]])

    def governor(self, row: int) -> str:
        number = int(self.derivation.attachment[row])
        if number < 0:
            return _NO_WORD[number]
        return self.bank.form(int(self.leaves[number]))

    def tree(self, word: int) -> int:
        return (
            int(np.searchsorted(self.bank.leaf_start, self.leaves[word], "right")) - 1
        )


def function_disagreements(
    a: AnnotatedSide,
    b: AnnotatedSide,
    rows: tuple[Ints, Ints],
    names: tuple[Sequence[str], Sequence[str]],
    first_sentence: int,
) -> Iterator[tuple[GroupKey, Example]]:
    """Brackets with the same span and label, but with other function tags."""
    for left, right, of_a, of_b in zip(
        *(r.tolist() for r in rows), *names, strict=True
    ):
        if of_a == of_b:
            continue
        tree = a.tree(int(a.derivation.head[left]))
        shown = (a.span(left), b.span(right))
        example = _example(a, b, first_sentence, tree, a.word(left), shown)
        yield GroupKey(FUNCTION, of_a or NOTHING, of_b or NOTHING), example


_NO_WORD = {ROOT: "ROOT", NULL: IN_SPINE}


def _example(
    a: AnnotatedSide,
    b: AnnotatedSide,
    first: int,
    tree: int,
    word: str,
    shown: tuple[str | None, str | None],
) -> Example:
    places = [(side.bank.source, int(side.bank.line[tree])) for side in (a, b)]
    name = a.bank.id_of(tree) or b.bank.id_of(tree)
    return Example(first + tree, word, *shown, *places[0], *places[1], name)


def disagreements(
    a: AnnotatedSide, b: AnnotatedSide, comparison: Comparison, first_sentence: int
) -> Iterator[tuple[GroupKey, Example]]:
    """Every disagreement about constructions, in the order of kinds."""

    def example(left: int, right: int, shown: tuple[str | None, str | None]) -> Example:
        side, row = (a, left) if left >= 0 else (b, right)
        tree = side.tree(int(side.derivation.head[row]))
        return _example(a, b, first_sentence, tree, side.word(row), shown)

    names = comparison.constructions
    for left, right in _rows(confused_rows(comparison)):
        key = GroupKey(
            CONSTRUCTION,
            names[a.derivation.construction[left]] if left >= 0 else NOTHING,
            names[b.derivation.construction[right]] if right >= 0 else NOTHING,
        )
        yield key, example(left, right, (a.span(left), b.span(right)))
    for left, right in _rows(error_rows(comparison, Kind.SPAN)):
        name = names[a.derivation.construction[left]]
        key = GroupKey(_edge(comparison, left, right), name, name)
        yield key, example(left, right, (a.span(left), b.span(right)))
    for left, right in _rows(error_rows(comparison, Kind.ATTACHMENT)):
        name = names[a.derivation.construction[left]]
        key = GroupKey(
            ATTACHMENT,
            f"{name} < {_governed(a, left)}",
            f"{name} < {_governed(b, right)}",
        )
        yield key, example(left, right, (a.governor(left), b.governor(right)))


def tag_disagreements(
    a: AnnotatedSide, b: AnnotatedSide, words: tuple[Ints, Ints], first_sentence: int
) -> Iterator[tuple[GroupKey, Example]]:
    """Words that have different tags."""
    left, right = words
    differ = a.tags[left] != b.tags[right]
    for in_a, in_b in _rows((left[differ], right[differ])):
        tags = (SYMBOLS.name(int(a.tags[in_a])), SYMBOLS.name(int(b.tags[in_b])))
        word = a.bank.form(int(a.leaves[in_a]))
        example = _example(a, b, first_sentence, a.tree(in_a), word, tags)
        yield GroupKey(TAG, *tags), example


def add(groups: Groups, examples: Iterator[tuple[GroupKey, Example]]) -> None:
    for key, example in examples:
        group = groups.setdefault(key, Group())
        group.count += 1
        if len(group.examples) < EXAMPLES:
            group.examples.append(example)


def _rows(rows: tuple[Ints, Ints]) -> Iterator[tuple[int, int]]:
    return zip(rows[0].tolist(), rows[1].tolist(), strict=True)


def _edge(comparison: Comparison, left: int, right: int) -> str:
    """Which edges differ; seen where both sides number words alike."""
    a, b = comparison.gold, comparison.parsed
    if a.first[left] == b.first[right]:
        return "span-right"
    return "span-left" if a.last[left] == b.last[right] else "span-both"


def _governed(side: AnnotatedSide, row: int) -> str:
    """What kind of word governs: its tag; of discourse units, on which side."""
    governor = int(side.derivation.attachment[row])
    if governor < 0:
        return _NO_WORD[governor]
    if not side.has_tags:
        return "before" if governor < side.derivation.head[row] else "after"
    return SYMBOLS.name(int(side.tags[governor]))


def tag_pairs(
    sides: tuple[AnnotatedSide, AnnotatedSide], words: tuple[Ints, Ints]
) -> CategoryPairs:
    """Per word that both sides have: which tag."""
    tags = (sides[0].tags[words[0]], sides[1].tags[words[1]])
    return named_pairs(tags[0], tags[1], SYMBOLS.name)


def _paired(exact: tuple[Key, Key], loose: tuple[Key, Key]) -> tuple[Ints, Ints]:
    """Rows that agree, then what is left with the same loose key, in order."""
    same = match(*exact)
    left, right = np.flatnonzero(~same.gold), np.flatnonzero(~same.parsed)
    rest = match([c[left] for c in loose[0]], [c[right] for c in loose[1]])
    return (
        np.concatenate([np.flatnonzero(same.gold), left[rest.gold]]),
        np.concatenate([same.partner[same.gold], right[rest.partner[rest.gold]]]),
    )


def label_pairs(comparison: Comparison) -> CategoryPairs:
    """Per span that both sides have: which label."""
    a, b = comparison.gold, comparison.parsed
    spans: tuple[Key, Key] = ([a.first, -a.last], [b.first, -b.last])
    exact: tuple[Key, Key] = ([*spans[0], a.key_label], [*spans[1], b.key_label])
    left, right = _paired(exact, spans)
    return named_pairs(a.key_label[left], b.key_label[right], SYMBOLS.name)


def function_names(side: AnnotatedSide, rows: Ints, labels: LabelSet) -> list[str]:
    """The function tags of some brackets, in the order of the alphabet."""
    used, which = np.unique(
        side.bank.label[side.derivation.row[rows]], return_inverse=True
    )
    names = [
        "-".join(sorted(labels.function_tags(SYMBOLS.name(int(number)))))
        for number in used
    ]
    return [names[at] for at in which.tolist()]


def construction_pairs(comparison: Comparison, *, apart: bool) -> CategoryPairs:
    """Per span that both sides have: which construction.

    With `apart`, recursive constructions are paired with recursive ones only: a link
    and a schema over the same EDUs are two things, not two names of one.
    """
    sides = (comparison.gold, comparison.parsed)
    spans: list[Key] = [[side.first, -side.last] for side in sides]
    if apart:
        is_recursive = comparison.constructions.is_recursive.astype(np.int64)
        for span, side in zip(spans, sides, strict=True):
            span.append(is_recursive[side.construction])
    names = (sides[0].construction, sides[1].construction)
    left, right = _paired(
        ([*spans[0], names[0]], [*spans[1], names[1]]), (spans[0], spans[1])
    )
    name = comparison.constructions.__getitem__
    return named_pairs(names[0][left], names[1][right], name)


def attachment_pairs(
    comparison: Comparison, sides: tuple[AnnotatedSide, AnnotatedSide]
) -> dict[str, CategoryPairs]:
    """Per match of head and construction: how far the governor is, on each side.

    The governors of two sentences are different words, but their distances are
    categories that all sentences share; and both sides have the same distance exactly
    if they have the same governor.
    """
    simple = ~comparison.constructions.is_recursive[comparison.gold.construction]
    exact = comparison.by_attachment
    chosen = np.flatnonzero(exact.gold & simple)
    others = error_rows(comparison, Kind.ATTACHMENT)
    left = np.concatenate([chosen, others[0]])
    right = np.concatenate([exact.partner[chosen], others[1]])
    number = comparison.gold.construction[left]
    by_construction: dict[str, CategoryPairs] = {}
    if not left.size:
        return by_construction
    columns = [number, _distance(sides[0], left), _distance(sides[1], right)]
    distinct, counts = np.unique(
        np.column_stack(columns).astype(np.int64), axis=0, return_counts=True
    )
    for (name, distance, other), count in zip(
        distinct.tolist(), counts.tolist(), strict=True
    ):
        pairs = by_construction.setdefault(comparison.constructions[name], Counter())
        pairs[distance, other] = count
    return by_construction


def _distance(side: AnnotatedSide, rows: Ints) -> Ints:
    """From head to governor, and how long the governor is: in one number."""
    governor = side.derivation.attachment[rows]
    start, end = side.places.start, side.places.end
    word = np.maximum(governor, 0)
    width = np.minimum(end[word] - start[word], _LONGEST - 1)
    distance = (start[word] - start[side.derivation.head[rows]]) * _LONGEST + width
    return np.where(governor >= 0, distance, _NOT_A_WORD + governor)


def named_pairs(
    left: Ints | Ids, right: Ints | Ids, name: Callable[[int], str]
) -> CategoryPairs:
    """How often each pair of names occurs."""
    if not left.size:
        return Counter()
    both = np.column_stack([left, right]).astype(np.int64)
    distinct, counts = np.unique(both, axis=0, return_counts=True)
    return Counter(
        {
            (name(first), name(second)): count
            for (first, second), count in zip(
                distinct.tolist(), counts.tolist(), strict=True
            )
        }
    )


@dataclass
class AgreementCounts:
    """What two annotations have in common and where they differ; parts add up."""

    tally: Tally = field(default_factory=Tally)
    labels: CategoryPairs = field(default_factory=Counter)
    constructions: CategoryPairs = field(default_factory=Counter)
    attachments: dict[str, CategoryPairs] = field(default_factory=dict)
    tags: CategoryPairs = field(default_factory=Counter)
    functions: CategoryPairs = field(default_factory=Counter)
    groups: Groups = field(default_factory=dict)


@dataclass(frozen=True)
class AgreementCounter:
    """How a pair is compared."""

    deriver: Deriver
    by_characters: bool = False
    on_mismatch: OnMismatch = OnMismatch.SKIP

    def __call__(self, pair: Pair) -> tuple[AgreementCounts, Ledger]:
        comparison, sides = self._compare(pair)
        has_tags, sentence = self.deriver.has_tags, pair.first_sentence
        counts = AgreementCounts(
            tally(comparison),
            constructions=construction_pairs(comparison, apart=not has_tags),
            attachments=attachment_pairs(comparison, sides),
        )
        add(counts.groups, disagreements(*sides, comparison, sentence))
        if has_tags:
            counts.labels = label_pairs(comparison)
            both = match([sides[0].places.number], [sides[1].places.number])
            words = (np.flatnonzero(both.gold), both.partner[both.gold])
            counts.tags = tag_pairs(sides, words)
            add(counts.groups, tag_disagreements(*sides, words, sentence))
            self._count_functions(counts, comparison, sides, sentence)
        traits = traits_of(pair) if has_tags else frozenset()
        return counts, replace(comparison.ledger(), traits=traits)

    def _count_functions(
        self,
        counts: AgreementCounts,
        comparison: Comparison,
        sides: tuple[AnnotatedSide, AnnotatedSide],
        sentence: int,
    ) -> None:
        same = comparison.by_bracket
        rows = np.flatnonzero(same.gold), same.partner[same.gold]
        labels = self.deriver.inventory.labels
        of_a, of_b = (
            function_names(side, of, labels)
            for side, of in zip(sides, rows, strict=True)
        )
        if not (any(of_a) and any(of_b)):
            return  # a side that is annotated without them
        counts.functions = Counter(zip(of_a, of_b, strict=True))
        examples = function_disagreements(*sides, rows, (of_a, of_b), sentence)
        add(counts.groups, examples)

    def _compare(
        self, pair: Pair
    ) -> tuple[Comparison, tuple[AnnotatedSide, AnnotatedSide]]:
        deriver, tables = self.deriver, self.deriver.tables
        if self.by_characters:
            alignment = aligned_by_characters(pair, tables)
        else:
            alignment = with_word_places(align(pair, tables))
        if alignment.left_out and self.on_mismatch == "zero":
            alignment = set_apart(alignment)
        elif alignment.left_out and self.on_mismatch == "error":
            raise alignment.left_out[0].error.with_sides("A", "B")
        comparison = compare_aligned(alignment, deriver)
        sides = []
        for side, rows in zip(
            (alignment.gold, alignment.parsed), comparison.by_own_words, strict=True
        ):
            labels = side.bank.label[side.bank.leaf_node[side.word_leaves]]
            tags = tables.tag_class(labels)
            sides.append(AnnotatedSide(side, rows, tags, deriver.has_tags))
        return comparison, (sides[0], sides[1])


# -- place by place, so that those of several parsers can be counted together --------


class Difference(NamedTuple):
    """What a parser has otherwise: words of a tree (half-open, traces included)."""

    kind: str
    tree: int
    first: int
    last: int
    node: int  # of the tree, from 0; -1 where there is no bracket
    now: str
    then: str


Votes = Counter[Difference]


def differences(deriver: Deriver, pair: Pair, comparison: Comparison) -> Votes:
    """What a parser has otherwise than the gold trees of a block; each place once."""
    votes, bank = Votes(), pair.gold
    leaves = comparison.alignment.gold.word_leaves
    gold, parsed = comparison.gold, comparison.parsed

    def put(kind: str, span: tuple[int, int], node: int, now: str, then: str) -> None:
        ends = int(leaves[span[0]]), int(leaves[span[1] - 1]) + 1
        tree = int(np.searchsorted(bank.leaf_start, ends[0], "right")) - 1
        first, last = (end - int(bank.leaf_start[tree]) for end in ends)
        number = node - int(bank.node_start[tree]) if node >= 0 else -1
        place = pair.number(tree) - 1, first, last
        votes[Difference(kind, *place, number, now, then)] = 1

    for word, now, then in _tag_differences(deriver, comparison):
        node = int(bank.leaf_node[leaves[word]])
        put(TAG, (word, word + 1), node, now, then)
    for kind, span, row, now, then in _bracket_differences(gold, parsed, comparison):
        put(kind, span, row, now, then)
    for row, other in zip(*error_rows(comparison, Kind.ATTACHMENT), strict=True):
        words = int(gold.attachment[row]), int(parsed.attachment[other])
        now, then = (bank.form(int(leaves[w])) if w >= 0 else "the top" for w in words)
        span = int(gold.first[row]), int(gold.last[row])
        put(ATTACHMENT, span, int(gold.row[row]), now, then)
    return votes


def _tag_differences(
    deriver: Deriver, comparison: Comparison
) -> Iterator[tuple[int, str, str]]:
    """Words that are tagged otherwise, where both sides have the same words."""
    sides = comparison.alignment.gold, comparison.alignment.parsed
    labels = [s.bank.label[s.bank.leaf_node[s.word_leaves]] for s in sides]
    if comparison.own_words is not None or labels[0].size != labels[1].size:
        return
    tags = [deriver.tables.tag_class(column) for column in labels]
    for word in np.flatnonzero(tags[0] != tags[1]).tolist():
        now, then = (SYMBOLS.name(int(side[word])) for side in tags)
        yield word, now, then


def _bracket_differences(
    gold: Derivation, parsed: Derivation, comparison: Comparison
) -> Iterator[tuple[str, tuple[int, int], int, str, str]]:
    """Brackets that only one side has: a code, words, the node, the two labels.

    Those that cross a bracket of the other side are about attachment.
    """
    missed = _by_span(gold, ~comparison.by_bracket.gold)
    spurious = _by_span(parsed, ~comparison.by_bracket.parsed)
    for span in missed.keys() & spurious.keys():
        for row, other in zip(missed.pop(span), spurious.pop(span), strict=False):
            labels = _label(gold, row), _label(parsed, other)
            yield LABEL, span, int(gold.row[row]), *labels
    for span, rows in missed.items():
        for row in rows if not _crosses(gold, rows[0], parsed) else ():
            yield EXTRA, span, int(gold.row[row]), _label(gold, row), ""
    for span, rows in spurious.items():
        for row in rows if not _crosses(parsed, rows[0], gold) else ():
            yield MISSING, span, -1, "", _label(parsed, row)


def _by_span(side: Derivation, chosen: Flags) -> dict[tuple[int, int], list[int]]:
    spans: dict[tuple[int, int], list[int]] = {}
    for row in np.flatnonzero(chosen).tolist():
        span = int(side.first[row]), int(side.last[row])
        spans.setdefault(span, []).append(row)
    return spans


def _label(side: Derivation, row: int) -> str:
    return SYMBOLS.name(int(side.key_label[row]))


def _crosses(side: Derivation, row: int, other: Derivation) -> bool:
    """Whether a bracket crosses one that the other side has of the same tree."""
    tree = int(np.searchsorted(side.starts, row, "right")) - 1
    there = slice(*other.starts[tree : tree + 2].tolist())
    starts, ends = other.first[there], other.last[there]
    first, last = side.first[row], side.last[row]
    left = (starts < first) & (first < ends) & (ends < last)
    right = (first < starts) & (starts < last) & (last < ends)
    return bool((left | right).any())


# -- agreement on discourse, factor by factor ------------------------------------------
#
# After Iruskieta, da Cunha and Taboada (2015) and RST-Tace (Wan, Kutschbach, Lüdeling
# and Stede 2019). A row is a relation: the unit that plugs in (the constituent), the
# EDU that it is attached to, the order of nucleus and satellite, the relation. Rows are
# compared where both annotators have the constituent.

CONSTITUENT, NUCLEARITY = "constituent", "nuclearity"
RELATION, ALL = "relation", "all"
_WIDEST = 10_000


class FactorRow(NamedTuple):
    """F of the constituents that agree in a factor, and kappa of it among those."""

    factor: str
    a: int
    b: int
    matched: int
    f1: float | None
    kappa: Kappa | None  # None: a factor that is no choice of one category


class _Relations(NamedTuple):
    first: Ints
    last: Ints
    columns: dict[str, Ints]  # a category per factor


def factors(
    a: Documents, b: Documents, places: tuple[CharSpans, CharSpans]
) -> list[FactorRow]:
    """The four factors, and all of them together."""
    sides = [
        _relations(documents, where)
        for documents, where in zip((a, b), places, strict=True)
    ]
    spans: list[Key] = [[side.first, -side.last] for side in sides]
    matches = match(spans[0], spans[1])
    left, right = np.flatnonzero(matches.gold), matches.partner[matches.gold]
    sizes = [side.first.size for side in sides]
    rows = []
    agreed = np.ones(left.size, np.bool_)
    for factor in (ATTACHMENT, NUCLEARITY, RELATION):
        of_a, of_b = sides[0].columns[factor][left], sides[1].columns[factor][right]
        same = of_a == of_b
        agreed &= same
        pairs: CategoryPairs = Counter(zip(of_a.tolist(), of_b.tolist(), strict=True))
        rows.append(_row(factor, sizes, int(same.sum()), cohen(pairs)))
    spans_kappa = _of_spans(len(left), sizes, _candidates(a, b, places))
    return [
        _row(CONSTITUENT, sizes, left.size, spans_kappa),
        *rows,
        _row(ALL, sizes, int(agreed.sum()), None),
    ]


def _row(factor: str, sizes: list[int], matched: int, kappa: Kappa | None) -> FactorRow:
    a, b = sizes
    return FactorRow(factor, a, b, matched, f_score(matched, a, b), kappa)


def _relations(corpus: Documents, places: CharSpans) -> _Relations:
    units = unit_columns(corpus)
    arcs = dependencies(units)
    inner = np.flatnonzero(arcs.governor != ROOT_EDU)
    top, governor = arcs.top[inner], arcs.governor[inner]
    first, last = places.start[units.first[top]], places.end[units.last[top] - 1]
    is_satellite = arcs.nuclearity[inner] == SYMBOLS.id(SATELLITE)
    comes_after = governor < arcs.edu[inner]
    width = np.minimum(places.end[governor] - places.start[governor], _WIDEST - 1)
    return _Relations(
        first,
        last,
        {
            # How far away, from the constituent on: a category that texts share.
            ATTACHMENT: (places.start[governor] - first) * _WIDEST + width,
            NUCLEARITY: np.where(is_satellite, 1 + comes_after.astype(np.int64), 0),
            RELATION: arcs.relation[inner].astype(np.int64),
        },
    )


def _candidates(a: Documents, b: Documents, places: tuple[CharSpans, CharSpans]) -> int:
    """How many spans of EDUs there are that could be constituents, in all texts.

    EDUs of either side bound spans; the whole text is not a choice.
    """
    total = 0
    starts = [
        np.split(where.start, corpus.bank.leaf_start[1:-1])
        for corpus, where in zip((a, b), places, strict=True)
    ]
    for of_a, of_b in zip(*starts, strict=True):
        edus = np.union1d(of_a, of_b).size
        total += edus * (edus + 1) // 2 - 1
    return total


def _of_spans(matched: int, sizes: list[int], candidates: int) -> Kappa:
    """Every candidate is a constituent or is not (Marcu, Amorrortu, Romera 1999)."""
    a, b = sizes
    neither = candidates - a - b + matched
    same = matched + neither
    chance = a * b + (candidates - a) * (candidates - b)
    return kappa_of(candidates, same, chance)
