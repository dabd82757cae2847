"""Plots as elements of the page: in its font, and in its colours, light or dark.

matplotlib writes SVG with styles that the page's content security policy forbids, and
with colours for white paper. Here styles become attributes, and colours the page's own
(`--plot-…` in page.css); names that occur in several plots are made distinct.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from reports.drawing.svg import escaped
from reports.plots.style import BLACK, COLORS, GREYS, WHITE

_LINK = "{http://www.w3.org/1999/xlink}href"
_KEPT = {"svg", "g", "defs", "path", "text", "use", "clipPath", "rect", "tspan"}
_STYLES = {
    *("fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-dashoffset"),
    *("stroke-linejoin", "stroke-linecap", "opacity", "fill-opacity", "stroke-opacity"),
    *("text-anchor", "font-size", "font-weight", "font-style"),
}
_FONT = re.compile(r"(?:(bold|[1-9]00) )?([\d.]+)px")  # of matplotlib before 3.11
_NUMBER = re.compile(r"-?\d+\.\d{2,}")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_NO_TURN = re.compile(r"rotate\(-?0 [^)]*\)")
_COLORS = {
    **{color.lower(): f"var(--plot-{n})" for n, color in enumerate(COLORS, start=1)},
    **{color.lower(): f"var(--plot-{name})" for color, name in GREYS.items()},
    BLACK: "currentColor",
    WHITE: "none",
}


def page_svg(svg: str, *, name: str, label: str) -> str:
    """The plot as an element for the page; `name` tells its ids from other plots'."""
    root = ElementTree.fromstring(svg.encode("utf-8"))
    box = root.get("viewBox", "0 0 1 1")
    width, height = box.split()[2:]
    inside = "".join(text for child in root for text in _element(child, name))
    # Points in a plot's size are of 72 to an inch, pixels of a page of 96.
    return (
        f'<svg class="plot" role="img" aria-label="{escaped(label)}"'
        f' viewBox="{box}" width="{float(width) * 4 / 3:.0f}"'
        f' height="{float(height) * 4 / 3:.0f}" stroke-linejoin="round">{inside}</svg>'
    )


def _element(node: ElementTree.Element, name: str) -> Iterator[str]:
    tag = node.tag.rpartition("}")[2]
    if tag not in _KEPT:
        return
    attributes = " ".join(
        f'{key}="{escaped(value)}"' for key, value in _attributes(node, name)
    )
    yield f"<{tag} {attributes}>" if attributes else f"<{tag}>"
    if node.text and node.text.strip():
        yield escaped(node.text)
    for child in node:
        yield from _element(child, name)
    yield f"</{tag}>"


def _attributes(node: ElementTree.Element, name: str) -> Iterator[tuple[str, str]]:
    for key, value in node.attrib.items():
        if key == "style":
            yield from _styles(value)
        elif key == "id":
            yield key, f"{name}-{value}"
        elif key == _LINK:
            yield "href", f"#{name}-{value[1:]}"
        elif key == "clip-path":
            yield key, _REFERENCE.sub(rf"url(#{name}-\1)", value)
        elif key == "transform":
            if kept := _NO_TURN.sub("", value).strip():
                yield key, kept
        elif "}" not in key:
            yield key, _rounded(value)


def _styles(style: str) -> Iterator[tuple[str, str]]:
    for declaration in style.split(";"):
        key, _, value = (part.strip() for part in declaration.partition(":"))
        if key == "font" and (font := _FONT.match(value)):
            yield "font-size", f"{font[2]}px"
            if font[1]:
                yield "font-weight", font[1]
        elif key in _STYLES:
            yield key, _COLORS.get(value.lower(), value)


def _rounded(text: str) -> str:
    """Hundredths of a point cannot be seen."""
    short = _NUMBER.sub(lambda found: f"{float(found[0]):.1f}", text)
    return " ".join(short.split())
