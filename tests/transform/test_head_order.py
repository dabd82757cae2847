"""Constituents and dependencies, there and back; faults that are named."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given

from analyzer.derivation.units import ROOT_EDU, dependencies, unit_columns
from analyzer.exceptions import RstError
from analyzer.model.discourse import DependencyTree, Documents, Unit, bottom_up_order
from analyzer.model.symbols import SYMBOLS
from analyzer.transform.documents import binarize
from analyzer.transform.head_order import (
    constituent_tree,
    dependency_tree,
    joined_ranks,
    transformed,
)
from tests.support.dependency_trees import ordered, spans_and_heads
from tests.support.rst_strategies import discourse_trees, shape, tree_of

# -- there and back -------------------------------------------------------------------


@given(discourse_trees())
def test_constituents_come_back_from_dependencies(root: Unit) -> None:
    tree = dependency_tree(root)
    assert not tree.odd_nuclei
    assert shape(constituent_tree(tree)) == shape(root)


@given(discourse_trees(proper=False))
def test_even_trees_that_break_the_rules_of_rst_come_back(root: Unit) -> None:
    assert shape(constituent_tree(dependency_tree(root))) == shape(root)


@given(discourse_trees(proper=False))
def test_dependencies_come_back_from_constituents(root: Unit) -> None:
    tree = dependency_tree(root)
    assert dependency_tree(constituent_tree(tree)) == tree


@given(discourse_trees(proper=False))
def test_left_heavy_differs_only_in_order(root: Unit) -> None:
    direct, left = dependency_tree(root), dependency_tree(binarize(root, "left"))
    assert direct.heads == left.heads
    assert direct.relations == left.relations
    assert direct.nuclearities == left.nuclearities
    assert dependency_tree(root, order="strict").ranks == left.ranks
    for head, edus in enumerate(left.dependents()):
        assert left.ranks is not None
        assert direct.ranks is not None
        strict = [left.ranks[edu - 1] for edu in edus]
        assert not head or len(set(strict)) == len(strict)
        # What was attached in two steps still is, in the same order.
        for a, b in product(edus, edus):
            if direct.ranks[a - 1] < direct.ranks[b - 1]:
                assert left.ranks[a - 1] < left.ranks[b - 1]


@given(discourse_trees())
def test_right_heavy_gives_the_chain(root: Unit) -> None:
    chain = transformed(root, "chain")
    heads = {id(u): h for u, h in zip(root.walk(), _heads(root), strict=True)}
    for unit in root.walk():
        nuclei = [heads[id(c)] for c in unit.children if c.nuclearity == "N"]
        for before, after in pairwise(nuclei):
            assert chain.heads[after - 1] == before


def _heads(root: Unit) -> list[int]:
    by_span = {}
    for first, last, head in spans_and_heads(root):
        by_span[first, last] = head
    heads, spans = [], []
    number = 0
    units = list(root.walk())
    sizes = {id(unit): 1 for unit in units}
    for unit in reversed(units):
        if not unit.is_edu:
            sizes[id(unit)] = sum(sizes[id(child)] for child in unit.children)
    for unit in units:
        first = number + 1
        number += unit.is_edu
        spans.append((first, first + sizes[id(unit)] - 1))
        heads.append(by_span.get(spans[-1], first))
    return heads


@pytest.mark.slow
@given(discourse_trees())
def test_the_columns_say_the_same(root: Unit) -> None:
    tree = dependency_tree(root)
    columns = dependencies(unit_columns(Documents.of_units([("one", root)])))
    assert columns.rank.tolist() == tree.ranks
    heads = [0 if g == ROOT_EDU else g + 1 for g in columns.governor.tolist()]
    assert heads == tree.heads
    assert [SYMBOLS.name(n) for n in columns.relation.tolist()] == tree.relations
    assert [SYMBOLS.name(n) for n in columns.nuclearity.tolist()] == tree.nuclearities


@given(discourse_trees(proper=False))
def test_binarised_trees_are_binary_and_keep_their_edus(root: Unit) -> None:
    for direction in ("left", "right"):
        binary = binarize(root, direction)
        assert all(len(unit.children) in (0, 2) for unit in binary.walk())
        texts = [unit.text for unit in binary.walk() if unit.is_edu]
        assert texts == [unit.text for unit in root.walk() if unit.is_edu]


def test_a_tree_ten_thousand_units_deep() -> None:
    heads = [0, *range(1, 10_000)]
    tree = ordered(heads, [1] * len(heads))
    assert dependency_tree(constituent_tree(tree)) == tree


# -- faults ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (DependencyTree([], []), "no EDUs"),
        (
            ordered([0, 0, 0, 1], [1, 1, 1, 1]),
            "EDU 4 cannot be attached to EDU 1 before EDU 2",
        ),
        (DependencyTree([1], ["a"]), "no root"),
        (DependencyTree([0, 3, 2], ["ROOT", "a", "a"]), "EDU 2 does not lead to the"),
        (DependencyTree([0, 7], ["ROOT", "a"]), "EDU 2 has head 7"),
        (DependencyTree([0, 1], ["ROOT"]), "1 relations for 2 EDUs"),
        (DependencyTree([0, 1], ["ROOT", "a"]), "without nuclearity"),
        (DependencyTree([0, 1], ["ROOT", "a"], ["N", "S"]), "without order"),
        (
            ordered([3, 4, 0, 3], [1, 1, 1, 2]),
            "EDU 2 cannot be attached to EDU 4 before EDU 3",
        ),
        (ordered([0, 1, 1], [1, 2, 1]), "EDU 3 cannot be attached to EDU 1"),
        (
            DependencyTree([2, 0], ["list", "ROOT"], ["N", "N"], [1, 1]),
            "EDU 1 is a nucleus to the left of its head",
        ),
        (
            DependencyTree([2, 0], ["list", "ROOT"], ["?", "N"], [1, 1]),
            "EDU 1 has nuclearity '\\?'",
        ),
    ],
)
def test_faults_are_named(tree: DependencyTree, message: str) -> None:
    with pytest.raises(RstError, match=f"one.rsd: .*{message}"):
        constituent_tree(tree, source="one.rsd")


def test_unary_and_headless_units_have_no_dependencies() -> None:
    with pytest.raises(RstError, match="contains only one unit"):
        dependency_tree(tree_of("[N:span[N:span S:cause]]"))
    with pytest.raises(RstError, match="without a nucleus"):
        dependency_tree(tree_of("[S:span S:cause]"))
    assert bottom_up_order(dependency_tree(tree_of("[N:span S:cause]"))) == [2, 1]


@pytest.mark.parametrize(
    ("relations", "nuclearities", "ranks", "joined"),
    [
        # In the order of attachment: the cause first, then both nuclei at once.
        ("list list cause", "NNS", [3, 2, 1], [2, 2, 1]),
        # A satellite between them keeps nuclei apart; so does another relation.
        ("list list list", "NSN", [1, 2, 3], [1, 2, 3]),
        ("list joint list", "NNN", [1, 2, 3], [1, 2, 3]),
        ("list list list", "NNN", [3, 1, 2], [1, 1, 1]),
    ],
)
def test_nuclei_of_one_unit_are_attached_at_once(
    relations: str, nuclearities: str, ranks: list[int], joined: list[int]
) -> None:
    names, kinds = ["ROOT", *relations.split()], ["N", *nuclearities]
    tree = DependencyTree([0, 1, 1, 1], names, kinds, [1, *ranks])
    assert joined_ranks(tree) == [1, *joined]
