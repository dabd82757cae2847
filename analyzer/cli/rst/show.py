"""spinal rst show: discourse trees drawn, one document's or two beside each other."""

from __future__ import annotations

import argparse

from analyzer.analyses.show_rst import ShownDocument, show_rst
from analyzer.cli import inputs, options, tree_options
from analyzer.cli.output import BAD_INPUT, OK, terminal_width, uses_color, write_svg
from analyzer.cli.streams import put
from analyzer.exceptions import SettingsError
from analyzer.metrics.rst import UNIT_METRICS
from analyzer.model.discourse import Unit
from analyzer.safe_text import counted

_EPILOG = """\
examples:
  spinal rst show letter.dis                        drawn in the terminal
  spinal rst show letter.dis --svg letter.svg       as an RST diagram
  spinal rst show letter.dis --style dependencies   arcs with relation and order
  spinal rst show gold/letter.dis parsed/letter.dis --relations gum
  spinal rst show gold/ parsed/ --document letter --svg letter.svg

The differences between two documents are marked: by default units that differ in span,
nuclearity or relation (--marks S, N, R or F, as the scores count them).
"""
STYLES = ("drawn", "line", "dependencies")
_TITLES = ("gold", "predicted")
_READABLE = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Draw discourse trees."
    parser.epilog = _EPILOG
    parser.add_argument(
        "documents", nargs="+", metavar="DOC", help="one, or gold and predicted"
    )
    parser.add_argument(
        "--document", metavar="NAME", help="which one, of a folder of documents"
    )
    parser.add_argument(
        "--style",
        choices=STYLES,
        default="drawn",
        help="drawn (default), in brackets on one line, or as dependencies",
    )
    parser.add_argument(
        "--marks",
        choices=UNIT_METRICS,
        default="F",
        help="what has to be the same: span or head (S), with nuclearity (N), with "
        "relation (R), with both (F, default)",
    )
    options.add_drawing_options(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    parser.set_defaults(verbose=False)
    tree_options.add_tree_options(parser, binarize="none")
    options.add_input_options(parser)


def run(args: argparse.Namespace) -> int:
    if len(args.documents) > 2:
        raise SettingsError(
            "expected one or two documents, found {count}",
            code="E838",
            count=len(args.documents),
        )
    if args.svg and args.style == "line":
        raise SettingsError(
            "a picture is drawn or of dependencies, not a line", code="E839"
        )
    found = show_rst(
        *(inputs.read_documents(args, spec) for spec in args.documents),
        document=args.document,
        as_dependencies=args.style == "dependencies",
        marks=args.marks,
        binarize=args.binarize,
        relations=args.relations,
    )
    for number, one in enumerate(found.rows, start=1):
        if args.svg:
            svg = _picture(one)
            write_svg(svg, args.svg, number, several=len(found.rows) > 1)
        else:
            _print(args, one, several=len(found.rows) > 1)
    return BAD_INPUT if found.problems else OK


def _picture(shown: ShownDocument) -> str:
    from reports.drawing.discourse_svg import discourse_pair_svg, discourse_svg

    if len(shown.trees) == 1:
        return discourse_svg(shown.trees[0], title=shown.name)
    titles = [f"{title}: {shown.name}" for title in _TITLES]
    return discourse_pair_svg(shown.trees, shown.marks, titles)


def _print(args: argparse.Namespace, shown: ShownDocument, *, several: bool) -> None:
    from reports.drawing import discourse_text

    width, color = terminal_width(args.width), uses_color(args.color)
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
        )
        for tree, marks, paint in zip(
            shown.trees, shown.marks, ("red", "yellow"), strict=False
        )
    ]
    if len(drawings) == 1:
        put("\n".join(line.text for line in drawings[0]), color=color)
    else:
        lines = discourse_text.side_by_side(
            drawings[0], drawings[1], titles=_TITLES, width=width
        )
        put("\n".join(line.text for line in lines), color=color)
        noun = "arc" if args.style == "dependencies" else "unit"
        only_gold, only_predicted = map(len, shown.marks)
        put(
            f"\n{counted(only_gold, noun)} only in gold, "
            f"{only_predicted:,} only in predicted"
        )
    if several:
        put()
