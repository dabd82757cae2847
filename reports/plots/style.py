"""How plots look: figures, colours, marks and lines that are told apart, and names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.exceptions import SettingsError
from analyzer.safe_text import visible, with_ends

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours: told apart by most colour-blind readers, and in print.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vPX"
WHITE, BLACK = "#ffffff", "#000000"
GREY, PALE_GREY, GRID = "#666666", "#999999", "#dddddd"
GREYS = {GREY: "soft", PALE_GREY: "pale", GRID: "grid"}  # what a page calls them
FONT_SIZE = 9  # points
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
    mark, dash = (color + again) % len(MARKERS), again % len(_DASHES)
    return LineStyle(COLORS[color], MARKERS[mark], _DASHES[dash])


def plot_label(text: str) -> str:
    """A name as a plot shows it: in one line that has room.

    Of long names the ends stay: they often begin alike.
    """
    # What stands between two dollars would be set as a formula.
    return visible(with_ends(text, _LONGEST_NAME)).replace("$", r"\$")


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, in inches."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise SettingsError("E703 plots need matplotlib") from None
    with rc_context({"font.size": FONT_SIZE}):
        return Figure(figsize=(width, height), layout="constrained")


def tidy(axes: Any, title: str = "") -> None:
    """A light grid behind the data, and no frame."""
    if title:
        axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    axes.grid(visible=True, color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def list_rows(
    axes: Any, names: Sequence[str], label: str, *, line: float = 0, grid: bool = False
) -> None:
    """Names from top to bottom, a line at a value, and what the values are."""
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.axvline(line, color="black", linewidth=0.8)
    axes.set_xlabel(label)
    tidy(axes)
    axes.grid(axis="y", visible=grid)


def tell(
    axes: Any, text: str, at: tuple[float, float], *, by: tuple[int, int], **look: Any
) -> None:
    """A small text beside a place, so many points away."""
    look = {"fontsize": 7} | look
    axes.annotate(text, at, textcoords="offset points", xytext=by, **look)
