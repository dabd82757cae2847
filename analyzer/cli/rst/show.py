"""spinal rst show: discourse trees drawn, one document's or two beside each other."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.cli import inputs, options
from analyzer.cli.output import BAD_INPUT, OK, terminal_width, uses_color, write_svg
from analyzer.exceptions import InputError, PairingError, Place, SettingsError
from analyzer.metrics.rst import (
    UNIT_METRICS,
    check_same_edus,
    differing_arcs,
    differing_units,
)
from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import Unit
from analyzer.pairing.by_name import shared_names
from analyzer.safe_text import counted
from analyzer.transform.binarize import binarize
from analyzer.transform.head_order import dependency_tree
from analyzer.transform.relations import load_relations, map_relations

_EPILOG = """\
examples:
  spinal rst show letter.dis                        drawn in the terminal
  spinal rst show letter.dis --svg letter.svg       as an RST diagram
  spinal rst show letter.dis --style dependencies   arcs with relation and order
  spinal rst show gold/letter.dis parsed/letter.dis --relations gum
  spinal rst show gold/ parsed/ --document letter --svg letter.svg

Of two documents, what one has and the other lacks is marked: by default units that
differ in span, nuclearity or relation (--marks S, N, R or F, as the scores count them).
"""
STYLES = ("drawn", "line", "dependencies")
_TITLES = ("gold", "predicted")
_READABLE = 60


class Shown(NamedTuple):
    """A document to show: one tree, or two with what differs."""

    name: str
    trees: Sequence[Unit | DependencyTree]
    marks: list[list[int]]


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
    options.add_tree_options(parser, binarize="none")
    options.add_input_options(parser)


def run(args: argparse.Namespace) -> int:
    if len(args.documents) > 2:
        raise SettingsError(
            "one document or two, please; found {count}",
            code="E838",
            count=len(args.documents),
        )
    if args.svg and args.style == "line":
        raise SettingsError(
            "a picture is drawn or of dependencies, not a line", code="E839"
        )
    relations = load_relations(args.relations)
    corpora: list[dict[str, Unit]] = []
    problems: list[object] = []
    for spec in args.documents:
        documents = inputs.read_documents(args, spec)
        problems += documents.problems
        corpora.append(
            {
                name: binarize(map_relations(root, relations), args.binarize)
                for name, root in documents
            }
        )
    shown = [_shown(args, name, trees) for name, trees in _chosen(args, corpora)]
    for number, one in enumerate(shown, start=1):
        if args.svg:
            svg = _picture(one)
            write_svg(svg, args.svg, number, several=len(shown) > 1)
        else:
            _print(args, one, several=len(shown) > 1)
    return BAD_INPUT if problems else OK


def _chosen(
    args: argparse.Namespace, corpora: list[dict[str, Unit]]
) -> list[tuple[str, list[Unit]]]:
    """Documents by name; two files of one document each need not share a name."""
    first, last = corpora[0], corpora[-1]
    if args.document:
        for spec, corpus in zip(args.documents, corpora, strict=True):
            if args.document not in corpus:
                some = ", ".join(list(corpus)[:5])
                raise InputError(
                    "no document {document!r} in here; there are {some} …",
                    Place(spec),
                    code="E842",
                    document=args.document,
                    some=some,
                )
        return [(args.document, [corpus[args.document] for corpus in corpora])]
    if not first or not last:
        raise InputError("no documents in here", Place(args.documents[0]), code="E840")
    if len(first) == len(last) == 1:
        return [(next(iter(first)), [next(iter(c.values())) for c in corpora])]
    names = shared_names(list(first), list(last)).names
    if not names:
        raise PairingError(
            "no document is in both", Place(args.documents[0]), code="E841"
        )
    return [(name, [corpus[name] for corpus in corpora]) for name in names]


def _shown(args: argparse.Namespace, name: str, roots: list[Unit]) -> Shown:
    if len(roots) == 2:
        check_same_edus(*roots)
    marks: list[list[int]] = [[]]
    if args.style == "dependencies":
        trees = [dependency_tree(root, source=name) for root in roots]
        if len(trees) == 2:
            marks = list(differing_arcs(trees[0], trees[1], args.marks))
        return Shown(name, trees, marks)
    if len(roots) == 2:
        marks = list(differing_units(roots[0], roots[1], args.marks))
    return Shown(name, roots, marks)


def _picture(shown: Shown) -> str:
    from reports.drawing.discourse_svg import discourse_pair_svg, discourse_svg

    if len(shown.trees) == 1:
        return discourse_svg(shown.trees[0], title=shown.name)
    titles = [f"{title}: {shown.name}" for title in _TITLES]
    return discourse_pair_svg(shown.trees, shown.marks, titles)


def _print(args: argparse.Namespace, shown: Shown, *, several: bool) -> None:
    from reports.drawing import discourse_text

    width = terminal_width(args.width)
    if several:
        print(f"# {shown.name}")
    if args.style == "line":
        for tree, marks in zip(shown.trees, shown.marks, strict=True):
            assert isinstance(tree, Unit)
            print(discourse_text.on_one_line(tree, marks=marks))
        return
    # Two trees get half the width each, if that is enough to read.
    half = (width - 3) // 2
    room = half if len(shown.trees) == 2 and half >= _READABLE else width
    drawings = [
        discourse_text.draw(
            tree,
            marks=marks,
            width=room,
            color=uses_color(args.color),
            mark_color=paint,
        )
        for tree, marks, paint in zip(
            shown.trees, shown.marks, ("red", "yellow"), strict=False
        )
    ]
    if len(drawings) == 1:
        print("\n".join(line.text for line in drawings[0]))
    else:
        lines = discourse_text.side_by_side(
            drawings[0], drawings[1], titles=_TITLES, width=width
        )
        print("\n".join(line.text for line in lines))
        noun = "arc" if args.style == "dependencies" else "unit"
        only_gold, only_predicted = map(len, shown.marks)
        print(
            f"\n{counted(only_gold, noun)} only in gold, "
            f"{only_predicted:,} only in predicted"
        )
    if several:
        print()
