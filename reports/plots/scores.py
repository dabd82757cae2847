"""Plots of scores: cumulative, by domain, by system, by cell; and what errors cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analyzer.analyses.breakdown import Breakdown, Cell, shown_measures
from analyzer.analyses.domain_gap import Domain, Split, cumulative
from reports.drawing.svg import text_width
from reports.model import is_significant
from reports.plots.style import (
    BLACK,
    COLORS,
    FONT_SIZE,
    GREY,
    PALE_GREY,
    WHITE,
    fit_intervals,
    line_style,
    list_rows,
    new_figure,
    plot_label,
    tell,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.analyses.worth import Worth, WorthRow
    from analyzer.metrics.measures import Row

_LABELLED_POINTS = 5
_SHOWN, _SHOWN_CELLS, _SHOWN_GROUPS = 14, 20, 16  # constructions; groups of errors
_FEW = 4  # data sets whose names stand in a row above the plots
_LONGEST_ROW = 90  # characters of such a row
_SHARE_OF_A_POINT = 0.3  # percent of brackets on the axis for a point of a text's width


def cumulative_figure(domains: Sequence[Domain]) -> Figure:
    """The paper's Figure 6: cumulative F-h and F-s in order of frequency."""
    figure = new_figure(9, 4)
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, field, title in ((left, "f_h", "F-h"), (right, "f_s", "F-s")):
        for number, domain in enumerate(domains):
            points = [
                (100 * point.share, 100 * getattr(point, field), point.construction)
                for point in cumulative(domain.scores)
                if getattr(point, field) is not None
            ]
            axes.plot(
                [share for share, _, _ in points],
                [score for _, score, _ in points],
                **line_style(number)._asdict(),
                markersize=3.5,
                linewidth=1.2,
                label=plot_label(domain.name),
            )
            free = 0.0  # from which share on no label stands
            for share, score, name in [] if number else points[:_LABELLED_POINTS]:
                label = plot_label(name)
                if share >= free:
                    tell(axes, label, (share, score), by=(4, 5), color=GREY)
                    free = share + text_width(label, size=7) * _SHARE_OF_A_POINT
        axes.set_xlabel("% of gold brackets, most frequent constructions first")
        tidy(axes, title)
    left.set_ylabel("cumulative score")
    if len(domains) > 1:
        # As the lines of the right plot end, from top to bottom.
        lines = sorted(
            zip(*left.get_legend_handles_labels(), right.lines, strict=True),
            key=lambda line: -sum(line[2].get_ydata()[-1:]),
        )
        handles, labels = [line[0] for line in lines], [line[1] for line in lines]
        _legend_outside(figure, handles, labels)
    return figure


def _legend_outside(figure: Figure, handles: list[Any], labels: list[str]) -> None:
    """Names beside the plots, or above them if they are few and short."""
    if len(labels) <= _FEW and sum(map(len, labels)) <= _LONGEST_ROW:
        place: dict[str, Any] = {"loc": "outside upper left", "ncols": len(labels)}
    else:
        place = {"loc": "outside right upper"}
        width, height = figure.get_size_inches()
        room = 0.7 + max(text_width(label, size=FONT_SIZE) for label in labels) / 72
        figure.set_size_inches(width + room, max(height, 0.6 + 0.19 * len(labels)))
    # Long enough for a broken line to be told from another.
    figure.legend(handles, labels, frameon=False, handlelength=3, **place)


def split_figure(split: Split, gold: Mapping[str, int] | None = None) -> Figure:
    """What each construction adds to the gap, by distribution and kind of error.

    `gold`: how many brackets of each construction the data set has.
    """
    parts = split.parts[:_SHOWN]
    figure = new_figure(8, 0.9 + 0.32 * max(len(parts), 3))
    axes = figure.subplots()
    series = (
        ("distribution", "distribution", COLORS[4]),
        ("head", "head", COLORS[0]),
        ("right", "right edge", COLORS[1]),
        ("left", "left edge", COLORS[2]),
        ("interaction", "interaction", PALE_GREY),
    )
    rows = list(range(len(parts)))
    below, above = [0.0] * len(parts), [0.0] * len(parts)
    for field, label, color in series:
        values = [100 * float(getattr(part, field)) for part in parts]
        starts = [above[r] if values[r] > 0 else below[r] for r in rows]
        axes.barh(rows, values, left=starts, height=0.7, color=color, label=label)
        for row, value in enumerate(values):
            side = above if value > 0 else below
            side[row] += value
    net = [100 * float(part.difference) for part in parts]
    look: dict[str, Any] = {"marker": "D", "c": BLACK, "edgecolors": WHITE}
    axes.scatter(net, rows, 30, label="net", zorder=3, **look)
    axes.use_sticky_edges = False  # bars would end at the frame
    measure = {"f_s": "F-s"}.get(split.measure, split.measure)
    both = f"{plot_label(split.domain)} against {plot_label(split.reference)}"
    names = [plot_label(part.construction) for part in parts]
    if gold is not None:
        counts = [gold.get(part.construction, 0) for part in parts]
        names = [f"{name}  ({n:,})" for name, n in zip(names, counts, strict=True)]
        both += f"\n(n): gold brackets of {plot_label(split.domain)}"
    list_rows(axes, names, f"points of {measure}\n{both}")
    figure.legend(frameon=False, fontsize=8, loc="outside upper left", ncols=6)
    return figure


def difference_figure(rows: Sequence[Row], *, a: str, b: str, metric: str) -> Figure:
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
    ends = [(100 * (row.low or 0), 100 * (row.high or 0)) for row in shown]
    fit_intervals(axes, ends)
    names = [
        f"{plot_label(row.construction)}  ({row.gold:,})" + " *" * is_significant(row)
        for row in shown
    ]
    label = (
        f"{plot_label(b)} minus {plot_label(a)}, points of {metric}\n"
        "lines: 95 % intervals; *: p < 0.05, corrected; (n): gold brackets"
    )
    list_rows(axes, names, label)
    return figure


def breakdown_figure(result: Breakdown, cells: Sequence[Cell]) -> Figure:
    """A panel a score, the first cells from top to bottom, with intervals."""
    cells = cells[:_SHOWN_CELLS]
    systems = result.systems
    figure = new_figure(9, 1.4 + (0.2 + 0.14 * len(systems)) * max(1, len(cells)))
    measures = shown_measures()
    panels = figure.subplots(1, len(measures), sharey=True)
    rows = result.chosen_rows(cells)
    for axes, measure in zip(panels, measures, strict=True):
        for number, system in enumerate(systems):
            look = line_style(number)
            offset = 0.7 * ((number + 0.5) / len(systems) - 0.5)
            for place, row in enumerate(rows[number :: len(systems)]):
                value = getattr(row, measure.name)
                if value is None:
                    continue
                low, high = getattr(row, f"{measure.name}_interval")
                to_low = 0.0 if low is None else max(0.0, value - low)
                to_high = 0.0 if high is None else max(0.0, high - value)
                axes.errorbar(
                    100 * value,
                    place + offset,
                    xerr=[[100 * to_low], [100 * to_high]],
                    marker=look.marker,
                    markersize=4,
                    linewidth=1,
                    color=look.color,
                    label=plot_label(system.name) if place == 0 else None,
                )
        tidy(axes, measure.title)
    # All panels to one scale, from the lowest end of an interval.
    lowest = min(axes.get_xlim()[0] for axes in panels)
    for axes in panels:
        axes.set_xlim(max(-2, lowest), 102)
    counts = [row.gold for row in rows[:: len(systems)]]
    names = [
        f"{plot_label(', '.join(cell))}  ({count:,})"
        for cell, count in zip(cells, counts, strict=True)
    ]
    panels[0].set_yticks(range(len(cells)), names)
    panels[0].invert_yaxis()
    panels[0].set_ylabel(f"{plot_label(', '.join(result.keys))} (gold brackets)")
    if len(systems) > 1:
        both = panels[0].get_legend_handles_labels()
        figure.legend(*both, frameon=False, loc="outside upper right", ncols=4)
    return figure


def waterfall_figure(worth: Worth) -> Figure:
    """What errors are worth: F1 after each group of errors is corrected, up to 100.

    A thin line shows what the group would be worth alone.
    """
    rows = [row for row in (*worth.rows, *worth.others) if row.gain]
    steps = [_step(row.group, [row], row.worth) for row in rows[:_SHOWN_GROUPS]]
    if len(rows) > _SHOWN_GROUPS:
        steps.append(_step("all others", rows[_SHOWN_GROUPS:]))
    figure = new_figure(8, 0.9 + 0.3 * max(len(steps) + 1, 4))
    axes = figure.subplots()
    start = 100 * (worth.f1 or 0.0)
    lowest = max(0.0, start - max(1.0, (100 - start) / 4))
    axes.barh([0], [start - lowest], left=[lowest], height=0.65, color=PALE_GREY)
    tell(axes, f"{start:.2f}", (start, 0), by=(4, 0), ha="left", va="center")
    for place, (_, after, gain, alone) in enumerate(steps, start=1):
        before = after - gain
        axes.barh(
            [place],
            [gain],
            left=[before],
            height=0.65,
            color=COLORS[0],
            label="if those above are corrected as well" if place == 1 else None,
        )
        axes.plot(
            [before, before + alone],
            [place] * 2,
            color=COLORS[1],
            linewidth=1.4,
            label="if it alone is corrected" if place == 1 else None,
        )
        # To the left there is always room.
        at = (before, place)
        tell(axes, f"{gain:+.2f}", at, by=(-4, 0), ha="right", va="center")
    names = ["as parsed", *(plot_label(name) for name, *_ in steps)]
    label = f"evalb F1, types by the classifier {worth.classifier}"
    list_rows(axes, names, label, line=100)
    axes.set_xlim(lowest, 100 + (100 - lowest) * 0.02)
    if steps:
        axes.legend(loc="lower left", fontsize=7, frameon=False)
    return figure


def _step(
    name: str, rows: Sequence[WorthRow], alone: float | None = None
) -> tuple[str, float, float, float]:
    """A bar, in points: where it ends, how long it is, how long it would be alone."""
    gain = sum(row.gain or 0.0 for row in rows)
    after = rows[-1].f1_in_a_row or 0.0
    return name, 100 * after, 100 * gain, 100 * (alone or 0.0)
