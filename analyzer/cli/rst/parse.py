"""spinal rst parse: texts into discourse trees."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from analyzer.cli import options
from analyzer.cli.output import BAD_INPUT, OK, warn
from analyzer.cli.streams import json_text, put_document, tell
from analyzer.exceptions import InputError, Place
from analyzer.files.atomic import make_folder, write_text
from analyzer.files.inputs import Input
from analyzer.formats.registry import WRITTEN, write_rst
from analyzer.rst_parser.inputs import KINDS
from analyzer.rst_parser.parsed import ParsedDocument
from analyzer.rst_parser.parser import RstParser
from analyzer.safe_text import counted

CONFIDENCE = "confidence"
# Without secondary edges and signals, which a parser does not predict, rs4 is rs3.
_SAME = {"rs4": "rs3"}
_EPILOG = """\
examples:
  spinal rst parse gum.model story.txt                   one tree to standard output
  spinal rst parse gum.model conllu/ --to rs3 -o trees   each into a directory
  spinal rst parse gum.model gold/dis --syntax conllu/ --to dis -o ours
  spinal rst parse gum.model story.txt --to confidence   how sure it is of every arc

The kind of an input is recognised by its content: CoNLL-U, with EDUs marked
(`Seg=B-seg`, `BeginSeg=Yes`, `Discourse=…`) or not; discourse trees, whose EDUs are
used; EDUs, one on each line, if the file's name ends in .edus; raw text, with blank
lines between paragraphs. Input without EDUs is segmented first.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Parse texts into discourse trees."
    parser.epilog = _EPILOG
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("inputs", nargs="+", metavar="INPUT")
    parser.add_argument(
        "--to",
        choices=(*WRITTEN, *_SAME, CONFIDENCE),
        default="dis",
        help="the format (default: dis); confidence: JSON with the probability of each "
        "arc and label",
    )
    options.note_outputs(parser, "out")
    parser.add_argument(
        "-o",
        dest="out",
        metavar="DIR",
        help="a directory; one document may go to standard output (default)",
    )
    parser.add_argument(
        "--input",
        choices=KINDS,
        default="auto",
        help="the kind of the inputs, if it cannot be recognised",
    )
    parser.add_argument(
        "--syntax",
        metavar="DIR",
        help="CoNLL-U files of the same names, for inputs that are EDUs or trees",
    )
    options.add_input_options(parser)
    options.add_jobs_option(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="all warnings, not just ten"
    )


def run(args: argparse.Namespace) -> int:
    parser = RstParser.load(args.model)
    found = parser.parse(
        Input.of_paths(args.inputs, encoding=args.encoding),
        kind=args.input,
        syntax=args.syntax,
        encoding=args.encoding,
        jobs=args.jobs,
    )
    warn(found.problems, args)
    if args.strict and found.problems:
        raise found.problems[0]
    if args.out and os.path.isfile(args.out):
        raise InputError(
            "is a file; parsed documents need a directory", Place(args.out), code="E847"
        )
    if not args.out:
        for one in found.rows:
            put_document(_written(one, args.to))
    else:
        _write(args, found.rows)
    return BAD_INPUT if found.problems or not found.rows else OK


def _write(args: argparse.Namespace, rows: list[ParsedDocument]) -> None:
    folder = Path(args.out)
    make_folder(folder)
    ending = "json" if args.to == CONFIDENCE else args.to
    for one in rows:
        # A document's name comes from its file or from CoNLL-U: it may hold anything.
        name = one.name.replace(os.sep, "_").replace("\0", "_").lstrip(".") or "text"
        write_text(folder / f"{name}.{ending}", _written(one, args.to))
    if not args.quiet:
        tell(f"wrote {counted(len(rows), 'document')} to {folder}")


def _written(one: ParsedDocument, to: str) -> str:
    if to != CONFIDENCE:
        tree = one.tree if to in ("rsd", "conllu") else one.unit
        return write_rst(tree, _SAME.get(to, to), name=one.name)
    tree = one.tree
    assert tree.nuclearities is not None
    assert tree.ranks is not None
    edus = [
        {
            "edu": at + 1,
            "text": tree.texts[at],
            "head": tree.heads[at],
            "relation": tree.relations[at],
            "nuclearity": tree.nuclearities[at],
            "rank": tree.ranks[at],
            "head_probability": round(one.governors[at], 4),
            "relation_probability": round(one.labels[at], 4),
        }
        for at in range(len(tree))
    ]
    return json_text({"document": one.name, "edus": edus}) + "\n"
