"""spinal instances: one row for each construction of gold and of the parser."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from analyzer.analyses.instances import instances
from analyzer.cli import inputs, options, tree_options
from analyzer.cli.output import exit_code, hint_at_labels, warn_of
from analyzer.cli.progress import ReadingBar
from analyzer.cli.streams import put, tell
from analyzer.exceptions import SettingsError

if TYPE_CHECKING:
    from analyzer.analyses.instance_rows import InstanceRows

_EPILOG = """\
examples:
  spinal instances gold.mrg parsed.mrg --format csv >instances.csv
  spinal instances gold.mrg parsed.mrg --construction PP-t --format jsonl
  spinal instances gold.mrg parsed.mrg --format parquet -o instances.parquet

Rows are written while sentences are read, so memory does not limit their number.
docs/instances.md explains the columns.
"""
_FORMATS = ("csv", "tsv", "jsonl", "parquet")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write one row for each construction of gold and of the parser: where it is, "
        "what it attaches to, what matched."
    )
    parser.epilog = _EPILOG
    options.add_pair(parser)
    parser.add_argument(
        "--construction",
        metavar="NAME",
        help="only this construction, and what is confused with it",
    )
    options.add_group_option(parser)
    tree_options.add_construction_options(parser)
    tree_options.add_function_options(parser)
    tree_options.add_tree_options(parser, binarize="right")
    options.add_pairing_options(parser)
    options.add_input_options(parser)
    options.add_jobs_option(parser)
    output = parser.add_argument_group("output")
    output.add_argument(
        "--format", choices=_FORMATS, default="csv", help="(default: csv)"
    )
    output.add_argument(
        "-o", "--output", metavar="FILE", help="write a file (Parquet needs one)"
    )
    options.add_message_options(output)
    options.note_outputs(parser, "output")


def run(args: argparse.Namespace) -> int:
    if args.format == "parquet" and not args.output:
        raise SettingsError("Parquet is written to a file: -o FILE", code="E594")
    with (
        ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar,
        _writer(args) as write,
    ):
        found = instances(
            *inputs.pair_of(args),
            group_by=args.group_by,
            each=write,
            jobs=args.jobs,
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, found.ledger)
    hint_at_labels(args, found.deriver.label_hint)
    if not args.quiet:
        tell(found.ledger.text("looked at"))
        tell(str(found.signature))
    return exit_code(found.ledger, args.gold, args.parsed)


@contextmanager
def _writer(args: argparse.Namespace) -> Iterator[Callable[[InstanceRows], None]]:
    """What writes the rows of a block."""
    from analyzer.files.atomic import replacing
    from reports.instances import instances_text, parquet_writer

    def chosen(rows: InstanceRows) -> InstanceRows:
        return rows.only(args.construction) if args.construction else rows

    with ExitStack() as stack:
        if args.format == "parquet":
            write = stack.enter_context(parquet_writer(args.output))
            yield lambda rows: write(chosen(rows))
            return
        file = stack.enter_context(replacing(args.output)) if args.output else None
        is_first = True

        def write_text(rows: InstanceRows) -> None:
            nonlocal is_first
            text = instances_text(chosen(rows), args.format, with_header=is_first)
            is_first = False
            if file is None:
                put(text, end="")
            else:
                file.write(text.encode("utf-8", "replace"))

        yield write_text
