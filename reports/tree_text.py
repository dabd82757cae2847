"""Trees in a terminal: drawn, two side by side, or in brackets, with nodes marked.

Marked nodes are coloured, or stand between asterisks where colour is off, so that
a drawing says the same in a pipe. See `tree_layout` for what is left out of trees
that are too deep to draw.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from analyzer.errors import SettingsError
from analyzer.tree import Tree
from reports.tree_layout import NOTHING, Twig, outline, visible
from reports.tree_lines import (
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

    >>> from analyzer.treebank import TreebankBuilder
    >>> builder = TreebankBuilder()
    >>> builder.open("S"); builder.leaf("PRP", "it"); builder.open("VP")
    >>> builder.leaf("VBD", "rained"); builder.close(); builder.close()
    >>> builder.end_tree(line=1)
    >>> tree = builder.finish()[0]
    >>> print(draw(tree, marks=[2]))
        S
     ┌──┴───┐
     │    *VP*
     │      │
    PRP    VBD
    it   rained
    >>> print(draw(tree, width=10))
    S
    ├─ PRP it
    └─ VP ─ VBD rained
    """
    paint = _paint(color, mark_color)
    return _text(_lines(outline(tree, marks=marks), paint, width))


def side_by_side(
    gold: Tree,
    parsed: Tree,
    *,
    gold_marks: Collection[int] = (),
    parsed_marks: Collection[int] = (),
    width: int = 100,
    color: bool = False,
    titles: tuple[str, str] = ("gold", "parsed"),
) -> str:
    """Both trees in two columns, or one above the other if these are too narrow.

    Marks are the brackets of one tree that the other lacks: red in gold (missed by
    the parser), yellow in parsed (spurious). The last line counts them.
    """
    twigs = (outline(gold, marks=gold_marks), outline(parsed, marks=parsed_marks))
    paints = (_paint(color, "red"), _paint(color, "yellow"))
    heads = (visible(titles[0]), visible(titles[1]))
    lines = _in_two_columns(twigs, paints, heads, width)
    if lines is None:
        lines = []
        for nodes, paint, head in zip(twigs, paints, heads, strict=True):
            lines += [*_heading(head), *_lines(nodes, paint, width), plain("")]
    else:
        lines.append(plain(""))
    missed = sum(row in gold.rows for row in set(gold_marks))
    spurious = sum(row in parsed.rows for row in set(parsed_marks))
    noun = "bracket" if missed == 1 else "brackets"
    only_gold = painted(f"{missed:,} {noun} only in {heads[0]}", paints[0])
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

    >>> from analyzer.treebank import TreebankBuilder
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
        label = tree.bank.label_name(row)
        opening, closing = "(" + visible(label), ")"
        if row in marked:
            shown = visible(label) or NOTHING
            opening = f"(*{shown}*" if paint is None else painted(f"({shown}", paint)
            closing = painted(")", paint)
        pieces.append(opening)
        if tree.bank.is_leaf[row]:
            # "(tag word)", the word escaped; its tag we have written already
            word = tree.brackets([row])[len(label) + 2 : -1]
            pieces.append(f" {visible(word)}{closing}")
        else:
            closings.append(closing)
    return "".join([*pieces, *reversed(closings)])


def _lines(twigs: Sequence[Twig], paint: int | None, width: int | None) -> list[Line]:
    from_the_top = top_down(twigs, paint=paint, width=width)
    return sideways(twigs, paint=paint) if from_the_top is None else from_the_top


def _in_two_columns(
    twigs: tuple[Sequence[Twig], Sequence[Twig]],
    paints: tuple[int | None, int | None],
    heads: tuple[str, str],
    width: int,
) -> list[Line] | None:
    """The pair from the top down or else sideways; None if neither fits."""
    # Both get the same number of levels, so that roots and words stand level.
    levels = max((twig.level for nodes in twigs for twig in nodes), default=0)
    space = width - len(_GUTTER)
    for kind in ("top down", "sideways"):
        columns: list[list[Line]] = []
        for nodes, paint, head in zip(twigs, paints, heads, strict=True):
            drawing = (
                top_down(nodes, paint=paint, width=space, levels=levels)
                if kind == "top down"
                else sideways(nodes, paint=paint)
            )
            if drawing is not None:
                columns.append([*_heading(head), *drawing])
        if len(columns) < 2:
            continue
        needed = [max(line.width for line in column) for column in columns]
        if sum(needed) <= space:
            # The gutter stays in the middle of the page as long as both sides fit.
            left_width = max(needed[0], min(space // 2, space - needed[1]))
            return beside(*columns, left_width=left_width, gutter=_GUTTER)
    return None


def _heading(title: str) -> list[Line]:
    return [plain(title), plain("─" * display_width(title))]


def _paint(color: bool, name: str) -> int | None:
    if name not in COLORS:
        raise SettingsError(f"no colour {name!r}; choose from {', '.join(COLORS)}")
    return COLORS[name] if color else None


def _text(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines)
