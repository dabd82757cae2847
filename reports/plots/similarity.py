"""Plots of similarity between parsers: heat map and dendrogram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.analyses.similarity import Cluster, Similarity, clustered
from reports.plots.scores import new_figure
from reports.plots.style import plot_label
from reports.tables.rst_similarity import metric_name, parts_first

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BLUE, _GREY = "#0072B2", "#666666"


def heat_map_figure(found: Similarity) -> Figure:
    """Similarities as a map, systems in the order of the dendrogram."""
    order = clustered(found).members
    size = len(order)
    figure = new_figure(2.2 + 0.62 * size, 1.6 + 0.56 * size)
    axes = figure.subplots()
    values = [[100 * found.value(one, other) for other in order] for one in order]
    apart = [v for i, row in enumerate(values) for j, v in enumerate(row) if i != j]
    low, high = min(apart, default=0), max(apart, default=100)
    image = axes.imshow(
        [
            [v if i != j else float("nan") for j, v in enumerate(row)]
            for i, row in enumerate(values)
        ],
        cmap="Blues",
        vmin=low - 0.1 * (high - low),
        vmax=high,
    )
    names = [plot_label(found.names[place]) for place in order]
    axes.set_xticks(range(size), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(size), names)
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            is_dark = i != j and value > low + 0.6 * (high - low)
            axes.text(
                j,
                i,
                f"{value:.1f}",
                ha="center",
                va="center",
                fontsize=8,
                color="white" if is_dark else _GREY if i == j else "black",
            )
    axes.set_title(
        metric_name(found.metric), loc="left", fontsize=10, fontweight="bold"
    )
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    bar = figure.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label("micro F1")
    bar.outline.set_visible(False)
    return figure


def dendrogram_figure(found: Similarity) -> Figure:
    """Average-linkage clusters; where two join is their mean similarity."""
    top = clustered(found)
    size = len(top.members)
    figure = new_figure(6.4, 1.1 + 0.36 * size)
    axes = figure.subplots()
    row_of = {place: float(row) for row, place in enumerate(top.members)}
    middle: dict[int, float] = {}
    for cluster in parts_first(top):
        if cluster.parts is None:
            middle[id(cluster)] = row_of[cluster.members[0]]
            continue
        _draw_join(axes, cluster, middle)
    axes.set_yticks(
        range(size), [plot_label(found.names[place]) for place in top.members]
    )
    axes.set_ylim(size - 0.3, -0.6)
    lowest = 100 * (1 - top.height)
    axes.set_xlim(101, lowest - 0.03 * (100 - lowest))
    axes.set_xlabel(f"mean similarity: {metric_name(found.metric)}, micro F1")
    axes.tick_params(axis="y", length=0)
    for name in ("top", "right", "left"):
        axes.spines[name].set_visible(False)
    return figure


def _draw_join(axes: Any, cluster: Cluster, middle: dict[int, float]) -> None:
    assert cluster.parts is not None
    rows = [middle[id(part)] for part in cluster.parts]
    at = 100 * (1 - cluster.height)
    starts = [100 * (1 - part.height) for part in cluster.parts]
    xs = [starts[0], at, at, starts[1]]
    ys = [rows[0], rows[0], rows[1], rows[1]]
    axes.plot(xs, ys, color=_BLUE, linewidth=1.6)
    middle[id(cluster)] = sum(rows) / 2
    axes.annotate(
        f"{at:.1f}",
        (at, rows[1]),
        textcoords="offset points",
        xytext=(-1, -3),
        ha="right",
        va="top",
        fontsize=8,
        color=_GREY,
    )
