"""Where a score goes: brackets lost by construction, one bar each, as an SVG element.

It stands in a page, whose style sheet has its colours (`.lost`), and it is as wide as
there is room: lengths are shares of the width, text keeps its size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from analyzer.analyses.errors import LOSSES
from analyzer.metrics.intervals import Interval
from reports.drawing.svg import escaped, text_width

_SIZE, _ROW, _BAR, _LEGEND = 14, 26, 16, 34
_WIDEST_NAME = 160
_BARS = 40  # percent of the width, for the largest


class Lost(NamedTuple):
    """The brackets of a construction that are lost, of so many, by what to.

    The interval is of their share.
    """

    name: str
    gold: int
    parts: Mapping[str, int]
    interval: Interval
    is_construction: bool = True  # not all the others together

    @property
    def lost(self) -> int:
        return sum(self.parts.values())

    @property
    def text(self) -> str:
        return f"{self.lost:,} of {self.gold:,}"

    @property
    def share(self) -> str:
        """In percent, with its interval."""
        share = f"{100 * self.lost / self.gold:.0f} %"
        low, high = self.interval
        if low is None or high is None:
            return share
        return f"{share} ({100 * low:.0f}–{100 * high:.0f})"


def lost_svg(
    rows: Sequence[Lost],
    link: Callable[[Lost | None, str], str],
    label: str,
    losses: Mapping[str, str] = LOSSES,
) -> str:
    """The bars, in the order of the rows, over a legend of their parts.

    `losses` are all parts, and what they mean. `link` gives the address of what a row
    has lost to a part, or to any (""); of no row, what all have. Bars are for the
    pointer; names are for the keyboard as well.
    """
    room = max(text_width(row.name, size=_SIZE) for row in rows)
    start = min(room, _WIDEST_NAME) + 12
    most = max(max(row.lost, row.gold * (row.interval.high or 0)) for row in rows)
    elements = _legend(link, losses)
    for number, row in enumerate(rows):
        y = _LEGEND + number * _ROW
        elements += _bar(row, y, start, _BARS / most, link, losses)
    height = _LEGEND + len(rows) * _ROW
    return (
        f'<svg class="lost" role="group" aria-label="{escaped(label)}" width="100%"'
        f' height="{height}">{"".join(elements)}</svg>'
    )


def _legend(
    link: Callable[[Lost | None, str], str], losses: Mapping[str, str]
) -> list[str]:
    elements, x = [], 0
    for part, meaning in losses.items():
        elements.append(
            f'<a href="{escaped(link(None, part))}" data-hint="{escaped(meaning)}">'
            f'<rect class="{part}" x="{x}" y="4" width="12" height="12" rx="2"/>'
            f'<text class="part" x="{x + 17}" y="14">{part}</text></a>'
        )
        x += 17 + text_width(part, size=12) + 14
    return elements


def _bar(
    row: Lost,
    y: int,
    start: int,
    scale: float,
    link: Callable[[Lost | None, str], str],
    losses: Mapping[str, str],
) -> list[str]:
    """A construction: its name, its bar in parts, its interval and its numbers."""
    parts, ends = [], 0.0
    for part, meaning in losses.items():
        if not (count := row.parts.get(part, 0)):
            continue
        rect = (
            f'<rect class="{part}" x="{ends:.2f}%" y="{y}" width="{count * scale:.2f}%"'
            f' height="{_BAR}"><title>{count:,} lost to {part}: '
            f"{escaped(meaning)}</title></rect>"
        )
        if row.is_construction:
            href = escaped(link(row, part))
            rect = f'<a href="{href}" tabindex="-1" aria-hidden="true">{rect}</a>'
        parts.append(rect)
        ends += count * scale
    low, high = row.interval
    if low is not None and high is not None:
        first, last = row.gold * low * scale, row.gold * high * scale
        middle = y + _BAR / 2
        parts.append(
            f'<line x1="{first:.2f}%" x2="{last:.2f}%" y1="{middle}" y2="{middle}"/>'
        )
        ends = max(ends, last)
    numbers = (
        f'<text class="count" x="{ends:.2f}%" dx="8" y="{y + 13}">{row.text}'
        f'<tspan class="share" dx="10">{row.share}</tspan></text>'
    )
    name = f'<text x="0" y="{y + 13}">{escaped(_cut(row.name, start - 12))}</text>'
    if row.is_construction:
        shares = ", ".join(f"{n:,} {part}" for part, n in row.parts.items() if n)
        label = escaped(f"{row.name}: {row.text} lost, {row.share}: {shares}")
        href = escaped(link(row, ""))
        name = f'<a href="{href}" aria-label="{label}">{name}</a>'
    return [name, f'<g transform="translate({start} 0)">{"".join(parts)}{numbers}</g>']


def _cut(name: str, room: int) -> str:
    """A name that fits, its end left out if need be."""
    cut = name if len(name) <= room else f"{name[:room]}…"  # some pixels a letter
    while text_width(cut, size=_SIZE) > room and len(cut) > 1:
        cut = f"{cut.rstrip('…')[:-1]}…"
    return cut
