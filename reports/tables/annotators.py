"""More than two annotators, as tables and JSON."""

from __future__ import annotations

from typing import Any

from analyzer.analyses.annotators import Annotators
from reports.model import Column, Table, cells

_COLUMNS = (
    Column("a", "A"),
    Column("b", "B"),
    Column("brackets_f1", "brackets F1", "percent", 1),
    Column("f_h", "F-h", "percent", 1),
    Column("f_s", "F-s", "percent", 1),
    Column("att", unit="percent", digits=1),
    Column("kappa_label", "κ label", "number", 3),
    Column("kappa_construction", "κ construction", "number", 3),
    Column("kappa_tag", "κ tag", "number", 3),
)
_ALPHA = (
    Column("choice"),
    Column("judgements", unit="count"),
    Column("alpha", "α", "number", 3),
)


def annotator_tables(result: Annotators) -> list[Table]:
    """Each pair of annotators; all of them together."""
    first = next(iter(result.pairs.values()))
    return [
        Table(
            name="pairs",
            title="Agreement of each pair",
            columns=_COLUMNS,
            rows=[cells(row, _COLUMNS) for row in result.rows],
            notes=(str(first.signature),),
        ),
        Table(
            name="alpha",
            title="Agreement of all beyond chance (Krippendorff's alpha, nominal)",
            columns=_ALPHA,
            rows=[cells(row, _ALPHA) for row in result.alphas],
        ),
    ]


def annotators_json(result: Annotators) -> dict[str, Any]:
    """The object that `spinal agree --format json` writes for three and more."""
    return {
        "annotators": result.names,
        "pairs": [row._asdict() for row in result.rows],
        "alpha": [row._asdict() for row in result.alphas],
        "signatures": [str(one.signature) for one in result.pairs.values()],
    }
