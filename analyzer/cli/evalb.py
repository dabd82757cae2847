"""spinal evalb: bracket scores, the same numbers as EVALB's."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from analyzer.analyses.evalb import BracketScores, MaxErrorError, evalb
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, at_least, command
from analyzer.cli.output import emit, exit_code, warn, warn_of, warner
from analyzer.cli.progress import ReadingBar
from analyzer.cli.streams import put
from analyzer.exceptions import SettingsError
from analyzer.transform.labels import DEFAULT_LABELS, load_labels
from analyzer.transform.parameters import parameters_for

if TYPE_CHECKING:
    from analyzer.analyses.conventions import ConventionScores

# What conventions decide, so that it cannot be chosen beside them.
_DECIDED = (
    *("params", "treebank", "delete_label", "no_root", "function_separator"),
    *("unlabelled", "induction"),
    *("raised", "cutoff", "max_error", "on_mismatch", "by_label", "by_sentence"),
)
_FORMATS = ("text", "evalb", *options.FORMATS[1:])


@command(
    *options.PAIR,
    Group(
        "scoring",
        options.TREEBANK,
        *options.PARAMETERS,
        options.SEPARATOR,
        Option("--unlabelled  ignore labels"),
        Option(
            "--induction  the convention of grammar induction: unlabelled, without "
            "punctuation, duplicates, and brackets of one word or of the whole "
            "sentence; F1 of the corpus and mean F1 of sentences (see docs/evalb.md)"
        ),
        Option(
            "--raised  resolve crossing branches by raising before scoring, instead "
            "of comparing sets of words"
        ),
        Option("--cutoff N  length limit of the second summary", at_least(0)),
        Option(
            "--max-error N  stop after more than N mismatches, as a .prm file's "
            "MAX_ERROR does",
            at_least(0),
        ),
    ),
    options.GENERATED,
    Group(
        "scoring",
        Option(
            "--conventions  score under all conventions in use, and say what each "
            "choice changes"
        ),
    ),
    Option("--by-label  a table per label"),
    options.BY_SENTENCE.but(help="a table per sentence"),
    options.pairing("skip", "zero", "align", "error"),
    options.TREE_INPUT,
    options.WORK,
    options.output("text", "evalb", *options.FORMATS[1:]),
)
def run_evalb(args: Namespace) -> int:
    """Compare parsed trees with gold trees, bracket by bracket.

    examples:
      spinal evalb gold.mrg parsed.mrg
      spinal evalb gold.mrg parsed.mrg --params COLLINS.prm --format evalb
      spinal evalb gold.mrg parsed.mrg --by-label --format markdown
      spinal evalb gold.mrg parsed.mrg --conventions

    GOLD and PARSED are files, globs, directories or '-' for standard input; .gz, .bz2
    and .xz are decompressed. Exit code 2 means that something could not be read.
    """
    for option in ("conventions", "faithfulness"):
        if getattr(args, option) and args.format == "evalb":
            raise SettingsError("E810 has no evalb layout", option=option)
    if args.conventions and (given := inputs.given_options(args, *_DECIDED)):
        # What would be left out silently is refused.
        raise SettingsError(
            "E547 has no effect with --conventions, which", option=given[0]
        )
    tables = [args.by_label, args.by_sentence, args.faithfulness]
    if sum(tables) > 1 and args.format in options.ONE_TABLE:
        raise SettingsError("E811 contains one table", format=args.format)
    result = _conventions(args) if args.conventions else _brackets(args)
    return exit_code(result.ledger, args.gold, args.parsed)


def _conventions(args: Namespace) -> ConventionScores:
    from analyzer.analyses.conventions import compare_conventions

    with ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar:
        result = compare_conventions(
            *inputs.pair_of(args),
            faithfulness=args.faithfulness,
            backend=inputs.backend_of(args),
            **inputs.reading_options(args, bar),
        )
    warn_of(args, result.ledger)
    warn(result.faithfulness.told() if result.faithfulness else [], args)
    emit(args, result, faithfulness=args.faithfulness)
    return result


def _brackets(args: Namespace) -> BracketScores:
    from reports.tables.evalb import HEADER, SentenceLines

    has_layout = args.format == "evalb"
    labels = load_labels(args.treebank or DEFAULT_LABELS)
    parameters = parameters_for(labels, args.params, warn=warner(args))
    _ = inputs.backend_of(args)  # which says what is wrong, before anything is shown
    if has_layout:
        put(HEADER)
    try:
        with ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar:
            gold, parsed = inputs.pair_of(args)
            result = evalb(
                gold,
                parsed,
                params=parameters,
                treebank=labels,
                **inputs.bracket_options(args, bar),
                describe=SentenceLines(bool(parameters.debug)) if has_layout else None,
                show=put,
                **inputs.passed_on(
                    args,
                    "unlabelled induction raised cutoff max_error by_label "
                    "by_sentence faithfulness",
                ),
            )
    except MaxErrorError as error:
        warn_of(args, error.scores.ledger)
        raise
    warn_of(args, result.ledger)
    warn(result.faithfulness.told() if result.faithfulness else [], args)
    emit(
        args,
        result,
        by_label=args.by_label,
        by_sentence=args.by_sentence,
        faithfulness=args.faithfulness,
        has_layout=has_layout,
    )
    return result
