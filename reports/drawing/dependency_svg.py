"""Dependency trees of discourse as SVG: EDUs in a row, arcs above them.

Each arc leads from the head to the dependent and says its relation and order
(`attribution#2`). Shorter arcs lie below longer ones, and there is room for every
relation between the ends of its arc: nothing can overlap.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

import numpy as np

from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import NUCLEUS
from analyzer.safe_text import drawable
from reports.drawing.discourse_outline import arc_levels, shown_text
from reports.drawing.svg import (
    TEXT_LINE,
    Panel,
    arrow_head,
    class_of,
    column_lines,
    column_width,
    label_places,
    text_element,
    text_width,
)
from reports.drawing.svg_style import RELATION_SIZE

_GAP = 24
_LEVEL = 25
_FOOT = 22  # from the EDUs' line to the lowest arc
_PORT = 9  # between arcs that end at one EDU
_PAD = 14
_CORNER = 9


def dependency_panel(
    tree: DependencyTree, *, marks: Collection[int] = (), mark_class: str = "missed"
) -> Panel:
    """The tree; the arcs to marked EDUs (from 1) in the colour of a mark class."""
    levels = arc_levels(tree.heads)
    ports = _ports(tree, levels)
    texts = [column_lines(shown_text(text)) for text in tree.texts]
    x, total = _columns(tree, levels, texts, ports)
    base = _FOOT + _LEVEL * (max(levels, default=0) + 1)
    elements: list[str] = []
    for edu, head in enumerate(tree.heads, start=1):
        mark = mark_class if edu in marks else ""
        if not head:
            end = x[edu - 1] + ports[edu, edu]
            elements += [
                f'<path{class_of(f"arrow {mark}")} d="M{end} 18V{base - 6}"/>',
                f'<path{class_of(f"tip {mark}")} d="{arrow_head(end, base - 1)}"/>',
                text_element(end, 12, "root", f"relation {mark}"),
            ]
            continue
        top = base - _FOOT - _LEVEL * (levels[edu - 1] - 1)
        start = x[head - 1] + ports[head, edu]
        end = x[edu - 1] + ports[edu, edu]
        side = 1 if end > start else -1
        bend = side * min(_CORNER, abs(end - start) // 2)
        curve = (
            f"M{start} {base - 2}V{top + _CORNER}Q{start} {top} {start + bend} {top}"
            f"H{end - bend}Q{end} {top} {end} {top + _CORNER}V{base - 6}"
        )
        is_nucleus = tree.nuclearities and tree.nuclearities[edu - 1] == NUCLEUS
        kind = f"arrow {'nucleus' if is_nucleus else ''} {mark}"
        label = drawable(tree.label(edu))
        width = text_width(label, size=RELATION_SIZE, bold=True)
        elements += [
            f'<path{class_of(" ".join(kind.split()))} d="{curve}"/>',
            f'<path{class_of(f"tip {mark}")} d="{arrow_head(end, base - 1)}"/>',
            *(
                text_element(at, top - 4, label, f"relation {mark}")
                for at in label_places(end, start, (start + end) // 2, width)
            ),
        ]
    height = base
    for at, lines in enumerate(texts):
        half = column_width(lines, str(at + 1)) // 2
        line = f"M{x[at] - half} {base}H{x[at] + half}"
        elements.append(f'<path class="unit" d="{line}"/>')
        elements.append(text_element(x[at], base + 15, str(at + 1), "number"))
        for below, text in enumerate(lines):
            y = base + 31 + TEXT_LINE * below
            elements.append(text_element(x[at], y, text, "edu"))
            height = max(height, y + 6)
    return Panel(elements, total, height)


def _ports(tree: DependencyTree, levels: list[int]) -> dict[tuple[int, int], int]:
    """By EDU and arc (named by its dependent): where at the EDU the arc ends.

    From left to right: arcs to the left, the innermost first; then arcs to the right,
    the outermost first. So arcs that share an EDU do not cross.
    """
    ends: dict[int, list[tuple[int, int, int]]] = {}
    for edu, head in enumerate(tree.heads, start=1):
        level = levels[edu - 1]
        for here, there in ((edu, head), (head, edu)):
            if not head:
                ends.setdefault(edu, []).append((0, 1 << 40, edu))
            elif there < here:
                ends.setdefault(here, []).append((0, level, edu))
            else:
                ends.setdefault(here, []).append((1, -level, edu))
    ports = {}
    for here, arcs in ends.items():
        arcs = sorted(set(arcs))
        for place, (_, _, edu) in enumerate(arcs):
            ports[here, edu] = _PORT * place - _PORT * (len(arcs) - 1) // 2
    return ports


def _columns(
    tree: DependencyTree,
    levels: list[int],
    texts: list[list[str]],
    ports: dict[tuple[int, int], int],
) -> tuple[list[int], int]:
    """The middle of each EDU, so far apart that every relation has its room."""
    spread = [0] * len(tree)
    for (edu, _), offset in ports.items():
        spread[edu - 1] = max(spread[edu - 1], abs(offset) + 6)
    halves = [
        max(column_width(lines, str(edu)) // 2, spread[edu - 1])
        for edu, lines in enumerate(texts, start=1)
    ]
    gaps = np.array([0, *(a + _GAP + b for a, b in pairwise(halves))], np.int64)
    arcs = sorted(
        (abs(head - edu), min(edu, head), max(edu, head), edu)
        for edu, head in enumerate(tree.heads, start=1)
        if head
    )
    for _, start, end, edu in arcs:
        label = text_width(drawable(tree.label(edu)), size=RELATION_SIZE, bold=True)
        offset = abs(ports[start, edu] - ports[end, edu])
        missing = label + _PAD + offset - int(gaps[start:end].sum())
        if missing > 0:
            gaps[end - 1] += missing
    x = (halves[0] + np.cumsum(gaps)).tolist()
    root = text_width("root", size=RELATION_SIZE, bold=True)
    return x, max(int(x[-1]) + halves[-1], root)
