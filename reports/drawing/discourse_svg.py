"""Discourse trees as SVG in the style of RST diagrams.

A unit is a horizontal line over its EDUs, with their numbers. A vertical line leads
from it to its nucleus, lines that fan out lead to the nuclei of a multinuclear
relation, and a curved arrow with the relation leads from each satellite to the nucleus.
Every subtree has its columns to itself, and labels have their own room between the
units that they join: nothing can overlap.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import Unit
from reports.drawing.dependency_svg import dependency_panel
from reports.drawing.discourse_layout import (
    ARC_FOOT,
    ARC_STEP,
    BELOW_NUMBER,
    RELATION_HEIGHT,
    Layout,
    arrow_target,
    laid_out,
    nuclei_of,
    shared_relation,
)
from reports.drawing.discourse_outline import DrawnUnit, discourse_outline
from reports.drawing.pairs import PAIR_CLASSES, pair_document
from reports.drawing.svg import (
    FAR,
    TEXT_LINE,
    Panel,
    arrow_head,
    class_of,
    document,
    label_places,
    text_element,
    text_width,
    with_heading,
)
from reports.drawing.svg_style import RELATION_SIZE, discourse_style

Drawable = Unit | DependencyTree
_NUMBER = 15  # from a unit's line to the baseline of its numbers


def discourse_svg(tree: Drawable, *, title: str = "") -> str:
    """One tree: an RST diagram of a Unit, arcs of a DependencyTree."""
    panel = _panel(tree)
    if title:
        panel = with_heading(panel, title)
    return document(panel, title or "discourse tree", [], more_style=discourse_style())


def discourse_pair_svg(
    trees: Sequence[Drawable],
    marks: Sequence[Collection[int]],
    titles: Sequence[str],
) -> str:
    """Two trees side by side or stacked, what differs in colour, with a legend."""
    return pair_document(
        [_panel(*one) for one in zip(trees, marks, PAIR_CLASSES, strict=True)],
        titles=titles,
        counts=[len(marked) for marked in marks],
        noun="unit" if isinstance(trees[0], Unit) else "arc",
        more_style=discourse_style(),
    )


def _panel(
    tree: Drawable, marks: Collection[int] = (), mark_class: str = PAIR_CLASSES[0]
) -> Panel:
    if isinstance(tree, Unit):
        return discourse_panel(tree, marks=marks, mark_class=mark_class)
    return dependency_panel(tree, marks=marks, mark_class=mark_class)


def discourse_panel(
    root: Unit, *, marks: Collection[int] = (), mark_class: str = "missed"
) -> Panel:
    """The tree; marked units (places in the walk) in the colour of a mark class."""
    units = discourse_outline(root, marks)
    layout = laid_out(units)
    elements: list[str] = []
    for place, unit in enumerate(units):
        mark = mark_class if unit.is_marked else ""
        elements += _unit_elements(units, layout, place, mark, mark_class)
    return Panel(elements, layout.width, layout.height)


def _unit_elements(
    units: Sequence[DrawnUnit],
    layout: Layout,
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
        baseline = y + BELOW_NUMBER + TEXT_LINE * below + 11
        elements.append(text_element(x, baseline, text, "edu"))
    if not unit.children:
        return elements
    nuclei = nuclei_of(units, unit)
    relation = shared_relation(units, unit)
    top = y + BELOW_NUMBER
    if relation:
        is_marked = all(units[child].is_marked for child in nuclei)
        kind = f"relation {mark_class if is_marked else ''}"
        elements.append(text_element(x, top + 11, relation, kind))
        top += RELATION_HEIGHT
    elements += _lines_down(units, layout, place, top, mark_class)
    for child in unit.children:
        if child not in nuclei:
            target = arrow_target(units, child, nuclei)
            elements += _arrow(units, layout, child, target, mark_class)
    return elements


def _lines_down(
    units: Sequence[DrawnUnit], layout: Layout, place: int, top: int, mark_class: str
) -> list[str]:
    """From a unit to its nuclei: straight, or round a corner where that is far."""
    x = layout.x[place]
    nuclei = nuclei_of(units, units[place])
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
    layout: Layout,
    satellite: int,
    nucleus: int,
    mark_class: str,
) -> list[str]:
    """From the satellite up, across and down to the nucleus, with its relation."""
    mark = mark_class if units[satellite].is_marked else ""
    level = layout.levels[satellite]
    y = layout.y[satellite]
    top = y - ARC_FOOT - ARC_STEP * (level - 1)
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
        f'<path{class_of(f"tip {mark}")} d="{arrow_head(end, y - 1)}"/>',
        *(
            text_element(x, top - 5, relation, f"relation {mark}")
            for x in label_places(start, end, middle, width)
        ),
    ]
