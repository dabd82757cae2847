"""spinal instances: one row for each construction of gold and of the parser."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from analyzer.analyses.compared import texts_of
from analyzer.analyses.errors import require_construction
from analyzer.analyses.instances import instances
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, command
from analyzer.cli.output import exit_code, say, warn_of
from analyzer.cli.progress import ReadingBar
from analyzer.cli.streams import put, tell
from analyzer.exceptions import SettingsError

if TYPE_CHECKING:
    from analyzer.analyses.instances import InstanceRows


@command(
    *options.PAIR,
    Option("--construction NAME  only this construction, and what is confused with it"),
    options.GROUP_BY,
    options.TRAIN,
    *options.compared_trees(),
    options.JOBS,
    Group(
        "output",
        Option("--format {csv,tsv,jsonl,parquet}  (default: csv)", default="csv"),
        Option("-o --output FILE  write a file (Parquet needs one)", is_output=True),
        *options.MESSAGES,
    ),
)
def run_instances(args: Namespace) -> int:
    """Write one row for each construction of gold and of the parser: where it is, what
    it attaches to, what matched.

    examples:
      spinal instances gold.mrg parsed.mrg --format csv >instances.csv
      spinal instances gold.mrg parsed.mrg --construction PP-t --format jsonl
      spinal instances gold.mrg parsed.mrg --format parquet -o instances.parquet
      spinal instances gold.mrg parsed.mrg --train train.mrg >instances.csv

    Rows are written while sentences are read, so memory does not limit their number.
    docs/instances.md explains the columns.
    """
    if args.format == "parquet" and not args.output:
        raise SettingsError("E594 Parquet is written to a file")
    occurring: set[str] = set()
    with (
        ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar,
        _writer(args, occurring) as write,
    ):
        result = instances(
            *inputs.pair_of(args),
            train=inputs.input_of(args, args.train) if args.train else None,
            group_by=args.group_by,
            each=write,
            jobs=args.jobs,
            **inputs.scoring_options(args, bar),
        )
        if args.construction:
            require_construction(args.construction, result.deriver, occurring)
    warn_of(args, result.ledger, hint=result.label_hint)
    if args.quiet:  # rows have no room for it
        for note in result.notes:
            if note not in texts_of(result.label_hint):
                say(note)
    else:
        tell(result.scored_text())
        tell(str(result.signature))
    return exit_code(result.ledger, args.gold, args.parsed)


@contextmanager
def _writer(
    args: Namespace, occurring: set[str]
) -> Iterator[Callable[[InstanceRows], None]]:
    """What writes the rows of a block; `occurring` gets the names of constructions."""
    from analyzer.analyses.instances import COLUMNS, KNOWN
    from analyzer.files.atomic import replacing
    from reports.instances import instances_text, parquet_writer

    def chosen(rows: InstanceRows) -> InstanceRows:
        if not args.construction:
            return rows
        occurring.update(rows.columns["construction"].values)
        return rows.only(args.construction)

    columns = [*COLUMNS, *(KNOWN if args.train else ())]
    with ExitStack() as stack:
        if args.format == "parquet":
            write = stack.enter_context(parquet_writer(args.output, columns))
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
