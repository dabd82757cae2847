"""spinal generalise: what a parser has not learnt, does not generalise, loses."""

from __future__ import annotations

from argparse import Namespace

from analyzer.analyses.generalise import LEAST_GOLD, RESAMPLES, generalise
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, at_least, command
from analyzer.cli.output import emit, warn_of
from analyzer.cli.progress import ReadingBar

_UNNAMED = ("train", "dev", "new")


@command(
    Option("[NAME=]GOLD:PARSED", nargs="+", dest="inputs"),
    Option("--top N  rows of a table (default: 12)", at_least(1), 12),
    Option(
        "--min-gold N  correlate constructions with at least N in gold "
        f"(default: {LEAST_GOLD})",
        at_least(1),
        LEAST_GOLD,
    ),
    Group(
        "intervals",
        *options.resampling(RESAMPLES, "how often documents or sentences are drawn"),
        is_rare=True,
    ),
    *options.compared_trees(),
    options.WORK,
    options.OUTPUT,
)
def run_generalise(args: Namespace) -> int:
    """Say what a parser has not learnt, what it does not generalise, what it loses in
    another domain: by construction, in points of F-s, with 95 % intervals.

    examples:
      spinal generalise train.gold:train.parsed dev.gold:dev.parsed
      spinal generalise train.gold:train.parsed dev.gold:dev.parsed web=web.gold:web.parsed
      spinal generalise train=train.gold:train.parsed dev=dev.gold:dev.parsed --output report/

    The first data set is the one that the parser was trained on, parsed by that
    parser; the second is other data of its kind; any others are new domains. What is
    missing on a data set splits exactly: missed on the training data, too (not learnt);
    found there, but missed on the second (not generalised); found on the second, but
    missed here (lost). docs/generalise.md explains it.
    """  # noqa: E501 -- as it is printed
    datasets = inputs.datasets_of(inputs.with_names(args.inputs, _UNNAMED))
    files = [path for _, *paths in datasets for path in paths]
    with ReadingBar(files, quiet=args.quiet) as bar:
        result = generalise(
            inputs.inputs_of(args, datasets),
            min_gold=args.min_gold,
            resamples=args.resamples,
            seed=args.seed,
            backend=inputs.backend_of(args),
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, result.ledger, hint=result.domains[0].scores.label_hint)
    emit(args, result, top=args.top)
    ledgers = [(domain.name, domain.scores.ledger) for domain in result.domains]
    return inputs.worst_code(datasets, ledgers)
