"""How SVG drawings look: sizes, colours, and the style sheets that they carry."""

from __future__ import annotations

from collections.abc import Iterable

# What a mark can mean, and its colour on a light and on a dark page.
MARK_CLASSES = {
    "missed": ("#c81e1e", "#ff8a80"),
    "spurious": ("#a16207", "#fbbf24"),
    "matched": ("#15803d", "#6ee7a0"),
    "noted": ("#1d4ed8", "#93b4ff"),
}
LABEL_SIZE, TAG_SIZE, WORD_SIZE, HEADING_SIZE, LEGEND_SIZE = 14, 12, 15, 16, 13
TEXT_SIZE, RELATION_SIZE, NUMBER_SIZE = 13, 12, 11  # in discourse trees

# Every selector starts with the class, because an SVG put into a page shares its
# styles with that page. The page colour is ours too: the reader may prefer dark
# while the page around the drawing is light.
_STYLE = f"""
.spinal-tree {{font: {LABEL_SIZE}px system-ui, -apple-system, "Segoe UI", Roboto,
 "Helvetica Neue", Arial, "Noto Sans", "Noto Sans CJK SC", sans-serif}}
.spinal-tree text {{fill: #111827; text-anchor: middle}}
.spinal-tree .tag {{fill: #6b7280; font-size: {TAG_SIZE}px}}
.spinal-tree .word {{font-size: {WORD_SIZE}px}}
.spinal-tree .fold {{fill: #6b7280; font-size: {TAG_SIZE}px; font-style: italic}}
.spinal-tree .heading {{font-size: {HEADING_SIZE}px; font-weight: 600;
 text-anchor: start}}
.spinal-tree .legend {{font-size: {LEGEND_SIZE}px; text-anchor: start}}
.spinal-tree path {{fill: none; stroke: #9ca3af; stroke-width: 1.2}}
.spinal-tree .page {{fill: #ffffff}}
.spinal-tree .here {{fill: #fde68a}}
"""
_DARK_STYLE = """
.spinal-tree text {fill: #f3f4f6}
.spinal-tree .tag, .spinal-tree .fold {fill: #9ca3af}
.spinal-tree path {stroke: #6b7280}
.spinal-tree .page {fill: #14171c}
.spinal-tree .here {fill: #57430b}
"""
# Ink, accent and quiet text of discourse trees, on a light and on a dark page.
_DISCOURSE_LIGHT = ("#1f2937", "#2563a8", "#6b7280")
_DISCOURSE_DARK = ("#e5e7eb", "#8ab4f8", "#9ca3af")


def stylesheet(mark_classes: Iterable[str]) -> str:
    """The rules for a drawing with these marks, on light and on dark pages."""
    colors = [(kind, *MARK_CLASSES[kind]) for kind in mark_classes]
    light = "".join(_mark_style(kind, color) for kind, color, _ in colors)
    dark = "".join(_mark_style(kind, color) for kind, _, color in colors)
    return (
        f"{_STYLE}{light}@media (prefers-color-scheme: dark) {{{_DARK_STYLE}{dark}}}\n"
    )


def discourse_style() -> str:
    """Further rules for discourse trees, on light and on dark pages."""
    light = _discourse_rules(*_DISCOURSE_LIGHT) + _marked_tips(0)
    dark = _discourse_rules(*_DISCOURSE_DARK) + _marked_tips(1)
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


def _discourse_rules(ink: str, accent: str, quiet: str) -> str:
    plain = ":not(.missed):not(.spurious)"
    return (
        f".spinal-tree path.unit{plain} {{stroke: {ink}}}\n"
        f".spinal-tree path.arrow{plain} {{stroke: {accent}}}\n"
        f".spinal-tree path.tip{plain} {{fill: {accent}; stroke: none}}\n"
        f".spinal-tree text.relation{plain} {{fill: {accent}}}\n"
        f".spinal-tree text.number{plain} {{fill: {quiet}}}\n"
    )


def _mark_style(mark_class: str, color: str) -> str:
    return (
        f".spinal-tree text.{mark_class} {{fill: {color}; font-weight: 700}}\n"
        f".spinal-tree path.{mark_class} {{stroke: {color}; stroke-width: 2.2}}\n"
    )
