"""spinal rst show, convert, ambiguity: discourse trees one by one."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, command
from analyzer.cli.output import (
    BAD_INPUT,
    OK,
    emit,
    note,
    save_picture,
    warn,
    width_and_color,
)
from analyzer.cli.streams import put, put_document, tell
from analyzer.exceptions import InputError, Place, SettingsError
from analyzer.files.atomic import make_folder, write_text
from analyzer.files.inputs import Input, Origin
from analyzer.formats.registry import WRITTEN
from analyzer.model.discourse import Unit, edu_texts
from analyzer.safe_text import counted

if TYPE_CHECKING:
    from analyzer.analyses.rst_trees import ConvertedDocument, ShownDocument
    from reports.drawing.latex import Picture

_TITLES = ("gold", "predicted")
_READABLE = 60
_PIXELS = 1600  # of a picture: what a screen shows


def _edus(text: str) -> tuple[int, int]:
    """The first and the last of some EDUs: `5-20`, or `5`."""
    first, _, last = text.partition("-")
    units = int(first), int(last or first)
    if not 1 <= units[0] <= units[1]:
        raise ArgumentTypeError(f"{text}: expected EDUs such as 5-20")
    return units


@command(
    Option("DOC  one, or gold and predicted", nargs="+", dest="documents"),
    Option("--document NAME  which one, of a folder of documents"),
    Option(
        "--style {drawn,line,dependencies}  drawn (default), in brackets on one line, "
        "or as dependencies",
        default="drawn",
    ),
    Option(
        "--marks {S,N,R,F}  what has to be the same: span or head (S), with "
        "nuclearity (N), with relation (R), with both (F, default)",
        default="F",
    ),
    Option(
        "--units A-B  draw only these EDUs, and what they are in; … for the others",
        _edus,
    ),
    *options.drawing(
        "--width N  columns to draw in (default: terminal); of a picture, pixels, past "
        f"which it is drawn in parts (default: {_PIXELS:,})"
    ),
    options.QUIET,
    options.discourse_trees("none"),
    options.INPUT,
)
def run_show(args: Namespace) -> int:
    """Draw discourse trees.

    examples:
      spinal rst show letter.dis                        drawn in the terminal
      spinal rst show letter.dis --picture letter.svg   as an RST diagram
      spinal rst show letter.dis --picture letter.tex --units 5-20   EDUs 5 to 20
      spinal rst show letter.dis --style dependencies   arcs with relation and order
      spinal rst show gold/letter.dis parsed/letter.dis --relations gum
      spinal rst show gold/ parsed/ --document letter --picture letter.pdf

    The differences between two documents are marked: by default units that differ in span,
    nuclearity or relation (--marks S, N, R or F, as the scores count them).
    """  # noqa: E501 -- as it is printed
    from analyzer.analyses.rst_trees import show_rst

    if len(args.documents) > 2:
        raise SettingsError(
            "E838 expected one or two documents, found", count=len(args.documents)
        )
    if args.style == "line" and (args.picture or args.units):
        raise SettingsError("E839 a picture is made of")
    if args.style == "dependencies" and args.units:
        raise SettingsError("E690 found", found="--units", wanted="--style drawn")
    shown = show_rst(
        *(
            inputs.read_documents(args, spec, tells=False, graphs=True)
            for spec in args.documents
        ),
        as_dependencies=args.style == "dependencies",
        **inputs.passed_on(args, "document marks binarize relations roots"),
    )
    note(shown.problems, args)
    warn(shown.notes, args)
    for number, document in enumerate(shown.rows, start=1):
        _require_trees(args, document)
        if args.picture:
            picture = _picture(document, args.width or _PIXELS, args.units)
            save_picture(picture, args.picture, number, several=len(shown.rows) > 1)
        else:
            _print(args, document, several=len(shown.rows) > 1)
    return BAD_INPUT if shown.problems else OK


def _require_trees(args: Namespace, shown: ShownDocument) -> None:
    """Refuse what is drawn of trees only, if the document is a graph."""
    if args.style == "dependencies" or isinstance(shown.trees[0], Unit):
        return
    is_latex = (args.picture or "").endswith(".tex")
    wanted = (args.style == "line", args.units, is_latex)
    for option, is_wanted in zip(
        ("--style line", "--units", "a .tex picture"), wanted, strict=True
    ):
        if is_wanted:
            raise SettingsError("E985 is for trees", option=option, name=shown.name)


def _picture(
    shown: ShownDocument, width: int, units: tuple[int, int] | None
) -> Picture:
    from reports.drawing.discourse_svg import (
        discourse_pair_picture,
        discourse_picture,
    )

    if len(shown.trees) == 1:
        title = shown.name
        if units:
            title += f", EDUs {units[0]}–{units[1]}"
        return discourse_picture(shown.trees[0], title=title, width=width, units=units)
    titles = [f"{title}: {shown.name}" for title in _TITLES]
    return discourse_pair_picture(shown.trees, shown.marks, titles, width, units)


def _print(args: Namespace, shown: ShownDocument, *, several: bool) -> None:
    from reports.drawing import discourse_text
    from reports.drawing.tree_text import lines_text, stacked, two_columns

    width, color = width_and_color(args)
    if several:
        put(f"# {shown.name}")
    if args.style == "line":
        for tree, marks in zip(shown.trees, shown.marks, strict=True):
            assert isinstance(tree, Unit)
            put(discourse_text.on_one_line(tree, marks=marks))
        return
    # Two trees get half the width each, if that is enough to read.
    half = (width - 3) // 2
    room = half if len(shown.trees) == 2 and half >= _READABLE else width
    drawings = [
        discourse_text.draw(
            tree,
            marks=marks,
            width=room,
            color=color,
            mark_color=paint,
            units=args.units,
        )
        for tree, marks, paint in zip(
            shown.trees, shown.marks, ("red", "yellow"), strict=False
        )
    ]
    for drawing, tree, beside in zip(drawings, shown.trees, shown.beside, strict=True):
        texts = edu_texts(tree)
        drawing += discourse_text.enhancement_lines(beside, texts, room, args.units)
    if len(drawings) == 1:
        put(lines_text(drawings[0]), color=color)
    else:
        columns = two_columns(drawings, _TITLES, width=width)
        put(lines_text(columns or stacked(drawings, _TITLES)), color=color)
        noun = "unit" if isinstance(shown.trees[0], Unit) else "arc"
        only_gold, only_predicted = map(len, shown.marks)
        put(
            f"\n{counted(only_gold, noun)} only in gold, "
            f"{only_predicted:,} only in predicted"
        )
    if several:
        put()


@command(
    Option(
        "IN  files, globs or directories, '-' is standard input",
        nargs="+",
        dest="inputs",
    ),
    Option("--to  the format", required=True, choices=WRITTEN),
    Option(
        "-o OUT  a file; for a directory, a glob or several files a directory "
        "(default: standard output)",
        dest="out",
        is_output=True,
    ),
    options.discourse_trees("none"),
    Group(
        "dependencies",
        Option(
            "--order {weak,strict}  units of one n-ary unit attached together "
            "(default) or one by one",
            default="weak",
        ),
        Option(
            "--transform {chain,tree}  nuclei depend on the one before them, or all "
            "on the first (default)",
            default="tree",
        ),
        options.MULTINUCLEAR,
    ),
    options.INPUT,
    options.QUIET,
    options.VERBOSE,
)
def run_convert(args: Namespace) -> int:
    """Convert discourse trees between formats.

    examples:
      spinal rst convert wsj_0601.dis --to rs3                 to standard output
      spinal rst convert gold/*.rs4 --to dis -o converted      each into a directory
      spinal rst convert gold --to conllu --transform chain -o chains
      spinal rst convert arcs.tsv --to dis --multinuclear joint,same-unit
      spinal rst convert arcs.tsv --to dis --multinuclear training/
      spinal rst convert gold --to rels -o gold.rels           and gold.conllu beside it

    Formats are recognised by their content; docs/rst_formats.md shows them. A
    dependency tree without nuclearity or order gets them by the rules of Morey et al.
    (2018, section 4.1): nuclei are dependents whose relation is multinuclear, which
    --multinuclear lists or a training set shows.
    """
    from analyzer.analyses.rst_trees import convert

    conversion = convert(
        *(inputs.input_of(args, spec) for spec in args.inputs),
        **inputs.passed_on(
            args,
            "to binarize relations roots order transform multinuclear strict encoding",
        ),
    )
    _check_out(args, len(conversion.documents))
    note(conversion.problems, args)
    warn(conversion.warnings, args)
    _write(args, conversion.documents)
    if conversion.problems and not args.quiet:
        tell(conversion.ledger.text("converted"))
    return BAD_INPUT if conversion.problems else OK


def _check_out(args: Namespace, documents: int) -> None:
    if documents > 1 and not args.out and args.to != "rels":
        raise SettingsError("E834 name a directory for them", documents=documents)
    if args.out and _is_folder(args, documents) and os.path.isfile(args.out):
        raise InputError("E835 is a file", Place(args.out))


def _is_folder(args: Namespace, documents: int) -> bool:
    """Whether a folder is written: told by the arguments, not by what can be read."""
    origins = [Input.of_path(spec).origin for spec in args.inputs]
    is_one_file = origins == [Origin.LISTED]
    is_named_so = os.path.isdir(args.out) or args.out.endswith(os.sep)
    if args.to == "rels" and args.out.endswith(".rels"):
        return is_named_so  # one file may have the relations of many documents
    return documents > 1 or not is_one_file or is_named_so


def _write(args: Namespace, converted: Sequence[ConvertedDocument]) -> None:
    count = counted(len(converted), "document")
    is_folder = bool(args.out) and _is_folder(args, len(converted))
    if args.to == "rels" and not is_folder:
        converted = _in_one(converted)
    if not args.out:
        for document in converted:
            put_document(document.text)
        return
    out = Path(args.out)
    if is_folder:
        make_folder(out)
    for document in converted:
        path = out / f"{document.name}.{args.to}" if is_folder else out
        write_text(path, document.text)
        if document.words:
            write_text(f"{str(path).removesuffix('.rels')}.conllu", document.words)
    if not args.quiet:
        tell(f"wrote {count} to {out}")


def _in_one(converted: Sequence[ConvertedDocument]) -> Sequence[ConvertedDocument]:
    """Relations of several documents in one table: the names of its columns once."""
    if len(converted) < 2:
        return converted
    rows = [document.text.partition("\n")[2] for document in converted[1:]]
    text = "".join([converted[0].text, *rows])
    words = "".join(document.words for document in converted)
    return [converted[0]._replace(text=text, words=words)]


@command(
    Option("FILE", nargs="+", dest="documents"),
    options.discourse_trees("right"),
    options.INPUT,
    options.OUTPUT,
)
def run_ambiguity(args: Namespace) -> int:
    """Count the constituent trees of dependency trees.

    examples:
      spinal rst ambiguity gold/
      spinal rst ambiguity gold/ --binarize none      the tree transform, not the chain

    Without the order in which dependents were attached, a dependency tree fits several
    constituent trees (Morey et al. 2018, Proposition 4): the choices are at spiders, heads
    with dependents on both sides. With the order, it fits one.
    """  # noqa: E501 -- as it is printed
    from analyzer.analyses.rst_trees import ambiguity

    documents = [inputs.read_documents(args, spec) for spec in args.documents]
    result = ambiguity(
        *documents,
        **inputs.passed_on(args, "binarize relations roots strict"),
    )
    note(result.left_out, args)
    if not result.rows:
        raise InputError("E833 no document could be counted", Place(args.documents[0]))
    emit(args, result, exact=args.format in options.ONE_TABLE)
    return BAD_INPUT if result.left_out or result.problems else OK
