"""Pictures of one discourse tree or two, in either style."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from analyzer.model.discourse import Unit
from analyzer.safe_text import counted
from analyzer.transform.head_order import DependencyTree
from reports.drawing.dependency_svg import dependency_panel
from reports.drawing.discourse_svg import discourse_panel
from reports.drawing.rst_svg_style import discourse_style
from reports.drawing.svg import (
    Panel,
    above,
    beside,
    document,
    misfit,
    with_heading,
    with_legend,
)

Drawable = Unit | DependencyTree
_CLASSES = ("missed", "spurious")


def discourse_svg(tree: Drawable, *, title: str = "") -> str:
    """One tree: an RST diagram of a Unit, arcs of a DependencyTree."""
    panel = _panel(tree, (), _CLASSES[0])
    if title:
        panel = with_heading(panel, title)
    return document(panel, title or "discourse tree", [], more_style=discourse_style())


def discourse_pair_svg(
    trees: Sequence[Drawable],
    marks: Sequence[Collection[int]],
    titles: Sequence[str],
) -> str:
    """Two trees side by side or stacked, what differs in colour, with a legend."""
    panels = [
        with_heading(_panel(tree, marked, mark_class), title)
        for tree, marked, mark_class, title in zip(
            trees, marks, _CLASSES, titles, strict=True
        )
    ]
    both = min(beside(*panels), above(*panels), key=misfit)
    noun = "unit" if isinstance(trees[0], Unit) else "arc"
    legend = {
        mark_class: f"{counted(len(marked), noun)} only in {title}"
        for mark_class, marked, title in zip(_CLASSES, marks, titles, strict=True)
    }
    name = f"{titles[0]} and {titles[1]}: {', '.join(legend.values())}"
    whole = with_legend(both, legend)
    return document(whole, name, list(legend), more_style=discourse_style())


def _panel(tree: Drawable, marks: Collection[int], mark_class: str) -> Panel:
    if isinstance(tree, Unit):
        return discourse_panel(tree, marks=marks, mark_class=mark_class)
    return dependency_panel(tree, marks=marks, mark_class=mark_class)
