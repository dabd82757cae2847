"""The command `spinal`: the only place that parses arguments and exits."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from analyzer import __version__
from analyzer.cli import parsers, streams
from analyzer.cli.output import (
    BAD_INPUT,
    INTERRUPTED,
    MESSAGES_SHOWN,
    complain,
    listed,
    say,
)
from analyzer.cli.parsers import Entry, Parser, parse
from analyzer.exceptions import (
    AnalyzerError,
    InputWarning,
    LeftOutWarning,
    UnreadWarning,
    for_commands,
)
from analyzer.files.atomic import keeping, refuse_input
from analyzer.limits import limited

# What each command does; its module has the same name, if none is given.
COMMANDS: dict[str, Entry] = {
    "score": Entry("scores per construction: head, span, attachment, right edge"),
    "derive": Entry("derivation trees, and the score events of a sentence"),
    "errors": Entry("the errors of a construction one by one; confusions"),
    "repairs": Entry(
        "errors by type (PP attachment, …) as edits, and what each is worth"
    ),
    "breakdown": Entry("scores by word, length, governor, distance and more"),
    "instances": Entry("every construction as a row, for a DataFrame or a spreadsheet"),
    "domains": Entry("data sets side by side, and where the gap comes from"),
    "generalise": Entry("what a parser has learnt, what it generalises, what it loses"),
    "compare": Entry("systems side by side, and which differences are real"),
    "agree": Entry("two annotations side by side: agreement, also beyond chance"),
    "report": Entry("all of it as one HTML page, with a browser of the errors"),
    "rst": Entry(
        "discourse trees: score, convert, show, compare parsers, parse",
        family="Score, convert, show and parse discourse trees (RST).",
    ),
    "rst score": Entry(
        "every metric of Morey, Muller and Asher (2017, 2018)", "rst_scores"
    ),
    "rst convert": Entry(
        "between formats, and between constituents and dependencies", "rst_trees"
    ),
    "rst similarity": Entry(
        "how similar parsers are: tables, heat map, dendrogram", "rst_scores"
    ),
    "rst ambiguity": Entry(
        "how many constituent trees fit a dependency tree", "rst_trees"
    ),
    "rst show": Entry("trees drawn in the terminal or as pictures", "rst_trees"),
    "rst train": Entry("a discourse parser from trees", "rst_parser"),
    "rst parse": Entry(
        "texts into discourse trees, with a trained parser", "rst_parser"
    ),
    "rst segment": Entry("texts into elementary discourse units", "rst_parser"),
    "kernel": Entry(
        "how similar trees are: tree kernels of pairs, matrices, neighbours"
    ),
    "discotk": Entry(
        "translations judged by discourse trees; metrics against humans",
        family="DiscoTK (Joty et al. 2014): translations by discourse trees.",
    ),
    "discotk represent": Entry("discourse trees in the five representations"),
    "discotk score": Entry(
        "kernel scores of translations; DiscoTK-light, -party, tuned"
    ),
    "discotk tune": Entry("weights of metrics, learned from human rankings"),
    "discotk correlate": Entry(
        "Kendall's tau as WMT counts it; Spearman, Pearson; intervals"
    ),
    "find": Entry("where trees have what a query describes, as tgrep and tregex do"),
    "check": Entry("where a treebank contradicts itself"),
    "patterns": Entry("list, check, explain or draft a pattern inventory"),
    "evalb": Entry("bracket scores, the same numbers as EVALB's"),
    "show": Entry("trees in brackets, drawn in the terminal, or as a picture"),
    "schema": Entry("what the JSON of a command contains, as JSON Schema"),
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


@for_commands()
def _outcome(args: argparse.Namespace) -> int:
    """Run the command; the exit code, after what is to be said about it."""
    try:
        read, written = _read_and_written(args)
        with (
            limited(parsers.limits_of(args)),
            _plain_warnings(args) as losses,
            keeping(read, written),
        ):
            for path in written:
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


def _read_and_written(args: argparse.Namespace) -> tuple[list[str], list[str]]:
    """All files and folders that arguments may name, and those that are outputs.

    What is read may stand in a longer argument: NAME=GOLD:PARSED, FILE.tsv:COLUMN.
    """
    outputs = getattr(args, "outputs", ())
    written = [getattr(args, name) for name in outputs if getattr(args, name)]
    read = []
    for name, is_setting in getattr(args, "sources", {}).items():
        value = getattr(args, name)
        for text in value if isinstance(value, list) else [value]:
            # `--relations gum` reads no file, even if there is one of that name.
            if isinstance(text, str) and not (is_setting and _is_built_in(text)):
                read += _paths_in(text)
    return read, written


def _is_built_in(name: str) -> bool:
    """Whether options take a name for something that is built in, not for a file."""
    import patterns
    from analyzer.transform.parameters import BUILT_IN
    from analyzer.transform.relations import COARSE, FINE

    endings = (".relmap", ".pat", ".labels")
    is_known = name in BUILT_IN or name in (FINE, COARSE)
    return is_known or any(patterns.text(name + end) for end in endings)


def _paths_in(text: str) -> list[str]:
    import glob

    from analyzer.cli.inputs import two_files

    parts = {text, text.partition("=")[2]}
    parts |= {file for part in parts for file in (*two_files(part), *part.split(":"))}
    paths = [part for part in parts if part and os.path.exists(part)]
    for part in parts:
        if glob.has_magic(part):
            paths += glob.glob(part, recursive=True)
    return paths


@contextmanager
def _plain_warnings(args: argparse.Namespace) -> Iterator[list[UnreadWarning]]:
    """What the readers warn of, as the commands' own warnings look; once each.

    Of what is the same for many files (crossing branches, say) ten are shown, unless
    --verbose. Gives the warnings of files that were not read and may have held trees.
    What changes the meaning of numbers is kept in `args.notes`, also if it is not
    shown: it is said with the results.
    """
    losses: list[UnreadWarning] = []
    count = 0
    notes: list[InputWarning] = []
    args.notes, args.shown = notes, set()
    quiet = getattr(args, "quiet", False)
    most = sys.maxsize if getattr(args, "verbose", False) else MESSAGES_SHOWN

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        nonlocal count
        if isinstance(message, UnreadWarning) and message.is_loss:
            losses.append(message)
        if isinstance(message, InputWarning) and message.is_note:
            notes.append(message)
        count += not isinstance(message, UnreadWarning)
        if not quiet and (count <= most or isinstance(message, UnreadWarning)):
            say(message)
            args.shown.add(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("default", InputWarning)
        warnings.simplefilter("ignore", LeftOutWarning)  # commands tell themselves
        # What libraries deprecate among each other is nothing a user could act on.
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.showwarning = show
        yield losses
        if count > most and not quiet:
            say(f"… and {count - most:,} more (-v shows all)")
        for note in listed(notes) if quiet else ():
            say(note)  # no result was printed that says it


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
        action=parsers.PrintCompletion,
        metavar="SHELL",
        help="the completion script for bash, zsh or fish",
    )
    # Parsers of all commands are for help, and for names that are none.
    first = [*argv[:1]]
    asked = {
        name: entry for name, entry in COMMANDS.items() if name.split()[:1] == first
    }
    parsers.add_commands(parser, asked or COMMANDS)
    return parser


def _version(argv: Sequence[str]) -> str:
    version = f"spinal {__version__}"
    if "--version" not in argv or not {"-v", "--verbose"}.intersection(argv):
        return version
    import numpy as np

    from analyzer._native import CURRENT

    python = ".".join(map(str, sys.version_info[:3]))
    return f"{version}; kernel {CURRENT}; Python {python}; NumPy {np.__version__}"
