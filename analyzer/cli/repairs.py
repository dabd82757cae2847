"""spinal repairs: errors by type, as edits that turn the parse into gold."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from analyzer.analyses.repair_records import Classifier
from analyzer.analyses.repairs import Repairs, repairs
from analyzer.cli import inputs, numbers, options, tree_options
from analyzer.cli.output import (
    emit,
    exit_code,
    terminal_width,
    uses_color,
    warn_of,
    write_svg,
)
from analyzer.cli.progress import ReadingBar
from analyzer.cli.streams import put
from analyzer.exceptions import SettingsError
from analyzer.safe_text import counted, numbered

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.analyses.worth import Worth

_EPILOG = """\
examples:
  spinal repairs gold.mrg parsed.mrg
  spinal repairs gold.mrg parsed.mrg --list --format tsv
  spinal repairs gold.mrg parsed.mrg --draw 3
  spinal repairs gold.mrg parsed.mrg --worth
  spinal repairs gold.mrg parsed.mrg --classifier spinal --worth construction

classifiers:
  kummerfeld  the rules and the preparation of trees of the Berkeley Parser Analyser,
              number for number
  spinal      the same types, its slips mended; trees and words as in score; names the
              construction and the head word that each error touches
"""
_GROUPS = ("type", "construction", "governor")
_ONE_TABLE = ("csv", "tsv")
_WORDS_WIDTH = 40  # of the words of an error in a table for a terminal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Which kinds of error a parser makes: the edits that turn its trees into gold."
    )
    parser.epilog = _EPILOG
    options.add_pair(parser)
    parser.add_argument(
        "--classifier",
        choices=[one.value for one in Classifier],
        default=Classifier.KUMMERFELD.value,
        help="whose rules name the types (default: kummerfeld)",
    )
    parser.add_argument(
        "--by-sentence", action="store_true", help="a table per sentence as well"
    )
    parser.add_argument(
        "--list", action="store_true", help="every error: what is edited, and how"
    )
    parser.add_argument(
        "--crossed",
        action="store_true",
        help="constructions by type of error: brackets, and what F-h counts (with "
        "--classifier spinal)",
    )
    parser.add_argument(
        "--worth",
        nargs="?",
        const=_GROUPS[0],
        choices=_GROUPS,
        help="points of F1 if the parser never made such errors, by type (default), "
        "construction, or construction and phrase (these with --classifier spinal)",
    )
    parser.add_argument(
        "--top",
        type=numbers.whole_number(least=1),
        metavar="N",
        help="only the first N rows of --worth and --crossed",
    )
    parser.add_argument(
        "--limit",
        type=numbers.whole_number(least=0),
        default=0,
        metavar="N",
        help="how many errors --list shows, 0 for all (default: 0)",
    )
    parser.add_argument(
        "--draw",
        nargs="+",
        default=[],
        metavar="N",
        help="draw the edits of these sentences, by their numbers or names: the tree "
        "before and after each",
    )
    options.add_drawing_options(parser)
    tree_options.add_construction_options(parser)
    tree_options.add_function_options(parser, scored=False)
    options.add_pairing_options(parser, policies=("skip", "error"))
    options.add_input_options(parser)
    options.add_work_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    tables = [args.list, args.by_sentence, bool(args.worth), args.crossed]
    if sum(tables) > 1 and args.format in _ONE_TABLE:
        raise SettingsError(
            "{format} contains one table: choose --by-sentence, --list, "
            "--worth or --crossed",
            code="E861",
            format=args.format,
        )
    with ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar:
        found = repairs(
            inputs.input_of(args, args.gold),
            inputs.input_of(args, args.parsed),
            classifier=args.classifier,
            by_sentence=args.by_sentence or args.list or args.crossed,
            keep_trees=bool(args.worth or args.draw),
            backend=inputs.backend_of(args),
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, found.ledger)
    if args.draw:
        _draw(args, found)
    else:
        _print(args, found)
    return exit_code(found.ledger, args.gold, args.parsed, verb="searched")


def _draw(args: argparse.Namespace, found: Repairs) -> None:
    """The edits of some sentences, as text or as pictures."""
    from analyzer.analyses.repair_stages import stages
    from reports.drawing.edits import stage_svg, stage_text

    for wanted in args.draw:
        sentence = found.sentences[found.place_of(wanted)]
        number = sentence.sentence
        steps = counted(len(sentence.repairs), "edit")
        put(f"sentence {numbered(number, sentence.id)}: {sentence.status}, {steps}")
        several = len(args.draw) > 1 or len(sentence.repairs) > 1
        for one in stages(found, sentence) if sentence.trees else []:
            if args.svg:
                name = f"{number}-{one.step}"
                write_svg(stage_svg(one), args.svg, name, several=several)
                continue
            width, color = terminal_width(args.width), uses_color(args.color)
            put(f"\n{stage_text(one, width=width, color=color)}")


def _print(args: argparse.Namespace, found: Repairs) -> None:
    from reports.tables import repairs as repairs_tables

    as_in_paper = args.format == "latex"
    tables = [repairs_tables.type_table(found, as_in_paper=as_in_paper)]
    if args.by_sentence:
        tables.append(repairs_tables.sentence_table(found))
    if args.list:
        width = _WORDS_WIDTH if args.format == "text" else None
        limit = args.limit or None
        tables.append(repairs_tables.error_table(found, limit=limit, width=width))
    data = repairs_tables.repairs_json(found, sentences=args.by_sentence or args.list)
    worth: Worth | None = None
    if args.worth:
        from analyzer.analyses.worth import worth_of
        from reports.tables.worth import worth_json, worth_table

        worth = worth_of(found, by=args.worth)
        tables.append(worth_table(worth, top=args.top))
        data["worth"] = worth_json(worth)
    if args.crossed:
        crossed = repairs_tables.crossed_tables(found, top=args.top)
        tables += crossed
        data["crossed"] = {one.name: one.records() for one in crossed}
    emit(args, tables, data, plots=lambda: _plots(worth))


def _plots(worth: Worth | None) -> Mapping[str, Figure]:
    if worth is None:
        return {}
    from reports.plots.repairs import waterfall_figure

    return {"waterfall": waterfall_figure(worth)}
