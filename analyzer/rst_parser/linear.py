"""Log-linear models over features that are hashes: their scores, and how they learn.

A row of data has one feature for each template. So data are a matrix of integers, a
line a template, and scores are sums of looked-up weights.

Learning is logistic regression with an L2 penalty, by L-BFGS. Sparse matrices are
SciPy's (the extra `parser`); using a model needs NumPy alone.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from analyzer.exceptions import SettingsError
from analyzer.model.arrays import Flags, Floats, Ints

Hashes = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.int32]
Floats32 = npt.NDArray[np.float32]
# A value that should be small, and its slope.
Loss = Callable[[Floats], tuple[float, Floats]]
# What the scores of several models lose, and what each of them does to it.
Losses = Callable[..., tuple[float, *tuple[Floats, ...]]]

NOTHING = (1 << 64) - 1  # where there is no feature
BITS = 20  # of a hash that tell features apart
LEAST = 2  # times that a feature must occur
STEPS = 60  # of L-BFGS; more move no score
_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_MEMORY = 8  # steps that L-BFGS remembers
_AT_ONCE = 1 << 14  # rows of data
_BLOCK = 1 << 16  # numbers
_ENOUGH = 1e-5  # the gain, in proportion, below which it stops
TINY = 1e-300  # what is as good as impossible


# -- features as numbers: strings hashed once, and combined as columns -----------------


@lru_cache(maxsize=1 << 18)
def hash_of(text: str) -> int:
    """64 bits that are the same in every process and on every machine."""
    return int.from_bytes(blake2b(text.encode("utf-8"), digest_size=8).digest())


def hashes(texts: Sequence[str]) -> Hashes:
    return np.array([hash_of(text) for text in texts], np.uint64)


def present(column: Hashes, seen: Hashes) -> Hashes:
    """The column, but nothing where nothing was seen."""
    return np.where(seen == np.uint64(NOTHING), np.uint64(NOTHING), column)


def mixed(name: str, *columns: Hashes) -> Hashes:
    """One number for what the columns say together, under a name.

    >>> first, second = hashes(["a", "b"]), hashes(["b", "a"])
    >>> bool((mixed("x", first, second) == mixed("x", second, first)).any())
    False
    """
    mixture = np.uint64(hash_of(name)) ^ columns[0]
    for at, column in enumerate(columns):
        if at:
            mixture ^= column
        mixture *= _ODD  # arrays wrap around without a warning
        mixture ^= mixture >> _SHIFT
    return mixture


# -- models ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Vocabulary:
    """The features that a model knows. Their rows count from 1; 0 is all others."""

    buckets: Rows

    @classmethod
    def learn(
        cls, columns: Iterable[Hashes], least: int = LEAST
    ) -> tuple[Vocabulary, Rows]:
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


def bucket_of(column: Hashes) -> Ints:
    return (column >> np.uint64(64 - BITS)).view(np.int64)


@dataclass(frozen=True)
class LinearModel:
    """Features, and the weights of each: one, or one for every class."""

    vocabulary: Vocabulary
    weights: Floats32

    def scores(self, columns: Iterable[Hashes]) -> Floats:
        """For each row of data, the sum of its features' weights."""
        total: Floats | None = None
        table = self.vocabulary.table
        for column in columns:
            # Every bucket and every row exists: "clip" saves looking whether they do.
            rows = table.take(bucket_of(column), mode="clip")
            of_column = self.weights.take(rows, axis=0, mode="clip")
            if total is None:
                total = of_column.astype(np.float64)
            else:
                total += of_column
        assert total is not None
        return total


def softmax(values: Floats) -> Floats:
    """By rows."""
    shifted = np.exp(values - values.max(axis=-1, keepdims=True))
    normal: Floats = shifted / shifted.sum(axis=-1, keepdims=True)
    return normal


class Design:
    """Data as a sparse matrix of zeros and ones, a row of it a row of data."""

    def __init__(self, rows: Rows, size: int, *, turned: bool = False) -> None:
        try:
            from scipy.sparse import csr_matrix
        except ImportError:
            raise SettingsError("E565 training a parser needs SciPy") from None
        indices, ends = _known(rows)
        ones = np.ones(len(indices), np.float32)
        shape = rows.shape[1], size
        self._matrix: Any = csr_matrix((ones, indices, ends), shape=shape)
        # For several scores a row, a second copy by columns is twice as quick.
        self._turned: Any = self._matrix.T.tocsr() if turned else self._matrix.T

    def scores(self, weights: Floats) -> Floats:
        scores: Floats32 = self._matrix @ weights.astype(np.float32)
        return scores.astype(np.float64)

    def slope(self, of_scores: Floats) -> Floats:
        """What the weights do to a loss, from what the scores do to it."""
        slope: Floats32 = self._turned @ of_scores.astype(np.float32)
        return slope.astype(np.float64)


def _known(rows: Rows) -> tuple[Rows, Ints]:
    """The features of each row of data, row by row, and where each row ends.

    What the model does not know, row 0 of its weights, is left out. In parts: a
    second copy of all would be what needs most memory in training.
    """
    features = np.empty(np.count_nonzero(rows), np.int32)
    counts = np.zeros(rows.shape[1] + 1, np.int64)
    end = 0
    for at in range(0, rows.shape[1], _AT_ONCE):
        part = rows[:, at : at + _AT_ONCE].T
        is_known = part != 0
        start, end = end, end + int(is_known.sum())
        features[start:end] = part[is_known]
        counts[at + 1 : at + 1 + len(part)] = is_known.sum(axis=1)
    return features, counts.cumsum()


def minimize(objective: Loss, start: Floats, *, steps: int) -> Floats:
    """The point where a smooth convex function is least: L-BFGS with backtracking.

    Sums are NumPy's own, never a threaded library's: the same on any number of cores.
    """
    point = start
    value, slope = objective(point)
    changes: deque[tuple[Floats32, Floats32, float]] = deque(maxlen=_MEMORY)
    for step in range(steps):
        direction = -_two_loops(slope, changes)
        descent = _dot(slope, direction)
        if descent >= 0:
            changes.clear()
            direction, descent = -slope, -_dot(slope, slope)
        length = 1.0 if changes else min(1.0, 1.0 / (_dot(slope, slope) ** 0.5 + 1e-12))
        while True:
            tried = length * direction
            tried += point
            new_value, new_slope = objective(tried)
            if new_value <= value + 1e-4 * length * descent or length < 1e-8:
                break
            length /= 2
        # In half the size: what is remembered only says where to look next.
        moved = (tried - point).astype(np.float32)
        turned = (new_slope - slope).astype(np.float32)
        curvature = _dot(moved, turned)
        if curvature > 1e-10:
            changes.append((moved, turned, curvature))
        gained = value - new_value
        point, value, slope = tried, new_value, new_slope
        if gained < _ENOUGH * max(1.0, abs(value)) and step > 3:
            break
    return point


def _two_loops(
    slope: Floats, changes: deque[tuple[Floats32, Floats32, float]]
) -> Floats:
    direction = slope.copy()
    shares = []
    for moved, turned, curvature in reversed(changes):
        share = _dot(moved, direction) / curvature
        shares.append(share)
        direction -= share * turned
    if changes:
        _, turned, curvature = changes[-1]
        direction *= curvature / _dot(turned, turned)
    for (moved, turned, curvature), share in zip(
        changes, reversed(shares), strict=True
    ):
        direction += (share - _dot(turned, direction) / curvature) * moved
    return direction


def _dot(these: Floats | Floats32, those: Floats | Floats32) -> float:
    """In blocks: a product as large as all weights would take longer to make."""
    blocks = (slice(at, at + _BLOCK) for at in range(0, len(these), _BLOCK))
    sums = (np.add.reduce(these[at] * those[at], dtype=np.float64) for at in blocks)
    return float(sum(sums))


def penalised(
    loss: float, slope: Floats, point: Floats, strength: float
) -> tuple[float, Floats]:
    """A loss and its slope, which is changed, with the penalty for large weights."""
    for at in range(0, len(point), _BLOCK):
        slope[at : at + _BLOCK] += strength * point[at : at + _BLOCK]
    return loss + 0.5 * strength * _dot(point, point), slope


def learn(
    parts: Iterable[tuple[Iterable[Hashes], int]],
    loss: Losses,
    *,
    strength: float,
    least: int = LEAST,
    steps: int = STEPS,
) -> list[LinearModel]:
    """The models whose scores together lose least; `strength` is that of the penalty.

    parts: for each model, the features, and how many scores a row of data has; 0: one,
    and weights without columns.
    """
    vocabularies: list[Vocabulary] = []
    designs: list[Design] = []
    shapes: list[tuple[int, ...]] = []
    has_data = False
    for columns, classes in parts:
        known, rows = Vocabulary.learn(columns, least)
        vocabularies.append(known)
        designs.append(Design(rows, len(known), turned=classes > 0))
        shapes.append((len(known), classes) if classes else (len(known),))
        has_data |= rows.shape[1] > 0
    del rows
    ends = np.cumsum([math.prod(shape) for shape in shapes])

    def weights_of(point: Floats) -> Iterator[Floats]:
        for piece, shape in zip(np.split(point, ends[:-1]), shapes, strict=True):
            yield piece.reshape(shape)

    def objective(point: Floats) -> tuple[float, Floats]:
        pairs = zip(designs, weights_of(point), strict=True)
        lost, *of_scores = loss(*(design.scores(weights) for design, weights in pairs))
        slopes = [
            design.slope(slope).ravel()
            for design, slope in zip(designs, of_scores, strict=True)
        ]
        slope = np.concatenate(slopes) if len(slopes) > 1 else slopes[0]
        return penalised(lost, slope, point, strength)

    point = np.zeros(ends[-1])
    if has_data:
        point = minimize(objective, point, steps=steps)
    return [
        LinearModel(known, weights.astype(np.float32))
        for known, weights in zip(vocabularies, weights_of(point), strict=True)
    ]


def class_loss(gold: Ints) -> Loss:
    """Of choosing one of several classes: `gold` is the right one of each row."""
    each = np.arange(len(gold))

    def loss(scores: Floats) -> tuple[float, Floats]:
        chances = softmax(scores)
        lost = log_loss(chances[each, gold])
        chances[each, gold] -= 1.0
        return lost, chances

    return loss


def decision_loss(gold: Flags, times: float | Floats = 1.0) -> Loss:
    """Of deciding yes or no; times: how often each row counts."""
    sign = np.where(gold, 1.0, -1.0)

    def loss(scores: Floats) -> tuple[float, Floats]:
        margin = sign * scores
        lost = float((times * np.logaddexp(0.0, -margin)).sum())
        return lost, -times * sign / (1.0 + np.exp(margin))

    return loss


def log_loss(chances: Floats) -> float:
    """Of chances that should be 1."""
    return -float(np.log(chances + TINY).sum())
