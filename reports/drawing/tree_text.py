"""Trees in a terminal: drawn, two side by side, or in brackets, with nodes marked.

Marked nodes are coloured, or stand between asterisks where colour is off, so that
a drawing says the same in a pipe. See `outline` for what is left out of trees
that are too deep to draw.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from analyzer.exceptions import SettingsError
from analyzer.model.tree import Tree
from analyzer.safe_text import counted, drawable
from reports.drawing.lines import (
    NO_TREE,
    Line,
    display_width,
    painted,
    plain,
    sideways,
    top_down,
)
from reports.drawing.outline import NOTHING, DrawnNode, outline
from reports.drawing.pairs import headed, two_columns

__all__ = ["COLORS", "brackets", "display_width", "draw", "side_by_side"]

COLORS = {"red": 31, "green": 32, "yellow": 33, "blue": 34}


def draw(
    tree: Tree,
    *,
    marks: Collection[int] = (),
    width: int | None = None,
    color: bool = False,
    mark_color: str = "red",
) -> str:
    """The tree from the top down if that fits in `width` columns, else sideways.

    Marks are rows of the treebank.

    >>> from analyzer.model.builder import TreebankBuilder
    >>> builder = TreebankBuilder()
    >>> builder.open("S"); builder.leaf("PRP", "it"); builder.open("VP")
    >>> builder.leaf("VBD", "rained"); builder.close(); builder.close()
    >>> builder.end_tree(line=1)
    >>> tree = builder.finish()[0]
    >>> print(draw(tree, marks=[2]))
        S
     ┌──┴──┐
     │    *VP*
     │     │
    PRP   VBD
     it  rained
    >>> print(draw(tree, width=10))
    S
    ├─ PRP it
    └─ VP ─ VBD rained
    """
    nodes = outline(tree, marks=marks)
    return draw_outline(nodes, width=width, color=color, mark_color=mark_color)


def draw_outline(
    nodes: Sequence[DrawnNode],
    *,
    width: int | None = None,
    color: bool = False,
    mark_color: str = "red",
) -> str:
    """What `draw` makes of a tree, of its outline."""
    paint = _paint(color, mark_color)
    drawing = top_down(nodes, paint=paint, width=width)
    return _text(drawing or sideways(nodes, paint=paint))


def side_by_side(
    gold: Tree,
    parsed: Tree,
    *,
    gold_marks: Collection[int] = (),
    parsed_marks: Collection[int] = (),
    width: int = 100,
    color: bool = False,
    titles: tuple[str, str] = ("gold", "parsed"),
    noun: str = "bracket",
    legend: bool = True,
) -> str:
    """Both trees in two columns, or one above the other if these are too narrow.

    Marks are the brackets of one tree that the other lacks: red in gold (missed by
    the parser), yellow in parsed (spurious). The last line counts them.
    """
    return outlines_side_by_side(
        outline(gold, marks=gold_marks),
        outline(parsed, marks=parsed_marks),
        missed=sum(row in gold.rows for row in set(gold_marks)),
        spurious=sum(row in parsed.rows for row in set(parsed_marks)),
        width=width,
        color=color,
        titles=titles,
        noun=noun,
        legend=legend,
    )


def outlines_side_by_side(
    gold: Sequence[DrawnNode],
    parsed: Sequence[DrawnNode],
    *,
    missed: int,
    spurious: int,
    width: int = 100,
    color: bool = False,
    titles: tuple[str, str] = ("gold", "parsed"),
    noun: str = "bracket",
    legend: bool = True,
) -> str:
    """What `side_by_side` makes of trees, of their outlines; so many are marked."""
    paints = [_paint(color, "red"), _paint(color, "yellow")]
    sides = [(gold, paints[0]), (parsed, paints[1])]
    # From the top down both get as many levels, so that roots and words stand level.
    levels = max((node.level for nodes, _ in sides for node in nodes), default=0)
    falling = [
        drawing
        for nodes, paint in sides
        if (drawing := top_down(nodes, paint=paint, width=width, levels=levels))
    ]
    lying = [sideways(nodes, paint=paint) for nodes, paint in sides]
    lines = None
    if len(falling) == len(sides):
        lines = two_columns(falling, titles, width=width, is_centred=True)
    lines = lines or two_columns(lying, titles, width=width, is_centred=True)
    if lines is None:
        lines = []
        for (nodes, paint), title, instead in zip(sides, titles, lying, strict=True):
            drawing = top_down(nodes, paint=paint, width=width) or instead
            lines += [*headed(drawing, title), plain("")]
    else:
        lines.append(plain(""))
    if not legend:
        return _text(lines).rstrip("\n")
    heads = [drawable(title) for title in titles]
    only_gold = painted(f"{counted(missed, noun)} only in {heads[0]}", paints[0])
    only_parsed = painted(f"{spurious:,} only in {heads[1]}", paints[1])
    return f"{_text(lines)}\n{only_gold}, {only_parsed}"


def brackets(
    tree: Tree,
    *,
    marks: Collection[int] = (),
    color: bool = False,
    mark_color: str = "red",
    indent: bool = False,
) -> str:
    """The tree in brackets, on one line or indented, with marked ones highlighted.

    Without marks this is `str(tree)` or `tree.indented()`, but for control
    characters.

    >>> from analyzer.model.builder import TreebankBuilder
    >>> builder = TreebankBuilder()
    >>> builder.open("VP"); builder.leaf("VB", "go"); builder.close()
    >>> builder.end_tree(line=1)
    >>> brackets(builder.finish()[0], marks=[0])
    '(*VP* (VB go))'
    """
    if not tree:
        return NO_TREE
    marked = frozenset(marks)
    paint = _paint(color, mark_color)
    pieces: list[str] = []
    for kind, row, text in tree.bracket_parts(indent=2 if indent else None):
        piece = text if kind == "space" else drawable(text)
        if kind == "open" and row in marked:
            label = piece[1:] or NOTHING
            piece = f"(*{label}*" if paint is None else painted(f"({label}", paint)
        elif kind == "close" and row in marked:
            piece = painted(piece, paint)
        pieces.append(piece)
    return "".join(pieces)


def _paint(color: bool, name: str) -> int | None:
    if name not in COLORS:
        raise SettingsError(
            "no colour {name!r}; choose from {colors:list}",
            code="E702",
            name=name,
            colors=COLORS,
        )
    return COLORS[name] if color else None


def _text(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines)
