"""What is shown of each result: one view, for the command, the notebook and the page.

A view stands beside its tables, as a function of the result. Its options choose tables
and rows; without any, they are as many as a notebook has room for. A new result is one
line here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from analyzer.exceptions import SettingsError
from analyzer.model.settings import require_choice
from analyzer.safe_text import as_keywords
from reports.model import View
from reports.render import render

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# By the name of the result: modules of `reports.tables` are imported when asked for.
_VIEWS = {
    "Agreement": "agreement.agreement_view",
    "AmbiguityCounts": "rst_trees.ambiguity_view",
    "Annotators": "agreement.annotators_view",
    "BracketScores": "evalb.brackets_view",
    "Breakdown": "breakdown.breakdown_view",
    "CgelAgreement": "agreement.cgel_view",
    "CheckResult": "findings.check_view",
    "ConstructionScores": "constructions.scores_view",
    "ConventionScores": "evalb.conventions_view",
    "Derivations": "errors.derivations_view",
    "DomainComparison": "domains.domains_view",
    "DraftedInventory": "heads.draft_view",
    "ErrorList": "errors.errors_view",
    "Generalisation": "generalise.generalisation_view",
    "Found": "find.find_view",
    "FoundPairs": "queries.queries_view",
    "GeneratedTrees": "generated.generated_view",
    "HeadAgreement": "heads.heads_view",
    "InventoryCheck": "findings.inventory_view",
    "MetricCorrelations": "kernels.correlation_view",
    "NbestScores": "nbest.nbest_view",
    "RelationClassification": "rst_scores.classification_view",
    "RepairComparison": "repairs.comparison_view",
    "Repairs": "repairs.repairs_view",
    "RstParser": "rst_trees.parser_view",
    "RstScores": "rst_scores.rst_view",
    "SegmentScores": "rst_trees.segments_view",
    "Similarities": "rst_trees.similarity_view",
    "RunComparison": "systems.runs_view",
    "SystemComparison": "systems.systems_view",
    "TranslationScores": "kernels.scores_view",
    "TunedMetrics": "kernels.tuning_view",
    "Worth": "repairs.worth_view",
}
_WITH_PLOT = ("DomainComparison", "SystemComparison")  # in a notebook
_MOST_ROWS = 20
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


def view_of(result: object, **options: Any) -> View:
    """What is shown of a result."""
    module, function = _VIEWS[type(result).__name__].split(".")
    view: Callable[..., View] = getattr(
        import_module(f"reports.tables.{module}"), function
    )
    return view(result, **options).with_notes(getattr(result, "notes", ()))


def result_html(result: object) -> str:
    """A result as a notebook shows it; of one without a view, its first rows."""
    from html import escape

    name = type(result).__name__
    if name not in _VIEWS:
        frame: pd.DataFrame = result.frame()  # type: ignore[attr-defined]
        return frame.to_html(max_rows=_MOST_ROWS, show_dimensions=True)
    view = view_of(result)
    parts = [_STYLE, '<div class="spinal-result">']
    parts += [f"<p>{escape(as_keywords(text))}</p>" for text in view.words]
    for table in view.tables:
        notes = [as_keywords(note) for note in table.notes]
        parts.append(render(replace(table, notes=notes, option=""), "html"))
    if view.plots is not None and name in _WITH_PLOT:
        parts.append(_first_plot(view.plots))
    return "\n".join([*parts, "</div>"])


def plot_of(result: object, name: str | None = None) -> Axes:
    """One of the plots of a result, the first if none is named; a notebook shows it."""
    from reports.plots.files import figure_svg

    kind = type(result).__name__
    plots = view_of(result).plots if kind in _VIEWS else None
    figures = plots() if plots is not None else {}
    if not figures:
        raise SettingsError("E975 has no plot", kind=kind)
    if name is not None:
        require_choice("plot", name, [*figures])
    figure = figures[name] if name else next(iter(figures.values()))
    notebook = sys.modules.get("IPython")
    if notebook is not None and notebook.get_ipython() is not None:
        notebook.display.display(notebook.display.SVG(figure_svg(figure)))
    return figure.axes[0]


def _first_plot(plots: Callable[[], Any]) -> str:
    from html import escape

    from reports.plots.files import figure_svg

    try:
        figure: Figure = next(iter(plots().values()))
        svg = figure_svg(figure)
    except SettingsError as missing:
        return f"<p>{escape(str(missing))}</p>"
    return svg[svg.index("<svg") :]
