"""What of a construction occurs in the data that a parser was trained on.

Each construction has four traits: the word that heads it, its production, the spine of
its head (all that this word projects, bottom up), and the pair of head and governor.
Whether training data has them explains what a parser has to generalise to.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from analyzer.analyses.opening import TreeReading, Trees
from analyzer.derivation.columns import ROOT, Derivation
from analyzer.derivation.deriver import Deriver
from analyzer.model.arrays import Ints, begins, number_densely
from analyzer.model.treebank import Treebank
from analyzer.pairing.tasks import Blocks
from analyzer.pairing.words import align

# Trait -> what it says; the columns that `instances` has with training data.
KNOWN = {
    "known": "whether the training data has the word that heads it",
    "known_production": "whether it has its production",
    "known_spine": "whether it has the constructions of its head, in this order",
    "known_pair": "whether it has its head, depending on the same word",
}


class Training(NamedTuple):
    """All traits of a treebank, as texts, which mean the same in every process."""

    words: frozenset[str]
    productions: frozenset[str]
    spines: frozenset[str]
    pairs: frozenset[str]

    def known(
        self, bank: Treebank, leaf: Ints, rows: Derivation, deriver: Deriver
    ) -> dict[str, list[bool]]:
        """The columns of `KNOWN` for some rows; `leaf` is that of each word."""
        found = _traits(bank, leaf, rows, deriver)
        return {
            name: [one in seen for one in values]
            for name, seen, values in zip(KNOWN, self, found, strict=True)
        }


def training_of(train: Trees, reading: TreeReading, deriver: Deriver) -> Training:
    """The traits of a treebank; `reading` is that of the trees to be scored."""
    # Records, mending and progress are of the parser's output.
    alone = replace(
        reading, field=None, gold_field=None, id=None, mend=False, progress=None
    )
    opened = alone.open_alone(alone.resolve(train), deriver)
    words, productions, spines, pairs = set[str](), set[str](), set[str](), set[str]()
    assert isinstance(opened.tasks, Blocks)  # as they are, of one side
    for pair in opened.tasks.pairs():
        side = align(pair, deriver.tables).gold
        rows = deriver.derive(side)
        words.update(pair.gold.forms(np.arange(pair.gold.leaf_node.size)))
        _, *others = _traits(pair.gold, side.word_leaves, rows, deriver)
        for traits, found in zip((productions, spines, pairs), others, strict=True):
            traits.update(found)
    return Training(*map(frozenset, (words, productions, spines, pairs)))


def _traits(
    bank: Treebank, leaf: Ints, rows: Derivation, deriver: Deriver
) -> tuple[list[str], list[str], list[str], list[str]]:
    """Word, production, spine, head and governor of each row."""
    forms = np.array([*bank.forms(leaf), ""], object)
    words = forms[rows.head].tolist()
    governor = np.where(rows.governor == ROOT, forms.size - 1, rows.governor)
    both = zip(words, forms[governor].tolist(), strict=True)
    pairs = [f"{word}\t{other}".lower() for word, other in both]
    numbers, which = number_densely(rows.production)
    texts = np.array([*deriver.labeller.texts_of(numbers.tolist()), ""], object)
    return words, texts[which].tolist(), _spines(rows, deriver), pairs


def _spines(rows: Derivation, deriver: Deriver) -> list[str]:
    """What the head of each row projects, bottom up."""
    # Parents come before children, in rows and so in each spine.
    order = np.argsort(rows.head, kind="stable")
    is_first = begins(rows.head[order])
    names = np.array([*deriver.constructions.listed, ""], object)
    of_rows = names[rows.construction[order]].tolist()
    starts = [*np.flatnonzero(is_first).tolist(), len(of_rows)]
    spines = [" ".join(reversed(of_rows[start:end])) for start, end in pairwise(starts)]
    spread = np.empty(rows.head.size, object)
    spread[order] = np.array([*spines, ""], object)[np.cumsum(is_first) - 1]
    return list(spread)
