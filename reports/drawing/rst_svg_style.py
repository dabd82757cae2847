"""How pictures of discourse look: sizes, colours, and where their texts break."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reports.drawing.outline import wrapped
from reports.drawing.svg_style import MARK_CLASSES
from reports.drawing.svg_text import text_width

TEXT_SIZE, RELATION_SIZE, NUMBER_SIZE = 13, 12, 11
TEXT_LINE = 17
FAR = 320  # past this, lines go round corners and relations stay near their unit
_NARROWEST, _WIDEST = 84, 210  # a column of EDU text
_LONE_POINTS = re.compile(r" (?=[.,;:!?…)\]’”']+(?: |$))")

# Added to the style sheet of trees; the class keeps it from the page around it.
_LIGHT = ("#1f2937", "#2563a8", "#6b7280")
_DARK = ("#e5e7eb", "#8ab4f8", "#9ca3af")


def discourse_style() -> str:
    """Colours of lines and relations, on light and on dark pages."""
    light = _rules(*_LIGHT) + _marked_tips(0)
    dark = _rules(*_DARK) + _marked_tips(1)
    sizes = (
        f".spinal-tree .edu {{font-size: {TEXT_SIZE}px}}\n"
        f".spinal-tree .relation {{font-size: {RELATION_SIZE}px}}\n"
        f".spinal-tree .number {{font-size: {NUMBER_SIZE}px}}\n"
        ".spinal-tree .left {text-anchor: start}\n"
        ".spinal-tree path.unit {stroke-width: 1.8}\n"
        ".spinal-tree path.arrow {stroke-width: 1.4}\n"
        ".spinal-tree path.marked-line {stroke-width: 2.6}\n"
    )
    return f"{sizes}{light}@media (prefers-color-scheme: dark) {{{dark}}}\n"


def _marked_tips(page: int) -> str:
    """Heads of arrows of marked units, on light pages (0) or dark ones (1)."""
    return "".join(
        f".spinal-tree path.tip.{kind} {{fill: {colors[page]}; stroke: none}}\n"
        for kind, colors in MARK_CLASSES.items()
    )


def _rules(ink: str, accent: str, quiet: str) -> str:
    plain = ":not(.missed):not(.spurious)"
    return (
        f".spinal-tree path.unit{plain} {{stroke: {ink}}}\n"
        f".spinal-tree path.arrow{plain} {{stroke: {accent}}}\n"
        f".spinal-tree path.tip{plain} {{fill: {accent}; stroke: none}}\n"
        f".spinal-tree text.relation{plain} {{fill: {accent}}}\n"
        f".spinal-tree text.number{plain} {{fill: {quiet}}}\n"
    )


def places(start: int, end: int, middle: int, width: int) -> list[int]:
    """Where a text stands on an arrow: in the middle; if it is long, near its start;
    if it is very long, near both ends.

    >>> places(0, 200, 100, 60), places(0, 700, 350, 60), places(2000, 0, 1000, 60)
    ([100], [54], [1946, 54])
    """
    if abs(middle - start) <= FAR // 2:
        return [middle]
    inward = (width // 2 + 24) * (1 if end > start else -1)
    if abs(end - start) < 3 * FAR:
        return [start + inward]
    return [start + inward, end - inward]


def column_lines(text: str) -> list[str]:
    """A text in lines for a column of its own: the longer, the wider the column."""
    whole = text_width(text, size=TEXT_SIZE)
    limit = min(max(_NARROWEST, int((whole * TEXT_LINE * 1.3) ** 0.5)), _WIDEST)
    joined = _LONE_POINTS.sub("\xa0", text)  # no line of a full stop alone
    return wrapped(joined, limit, lambda line: text_width(line, size=TEXT_SIZE))


def column_width(lines: Sequence[str], number: str) -> int:
    widths = [text_width(line, size=TEXT_SIZE) for line in lines]
    return max([*widths, text_width(number, size=NUMBER_SIZE), 40])


def tip(x: int, y: int) -> str:
    """The head of an arrow that points down to a place."""
    return f"M{x - 4} {y - 8}L{x} {y}L{x + 4} {y - 8}Z"
