"""Parts of SVG drawings: text and its width, elements, and panels of a document.

The width of a text depends on the reader's fonts, which we do not know. The
estimate follows the widest of the common sans-serif fonts (DejaVu Sans), so that
labels keep their distance in all of them.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from analyzer.safe_text import drawable
from reports.drawing.outline import wrapped
from reports.drawing.svg_style import (
    HEADING_SIZE,
    LEGEND_SIZE,
    NUMBER_SIZE,
    TEXT_SIZE,
    stylesheet,
)

TEXT_LINE = 17  # from one line of a discourse unit to the next
FAR = 320  # past this, lines go round corners and relations stay near their unit
_MARGIN = 20
_HEADING = 36
_LEGEND = 44
_BETWEEN = 56  # the two drawings of a pair
_GOOD_RATIO = 1.6  # width to height of a pair: about that of a screen
_NARROWEST, _WIDEST = 84, 210  # a column of the text of a discourse unit
_LONE_POINTS = re.compile(r" (?=[.,;:!?…)\]’”']+(?: |$))")
_NARROW = frozenset("ijlIJftr.,:;'`|!()[]{}/\\-*\" ")
_WIDE = frozenset("mwMW@%&—…⋯")
_BOLDER = 1.12


# -- text ------------------------------------------------------------------------------


def text_width(text: str, *, size: int, bold: bool = False) -> int:
    """Pixels that a text takes at a font size, rounded up.

    >>> text_width("NP", size=14)
    21
    >>> text_width("猫", size=14) > text_width("n", size=14)
    True
    """
    ems = sum(map(_ems, text))
    return math.ceil(ems * size * (_BOLDER if bold else 1))


def escaped(text: str) -> str:
    """The text as it may stand in an element or in a quoted attribute.

    >>> escaped('<b "x">\\x00')
    '&lt;b &quot;x&quot;&gt;\ufffd'
    """
    return escape(drawable(text), quote=True)


def column_lines(text: str) -> list[str]:
    """A text in lines for a column of its own: the longer, the wider the column."""
    whole = text_width(text, size=TEXT_SIZE)
    limit = min(max(_NARROWEST, int((whole * TEXT_LINE * 1.3) ** 0.5)), _WIDEST)
    joined = _LONE_POINTS.sub("\xa0", text)  # no line of a full stop alone
    return wrapped(joined, limit, lambda line: text_width(line, size=TEXT_SIZE))


def column_width(lines: Sequence[str], number: str) -> int:
    """The width of a column of text under its number."""
    widths = [text_width(line, size=TEXT_SIZE) for line in lines]
    return max([*widths, text_width(number, size=NUMBER_SIZE), 40])


@lru_cache(maxsize=4096)
def _ems(character: str) -> float:
    """The width of one character as a share of the font size."""
    if character in _NARROW:
        return 0.42
    if character in _WIDE:
        return 1.0
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    return 0.73 if character.isupper() else 0.64


# -- elements --------------------------------------------------------------------------


def text_element(x: int, y: int, text: str, kind: str) -> str:
    """A text at a place, of a class of the style sheet."""
    return f'<text{class_of(kind)} x="{x}" y="{y}">{escaped(text)}</text>'


def box_element(box: tuple[int, int, int, int], kind: str, *, corner: int) -> str:
    """A rectangle (x, y, width, height) with round corners."""
    x, y, width, height = box
    size = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    return f'<rect{class_of(kind)} {size} rx="{corner}"/>'


def class_of(kind: str) -> str:
    """The class attribute; nothing for no class."""
    return f' class="{kind.strip()}"' if kind else ""


def arrow_head(x: int, y: int) -> str:
    """The head of an arrow that points down to a place."""
    return f"M{x - 4} {y - 8}L{x} {y}L{x + 4} {y - 8}Z"


def label_places(start: int, end: int, middle: int, width: int) -> list[int]:
    """Where a label stands on an arrow: in the middle, or near the ends of a long one.

    >>> label_places(0, 200, 100, 60), label_places(0, 700, 350, 60)
    ([100], [54])
    >>> label_places(2000, 0, 1000, 60)
    [1946, 54]
    """
    if abs(middle - start) <= FAR // 2:
        return [middle]
    inward = (width // 2 + 24) * (1 if end > start else -1)
    if abs(end - start) < 3 * FAR:
        return [start + inward]
    return [start + inward, end - inward]


# -- panels ----------------------------------------------------------------------------


class Panel(NamedTuple):
    """Elements to draw, from the back to the front, and the room they take."""

    elements: list[str]
    width: int
    height: int


def with_heading(panel: Panel, heading: str) -> Panel:
    """The panel under a heading."""
    text = text_element(0, HEADING_SIZE, heading, "heading")
    width = text_width(heading, size=HEADING_SIZE, bold=True)
    return Panel(
        [text, _moved(panel, 0, _HEADING)],
        max(panel.width, width),
        panel.height + _HEADING,
    )


def with_legend(panel: Panel, legend: Mapping[str, str]) -> Panel:
    """The panel over a legend: what each mark class means."""
    elements = [_moved(panel, 0, 0)]
    y = panel.height + _LEGEND
    x = 0
    for mark_class, text in legend.items():
        elements.append(f'<path{class_of(mark_class)} d="M{x} {y - 4}h18"/>')
        elements.append(text_element(x + 26, y, text, "legend"))
        x += 26 + text_width(text, size=LEGEND_SIZE) + 24
    return Panel(elements, max(panel.width, x - 24), y + 4)


def beside(left: Panel, right: Panel) -> Panel:
    """Two panels as one, left and right."""
    return Panel(
        [_moved(left, 0, 0), _moved(right, left.width + _BETWEEN, 0)],
        left.width + _BETWEEN + right.width,
        max(left.height, right.height),
    )


def above(upper: Panel, lower: Panel) -> Panel:
    """Two panels as one, one on top of the other."""
    return Panel(
        [_moved(upper, 0, 0), _moved(lower, 0, upper.height + _BETWEEN)],
        max(upper.width, lower.width),
        upper.height + _BETWEEN + lower.height,
    )


def misfit(panel: Panel) -> float:
    """How far the shape of a panel is from that of a screen; 0 is a perfect fit."""
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
        _moved(panel, _MARGIN, _MARGIN),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _moved(panel: Panel, x: int, y: int) -> str:
    inside = "\n".join(panel.elements)
    return f'<g transform="translate({x} {y})">\n{inside}\n</g>'
