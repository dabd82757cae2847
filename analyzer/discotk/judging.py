"""Metrics judged by people's rankings, and weights learned from these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from analyzer.discotk.evaluation import TABLE_VARIANTS, Evaluation, evaluate
from analyzer.discotk.score_table import ScoreTable, fill_gaps, min_max
from analyzer.discotk.scoring import LIGHT, PARTY, TUNED, break_ties
from analyzer.discotk.tuning import (
    DEFAULT_FOLDS,
    Model,
    cross_validate,
    sigmoid,
    tune,
    tuning_signature,
)
from analyzer.discotk.wmt_files import Comparisons
from analyzer.exceptions import SettingsError
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import DEFAULT_SEED


class Correlations(NamedTuple):
    """How well metrics agree with people."""

    evaluation: Evaluation
    signature: Signature


class TunedMetrics(NamedTuple):
    """Weights learned from all segments, and what such weights are worth."""

    model: Model
    evaluation: Evaluation  # of weights learned without the segment that is scored
    signature: Signature


def correlate(
    tables: Sequence[ScoreTable],
    human: Sequence[Comparisons],
    *,
    variants: Sequence[str] = TABLE_VARIANTS,
    human_scores: Mapping[str, Mapping[str, float]] | None = None,
    only: Sequence[str] | None = None,
    ties_broken: bool = False,
    missing: str = "error",
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
    notes: list[str] | None = None,
) -> Correlations:
    """The correlations of metrics with people, language pair by language pair."""
    if resamples < 0:
        raise SettingsError(
            "--bootstrap must be 0 or more, not {resamples}",
            code="E907",
            resamples=resamples,
        )
    chosen = [table.select(only) for table in tables] if only else tables
    whole = [fill_gaps(table, missing=missing, notes=notes) for table in chosen]
    evaluation = evaluate(
        [break_ties(table) for table in whole] if ties_broken else whole,
        human,
        variants=variants,
        human_scores=human_scores,
        system_tables=whole,
        resamples=resamples,
        seed=seed,
    )
    signature = Signature.of(
        scorer="correlate",
        tau=evaluation.variants,
        human="expected-wins" if human_scores is None else "given",
        ties_broken=ties_broken,
        missing=missing,
        bootstrap=resamples,
        seed=seed,
    )
    return Correlations(evaluation, signature)


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
) -> TunedMetrics:
    """Weights of metrics, beside equal weights, judged in folds of segments.

    Without `only`, all metrics of the tables but those that DiscoTK itself combines
    from the others.
    """
    if not cost > 0:
        raise SettingsError(
            "--cost must be above 0, not {cost}", code="E908", cost=cost
        )
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
    for table, one in zip(scaled, human, strict=True):
        learned = cross_validate(table, one, folds=folds, seed=seed, cost=cost)
        uniform = table.values.mean(axis=2)
        both = ("uniform", "tuned")
        judged.append(
            table.with_values(both, np.stack([uniform, sigmoid(learned)], axis=2))
        )
        raw.append(table.with_values(both, np.stack([uniform, learned], axis=2)))
    evaluation = evaluate(judged, human, system_tables=raw)
    signature = tuning_signature(model.metrics, cost=cost)
    return TunedMetrics(model, evaluation, signature.replace(folds=folds, seed=seed))
