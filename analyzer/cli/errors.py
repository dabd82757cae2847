"""spinal errors: the errors of a construction one by one; confusions."""

from __future__ import annotations

from argparse import Namespace

from analyzer.analyses.errors import SHORT_KINDS, Kind, errors
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Option, at_least, command
from analyzer.cli.output import emit, exit_code, warn_of
from analyzer.cli.progress import ReadingBar


@command(
    *options.PAIR,
    Option("--construction NAME  only this construction (such as PP-t)"),
    Option(
        "--kind  only errors of this kind (default: all except span-right, which is "
        "part of span, and function, unless --functions)",
        choices=[*(kind.value for kind in Kind), *SHORT_KINDS],
    ),
    Option(
        "--confusions  count which construction the parser gives to a word in place of "
        "that of gold"
    ),
    Option(
        "--limit N  how many to show, from all over the input; 0 for all (default: "
        "%(default)s)",
        at_least(0),
        25,
    ),
    options.SENTENCE,
    *options.compared_trees(),
    options.JOBS,
    options.OUTPUT,
)
def run_errors(args: Namespace) -> int:
    """List errors one by one, in context.

    examples:
      spinal errors gold.mrg parsed.mrg --construction PP-t --kind att
      spinal errors gold.mrg parsed.mrg --kind head-missed --limit 50
      spinal errors gold.mrg parsed.mrg --confusions

    kinds:
      head-missed    the word heads this construction in gold, but not in the parse
      head-spurious  it does in the parse, but not in gold
      span           it does in both, over different words
      span-right     it does in both, and the right edges differ
      attachment     it does in both, but attaches to different words
      function       both have this bracket or this word, with different function tags
                     (--functions)
      word-function  only those of words
    """
    limit = args.limit or None
    with ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar:
        result = errors(
            *inputs.pair_of(args),
            kind=args.kind,
            construction=args.construction,
            sentence=args.sentence,
            limit=limit,
            jobs=args.jobs,
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, result.ledger, hint=result.label_hint)
    emit(args, result, limit=limit, confusions=args.confusions)
    return exit_code(result.ledger, args.gold, args.parsed)
