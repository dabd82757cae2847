"""Sentences of two releases beside each other: paired by their text, not in order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate

from analyzer.exceptions import PairingError, Place
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.characters import plain
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.ledger import Ledger, LeftOut, Reason
from analyzer.transform.labels import default_labels


def pairs_by_text(
    a: Sequence[Treebank], b: Sequence[Treebank]
) -> tuple[list[SentencePair], Ledger]:
    """Blocks of sentences with the same text, and the ledger of those without partner.

    A side is a treebank for each file, or for parts of it; a pair is of one file. Where
    as many sentences of either side stand in the same place with other texts, they are
    paired too: whoever compares them says how the texts differ.

    >>> from analyzer.formats.reading import read_trees
    >>> old = read_trees("(X (NN a))\\n(X (NN b))\\n(X (NN c))")
    >>> new = read_trees("(X (NN a))\\n(X (NN c))")
    >>> pairs, others = pairs_by_text([old], [new])
    >>> [pair.first_sentence for pair in pairs], others.text(sides=("A", "B"))
    ([1, 3], 'scored 0 of 1 sentences; 1 left out: 1 only in A')
    """
    sides = _Side(a), _Side(b)
    matcher = SequenceMatcher(None, sides[0].texts, sides[1].texts, autojunk=False)
    pairs: list[SentencePair] = []
    items: list[LeftOut] = []
    only_a = only_b = 0
    for _, a0, a1, b0, b1 in matcher.get_opcodes():
        if a1 - a0 == b1 - b0:
            pairs += _pairs(*sides, (a0, a1), b0)
        else:
            only_a += a1 - a0
            only_b += b1 - b0
            items += [_alone(sides[0], n, Reason.BAD_GOLD) for n in range(a0, a1)]
            items += [_alone(sides[1], n, Reason.BAD_PARSE) for n in range(b0, b1)]
    return pairs, Ledger(gold=only_a, parsed=only_b, items=tuple(items))


class _Side:
    """The sentences of some treebanks, numbered from 0."""

    def __init__(self, banks: Sequence[Treebank]) -> None:
        self.banks = [bank for bank in banks if len(bank)]
        self.starts = [0, *accumulate(map(len, self.banks))]
        self.texts = [_text(bank, n) for bank in banks for n in range(len(bank))]

    def at(self, sentence: int) -> tuple[Treebank, int]:
        """The treebank of a sentence, and its number there."""
        which = bisect_right(self.starts, sentence) - 1
        return self.banks[which], sentence - self.starts[which]


def _pairs(
    a: _Side, b: _Side, within: tuple[int, int], other: int
) -> Iterator[SentencePair]:
    """As many sentences of both sides, cut where either comes to another treebank."""
    at, end = within
    while at < end:
        (left, start), (right, begin) = a.at(at), b.at(other)
        size = min(end - at, len(left) - start, len(right) - begin)
        yield SentencePair(
            left[start : start + size], right[begin : begin + size], at + 1
        )
        at, other = at + size, other + size


def _alone(side: _Side, sentence: int, malformed: Reason) -> LeftOut:
    """A sentence without partner; or it is no sentence at all."""
    in_gold = malformed is Reason.BAD_GOLD
    bank, tree = side.at(sentence)
    if tree in bank.problems:
        return LeftOut(sentence + 1, malformed, bank.problems[tree], in_gold=in_gold)
    error = PairingError(
        "no sentence of the other side has the same text",
        Place(bank.source, int(bank.line[tree]), None, sentence + 1),
        code="E447",
    )
    reason = Reason.ONLY_GOLD if in_gold else Reason.ONLY_PARSED
    return LeftOut(sentence + 1, reason, error, in_gold=in_gold)


def _text(bank: Treebank, tree: int) -> str:
    """What a sentence says, however it is tokenised."""
    first, last = bank.leaf_start[tree : tree + 2].tolist()
    empty = default_labels().empty
    return "".join(
        plain(bank.form(leaf))
        for leaf in range(first, last)
        if SYMBOLS.name(int(bank.label[bank.leaf_node[leaf]])) not in empty
    )
