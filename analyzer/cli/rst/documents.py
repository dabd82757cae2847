"""What the actions of `spinal rst` share: documents read, and how trees are shaped."""

from __future__ import annotations

import argparse

from analyzer.cli import common
from analyzer.exceptions import AnalyzerError
from analyzer.formats.rst.reader import read_corpus
from analyzer.model.discourse import Unit
from analyzer.transform.relations import built_in_maps

FORMATS = ("text", "markdown", "latex", "csv", "tsv", "html", "json")


def add_tree_options(parser: argparse.ArgumentParser, *, binarize: str) -> None:
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


def read_documents(
    args: argparse.Namespace, spec: str
) -> tuple[list[tuple[str, Unit]], list[AnalyzerError]]:
    """The documents of a file or folder; those that cannot be read are told of."""
    documents, problems = read_corpus(spec, encoding=args.encoding)
    if problems and args.strict:
        raise problems[0]
    common.warn(problems, args)
    return list(documents), list(problems)
