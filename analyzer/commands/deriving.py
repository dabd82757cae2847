"""What score, derive, errors and patterns share: their options and settings."""

from __future__ import annotations

import argparse

from analyzer.commands import common
from analyzer.constructions import Labeller
from analyzer.domains import read_groups
from analyzer.errors import SettingsError
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


def add_group_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--group-by",
        metavar="FILE.tsv:COLUMN",
        help="make the data sets from one: each sentence's is in a column of a file "
        "with a line a sentence",
    )
    parser.add_argument(
        "--reference", metavar="NAME", help="the data set to compare with"
    )


def groups_of(spec: str) -> list[str]:
    """The group of each sentence: FILE.tsv:COLUMN."""
    path, separator, column = spec.rpartition(":")
    if not separator or not path or not column:
        raise SettingsError(
            f"cannot read --group-by {spec!r}; expected FILE.tsv:COLUMN"
        )
    return read_groups(path, column)


def settings_of(args: argparse.Namespace) -> tuple[LabelTables, Labeller]:
    return settings(
        patterns=args.patterns,
        parameters=args.params,
        merge=parsed_merges(getattr(args, "merge", [])),
        warn=lambda message: common.warn([message], args),
    )
