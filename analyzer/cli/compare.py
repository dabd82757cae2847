"""spinal compare: systems side by side, and which differences are real."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from analyzer.analyses.systems import (
    System,
    SystemComparison,
    compare,
    compared_metrics,
)
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, at_least, command
from analyzer.cli.output import emit, exit_code, warn_of
from analyzer.cli.progress import ReadingBar, StepBar
from analyzer.exceptions import SettingsError
from analyzer.metrics.measures import Row
from analyzer.metrics.significance import DEFAULT_RESAMPLES

_FEW = 3  # systems: of more, pairs are shown if they are asked for

if TYPE_CHECKING:
    from analyzer.files.inputs import Input
    from reports.model import View


@command(
    options.GOLD,
    options.SYSTEMS,
    Group(
        "tests",
        Option(
            "--metric  what is compared (default: f_s)",
            default="f_s",
            choices=compared_metrics,
        ),
        *options.resampling(DEFAULT_RESAMPLES, "resamples of each test"),
        is_rare=True,
    ),
    Option(
        "--min-share P  only constructions with at least P %% of the gold brackets "
        "(default: 0.5)",
        at_least(0, float),
        0.5,
    ),
    Option(
        "--details NAME  how this system differs from the first, construction by "
        "construction; may be repeated; `all` (default: all of up to three systems)",
        action="append",
    ),
    options.REPAIRS,
    options.BINARIZE_PARSED,
    *options.compared_trees(),
    Group("work", options.JOBS, options.CLUSTER, is_rare=True),
    options.OUTPUT,
)
def run_compare(args: Namespace) -> int:
    """Compare systems, construction by construction.

    examples:
      spinal compare gold.mrg a.mrg b.mrg
      spinal compare gold.mrg base=a.mrg new=b.mrg other=c.mrg --metric att
      spinal compare gold.mrg a.mrg b.mrg --output report/
      spinal compare gold.mrg a.mrg b.mrg --repairs
      spinal compare gold/ ours=run7/ theirs=run2/ --relations gum   (discourse trees)
      spinal compare gold.mrg A=a1.mrg,a2.mrg,a3.mrg 'B=runs/b*.mrg'    (several runs)

    One row a system, then one row a construction and one column a system. Of more than
    three systems, each is tested against the next in rank, and --details shows how a
    system differs from the first. The first system is the baseline. Intervals are from a paired bootstrap over
    sentences, p-values from approximate randomisation, corrected by Holm's method for
    the many constructions. The same seed gives the same numbers. Of discourse trees, the
    metrics of `spinal rst score` are tested as well, by document and by decision.
    Of several runs of a system, the mean counts: runs and text are resampled together.
    """  # noqa: E501 -- as it is printed
    from reports.model import joined
    from reports.views import view_of

    if runs := inputs.runs_of(args.inputs, args.gold):
        return _compare_runs(args, runs)
    systems = inputs.systems_of(args.inputs)
    files = [path for _, parsed in systems for path in (args.gold, parsed)]
    gold = inputs.input_of(args, args.gold)
    outputs = [(name, inputs.input_of(args, path)) for name, path in systems]
    if args.repairs:
        for given in (gold, *(parsed for _, parsed in outputs)):
            given.keep()  # all are read once more
    with ReadingBar(files, quiet=args.quiet) as bar:
        result = compare(
            gold,
            outputs,
            resamples=args.resamples,
            seed=args.seed,
            binarize_parsed=args.binarize_parsed != "no",
            backend=inputs.backend_of(args),
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, *(system.ledger for system in result.systems), result.unpaired)
    warn_of(args, hint=result.systems[0].scores.label_hint)
    others = _detailed(args, result)
    has_many = len(result.systems) > _FEW
    passes = 2 + (result.documents.passes if result.documents else 0)
    total = passes * args.resamples * len(others)
    total += has_many * 2 * args.resamples * (len(result.systems) - 1)
    metrics: dict[str, list[Row]] = {}
    with StepBar(total, "resampling", quiet=args.quiet) as steps:
        differences = {
            other.name: result.differences(
                other, args.metric, steps.add, jobs=args.jobs
            )
            for other in others
        }
        neighbours = (
            result.neighbours(args.metric, steps.add, jobs=args.jobs)
            if has_many
            else []
        )
        if result.documents:
            metrics = {
                other.name: result.documents.differences(other.name, steps.add)
                for other in others
            }
    views = [
        view_of(
            result,
            differences=differences,
            metrics=metrics,
            neighbours=neighbours,
            metric=args.metric,
            min_share=args.min_share,
        )
    ]
    if args.functions:
        views.append(_functions(args, result))
    if args.repairs:
        views.append(_repairs(args, gold, outputs))
    emit(args, joined(*views))
    return exit_code(result.ledger, args.gold, "", verb="compared")


def _compare_runs(args: Namespace, runs: dict[str, list[str]]) -> int:
    """Systems with several runs each."""
    from analyzer.analyses.runs import compare_runs

    alone = "details", "repairs", "functions", "binarize_parsed"
    if given := inputs.given_options(args, *alone):
        raise SettingsError("E691 several runs are compared without", options=given)
    gold = inputs.input_of(args, args.gold)
    files = [path for paths in runs.values() for path in paths]
    with ReadingBar([args.gold, *files], quiet=args.quiet) as bar:
        result = compare_runs(
            gold,
            {
                name: [inputs.input_of(args, path) for path in paths]
                for name, paths in runs.items()
            },
            metric=args.metric,
            resamples=args.resamples,
            seed=args.seed,
            backend=inputs.backend_of(args),
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, *(run.ledger for run in result.compared.systems))
    emit(args, result, min_share=args.min_share)
    return exit_code(result.ledger, args.gold, "", verb="compared")


def _detailed(args: Namespace, result: SystemComparison) -> list[System]:
    """The systems whose differences from the first are shown one by one."""
    others = result.systems[1:]
    if not args.details:
        return others if len(result.systems) <= _FEW else []
    names = [system.name for system in others]
    for name in args.details:
        if name not in (*names, "all"):
            raise SettingsError("E246 no system", name=name, names=(*names, "all"))
    return [system for system in others if {system.name, "all"} & {*args.details}]


def _functions(args: Namespace, result: SystemComparison) -> View:
    """Function tags of all systems, and what differs."""
    from reports.tables.systems import function_differences_view

    others = result.systems[1:]
    passes = 2 * args.resamples * len(others)
    with StepBar(passes, "resampling", quiet=args.quiet) as steps:
        differences = {
            other.name: result.function_differences(other, steps.add)
            for other in others
        }
    return function_differences_view(result, differences)


def _repairs(args: Namespace, gold: Input, outputs: list[tuple[str, Input]]) -> View:
    """In which types of error the systems differ."""
    from analyzer.analyses.repair_comparisons import compare_repairs
    from reports.views import view_of

    settings = inputs.scoring_options(args, on_mismatch="skip")
    comparison = compare_repairs(
        gold,
        outputs,
        classifier=args.repairs,
        resamples=args.resamples,
        seed=args.seed,
        backend=inputs.backend_of(args),
        **settings,
    )
    names = list(comparison.systems)[1:]
    steps = 2 * args.resamples * len(names)
    with StepBar(steps, "resampling", quiet=args.quiet) as bar:
        differences = {name: comparison.differences(name, bar.add) for name in names}
    return view_of(comparison, differences=differences)
