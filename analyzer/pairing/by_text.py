"""Sentences of two releases beside each other: paired by their text, not in order."""

from __future__ import annotations

from difflib import SequenceMatcher

from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.characters import plain
from analyzer.pairing.in_step import SentencePair, Surplus
from analyzer.transform.labels import default_labels


def pairs_by_text(a: Treebank, b: Treebank) -> tuple[list[SentencePair], Surplus]:
    """Blocks of sentences with the same text, and how many only one side has.

    Where as many sentences of either side stand in the same place with other texts,
    they are paired too: whoever compares them says how the texts differ.

    >>> from analyzer.formats.reading import read_trees
    >>> old = read_trees("(X (NN a))\\n(X (NN b))\\n(X (NN c))")
    >>> new = read_trees("(X (NN a))\\n(X (NN c))")
    >>> pairs, surplus = pairs_by_text(old, new)
    >>> [pair.first_sentence for pair in pairs], tuple(surplus)
    ([1, 3], (1, 0))
    """
    texts = [[_text(bank, tree) for tree in range(len(bank))] for bank in (a, b)]
    matcher = SequenceMatcher(None, texts[0], texts[1], autojunk=False)
    pairs = []
    only_a = only_b = 0
    for _, a0, a1, b0, b1 in matcher.get_opcodes():
        if a1 - a0 == b1 - b0:
            pairs.append(SentencePair(a[a0:a1], b[b0:b1], a0 + 1))
        else:
            only_a += a1 - a0
            only_b += b1 - b0
    return pairs, Surplus(only_a, only_b)


def _text(bank: Treebank, tree: int) -> str:
    """What a sentence says, however it is tokenised."""
    first, last = bank.leaf_start[tree : tree + 2].tolist()
    empty = default_labels().empty
    return "".join(
        plain(bank.form(leaf))
        for leaf in range(first, last)
        if SYMBOLS.name(int(bank.label[bank.leaf_node[leaf]])) not in empty
    )
