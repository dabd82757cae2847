"""How well metrics agree with people: tau of segments, rho and r of systems.

A comparison is two translations of a segment that a person ranked. tau is the sum of
its coefficients over the number of comparisons that count; the ways differ in what a
tie does. `<`: the first is better; X: the comparison does not count.

    human   metric:  WMT12      WMT13      WMT14      xties
                     < = >      < = >      < = >      < = >
      <              1 −1 −1    1 X −1     1 0 −1     1 0 −1
      =              X X X      X X X      X X X      0 1 0
      >             −1 −1 1    −1 X 1     −1 0 1     −1 0 1

WMT16 calls WMT14's way `noties` and xties `hties`; WMT20's Kendall-like tau is WMT12's
again, on differences of human scores. WMT10 and WMT11 counted as WMT14 does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.discotk.score_tables import Comparisons, ScoreTable, places
from analyzer.exceptions import InputError, PairingError, Place, SettingsError
from analyzer.files.atomic import write_text
from analyzer.files.small_files import read_json
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import DEFAULT_SEED, Pool, dense_pools, interval
from analyzer.model.arrays import Floats

Signs = npt.NDArray[np.int64]

_X = np.nan
# Rows: human <, =, >; columns: metric <, =, >.
_COEFFICIENTS: dict[str, Floats] = {
    "wmt12": np.array([[1, -1, -1], [_X, _X, _X], [-1, -1, 1]], np.float64),
    "wmt13": np.array([[1, _X, -1], [_X, _X, _X], [-1, _X, 1]], np.float64),
    "wmt14": np.array([[1, 0, -1], [_X, _X, _X], [-1, 0, 1]], np.float64),
    "xties": np.array([[1, 0, -1], [0, 1, 0], [-1, 0, 1]], np.float64),
}
TABLE_VARIANTS: tuple[str, ...] = ("wmt12", "wmt13", "wmt14")
_LEVEL = 0.95
VARIANTS = tuple(_COEFFICIENTS)
OTHER_NAMES = {
    "wmt10": "wmt14",
    "wmt11": "wmt14",
    "wmt16": "wmt14",
    "noties": "wmt14",
    "hties": "xties",
    "kendall-like": "wmt12",
    "wmt20": "wmt12",
}


# -- coefficients ----------------------------------------------------------------------


class Tau(NamedTuple):
    """tau as its two sums."""

    numerator: float
    denominator: float

    @property
    def value(self) -> float | None:
        """tau; None if no comparison counts."""
        return self.numerator / self.denominator if self.denominator else None


def variant_name(name: str) -> str:
    """The name under which a way of counting stands in the table above."""
    chosen = OTHER_NAMES.get(name.lower(), name.lower())
    if chosen not in _COEFFICIENTS:
        known = ", ".join([*VARIANTS, *OTHER_NAMES])
        raise SettingsError("E903 no Kendall's tau", name=name, known=known)
    return chosen


def coefficients(human: Signs, metric: Signs, variant: str) -> Floats:
    """The coefficient of each comparison, NaN where it does not count.

    Signs: -1 the first is better, 0 a tie, 1 the second is better.
    """
    return np.asarray(_COEFFICIENTS[variant_name(variant)][human + 1, metric + 1])


def tau(human: Signs, metric: Signs, variant: str = "wmt14") -> Tau:
    """Kendall's tau over comparisons.

    >>> human, metric = np.array([-1, -1, -1, 0, 0, 1]), np.array([-1, 1, 0, -1, 0, 1])
    >>> [tau(human, metric, way) for way in ("wmt12", "wmt13", "wmt14")]
    [Tau(numerator=0.0, denominator=4), Tau(numerator=1.0, denominator=3), \
Tau(numerator=1.0, denominator=4)]
    """
    values = coefficients(human, metric, variant)
    counts = ~np.isnan(values)
    return Tau(float(values[counts].sum()), int(counts.sum()))


def pearson(x: Floats, y: Floats) -> float | None:
    """Pearson's r; None for fewer than two points or a constant.

    >>> pearson(np.array([1.0, 2, 3]), np.array([2.0, 4, 6]))
    1.0
    """
    if x.size < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    a, b = x - x.mean(), y - y.mean()
    r = float((a @ b) / np.sqrt((a @ a) * (b @ b)))
    return min(1.0, max(-1.0, r))


def spearman(x: Floats, y: Floats) -> float | None:
    """Spearman's rho: Pearson's r of the ranks, equal values sharing their mean rank.

    >>> spearman(np.array([1.0, 5, 9]), np.array([10.0, 30, 20]))
    0.5
    """
    return pearson(ranks(x), ranks(y))


def ranks(values: Floats) -> Floats:
    """Ranks from 1, ties with the mean of theirs.

    >>> ranks(np.array([3.0, 1, 3])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[which.ravel()], np.float64)


def expected_wins(wins: Floats) -> Floats:
    """How likely each system beats another one; `wins[i, j]`: i ranked above j.

    The mean over opponents j of win_ij / (win_ij + win_ji); ties do not count, nor
    opponents that a system was never ranked against. NaN without opponents.

    >>> expected_wins(np.array([[0.0, 3], [1, 0]])).tolist()
    [0.75, 0.25]
    """
    met = wins + wins.T
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(met > 0, wins / met, 0.0)
        return np.asarray(share.sum(axis=1) / (met > 0).sum(axis=1), np.float64)


# -- metrics on language pairs ---------------------------------------------------------


class Estimate(NamedTuple):
    """A correlation, and its bootstrap interval if one was asked for."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class CorrelationRow:
    """One metric on one language pair."""

    pair: str
    metric: str
    tau: Mapping[str, Estimate]
    spearman: Estimate
    pearson: Estimate
    ties: float  # share of comparisons in which the metric ties


@dataclass(frozen=True)
class Evaluation:
    """All metrics on all language pairs; the means over pairs come last."""

    variants: tuple[str, ...]
    rows: list[CorrelationRow]
    comparisons: dict[str, int]
    human: dict[str, dict[str, float]]  # per pair and system
    notes: list[str] = field(default_factory=list)


def evaluate(
    tables: Sequence[ScoreTable],
    human: Sequence[Comparisons],
    *,
    variants: Sequence[str] = TABLE_VARIANTS,
    human_scores: Mapping[str, Mapping[str, float]] | None = None,
    system_tables: Sequence[ScoreTable] | None = None,
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
) -> Evaluation:
    """Correlations of every metric, language pair by language pair.

    A metric's system score is the mean over segments, of `system_tables` if given (a
    tuned metric's segment scores go through a sigmoid, its system scores do not). A
    system's human score is its expected wins in the rankings, unless it is given.
    Intervals: segments are drawn with replacement, with all that was said of them.
    """
    names = tuple(dict.fromkeys(variant_name(variant) for variant in variants))
    result = Evaluation(names, [], {}, {})
    for table, system_table, rankings in zip(
        tables, system_tables or tables, human, strict=True
    ):
        given = None
        if human_scores is not None:
            given = human_scores.get(rankings.pair, human_scores.get(""))
            if given is None:
                raise PairingError(
                    "E905 no human scores of systems for", pair=rankings.pair
                )
        _evaluate_pair(result, table, system_table, rankings, given, resamples, seed)
    if len(result.comparisons) > 1:
        result.rows.extend(_means(result))
    return result


def _evaluate_pair(
    result: Evaluation,
    table: ScoreTable,
    system_table: ScoreTable,
    human: Comparisons,
    given: Mapping[str, float] | None,
    resamples: int,
    seed: int,
) -> None:
    system, segment = places(table, human)
    if human.left_out:
        result.notes.append(
            f"{human.pair}: {human.left_out:,} pairs are without a rank, of one system "
            "or with the reference, and do not count"
        )
    extra = [name for name in table.systems if name not in set(human.systems)]
    if extra:
        shown = ", ".join(extra[:3]) + (", …" if len(extra) > 3 else "")
        result.notes.append(f"{human.pair}: nobody ranked {shown}; not used")
    at = segment[human.segment]
    first = table.values[system[human.first], at]
    second = table.values[system[human.second], at]
    # Comparisons x metrics: -1 where the first score is higher, 0 where they are equal.
    signs = np.asarray(np.sign(second - first), np.int64)
    wins = _wins(human)
    if given is None:
        people = expected_wins(wins.sum(axis=0))
    else:
        absent = [name for name in human.systems if name not in given]
        if absent:
            raise PairingError("E904 no human score for the system", absent=absent[0])
        people = np.array([given[name] for name in human.systems], np.float64)
    values = system_table.values[system]
    means = values.mean(axis=1)
    taus = {
        name: [
            _tau(pool, place, resamples, seed)
            for place, pool in enumerate(_pools(human, signs, name))
        ]
        for name in result.variants
    }
    # Segments that nobody ranked are drawn too: the system scores are means over all.
    by_segment = np.zeros((len(table.segments), *wins.shape[1:]))
    by_segment[segment] = wins
    drawn = _system_intervals(
        values, by_segment if given is None else None, people, resamples, seed
    )
    for place, metric in enumerate(table.metrics):
        result.rows.append(
            CorrelationRow(
                human.pair,
                metric,
                {name: estimates[place] for name, estimates in taus.items()},
                Estimate(spearman(means[:, place], people), *drawn[place][0]),
                Estimate(pearson(means[:, place], people), *drawn[place][1]),
                float((signs[:, place] == 0).mean()),
            )
        )
    result.comparisons[human.pair] = len(human)
    result.human[human.pair] = dict(zip(human.systems, people.tolist(), strict=True))


def _pools(human: Comparisons, signs: Signs, variant: str) -> list[Pool]:
    """tau's two sums, segment by segment, for each metric."""
    values = coefficients(human.sign[:, None], signs, variant)
    sums = np.zeros((2, len(human.segments), values.shape[1]), np.int64)
    np.add.at(sums[0], human.segment, np.nan_to_num(values).astype(np.int64))
    np.add.at(sums[1], human.segment, ~np.isnan(values))
    return dense_pools(sums)


def _tau(pool: Pool, place: int, resamples: int, seed: int) -> Estimate:
    concordance, comparisons = pool.sums.tolist()
    value = concordance / comparisons if comparisons else None
    if not resamples:
        return Estimate(value)
    ends = interval(pool, f"tau {place}", resamples=resamples, seed=seed)
    return Estimate(value, *ends)


def _wins(human: Comparisons) -> Floats:
    """Who was ranked above whom: segments x systems x systems."""
    size = len(human.systems)
    wins = np.zeros((len(human.segments), size, size))
    for sign, winner, loser in (
        (-1, human.first, human.second),
        (1, human.second, human.first),
    ):
        at = human.sign == sign
        np.add.at(wins, (human.segment[at], winner[at], loser[at]), 1.0)
    return wins


def _system_intervals(
    values: Floats, wins: Floats | None, people: Floats, resamples: int, seed: int
) -> list[list[tuple[float | None, float | None]]]:
    """Intervals of rho and r for each metric: Nones without resamples."""
    metrics = values.shape[2]
    if not resamples:
        return [[(None, None), (None, None)]] * metrics
    segments = values.shape[1]
    random = np.random.default_rng(seed)
    drawn_values = np.full((resamples, metrics, 2), np.nan)
    flat = values.transpose(1, 0, 2).reshape(segments, -1)
    for sample in range(resamples):
        drawn = random.integers(0, segments, segments)
        times = np.bincount(drawn, minlength=segments).astype(np.float64)
        means = (times @ flat).reshape(values.shape[0], metrics) / segments
        if wins is not None:
            won = times @ wins.reshape(segments, -1)
            people = expected_wins(won.reshape(wins.shape[1:]))
        for metric in range(metrics):
            for place, measure in enumerate((spearman, pearson)):
                value = measure(means[:, metric], people)
                drawn_values[sample, metric, place] = np.nan if value is None else value
    return [
        [_percentiles(drawn_values[:, m, place]) for place in (0, 1)]
        for m in range(metrics)
    ]


def _percentiles(values: Floats) -> tuple[float | None, float | None]:
    known = values[~np.isnan(values)]
    if not known.size:
        return None, None
    tail = (1 - _LEVEL) / 2
    low, high = np.quantile(known, [tail, 1 - tail]).tolist()
    return low, high


def _means(result: Evaluation) -> list[CorrelationRow]:
    """Plain means over language pairs, for the metrics that all pairs have."""
    rows = []
    for metric in dict.fromkeys(row.metric for row in result.rows):
        same = [row for row in result.rows if row.metric == metric]
        if len(same) < len(result.comparisons):
            result.notes.append(f"{metric}: not on all language pairs, so no mean")
            continue
        rows.append(
            CorrelationRow(
                "mean",
                metric,
                {
                    name: _mean([row.tau[name] for row in same])
                    for name in result.variants
                },
                _mean([row.spearman for row in same]),
                _mean([row.pearson for row in same]),
                float(np.mean([row.ties for row in same])),
            )
        )
    return rows


def _mean(estimates: Sequence[Estimate]) -> Estimate:
    values = [estimate.value for estimate in estimates if estimate.value is not None]
    complete = len(values) == len(estimates)
    return Estimate(float(np.mean(values)) if complete else None)


# -- weights learned from people's rankings --------------------------------------------
#
# And the small file that keeps them. Pairwise logistic regression: a comparison in
# which a person preferred a to b says that w·(x_a − x_b) should be positive. With each
# comparison also its mirror image, and no intercept,
#
#     w = argmin ½|w|² + 2C Σ log(1 + exp(−w·(x_better − x_worse)))
#
# which is convex and has one solution (found with Newton's method). Human ties say
# nothing and are not used. x is scaled by `min_max`, per metric and language pair.


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


def write_model(model: Model, path: str) -> None:
    data = {"format": _FORMAT, "version": _VERSION, **asdict(model)}
    write_text(path, json.dumps(data, indent=2) + "\n")


def read_model(path: str) -> Model:
    """A model as `write_model` wrote it."""
    data = read_json(path, "E980")
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise InputError("E980 not a model of `spinal discotk tune`", Place(path))
    if data.get("version") != _VERSION:
        version = data.get("version")
        raise InputError(
            "E927 a model of version", Place(path), found=version, version=_VERSION
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
