"""Weights learned from human rankings, and the small file that keeps them.

Pairwise logistic regression: a comparison in which a person preferred a to b says that
w·(x_a − x_b) should be positive. With each comparison also its mirror image, and no
intercept,

    w = argmin ½|w|² + 2C Σ log(1 + exp(−w·(x_better − x_worse)))

which is convex and has one solution (found with Newton's method). Human ties say
nothing and are not used. x is scaled by `min_max`, per metric and language pair.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from analyzer.discotk.evaluation import Evaluation, evaluate
from analyzer.discotk.score_tables import (
    Comparisons,
    ScoreTable,
    fill_gaps,
    min_max,
    places,
)
from analyzer.exceptions import InputError, Place, SettingsError
from analyzer.files.atomic import write_text
from analyzer.files.small_files import read_json
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Floats

LIGHT, PARTY, TUNED = "DiscoTK-light", "DiscoTK-party", "DiscoTK-tuned"
DEFAULT_FOLDS = 10
_FORMAT = "spinal-discotk-model"
_VERSION = 1
_NEWTON_STEPS = 100
_CLOSE_ENOUGH = 1e-10


@dataclass(frozen=True)
class Model:
    """Weights of metrics, and how they came about."""

    metrics: tuple[str, ...]
    weights: tuple[float, ...]
    comparisons: int
    signature: str  # as text: it is written to a file and read back

    def raw(self, table: ScoreTable) -> Floats:
        """w·x for each system and segment; the table is already scaled."""
        chosen = table.select(self.metrics)
        return np.asarray(chosen.values @ np.array(self.weights), np.float64)


def sigmoid(values: Floats) -> Floats:
    """1 / (1 + exp(−x)), without overflow.

    >>> sigmoid(np.array([-1000.0, 0.0, 1000.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    small = np.exp(-np.abs(values))
    return np.asarray(np.where(values >= 0, 1.0, small) / (1.0 + small), np.float64)


def differences(table: ScoreTable, human: Comparisons) -> tuple[Floats, list[str]]:
    """x_better − x_worse of each comparison without a tie, and its segment."""
    system, segment = places(table, human)
    real = human.sign != 0
    at = segment[human.segment[real]]
    first = table.values[system[human.first[real]], at]
    second = table.values[system[human.second[real]], at]
    names = [human.segments[place] for place in human.segment[real].tolist()]
    return (second - first) * human.sign[real][:, None], names


def fit_weights(better_minus_worse: Floats, *, cost: float = 1.0) -> Floats:
    """The weights for differences between better and worse translations.

    >>> fit_weights(np.array([[1.0, 0.0], [1.0, 0.5], [1.0, -0.5]])).round(3).tolist()
    [1.293, 0.0]

    By hand: the second weight is 0 by symmetry, the first solves w = 6 / (1 + exp(w)).
    """
    x = better_minus_worse
    if not len(x):
        raise SettingsError("E925 no comparison to learn from")
    weights = np.zeros(x.shape[1])
    objective = _objective(x, weights, cost)
    for _ in range(_NEWTON_STEPS):
        wrong = sigmoid(-(x @ weights))
        gradient = weights - 2 * cost * (wrong @ x)
        curvature = (x * (wrong * (1 - wrong))[:, None]).T @ x
        step = np.linalg.solve(np.eye(weights.size) + 2 * cost * curvature, gradient)
        # Newton's step may overshoot far from the solution: halve it until it helps.
        size = 1.0
        while True:
            tried = weights - size * step
            value = _objective(x, tried, cost)
            if value <= objective or size < _CLOSE_ENOUGH:
                break
            size /= 2
        weights, objective = tried, value
        if np.max(np.abs(size * step)) < _CLOSE_ENOUGH:
            break
    return weights


def _objective(x: Floats, weights: Floats, cost: float) -> float:
    losses = np.logaddexp(0.0, -(x @ weights))
    return float(weights @ weights / 2 + 2 * cost * losses.sum())


def tune(
    tables: Sequence[ScoreTable], human: Sequence[Comparisons], *, cost: float = 1.0
) -> Model:
    """A model from all comparisons of all language pairs (scaled tables)."""
    metrics = tables[0].metrics
    parts = [
        differences(table.select(metrics), rankings)[0]
        for table, rankings in zip(tables, human, strict=True)
    ]
    together = np.concatenate(parts)
    weights = fit_weights(together, cost=cost)
    how = tuning_signature(metrics, cost=cost)
    return Model(metrics, tuple(weights.tolist()), len(together), str(how))


def tuning_signature(metrics: Sequence[str], *, cost: float) -> Signature:
    return Signature.of(
        tuning="pairwise-logistic", cost=cost, scaling="min-max", metrics=tuple(metrics)
    )


def cross_validate(
    table: ScoreTable,
    human: Comparisons,
    *,
    folds: int = DEFAULT_FOLDS,
    seed: int = 0,
    cost: float = 1.0,
) -> Floats:
    """w·x of each segment, with weights learned from the other folds' segments.

    Folds are of segments, so that no segment is both learned from and judged. Segments
    that nobody ranked are in folds too.
    """
    if not 2 <= folds <= len(human.segments):
        most = len(human.segments)
        raise SettingsError("E926 ranked segments", folds=folds, most=most)
    fold = np.random.default_rng(seed).permutation(len(table.segments)) % folds
    of_name = dict(zip(table.segments, fold.tolist(), strict=True))
    x, names = differences(table, human)
    fold_of_row = np.array([of_name[name] for name in names], np.int64)
    raw = np.zeros(table.values.shape[:2])
    for number in range(folds):
        weights = fit_weights(x[fold_of_row != number], cost=cost)
        raw[:, fold == number] = table.values[:, fold == number] @ weights
    return raw


def tune_metrics(
    tables: Sequence[ScoreTable],
    human: Sequence[Comparisons],
    *,
    only: Sequence[str] | None = None,
    folds: int = DEFAULT_FOLDS,
    seed: int = 0,
    cost: float = 1.0,
    missing: str = "error",
    notes: list[str] | None = None,
) -> tuple[Model, Evaluation, Signature]:
    """Weights of metrics, and how they agree with people beside equal weights.

    The weights are learned from all segments; what agrees are weights learned without
    the segment that is scored, in folds.

    Without `only`, all metrics of the tables but those that DiscoTK itself combines
    from the others.
    """
    if not cost > 0:
        raise SettingsError("E908 --cost must be above 0, not", cost=cost)
    combined = (LIGHT, PARTY, TUNED)
    names = only or [name for name in tables[0].metrics if name not in combined]
    scaled = [
        min_max(
            fill_gaps(table.select(names), missing=missing, notes=notes), notes=notes
        )
        for table in tables
    ]
    model = tune(scaled, human, cost=cost)
    judged, raw = [], []
    for table, rankings in zip(scaled, human, strict=True):
        learned = cross_validate(table, rankings, folds=folds, seed=seed, cost=cost)
        uniform = table.values.mean(axis=2)
        both = ("uniform", "tuned")
        judged.append(
            table.with_values(both, np.stack([uniform, sigmoid(learned)], axis=2))
        )
        raw.append(table.with_values(both, np.stack([uniform, learned], axis=2)))
    evaluation = evaluate(judged, human, system_tables=raw)
    signature = tuning_signature(model.metrics, cost=cost)
    return model, evaluation, signature.replace(folds=folds, seed=seed)


def write_model(model: Model, path: str) -> None:
    data = {"format": _FORMAT, "version": _VERSION, **asdict(model)}
    write_text(path, json.dumps(data, indent=2) + "\n")


def read_model(path: str) -> Model:
    """A model as `write_model` wrote it."""
    data = read_json(path, "E980")
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise InputError("E980 not a model of `spinal discotk tune`", Place(path))
    if data.get("version") != _VERSION:
        found = data.get("version")
        raise InputError(
            "E927 a model of version", Place(path), found=found, version=_VERSION
        )
    try:
        metrics = tuple(str(name) for name in data["metrics"])
        weights = tuple(float(weight) for weight in data["weights"])
        count, how = int(data["comparisons"]), str(data["signature"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError("E929 a damaged model", Place(path), error=error) from None
    if len(metrics) != len(weights) or not np.isfinite(weights).all() or not metrics:
        raise InputError("E928 a damaged model", Place(path))
    return Model(metrics, weights, count, how)
