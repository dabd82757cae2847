"""Parts of SVG drawings, and how they are put together into a document."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from reports.drawing.svg_style import HEADING_SIZE, LEGEND_SIZE, stylesheet
from reports.drawing.svg_text import escaped, text_width

_MARGIN = 20
_HEADING = 36
_LEGEND = 44
_BETWEEN = 56  # the two drawings of a pair
_GOOD_RATIO = 1.6  # width to height of a pair: about that of a screen


class Panel(NamedTuple):
    """Elements to draw, from the back to the front, and the room they take."""

    elements: list[str]
    width: int
    height: int


def with_heading(panel: Panel, heading: str) -> Panel:
    text = text_element(0, HEADING_SIZE, heading, "heading")
    width = text_width(heading, size=HEADING_SIZE, bold=True)
    return Panel(
        [text, moved(panel, 0, _HEADING)],
        max(panel.width, width),
        panel.height + _HEADING,
    )


def with_legend(panel: Panel, legend: Mapping[str, str]) -> Panel:
    elements = [moved(panel, 0, 0)]
    y = panel.height + _LEGEND
    x = 0
    for mark_class, text in legend.items():
        elements.append(f'<path{class_of(mark_class)} d="M{x} {y - 4}h18"/>')
        elements.append(text_element(x + 26, y, text, "legend"))
        x += 26 + text_width(text, size=LEGEND_SIZE) + 24
    return Panel(elements, max(panel.width, x - 24), y + 4)


def beside(left: Panel, right: Panel) -> Panel:
    return Panel(
        [moved(left, 0, 0), moved(right, left.width + _BETWEEN, 0)],
        left.width + _BETWEEN + right.width,
        max(left.height, right.height),
    )


def above(upper: Panel, lower: Panel) -> Panel:
    return Panel(
        [moved(upper, 0, 0), moved(lower, 0, upper.height + _BETWEEN)],
        max(upper.width, lower.width),
        upper.height + _BETWEEN + lower.height,
    )


def misfit(panel: Panel) -> float:
    return abs(math.log(panel.width / panel.height / _GOOD_RATIO))


def document(
    panel: Panel, name: str, mark_classes: Sequence[str], *, more_style: str = ""
) -> str:
    """The panel as a whole SVG document; `name` is for those who cannot see it."""
    width, height = panel.width + 2 * _MARGIN, panel.height + 2 * _MARGIN
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" class="spinal-tree" role="img"'
        f' aria-label="{escaped(name)}" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}">',
        f"<title>{escaped(name)}</title>",
        f"<style>{stylesheet(mark_classes)}{more_style}</style>",
        box_element((0, 0, width, height), "page", corner=8),
        moved(panel, _MARGIN, _MARGIN),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


# -- elements -------------------------------------------------------------------------


def text_element(x: int, y: int, text: str, kind: str) -> str:
    return f'<text{class_of(kind)} x="{x}" y="{y}">{escaped(text)}</text>'


def box_element(box: tuple[int, int, int, int], kind: str, *, corner: int) -> str:
    x, y, width, height = box
    size = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    return f'<rect{class_of(kind)} {size} rx="{corner}"/>'


def moved(panel: Panel, x: int, y: int) -> str:
    inside = "\n".join(panel.elements)
    return f'<g transform="translate({x} {y})">\n{inside}\n</g>'


def class_of(kind: str) -> str:
    return f' class="{kind.strip()}"' if kind else ""
