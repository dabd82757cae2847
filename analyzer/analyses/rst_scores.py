"""`spinal rst score`: documents paired by name, every metric, micro and macro."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.derivation.units import Dependencies, dependencies, unit_columns
from analyzer.metrics.join import match
from analyzer.metrics.ratios import harmonic, ratio
from analyzer.metrics.rst import (
    CONSTITUENT_METRICS,
    DEPENDENCY_METRICS,
    Constituents,
    DocumentCounts,
    attachment_decisions,
    counted,
    dependency_key,
    rst_parseval,
)
from analyzer.metrics.signature import Signature
from analyzer.model.discourse import Documents, Unit
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.edu_segmentation import (
    Offsets,
    by_offsets,
    dependencies_by_offsets,
    first_difference,
    segmentation_counts,
)
from analyzer.safe_text import counted as counted_noun
from analyzer.transform.binarize import Direction, binarize_documents
from analyzer.transform.documents import map_documents, select_documents
from analyzer.transform.relations import RelationMap

if TYPE_CHECKING:
    import pandas as pd

PARSEVAL, DECISIONS, DEPENDENCY = "rst-parseval", "labelled-attachment", "dependency"
SEGMENTATION = "segmentation"
MICRO, MACRO = "micro", "macro"

Document = tuple[str, Unit]


class MetricRow(NamedTuple):
    """A metric under an encoding, averaged; counts are None for macro averages."""

    encoding: str
    metric: str
    average: str
    matched: int | None
    gold: int
    predicted: int | None
    precision: float | None
    recall: float | None
    f1: float | None


class DocumentRow(NamedTuple):
    document: str
    encoding: str
    metric: str
    matched: int
    gold: int
    predicted: int
    f1: float | None


class RelationRow(NamedTuple):
    """One relation class under an encoding."""

    encoding: str
    relation: str
    matched: int
    gold: int
    predicted: int
    precision: float | None
    recall: float | None
    f1: float | None


class Skipped(NamedTuple):
    document: str
    reason: str


@dataclass(frozen=True)
class RstSettings:
    """Everything that can move a number."""

    binarize: Direction = "right"
    relations: str = "fine"
    relation_map: RelationMap | None = None
    count_root: bool = True
    as_released: bool = False
    by_offsets: bool = False  # gold and predicted may have different EDUs
    parseval_root: bool = False  # RST-Parseval counts the root too

    @property
    def signature(self) -> Signature:
        return Signature.of(
            scorer="rst",
            binarize=self.binarize,
            relations=self.relations,
            dependency_root=self.count_root,
            parseval_root=self.parseval_root,
            released=self.as_released,
            segmentation="offsets" if self.by_offsets else "same",
            average="micro+macro",
        )


@dataclass
class RstScores:
    """What `score_documents` returns."""

    settings: RstSettings
    names: list[str]
    counts: dict[tuple[str, str], DocumentCounts]
    relation_rows: list[RelationRow] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    @property
    def signature(self) -> Signature:
        return self.settings.signature

    @property
    def rows(self) -> list[MetricRow]:
        found = []
        for (encoding, metric), counts in self.counts.items():
            found.append(_micro(encoding, metric, counts))
            found.append(self._macro(encoding, metric, counts))
        return found

    @property
    def document_rows(self) -> list[DocumentRow]:
        return [
            DocumentRow(name, encoding, metric, matched, gold, predicted, f1)
            for (encoding, metric), counts in self.counts.items()
            for name, matched, gold, predicted, f1 in zip(
                self.names,
                counts.matched.tolist(),
                counts.gold.tolist(),
                counts.predicted.tolist(),
                [_none_if_nan(value) for value in _ratios(counts)[2]],
                strict=True,
            )
        ]

    def _macro(self, encoding: str, metric: str, counts: DocumentCounts) -> MetricRow:
        """Means over documents of P, R and F1 (2018: `per_doc`).

        A document without items (one EDU) has no score and is left out; the released
        program counts it as 0.
        """
        ratios = _ratios(counts)
        if self.settings.as_released:
            means = [float(np.nan_to_num(values).mean()) for values in ratios]
        else:
            has_items = counts.gold + counts.predicted > 0
            means = [
                float(np.nan_to_num(values[has_items]).mean())
                if has_items.any()
                else float("nan")
                for values in ratios
            ]
        precision, recall, f1 = (_none_if_nan(mean) for mean in means)
        total = int(counts.gold.sum())
        return MetricRow(
            encoding, metric, MACRO, None, total, None, precision, recall, f1
        )

    def scored_text(self) -> str:
        text = f"scored {counted_noun(len(self.names), 'document')}"
        if not self.skipped:
            return text
        listed = "; ".join(f"{one.document}: {one.reason}" for one in self.skipped)
        return f"{text}; {len(self.skipped):,} left out: {listed}"

    def frame(self) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(self.rows, columns=MetricRow._fields)


def score_documents(
    gold: Sequence[Document],
    predicted: Sequence[Document],
    settings: RstSettings | None = None,
) -> RstScores:
    """Every metric of the papers for documents of the same names and EDUs."""
    return score_corpora(
        Documents.of_units(gold), Documents.of_units(predicted), settings
    )


def score_corpora(
    gold: Documents, predicted: Documents, settings: RstSettings | None = None
) -> RstScores:
    """The same for corpora in columns; by offsets, their texts must be there."""
    settings = settings or RstSettings()
    pairs, skipped = paired(gold, predicted, by_offsets=settings.by_offsets)
    gold = select_documents(gold, [at for at, _ in pairs])
    predicted = select_documents(predicted, [at for _, at in pairs])
    names = gold.names
    size = len(names)
    gold = map_documents(gold, settings.relation_map)
    predicted = map_documents(predicted, settings.relation_map)

    # The reference is binarised as asked; predictions are scored as they are. Only
    # attachment decisions need binary trees on both sides.
    shaped = binarize_documents(gold, settings.binarize)
    gold_units, predicted_units = unit_columns(shaped), unit_columns(predicted)
    binary = []
    for corpus, units in ((shaped, gold_units), (predicted, predicted_units)):
        in_twos = binarize_documents(corpus, _binary(settings.binarize))
        binary.append(units if in_twos is corpus else unit_columns(in_twos))
    arcs = (dependencies(gold_units), dependencies(predicted_units))
    counts: dict[tuple[str, str], DocumentCounts] = {}
    if settings.by_offsets:
        offsets = [Offsets(gold), Offsets(predicted)]
        room = max(one.room for one in offsets)
        gold_units = by_offsets(gold_units, offsets[0], room)
        predicted_units = by_offsets(predicted_units, offsets[1], room)
        binary = [
            by_offsets(one, offset, room)
            for one, offset in zip(binary, offsets, strict=True)
        ]
        arcs = (
            dependencies_by_offsets(arcs[0], offsets[0], room),
            dependencies_by_offsets(arcs[1], offsets[1], room),
        )
        counts[SEGMENTATION, "boundaries"] = segmentation_counts(
            offsets[0], offsets[1], size
        )
    decisions = [attachment_decisions(one) for one in binary]
    encodings: dict[str, tuple[Constituents, Constituents]] = {
        PARSEVAL: (
            rst_parseval(gold_units, with_root=settings.parseval_root),
            rst_parseval(predicted_units, with_root=settings.parseval_root),
        ),
        DECISIONS: (decisions[0], decisions[1]),
    }
    for encoding, (left, right) in encodings.items():
        for metric in CONSTITUENT_METRICS:
            # The released program forgets the head in F+H.
            key = "F" if settings.as_released and metric == "F+H" else metric
            counts[encoding, metric] = counted(
                left.key(key), right.key(key), left.document, right.document, size
            )
    for metric, found in _dependency_counts(*arcs, settings, size).items():
        counts[DEPENDENCY, metric] = found
    return RstScores(settings, names, counts, _relation_rows(encodings), skipped)


def paired(
    gold: Documents, predicted: Documents, *, by_offsets: bool = False
) -> tuple[list[tuple[int, int]], list[Skipped]]:
    """Documents of the same name and number of EDUs, in gold's order.

    By offsets, of the same name and text instead.
    """
    others = {name: at for at, name in enumerate(predicted.names)}
    sizes, other_sizes = gold.edu_counts, predicted.edu_counts
    pairs = []
    skipped = []
    for at, name in enumerate(gold.names):
        other = others.pop(name, None)
        if other is None:
            skipped.append(Skipped(name, "not predicted"))
            continue
        if by_offsets:
            reason = first_difference(gold.text_of(at), predicted.text_of(other))
        else:
            reason = _sizes(int(sizes[at]), int(other_sizes[other]))
        if reason is not None:
            skipped.append(Skipped(name, reason))
        else:
            pairs.append((at, other))
    skipped += [Skipped(name, "not in gold") for name in others]
    return pairs, skipped


def _sizes(gold: int, predicted: int) -> str | None:
    if gold == predicted:
        return None
    return (
        f"gold has {gold} EDUs, the prediction {predicted}; "
        "--segmentation offsets compares different EDUs"
    )


def _binary(direction: Direction) -> Direction:
    return "right" if direction == "none" else direction


def _dependency_counts(
    left: Dependencies, right: Dependencies, settings: RstSettings, size: int
) -> dict[str, DocumentCounts]:
    found = {}
    for metric in DEPENDENCY_METRICS:
        # The released program asks for the order of attachment in its F.
        released = settings.as_released and metric == "LAS-F"
        key = "LAS-F+order" if released else metric
        keys = [dependency_key(side, key) for side in (left, right)]
        documents = [left.document, right.document]
        if not settings.count_root:
            for at, side in enumerate((left, right)):
                inner = side.governor >= 0
                keys[at] = [column[inner] for column in keys[at]]
                documents[at] = documents[at][inner]
        found[metric] = counted(keys[0], keys[1], documents[0], documents[1], size)
    return found


def _relation_rows(
    encodings: dict[str, tuple[Constituents, Constituents]],
) -> list[RelationRow]:
    """Micro scores of each relation class under F (span, nuclearity, relation)."""
    rows = []
    for encoding, (left, right) in encodings.items():
        found = match(left.key("F"), right.key("F"))
        size = len(SYMBOLS)
        gold = np.bincount(left.relation, minlength=size)
        predicted = np.bincount(right.relation, minlength=size)
        matched = np.bincount(left.relation[found.gold], minlength=size)
        numbers = np.flatnonzero(gold + predicted).tolist()
        for number in sorted(numbers, key=lambda n: (-gold[n], SYMBOLS.name(n))):
            m, g, p = int(matched[number]), int(gold[number]), int(predicted[number])
            precision, recall = ratio(m, p), ratio(m, g)
            rows.append(
                RelationRow(
                    encoding,
                    SYMBOLS.name(number),
                    m,
                    g,
                    p,
                    precision,
                    recall,
                    ratio(2 * m, g + p),
                )
            )
    return rows


def _micro(encoding: str, metric: str, counts: DocumentCounts) -> MetricRow:
    matched, gold, predicted = counts.micro
    precision, recall = ratio(matched, predicted), ratio(matched, gold)
    f1 = harmonic(precision, recall)
    return MetricRow(
        encoding, metric, MICRO, matched, gold, predicted, precision, recall, f1
    )


def _ratios(counts: DocumentCounts) -> list[npt.NDArray[np.float64]]:
    """Precision, recall and F1 of each document; nan where undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = counts.matched / counts.predicted
        recall = counts.matched / counts.gold
        f1 = 2 * precision * recall / (precision + recall)
        f1 = np.where(counts.matched == 0, np.where(counts.gold > 0, 0.0, np.nan), f1)
    return [precision, recall, f1]


def _none_if_nan(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
