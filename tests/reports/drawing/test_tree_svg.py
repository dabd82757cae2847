"""SVG drawings: valid, safe, nothing on top of anything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from itertools import combinations
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.exceptions import SettingsError
from analyzer.model.tree import Tree
from analyzer.model.treebank import TreebankBuilder
from reports.drawing import tree_svg as drawings
from reports.drawing.outline import outline
from reports.drawing.svg import (
    HEADING_SIZE,
    LABEL_SIZE,
    LEGEND_SIZE,
    MARK_CLASSES,
    TAG_SIZE,
    WORD_SIZE,
    text_width,
)
from tests.support.cost import calls
from tests.support.trees_to_draw import (
    CAT,
    LEVELS,
    flat,
    right_branching,
    tree_of,
    trees,
    unary_chain,
)

SVG = "{http://www.w3.org/2000/svg}"
SIZES = {
    "tag": TAG_SIZE,
    "word": WORD_SIZE,
    "fold": TAG_SIZE,
    "heading": HEADING_SIZE,
    "legend": LEGEND_SIZE,
}


VP_ROW = 4


def tree_svg(tree: Tree, *, marks: Collection[int] = (), **options: Any) -> str:
    return drawings.tree_svg(outline(tree, marks=marks), **options)


def pair_svg(
    gold: Tree,
    parsed: Tree,
    *,
    gold_marks: Collection[int] = (),
    parsed_marks: Collection[int] = (),
    **options: Any,
) -> str:
    both = outline(gold, marks=gold_marks), outline(parsed, marks=parsed_marks)
    return drawings.pair_picture(*both, **options).svg


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


Found = tuple[ElementTree.Element, int, int]


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def placed(svg: str, name: str) -> list[Found]:
    """Elements of a name, each with how far its groups have moved it."""
    found: list[Found] = []
    pending: list[Found] = [(parsed(svg), 0, 0)]
    while pending:
        element, x, y = pending.pop()
        move = re.fullmatch(r"translate\((\d+) (\d+)\)", element.get("transform", ""))
        if move:
            x, y = x + int(move[1]), y + int(move[2])
        if element.tag == SVG + name:
            found.append((element, x, y))
        pending.extend((child, x, y) for child in element)
    return found


def classes(element: ElementTree.Element) -> list[str]:
    return element.get("class", "").split()


def shown(svg: str, kind: str) -> list[str]:
    """The texts of a class, from left to right."""
    texts = [e for e, _, _ in placed(svg, "text") if kind in classes(e)]
    texts.sort(key=lambda e: (int(e.get("x", "0")), int(e.get("y", "0"))))
    return [text.text or "" for text in texts]


def text_boxes(svg: str) -> list[Box]:
    boxes = []
    for element, dx, dy in placed(svg, "text"):
        kinds = classes(element)
        size = next((SIZES[kind] for kind in kinds if kind in SIZES), LABEL_SIZE)
        bold = "heading" in kinds or any(kind in MARK_CLASSES for kind in kinds)
        width = text_width(element.text or "", size=size, bold=bold)
        x, y = dx + int(element.get("x", "0")), dy + int(element.get("y", "0"))
        left = x if {"heading", "legend"} & set(kinds) else x - width / 2
        boxes.append(Box(left, y - 0.75 * size, left + width, y + 0.25 * size))
    return boxes


def edge_boxes(svg: str) -> Iterator[Box]:
    """The vertical and horizontal lines of the elbows, as very thin boxes."""
    for element, dx, dy in placed(svg, "path"):
        x = y = 0
        for command, numbers in re.findall(r"([MVHQ])([\d ]+)", element.get("d", "")):
            values = [int(number) for number in numbers.split()]
            new_x = x if command == "V" else values[-2 if command in "MQ" else -1]
            new_y = y if command == "H" else values[-1]
            if command in "VH":
                xs, ys = sorted((x, new_x)), sorted((y, new_y))
                yield Box(
                    dx + xs[0] - 0.1, dy + ys[0], dx + xs[1] + 0.1, dy + ys[1] + 0.1
                )
            x, y = new_x, new_y


# -- a document -----------------------------------------------------------------------


def test_the_document() -> None:
    svg = tree_svg(CAT, title="Sentence 1")
    root = parsed(svg)
    assert root.tag == SVG + "svg"
    width, height = root.get("width"), root.get("height")
    assert root.get("viewBox") == f"0 0 {width} {height}"
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Sentence 1"
    assert root[0].tag == SVG + "title"
    assert root[0].text == "Sentence 1"
    assert shown(svg, "heading") == ["Sentence 1"]
    assert shown(svg, "word") == ["the", "cat", "sat", "on", "the", "mat"]
    assert shown(svg, "tag") == ["DT", "NN", "VBD", "IN", "DT", "NN"]


def test_it_names_itself_without_a_title() -> None:
    assert parsed(tree_svg(CAT)).get("aria-label") == "Tree: the cat sat on the mat"
    assert shown(tree_svg(CAT), "heading") == []


def test_it_needs_nothing_from_elsewhere() -> None:
    svg = tree_svg(CAT).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"http|href|url\(|@import|<script|<image", svg)
    assert "@media (prefers-color-scheme: dark)" in svg
    assert "sans-serif" in svg


def test_its_styles_do_not_leak_into_a_page() -> None:
    style = parsed(tree_svg(CAT)).findtext(SVG + "style", "")
    rules = style.replace("@media (prefers-color-scheme: dark) {", "")
    selectors = re.findall(r"([^{}]+)\{", rules)
    assert len(selectors) > 10
    for selector in ",".join(selectors).split(","):
        assert selector.strip().startswith(".spinal-tree")


def test_words_stand_in_one_row_below_their_tags() -> None:
    svg = tree_svg(CAT)
    found = [element for element, _, _ in placed(svg, "text")]
    words = [e for e in found if "word" in classes(e)]
    tags = [e for e in found if "tag" in classes(e)]
    assert len({e.get("y") for e in words}) == 1
    assert len({e.get("y") for e in tags}) == 1
    assert sorted(e.get("x", "") for e in words) == sorted(e.get("x", "") for e in tags)


def test_marks() -> None:
    svg = tree_svg(CAT, marks=[VP_ROW], mark_class="spurious")
    assert shown(svg, "spurious") == ["VP"]
    edges = [e for e, _, _ in placed(svg, "path") if "spurious" in classes(e)]
    assert len(edges) == 1
    assert "spurious" not in tree_svg(CAT)
    with pytest.raises(SettingsError, match="choose from missed, spurious"):
        tree_svg(CAT, mark_class="x")


def test_a_leaf_can_be_highlighted() -> None:
    svg = tree_svg(CAT, highlight_leaf=2)
    [(box, _, _)] = [f for f in placed(svg, "rect") if "here" in classes(f[0])]
    [word] = [e for e, _, _ in placed(svg, "text") if e.text == "sat"]
    left, width = int(box.get("x", "")), int(box.get("width", ""))
    assert left < int(word.get("x", "")) < left + width


def test_no_tree() -> None:
    assert shown(tree_svg(tree_of("")), "fold") == ["(no tree)"]


def test_several_roots_empty_phrases_labels_and_words() -> None:
    svg = tree_svg(tree_of("( (NP) (NN )) (X (NN a)) (. .)"))
    texts = [element.text for element, _, _ in placed(svg, "text")]
    assert sorted(map(str, texts)) == [*"..", "NN", "NN", "NP", "X", "a", "∅", "∅"]


def test_long_units_are_wrapped() -> None:
    builder = TreebankBuilder()
    builder.leaf("N", "although the company said that it would never sell")
    builder.end_tree(line=1)
    lines = shown(tree_svg(builder.finish()[0]), "word")
    assert len(lines) > 1
    assert max(text_width(line, size=WORD_SIZE) for line in lines) <= 150


# -- pairs ----------------------------------------------------------------------------


def test_a_pair() -> None:
    svg = pair_svg(
        CAT, CAT, gold_marks=[1, 4], parsed_marks=[8], titles=("left", "right")
    )
    assert shown(svg, "legend") == [
        "2 brackets only in left",
        "1 bracket only in right",
    ]
    assert sorted(shown(svg, "heading")) == ["left", "right"]
    assert shown(svg, "missed") == ["NP", "VP"]
    assert shown(svg, "spurious") == ["NP"]


def test_a_pair_takes_the_better_shape() -> None:
    def heading_rows(svg: str) -> int:
        found = [f for f in placed(svg, "text") if "heading" in classes(f[0])]
        return len({dy for _, _, dy in found})

    wide = tree_of("(S " + "(NN word) " * 30 + ")")
    assert heading_rows(pair_svg(CAT, CAT)) == 1
    assert heading_rows(pair_svg(wide, wide)) == 2


def test_a_pair_with_a_failed_parse() -> None:
    assert shown(pair_svg(CAT, tree_of("")), "fold") == ["(no tree)"]
    assert len(shown(pair_svg(tree_of(""), tree_of("")), "fold")) == 2


# -- text that is not harmless --------------------------------------------------------

EVIL = ("<script>alert(1)</script>", '"onload=', "'\"><svg/onload=x>", "]]>&amp;<!--")


@pytest.mark.parametrize("evil", EVIL)
def test_markup_is_only_text(evil: str) -> None:
    builder = TreebankBuilder()
    builder.open(evil)
    builder.leaf(evil, evil)
    builder.close()
    builder.end_tree(line=1)
    tree = builder.finish()[0]
    for svg in (tree_svg(tree, title=evil), pair_svg(tree, tree, titles=(evil, evil))):
        tags = {element.tag for element in parsed(svg).iter()}
        names = {name for element in parsed(svg).iter() for name in element.attrib}
        assert tags <= {
            SVG + name
            for name in ("svg", "title", "style", "rect", "g", "path", "text")
        }
        assert not any(name.startswith("on") for name in names)
        assert evil not in svg
        texts = [element.text for element, _, _ in placed(svg, "text")]
        assert texts.count(evil) >= 3


def test_characters_that_xml_forbids() -> None:
    builder = TreebankBuilder()
    builder.leaf("N\x00N", "a\x0bb\x1b\ufffe\uffff")
    builder.end_tree(line=1)
    svg = tree_svg(builder.finish()[0], title="\x01\ud800")
    assert shown(svg, "word") == ["a\ufffdb\ufffd\ufffd\ufffd"]
    assert parsed(svg).get("aria-label") == "\ufffd\ufffd"


# -- any tree -------------------------------------------------------------------------


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(trees())
def test_any_text_gives_valid_xml(tree: Tree) -> None:
    parsed(tree_svg(tree, marks=tree.rows, title=" ".join(tree.words)))
    parsed(pair_svg(tree, tree))


@pytest.mark.slow
@settings(deadline=None)
@given(trees(st.sampled_from(["NP", "a", "", "mmm mmmmm", "猫猫", "NP-SBJ-TTL=2"])))
def test_nothing_overlaps(tree: Tree) -> None:
    for svg in (tree_svg(tree, marks=list(tree.rows)[::2]), pair_svg(tree, tree)):
        texts = text_boxes(svg)
        for one, other in combinations(texts, 2):
            assert not one.overlaps(other)
        root = parsed(svg)
        width, height = int(root.get("width", "")), int(root.get("height", ""))
        for box in texts:
            assert box.left >= 0
            assert box.right <= width
            assert box.top >= 0
            assert box.bottom <= height
        if root.get("aria-label", "").startswith("Tree:"):
            edges = list(edge_boxes(svg))
            assert len(edges) >= len(tree.rows) - len(tree.root_rows)
            for edge in edges:
                assert not any(edge.overlaps(box) for box in texts)


# -- deep and large trees -------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("shape", [unary_chain, right_branching, flat])
def test_cost_is_in_proportion_to_size(shape: Callable[[int], Tree]) -> None:
    one, two = shape(1_000), shape(2_000)
    assert calls(lambda: tree_svg(two)) < 2.2 * calls(lambda: tree_svg(one))
    assert calls(lambda: pair_svg(two, two)) < 2.2 * calls(lambda: pair_svg(one, one))


def test_deep_unary_chain() -> None:
    svg = tree_svg(unary_chain(), marks=[LEVELS // 2])
    assert shown(svg, "missed") == ["⋯ 19,981 more, 1 marked ⋯"]
    assert len(svg) < 10_000


@pytest.mark.slow
def test_deep_right_branching_chain_is_folded() -> None:
    tree = right_branching()
    svg = tree_svg(tree, marks=[tree.rows[-2]])
    parsed(pair_svg(tree, tree))
    fold = " ".join(shown(svg, "fold"))
    assert fold == "that60 … that19999 (19,940\xa0words,\xa01\xa0marked)"
    assert shown(svg, "missed") == ["S"]
    boxes = text_boxes(svg)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_a_long_chain_on_the_level_of_folding() -> None:
    """It is folded with what is below it."""
    deep = "(S (NN a) " * 50 + "(X " * 60 + "(S (NN b) (VB c))" + ")" * 110
    svg = tree_svg(tree_of(deep))
    assert "⋯ 41 more ⋯" in svg
    assert shown(svg, "fold") == ["b … c (2\xa0words)"]


@pytest.mark.slow
def test_many_words() -> None:
    assert len(shown(tree_svg(flat()), "word")) == LEVELS
