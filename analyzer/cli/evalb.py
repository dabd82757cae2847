"""spinal evalb: bracket scores, the same numbers as EVALB's."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from analyzer.analyses.bracket_scores import BracketScores
from analyzer.analyses.evalb import MaxErrorError, evalb
from analyzer.cli import inputs, numbers, options, tree_options
from analyzer.cli.output import emit, exit_code, generated_tables, warn, warn_of
from analyzer.cli.progress import ReadingBar
from analyzer.cli.streams import put
from analyzer.exceptions import SettingsError
from analyzer.transform.labels import DEFAULT_LABELS, load_labels
from analyzer.transform.parameters import parameters_for

if TYPE_CHECKING:
    from analyzer.analyses.conventions import ConventionScores

_EPILOG = """\
examples:
  spinal evalb gold.mrg parsed.mrg
  spinal evalb gold.mrg parsed.mrg --params COLLINS.prm --format evalb
  spinal evalb gold.mrg parsed.mrg --by-label --format markdown
  spinal evalb gold.mrg parsed.mrg --conventions

GOLD and PARSED are files, globs, directories or '-' for standard input; .gz, .bz2
and .xz are decompressed. Exit code 2 means that something could not be read.
"""
_ONE_TABLE = ("csv", "tsv")
_FORMATS = ("text", "evalb", *options.FORMATS[1:])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Compare parsed trees with gold trees, bracket by bracket."
    parser.epilog = _EPILOG
    options.add_pair(parser)
    scoring = parser.add_argument_group("scoring")
    tree_options.add_treebank_option(scoring)
    tree_options.add_parameters_option(scoring)
    tree_options.add_separator_option(scoring)
    scoring.add_argument(
        "--raised",
        action="store_true",
        help="resolve crossing branches by raising before scoring, instead of "
        "comparing sets of words",
    )
    scoring.add_argument(
        "--cutoff",
        type=numbers.whole_number(least=0),
        metavar="N",
        help="length limit of the second summary",
    )
    scoring.add_argument(
        "--max-error",
        type=numbers.whole_number(least=0),
        metavar="N",
        help="stop after more than N mismatches, as a .prm file's MAX_ERROR does",
    )
    options.add_generated_options(parser)
    scoring.add_argument(
        "--conventions",
        action="store_true",
        help="score under all conventions in use, and say what each choice changes",
    )
    parser.add_argument("--by-label", action="store_true", help="a table per label")
    parser.add_argument(
        "--by-sentence", action="store_true", help="a table per sentence"
    )
    options.add_pairing_options(parser)
    options.add_input_options(parser)
    options.add_work_options(parser)
    options.add_output_options(parser, _FORMATS)


def run(args: argparse.Namespace) -> int:
    for option in ("conventions", "faithfulness"):
        if getattr(args, option) and args.format == "evalb":
            raise SettingsError(
                "--{option} has no evalb layout: choose another format",
                code="E810",
                option=option,
            )
    if args.conventions:
        _refuse_what_conventions_decide(args)
    tables = [args.by_label, args.by_sentence, args.faithfulness]
    if sum(tables) > 1 and args.format in _ONE_TABLE:
        raise SettingsError(
            "{format} contains one table: choose --by-label, --by-sentence or "
            "--faithfulness",
            code="E811",
            format=args.format,
        )
    result = _conventions(args) if args.conventions else _brackets(args)
    return exit_code(result.ledger, args.gold, args.parsed)


def _refuse_what_conventions_decide(args: argparse.Namespace) -> None:
    """What would be left out silently is refused."""
    given = {
        "--params": args.params is not None,
        "--treebank": args.treebank is not None,
        "--delete-label": bool(args.delete_label),
        "--function-separator": args.function_separator is not None,
        "--raised": args.raised,
        "--cutoff": args.cutoff is not None,
        "--max-error": args.max_error is not None,
        "--on-mismatch": args.on_mismatch != "skip",
        "--by-label": args.by_label,
        "--by-sentence": args.by_sentence,
    }
    for option, is_given in given.items():
        if is_given:
            raise SettingsError(
                "{option} has no effect with --conventions, which scores under fixed "
                "settings; leave one of the two out",
                code="E547",
                option=option,
            )


def _conventions(args: argparse.Namespace) -> ConventionScores:
    from analyzer.analyses.conventions import compare_conventions
    from reports.tables import evalb as evalb_tables

    with ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar:
        result = compare_conventions(
            *inputs.pair_of(args),
            mend=args.mend,
            faithfulness=args.faithfulness,
            strict=args.strict,
            encoding=args.encoding,
            backend=inputs.backend_of(args),
            progress=bar.add,
            max_left_out=args.max_left_out,
        )
    warn_of(args, result.ledger)
    conventions = evalb_tables.convention_table(result)
    generated = generated_tables(args, result.faithfulness)
    emit(
        args,
        [conventions, *generated],
        evalb_tables.conventions_json(result),
        main=generated[0] if args.faithfulness else conventions,
    )
    return result


def _brackets(args: argparse.Namespace) -> BracketScores:
    from reports.tables import evalb as evalb_tables
    from reports.tables.evalb_layout import HEADER, SentenceLines, closing_lines

    has_layout = args.format == "evalb"
    labels = load_labels(args.treebank or DEFAULT_LABELS)
    parameters = parameters_for(
        labels, args.params, warn=lambda message: warn([message], args)
    )
    backend = inputs.backend_of(args)
    if has_layout:
        put(HEADER)
    try:
        with ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar:
            result = evalb(
                *inputs.pair_of(args),
                parameters=parameters,
                treebank=labels,
                delete=args.delete_label,
                function_separator=args.function_separator,
                raised=args.raised,
                cutoff=args.cutoff,
                max_error=args.max_error,
                on_mismatch=args.on_mismatch,
                max_left_out=args.max_left_out,
                by_label=args.by_label,
                by_sentence=args.by_sentence,
                mend=args.mend,
                faithfulness=args.faithfulness,
                strict=args.strict,
                encoding=args.encoding,
                backend=backend,
                progress=bar.add,
                describe=SentenceLines(bool(parameters.debug)) if has_layout else None,
                show=put,
            )
    except MaxErrorError as error:
        warn_of(args, error.scores.ledger)
        raise
    warn_of(args, result.ledger)
    generated = generated_tables(args, result.faithfulness)
    asked = generated if args.faithfulness else []
    if args.by_label:
        asked.append(evalb_tables.label_table(result))
    if args.by_sentence and result.sentences is not None:
        asked.append(evalb_tables.sentence_table(result.sentences, result.sentence_ids))
    emit(
        args,
        [evalb_tables.summary_table(result), *([] if asked else generated), *asked],
        lambda: evalb_tables.evalb_json(result),
        main=asked[-1] if asked else evalb_tables.summary_values(result),
        text="\n".join(closing_lines(result)) if has_layout else None,
    )
    return result
