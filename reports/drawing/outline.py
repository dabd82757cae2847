"""What a drawing of a tree shows, and where: shared by text and SVG drawings.

`outline` turns a tree into a bounded list of nodes with text that is safe to print;
`place` gives each node its column. Both work on integers, so a unit may be a
terminal column or a pixel. Nothing here recurses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from analyzer.model.tree import Tree
from analyzer.safe_text import drawable

NOTHING = "∅"
LONGEST_CHAIN = 30
_KEPT_AT_EACH_END = 10


@dataclass(slots=True)
class DrawnNode:
    """A node as it is drawn; its children are positions in the outline."""

    label: str
    level: int  # 0 for a root
    marked: bool = False
    word: str | None = None  # None for a phrase
    leaf: int | None = None  # which word of the tree it is, for a leaf
    folded: bool = False  # a phrase whose word stands for all that is below it
    parent: int | None = None
    children: list[int] = field(default_factory=list)


def outline(
    tree: Tree, *, marks: Collection[int] = (), deepest: int | None = None
) -> list[DrawnNode]:
    """The nodes to draw, parents before children.

    The middle of a unary chain of more than 30 nodes becomes one node that says how
    many it stands for. With `deepest`, phrases on that level are folded: drawn as
    one, with their first and last word.
    """
    marked = frozenset(marks)
    gaps = _chain_gaps(tree)
    nodes: list[DrawnNode] = []
    node_of_row: dict[int, int] = {}
    row, stop = tree.rows.start, tree.rows.stop
    while row < stop:
        parent_row = tree.parent_row[row]
        parent = None if parent_row is None else node_of_row[parent_row]
        level = 0 if parent is None else nodes[parent].level + 1
        if row in gaps:
            node, after = _gap(row, gaps[row], level, marked), row + gaps[row]
        elif level == deepest and row in tree.child_rows:
            node, after = _folded(tree, row, level, marked)
        else:
            node, after = _plain(tree, row, level, marked), row + 1
        node.parent = parent
        if parent is not None:
            nodes[parent].children.append(len(nodes))
        # Only the last row of a gap can be the parent of a row still to come.
        node_of_row[after - 1] = len(nodes)
        nodes.append(node)
        row = after
    return nodes


def place(
    nodes: Sequence[DrawnNode], widths: Sequence[int], *, gap: int
) -> tuple[list[int], int]:
    """The middle of each node, and the width of the whole drawing.

    Each subtree has a block of columns to itself and each parent stands over the
    middle between its first and its last child, so nothing can overlap, and a
    vertical line from a parent down to a child meets no label.
    """
    to_left = [0] * len(nodes)
    to_right = [0] * len(nodes)
    from_parent = [0] * len(nodes)
    for at in reversed(range(len(nodes))):
        to_left[at] = (max(widths[at], 1) - 1) // 2
        to_right[at] = max(widths[at], 1) - to_left[at]
        children = nodes[at].children
        if not children:
            continue
        start = 0
        for child in children:
            from_parent[child] = start + to_left[child]
            start += to_left[child] + to_right[child] + gap
        middle = (from_parent[children[0]] + from_parent[children[-1]]) // 2
        # An inner child that is nearly in the middle looks better right in it.
        inner = [from_parent[child] for child in children[1:-1]]
        off = min((x - middle for x in inner), key=abs, default=0)
        middle += off if abs(off) <= gap else 0
        for child in children:
            from_parent[child] -= middle
        to_left[at] = max(to_left[at], middle)
        to_right[at] = max(to_right[at], start - gap - middle)
    middles: list[int] = []
    start = 0
    for at, node in enumerate(nodes):
        if node.parent is None:
            middles.append(start + to_left[at])
            start += to_left[at] + to_right[at] + 2 * gap
        else:
            middles.append(middles[node.parent] + from_parent[at])
    return middles, max(start - 2 * gap, 0)


def wrapped(text: str, limit: int, measure: Callable[[str], int]) -> list[str]:
    """The text in lines, broken at spaces only: a long word is never cut.

    >>> wrapped("because it rained all day", 12, len)
    ['because it', 'rained all', 'day']
    """
    if measure(text) <= limit:
        return [text]
    lines: list[str] = []
    for word in filter(None, text.split(" ")):
        if lines and measure(f"{lines[-1]} {word}") <= limit:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _plain(tree: Tree, row: int, level: int, marked: Collection[int]) -> DrawnNode:
    node = DrawnNode(shown(tree.bank.label_name(row)), level, row in marked)
    if tree.bank.is_leaf[row]:
        node.leaf = int(tree.bank.first[row]) - tree.first_leaf
        edges = tree.bank.edges
        if edges and (edge := edges[int(tree.bank.first[row])]):
            node.label = f"{node.label}-{shown(edge)}"
        node.word = shown(tree.words[node.leaf])
    return node


def _gap(row: int, count: int, level: int, marked: Collection[int]) -> DrawnNode:
    hits = sum(hidden in marked for hidden in range(row, row + count))
    return DrawnNode(f"⋯ {count:,} more{_marked_too(hits)} ⋯", level, hits > 0)


def _folded(
    tree: Tree, row: int, level: int, marked: Collection[int]
) -> tuple[DrawnNode, int]:
    """The node for a phrase and all below it, and the row after these."""
    after = row + 1
    while after < tree.rows.stop and tree.bank.depth[after] > tree.bank.depth[row]:
        after += 1
    first = int(tree.bank.first[row]) - tree.first_leaf
    words = tree.words[first : int(tree.bank.last[row]) - tree.first_leaf]
    hits = sum(hidden in marked for hidden in range(row + 1, after))
    node = _plain(tree, row, level, marked)
    ends = f"{shown(words[0])} … {shown(words[-1])} " if words else ""
    size = f"({len(words):,} words{_marked_too(hits)})"
    node.word = ends + size.replace(" ", "\xa0")  # not to be broken over lines
    node.folded = True
    node.marked |= hits > 0
    return node, after


def _chain_gaps(tree: Tree) -> dict[int, int]:
    """First row of each part left out, and how many rows it has."""
    gaps: dict[int, int] = {}
    row = tree.rows.start
    while row < tree.rows.stop:
        last = row
        while len(tree.child_rows.get(last, ())) == 1:
            last += 1  # in pre-order an only child is the next row
        length = last - row + 1
        if length > LONGEST_CHAIN:
            gaps[row + _KEPT_AT_EACH_END] = length - 2 * _KEPT_AT_EACH_END
        row = last + 1
    return gaps


def _marked_too(count: int) -> str:
    return f", {count:,} marked" if count else ""


@lru_cache(1 << 14)  # labels and words recur
def shown(text: str) -> str:
    """A label or a word as a drawing has it: something must be there to see."""
    found = drawable(text)
    return found if found.strip() else NOTHING
