"""spinal evalb: bracket scores, number for number those of EVALB."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from analyzer.analyses.evalb import (
    BracketScores,
    BracketWork,
    last_allowed,
    nothing_scored,
)
from analyzer.cli import inputs, options
from analyzer.cli.output import BAD_INPUT, OK, complain, complain_of_lengths, emit, warn
from analyzer.cli.progress import ReadingBar
from analyzer.exceptions import AnalyzerError, PairingError, SettingsError
from analyzer.pairing.in_step import Pairs
from analyzer.pairing.shards import Blocks, Shards, open_pieces
from analyzer.pairing.words import MALFORMED
from analyzer.runtime.executor import Workplace
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.parameters import EvalbParameters, load_parameters

_EPILOG = """\
examples:
  spinal evalb gold.mrg parsed.mrg
  spinal evalb gold.mrg parsed.mrg --params COLLINS.prm --format evalb
  spinal evalb gold.mrg parsed.mrg --by-label --format markdown
  spinal evalb gold.mrg parsed.mrg --conventions

GOLD and PARSED are files, globs, directories or '-' for standard input; .gz, .bz2
and .xz open by themselves. Exit code 2 means that something could not be read.
"""
_ONE_TABLE = ("csv", "tsv")
_FORMATS = ("text", "evalb", *options.FORMATS[1:])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Compare parsed trees with gold trees, bracket by bracket."
    parser.epilog = _EPILOG
    options.add_pair(parser)
    scoring = parser.add_argument_group("scoring")
    options.add_parameters_option(scoring)
    scoring.add_argument(
        "--delete-label",
        action="append",
        default=[],
        metavar="LABEL",
        help="delete this label too (ROOT, say); may be repeated",
    )
    scoring.add_argument(
        "--cutoff", type=int, metavar="N", help="length limit of the second summary"
    )
    scoring.add_argument(
        "--max-error",
        type=int,
        metavar="N",
        help="stop after more than N mismatches, as a .prm file's MAX_ERROR does",
    )
    scoring.add_argument(
        "--on-mismatch",
        choices=("skip", "zero", "error"),
        default="skip",
        help="a failed or mismatched parse is left out (skip, as EVALB does), counts "
        "as finding nothing (zero), or stops the run (error)",
    )
    scoring.add_argument(
        "--conventions",
        action="store_true",
        help="score under all conventions in use, and say what each choice changes",
    )
    parser.add_argument("--by-label", action="store_true", help="a table per label")
    parser.add_argument(
        "--by-sentence", action="store_true", help="a table per sentence"
    )
    options.add_input_options(parser)
    options.add_work_options(parser)
    options.add_output_options(parser, _FORMATS)


def run(args: argparse.Namespace) -> int:
    if args.conventions and args.format == "evalb":
        raise SettingsError("--conventions has no evalb layout: choose another format")
    if args.by_label and args.by_sentence and args.format in _ONE_TABLE:
        raise SettingsError(
            f"{args.format} holds one table: choose --by-label or --by-sentence"
        )
    where = inputs.workplace(args)
    bar = ReadingBar([args.gold, args.parsed], quiet=args.quiet)
    pieces = open_pieces(
        args.gold,
        args.parsed,
        # Lines of evalb begin with a sentence's number, which in a shard is not known.
        as_shards=where.is_for_shards and args.format != "evalb",
        strict=args.strict,
        encoding=args.encoding,
        progress=bar.add,
    )
    stopped = None
    try:
        if args.conventions:
            result = _conventions(args, pieces, where)
        else:
            result = BracketScores(_parameters(args), args.on_mismatch)
            stopped = _score(args, result, pieces, where)
    finally:
        bar.close()
    result.surplus = result.surplus.plus(pieces.surplus)
    warn([item.error for item in result.left_out], args)
    if stopped:
        return complain(stopped)
    if not args.conventions:
        _print_result(args, result)
    return _exit_code(args, result, pieces)


def _score(
    args: argparse.Namespace,
    result: BracketScores,
    pieces: Blocks | Shards,
    where: Workplace,
) -> AnalyzerError | None:
    """Score all, or up to where MAX_ERROR stops us: the error then.

    evalb's own lines are printed as they come.
    """
    tables = LabelTables(result.parameters)
    work = BracketWork(tables, args.on_mismatch, args.by_label, args.by_sentence)
    parts: Iterator[tuple[BracketScores, list[str]]]
    if args.format == "evalb":
        assert isinstance(pieces, Blocks)
        from reports.tables.evalb_layout import HEADER

        print(HEADER)
        parts = pieces.results(_PrintedWork(work), where)
    else:
        parts = ((part, []) for part in pieces.results(work, where))
    for part, lines in parts:
        first = result.summary.sentences + 1
        result.add(part)
        last = last_allowed(result)
        for line in islice(lines, None if last is None else max(0, last + 1 - first)):
            print(line)
        if last is not None:
            result.left_out = [x for x in result.left_out if x.sentence <= last + 1]
            return _stopped_after(result, last)
    return None


@dataclass(frozen=True)
class _PrintedWork:
    """Scores, and what evalb prints about each sentence."""

    work: BracketWork

    def __call__(self, task: Pairs) -> tuple[BracketScores, list[str]]:
        from reports.tables.evalb_layout import debug_lines, sentence_lines

        parameters = self.work.tables.parameters
        part = BracketScores(parameters, self.work.on_mismatch)
        texts: list[str] = []
        for pair in task.pairs():
            outcome = self.work.score(part, pair)
            lines = sentence_lines(outcome.counts, pair.first_sentence)
            for tree, line in enumerate(lines):
                more = debug_lines(pair, outcome, tree) if parameters.debug else ()
                texts.append("\n".join([line, *more]))
        return part, texts


def _stopped_after(result: BracketScores, sentence: int) -> PairingError:
    """The error for MAX_ERROR."""
    given = result.parameters
    first = next(item for item in result.left_out if not item.reason.is_skip)
    return PairingError(
        f"stopped at sentence {sentence + 1:,}: more sentences in error than MAX_ERROR "
        f"{given.max_error} of {given.name} allows; raise it with --max-error. The "
        f"first is {first.error}"
    )


def _exit_code(
    args: argparse.Namespace, result: BracketScores, pieces: Blocks | Shards
) -> int:
    """2, with its reason told, if something could not be read or paired."""
    failure = nothing_scored(result, args.parsed)
    if failure:
        return complain(failure)
    if error := pieces.lengths_differ():
        return complain_of_lengths(error)
    malformed = any(item.reason in MALFORMED for item in result.left_out)
    return BAD_INPUT if malformed else OK


def _parameters(args: argparse.Namespace) -> EvalbParameters:
    parameters = load_parameters(
        args.params, warn=lambda message: warn([message], args)
    )
    if args.delete_label:
        parameters = parameters.with_deleted(*args.delete_label)
    if args.cutoff is not None:
        parameters = replace(parameters, cutoff_length=args.cutoff)
    if args.max_error is not None:
        parameters = replace(parameters, max_error=args.max_error)
    return parameters


def _print_result(args: argparse.Namespace, result: BracketScores) -> None:
    from reports.tables import evalb as evalb_tables
    from reports.tables.evalb_layout import closing_lines

    asked = []
    if args.by_label:
        asked.append(evalb_tables.label_table(result))
    if args.by_sentence and result.sentences is not None:
        asked.append(evalb_tables.sentence_table(result.sentences))
    emit(
        args,
        [evalb_tables.summary_table(result), *asked],
        evalb_tables.as_json(result),
        main=asked[-1] if asked else evalb_tables.summary_values(result),
        text="\n".join(closing_lines(result)) if args.format == "evalb" else None,
    )


def _conventions(
    args: argparse.Namespace, pieces: Blocks | Shards, where: Workplace
) -> BracketScores:
    """Print the table of conventions; the result under the first one."""
    from analyzer.analyses.conventions import convention_work, score_conventions
    from reports.tables import evalb as evalb_tables

    scores = score_conventions(pieces.results(convention_work(), where))
    table = evalb_tables.convention_table(scores)
    emit(args, [table], evalb_tables.conventions_json(scores))
    return scores.reference
