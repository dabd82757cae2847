"""The options that say how much one input may ask of the machine.

Apart from `common`, which is slow to import: `spinal --help` needs these only.
"""

from __future__ import annotations

import argparse

from analyzer.exceptions import SettingsError
from analyzer.limits import Limits

_DEFAULTS = Limits()


def add_limit_options(parser: argparse.ArgumentParser) -> None:
    """For every command, and every action of one, that reads files."""
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--max-tree-nodes",
        type=int,
        default=_DEFAULTS.tree_nodes,
        metavar="N",
        help=f"refuse a tree of more than N nodes (default: {_DEFAULTS.tree_nodes:,})",
    )
    group.add_argument(
        "--max-expansion",
        type=int,
        default=_DEFAULTS.expansion,
        metavar="N",
        help="refuse a compressed file that grows to more than N times its size "
        f"(default: {_DEFAULTS.expansion:,})",
    )


def limits_of(args: argparse.Namespace) -> Limits:
    """The limits that were asked for; SettingsError if they allow nothing."""
    for option, value in (
        ("--max-tree-nodes", args.max_tree_nodes),
        ("--max-expansion", args.max_expansion),
    ):
        if value < 1:
            raise SettingsError(f"{option} {value}: one or more, please")
    return Limits(tree_nodes=args.max_tree_nodes, expansion=args.max_expansion)
