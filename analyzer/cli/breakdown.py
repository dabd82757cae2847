"""spinal breakdown: scores by word, tag, length, governor, distance and more."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from analyzer.analyses.breakdown import RESAMPLES, breakdown
from analyzer.analyses.cells import KEYS
from analyzer.cli import inputs, numbers, options, tree_options
from analyzer.cli.output import emit, exit_code, hint_at_labels, warn_of
from analyzer.cli.progress import ReadingBar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_EPILOG = """\
examples:
  spinal breakdown gold.mrg parsed.mrg --construction PP-t --by word
  spinal breakdown gold.mrg parsed.mrg --construction PP-t --by word,attached-at
  spinal breakdown gold.mrg a=a.mrg b=b.mrg --by sentence-length
  spinal breakdown gold.mrg parsed.mrg --by known --train train.mrg

Which prepositions are attached wrongly, to nouns or to verbs, and at what distance?
  spinal breakdown gold.mrg parsed.mrg --construction PP-t --by attached-at,distance

keys:
  word, tag             of the head; words in lower case
  label, functions      of the bracket
  construction          its name
  governor, governor-tag, attached-at, direction, distance
                        the word it attaches to, that word's tag, the label of the
                        bracket there, on which side, how many words away
  length, depth         words in it, brackets around it
  sentence-length       words of the sentence
  group                 of the sentence (--group-by)
  known                 whether the head is a word of the training data (--train)
"""
_DEFAULT_TOP = 25


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Break scores down by properties of constructions, with 95 % intervals."
    )
    parser.epilog = _EPILOG
    parser.add_argument("gold", metavar="GOLD")
    parser.add_argument("inputs", nargs="+", metavar="[NAME=]PARSED")
    parser.add_argument(
        "--by",
        required=True,
        metavar="KEY[,KEY]",
        help=f"one or two of {', '.join(KEYS)}",
    )
    parser.add_argument(
        "--construction", metavar="NAME", help="only this one (default: all)"
    )
    parser.add_argument(
        "--train", metavar="TREEBANK", help="the parser's training data, for `known`"
    )
    options.add_group_option(parser)
    parser.add_argument(
        "--top",
        type=numbers.whole_number(least=0),
        default=_DEFAULT_TOP,
        metavar="N",
        help=f"how many rows to show, 0 for all (default: {_DEFAULT_TOP})",
    )
    parser.add_argument(
        "--min-gold",
        type=numbers.whole_number(least=0),
        default=0,
        metavar="N",
        help="only rows with at least N in gold",
    )
    tests = parser.add_argument_group("intervals")
    options.add_resampling_options(
        tests, resamples=RESAMPLES, what="how often sentences are drawn"
    )
    tree_options.add_construction_options(parser)
    tree_options.add_function_options(parser)
    tree_options.add_tree_options(parser, binarize="right")
    options.add_pairing_options(parser)
    options.add_input_options(parser)
    options.add_jobs_option(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import breakdown as tables

    systems = (
        inputs.systems_of(args.inputs)
        if len(args.inputs) > 1
        else [("parsed", args.inputs[0])]
    )
    files = [path for _, parsed in systems for path in (args.gold, parsed)]
    with ReadingBar(files, quiet=args.quiet) as bar:
        found = breakdown(
            inputs.input_of(args, args.gold),
            {name: inputs.input_of(args, path) for name, path in systems},
            by=[key.strip() for key in args.by.split(",")],
            construction=args.construction,
            train=inputs.input_of(args, args.train) if args.train else None,
            group_by=args.group_by,
            resamples=args.resamples,
            seed=args.seed,
            jobs=args.jobs,
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, *(one.ledger for one in found.systems))
    hint_at_labels(args, found.label_hint)
    cells = [
        cell
        for cell in found.cells
        if found.systems[0].total(cell).gold >= args.min_gold
    ][: args.top or None]

    def plots() -> dict[str, Figure]:
        from reports.plots.breakdown import breakdown_figure

        return {"breakdown": breakdown_figure(found, cells)}

    emit(
        args,
        [tables.breakdown_table(found, cells)],
        tables.breakdown_json(found, cells),
        plots=plots,
        main=tables.flat_table(found, cells),
    )
    return max(
        exit_code(one.ledger, args.gold, path, verb="looked at")
        for one, (_, path) in zip(found.systems, systems, strict=True)
    )
