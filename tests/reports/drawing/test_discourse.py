"""`spinal rst show`: drawings in text and SVG."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from analyzer.formats.rst.dis import read_dis, write_dis
from analyzer.formats.rst.rs3 import read_rs3
from analyzer.model.discourse import DependencyTree, Unit
from analyzer.transform.head_order import dependency_tree
from reports.drawing.discourse_svg import (
    discourse_pair_svg,
    discourse_panel,
    discourse_svg,
)
from reports.drawing.discourse_text import draw, on_one_line
from reports.drawing.outline import arc_levels
from reports.drawing.svg import NUMBER_SIZE, RELATION_SIZE, TEXT_SIZE, text_width
from reports.drawing.tree_text import lines_text
from tests.support.command import spinal
from tests.support.data_paths import RST, needs_rst_data
from tests.support.examples import some
from tests.support.rst_strategies import discourse_trees, shape, tree_of

SIZES = {"number": NUMBER_SIZE, "relation": RELATION_SIZE, "edu": TEXT_SIZE}
Box = tuple[float, float, float, float]

GOLD = "[N:span[N:list[N:span S:cause] N:list] S:evaluation]"
PREDICTED = "[N:span[N:span S:cause[N:list N:list]] S:evaluation]"


def drawing(tree: Unit | DependencyTree, **options: Any) -> str:
    return lines_text(draw(tree, **options))


# -- text -----------------------------------------------------------------------------


def test_drawn_sideways() -> None:
    assert drawing(tree_of(GOLD)) == (
        "1–4\n"
        "┝━ N span 1–3\n"
        "│  ┝━ N list 1–2\n"
        "│  │  ┝━ N span 1  1\n"
        "│  │  └─ S cause 2  2\n"
        "│  ┕━ N list 3  3\n"
        "└─ S evaluation 4  4"
    )


def test_long_texts_are_wrapped_under_their_start() -> None:
    root = tree_of("[N:span S:cause]")
    root.children[0].text = "one two three four five six seven eight nine ten"
    assert drawing(root, width=44) == (
        "1–2\n"
        "┝━ N span 1  one two three four five six\n"
        "│            seven eight nine ten\n"
        "└─ S cause 2  2"
    )


def test_deep_trees_are_continued_at_the_margin() -> None:
    root = tree_of("[N:span S:a]")
    for _ in range(200):
        root.nuclearity, root.relation = "N", "span"
        root = Unit("R", "---", [root, Unit("S", "a", text="x")])
    lines = draw(root, width=100)
    assert max(line.width for line in lines) <= 100
    text = "\n".join(line.text for line in lines)
    assert "⋯ see [1]" in text
    assert "\n[1] N span" in text
    assert text.count("  x") == 200


def test_dependencies_in_text() -> None:
    tree = dependency_tree(tree_of("[S:a N:span[N:span[N:span S:b] S:c]]"))
    assert drawing(tree) == (
        " ┌▶ 1  2 a#3  1\n┌┼─ 2  ROOT   2\n│└▶ 3  2 b#1  3\n└─▶ 4  2 c#2  4"
    )


def test_on_one_line() -> None:
    assert on_one_line(tree_of("[N:span S:a]"), marks=[2]) == (
        '(R (N span "1") (*S a* "2"))'
    )


def test_control_characters_do_not_reach_the_terminal() -> None:
    root = tree_of("[N:span S:cause]")
    root.children[0].text = "a\x1b[31mb"
    tree = dependency_tree(root)
    everything = [drawing(root), drawing(tree), on_one_line(root), discourse_svg(root)]
    assert not any("\x1b" in text for text in everything)


# -- SVG ------------------------------------------------------------------------------


def boxes(elements: list[str]) -> list[Box]:
    """Where each text is: left, top, right, bottom."""
    found = []
    for element in elements:
        if not element.startswith("<text"):
            continue
        text = ET.fromstring(element)
        kinds = (text.get("class") or "").split()
        size = next(SIZES[kind] for kind in kinds if kind in SIZES)
        x, y = float(text.get("x", 0)), float(text.get("y", 0))
        title = text.findtext("title", "")
        width = text_width("".join(text.itertext())[len(title) :], size=size)
        left = x if "left" in kinds else x - width / 2
        found.append((left, y - 0.75 * size, left + width, y + 0.2 * size))
    return found


def unit_lines(elements: list[str]) -> list[Box]:
    pattern = re.compile(r'class="unit[^"]*" d="M(-?\d+) (-?\d+)H(-?\d+)"')
    found = []
    for element in elements:
        if match := pattern.search(element):
            start, y, end = map(float, match.groups())
            found.append((start, y - 0.5, end, y + 0.5))
    return found


def overlap(one: Box, other: Box) -> bool:
    return (
        one[0] < other[2]
        and other[0] < one[2]
        and one[1] < other[3]
        and other[1] < one[3]
    )


def check_nothing_overlaps(elements: list[str]) -> None:
    texts, lines = boxes(elements), unit_lines(elements)
    assert not [pair for pair in combinations(texts, 2) if overlap(*pair)]
    assert not [(t, u) for t in texts for u in lines if overlap(t, u)]
    assert not [pair for pair in combinations(lines, 2) if overlap(*pair)]


@settings(max_examples=some(60), deadline=None)
@given(discourse_trees(proper=False))
def test_nothing_overlaps(root: Unit) -> None:
    long_names = root.copy()
    for unit in long_names.walk():
        if unit.relation == "cause":
            unit.relation = "a-relation-with-a-rather-long-name"
    for tree in (root, long_names):
        panel = discourse_panel(tree)
        check_nothing_overlaps(panel.elements)
        for left, top, right, bottom in boxes(panel.elements):
            assert left >= -1
            assert right <= panel.width + 1
            assert top >= 0
            assert bottom <= panel.height
        check_nothing_overlaps(discourse_panel(dependency_tree(tree)).elements)


@needs_rst_data
@pytest.mark.parametrize("name", ["GUM_voyage_coron", "GUM_conversation_grounded"])
def test_nothing_overlaps_in_real_documents(name: str) -> None:
    root = read_dis((RST / f"gold/dis/{name}.dis").read_text("utf-8"), name)
    check_nothing_overlaps(discourse_panel(root).elements)
    check_nothing_overlaps(discourse_panel(dependency_tree(root)).elements)


@settings(max_examples=some(40), deadline=None)
@given(discourse_trees(proper=False))
def test_wide_diagrams_are_drawn_in_parts(root: Unit) -> None:
    """Every EDU is drawn once, every unit, and nothing overlaps."""
    for at, unit in enumerate(root.walk()):
        unit.text = f"text{at}" if unit.is_edu else ""
    whole = discourse_panel(root)
    panel = discourse_panel(root, width=150)
    assert panel.width <= max(whole.width, 150)
    drawn, parts = "".join(whole.elements), "".join(panel.elements)
    for unit in root.walk():
        if unit.is_edu:
            assert parts.count(f">{unit.text}<") == drawn.count(f">{unit.text}<")
    # A unit of a part of its own has its number there, and where it is closed; what
    # continues a list has one that the whole has not.
    numbers = [text.count('class="number') for text in (drawn, parts)]
    continued = set(re.findall(r">(… [\d–]+)<", parts))
    assert numbers[1] - numbers[0] == parts.count("below") + len(continued)


@needs_rst_data
def test_a_page_shows_a_document() -> None:
    """Narrower than a third of what it was; only a list of many EDUs is too wide."""
    name = "GUM_bio_byron"
    root = read_dis((RST / f"gold/dis/{name}.dis").read_text("utf-8"), name)
    assert discourse_panel(root).width > 3 * 1560
    panel = discourse_panel(root, width=1560)
    assert panel.width <= 1560
    picture = ET.fromstring(discourse_svg(root, width=1600))
    assert int(picture.attrib["width"]) <= 1600


@given(discourse_trees(proper=False))
def test_arcs_of_one_level_share_no_gap(root: Unit) -> None:
    arcs = dependency_tree(root).arcs()
    taken = set()
    for (edu, head, _), level in zip(arcs, arc_levels(arcs), strict=True):
        for gap in range(min(edu, head), max(edu, head)) if head else ():
            assert (gap, level) not in taken
            taken.add((gap, level))


def test_text_is_data() -> None:
    root = tree_of("[N:span S:cause]")
    root.children[0].text = '</text><script>alert("&")</script>'
    root.children[1].relation = "<b>"
    for tree in (root, dependency_tree(root)):
        svg = discourse_svg(tree, title="a < b")
        ET.fromstring(svg)
        assert "<script" not in svg
        assert "<b>" not in svg


def test_pictures_of_pairs_mark_what_differs() -> None:
    trees = [tree_of(GOLD), tree_of(PREDICTED)]
    svg = discourse_pair_svg(trees, [[2], [3]], ["gold", "predicted"])
    picture = ET.fromstring(svg)
    marked = {kind for e in picture.iter() for kind in (e.get("class") or "").split()}
    assert {"missed", "spurious", "unit", "arrow", "tip"} <= marked
    assert "1 unit only in gold" in svg


# -- the command ----------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "gold.dis", tmp_path / "predicted.dis"]
    for path, spec in zip(paths, (GOLD, PREDICTED), strict=True):
        path.write_text(write_dis(tree_of(spec)), "utf-8")
    return paths


def test_show_one_document(files: list[Path]) -> None:
    ran = spinal("rst", "show", files[0])
    assert ran.code == 0
    assert ran.out.splitlines()[1] == "┝━ N span 1–3"


def test_show_two_documents(files: list[Path]) -> None:
    ran = spinal("rst", "show", *files, "--width", "140")
    assert ran.code == 0
    assert ran.out == (
        "gold                    │ predicted\n"
        "────                    │ ─────────\n"
        "1–4                     │ 1–4\n"
        "┝━ N span 1–3           │ ┝━ N span 1–3\n"
        "│  ┝━ *N list 1–2*      │ │  ┝━ N span 1  1\n"
        "│  │  ┝━ N span 1  1    │ │  └─ *S cause 2–3*\n"
        "│  │  └─ *S cause 2*  2 │ │     ┝━ *N list 2*  2\n"
        "│  ┕━ N list 3  3       │ │     ┕━ N list 3  3\n"
        "└─ S evaluation 4  4    │ └─ S evaluation 4  4\n"
        "\n"
        "2 units only in gold, 2 only in predicted\n"
    )
    only_spans = spinal("rst", "show", *files, "--marks", "S")
    assert "1 unit only in gold, 1 only in predicted" in only_spans.out


def test_show_dependencies_of_two_documents(files: list[Path]) -> None:
    ran = spinal("rst", "show", *files, "--style", "dependencies", "--color", "always")
    assert ran.code == 0
    assert "\x1b[1;31m1 list#2 (N)\x1b[0m" in ran.out
    assert "1 arc only in gold" in ran.out


@pytest.mark.parametrize("style", ["drawn", "dependencies"])
def test_show_writes_pictures(files: list[Path], tmp_path: Path, style: str) -> None:
    for given_files in (files[:1], files):
        target = tmp_path / "out.svg"
        ran = spinal("rst", "show", *given_files, "--style", style, "--svg", target)
        assert ran.code == 0
        ET.fromstring(target.read_text("utf-8"))


def test_show_faults(files: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "short.dis"
    other.write_text(write_dis(tree_of("[N:span S:a]")), "utf-8")
    ran = spinal("rst", "show", files[0], other)
    assert (ran.code, "4 and 2 EDUs" in ran.err) == (2, True)
    ran = spinal("rst", "show", files[0], "--document", "nothing")
    assert (ran.code, "no document 'nothing'" in ran.err) == (2, True)
    ran = spinal("rst", "show", files[0], "--style", "line", "--svg", "x.svg")
    assert ran.code == 2
    ran = spinal("rst", "show", *files, other)
    assert (ran.code, "one or two documents" in ran.err) == (2, True)


def test_what_is_read_back_is_what_was_written(files: list[Path]) -> None:
    read = read_dis(files[0].read_text("utf-8"))
    assert shape(read) == shape(tree_of(GOLD))


@needs_rst_data
def test_nothing_overlaps_beside_secondary_edges() -> None:
    """Words keep their places when some are coloured; labels of edges have room."""
    name = "GUM_bio_byron"
    root = read_rs3((RST / f"gold/rs4/{name}.rs4").read_text("utf-8"), name).tree
    assert isinstance(root, Unit)
    elements = discourse_panel(root).elements
    check_nothing_overlaps(elements)
    labels = [element for element in elements if "relation secondary" in element]
    assert len(labels) == 7
    bare = root.copy()
    bare.enhancements = None
    plain, coloured = (
        [box for box in boxes(drawn) if box[0] != box[2]]
        for drawn in (discourse_panel(bare).elements, elements)
    )
    assert set(plain) <= set(coloured)
