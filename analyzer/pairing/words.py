"""Which pairs of sentences can be compared, word by word.

Two sentences can be compared when the same words are left in both after the tags that
the parameters name are deleted. As evalb does, a pair whose numbers of words differ
gets a second chance: quotes that one side deleted because of their tag, and the other
did not, are put back (QUOTE_LABEL).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from analyzer.exceptions import PairingError, Place
from analyzer.model.arrays import KEY_BYTES, Flags, Ints, first_bytes
from analyzer.model.kernel import words as kernel
from analyzer.model.kernel.library import has_kernel
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.ledger import Ledger, LeftOut, Reason
from analyzer.transform.label_tables import LabelTables, kept_by_tree
from analyzer.transform.labels import default_labels

_QUOTE_WORDS = ("'", '"', "/")


@dataclass(frozen=True)
class Alignment:
    """Which words of gold and parsed correspond, for a block of pairs.

    `gold_leaves` and `parsed_leaves` are the leaves that are compared, in order
    (a leaf may stand twice: see `_put_back_quotes`); the `…_starts` say where
    each tree's begin.
    """

    gold_leaves: Ints
    parsed_leaves: Ints
    gold_starts: Ints
    parsed_starts: Ints
    is_comparable: Flags
    left_out: list[LeftOut]
    # The trees of `left_out`, where they are scored all the same: see `mismatches`.
    settled: Ints | None = None

    def leaves(self, *, of_gold: bool) -> tuple[Ints, Ints]:
        """The compared leaves of a side, and where each tree's begin."""
        if of_gold:
            return self.gold_leaves, self.gold_starts
        return self.parsed_leaves, self.parsed_starts

    @property
    def left_out_trees(self) -> Ints:
        """The tree of each item of `left_out`."""
        if self.settled is not None:
            return self.settled
        return np.flatnonzero(~self.is_comparable)

    def ledger(self, trees: Flags | None = None, lost_brackets: int = 0) -> Ledger:
        """What is scored and left out of these trees, or of some of them."""
        if trees is None:
            size, scored = self.is_comparable.size, self.is_comparable
            items = tuple(self.left_out)
        else:
            size, scored = int(np.count_nonzero(trees)), self.is_comparable & trees
            both = zip(self.left_out_trees.tolist(), self.left_out, strict=True)
            items = tuple(item for tree, item in both if trees[tree])
        return Ledger(
            gold=size,
            parsed=size,
            scored=int(np.count_nonzero(scored)),
            items=items,
            lost_brackets=lost_brackets,
        )


def align(pair: SentencePair, tables: LabelTables) -> Alignment:
    """Compare the words of each pair of trees."""
    gold, parsed = pair.gold, pair.parsed
    gold_leaves, gold_starts = kept_by_tree(gold, tables)
    parsed_leaves, parsed_starts = kept_by_tree(parsed, tables)
    gold_count, parsed_count = np.diff(gold_starts), np.diff(parsed_starts)

    has_words = parsed_count > 0
    unequal = has_words & (gold_count != parsed_count)
    if tables.parameters.quotes and unequal.any():
        gold_trees = np.split(gold_leaves, gold_starts[1:-1])
        parsed_trees = np.split(parsed_leaves, parsed_starts[1:-1])
        for tree in np.flatnonzero(unequal).tolist():
            gold_trees[tree], parsed_trees[tree] = _put_back_quotes(pair, tree, tables)
        gold_leaves, gold_starts = _join_trees(gold_trees)
        parsed_leaves, parsed_starts = _join_trees(parsed_trees)
        gold_count, parsed_count = np.diff(gold_starts), np.diff(parsed_starts)

    is_comparable = has_words & (gold_count == parsed_count)
    for tree in (*gold.problems, *parsed.problems):
        is_comparable[tree] = False
    alignment = Alignment(
        gold_leaves, parsed_leaves, gold_starts, parsed_starts, is_comparable, []
    )
    if tables.compares_words:
        is_comparable &= ~_trees_differ(pair, alignment, tables)
    for tree in np.flatnonzero(~is_comparable).tolist():
        alignment.left_out.append(_why_left_out(pair, tree, alignment, tables))
    return alignment


def _trees_differ(
    pair: SentencePair, alignment: Alignment, tables: LabelTables
) -> Flags:
    """Which trees have words that differ, of those that may be compared."""
    gold, parsed, comparable = pair.gold, pair.parsed, alignment.is_comparable
    if has_kernel():
        sides = [
            (bank.text, bank.form_start, bank.form_end, *alignment.leaves(of_gold=of))
            for bank, of in ((gold, True), (parsed, False))
        ]
        differs = kernel.trees_differ(sides[0], sides[1], comparable)
        if not tables.parameters.equal_words or not differs.any():
            return differs
    sizes = np.diff(alignment.gold_starts)
    leaves = (
        alignment.gold_leaves[np.repeat(comparable, sizes)],
        alignment.parsed_leaves[
            np.repeat(comparable, np.diff(alignment.parsed_starts))
        ],
    )
    wrong = np.flatnonzero(words_differ(gold, leaves[0], parsed, leaves[1]))
    equal = {frozenset(words) for words in tables.parameters.equal_words}
    if equal:
        wrong = np.array(
            [
                word
                for word in wrong.tolist()
                if frozenset((gold.form(leaves[0][word]), parsed.form(leaves[1][word])))
                not in equal
            ],
            np.int64,
        )
    tree_of_word = np.repeat(np.arange(comparable.size), np.where(comparable, sizes, 0))
    differs = np.zeros(comparable.size, np.bool_)
    differs[tree_of_word[wrong]] = True
    return differs


def words_differ(
    gold: Treebank, gold_leaves: Ints, parsed: Treebank, parsed_leaves: Ints
) -> Flags:
    """For each pair of leaves, whether their words differ, byte by byte."""
    gold_start, parsed_start = (
        gold.form_start[gold_leaves],
        parsed.form_start[parsed_leaves],
    )
    length = gold.form_end[gold_leaves] - gold_start
    differs: Flags = length != parsed.form_end[parsed_leaves] - parsed_start
    differs |= first_bytes(gold.text, gold_start, length) != first_bytes(
        parsed.text, parsed_start, length
    )
    # What is left of longer words, end to end: byte n of a word is at its start plus n.
    long = np.flatnonzero((length > KEY_BYTES) & ~differs)
    left = length[long] - KEY_BYTES
    end = np.cumsum(left)
    byte = np.arange(int(end[-1]) if end.size else 0)
    within = byte + KEY_BYTES - np.repeat(end - left, left)
    unequal = (
        np.frombuffer(gold.text, np.uint8)[np.repeat(gold_start[long], left) + within]
        != np.frombuffer(parsed.text, np.uint8)[
            np.repeat(parsed_start[long], left) + within
        ]
    )
    differs[np.repeat(long, left)[unequal]] = True
    return differs


def _join_trees(leaves: list[Ints]) -> tuple[Ints, Ints]:
    """The leaves of all trees end to end, and where each tree's begin."""
    starts = np.concatenate([[0], np.cumsum([tree.size for tree in leaves])])
    return np.concatenate(leaves), starts.astype(np.int64)


@dataclass
class _Quote:
    leaf: int
    label: int
    index: int  # number of kept words before it, as evalb keeps count
    is_deleted: bool


def _quotes(
    bank: Treebank, tree: int, tables: LabelTables
) -> tuple[list[int], list[_Quote]]:
    """A tree's kept leaves, and its tokens that may be quotes."""
    kept: list[int] = []
    quotes: list[_Quote] = []
    leaves = range(int(bank.leaf_start[tree]), int(bank.leaf_start[tree + 1]))
    labels = bank.label[bank.leaf_node[leaves.start : leaves.stop]]
    for leaf, label, is_deleted, may_be_quote in zip(
        leaves,
        labels.tolist(),
        tables.deletes_word(labels).tolist(),
        tables.may_be_quote(labels).tolist(),
        strict=True,
    ):
        if may_be_quote and bank.form(leaf) in _QUOTE_WORDS:
            quotes.append(_Quote(leaf, label, len(kept), is_deleted))
        if not is_deleted:
            kept.append(leaf)
    return kept, quotes


def _put_back_quotes(
    pair: SentencePair, tree: int, tables: LabelTables
) -> tuple[Ints, Ints]:
    """evalb's second chance for a pair of unequal lengths, step by step.

    The bookkeeping is evalb's own, including that a quote which is put back also
    moves its own index, so that two quotes in a row can put one back twice.
    """
    gold_kept, gold_quotes = _quotes(pair.gold, tree, tables)
    parsed_kept, parsed_quotes = _quotes(pair.parsed, tree, tables)
    for at_parsed, parsed_quote in enumerate(parsed_quotes):
        index = parsed_quote.index
        for at_gold, gold_quote in enumerate(gold_quotes):
            if gold_quote.index != index or gold_quote.label == parsed_quote.label:
                continue
            if gold_quote.is_deleted and not parsed_quote.is_deleted:
                gold_kept.insert(gold_quote.index, gold_quote.leaf)
                for quote in gold_quotes[at_gold:]:
                    quote.index += 1
            elif parsed_quote.is_deleted and not gold_quote.is_deleted:
                parsed_kept.insert(parsed_quote.index, parsed_quote.leaf)
                for quote in parsed_quotes[at_parsed:]:
                    quote.index += 1
    return np.array(gold_kept, np.int64), np.array(parsed_kept, np.int64)


def _why_left_out(
    pair: SentencePair, tree: int, alignment: Alignment, tables: LabelTables
) -> LeftOut:
    if tree in pair.known:
        return pair.known[tree]
    sentence = pair.number(tree)
    gold, parsed = pair.gold, pair.parsed

    id = pair.id_of(tree)
    place = Place(parsed.source, int(parsed.line[tree]), None, sentence, id)
    for reason, bank in ((Reason.BAD_GOLD, gold), (Reason.BAD_PARSE, parsed)):
        if tree in bank.problems:
            problem = bank.problems[tree]
            there = problem.place or Place(bank.source)
            there = replace(there, sentence=sentence, id=id)
            return LeftOut(sentence, reason, problem.at(there))
    sides = [_Tokens.of(bank, tree, tables) for bank in (gold, parsed)]
    gold_words, parsed_words = (
        _compared(side, bank, tree, *alignment.leaves(of_gold=bank is gold))
        for side, bank in zip(sides, (gold, parsed), strict=True)
    )
    if not parsed_words:
        if not sides[1].words:
            error = PairingError(
                "failed parse: the tree has no words", place, code="E431"
            )
            return LeftOut(sentence, Reason.FAILED, error)
        return LeftOut(sentence, Reason.NOTHING_LEFT, nothing_left(place))
    difference = _first_difference(gold_words, parsed_words, tables)
    if len(gold_words) == len(parsed_words) and difference.is_of_encoding:
        error = PairingError(
            "word {at} differs: {gold} {one}, {parsed} {other}, which look the same: "
            "the characters are composed in one and decomposed in the other; convert "
            "both to the same form (NFC)",
            place,
            code="E459",
            **difference._asdict(),
        )
        return LeftOut(sentence, Reason.WORDS, error)
    if len(gold_words) == len(parsed_words):
        error = PairingError(
            "word {at} differs: {gold} {one}, {parsed} {other}",
            place,
            code="E433",
            **difference._asdict(),
        )
        return LeftOut(sentence, Reason.WORDS, error)
    lengths: dict[str, Any] = {
        "gold_words": len(gold_words),
        "parsed_words": len(parsed_words),
    }
    tags = _tag_difference(*sides)
    if tags is not None:
        error = PairingError(
            "lengths differ: {gold} has {gold_words} words to compare, {parsed} "
            "{parsed_words}; {word!r} is tagged {gold_tag} in {gold} and {parsed_tag} "
            "in {parsed}, and only one of these tags is deleted",
            place,
            code="E434",
            **lengths,
            **tags._asdict(),
        )
    else:
        error = PairingError(
            "lengths differ: {gold} has {gold_words} words to compare, {parsed} "
            "{parsed_words}; first difference at word {at}: {gold} {one}, {parsed} "
            "{other}",
            place,
            code="E435",
            **lengths,
            **difference._asdict(),
        )
    return LeftOut(sentence, Reason.LENGTH, error)


def nothing_left(place: Place) -> PairingError:
    """The error for a sentence whose words are all deleted."""
    return PairingError("no words are left after deletion", place, code="E432")


class _TagDifference(NamedTuple):
    word: str
    gold_tag: str
    parsed_tag: str


class _WordDifference(NamedTuple):
    at: int  # the number of the word
    one: str  # what stands there, in quotes
    other: str

    @property
    def is_of_encoding(self) -> bool:
        """Whether the characters are the same, composed or not (NFC, NFD)."""
        from unicodedata import normalize

        return normalize("NFC", self.one) == normalize("NFC", self.other)


class _Tokens(NamedTuple):
    """The words of a tree, their tags, and which of these are deleted."""

    words: list[str]
    tags: list[int]
    is_deleted: list[bool]

    @classmethod
    def of(cls, bank: Treebank, tree: int, tables: LabelTables) -> _Tokens:
        start, end = bank.leaf_start[tree : tree + 2].tolist()
        tags = bank.label[bank.leaf_node[start:end]]
        deleted = tables.deleted_words(tags)[tags]
        return cls(bank.forms(slice(start, end)), tags.tolist(), deleted.tolist())


def _compared(
    tokens: _Tokens, bank: Treebank, tree: int, leaves: Ints, starts: Ints
) -> list[str]:
    """The words of a tree that are compared, of all its words."""
    first = int(bank.leaf_start[tree])
    chosen = leaves[starts[tree] : starts[tree + 1]].tolist()
    return [tokens.words[leaf - first] for leaf in chosen]


def _tag_difference(gold: _Tokens, parsed: _Tokens) -> _TagDifference | None:
    """The word that only one side deletes because of its tag, if that is all."""
    empty = {SYMBOLS.id(tag) for tag in default_labels().empty}
    sides = [
        [one for one in zip(*side, strict=True) if one[1] not in empty]
        for side in (gold, parsed)
    ]
    if [word for word, *_ in sides[0]] != [word for word, *_ in sides[1]]:
        return None
    for (word, gold_tag, in_gold), (_, parsed_tag, in_parsed) in zip(
        *sides, strict=True
    ):
        if in_gold != in_parsed:
            names = SYMBOLS.name(gold_tag), SYMBOLS.name(parsed_tag)
            return _TagDifference(word, *names)
    return None


def _first_difference(
    gold: list[str], parsed: list[str], tables: LabelTables
) -> _WordDifference:
    equal = {frozenset(words) for words in tables.parameters.equal_words}
    for at, (left, right) in enumerate(zip(gold, parsed, strict=False), start=1):
        if left != right and frozenset((left, right)) not in equal:
            return _WordDifference(at, repr(left), repr(right))
    shorter = min(len(gold), len(parsed))
    left = repr(gold[shorter]) if len(gold) > shorter else "nothing"
    right = repr(parsed[shorter]) if len(parsed) > shorter else "nothing"
    return _WordDifference(shorter + 1, left, right)
