"""Discourse trees as runs of pairs, so that all that compares syntax compares them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.normalising import LabelTables
from analyzer.pairing import SentencePair
from analyzer.parameters import BUILT_IN
from analyzer.rst.binarising import binarised
from analyzer.rst.documents import Unit, corpus_of
from analyzer.rst.relations import mapped
from analyzer.rst.scoring import Document, RstSettings, Skipped, paired


class DocumentPairs(NamedTuple):
    """Gold and predicted documents side by side: a 'sentence' is a document."""

    names: list[str]
    pair: SentencePair
    skipped: list[Skipped]


def document_pairs(
    gold: Sequence[Document], predicted: Sequence[Document], settings: RstSettings
) -> DocumentPairs:
    """Documents of the same name and EDUs, both sides binarised and mapped alike."""
    pairs, skipped = paired(gold, predicted)
    names = [name for name, _, _ in pairs]

    def shaped(trees: Sequence[Unit]) -> list[Document]:
        units = [
            binarised(mapped(tree, settings.relation_map), settings.binarize)
            for tree in trees
        ]
        return list(zip(names, units, strict=True))

    return DocumentPairs(
        names,
        SentencePair(
            corpus_of(shaped([tree for _, tree, _ in pairs]), "gold").bank,
            corpus_of(shaped([tree for _, _, tree in pairs]), "predicted").bank,
            1,
        ),
        skipped,
    )


def document_tables() -> LabelTables:
    """Nothing is deleted, and the texts of units need not be the same."""
    return LabelTables(BUILT_IN["none"], compares_words=False)
