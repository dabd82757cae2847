"""Parts of SVG drawings: style, text and its width, elements, panels of a document.

The width of a text depends on the reader's fonts, which we do not know. The
estimate follows the widest of the common sans-serif fonts (DejaVu Sans), so that
labels keep their distance in all of them.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from analyzer.safe_text import counted, drawable, wrapped

# What a mark can mean, and its colour on a light and on a dark page.
MARK_CLASSES = {
    "missed": ("#c81e1e", "#ff8a80"),
    "spurious": ("#a16207", "#fbbf24"),
    "matched": ("#15803d", "#6ee7a0"),
    "noted": ("#1d4ed8", "#93b4ff"),
}
PAIR_CLASSES = ("missed", "spurious")  # of what only the first, only the second has
LABEL_SIZE, TAG_SIZE, WORD_SIZE, HEADING_SIZE, LEGEND_SIZE = 14, 12, 15, 16, 13
TEXT_SIZE, RELATION_SIZE, NUMBER_SIZE = 13, 12, 11  # in discourse trees
TEXT_LINE = 17  # from one line of a discourse unit to the next
MARGIN = 20
_HEADING = 36
_LEGEND = 44
BETWEEN = 56  # the two drawings of a pair
_GOOD_RATIO = 1.6  # width to height of a pair: about that of a screen
_NARROWEST, _WIDEST = 84, 210  # a column of the text of a discourse unit
_LONE_POINTS = re.compile(r" (?=[.,;:!?…)\]’”']+(?: |$))")
_NARROW = frozenset("ijlIJftr.,:;'`|!()[]{}/\\-*\" ")
_WIDE = frozenset("mwMW@%&—…⋯")
_BOLDER = 1.12

# -- style -----------------------------------------------------------------------------

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
_DISCOURSE_STYLE = f"""\
.spinal-tree .edu {{font-size: {TEXT_SIZE}px}}
.spinal-tree .relation {{font-size: {RELATION_SIZE}px}}
.spinal-tree .number {{font-size: {NUMBER_SIZE}px}}
.spinal-tree .left {{text-anchor: start}}
.spinal-tree path.unit {{stroke-width: 1.8}}
.spinal-tree path.arrow {{stroke-width: 1.4}}
.spinal-tree path.marked-line {{stroke-width: 2.6}}
.spinal-tree path.secondary {{stroke-dasharray: 5 3}}
.spinal-tree text.secondary {{paint-order: stroke; stroke-width: 5px}}
.spinal-tree .connective {{text-decoration: underline}}
"""
# Ink, accent and quiet text of discourse trees, on a light and on a dark page.
_DISCOURSE_COLORS = ("#1f2937", "#2563a8", "#6b7280"), ("#e5e7eb", "#8ab4f8", "#9ca3af")


def _stylesheet(mark_classes: Iterable[str], *, is_discourse: bool) -> str:
    """The rules for a drawing with these marks, on light and on dark pages."""
    light, dark = (
        "".join(
            f".spinal-tree text.{kind} {{fill: {colors[page]}; font-weight: 700}}\n"
            f".spinal-tree path.{kind} {{stroke: {colors[page]}; stroke-width: 2.2}}\n"
            for kind, colors in MARK_CLASSES.items()
            if kind in mark_classes
        )
        for page in (0, 1)
    )
    rules = f"{_STYLE}{light}{_on_dark(_DARK_STYLE + dark)}"
    if is_discourse:
        light, dark = map(_discourse_rules, (0, 1))
        rules += f"{_DISCOURSE_STYLE}{light}{_on_dark(dark)}"
    return rules


def _discourse_rules(page: int) -> str:
    """Colours of discourse trees on a light page (0) or a dark one (1)."""
    ink, accent, quiet = _DISCOURSE_COLORS[page]
    plain = ":not(.missed):not(.spurious)"
    tips = "".join(
        f".spinal-tree path.tip.{kind} {{fill: {colors[page]}; stroke: none}}\n"
        for kind, colors in MARK_CLASSES.items()
    )
    return (
        f".spinal-tree path.unit{plain} {{stroke: {ink}}}\n"
        f".spinal-tree path.arrow{plain} {{stroke: {accent}}}\n"
        f".spinal-tree path.tip{plain} {{fill: {accent}; stroke: none}}\n"
        f".spinal-tree text.relation{plain} {{fill: {accent}}}\n"
        f".spinal-tree text.number{plain} {{fill: {quiet}}}\n"
        f".spinal-tree text.secondary {{stroke: {('#ffffff', '#14171c')[page]}}}\n"
        f".spinal-tree .connective {{fill: {MARK_CLASSES['matched'][page]}}}\n"
        f".spinal-tree .signal {{fill: {MARK_CLASSES['spurious'][page]}}}\n{tips}"
    )


def _on_dark(rules: str) -> str:
    return f"@media (prefers-color-scheme: dark) {{{rules}}}\n"


# -- text ------------------------------------------------------------------------------


def text_width(text: str, *, size: int, bold: bool = False) -> int:
    """Pixels that a text takes at a font size, rounded up.

    >>> text_width("NP", size=14)
    21
    >>> text_width("猫", size=14) > text_width("n", size=14)
    True
    """
    ems = math.fsum(map(_ems, text))  # `sum` rounds otherwise since Python 3.12
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


def text_element(x: int, y: int, text: str, kind: str, hint: str = "") -> str:
    """A text at a place, of a class of the style sheet; `hint`: for the pointer."""
    title = f"<title>{escaped(hint)}</title>" if hint else ""
    return f'<text{_class(kind)} x="{x}" y="{y}">{title}{escaped(text)}</text>'


def words_element(x: int, y: int, words: Sequence[tuple[str, str]], kind: str) -> str:
    """A text at a place, each of its words of a class of its own, or of none."""
    parts = [
        f"<tspan{_class(own)}>{escaped(word)}</tspan>" if own else escaped(word)
        for word, own in words
    ]
    return f'<text{_class(kind)} x="{x}" y="{y}">{" ".join(parts)}</text>'


def path_element(line: str, kind: str) -> str:
    """A line, of a class of the style sheet."""
    return f'<path{_class(kind)} d="{line}"/>'


def box_element(box: tuple[int, int, int, int], kind: str, *, corner: int) -> str:
    """A rectangle (x, y, width, height) with round corners."""
    x, y, width, height = box
    size = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    return f'<rect{_class(kind)} {size} rx="{corner}"/>'


def _class(kind: str) -> str:
    """The class attribute; nothing for no class."""
    return f' class="{" ".join(kind.split())}"' if kind else ""


# -- panels ----------------------------------------------------------------------------


class Panel(NamedTuple):
    """Elements to draw, from the back to the front, and the room they take."""

    elements: list[str]
    width: int
    height: int


def with_heading(panel: Panel, heading: str) -> Panel:
    """The panel under a heading, if there is one."""
    if not heading:
        return panel
    text = text_element(0, HEADING_SIZE, heading, "heading")
    width = max(panel.width, text_width(heading, size=HEADING_SIZE, bold=True))
    return Panel([text, _moved(panel, 0, _HEADING)], width, panel.height + _HEADING)


def pair_document(
    panels: Sequence[Panel],
    *,
    titles: Sequence[str],
    counts: Sequence[int],
    noun: str,
    stacked: Sequence[Panel] | None = None,
    captions: Sequence[str] | None = None,
    is_discourse: bool = False,
) -> str:
    """Two panels in one SVG document, with headings and a legend.

    They stand side by side or one above the other, whichever comes nearer to the
    shape of a screen; `stacked` is how they look in that case, if it is not the same.
    The legend has the `captions`, or else counts what only one of the two has.
    """
    beside = _joined(*map(with_heading, panels, titles), is_stacked=False)
    above = _joined(*map(with_heading, stacked or panels, titles), is_stacked=True)
    captions = captions or [
        f"{counted(count, noun)} only in {title}"
        for count, title in zip(counts, titles, strict=True)
    ]
    legend = dict(zip(PAIR_CLASSES, captions, strict=True))
    whole = _with_legend(min(beside, above, key=_misfit), legend)
    name = f"{titles[0]} and {titles[1]}: {', '.join(captions)}"
    return document(whole, name, PAIR_CLASSES, is_discourse=is_discourse)


def _joined(first: Panel, second: Panel, *, is_stacked: bool) -> Panel:
    """Two panels as one: on top of each other, or left and right."""
    x = 0 if is_stacked else first.width + BETWEEN
    y = first.height + BETWEEN if is_stacked else 0
    return Panel(
        [_moved(first, 0, 0), _moved(second, x, y)],
        max(first.width, x + second.width),
        max(first.height, y + second.height),
    )


def stacked(panels: Sequence[Panel]) -> Panel:
    """Panels one below the other."""
    whole, *others = panels
    for panel in others:
        whole = _joined(whole, panel, is_stacked=True)
    return whole


def _misfit(panel: Panel) -> float:
    """How far the shape of a panel is from that of a screen; 0 is a perfect fit."""
    return abs(math.log(panel.width / panel.height / _GOOD_RATIO))


def _with_legend(panel: Panel, legend: Mapping[str, str]) -> Panel:
    """The panel over a legend: what each mark class means."""
    elements = [_moved(panel, 0, 0)]
    y = panel.height + _LEGEND
    x = 0
    for mark_class, text in legend.items():
        elements.append(path_element(f"M{x} {y - 4}h18", mark_class))
        elements.append(text_element(x + 26, y, text, "legend"))
        x += 26 + text_width(text, size=LEGEND_SIZE) + 24
    return Panel(elements, max(panel.width, x - 24), y + 4)


def document(
    panel: Panel, name: str, mark_classes: Sequence[str], *, is_discourse: bool = False
) -> str:
    """The panel as a whole SVG document; `name` is for those who cannot see it."""
    width, height = panel.width + 2 * MARGIN, panel.height + 2 * MARGIN
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" class="spinal-tree" role="img"'
        f' aria-label="{escaped(name)}" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}">',
        f"<title>{escaped(name)}</title>",
        f"<style>{_stylesheet(mark_classes, is_discourse=is_discourse)}</style>",
        box_element((0, 0, width, height), "page", corner=8),
        _moved(panel, MARGIN, MARGIN),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _moved(panel: Panel, x: int, y: int) -> str:
    inside = "\n".join(panel.elements)
    return f'<g transform="translate({x} {y})">\n{inside}\n</g>'
