"""Parses in which only some errors are mended: columns against text."""

from __future__ import annotations

import warnings
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from analyzer import repairs, worth_of
from analyzer.analyses.worth import By, worths_of
from analyzer.editing.mending import EditedTrees
from analyzer.model.tree import Tree
from tests.support.data_paths import WEB_PAIR
from tests.support.edited_trees import tree_pairs
from tests.support.examples import some
from tests.support.naive_mending import kept_sentences, parts_of, repaired
from tests.support.strategies import one_line


@settings(
    deadline=None,
    max_examples=some(20),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
@given(tree_pairs(), st.randoms(use_true_random=False))
def test_columns_are_the_sideput_together_one_by_one(
    pairs: list, random: Random
) -> None:
    sides = [[" ".join(map(one_line, pair[side])) for pair in pairs] for side in (0, 1)]
    for classifier in ("kummerfeld", "spinal"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = repairs(*sides, classifier=classifier, keep_trees=True)
        kept = [one for one in found.sentences if one.status != "refused"]
        mends = [
            (
                one.tree,
                {edit for edit in range(len(one.repairs)) if random.random() < p},
            )
            for one in kept
            for p in (0.0, 0.3, 0.7, 1.0)
        ]
        random.shuffle(mends)
        trees = kept_sentences(found)
        made = EditedTrees(*found.kept_trees()).apply_edits(mends)
        made.check()
        texts = [repaired(trees[place], edits) for place, edits in mends]
        assert [str(tree) for tree in made] == texts


@settings(
    deadline=None,
    max_examples=some(40),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
@given(tree_pairs())
def test_edits_made_one_by_one_are_all_edits_made_at_once(pairs: list) -> None:
    """But for roots: in drawings they hold the tree together, also when removed.

    For the same reason forests, several trees in place of one, are left out.
    """
    sides = [[" ".join(map(one_line, pair[side])) for pair in pairs] for side in (0, 1)]
    for classifier in ("kummerfeld", "spinal"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = repairs(*sides, classifier=classifier, keep_trees=True)
        trees = EditedTrees(*found.kept_trees())
        for one in found.sentences:
            edits = [error.edit for error in one.repairs]
            is_forest = any(len(side) != 1 for side in pairs[one.sentence - 1])
            if is_forest or not edits or any(not edit.parents for edit in edits):
                continue
            at_once = trees.apply_edits([(one.tree, range(len(edits)))])[0]
            one_by_one = found.stages(one)[-1].trees()[1]
            assert brackets(one_by_one) == brackets(at_once)


def brackets(tree: Tree) -> list[tuple[str, int, int]]:
    return sorted(bracket for bracket in parts_of(str(tree)).brackets if bracket.label)


def test_groupings_share_what_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    """No sentence is scored twice with the same edits, however errors are grouped."""
    found = repairs(*WEB_PAIR, classifier="spinal", keep_trees=True)
    apart = [worth_of(found, by=by) for by in By]
    asked = []
    apply_edits = EditedTrees.apply_edits

    def noted(trees: EditedTrees, mends: list) -> object:
        asked.extend(mends)
        return apply_edits(trees, mends)

    monkeypatch.setattr(EditedTrees, "apply_edits", noted)
    assert worths_of(found, list(By)) == apart
    assert len(asked) == len(set(asked)) > 0
