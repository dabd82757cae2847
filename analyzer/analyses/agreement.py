"""Two annotations of the same text: how far they agree, and where they do not.

The joins are those of `score`; neither side is gold, so only what is symmetric is
told: F scores, shares of matches, and Cohen's kappa where categories are given:

    label        phrases with the same span: which label
    construction phrases with the same span: which construction
    attachment   the same head and construction: how far away the governor is
    tag          words: which tag
    function     brackets that match: which function tags

For documents there are the factors of RST-Tace as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Unpack

from analyzer.analyses.annotations import AgreementCounts, AgreementWork
from analyzer.analyses.disagreements import (
    Groups,
)
from analyzer.analyses.factors import FactorRow, factors
from analyzer.analyses.opening import ScoringOptions, TreeReading, Trees
from analyzer.analyses.score import ConstructionScores
from analyzer.analyses.score_rows import ConstructionRow
from analyzer.derivation.discourse import discourse_deriver
from analyzer.exceptions import PairingError, SettingsError
from analyzer.formats.registry import Family
from analyzer.metrics.kappa import CategoryPairs, Kappa, cohen
from analyzer.metrics.signature import Signature
from analyzer.model.discourse import Documents
from analyzer.model.settings import require_choice
from analyzer.pairing.by_name import (
    check_documents,
    document_pairs,
    documents_apart,
    pair_documents,
)
from analyzer.pairing.by_text import pairs_by_text
from analyzer.pairing.characters import CharSpans, aligned_by_characters
from analyzer.pairing.ledger import DOCUMENT, Ledger, LeftOut
from analyzer.pairing.mismatches import OnMismatch
from analyzer.runtime.executor import Backend, run_tasks
from analyzer.transform.documents import DocumentShape
from analyzer.transform.relations import RelationHint

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
    functions: CategoryPairs = field(default_factory=Counter)
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
        if self.functions:
            found["function"] = cohen(self.functions)
        if not self.scores.deriver.has_tags:
            del found["label"], found["tag"]
        return found

    @property
    def rows(self) -> list[AgreementRow]:
        """One row for each construction, most frequent first."""
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

    @classmethod
    def of(
        cls, work: AgreementWork, found: AgreementCounts, hint: RelationHint | None
    ) -> Agreement:
        """The result that counts make."""
        scores = ConstructionScores(
            work.deriver,
            found.tally,
            on_mismatch=work.on_mismatch,
            relation_hint=hint,
        )
        return cls(
            scores,
            work.by_characters,
            found.labels,
            found.constructions,
            found.attachments,
            found.tags,
            found.groups,
            found.functions,
        )


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
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Agreement:
    """How far two annotations of the same sentences, or of the same documents, agree.

    `by_characters`: words or EDUs may differ, and are compared by their characters.
    `pairing` by text pairs sentences with the same text, for releases that add or drop
    sentences. `jobs` processes share the work (None: all processors). `ScoringOptions`
    lists the other options. As neither side is gold, `zero` counts sentences that
    cannot be compared as agreeing in nothing, and words that differ are not aligned.

    >>> one = "(S (NP (PRP I)) (VP (VBP see)))"
    >>> agree(one, one).total.f_s
    1.0
    """
    require_choice("pairing", pairing, ("order", "text"))
    reading = TreeReading(**options)
    if reading.mismatch is OnMismatch.ALIGN:
        raise SettingsError(
            "neither annotation is gold, so words are not aligned; --segmentation "
            "offsets compares different words of the same text by their characters",
            code="E460",
        )
    opened_a, opened_b = reading.given(a), reading.given(b)
    deriver = reading.deriver_for(opened_a)
    if deriver.family is Family.DISCOURSE:
        sides = reading.documents(opened_a), reading.documents(opened_b)
        result = agree_documents(
            *sides,
            reading.shape,
            by_characters=by_characters,
            merge=reading.merge,
            on_mismatch=reading.mismatch,
        )
        reading.finish(result.ledger, opened_b)
        return result
    work = AgreementWork(deriver, by_characters, reading.mismatch)
    backend = Backend(jobs)
    found = AgreementCounts()
    if pairing == "text":
        pairs, unpaired = pairs_by_text(
            *(
                reading.sentences(side, deriver.inventory.labels)
                for side in (opened_a, opened_b)
            )
        )
        for counts in run_tasks(work, pairs, backend=backend):
            found.plus(counts)
    else:
        opened = reading.open(opened_a, opened_b, deriver)
        for counts in opened.tasks.counts(work, backend):
            found.plus(counts)
        unpaired = opened.others()
    found.tally.ledger = found.tally.ledger.plus(unpaired)
    result = Agreement.of(work, found, None)
    reading.finish(result.ledger, opened_b)
    return result


def agree_documents(
    a: Documents,
    b: Documents,
    shape: DocumentShape | None = None,
    *,
    by_characters: bool = False,
    merge: Mapping[str, str] | None = None,
    on_mismatch: OnMismatch = OnMismatch.SKIP,
) -> Agreement:
    """How far two annotations of documents agree; by characters, EDUs may differ.

    With `zero`, documents that cannot be compared agree in no construction; the
    factors are of the others.

    >>> from analyzer.formats.documents import read_rst
    >>> one = read_rst("(NS-Cause (1) (2))")
    >>> [row.f1 for row in agree_documents(one, one).documents.factors]
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    shape = shape or DocumentShape()
    paired = pair_documents(a, b, by_text=by_characters)
    check_documents(paired.ledger, on_mismatch)
    found = document_pairs(a, b, shape, by_text=by_characters)
    deriver = discourse_deriver(
        binarize=shape.binarize, relations=shape.relations_name, merge=merge
    )
    work = AgreementWork(deriver, by_characters, on_mismatch)
    counts = AgreementCounts()
    ledger = found.ledger
    if found.names:
        counts.plus(work(found.pair))
    if on_mismatch == "zero":
        apart, ledger = documents_apart(a, b, shape, paired)
        for pair, is_told in apart:
            of_pair = work(pair)
            if not is_told:
                of_pair.tally.ledger = Ledger(DOCUMENT)
            counts.plus(of_pair)
    counts.tally.ledger = Ledger(DOCUMENT).plus(counts.tally.ledger).plus(ledger)
    result = Agreement.of(work, counts, found.relation_hint)
    result.documents = DocumentAgreement(found.names, [])
    if not found.names:
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
    banks = (found.pair.gold, found.pair.parsed)
    sides = [Documents(found.names, bank) for bank in banks]
    of_both = factors(sides[0], sides[1], (left, right))
    result.documents = DocumentAgreement(found.names, of_both)
    return result
