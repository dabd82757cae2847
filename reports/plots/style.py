"""How plots look: colours, marks and lines that are told apart, and names in them."""

from __future__ import annotations

from typing import Any, NamedTuple

from analyzer.safe_text import visible, with_ends

# Okabe and Ito's colours: told apart by most colour-blind readers, and in print.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vPX"
WHITE, BLACK = "#ffffff", "#000000"
GREY, PALE_GREY, GRID = "#666666", "#999999", "#dddddd"
GREYS = {GREY: "soft", PALE_GREY: "pale", GRID: "grid"}  # what a page calls them
_DASHES = ("-", "--", ":", "-.")
_LONGEST_NAME = 40


class LineStyle(NamedTuple):
    """How a line of several looks."""

    color: str
    marker: str
    linestyle: str


def line_style(number: int) -> LineStyle:
    """The look of the n-th line, from 0: up to 28 lines no two are alike.

    After seven colours the lines are broken, and the marks move on by one, so that
    neither colour nor mark has to be told from a like one.

    >>> line_style(0), line_style(7)
    (LineStyle(color='#0072B2', marker='o', linestyle='-'), \
LineStyle(color='#0072B2', marker='s', linestyle='--'))
    """
    again, color = divmod(number, len(COLORS))
    return LineStyle(
        COLORS[color],
        MARKERS[(color + again) % len(MARKERS)],
        _DASHES[again % len(_DASHES)],
    )


def plot_label(text: str) -> str:
    """A name as a plot shows it: in one line that has room.

    Of long names the ends stay: they often begin alike.
    """
    # What stands between two dollars would be set as a formula.
    return visible(with_ends(text, _LONGEST_NAME)).replace("$", r"\$")


def tidy(axes: Any) -> None:
    """A light grid behind the data, and no frame."""
    axes.grid(visible=True, color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
