"""spinal rst: discourse trees. Each action is a module `rst_ACTION` beside this."""

from __future__ import annotations

import argparse

from analyzer.cli import common

ACTIONS = {
    "score": "every metric of Morey, Muller and Asher (2017, 2018)",
    "convert": "between formats, and between constituents and dependencies",
    "similarity": "how alike parsers are: tables, heat map, dendrogram",
    "ambiguity": "how many constituent trees a dependency tree stands for",
    "show": "trees drawn in the terminal or as pictures",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Score, convert and show discourse trees (RST)."
    common.add_actions(parser, ACTIONS, "rst")


def run(args: argparse.Namespace) -> int:
    return int(args.run_action(args))
