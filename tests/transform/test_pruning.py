"""Some of the trees of a treebank: everything that is known of them goes with them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

from analyzer import Treebank, read_trees
from analyzer.transform.pruning import some_trees
from tests.support.data_paths import EXAMPLES


@pytest.fixture(params=["plain", "graphs", "named", "damaged"])
def bank(request: pytest.FixtureRequest) -> Iterator[Treebank]:
    treebanks = EXAMPLES / "treebanks"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield {
            "plain": lambda: read_trees(treebanks / "english.gold.mrg"),
            "graphs": lambda: read_trees(treebanks / "german.gold.xml"),
            "named": lambda: read_trees(
                treebanks / "letters.gold.psd", treebank="historical"
            ),
            "damaged": lambda: read_trees("(A a)\n(B b\n(C (D d) (E e))\n\n(F f)\n"),
        }[request.param]()


def test_one_tree_is_a_slice(bank: Treebank) -> None:
    for tree in range(len(bank)):
        assert some_trees(bank, np.array([tree])) == bank[tree : tree + 1]


def test_several_trees_in_any_order(bank: Treebank) -> None:
    chosen = [*range(0, len(bank), 2), 0, len(bank) - 1]
    found = some_trees(bank, np.array(chosen))
    found.check()
    assert len(found) == len(chosen)
    for place, tree in enumerate(chosen):
        assert found[place : place + 1] == bank[tree : tree + 1]
