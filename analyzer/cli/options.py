"""Every option that two commands or more share.

Quick to import, for `spinal --help`: what an option's help lists is looked up when the
option is added.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from analyzer.cli import numbers
from analyzer.exceptions import SettingsError
from analyzer.limits import Limits

# What a table can be printed as.
FORMATS = ("text", "markdown", "latex", "csv", "tsv", "html", "json")

# What may become of a parse that cannot be compared with gold.
_POLICIES = {
    "skip": "is left out",
    "zero": "counts as finding nothing",
    "align": "is scored by those words that it shares with gold",
    "error": "stops the run",
}
_NOTES = {"skip": ", as EVALB does", "align": "; see docs/generated.md"}
POLICIES = tuple(_POLICIES)

_DEFAULTS = Limits()

Options = argparse.ArgumentParser | argparse._ArgumentGroup


# -- what is read ------------------------------------------------------------------


def add_pair(parser: argparse.ArgumentParser) -> None:
    """Gold and parsed, one argument each."""
    parser.add_argument("gold", metavar="GOLD")
    parser.add_argument("parsed", metavar="PARSED")


def add_sentences(parser: argparse.ArgumentParser) -> None:
    """One file or two, and sentences of them; see `inputs.files_and_numbers`."""
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="FILE [FILE] [N ...]",
        help="one file or two (gold, parsed), then sentence numbers or ranges",
    )
    add_sentence_option(parser)


def add_sentence_option(parser: argparse.ArgumentParser) -> None:
    """Sentences by what files call them."""
    parser.add_argument(
        "--sentence",
        action="append",
        default=[],
        metavar="ID",
        help="only the sentence with this name (ALLEN,8.16), or with this number if "
        "the file has no names; may be repeated",
    )


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """How files are read."""
    group = parser.add_argument_group("input")
    group.add_argument(
        "--encoding", default="utf-8", help="encoding of the files (default: utf-8)"
    )
    group.add_argument(
        "--strict", action="store_true", help="stop at the first malformed tree"
    )


def add_limit_options(parser: argparse.ArgumentParser) -> None:
    """What is refused; for every command, and every action of one."""
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--max-tree-nodes",
        type=int,
        default=_DEFAULTS.tree_nodes,
        metavar="N",
        help=f"refuse a tree of more than N nodes (default: {_DEFAULTS.tree_nodes:,})",
    )
    group.add_argument(
        "--max-expansion",
        type=int,
        default=_DEFAULTS.expansion,
        metavar="N",
        help="refuse a compressed file that grows to more than N times its size "
        f"(default: {_DEFAULTS.expansion:,})",
    )


def limits_of(args: argparse.Namespace) -> Limits:
    """The limits that were asked for; SettingsError if they allow nothing."""
    for option, value in (
        ("--max-tree-nodes", args.max_tree_nodes),
        ("--max-expansion", args.max_expansion),
    ):
        if value < 1:
            raise SettingsError(
                "{option} must be at least 1, not {value}",
                code="E827",
                option=option,
                value=value,
            )
    return Limits(tree_nodes=args.max_tree_nodes, expansion=args.max_expansion)


def add_pairing_options(
    parser: argparse.ArgumentParser, *, policies: Sequence[str] = POLICIES
) -> None:
    """What becomes of parses that cannot be compared with gold word by word."""
    group = parser.add_argument_group("what cannot be compared")
    group.add_argument(
        "--max-left-out",
        type=numbers.percent,
        metavar="P%",
        help="fail (exit 2) if more than P %% of gold are left out",
    )
    if not policies:
        return
    told = [
        f"{_POLICIES[policy]} ({policy}{_NOTES.get(policy, '')})" for policy in policies
    ]
    group.add_argument(
        "--on-mismatch",
        choices=policies,
        default=policies[0],
        help=f"a failed or mismatched parse {', '.join(told[:-1])}, or {told[-1]}",
    )


def add_generated_options(parser: argparse.ArgumentParser) -> None:
    """Parses that a language model wrote."""
    group = parser.add_argument_group("trees of language models")
    group.add_argument(
        "--mend",
        action="store_true",
        help="mend parsed trees whose meaning is certain: text and code "
        "fences around them, brackets missing or too many at the end, escapes (see "
        "docs/generated.md)",
    )
    group.add_argument(
        "--faithfulness",
        action="store_true",
        help="a table of what is wrong with the parsed trees: form, words, labels; "
        "--mend includes it",
    )


# -- which sentences go together ---------------------------------------------------


def add_group_options(parser: argparse.ArgumentParser) -> None:
    """One data set made into several."""
    parser.add_argument(
        "--group-by",
        metavar="FILE.tsv:COLUMN",
        help="divide one data set into several: a column of this file, which has one "
        "line for each sentence, names them",
    )
    parser.add_argument(
        "--reference", metavar="NAME", help="the data set to compare with"
    )


def add_group_option(parser: argparse.ArgumentParser) -> None:
    """What each sentence's group is, for rows that name it."""
    parser.add_argument(
        "--group-by",
        metavar="FILE.tsv:COLUMN",
        help="the group of each sentence, from a column of a file with one line for "
        "each sentence",
    )


def add_resampling_options(group: Options, *, resamples: int, what: str) -> None:
    """How often sentences are drawn for tests and intervals, and from which seed."""
    from analyzer.metrics.significance import DEFAULT_SEED

    group.add_argument(
        "--resamples",
        type=numbers.whole_number(least=1),
        default=resamples,
        metavar="N",
        help=f"{what} (default: {resamples:,})",
    )
    group.add_argument(
        "--seed",
        type=numbers.whole_number(least=0),
        default=DEFAULT_SEED,
        metavar="N",
        help=f"seed of the random numbers (default: {DEFAULT_SEED})",
    )


# -- where the work is done --------------------------------------------------------


def add_jobs_option(group: Options) -> None:
    """Processes of this machine."""
    group.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="processes to share the work (default: one for each processor for "
        "large inputs); the numbers are the same",
    )


def add_work_options(
    parser: argparse.ArgumentParser, *, checkpoint: bool = True
) -> None:
    """Where the work is done, for commands whose input is scored in parts."""
    group = parser.add_argument_group("work")
    add_jobs_option(group)
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="a Dask scheduler whose workers share the work, as tcp://host:8786; the "
        "workers must be able to read the files (see docs/cluster.md)",
    )
    if not checkpoint:
        parser.set_defaults(checkpoint=None)
        return
    note_outputs(parser, "checkpoint")
    group.add_argument(
        "--checkpoint",
        metavar="DIR",
        help="keep the counts of finished parts here, so that a stopped run can be "
        "continued",
    )


def add_repairs_option(parser: argparse.ArgumentParser) -> None:
    """Errors by type, beside scores."""
    parser.add_argument(
        "--repairs",
        nargs="?",
        const="spinal",
        choices=("spinal", "kummerfeld"),
        help="errors by type as well, as spinal repairs counts them (docs/repairs.md), "
        "by this classifier (default: spinal)",
    )


# -- what comes out ----------------------------------------------------------------


def add_output_options(
    parser: argparse.ArgumentParser, formats: Sequence[str] = FORMATS
) -> None:
    """The format of the result, a directory for all of it, and how much is told."""
    note_outputs(parser, "output")
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
    add_message_options(group)


def add_message_options(group: Options) -> None:
    """How much is told on standard error."""
    group.add_argument(
        "-q", "--quiet", action="store_true", help="no progress, no warnings"
    )
    group.add_argument(
        "-v", "--verbose", action="store_true", help="all warnings, not just ten"
    )


def note_outputs(parser: argparse.ArgumentParser, *names: str) -> None:
    """These options name what is written: it must not be anything that is read."""
    known = parser.get_default("outputs") or ()
    parser.set_defaults(outputs=(*known, *names))


def add_drawing_options(parser: argparse.ArgumentParser) -> None:
    """How trees are drawn."""
    note_outputs(parser, "svg")
    parser.add_argument(
        "--svg", metavar="OUT", help="write a picture, not text (-: standard output)"
    )
    parser.add_argument(
        "--width",
        type=numbers.whole_number(least=1),
        metavar="N",
        help="columns to draw in (default: terminal)",
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
