"""What all sides have, by name; and so, sentences of the same text."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, takewhile
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import PairingError, Place
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger, LeftOut, Reason
from analyzer.pairing.texts import text_of
from analyzer.transform.pruning import some_trees


class SharedNames(NamedTuple):
    """What all sides have, and what some of them lack."""

    names: list[str]  # in the order of the first side
    places: list[tuple[int, ...]]  # of each name: where it stands on each side
    missing: dict[str, list[int]]  # other names, and the sides that lack them


def shared_names(*sides: Sequence[str]) -> SharedNames:
    """Names that all sides have.

    >>> shared_names(["a", "b", "c"], ["c", "b", "d"])
    SharedNames(names=['b', 'c'], places=[(1, 1), (2, 0)], missing={'a': [1], 'd': [0]})
    """
    places = [{name: at for at, name in enumerate(side)} for side in sides]
    found = SharedNames([], [], {})
    for name in dict.fromkeys(name for side in sides for name in side):
        lacking = [at for at, known in enumerate(places) if name not in known]
        if lacking:
            found.missing[name] = lacking
        else:
            found.names.append(name)
            found.places.append(tuple(known[name] for known in places))
    return found


# -- sentences: the same text, wherever it stands --------------------------------------


def pairs_by_text(
    gold: Sequence[Treebank], parsed: Sequence[Treebank]
) -> tuple[list[Pair], Ledger]:
    """All sentences of gold, each beside one of the same text, wherever that stands.

    A side is a treebank for each file, or for parts of it; a pair is of one file. Where
    as many sentences of either side stand in the same place with other texts, they are
    paired too: whoever compares them says how the texts differ. Beside what is left of
    gold stand empty trees; the ledger has what is left of parsed.

    >>> from analyzer.formats.reading import read_trees
    >>> gold = read_trees("(X (NN a))\\n(X (NN b))\\n(X (NN c))")
    >>> parsed = read_trees("(X (NN d))\\n(X (NN c))\\n(X (NN a))")
    >>> pairs, others = pairs_by_text([gold], [parsed])
    >>> [(pair.gold[0].words, pair.parsed[0].words) for pair in pairs]
    [(['a'], ['a']), (['b'], []), (['c'], ['c'])]
    >>> others.text()
    'scored 0 of 0 sentences, paired by text; 1 only in parsed'
    """
    sides = _Sentences(gold), _Sentences(parsed)
    partner = _partners(*(side.texts for side in sides))
    alone = sorted({*range(len(sides[1].texts))}.difference(partner.values()))
    items = [_alone(sides[1], n, in_gold=False) for n in alone]
    # To a block, parsed has as many sentences as gold.
    more = len(sides[1].texts) - len(sides[0].texts)
    ledger = Ledger(parsed=more, items=tuple(items), is_by_text=True)
    return list(_pairs(*sides, partner)), ledger


def _partners(gold: Sequence[str], parsed: Sequence[str]) -> dict[int, int]:
    """Sentences of the same text; then those between two such, if equally many."""
    sides = _numbered(gold, "gold"), _numbered(parsed, "parsed")
    partner = {places[0]: places[1] for places in shared_names(*sides).places}
    taken = set(partner.values())
    for is_paired, run in groupby(range(len(gold)), partner.copy().__contains__):
        if is_paired:
            continue
        left = list(run)
        start = partner[left[0] - 1] + 1 if left[0] else 0
        right = list(takewhile(lambda n: n not in taken, range(start, len(parsed))))
        if len(right) != len(left):  # a line of prose, say, is no sentence
            right = [n for n in right if parsed[n]]
        if len(right) == len(left):
            partner.update(zip(left, right, strict=True))
            taken.update(right)
    return partner


def _numbered(texts: Sequence[str], side: str) -> list[str]:
    """Names for texts: the n-th that says so. What says nothing is like no other."""
    seen: Counter[str] = Counter()
    names = []
    for text in texts:
        seen[text] += 1
        names.append(f"{text} {seen[text]}" if text else f"{side}  {seen[text]}")
    return names


class _Sentences:
    """The sentences of some treebanks, numbered from 0."""

    def __init__(self, banks: Sequence[Treebank]) -> None:
        # Of a file one treebank: partners may stand far apart.
        files = groupby([bank for bank in banks if len(bank)], lambda bank: bank.source)
        self.banks = [Treebank.join(list(parts), name) for name, parts in files]
        self.starts = [0, *accumulate(map(len, self.banks))]
        self.texts = [text_of(bank, n) for bank in self.banks for n in range(len(bank))]

    def bank_of(self, sentence: int) -> int:
        return bisect_right(self.starts, sentence) - 1

    def at(self, sentence: int) -> tuple[Treebank, int]:
        """The treebank of a sentence, and its number there."""
        which = self.bank_of(sentence)
        return self.banks[which], sentence - self.starts[which]

    def some(self, sentences: Sequence[int]) -> Treebank:
        """Some sentences of one treebank."""
        bank, first = self.at(sentences[0])
        trees = np.array(sentences) - sentences[0] + first
        if (np.diff(trees) == 1).all():
            return bank[first : first + len(sentences)]
        return some_trees(bank, trees)


_BLOCK = 500  # sentences


def _pairs(
    gold: _Sentences, parsed: _Sentences, partner: dict[int, int]
) -> Iterator[Pair]:
    """Blocks of sentences of one file on either side, in gold's order."""

    def block(sentence: int) -> tuple[int, int, int]:
        beside = parsed.bank_of(partner[sentence]) if sentence in partner else -1
        return sentence // _BLOCK, gold.bank_of(sentence), beside

    for (_, _, beside), run in groupby(range(len(gold.texts)), block):
        sentences = list(run)
        bank = gold.some(sentences)
        if beside >= 0:
            others = parsed.some([partner[sentence] for sentence in sentences])
            yield Pair(bank, others, sentences[0] + 1)
            continue
        name = parsed.banks[0].source if parsed.banks else ""
        empty = Treebank.join([], name).with_empty_trees(len(sentences))
        known = {
            tree: _alone(gold, sentence, in_gold=True)
            for tree, sentence in enumerate(sentences)
        }
        yield Pair(bank, empty, sentences[0] + 1, known)


def _alone(side: _Sentences, sentence: int, *, in_gold: bool) -> LeftOut:
    """A sentence without partner; or it is no sentence at all."""
    bank, tree = side.at(sentence)
    if tree in bank.problems:
        reason = Reason.BAD_GOLD if in_gold else Reason.BAD_PARSE
        return LeftOut(sentence + 1, reason, bank.problems[tree], in_gold=in_gold)
    error = PairingError(
        "E447 no sentence of the other side has the same",
        Place(bank.source, int(bank.line[tree]), None, sentence + 1),
    )
    reason = Reason.ONLY_GOLD if in_gold else Reason.ONLY_PARSED
    return LeftOut(sentence + 1, reason, error, in_gold=in_gold)
