"""What errors are worth, as a waterfall: from the parse to gold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.analyses.worth import Worth, WorthRow
from reports.plots.scores import new_figure
from reports.plots.style import COLORS, PALE_GREY, plot_label, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHOWN = 16
_ALL_OTHERS = "all others"


def waterfall_figure(worth: Worth) -> Figure:
    """F1 after each group of errors is mended, one after the other, up to 100.

    A thin line shows what the group would be worth alone.
    """
    rows = [row for row in (*worth.rows, *worth.others) if row.gain]
    steps = [_step(row.group, [row], row.worth) for row in rows[:_SHOWN]]
    if len(rows) > _SHOWN:
        steps.append(_step(_ALL_OTHERS, rows[_SHOWN:]))
    figure = new_figure(8, 0.9 + 0.3 * max(len(steps) + 1, 4))
    axes = figure.subplots()
    start = 100 * (worth.f1 or 0.0)
    lowest = max(0.0, start - max(1.0, (100 - start) / 4))
    axes.barh([0], [start - lowest], left=[lowest], height=0.65, color=PALE_GREY)
    for place, (_, after, gain, alone) in enumerate(steps, start=1):
        before = after - gain
        axes.barh([place], [gain], left=[before], height=0.65, color=COLORS[0])
        axes.plot([before, before + alone], [place] * 2, color=COLORS[1], linewidth=1.4)
        axes.annotate(
            f"{gain:+.2f}",
            (max(after, before + alone), place),
            textcoords="offset points",
            xytext=(4, 0),
            va="center",
            fontsize=7,
        )
    names = ["as parsed", *(plot_label(name) for name, *_ in steps)]
    axes.set_yticks(list(range(len(names))), names)
    axes.invert_yaxis()
    axes.axvline(100, color="black", linewidth=0.8)
    axes.set_xlim(lowest, 100 + (100 - lowest) * 0.08)
    axes.set_xlabel(
        "evalb F1 as errors are mended, one group after the other; line: alone"
    )
    tidy(axes)
    axes.grid(axis="y", visible=False)
    return figure


def _step(
    name: str, rows: Sequence[WorthRow], alone: float | None = None
) -> tuple[str, float, float, float]:
    """A bar, in points: where it ends, how long it is, how long it would be alone."""
    gain = sum(row.gain or 0.0 for row in rows)
    after = rows[-1].f1_in_a_row or 0.0
    return name, 100 * after, 100 * gain, 100 * (alone or 0.0)
