"""Trees as SVG: self-contained, for web pages, notebooks and papers.

Words stand in a row at the bottom, phrases above them, joined by elbow lines: these
stay readable in wide trees and never run through a label. All text is escaped and
nothing is loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from analyzer.exceptions import SettingsError
from analyzer.model.tree import Tree
from analyzer.safe_text import shortened
from reports.drawing.outline import DrawnNode, outline, place, wrapped
from reports.drawing.pairs import PAIR_CLASSES, pair_document
from reports.drawing.svg import (
    Panel,
    box_element,
    class_of,
    document,
    text_element,
    text_width,
    with_heading,
)
from reports.drawing.svg_style import LABEL_SIZE, MARK_CLASSES, TAG_SIZE, WORD_SIZE

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
    tree: Tree,
    *,
    marks: Collection[int] = (),
    title: str | None = None,
    mark_class: str = "missed",
    highlight_leaf: int | None = None,
) -> str:
    """The tree as an SVG document.

    Marks are rows of the treebank, drawn in the colour of `mark_class`: missed,
    spurious, matched or noted. `highlight_leaf` is the position of a word in the
    tree, from 0. A title is shown above; without one, the words name the drawing
    for those who cannot see it.
    """
    if mark_class not in MARK_CLASSES:
        choices = ", ".join(MARK_CLASSES)
        raise SettingsError(
            "no mark class {mark_class!r}; choose from {choices}",
            code="E701",
            mark_class=mark_class,
            choices=choices,
        )
    nodes = outline(tree, marks=marks, deepest=_DEEPEST)
    panel = _panel(nodes, mark_class, highlight_leaf=highlight_leaf)
    if title:
        panel = with_heading(panel, title)
    name = (
        title or f"Tree: {shortened(' '.join(tree.words), _NAME_LENGTH) or 'no words'}"
    )
    return document(panel, name, [mark_class])


def pair_svg(
    gold: Tree,
    parsed: Tree,
    *,
    gold_marks: Collection[int] = (),
    parsed_marks: Collection[int] = (),
    titles: tuple[str, str] = ("gold", "parsed"),
    noun: str = "bracket",
    told: Sequence[str] | None = None,
) -> str:
    """Both trees in one SVG document, with headings and a legend.

    They stand side by side or one above the other, whichever comes nearer to the
    shape of a screen.
    """
    outlines = [
        outline(gold, marks=gold_marks, deepest=_DEEPEST),
        outline(parsed, marks=parsed_marks, deepest=_DEEPEST),
    ]

    def panels(levels: int) -> list[Panel]:
        return [
            _panel(nodes, mark_class, levels=levels)
            for nodes, mark_class in zip(outlines, PAIR_CLASSES, strict=True)
        ]

    return pair_document(
        # Side by side, roots and words of the two stand level.
        panels(max(map(_bottom, outlines))),
        stacked=panels(0),
        titles=titles,
        counts=[
            sum(row in tree.rows for row in set(marks))
            for tree, marks in ((gold, gold_marks), (parsed, parsed_marks))
        ],
        noun=noun,
        told=told,
    )


# -- one tree -----------------------------------------------------------------------


def _panel(
    nodes: Sequence[DrawnNode],
    mark_class: str,
    *,
    levels: int = 0,
    highlight_leaf: int | None = None,
) -> Panel:
    """One tree, at least so many levels deep."""
    if not nodes:
        width = text_width("(no tree)", size=TAG_SIZE)
        text = text_element(width // 2, _ABOVE, "(no tree)", "fold")
        return Panel([text], width, _ABOVE + _BELOW)
    words = [_word_lines(node) for node in nodes]
    widths = [
        max([_label_width(node), *(_word_width(line, node) for line in lines)])
        for node, lines in zip(nodes, words, strict=True)
    ]
    middles, width = place(nodes, widths, gap=_GAP)
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
        mark = mark_class if node.marked else ""
        if node.parent is not None:
            start = (middles[node.parent], baselines[node.parent])
            edges[mark].append(_elbow(start, (x, y)))
        if node.folded:
            base = word_row + _BELOW - 4
            edges[mark].append(f"M{x} {y + _BELOW}L{x - half} {base}H{x + half}Z")
        if highlight_leaf is not None and node.leaf == highlight_leaf:
            box = (x - half - 6, y - _ABOVE - 1, 2 * half + 12, height - y + _ABOVE + 1)
            boxes.append(box_element(box, "here", corner=6))
        kind = "tag " if node.leaf is not None else ""
        texts.append(text_element(x, y, node.label, kind + mark))
        for below, line in enumerate(words[at], start=1):
            kind = "fold" if node.folded else "word"
            texts.append(text_element(x, word_row + _WORD_LINE * below, line, kind))
    # One path for all edges of a kind; the marked ones lie on top of the others.
    paths = [
        f'<path{class_of(kind)} d="{"".join(parts)}"/>'
        for kind, parts in edges.items()
        if parts
    ]
    return Panel([*boxes, *paths, *texts], width, height)


def _bottom(nodes: Sequence[DrawnNode]) -> int:
    """The level of the words; a folded phrase needs one more, for its triangle."""
    return max((node.level + node.folded for node in nodes), default=0)


def _label_width(node: DrawnNode) -> int:
    size = LABEL_SIZE if node.leaf is None else TAG_SIZE
    return text_width(node.label, size=size, bold=node.marked)


def _word_width(line: str, node: DrawnNode) -> int:
    return text_width(line, size=TAG_SIZE if node.folded else WORD_SIZE)


def _word_lines(node: DrawnNode) -> list[str]:
    if node.word is None:
        return []
    return wrapped(node.word, _UNIT_WIDTH, lambda line: _word_width(line, node))


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
