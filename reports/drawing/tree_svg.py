"""Trees as SVG: self-contained, for web pages, notebooks and papers.

Words stand in a row at the bottom, phrases above them, joined by elbow lines: these
stay readable in wide trees and never run through a label. All text is escaped and
nothing is loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from analyzer.exceptions import SettingsError
from analyzer.safe_text import shortened, wrapped
from reports.drawing import svg
from reports.drawing.latex import Picture
from reports.drawing.outline import Node, Outline, folded, halves, place
from reports.drawing.tree_text import NO_TREE

_LEVEL = 44  # from the baseline of a label to that of its children
_ABOVE, _BELOW = 15, 7  # from a label's baseline to the lines that end there
_BUS = 9  # from there to the horizontal line
_CORNER = 5
_WORD_LINE = 19
_GAP = 16
_UNIT_WIDTH = 150  # of a discourse unit before it is wrapped
_DEEPEST = 60  # level on which phrases are folded
_NAME_LENGTH = 80


def tree_svg(
    tree: Outline,
    *,
    title: str | None = None,
    mark_class: str = "missed",
    highlight_leaf: int | None = None,
) -> str:
    """The tree as an SVG document.

    Marks are drawn in the colour of `mark_class`: missed, spurious, matched or noted.
    `highlight_leaf` is the position of a word in the tree, from 0. A title is shown
    above; without one, the words name the drawing for those who cannot see it.
    """
    if mark_class not in svg.MARK_CLASSES:
        choices = ", ".join(svg.MARK_CLASSES)
        raise SettingsError(
            "E701 no mark class", mark_class=mark_class, choices=choices
        )
    nodes = folded(tree.nodes, _DEEPEST)
    panel = _panel(nodes, mark_class, highlight_leaf=highlight_leaf)
    words = shortened(" ".join(tree.words), _NAME_LENGTH) or "no words"
    name = title or f"Tree: {words}"
    return svg.document(svg.with_heading(panel, title or ""), name, [mark_class])


def tree_picture(tree: Outline, *, title: str | None = None) -> Picture:
    """The tree for every format."""
    return Picture(tree_svg(tree, title=title), [(title or "", tree.nodes)])


def pair_picture(
    gold: Outline,
    parsed: Outline,
    *,
    titles: tuple[str, str] = ("gold", "parsed"),
    noun: str = "bracket",
    captions: Sequence[str] | None = None,
) -> Picture:
    """Both trees in one drawing for every format, with headings and a legend.

    They stand side by side or one above the other, whichever comes nearer to the
    shape of a screen.
    """
    sides = [folded(tree.nodes, _DEEPEST) for tree in (gold, parsed)]
    bottom = max(map(_bottom, sides))
    svg_text = svg.pair_document(
        # Side by side, roots and words of the two stand level.
        list(map(partial(_panel, levels=bottom), sides, svg.PAIR_CLASSES)),
        stacked=list(map(_panel, sides, svg.PAIR_CLASSES)),
        titles=titles,
        counts=[gold.marks, parsed.marks],
        noun=noun,
        captions=captions,
    )
    trees = zip(titles, (gold.nodes, parsed.nodes), strict=True)
    return Picture(svg_text, list(trees))


# -- one tree -----------------------------------------------------------------------


def _panel(
    nodes: Sequence[Node],
    mark_class: str,
    *,
    levels: int = 0,
    highlight_leaf: int | None = None,
) -> svg.Panel:
    """One tree, at least so many levels deep."""
    if not nodes:
        width = svg.text_width(NO_TREE, size=svg.TAG_SIZE)
        text = svg.text_element(width // 2, _ABOVE, NO_TREE, "fold")
        return svg.Panel([text], width, _ABOVE + _BELOW)
    words, widths = zip(*map(_measured, nodes), strict=True)
    middles, width = place(nodes, list(map(halves, widths)), gap=_GAP)
    word_row = _ABOVE + _LEVEL * max(levels, _bottom(nodes))
    baselines = [
        _ABOVE + _LEVEL * node.level if node.leaf is None else word_row
        for node in nodes
    ]
    height = word_row + _BELOW + _WORD_LINE * max(map(len, words))

    boxes: list[str] = []
    edges: dict[str, list[str]] = {"": [], mark_class: []}
    texts: list[str] = []
    for at, node in enumerate(nodes):
        x, y = middles[at], baselines[at]
        half = widths[at] // 2
        mark = mark_class if node.marks else ""
        if node.parent is not None:
            start = (middles[node.parent], baselines[node.parent])
            edges[mark].append(_elbow(start, (x, y)))
        if node.is_folded:
            base = word_row + _BELOW - 4
            edges[mark].append(f"M{x} {y + _BELOW}L{x - half} {base}H{x + half}Z")
        if highlight_leaf is not None and node.leaf == highlight_leaf:
            box = (x - half - 6, y - _ABOVE - 1, 2 * half + 12, height - y + _ABOVE + 1)
            boxes.append(svg.box_element(box, "here", corner=6))
        kind = "tag " if node.leaf is not None else ""
        texts.append(svg.text_element(x, y, node.label, kind + mark))
        kind = "fold" if node.is_folded else "word"
        for below, line in enumerate(words[at], start=1):
            texts.append(svg.text_element(x, word_row + _WORD_LINE * below, line, kind))
    # One path for all edges of a kind; the marked ones lie on top of the others.
    paths = [
        svg.path_element("".join(parts), kind) for kind, parts in edges.items() if parts
    ]
    return svg.Panel([*boxes, *paths, *texts], width, height)


def _bottom(nodes: Sequence[Node]) -> int:
    """The level of the words; a folded phrase needs one more, for its triangle."""
    return max((node.level + node.is_folded for node in nodes), default=0)


def _measured(node: Node) -> tuple[list[str], int]:
    """The lines of a node's word, and how wide it is with its label."""
    label_size = svg.LABEL_SIZE if node.leaf is None else svg.TAG_SIZE
    width = svg.text_width(node.label, size=label_size, bold=node.marks > 0)
    if node.text is None:
        return [], width
    size = svg.TAG_SIZE if node.is_folded else svg.WORD_SIZE
    measure = partial(svg.text_width, size=size)
    lines = wrapped(node.text, _UNIT_WIDTH, measure)
    return lines, max([width, *map(measure, lines)])


def _elbow(parent: tuple[int, int], child: tuple[int, int]) -> str:
    """From under the parent down, across, round a corner, and down to the child."""
    (start, y), (x, end) = parent, child
    y, end = y + _BELOW, end - _ABOVE
    if x == start:
        return f"M{x} {y}V{end}"
    radius = min(_CORNER, abs(x - start))
    before = x - radius if x > start else x + radius
    bus = y + _BUS
    return f"M{start} {y}V{bus}H{before}Q{x} {bus} {x} {bus + radius}V{end}"
