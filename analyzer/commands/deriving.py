"""What score, derive, errors and patterns share: their options and settings."""

from __future__ import annotations

import argparse

from analyzer.commands import common
from analyzer.constructions import Labeller
from analyzer.normalising import LabelTables
from analyzer.parameters import BUILT_IN
from analyzer.pattern_language import DEFAULT_INVENTORY
from analyzer.scoring import parsed_merges, settings


def add_options(parser: argparse.ArgumentParser, *, merge: bool = True) -> None:
    group = parser.add_argument_group("constructions")
    group.add_argument(
        "--patterns",
        default=DEFAULT_INVENTORY,
        metavar="INVENTORY",
        help=f"pattern inventory, by name or file (default: {DEFAULT_INVENTORY})",
    )
    group.add_argument(
        "--params",
        default="collins",
        metavar="SET",
        help=f"evalb parameters: {', '.join(BUILT_IN)}, or a .prm file "
        "(default: collins); roots never count here",
    )
    if merge:
        group.add_argument(
            "--merge",
            action="append",
            default=[],
            metavar="NAME=NAME,NAME",
            help="score constructions as one, as NP-t=NP-t,NP-pos; may be repeated",
        )


def settings_of(args: argparse.Namespace) -> tuple[LabelTables, Labeller]:
    return settings(
        patterns=args.patterns,
        parameters=args.params,
        merge=parsed_merges(getattr(args, "merge", [])),
        warn=lambda message: common.warn([message], args),
    )
