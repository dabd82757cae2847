"""Where the parts of an RST diagram stand: columns, heights, levels of arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from reports.drawing.discourse_outline import DrawnUnit
from reports.drawing.svg import TEXT_LINE, column_lines, column_width, text_width
from reports.drawing.svg_style import NUMBER_SIZE, RELATION_SIZE

BELOW_NUMBER = 20  # from a unit's line to where lines down start
RELATION_HEIGHT = 17  # of a relation between nuclei
ARC_STEP = 23  # from one arrow to the next above it
ARC_FOOT = 17  # from the units to the lowest arrow
_GAP = 22  # between columns
_SLANT = 30  # the height of lines that fan out
_PAD = 16  # on either side of a relation on an arrow


@dataclass
class Layout:
    """Where everything is; x from the left of the drawing, y from its top."""

    lines: list[list[str]]  # of text, by unit
    x: list[int]  # where lines from above and arrows arrive
    start: list[int]  # the unit's line
    end: list[int]
    y: list[int]
    levels: list[int]  # of a satellite's arrow, 1 for the nearest to its nucleus
    width: int = 0
    height: int = 0


def laid_out(units: Sequence[DrawnUnit]) -> Layout:
    """Places for all units: every subtree has its columns to itself."""
    count = len(units)
    layout = Layout(
        lines=[[] if u.text is None else column_lines(u.text) for u in units],
        x=[0] * count,
        start=[0] * count,
        end=[0] * count,
        y=[0] * count,
        levels=[0] * count,
    )
    to_left, to_right = [0] * count, [0] * count  # the room from where x is
    line_left, line_right = [0] * count, [0] * count  # the line from there
    for place in reversed(range(count)):
        unit = units[place]
        if not unit.children:
            half = column_width(layout.lines[place], unit.range) // 2
            to_left[place] = to_right[place] = half
            line_left[place] = line_right[place] = half
            continue
        _number_arrows(units, unit, layout.levels)
        at = _apart(units, unit, to_left, to_right)
        nuclei = nuclei_of(units, unit)
        anchor = (at[nuclei[0]] + at[nuclei[-1]]) // 2
        for child in unit.children:
            layout.x[child] = at[child] - anchor  # from the parent's, for now
        first, last = unit.children[0], unit.children[-1]
        line_left[place] = anchor - at[first] + line_left[first]
        line_right[place] = at[last] - anchor + line_right[last]
        half = _heading_width(units, unit) // 2
        to_left[place] = max(anchor - at[first] + to_left[first], half)
        to_right[place] = max(at[last] - anchor + to_right[last], half)
    layout.x[0] = to_left[0]
    for place, unit in enumerate(units):
        below = layout.y[place] + _drop(units, unit, layout.levels)
        for child in unit.children:
            layout.x[child] += layout.x[place]
            layout.y[child] = below
        layout.start[place] = layout.x[place] - line_left[place]
        layout.end[place] = layout.x[place] + line_right[place]
        text_height = TEXT_LINE * len(layout.lines[place])
        bottom = layout.y[place] + BELOW_NUMBER + text_height + 4
        layout.height = max(layout.height, bottom)
    layout.width = to_left[0] + to_right[0]
    return layout


def nuclei_of(units: Sequence[DrawnUnit], unit: DrawnUnit) -> list[int]:
    """The children that lines lead to; all of them if none is a nucleus."""
    nuclei = [child for child in unit.children if units[child].is_nucleus]
    return nuclei or list(unit.children)


def shared_relation(units: Sequence[DrawnUnit], unit: DrawnUnit) -> str:
    """The relation that holds between nuclei; nothing for a single nucleus."""
    nuclei = nuclei_of(units, unit)
    names = dict.fromkeys(units[child].relation for child in nuclei)
    is_plain = len(nuclei) == 1 and units[nuclei[0]].is_span
    return "" if is_plain else " · ".join(names)


def _heading_width(units: Sequence[DrawnUnit], unit: DrawnUnit) -> int:
    relation = shared_relation(units, unit)
    return max(
        text_width(relation, size=RELATION_SIZE, bold=True) + 8 if relation else 0,
        text_width(unit.range, size=NUMBER_SIZE, bold=True) + 8,
    )


def _number_arrows(
    units: Sequence[DrawnUnit], unit: DrawnUnit, levels: list[int]
) -> None:
    """Give each satellite the level of its arrow: farther ones pass above nearer."""
    nuclei = nuclei_of(units, unit)
    for child in unit.children:
        if child not in nuclei:
            target = arrow_target(units, child, nuclei)
            low, high = min(child, target), max(child, target)
            passed = [c for c in unit.children if low <= c <= high and c not in nuclei]
            levels[child] = len(passed)


def arrow_target(
    units: Sequence[DrawnUnit], satellite: int, nuclei: Sequence[int]
) -> int:
    """The nucleus that a satellite's arrow leads to: the nearest; if tied, before."""
    siblings = units[units[satellite].parent or 0].children
    here = siblings.index(satellite)
    return min(nuclei, key=lambda nucleus: abs(siblings.index(nucleus) - here))


def _apart(
    units: Sequence[DrawnUnit],
    unit: DrawnUnit,
    to_left: Sequence[int],
    to_right: Sequence[int],
) -> dict[int, int]:
    """Where the children are, as near as their columns and relations allow."""
    nuclei = nuclei_of(units, unit)
    children = unit.children
    at = {children[0]: 0}
    for before, child in pairwise(children):
        room = to_right[before] + _GAP + to_left[child]
        for satellite in (before, child):
            if satellite in nuclei:
                continue
            # An arrow's relation stands next to the satellite, on the nucleus's side.
            faces_right = arrow_target(units, satellite, nuclei) > satellite
            if faces_right == (satellite == before):
                relation = units[satellite].relation
                needed = text_width(relation, size=RELATION_SIZE, bold=True)
                room = max(room, needed + 2 * _PAD)
        at[child] = at[before] + room
    return at


def _drop(units: Sequence[DrawnUnit], unit: DrawnUnit, levels: Sequence[int]) -> int:
    """From a unit's line to that of its children."""
    highest = max((levels[child] for child in unit.children), default=0)
    height = BELOW_NUMBER
    if shared_relation(units, unit):
        height += RELATION_HEIGHT
    if len(nuclei_of(units, unit)) > 1 or not highest:
        height += _SLANT
    if highest:
        height += ARC_FOOT + ARC_STEP * highest - 4
    return height
