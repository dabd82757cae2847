"""spinal rst similarity: how alike parsers are (2018, Tables 6 and 7)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from analyzer.analyses.similarity import (
    METRICS,
    TABLES_6_AND_7,
    Similarities,
    similarity,
)
from analyzer.cli import inputs, options, tree_options
from analyzer.cli.output import complain, emit, exit_code, warn_of
from analyzer.exceptions import PairingError, Place, SettingsError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_EPILOG = """\
examples:
  spinal rst similarity sr/ hilda/ dep/ gold/
  spinal rst similarity ours=run7/ theirs=run2/ gold/ --metric S --metric LAS-F
  spinal rst similarity sr/ hilda/ dep/ gold/ --output similarity/

Each system is a file or a folder, or NAME=PATH. S, N, R, F (and +H) are on attachment
decisions, rst-parseval:S and so on on units as written, UAS and so on on dependencies.
Scores are micro F1 over the documents that all systems have.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Pairwise similarity of parsers, and their clusters."
    parser.epilog = _EPILOG
    parser.add_argument("systems", nargs="+", metavar="SYSTEM")
    parser.add_argument(
        "--metric",
        action="append",
        metavar="METRIC",
        help=f"may be repeated (default: {' and '.join(TABLES_6_AND_7)}); "
        f"one of {', '.join(METRICS)}",
    )
    tree_options.add_tree_options(parser, binarize="right")
    options.add_pairing_options(parser, policies=())
    options.add_input_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import rst_similarity

    if len(args.systems) < 2:
        raise SettingsError("expected two or more systems, found one", code="E843")
    named = inputs.systems_of(args.systems)
    result = similarity(
        {name: inputs.read_documents(args, path, tells=False) for name, path in named},
        args.metric or TABLES_6_AND_7,
        binarize=args.binarize,
        relations=args.relations,
        max_left_out=args.max_left_out,
    )
    warn_of(args, result.ledger)
    if not result.documents:
        error = PairingError(
            "no document is in all systems", Place(named[0].path), code="E844"
        )
        return complain(error)
    pairs = rst_similarity.pair_table(result)
    count = len(result.documents)
    tables = [
        rst_similarity.similarity_table(found, documents=count)
        for found in result.tables
    ]
    words = [
        draw(found)
        for found in result.tables
        for draw in (rst_similarity.heat_map_text, rst_similarity.dendrogram_text)
    ]
    is_text = args.format == "text"
    emit(
        args,
        [] if is_text and not args.output else [*tables, pairs],
        rst_similarity.similarity_json(result),
        plots=lambda: _plots(result),
        words=words if is_text or args.output else [],
        main=pairs,
        text=_text(words, result.scored_text()) if is_text else None,
    )
    return exit_code(result.ledger, named[0].path, named[-1].path, verb="compared")


def _text(words: list[str], ledger: str) -> str:
    return "\n\n".join([*words, ledger])


def _plots(result: Similarities) -> Mapping[str, Figure]:
    from reports.plots.similarity import dendrogram_figure, heat_map_figure

    plots = {}
    for found in result.tables:
        plots[f"heat_map_{found.metric}"] = heat_map_figure(found)
        plots[f"dendrogram_{found.metric}"] = dendrogram_figure(found)
    return plots
