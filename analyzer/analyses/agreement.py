"""Two annotations of the same text: how far they agree, and where they do not.

The joins are those of `score`; neither side is gold, so only what is symmetric is
told: F scores, shares of matches, and Cohen's kappa where categories are given:

    label        phrases with the same span: which label
    construction phrases with the same span: which construction
    attachment   the same head and construction: how far away the governor is
    tag          words: which tag

For documents there are the factors of RST-Tace as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.categories import (
    attachment_pairs,
    construction_pairs,
    label_pairs,
    tag_pairs,
)
from analyzer.analyses.disagreements import (
    Groups,
    Side,
    add,
    disagreements,
    tag_disagreements,
)
from analyzer.analyses.factors import FactorRow, factors
from analyzer.analyses.opening import TreeOptions, TreeReading, Trees
from analyzer.analyses.score import ConstructionRow, ConstructionScores
from analyzer.derivation.characters import derivation_by_characters
from analyzer.derivation.deriver import Deriver
from analyzer.derivation.discourse import discourse_deriver
from analyzer.exceptions import PairingError
from analyzer.formats.registry import Family
from analyzer.metrics.constructions import Comparison, join, tally
from analyzer.metrics.join import match
from analyzer.metrics.kappa import CategoryPairs, Kappa, cohen
from analyzer.metrics.signature import Signature
from analyzer.model.discourse import Documents
from analyzer.model.settings import require_choice
from analyzer.pairing.by_name import document_pairs
from analyzer.pairing.by_text import pairs_by_text
from analyzer.pairing.characters import CharSpans, aligned_by_characters
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.pairing.words import align
from analyzer.transform.documents import DocumentShape

if TYPE_CHECKING:
    import pandas as pd


class AgreementRow(NamedTuple):
    """A construction, or all of them; counts, ratios, None where undefined."""

    construction: str
    recursive: bool
    a: int
    b: int
    matched_h: int
    matched_s: int
    matched_att: int | None
    matched_span_right: int
    matched_span_left: int
    f_h: float | None
    f_s: float | None
    att: float | None
    span_right: float | None
    span_left: float | None
    kappa_construction: float | None
    kappa_att: float | None


class DocumentAgreement(NamedTuple):
    """What there is to tell of documents beside their constructions."""

    names: list[str]
    factors: list[FactorRow]


@dataclass
class Agreement:
    """What `agree` returns: scores, kappas, and the disagreements in groups."""

    scores: ConstructionScores
    by_characters: bool = False
    labels: CategoryPairs = field(default_factory=Counter)
    constructions: CategoryPairs = field(default_factory=Counter)
    attachments: dict[str, CategoryPairs] = field(default_factory=dict)
    tags: CategoryPairs = field(default_factory=Counter)
    groups: Groups = field(default_factory=dict)
    documents: DocumentAgreement | None = None  # None: sentences

    def __repr__(self) -> str:
        f_s = self.total.f_s
        shown = "undefined" if f_s is None else f"{100 * f_s:.1f}"
        return f"<Agreement: F-s {shown}, {self.scored_text()}>"

    @property
    def ledger(self) -> Ledger:
        """What was compared, what was left out and why; A is called gold."""
        return self.scores.ledger

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences or documents that are not compared, and why."""
        return self.ledger.mismatches

    def scored_text(self) -> str:
        """What was compared and what was left out, in a sentence."""
        return self.ledger.text(sides=("A", "B"))

    def frame(self) -> pd.DataFrame:
        """The rows and the total as a DataFrame, indexed by construction."""
        import pandas as pd

        table = pd.DataFrame([*self.rows, self.total], columns=AgreementRow._fields)
        return table.set_index("construction")

    def _repr_html_(self) -> str:
        from reports.notebook import agreement_html

        return agreement_html(self)

    @property
    def signature(self) -> Signature:
        # The scores' own, so that a number can be traced; only the scorer differs.
        unit = "characters" if self.by_characters else "words"
        scored = self.scores.signature.replace(scorer="agreement")
        return scored.insert("patterns", positions=unit)

    @property
    def kappas(self) -> dict[str, Kappa]:
        together: CategoryPairs = Counter()
        for pairs in self.attachments.values():
            together.update(pairs)
        found = {
            "label": cohen(self.labels),
            "construction": cohen(self.constructions),
            "attachment": cohen(together),
            "tag": cohen(self.tags),
        }
        if not self.scores.deriver.has_tags:
            del found["label"], found["tag"]
        return found

    @property
    def rows(self) -> list[AgreementRow]:
        """One row a construction, most frequent first."""
        rows = sorted(
            self.scores.rows, key=lambda r: (-r.gold - r.parsed, r.construction)
        )
        return [self._row(row) for row in rows]

    @property
    def total(self) -> AgreementRow:
        kappas = self.kappas
        return _agreement_row(
            self.scores.total, kappas["construction"].kappa, kappas["attachment"].kappa
        )

    def _row(self, row: ConstructionRow) -> AgreementRow:
        name = row.construction
        against_rest: CategoryPairs = Counter()
        for (one, other), count in self.constructions.items():
            against_rest[one == name, other == name] += count
        kappa = cohen(self.attachments.get(name, Counter())).kappa
        return _agreement_row(row, cohen(against_rest).kappa, kappa)

    def add(
        self, pair: SentencePair, comparison: Comparison, sides: tuple[Side, Side]
    ) -> None:
        """Count a block."""
        has_tags = self.scores.deriver.has_tags
        self.scores.tally.add(tally(comparison))
        self.constructions.update(construction_pairs(comparison, apart=not has_tags))
        for name, pairs in attachment_pairs(comparison, sides).items():
            self.attachments.setdefault(name, Counter()).update(pairs)
        sentence = pair.first_sentence
        add(self.groups, disagreements(*sides, comparison, sentence))
        if has_tags:
            self.labels.update(label_pairs(comparison))
            found = match([sides[0].places.number], [sides[1].places.number])
            words = (np.flatnonzero(found.gold), found.partner[found.gold])
            self.tags.update(tag_pairs(sides, words))
            add(self.groups, tag_disagreements(*sides, words, sentence))


def _agreement_row(
    row: ConstructionRow, kappa: float | None, kappa_att: float | None
) -> AgreementRow:
    return AgreementRow(
        construction=row.construction,
        recursive=row.recursive,
        a=row.gold,
        b=row.parsed,
        matched_h=row.matched_h,
        matched_s=row.matched_s,
        matched_att=row.matched_att,
        matched_span_right=row.matched_span_right,
        matched_span_left=row.matched_span_left,
        f_h=row.f_h,
        f_s=row.f_s,
        att=row.att,
        span_right=row.span_right,
        span_left=row.span_left,
        kappa_construction=kappa,
        kappa_att=kappa_att,
    )


def agree(
    a: Trees,
    b: Trees,
    *,
    by_characters: bool = False,
    pairing: Literal["order", "text"] = "order",
    **options: Unpack[TreeOptions],
) -> Agreement:
    """How far two annotations of the same sentences, or of the same documents, agree.

    `by_characters`: words or EDUs may differ, and are compared by their characters.
    `pairing` by text sets sentences beside each other that have the same text, for
    releases that add or drop some. `TreeOptions` lists the other options.

    >>> one = "(S (NP (PRP I)) (VP (VBP see)))"
    >>> agree(one, one).total.f_s
    1.0
    """
    require_choice("pairing", pairing, ("order", "text"))
    reading = TreeReading(**options)
    opened_a, opened_b = reading.given(a), reading.given(b)
    deriver = reading.deriver_for(opened_a)
    if deriver.family is Family.DISCOURSE:
        sides = reading.documents(opened_a), reading.documents(opened_b)
        result = agree_documents(
            *sides, reading.shape, by_characters=by_characters, merge=reading.merge
        )
        reading.finish(result.ledger, opened_b)
        return result
    result = Agreement(ConstructionScores(deriver), by_characters)
    if pairing == "text":
        pairs, unpaired = pairs_by_text(
            reading.sentences(opened_a), reading.sentences(opened_b)
        )
        _agree_into(result, iter(pairs), lambda: unpaired)
    else:
        opened = reading.open(opened_a, opened_b, deriver)
        _agree_into(result, opened.pairs(), opened.others)
    reading.finish(result.ledger, opened_b)
    return result


def agree_documents(
    a: Documents,
    b: Documents,
    shape: DocumentShape | None = None,
    *,
    by_characters: bool = False,
    merge: Mapping[str, str] | None = None,
) -> Agreement:
    """How far two annotations of documents agree; by characters, EDUs may differ.

    >>> from analyzer.formats.documents import read_rst
    >>> one = read_rst("(NS-Cause (1) (2))")
    >>> [row.f1 for row in agree_documents(one, one).documents.factors]
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    shape = shape or DocumentShape()
    found = document_pairs(a, b, shape, by_text=by_characters)
    deriver = discourse_deriver(
        binarize=shape.binarize, relations=shape.relations_name, merge=merge
    )
    result = Agreement(
        ConstructionScores(deriver, relation_hint=found.relation_hint),
        by_characters,
        documents=DocumentAgreement(found.names, []),
    )
    if not found.names:
        result.scores.tally.ledger = found.ledger
        return result
    if by_characters:
        alignment, left, right = aligned_by_characters(found.pair, deriver.tables)
        for item in alignment.left_out:
            name = found.names[item.sentence - 1]
            raise PairingError(
                "{name} has no text to compare different EDUs by",
                code="E402",
                name=name,
            )
    else:
        left = right = CharSpans.of_words(int(found.pair.gold.leaf_start[-1]))
    _agree_into(result, iter([found.pair]), lambda: found.ledger)
    banks = (found.pair.gold, found.pair.parsed)
    sides = [Documents(found.names, bank) for bank in banks]
    of_both = factors(sides[0], sides[1], (left, right))
    result.documents = DocumentAgreement(found.names, of_both)
    return result


def _agree_into(
    result: Agreement, pairs: Iterator[SentencePair], others: Callable[[], Ledger]
) -> None:
    """Compare pair by pair, adding to the result, and at the end what no pair tells."""
    for pair in pairs:
        found = _compare(pair, result.scores.deriver, result.by_characters)
        result.add(pair, *found)
    tally = result.scores.tally
    tally.ledger = tally.ledger.plus(others())


def _compare(
    pair: SentencePair, deriver: Deriver, characters: bool
) -> tuple[Comparison, tuple[Side, Side]]:
    tables = deriver.tables
    if characters:
        alignment, *places = aligned_by_characters(pair, tables)
    else:
        alignment = align(pair, tables)
        sizes = np.diff(alignment.gold_starts)[alignment.is_comparable]
        places = [CharSpans.of_words(int(sizes.sum()))] * 2
    sides = []
    for at, bank in enumerate((pair.gold, pair.parsed)):
        derivation = deriver.derive(bank, alignment, of_gold=at == 0)
        leaves = (alignment.gold_leaves, alignment.parsed_leaves)[at]
        starts = (alignment.gold_starts, alignment.parsed_starts)[at]
        leaves = leaves[np.repeat(alignment.is_comparable, np.diff(starts))]
        tags = tables.tag_class(bank.label[bank.leaf_node[leaves]])
        has_tags = deriver.has_tags
        sides.append(Side(bank, derivation, leaves, tags, places[at], has_tags))
    a, b = (side.derivation for side in sides)
    if characters:
        a = derivation_by_characters(a, places[0])
        b = derivation_by_characters(b, places[1])
    return join(a, b, alignment, deriver.constructions), (sides[0], sides[1])
