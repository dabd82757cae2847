"""What comes out: results, what a person is told about them, and exit codes.

Results go to standard output in one format, or to a directory in all of them;
everything else goes to standard error.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from analyzer.cli.streams import json_text, put, put_json, tell
from analyzer.exceptions import AnalyzerError, InputError, PairingError
from analyzer.files.atomic import STDOUT
from analyzer.safe_text import visible_lines

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from analyzer.analyses.generated import GeneratedTrees
    from analyzer.pairing.ledger import Ledger
    from analyzer.transform.label_hints import LabelHint
    from reports.model import Table

Sides = tuple[str, str]
SIDES: Sides = ("gold", "parsed")
Plots = Callable[[], Mapping[str, "Figure"]]

OK, FINDINGS, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

MESSAGES_SHOWN = 10
_NARROW = 80

# -- messages ----------------------------------------------------------------------


def say(message: object) -> None:
    """Print one message to standard error."""
    tell(f"spinal: {message}")


def warn(messages: Iterable[object], args: argparse.Namespace) -> None:
    """Print warnings to standard error, the first ten unless --verbose."""
    if args.quiet:
        return
    listed = list(messages)  # made into text only if they are shown
    shown = listed if args.verbose else listed[:MESSAGES_SHOWN]
    for message in shown:
        say(message)
    if len(listed) > len(shown):
        say(f"… and {len(listed) - len(shown):,} more (-v shows all)")


def complain(error: AnalyzerError) -> int:
    """Print what is wrong; the exit code for it."""
    say(error)
    return BAD_INPUT


def warn_of(args: argparse.Namespace, *ledgers: Ledger, sides: Sides = SIDES) -> None:
    """Print why things were left out, each once, as warnings."""
    if args.quiet:
        return
    errors = [
        item.error.with_sides(*sides) if sides != SIDES else item.error
        for ledger in ledgers
        for item in ledger.items
        # Readers warn of files themselves.
        if not item.is_surplus and not isinstance(item.error, InputError)
    ]
    warn(dict.fromkeys(errors), args)


def hint_at_labels(args: argparse.Namespace, hint: LabelHint | None) -> None:
    """Tell whose labels the trees seem to have, if another inventory suits them."""
    warn([hint] if hint else [], args)


def exit_code(
    ledger: Ledger,
    gold: str,
    parsed: str,
    *,
    has_findings: bool = False,
    may_be_short: bool = False,
    verb: str = "scored",
) -> int:
    """What a command exits with; what is not obvious from its output is told.

    2: something could not be read, one side is short (unless that is expected), or
    nothing could be scored. 1: a check found something. 0: all else.
    """
    if failure := ledger.failure(gold, parsed, verb):
        return complain(failure)
    if error := ledger.lengths_differ:
        return complain(
            PairingError(
                "{message}; {verb} the ones they share",
                code="E828",
                message=error.message,
                verb=verb,
            )
        )
    reasons = {item.reason for item in ledger.items}
    is_short = any(reason.is_surplus for reason in reasons) and not may_be_short
    if is_short or any(reason.is_bad_input for reason in reasons):
        return BAD_INPUT
    return FINDINGS if has_findings else OK


def generated_tables(
    args: argparse.Namespace, found: GeneratedTrees | None
) -> list[Table]:
    """What is wrong with generated trees, if that is known; mends are told of."""
    if found is None:
        return []
    from reports.tables.generated import generated_table

    warn(found.told(), args)
    return [generated_table(found)]


# -- results -----------------------------------------------------------------------


def emit(
    args: argparse.Namespace,
    tables: Sequence[Table],
    data: Any,
    *,
    plots: Plots | None = None,
    words: Sequence[str] = (),
    main: Table | None = None,
    text: str | None = None,
) -> None:
    """Print the result; with --output, write all tables and plots as well.

    `data` is what JSON is made of, or a function that gives it: with thousands of
    sentences left out it takes time. `words` are paragraphs that stand before the
    tables where people read; `main` is the one table of a CSV or TSV, if not the last,
    and may be one of its own; `text` is printed as it is, in a format of the command's
    own.
    """
    from pathlib import Path

    from reports.render import render

    if callable(data) and (args.format == "json" or getattr(args, "output", None)):
        data = data()
    if getattr(args, "output", None):
        is_apart = main is not None and main.name not in {one.name for one in tables}
        written = [*tables, main] if main and is_apart else tables
        write_all(Path(args.output), written, data, plots=plots, words=words)
    if text is not None:
        put(text)
        return
    if args.format == "json":
        put_json(data)
        return
    if args.format in ("text", "markdown"):
        for paragraph in words:
            put(f"{paragraph}\n")
    if args.format in ("csv", "tsv"):  # one table a file
        tables = [main or tables[-1]] if tables else []
    put("\n".join(render(table, args.format) for table in tables), end="")


def write_all(
    folder: Path,
    tables: Sequence[Table],
    data: Any,
    *,
    plots: Plots | None = None,
    words: Sequence[str] = (),
) -> None:
    """Every table in every format, the data as JSON, every plot as SVG, PNG, PDF."""
    from analyzer.files.atomic import make_folder, write_text
    from reports.render import FORMATS, render

    make_folder(folder)
    written = []
    names = file_names([table.name for table in tables])
    for table, name in zip(tables, names, strict=True):
        for form, table_format in FORMATS.items():
            path = folder / f"{name}.{table_format.ending}"
            write_text(path, render(table, form))
            written.append(path)
    write_text(folder / "data.json", json_text(data))
    written.append(folder / "data.json")
    if words:
        paragraphs = visible_lines("\n\n".join(words))
        write_text(folder / "summary.txt", paragraphs + "\n")
        written.append(folder / "summary.txt")
    if plots is not None:
        written += _write_plots(folder, plots)
    tell(f"wrote {len(written)} files to {folder}")


def _write_plots(folder: Path, plots: Plots) -> list[Path]:
    from reports.plots.files import IMAGE_FORMATS, save_figure

    written = []
    figures = plots()
    for name, figure in zip(file_names(list(figures)), figures.values(), strict=True):
        for ending in IMAGE_FORMATS:
            path = folder / f"{name}.{ending}"
            save_figure(figure, path)
            written.append(path)
    return written


def file_names(names: Sequence[str]) -> list[str]:
    """For each name one that every file system takes, and no other has.

    >>> file_names(["gap_web/forum", "gap_web forum", "Gap_web-forum"])
    ['gap_web-forum', 'gap_web-forum-2', 'Gap_web-forum-3']
    """
    taken: set[str] = set()
    found = []
    for name in names:
        plain = re.sub(r"[^\w.-]+", "-", name).strip("-") or "table"
        numbers = (f"{plain}-{number}" for number in count(2))
        # Some file systems do not tell small letters from capitals.
        free = (one for one in chain([plain], numbers) if one.lower() not in taken)
        found.append(next(free))
        taken.add(found[-1].lower())
    return found


# -- drawings ----------------------------------------------------------------------


def uses_color(choice: str) -> bool:
    """Whether to colour standard output: asked for, or a terminal that wants it."""
    if choice == "auto":
        is_plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
        return sys.stdout.isatty() and not is_plain
    return choice == "always"


def terminal_width(given: int | None) -> int:
    """Columns to draw in."""
    import shutil

    return given or shutil.get_terminal_size((_NARROW, 24)).columns


def write_svg(svg: str, path: str, number: int | str, *, several: bool) -> None:
    """Write a picture; one of several gets its sentence's number in its name."""
    from pathlib import Path

    from analyzer.files.atomic import write_text

    if path == STDOUT:
        write_text(STDOUT, svg)
        return
    target = Path(path)
    if several:
        target = target.with_name(f"{target.stem}-{number}{target.suffix or '.svg'}")
    write_text(target, svg)
    tell(f"wrote {target}")
