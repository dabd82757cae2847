"""Relation classification: which relation holds, where it is known that one does.

Of DISRPT's `.rels` files, relations are paired by document and units, and what stands
in `label` is compared. Of trees, they are the arcs between EDUs that have the same
governor on both sides, so that a wrong attachment is not counted as a wrong relation;
same-unit, which is none, is left out. Accuracy and the mean F1 over the labels that
gold has are those of the shared task's own program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.analyses.compared import Result, frame_of
from analyzer.analyses.rst_scores import COUNT_FIELDS, MICRO_F1, both_sides, set_beside
from analyzer.exceptions import PairingError, Place, SettingsError
from analyzer.formats.documents import (
    DocumentSource,
    documents_input,
    file_text,
)
from analyzer.formats.registry import Family, format_of
from analyzer.formats.rst.arcs import RelsInstance, read_instances
from analyzer.metrics.counts import Counts
from analyzer.metrics.intervals import UNKNOWN, Interval, Units, percentiles
from analyzer.metrics.join import Key, match
from analyzer.metrics.measures import Measure
from analyzer.metrics.ratios import ratio
from analyzer.metrics.rst import RstSettings, encode
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Flags, Ints, number_densely
from analyzer.model.discourse import UNATTACHED, Documents
from analyzer.model.settings import is_by_offsets, keywords, require_percent
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.ledger import DOCUMENT, Fate, Ledger, LeftOut, Reason
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.partners import check_documents
from analyzer.transform.documents import Direction, Roots, select_documents
from analyzer.transform.relations import (
    FINE,
    SAME_UNIT,
    RelationMap,
    normal_form,
    relation_class,
)

if TYPE_CHECKING:
    import pandas as pd

ACCURACY = Measure("accuracy", "matched", "gold", "accuracy")
_RELATION = "relation"
_NOT_FOUND = -1


class RelationLabelRow(NamedTuple):
    """How well a label is told; the interval is of F1, by documents."""

    label: str
    matched: int
    gold: int
    predicted: int
    precision: float | None
    recall: float | None
    f1: float | None
    low: float | None
    high: float | None


class ClassificationRow(NamedTuple):
    """A score of all relations, with its 95 % interval by documents."""

    metric: str
    value: float | None
    low: float | None
    high: float | None


class ConfusionRow(NamedTuple):
    """So many relations of gold have another label in what was predicted."""

    gold: str
    predicted: str  # empty: not predicted at all
    relations: int  # how many


@dataclass(eq=False, repr=False)
class RelationClassification(Result):
    """What `classify_relations` gives back."""

    signature: Signature
    documents: int
    labels: Sequence[str]
    # Of each relation that counts: its document, and its label on both sides.
    document: Ints
    gold: Ints
    parsed: Ints
    of_gold: int  # relations that gold has, those included that do not count
    is_of_rels: bool
    ledger: Ledger = field(default_factory=lambda: Ledger(DOCUMENT))

    @cached_property
    def _units(self) -> Units:
        """Documents, and what they have of each label."""
        size = len(self.labels)
        cells = self.document * size + np.stack([self.gold, self.gold, self.parsed])
        counted = self.gold == self.parsed, self.gold >= 0, self.parsed >= 0
        table = [
            np.bincount(of_side[rows], minlength=self.documents * size)
            for of_side, rows in zip(cells, counted, strict=True)
        ]
        which, name = np.divmod(np.arange(table[0].size), max(1, size))
        columns = np.stack(table, axis=1)
        counts = Counts(self.labels, self.documents, which, name, columns)
        return Units("documents", self.documents, counts)

    @property
    def rows(self) -> list[RelationLabelRow]:
        """The labels, those that gold has most of first."""
        sums = self._units.counts.sums().tolist()
        intervals = self._units.intervals(MICRO_F1, COUNT_FIELDS)
        rows = [
            RelationLabelRow(
                *(label, matched, gold, predicted),
                *(ratio(matched, predicted), ratio(matched, gold)),
                ratio(2 * matched, gold + predicted),
                *interval,
            )
            for label, (matched, gold, predicted), interval in zip(
                self.labels, sums, intervals[:-1], strict=True
            )
        ]
        return sorted(rows, key=lambda row: (-row.gold, row.label))

    @property
    def summary(self) -> list[ClassificationRow]:
        """Accuracy, and the mean F1 over the labels that gold has."""
        matched = int(np.count_nonzero(self.gold == self.parsed))
        accuracy = ratio(matched, self.gold.size)
        of_all = self._units.intervals(ACCURACY, COUNT_FIELDS)[-1]
        known = [row.f1 or 0.0 for row in self.rows if row.gold]
        macro = sum(known) / len(known) if known else None
        return [
            ClassificationRow("accuracy", accuracy, *of_all),
            ClassificationRow("macro F1", macro, *self._macro_interval(macro)),
        ]

    def _macro_interval(self, macro: float | None) -> Interval:
        """The mean F1 over labels in resamples of documents."""
        dense = self._units.dense(COUNT_FIELDS)
        numerator, denominator = MICRO_F1.fraction(dense.__getitem__)
        size = len(self.labels)
        columns = np.hstack([numerator[:, :size], denominator[:, :size]])
        sums = self._units.sums(columns)
        is_known = dense["gold"][:, :size].sum(axis=0) > 0
        if sums is None or macro is None:
            return UNKNOWN
        with np.errstate(divide="ignore", invalid="ignore"):
            f1 = np.nan_to_num(sums[:, :size] / sums[:, size:])[:, is_known]
        low, high = percentiles(f1.mean(axis=1, keepdims=True))
        return Interval(min(float(low[0]), macro), max(float(high[0]), macro))

    @property
    def confusion(self) -> list[ConfusionRow]:
        """Labels that were taken for others, the most frequent first."""
        pairs = Counter(zip(self.gold.tolist(), self.parsed.tolist(), strict=True))
        names = [*self.labels, ""]  # the last is that of `_NOT_FOUND`
        rows = [
            ConfusionRow(names[gold], names[parsed], count)
            for (gold, parsed), count in pairs.items()
            if gold != parsed
        ]
        return sorted(rows, key=lambda row: (-row.relations, row.gold, row.predicted))

    def frame(self) -> pd.DataFrame:
        """The rows as a table of pandas."""
        return frame_of(self.rows, RelationLabelRow._fields, "label")

    def _shown(self) -> str:
        shown = (row for row in self.summary if row.value is not None)
        return ", ".join(f"{row.metric} {row.value:.3f}" for row in shown)


@keywords()
def classify_relations(
    gold: DocumentSource,
    parsed: DocumentSource,
    *,
    relations: str | RelationMap | None = FINE,
    binarize: Direction | str = Direction.RIGHT,
    roots: Roots | str = Roots.JOIN,
    segmentation: str = "same",
    multinuclear: str | Iterable[str] | None = None,
    strict: bool = False,
    encoding: str = "utf-8",
    jobs: int | None = 1,
    on_mismatch: OnMismatch | str = OnMismatch.SKIP,
    max_left_out: float | None = None,
) -> RelationClassification:
    """How well relations are told, where it is known which units they are between.

    Two `.rels` files, or folders of them: the label of each relation. Other discourse
    trees: the relation of each EDU that has the same governor on both sides.
    `relations` is a map of labels to classes; `disrpt` has the 17 labels of DISRPT
    2025. `on_mismatch`: relations or documents without partner are left out (skip),
    are wrong (zero), or are an error.

    >>> scores = classify_relations("(NS-Cause (1) (2))", "(NS-Reason (1) (2))")
    >>> scores.confusion
    [ConfusionRow(gold='Cause', predicted='Reason', relations=1)]
    """
    on_mismatch = OnMismatch(on_mismatch)
    require_percent("max_left_out", max_left_out)
    settings = RstSettings(binarize, relations, roots, segmentation=segmentation)
    sides = [_instances(source, encoding) for source in (gold, parsed)]
    if sides[0] is not None and sides[1] is not None:
        result = _of_rels(sides[0], sides[1], settings, on_mismatch)
    else:
        trees = both_sides(
            *(gold, parsed, settings),
            multinuclear=multinuclear,
            strict=strict,
            encoding=encoding,
            jobs=jobs,
            keep_texts=is_by_offsets(segmentation),
        )
        result = _of_trees(trees[0], trees[1], settings, on_mismatch)
    if not result.gold.size:
        raise PairingError("E962 no relation is between the same", _place(gold))
    result.ledger.check(str(_place(parsed)), max_left_out)
    return result


def _place(source: DocumentSource) -> Place:
    if isinstance(source, Documents):
        return Place(source.bank.source)
    return Place(source if isinstance(source, str) else "<documents>")


# -- .rels ----------------------------------------------------------------------------


def _instances(source: DocumentSource, encoding: str) -> list[RelsInstance] | None:
    """The relations of `.rels` files; None if a source is something else."""
    if not isinstance(source, str):
        return None
    given = documents_input(source, encoding=encoding)
    if given.is_text:
        return None
    instances: list[RelsInstance] = []
    files = [file for file in given.files if file.name.endswith(".rels")]
    for file in files if given.is_folder else given.files:
        kind = format_of(file, Family.DISCOURSE)
        if kind is None or kind.name != "rels":
            return None
        instances += read_instances(file_text(file), file.name)
    return instances or None


def _of_rels(
    gold: Sequence[RelsInstance],
    parsed: Sequence[RelsInstance],
    settings: RstSettings,
    on_mismatch: OnMismatch,
) -> RelationClassification:
    names = list(dict.fromkeys(instance.document for instance in (*gold, *parsed)))
    numbers = {name: at for at, name in enumerate(names)}
    units: dict[tuple[str, str], int] = {}
    sides = []
    for side in (gold, parsed):
        documents = np.array(
            [numbers[instance.document] for instance in side], np.int64
        )
        keys = [
            units.setdefault((instance.unit1, instance.unit2), len(units))
            for instance in side
        ]
        labels = [_mapped(instance.label, settings.relation_map) for instance in side]
        known = np.array([SYMBOLS.id(label) for label in labels], np.int64)
        sides.append((documents, np.array(keys, np.int64), known))
    matches = match([*sides[0][:2]], [*sides[1][:2]])
    ledger = _rels_ledger(names, sides[0][0], sides[1][0], matches.gold, matches.parsed)
    check_documents(ledger, on_mismatch)
    counts = np.ones(len(gold), np.bool_)
    if on_mismatch != "zero":
        counts = matches.gold
    else:
        items = [
            item._replace(fate=Fate.ZERO) if item.in_gold else item
            for item in ledger.items
        ]
        ledger = Ledger(_RELATION, len(gold), len(parsed), len(gold), tuple(items))
    predicted = np.where(matches.gold, sides[1][2][matches.partner], _NOT_FOUND)
    signature = Signature.of(
        scorer="rst-relations",
        relations=settings.relations_name,
        paired_by="units",
        on_mismatch=on_mismatch,
    )
    which = sides[0][0][counts], sides[0][2][counts], predicted[counts]
    return _result(signature, *which, len(gold), ledger, is_of_rels=True)


def _mapped(label: str, relations: RelationMap | None) -> str:
    return label if relations is None else relation_class(label, relations)


def _alone(document: str, count: int, *, in_gold: bool) -> PairingError:
    """The item for relations of a document that have no partner."""
    if in_gold:
        return PairingError("E972 only in", Place(document), relations=count)
    return PairingError("E973 only in", Place(document), relations=count)


def _rels_ledger(
    names: Sequence[str], gold: Ints, parsed: Ints, in_both: Flags, matched: Flags
) -> Ledger:
    """Relations without partner, an item for those of a document."""
    items = []
    for side, is_found, reason in (
        (gold, in_both, Reason.ONLY_GOLD),
        (parsed, matched, Reason.ONLY_PARSED),
    ):
        missing = np.bincount(side[~is_found], minlength=len(names)).tolist()
        items += [
            LeftOut(
                0,
                reason,
                _alone(name, count, in_gold=side is gold),
                Fate.LEFT_OUT,
                name,
                trees=count,
                in_gold=side is gold,
            )
            for name, count in zip(names, missing, strict=True)
            if count
        ]
    scored = int(np.count_nonzero(in_both))
    return Ledger(_RELATION, gold.size, parsed.size, scored, tuple(items))


# -- trees ----------------------------------------------------------------------------


def _of_trees(
    gold: Documents, parsed: Documents, settings: RstSettings, on_mismatch: OnMismatch
) -> RelationClassification:
    if on_mismatch is OnMismatch.ALIGN:
        raise SettingsError("E963 --classification does not go with")
    gold, parsed, chosen, ledger = set_beside(gold, parsed, settings, on_mismatch)
    gold = select_documents(gold, chosen[0])
    parsed = select_documents(parsed, chosen[1])
    arcs = [side.arcs for side in encode(gold, parsed, settings).sides]
    rows = [np.flatnonzero(side.governor >= 0) for side in arcs]
    keys: list[Key] = [
        [side.edu[at], side.governor[at]] for side, at in zip(arcs, rows, strict=True)
    ]
    matches = match(keys[0], keys[1])
    labels = [
        side.relation[at].astype(np.int64) for side, at in zip(arcs, rows, strict=True)
    ]
    documents = arcs[0].document[rows[0]]
    predicted = np.where(matches.gold, labels[1][matches.partner], _NOT_FOUND)
    is_relation = ~np.isin(labels[0], _no_relations(labels[0]))
    # Documents that nobody predicted are not found with all they have.
    counts = is_relation & (matches.gold | (documents >= len(chosen[1])))
    signature = settings.signature.replace(
        scorer="rst-relations", average="labels", paired_by="arcs"
    )
    which = documents[counts], labels[0][counts], predicted[counts]
    of_gold = int(np.count_nonzero(is_relation))
    return _result(signature, *which, of_gold, ledger, is_of_rels=False)


def _no_relations(labels: Ints) -> list[int]:
    """The labels that name no relation: same-unit, and that of trees side by side."""
    none = {normal_form(SAME_UNIT), normal_form(UNATTACHED)}
    used = np.unique(labels).tolist()
    return [label for label in used if normal_form(SYMBOLS.name(label)) in none]


def _result(
    signature: Signature,
    document: Ints,
    gold: Ints,
    parsed: Ints,
    of_gold: int,
    ledger: Ledger,
    *,
    is_of_rels: bool,
) -> RelationClassification:
    """Labels and documents numbered from 0."""
    documents, document = number_densely(document)
    is_found = parsed != _NOT_FOUND
    labels, which = number_densely(np.concatenate([gold, parsed[is_found]]))
    predicted = np.full(gold.size, _NOT_FOUND, np.int64)
    predicted[is_found] = which[gold.size :]
    return RelationClassification(
        signature=signature,
        documents=int(documents.size),
        labels=list(map(SYMBOLS.name, labels.tolist())),
        document=document,
        gold=which[: gold.size],
        parsed=predicted,
        of_gold=of_gold,
        is_of_rels=is_of_rels,
        ledger=ledger,
    )
