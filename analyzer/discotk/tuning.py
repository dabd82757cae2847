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

from analyzer.discotk.score_table import ScoreTable
from analyzer.discotk.wmt_files import Comparisons
from analyzer.exceptions import InputError, PairingError, Place, SettingsError
from analyzer.files.atomic import write_text
from analyzer.files.small_files import read_json
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Floats, Ints

DEFAULT_FOLDS = 10
_FORMAT = "spinal-discotk-model"
_NO_MODEL = "not a model of `spinal discotk tune`"
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


def places(table: ScoreTable, human: Comparisons) -> tuple[Ints, Ints]:
    """Where the systems and segments that people ranked are in a table of scores.

    Scores for all of them must be there: leaving comparisons out would make a metric
    look better or worse than it is.
    """
    found = []
    for what, wanted, there in (
        ("system", human.systems, table.systems),
        ("segment", human.segments, table.segments),
    ):
        at = {name: place for place, name in enumerate(there)}
        absent = [name for name in wanted if name not in at]
        if absent:
            raise PairingError(
                "no scores for {absent:,} of {wanted:,} {what}s that were ranked "
                "({rankings}): {names:list}{more}",
                code="E981",
                absent=len(absent),
                wanted=len(wanted),
                what=what,
                rankings=human.pair or "rankings",
                names=absent[:3],
                more=", …" if len(absent) > 3 else "",
            )
        found.append(np.array([at[name] for name in wanted], np.int64))
    return found[0], found[1]


def fit_weights(better_minus_worse: Floats, *, cost: float = 1.0) -> Floats:
    """The weights for differences between better and worse translations.

    >>> fit_weights(np.array([[1.0, 0.0], [1.0, 0.5], [1.0, -0.5]])).round(3).tolist()
    [1.293, 0.0]

    By hand: the second weight is 0 by symmetry, the first solves w = 6 / (1 + exp(w)).
    """
    x = better_minus_worse
    if not len(x):
        raise SettingsError("no comparison to learn from: all are ties", code="E925")
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
        differences(table.select(metrics), one)[0]
        for table, one in zip(tables, human, strict=True)
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
        raise SettingsError(
            "{folds} folds of {most:,} ranked segments; choose 2 to {most:,}",
            code="E926",
            folds=folds,
            most=most,
        )
    fold = np.random.default_rng(seed).permutation(len(table.segments)) % folds
    of_name = dict(zip(table.segments, fold.tolist(), strict=True))
    x, names = differences(table, human)
    fold_of_row = np.array([of_name[name] for name in names], np.int64)
    raw = np.zeros(table.values.shape[:2])
    for number in range(folds):
        weights = fit_weights(x[fold_of_row != number], cost=cost)
        raw[:, fold == number] = table.values[:, fold == number] @ weights
    return raw


def write_model(model: Model, path: str) -> None:
    data = {"format": _FORMAT, "version": _VERSION, **asdict(model)}
    write_text(path, json.dumps(data, indent=2) + "\n")


def read_model(path: str) -> Model:
    """A model as `write_model` wrote it."""
    data = read_json(path, _NO_MODEL)
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise InputError(_NO_MODEL, Place(path), code="E980")
    if data.get("version") != _VERSION:
        found = data.get("version")
        raise InputError(
            "a model of version {found}; this program reads {version}",
            Place(path),
            code="E927",
            found=found,
            version=_VERSION,
        )
    try:
        metrics = tuple(str(name) for name in data["metrics"])
        weights = tuple(float(weight) for weight in data["weights"])
        count, how = int(data["comparisons"]), str(data["signature"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(
            "a damaged model: {error!r}", Place(path), code="E929", error=error
        ) from None
    if len(metrics) != len(weights) or not np.isfinite(weights).all() or not metrics:
        raise InputError(
            "a damaged model: it needs one finite weight for each metric",
            Place(path),
            code="E928",
        )
    return Model(metrics, weights, count, how)
