"""What errors are worth, as a waterfall: from the parse to gold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.analyses.worth import Worth, WorthRow
from reports.plots.scores import new_figure
from reports.plots.style import COLORS, PALE_GREY, plot_label, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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
    _tell(axes, f"{start:.2f}", (start, 0))
    for place, (_, after, gain, alone) in enumerate(steps, start=1):
        before = after - gain
        axes.barh(
            [place],
            [gain],
            left=[before],
            height=0.65,
            color=COLORS[0],
            label="if those above are mended as well" if place == 1 else None,
        )
        axes.plot(
            [before, before + alone],
            [place] * 2,
            color=COLORS[1],
            linewidth=1.4,
            label="if it alone is mended" if place == 1 else None,
        )
        # To the left there is always room.
        _tell(axes, f"{gain:+.2f}", (before, place), to_left=True)
    names = ["as parsed", *(plot_label(name) for name, *_ in steps)]
    axes.set_yticks(list(range(len(names))), names)
    axes.invert_yaxis()
    axes.axvline(100, color="black", linewidth=0.8)
    axes.set_xlim(lowest, 100 + (100 - lowest) * 0.02)
    axes.set_xlabel("evalb F1")
    if steps:
        axes.legend(loc="lower left", fontsize=7, frameon=False)
    tidy(axes)
    axes.grid(axis="y", visible=False)
    return figure


def _tell(
    axes: Axes, text: str, at: tuple[float, float], *, to_left: bool = False
) -> None:
    """A number beside the end of a bar."""
    axes.annotate(
        text,
        at,
        textcoords="offset points",
        xytext=(-4 if to_left else 4, 0),
        ha="right" if to_left else "left",
        va="center",
        fontsize=7,
    )


def _step(
    name: str, rows: Sequence[WorthRow], alone: float | None = None
) -> tuple[str, float, float, float]:
    """A bar, in points: where it ends, how long it is, how long it would be alone."""
    gain = sum(row.gain or 0.0 for row in rows)
    after = rows[-1].f1_in_a_row or 0.0
    return name, 100 * after, 100 * gain, 100 * (alone or 0.0)
