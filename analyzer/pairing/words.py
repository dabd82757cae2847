"""Which pairs of sentences can be compared, word by word.

Two sentences can be compared when the same words are left in both after the tags that
the parameters name are deleted; how brackets, quotes and slashes are escaped (`-LSB-`
and `[`) makes no difference. As evalb does, a pair whose numbers of words differ
gets a second chance: quotes that one side deleted because of their tag, and the other
did not, are put back (QUOTE_LABEL).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from analyzer import _native
from analyzer.exceptions import PairingError, Place
from analyzer.model.arrays import KEY_BYTES, Flags, Ints, Value, first_bytes
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger, LeftOut, Reason, RootLabels
from analyzer.pairing.texts import are_words, plain, text_number
from analyzer.transform.label_tables import DELETED, LabelTables, kept_by_tree

_QUOTE_WORDS = ("'", '"', "/")


@dataclass(frozen=True)
class CharSpans:
    """Where each word or EDU begins and ends; `room`: beyond every end."""

    start: Ints
    end: Ints
    room: int

    @staticmethod
    def of_words(count: int) -> CharSpans:
        """Words that both sides number alike: a place is that number."""
        return CharSpans(np.arange(count), np.arange(count) + 1, count + 2)

    def only_ends(self) -> CharSpans:
        """Each as the place where it ends: two are the same if they end alike."""
        return CharSpans(self.end, self.end, self.room)

    @property
    def number(self) -> Ints:
        """One number for each: two are the same if both their ends are."""
        return self.start * self.room + self.end


class WordPlaces(NamedTuple):
    """Where the words of one side stand, and which make their phrases doubtful."""

    spans: CharSpans
    is_doubtful: Flags | None = None
    once: bool = False  # whether equal brackets can match but once
    # Where gold's sentences begin, if brackets are those of the one they begin in.
    sentences: Ints | None = None


@dataclass(frozen=True, eq=False)
class Side(Value):
    """One side of a block: its trees, and the leaves of them that are compared.

    Words are numbered through the trees that can be compared, by their order among
    `leaves` (a leaf may stand there twice: see `_put_back_quotes`).
    """

    bank: Treebank
    leaves: Ints
    starts: Ints  # per tree: where its leaves begin
    is_compared: Flags  # per tree
    is_gold: bool = True
    places: WordPlaces | None = None  # where words stand, if that is not their number

    @cached_property
    def sizes(self) -> Ints:
        """Per tree: how many words are compared."""
        return np.where(self.is_compared, np.diff(self.starts), 0)

    @cached_property
    def offset(self) -> Ints:
        """Per tree: the number of its first word."""
        return np.cumsum(self.sizes) - self.sizes

    @property
    def word_leaves(self) -> Ints:
        """The leaf that each word is."""
        if self.is_compared.all():
            return self.leaves
        return self.leaves[np.repeat(self.is_compared, np.diff(self.starts))]

    def words(self, tree: int) -> list[str]:
        """The compared words of a tree, those of one that is left out too."""
        if tree not in self._known:
            leaves = self.leaves[self.starts[tree] : self.starts[tree + 1]]
            self._known[tree] = self.bank.forms(leaves)
        return self._known[tree]

    @cached_property
    def _known(self) -> dict[int, list[str]]:
        return {}

    def leaf(self, tree: int, position: int) -> int:
        """Which leaf of the treebank a word is."""
        return int(self.leaves[self.starts[tree] + position])

    def trees_of(self, words: Ints) -> Ints:
        """The trees that words' numbers lie in."""
        return np.searchsorted(self.offset, words, side="right") - 1


@dataclass(frozen=True)
class Alignment:
    """Two sides whose words correspond, for a block of pairs."""

    gold: Side
    parsed: Side
    left_out: list[LeftOut]
    tables: LabelTables | None = None  # what the parameters mean for labels, if known
    # The trees of `left_out`, where they are scored all the same: see `mismatches`.
    settled: Ints | None = None
    unescaped: Flags | None = None  # trees whose words are the same but for escapes

    @property
    def is_comparable(self) -> Flags:
        """Per pair of trees."""
        return self.gold.is_compared

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
        mended, extracted = self._mended(trees)
        return Ledger(
            gold=size,
            parsed=size,
            scored=int(np.count_nonzero(scored)),
            items=items,
            lost_brackets=lost_brackets,
            roots=self._roots(scored),
            mended=mended - extracted,
            extracted=extracted,
            is_unescaped=self.unescaped is not None
            and bool((self.unescaped & scored).any()),
        )

    def _roots(self, scored: Flags) -> tuple[RootLabels, ...]:
        if self.tables is None:
            return ()
        with_words = scored & (self.gold.sizes > 0) & (self.parsed.sizes > 0)
        banks = self.gold.bank, self.parsed.bank
        return counted_roots(*banks, self.tables, with_words)

    def _mended(self, trees: Flags | None) -> tuple[int, int]:
        """How many parses are not as they were written, and how many of them are but
        for the text around them."""
        # Another mapping is of trees that could be mended, were it asked for. If gold
        # was mended, it is a parser's output.
        sides = (self.parsed.bank, self.gold.bank)
        banks = [bank for bank in sides if type(bank.mends) is dict]
        mends = [
            bank.mends[tree]
            for bank in banks
            for tree in bank.mends
            if tree not in bank.problems and (trees is None or trees[tree])
        ]
        if not mends:
            return 0, 0
        from analyzer.formats.penn.generated import is_extraction  # few runs need it

        return len(mends), sum(map(is_extraction, mends))


def align(pair: Pair, tables: LabelTables) -> Alignment:
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
        Side(gold, gold_leaves, gold_starts, is_comparable),
        Side(parsed, parsed_leaves, parsed_starts, is_comparable, is_gold=False),
        [],
        tables,
    )
    if tables.compares_words:
        differ, unescaped = _trees_differ(alignment, tables)
        is_comparable &= ~differ
        alignment = replace(alignment, unescaped=unescaped)
    for tree in np.flatnonzero(~is_comparable).tolist():
        why = _why_left_out(pair, tree, alignment, tables)
        texts = text_number(gold, tree), text_number(parsed, tree)
        alignment.left_out.append(why._replace(texts=texts))
    return alignment


def _trees_differ(
    alignment: Alignment, tables: LabelTables
) -> tuple[Flags, Flags | None]:
    """Which trees have words that differ, of those that may be compared.

    And which have words that would, if escapes did not count as what they stand for.
    """
    sides = alignment.gold, alignment.parsed
    asked = alignment.is_comparable
    if _native.has_kernel():
        asked = _native.trees_differ(*sides, asked)
        if not asked.any():
            return asked, None
    leaves = [side.leaves[np.repeat(asked, np.diff(side.starts))] for side in sides]
    gold, parsed = alignment.gold.bank, alignment.parsed.bank
    wrong = np.flatnonzero(words_differ(gold, leaves[0], parsed, leaves[1])).tolist()
    are_same = _same_words(tables)
    equal = {frozenset(words) for words in tables.parameters.equal_words}
    different, escaped = [], []
    for word in wrong:
        forms = gold.form(leaves[0][word]), parsed.form(leaves[1][word])
        if not are_same(*forms):
            different.append(word)
        elif frozenset(forms) not in equal:
            escaped.append(word)
    sizes = np.where(asked, np.diff(alignment.gold.starts), 0)
    tree_of_word = np.repeat(np.arange(asked.size), sizes)
    differs, is_escaped = np.zeros((2, asked.size), np.bool_)
    differs[tree_of_word[different]] = True
    is_escaped[tree_of_word[escaped]] = True
    return differs, is_escaped


def _same_words(tables: LabelTables) -> Callable[[str, str], bool]:
    """Whether two words are the same: as the parameters have it, or but for escapes."""
    equal = {frozenset(words) for words in tables.parameters.equal_words}

    def are_same(gold: str, parsed: str) -> bool:
        if gold == parsed or frozenset((gold, parsed)) in equal:
            return True
        return plain(gold) == plain(parsed) != ""

    return are_same


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


def _put_back_quotes(pair: Pair, tree: int, tables: LabelTables) -> tuple[Ints, Ints]:
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
    pair: Pair, tree: int, alignment: Alignment, tables: LabelTables
) -> LeftOut:
    if tree in pair.known:
        return pair.known[tree]
    sentence = pair.number(tree)
    gold, parsed = pair.gold, pair.parsed

    id = pair.id_of(tree)
    place = Place(parsed.source, int(parsed.line[tree]), None, sentence, id)
    for bank in (gold, parsed):
        if tree in bank.problems:
            problem = bank.problems[tree]
            reason = Reason.BAD_GOLD if bank is gold else Reason.of_parse(problem)
            there = problem.place or Place(bank.source)
            there = replace(there, sentence=sentence, id=id)
            return LeftOut(sentence, reason, problem.at(there))
    gold_words, parsed_words = alignment.gold.words(tree), alignment.parsed.words(tree)
    if not parsed_words:
        bounds = [bank.leaf_start[tree : tree + 2] for bank in (gold, parsed)]
        has_leaves = [start < end for start, end in bounds]
        if not any(has_leaves):
            error = PairingError("E242 no tree on either side", place)
            return LeftOut(sentence, Reason.BLANK, error)
        if not has_leaves[1]:
            error = PairingError("E431 failed parse", place)
            return LeftOut(sentence, Reason.FAILED, error)
        return LeftOut(sentence, Reason.NOTHING_LEFT, nothing_left(place))
    difference = _first_difference(gold_words, parsed_words, tables)
    if len(gold_words) == len(parsed_words) and difference.is_of_encoding:
        error = PairingError("E459 which look the same", place, **difference._asdict())
        return LeftOut(sentence, Reason.WORDS, error)
    if len(gold_words) == len(parsed_words):
        error = PairingError("E433 differs", place, **difference._asdict())
        return LeftOut(sentence, Reason.WORDS, error)
    lengths: dict[str, Any] = {
        "gold_words": len(gold_words),
        "parsed_words": len(parsed_words),
    }
    tags = _tag_difference(*(_Tokens.of(bank, tree, tables) for bank in (gold, parsed)))
    if tags is not None:
        error = PairingError(
            "E434 words to compare", place, **lengths, **tags._asdict()
        )
    else:
        error = PairingError(
            "E435 words to compare", place, **lengths, **difference._asdict()
        )
    return LeftOut(sentence, Reason.LENGTH, error)


def nothing_left(place: Place) -> PairingError:
    """The error for a sentence whose words are all deleted."""
    return PairingError("E432 no words are left after deletion", place)


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
    """The words of a tree without traces, their tags, which of these are deleted."""

    words: list[str]
    tags: list[int]
    is_deleted: list[bool]

    @classmethod
    def of(cls, bank: Treebank, tree: int, tables: LabelTables) -> _Tokens:
        start, end = bank.leaf_start[tree : tree + 2].tolist()
        leaves = start + np.flatnonzero(are_words(bank, slice(start, end)))
        tags = bank.label[bank.leaf_node[leaves]]
        deleted = tables.deletes_word(tags)
        return cls(bank.forms(leaves), tags.tolist(), deleted.tolist())


def _tag_difference(gold: _Tokens, parsed: _Tokens) -> _TagDifference | None:
    """The word that only one side deletes because of its tag, if that is all."""
    if gold.words != parsed.words:
        return None
    for word, *tags, in_gold, in_parsed in zip(
        *(gold.words, gold.tags, parsed.tags, gold.is_deleted, parsed.is_deleted),
        strict=True,
    ):
        if in_gold != in_parsed:
            return _TagDifference(word, *map(SYMBOLS.name, tags))
    return None


def _first_difference(
    gold: list[str], parsed: list[str], tables: LabelTables
) -> _WordDifference:
    are_same = _same_words(tables)
    for at, (left, right) in enumerate(zip(gold, parsed, strict=False), start=1):
        if not are_same(left, right):
            return _WordDifference(at, repr(left), repr(right))
    shorter = min(len(gold), len(parsed))
    left = repr(gold[shorter]) if len(gold) > shorter else "nothing"
    right = repr(parsed[shorter]) if len(parsed) > shorter else "nothing"
    return _WordDifference(shorter + 1, left, right)


# -- which roots of trees count as brackets --------------------------------------------
#
# A root is the topmost bracket of a tree if its label is a wrapper (TOP, ROOT, S1, none
# at all ...: the label set lists them). evalb counts it unless the parameters delete
# its label, so that two spellings of a tree can differ by a bracket a sentence.


def counted_roots(
    gold: Treebank, parsed: Treebank, tables: LabelTables, chosen: Flags
) -> tuple[RootLabels, ...]:
    """The labels at the top of some trees, where a root counts."""
    top = [bank.label[bank.node_start[:-1][chosen]] for bank in (gold, parsed)]
    counted = [tables.root_class(labels) for labels in top]
    is_counted = (counted[0] != DELETED) | (counted[1] != DELETED)
    if not is_counted.any():
        return ()
    gold_top, parsed_top = (labels[is_counted].astype(np.int64) for labels in top)
    is_same = (counted[0] == counted[1])[is_counted]
    together = (gold_top * len(SYMBOLS) + parsed_top) * 2 + is_same
    _, first, sentences = np.unique(together, return_index=True, return_counts=True)
    return tuple(
        RootLabels(
            SYMBOLS.name(gold_label), SYMBOLS.name(parsed_label), bool(same), count
        )
        for gold_label, parsed_label, same, count in zip(
            gold_top[first].tolist(),
            parsed_top[first].tolist(),
            is_same[first].tolist(),
            sentences.tolist(),
            strict=True,
        )
    )
