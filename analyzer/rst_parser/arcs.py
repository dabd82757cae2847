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
from analyzer.rst_parser.fitting import Design, Weights, minimize, penalised
from analyzer.rst_parser.linear import Floats, Vocabulary, scores
from analyzer.rst_parser.pairs import (
    CONTEXTS,
    PairView,
    all_pairs,
    pair_templates,
)
from analyzer.rst_parser.units import Units, UnitView, unit_templates

_AT_ONCE = 1 << 14  # pairs that are scored together: what memory holds
_MOST_PAIRS, _NEAR = 400_000, 12  # to learn from; those of neighbours always


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
    """All pairs of units, dependent by dependent, and the context of each."""

    governor: Ints
    dependent: Ints
    context: Ints
    size: int


def arc_scores(
    model: ArcModel, edus: EduTable, units: Units
) -> tuple[ArcData, Floats, Floats]:
    """All pairs, their scores, and the score of each unit as root of its group."""
    view = UnitView(edus, units)
    single = scores(
        model.units, view.columns(unit_templates(model.level)), model.unit_weights
    )
    governor, dependent = all_pairs(units)
    context = np.zeros(len(governor), np.int64)
    found = np.zeros(len(governor))
    for start in range(0, len(governor), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        pairs = PairView(edus, units, governor[some], dependent[some])
        columns = pairs.columns(pair_templates(model.level))
        context[some] = pairs.context()
        found[some] = scores(model.pairs, columns, model.pair_weights)
    found += single[governor, context]
    found += single[dependent, CONTEXTS + context]
    data = ArcData(governor, dependent, context, len(units))
    return data, found, single[:, 2 * CONTEXTS]


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
    governor, dependent, copies = _fewer(units, governor, dependent, target)
    view = PairView(edus, units, governor, dependent)
    context = view.context()
    known_units, rows = Vocabulary.learn(
        UnitView(edus, units).columns(unit_templates(level)), least
    )
    of_units = Design(rows, len(known_units))
    known_pairs, rows = Vocabulary.learn(view.columns(pair_templates(level)), least)
    del view
    of_pairs = Design(rows, len(known_pairs))
    del rows
    sizes = len(known_units), len(known_pairs)
    data = ArcData(governor, dependent, context, len(units))
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
        of_arcs, of_roots, loss = learn(data, arcs, roots, is_gold, is_root, copies)
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
        return penalised(loss, slope, point, strength)

    start = np.zeros(sizes[0] * width + sizes[1])
    found = minimize(objective, start, steps=steps).astype(np.float32)
    return ArcModel(
        level,
        known_units,
        found[: sizes[0] * width].reshape(sizes[0], width),
        known_pairs,
        found[sizes[0] * width :],
    )


def _fewer(
    units: Units, governor: Ints, dependent: Ints, target: Ints
) -> tuple[Ints, Ints, Floats]:
    """Not too many pairs: of those far apart, every n-th, which counts n times."""
    copies = np.ones(len(governor))
    if len(governor) <= _MOST_PAIRS:
        return governor, dependent, copies
    apart = np.abs(units.place[governor] - units.place[dependent])
    is_far = (apart > _NEAR) & (governor != target[dependent])
    every = -(-int(is_far.sum()) // max(1, _MOST_PAIRS - int((~is_far).sum())))
    # Neither distances nor governors fall into step with a prime number.
    turn = (np.arange(len(governor)) * 7919) % every == 0
    kept = ~is_far | turn
    copies[is_far] = every
    return governor[kept], dependent[kept], copies[kept]


def _choice(
    data: ArcData,
    arcs: Floats,
    roots: Floats,
    is_gold: npt.NDArray[np.bool_],
    is_root: npt.NDArray[np.bool_],
    copies: Floats,
) -> tuple[Floats, Floats, float]:
    """Slopes of arcs and roots, and the loss: each unit chooses a governor or none."""
    chances, as_root = arc_chances(data, arcs + np.log(copies), roots)
    loss = -float(np.log(chances[is_gold] + 1e-300).sum())
    loss -= float(np.log(as_root[is_root] + 1e-300).sum())
    return chances - is_gold, as_root - is_root, loss


def _decisions(
    data: ArcData,
    arcs: Floats,
    roots: Floats,
    is_gold: npt.NDArray[np.bool_],
    is_root: npt.NDArray[np.bool_],
    copies: Floats,
) -> tuple[Floats, Floats, float]:
    """Slopes and loss as in `_choice`, with each pair and root a yes-or-no decision."""
    loss = 0.0
    slopes = []
    once = np.ones(data.size)
    for values, gold, times in ((arcs, is_gold, copies), (roots, is_root, once)):
        sign = np.where(gold, 1.0, -1.0)
        loss += float((times * np.logaddexp(0.0, -sign * values)).sum())
        slopes.append(-times * sign / (1.0 + np.exp(sign * values)))
    return slopes[0], slopes[1], loss


def arc_chances(data: ArcData, arcs: Floats, roots: Floats) -> tuple[Floats, Floats]:
    """How likely each unit's governor is, and that it has none."""
    highest = roots.copy()
    np.maximum.at(highest, data.dependent, arcs)
    weight = np.exp(arcs - highest[data.dependent])
    of_root = np.exp(roots - highest)
    total = of_root + np.bincount(data.dependent, weight, minlength=data.size)
    return weight / total[data.dependent], of_root / total
