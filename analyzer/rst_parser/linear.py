"""Log-linear models over sparse binary features.

A row of data has one feature for each template. So data are a matrix of integers, a
line a template, and scores are sums of looked-up weights.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from analyzer.rst_parser.hashing import NOTHING, Hashes

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int32]

BITS = 20  # of a hash that tell features apart


@dataclass(frozen=True)
class Vocabulary:
    """The features that a model knows. Their rows count from 1; 0 is all others."""

    buckets: Rows

    @classmethod
    def learn(cls, columns: Iterable[Hashes], least: int) -> tuple[Vocabulary, Rows]:
        """The features that occur at least so often, and the data as their rows."""
        rows = _stacked([bucket_of(column).astype(np.int32) for column in columns])
        counts = np.zeros(1 << BITS, np.int64)
        for line in rows:
            # Of several templates, none may be too rare.
            np.maximum(counts, np.bincount(line, minlength=1 << BITS), out=counts)
        counts[bucket_of(np.array([NOTHING], np.uint64))] = 0
        known = cls(np.flatnonzero(counts >= least).astype(np.int32))
        for line in rows:
            line[:] = known.table[line]
        return known, rows

    def __len__(self) -> int:
        return len(self.buckets) + 1

    @cached_property
    def table(self) -> Rows:
        """The row of each bucket."""
        table = np.zeros(1 << BITS, np.int32)
        table[self.buckets] = np.arange(1, len(self), dtype=np.int32)
        return table

    def __getstate__(self) -> dict[str, Any]:
        """Without the table, which is made from the rest."""
        return {"buckets": self.buckets}


def _stacked(lines: list[Rows]) -> Rows:
    """The lines as a matrix; empties the list, so that memory has one copy only."""
    rows = np.empty((len(lines), len(lines[0]) if lines else 0), np.int32)
    for at in reversed(range(len(rows))):
        rows[at] = lines.pop()
    return rows


def bucket_of(column: Hashes) -> npt.NDArray[np.int64]:
    return (column >> np.uint64(64 - BITS)).view(np.int64)


def scores(
    known: Vocabulary, columns: Iterable[Hashes], weights: npt.NDArray[np.floating]
) -> Floats:
    """For each row of data, the sum of its features' weights."""
    total: Floats | None = None
    for column in columns:
        # Every bucket and every row exists: "clip" saves looking whether they do.
        rows = known.table.take(bucket_of(column), mode="clip")
        found = weights.take(rows, axis=0, mode="clip")
        if total is None:
            total = found.astype(np.float64)
        else:
            total += found
    assert total is not None
    return total


def softmax(values: Floats) -> Floats:
    """By rows."""
    shifted = np.exp(values - values.max(axis=-1, keepdims=True))
    normal: Floats = shifted / shifted.sum(axis=-1, keepdims=True)
    return normal
