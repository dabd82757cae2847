"""Discourse trees as runs of pairs, so that all that compares syntax compares them."""

from __future__ import annotations

from typing import NamedTuple

from analyzer.analyses.rst_scores import RstSettings, Skipped, paired
from analyzer.model.discourse import Documents
from analyzer.pairing.in_step import SentencePair
from analyzer.transform.binarize import binarize_documents
from analyzer.transform.documents import map_documents, select_documents


class DocumentPairs(NamedTuple):
    """Gold and predicted documents side by side: a 'sentence' is a document."""

    names: list[str]
    pair: SentencePair
    skipped: list[Skipped]


def document_pairs(
    gold: Documents, predicted: Documents, settings: RstSettings
) -> DocumentPairs:
    """Documents of the same name and EDUs, both sides binarised and mapped alike.

    By offsets, of the same name and text.
    """
    pairs, skipped = paired(gold, predicted, by_offsets=settings.by_offsets)

    def shaped(corpus: Documents, wanted: list[int]) -> Documents:
        mapped = map_documents(select_documents(corpus, wanted), settings.relation_map)
        return binarize_documents(mapped, settings.binarize)

    left = shaped(gold, [at for at, _ in pairs])
    right = shaped(predicted, [at for _, at in pairs])
    return DocumentPairs(left.names, SentencePair(left.bank, right.bank, 1), skipped)
