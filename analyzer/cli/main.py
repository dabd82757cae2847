"""The command `spinal`: the only place that parses arguments and exits."""

from __future__ import annotations

import argparse
import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from analyzer import __version__
from analyzer.cli.options import limits_of
from analyzer.cli.output import BAD_INPUT, INTERRUPTED, complain, say
from analyzer.cli.subcommands import add_commands, parse
from analyzer.exceptions import AnalyzerError, InputWarning
from analyzer.limits import limited

# What each command does; its module has the same name.
COMMANDS = {
    "score": "scores per construction: head, span, attachment, right edge",
    "derive": "derivation trees, and the score events of a sentence",
    "errors": "the errors of a construction one by one; confusions",
    "domains": "data sets side by side, and where the gap comes from",
    "compare": "systems side by side, and which differences are real",
    "agree": "two annotations side by side: agreement, also beyond chance",
    "report": "all of it as one HTML page, with a browser of the errors",
    "rst": "discourse trees: score, convert, show, compare parsers",
    "kernel": "how alike trees are: tree kernels of pairs, matrices, neighbours",
    "discotk": "translations judged by discourse trees; metrics against humans",
    "check": "where a treebank contradicts itself",
    "patterns": "list, check and explain a pattern inventory",
    "evalb": "bracket scores, number for number those of EVALB",
    "show": "trees in brackets, drawn in the terminal, or as a picture",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; 0 done, 1 findings, 2 bad usage or unreadable input."""
    try:
        args = parse(_parser(), argv)
    except SystemExit as stop:
        return _flushed(int(stop.code or 0))
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Box characters on a terminal that has none become '?', not a crash.
        sys.stdout.reconfigure(errors="replace")
    return _flushed(_outcome(args))


def _outcome(args: argparse.Namespace) -> int:
    """Run the command; the exit code, after what is to be said about it."""
    try:
        quiet = getattr(args, "quiet", False)
        with limited(limits_of(args)), _plain_warnings(quiet=quiet):
            return int(args.run(args))
    except AnalyzerError as error:
        return complain(error)
    except OSError as error:
        return _output_failed(error, 0)
    except MemoryError:
        say("there is not enough memory for this")
        return BAD_INPUT
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED


@contextmanager
def _plain_warnings(*, quiet: bool) -> Iterator[None]:
    """What the readers warn of, as the commands' own warnings look; once each."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        say(message)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if quiet else "default", InputWarning)
        warnings.showwarning = show
        yield


def _flushed(code: int) -> int:
    """The exit code; bad if the last of the output could not be written."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        return _output_failed(error, code)
    return code


def _output_failed(error: OSError, code: int) -> int:
    """Files that cannot be read or written are reported where they are: what is left
    is standard output."""
    # Python must not try to flush again as it exits.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        # The reader of our output went away (`| head`): no reason to complain.
        return code
    say(f"{error.filename or 'standard output'}: cannot be written: {error.strerror}")
    return code or BAD_INPUT


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="spinal",
        description="Which constructions a parser gets wrong, and how.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"spinal {__version__}")
    add_commands(parser, COMMANDS, "analyzer.cli", noun="command")
    return parser
