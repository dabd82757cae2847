"""The command `spinal`: the only place that parses arguments and exits."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from analyzer import __version__
from analyzer.cli import streams
from analyzer.cli.arguments import read_and_written
from analyzer.cli.options import limits_of
from analyzer.cli.output import (
    BAD_INPUT,
    INTERRUPTED,
    MESSAGES_SHOWN,
    complain,
    say,
)
from analyzer.cli.subcommands import Parser, PrintCompletion, add_commands, parse
from analyzer.exceptions import (
    AnalyzerError,
    InputWarning,
    LeftOutWarning,
    UnreadWarning,
)
from analyzer.files.atomic import keeping, refuse_input
from analyzer.limits import limited

# What each command does; its module has the same name.
COMMANDS = {
    "score": "scores per construction: head, span, attachment, right edge",
    "derive": "derivation trees, and the score events of a sentence",
    "errors": "the errors of a construction one by one; confusions",
    "repairs": "errors by type (PP attachment, …) as edits, and what each is worth",
    "breakdown": "scores by word, length, governor, distance and more",
    "instances": "every construction as a row, for a DataFrame or a spreadsheet",
    "domains": "data sets side by side, and where the gap comes from",
    "compare": "systems side by side, and which differences are real",
    "agree": "two annotations side by side: agreement, also beyond chance",
    "report": "all of it as one HTML page, with a browser of the errors",
    "rst": "discourse trees: score, convert, show, compare parsers, parse",
    "kernel": "how similar trees are: tree kernels of pairs, matrices, neighbours",
    "discotk": "translations judged by discourse trees; metrics against humans",
    "check": "where a treebank contradicts itself",
    "patterns": "list, check and explain a pattern inventory",
    "evalb": "bracket scores, the same numbers as EVALB's",
    "show": "trees in brackets, drawn in the terminal, or as a picture",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; 0 done, 1 findings, 2 bad usage or unreadable input."""
    streams.prepare()
    try:
        args = parse(_parser(sys.argv[1:] if argv is None else argv), argv)
    except SystemExit as stop:
        return streams.finish(int(stop.code or 0))
    except OSError as error:
        return streams.finish(streams.output_failed(error, 0))
    return streams.finish(_outcome(args))


def _outcome(args: argparse.Namespace) -> int:
    """Run the command; the exit code, after what is to be said about it."""
    try:
        quiet = getattr(args, "quiet", False)
        with (
            limited(limits_of(args)),
            _plain_warnings(args, quiet=quiet) as losses,
            keeping(*read_and_written(args)),
        ):
            for path in read_and_written(args)[1]:
                refuse_input(path)  # before the work, not after it
            code = int(args.run(args))
        return BAD_INPUT if losses else code
    except AnalyzerError as error:
        return complain(error)
    except OSError as error:
        return streams.output_failed(error, 0)
    except MemoryError:
        say("there is not enough memory for this")
        return BAD_INPUT
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED


@contextmanager
def _plain_warnings(
    args: argparse.Namespace, *, quiet: bool
) -> Iterator[list[UnreadWarning]]:
    """What the readers warn of, as the commands' own warnings look; once each.

    Of what is the same for many files (crossing branches, say) ten are shown, unless
    --verbose. Gives the warnings of files that were not read and may have held trees.
    """
    losses: list[UnreadWarning] = []
    told = 0
    most = sys.maxsize if getattr(args, "verbose", False) else MESSAGES_SHOWN

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        nonlocal told
        if isinstance(message, UnreadWarning) and message.is_loss:
            losses.append(message)
        told += not isinstance(message, UnreadWarning)
        if not quiet and (told <= most or isinstance(message, UnreadWarning)):
            say(message)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if quiet else "default", InputWarning)
        warnings.simplefilter("default", UnreadWarning)
        warnings.simplefilter("ignore", LeftOutWarning)  # commands tell themselves
        warnings.showwarning = show
        yield losses
        if told > most and not quiet:
            say(f"… and {told - most:,} more (-v shows all)")


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    parser = Parser(
        prog="spinal", description="Which constructions a parser gets wrong, and how."
    )
    parser.add_argument(
        "--version",
        action="version",
        version=_version(argv),
        help="the version; with -v, also those of Python and libraries",
    )
    parser.add_argument(
        "--completion",
        action=PrintCompletion,
        metavar="SHELL",
        help="the completion script for bash, zsh or fish",
    )
    # Parsers of all commands are for help, and for names that are none.
    asked = argv[0] if argv and argv[0] in COMMANDS else None
    chosen = {asked: COMMANDS[asked]} if asked else COMMANDS
    add_commands(parser, chosen, "analyzer.cli", noun="command")
    return parser


def _version(argv: Sequence[str]) -> str:
    version = f"spinal {__version__}"
    if "--version" not in argv or not {"-v", "--verbose"}.intersection(argv):
        return version
    import numpy as np

    from analyzer.model.kernel.library import CURRENT

    python = ".".join(map(str, sys.version_info[:3]))
    return f"{version}; kernel {CURRENT}; Python {python}; NumPy {np.__version__}"
