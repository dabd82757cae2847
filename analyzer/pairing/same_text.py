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
    shared = SharedNames([], [], {})
    for name in dict.fromkeys(name for side in sides for name in side):
        lacking = [at for at, known in enumerate(places) if name not in known]
        if lacking:
            shared.missing[name] = lacking
        else:
            shared.names.append(name)
            shared.places.append(tuple(known[name] for known in places))
    return shared


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
    partner = _partners(*(side.texts() for side in sides))
    return _paired(*sides, partner, "text")


def pairs_by_id(
    gold: Sequence[Treebank], parsed: Sequence[Treebank]
) -> tuple[list[Pair], Ledger]:
    """All sentences of gold, each beside what parsed calls by the same id.

    Messages name what one side lacks by its id. PairingError if a sentence has no id,
    or two have the same.

    >>> from dataclasses import replace
    >>> from analyzer.formats.reading import read_trees
    >>> gold = replace(read_trees("(X (NN a))\\n(X (NN b))"), ids=("1", "2"))
    >>> parsed = replace(read_trees("(X (NN c))\\n(X (NN a))"), ids=("3", "1"))
    >>> pairs, others = pairs_by_id([gold], [parsed])
    >>> [(pair.gold[0].words, pair.parsed[0].words) for pair in pairs]
    [(['a'], ['a']), (['b'], [])]
    >>> print(others.items[0].error)
    <text>:1: sentence 1 (3): no sentence of the other side has the id '3'
    """
    sides = _Sentences(gold), _Sentences(parsed)
    shared = shared_names(_ids(sides[0]), _ids(sides[1]))
    return _paired(*sides, {places[0]: places[1] for places in shared.places}, "id")


def _ids(side: _Sentences) -> list[str]:
    places: dict[str, Place] = {}
    for sentence in range(len(side)):
        bank, tree = side.at(sentence)
        place, id = side.place(sentence), bank.id_of(tree)
        if not id:
            raise PairingError("E451 has no id", place)
        if id in places:
            raise PairingError("E452 a second time", place, id=id, first=places[id])
        places[id] = place
    return list(places)


def _paired(
    gold: _Sentences, parsed: _Sentences, partner: dict[int, int], key: str
) -> tuple[list[Pair], Ledger]:
    """Blocks of all sentences of gold, and the ledger of what is left of parsed."""
    alone = sorted({*range(len(parsed))}.difference(partner.values()))
    items = [_alone(parsed, n, key, in_gold=False) for n in alone]
    # To a block, parsed has as many sentences as gold.
    more = len(parsed) - len(gold)
    ledger = Ledger(parsed=more, items=tuple(items), paired_by=key)
    return list(_pairs(gold, parsed, partner, key)), ledger


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

    def __len__(self) -> int:
        return self.starts[-1]

    def texts(self) -> list[str]:
        return [text_of(bank, n) for bank in self.banks for n in range(len(bank))]

    def bank_of(self, sentence: int) -> int:
        return bisect_right(self.starts, sentence) - 1

    def at(self, sentence: int) -> tuple[Treebank, int]:
        """The treebank of a sentence, and its number there."""
        which = self.bank_of(sentence)
        return self.banks[which], sentence - self.starts[which]

    def place(self, sentence: int) -> Place:
        bank, tree = self.at(sentence)
        line, id = int(bank.line[tree]), bank.id_of(tree)
        return Place(bank.source, line, None, sentence + 1, id)

    def some(self, sentences: Sequence[int]) -> Treebank:
        """Some sentences of one treebank."""
        bank, first = self.at(sentences[0])
        trees = np.array(sentences) - sentences[0] + first
        if (np.diff(trees) == 1).all():
            return bank[first : first + len(sentences)]
        return some_trees(bank, trees)


_BLOCK = 500  # sentences


def _pairs(
    gold: _Sentences, parsed: _Sentences, partner: dict[int, int], key: str
) -> Iterator[Pair]:
    """Blocks of sentences of one file on either side, in gold's order."""

    def block(sentence: int) -> tuple[int, int, int]:
        beside = parsed.bank_of(partner[sentence]) if sentence in partner else -1
        return sentence // _BLOCK, gold.bank_of(sentence), beside

    for (_, _, beside), run in groupby(range(len(gold)), block):
        sentences = list(run)
        bank = gold.some(sentences)
        if beside >= 0:
            others = parsed.some([partner[sentence] for sentence in sentences])
            yield Pair(bank, others, sentences[0] + 1)
            continue
        name = parsed.banks[0].source if parsed.banks else ""
        empty = Treebank.join([], name).with_empty_trees(len(sentences))
        known = {
            tree: _alone(gold, sentence, key, in_gold=True)
            for tree, sentence in enumerate(sentences)
        }
        yield Pair(bank, empty, sentences[0] + 1, known)


def _alone(side: _Sentences, sentence: int, key: str, *, in_gold: bool) -> LeftOut:
    return without_partner(*side.at(sentence), sentence + 1, key, in_gold=in_gold)


def without_partner(
    bank: Treebank, tree: int, sentence: int, key: str = "text", *, in_gold: bool
) -> LeftOut:
    """A sentence without partner; or, where texts are asked, it is none at all."""
    if tree in bank.problems and key == "text":
        problem = bank.problems[tree]
        reason = Reason.BAD_GOLD if in_gold else Reason.of_parse(problem)
        return LeftOut(sentence, reason, problem, in_gold=in_gold)
    id = bank.id_of(tree)
    place = Place(bank.source, int(bank.line[tree]), None, sentence, id)
    if key == "text":
        error = PairingError("E447 no sentence of the other side has the same", place)
    else:
        error = PairingError("E453 no sentence of the other side has", place, id=id)
    reason = Reason.ONLY_GOLD if in_gold else Reason.ONLY_PARSED
    return LeftOut(sentence, reason, error, in_gold=in_gold)
