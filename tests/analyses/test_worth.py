"""What a repair is worth: exact, since the mended trees are scored by `score`."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import Phase, example, given, settings

from analyzer import SettingsError, read_trees, repairs, score, worth_of
from analyzer.analyses.worth import By, Worth
from tests.support.data_paths import NEWS_PAIR, WEB_PAIR
from tests.support.edited_trees import tree_pairs
from tests.support.examples import some
from tests.support.naive_mending import kept_sentences, repaired
from tests.support.strategies import one_line

EXACT = pytest.approx


@pytest.mark.parametrize("classifier", ["kummerfeld", "spinal"])
@pytest.mark.parametrize("by", list(By))
def test_a_worth_is_what_score_says_of_the_mended_trees(
    classifier: str, by: By
) -> None:
    found = repairs(*WEB_PAIR, classifier=classifier, keep_trees=True)
    if by is not By.TYPE and classifier == "kummerfeld":
        with pytest.raises(SettingsError, match="names constructions"):
            worth_of(found, by=by)
        return
    worth = worth_of(found, by=by)
    kept = kept_sentences(found)
    gold = "\n".join(one.gold for one in kept)
    mended: set[str] = set()
    for row in worth.rows[:4]:
        mended.add(row.group)
        for groups, f1, f_s in (
            ({row.group}, row.f1, row.f_s),
            (mended, row.f1_in_a_row, row.f_s_in_a_row),
        ):
            trees = [
                repaired(
                    kept[one.tree],
                    [e.step - 1 for e in one.repairs if by.group_of(e) in groups],
                )
                for one in found.sentences
            ]
            scores = score(gold, "\n".join(trees))
            assert (scores.tally.evalb.f1, scores.total.f_s) == (f1, f_s)


def test_our_classifier_starts_where_score_does() -> None:
    worth = worth_of(repairs(*NEWS_PAIR, classifier="spinal", keep_trees=True))
    scores = score(*NEWS_PAIR)
    assert (worth.f1, worth.f_s) == (scores.tally.evalb.f1, scores.total.f_s)
    assert worth.rows[-1].f1_in_a_row == worth.others[-1].f_s_in_a_row == 1.0
    assert worth.together == EXACT(1.0 - scores.tally.evalb.f1)
    assert worth.alone >= worth.together


def quietly(pairs: list) -> Worth:
    sides = [
        "".join(" ".join(map(one_line, pair[side])) + "\n" for pair in pairs)
        for side in (0, 1)
    ]
    banks = [read_trees(text, keep_blank_lines=True) for text in sides]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return worth_of(repairs(*banks, classifier="spinal", keep_trees=True))


@settings(
    deadline=None,
    max_examples=some(40),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
@given(tree_pairs())
@example([([("NN", "a"), ("NN", "b")], [("S", (("NN", "a"), ("NN", "b")))])])
def test_mending_never_costs_and_ends_at_one(pairs: list) -> None:
    """Of brackets; F-s may fall on the way: heads follow from what stands there."""
    worth = quietly(pairs)
    for row in worth.rows:
        assert row.worth is None or row.worth >= 0
        assert row.gain is None or row.gain >= 0
    if worth.f1 is not None:
        assert [*worth.rows, *worth.others][-1].f1_in_a_row == 1.0
        assert worth.rows == [] or worth.rows[-1].f1_in_a_row == 1.0
    assert worth.others[-1].f_s_in_a_row in (None, 1.0)


def test_too_many_edits_are_a_row_of_their_own() -> None:
    words = [f"(NN w{at})" for at in range(101)]
    gold = f"(S {' '.join(f'(NP {word})' for word in words)})\n(S (NP (NN a)))"
    parsed = f"(S {' '.join(words)})\n(S (NN a))"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        worth = worth_of(repairs(gold, parsed, keep_trees=True))
    names = [row.group for row in worth.others]
    assert names[0] == "sentences for which no edits were found"
    assert worth.rows[-1].f1_in_a_row < worth.others[0].f1_in_a_row == 1.0


def test_trees_must_have_been_kept() -> None:
    with pytest.raises(SettingsError, match="keep_trees=True"):
        worth_of(repairs(*WEB_PAIR, by_sentence=True))
