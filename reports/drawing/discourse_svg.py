"""Discourse trees as SVG in the style of RST diagrams.

A unit is a horizontal line over its EDUs, with their numbers. A vertical line leads
from it to its nucleus, lines that fan out lead to the nuclei of a multinuclear
relation, and a curved arrow with the relation leads from each satellite to the nucleus.
Every subtree has its columns to itself, and labels have their own room between the
units that they join: nothing can overlap.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from analyzer.model.discourse import Unit
from reports.drawing.discourse_outline import DrawnUnit, discourse_outline
from reports.drawing.rst_svg_style import (
    FAR,
    NUMBER_SIZE,
    RELATION_SIZE,
    TEXT_LINE,
    column_lines,
    column_width,
    places,
    tip,
)
from reports.drawing.svg import Panel, class_of, text_element
from reports.drawing.svg_text import text_width

_GAP = 22  # between columns
_NUMBER = 15  # from a unit's line to the baseline of its numbers
_BELOW_NUMBER = 20  # from a unit's line to where lines down start
_SLANT = 30  # the height of lines that fan out
_RELATION = 17  # the height of a relation between nuclei
_ARC = 23  # from one arrow to the next above it
_ARC_FOOT = 17  # from the units to the lowest arrow
_PAD = 16  # on either side of a relation on an arrow


@dataclass
class _Layout:
    """Where everything is; x from the left of the drawing, y from its top."""

    lines: list[list[str]]  # of text, by unit
    x: list[int]  # where lines from above and arrows arrive
    start: list[int]  # the unit's line
    end: list[int]
    y: list[int]
    levels: list[int]  # of a satellite's arrow, 1 for the nearest to its nucleus
    width: int = 0
    height: int = 0


def discourse_panel(
    root: Unit, *, marks: Collection[int] = (), mark_class: str = "missed"
) -> Panel:
    """The tree; marked units (places in the walk) in the colour of a mark class."""
    units = discourse_outline(root, marks)
    layout = _placed(units)
    elements: list[str] = []
    for place, unit in enumerate(units):
        mark = mark_class if unit.is_marked else ""
        elements += _unit_elements(units, layout, place, mark, mark_class)
    return Panel(elements, layout.width, layout.height)


# -- layout ---------------------------------------------------------------------------


def _placed(units: Sequence[DrawnUnit]) -> _Layout:
    count = len(units)
    layout = _Layout(
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
        nuclei = _nuclei(units, unit)
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
        bottom = layout.y[place] + _BELOW_NUMBER + text_height + 4
        layout.height = max(layout.height, bottom)
    layout.width = to_left[0] + to_right[0]
    return layout


def _nuclei(units: Sequence[DrawnUnit], unit: DrawnUnit) -> list[int]:
    """The children that lines lead to; all of them if none is a nucleus."""
    nuclei = [child for child in unit.children if units[child].is_nucleus]
    return nuclei or list(unit.children)


def _shared_relation(units: Sequence[DrawnUnit], unit: DrawnUnit) -> str:
    """The relation that holds between nuclei; nothing for a single nucleus."""
    nuclei = _nuclei(units, unit)
    names = dict.fromkeys(units[child].relation for child in nuclei)
    is_plain = len(nuclei) == 1 and units[nuclei[0]].is_span
    return "" if is_plain else " · ".join(names)


def _heading_width(units: Sequence[DrawnUnit], unit: DrawnUnit) -> int:
    relation = _shared_relation(units, unit)
    return max(
        text_width(relation, size=RELATION_SIZE, bold=True) + 8 if relation else 0,
        text_width(unit.range, size=NUMBER_SIZE, bold=True) + 8,
    )


def _number_arrows(
    units: Sequence[DrawnUnit], unit: DrawnUnit, levels: list[int]
) -> None:
    """Give each satellite the level of its arrow: farther ones pass above nearer."""
    nuclei = _nuclei(units, unit)
    for child in unit.children:
        if child not in nuclei:
            target = _target(units, child, nuclei)
            low, high = min(child, target), max(child, target)
            passed = [c for c in unit.children if low <= c <= high and c not in nuclei]
            levels[child] = len(passed)


def _target(units: Sequence[DrawnUnit], satellite: int, nuclei: Sequence[int]) -> int:
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
    nuclei = _nuclei(units, unit)
    children = unit.children
    at = {children[0]: 0}
    for before, child in pairwise(children):
        room = to_right[before] + _GAP + to_left[child]
        for satellite in (before, child):
            if satellite in nuclei:
                continue
            # An arrow's relation stands next to the satellite, on the nucleus's side.
            faces_right = _target(units, satellite, nuclei) > satellite
            if faces_right == (satellite == before):
                relation = units[satellite].relation
                needed = text_width(relation, size=RELATION_SIZE, bold=True)
                room = max(room, needed + 2 * _PAD)
        at[child] = at[before] + room
    return at


def _drop(units: Sequence[DrawnUnit], unit: DrawnUnit, levels: Sequence[int]) -> int:
    """From a unit's line to that of its children."""
    highest = max((levels[child] for child in unit.children), default=0)
    height = _BELOW_NUMBER
    if _shared_relation(units, unit):
        height += _RELATION
    if len(_nuclei(units, unit)) > 1 or not highest:
        height += _SLANT
    if highest:
        height += _ARC_FOOT + _ARC * highest - 4
    return height


# -- elements -------------------------------------------------------------------------


def _unit_elements(
    units: Sequence[DrawnUnit],
    layout: _Layout,
    place: int,
    mark: str,
    mark_class: str,
) -> list[str]:
    unit, x, y = units[place], layout.x[place], layout.y[place]
    line = f"M{layout.start[place]} {y}H{layout.end[place]}"
    kind = f"unit {mark} marked-line" if mark else "unit"
    elements = [
        f'<path{class_of(kind)} d="{line}"/>',
        text_element(x, y + _NUMBER, unit.range, f"number {mark}"),
    ]
    for below, text in enumerate(layout.lines[place]):
        baseline = y + _BELOW_NUMBER + TEXT_LINE * below + 11
        elements.append(text_element(x, baseline, text, "edu"))
    if not unit.children:
        return elements
    nuclei = _nuclei(units, unit)
    relation = _shared_relation(units, unit)
    top = y + _BELOW_NUMBER
    if relation:
        is_marked = all(units[child].is_marked for child in nuclei)
        kind = f"relation {mark_class if is_marked else ''}"
        elements.append(text_element(x, top + 11, relation, kind))
        top += _RELATION
    elements += _lines_down(units, layout, place, top, mark_class)
    for child in unit.children:
        if child not in nuclei:
            target = _target(units, child, nuclei)
            elements += _arrow(units, layout, child, target, mark_class)
    return elements


def _lines_down(
    units: Sequence[DrawnUnit], layout: _Layout, place: int, top: int, mark_class: str
) -> list[str]:
    """From a unit to its nuclei: straight, or round a corner where that is far."""
    x = layout.x[place]
    nuclei = _nuclei(units, units[place])
    is_far = max(abs(layout.x[child] - x) for child in nuclei) > FAR
    elements = []
    for number, child in enumerate(nuclei):
        end, y = layout.x[child], layout.y[child]
        mark = mark_class if units[child].is_marked else ""
        path = f"M{x} {top}L{end} {y}"
        if is_far and end != x:
            bus, side = top + 8, 1 if end > x else -1
            path = f"M{x} {top}V{bus}H{end - 8 * side}Q{end} {bus} {end} {bus + 8}V{y}"
        elements.append(f'<path{class_of(f"arm {mark}")} d="{path}"/>')
        # Far from the relation's place it is said again, if there is room.
        relation = units[child].relation
        width = text_width(relation, size=RELATION_SIZE, bold=True)
        after = nuclei[number + 1 : number + 2]
        room = layout.x[after[0]] - end if after else layout.end[child] - end
        if is_far and abs(end - x) > FAR // 2 and room > width + 14:
            kind = f"relation left {mark}"
            elements.append(text_element(end + 6, y - 6, relation, kind))
    return elements


def _arrow(
    units: Sequence[DrawnUnit],
    layout: _Layout,
    satellite: int,
    nucleus: int,
    mark_class: str,
) -> list[str]:
    """From the satellite up, across and down to the nucleus, with its relation."""
    mark = mark_class if units[satellite].is_marked else ""
    level = layout.levels[satellite]
    y = layout.y[satellite]
    top = y - _ARC_FOOT - _ARC * (level - 1)
    start, end = layout.x[satellite], layout.x[nucleus]
    side = 1 if end > start else -1
    end -= side * (4 + 5 * level)
    bend = side * min(14, abs(end - start) // 2)
    curve = (
        f"M{start} {y - 2}Q{start} {top} {start + bend} {top}"
        f"H{end - bend}Q{end} {top} {end} {y - 6}"
    )
    # Next to the satellite: between it and its neighbour on the nucleus's side.
    siblings = units[units[satellite].parent or 0].children
    neighbour = siblings[siblings.index(satellite) + side]
    middle = (start + (end if neighbour == nucleus else layout.x[neighbour])) // 2
    relation = units[satellite].relation
    width = text_width(relation, size=RELATION_SIZE, bold=True)
    return [
        f'<path{class_of(f"arrow {mark}")} d="{curve}"/>',
        f'<path{class_of(f"tip {mark}")} d="{tip(end, y - 1)}"/>',
        *(
            text_element(x, top - 5, relation, f"relation {mark}")
            for x in places(start, end, middle, width)
        ),
    ]
