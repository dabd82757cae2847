"""Sentences of two releases beside each other: paired by their text, not in order."""

from __future__ import annotations

from difflib import SequenceMatcher

from analyzer.exceptions import PairingError, Place
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.characters import plain
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.ledger import Ledger, LeftOut, Reason
from analyzer.transform.labels import default_labels


def pairs_by_text(a: Treebank, b: Treebank) -> tuple[list[SentencePair], Ledger]:
    """Blocks of sentences with the same text, and the ledger of those without partner.

    Where as many sentences of either side stand in the same place with other texts,
    they are paired too: whoever compares them says how the texts differ.

    >>> from analyzer.formats.reading import read_trees
    >>> old = read_trees("(X (NN a))\\n(X (NN b))\\n(X (NN c))")
    >>> new = read_trees("(X (NN a))\\n(X (NN c))")
    >>> pairs, others = pairs_by_text(old, new)
    >>> [pair.first_sentence for pair in pairs], others.text(sides=("A", "B"))
    ([1, 3], 'scored 0 of 1 sentences; 1 left out: 1 only in A')
    """
    texts = [[_text(bank, tree) for tree in range(len(bank))] for bank in (a, b)]
    matcher = SequenceMatcher(None, texts[0], texts[1], autojunk=False)
    pairs = []
    items: list[LeftOut] = []
    only_a = only_b = 0
    for _, a0, a1, b0, b1 in matcher.get_opcodes():
        if a1 - a0 == b1 - b0:
            pairs.append(SentencePair(a[a0:a1], b[b0:b1], a0 + 1))
        else:
            only_a += a1 - a0
            only_b += b1 - b0
            items += [_alone(a, tree, Reason.BAD_GOLD) for tree in range(a0, a1)]
            items += [_alone(b, tree, Reason.BAD_PARSE) for tree in range(b0, b1)]
    return pairs, Ledger(gold=only_a, parsed=only_b, items=tuple(items))


def _alone(bank: Treebank, tree: int, malformed: Reason) -> LeftOut:
    """A sentence without partner; or it is no sentence at all."""
    in_gold = malformed is Reason.BAD_GOLD
    if tree in bank.problems:
        return LeftOut(tree + 1, malformed, bank.problems[tree], in_gold=in_gold)
    error = PairingError(
        "no sentence of the other side has the same text",
        Place(bank.source, int(bank.line[tree]), None, tree + 1),
        code="E447",
    )
    reason = Reason.ONLY_GOLD if in_gold else Reason.ONLY_PARSED
    return LeftOut(tree + 1, reason, error, in_gold=in_gold)


def _text(bank: Treebank, tree: int) -> str:
    """What a sentence says, however it is tokenised."""
    first, last = bank.leaf_start[tree : tree + 2].tolist()
    empty = default_labels().empty
    return "".join(
        plain(bank.form(leaf))
        for leaf in range(first, last)
        if SYMBOLS.name(int(bank.label[bank.leaf_node[leaf]])) not in empty
    )
