"""Trees in a terminal: drawn, two side by side, or in brackets, with nodes marked.

Marked nodes are coloured, or stand between asterisks where colour is off, so that
a drawing says the same in a pipe. See `outline` for what is left out of trees
that are too deep to draw. A line knows how many columns it takes, so that drawings can
be put side by side whatever colour codes and wide characters they hold.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

from analyzer.exceptions import SettingsError
from analyzer.model.discourse import NUCLEUS
from analyzer.model.tree import DEEPEST_INDENT, Tree
from analyzer.safe_text import (
    COLORS,
    counted,
    display_width,
    drawable,
    painted,
    wrapped,
)
from reports.drawing.outline import NOTHING, Node, Outline, halves, place

NO_TREE = "(no tree)"
_GAP = 2
_UNIT_WIDTH = 20  # columns of a discourse unit before it is wrapped
_GUTTER = " │ "
_NUCLEAR, _OTHER = ("┝━ ", "┕━ "), ("├─ ", "└─ ")  # to a child, and to the last one
# A drawing from the top down grows with depth times width; past this many
# characters the sideways one, which grows with the number of nodes, is used.
_LARGEST_DRAWING = 2_000_000
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
# By which of up, down, left and right a stroke leaves the cell.
_BOXES = " │││─┘┐┤─└┌├─┴┬┼"


def draw(
    tree: Outline,
    *,
    width: int | None = None,
    color: bool = False,
    mark_color: str = "red",
) -> str:
    """The tree from the top down if that fits in `width` columns, else sideways.

    >>> from analyzer.model.treebank import TreebankBuilder
    >>> from reports.drawing.outline import outline
    >>> builder = TreebankBuilder()
    >>> builder.open("S"); builder.leaf("PRP", "it"); builder.open("VP")
    >>> builder.leaf("VBD", "rained"); builder.close(); builder.close()
    >>> builder.end_tree(line=1)
    >>> tree = builder.finish()[0]
    >>> print(draw(outline(tree, marks=[2])))
        S
     ┌──┴──┐
     │    *VP*
     │     │
    PRP   VBD
     it  rained
    >>> print(draw(outline(tree), width=10))
    S
    ├─ PRP it
    └─ VP ─ VBD rained
    """
    paint = paint_of(mark_color, color=color)
    drawing = top_down(tree.nodes, paint, width=width)
    return lines_text(drawing or _lying(tree.nodes, paint))


def side_by_side(
    gold: Outline,
    parsed: Outline,
    *,
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
    paints = paint_of("red", color=color), paint_of("yellow", color=color)
    nodes = [gold.nodes, parsed.nodes]
    columns = partial(two_columns, titles=titles, width=width, is_centred=True)
    # From the top down both get as many levels, so that roots and words stand level.
    bottom = max([0, *(node.level for side in nodes for node in side)])
    level = list(map(partial(top_down, width=width, levels=bottom), nodes, paints))
    lying = list(map(_lying, nodes, paints))
    lines = columns(level) or columns(lying)
    if lines is None:
        upright = map(partial(top_down, width=width), nodes, paints)
        either = [down or flat for down, flat in zip(upright, lying, strict=True)]
        lines = stacked(either, titles)
    text = lines_text(lines)
    if not legend:
        return text.rstrip("\n")
    heads = [drawable(title) for title in titles]
    only_gold = painted(f"{counted(gold.marks, noun)} only in {heads[0]}", paints[0])
    only_parsed = painted(f"{parsed.marks:,} only in {heads[1]}", paints[1])
    return f"{text}\n\n{only_gold}, {only_parsed}"


def brackets(
    tree: Tree,
    *,
    marks: Collection[int] = (),
    color: bool = False,
    mark_color: str = "red",
    indent: bool = False,
) -> str:
    """The tree in brackets, on one line or indented, with marked ones highlighted.

    Marks are rows of the treebank. Without them this is `str(tree)` or
    `tree.indented()`, but for control characters.

    >>> from analyzer.model.treebank import TreebankBuilder
    >>> builder = TreebankBuilder()
    >>> builder.open("VP"); builder.leaf("VB", "go"); builder.close()
    >>> builder.end_tree(line=1)
    >>> brackets(builder.finish()[0], marks=[0])
    '(*VP* (VB go))'
    """
    if not tree:
        return NO_TREE
    chosen = frozenset(marks)
    paint = paint_of(mark_color, color=color)
    pieces: list[str] = []
    for kind, row, text in tree.bracket_parts(indent=2 if indent else None):
        piece = text if kind == "space" else drawable(text)
        if kind == "open" and row in chosen:
            label = piece[1:] or NOTHING
            piece = f"(*{label}*" if paint is None else painted(f"({label}", paint)
        elif kind == "close" and row in chosen:
            piece = painted(piece, paint)
        pieces.append(piece)
    return "".join(pieces)


# -- lines -----------------------------------------------------------------------------


class Line(NamedTuple):
    """A line, or a part of one; colour codes take no columns."""

    text: str
    width: int


def plain(text: str) -> Line:
    """A line without colour codes."""
    return Line(text, display_width(text))


def paint_of(name: str, *, color: bool) -> int | None:
    """The ANSI code of a colour; None where there are no colours."""
    if name not in COLORS:
        raise SettingsError("E702 choose from", name=name, colors=COLORS)
    return COLORS[name] if color else None


def marked(text: str, marks: int, paint: int | None) -> Line:
    """The text, in colour if it has marks; where there is none, as `*NP*`."""
    if not marks:
        return plain(text)
    if paint is None:
        return plain(f"*{text}*")
    return Line(painted(text, paint), display_width(text))


def lines_text(lines: Sequence[Line]) -> str:
    """A drawing as text."""
    return "\n".join(line.text for line in lines)


# -- one tree --------------------------------------------------------------------------


def top_down(
    nodes: Sequence[Node],
    paint: int | None,
    *,
    width: int | None = None,
    levels: int = 0,
) -> list[Line] | None:
    """Root on top, words at the bottom; None if it would be too wide or too large.

    `levels` makes the drawing at least that deep.
    """
    if not nodes:
        return [plain(NO_TREE)]
    bottom = max([levels, *(node.level for node in nodes)])

    def too_large(columns: int) -> bool:
        too_wide = width is not None and columns > width
        return too_wide or columns * 2 * bottom > _LARGEST_DRAWING

    # Most trees that do not fit are seen not to without a layout: words stand side by
    # side, and each takes at least as many columns as its tag.
    tags = [node.label for node in nodes if not node.children]
    least = sum(len(tag) if tag.isascii() else 1 for tag in tags)
    if too_large(least + (len(tags) - 1) * _GAP):
        return None
    labels = [marked(node.label, node.marks, paint) for node in nodes]
    words = [
        [] if node.text is None else wrapped(node.text, _UNIT_WIDTH, display_width)
        for node in nodes
    ]
    extents = [
        halves(max([label.width, *map(display_width, lines)]))
        for label, lines in zip(labels, words, strict=True)
    ]
    middles, total = place(nodes, extents, gap=_GAP)
    if too_large(total):
        return None
    height = 2 * bottom + 1 + max(map(len, words))
    rows: list[list[tuple[int, Line]]] = [[] for _ in range(height)]
    for node, middle, label, lines in zip(nodes, middles, labels, words, strict=True):
        y = 2 * (node.level if node.text is None else bottom)
        for below, part in enumerate([label, *map(plain, lines)]):
            rows[y + below].append((middle - halves(part.width)[0], part))
        if node.children:
            columns = [middles[child] for child in node.children]
            rows[y + 1].append((columns[0], _branches(columns, middle)))
        if node.parent is not None:
            for passed in range(2 * node.level, y):
                rows[passed].append((middle, Line("│", 1)))
    return [_assembled(row) for row in rows]


def _branches(columns: Sequence[int], middle: int) -> Line:
    """The line from a parent to its children, from the first column to the last."""
    if len(columns) == 1:
        return Line("│", 1)
    start, width = columns[0], columns[-1] - columns[0] + 1
    line = ["─"] * width
    for column in columns:
        line[column - start] = "┬"
    line[0], line[-1] = "┌", "┐"
    line[middle - start] = "┼" if line[middle - start] == "┬" else "┴"
    return Line("".join(line), width)


def _assembled(parts: list[tuple[int, Line]]) -> Line:
    """Parts that do not overlap, each at its column."""
    pieces: list[str] = []
    end = 0
    for start, part in sorted(parts):
        pieces += [" " * (start - end), part.text]
        end = start + part.width
    return Line("".join(pieces), end)


def sideways(
    nodes: Sequence[Node],
    lines_of: Callable[[Sequence[Node], str, str, str], list[Line]],
    *,
    deepest: int = DEEPEST_INDENT,
    joins_chains: bool = False,
) -> list[Line]:
    """One node below the other, its children indented; heavy strokes lead to nuclei.

    `lines_of` gives the lines of a node, or of a unary chain that is joined, from what
    stands before it on its first line and on others, and after it. A phrase on the
    deepest level is continued at the left margin, under a number: the lines of very
    deep trees stay of bounded length.
    """
    if not nodes:
        return [plain(NO_TREE)]
    lines: list[Line] = []
    sections = deque((at, "") for at, node in enumerate(nodes) if node.parent is None)
    continued = 0
    while sections:
        top, title = sections.popleft()
        if title:
            lines.append(plain(""))
        # a node, what precedes it on its line and its children on theirs, its depth
        pending = [(top, title, "", 0)]
        while pending:
            at, before, below, depth = pending.pop()
            chain = [nodes[at]]
            while joins_chains and len(chain[-1].children) == 1:
                at = chain[-1].children[0]
                chain.append(nodes[at])
            children, after = chain[-1].children, ""
            if children and depth == deepest:
                continued += 1
                after = f" ⋯ see [{continued}]"
                sections.append((at, f"[{continued}] "))
                children = []
            lines += lines_of(chain, before, below, after)
            for child in reversed(children):
                is_last = child == children[-1]
                strokes = _NUCLEAR if nodes[child].nuclearity == NUCLEUS else _OTHER
                rail = "   " if is_last else "│  "
                start = below + strokes[is_last]
                pending.append((child, start, below + rail, depth + 1))
    return lines


def _lying(nodes: Sequence[Node], paint: int | None) -> list[Line]:
    """The tree sideways, the members of a unary chain together on a line."""
    return sideways(nodes, partial(_chain_lines, paint=paint), joins_chains=True)


def _chain_lines(
    chain: Sequence[Node], before: str, below: str, after: str, *, paint: int | None
) -> list[Line]:
    text, width = before, len(before)
    for node in chain:
        join = " ─ " if node is not chain[0] else ""
        label = marked(node.label, node.marks, paint)
        text, width = f"{text}{join}{label.text}", width + len(join) + label.width
    if (word := chain[-1].text) is not None:
        text, width = f"{text} {word}", width + 1 + display_width(word)
    return [Line(text + after, width + len(after))]


# -- two drawings ----------------------------------------------------------------------


def two_columns(
    drawings: Sequence[Sequence[Line] | None],
    titles: Sequence[str],
    *,
    width: int,
    is_centred: bool = False,
) -> list[Line] | None:
    """Two drawings under their headings; None if there is one less, or they do not fit.

    With `is_centred` the gutter stays in the middle of the page as long as both sides
    fit; otherwise it follows the left drawing.
    """
    columns = [
        _headed(drawing, title)
        for drawing, title in zip(drawings, titles, strict=True)
        if drawing is not None
    ]
    needed = [max(line.width for line in column) for column in columns]
    space = width - len(_GUTTER)
    if len(columns) < 2 or sum(needed) > space:
        return None
    left_width = needed[0]
    if is_centred:
        left_width = max(left_width, min(space // 2, space - needed[1]))
    lines = []
    for left, right in zip_longest(*columns, fillvalue=plain("")):
        gutter = _GUTTER if right.text else _GUTTER.rstrip()
        text = f"{left.text}{' ' * (left_width - left.width)}{gutter}{right.text}"
        lines.append(Line(text, left_width + len(gutter) + right.width))
    return lines


def stacked(drawings: Sequence[Sequence[Line]], titles: Sequence[str]) -> list[Line]:
    """Two drawings under their headings, one above the other."""
    upper, lower = map(_headed, drawings, titles)
    return [*upper, plain(""), *lower]


def _headed(drawing: Sequence[Line], title: str) -> list[Line]:
    """A drawing under its underlined heading."""
    shown = drawable(" ".join(title.split()))
    return [plain(shown), plain("─" * display_width(shown)), *drawing]


# -- lines that meet -------------------------------------------------------------------


class BoxGrid:
    """Strokes by row and column, both from 0; where they meet there is a box character.

    >>> grid = BoxGrid()
    >>> grid.across(0, 0, 3); grid.across(2, 0, 3); grid.down(3, 0, 2)
    >>> grid.across(1, 3, 4)
    >>> grid.lines(3, 5)
    ['───┐ ', '   ├─', '───┘ ']
    """

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], int] = {}
        self._over: dict[tuple[int, int], str] = {}

    def across(self, row: int, start: int, end: int) -> None:
        """A stroke between two columns of a row."""
        columns = range(min(start, end), max(start, end) + 1)
        self._stroke([(row, column) for column in columns], _LEFT, _RIGHT)

    def down(self, column: int, start: int, end: int) -> None:
        """A stroke between two rows of a column."""
        rows = range(min(start, end), max(start, end) + 1)
        self._stroke([(row, column) for row in rows], _UP, _DOWN)

    def write(self, row: int, column: int, text: str) -> None:
        """A text over what is drawn there; its characters take a column each."""
        for offset, character in enumerate(text):
            self._over[row, column + offset] = character

    def lines(self, rows: int, columns: int) -> list[str]:
        """The drawing."""
        cells = {at: _BOXES[mask] for at, mask in self._cells.items()} | self._over
        return [
            "".join(cells.get((row, column), " ") for column in range(columns))
            for row in range(rows)
        ]

    def _stroke(self, cells: list[tuple[int, int]], back: int, ahead: int) -> None:
        for cell in cells:
            mask = (back if cell != cells[0] else 0) | (
                ahead if cell != cells[-1] else 0
            )
            self._cells[cell] = self._cells.get(cell, 0) | mask
