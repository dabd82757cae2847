"""The five representations, against the examples; their kernels."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from analyzer import read_trees
from analyzer.discotk.representations import (
    REPRESENTATIONS,
    metric_of,
    relation_between,
    represent,
)
from analyzer.discotk.scoring import DiscoSettings, dr_scores
from analyzer.discotk.segments import Segments
from analyzer.exceptions import SettingsError
from analyzer.kernels.tree_kernel import TreeKernel
from analyzer.model.discourse import NO_RELATION, SPAN, Unit
from analyzer.model.tree import Node
from tests.support.command import spinal
from tests.support.data_paths import SHARED
from tests.support.toy_discourse import parse

EXAMPLES = SHARED / "kernels/dr_examples.json"
needs_kernel_data = pytest.mark.skipif(
    not EXAMPLES.exists(), reason="NOT RUN: ../shared/data/kernels is not here"
)
# K(x, x) of the example in DISCOTK.md, for decays of 1, .4 and .1
SELF_KERNELS = {
    "nolex": (19, 3.78304, 0.74431),
    "lex1": (300, 9.5442, 1.52846),
    "lex1.1": (2.5756e9, 97.1009, 6.04736),
    "lex2": (37748, 27.6753, 3.87592),
    "lex2.1": (3.2867e11, 446.38, 7.88276),
}


def brackets(tree: Unit, shape: str, **options: Any) -> str:
    return str(represent([tree], shape, **options)[0])


def unit_of(node: Node) -> Unit:
    """The discourse unit that a LEX2 tree is made from."""
    nuclearity = (node.children[0].form or "")[0]
    if node.label == "EDU":
        words = [child.label for child in node.children[1].children]
        unit = Unit(nuclearity, SPAN, text=" ".join(words))
    else:
        relation = node.children[1].form or ""
        children = [unit_of(child) for child in node.children[2:]]
        is_mixed = any(child.nuclearity == "S" for child in children)
        for child in children:
            if not (is_mixed and child.nuclearity == "N"):
                child.relation = relation
        unit = Unit(nuclearity, SPAN, children)
    if nuclearity == "R":
        unit.relation = NO_RELATION
    return unit


def examples() -> dict[str, Any]:
    return dict(json.loads(EXAMPLES.read_text("utf-8")))


@needs_kernel_data
def test_the_examples() -> None:
    assert len(examples()) == 4
    for shapes in examples().values():
        unit = unit_of(read_trees(shapes["DR-LEX2"])[0].root)
        for shape in REPRESENTATIONS:
            assert brackets(unit, shape) == shapes[metric_of(shape)]
            assert str(represent([unit], shape)[0]) == shapes[metric_of(shape)]


@needs_kernel_data
def test_self_kernels_of_the_example() -> None:
    unit = unit_of(read_trees(examples()["REF"]["DR-LEX2"])[0].root)
    for shape, expected in SELF_KERNELS.items():
        bank = represent([unit], shape)
        for decay, value in zip((1.0, 0.4, 0.1), expected, strict=True):
            found = TreeKernel(name="sst", decay=decay).self_values(bank)[0]
            assert found == pytest.approx(value, rel=1e-4)


def test_words_as_leaves() -> None:
    tree = parse("He left early because it rained.")
    assert brackets(tree, "lex2", leaves="bow", lowercase=True) == (
        "(SPAN (NUC Root) (REL Cause) (EDU (NUC Nucleus) (NGRAM (he) (left) (early)))"
        " (EDU (NUC Satellite) (NGRAM (because) (it) (rained) (.))))"
    )
    # What is printed is what the kernel sees.
    printed = read_trees(brackets(tree, "lex1", leaves="bow"))
    kernel = TreeKernel(name="sst-bow")
    ours = kernel.self_values(represent([tree], "lex1", leaves="bow"))
    assert kernel.self_values(printed)[0] == pytest.approx(ours[0])


def test_several_relations_are_all_named() -> None:
    children = [Unit("N", SPAN), Unit("S", "cause"), Unit("S", "purpose")]
    assert relation_between(Unit("R", NO_RELATION, children)) == "cause+purpose"
    assert relation_between(Unit("R", NO_RELATION, [Unit("N", SPAN)])) == SPAN


def test_edus_without_words() -> None:
    tree = Unit("R", NO_RELATION, [Unit("N", SPAN), Unit("S", "cause", text="a b")])
    assert brackets(tree, "lex1") == (
        "(cause-Root (EDU-Nucleus *) (EDU-Satellite (a *) (b *)))"
    )
    assert "(NGRAM *)" in brackets(tree, "lex2")


def test_one_edu_may_count_as_nucleus() -> None:
    tree = Unit("R", NO_RELATION, text="hello")
    assert brackets(tree, "nolex") == "(EDU-Root *)"
    assert brackets(tree, "nolex", single="Nucleus") == "(EDU-Nucleus *)"


@pytest.mark.slow
def test_deep_trees() -> None:
    tree = Unit("N", SPAN, text="x")
    for _ in range(sys.getrecursionlimit() + 200):
        tree = Unit("N", SPAN, [tree, Unit("S", "elaboration", text="y z")])
    tree.nuclearity = "R"
    for shape in REPRESENTATIONS:
        assert brackets(tree, shape).endswith(")")
    segments = Segments("<deep>", {"1": tree})
    for leaves in ("bow", "dummy"):
        table = dr_scores(
            segments,
            {"A": segments},
            settings=DiscoSettings(leaves=leaves),
            shapes=["nolex", "lex1"],
        )
        assert table.values.ravel().tolist() == pytest.approx([1.0, 1.0])


def test_long_edus_make_the_dummy_kernel_ask_for_identity() -> None:
    """The trap: one word of twenty changed, and the literal kernel is nearly 0."""
    words = [f"w{number}" for number in range(20)]
    gold = Unit("R", NO_RELATION, text=" ".join(words))
    other = Unit("R", NO_RELATION, text=" ".join([*words[:-1], "x"]))
    found = {}
    for leaves in ("dummy", "bow"):
        table = dr_scores(
            Segments("g", {"1": gold}),
            {"A": Segments("a", {"1": other})},
            settings=DiscoSettings(leaves=leaves),
            shapes=["lex1"],
        )
        found[leaves] = table.values[0, 0, 0]
    # 19 λ / (20 λ + λ (1 + λ)^20), for a λ of .4; and 19 of 20 words and an EDU
    assert found["dummy"] == pytest.approx(19 / (20 + 1.4**20))
    assert found["bow"] == pytest.approx(19 / 21)


def test_unknown_shapes_are_named() -> None:
    with pytest.raises(SettingsError, match=r"there are nolex, lex1"):
        represent([parse("a b")], "lex3")


def test_represent_prints(tmp_path: Any) -> None:
    path = tmp_path / "one.brackets"
    path.write_text("(reason[N][S] _!He left!_ _!as it rained!_)\n", "utf-8")
    ran = spinal("discotk", "represent", path, "--as", "nolex")
    assert (ran.code, ran.out) == (
        0,
        "(reason-Root (EDU-Nucleus *) (EDU-Satellite *))\n",
    )
    ran = spinal("discotk", "represent", path)
    assert [line.split()[0] for line in ran.out.splitlines()] == [
        metric_of(shape) for shape in REPRESENTATIONS
    ]
    ran = spinal("discotk", "represent", path, "--as", "lex1", "--format", "json")
    assert "(He *)" in json.loads(ran.out)["1"]["DR-LEX1"]
    assert spinal("discotk", "represent", path, "--as", "lex9").code == 2
