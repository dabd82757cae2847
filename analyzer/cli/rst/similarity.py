"""spinal rst similarity: how alike parsers are (2018, Tables 6 and 7)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.analyses.similarity import (
    METRICS,
    TABLES_6_AND_7,
    Similarities,
    similarities,
)
from analyzer.cli import common
from analyzer.cli.output import emit
from analyzer.cli.rst.documents import FORMATS, add_tree_options, read_documents
from analyzer.exceptions import PairingError, Place, SettingsError, counted
from analyzer.transform.relations import load_relations

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
    add_tree_options(parser, binarize="right")
    common.add_input_options(parser)
    common.add_output_options(parser, FORMATS)


def run(args: argparse.Namespace) -> int:
    from reports.tables import rst_similarity

    if len(args.systems) < 2:
        raise SettingsError("similarity is between two systems or more; found one")
    named = [_name_and_path(spec) for spec in args.systems]
    names = _distinct(named)
    problems: list[object] = []
    systems = []
    for name, (_, path) in zip(names, named, strict=True):
        documents, more = read_documents(args, path)
        problems += more
        systems.append((name, documents))
    result = similarities(
        systems,
        args.metric or TABLES_6_AND_7,
        binarize=args.binarize,
        relations=load_relations(args.relations),
    )
    common.warn([f"left out {reason}" for reason in result.left_out], args)
    if not result.documents:
        error = PairingError("no document is in all systems", Place(named[0][1]))
        return common.complain(error)
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
        rst_similarity.as_json(result),
        plots=lambda: _plots(result),
        words=words if is_text or args.output else [],
        main=pairs,
        text=_text(words, count) if is_text else None,
    )
    return common.BAD_INPUT if problems else common.OK


def _text(words: list[str], documents: int) -> str:
    return "\n\n".join([*words, counted(documents, "document")])


def _plots(result: Similarities) -> Mapping[str, Figure]:
    from reports.plots.similarity import dendrogram_figure, heat_map_figure

    plots = {}
    for found in result.tables:
        plots[f"heat_map_{found.metric}"] = heat_map_figure(found)
        plots[f"dendrogram_{found.metric}"] = dendrogram_figure(found)
    return plots


def _name_and_path(spec: str) -> tuple[str, str]:
    """NAME=PATH, or a path, whose last part is the name."""
    name, equals, path = spec.partition("=")
    if equals and name and path and not Path(spec).exists():
        return name, path
    return Path(spec).name or spec, spec


def _distinct(named: list[tuple[str, str]]) -> list[str]:
    """Names by which the systems can be told apart: else their paths."""
    names = [name for name, _ in named]
    chosen = [
        name if names.count(name) == 1 else path.rstrip("/") for name, path in named
    ]
    if len(set(chosen)) < len(chosen):
        raise SettingsError("two systems of one name; write NAME=PATH")
    return chosen
