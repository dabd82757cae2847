"""Options that several actions of `spinal discotk` share."""

from __future__ import annotations

import argparse


def add_missing_option(parser: argparse.ArgumentParser) -> None:
    """What a missing tree or value counts as."""
    parser.add_argument(
        "--missing",
        choices=("error", "worst"),
        default="error",
        help="a missing tree or value: an error (default), or the worst: 0 for a "
        "tree, a metric's lowest value",
    )


def add_ranking_options(parser: argparse.ArgumentParser) -> None:
    """Scores of segments and what people say of them."""
    parser.add_argument(
        "--scores",
        action="append",
        required=True,
        metavar="FILE",
        help="segment scores: system, segment and metrics, or .seg.scr; may be "
        "repeated",
    )
    parser.add_argument(
        "--rankings",
        action="append",
        required=True,
        metavar="HUMAN.csv",
        help="human rankings in WMT's CSV; may be repeated",
    )
    add_metric_options(parser)


def add_metric_options(parser: argparse.ArgumentParser) -> None:
    """How the metrics of files are read."""
    parser.add_argument(
        "--negate",
        action="append",
        default=[],
        metavar="METRIC",
        help="a metric of the files that is better when lower, such as TER",
    )
