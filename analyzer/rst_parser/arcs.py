"""Which unit governs which: scores of arcs, learnt as a choice among governors.

The score of an arc is the sum of what the governor, the dependent and both together
say. A unit on its own is scored once for each context that a pair can have, so that the
many features of single units cost next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analyzer.model.arrays import Ints
from analyzer.rst_parser.edus import EduTable
from analyzer.rst_parser.fitting import Design, Weights, minimize
from analyzer.rst_parser.linear import Floats, Rows, Vocabulary, rows_of, scores
from analyzer.rst_parser.templates import (
    CONTEXTS,
    PairView,
    Units,
    UnitView,
    all_pairs,
    pair_columns,
    unit_columns,
)


@dataclass(frozen=True)
class ArcModel:
    """Weights of single units (as governor, dependent, root) and of pairs."""

    level: int
    units: Vocabulary
    unit_weights: Weights
    pairs: Vocabulary
    pair_weights: Weights


@dataclass(frozen=True)
class ArcData:
    """Everything that training or scoring looks at."""

    unit_rows: Rows
    pair_rows: Rows
    governor: Ints
    dependent: Ints
    context: Ints
    size: int


def arc_data(
    edus: EduTable,
    units: Units,
    level: int,
    tables: tuple[Rows, Rows],
) -> ArcData:
    governor, dependent = all_pairs(units)
    view = PairView(edus, units, governor, dependent)
    return ArcData(
        rows_of(tables[0], unit_columns(UnitView(edus, units), level)),
        rows_of(tables[1], pair_columns(view, level)),
        governor,
        dependent,
        view.context(),
        len(units),
    )


def arc_scores(
    data: ArcData,
    unit_weights: npt.NDArray[np.floating],
    pair_weights: npt.NDArray[np.floating],
) -> tuple[Floats, Floats]:
    """Scores of all pairs, and of each unit as root of its group."""
    single = scores(data.unit_rows, unit_weights)
    found = single[data.governor, data.context]
    found += single[data.dependent, CONTEXTS + data.context]
    found += scores(data.pair_rows, pair_weights)
    return found, single[:, 2 * CONTEXTS]


def train_arcs(
    edus: EduTable,
    units: Units,
    target: Ints,
    level: int,
    *,
    strength: float,
    least: int,
    steps: int,
    is_binary: bool = False,
) -> ArcModel:
    """Weights by which the governors of a corpus are the most likely ones.

    target: the governing unit of each unit, -1 if it is the root of its group.
    is_binary: each pair is a decision of its own, yes or no, as in the paper; if not,
    each unit chooses one of all governors.
    """
    governor, dependent = all_pairs(units)
    view = PairView(edus, units, governor, dependent)
    unit_features = unit_columns(UnitView(edus, units), level)
    pair_features = pair_columns(view, level)
    known = Vocabulary.of(unit_features, least), Vocabulary.of(pair_features, least)
    sizes = len(known[0]), len(known[1])
    of_units = Design(rows_of(known[0].table(), unit_features), sizes[0])
    of_pairs = Design(rows_of(known[1].table(), pair_features), sizes[1])
    del unit_features, pair_features
    empty = np.zeros((0, 0), np.int32)
    data = ArcData(empty, empty, governor, dependent, view.context(), len(units))
    width = 2 * CONTEXTS + 1
    is_gold = governor == target[dependent]
    is_root = target < 0

    def objective(point: Floats) -> tuple[float, Floats]:
        unit_weights = point[: sizes[0] * width].reshape(sizes[0], width)
        pair_weights = point[sizes[0] * width :]
        single = of_units.scores(unit_weights)
        arcs = single[data.governor, data.context]
        arcs += single[data.dependent, CONTEXTS + data.context]
        arcs += of_pairs.scores(pair_weights)
        roots = single[:, -1]
        learn = _decisions if is_binary else _choice
        of_arcs, of_roots, loss = learn(data, arcs, roots, is_gold, is_root)
        of_single = np.zeros((data.size, width))
        shape = data.size * CONTEXTS
        as_governor = np.bincount(
            data.governor * CONTEXTS + data.context, of_arcs, minlength=shape
        )
        as_dependent = np.bincount(
            data.dependent * CONTEXTS + data.context, of_arcs, minlength=shape
        )
        of_single[:, :CONTEXTS] = as_governor.reshape(-1, CONTEXTS)
        of_single[:, CONTEXTS:-1] = as_dependent.reshape(-1, CONTEXTS)
        of_single[:, -1] = of_roots
        slope = np.concatenate(
            [
                of_units.slope(of_single).ravel(),
                of_pairs.slope(of_arcs),
            ]
        )
        penalty = 0.5 * strength * float(np.add.reduce(point * point))
        return loss + penalty, slope + strength * point

    start = np.zeros(sizes[0] * width + sizes[1])
    found = minimize(objective, start, steps=steps).astype(np.float32)
    return ArcModel(
        level,
        known[0],
        found[: sizes[0] * width].reshape(sizes[0], width),
        known[1],
        found[sizes[0] * width :],
    )


def _choice(
    data: ArcData,
    arcs: Floats,
    roots: Floats,
    is_gold: npt.NDArray[np.bool_],
    is_root: npt.NDArray[np.bool_],
) -> tuple[Floats, Floats, float]:
    """Slopes of arcs and roots, and the loss: each unit chooses a governor or none."""
    chances, as_root = chosen(data, arcs, roots)
    loss = -float(np.log(chances[is_gold] + 1e-300).sum())
    loss -= float(np.log(as_root[is_root] + 1e-300).sum())
    return chances - is_gold, as_root - is_root, loss


def _decisions(
    data: ArcData,
    arcs: Floats,
    roots: Floats,
    is_gold: npt.NDArray[np.bool_],
    is_root: npt.NDArray[np.bool_],
) -> tuple[Floats, Floats, float]:
    """The same where each pair, and each root, is a yes-or-no decision."""
    loss = 0.0
    slopes = []
    for values, gold in ((arcs, is_gold), (roots, is_root)):
        sign = np.where(gold, 1.0, -1.0)
        loss += float(np.logaddexp(0.0, -sign * values).sum())
        slopes.append(-sign / (1.0 + np.exp(sign * values)))
    return slopes[0], slopes[1], loss


def chosen(data: ArcData, arcs: Floats, roots: Floats) -> tuple[Floats, Floats]:
    """How likely each unit's governor is, and that it has none."""
    highest = roots.copy()
    np.maximum.at(highest, data.dependent, arcs)
    weight = np.exp(arcs - highest[data.dependent])
    of_root = np.exp(roots - highest)
    total = of_root + np.bincount(data.dependent, weight, minlength=data.size)
    return weight / total[data.dependent], of_root / total
