"""spinal score: the paper's Table 2 for one data set."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from typing import NamedTuple

from analyzer.analyses.opening import can_be_read_again
from analyzer.analyses.score import ConstructionScores, score
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, at_least, command, percent
from analyzer.cli.output import complain, emit, exit_code, say, warn, warn_of
from analyzer.cli.progress import ReadingBar
from analyzer.exceptions import SettingsError, UntaggedError
from analyzer.files.inputs import Input
from analyzer.metrics.constructions import MEASURES
from analyzer.metrics.measures import TOTAL, measure_named

# What scores of one parse a sentence have, and lists have not.
_NOT_OF_LISTS = (
    *("sort", "columns", "causes", "functions", "faithfulness", "queries"),
    "fail_under",
)


class LeastScore(NamedTuple):
    """What `--fail-under` asks of one row of the table."""

    construction: str
    measure: str
    percent: float


def least_score(text: str) -> LeastScore:
    """What a score must be at least.

    >>> least_score("PP-t:att=75"), least_score("f_s=80")[0]
    (LeastScore(construction='PP-t', measure='att', percent=75.0), 'total')
    """
    name, _, least = text.rpartition("=")
    construction, _, measure = name.rpartition(":")
    try:
        return LeastScore(construction or TOTAL, measure, percent(least))
    except ValueError:
        raise ArgumentTypeError(
            f"{text!r}: expected a measure and its least value in percent, as f_s=80 "
            "or PP-t:att=75"
        ) from None


@command(
    *options.PAIR,
    Group(
        "rows and columns",
        Option(
            "--min-share P  only constructions with at least P %% of the gold brackets "
            "(default: 0.2; all in csv, tsv and json)",
            at_least(0, float),
        ),
        Option("--top N  only the first N rows", int),
        Option(
            "--sort COLUMN  sort by this column: counts largest first, ratios worst "
            "first",
            default="gold",
        ),
        Option("--columns LIST  columns, comma-separated, or 'all'"),
        options.BY_SENTENCE,
        options.CAUSES,
    ),
    Group(
        "in CI",
        Option(
            "--fail-under [CONSTRUCTION:]MEASURE=P  end with exit code 1 if this "
            "measure of all constructions, or of one, is below P %%, as f_s=80 or "
            "PP-t:att=75; may be repeated",
            least_score,
            action="append",
        ),
        is_rare=True,
    ),
    Group("queries", options.QUERIES, is_rare=True),
    options.constructions(*options.SCORED),
    options.SCORED_FUNCTION_TAGS,
    Group(
        "what is compared",
        Option(
            "--nbest  PARSED has several parses of each sentence: score the first, and "
            "the best by brackets (see docs/nbest.md)"
        ),
        is_rare=True,
    ),
    options.PAIRING,
    options.GENERATED,
    options.TREE_INPUT,
    options.WORK,
    options.OUTPUT,
)
def run_score(args: Namespace) -> int:
    """Which constructions a parser gets wrong, and how.

    examples:
      spinal score gold.mrg parsed.mrg
      spinal score gold.mrg parsed.mrg --sort f_s --causes --queries queries.toml
      spinal score gold.mrg parsed.mrg --merge NP-t=NP-t,NP-pos --format latex
      spinal score gold.mrg parsed.nbest --nbest

    columns:
      share_gold  its share of all gold brackets      gold, parsed  how often
      f_h  same head word and construction            f_s  and the same span
      att  of the F-h matches, the same attachment    span_right, span_left  ... edge
      precision_h, recall_h, precision_s, recall_s; matched_h, matched_s, ... counts
    """
    from reports.tables.constructions import chosen_columns

    if args.top is not None and args.top < 1:
        raise SettingsError("E845 --top must be at least 1, not", top=args.top)
    columns = chosen_columns(args.columns)
    for least in args.fail_under:
        measure_named(least.measure, MEASURES)  # which says what is wrong
    gold, parsed = inputs.pair_of(args)
    if inputs.is_discourse(gold):
        raise SettingsError("E846 contains discourse trees", gold_=args.gold)
    if args.nbest:
        return _score_nbest(args, gold, parsed)
    try:
        with ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar:
            result = score(
                gold,
                parsed,
                backend=inputs.backend_of(args),
                **inputs.scoring_options(args, bar),
                **inputs.passed_on(args, "by_sentence causes faithfulness queries"),
            )
    except UntaggedError as error:
        if not all(map(can_be_read_again, (gold, parsed))):
            raise
        return _only_brackets(args, error)
    warn_of(args, result.ledger, hint=result.label_hint)
    warn(result.faithfulness.told() if result.faithfulness else [], args)
    emit(
        args,
        result,
        columns=columns,
        sort=args.sort.replace("-", "_"),
        **inputs.passed_on(args, "min_share top by_sentence faithfulness"),
    )
    failures = _too_low(result, args.fail_under)
    for message in failures:
        say(message)
    return exit_code(result.ledger, args.gold, args.parsed, has_findings=bool(failures))


def _too_low(result: ConstructionScores, least_scores: list[LeastScore]) -> list[str]:
    """Which scores are below what `--fail-under` asks for, a sentence each."""
    rows = {row.construction: row for row in (*result.rows, result.total)}
    failures = []
    for name, measure_name, least in least_scores:
        measure = measure_named(measure_name, MEASURES)
        value = getattr(rows[name], measure.name) if name in rows else None
        if value is None:
            failures.append(f"{measure.title} of {name} cannot be had: not in the data")
        elif 100 * value < least:
            score = f"{measure.title} of {name} is {100 * value:.2f}"
            failures.append(f"{score}, which is below {least:g} (--fail-under)")
    return failures


def _only_brackets(args: Namespace, error: UntaggedError) -> int:
    """Why there are no constructions, and the brackets, which need no tags."""
    from analyzer.analyses.evalb import evalb

    code = complain(error)
    settings = inputs.scoring_options(args)
    result = evalb(
        *(inputs.input_of(args, args.gold), inputs.input_of(args, args.parsed)),
        treebank=args.patterns,
        params=settings["params"],
        **inputs.bracket_options(args),
    )
    emit(args, result)
    return code


def _score_nbest(args: Namespace, gold: Input, lists: Input) -> int:
    from analyzer.analyses.nbest import score_nbest

    if given := inputs.given_options(args, *_NOT_OF_LISTS):
        raise SettingsError("E867 has no effect with --nbest", option=given[0])
    with ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar:
        result = score_nbest(
            gold,
            lists,
            backend=inputs.backend_of(args),
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, result.ledger, hint=result.first.label_hint)
    emit(
        args,
        result,
        min_share=args.min_share,
        top=args.top,
        by_sentence=args.by_sentence,
    )
    return exit_code(result.ledger, args.gold, args.parsed)
