"""spinal rst: discourse trees. Each action is a module beside this.

The modules, in the order in which data flows through them:

    score       every metric of Morey, Muller and Asher (2017, 2018)
    convert     discourse trees from one format to another
    similarity  how alike parsers are (2018, Tables 6 and 7)
    ambiguity   how many constituent trees fit a dependency tree
    show        discourse trees drawn, one document's or two beside each other
    parse       texts into discourse trees
    segment     texts into elementary discourse units
    train       a discourse parser from trees
"""

from __future__ import annotations

import argparse

from analyzer.cli.subcommands import add_commands

ACTIONS = {
    "score": "every metric of Morey, Muller and Asher (2017, 2018)",
    "convert": "between formats, and between constituents and dependencies",
    "similarity": "how similar parsers are: tables, heat map, dendrogram",
    "ambiguity": "how many constituent trees fit a dependency tree",
    "show": "trees drawn in the terminal or as pictures",
    "train": "a discourse parser from trees",
    "parse": "texts into discourse trees, with a trained parser",
    "segment": "texts into elementary discourse units",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Score, convert, show and parse discourse trees (RST)."
    add_commands(parser, ACTIONS, __name__, noun="action")
