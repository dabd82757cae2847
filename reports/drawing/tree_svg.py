"""Trees as SVG: self-contained, for web pages, notebooks and papers.

Words stand in a row at the bottom, phrases above them, joined by elbow lines: these
stay readable in wide trees and never run through a label. All text is escaped and
nothing is loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from analyzer.exceptions import SettingsError
from analyzer.model.tree import Tree
from reports.drawing.outline import Twig, outline, place, wrapped
from reports.drawing.svg import (
    Panel,
    above,
    beside,
    box_element,
    class_of,
    document,
    misfit,
    text_element,
    with_heading,
    with_legend,
)
from reports.drawing.svg_style import LABEL_SIZE, MARK_CLASSES, TAG_SIZE, WORD_SIZE
from reports.drawing.svg_text import text_width

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
        raise SettingsError(f"no mark class {mark_class!r}; choose from {choices}")
    twigs = outline(tree, marks=marks, deepest=_DEEPEST)
    panel = _panel(twigs, mark_class, highlight_leaf=highlight_leaf)
    if title:
        panel = with_heading(panel, title)
    name = title or f"Tree: {_shortened(' '.join(tree.words)) or 'no words'}"
    return document(panel, name, [mark_class])


def pair_svg(
    gold: Tree,
    parsed: Tree,
    *,
    gold_marks: Collection[int] = (),
    parsed_marks: Collection[int] = (),
    titles: tuple[str, str] = ("gold", "parsed"),
    noun: str = "bracket",
) -> str:
    """Both trees in one SVG document, with headings and a legend.

    They stand side by side or one above the other, whichever comes nearer to the
    shape of a screen.
    """
    golden = outline(gold, marks=gold_marks, deepest=_DEEPEST)
    other = outline(parsed, marks=parsed_marks, deepest=_DEEPEST)

    def panels(levels: int) -> tuple[Panel, Panel]:
        return (
            with_heading(_panel(golden, "missed", levels=levels), titles[0]),
            with_heading(_panel(other, "spurious", levels=levels), titles[1]),
        )

    # Side by side, roots and words of the two stand level.
    deeper = max(_bottom(golden), _bottom(other))
    both = min(beside(*panels(deeper)), above(*panels(0)), key=misfit)
    legend = {
        "missed": _only_in(titles[0], gold, gold_marks, noun),
        "spurious": _only_in(titles[1], parsed, parsed_marks, noun),
    }
    name = f"{titles[0]} and {titles[1]}: {', '.join(legend.values())}"
    return document(with_legend(both, legend), name, list(legend))


# -- one tree -----------------------------------------------------------------------


def _panel(
    twigs: Sequence[Twig],
    mark_class: str,
    *,
    levels: int = 0,
    highlight_leaf: int | None = None,
) -> Panel:
    """One tree, at least so many levels deep."""
    if not twigs:
        width = text_width("(no tree)", size=TAG_SIZE)
        text = text_element(width // 2, _ABOVE, "(no tree)", "fold")
        return Panel([text], width, _ABOVE + _BELOW)
    words = [_word_lines(twig) for twig in twigs]
    widths = [
        max([_label_width(twig), *(_word_width(line, twig) for line in lines)])
        for twig, lines in zip(twigs, words, strict=True)
    ]
    middles, width = place(twigs, widths, gap=_GAP)
    word_row = _ABOVE + _LEVEL * max(levels, _bottom(twigs))
    baselines = [
        _ABOVE + _LEVEL * twig.level if twig.leaf is None else word_row
        for twig in twigs
    ]
    height = word_row + _BELOW + _WORD_LINE * max(map(len, words))

    boxes: list[str] = []
    edges: dict[str, list[str]] = {"": [], mark_class: []}
    texts: list[str] = []
    for at, twig in enumerate(twigs):
        x, y = middles[at], baselines[at]
        half = widths[at] // 2
        mark = mark_class if twig.marked else ""
        if twig.parent is not None:
            start = (middles[twig.parent], baselines[twig.parent])
            edges[mark].append(_elbow(start, (x, y)))
        if twig.folded:
            base = word_row + _BELOW - 4
            edges[mark].append(f"M{x} {y + _BELOW}L{x - half} {base}H{x + half}Z")
        if highlight_leaf is not None and twig.leaf == highlight_leaf:
            box = (x - half - 6, y - _ABOVE - 1, 2 * half + 12, height - y + _ABOVE + 1)
            boxes.append(box_element(box, "here", corner=6))
        kind = "tag " if twig.leaf is not None else ""
        texts.append(text_element(x, y, twig.label, kind + mark))
        for below, line in enumerate(words[at], start=1):
            kind = "fold" if twig.folded else "word"
            texts.append(text_element(x, word_row + _WORD_LINE * below, line, kind))
    # One path for all edges of a kind; the marked ones lie on top of the others.
    paths = [
        f'<path{class_of(kind)} d="{"".join(parts)}"/>'
        for kind, parts in edges.items()
        if parts
    ]
    return Panel([*boxes, *paths, *texts], width, height)


def _bottom(twigs: Sequence[Twig]) -> int:
    """The level of the words; a folded phrase needs one more, for its triangle."""
    return max((twig.level + twig.folded for twig in twigs), default=0)


def _label_width(twig: Twig) -> int:
    size = LABEL_SIZE if twig.leaf is None else TAG_SIZE
    return text_width(twig.label, size=size, bold=twig.marked)


def _word_width(line: str, twig: Twig) -> int:
    return text_width(line, size=TAG_SIZE if twig.folded else WORD_SIZE)


def _word_lines(twig: Twig) -> list[str]:
    if twig.word is None:
        return []
    return wrapped(twig.word, _UNIT_WIDTH, lambda line: _word_width(line, twig))


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


def _only_in(title: str, tree: Tree, marks: Collection[int], noun: str) -> str:
    count = sum(row in tree.rows for row in set(marks))
    return f"{count:,} {noun}{'' if count == 1 else 's'} only in {title}"


def _shortened(text: str) -> str:
    return text if len(text) <= _NAME_LENGTH else text[: _NAME_LENGTH - 1] + "…"
