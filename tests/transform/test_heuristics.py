"""Guessed nuclearity and order of dependencies."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given

from analyzer.analyses.rst_scores import score_rst
from analyzer.formats.rst.dis import read_dis
from analyzer.model.discourse import DependencyTree, Unit
from analyzer.transform.head_order import (
    RELEASED_MULTINUCLEAR,
    complete,
    constituent_tree,
    dependency_tree,
    guessed_ranks,
    multinuclear_relations,
)
from tests.support.command import spinal
from tests.support.data_paths import RST, needs_rst_data
from tests.support.rst_strategies import discourse_trees, shape, tree_of


def test_multinuclear_is_what_always_is() -> None:
    training = [
        tree_of("[N:list N:list]"),
        tree_of("[N:span S:cause[N:cause N:cause]]"),
    ]
    assert multinuclear_relations(training) == {"list"}


def test_same_unit_comes_first() -> None:
    relations = ["cause", "ROOT", "elaboration", "same-unit"]
    assert guessed_ranks(DependencyTree([2, 0, 2, 2], relations)) == [3, 1, 1, 2]
    nearer = DependencyTree([2, 0, 2, 2], ["cause", "ROOT", "list", "list"])
    assert guessed_ranks(nearer) == [2, 1, 1, 3]


def test_sentences_count_before_edus() -> None:
    tree = DependencyTree([3, 3, 0, 3], ["a", "b", "ROOT", "c"], sentences=[1, 1, 1, 2])
    assert guessed_ranks(tree) == [2, 1, 1, 3]


def test_lists_of_the_tree_transform_are_joined() -> None:
    tree = DependencyTree([0, 1, 1, 1], ["ROOT", "joint", "joint", "cause"])
    joined = complete(tree, RELEASED_MULTINUCLEAR, join_nuclei=True)
    assert joined.ranks == [1, 1, 1, 2]
    assert complete(tree, RELEASED_MULTINUCLEAR).ranks == [1, 1, 2, 3]


@given(discourse_trees(proper=False))
def test_guessed_trees_are_trees(root: Unit) -> None:
    tree = dependency_tree(root)
    for join_nuclei in (False, True):
        plain = DependencyTree(tree.heads, tree.relations)
        guessed = complete(plain, {"list"}, join_nuclei=join_nuclei)
        assert dependency_tree(constituent_tree(guessed)).ranks == guessed.ranks


@needs_rst_data
def test_every_decision_of_the_released_heuristics() -> None:
    for path in sorted((RST / "dep_raw").glob("*.tsv")):
        with path.open(encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t"))
        tree = complete(
            DependencyTree(
                [int(row["head"]) for row in rows],
                [row["label"] for row in rows],
                sentences=[int(row["sent"]) for row in rows],
            )
        )
        assert tree.nuclearities == [row["peer_nuc"][0] for row in rows], path
        assert tree.ranks == [int(row["peer_rank"]) for row in rows], path
        predicted = read_dis((RST / "pred/dep" / f"{path.stem}.dis").read_text("utf-8"))
        assert [(label, size) for label, _, size in shape(constituent_tree(tree))] == [
            (label, size) for label, _, size in shape(predicted)
        ]


@pytest.mark.parametrize(
    "spelling", ["same-unit", "Same-Unit", "sameunit", "SAME_UNIT"]
)
def test_same_unit_however_it_is_spelled(spelling: str) -> None:
    """Its parts are joined first, and it is multinuclear: both by one normal form."""
    tree = DependencyTree([0, 1, 1], ["ROOT", "attribution", spelling])
    assert guessed_ranks(tree) == [1, 1, 2]
    assert complete(tree).nuclearities == ["N", "S", "N"]


def test_a_relation_is_multinuclear_if_its_class_is(tmp_path: Path) -> None:
    """`--relations` comes first; `--multinuclear` is an option of score as well."""
    lists = {"joint": "1 0 ROOT\n2 1 joint\n", "fine": "1 0 ROOT\n2 1 List\n"}
    gold = "(NN-joint (1) (2))"
    for name, text in lists.items():
        relations = {"list": "joint"} if name == "fine" else "fine"
        found = score_rst(gold, text, relations=relations)
        assert found.counts["rst-parseval", "F"].micro == (2, 2, 2), name
    other = {"relations": {"list": "joint"}, "multinuclear": "cause, reason"}
    found = score_rst(gold, lists["fine"], **other)
    assert found.counts["rst-parseval", "N"].micro == (1, 2, 2)
    paths = []
    for name, text in (("gold", gold), ("arcs", lists["fine"])):
        paths.append(tmp_path / name)
        paths[-1].write_text(text)
    for listed, matched in (("List", 2), ("cause", 1)):
        ran = spinal("rst", "score", *paths, "--multinuclear", listed, "--format=csv")
        [row] = [
            line for line in ran.out.split("\n") if line.startswith("RST-Parseval,N,")
        ]
        assert row.split(",")[2] == str(matched)
