"""spinal domains: data sets side by side, and where the gap comes from."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from analyzer.analyses.domains import compare_domains
from analyzer.analyses.gap import MEASURES, Domain, Split
from analyzer.cli import inputs, numbers, options, tree_options
from analyzer.cli.output import emit, exit_code, hint_at_labels, warn_of
from analyzer.cli.progress import ReadingBar
from analyzer.exceptions import SettingsError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.files.inputs import Input
    from reports.model import Table

_EPILOG = """\
examples:
  spinal domains news=news.gold:news.parsed web=web.gold:web.parsed
  spinal domains all=dev.gold:dev.parsed --group-by dev.tsv:genre --reference news
  spinal domains a=a.gold:a.parsed b=b.gold:b.parsed --output report/
  spinal domains a=a.gold:a.parsed b=b.gold:b.parsed --repairs

The first data set is the reference. The split shows where the difference in a total
score comes from: constructions being more or less frequent (distribution), the
parser doing each worse or better (accuracy: by head, right edge, left edge), and both
together (interaction). The parts add up exactly.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Compare data sets, and split the gap between them."
    parser.epilog = _EPILOG
    parser.add_argument("inputs", nargs="+", metavar="NAME=GOLD:PARSED")
    options.add_group_options(parser)
    parser.add_argument(
        "--measure",
        choices=(*MEASURES, "all"),
        default="f_s",
        help="what to split (default: f_s)",
    )
    parser.add_argument(
        "--min-share",
        type=numbers.number(least=0),
        default=0.5,
        metavar="P",
        help="constructions with at least P %% of some data set's gold (default: 0.5)",
    )
    parser.add_argument(
        "--columns",
        metavar="LIST",
        help="of share_gold, f_h, f_s, att, span_right (default: all; f_s alone for "
        "more than three data sets)",
    )
    parser.add_argument(
        "--top",
        type=numbers.whole_number(least=1),
        default=12,
        metavar="N",
        help="rows of a split (default: 12)",
    )
    options.add_repairs_option(parser)
    tree_options.add_construction_options(parser)
    tree_options.add_function_options(parser)
    tree_options.add_tree_options(parser, binarize="right")
    options.add_pairing_options(parser)
    options.add_input_options(parser)
    options.add_work_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import domains as domains_tables

    datasets = inputs.datasets_of(args.inputs)
    files = [path for _, gold, parsed in datasets for path in (gold, parsed)]
    opened = inputs.inputs_of(args, datasets)
    if args.repairs:
        for _, gold, parsed in opened:
            gold.keep()  # both are read once more
            parsed.keep()
    with ReadingBar(files, quiet=args.quiet) as bar:
        result = compare_domains(
            opened,
            group_by=args.group_by,
            reference=args.reference,
            backend=inputs.backend_of(args),
            **inputs.scoring_options(args, bar),
        )
    domains = result.domains
    if len(domains) < 2:
        raise SettingsError(
            "expected two or more data sets, found {count}",
            code="E806",
            count=len(domains),
        )
    measures = MEASURES if args.measure == "all" else (args.measure,)
    splits = result.splits(measures)
    columns = args.columns.replace("-", "_").split(",") if args.columns else None
    by_construction = domains_tables.domain_table(
        domains,
        columns=columns,
        min_share=args.min_share,
        ungrouped=result.ungrouped,
    )
    tables = [
        domains_tables.overview_table(domains),
        by_construction,
        *(domains_tables.split_table(split, top=args.top) for split in splits),
    ]
    if domains[0].scores.functions is not None:
        from reports.tables.functions import functions_overview, tags_side_by_side

        functions = [
            (one.name, one.scores.functions) for one in domains if one.scores.functions
        ]
        tables.append(functions_overview(functions, what="data set"))
        tables.append(tags_side_by_side(functions))
    warn_of(args, result.ledger)
    hint_at_labels(args, domains[0].scores.label_hint)
    data = domains_tables.domains_json(domains, splits, result.ledger)
    if args.repairs:
        tables.append(_repair_table(args, opened, [one.name for one in domains]))
        data["repairs"] = tables[-1].records()
    emit(
        args,
        tables,
        data,
        plots=lambda: _plots(domains, splits),
        words=[domains_tables.paragraph(split) for split in splits],
        main=by_construction,
    )
    sources = {one.name: one for one in datasets}
    codes = []
    for domain in domains:
        # Data sets that groups make have no file of their own.
        files_of = sources.get(domain.name, datasets[0])
        codes.append(exit_code(domain.scores.ledger, files_of.gold, files_of.parsed))
    return max(*codes, exit_code(result.ledger, *datasets[0][1:]))


def _repair_table(
    args: argparse.Namespace,
    datasets: list[tuple[str, Input, Input]],
    names: list[str],
) -> Table:
    """Errors per 100 sentences, by type and data set, in the order of the others."""
    from analyzer.analyses.repair_comparisons import repairs_by_domain
    from reports.tables.repair_comparisons import repair_domain_table

    settings = inputs.scoring_options(args)
    settings["on_mismatch"] = "skip"
    found = repairs_by_domain(
        datasets,
        group_by=args.group_by,
        classifier=args.repairs,
        backend=inputs.backend_of(args),
        **settings,
    )
    return repair_domain_table({name: found[name] for name in names})


def _plots(domains: list[Domain], splits: list[Split]) -> Mapping[str, Figure]:
    from reports.plots.scores import cumulative_figure, split_figure

    figures = {"cumulative": cumulative_figure(domains)}
    for split in splits:
        figures[f"gap_{split.measure}_{split.domain}"] = split_figure(split)
    return figures
