"""spinal repairs: errors by type, as edits that turn the parse into gold."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from analyzer.analyses.repairs import Classifier, Repairs, repairs
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Option, at_least, command
from analyzer.cli.output import emit, exit_code, save_picture, warn_of, width_and_color
from analyzer.cli.progress import ReadingBar
from analyzer.cli.streams import put
from analyzer.exceptions import SettingsError
from analyzer.safe_text import counted, numbered

if TYPE_CHECKING:
    from analyzer.analyses.worth import Worth


@command(
    *options.PAIR,
    Option(
        "--classifier  whose rules name the types (default: kummerfeld)",
        default=Classifier.KUMMERFELD.value,
        choices=[classifier.value for classifier in Classifier],
    ),
    options.BY_SENTENCE,
    Option("--list  every error: what is edited, and how"),
    Option(
        "--crossed  constructions by type of error: brackets, and what F-h counts "
        "(with --classifier spinal)"
    ),
    Option(
        "--worth {type,construction,governor}  points of F1 if the parser never made "
        "such errors, by type (default), construction, or construction and phrase "
        "(these with --classifier spinal)",
        nargs="?",
        const="type",
    ),
    Option("--top N  only the first N rows of --worth and --crossed", at_least(1)),
    Option(
        "--limit N  how many errors --list shows, from all over the input; 0 for all "
        "(default: 0)",
        at_least(0),
        0,
    ),
    Option(
        "--draw N  draw the edits of these sentences, by their numbers or names: the "
        "tree before and after each",
        default=[],
        nargs="+",
    ),
    *options.DRAWING,
    options.constructions(*options.SCORED),
    options.FUNCTION_TAGS,
    options.pairing(
        "skip",
        "error",
        rows=(options.PAIR_SENTENCES_BY, options.TAGS, *options.ANSWERS),
    ),
    options.TREE_INPUT,
    options.WORK,
    options.OUTPUT,
)
def run_repairs(args: Namespace) -> int:
    """Which kinds of error a parser makes: the edits that turn its trees into gold.

    examples:
      spinal repairs gold.mrg parsed.mrg
      spinal repairs gold.mrg parsed.mrg --list --format tsv
      spinal repairs gold.mrg parsed.mrg --draw 3
      spinal repairs gold.mrg parsed.mrg --worth
      spinal repairs gold.mrg parsed.mrg --classifier spinal --worth construction

    classifiers:
      kummerfeld  the rules and the preparation of trees of the Berkeley Parser Analyser,
                  number for number
      spinal      the same types, its slips corrected; trees and words as in score; names the
                  construction and the head word that each error touches
    """  # noqa: E501 -- as it is printed
    tables = [args.list, args.by_sentence, bool(args.worth), args.crossed]
    if sum(tables) > 1 and args.format in options.ONE_TABLE:
        raise SettingsError("E861 contains one table", format=args.format)
    with ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar:
        result = repairs(
            inputs.input_of(args, args.gold),
            inputs.input_of(args, args.parsed),
            classifier=args.classifier,
            by_sentence=args.by_sentence or args.list or args.crossed,
            keep_trees=bool(args.worth or args.draw),
            backend=inputs.backend_of(args),
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, result.ledger)
    if args.draw:
        _draw(args, result)
    else:
        _print(args, result)
    return exit_code(result.ledger, args.gold, args.parsed, verb="searched")


def _draw(args: Namespace, result: Repairs) -> None:
    """The edits of some sentences, as text or as pictures."""
    from reports.tables.errors import stage_picture, stage_text

    for wanted in args.draw:
        sentence = result.sentence_of(wanted)
        number = sentence.sentence
        steps = counted(len(sentence.repairs), "edit")
        put(f"sentence {numbered(number, sentence.id)}: {sentence.status}, {steps}")
        several = len(args.draw) > 1 or len(sentence.repairs) > 1
        for stage in result.stages(sentence):
            if args.picture:
                name = f"{number}-{stage.step}"
                save_picture(stage_picture(stage), args.picture, name, several=several)
                continue
            width, color = width_and_color(args)
            put(f"\n{stage_text(stage, width=width, color=color)}")


def _print(args: Namespace, result: Repairs) -> None:
    worth: Worth | None = None
    if args.worth:
        from analyzer.analyses.worth import worth_of

        worth = worth_of(result, by=args.worth)
    emit(
        args,
        result,
        by_sentence=args.by_sentence,
        listed=args.list,
        crossed=args.crossed,
        worth=worth,
        limit=args.limit or None,
        top=args.top,
        form=args.format,
    )
