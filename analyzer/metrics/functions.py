"""Scores of function tags, on the brackets that evalb matches.

Kulick et al. (2014), footnote 5, leave them out; they are scored as Blaheta and
Charniak (2000) do. A bracket has a set of tags (indices dropped). Rows are joined on

    strict F       the bracket's key and its set of tags
    exact set      the same, as a share of the brackets that evalb matches
    F-fn           matched bracket, tag: over the tags of matched brackets alone
    end-to-end F   the same pairs, over all tags of both sides

Brackets with one key are paired with equal sets first, then from the innermost on.
The words' tags are scored by themselves: there the key is the word and its tag
without functions. Wrappers of whole trees take no part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.columns import Derivation
from analyzer.metrics.counts import Counts
from analyzer.metrics.join import Join, Key, match
from analyzer.metrics.ratios import MatchCounts
from analyzer.model.arrays import Flags, Ids, Ints
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.words import Alignment, Side
from analyzer.transform.function_tags import FunctionTags, tags_of

NONE = "(none)"  # beside a tag that the other side has nothing for


class TagCounts(NamedTuple):
    """How often a tag occurs: everywhere, on matched brackets, rightly."""

    gold: int = 0
    parsed: int = 0
    gold_on_matched: int = 0
    parsed_on_matched: int = 0
    matched: int = 0


KINDS = len(TagCounts._fields)  # of counts


@dataclass
class LevelTally:
    """The counts of brackets, or of words; those of parts add up to the whole's."""

    brackets: MatchCounts = field(default_factory=MatchCounts)
    exact: int = 0  # matched ones whose sets of tags are equal, empty ones too
    tags: dict[str, TagCounts] = field(default_factory=dict)
    # What gold has, what the parser has instead, how often.
    confusions: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def total(self) -> TagCounts:
        """All tags together."""
        return TagCounts(*map(sum, zip(*self.tags.values(), strict=True)))


@dataclass
class FunctionTally:
    """The counts of function tags in a corpus; those of parts add up to them."""

    phrases: LevelTally = field(default_factory=LevelTally)
    words: LevelTally = field(default_factory=LevelTally)
    # Of F-s matches: construction -> tag -> counts.
    constructions: dict[str, dict[str, TagCounts]] = field(default_factory=dict)


_GOLD, _PARSED, _GOLD_ON, _PARSED_ON, _MATCHED = range(KINDS)


class _Rows(NamedTuple):
    """The rows of one side: what they are joined on, their tags, their trees."""

    key: Key
    tags: Ids
    tree: Ints


class TagPairs(NamedTuple):
    """Rows of gold and parsed that are paired, and tags beside each other.

    A pair's tags that are equal stand beside each other; of the others, those of one
    group do, then any; -1 where the other side has nothing left.
    """

    gold: Ints  # rows
    parsed: Ints
    is_exact: Flags  # the sets of tags are equal
    pair: Ints  # per row of the following: which pair it is of
    gold_tag: Ints
    parsed_tag: Ints


class LevelRows(NamedTuple):
    """What was found of brackets, or of words, in a block."""

    counts: Ints  # trees x (matched, gold, parsed, exact)
    pairs: TagPairs
    pair_tree: Ints  # per pair: its tree
    gold: tuple[Ints, Ints]  # one row a tag anywhere: its tree, the tag
    parsed: tuple[Ints, Ints]

    def rows(self) -> Iterator[tuple[int, Ints, Ints]]:
        """What each field of `TagCounts` counts: trees and tags."""
        yield _GOLD, *self.gold
        yield _PARSED, *self.parsed
        yield from _on_pairs(self.pairs, self.pair_tree)

    def tally(self, chosen: Flags | None) -> LevelTally:
        counts = self.counts if chosen is None else self.counts[chosen]
        matched, gold, parsed, exact = counts.sum(axis=0).tolist()
        pairs, tree = self.pairs, self.pair_tree[self.pairs.pair]
        is_wrong = pairs.gold_tag != pairs.parsed_tag
        if chosen is not None:
            is_wrong &= chosen[tree]
        confusions: dict[str, dict[str, int]] = {}
        both, times = np.unique(
            np.column_stack([pairs.gold_tag, pairs.parsed_tag])[is_wrong],
            axis=0,
            return_counts=True,
        )
        for (gold_tag, parsed_tag), count in zip(
            both.tolist(), times.tolist(), strict=True
        ):
            confusions.setdefault(_name(gold_tag), {})[_name(parsed_tag)] = count
        return LevelTally(
            MatchCounts(matched, gold, parsed), exact, self._tags(chosen), confusions
        )

    def _tags(self, chosen: Flags | None) -> dict[str, TagCounts]:
        by_tag: dict[int, list[int]] = {}
        for kind, tree, tag in self.rows():
            counted = tag if chosen is None else tag[chosen[tree]]
            for number, count in zip(*_counted(counted.astype(np.int64)), strict=True):
                by_tag.setdefault(number, [0] * KINDS)[kind] = count
        return {SYMBOLS.name(tag): TagCounts(*by_tag[tag]) for tag in by_tag}

    def by_sentence(self) -> Counts:
        """The counts of each tree, of each of its tags."""
        rows = list(self.rows())
        used, which = np.unique(
            np.concatenate([tag for _, _, tag in rows]), return_inverse=True
        )
        tree = np.concatenate([tree for _, tree, _ in rows])
        kind = np.concatenate([np.full(tag.size, kind) for kind, _, tag in rows])
        cell, at = np.unique(tree * max(1, used.size) + which, return_inverse=True)
        values = np.zeros((cell.size, KINDS), np.int32)
        np.add.at(values, (at, kind), 1)
        sentence, name = np.divmod(cell, max(1, used.size))
        names = [SYMBOLS.name(int(number)) for number in used]
        return Counts(names, len(self.counts), sentence, name, values)


class FunctionBlock(NamedTuple):
    """The function tags of a block of trees, joined."""

    phrases: LevelRows
    words: LevelRows
    by_span: TagPairs  # of F-s matches
    span_tree: Ints
    span_construction: Ints
    constructions: ConstructionNames
    tags: FunctionTags

    def tally(self, chosen: Flags | None = None) -> FunctionTally:
        """The counts, or those of some trees."""
        by_construction: dict[str, dict[str, list[int]]] = {}
        size = len(self.constructions)
        for kind, pair, tag in _on_pairs(self.by_span, np.arange(self.span_tree.size)):
            if chosen is not None:
                kept = chosen[self.span_tree[pair]]
                pair, tag = pair[kept], tag[kept]
            cell = tag.astype(np.int64) * size + self.span_construction[pair]
            for number, count in zip(*_counted(cell), strict=True):
                of_tag, construction = divmod(number, size)
                tags = by_construction.setdefault(self.constructions[construction], {})
                tags.setdefault(_name(of_tag), [0] * KINDS)[kind] = count
        return FunctionTally(
            self.phrases.tally(chosen),
            self.words.tally(chosen),
            {
                name: {tag: TagCounts(*counts) for tag, counts in tags.items()}
                for name, tags in by_construction.items()
            },
        )


def function_block(
    alignment: Alignment,
    gold: Derivation,
    parsed: Derivation,
    constructions: ConstructionNames,
    tags: FunctionTags,
) -> FunctionBlock:
    """Both sides of a block joined under every key that function tags are scored by."""
    trees = alignment.is_comparable.size
    gold_tags = tags.columns(alignment.gold.bank.label[gold.row]).tags
    parsed_tags = tags.columns(alignment.parsed.bank.label[parsed.row]).tags
    sides = _phrases(gold, gold_tags), _phrases(parsed, parsed_tags)
    by_span = _paired(_spans(gold, gold_tags), _spans(parsed, parsed_tags), tags)
    return FunctionBlock(
        _level(*sides, trees, tags),
        _level(
            _words(alignment.gold, tags), _words(alignment.parsed, tags), trees, tags
        ),
        by_span,
        sides[0].tree[by_span.gold],
        gold.construction[by_span.gold].astype(np.int64),
        constructions,
        tags,
    )


def _phrases(side: Derivation, tags: Ids) -> _Rows:
    key: Key = [side.first, -side.last, side.key_label]
    return _Rows(key, tags, _trees(side.starts))


def _spans(side: Derivation, tags: Ids) -> _Rows:
    key: Key = [side.head, side.construction, side.first, side.last]
    return _Rows(key, tags, _trees(side.starts))


def _words(side: Side, tags: FunctionTags) -> _Rows:
    """The compared words, by their number and their tag without functions."""
    bank, leaves = side.bank, side.word_leaves
    columns = tags.columns(
        bank.label[bank.leaf_node[leaves]],
        of_words=True,
        edges=[bank.edges[leaf] for leaf in leaves] if bank.edges else None,
    )
    number = side.places.spans.number if side.places else np.arange(leaves.size)
    tree = np.repeat(np.arange(side.sizes.size), side.sizes)
    return _Rows([number, columns.bare], columns.tags, tree)


def _level(gold: _Rows, parsed: _Rows, trees: int, tags: FunctionTags) -> LevelRows:
    pairs = _paired(gold, parsed, tags)
    pair_tree = gold.tree[pairs.gold]

    def per_tree(tree: Ints) -> Ints:
        return np.bincount(tree, minlength=trees)

    owner, tag = tags_of(gold.tags)
    parsed_owner, parsed_tag = tags_of(parsed.tags)
    counts = np.column_stack(
        [
            per_tree(pair_tree),
            per_tree(gold.tree),
            per_tree(parsed.tree),
            per_tree(pair_tree[pairs.is_exact]),
        ]
    )
    return LevelRows(
        counts,
        pairs,
        pair_tree,
        (gold.tree[owner], tag),
        (parsed.tree[parsed_owner], parsed_tag),
    )


def _paired(gold: _Rows, parsed: _Rows, tags: FunctionTags) -> TagPairs:
    """Rows with equal keys, those with equal sets of tags first; and their tags."""
    # Backwards: of brackets around the same words, the innermost come first.
    (gold_key, gold_tags), (parsed_key, parsed_tags) = (
        ([column[::-1] for column in side.key], side.tags[::-1])
        for side in (gold, parsed)
    )
    exact = Join(gold_key, parsed_key).matches([gold_tags], [parsed_tags])
    left, right = np.flatnonzero(~exact.gold), np.flatnonzero(~exact.parsed)
    rest = match(
        [column[left] for column in gold_key], [column[right] for column in parsed_key]
    )
    same = np.flatnonzero(exact.gold)
    gold_row = np.concatenate([same, left[rest.gold]])
    parsed_row = np.concatenate([exact.partner[same], right[rest.partner[rest.gold]]])
    gold_row = gold.tags.size - 1 - gold_row
    parsed_row = parsed.tags.size - 1 - parsed_row
    is_exact = np.arange(gold_row.size) < same.size
    owner, tag = tags_of(gold.tags[gold_row])
    beside, other = tags_of(parsed.tags[parsed_row])
    return TagPairs(
        gold_row, parsed_row, is_exact, *_tags_beside(owner, tag, beside, other, tags)
    )


def _tags_beside(
    owner: Ints, tag: Ints, beside: Ints, other: Ints, tags: FunctionTags
) -> tuple[Ints, Ints, Ints]:
    """Tags of paired brackets set beside each other: see `TagPairs`."""
    parts: list[tuple[Ints, Ints, Ints]] = []
    for kind in (
        lambda numbers: numbers,
        lambda numbers: _groups(numbers, tags),
        np.zeros_like,
    ):
        paired = match([owner, kind(tag)], [beside, kind(other)])
        right = paired.partner[paired.gold]
        parts.append((owner[paired.gold], tag[paired.gold], other[right]))
        owner, tag = owner[~paired.gold], tag[~paired.gold]
        beside, other = beside[~paired.parsed], other[~paired.parsed]
    parts.append((owner, tag, np.full(tag.size, -1)))
    parts.append((beside, np.full(other.size, -1), other))
    pair, of_gold, of_parsed = (
        np.concatenate(columns) for columns in zip(*parts, strict=True)
    )
    return pair, of_gold, of_parsed


def _groups(tag: Ints, tags: FunctionTags) -> Ints:
    """The number of each tag's group; of one without, its own, which none shares."""
    used, which = np.unique(tag, return_inverse=True)
    names = [SYMBOLS.name(number) for number in used.tolist()]
    groups = [SYMBOLS.id(f"{tags.group_of.get(name, name)} ") for name in names]
    return np.array(groups, np.int64)[which] if tag.size else tag


def _on_pairs(pairs: TagPairs, value: Ints) -> Iterator[tuple[int, Ints, Ints]]:
    """Of paired rows, what each field of `TagCounts` counts: a value, and tags."""
    in_gold, in_parsed = pairs.gold_tag >= 0, pairs.parsed_tag >= 0
    is_right = pairs.gold_tag == pairs.parsed_tag
    for kind, chosen, tag in (
        (_GOLD_ON, in_gold, pairs.gold_tag),
        (_PARSED_ON, in_parsed, pairs.parsed_tag),
        (_MATCHED, is_right, pairs.gold_tag),
    ):
        yield kind, value[pairs.pair[chosen]], tag[chosen]


def _counted(values: Ints) -> tuple[list[int], list[int]]:
    used, times = np.unique(values, return_counts=True)
    return used.tolist(), times.tolist()


def _trees(starts: Ints) -> Ints:
    return np.repeat(np.arange(starts.size - 1), np.diff(starts))


def _name(tag: int) -> str:
    return NONE if tag < 0 else SYMBOLS.name(tag)
