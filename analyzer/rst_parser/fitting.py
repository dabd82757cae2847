"""How weights are learnt: logistic regression with an L2 penalty, by L-BFGS.

Sparse matrices are SciPy's (the extra `parser`); using a model needs NumPy alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from analyzer.exceptions import SettingsError
from analyzer.model.arrays import Floats, Ints
from analyzer.rst_parser.linear import Rows, softmax

Weights = npt.NDArray[np.float32]
Objective = Callable[[Floats], tuple[float, Floats]]

_MEMORY = 8  # steps that L-BFGS remembers
_AT_ONCE = 1 << 14  # rows of data
_BLOCK = 1 << 16  # numbers
_ENOUGH = 1e-5  # the gain, in proportion, below which it stops


class Design:
    """Data as a sparse matrix of zeros and ones, a row of it a row of data."""

    def __init__(self, rows: Rows, size: int, *, turned: bool = False) -> None:
        try:
            from scipy.sparse import csr_matrix
        except ImportError:
            raise SettingsError(
                "training a parser needs SciPy: pip install 'spinal[parser]'",
                code="E565",
            ) from None
        indices, ends = _known(rows)
        ones = np.ones(len(indices), np.float32)
        shape = rows.shape[1], size
        self._matrix: Any = csr_matrix((ones, indices, ends), shape=shape)
        # For several scores a row, a second copy by columns is twice as quick.
        self._turned: Any = self._matrix.T.tocsr() if turned else self._matrix.T

    def scores(self, weights: Floats) -> Floats:
        found: Floats = self._matrix @ weights.astype(np.float32)
        return found.astype(np.float64)

    def slope(self, of_scores: Floats) -> Floats:
        """What the weights do to a loss, from what the scores do to it."""
        found: Floats = self._turned @ of_scores.astype(np.float32)
        return found.astype(np.float64)


def _known(rows: Rows) -> tuple[Rows, Ints]:
    """The features of each row of data, row by row, and where each row ends.

    What the model does not know, row 0 of its weights, is left out. In parts: a
    second copy of all would be what needs most memory in training.
    """
    found = np.empty(np.count_nonzero(rows), np.int32)
    counts = np.zeros(rows.shape[1] + 1, np.int64)
    end = 0
    for at in range(0, rows.shape[1], _AT_ONCE):
        part = rows[:, at : at + _AT_ONCE].T
        is_known = part != 0
        start, end = end, end + int(is_known.sum())
        found[start:end] = part[is_known]
        counts[at + 1 : at + 1 + len(part)] = is_known.sum(axis=1)
    return found, counts.cumsum()


def minimize(objective: Objective, start: Floats, *, steps: int) -> Floats:
    """The point where a smooth convex function is least: L-BFGS with backtracking.

    Sums are NumPy's own, never a threaded library's: the same on any number of cores.
    """
    point = start
    value, slope = objective(point)
    changes: deque[tuple[Weights, Weights, float]] = deque(maxlen=_MEMORY)
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
            found, new_slope = objective(tried)
            if found <= value + 1e-4 * length * descent or length < 1e-8:
                break
            length /= 2
        # In half the size: what is remembered only says where to look next.
        moved = (tried - point).astype(np.float32)
        turned = (new_slope - slope).astype(np.float32)
        curvature = _dot(moved, turned)
        if curvature > 1e-10:
            changes.append((moved, turned, curvature))
        gained = value - found
        point, value, slope = tried, found, new_slope
        if gained < _ENOUGH * max(1.0, abs(value)) and step > 3:
            break
    return point


def _two_loops(slope: Floats, changes: deque[tuple[Weights, Weights, float]]) -> Floats:
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


def _dot(one: Floats | Weights, other: Floats | Weights) -> float:
    """In blocks: a product as large as all weights would take longer to make."""
    blocks = (slice(at, at + _BLOCK) for at in range(0, len(one), _BLOCK))
    sums = (np.add.reduce(one[at] * other[at], dtype=np.float64) for at in blocks)
    return float(sum(sums))


def penalised(
    loss: float, slope: Floats, point: Floats, strength: float
) -> tuple[float, Floats]:
    """A loss and its slope, which is changed, with the penalty for large weights."""
    for at in range(0, len(point), _BLOCK):
        slope[at : at + _BLOCK] += strength * point[at : at + _BLOCK]
    return loss + 0.5 * strength * _dot(point, point), slope


def train_classes(
    rows: Rows, gold: Ints, *, classes: int, size: int, strength: float, steps: int
) -> Weights:
    """Weights of a multi-class model: `strength` is that of the penalty."""
    design = Design(rows, size, turned=True)
    each = np.arange(len(gold))

    def objective(point: Floats) -> tuple[float, Floats]:
        chances = softmax(design.scores(point.reshape(size, classes)))
        loss = -float(np.log(chances[each, gold] + 1e-300).sum())
        chances[each, gold] -= 1.0
        return penalised(loss, design.slope(chances).ravel(), point, strength)

    found = minimize(objective, np.zeros(size * classes), steps=steps)
    return found.reshape(size, classes).astype(np.float32)


def train_choice(
    rows: Rows, gold: Ints, *, size: int, strength: float, steps: int
) -> Weights:
    """Weights of a yes-or-no model."""
    design = Design(rows, size)
    sign = np.where(gold == 1, 1.0, -1.0)

    def objective(point: Floats) -> tuple[float, Floats]:
        margin = sign * design.scores(point)
        loss = float(np.logaddexp(0.0, -margin).sum())
        slope = design.slope(-sign / (1.0 + np.exp(margin)))
        return penalised(loss, slope, point, strength)

    return minimize(objective, np.zeros(size), steps=steps).astype(np.float32)
