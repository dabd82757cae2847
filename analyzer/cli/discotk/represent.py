"""spinal discotk represent: discourse trees in the five representations."""

from __future__ import annotations

import argparse

from analyzer.cli.output import BAD_INPUT, OK, warn
from analyzer.cli.streams import put, put_json
from analyzer.discotk.inputs import shapes_of
from analyzer.discotk.representations import LEAVES, REPRESENTATIONS, represent
from analyzer.discotk.scoring import metric_of
from analyzer.discotk.segments import read_segments

_EPILOG = """\
examples:
  spinal discotk represent sentence.dis
  spinal discotk represent reference.brackets --as lex2.1

With one representation, each line is a tree that `spinal kernel` can read.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Discourse trees as DiscoTK's kernels see them."
    parser.epilog = _EPILOG
    parser.add_argument("document", metavar="DOC")
    parser.add_argument(
        "--as",
        dest="shapes",
        metavar="SHAPE",
        help=f"one or several of {', '.join(REPRESENTATIONS)} (default: all)",
    )
    parser.add_argument(
        "--leaves",
        choices=LEAVES,
        default="dummy",
        help="dummy: each word over a leaf `*`, as in the paper (default); bow: words "
        "are leaves",
    )
    parser.add_argument("--lowercase", action="store_true")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("-q", "--quiet", action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--encoding", default="utf-8")


def run(args: argparse.Namespace) -> int:
    shapes = shapes_of(args.shapes)
    segments = read_segments(args.document, encoding=args.encoding)
    missing = [f"{args.document}: segment {n} has no tree" for n in segments.missing]
    warn(missing, args)
    data = {}
    for name, tree in segments.trees.items():
        shown = {
            metric_of(shape): str(
                represent([tree], shape, leaves=args.leaves, lowercase=args.lowercase)[
                    0
                ]
            )
            for shape in shapes
            if tree is not None
        }
        data[name] = shown
        if args.format == "text":
            _print(name, shown, len(shapes), len(segments.trees))
    if args.format == "json":
        put_json(data)
    return BAD_INPUT if missing else OK


def _print(name: str, shown: dict[str, str], shapes: int, segments: int) -> None:
    if shapes == 1:
        # A segment without tree stays an empty line, so that lines stay segments.
        put("".join(shown.values()))
        return
    if segments > 1:
        put(f"segment {name}")
    for metric, tree in shown.items():
        put(f"{metric:<9} {tree}")
