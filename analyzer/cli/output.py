"""What comes out: results, what a person is told about them, and exit codes.

Results go to standard output in one format, or to a directory in all of them;
everything else goes to standard error.
"""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from analyzer.cli.options import ONE_TABLE
from analyzer.cli.streams import json_text, put, put_json, tell
from analyzer.exceptions import AnalyzerError, InputError, PairingError
from analyzer.files.atomic import STDOUT
from analyzer.safe_text import visible_lines

if TYPE_CHECKING:
    from analyzer.pairing.ledger import Ledger
    from analyzer.transform.labels import LabelHint
    from reports.drawing.latex import Picture
    from reports.model import Table, View

Sides = tuple[str, str]
SIDES: Sides = ("gold", "parsed")

OK, FINDINGS, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

MESSAGES_SHOWN = 10
_NARROW = 80

# -- messages ----------------------------------------------------------------------


def say(message: object) -> None:
    """Print one message to standard error."""
    tell(f"spinal: {message}")


def warn(messages: Iterable[object], args: Namespace) -> None:
    """Print warnings to standard error, the first ten unless --verbose."""
    if args.quiet:
        return
    given = list(messages)  # made into text only if they are shown
    shown = given if getattr(args, "verbose", False) else given[:MESSAGES_SHOWN]
    for message in shown:
        say(message)
        args.shown.add(str(message))
    if len(given) > len(shown):
        say(f"… and {len(given) - len(shown):,} more (-v shows all)")


def listed(messages: Sequence[object]) -> list[str]:
    """The first ten messages as texts, and how many more there are."""
    shown = [str(message) for message in messages[:MESSAGES_SHOWN]]
    more = len(messages) - len(shown)
    return [*shown, f"… and {more:,} more"] if more else shown


def note(messages: Iterable[object], args: Namespace) -> None:
    """Warn of what changes the meaning of the result, which will say it, too.

    With --quiet, a command that prints no such result says it at its end.
    """
    texts = list(messages)
    warn(texts, args)
    args.notes += texts


def warner(args: Namespace) -> Callable[[str], None]:
    """What prints a warning, for whoever finds one."""
    return lambda message: warn([message], args)


def complain(error: AnalyzerError) -> int:
    """Print what is wrong; the exit code for it."""
    say(error)
    return BAD_INPUT


_TEXT_AROUND = "E216"  # words that are not in a bracket
_MEND = (
    "there is text around the trees: if they are in a language model's answers, "
    "--mend takes them out of it"
)


def warn_of(
    args: Namespace,
    *ledgers: Ledger,
    sides: Sides = SIDES,
    hint: LabelHint | None = None,
) -> None:
    """Print why things were left out, each once, as warnings.

    With a hint, also whose labels the trees seem to have, if another inventory suits
    them.
    """
    if args.quiet:
        return
    errors = [
        item.error.with_sides(*sides) if sides != SIDES else item.error
        for ledger in ledgers
        for item in ledger.items
        # Readers warn of files themselves.
        if not item.is_surplus and not isinstance(item.error, InputError)
    ]
    shifts = [
        ledger.out_of_step.with_sides(*sides)
        for ledger in ledgers
        if ledger.out_of_step
    ]
    if any(error.code == "E211" for error in errors):
        from analyzer.files.encodings import once_a_file

        errors = list(once_a_file(errors).values())
    warn(dict.fromkeys([*shifts, *errors]), args)
    codes = {error.code for error in errors}
    if _TEXT_AROUND in codes and not getattr(args, "mend", True):
        warn([_MEND], args)
    warn([hint] if hint else [], args)


def exit_code(
    ledger: Ledger,
    gold: str,
    parsed: str,
    *,
    has_findings: bool = False,
    verb: str = "scored",
    sides: Sides = SIDES,
) -> int:
    """What a command exits with; what is not obvious from its output is told.

    2: something could not be read, one side is short (unless sentences were paired by
    their text), or nothing could be scored. 1: a check found something. 0: all else.
    """
    if failure := ledger.failure(gold, parsed, verb, sides):
        return complain(failure)
    if error := ledger.lengths_differ:
        return complain(
            PairingError("E828 the ones they share", message=error.message, verb=verb)
        )
    reasons = {item.reason for item in ledger.items}
    is_short = any(reason.is_surplus for reason in reasons) and not ledger.paired_by
    if is_short or any(reason.is_bad_input for reason in reasons):
        return BAD_INPUT
    return FINDINGS if has_findings else OK


# -- results -----------------------------------------------------------------------


def emit(args: Namespace, result: object, **options: object) -> None:
    """Print a result as its view shows it; with --output, write all of it as well.

    It may be a view itself. The options are those of the view: which tables, which
    rows. What changes the meaning of its numbers is said with them, or, where the
    format has no room for it, to standard error; --quiet or not.
    """
    from reports.model import View
    from reports.render import folded, render
    from reports.views import view_of

    view = result if isinstance(result, View) else view_of(result, **options)
    view = view.with_notes(listed(args.notes))
    args.notes.clear()
    output = getattr(args, "output", None)
    data = view.data() if output or args.format == "json" else None
    if isinstance(data, dict):
        from reports.schemas import schema_name

        command = args.command_parser.prog.removeprefix("spinal ")
        data = {"schema": schema_name(command), **data}
    if output:
        _write_all(output, view, data, dark=getattr(args, "dark", False))
    tables = view.tables
    if args.format in ONE_TABLE:
        tables = [view.main or tables[-1]] if tables else []
        _say_beside(args, view, tables)
    elif view.text is not None:
        _say_beside(args, view)
    if view.text is not None:
        put(folded(view.text, terminal_width(args) if args.format == "text" else None))
        return
    if args.format == "json":
        put_json(data)
        return
    width = terminal_width()
    color = args.format == "text" and wants_color()
    if args.format in ("text", "markdown"):
        for paragraph in view.words:
            put(f"{folded(paragraph, width)}\n")
    fitted = terminal_width(args)
    texts = [render(table, args.format, fitted, color) for table in tables]
    put("\n".join(texts), end="", color=color)


def _say_beside(args: Namespace, view: View, tables: Sequence[Table] = ()) -> None:
    """Say what a format has no place for: notes, and that a part is not the whole."""
    cuts = [replace(table, notes=()).all_notes[0] for table in tables if table.cut]
    for message in (*view.notes, *cuts):
        if message not in args.shown:
            say(message)


def _write_all(output: str, view: View, data: Any, *, dark: bool) -> None:
    """Every table in every format, the data as JSON, every plot as SVG, PNG, PDF."""
    from pathlib import Path

    from analyzer.files.atomic import make_folder, write_text
    from reports.render import FORMATS, render

    folder = Path(output)
    make_folder(folder)
    tables, written = [*view.tables, *view.files], []
    if view.main and view.main.name not in {table.name for table in tables}:
        tables.append(view.main)
    names = file_names([table.name for table in tables])
    for table, name in zip(tables, names, strict=True):
        for form, table_format in FORMATS.items():
            path = folder / f"{name}.{table_format.ending}"
            write_text(path, render(table, form))
            written.append(path)
    write_text(folder / "data.json", json_text(data))
    written.append(folder / "data.json")
    if view.words:
        paragraphs = visible_lines("\n\n".join(view.words))
        write_text(folder / "summary.txt", paragraphs + "\n")
        written.append(folder / "summary.txt")
    if view.plots is not None:
        from reports.plots.files import IMAGE_FORMATS, save_figure
        from reports.plots.style import darken

        figures = view.plots()
        if dark:
            figures = {name: darken(figure) for name, figure in figures.items()}
        for name, figure in zip(file_names([*figures]), figures.values(), strict=True):
            for ending in IMAGE_FORMATS:
                path = folder / f"{name}.{ending}"
                save_figure(figure, path)
                written.append(path)
    tell(f"wrote {len(written)} files to {folder}")


def file_names(names: Sequence[str]) -> list[str]:
    """For each name one that every file system takes, and no other has.

    >>> file_names(["gap_web/forum", "gap_web forum", "Gap_web-forum"])
    ['gap_web-forum', 'gap_web-forum-2', 'Gap_web-forum-3']
    """
    taken: set[str] = set()
    chosen = []
    for name in names:
        plain = re.sub(r"[^\w.-]+", "-", name).strip("-") or "table"
        numbers = (f"{plain}-{number}" for number in count(2))
        # Some file systems do not tell small letters from capitals.
        free = (
            candidate
            for candidate in chain([plain], numbers)
            if candidate.lower() not in taken
        )
        chosen.append(next(free))
        taken.add(chosen[-1].lower())
    return chosen


# -- drawings ----------------------------------------------------------------------


def terminal_width(args: Namespace | None = None) -> int | None:
    """Columns that a table may take; None where no terminal breaks lines, or --wide."""
    import shutil

    is_narrow = sys.stdout.isatty() and not getattr(args, "wide", False)
    return shutil.get_terminal_size().columns if is_narrow else None


def wants_color() -> bool:
    """Whether colours are wanted: by a terminal, unless NO_COLOR, or by FORCE_COLOR."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def width_and_color(args: Namespace) -> tuple[int, bool]:
    """Columns to draw in, and whether in colour: asked for, or a terminal wants it."""
    import shutil

    is_colored = wants_color() if args.color == "auto" else args.color == "always"
    return args.width or shutil.get_terminal_size((_NARROW, 24)).columns, is_colored


def save_picture(
    picture: Picture, path: str, number: int | str, *, several: bool
) -> None:
    """Write a picture; one of several gets its sentence's number in its name."""
    from pathlib import Path

    from analyzer.files.atomic import write_text
    from reports.pictures import write_picture

    if path == STDOUT:
        write_text(STDOUT, picture.svg)
        return
    target = Path(path)
    if several:
        target = target.with_name(f"{target.stem}-{number}{target.suffix or '.svg'}")
    write_picture(picture, target)
    tell(f"wrote {target}")
