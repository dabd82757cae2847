"""spinal domains: data sets side by side, and where the gap comes from."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from analyzer.analyses.domain_gap import MEASURES, compare_domains
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Option, at_least, command
from analyzer.cli.output import emit, warn_of
from analyzer.cli.progress import ReadingBar
from analyzer.exceptions import SettingsError
from analyzer.files.inputs import Input

if TYPE_CHECKING:
    from reports.model import View


@command(
    Option("NAME=GOLD:PARSED", nargs="+", dest="inputs"),
    *options.GROUPS,
    Option(
        "--measure  what to split (default: f_s)",
        default="f_s",
        choices=(*MEASURES, "all"),
    ),
    Option(
        "--min-share P  constructions with at least P %% of some data set's gold "
        "(default: 0.5)",
        at_least(0, float),
        0.5,
    ),
    Option(
        "--columns LIST  of share_gold, f_h, f_s, att, span_right "
        "(default: all; f_s alone for more than three data sets)"
    ),
    Option("--top N  rows of a split (default: 12)", at_least(1), 12),
    options.CAUSES,
    options.REPAIRS,
    *options.compared_trees(),
    options.WORK,
    options.OUTPUT,
)
def run_domains(args: Namespace) -> int:
    """Compare data sets, and split the gap between them.

    examples:
      spinal domains news=news.gold:news.parsed web=web.gold:web.parsed
      spinal domains all=dev.gold:dev.parsed --group-by dev.tsv:genre --reference news
      spinal domains a=a.gold:a.parsed b=b.gold:b.parsed --output report/
      spinal domains a=a.gold:a.parsed b=b.gold:b.parsed --causes --repairs

    The first data set is the reference. The split shows where the difference in a total
    score comes from: constructions being more or less frequent (distribution), the
    parser doing each worse or better (accuracy: by head, right edge, left edge), and both
    together (interaction). The parts add up exactly.
    """  # noqa: E501 -- as it is printed
    from reports.model import joined
    from reports.views import view_of

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
            causes=args.causes,
            backend=inputs.backend_of(args),
            **inputs.scoring_options(args, bar),
        )
    domains = result.domains
    if len(domains) < 2:
        raise SettingsError(
            "E806 expected two or more data sets, found", count=len(domains)
        )
    measures = MEASURES if args.measure == "all" else (args.measure,)
    columns = args.columns.replace("-", "_").split(",") if args.columns else None
    view = view_of(
        result,
        measures=measures,
        columns=columns,
        min_share=args.min_share,
        top=args.top,
    )
    warn_of(args, result.ledger, hint=domains[0].scores.label_hint)
    if args.repairs:
        view = joined(view, _repairs(args, opened, [domain.name for domain in domains]))
    emit(args, view)
    ledgers = [(domain.name, domain.scores.ledger) for domain in domains]
    return inputs.worst_code(datasets, [*ledgers, ("", result.ledger)])


def _repairs(
    args: Namespace, datasets: list[tuple[str, Input, Input]], names: list[str]
) -> View:
    """Errors per 100 sentences, by type and data set, in the order of the others."""
    from analyzer.analyses.repair_comparisons import repairs_by_domain
    from reports.tables.repairs import repair_domains_view

    settings = inputs.scoring_options(args, on_mismatch="skip")
    by_domain = repairs_by_domain(
        datasets,
        group_by=args.group_by,
        classifier=args.repairs,
        backend=inputs.backend_of(args),
        **settings,
    )
    return repair_domains_view({name: by_domain[name] for name in names})
