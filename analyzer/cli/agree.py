"""spinal agree: how far two annotations of the same text agree, and where not."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from analyzer.analyses.agreement import Agreement, agree, agree_all
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Option, command
from analyzer.cli.output import emit, exit_code, warn_of
from analyzer.cli.progress import ReadingBar
from analyzer.exceptions import SettingsError
from analyzer.files.inputs import Input

if TYPE_CHECKING:
    from analyzer.analyses.error_data import ErrorSet
    from reports.model import Table


# What is of constructions, so that --metric cgel has no use for it.
_OF_CONSTRUCTIONS = (
    *("top", "examples", "segmentation", "patterns", "params", "delete_label"),
    *("merge", "no_root", "function_separator", "binarize", "relations"),
    *("pair", "tags", "on_mismatch", "mend", "field", "gold_field", "id"),
)


@command(
    Option("A"),
    Option("B"),
    Option(
        "C  further annotators: each pair is compared, and all of them by "
        "Krippendorff's alpha",
        nargs="*",
        dest="more",
    ),
    Option(
        "--metric {constructions,cgel}  constructions, kappas and disagreements "
        "(default); cgel: CGELBank's tree edit distance, of trees with functions on "
        "edges (.cgel; see docs/agree.md)",
        default="constructions",
    ),
    Option("--top N  only N constructions", int),
    Option(
        "--limit N  groups of disagreements, 0 for all (default: %(default)s)", int, 20
    ),
    Option(
        "--examples N  examples of a group, up to 3 (default: 1)",
        int,
        1,
        choices=range(4),
    ),
    Option(
        "--segmentation {same,offsets}  same: the same words or EDUs on both sides "
        "(default); offsets: they may differ and are compared by characters, white "
        "space ignored",
        default="same",
    ),
    *options.compared_trees(
        options.FUNCTION_TAGS,
        options.pairing(
            *("skip", "zero", "error"),
            rows=(
                *(options.PAIR_SENTENCES_BY, options.TAGS),
                *options.ANSWERS_OF_BOTH,
            ),
        ),
    ),
    options.JOBS,
    options.OUTPUT,
)
def run_agree(args: Namespace) -> int:
    """Compare two annotations of the same text.

    examples:
      spinal agree anna.mrg ben.mrg
      spinal agree anna.mrg ben.mrg --segmentation offsets
      spinal agree treebank-1.0/ treebank-2.0/ --pair text --limit 40
      spinal agree anna/ ben/ --relations gum            (discourse trees)
      spinal agree anna.mrg ben.mrg carl.mrg             (three or more)
      spinal agree anna.cgel ben.cgel --metric cgel      (as CGELBank measures it)

    Neither side is gold. F-h: both project the construction for the same head word; F-s:
    over the same words; att, spanR: of the F-h matches, those with the same attachment,
    the same end. kappa corrects for chance. Disagreements are in groups, the largest first.
    """  # noqa: E501 -- as it is printed
    from reports.views import view_of

    for name in ("top", "limit"):
        value = getattr(args, name)
        if value is not None and value < (name == "top"):
            raise SettingsError("E801 must not be", name=name, value=value)
    if args.metric == "cgel":
        return _run_cgel(args)
    if args.more:
        return _run_all(args)
    a, b = inputs.input_of(args, args.a), inputs.input_of(args, args.b)
    # The page reads them once more.
    is_browsed = args.format == "html" and args.pair == "order"
    if is_browsed:
        a.keep()
        b.keep()
    with ReadingBar([args.a, args.b], quiet=args.quiet) as bar:
        result = agree(
            a,
            b,
            segmentation=args.segmentation,
            jobs=args.jobs,
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, result.ledger, sides=("A", "B"), hint=result.scores.label_hint)
    view = view_of(
        result, top=args.top, limit=args.limit or None, examples=args.examples
    )
    if args.format == "html":
        page = _page(args, result, view.tables, (a, b) if is_browsed else None)
        view = replace(view, text=page)
    emit(args, view)
    return exit_code(result.ledger, args.a, args.b, verb="compared", sides=("A", "B"))


def _page(
    args: Namespace,
    result: Agreement,
    tables: Sequence[Table],
    trees: tuple[Input, Input] | None,
) -> str:
    """The tables, and the disagreements with both trees."""
    from reports.page.disagreements import NAME, agreement_page

    pairs = [(NAME, *trees)] if trees and result.ledger.scored else []
    errors = next(iter(_disagreements(args, pairs)), None)
    return agreement_page(result, tables, sides=(args.a, args.b), errors=errors)


def _disagreements(
    args: Namespace, pairs: Sequence[tuple[str, Input, Input]]
) -> list[ErrorSet]:
    """What the browser of a page shows of each pair; it reads them once more."""
    from analyzer.analyses.report import MAX_INSTANCES, without_repeated_warnings
    from reports.page.disagreements import disagreements_of

    if not pairs:
        return []
    settings = inputs.scoring_options(args, on_mismatch="skip")
    with without_repeated_warnings():
        return disagreements_of(
            pairs, max_instances=MAX_INSTANCES, jobs=args.jobs, **settings
        )


def _run_all(args: Namespace) -> int:
    """Three annotators or more."""
    from reports.views import view_of

    paths = [args.a, args.b, *args.more]
    given = {path: inputs.input_of(args, path) for path in paths}
    is_browsed = args.format == "html" and args.pair == "order"
    for trees in given.values() if is_browsed else ():
        trees.keep()
    with ReadingBar(paths, quiet=args.quiet) as bar:
        result = agree_all(
            *(given[path] for path in paths),
            names=paths,
            segmentation=args.segmentation,
            jobs=args.jobs,
            **inputs.scoring_options(args, bar),
        )
    codes = []
    for (a, b), agreement in result.pairs.items():
        warn_of(args, agreement.ledger, sides=(a, b))
        codes.append(exit_code(agreement.ledger, a, b, verb="compared", sides=(a, b)))
    view = view_of(result)
    if args.format == "html":
        from reports.page.disagreements import annotators_page, pair_names

        pairs = [
            (name, given[a], given[b])
            for (a, b), name in pair_names(result).items()
            if is_browsed and result.pairs[a, b].ledger.scored
        ]
        errors = _disagreements(args, pairs)
        page = annotators_page(result, view.tables, args.limit or None, errors)
        view = replace(view, text=page)
    emit(args, view)
    return max(codes)


def _run_cgel(args: Namespace) -> int:
    """Two annotators or more, by CGELBank's tree edit distance."""
    from analyzer.analyses.cgel_agreement import cgel_agreement
    from reports.tables.agreement import cgel_pairs_view
    from reports.views import view_of

    if given := inputs.given_options(args, *_OF_CONSTRUCTIONS):
        raise SettingsError("E480 has no effect with", option=given[0])
    paths = [args.a, args.b, *args.more]
    pairs = {}
    with ReadingBar(paths, quiet=args.quiet) as bar:
        for a, b in combinations(paths, 2):
            pairs[a, b] = cgel_agreement(
                *(inputs.input_of(args, path) for path in (a, b)),
                progress=bar.add,
                **inputs.passed_on(args, "jobs strict encoding max_left_out"),
            )
    codes = []
    for (a, b), result in pairs.items():
        sides = ("A", "B") if len(pairs) == 1 else (a, b)
        warn_of(args, result.ledger, sides=sides)
        codes.append(exit_code(result.ledger, a, b, verb="compared", sides=sides))
    views = [view_of(result, limit=args.limit or None) for result in pairs.values()]
    emit(args, views[0] if len(views) == 1 else cgel_pairs_view(pairs))
    return max(codes)
