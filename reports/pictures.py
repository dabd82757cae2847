"""Drawings of trees as files: SVG, PDF, PNG and LaTeX, by the ending of their names.

PDF and PNG are drawn with matplotlib (extra: plots) from the SVG, shape by shape and
with the colours of its own style sheet: what is where is decided once. Text stays
text, in TrueType fonts.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from xml.etree import ElementTree

from analyzer.analyses.derive import Derived
from analyzer.analyses.find_pairs import PairedMatch
from analyzer.editing.mending import Stage
from analyzer.exceptions import InputWarning, SettingsError
from analyzer.files.atomic import write_text
from analyzer.model.discourse import DependencyTree, Unit
from analyzer.model.settings import keywords
from analyzer.model.tree import Tree
from reports.drawing.discourse_svg import discourse_picture
from reports.drawing.latex import Picture
from reports.drawing.outline import outline, pair_outlines
from reports.drawing.tree_svg import pair_picture, tree_picture
from reports.plots.files import save_figure
from reports.tables.errors import derivation_picture, stage_picture
from reports.tables.queries import match_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".svg", ".pdf", ".png", ".tex")
Drawable: TypeAlias = (
    Tree | tuple[Tree, Tree] | Unit | DependencyTree | Derived | PairedMatch | Stage
)
_POINTS = 0.75  # of a pixel
_SVG = "{http://www.w3.org/2000/svg}"
_STEP = re.compile(r"([MLHVQZh])([^MLHVQZh]*)")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_ON_DARK = re.compile(r"@media [^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}")
_NOT = re.compile(r":not\(\.(\w+)\)")


@keywords()
def write_picture(
    drawn: Drawable | Picture,
    path: str | Path,
    *,
    title: str = "",
    width: int | None = None,
    units: tuple[int, int] | None = None,
) -> None:
    """Write a tree as a picture; the ending of the name says in which format.

    `.svg`, `.pdf`, `.png`, or `.tex`: LaTeX for the package `forest`. What is drawn is
    a tree, two trees (gold and parsed: what they differ in is marked), a discourse or
    dependency tree, or what `derive`, `find_pairs` and `repairs` give for a sentence.
    A discourse tree that is wider than `width` pixels is drawn in parts; of one with
    `units`, only these EDUs, from the first to the last, and what they are in.
    """
    target = Path(path)
    ending = target.suffix.lower() or ".svg"
    if ending not in ENDINGS:
        raise SettingsError(
            "E695 unknown kind of picture", path=str(path), endings=ENDINGS
        )
    picture = _picture(drawn, title, width, units)
    if ending == ".svg":
        write_text(target, picture.svg)
    elif ending == ".tex":
        write_text(target, picture.latex)
    else:
        _warn_of_scripts(picture.svg, target)
        save_figure(figure_of(picture.svg), target)


def _picture(
    drawn: Any, title: str, width: int | None, units: tuple[int, int] | None
) -> Picture:
    match drawn:
        case Picture():
            return drawn
        case Tree():
            return tree_picture(outline(drawn), title=title or None)
        case Unit() | DependencyTree():
            return discourse_picture(drawn, title=title, width=width, units=units)
        case Derived():
            return derivation_picture(drawn.sides, title=title)
        case PairedMatch():
            return match_picture(drawn)
        case Stage():
            return stage_picture(drawn)
        case (Tree() as gold, Tree() as parsed):
            return pair_picture(*pair_outlines(gold, parsed))
    wanted = "a tree, two trees, or what derive, find_pairs or repairs give"
    raise SettingsError("E690 found", found=type(drawn).__name__, wanted=wanted)


# -- from SVG to matplotlib ------------------------------------------------------------

_Style = dict[str, str]
_Rule = tuple[set[str], set[str], _Style]  # what an element must be, must not be


def figure_of(svg: str) -> Figure:
    """An SVG document of ours as a figure, a pixel of it as 1/96 inch."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise SettingsError("E696 PDF and PNG need matplotlib") from None
    root = ElementTree.fromstring(svg.encode("utf-8"))
    width, height = (float(root.get(side, "1")) for side in ("width", "height"))
    figure = Figure(figsize=(width / 96, height / 96))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    rules = _rules(root.findtext(f"{_SVG}style", ""))
    pending = [(child, 0.0, 0.0) for child in reversed(root)]
    while pending:
        node, x, y = pending.pop()
        tag = node.tag.removeprefix(_SVG)
        if tag == "g":
            by = map(float, re.findall(r"-?[\d.]+", node.get("transform", "0 0")))
            x, y = x + next(by), y + next(by)
            pending += [(child, x, y) for child in reversed(node)]
        elif tag == "text":
            _draw_text(axes, node, x, y, rules)
        elif tag == "path" or (tag == "rect" and node.get("class") != "page"):
            _draw_shape(axes, node, x, y, _style(rules, tag, node))
    return figure


def _rules(sheet: str) -> list[_Rule]:
    """The rules for a light page, in the order in which they take effect."""
    rules = []
    for selectors, body in _RULE.findall(_ON_DARK.sub("", sheet)):
        pairs = (declaration.partition(":") for declaration in body.split(";"))
        style = {key.strip(): value.strip() for key, _, value in pairs if value}
        for selector in selectors.split(","):
            without = set(_NOT.findall(selector))
            names = _NOT.sub("", selector).replace(".spinal-tree", "").strip()
            rules.append((set(names.split(".")) - {""}, without, style))
    # As in CSS, classes count more than tags; what is as strong keeps its order.
    tags = {"text", "path", "rect"}
    rules.sort(key=lambda rule: (len(rule[0] - tags) + len(rule[1]), len(rule[0])))
    return rules


def _style(rules: Sequence[_Rule], tag: str, node: ElementTree.Element) -> _Style:
    names = {tag, *node.get("class", "").split()}
    style: _Style = {}
    for needed, without, declared in rules:
        if needed <= names and not without & names:
            style |= declared
    return style


def _draw_shape(
    axes: Any, node: ElementTree.Element, x: float, y: float, style: _Style
) -> None:
    """A path of our own letters, or a box."""
    from matplotlib.patches import FancyBboxPatch, PathPatch
    from matplotlib.path import Path as Curve

    width = float(style.get("stroke-width", "0")) * _POINTS
    gaps = [float(length) for length in style.get("stroke-dasharray", "").split()]
    look: dict[str, Any] = {"facecolor": style["fill"], "linewidth": width}
    look["edgecolor"] = style.get("stroke", "none")
    if gaps:
        look["linestyle"] = (0, [gap * _POINTS / width for gap in gaps])
    if not node.get("d"):
        names = ("x", "y", "width", "height", "rx")
        left, top, wide, high, corner = (float(node.get(name, "0")) for name in names)
        shape = f"round,pad=0,rounding_size={corner}"
        place = (x + left, y + top)
        axes.add_patch(FancyBboxPatch(place, wide, high, boxstyle=shape, **look))
        return
    codes_of = {"M": Curve.MOVETO, "Q": Curve.CURVE3, "Z": Curve.CLOSEPOLY}
    points, codes = [(x, y)], [Curve.MOVETO]
    for letter, text in _STEP.findall(node.get("d", "")):
        numbers = [float(number) for number in text.split()]
        here = points[-1]
        if letter in "MLQ":
            new = [(x + a, y + b) for a, b in zip(*[iter(numbers)] * 2, strict=True)]
        elif letter == "Z":
            new = [here]
        elif letter == "V":
            new = [(here[0], y + numbers[0])]
        else:
            new = [(numbers[0] + (x if letter == "H" else here[0]), here[1])]
        points += new
        codes += [codes_of.get(letter, Curve.LINETO)] * len(new)
    axes.add_patch(PathPatch(Curve(points, codes), **look))


def _draw_text(
    axes: Any, node: ElementTree.Element, x: float, y: float, rules: Sequence[_Rule]
) -> None:
    """A text, in parts where its words have classes of their own."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.patheffects import withStroke
    from matplotlib.textpath import text_to_path

    style = _style(rules, "text", node)
    size = style.get("font-size", style["font"]).partition("px")[0]
    font = FontProperties(
        size=float(size) * _POINTS,
        weight="bold" if "font-weight" in style else "normal",
        style="italic" if "font-style" in style else "normal",
    )
    halo = []
    if "paint-order" in style:
        width = float(style["stroke-width"].removesuffix("px")) * _POINTS
        halo = [withStroke(linewidth=width, foreground=style["stroke"])]
    parts = list(_text_parts(node, style["fill"], rules))
    measure = text_to_path.get_text_width_height_descent
    with warnings.catch_warnings(action="ignore"):  # of what fonts lack, later
        widths = [measure(text, font, ismath=False)[0] / _POINTS for text, _ in parts]
    x, y = x + float(node.get("x", "0")), y + float(node.get("y", "0"))
    x -= sum(widths) / 2 if style["text-anchor"] == "middle" else 0
    look = {"font": font, "va": "baseline", "parse_math": False, "path_effects": halo}
    for (text, color), width in zip(parts, widths, strict=True):
        axes.text(x, y, text, color=color, **look)
        x += width


def _text_parts(
    node: ElementTree.Element, color: str, rules: Sequence[_Rule]
) -> Iterator[tuple[str, str]]:
    """What a text says, and the colour of each part of it."""
    yield node.text or "", color
    for child in node:
        if child.tag == f"{_SVG}tspan":
            yield child.text or "", _style(rules, "tspan", child).get("fill", color)
        yield child.tail or "", color


def _warn_of_scripts(svg: str, path: Path) -> None:
    """Letters that join or run from right to left need matplotlib 3.11."""
    import matplotlib

    runs_left = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in svg)
    if runs_left and matplotlib.__version_info__ < (3, 11):
        note = "letters from right to left are not joined here; the SVG has them right"
        warnings.warn(InputWarning(str(path), note), stacklevel=3)
