"""Discourse trees in a terminal: drawn sideways, as dependencies, or on one line.

Heavy strokes lead to nuclei, light ones to satellites. Marked units are coloured, or
stand between asterisks where colour is off.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from itertools import zip_longest

from analyzer.model.discourse import (
    NUCLEUS,
    ROOT,
    DependencyTree,
    Enhancements,
    Unit,
)
from analyzer.safe_text import display_width, wrapped
from reports.drawing.outline import (
    Node,
    arc_levels,
    discourse_outline,
    one_line,
    shown_enhancements,
)
from reports.drawing.tree_text import (
    BoxGrid,
    Line,
    marked,
    paint_of,
    plain,
    sideways,
)

_NARROWEST_TEXT = 28  # columns; deeper units are continued at the margin
_DEEPEST = 100
_STEP = 3


def draw(
    tree: Unit | DependencyTree,
    *,
    marks: Collection[int] = (),
    width: int = 100,
    color: bool = False,
    mark_color: str = "red",
    units: tuple[int, int] | None = None,
) -> list[Line]:
    """A discourse tree sideways, of some EDUs or all; or a dependency tree with arcs.

    >>> nucleus, satellite = Unit("N", "span", text="It rained,"), Unit("S", "cause")
    >>> satellite.text = "so we left."
    >>> tree = Unit("R", "---", [nucleus, satellite])
    >>> print("\\n".join(line.text for line in draw(tree)))
    1–2
    ┝━ N span 1  It rained,
    └─ S cause 2  so we left.
    >>> tree = DependencyTree([2, 0], ["attribution", "ROOT"], ranks=[1, 1],
    ...     texts=["He said", "it rained."])
    >>> print("\\n".join(line.text for line in draw(tree)))
    ┌▶ 1  2 attribution#1  He said
    └─ 2  ROOT             it rained.
    """
    paint = paint_of(mark_color, color=color)
    if isinstance(tree, DependencyTree):
        return _dependencies(tree, marks, width, paint)
    deepest = max(min(_DEEPEST, (width - _NARROWEST_TEXT) // _STEP), 1)
    lines_of = partial(_unit_lines, width=width, paint=paint)
    return sideways(discourse_outline(tree, marks, units), lines_of, deepest=deepest)


def _unit_lines(
    units: Sequence[Node],
    before: str,
    below: str,
    after: str,
    *,
    width: int,
    paint: int | None,
) -> list[Line]:
    """One unit a line, EDUs with their text."""
    (unit,) = units
    label = unit.label
    if unit.nuclearity != ROOT:
        label = f"{unit.nuclearity} {unit.relation} {unit.label}"
    shown = marked(label, unit.marks, paint)
    start = len(before) + len(label) + 2 * (unit.marks > 0 and paint is None)
    if unit.text is None:
        return [Line(before + shown.text + after, start + len(after))]
    # Wrapped under where it starts; under the relation if that leaves too little room.
    indent = start + 2
    if width - indent < _NARROWEST_TEXT:
        indent = len(before) + 2
        room = max(width - indent, _NARROWEST_TEXT // 2)
        texts = wrapped(unit.text, room, display_width)
        lines = [Line(before + shown.text, start)]
    else:
        first, *texts = wrapped(unit.text, width - indent, display_width)
        lines = [Line(f"{before}{shown.text}  {first}", indent + display_width(first))]
    return lines + [plain(below.ljust(indent) + text) for text in texts]


def _dependencies(
    tree: DependencyTree, marks: Collection[int], width: int, paint: int | None
) -> list[Line]:
    """EDUs from top to bottom, arcs at their left, with head, relation and order.

    An EDU with several governors has a line for each.
    """
    arcs = tree.arcs()
    levels = arc_levels(arcs)
    columns = max(levels, default=0)
    number_width = len(str(len(tree)))
    grid = BoxGrid()
    labels: list[list[Line]] = [[] for _ in tree.heads]
    for place, (edu, head, _) in enumerate(arcs, start=1):
        name = one_line(tree.label(place))
        if head:
            column = columns - levels[place - 1]
            grid.across(edu - 1, column, columns)
            grid.across(head - 1, column, columns)
            grid.down(column, edu - 1, head - 1)
            grid.write(edu - 1, columns, "▶")
            is_nucleus = tree.nuclearities and tree.nuclearities[edu - 1] == NUCLEUS
            name = f"{head:>{number_width}} {name}{' (N)' if is_nucleus else ''}"
        labels[edu - 1].append(marked(name, place in marks, paint))
    strokes = grid.lines(len(tree), columns + 1)
    label_width = max((label.width for of_edu in labels for label in of_edu), default=0)
    margin = columns + 1 + 1 + number_width + 2 + label_width + 2
    room = max(width - margin, _NARROWEST_TEXT)
    lines: list[Line] = []
    for edu, (stroke, of_edu) in enumerate(zip(strokes, labels, strict=True), start=1):
        texts = wrapped(one_line(tree.texts[edu - 1]), room, display_width)
        before = f"{stroke} {edu:>{number_width}}  "
        for label, text in zip_longest(of_edu, texts):
            name, taken = (label.text, label.width) if label else ("", 0)
            space = " " * (label_width - taken + 2) if text is not None else ""
            end = len(before) + taken + len(space) + display_width(text or "")
            lines.append(Line(f"{before}{name}{space}{text or ''}", end))
            # A line under the first is crossed by the arcs that go on below it.
            rails = "".join("│" if mark in "│┐┤┌├┬┼" else " " for mark in stroke)
            before = rails.ljust(len(before))
    return lines


def enhancement_lines(
    given: Enhancements | None,
    texts: Sequence[str],
    width: int = 100,
    units: tuple[int, int] | None = None,
) -> list[Line]:
    """Secondary edges and signals below a tree; those within some EDUs, or all."""
    shown = shown_enhancements(given, texts)
    first, last = units or (1, len(texts))

    def within(*labels: str) -> bool:
        edus = [int(edu) for label in labels for edu in label.split("–")]
        return first <= min(edus) and max(edus) <= last

    edges = [(f"{a} → {b}", what) for a, b, what in shown.edges if within(a, b)]
    signals = [
        (unit, "; ".join(names))
        for unit, names in shown.signals.items()
        if within(unit)
    ]
    lines: list[Line] = []
    for title, rows in (("Secondary edges", edges), ("Signals", signals)):
        if rows:
            lines += [plain(""), plain(title)]
        margin = max((display_width(name) for name, _ in rows), default=0) + 4
        room = max(width - margin, _NARROWEST_TEXT)
        for name, text in rows:
            start, *rest = wrapped(text, room, display_width)
            lines.append(plain(f"  {name}".ljust(margin) + start))
            lines += [plain(" " * margin + line) for line in rest]
    return lines


def on_one_line(root: Unit, *, marks: Collection[int] = ()) -> str:
    """Brackets: nuclearity, relation, then the units or the text.

    >>> on_one_line(Unit("R", "---", [Unit("N", "span", text="a"), Unit("S", "cause",
    ...     text="b")]))
    '(R (N span "a") (S cause "b"))'
    """
    units = discourse_outline(root, marks)
    pieces: list[str] = []
    is_open: list[int] = []  # the units around the next one
    for place, unit in enumerate(units):
        while is_open and is_open[-1] != unit.parent:
            is_open.pop()
            pieces.append(")")
        is_open.append(place)
        relation = "" if unit.nuclearity == ROOT else f" {unit.relation}"
        label = marked(unit.nuclearity + relation, unit.marks, None).text
        pieces.append(f"{' ' if place else ''}({label}")
        if unit.text is not None:
            quoted = unit.text.replace("\\", "\\\\").replace('"', '\\"')
            pieces.append(f' "{quoted}"')
    return "".join(pieces) + ")" * len(is_open)
