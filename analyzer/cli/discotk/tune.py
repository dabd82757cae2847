"""spinal discotk tune: weights of metrics, learned from human rankings."""

from __future__ import annotations

import argparse

import numpy as np

from analyzer.cli import options
from analyzer.cli.discotk.inputs import (
    scores_and_rankings,
)
from analyzer.cli.output import OK, emit, warn
from analyzer.discotk.evaluation import evaluate
from analyzer.discotk.score_table import completed, min_max
from analyzer.discotk.tuning import (
    DEFAULT_FOLDS,
    cross_validated,
    sigmoid,
    tuned,
    tuning_signature,
    write_model,
)
from analyzer.exceptions import SettingsError

_EPILOG = """\
examples:
  spinal discotk tune --scores scores.tsv --rankings wmt13.csv --model weights.json

The correlations are of weights learned without the segment that is scored (folds of
segments); the weights written are learned from all of them.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Learn weights: pairwise logistic regression."
    parser.epilog = _EPILOG
    options.add_ranking_options(parser)
    parser.add_argument(
        "--model", metavar="OUT.json", help="where to write the weights"
    )
    parser.add_argument("--only", metavar="METRICS", help="some metrics, with commas")
    parser.add_argument("--folds", type=int, default=DEFAULT_FOLDS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cost", type=float, default=1.0, help="C (default: 1)")
    options.add_missing_option(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import discotk as discotk_tables

    if not args.cost > 0:
        raise SettingsError(f"--cost must be above 0, not {args.cost}")
    tables, human = scores_and_rankings(args)
    notes: list[str] = []
    names = args.only.split(",") if args.only else tables[0].metrics
    scaled = [
        min_max(
            completed(table.select(names), missing=args.missing, notes=notes),
            notes=notes,
        )
        for table in tables
    ]
    warn(notes, args)
    model = tuned(scaled, human, cost=args.cost)
    judged, raw = [], []
    for table, one in zip(scaled, human, strict=True):
        learned = cross_validated(
            table, one, folds=args.folds, seed=args.seed, cost=args.cost
        )
        uniform = table.values.mean(axis=2)
        both = ("uniform", "tuned")
        judged.append(
            table.with_values(both, np.stack([uniform, sigmoid(learned)], axis=2))
        )
        raw.append(table.with_values(both, np.stack([uniform, learned], axis=2)))
    result = evaluate(judged, human, system_tables=raw)
    if args.model:
        write_model(model, args.model)
    trained = tuning_signature(model.metrics, cost=args.cost)
    how = str(trained.replace(folds=args.folds, seed=args.seed))
    weights = discotk_tables.weight_table(model, how)
    found = discotk_tables.correlation_table(result, how)
    data = discotk_tables.tuning_json(model, result, how)
    emit(args, [found, weights], data, main=weights)
    return OK
