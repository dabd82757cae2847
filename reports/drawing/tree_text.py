"""Trees in a terminal: drawn, two side by side, or in brackets, with nodes marked.

Marked nodes are coloured, or stand between asterisks where colour is off, so that
a drawing says the same in a pipe. See `tree_layout` for what is left out of trees
that are too deep to draw.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from analyzer.exceptions import SettingsError
from analyzer.model.tree import Tree, written
from analyzer.safe_text import drawable
from reports.drawing.lines import (
    DEEPEST_INDENT,
    NO_TREE,
    Line,
    beside,
    display_width,
    painted,
    plain,
    sideways,
    top_down,
)
from reports.drawing.outline import NOTHING, outline

__all__ = ["COLORS", "brackets", "display_width", "draw", "side_by_side"]

COLORS = {"red": 31, "green": 32, "yellow": 33, "blue": 34}
_GUTTER = " │ "


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

    >>> from analyzer.model.treebank import TreebankBuilder
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
    paint = _paint(color, mark_color)
    twigs = outline(tree, marks=marks)
    drawing = top_down(twigs, paint=paint, width=width)
    return _text(drawing or sideways(twigs, paint=paint))


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
    paints = [_paint(color, "red"), _paint(color, "yellow")]
    heads = [drawable(title) for title in titles]
    sides = [
        (outline(gold, marks=gold_marks), paints[0]),
        (outline(parsed, marks=parsed_marks), paints[1]),
    ]
    # From the top down both get as many levels, so that roots and words stand level.
    levels = max((twig.level for twigs, _ in sides for twig in twigs), default=0)
    falling = [
        top_down(twigs, paint=paint, width=width, levels=levels)
        for twigs, paint in sides
    ]
    lying = [sideways(twigs, paint=paint) for twigs, paint in sides]
    lines = _two_columns(falling, heads, width) or _two_columns(lying, heads, width)
    if lines is None:
        lines = []
        for (twigs, paint), head, instead in zip(sides, heads, lying, strict=True):
            drawing = top_down(twigs, paint=paint, width=width) or instead
            lines += [*_heading(head), *drawing, plain("")]
    else:
        lines.append(plain(""))
    if not legend:
        return _text(lines).rstrip("\n")
    missed = sum(row in gold.rows for row in set(gold_marks))
    spurious = sum(row in parsed.rows for row in set(parsed_marks))
    counted = noun if missed == 1 else f"{noun}s"
    only_gold = painted(f"{missed:,} {counted} only in {heads[0]}", paints[0])
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

    >>> from analyzer.model.treebank import TreebankBuilder
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
    phrases_of_leaves = {
        row
        for row, children in tree.child_rows.items()
        if all(tree.bank.is_leaf[child] for child in children)
    }
    pieces: list[str] = []
    closings: list[str] = []
    for row in tree.rows:
        depth = int(tree.bank.depth[row])
        while len(closings) > depth:
            pieces.append(closings.pop())
        if indent and pieces and tree.parent_row[row] not in phrases_of_leaves:
            pieces.append("\n" + "  " * min(depth, DEEPEST_INDENT))
        elif pieces:
            pieces.append(" ")
        label = written(tree.bank.label_name(row))
        opening, closing = "(" + drawable(label), ")"
        if row in marked:
            shown = drawable(label) or NOTHING
            opening = f"(*{shown}*" if paint is None else painted(f"({shown}", paint)
            closing = painted(")", paint)
        pieces.append(opening)
        if tree.bank.is_leaf[row]:
            word = written(tree.bank.form(int(tree.bank.first[row])))
            pieces.append(f" {drawable(word)}{closing}")
        else:
            closings.append(closing)
    return "".join([*pieces, *reversed(closings)])


def _two_columns(
    drawings: Sequence[list[Line] | None], heads: Sequence[str], width: int
) -> list[Line] | None:
    """Two drawings under their headings; None if they do not fit."""
    columns = [
        [*_heading(head), *drawing]
        for head, drawing in zip(heads, drawings, strict=True)
        if drawing is not None
    ]
    space = width - len(_GUTTER)
    needed = [max(line.width for line in column) for column in columns]
    if len(columns) < 2 or sum(needed) > space:
        return None
    # The gutter stays in the middle of the page as long as both sides fit.
    left_width = max(needed[0], min(space // 2, space - needed[1]))
    return beside(*columns, left_width=left_width, gutter=_GUTTER)


def _heading(title: str) -> list[Line]:
    return [plain(title), plain("─" * display_width(title))]


def _paint(color: bool, name: str) -> int | None:
    if name not in COLORS:
        raise SettingsError(f"no colour {name!r}; choose from {', '.join(COLORS)}")
    return COLORS[name] if color else None


def _text(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines)
