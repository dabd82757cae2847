"""Two trees in one drawing: side by side or stacked, as pictures or as text."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.safe_text import counted, drawable
from reports.drawing.lines import Line, beside, display_width, plain
from reports.drawing.svg import (
    Panel,
    above,
    document,
    misfit,
    with_heading,
    with_legend,
)
from reports.drawing.svg import beside as panels_beside

PAIR_CLASSES = ("missed", "spurious")  # of what only the first, only the second has
_GUTTER = " │ "


def pair_document(
    panels: Sequence[Panel],
    *,
    titles: Sequence[str],
    counts: Sequence[int],
    noun: str,
    stacked: Sequence[Panel] | None = None,
    more_style: str = "",
    told: Sequence[str] | None = None,
) -> str:
    """Two panels in one SVG document, with headings and a legend.

    They stand side by side or one above the other, whichever comes nearer to the
    shape of a screen; `stacked` is how they look in that case, if it is not the same.
    The legend counts what only one of them has, or says what is `told` of each.
    """
    level = map(with_heading, panels, titles)
    other = map(with_heading, panels if stacked is None else stacked, titles)
    both = min(panels_beside(*level), above(*other), key=misfit)
    if told is None:
        told = [
            f"{counted(count, noun)} only in {title}"
            for count, title in zip(counts, titles, strict=True)
        ]
    legend = dict(zip(PAIR_CLASSES, told, strict=True))
    name = f"{titles[0]} and {titles[1]}: {', '.join(legend.values())}"
    whole = with_legend(both, legend)
    return document(whole, name, list(legend), more_style=more_style)


def two_columns(
    drawings: Sequence[Sequence[Line]],
    titles: Sequence[str],
    *,
    width: int,
    is_centred: bool = False,
) -> list[Line] | None:
    """Two drawings under their headings; None if they do not fit.

    With `is_centred` the gutter stays in the middle of the page as long as both sides
    fit; otherwise it follows the left drawing.
    """
    columns = [headed(*one) for one in zip(drawings, titles, strict=True)]
    needed = [max(line.width for line in column) for column in columns]
    space = width - len(_GUTTER)
    if sum(needed) > space:
        return None
    left_width = needed[0]
    if is_centred:
        left_width = max(left_width, min(space // 2, space - needed[1]))
    return beside(*columns, left_width=left_width, gutter=_GUTTER)


def headed(drawing: Sequence[Line], title: str) -> list[Line]:
    """A drawing under its underlined heading."""
    shown = drawable(" ".join(title.split()))
    return [plain(shown), plain("─" * display_width(shown)), *drawing]
