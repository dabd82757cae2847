"""spinal discotk: discourse trees and kernels for judging machine translation.

The modules, in the order in which data flows through them:

    represent  discourse trees in the five representations
    options    options that several actions of `spinal discotk` share
    score      kernel scores of translations and their combinations
    tune       weights of metrics, learned from human rankings
    correlate  metrics against human judgements
"""

from __future__ import annotations

import argparse

from analyzer.cli.subcommands import add_commands

ACTIONS = {
    "represent": "discourse trees in the five representations",
    "score": "kernel scores of translations; DiscoTK-light, -party, tuned",
    "tune": "weights of metrics, learned from human rankings",
    "correlate": "Kendall's tau as WMT counts it; Spearman, Pearson; intervals",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "DiscoTK (Joty et al. 2014): translations by discourse trees."
    add_commands(parser, ACTIONS, __name__, noun="action")
