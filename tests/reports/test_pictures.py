"""Pictures as files: SVG, PDF, PNG and LaTeX; some of the units of a discourse tree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from analyzer.analyses.derive import derive
from analyzer.exceptions import SettingsError
from analyzer.model.discourse import Unit
from analyzer.model.tree import Tree
from analyzer.transform.head_order import dependency_tree
from reports.drawing.discourse_svg import discourse_picture, discourse_svg
from reports.drawing.latex import forest
from reports.drawing.outline import discourse_outline, outline
from reports.drawing.svg import MARK_CLASSES
from reports.pictures import ENDINGS, figure_of, write_picture
from reports.render import latex_text
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES
from tests.support.examples import some
from tests.support.rst_strategies import discourse_trees, tree_of
from tests.support.trees_to_draw import CAT, trees
from tests.support.trees_to_draw import tree_of as syntactic

SPECIALS = r"\{}$&#%_^~<>|"


# -- LaTeX -----------------------------------------------------------------------------


def brackets(text: str) -> list[tuple[int, str, str]]:
    """The nodes of a `forest` environment by TeX's rules: depth, content, options.

    A brace opens a group, unless a backslash is before it; brackets and commas in a
    group are text.
    """
    body = text[text.index("[", text.index("for tree=")) : text.rindex("\\end{forest}")]
    nodes: list[list[str]] = []
    open_nodes: list[int] = []
    depths: list[int] = []
    group = at = 0
    while at < len(body):
        one = body[at]
        if one == "\\":
            nodes[open_nodes[-1]][-1] += body[at : at + 2]
            at += 2
            continue
        group += (one == "{") - (one == "}")
        assert group >= 0
        if one == "[" and not group:
            open_nodes.append(len(nodes))
            depths.append(len(open_nodes))
            nodes.append([""])
        elif one == "]" and not group:
            open_nodes.pop()
        elif one == "," and not group:
            nodes[open_nodes[-1]].append("")
        elif open_nodes:
            nodes[open_nodes[-1]][-1] += one
        at += 1
    assert not group
    assert not open_nodes
    return [
        (depth, parts[0].strip(), ",".join(parts[1:]).strip())
        for depth, parts in zip(depths, nodes, strict=True)
    ]


@given(trees())
@settings(max_examples=some(60), suppress_health_check=[HealthCheck.too_slow])
def test_forest_has_every_label_and_word(tree: Tree) -> None:
    shown = outline(tree).nodes
    nodes = brackets(forest(shown))
    texts = [content for _, content, _ in nodes if content]
    wanted = []
    for node in shown:
        wanted.append(f"{{{latex_text(node.label)}}}")
        if node.text is not None:
            wanted.append(f"{{{latex_text(node.text)}}}")
    if not shown:
        wanted = ["{(no tree)}"]
    assert texts == wanted


def test_no_character_of_a_label_is_a_command() -> None:
    tree = syntactic(r"(S (X_1 50%) (Y& {a]) (Z# \b$c$[,=]) (W ^~<>|))")
    text = forest(outline(tree).nodes)
    for content in (content for _, content, _ in brackets(text)):
        plain = content[1:-1]
        for command in (r"\textbackslash{}", r"\textasciicircum{}"):
            plain = plain.replace(command, "")
        plain = re.sub(r"\\text\w+\{\}|\\[{}$&#%_]", "", plain)
        assert not set(plain) & set(SPECIALS), content


def test_marks_and_folds_are_styles_of_the_tree() -> None:
    text = forest(outline(CAT, marks=[4]).nodes, "spurious")
    red, green, blue = bytes.fromhex(MARK_CLASSES["spurious"][0][1:])
    assert f"text={{rgb,255:red,{red};green,{green};blue,{blue}}}" in text
    marked = [content for _, content, told in brackets(text) if "spurious" in told]
    assert marked == ["{VP}"]
    deep = syntactic("(A " * 80 + "(B b)" + ")" * 80)
    assert "\\cdots" in forest(outline(deep).nodes)


def test_a_discourse_tree_has_its_relations_on_its_edges() -> None:
    root = tree_of("[N:span[N:list N:list] S:cause]")
    text = discourse_picture(root, title="50 %").latex
    assert r"\textbf{50 \%}" in text
    told = [options for _, _, options in brackets(text)]
    assert [re.findall(r"relation=\{(\w+)", one) for one in told] == [
        *([], [], ["list"], ["list"], ["cause"])
    ]
    of_arcs = discourse_picture(dependency_tree(root)).latex
    assert len(brackets(of_arcs)) == 3


# -- files -----------------------------------------------------------------------------


def test_the_ending_says_the_format(tmp_path: Path) -> None:
    starts = dict(zip(ENDINGS, (b"<svg", b"%PDF", b"\x89PNG", b"% "), strict=True))
    (derived,) = derive(EXAMPLES / "web.gold.mrg", sentences=[3]).rows
    other = syntactic("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")
    for ending, start in starts.items():
        for drawn in (CAT, (CAT, other), derived, tree_of("[N:span S:cause]")):
            path = tmp_path / f"picture{ending}"
            write_picture(drawn, path)
            assert path.read_bytes().startswith(start)
    with pytest.raises(SettingsError, match=r"expected \.svg"):
        write_picture(CAT, tmp_path / "picture.gif")
    with pytest.raises(SettingsError, match="found int"):
        write_picture(3, tmp_path / "picture.svg")  # type: ignore[arg-type]


def test_pdf_embeds_truetype(tmp_path: Path) -> None:
    write_picture(CAT, tmp_path / "cat.pdf")
    content = (tmp_path / "cat.pdf").read_bytes()
    assert b"/FontFile2" in content
    assert b"/Type3" not in content


def test_the_figure_is_the_svg() -> None:
    """The same texts at the same places, in the same colours."""
    tree = syntactic("(S (NP (NN $a$)) (VP (VB b)))")
    svg = discourse_svg(tree_of("[N:span S:cause]"))
    from reports.drawing.tree_svg import tree_svg

    for drawn in (tree_svg(outline(tree, marks=[3]), title="T"), svg):
        (axes,) = figure_of(drawn).axes
        told = [text.get_text() for text in axes.texts if text.get_text()]
        assert told == re.findall(r"<text[^>]*>(?:<title>[^<]*</title>)?([^<]+)", drawn)
        assert len(axes.patches) == drawn.count("<path")
    (axes,) = figure_of(tree_svg(outline(tree, marks=[3]))).axes
    marked = [text for text in axes.texts if text.get_color() == "#c81e1e"]
    assert [text.get_text() for text in marked] == ["VP"]
    assert [text.get_fontweight() for text in marked] == ["bold"]


# -- some units ------------------------------------------------------------------------

LONG = "[N:span[N:list[N:span S:cause] N:list] S:evaluation[N:list N:list]]"


def test_units_that_are_not_asked_for_are_an_ellipsis() -> None:
    root = tree_of(LONG)
    shown = [(n.label, n.text) for n in discourse_outline(root, units=(2, 3))]
    assert shown == [("1–3", None), ("1–2", None), ("1", "…"), ("2", "2"), ("3", "3")]
    with pytest.raises(SettingsError, match="the tree has 1–5"):
        discourse_outline(root, units=(4, 6))


@given(discourse_trees(proper=False))
@settings(max_examples=some(40))
def test_no_unit_and_no_mark_is_lost(root: Unit) -> None:
    whole = discourse_outline(root, marks=range(10_000))
    edus = sum(unit.is_edu for unit in root.walk())
    assert discourse_outline(root, range(10_000), (1, edus)) == whole
    part = discourse_outline(root, range(10_000), (1, 1))
    first, last = part[0].label, part[0].label.split("–")[-1]
    inside = [n for n in whole if int(n.label.split("–")[-1]) <= int(last)]
    inside = inside[inside.index(next(n for n in inside if n.label == first)) :]
    assert part[0].label.split("–")[0] == "1"
    assert sum(node.marks for node in part) <= len(inside)


def test_a_long_list_is_drawn_in_parts() -> None:
    units = [Unit("N", "list", text=f"the text of unit {n}") for n in range(1, 41)]
    drawn = discourse_svg(Unit("R", "---", units), width=700)
    assert int(re.findall(r' width="(\d+)"', drawn)[0]) <= 700
    numbers = re.findall(r'class="number" x="\d+" y="\d+">(\d+)<', drawn)
    assert sorted(map(int, numbers)) == list(range(1, 41))
    assert "… " in drawn


def test_units_on_the_command_line(tmp_path: Path) -> None:
    given = EXAMPLES / "discourse" / "bakery.tsv"
    ran = spinal("rst", "show", given, "--units", "4-6")
    assert (ran.code, "The baker" in ran.out, "angry letter" in ran.out) == (
        *(0, False, True),
    )
    ran = spinal("rst", "show", given, "--units", "4-60")
    assert (ran.code, "there are no EDUs 4–60" in ran.err) == (2, True)
    for text in ("6-4", "0", "x"):
        assert spinal("rst", "show", given, "--units", text).code == 2
    for style in ("line", "dependencies"):
        asked = ("--units", "4-6", "--style", style)
        assert spinal("rst", "show", given, *asked).code == 2
    path = tmp_path / "part.tex"
    spinal("rst", "show", given, "--units", "4-6", "--picture", path)
    assert "The baker" not in path.read_text("utf-8")
