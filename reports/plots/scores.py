"""Plots of scores, with matplotlib (the extra `plots`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analyzer.analyses.gap import Domain, Split, cumulative
from analyzer.analyses.system_rows import DifferenceRow
from analyzer.exceptions import SettingsError
from reports.drawing.svg import text_width
from reports.plots.style import (
    COLORS,
    GREY,
    PALE_GREY,
    line_style,
    plot_label,
    tidy,
)
from reports.tables.systems import is_significant

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FONT_SIZE = 9  # points
_LABELLED_POINTS = 5
_SHOWN = 14
_FEW = 4  # data sets whose names stand in a row above the plots
_LONGEST_ROW = 90  # characters of such a row


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, in inches."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise SettingsError(
            "plots need matplotlib: pip install 'spinal[plots]'", code="E703"
        ) from None
    with rc_context({"font.size": _FONT_SIZE}):
        return Figure(figsize=(width, height), layout="constrained")


def cumulative_figure(domains: Sequence[Domain]) -> Figure:
    """The paper's Figure 6: cumulative F-h and F-s in order of frequency."""
    figure = new_figure(9, 4)
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, field, title in ((left, "f_h", "F-h"), (right, "f_s", "F-s")):
        for number, domain in enumerate(domains):
            points = [
                point
                for point in cumulative(domain.scores)
                if getattr(point, field) is not None
            ]
            axes.plot(
                [100 * point.share for point in points],
                [100 * getattr(point, field) for point in points],
                **line_style(number)._asdict(),
                markersize=3.5,
                linewidth=1.2,
                label=plot_label(domain.name),
            )
            if number == 0:
                _name_points(axes, points, field)
        axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
        axes.set_xlabel("% of gold brackets, most frequent constructions first")
        tidy(axes)
    left.set_ylabel("cumulative score")
    if len(domains) > 1:
        _legend_outside(figure, *left.get_legend_handles_labels())
    return figure


def _legend_outside(figure: Figure, handles: list[Any], labels: list[str]) -> None:
    """Names beside the plots, or above them if they are few and short."""
    is_row = len(labels) <= _FEW and sum(map(len, labels)) <= _LONGEST_ROW
    if is_row:
        place: dict[str, Any] = {"loc": "outside upper left", "ncols": len(labels)}
    else:
        place = {"loc": "outside right upper"}
        width, height = figure.get_size_inches()
        room = 0.7 + max(text_width(label, size=_FONT_SIZE) for label in labels) / 72
        figure.set_size_inches(width + room, max(height, 0.6 + 0.19 * len(labels)))
    # Long enough for a broken line to be told from another.
    figure.legend(handles, labels, frameon=False, handlelength=3, **place)


def _name_points(axes: Any, points: Sequence[Any], field: str) -> None:
    for point in points[:_LABELLED_POINTS]:
        axes.annotate(
            plot_label(point.construction),
            (100 * point.share, 100 * getattr(point, field)),
            textcoords="offset points",
            xytext=(4, 5),
            fontsize=7,
            color=GREY,
        )


def split_figure(split: Split) -> Figure:
    """What each construction adds to the gap, by distribution and kind of error."""
    parts = split.parts[:_SHOWN]
    figure = new_figure(8, 0.9 + 0.32 * max(len(parts), 3))
    axes = figure.subplots()
    series = (
        ("distribution", COLORS[4]),
        ("head", COLORS[0]),
        ("right", COLORS[1]),
        ("left", COLORS[2]),
        ("interaction", PALE_GREY),
    )
    rows = range(len(parts))
    below, above = [0.0] * len(parts), [0.0] * len(parts)
    names = {"right": "right edge", "left": "left edge"}
    for field, color in series:
        values = [100 * float(getattr(part, field)) for part in parts]
        starts = [above[r] if values[r] > 0 else below[r] for r in rows]
        axes.barh(
            list(rows),
            values,
            left=starts,
            height=0.7,
            color=color,
            label=names.get(field, field),
        )
        for row in rows:
            if values[row] > 0:
                above[row] += values[row]
            else:
                below[row] += values[row]
    axes.use_sticky_edges = False  # bars would end at the frame
    axes.set_yticks(list(rows), [plot_label(part.construction) for part in parts])
    axes.invert_yaxis()
    axes.axvline(0, color="black", linewidth=0.8)
    measure = {"f_s": "F-s"}.get(split.measure, split.measure)
    names_of_both = plot_label(split.domain), plot_label(split.reference)
    axes.set_xlabel(f"points of {measure}\n{' against '.join(names_of_both)}")
    figure.legend(frameon=False, fontsize=8, loc="outside upper left", ncols=5)
    tidy(axes)
    axes.grid(axis="y", visible=False)
    return figure


def difference_figure(
    rows: Sequence[DifferenceRow], *, a: str, b: str, metric: str
) -> Figure:
    """Differences between two systems, with their intervals."""
    known = [row for row in rows if row.difference is not None and row.low is not None]
    shown = [*known[: _SHOWN + 4], known[-1]] if len(known) > _SHOWN + 5 else known
    figure = new_figure(7, 0.9 + 0.26 * max(len(shown), 3))
    axes = figure.subplots()
    for place, row in enumerate(shown):
        color = COLORS[0] if is_significant(row) else PALE_GREY
        low, high = 100 * (row.low or 0), 100 * (row.high or 0)
        middle = 100 * (row.difference or 0)
        axes.plot([low, high], [place, place], color=color, linewidth=1.6)
        axes.plot([middle], [place], marker="o", markersize=5, color=color)
    labels = [
        f"{plot_label(row.construction)}{' *' * is_significant(row)}" for row in shown
    ]
    axes.set_yticks(range(len(shown)), labels)
    axes.invert_yaxis()
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel(
        f"{plot_label(b)} minus {plot_label(a)}, points of {metric}\n"
        "lines: 95 % intervals; *: p < 0.05, corrected"
    )
    tidy(axes)
    axes.grid(axis="y", visible=False)
    return figure
