"""spinal discotk correlate: metrics against human judgements."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from analyzer.cli import options
from analyzer.cli.discotk.options import add_missing_option, add_ranking_options
from analyzer.cli.output import OK, emit, warn
from analyzer.discotk.correlation import OTHER_NAMES, VARIANTS
from analyzer.discotk.evaluation import TABLE_VARIANTS, Evaluation
from analyzer.discotk.inputs import read_scores_and_rankings
from analyzer.discotk.judging import correlate
from analyzer.discotk.wmt_files import read_system_scores
from analyzer.metrics.significance import DEFAULT_SEED

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_EPILOG = """\
examples:
  spinal discotk correlate --scores scores.tsv --rankings wmt13.csv
  spinal discotk correlate --scores s.tsv --rankings wmt13.csv --bootstrap 1000 --output o/

tau: Kendall's tau at segment level, as in WMT's tasks, which differ in the
treatment of ties. rho, r: Spearman and Pearson at system level, with expected wins or
--human-scores.
"""  # noqa: E501 -- a command to copy stands on one line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Correlation of metrics with human judgements."
    parser.epilog = _EPILOG
    add_ranking_options(parser)
    parser.add_argument(
        "--tau",
        default=",".join(TABLE_VARIANTS),
        metavar="WAYS",
        help=f"some of {', '.join([*VARIANTS, *OTHER_NAMES])} (default: "
        f"{','.join(TABLE_VARIANTS)})",
    )
    parser.add_argument(
        "--human-scores", metavar="FILE", help="human scores of systems: .sys.scr"
    )
    parser.add_argument("--only", metavar="METRICS", help="some metrics, with commas")
    parser.add_argument("--break-ties", action="store_true", help="as in section 3.3")
    parser.add_argument(
        "--bootstrap", type=int, default=0, metavar="N", help="resamples for intervals"
    )
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    add_missing_option(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import discotk as discotk_tables

    tables, human = read_scores_and_rankings(args.scores, args.rankings, args.negate)
    given = read_system_scores(args.human_scores) if args.human_scores else None
    notes: list[str] = []
    result, signature = correlate(
        tables,
        human,
        variants=args.tau.split(","),
        human_scores=given,
        only=args.only.split(",") if args.only else None,
        ties_broken=args.break_ties,
        missing=args.missing,
        resamples=args.bootstrap,
        seed=args.seed,
        notes=notes,
    )
    warn([*notes, *result.notes], args)
    how = str(signature)
    table = discotk_tables.correlation_table(result, how)
    data = discotk_tables.correlation_json(result, how)
    emit(args, [table], data, plots=lambda: _plots(result))
    return OK


def _plots(result: Evaluation) -> Mapping[str, Figure]:
    from reports.plots.discotk import tau_figure

    return {"tau": tau_figure(result)}
