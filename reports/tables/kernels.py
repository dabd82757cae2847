"""What `spinal kernel` prints: values of pairs, nearest trees, and matrices."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from analyzer.kernels.comparisons import Neighbour, PairValue
from analyzer.model.arrays import Floats
from reports.model import Column, Table

_DIGITS = 6  # significant; kernels range over many powers of ten


def pair_table(pairs: Sequence[PairValue], *notes: str) -> Table:
    """The kernel of each pair of trees."""
    return Table(
        "kernel",
        [Column("a", "A"), Column("b", "B"), Column("k", "K")],
        [[one.a, one.b, _number(one.value)] for one in pairs],
        notes=notes,
    )


def nearest_table(found: Sequence[Neighbour], signature: str) -> Table:
    """The nearest trees of each tree."""
    columns = [Column("a", "A"), Column("rank", unit="count")]
    return Table(
        "nearest",
        [*columns, Column("b", "B"), Column("k", "K")],
        [[one.tree, one.rank, one.nearest, _number(one.value)] for one in found],
        notes=[signature],
    )


def pairs_json(pairs: Sequence[PairValue], signature: str) -> dict[str, Any]:
    """The object that `spinal kernel --format json` writes."""
    known = [one.value for one in pairs if one.value is not None]
    return {
        "signature": signature,
        "pairs": [{"a": one.a, "b": one.b, "k": one.value} for one in pairs],
        "mean": sum(known) / len(known) if known else None,
    }


def nearest_json(found: Sequence[Neighbour], signature: str) -> dict[str, Any]:
    """The object that `spinal kernel --nearest K --format json` writes."""
    return {
        "signature": signature,
        "nearest": [
            {"a": one.tree, "rank": one.rank, "b": one.nearest, "k": one.value}
            for one in found
        ],
    }


def matrix_text(
    values: Floats, rows: Sequence[str], columns: Sequence[str], separator: str
) -> str:
    """The matrix with a heading and a first column of names; numbers in full.

    >>> import numpy as np
    >>> print(matrix_text(np.array([[1, 0.5]]), ["1"], ["1", "2"], ","), end="")
    tree,1,2
    1,1.0,0.5
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(["tree", *columns])
    for name, row in zip(rows, values.tolist(), strict=True):
        writer.writerow([name, *("" if value != value else value for value in row)])
    return out.getvalue()


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:.{_DIGITS}g}"
