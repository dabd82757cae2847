"""Outlines of trees as lines of text: from the top down, or sideways.

A line knows how many columns it takes, so that drawings can be put side by side
whatever colour codes and wide characters they hold.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.model.tree import DEEPEST_INDENT
from reports.drawing.outline import DrawnNode, place, wrapped

NO_TREE = "(no tree)"
_GAP = 2
_UNIT_WIDTH = 20  # columns of a discourse unit before it is wrapped
# A drawing from the top down grows with depth times width; past this many
# characters the sideways one, which grows with the number of nodes, is used.
_LARGEST_DRAWING = 2_000_000


class Line(NamedTuple):
    """A line, or a part of one; colour codes take no columns."""

    text: str
    width: int


def display_width(text: str) -> int:
    """Columns that a text takes in a terminal.

    >>> display_width("cat"), display_width("猫"), display_width("e\\u0301")
    (3, 2, 1)
    """
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth  # here, because most texts do without it

    return int(wcswidth(text))


def plain(text: str) -> Line:
    """A line without colour codes."""
    return Line(text, display_width(text))


def painted(text: str, paint: int | None) -> str:
    """The text in bold and in an ANSI colour; as it is without one."""
    return text if paint is None else f"\x1b[1;{paint}m{text}\x1b[0m"


def top_down(
    nodes: Sequence[DrawnNode],
    *,
    paint: int | None = None,
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
    labels = [_label(node, paint) for node in nodes]
    words = [
        [] if node.word is None else wrapped(node.word, _UNIT_WIDTH, display_width)
        for node in nodes
    ]
    widths = [
        max([label.width, *map(display_width, lines)])
        for label, lines in zip(labels, words, strict=True)
    ]
    middles, total = place(nodes, widths, gap=_GAP)
    if too_large(total):
        return None
    height = 2 * bottom + 1 + max(map(len, words))
    rows: list[list[tuple[int, Line]]] = [[] for _ in range(height)]
    for node, middle, label, lines in zip(nodes, middles, labels, words, strict=True):
        y = 2 * (node.level if node.word is None else bottom)
        rows[y].append(_centred(label, middle))
        for below, word in enumerate(lines, start=1):
            rows[y + below].append(_centred(plain(word), middle))
        if node.children:
            columns = [middles[child] for child in node.children]
            rows[y + 1].append((columns[0], _branches(columns, middle)))
        if node.parent is not None:
            for passed in range(2 * node.level, y):
                rows[passed].append((middle, Line("│", 1)))
    return [_assembled(row) for row in rows]


def sideways(nodes: Sequence[DrawnNode], *, paint: int | None = None) -> list[Line]:
    """One node a line, the members of a unary chain together on one.

    A phrase a hundred levels in is continued at the left margin, under a number:
    the lines of very deep trees stay of bounded length.
    """
    if not nodes:
        return [plain(NO_TREE)]
    lines: list[Line] = []
    roots = [at for at, node in enumerate(nodes) if node.parent is None]
    sections = deque((root, "") for root in roots)
    continued = 0
    while sections:
        top, title = sections.popleft()
        if title:
            lines.append(plain(""))
        # a node, what precedes it on its line and its children on theirs, its depth
        pending = [(top, title, "", 0)]
        while pending:
            at, before, below, depth = pending.pop()
            node = nodes[at]
            text, width = _label(node, paint)
            text, width = before + text, len(before) + width
            while len(node.children) == 1:
                at = node.children[0]
                node = nodes[at]
                label = _label(node, paint)
                text, width = f"{text} ─ {label.text}", width + 3 + label.width
            if node.word is not None:
                text = f"{text} {node.word}"
                width += 1 + display_width(node.word)
            children = node.children
            if children and depth == DEEPEST_INDENT:
                continued += 1
                more = plain(f" ⋯ see [{continued}]")
                text, width = text + more.text, width + more.width
                sections.append((at, f"[{continued}] "))
                children = []
            if children:
                corner, rail = below + "├─ ", below + "│  "
                pending.append((children[-1], below + "└─ ", below + "   ", depth + 1))
                pending += [
                    (child, corner, rail, depth + 1) for child in children[-2::-1]
                ]
            lines.append(Line(text, width))
    return lines


def beside(
    left: Sequence[Line], right: Sequence[Line], *, left_width: int, gutter: str
) -> list[Line]:
    """Two drawings as one, the left one padded to a width."""
    missing = len(right) - len(left)
    padded_left = [*left, *[plain("")] * missing]
    padded_right = [*right, *[plain("")] * -missing]
    lines = []
    for one, other in zip(padded_left, padded_right, strict=True):
        space = plain(" " * (left_width - one.width))
        end = gutter if other.text else gutter.rstrip()
        lines.append(_run([one, space, plain(end), other]))
    return lines


def _label(node: DrawnNode, paint: int | None) -> Line:
    """The label, in colour if it is marked; where there is none, as `*NP*`."""
    if not node.marked:
        return plain(node.label)
    if paint is None:
        return plain(f"*{node.label}*")
    return Line(painted(node.label, paint), display_width(node.label))


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


def _centred(line: Line, middle: int) -> tuple[int, Line]:
    return middle - (max(line.width, 1) - 1) // 2, line


def _assembled(parts: list[tuple[int, Line]]) -> Line:
    """Parts that do not overlap, each at its column."""
    pieces: list[Line] = []
    end = 0
    for start, part in sorted(parts):
        pieces += [Line(" " * (start - end), start - end), part]
        end = start + part.width
    return _run(pieces)


def _run(parts: Sequence[Line]) -> Line:
    return Line("".join(part.text for part in parts), sum(part.width for part in parts))
