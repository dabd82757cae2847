"""A trained discourse parser, and segmentations, as tables."""

from __future__ import annotations

from typing import Any

from analyzer.rst_parser.parser import RstParser
from analyzer.rst_parser.segment_scores import SegmentScores
from analyzer.safe_text import counted
from reports.model import Column, Table


def model_table(parser: RstParser) -> Table:
    """One row a part of the model."""
    return Table(
        name="model",
        title="Trained parser",
        columns=(
            Column("part"),
            Column("templates", unit="count"),
            Column("features", unit="count"),
            Column("weights", unit="count"),
        ),
        rows=[list(row) for row in parser.parts()],
        notes=tuple(_notes(parser)),
    )


def _notes(parser: RstParser) -> list[str]:
    corpus = parser.facts.get("corpus", {})
    return [
        *_scores(parser),
        f"trained on {counted(corpus.get('documents', 0), 'document')}, "
        f"{counted(corpus.get('edus', 0), 'EDU')}, "
        f"{counted(corpus.get('tokens', 0), 'token')}; "
        f"{corpus.get('with_syntax', 0):,} with syntax",
        f"signature: {parser.signature}",
    ]


def _scores(parser: RstParser) -> list[str]:
    told = parser.facts.get("scores")
    if not told:
        return []
    shown = ", ".join(
        f"{name} {100 * value:.1f}"
        for name, value in told["micro_f1"].items()
        if name.rsplit(" ", 1)[1] in ("S", "N", "R", "F", "UAS", "LAS-F")
    )
    return [f"micro F1 on {told['documents']:,} other documents: {shown}"]


def model_json(parser: RstParser) -> dict[str, Any]:
    return {
        "corpus": dict(parser.facts.get("corpus", {})),
        "scores": parser.facts.get("scores"),
        "parts": [row._asdict() for row in parser.parts()],
        "signature": str(parser.signature),
    }


def segment_table(scores: SegmentScores) -> Table:
    """One row a document that has a gold segmentation, and the total."""
    return Table(
        name="segmentation",
        title="EDU boundaries",
        columns=(
            Column("document"),
            Column("gold", unit="count"),
            Column("found", unit="count"),
            Column("matched", unit="count"),
            Column("precision", "P", "percent", 2),
            Column("recall", "R", "percent", 2),
            Column("f1", "F1", "percent", 2),
        ),
        rows=[
            [
                row.document,
                row.gold,
                row.found,
                row.matched,
                row.precision,
                row.recall,
                row.f1,
            ]
            for row in (*scores.rows, scores.total)
        ],
        notes=(
            "the first token of each EDU counts, including that of the document; "
            "places are characters without white space",
        ),
    )


def segment_json(scores: SegmentScores) -> dict[str, Any]:
    def record(row: Any) -> dict[str, Any]:
        ratios = {name: getattr(row, name) for name in ("precision", "recall", "f1")}
        return {**row._asdict(), **ratios}

    return {
        "documents": [record(row) for row in scores.rows],
        "total": record(scores.total),
        "skipped": [str(error) for error in scores.problems],
    }
