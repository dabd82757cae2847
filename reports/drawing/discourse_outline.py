"""Discourse trees as they are drawn: what text and SVG drawings share."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from analyzer.formats.rst.building import spans_of
from analyzer.model.discourse import NUCLEUS, SPAN, Unit
from analyzer.safe_text import drawable
from reports.drawing.outline import NOTHING


@dataclass(slots=True)
class DrawnUnit:
    """A unit; parent and children are places in the outline."""

    nuclearity: str
    relation: str
    first: int
    last: int
    text: str | None  # None above the EDUs
    is_marked: bool = False
    parent: int | None = None
    children: list[int] = field(default_factory=list)

    @property
    def is_nucleus(self) -> bool:
        return self.nuclearity == NUCLEUS

    @property
    def is_span(self) -> bool:
        return self.relation == SPAN

    @property
    def range(self) -> str:
        """Its EDUs: `3` or `3–7`."""
        if self.first == self.last:
            return str(self.first)
        return f"{self.first}–{self.last}"


def discourse_outline(root: Unit, marks: Collection[int] = ()) -> list[DrawnUnit]:
    """The units, parents first; text is safe to print. Marks are places in the walk."""
    spans = spans_of(root)
    place_of: dict[int, int] = {}
    drawn: list[DrawnUnit] = []
    for place, unit in enumerate(root.walk()):
        place_of[id(unit)] = place
        first, last = spans[id(unit)]
        text = shown_text(unit.text) if unit.is_edu else None
        relation = shown_text(unit.relation)
        drawn.append(
            DrawnUnit(unit.nuclearity, relation, first, last, text, place in marks)
        )
    for unit in root.walk():
        parent = place_of[id(unit)]
        drawn[parent].children = [place_of[id(child)] for child in unit.children]
        for child in drawn[parent].children:
            drawn[child].parent = parent
    return drawn


def arc_levels(heads: Sequence[int]) -> list[int]:
    """How far out each EDU's arc is drawn, from 1, so that no two lie on each other.

    An arc stands one level above all that lie between its ends. 0 for a root.

    >>> arc_levels([2, 0, 2, 2])
    [1, 0, 1, 2]
    """
    import numpy as np

    levels = [0] * len(heads)
    height = np.zeros(len(heads) + 1, np.int64)  # above the gap after each EDU
    arcs = sorted(
        (abs(head - edu), min(head, edu), max(head, edu), edu)
        for edu, head in enumerate(heads, start=1)
        if head
    )
    for _, start, end, edu in arcs:
        level = int(height[start:end].max()) + 1
        height[start:end] = level
        levels[edu - 1] = level
    return levels


def shown_text(text: str) -> str:
    """The text on one line, safe to print."""
    shown = drawable(" ".join(text.split()))
    return shown or NOTHING
