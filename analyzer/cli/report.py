"""spinal report: everything about one data set or several, as one HTML page."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from analyzer.cli import inputs, options
from analyzer.cli.output import BAD_INPUT, OK, complain, warn
from analyzer.cli.progress import ReadingBar
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import PairingError, Place, SettingsError
from analyzer.pairing.sidecar import pairs_by_group
from analyzer.pairing.words import MALFORMED
from analyzer.safe_text import counted

if TYPE_CHECKING:
    from reports.page.sections import ScoredData

_EPILOG = """\
examples:
  spinal report gold.mrg parsed.mrg --html report.html
  spinal report news=news.gold:news.parsed web=web.gold:web.parsed --html report.html
  spinal report dev.gold dev.parsed --group-by dev.tsv:genre --html report.html
  spinal report gold.mrg parsed.mrg --title "Parser 2, development set" --html out.html

The page is one file that loads nothing: summary, tables that can be sorted and
filtered, plots, and a browser of the errors with their trees. With several data
sets, the first is the reference of the domain split.
"""
_MAX_INSTANCES = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Write everything about a parser's errors as one HTML page."
    parser.epilog = _EPILOG
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="GOLD PARSED | NAME=GOLD:PARSED",
        help="gold and parsed of one data set, or data sets by name",
    )
    parser.add_argument(
        "--html", required=True, metavar="OUT.html", help="the file to write"
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
    options.add_group_options(parser)
    options.add_construction_options(parser)
    options.add_tree_options(parser, binarize="right")
    options.add_input_options(parser)
    group = parser.add_argument_group("output")
    options.add_message_options(group)


def run(args: argparse.Namespace) -> int:
    from reports.page.html import BUDGET, write_page
    from reports.page.sections import report_page

    if args.max_instances < 0:
        raise SettingsError("--max-instances is a number from 0 on", code="E829")
    specs = inputs.pair_or_datasets(args.inputs)
    deriver = inputs.deriver_of(args, specs[0][1])
    files = [path for _, gold, parsed in specs for path in (gold, parsed)]
    bar = ReadingBar(files, quiet=args.quiet)
    try:
        scored = (
            _grouped(args, specs, deriver, bar, BUDGET)
            if args.group_by
            else [
                _scored(args, spec, deriver, bar, BUDGET // len(specs))
                for spec in specs
            ]
        )
    finally:
        bar.close()
    title = args.title or f"Parser errors: {', '.join(name for name, *_ in specs)}"
    page = report_page(scored, title=title, lead=_lead(specs))
    size = write_page(page, args.html)
    if not args.quiet:
        print(f"wrote {args.html} ({size / 1e6:.1f} MB)", file=sys.stderr)
    return _outcome(args, specs, scored)


def _scored(
    args: argparse.Namespace,
    spec: inputs.Dataset,
    deriver: Deriver,
    bar: ReadingBar,
    budget: int,
) -> ScoredData:
    from reports.page.sections import scored_data

    name, gold, parsed = spec
    pairs, surplus = inputs.opened_pairs(args, gold, parsed, deriver, bar.add)
    data = scored_data(name, pairs, deriver, limit=args.max_instances, budget=budget)
    data.scores.surplus = surplus()
    return data


def _grouped(
    args: argparse.Namespace,
    specs: list[inputs.Dataset],
    deriver: Deriver,
    bar: ReadingBar,
    budget: int,
) -> list[ScoredData]:
    """The data sets that a column of a file makes of one."""
    from reports.page.sections import scored_data

    if len(specs) > 1:
        raise SettingsError(
            "--group-by makes data sets of one pair of files, not more", code="E807"
        )
    _, gold, parsed = specs[0]
    pairs, _ = inputs.opened_pairs(args, gold, parsed, deriver, bar.add)
    groups = pairs_by_group(pairs, inputs.groups_of(args.group_by))
    names = list(groups)
    if args.reference is not None and args.reference not in names:
        listed = ", ".join(names)
        raise SettingsError(
            "no data set {reference!r}; there are {listed}",
            code="E830",
            reference=args.reference,
            listed=listed,
        )
    names.sort(key=lambda name: name != args.reference)  # the reference comes first
    return [
        scored_data(
            name,
            iter(groups[name]),
            deriver,
            limit=args.max_instances,
            budget=budget // len(names),
        )
        for name in names
    ]


def _lead(specs: list[inputs.Dataset]) -> str:
    if len(specs) == 1:
        _, gold, parsed = specs[0]
        return f"{parsed} against {gold}"
    return f"{counted(len(specs), 'data set')}; {specs[0][0]} is the reference"


def _outcome(
    args: argparse.Namespace,
    specs: list[inputs.Dataset],
    scored: list[ScoredData],
) -> int:
    """Warnings, and the exit code: the worst of the data sets."""
    code = OK
    files = [(gold, parsed) for _, gold, parsed in specs]
    if args.group_by:
        files *= len(scored)
    for (gold, parsed), data in zip(files, scored, strict=True):
        scores = data.scores
        left_out = scores.tally.left_out
        warn([item.error for item in left_out], args)
        if not scores.tally.scored:
            code = complain(
                PairingError(
                    "nothing could be scored: {scores}",
                    Place(parsed),
                    code="E831",
                    scores=scores.scored_text(),
                )
            )
        if any(scores.surplus):
            surplus = counted(max(scores.surplus), "sentence")
            code = complain(
                PairingError(
                    "{gold_} and {parsed_} differ in length by {surplus}; "
                    "scored the ones they share",
                    code="E832",
                    gold_=gold,
                    parsed_=parsed,
                    surplus=surplus,
                )
            )
        if any(item.reason in MALFORMED for item in left_out):
            code = BAD_INPUT
    return code
