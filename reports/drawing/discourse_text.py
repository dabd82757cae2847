"""Discourse trees in a terminal: drawn sideways, as dependencies, or on one line.

Heavy strokes lead to nuclei, light ones to satellites. Marked units are coloured, or
stand between asterisks where colour is off.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import NUCLEUS, ROOT, Unit
from reports.drawing.box_grid import BoxGrid
from reports.drawing.discourse_outline import (
    DrawnUnit,
    arc_levels,
    discourse_outline,
    shown_text,
)
from reports.drawing.lines import Line, display_width, painted, plain
from reports.drawing.outline import wrapped
from reports.drawing.pairs import headed, two_columns
from reports.drawing.tree_text import COLORS

_NARROWEST_TEXT = 28  # columns; deeper units are continued at the margin
_DEEPEST = 100
_STEP = 3
_NUCLEAR, _SATELLITE = ("┝━ ", "┕━ "), ("├─ ", "└─ ")


def draw(
    tree: Unit | DependencyTree,
    *,
    marks: Collection[int] = (),
    width: int = 100,
    color: bool = False,
    mark_color: str = "red",
) -> list[Line]:
    """A discourse tree sideways, or a dependency tree with arcs."""
    if isinstance(tree, Unit):
        return draw_discourse(
            tree, marks=marks, width=width, color=color, mark_color=mark_color
        )
    return draw_dependencies(
        tree, marks=marks, width=width, color=color, mark_color=mark_color
    )


def draw_discourse(
    root: Unit,
    *,
    marks: Collection[int] = (),
    width: int = 100,
    color: bool = False,
    mark_color: str = "red",
) -> list[Line]:
    """The tree sideways: one unit a line, EDUs with their text.

    >>> nucleus, satellite = Unit("N", "span", text="It rained,"), Unit("S", "cause")
    >>> satellite.text = "so we left."
    >>> tree = Unit("R", "---", [nucleus, satellite])
    >>> print("\\n".join(line.text for line in draw_discourse(tree)))
    1–2
    ┝━ N span 1  It rained,
    └─ S cause 2  so we left.
    """
    units = discourse_outline(root, marks)
    paint = COLORS[mark_color] if color else None
    deepest = max(min(_DEEPEST, (width - _NARROWEST_TEXT) // _STEP), 1)
    lines: list[Line] = []
    sections = deque([(0, "")])
    continued = 0
    while sections:
        top, title = sections.popleft()
        if title:
            lines.append(plain(""))
        # a unit, what stands before it on its lines, and its depth
        pending = [(top, title, " " * len(title), 0)]
        while pending:
            place, before, below, depth = pending.pop()
            unit = units[place]
            children = unit.children
            more = ""
            if children and depth == deepest:
                continued += 1
                more = f" ⋯ see [{continued}]"
                sections.append((place, f"[{continued}] "))
                children = []
            rail = "│  " if children else ""
            lines += _unit_lines(unit, before, below + rail, more, width, paint)
            for child in reversed(children):
                is_last = child == children[-1]
                strokes = _NUCLEAR if units[child].is_nucleus else _SATELLITE
                rest = "   " if is_last else "│  "
                indent = "" if title and not depth else below
                pending.append(
                    (child, indent + strokes[is_last], indent + rest, depth + 1)
                )
    return lines


def draw_dependencies(
    tree: DependencyTree,
    *,
    marks: Collection[int] = (),
    width: int = 100,
    color: bool = False,
    mark_color: str = "red",
) -> list[Line]:
    """EDUs from top to bottom, arcs at their left, each with head, relation and order.

    >>> tree = DependencyTree([2, 0], ["attribution", "ROOT"], ranks=[1, 1],
    ...     texts=["He said", "it rained."])
    >>> print("\\n".join(line.text for line in draw_dependencies(tree)))
    ┌▶ 1  2 attribution#1  He said
    └─ 2  ROOT             it rained.
    """
    paint = COLORS[mark_color] if color else None
    levels = arc_levels(tree.heads)
    columns = max(levels, default=0)
    grid = BoxGrid()
    for edu, head in enumerate(tree.heads, start=1):
        if head:
            column = columns - levels[edu - 1]
            grid.across(edu - 1, column, columns)
            grid.across(head - 1, column, columns)
            grid.down(column, edu - 1, head - 1)
    for edu, head in enumerate(tree.heads, start=1):
        if head:
            grid.write(edu - 1, columns, "▶")
    arcs = grid.lines(rows=len(tree), width=columns + 1)
    labels = [_arc_label(tree, edu, edu in marks, paint) for edu in _edus(tree)]
    label_width = max((label.width for label in labels), default=0)
    number_width = len(str(len(tree)))
    margin = columns + 1 + 1 + number_width + 2 + label_width + 2
    room = max(width - margin, _NARROWEST_TEXT)
    # A line of text under its EDU is crossed by the arcs that go on below it.
    lines: list[Line] = []
    for edu, (arc, label) in enumerate(zip(arcs, labels, strict=True), start=1):
        first, *rest = wrapped(shown_text(tree.texts[edu - 1]), room, display_width)
        space = " " * (label_width - label.width)
        start = f"{arc} {edu:>{number_width}}  "
        text = f"{start}{label.text}{space}  {first}"
        shown = len(start) + label_width + 2 + display_width(first)
        lines.append(Line(text, shown))
        rails = _rails(arc, arcs[edu] if edu < len(arcs) else "")
        lines += [plain(rails.ljust(margin) + line) for line in rest]
    return lines


def on_one_line(root: Unit, *, marks: Collection[int] = ()) -> str:
    """Brackets: nuclearity, relation, then the units or the text.

    >>> on_one_line(Unit("R", "---", [Unit("N", "span", text="a"), Unit("S", "cause",
    ...     text="b")]))
    '(R (N span "a") (S cause "b"))'
    """
    units = discourse_outline(root, marks)
    pieces: list[str] = []
    pending: list[int | None] = [0]
    while pending:
        place = pending.pop()
        if place is None:
            pieces.append(")")
            continue
        unit = units[place]
        label = unit.nuclearity
        if unit.nuclearity != ROOT:
            label += f" {unit.relation}"
        marked = f"*{label}*" if unit.is_marked else label
        pieces.append(f"{' ' if pieces else ''}({marked}")
        if unit.text is not None:
            quoted = unit.text.replace("\\", "\\\\").replace('"', '\\"')
            pieces.append(f' "{quoted}")')
            continue
        pending.append(None)
        pending.extend(reversed(unit.children))
    return "".join(pieces)


def side_by_side(
    left: Sequence[Line], right: Sequence[Line], *, titles: tuple[str, str], width: int
) -> list[Line]:
    """Two drawings in columns if they fit, else one above the other."""
    drawings = (left, right)
    columns = two_columns(drawings, titles, width=width)
    if columns is not None:
        return columns
    upper, lower = (headed(*one) for one in zip(drawings, titles, strict=True))
    return [*upper, plain(""), *lower]


def _unit_lines(
    unit: DrawnUnit, before: str, below: str, more: str, width: int, paint: int | None
) -> list[Line]:
    if unit.nuclearity == ROOT:
        label = unit.range
    else:
        label = f"{unit.nuclearity} {unit.relation} {unit.range}"
    start = len(before) + len(label) + 2 * (unit.is_marked and paint is None)
    if unit.is_marked:
        label = f"*{label}*" if paint is None else painted(label, paint)
    if unit.text is None:
        return [Line(before + label + more, start + len(more))]
    # Wrapped under where it starts; under the relation if that leaves too little room.
    indent = start + 2
    if width - indent < _NARROWEST_TEXT:
        indent = len(before) + 2
        room = max(width - indent, _NARROWEST_TEXT // 2)
        texts = wrapped(unit.text, room, display_width)
        lines = [Line(before + label, start)]
    else:
        first, *texts = wrapped(unit.text, width - indent, display_width)
        lines = [Line(f"{before}{label}  {first}", indent + display_width(first))]
    margin = below.ljust(indent)
    lines += [plain(margin + text) for text in texts]
    return lines


def _edus(tree: DependencyTree) -> range:
    return range(1, len(tree) + 1)


def _arc_label(
    tree: DependencyTree, edu: int, is_marked: bool, paint: int | None
) -> Line:
    head = tree.heads[edu - 1]
    label = shown_text(tree.label(edu))
    if head:
        is_nucleus = tree.nuclearities and tree.nuclearities[edu - 1] == NUCLEUS
        number_width = len(str(len(tree)))
        label = f"{head:>{number_width}} {label}{' (N)' if is_nucleus else ''}"
    if is_marked and paint is None:
        return plain(f"*{label}*")
    return Line(painted(label, paint if is_marked else None), display_width(label))


def _rails(arc: str, following: str) -> str:
    """The strokes that go on from one line of arcs to the next."""
    downward = set("│┐┤┌├┬┼")
    upward = set("│┘┤└├┴┼")
    return "".join(
        "│" if here in downward and below in upward else " "
        for here, below in zip(arc, following.ljust(len(arc)), strict=False)
    )
