"""spinal compare: systems side by side, and which differences are real."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analyzer.analyses.system_rows import METRICS
from analyzer.analyses.systems import SystemComparison, compare_systems
from analyzer.cli import inputs, numbers, options, tree_options
from analyzer.cli.output import emit, exit_code, hint_at_labels, warn_of
from analyzer.cli.progress import ReadingBar, StepBar
from analyzer.metrics.significance import DEFAULT_RESAMPLES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.analyses.rst_systems import MetricDifference
    from analyzer.analyses.system_rows import DifferenceRow
    from analyzer.files.inputs import Input
    from reports.model import Table

_EPILOG = """\
examples:
  spinal compare gold.mrg a.mrg b.mrg
  spinal compare gold.mrg base=a.mrg new=b.mrg other=c.mrg --metric att
  spinal compare gold.mrg a.mrg b.mrg --output report/
  spinal compare gold.mrg a.mrg b.mrg --repairs
  spinal compare gold/ ours=run7/ theirs=run2/ --relations gum   (discourse trees)

The first system is the baseline. Intervals are from a paired bootstrap over
sentences, p-values from approximate randomisation, corrected by Holm's method for
the many constructions. The same seed gives the same numbers. Of discourse trees, the
metrics of `spinal rst score` are tested as well, by document and by decision.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Compare systems, construction by construction."
    parser.epilog = _EPILOG
    parser.add_argument("gold", metavar="GOLD")
    parser.add_argument("inputs", nargs="+", metavar="[NAME=]PARSED")
    tests = parser.add_argument_group("tests")
    tests.add_argument(
        "--metric",
        choices=METRICS,
        default="f_s",
        help="what is compared (default: f_s)",
    )
    options.add_resampling_options(
        tests, resamples=DEFAULT_RESAMPLES, what="resamples of each test"
    )
    parser.add_argument(
        "--min-share",
        type=numbers.number(least=0),
        default=0.5,
        metavar="P",
        help="only constructions with at least P %% of the gold brackets "
        "(default: 0.5)",
    )
    options.add_repairs_option(parser)
    tree_options.add_construction_options(parser)
    tree_options.add_function_options(parser)
    tree_options.add_tree_options(parser, binarize="right")
    options.add_pairing_options(parser)
    options.add_input_options(parser)
    options.add_work_options(parser, checkpoint=False)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import systems as systems_tables

    systems = inputs.systems_of(args.inputs)
    files = [path for _, parsed in systems for path in (args.gold, parsed)]
    gold = inputs.input_of(args, args.gold)
    outputs = [(name, inputs.input_of(args, path)) for name, path in systems]
    if args.repairs:
        for given in (gold, *(parsed for _, parsed in outputs)):
            given.keep()  # all are read once more
    with ReadingBar(files, quiet=args.quiet) as bar:
        result = compare_systems(
            gold,
            outputs,
            resamples=args.resamples,
            seed=args.seed,
            backend=inputs.backend_of(args),
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, *(one.ledger for one in result.systems), result.unpaired)
    hint_at_labels(args, result.systems[0].scores.label_hint)
    others = result.systems[1:]
    passes = 2 + (result.documents.passes if result.documents else 0)
    total = passes * args.resamples * len(others)
    metrics: dict[str, list[MetricDifference]] = {}
    with StepBar(total, "resampling", quiet=args.quiet) as steps:
        differences = {
            other.name: result.differences(
                other, args.metric, steps.add, jobs=args.jobs
            )
            for other in others
        }
        if result.documents:
            metrics = {
                other.name: result.documents.differences(other.name, steps.add)
                for other in others
            }
    of_others = [
        systems_tables.difference_table(
            result,
            other,
            differences[other.name],
            args.metric,
            min_share=args.min_share,
        )
        for other in others
    ]
    found = {other.name: result.agreement(other) for other in others}
    of_documents = _document_tables(result, metrics)
    tables = [systems_tables.leaderboard(result), *of_documents.get("", [])]
    for other, of_other in zip(others, of_others, strict=True):
        tables += of_documents.get(other.name, [])
        tables.append(of_other)
        tables.append(
            systems_tables.agreement_table(
                result, other, found[other.name], min_share=args.min_share
            )
        )
    data = systems_tables.systems_json(result, differences, found, args.metric, metrics)
    if args.functions:
        tables += _function_tables(args, result, data)
    if args.repairs:
        tables += _repair_tables(args, gold, outputs, data)
    main = systems_tables.stacked_differences(result, of_others, args.metric)
    if result.documents:
        from reports.tables.rst_systems import all_differences

        main = all_differences(result, differences, metrics, args.metric)
    emit(
        args,
        tables,
        data,
        plots=lambda: _plots(result, differences, args.metric),
        main=main,
    )
    return exit_code(result.ledger, args.gold, "", verb="compared")


def _document_tables(
    result: SystemComparison, metrics: Mapping[str, list[MetricDifference]]
) -> dict[str, list[Table]]:
    """Of discourse trees: the metrics of all systems, and what differs in each."""
    if result.documents is None:
        return {}
    from reports.tables import rst_systems

    found = {"": [rst_systems.metric_leaderboard(result.documents)]}
    for name, rows in metrics.items():
        found[name] = [
            *rst_systems.metric_difference_tables(result.documents, name, rows)
        ]
    return found


def _function_tables(
    args: argparse.Namespace, result: SystemComparison, data: dict[str, Any]
) -> list[Table]:
    """Function tags of all systems, and what differs; the JSON gets them too."""
    from analyzer.analyses.system_functions import function_differences
    from reports.tables import functions as functions_tables

    scored = [
        (one.name, one.scores.functions)
        for one in result.systems
        if one.scores.functions is not None
    ]
    tables = [functions_tables.functions_overview(scored, what="system")]
    passes = 2 * args.resamples * (len(scored) - 1)
    with StepBar(passes, "resampling", quiet=args.quiet) as steps:
        found = {
            other.name: function_differences(result, other, steps.add)
            for other in result.systems[1:]
        }
    for name, rows in found.items():
        tables.append(
            functions_tables.function_difference_table(
                rows, a=result.baseline.name, b=name
            )
        )
    data["functions"] = {
        "systems": tables[0].records(),
        "comparisons": [
            {
                "baseline": result.baseline.name,
                "system": name,
                "differences": [row._asdict() for row in rows],
            }
            for name, rows in found.items()
        ],
    }
    return tables


def _repair_tables(
    args: argparse.Namespace,
    gold: Input,
    outputs: list[tuple[str, Input]],
    data: dict[str, Any],
) -> list[Table]:
    """In which types of error the systems differ; the JSON gets them too."""
    from analyzer.analyses.repair_comparisons import compare_repairs
    from reports.tables.repair_comparisons import (
        repair_difference_table,
        repair_system_table,
    )

    settings = inputs.scoring_options(args)
    settings["on_mismatch"] = "skip"
    found = compare_repairs(
        gold,
        outputs,
        classifier=args.repairs,
        resamples=args.resamples,
        seed=args.seed,
        backend=inputs.backend_of(args),
        **settings,
    )
    names = list(found.systems)[1:]
    with StepBar(
        2 * args.resamples * len(names), "resampling", quiet=args.quiet
    ) as bar:
        differences = {name: found.differences(name, bar.add) for name in names}
    data["repairs"] = [
        {
            "baseline": found.baseline,
            "system": name,
            "differences": [row._asdict() for row in rows],
        }
        for name, rows in differences.items()
    ]
    by_system = repair_system_table(found)
    data["repairs_by_system"] = by_system.records()
    return [
        by_system,
        *(
            repair_difference_table(found, name, rows)
            for name, rows in differences.items()
        ),
    ]


def _plots(
    result: SystemComparison,
    differences: Mapping[str, list[DifferenceRow]],
    metric: str,
) -> Mapping[str, Figure]:
    from reports.plots.scores import difference_figure
    from reports.tables.systems import METRIC_NAMES

    return {
        f"differences_{metric}_{name}": difference_figure(
            rows, a=result.baseline.name, b=name, metric=METRIC_NAMES[metric]
        )
        for name, rows in differences.items()
    }
