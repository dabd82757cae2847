"""spinal discotk tune: weights of metrics, learned from human rankings."""

from __future__ import annotations

import argparse

from analyzer.cli import options
from analyzer.cli.discotk.options import add_missing_option, add_ranking_options
from analyzer.cli.output import OK, emit, warn
from analyzer.discotk.inputs import read_scores_and_rankings
from analyzer.discotk.judging import tune_metrics
from analyzer.discotk.tuning import DEFAULT_FOLDS, write_model

_EPILOG = """\
examples:
  spinal discotk tune --scores scores.tsv --rankings wmt13.csv --model weights.json

The correlations are of weights learned without the segment that is scored (folds of
segments); the weights written are learned from all of them.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Learn weights: pairwise logistic regression."
    parser.epilog = _EPILOG
    add_ranking_options(parser)
    options.note_outputs(parser, "model")
    parser.add_argument(
        "--model", metavar="OUT.json", help="where to write the weights"
    )
    parser.add_argument(
        "--only",
        metavar="METRICS",
        help="some metrics, with commas (default: all but DiscoTK's own combinations)",
    )
    parser.add_argument("--folds", type=int, default=DEFAULT_FOLDS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cost", type=float, default=1.0, help="C (default: 1)")
    add_missing_option(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import discotk as discotk_tables

    tables, human = read_scores_and_rankings(args.scores, args.rankings, args.negate)
    notes: list[str] = []
    found = tune_metrics(
        tables,
        human,
        only=args.only.split(",") if args.only else None,
        folds=args.folds,
        seed=args.seed,
        cost=args.cost,
        missing=args.missing,
        notes=notes,
    )
    warn(notes, args)
    if args.model:
        write_model(found.model, args.model)
    how = str(found.signature)
    weights = discotk_tables.weight_table(found.model, how)
    correlations = discotk_tables.correlation_table(found.evaluation, how)
    data = discotk_tables.tuning_json(found.model, found.evaluation, how)
    emit(args, [correlations, weights], data, main=weights)
    return OK
