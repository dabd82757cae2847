"""spinal report: everything about one data set or several, as one HTML page."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from analyzer.cli import inputs, options, tree_options
from analyzer.cli.output import OK, exit_code, hint_at_labels, warn_of
from analyzer.cli.progress import ReadingBar
from analyzer.cli.streams import tell
from analyzer.exceptions import SettingsError
from analyzer.files.atomic import STDOUT
from analyzer.metrics.significance import DEFAULT_RESAMPLES

if TYPE_CHECKING:
    from reports.page.report import Report

_EPILOG = """\
examples:
  spinal report gold.mrg parsed.mrg --html report.html
  spinal report gold.mrg base=a.mrg new=b.mrg --html report.html    (two parsers)
  spinal report news=news.gold:news.parsed web=web.gold:web.parsed --html report.html
  spinal report dev.gold dev.parsed --group-by dev.tsv:genre --html report.html
  spinal report gold.mrg parsed.mrg --title "Parser 2, development set" --html out.html

The page is one file that loads nothing: summary, tables that can be sorted and
filtered, plots, and a browser of the errors with their trees. With several data
sets, the first is the reference of the domain split; with several parsers, the
others are compared with the first, as in `spinal compare`.
"""
_MAX_INSTANCES = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Write everything about a parser's errors as one HTML page."
    parser.epilog = _EPILOG
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="GOLD [NAME=]PARSED … | NAME=GOLD:PARSED",
        help="gold and the output of one or more parsers, or data sets by name",
    )
    options.note_outputs(parser, "html")
    parser.add_argument(
        "--html",
        required=True,
        metavar="OUT.html",
        help="the file to write (-: standard output)",
    )
    parser.add_argument("--title", metavar="TEXT", help="the page's heading")
    parser.add_argument(
        "--max-instances",
        type=int,
        default=_MAX_INSTANCES,
        metavar="N",
        help="at most N errors of each data set in the page, the first ones; it says "
        f"how many were left out (default: {_MAX_INSTANCES:,})",
    )
    options.add_resampling_options(
        parser,
        resamples=DEFAULT_RESAMPLES,
        what="of several parsers: resamples of each test",
    )
    options.add_group_options(parser)
    tree_options.add_construction_options(parser)
    tree_options.add_function_options(parser)
    tree_options.add_tree_options(parser, binarize="right")
    options.add_pairing_options(parser)
    options.add_input_options(parser)
    options.add_jobs_option(parser)
    group = parser.add_argument_group("output")
    options.add_message_options(group)


def run(args: argparse.Namespace) -> int:
    from reports.page.report import require_instances

    require_instances(args.max_instances)  # before any file is opened
    if inputs.has_systems(args.inputs):
        return _run_systems(args)
    return _run_datasets(args)


def _run_systems(args: argparse.Namespace) -> int:
    """Several parsers on the same gold."""
    from reports.page.report import write_comparison

    if args.group_by or args.reference:
        raise SettingsError(
            "--group-by and --reference are for data sets; these are parsers",
            code="E874",
        )
    gold, *outputs = args.inputs
    systems = inputs.systems_of(outputs)
    files = [gold, *(path for _, path in systems)]
    with ReadingBar(files, quiet=args.quiet) as bar:
        report = write_comparison(
            inputs.input_of(args, gold),
            [(name, inputs.input_of(args, path)) for name, path in systems],
            args.html,
            title=args.title,
            resamples=args.resamples,
            seed=args.seed,
            max_instances=args.max_instances,
            jobs=args.jobs,
            **inputs.scoring_options(args, bar),
        )
    _tell(args, report)
    codes = [
        exit_code(scores.ledger, gold, path)
        for scores, (_, path) in zip(report.scores, systems, strict=True)
    ]
    return max(codes)


def _run_datasets(args: argparse.Namespace) -> int:
    from reports.page.report import write_report

    datasets = inputs.pair_or_datasets(args.inputs)
    files = [path for _, gold, parsed in datasets for path in (gold, parsed)]
    with ReadingBar(files, quiet=args.quiet) as bar:
        report = write_report(
            inputs.inputs_of(args, datasets),
            args.html,
            title=args.title,
            group_by=args.group_by,
            reference=args.reference,
            max_instances=args.max_instances,
            jobs=args.jobs,
            **inputs.scoring_options(args, bar),
        )
    _tell(args, report)
    sources = {one.name: one for one in datasets}
    code = OK
    for name, scores in zip(report.names, report.scores, strict=True):
        # Data sets that groups make have no file of their own.
        files_of = sources.get(name, datasets[0])
        code = max(code, exit_code(scores.ledger, files_of.gold, files_of.parsed))
    if any(one.ungrouped.items for one in report.datasets):
        code = max(code, exit_code(report.ledger, *datasets[0][1:]))
    return code


def _tell(args: argparse.Namespace, report: Report) -> None:
    if not args.quiet and args.html != STDOUT:
        tell(f"wrote {args.html} ({report.size / 1e6:.1f} MB)")
    warn_of(args, report.ledger)
    hint_at_labels(args, report.scores[0].label_hint)
