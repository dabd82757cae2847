"""Figures as SVG, PNG and PDF.

In SVG text stays text, and is drawn with the fonts of whoever looks at it. So what
matplotlib measured with the fonts of this machine may be too little (it has none for
Chinese by itself): the picture is then made as wide as its texts may be.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.exceptions import InputWarning
from analyzer.files.atomic import replacing, write_text
from reports.drawing.svg import text_width

if TYPE_CHECKING:
    from matplotlib.figure import Figure

IMAGE_FORMATS = ("svg", "png", "pdf")
_NO_GLYPH = r"Glyph \d+ .*missing from (font|current font)"
_TEXT = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_PLACE = re.compile(r'\bx="(-?[\d.]+)"')
_SIZE = re.compile(r"([\d.]+)px")
_TURNED = re.compile(r"rotate\(-?(?!0 )\d")
_ROOT = re.compile(
    r'width="([\d.]+)pt" height="([\d.]+)pt" viewBox="0 0 ([\d.]+) ([\d.]+)"'
)
_MARGIN = 4


def figure_svg(figure: Figure) -> str:
    """The figure as SVG; the same figure gives the same text."""
    from matplotlib import rc_context

    output = io.StringIO()
    settings = rc_context({"svg.hashsalt": "spinal", "svg.fonttype": "none"})
    with settings, _without_glyph_warnings():
        figure.savefig(output, format="svg", metadata={"Date": None})
    return widened(output.getvalue())


def save_figure(figure: Figure, path: Path) -> None:
    """Write the figure; the ending of the name says in which format."""
    from matplotlib import rc_context

    if path.suffix == ".svg":
        write_text(path, figure_svg(figure))
        return
    metadata = {"CreationDate": None} if path.suffix == ".pdf" else None
    # TrueType: journals refuse the Type 3 fonts that are matplotlib's default.
    settings = rc_context({"pdf.fonttype": 42})
    with settings, _without_glyph_warnings() as missing, replacing(path) as stream:
        figure.savefig(stream, format=path.suffix[1:], dpi=200, metadata=metadata)
    if missing:
        note = "the fonts here lack some characters of its labels; the SVG has them"
        warnings.warn(InputWarning(str(path), note), stacklevel=2)


@contextmanager
def _without_glyph_warnings() -> Iterator[list[str]]:
    """Collects what fonts lack instead of a warning for each character."""
    missing: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield missing
    for warning in caught:
        text = str(warning.message)
        if re.match(_NO_GLYPH, text):
            missing.append(text)
        else:
            warnings.warn(warning.message, warning.category, stacklevel=3)


def widened(svg: str) -> str:
    """The picture with room for all that its texts may take."""
    root = _ROOT.search(svg)
    if root is None:
        return svg
    width, height = float(root[3]), float(root[4])
    left, right = 0.0, width
    for attributes, text in _TEXT.findall(svg):
        place, size = _PLACE.search(attributes), _SIZE.search(attributes)
        if place is None or size is None or _TURNED.search(attributes):
            continue
        wide = text_width(unescape(text), size=10) * float(size[1]) / 10
        # A text is as wide as measured here, or less: the share of it on either side.
        before = 1.0 if "anchor: end" in attributes else 0.0
        before = 0.5 if "anchor: middle" in attributes else before
        left = min(left, float(place[1]) - before * wide - _MARGIN)
        right = max(right, float(place[1]) + (1 - before) * wide + _MARGIN)
    if (left, right) == (0.0, width):
        return svg
    total = right - left
    return svg.replace(
        root[0],
        f'width="{total:.1f}pt" height="{root[2]}pt" '
        f'viewBox="{left:.1f} 0 {total:.1f} {height:g}"',
        1,
    )
