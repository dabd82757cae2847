"""The figures, examples and propositions of the 2018 paper on dependencies."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given

from analyzer.analyses.rst_trees import Ambiguity, count_orders
from analyzer.model.discourse import DependencyTree, Unit
from analyzer.transform.documents import binarize
from analyzer.transform.head_order import complete, constituent_tree, dependency_tree
from tests.support.dependency_trees import (
    arcs,
    delta_sh,
    delta_uas,
    ordered,
    spans_and_heads,
    wrong_choices,
)
from tests.support.rst_strategies import discourse_trees, shape, tree_of

FIGURE_3_PREDICTED = "[N:span[N:span S:R2[N:R3 N:R3]] S:R1]"
FIGURE_3_REFERENCE = "[N:span[N:R3[N:span S:R2] N:R3] S:R1]"
FIGURE_4 = "[N:span S:attribution[N:span[N:span S:restatement] S:explanation]]"
FIGURE_5A = "[S:R1 N:span S:R2]"
FIGURE_5B = "[N:span[S:R1 N:span] S:R2]"
FIGURE_5C = "[S:R1 N:span[N:span S:R2]]"
FIGURE_6 = "[S:explanation N:span[N:span[N:span S:restatement] S:attribution]]"
FIGURE_8A = "[N:span[N:List N:List N:List] S:explanation]"
FIGURE_8B = "[N:span[N:List[N:List N:List] N:List] S:explanation]"
FIGURE_8C = "[N:span[N:List N:List[N:List N:List]] S:explanation]"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (FIGURE_3_PREDICTED, ["1 -R2#1> 2", "2 -R3#1> 3", "1 -R1#2> 4"]),
        (FIGURE_3_REFERENCE, ["1 -R2#1> 2", "1 -R3#2> 3", "1 -R1#3> 4"]),
        (
            FIGURE_4,
            ["1 -attribution#1> 2", "2 -restatement#1> 3", "2 -explanation#2> 4"],
        ),
        (FIGURE_5A, ["2 -R1#1> 1", "2 -R2#1> 3"]),
        (FIGURE_5B, ["2 -R1#1> 1", "2 -R2#2> 3"]),
        (FIGURE_5C, ["2 -R1#2> 1", "2 -R2#1> 3"]),
        (
            FIGURE_6,
            ["2 -explanation#3> 1", "2 -restatement#1> 3", "2 -attribution#2> 4"],
        ),
        (FIGURE_8A, ["1 -List#1> 2", "1 -List#1> 3", "1 -explanation#2> 4"]),
        (FIGURE_8B, ["1 -List#1> 2", "1 -List#2> 3", "1 -explanation#3> 4"]),
        (FIGURE_8C, ["1 -List#1> 2", "2 -List#1> 3", "1 -explanation#2> 4"]),
    ],
)
def test_figures(spec: str, expected: list[str]) -> None:
    root = tree_of(spec)
    tree = dependency_tree(root)
    assert arcs(tree) == expected
    # Figure 7: the c-tree of Figure 6 built again from its d-tree; likewise the others.
    assert shape(constituent_tree(tree)) == shape(root)


def test_figure_8_binarisations() -> None:
    flat = tree_of(FIGURE_8A)
    assert shape(binarize(flat, "left")) == shape(tree_of(FIGURE_8B))
    assert shape(binarize(flat, "right")) == shape(tree_of(FIGURE_8C))


def test_figure_5_three_trees_for_one_plain_d_tree() -> None:
    trees = [dependency_tree(tree_of(s)) for s in (FIGURE_5A, FIGURE_5B, FIGURE_5C)]
    assert len({tuple(tree.heads) for tree in trees}) == 1
    assert [count_orders(tree) for tree in trees] == [Ambiguity(3, 1, 2, 3)] * 3


def test_example_2_same_spans_and_no_arc_in_common() -> None:
    one = ordered([3, 3, 0, 3], [3, 1, 1, 2])
    other = ordered([2, 0, 2, 2], [3, 1, 1, 2])
    spans = [
        {item[:2] for item in spans_and_heads(constituent_tree(tree))}
        for tree in (one, other)
    ]
    assert spans[0] == spans[1] == {(2, 3), (2, 4), (1, 4)}
    assert delta_sh(one, other) == 3
    assert not set(arcs(one)) & set(arcs(other))


def test_the_worked_example_of_section_3_6() -> None:
    # The paper prints a →3 d; its brackets and strings have b →3 d.
    reference = ordered([2, 0, 2, 2], [2, 1, 1, 3])
    candidate = ordered([2, 0, 2, 2], [1, 1, 2, 3])
    assert spans_and_heads(constituent_tree(reference)) == {
        (2, 3, 2),
        (1, 3, 2),
        (1, 4, 2),
    }
    assert delta_uas(reference, candidate) == 0
    assert delta_sh(reference, candidate) == 1
    assert wrong_choices(reference, candidate) == 1


def test_the_second_example_of_appendix_a() -> None:
    reference = ordered([2, 0, 2, 2], [2, 1, 1, 3])
    candidate = ordered([2, 0, 4, 2], [1, 1, 1, 2])
    assert delta_uas(reference, candidate) == 1
    # The paper says 3; of the three triples, (1, 4, 2) is in both trees.
    assert delta_sh(reference, candidate) == 2


@given(discourse_trees(binary=True, edus=8))
def test_with_the_same_arcs_s_and_heads_count_wrong_choices(root: Unit) -> None:
    """What holds of Proposition 2, for any other order of the same arcs."""
    one = dependency_tree(root)
    other = complete(DependencyTree(one.heads, one.relations, one.nuclearities))
    assert delta_sh(one, other) == wrong_choices(one, other)
    assert delta_sh(other, one) == wrong_choices(other, one)


def test_proposition_2_fails_at_three_edus() -> None:
    """Each head has one dependent at most, so there is no order to tell apart."""
    chain = ordered([0, 1, 2], [1, 1, 1])  # 1 → 2 → 3
    other = ordered([0, 3, 1], [1, 1, 1])  # 1 → 3 → 2
    assert delta_sh(chain, other) == 1
    assert delta_uas(chain, other) == 2
    # And in the other direction: fewer wrong arcs than wrong spans.
    one = ordered([2, 0, 2], [2, 1, 1])
    another = ordered([2, 3, 0], [1, 1, 1])
    assert delta_uas(one, another) == 1
    assert delta_sh(one, another) == 2


def test_proposition_2_holds_of_two_edus() -> None:
    trees = [ordered([0, 1], [1, 1]), ordered([2, 0], [1, 1])]
    for one, other in product(trees, trees):
        assert delta_sh(one, other) == delta_uas(one, other)
