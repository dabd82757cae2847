"""spinal report: everything about one data set or several, as one HTML page."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from analyzer.analyses.report import MAX_INSTANCES
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, command
from analyzer.cli.output import exit_code, warn, warn_of
from analyzer.cli.progress import ReadingBar
from analyzer.cli.streams import tell
from analyzer.exceptions import SettingsError
from analyzer.files.atomic import STDOUT
from analyzer.metrics.significance import DEFAULT_RESAMPLES

if TYPE_CHECKING:
    from reports.page.report import Report


@command(
    Option(
        "GOLD [NAME=]PARSED … | NAME=GOLD:PARSED  gold and the output of one or more "
        "parsers, or data sets by name",
        nargs="+",
        dest="inputs",
    ),
    Option(
        "--html OUT.html  the file to write (-: standard output)",
        required=True,
        is_output=True,
    ),
    Option("--title TEXT  the page's heading"),
    Option(
        "--max-instances N  at most N errors of each data set in the page; of more, "
        "those of one sentence in 2, 4, … over the whole file, and the page says so "
        f"(default: {MAX_INSTANCES:,})",
        int,
        MAX_INSTANCES,
    ),
    *options.resampling(
        DEFAULT_RESAMPLES, "of several parsers: resamples of each test"
    ),
    options.QUERIES,
    *options.GROUPS,
    *options.compared_trees(),
    options.JOBS,
    Group("output", *options.MESSAGES),
)
def run_report(args: Namespace) -> int:
    """Write everything about a parser's errors as one HTML page.

    examples:
      spinal report gold.mrg parsed.mrg --html report.html
      spinal report gold.mrg base=a.mrg new=b.mrg --html report.html    (two parsers)
      spinal report news=news.gold:news.parsed web=web.gold:web.parsed --html report.html
      spinal report dev.gold dev.parsed --group-by dev.tsv:genre --html report.html
      spinal report gold.mrg parsed.mrg --title "Parser 2, development set" --html out.html
      spinal report gold.mrg parsed.mrg --queries queries.toml --html out.html

    The page is one file that loads nothing: summary, tables that can be sorted and
    filtered, plots, and a browser of the errors with their trees. With several data
    sets, the first is the reference of the domain split; with several parsers, the
    others are compared with the first, as in `spinal compare`.
    """  # noqa: E501 -- as it is printed
    from reports.page.report import require_instances

    require_instances(args.max_instances)  # before any file is opened
    run = _run_systems if inputs.has_systems(args.inputs) else _run_datasets
    return run(args)


def _run_systems(args: Namespace) -> int:
    """Several parsers on the same gold."""
    from reports.page.report import write_comparison

    if args.group_by or args.reference:
        raise SettingsError("E874 --group-by and --reference are for data sets")
    gold, *outputs = args.inputs
    systems = inputs.systems_of(outputs)
    files = [gold, *(path for _, path in systems)]
    with ReadingBar(files, quiet=args.quiet) as bar:
        report = write_comparison(
            inputs.input_of(args, gold),
            [(name, inputs.input_of(args, path)) for name, path in systems],
            args.html,
            **inputs.scoring_options(args, bar),
            **inputs.passed_on(args, "title resamples seed max_instances queries jobs"),
        )
    _tell(args, report)
    return max(
        exit_code(scores.ledger, gold, path)
        for scores, (_, path) in zip(report.scores, systems, strict=True)
    )


def _run_datasets(args: Namespace) -> int:
    from reports.page.report import write_report

    datasets = inputs.pair_or_datasets(args.inputs)
    files = [path for _, gold, parsed in datasets for path in (gold, parsed)]
    with ReadingBar(files, quiet=args.quiet) as bar:
        report = write_report(
            inputs.inputs_of(args, datasets),
            args.html,
            **inputs.scoring_options(args, bar),
            **inputs.passed_on(
                args, "title group_by reference max_instances queries jobs"
            ),
        )
    _tell(args, report)
    ledgers = [scores.ledger for scores in report.scores]
    named = [*zip(report.names, ledgers, strict=True)]
    if any(dataset.ungrouped.items for dataset in report.datasets):
        named.append(("", report.ledger))
    return inputs.worst_code(datasets, named)


def _tell(args: Namespace, report: Report) -> None:
    if not args.quiet and args.html != STDOUT:
        tell(f"wrote {args.html} ({report.size / 1e6:.1f} MB)")
    warn_of(args, report.ledger)
    # They are on the page, too.
    warn([note for note in report.notes if note not in args.shown], args)
