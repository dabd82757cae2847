"""Breakdowns as plots: a panel a score, cells from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.analyses.breakdown import Breakdown
from analyzer.analyses.cells import Cell
from reports.plots.scores import new_figure
from reports.plots.style import line_style, plot_label, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHOWN = 20
_SCORES = (("f_h", "F-h"), ("f_s", "F-s"), ("att", "att"))


def breakdown_figure(found: Breakdown, cells: Sequence[Cell]) -> Figure:
    """The scores of the first cells, with intervals; systems in colours."""
    cells = cells[:_SHOWN]
    systems = found.systems
    figure = new_figure(9, 1.4 + (0.2 + 0.14 * len(systems)) * max(1, len(cells)))
    panels = figure.subplots(1, len(_SCORES), sharey=True)
    rows = found.chosen_rows(cells)
    for axes, (name, heading) in zip(panels, _SCORES, strict=True):
        for number, system in enumerate(systems):
            offset = 0.7 * ((number + 0.5) / len(systems) - 0.5)
            for place, row in enumerate(rows[number :: len(systems)]):
                value = getattr(row, name)
                if value is None:
                    continue
                low, high = getattr(row, f"{name}_interval")
                axes.errorbar(
                    100 * value,
                    place + offset,
                    xerr=[
                        [100 * max(0.0, value - (value if low is None else low))],
                        [100 * max(0.0, (value if high is None else high) - value)],
                    ],
                    marker=line_style(number).marker,
                    markersize=4,
                    linewidth=1,
                    color=line_style(number).color,
                    label=plot_label(system.name) if place == 0 else None,
                )
        axes.set_title(heading, loc="left", fontsize=10, fontweight="bold")
        axes.set_xlim(-2, 102)
        tidy(axes)
    panels[0].set_yticks(range(len(cells)))
    panels[0].set_yticklabels([plot_label(", ".join(cell)) for cell in cells])
    panels[0].invert_yaxis()
    panels[0].set_ylabel(plot_label(", ".join(found.keys)))
    if len(systems) > 1:
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(
            handles, labels, frameon=False, loc="outside upper right", ncols=4
        )
    return figure
