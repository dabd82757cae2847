"""spinal rst ambiguity: how many constituent trees a dependency tree stands for."""

from __future__ import annotations

import argparse

from analyzer.analyses.ambiguity import ambiguity
from analyzer.cli import inputs, options
from analyzer.cli.output import BAD_INPUT, OK, emit, warn
from analyzer.exceptions import AnalyzerError, InputError, Place
from analyzer.transform.binarize import binarize
from analyzer.transform.head_order import dependency_tree
from analyzer.transform.relations import load_relations, map_relations

_EPILOG = """\
examples:
  spinal rst ambiguity gold/
  spinal rst ambiguity gold/ --binarize none      the tree transform, not the chain

Without the order in which dependents were attached, a dependency tree stands for
several constituent trees (Morey et al. 2018, Proposition 4): the choices are at
spiders, heads with dependents on both sides. With the order, it stands for one.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Count the constituent trees of dependency trees."
    parser.epilog = _EPILOG
    parser.add_argument("documents", nargs="+", metavar="FILE")
    options.add_tree_options(parser, binarize="right")
    options.add_input_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import rst_ambiguity

    relations = load_relations(args.relations)
    counts = []
    problems: list[AnalyzerError] = []
    for spec in args.documents:
        documents = inputs.read_documents(args, spec)
        problems += documents.problems
        for name, root in documents:
            try:
                tree = dependency_tree(
                    binarize(map_relations(root, relations), args.binarize), source=name
                )
            except AnalyzerError as error:
                if args.strict:
                    raise
                warn([error], args)
                problems.append(error)
                continue
            counts.append((name, ambiguity(tree)))
    if not counts:
        raise InputError("no document could be counted", Place(args.documents[0]))
    table = rst_ambiguity.ambiguity_table(counts, exact=args.format in ("csv", "tsv"))
    emit(args, [table], rst_ambiguity.ambiguity_json(counts))
    return BAD_INPUT if problems else OK
