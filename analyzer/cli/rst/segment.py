"""spinal rst segment: texts into elementary discourse units."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from analyzer.cli import options
from analyzer.cli.output import BAD_INPUT, OK, emit, warn
from analyzer.cli.streams import put_document, tell
from analyzer.files.atomic import make_folder, write_text
from analyzer.files.inputs import Input
from analyzer.rst_parser.inputs import KINDS, read_texts
from analyzer.rst_parser.parser import RstParser
from analyzer.rst_parser.segment_scores import score_segments
from analyzer.rst_parser.tokens import TokenText
from analyzer.safe_text import counted

_EPILOG = """\
examples:
  spinal rst segment gum.model story.txt                 EDUs one a line
  spinal rst segment gum.model conllu/ -o edus           a file of EDUs each
  spinal rst segment gum.model conllu/ --gold dis/       precision, recall, F1

Inputs are CoNLL-U or raw text; marks of EDUs in them are ignored. --gold names
documents whose EDUs are known: discourse trees, EDUs on lines (.edus), or CoNLL-U
with marks.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Split texts into elementary discourse units."
    parser.epilog = _EPILOG
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("inputs", nargs="+", metavar="INPUT")
    options.note_outputs(parser, "out")
    parser.add_argument("-o", dest="out", metavar="DIR", help="a directory")
    parser.add_argument("--gold", metavar="DIR", help="score against these EDUs")
    parser.add_argument(
        "--input",
        choices=KINDS,
        default="auto",
        help="the kind of the inputs, if it cannot be recognised",
    )
    parser.add_argument(
        "--words", action="store_true", help="use only words, not syntax"
    )
    options.add_input_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables.rst_parser import segment_json, segment_table

    parser = RstParser.load(args.model)
    given = Input.of_paths(args.inputs, encoding=args.encoding)
    texts = read_texts(given, kind=args.input)
    warn(texts.problems, args)
    if args.strict and texts.problems:
        raise texts.problems[0]
    seen = [one.without_syntax() for one in texts.found] if args.words else texts.found
    found = parser.segment([replace(one, edu_starts=None) for one in seen])
    problems = list(texts.problems)
    if args.gold:
        gold = read_texts(args.gold, encoding=args.encoding)
        scores = score_segments(gold.found, found)
        problems += [*gold.problems, *scores.problems]
        warn([*gold.problems, *scores.problems], args)
        emit(args, [segment_table(scores)], segment_json(scores))
    elif not args.out:
        for one in found:
            put_document(_lines(one))
    if args.out:
        _write(args, found)
    return BAD_INPUT if problems or not found else OK


def _lines(text: TokenText) -> str:
    return "".join(f"{edu}\n" for edu in text.edu_texts())


def _write(args: argparse.Namespace, found: Sequence[TokenText]) -> None:
    folder = Path(args.out)
    make_folder(folder)
    for one in found:
        name = one.name.replace(os.sep, "_").replace("\0", "_").lstrip(".") or "text"
        write_text(folder / f"{name}.edus", _lines(one))
    if not args.quiet:
        tell(f"wrote {counted(len(found), 'document')} to {folder}")
