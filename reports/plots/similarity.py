"""Plots of what is alike: parsers with each other, metrics with people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.analyses.similarity import Similarity, clustered, metric_name, parts_first
from reports.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.discotk.evaluation import Evaluation


def heat_map_figure(result: Similarity) -> Figure:
    """Similarities as a map, systems in the order of the dendrogram."""
    order = clustered(result).members
    size = len(order)
    figure = style.new_figure(2.2 + 0.62 * size, 1.6 + 0.56 * size)
    axes = figure.subplots()
    values = [[100 * result.value(row, column) for column in order] for row in order]
    apart = [
        [value if i != j else float("nan") for j, value in enumerate(row)]
        for i, row in enumerate(values)
    ]
    others = [v for i, row in enumerate(values) for j, v in enumerate(row) if i != j]
    low, high = min(others, default=0), max(others, default=100)
    least = low - 0.1 * (high - low)
    image = axes.imshow(apart, cmap="Blues", vmin=least, vmax=high)
    names = [style.plot_label(result.names[place]) for place in order]
    axes.set_xticks(range(size), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(size), names)
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            is_dark = i != j and value > low + 0.6 * (high - low)
            color = "white" if is_dark else style.GREY if i == j else "black"
            text = f"{value:.1f}"
            axes.text(j, i, text, ha="center", va="center", fontsize=8, color=color)
    title = metric_name(result.metric)
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    bar = figure.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label("micro F1")
    bar.outline.set_visible(False)
    return figure


def dendrogram_figure(result: Similarity) -> Figure:
    """Average-linkage clusters; where two join is their mean similarity."""
    top = clustered(result)
    size = len(top.members)
    figure = style.new_figure(6.4, 1.1 + 0.36 * size)
    axes = figure.subplots()
    row_of = {place: float(row) for row, place in enumerate(top.members)}
    middle: dict[int, float] = {}
    for cluster in parts_first(top):
        if cluster.parts is None:
            middle[id(cluster)] = row_of[cluster.members[0]]
            continue
        upper, lower = (middle[id(part)] for part in cluster.parts)
        first, second = (100 * (1 - part.height) for part in cluster.parts)
        at = 100 * (1 - cluster.height)
        xs, ys = [first, at, at, second], [upper, upper, lower, lower]
        axes.plot(xs, ys, color=style.COLORS[0], linewidth=1.6)
        middle[id(cluster)] = (upper + lower) / 2
        # On its own line, which it hides, so that no other runs through it.
        look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8}
        box = {"facecolor": style.WHITE, "edgecolor": "none", "pad": 1.2}
        half = (upper + lower) / 2 + (lower - upper) / 4
        axes.text(at, half, f"{at:.1f}", bbox=box, color=style.GREY, **look)
    names = [style.plot_label(result.names[place]) for place in top.members]
    axes.set_yticks(range(size), names)
    axes.set_ylim(size - 0.3, -0.6)
    lowest = 100 * (1 - top.height)
    axes.set_xlim(101, lowest - 0.03 * (100 - lowest))
    axes.set_xlabel(f"mean similarity: {metric_name(result.metric)}, micro F1")
    axes.tick_params(axis="y", length=0)
    for name in ("top", "right", "left"):
        axes.spines[name].set_visible(False)
    return figure


def tau_figure(result: Evaluation) -> Figure:
    """Each metric's tau in each way of counting, with intervals if there are any.

    Of several language pairs, their mean.
    """
    last = result.rows[-1].pair
    rows = [row for row in result.rows if row.pair == last]
    figure = style.new_figure(7, 1.1 + 0.36 * max(len(rows), 3))
    axes = figure.subplots()
    for number, variant in enumerate(result.variants):
        color, marker = (
            style.COLORS[number % len(style.COLORS)],
            style.MARKERS[number % len(style.MARKERS)],
        )
        shift = 0.16 * (number - (len(result.variants) - 1) / 2)
        for place, row in enumerate(rows):
            tau, y = row.tau[variant], place + shift
            if tau.value is None:
                continue
            if tau.low is not None and tau.high is not None:
                axes.plot([tau.low, tau.high], [y] * 2, color=color)
            axes.plot(
                [tau.value],
                [y],
                marker=marker,
                markersize=4.5,
                color=color,
                linestyle="none",
                label=variant.upper() if place == 0 else None,
            )
    label = f"Kendall's τ with human rankings, {last or 'all segments'}"
    style.list_rows(axes, [row.metric for row in rows], label, grid=True)
    axes.legend(frameon=False, fontsize=8, loc="best")
    return figure
