"""Plots of correlations, in the style of `reports.plots.scores`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.discotk.evaluation import Evaluation
from reports.plots.scores import new_figure
from reports.plots.style import COLORS, MARKERS, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def tau_figure(result: Evaluation) -> Figure:
    """Each metric's tau in each way of counting, with intervals if there are any.

    Of several language pairs, their mean.
    """
    last = result.rows[-1].pair
    rows = [row for row in result.rows if row.pair == last]
    figure = new_figure(7, 1.1 + 0.36 * max(len(rows), 3))
    axes = figure.subplots()
    for number, variant in enumerate(result.variants):
        color = COLORS[number % len(COLORS)]
        shift = 0.16 * (number - (len(result.variants) - 1) / 2)
        for place, row in enumerate(rows):
            one = row.tau[variant]
            if one.value is None:
                continue
            if one.low is not None and one.high is not None:
                axes.plot([one.low, one.high], [place + shift] * 2, color=color)
            axes.plot(
                [one.value],
                [place + shift],
                marker=MARKERS[number % len(MARKERS)],
                markersize=4.5,
                color=color,
                linestyle="none",
                label=variant.upper() if place == 0 else None,
            )
    axes.set_yticks(range(len(rows)), [row.metric for row in rows])
    axes.invert_yaxis()
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel(f"Kendall's τ with human rankings, {last or 'all segments'}")
    axes.legend(frameon=False, fontsize=8, loc="best")
    tidy(axes)
    return figure
