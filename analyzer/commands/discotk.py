"""spinal discotk: discourse trees and kernels for judging machine translation.

Each action is a module `discotk_ACTION` beside this.
"""

from __future__ import annotations

import argparse
from importlib import import_module

ACTIONS = {
    "represent": "discourse trees in the five representations",
    "score": "kernel scores of translations; DiscoTK-light, -party, tuned",
    "tune": "weights of metrics, learned from human rankings",
    "correlate": "Kendall's tau as WMT counts it; Spearman, Pearson; intervals",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "DiscoTK (Joty et al. 2014): translations by discourse trees."
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", required=True, title="actions"
    )
    for name, summary in ACTIONS.items():
        action = actions.add_parser(
            name,
            help=summary,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module = import_module(f"analyzer.commands.discotk_{name}")
        module.add_arguments(action)
        action.set_defaults(run_action=module.run)


def run(args: argparse.Namespace) -> int:
    return int(args.run_action(args))
