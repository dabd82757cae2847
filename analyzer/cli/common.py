"""What the commands share: options, progress, warnings, colour."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from analyzer.cli.limiting import add_limit_options
from analyzer.cli.messages import say
from analyzer.exceptions import (
    AnalyzerError,
    PairingError,
    SettingsError,
)
from analyzer.files.atomic import write_text
from analyzer.files.sources import STDIN, files_of
from analyzer.runtime.executor import Workplace

OK, FINDINGS, BAD_INPUT = 0, 1, 2

_MESSAGES_SHOWN = 10
_SECONDS_BEFORE_PROGRESS = 1.0
_SECONDS_BETWEEN_UPDATES = 0.1
_BAR_WIDTH = 24
_LARGEST_RANGE = 1_000_000
_NARROW = 80


def add_actions(
    parser: argparse.ArgumentParser, summaries: Mapping[str, str], command: str
) -> None:
    """The actions of a command, each a module `COMMAND_ACTION` of its own."""
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", required=True, title="actions"
    )
    for name, summary in summaries.items():
        action = actions.add_parser(
            name,
            help=summary,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module = import_module(f"analyzer.cli.{command}.{name}")
        module.add_arguments(action)
        add_limit_options(action)
        action.set_defaults(run_action=module.run)


def add_pair(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("gold", metavar="GOLD")
    parser.add_argument("parsed", metavar="PARSED")


def add_sentences(parser: argparse.ArgumentParser) -> None:
    """One file or two, and sentences of them; see `files_and_numbers`."""
    parser.add_argument(
        "what",
        nargs="+",
        metavar="FILE [FILE] [N ...]",
        help="one file or two (gold, parsed), then sentence numbers or ranges",
    )


def add_input_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("input")
    group.add_argument(
        "--encoding", default="utf-8", help="encoding of the files (default: utf-8)"
    )
    group.add_argument(
        "--strict", action="store_true", help="stop at the first malformed tree"
    )


def add_jobs_option(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup,
) -> None:
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="processes to share the work (default: one for each processor if the "
        "input is worth it); the numbers are the same",
    )


def add_work_options(
    parser: argparse.ArgumentParser, *, checkpoint: bool = True
) -> None:
    """Where the work is done, for commands whose input is scored in pieces."""
    group = parser.add_argument_group("work")
    add_jobs_option(group)
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="a Dask scheduler whose workers share the work, as tcp://host:8786; files "
        "must be where they see them (see docs/cluster.md)",
    )
    if not checkpoint:
        parser.set_defaults(checkpoint=None)
        return
    group.add_argument(
        "--checkpoint",
        metavar="DIR",
        help="keep the counts of finished pieces here; a run that was stopped goes on "
        "from them",
    )


def workplace(args: argparse.Namespace) -> Workplace:
    """Where the work is done, by the options of `add_work_options`."""
    if args.cluster and args.jobs is not None:
        raise SettingsError("--jobs is for this machine, --cluster for others")
    checkpoint = None
    if args.checkpoint:
        from analyzer.runtime.checkpoints import Checkpoint

        checkpoint = Checkpoint(args.checkpoint, lambda text: warn([text], args))
    return Workplace(args.jobs, args.cluster, checkpoint)


def add_output_options(parser: argparse.ArgumentParser, formats: Sequence[str]) -> None:
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        choices=formats,
        default="text",
        metavar="FORMAT",
        help=f"one of {', '.join(formats)} (default: text)",
    )
    group.add_argument(
        "--output",
        metavar="DIR",
        help="write all tables, in all formats, and all plots into a directory too",
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", help="no progress, no warnings"
    )
    group.add_argument(
        "-v", "--verbose", action="store_true", help="all warnings, not just ten"
    )


def warn(messages: Iterable[object], args: argparse.Namespace) -> None:
    """Warnings to standard error, the first ten unless --verbose."""
    if args.quiet:
        return
    listed = [str(message) for message in messages]
    shown = listed if args.verbose else listed[:_MESSAGES_SHOWN]
    for message in shown:
        say(message)
    if len(listed) > len(shown):
        say(f"… and {len(listed) - len(shown):,} more (-v shows all)")


def lengths_differ(error: PairingError) -> PairingError:
    return PairingError(f"{error.message}; scored the ones they share")


def complain(error: AnalyzerError) -> int:
    say(error)
    return BAD_INPUT


def uses_color(choice: str) -> bool:
    """Whether to colour standard output: asked for, or a terminal that wants it."""
    if choice == "auto":
        return sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return choice == "always"


_NUMBERS = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")


def files_and_numbers(items: Sequence[str]) -> tuple[list[str], set[int]]:
    """Arguments told apart: files, and sentence numbers or ranges (`3 7-9`)."""
    files = [item for item in items if not _NUMBERS.fullmatch(item)]
    numbers: set[int] = set()
    for item in items:
        if found := _NUMBERS.fullmatch(item):
            first, last = int(found[1]), int(found[2] or found[1])
            if not 0 <= last - first < _LARGEST_RANGE:
                raise SettingsError(f"{item} is no range of sentences")
            numbers.update(range(first, last + 1))
    if len(files) not in (1, 2):
        raise SettingsError(f"one file or two, please; found {len(files)}: {files}")
    return files, numbers


def terminal_width(given: int | None) -> int:
    return given or shutil.get_terminal_size((_NARROW, 24)).columns


def write_svg(svg: str, path: str, number: int, *, several: bool) -> None:
    """Write a picture; one of several gets its sentence's number in its name."""
    target = Path(path)
    if several:
        target = target.with_name(f"{target.stem}-{number}{target.suffix or '.svg'}")
    write_text(target, svg)
    print(f"wrote {target}", file=sys.stderr)


def add_drawing_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--svg", metavar="OUT", help="write a picture, not text")
    parser.add_argument(
        "--width", type=int, metavar="N", help="columns to draw in (default: terminal)"
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


# The colon between two files; not that of a URL, nor the one before its port.
_BEFORE_URL = re.compile(r":(?=\w[\w+.-]*://)")
_BETWEEN_FILES = re.compile(r":(?!//|\d+/)")


def dataset_spec(text: str) -> tuple[str, str, str]:
    """NAME=GOLD:PARSED, taken apart.

    >>> dataset_spec("web=web.gold.mrg:web.parsed.mrg")
    ('web', 'web.gold.mrg', 'web.parsed.mrg')
    >>> dataset_spec("web=https://host:80/gold.mrg:s3://bucket/*.mrg")
    ('web', 'https://host:80/gold.mrg', 's3://bucket/*.mrg')
    """
    name, equals, files = text.partition("=")
    colon = _BEFORE_URL.search(files) or _BETWEEN_FILES.search(files)
    gold, parsed = (files[: colon.start()], files[colon.end() :]) if colon else ("", "")
    if not (equals and name and gold and parsed):
        raise SettingsError(
            f"cannot read the data set {text!r}; expected NAME=GOLD:PARSED, such as "
            "news=news.gold.mrg:news.parsed.mrg"
        )
    return name, gold, parsed


class StepBar:
    """A bar on standard error, if that is a terminal and the work takes a while."""

    def __init__(self, total: int, what: str, *, quiet: bool) -> None:
        self._is_on = sys.stderr.isatty() and not quiet
        self._total = total
        self._what = what
        self._done = 0
        self._started = self._updated = time.monotonic()
        self._was_shown = False

    def add(self, steps: int) -> None:
        self._done += steps
        now = time.monotonic()
        if (
            not self._is_on
            or now - self._started < _SECONDS_BEFORE_PROGRESS
            or now - self._updated < _SECONDS_BETWEEN_UPDATES
        ):
            return
        self._updated = now
        self._was_shown = True
        text = self._amount()
        if self._total:
            # Compressed files hold more than their size says.
            share = min(1.0, self._done / self._total)
            bar = "█" * round(share * _BAR_WIDTH)
            text = f"{bar:░<{_BAR_WIDTH}} {share:4.0%}  {text}"
        print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)

    def _amount(self) -> str:
        return self._what

    def close(self) -> None:
        if self._was_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._was_shown = False


class ProgressBar(StepBar):
    """Progress in reading files."""

    def __init__(self, specs: Sequence[str], *, quiet: bool) -> None:
        super().__init__(0, "read", quiet=quiet)
        if self._is_on and STDIN not in specs:
            with suppress(AnalyzerError, OSError):
                self._total = sum(
                    os.path.getsize(path) for spec in specs for path in files_of(spec)
                )

    def _amount(self) -> str:
        return f"{self._what} {self._done / 1e6:,.0f} MB"
