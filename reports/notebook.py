"""Results in a notebook: styled tables, and plots if matplotlib is there."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from analyzer.exceptions import SettingsError
from reports.model import Table
from reports.render import render

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.analyses.agreement import Agreement
    from analyzer.analyses.ambiguity import AmbiguityCounts
    from analyzer.analyses.bracket_scores import BracketScores
    from analyzer.analyses.conventions import ConventionScores
    from analyzer.analyses.derive import Derivations
    from analyzer.analyses.domains import DomainComparison
    from analyzer.analyses.find_errors import ErrorList
    from analyzer.analyses.generated import GeneratedTrees
    from analyzer.analyses.repair_comparisons import RepairComparison
    from analyzer.analyses.repairs import Repairs
    from analyzer.analyses.rst_results import RstScores
    from analyzer.analyses.score import ConstructionScores
    from analyzer.analyses.similarity import Similarities
    from analyzer.analyses.systems import SystemComparison
    from analyzer.analyses.worth import Worth
    from analyzer.checks.inventory import InventoryCheck
    from analyzer.checks.run import CheckResult

_STYLE = """\
<style>
.spinal-result table {border-collapse: collapse; font-variant-numeric: tabular-nums;
  margin: 0.6em 0}
.spinal-result caption {text-align: left; font-weight: 600; padding-bottom: 0.3em}
.spinal-result th, .spinal-result td {padding: 0.15em 0.7em; border: none}
.spinal-result thead th {border-bottom: 1px solid currentColor}
.spinal-result tbody tr:last-child td {border-top: 1px solid #8888}
.spinal-result p {max-width: 60em; margin: 0.4em 0}
</style>"""
_TOP = 20
_FEW = 5


def scores_html(scores: ConstructionScores) -> str:
    """Scores of constructions: the most frequent ones and the total."""
    from reports.tables.constructions import construction_table

    return _page([construction_table(scores, top=_TOP)])


def brackets_html(scores: BracketScores) -> str:
    """Bracket scores: the summary, and labels if they were asked for."""
    from reports.tables.evalb import label_table, summary_table

    labels = [label_table(scores)] if scores.labels else []
    return _page([summary_table(scores), *labels])


def generated_html(found: GeneratedTrees) -> str:
    """What is wrong with generated trees, counted."""
    from reports.tables.generated import generated_table

    return _page([generated_table(found)])


def conventions_html(scores: ConventionScores) -> str:
    """One pair under all conventions."""
    from reports.tables.evalb import convention_table

    return _page([convention_table(scores)])


def rst_scores_html(scores: RstScores) -> str:
    from reports.tables.rst_scores import metric_table

    return _page([metric_table(scores)])


def agreement_html(result: Agreement) -> str:
    """How far two annotations agree, and the largest groups of disagreements."""
    from reports.tables.agreement import agreement_tables

    return _page(agreement_tables(result, top=_TOP, limit=_TOP, examples=1))


def repairs_html(found: Repairs) -> str:
    """Errors by type."""
    from reports.tables.repairs import type_table

    return _page([type_table(found)])


def repair_comparison_html(found: RepairComparison) -> str:
    """In which types of error systems differ."""
    from reports.tables.repair_comparisons import repair_difference_table

    others = list(found.systems)[1:]
    return _page(
        [
            repair_difference_table(found, name, found.differences(name))
            for name in others
        ]
    )


def worth_html(found: Worth) -> str:
    """What groups of errors are worth."""
    from reports.tables.worth import worth_table

    return _page([worth_table(found, top=_TOP)])


def errors_html(found: ErrorList) -> str:
    """The first errors, and what the parser does instead."""
    from reports.tables.errors import confusion_table, instance_table

    listed = instance_table(found.rows[:_TOP], total=found.total, kinds=found.kinds)
    return _page([listed, confusion_table(found.confusions, limit=_TOP)])


def derivations_html(found: Derivations) -> str:
    """The spines of the first sentences, and what the scores count in them."""
    from reports.tables.errors import event_table, spine_table

    tables = []
    for one in found.rows[:_FEW]:
        sides = ("gold", "parsed") if len(one.sides) == 2 else ("",)
        for spines, side in zip(one.sides, sides, strict=True):
            title = f"sentence {one.number} {side}".strip()
            tables.append(spine_table(spines, title))
        if one.events:
            tables.append(event_table(one.events))
    return _page(tables)


def similarities_html(result: Similarities) -> str:
    from reports.tables.rst_similarity import similarity_table

    documents = len(result.documents)
    return _page(
        [similarity_table(found, documents=documents) for found in result.tables]
    )


def ambiguity_html(result: AmbiguityCounts) -> str:
    from reports.tables.rst_ambiguity import ambiguity_table

    return _page([ambiguity_table(result)])


def domains_html(result: DomainComparison) -> str:
    """Data sets side by side, where the gap comes from, and a plot."""
    from reports.plots.scores import cumulative_figure
    from reports.tables.domains import (
        domain_table,
        overview_table,
        paragraph,
        split_table,
    )

    splits = result.splits()
    return _page(
        [
            overview_table(result.domains),
            domain_table(result.domains, min_share=0.5, ungrouped=result.ungrouped),
            *(split_table(split, top=12) for split in splits),
        ],
        words=[paragraph(split) for split in splits],
        plot=lambda: cumulative_figure(result.domains),
    )


def systems_html(result: SystemComparison) -> str:
    """The leaderboard, and the first comparison with a plot."""
    from reports.plots.scores import difference_figure
    from reports.tables.systems import METRIC_NAMES, difference_table, leaderboard

    tables = [leaderboard(result)]
    other = result.systems[1]
    if result.documents is not None:
        from reports.tables.rst_systems import (
            metric_difference_tables,
            metric_leaderboard,
        )

        metrics = result.documents.differences(other.name)
        tables.append(metric_leaderboard(result.documents))
        tables += metric_difference_tables(result.documents, other.name, metrics)
    rows = result.differences(other)
    tables.append(difference_table(result, other, rows, "f_s", min_share=0.5))
    return _page(
        tables,
        plot=lambda: difference_figure(
            rows, a=result.baseline.name, b=other.name, metric=METRIC_NAMES["f_s"]
        ),
    )


def check_html(result: CheckResult) -> str:
    from reports.tables.findings import document_finding_table, finding_table

    shown, total = result.findings[:_TOP], len(result.findings)
    if result.is_discourse:
        return _page([document_finding_table(shown, total)])
    return _page([finding_table(shown, result.sources)], words=[repr(result)[1:-1]])


def inventory_html(result: InventoryCheck) -> str:
    from reports.tables.findings import inventory_finding_table
    from reports.tables.patterns import inventory_table

    usage = result.usage if result.usage.brackets else None
    tables = [inventory_table(result.inventory, usage)]
    if result.findings:
        tables.insert(0, inventory_finding_table(result.findings))
    return _page(tables)


def _page(
    tables: Sequence[Table],
    *,
    words: Sequence[str] = (),
    plot: Callable[[], Figure] | None = None,
) -> str:
    parts = [_STYLE, '<div class="spinal-result">']
    parts += [f"<p>{html.escape(text)}</p>" for text in words]
    parts += [render(table, "html") for table in tables]
    if plot is not None:
        parts.append(_picture(plot))
    return "\n".join([*parts, "</div>"])


def _picture(plot: Callable[[], Figure]) -> str:
    from reports.plots.files import figure_svg

    try:
        svg = figure_svg(plot())
    except SettingsError as missing:
        return f"<p>{html.escape(str(missing))}</p>"
    return svg[svg.index("<svg") :]
