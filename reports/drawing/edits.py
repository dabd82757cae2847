"""An edit drawn: the tree before and after it, with the nodes meant marked."""

from __future__ import annotations

from analyzer.analyses.repair_stages import Stage
from reports.drawing.tree_svg import pair_svg
from reports.drawing.tree_text import side_by_side

_TITLES = ("before", "after")


def stage_text(stage: Stage, *, width: int, color: bool) -> str:
    """An edit as text."""
    drawn = side_by_side(
        stage.before,
        stage.after,
        gold_marks=stage.before_marks,
        parsed_marks=stage.after_marks,
        titles=_TITLES,
        width=width,
        color=color,
        legend=False,
    )
    return f"{stage.told}\n\n{drawn}"


def stage_svg(stage: Stage) -> str:
    """An edit as an SVG document."""
    return pair_svg(
        stage.before,
        stage.after,
        gold_marks=stage.before_marks,
        parsed_marks=stage.after_marks,
        titles=_TITLES,
        told=(stage.told, "after it"),
    )
