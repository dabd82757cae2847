"""Log-linear models over sparse binary features.

A row of data has one feature for each template. So data are a matrix of integers, a
line a template, and scores are sums of looked-up weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analyzer.rst_parser.hashing import Hashes

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int32]

BITS = 20  # of a hash that tell features apart


@dataclass(frozen=True)
class Vocabulary:
    """The features that a model knows. Their rows count from 1; 0 is all others."""

    buckets: npt.NDArray[np.int64]

    @classmethod
    def of(cls, columns: Sequence[Hashes], least: int) -> Vocabulary:
        """The features that occur at least so often."""
        kept: list[npt.NDArray[np.int64]] = []
        for column in columns:
            found, counts = np.unique(bucket_of(column), return_counts=True)
            kept.append(found[counts >= least])
        return cls(np.unique(np.concatenate(kept)))

    def __len__(self) -> int:
        return len(self.buckets) + 1

    def table(self) -> Rows:
        """The row of each bucket."""
        table = np.zeros(1 << BITS, np.int32)
        table[self.buckets] = np.arange(1, len(self), dtype=np.int32)
        return table


def bucket_of(column: Hashes) -> npt.NDArray[np.int64]:
    return (column >> np.uint64(64 - BITS)).astype(np.int64)


def rows_of(table: Rows, columns: Sequence[Hashes]) -> Rows:
    """Hashes as rows of a model, a line a template."""
    if not columns:
        return np.zeros((0, 0), np.int32)
    return np.stack([table[bucket_of(column)] for column in columns])


def scores(rows: Rows, weights: npt.NDArray[np.floating]) -> Floats:
    """For each row of data, the sum of its features' weights."""
    total = np.zeros((rows.shape[1], *weights.shape[1:]), np.float64)
    for line in rows:
        total += weights[line]
    return total


def softmax(values: Floats) -> Floats:
    """By rows."""
    shifted = np.exp(values - values.max(axis=-1, keepdims=True))
    normal: Floats = shifted / shifted.sum(axis=-1, keepdims=True)
    return normal
