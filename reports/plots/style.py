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
    nobody has to tell similar colours or similar marks apart.

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


# On a dark page or slide: black and white change places, greys and blues are lighter.
_ON_DARK = {
    BLACK: "#e8eaee",
    WHITE: "#14171c",
    GREY: "#a3acba",
    PALE_GREY: "#7d8694",
    GRID: "#2e343e",
    COLORS[0].lower(): "#56B4E9",
    COLORS[5].lower(): "#9db9ff",
}


def darken(figure: Figure) -> Figure:
    """The same figure in colours for a dark background."""
    from matplotlib.collections import Collection
    from matplotlib.colors import to_hex

    def turn(artist: Any, name: str) -> None:
        given = getattr(artist, f"get_{name}")()
        many = isinstance(artist, Collection)
        hues = [to_hex(hue, keep_alpha=True) for hue in (given if many else [given])]
        turned = [_ON_DARK.get(hue[:7], hue[:7]) + hue[7:] for hue in hues]
        getattr(artist, f"set_{name}")(turned if many else turned[0])

    for artist in figure.findobj():
        is_plain = hasattr(artist, "get_color")
        for name in ("color",) if is_plain else ("facecolor", "edgecolor"):
            if hasattr(artist, f"get_{name}") and hasattr(artist, f"set_{name}"):
                turn(artist, name)
    figure.set_facecolor(_ON_DARK[WHITE])
    return figure


def fit_intervals(axes: Any, intervals: Sequence[tuple[float, float]]) -> None:
    """Limits that show what most rows are about.

    An interval of very few cases may be from -100 to 100: it ends at the frame, where
    an arrowhead says that it goes on. In the middle, 80 % of the ends have room.
    """
    ends = sorted(value for interval in intervals for value in (*interval, 0.0))
    if not ends:
        return
    cut = len(ends) // 10
    low, high = ends[cut], ends[-1 - cut]
    room = max(0.08 * (high - low), 0.5)
    low = max(low - room, ends[0] - room / 2)
    high = min(high + room, ends[-1] + room / 2)
    axes.set_xlim(low, high)
    for place, (first, last) in enumerate(intervals):
        for end, mark, is_beyond in ((low, "<", first < low), (high, ">", last > high)):
            if is_beyond:
                look = {"color": GREY, "markersize": 4, "clip_on": False}
                axes.plot([end], [place], marker=mark, linestyle="none", **look)


def tell(
    axes: Any, text: str, at: tuple[float, float], *, by: tuple[int, int], **look: Any
) -> None:
    """A small text beside a place, so many points away."""
    look = {"fontsize": 7} | look
    axes.annotate(text, at, textcoords="offset points", xytext=by, **look)
