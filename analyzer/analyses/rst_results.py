"""What scores of discourse trees are: rows, averages, settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.exceptions import AnalyzerError
from analyzer.metrics.ratios import harmonic, ratio
from analyzer.metrics.rst import DocumentCounts
from analyzer.metrics.signature import Signature
from analyzer.pairing.ledger import DOCUMENT, Ledger, LeftOut
from analyzer.safe_text import counted
from analyzer.transform.documents import DocumentShape
from analyzer.transform.relations import RelationHint

if TYPE_CHECKING:
    import pandas as pd

PARSEVAL, DECISIONS, DEPENDENCY = "rst-parseval", "labelled-attachment", "dependency"
SEGMENTATION = "segmentation"
MICRO, MACRO = "micro", "macro"
_SHOWN = {PARSEVAL: ("S", "F"), DEPENDENCY: ("UAS", "LAS-F")}  # in a short view


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


@dataclass(frozen=True)
class RstSettings(DocumentShape):
    """Everything that can move a number."""

    count_root: bool = True
    as_released: bool = False
    by_offsets: bool = False  # gold and parsed may have different EDUs
    parseval_root: bool = False  # RST-Parseval counts the root too

    @property
    def signature(self) -> Signature:
        return Signature.of(
            scorer="rst",
            binarize=self.binarize,
            relations=self.relations_name,
            dependency_root=self.count_root,
            parseval_root=self.parseval_root,
            released=self.as_released,
            segmentation="offsets" if self.by_offsets else "same",
            average="micro+macro",
        )


@dataclass(repr=False)
class RstScores:
    """What `score_rst` gives back."""

    settings: RstSettings
    names: list[str]
    counts: dict[tuple[str, str], DocumentCounts]
    relation_rows: list[RelationRow] = field(default_factory=list)
    ledger: Ledger = field(default_factory=lambda: Ledger(DOCUMENT))
    relation_hint: RelationHint | None = None  # a map that labels should be under

    @property
    def left_out(self) -> list[LeftOut]:
        """Documents that cannot be compared, and why."""
        return self.ledger.mismatches

    @property
    def problems(self) -> list[AnalyzerError]:
        """What could not be read."""
        return self.ledger.unread

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
                counts.parsed.tolist(),
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
            has_items = counts.gold + counts.parsed > 0
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
        """What was scored and what was left out, in a sentence."""
        return self.ledger.text()

    def frame(self) -> pd.DataFrame:
        """The rows as a table of pandas."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=MetricRow._fields)

    def __repr__(self) -> str:
        f1 = [
            f"{row.metric} {row.f1:.3f}"
            for row in self.rows
            if row.average == MICRO
            and row.metric in _SHOWN.get(row.encoding, ())
            and row.f1 is not None
        ]
        return f"<RstScores: {counted(len(self.names), 'document')}, {', '.join(f1)}>"

    def _repr_html_(self) -> str:
        from reports.notebook import rst_scores_html

        return rst_scores_html(self)


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
        precision = counts.matched / counts.parsed
        recall = counts.matched / counts.gold
        f1 = 2 * precision * recall / (precision + recall)
        f1 = np.where(counts.matched == 0, np.where(counts.gold > 0, 0.0, np.nan), f1)
    return [precision, recall, f1]


def _none_if_nan(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
