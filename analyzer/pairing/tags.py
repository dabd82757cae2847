"""Words without tags: told apart, and tagged as the other side has them if asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analyzer.exceptions import Place, UntaggedError
from analyzer.formats.reading import Tags
from analyzer.model.arrays import Flags, Ids, Ints
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair, TaskAround
from analyzer.pairing.ledger import SIDES, Ledger
from analyzer.pairing.texts import plain
from analyzer.transform.labels import LabelSet, default_labels

_FEW = 8  # nodes that mostly tell


def has_no_tags(bank: Treebank) -> bool:
    """Whether words have no tags; that of a punctuation mark is the mark.

    >>> from analyzer.formats.reading import read_trees
    >>> has_no_tags(read_trees("(S (NP I) (VP go) .)", grammar="untagged"))
    True
    """
    if _name_words(bank.label[bank.leaf_node[:_FEW]]):  # as nearly always
        return False
    tags = bank.label[bank.leaf_node]
    return bool((tags == _none()).any()) and not _name_words(np.unique(tags))


def _name_words(tags: Ids) -> bool:
    """Whether some tag is one of words."""
    names = map(SYMBOLS.name, tags.tolist())
    return any(character.isalnum() for name in names for character in name)


def has_no_labels(bank: Treebank) -> bool:
    """Whether no phrase has a label, and some are not only roots."""
    none = _none()
    if (bank.label[:_FEW] != none)[~bank.is_leaf[:_FEW]].any():  # as nearly always
        return False
    is_phrase = ~bank.is_leaf
    if (bank.label[is_phrase] != none).any():
        return False
    return bool((bank.depth[is_phrase] > 0).any())


def _none() -> int:
    return SYMBOLS.id("")


def traits_of(pair: Pair) -> frozenset[str]:
    """What the trees of each side have in a block: words, tags, labels.

    A whole input is judged by all its blocks: the last of them may hold no more than a
    word without a tag.
    """
    traits = {"tags of one side"} if pair.tags else set()
    for side, bank in (("gold", pair.gold), ("parsed", pair.parsed)):
        if bank.leaf_node.size:
            traits.add(f"{side} words")
            traits |= set() if has_no_tags(bank) else {f"{side} tags"}
            traits |= set() if has_no_labels(bank) else {f"{side} labels"}
    return frozenset(traits)


def require_tags(ledger: Ledger, names: tuple[str, str]) -> None:
    """UntaggedError if constructions were derived from words without tags.

    `names` are those of gold and of parsed. Where the ledger has no traits, as that of
    documents, nothing is required.
    """
    traits = ledger.traits
    untagged = [
        side
        for side in SIDES
        if f"{side} words" in traits and f"{side} tags" not in traits
    ]
    for side, name in zip(SIDES, names, strict=True):
        has_no_tags = side in untagged or "tags of one side" in traits
        has_no_labels = f"{side} words" in traits and f"{side} labels" not in traits
        if has_no_tags and has_no_labels:
            raise UntaggedError("E470 brackets have no labels", Place(name))
        if len(untagged) > 1:
            raise UntaggedError("E472 nor have those", Place(name))
        if side in untagged:
            other = "parsed" if side == "gold" else "gold"
            raise UntaggedError("E471 words have no tags", Place(name), other=other)


# -- the tags of the other side ------------------------------------------------------


@dataclass(frozen=True)
class TaggedTask(TaskAround):
    """A task, whose pairs have the tags of one side on both."""

    tags: Tags
    labels: LabelSet | None = None

    def pairs(self) -> Iterator[Pair]:
        empty = (self.labels or default_labels()).empty
        for pair in self.task.pairs():
            if self.tags is Tags.GOLD:
                parsed = with_tags_of(pair.gold, pair.parsed, empty)
                yield pair._replace(parsed=parsed, tags=self.tags)
            else:
                gold = with_tags_of(pair.parsed, pair.gold, empty)
                yield pair._replace(gold=gold, tags=self.tags)


def with_tags_of(
    source: Treebank, bank: Treebank, empty: frozenset[str] = frozenset()
) -> Treebank:
    """Trees whose words have the tags that the same words have in other trees.

    Words of a sentence are the same in order. Where one side has more of them, as of
    punctuation that parsers leave out, a word is the next that is written so. Empty
    elements, those with an `empty` tag, are no words.

    >>> from analyzer.formats.reading import read_trees
    >>> gold = read_trees("(S (NP (DT a) (NN cat)) (, ,) (VP (VBD sat)))")
    >>> print(with_tags_of(gold, read_trees("((a cat) sat)", grammar="unlabelled"))[0])
    ( ( (DT a) (NN cat)) (VBD sat))
    """
    names = np.array([SYMBOLS.id(name) for name in sorted(empty)], np.int64)
    takes, gives = (
        ~np.isin(side.label[side.leaf_node], names) for side in (bank, source)
    )
    label = bank.label.copy()
    for tree in range(min(len(bank), len(source))):
        own, others = _words(bank, tree, takes), _words(source, tree, gives)
        if own.size != others.size:
            own, others = _same_words(bank, own, source, others)
        label[bank.leaf_node[own]] = source.label[source.leaf_node[others]]
    return bank.reshaped(label=label)


def _words(bank: Treebank, tree: int, is_word: Flags) -> Ints:
    start, end = bank.leaf_start[tree : tree + 2].tolist()
    words: Ints = start + np.flatnonzero(is_word[start:end])
    return words


def _same_words(
    bank: Treebank, own: Ints, source: Treebank, others: Ints
) -> tuple[Ints, Ints]:
    """Those leaves of both that are written alike, in order."""
    forms = [plain(form) for form in source.forms(others)]
    pairs: list[tuple[int, int]] = []
    at = 0
    for leaf, form in zip(own.tolist(), map(plain, bank.forms(own)), strict=True):
        if form in forms[at:]:
            at = forms.index(form, at) + 1
            pairs.append((leaf, int(others[at - 1])))
    mine, theirs = np.array(pairs, np.int64).reshape(-1, 2).T
    return mine, theirs
