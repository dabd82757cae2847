"""spinal score: the paper's Table 2 for one data set."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from analyzer.analyses.score import ConstructionScores, score
from analyzer.cli import inputs, numbers, options, tree_options
from analyzer.cli.output import (
    emit,
    exit_code,
    generated_tables,
    hint_at_labels,
    warn_of,
)
from analyzer.cli.progress import ReadingBar
from analyzer.exceptions import SettingsError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_EPILOG = """\
examples:
  spinal score gold.mrg parsed.mrg
  spinal score gold.mrg parsed.mrg --min-share 0.5 --sort f_s
  spinal score gold.mrg parsed.mrg --merge NP-t=NP-t,NP-pos --format latex
  spinal score gold.mrg parsed.mrg --functions --function-separator '*'
  spinal score gold.mrg parsed.mrg --columns f_h,precision_h,recall_h,span_left

columns:
  share_gold  its share of all gold brackets      gold, parsed  how often
  f_h  same head word and construction            f_s  and the same span
  att  of the F-h matches, the same attachment    span_right, span_left  ... edge
  precision_h, recall_h, precision_s, recall_s; matched_h, matched_s, ... counts
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Which constructions a parser gets wrong, and how."
    parser.epilog = _EPILOG
    options.add_pair(parser)
    rows = parser.add_argument_group("rows and columns")
    rows.add_argument(
        "--min-share",
        type=numbers.number(least=0),
        default=0.0,
        metavar="P",
        help="only constructions with at least P %% of the gold brackets",
    )
    rows.add_argument("--top", type=int, metavar="N", help="only the first N rows")
    rows.add_argument(
        "--sort",
        default="gold",
        metavar="COLUMN",
        help="sort by this column: counts largest first, ratios worst first",
    )
    rows.add_argument(
        "--columns", metavar="LIST", help="columns, comma-separated, or 'all'"
    )
    rows.add_argument(
        "--by-sentence", action="store_true", help="a table per sentence as well"
    )
    tree_options.add_construction_options(parser)
    tree_options.add_function_options(parser)
    options.add_pairing_options(parser)
    options.add_generated_options(parser)
    options.add_input_options(parser)
    options.add_work_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables.constructions import chosen_columns

    if args.top is not None and args.top < 1:
        raise SettingsError(
            "--top must be at least 1, not {top}", code="E845", top=args.top
        )
    columns = chosen_columns(args.columns)
    gold, parsed = inputs.pair_of(args)
    if inputs.is_discourse(gold):
        raise SettingsError(
            "{gold_} contains discourse trees: use spinal rst score --constructions",
            code="E846",
            gold_=args.gold,
        )
    with ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar:
        result = score(
            gold,
            parsed,
            by_sentence=args.by_sentence,
            faithfulness=args.faithfulness,
            backend=inputs.backend_of(args),
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, result.ledger)
    hint_at_labels(args, result.label_hint)
    _print(args, result, columns)
    return exit_code(result.ledger, args.gold, args.parsed)


def _print(
    args: argparse.Namespace, result: ConstructionScores, columns: list[str]
) -> None:
    from reports.tables import constructions as constructions_tables

    tables = [
        constructions_tables.construction_table(
            result,
            columns=columns,
            min_share=args.min_share,
            top=args.top,
            sort=args.sort.replace("-", "_"),
        )
    ]
    main = tables[0]
    if result.functions is not None:
        from reports.tables.functions import function_tables

        tables += function_tables(result.functions, top=args.top)
        main = tables[1]
    if generated := generated_tables(args, result.faithfulness):
        tables += generated
        main = generated[0] if args.faithfulness else main
    if args.by_sentence:
        main = constructions_tables.sentence_table(result)
        tables.append(main)
    emit(
        args,
        tables,
        lambda: constructions_tables.construction_json(result),
        main=main,
        plots=lambda: _plots(result),
    )


def _plots(result: ConstructionScores) -> Mapping[str, Figure]:
    from analyzer.analyses.gap import Domain
    from reports.plots.scores import cumulative_figure

    return {"cumulative": cumulative_figure([Domain("", result)])}
