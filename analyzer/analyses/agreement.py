"""Two annotations of the same text: how far they agree, and where they do not.

The joins are those of `score`; neither side is gold, so only what is symmetric is
told: F scores, shares of matches, and Cohen's kappa where categories are given:

    label        phrases with the same span: which label
    construction phrases with the same span: which construction
    attachment   the same head and construction: how far away the governor is
    tag          words: which tag
    function     brackets that match: which function tags

For documents there are the four factors as well, ours and RST-Tace's. Of more than two,
each pair is compared, and all of them by Krippendorff's alpha.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, Unpack

from analyzer.analyses.compared import (
    Result,
    count_tasks,
    frame_of,
    shared_notes,
    texts_of,
)
from analyzer.analyses.disagreements import (
    AgreementCounter,
    AgreementCounts,
    FactorRow,
    Groups,
    factors,
)
from analyzer.analyses.opening import (
    ScoringOptions,
    TreeReading,
    Trees,
    scoring_keywords,
)
from analyzer.analyses.score import ConstructionScores
from analyzer.analyses.tace import TaceAgreement, tace_agreement
from analyzer.constructions.names import Merge
from analyzer.derivation.discourse import discourse_deriver
from analyzer.exceptions import PairingError, SettingsError
from analyzer.formats.registry import Family
from analyzer.metrics.counts import plus
from analyzer.metrics.measures import Row, row_type
from analyzer.metrics.ratios import CategoryPairs, Kappa, cohen, krippendorff
from analyzer.metrics.signature import Signature
from analyzer.model.discourse import Documents
from analyzer.model.settings import is_by_offsets
from analyzer.pairing.characters import aligned_by_characters
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import DOCUMENT, Ledger
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.partners import (
    check_documents,
    document_pairs,
    documents_apart,
    names_to_pair,
    pair_documents,
    rooted_alike,
)
from analyzer.pairing.same_text import shared_names
from analyzer.pairing.words import CharSpans
from analyzer.runtime.executor import Backend
from analyzer.transform.documents import DocumentShape
from analyzer.transform.relations import RelationHint, map_relations

if TYPE_CHECKING:
    import pandas as pd

CHOICES = ("label", "construction", "attachment", "tag", "function")
# What is told of a construction beside its counts: neither side is gold, so that only
# what is symmetric is.
_ONE_SIDED = ("construction", "recursive", "gold", "parsed", "share_gold")


class DocumentAgreement(NamedTuple):
    """What there is to tell of documents beside their constructions."""

    names: list[str]
    factors: list[FactorRow]
    tace: TaceAgreement


@dataclass(eq=False, repr=False)
class Agreement(Result):
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

    def _shown(self) -> str:
        f_s = self.total.f_s
        return "F-s " + ("undefined" if f_s is None else f"{100 * f_s:.1f}")

    @property
    def ledger(self) -> Ledger:
        """What was compared, what was left out and why; A is called gold."""
        return self.scores.ledger

    def scored_text(self) -> str:
        """What was compared and what was left out, in a sentence."""
        return self.ledger.text(sides=("A", "B"))

    @property
    def notes(self) -> list[str]:
        hints = self.scores.label_hint, self.scores.relation_hint
        return [*super().notes, *texts_of(*hints)]

    def frame(self) -> pd.DataFrame:
        """The rows and the total as a DataFrame, indexed by construction."""
        return frame_of([*self.rows, self.total], self.total._fields, "construction")

    @property
    def signature(self) -> Signature:
        # The scores' own, so that a number can be traced; only the scorer differs.
        unit = "characters" if self.by_characters else "words"
        scored = self.scores.signature.replace(scorer="agreement")
        return scored.insert("patterns", positions=unit)

    def choices(self, name: str) -> CategoryPairs:
        """What both chose for the same things, of one of `CHOICES`."""
        if name == "attachment":
            return sum(self.attachments.values(), Counter())
        pairs: CategoryPairs = getattr(self, f"{name}s")
        return pairs

    @property
    def kappas(self) -> dict[str, Kappa]:
        """Cohen's kappa of each choice that such trees have."""
        names = [name for name in CHOICES if name != "function" or self.functions]
        if not self.scores.deriver.has_tags:
            names = [name for name in names if name not in ("label", "tag")]
        return {name: cohen(self.choices(name)) for name in names}

    @property
    def rows(self) -> list[Row]:
        """One row for each construction, most frequent first."""
        rows = sorted(
            self.scores.rows, key=lambda r: (-r.gold - r.parsed, r.construction)
        )
        return [self._row(row) for row in rows]

    @property
    def total(self) -> Row:
        kappas = self.kappas
        return _agreement_row(
            self.scores.total, kappas["construction"].kappa, kappas["attachment"].kappa
        )

    def _row(self, row: Row) -> Row:
        name = row.construction
        against_rest: CategoryPairs = Counter()
        for (first, second), count in self.constructions.items():
            against_rest[first == name, second == name] += count
        kappa = cohen(self.attachments.get(name, Counter())).kappa
        return _agreement_row(row, cohen(against_rest).kappa, kappa)


def _result(
    counter: AgreementCounter,
    counts: AgreementCounts,
    ledger: Ledger,
    hint: RelationHint | None,
) -> Agreement:
    """The result that counts make."""
    scores = ConstructionScores(
        counter.deriver, counter.on_mismatch, ledger, hint, tally=counts.tally
    )
    return Agreement(
        scores,
        counter.by_characters,
        counts.labels,
        counts.constructions,
        counts.attachments,
        counts.tags,
        counts.groups,
        counts.functions,
    )


def _agreement_row(row: Row, kappa: float | None, kappa_att: float | None) -> Row:
    names = [
        name
        for name in row._fields
        if name not in _ONE_SIDED and not name.startswith(("precision", "recall"))
    ]
    make = row_type(
        *("AgreementRow", "construction", "recursive", "a", "b", *names),
        *("kappa_construction", "kappa_att"),
        module=__name__,
    )
    counts = (row.construction, row.recursive, row.gold, row.parsed)
    return make(*counts, *(getattr(row, name) for name in names), kappa, kappa_att)


@scoring_keywords
def agree(
    a: Trees,
    b: Trees,
    *,
    segmentation: str = "same",
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Agreement:
    """How far two annotations of the same sentences, or of the same documents, agree.

    `segmentation`: words or EDUs are the same, or may differ and are compared by their
    characters (offsets).
    `jobs` processes share the work (None: all processors). `ScoringOptions`
    lists the other options. As neither side is gold, `zero` counts sentences that
    cannot be compared as agreeing in nothing, and words that differ are not aligned;
    `mend` mends both sides, and `field` is that of both, unless A has a `gold_field`.

    >>> tree = "(S (NP (PRP I)) (VP (VBP see)))"
    >>> agree(tree, tree).total.f_s
    1.0
    """
    by_characters = is_by_offsets(segmentation)
    reading = TreeReading(**options, has_gold=False)
    if reading.mismatch is OnMismatch.ALIGN:
        raise SettingsError("E460 neither annotation is gold, so words are not")
    reading.require_same_words("annotations")
    opened_a, opened_b = reading.resolve(a), reading.resolve(b)
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
        reading.warn_left_out(result.ledger, opened_b)
        return result
    counter = AgreementCounter(deriver, by_characters, reading.mismatch)
    tasks = reading.open(opened_a, opened_b, deriver).tasks
    counts, ledger = count_tasks(tasks, counter, Backend(jobs))
    counts = counts or AgreementCounts()
    ledger += tasks.ledger()
    result = _result(counter, counts, ledger, None)
    reading.warn_left_out(result.ledger, opened_b)
    return result


def agree_documents(
    a: Documents,
    b: Documents,
    shape: DocumentShape | None = None,
    *,
    by_characters: bool = False,
    merge: Merge | None = None,
    on_mismatch: OnMismatch = OnMismatch.SKIP,
) -> Agreement:
    """How far two annotations of documents agree; by characters, EDUs may differ.

    With `zero`, documents that cannot be compared agree in no construction; the
    factors are of the others.

    >>> from analyzer.formats.documents import read_rst
    >>> document = read_rst("(NS-Cause (1) (2))")
    >>> [row.f1 for row in agree_documents(document, document).documents.factors]
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    shape = shape or DocumentShape()
    a, b = rooted_alike([a, b], shape.roots, by_text=by_characters)
    paired = pair_documents(a, b, by_text=by_characters)
    check_documents(paired.ledger, on_mismatch)
    pairs = document_pairs(a, b, shape, by_text=by_characters)
    deriver = discourse_deriver(
        binarize=shape.binarize,
        relations=shape.relations_name,
        roots=shape.roots,
        merge=merge,
    )
    counter = AgreementCounter(deriver, by_characters, on_mismatch)
    counts, ledger = AgreementCounts(), Ledger(DOCUMENT)
    unpaired = pairs.ledger
    apart: list[tuple[Pair, bool]] = []
    if on_mismatch == "zero":
        apart, unpaired = documents_apart(a, b, shape, paired)
    for pair, is_in_ledger in [
        *((pair, True) for pair in pairs.pairs if pairs.names),
        *apart,
    ]:
        of_pair, left_out = counter(pair)
        counts = plus(counts, of_pair)
        ledger += left_out if is_in_ledger else Ledger()
    result = _result(counter, counts, ledger + unpaired, pairs.relation_hint)
    # Documents of different EDUs, too: RST-Tace compares what has the same name.
    shared = shared_names(*names_to_pair(a, b))
    classes = shape.relation_map
    tace = tace_agreement(
        (
            name,
            map_relations(a.unit(in_a), classes),
            map_relations(b.unit(in_b), classes),
        )
        for name, (in_a, in_b) in zip(shared.names, shared.places, strict=True)
    )
    result.documents = DocumentAgreement(pairs.names, [], tace)
    if not pairs.names:
        return result
    if by_characters:
        alignment = aligned_by_characters(pairs.pair, deriver.tables)
        for item in alignment.left_out:
            name = pairs.names[item.sentence - 1]
            raise PairingError(
                "E402 has no text to compare different EDUs by", name=name
            )
        sides_placed = alignment.gold.places, alignment.parsed.places
        left, right = (places.spans for places in sides_placed if places)
    else:
        left = right = CharSpans.of_words(int(pairs.pair.gold.leaf_start[-1]))
    banks = (pairs.pair.gold, pairs.pair.parsed)
    sides = [Documents(pairs.names, bank) for bank in banks]
    of_both = factors(sides[0], sides[1], (left, right))
    result.documents = DocumentAgreement(pairs.names, of_both, tace)
    return result


# -- more than two annotations ---------------------------------------------------------


class PairRow(NamedTuple):
    """Two annotators: how far they agree."""

    a: str
    b: str
    brackets_f1: float | None
    f_h: float | None
    f_s: float | None
    att: float | None
    kappa_label: float | None
    kappa_construction: float | None
    kappa_tag: float | None


class AlphaRow(NamedTuple):
    """A choice: Krippendorff's alpha among all annotators."""

    choice: str
    judgements: int  # where all judge all things, their number times annotators
    alpha: float | None


@dataclass
class Annotators:
    """What `agree_all` returns."""

    names: list[str]
    pairs: dict[tuple[str, str], Agreement]

    def __repr__(self) -> str:
        return f"<Annotators: {', '.join(self.names)}>"

    @property
    def notes(self) -> list[str]:
        """What changes the meaning of the numbers, pair by pair."""
        of_pairs = {
            f"{a} and {b}": agreement.notes for (a, b), agreement in self.pairs.items()
        }
        return shared_notes(of_pairs)

    @property
    def rows(self) -> list[PairRow]:
        """One row a pair of annotators."""
        rows = []
        for (a, b), agreement in self.pairs.items():
            kappas, total = agreement.kappas, agreement.total
            of = {name: kappa.kappa for name, kappa in kappas.items()}
            rows.append(
                PairRow(
                    a,
                    b,
                    agreement.scores.tally.brackets.f1,
                    total.f_h,
                    total.f_s,
                    total.att,
                    of.get("label"),
                    of.get("construction"),
                    of.get("tag"),
                )
            )
        return rows

    @property
    def alphas(self) -> list[AlphaRow]:
        """Alpha of each choice that annotators make."""
        return [row for name in CHOICES if (row := self._alpha(name)).judgements]

    def _alpha(self, name: str) -> AlphaRow:
        tables = [agreement.choices(name) for agreement in self.pairs.values()]
        size = 2 * sum(table.total() for table in tables)
        alpha = krippendorff(tables, len(self.names))
        return AlphaRow(name, size // (len(self.names) - 1), alpha)

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        return frame_of(self.rows, PairRow._fields)


def agree_all(
    *annotations: Trees,
    names: Sequence[str] = (),
    segmentation: str = "same",
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Annotators:
    """How far three or more annotations of the same text agree.

    `names` are those of the annotators: A, B, C and so on if none are given. The
    options are those of `agree`.

    >>> tree = "(S (NP (PRP I)) (VP (VBP see)))"
    >>> agree_all(tree, tree, tree.replace("VBP", "VB")).rows[1].kappa_tag
    0.3333333333333333
    """
    if len(annotations) < 2:
        raise SettingsError("E190 expected two or more annotations")
    called = list(names) or [chr(ord("A") + n) for n in range(len(annotations))]
    reading = TreeReading(**options)
    given = [reading.resolve(trees, again=True) for trees in annotations]
    pairs = {
        (called[i], called[j]): agree(
            given[i],
            given[j],
            segmentation=segmentation,
            jobs=jobs,
            **options,
        )
        for i, j in combinations(range(len(given)), 2)
    }
    return Annotators(called, pairs)
