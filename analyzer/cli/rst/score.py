"""spinal rst score: every metric of Morey, Muller and Asher (2017, 2018)."""

from __future__ import annotations

import argparse
import os
from functools import partial

from analyzer.analyses.rst_scores import score_rst, score_rst_constructions
from analyzer.cli import inputs, options, tree_options
from analyzer.cli.output import emit, exit_code, warn, warn_of
from analyzer.exceptions import Place, SettingsError
from analyzer.model.discourse import Documents
from analyzer.pairing.ledger import LeftOut
from analyzer.rst_parser.model_file import is_model

_EPILOG = """\
examples:
  spinal rst score gold/ predicted/
  spinal rst score gold/ predicted/ --relations gum --by-relation
  spinal rst score gold/ ours=run7/ theirs=run2/ --published
  spinal rst score gold/dis gum.model:gold/conllu --relations gum

Documents are paired by name; files may be in any format that `spinal rst convert`
reads. MODEL:TEXTS are the trees that a trained parser makes of texts (spinal rst
parse). S, N, R, F: span, with nuclearity, with relation, with both; +H: with the head
EDU. UAS, LAS: governor, with nuclearity, relation, both; OUAS: with the order of
attachment. micro sums counts over documents, macro is the mean over documents.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Score discourse trees."
    parser.epilog = _EPILOG
    parser.add_argument("gold", metavar="GOLD")
    parser.add_argument("inputs", nargs="+", metavar="[NAME=]PREDICTED")
    tree_options.add_tree_options(parser, binarize="right")
    scoring = parser.add_argument_group("scoring")
    scoring.add_argument(
        "--no-root",
        action="store_true",
        help="leave the root's attachment out of dependency scores",
    )
    scoring.add_argument(
        "--parseval-root",
        action="store_true",
        help="count the root in RST-Parseval too, as Figure 3 of the 2018 paper does",
    )
    scoring.add_argument(
        "--as-released",
        action="store_true",
        help="as the papers' own program: F+H without the head, LAS-F with the order, "
        "0 for a document of one EDU in a macro average",
    )
    scoring.add_argument(
        "--segmentation",
        choices=("same", "offsets"),
        default="same",
        help="same: the same EDUs on both sides (default); offsets: EDUs may differ, "
        "units are compared by characters, white space ignored",
    )
    parser.add_argument(
        "--constructions",
        action="store_true",
        help="scores per construction instead: schemas and links",
    )
    parser.add_argument(
        "--levels",
        metavar="RSD",
        help="with --constructions: distinguish constructions within a sentence from "
        "those across sentences; a file or folder of .rsd documents that number "
        "the sentences",
    )
    parser.add_argument("--by-document", action="store_true")
    parser.add_argument("--by-relation", action="store_true")
    parser.add_argument(
        "--published", action="store_true", help="the layout of the papers' tables"
    )
    options.add_pairing_options(parser)
    options.add_input_options(parser)
    options.add_jobs_option(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import rst_scores

    if args.levels and not args.constructions:
        raise SettingsError("--levels goes with --constructions", code="E836")
    by_offsets = args.segmentation == "offsets"
    if args.constructions:
        return _constructions(args, by_offsets=by_offsets)
    gold = _read(args, args.gold, by_offsets=by_offsets)
    systems = [
        (
            name,
            score_rst(
                gold,
                _read(args, path, by_offsets=by_offsets),
                binarize=args.binarize,
                relations=args.relations,
                count_root=not args.no_root,
                as_released=args.as_released,
                by_offsets=by_offsets,
                parseval_root=args.parseval_root,
                on_mismatch=args.on_mismatch,
                max_left_out=args.max_left_out,
            ),
        )
        for name, path in inputs.systems_of(args.inputs)
    ]
    for name, scores in systems:
        named = scores.ledger
        if len(systems) > 1:
            named = named.change(partial(_of_system, name))
        warn_of(args, named)
    chosen = {"by_document": args.by_document, "by_relation": args.by_relation}
    tables, main = rst_scores.system_tables(systems, published=args.published, **chosen)
    emit(args, tables, rst_scores.systems_json(systems, **chosen), main=main)
    specs = inputs.systems_of(args.inputs)
    codes = [
        exit_code(scores.ledger, args.gold, path)
        for (_, scores), (_, path) in zip(systems, specs, strict=True)
    ]
    return max(codes)


def _of_system(name: str, item: LeftOut) -> LeftOut:
    """What is left out, told with the name of the system that it is missing from."""
    if item.reason.is_bad_input:
        return item
    place = Place(f"{name}: {item.document}")
    return item._replace(error=item.error.at(place))


def _read(args: argparse.Namespace, spec: str, *, by_offsets: bool) -> Documents:
    model, colon, texts = spec.partition(":")
    if colon and not os.path.exists(spec) and is_model(model):
        return _parsed(args, model, texts)
    return inputs.read_documents(
        args, spec, keep_texts=by_offsets, jobs=args.jobs, tells=False
    )


def _parsed(args: argparse.Namespace, model: str, texts: str) -> Documents:
    """The trees that a model makes of texts."""
    from analyzer.rst_parser.parser import RstParser

    found = RstParser.load(model).parse(texts, encoding=args.encoding, jobs=args.jobs)
    warn(found.problems, args)
    return found.documents


def _constructions(args: argparse.Namespace, *, by_offsets: bool) -> int:
    from reports.tables import rst_scores

    if len(args.inputs) > 1:
        raise SettingsError(
            "--constructions takes one prediction; try spinal compare", code="E837"
        )
    [system] = inputs.systems_of(args.inputs)
    found = score_rst_constructions(
        _read(args, args.gold, by_offsets=by_offsets),
        _read(args, system.path, by_offsets=by_offsets),
        binarize=args.binarize,
        relations=args.relations,
        by_offsets=by_offsets,
        levels=args.levels,
        on_mismatch=args.on_mismatch,
        max_left_out=args.max_left_out,
    )
    warn_of(args, found.ledger)
    emit(
        args,
        rst_scores.construction_tables(found.scores),
        rst_scores.constructions_json(found.scores),
    )
    return exit_code(found.ledger, args.gold, system.path)
