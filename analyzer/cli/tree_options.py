"""Options that say how trees are understood: treebank, constructions, functions.

Quick to import, as `options` is.
"""

from __future__ import annotations

import argparse

from analyzer.cli.options import Options


def add_parameters_option(group: Options, *, note: str = "") -> None:
    """evalb's parameters."""
    from analyzer.transform.parameters import BUILT_IN

    group.add_argument(
        "--params",
        metavar="SET",
        help=f"evalb parameters: {', '.join(BUILT_IN)}, or a .prm file "
        f"(default: collins, or what suits the treebank){note}",
    )
    group.add_argument(
        "--delete-label",
        action="append",
        default=[],
        metavar="LABEL",
        help="delete this label too (such as ROOT); may be repeated",
    )


def add_treebank_option(group: Options) -> None:
    """Whose annotation it is."""
    group.add_argument(
        "--treebank",
        "--patterns",
        dest="treebank",
        metavar="NAME",
        help="annotation scheme: an inventory, a label set, or a file of one. It says "
        "what is not text, and which --params are the default (see docs/treebanks.md)",
    )


def add_construction_options(
    parser: argparse.ArgumentParser, *, merge: bool = True
) -> None:
    """How trees become derivation trees."""
    from analyzer.constructions.language import DEFAULT_INVENTORY

    group = parser.add_argument_group("constructions")
    group.add_argument(
        "--patterns",
        "--treebank",
        default=DEFAULT_INVENTORY,
        metavar="INVENTORY",
        help="pattern inventory, by name or file; it describes its treebank "
        f"(default: {DEFAULT_INVENTORY})",
    )
    add_parameters_option(group, note="; roots never count here")
    if merge:
        group.add_argument(
            "--merge",
            action="append",
            default=[],
            metavar="NAME=NAME,NAME",
            help="score constructions as one, as NP-t=NP-t,NP-pos; may be repeated",
        )


def add_function_options(
    parser: argparse.ArgumentParser, *, scored: bool = True
) -> None:
    """Function tags, as in NP-SBJ: what they look like, and whether to score them."""
    group = parser.add_argument_group("function tags")
    if scored:
        group.add_argument(
            "--functions",
            action="store_true",
            help="score function tags (NP-SBJ) as well; see docs/functions.md",
        )
    add_separator_option(group)


def add_separator_option(group: Options) -> None:
    """What parts function tags from labels."""
    group.add_argument(
        "--function-separator",
        metavar="CHARACTERS",
        help="what separates function tags from labels, as * in NP*SBJ (default: that "
        "of the treebank, -= for Penn's)",
    )


def add_tree_options(parser: argparse.ArgumentParser, *, binarize: str) -> None:
    """How discourse trees are shaped before they are compared."""
    from analyzer.transform.relations import built_in_maps

    group = parser.add_argument_group("discourse trees")
    group.add_argument(
        "--binarize",
        choices=("right", "left", "none"),
        default=binarize,
        help=f"how n-ary units are made binary (default: {binarize})",
    )
    group.add_argument(
        "--relations",
        default="fine",
        metavar="MAP",
        help=f"fine (default), coarse, {', '.join(built_in_maps())}, or a file of "
        "pairs: label, class",
    )
