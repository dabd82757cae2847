"""Pairwise similarity as tables, as a shaded map and as a dendrogram, in text."""

from __future__ import annotations

from typing import Any

from analyzer.analyses.similarity import (
    PARSEVAL_PREFIX,
    Cluster,
    Similarities,
    Similarity,
    clustered,
)
from analyzer.metrics.rst import CONSTITUENT_METRICS
from analyzer.safe_text import drawable
from reports.drawing.box_grid import BoxGrid
from reports.drawing.lines import display_width
from reports.model import Column, Table

_SHADES = " ░▒▓█"
_JOIN_COLUMNS = 8


def metric_name(metric: str) -> str:
    """What a metric is, for people.

    >>> metric_name("S"), metric_name("UAS"), metric_name("rst-parseval:N")
    ('S on attachment decisions', 'UAS', 'N in RST-Parseval')
    """
    if metric.startswith(PARSEVAL_PREFIX):
        return f"{metric.removeprefix(PARSEVAL_PREFIX)} in RST-Parseval"
    if metric in CONSTITUENT_METRICS:
        return f"{metric} on attachment decisions"
    return metric


def similarity_table(found: Similarity, *, documents: int = 0) -> Table:
    """One row and one column a system: micro F1."""
    notes = ["micro F1, each system in turn as the reference"]
    if documents:
        notes[0] += f"; {documents:,} documents"
    return Table(
        name=f"similarity_{found.metric}",
        title=f"Similarity: {metric_name(found.metric)}",
        columns=(
            Column("system"),
            *(Column(name, name, "percent", 1) for name in found.names),
        ),
        rows=[
            [name, *(found.pairs[one][other].f1 for other in range(len(found.names)))]
            for one, name in enumerate(found.names)
        ],
        notes=notes,
    )


def pair_table(result: Similarities) -> Table:
    """One row a metric and pair, with counts: for programs."""
    return Table(
        name="similarity_pairs",
        title="Similarity of pairs",
        columns=(
            Column("metric"),
            Column("reference"),
            Column("prediction"),
            Column("matched", unit="count"),
            Column("n_reference", unit="count"),
            Column("n_prediction", unit="count"),
            Column("f1", "F1", "percent", 1),
        ),
        rows=[list(row) for row in result.rows],
    )


def heat_map_text(found: Similarity) -> str:
    """The table with shades: the darker, the more alike."""
    size = len(found.names)
    apart = [found.value(i, j) for i in range(size) for j in range(size) if i != j]
    low, high = min(apart, default=0.0), max(apart, default=1.0)

    def shade(value: float) -> str:
        share = (value - low) / (high - low) if high > low else 1.0
        return _SHADES[min(max(round(share * 4), 0), 4)] * 2

    names = [drawable(name) for name in found.names]
    first = max(map(display_width, names), default=0)
    widths = [max(display_width(name), 8) for name in names]
    heads = [
        _padded(name, w, right=True) for name, w in zip(names, widths, strict=True)
    ]
    lines = [
        f"{metric_name(found.metric)}, micro F1; shades from "
        f"{100 * low:.1f} to {100 * high:.1f}",
        "",
        "  ".join([" " * first, *heads]),
    ]
    for one, name in enumerate(names):
        cells = [
            _padded(f"{shade(value)} {100 * value:5.1f}", width, right=True)
            for value, width in zip(
                (found.value(one, other) for other in range(size)), widths, strict=True
            )
        ]
        lines.append("  ".join([_padded(name, first), *cells]))
    return "\n".join(line.rstrip() for line in lines)


def dendrogram_text(found: Similarity) -> str:
    """The clusters as a tree that lies on its side, with their mean similarities."""
    top = clustered(found)
    names = [drawable(name) for name in found.names]
    start = max(map(display_width, names), default=0) + 1
    grid = BoxGrid()
    row_of = {place: 2 * at for at, place in enumerate(top.members)}
    at: dict[int, tuple[int, int]] = {}  # row and column of each cluster
    for cluster in parts_first(top):
        if cluster.parts is None:
            at[id(cluster)] = row_of[cluster.members[0]], start
            continue
        (upper, left), (lower, right) = (at[id(part)] for part in cluster.parts)
        column = max(left, right) + _JOIN_COLUMNS
        grid.across(upper, left, column)
        grid.across(lower, right, column)
        grid.down(column, upper, lower)
        # Between two clusters there is a row on which nothing ends just before.
        row = (upper + lower) // 2
        number = f"{100 * (1 - cluster.height):.1f}"
        grid.write(row, column - 1 - len(number), number)
        at[id(cluster)] = row, column
    by_row = {row_of[place]: names[place] for place in top.members}
    drawn = [
        _padded(by_row.get(row, ""), start) + line[start:]
        for row, line in enumerate(grid.lines(rows=2 * len(names) - 1))
    ]
    title = f"{metric_name(found.metric)}: clusters, with their mean similarities"
    return "\n".join([title, "", *(line.rstrip() for line in drawn)])


def similarity_json(result: Similarities) -> dict[str, Any]:
    """The object that `spinal rst similarity --format json` writes."""
    hints = {name: hint._asdict() for name, hint in result.relation_hints.items()}
    return {
        "documents": result.documents,
        "left_out": [str(one) for one in result.left_out],
        "ledger": result.ledger.as_json(),
        "metrics": [
            {
                "metric": found.metric,
                "names": found.names,
                "f1": [[pair.f1 for pair in row] for row in found.pairs],
                "matched": [[pair.matched for pair in row] for row in found.pairs],
                "items": [found.pairs[i][i].first for i in range(len(found.names))],
                "clusters": _joins(clustered(found), found.names),
            }
            for found in result.tables
        ],
        **({"relation_labels": hints} if hints else {}),
    }


def _joins(top: Cluster, names: list[str]) -> list[dict[str, Any]]:
    """The joins of the dendrogram, the nearest first."""
    return [
        {
            "joined": [[names[m] for m in part.members] for part in cluster.parts],
            "similarity": 1 - cluster.height,
        }
        for cluster in sorted(parts_first(top), key=lambda one: one.height)
        if cluster.parts is not None
    ]


def parts_first(top: Cluster) -> list[Cluster]:
    """The clusters of a dendrogram, each after those that it is made of."""
    order = [top]
    for cluster in order:  # grows while it is read
        order.extend(cluster.parts or ())
    return order[::-1]


def _padded(text: str, width: int, *, right: bool = False) -> str:
    space = " " * (width - display_width(text))
    return space + text if right else text + space
