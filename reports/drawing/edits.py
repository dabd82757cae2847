"""An edit drawn: the tree before and after it, with the nodes meant marked."""

from __future__ import annotations

from analyzer.editing.mending import Stage
from reports.drawing.latex import Picture
from reports.drawing.outline import Outline, outline
from reports.drawing.tree_svg import pair_picture
from reports.drawing.tree_text import side_by_side

_TITLES = ("before", "after")


def stage_text(stage: Stage, *, width: int, color: bool) -> str:
    """An edit as text."""
    drawing = side_by_side(
        *_outlines(stage), titles=_TITLES, width=width, color=color, legend=False
    )
    return f"{stage.told}\n\n{drawing}"


def stage_picture(stage: Stage) -> Picture:
    """An edit as a picture."""
    return pair_picture(
        *_outlines(stage), titles=_TITLES, told=(stage.told, "after it")
    )


def _outlines(stage: Stage) -> tuple[Outline, Outline]:
    before, after = stage.trees()
    return (
        outline(before, marks=stage.before_marks),
        outline(after, marks=stage.after_marks),
    )
