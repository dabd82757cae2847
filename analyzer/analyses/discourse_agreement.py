"""Two annotations of the same documents: constructions, and RST-Tace's factors."""

from __future__ import annotations

from dataclasses import dataclass, field

from analyzer.analyses.agreement import Agreement, agree_into
from analyzer.analyses.factors import FactorRow, factors
from analyzer.analyses.rst_scores import RstSettings, Skipped
from analyzer.analyses.score import ConstructionScores
from analyzer.derivation.discourse import RstLabeller
from analyzer.exceptions import PairingError
from analyzer.metrics.signature import Signature
from analyzer.model.discourse import Corpus
from analyzer.pairing.by_name import document_pairs, document_tables
from analyzer.pairing.characters import Places, aligned_by_characters


@dataclass
class RstAgreement(Agreement):
    """The same as for syntax, a sentence being a document; and the factors."""

    settings: RstSettings = field(default_factory=RstSettings)
    names: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    factors: list[FactorRow] = field(default_factory=list)

    @property
    def signature(self) -> Signature:
        given = self.settings
        return super().signature.insert(
            "positions", binarize=given.binarize, relations=given.relations
        )


def agree_documents(
    a: Corpus,
    b: Corpus,
    settings: RstSettings | None = None,
    *,
    merge: dict[str, str] | None = None,
) -> RstAgreement:
    """How far two annotations of documents agree; EDUs may differ if settings say so.

    >>> from analyzer.formats.rst.brackets import read_brackets
    >>> from analyzer.model.discourse import corpus_of
    >>> one = corpus_of([("d", read_brackets("(NS-Cause (1) (2))")[0])])
    >>> [row.f1 for row in agree_documents(one, one).factors]
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    settings = settings or RstSettings()
    found = document_pairs(a, b, settings)
    tables, labeller = document_tables(), RstLabeller(merge)
    result = RstAgreement(
        ConstructionScores(labeller, tables.parameters),
        settings.by_offsets,
        settings=settings,
        names=found.names,
        skipped=found.skipped,
    )
    if not found.names:
        return result
    if settings.by_offsets:
        alignment, left, right = aligned_by_characters(found.pair, tables)
        for item in alignment.left_out:
            name = found.names[item.sentence - 1]
            raise PairingError(f"{name} has no text to compare different EDUs by")
    else:
        left = right = Places.of_words(int(found.pair.gold.leaf_start[-1]))
    agree_into(result, iter([found.pair]), tables)
    banks = (found.pair.gold, found.pair.parsed)
    sides = [Corpus(found.names, bank) for bank in banks]
    result.factors = factors(sides[0], sides[1], (left, right))
    return result
