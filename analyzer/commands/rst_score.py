"""spinal rst score: every metric of Morey, Muller and Asher (2017, 2018)."""

from __future__ import annotations

import argparse
from pathlib import Path

from analyzer.commands import common
from analyzer.commands.output import emit
from analyzer.errors import PairingError, Place
from analyzer.rst.reading import read_corpus
from analyzer.rst.relations import built_in_maps, load_relations
from analyzer.rst.scoring import Document, RstScores, RstSettings, score_documents

_EPILOG = """\
examples:
  spinal rst score gold/ predicted/
  spinal rst score gold/ predicted/ --relations gum --by-relation
  spinal rst score gold/ a/ b/ c/ --published

Documents are paired by name; files may be in any format that `spinal rst convert`
reads. S, N, R, F: span, with nuclearity, with relation, with both; +H: with the head
EDU. UAS, LAS: governor, with nuclearity, relation, both; OUAS: with the order of
attachment. micro sums counts over documents, macro is the mean over documents.
"""
_FORMATS = ("text", "markdown", "latex", "csv", "tsv", "html", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Score discourse trees."
    parser.epilog = _EPILOG
    parser.add_argument("gold", metavar="GOLD")
    parser.add_argument("what", nargs="+", metavar="PREDICTED")
    scoring = parser.add_argument_group("scoring")
    scoring.add_argument(
        "--binarize",
        choices=("right", "left", "none"),
        default="right",
        help="how the reference is binarised (default: right-heavy)",
    )
    scoring.add_argument(
        "--relations",
        default="fine",
        metavar="MAP",
        help=f"fine (default), {', '.join(built_in_maps())}, or a file of pairs: "
        "label, class",
    )
    scoring.add_argument(
        "--no-root",
        action="store_true",
        help="leave the root's attachment out of dependency scores",
    )
    scoring.add_argument(
        "--as-released",
        action="store_true",
        help="as the papers' own program: F+H without the head, LAS-F with the order, "
        "0 for a document of one EDU in a macro average",
    )
    parser.add_argument("--by-document", action="store_true")
    parser.add_argument("--by-relation", action="store_true")
    parser.add_argument(
        "--published", action="store_true", help="the layout of the papers' tables"
    )
    common.add_input_options(parser)
    common.add_output_options(parser, _FORMATS)


def run(args: argparse.Namespace) -> int:
    from reports import rst_report

    settings = RstSettings(
        binarize=args.binarize,
        relations=args.relations,
        relation_map=load_relations(args.relations),
        count_root=not args.no_root,
        as_released=args.as_released,
    )
    gold, problems = _read(args, args.gold)
    systems: list[tuple[str, RstScores]] = []
    for path in args.what:
        predicted, more = _read(args, path)
        problems += more
        name = Path(path).name or path
        systems.append((name, score_documents(gold, predicted, settings)))
    tables = []
    if args.published:
        tables = rst_report.published_tables(systems)
    for name, scores in systems:
        if not args.published:
            tables.append(rst_report.metric_table(scores))
        if args.by_relation:
            tables += rst_report.relation_tables(scores)
        if args.by_document:
            tables.append(rst_report.document_table(scores))
        common.warn(
            [f"{name}: {one.document}: {one.reason}" for one in scores.skipped], args
        )
    data = [
        rst_report.as_json(
            scores, by_document=args.by_document, by_relation=args.by_relation
        )
        for _, scores in systems
    ]
    emit(args, tables, data[0] if len(data) == 1 else {"systems": data}, main=tables[0])
    if not all(scores.names for _, scores in systems):
        error = PairingError("no document could be scored", Place(args.gold))
        return common.complain(error)
    return common.BAD_INPUT if problems else common.OK


def _read(args: argparse.Namespace, spec: str) -> tuple[list[Document], list[object]]:
    documents, problems = read_corpus(spec, encoding=args.encoding)
    if problems and args.strict:
        raise problems[0]
    common.warn(problems, args)
    return documents, list(problems)
