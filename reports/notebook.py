"""Results in a notebook: styled tables, and plots if matplotlib is there."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from analyzer.errors import SettingsError
from reports.model import Table
from reports.tables import render

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.comparing import SystemComparison
    from analyzer.domains import DomainComparison
    from analyzer.scorers.evalb import BracketScores
    from analyzer.scoring import ConstructionScores

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


def scores_html(scores: ConstructionScores) -> str:
    from reports.score_report import score_table

    return _page([score_table(scores, top=_TOP)])


def brackets_html(scores: BracketScores) -> str:
    from reports.evalb_report import label_table, summary_table

    labels = [label_table(scores)] if scores.labels else []
    return _page([summary_table(scores), *labels])


def domains_html(result: DomainComparison) -> str:
    from reports.domain_report import (
        domain_table,
        overview_table,
        paragraph,
        split_table,
    )
    from reports.figures import cumulative_figure

    splits = result.splits()
    return _page(
        [
            overview_table(result.domains),
            domain_table(result.domains, min_share=0.5),
            *(split_table(split, top=12) for split in splits),
        ],
        words=[paragraph(split) for split in splits],
        plot=lambda: cumulative_figure(result.domains),
    )


def systems_html(result: SystemComparison) -> str:
    from reports.compare_report import METRIC_NAMES, difference_table, leaderboard
    from reports.figures import difference_figure

    tables = [leaderboard(result)]
    other = result.systems[1]
    rows = result.differences(other)
    tables.append(difference_table(result, other, rows, "f_s", min_share=0.5))
    return _page(
        tables,
        plot=lambda: difference_figure(
            rows, a=result.baseline.name, b=other.name, metric=METRIC_NAMES["f_s"]
        ),
    )


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
    from reports.figures import svg_text

    try:
        svg = svg_text(plot())
    except SettingsError as missing:
        return f"<p>{html.escape(str(missing))}</p>"
    return svg[svg.index("<svg") :]
