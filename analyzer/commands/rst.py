"""spinal rst: discourse trees. Each action is a module `rst_ACTION` beside this."""

from __future__ import annotations

import argparse
from importlib import import_module

ACTIONS = {
    "score": "every metric of Morey, Muller and Asher (2017, 2018)",
    "convert": "between formats, and between constituents and dependencies",
    "similarity": "how alike parsers are: tables, heat map, dendrogram",
    "ambiguity": "how many constituent trees a dependency tree stands for",
    "show": "trees drawn in the terminal or as pictures",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Score, convert and show discourse trees (RST)."
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", required=True, title="actions"
    )
    for name, summary in ACTIONS.items():
        action = actions.add_parser(
            name,
            help=summary,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module = import_module(f"analyzer.commands.rst_{name}")
        module.add_arguments(action)
        action.set_defaults(run_action=module.run)


def run(args: argparse.Namespace) -> int:
    return int(args.run_action(args))
