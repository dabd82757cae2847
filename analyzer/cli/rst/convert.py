"""spinal rst convert: discourse trees from one format to another."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from analyzer.cli import inputs, options, tree_options
from analyzer.cli.output import BAD_INPUT, OK, warn
from analyzer.cli.streams import put_document, tell
from analyzer.exceptions import InputError, Place, SettingsError
from analyzer.files.atomic import make_folder, write_text
from analyzer.files.finding import Origin
from analyzer.files.inputs import Input
from analyzer.formats.registry import WRITTEN
from analyzer.safe_text import counted

_EPILOG = """\
examples:
  spinal rst convert wsj_0601.dis --to rs3                 to standard output
  spinal rst convert gold/*.rs4 --to dis -o converted      each into a directory
  spinal rst convert gold --to conllu --transform chain -o chains
  spinal rst convert arcs.tsv --to dis --multinuclear joint,same-unit
  spinal rst convert arcs.tsv --to dis --multinuclear training/

Formats are recognised by their content; docs/rst_formats.md shows them. A
dependency tree without nuclearity or order gets them by the rules of Morey et al.
(2018, section 4.1): nuclei are dependents whose relation is multinuclear, which
--multinuclear lists or a training set shows.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Convert discourse trees between formats."
    parser.epilog = _EPILOG
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="IN",
        help="files, globs or directories, '-' is standard input",
    )
    parser.add_argument("--to", required=True, choices=WRITTEN, help="the format")
    options.note_outputs(parser, "out")
    parser.add_argument(
        "-o",
        dest="out",
        metavar="OUT",
        help="a file; for a directory, a glob or several files a directory "
        "(default: standard output)",
    )
    tree_options.add_tree_options(parser, binarize="none")
    group = parser.add_argument_group("dependencies")
    group.add_argument(
        "--order",
        choices=("weak", "strict"),
        default="weak",
        help="units of one n-ary unit attached together (default) or one by one",
    )
    group.add_argument(
        "--transform",
        choices=("chain", "tree"),
        default="tree",
        help="nuclei depend on the one before them, or all on the first (default)",
    )
    group.add_argument(
        "--multinuclear",
        metavar="LIST",
        help="relations between nuclei, with commas; or a file of them; or trees to "
        "learn them from (default: joint, same-unit, textual)",
    )
    options.add_input_options(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="all warnings, not just ten"
    )


def run(args: argparse.Namespace) -> int:
    from analyzer.analyses.convert import convert

    found = convert(
        *(inputs.input_of(args, spec) for spec in args.inputs),
        to=args.to,
        binarize=args.binarize,
        relations=args.relations,
        order=args.order,
        transform=args.transform,
        multinuclear=args.multinuclear,
        strict=args.strict,
        encoding=args.encoding,
    )
    _check_out(args, len(found.documents))
    warn([*found.problems, *found.warnings], args)
    _write(args, found.documents)
    if found.problems and not args.quiet:
        tell(found.ledger.text("converted"))
    return BAD_INPUT if found.problems else OK


def _check_out(args: argparse.Namespace, documents: int) -> None:
    if documents > 1 and not args.out:
        raise SettingsError(
            "{documents:document}: name a directory for them (-o DIR)",
            code="E834",
            documents=documents,
        )
    if args.out and _is_folder(args, documents) and os.path.isfile(args.out):
        raise InputError(
            "is a file; several documents need a directory",
            Place(args.out),
            code="E835",
        )


def _is_folder(args: argparse.Namespace, documents: int) -> bool:
    """Whether a folder is written: told by the arguments, not by what can be read."""
    origins = [Input.of_path(spec).origin for spec in args.inputs]
    is_one_file = origins == [Origin.LISTED]
    is_named_so = os.path.isdir(args.out) or args.out.endswith(os.sep)
    return documents > 1 or not is_one_file or is_named_so


def _write(args: argparse.Namespace, written: Sequence[tuple[str, str]]) -> None:
    if not args.out:
        for _, text in written:
            put_document(text)
        return
    out = Path(args.out)
    is_folder = _is_folder(args, len(written))
    if is_folder:
        make_folder(out)
    for name, text in written:
        write_text(out / f"{name}.{args.to}" if is_folder else out, text)
    if not args.quiet:
        tell(f"wrote {counted(len(written), 'document')} to {out}")
