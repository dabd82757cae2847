"""Parses in which only some errors are mended: columns against text."""

from __future__ import annotations

import warnings
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from analyzer import repairs, worth_of
from analyzer.analyses.worth import By, worths_of
from analyzer.editing.mended_trees import MendedTrees
from tests.support.data_paths import WEB_PAIR
from tests.support.edited_trees import tree_pairs
from tests.support.examples import some
from tests.support.naive_mending import repaired
from tests.support.strategies import one_line


@settings(
    deadline=None,
    max_examples=some(20),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
@given(tree_pairs(), st.randoms(use_true_random=False))
def test_columns_are_the_trees_put_together_one_by_one(
    pairs: list, random: Random
) -> None:
    sides = [[" ".join(map(one_line, pair[side])) for pair in pairs] for side in (0, 1)]
    for classifier in ("kummerfeld", "spinal"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = repairs(*sides, classifier=classifier, keep_trees=True)
        kept = [one for one in found.sentences if one.trees]
        mends = [
            (place, {edit for edit in range(len(one.repairs)) if random.random() < p})
            for place, one in enumerate(kept)
            for p in (0.0, 0.3, 0.7, 1.0)
        ]
        random.shuffle(mends)
        trees = [one.trees for one in kept]
        made = MendedTrees(trees).trees(mends)
        made.check()
        texts = [repaired(trees[place], edits) for place, edits in mends]
        assert [str(tree) for tree in made] == texts


def test_groupings_share_what_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    """No sentence is scored twice with the same edits, however errors are grouped."""
    found = repairs(*WEB_PAIR, classifier="spinal", keep_trees=True)
    apart = [worth_of(found, by=by) for by in By]
    asked = []
    trees = MendedTrees.trees

    def noted(made: MendedTrees, mends: list) -> object:
        asked.extend(mends)
        return trees(made, mends)

    monkeypatch.setattr(MendedTrees, "trees", noted)
    assert worths_of(found, list(By)) == apart
    assert len(asked) == len(set(asked)) > 0
