"""spinal rst ambiguity: how many constituent trees fit a dependency tree."""

from __future__ import annotations

import argparse

from analyzer.analyses.ambiguity import ambiguity
from analyzer.cli import inputs, options, tree_options
from analyzer.cli.output import BAD_INPUT, OK, emit, warn
from analyzer.exceptions import InputError, Place

_EPILOG = """\
examples:
  spinal rst ambiguity gold/
  spinal rst ambiguity gold/ --binarize none      the tree transform, not the chain

Without the order in which dependents were attached, a dependency tree fits several
constituent trees (Morey et al. 2018, Proposition 4): the choices are at spiders, heads
with dependents on both sides. With the order, it fits one.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Count the constituent trees of dependency trees."
    parser.epilog = _EPILOG
    parser.add_argument("documents", nargs="+", metavar="FILE")
    tree_options.add_tree_options(parser, binarize="right")
    options.add_input_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import rst_ambiguity

    documents = [inputs.read_documents(args, spec) for spec in args.documents]
    found = ambiguity(
        *documents,
        binarize=args.binarize,
        relations=args.relations,
        strict=args.strict,
    )
    warn(found.left_out, args)
    if not found.rows:
        raise InputError(
            "no document could be counted", Place(args.documents[0]), code="E833"
        )
    table = rst_ambiguity.ambiguity_table(found, exact=args.format in ("csv", "tsv"))
    emit(args, [table], rst_ambiguity.ambiguity_json(found))
    return BAD_INPUT if found.left_out or found.problems else OK
