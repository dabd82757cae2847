"""spinal breakdown: scores by word, tag, length, governor, distance and more."""

from __future__ import annotations

from argparse import Namespace

from analyzer.analyses.breakdown import KEYS, RESAMPLES, breakdown
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, at_least, command
from analyzer.cli.output import emit, exit_code, warn_of
from analyzer.cli.progress import ReadingBar

_DEFAULT_TOP = 25


@command(
    options.GOLD,
    options.SYSTEMS,
    Option(f"--by KEY[,KEY]  one or two of {', '.join(KEYS)}", required=True),
    Option("--construction NAME  only this one (default: all)"),
    options.TRAIN,
    options.GROUP_BY,
    Option(
        "--top N  how many rows to show, 0 for all (default: %(default)s)",
        at_least(0),
        25,
    ),
    Option("--min-gold N  only rows with at least N in gold", at_least(0), 0),
    Group(
        "intervals",
        *options.resampling(RESAMPLES, "how often sentences are drawn"),
        is_rare=True,
    ),
    *options.compared_trees(),
    options.JOBS,
    options.OUTPUT,
)
def run_breakdown(args: Namespace) -> int:
    """Break scores down by properties of constructions, with 95 % intervals.

    examples:
      spinal breakdown gold.mrg parsed.mrg --construction PP-t --by word
      spinal breakdown gold.mrg parsed.mrg --construction PP-t --by word,attached-at
      spinal breakdown gold.mrg a=a.mrg b=b.mrg --by sentence-length
      spinal breakdown gold.mrg parsed.mrg --by known --train train.mrg

    Which prepositions are attached wrongly, to nouns or to verbs, and at what distance?
      spinal breakdown gold.mrg parsed.mrg --construction PP-t --by attached-at,distance

    keys:
      word, tag             of the head; words in lower case
      tag-right             whether the parser's tag of the head is gold's
      label, functions      of the bracket
      construction          its name
      governor, governor-tag, attached-at, direction, distance
                            the word it attaches to, that word's tag, the label of the
                            bracket there, on which side, how many words away
      length, depth         words in it, brackets around it
      sentence-length       words of the sentence
      group                 of the sentence (--group-by)
      known                 whether the head is a word of the training data (--train);
                            known-production, known-spine, known-pair: whether the
                            bracket's production, the constructions of the head, the
                            head with its governor are there
    """
    is_one = len(args.inputs) == 1
    systems = [("parsed", *args.inputs)] if is_one else inputs.systems_of(args.inputs)
    files = [path for _, parsed in systems for path in (args.gold, parsed)]
    with ReadingBar(files, quiet=args.quiet) as bar:
        result = breakdown(
            inputs.input_of(args, args.gold),
            {name: inputs.input_of(args, path) for name, path in systems},
            by=[key.strip() for key in args.by.split(",")],
            train=inputs.input_of(args, args.train) if args.train else None,
            **inputs.scoring_options(args, bar),
            **inputs.passed_on(args, "construction group_by resamples seed jobs"),
        )
    warn_of(args, *(system.ledger for system in result.systems), hint=result.label_hint)
    emit(args, result, top=args.top or None, min_gold=args.min_gold)
    return max(
        exit_code(system.ledger, args.gold, path, verb="looked at")
        for system, (_, path) in zip(result.systems, systems, strict=True)
    )
