"""spinal agree: how far two annotations of the same text agree, and where not."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.analyses.agreement import Agreement, agree
from analyzer.analyses.annotators import agree_all
from analyzer.cli import inputs, options, tree_options
from analyzer.cli.output import emit, exit_code, hint_at_labels, warn_of
from analyzer.cli.progress import ReadingBar
from analyzer.exceptions import SettingsError

if TYPE_CHECKING:
    from analyzer.files.inputs import Input
    from reports.model import Table

_EPILOG = """\
examples:
  spinal agree anna.mrg ben.mrg
  spinal agree anna.mrg ben.mrg --segmentation offsets
  spinal agree treebank-1.0/ treebank-2.0/ --pair text --limit 40
  spinal agree anna/ ben/ --relations gum            (discourse trees)
  spinal agree anna.mrg ben.mrg carl.mrg             (three or more)

Neither side is gold. F-h: both project the construction for the same head word; F-s:
over the same words; att, spanR: of the F-h matches, those with the same attachment,
the same end. kappa corrects for chance. Disagreements are in groups, the largest first.
"""
_DEFAULT_LIMIT = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Compare two annotations of the same text."
    parser.epilog = _EPILOG
    parser.add_argument("a", metavar="A")
    parser.add_argument("b", metavar="B")
    parser.add_argument(
        "more",
        nargs="*",
        metavar="C",
        help="further annotators: each pair is compared, and all of them by "
        "Krippendorff's alpha",
    )
    parser.add_argument("--top", type=int, metavar="N", help="only N constructions")
    parser.add_argument(
        "--limit",
        type=int,
        default=_DEFAULT_LIMIT,
        metavar="N",
        help=f"groups of disagreements, 0 for all (default: {_DEFAULT_LIMIT})",
    )
    parser.add_argument(
        "--examples",
        type=int,
        choices=range(4),
        default=1,
        metavar="N",
        help="examples of a group, up to 3 (default: 1)",
    )
    parser.add_argument(
        "--segmentation",
        choices=("same", "offsets"),
        default="same",
        help="same: the same words or EDUs on both sides (default); offsets: they may "
        "differ and are compared by characters, white space ignored",
    )
    parser.add_argument(
        "--pair",
        choices=("order", "text"),
        default="order",
        help="order: the n-th sentence of A with the n-th of B (default); text: those "
        "with the same text, for releases that add or drop sentences",
    )
    tree_options.add_construction_options(parser)
    tree_options.add_function_options(parser, scored=False)
    tree_options.add_tree_options(parser, binarize="right")
    options.add_pairing_options(parser, policies=("skip", "zero", "error"))
    options.add_input_options(parser)
    options.add_jobs_option(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import agreement as agreement_tables

    for name in ("top", "limit"):
        value = getattr(args, name)
        if value is not None and value < (name == "top"):
            raise SettingsError(
                "--{name} must not be {value}", code="E801", name=name, value=value
            )
    if args.more:
        return _run_all(args)
    a, b = inputs.input_of(args, args.a), inputs.input_of(args, args.b)
    # The page reads them once more.
    is_browsed = args.format == "html" and args.pair == "order"
    if is_browsed:
        a.keep()
        b.keep()
    with ReadingBar([args.a, args.b], quiet=args.quiet) as bar:
        result = agree(
            a,
            b,
            by_characters=args.segmentation == "offsets",
            pairing=args.pair,
            jobs=args.jobs,
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, result.ledger, sides=("A", "B"))
    hint_at_labels(args, result.scores.label_hint)
    tables = agreement_tables.agreement_tables(
        result, top=args.top, limit=args.limit or None, examples=args.examples
    )
    text = None
    if args.format == "html":
        text = _page(args, result, tables, (a, b) if is_browsed else None)
    emit(
        args,
        tables,
        agreement_tables.agreement_json(result),
        main=agreement_tables.construction_table(result, top=args.top),
        text=text,
    )
    return exit_code(
        result.ledger,
        args.a,
        args.b,
        may_be_short=args.pair == "text",
        verb="compared",
    )


def _page(
    args: argparse.Namespace,
    result: Agreement,
    tables: Sequence[Table],
    trees: tuple[Input, Input] | None,
) -> str:
    """The tables, and the disagreements with both trees."""
    from reports.page.disagreements import agreement_page, disagreements_of
    from reports.page.report import MAX_INSTANCES, told_before

    errors = None
    if trees and result.ledger.scored:
        settings = inputs.scoring_options(args)
        settings["on_mismatch"] = "skip"
        with told_before():
            errors = disagreements_of(
                *trees, max_instances=MAX_INSTANCES, jobs=args.jobs, **settings
            )
    return agreement_page(result, tables, sides=(args.a, args.b), errors=errors)


def _run_all(args: argparse.Namespace) -> int:
    """Three annotators or more."""
    from reports.tables import annotators as tables

    paths = [args.a, args.b, *args.more]
    with ReadingBar(paths, quiet=args.quiet) as bar:
        result = agree_all(
            *(inputs.input_of(args, path) for path in paths),
            names=paths,
            by_characters=args.segmentation == "offsets",
            pairing=args.pair,
            jobs=args.jobs,
            **inputs.scoring_options(args, bar),
        )
    codes = []
    for (a, b), one in result.pairs.items():
        warn_of(args, one.ledger, sides=(a, b))
        is_short = args.pair == "text"
        codes.append(
            exit_code(one.ledger, a, b, may_be_short=is_short, verb="compared")
        )
    emit(args, tables.annotator_tables(result), tables.annotators_json(result))
    return max(codes)
