"""Both views of one error: constructions by type, links from errors to edits."""

from __future__ import annotations

from itertools import pairwise

import pytest

from analyzer import SettingsError, repairs, score
from analyzer.analyses.report import score_for_page
from analyzer.editing.mending import edit_text
from reports.tables.errors import stage_picture, stage_text
from tests.support.data_paths import NEWS_PAIR, WEB_GREEDY, WEB_PAIR
from tests.support.naive_mending import kept_sentences

PAIR = (WEB_PAIR[0], WEB_GREEDY)


def test_crossed_counts_are_those_of_the_scores() -> None:
    found = repairs(*PAIR, classifier="spinal", by_sentence=True)
    assert sum(found.crossed().values()) == found.total.nodes
    rows = score(*PAIR).rows
    wrong = sum(row.gold + row.parsed - 2 * row.matched_h for row in rows)
    assert sum(found.crossed("heads").values()) == wrong
    with pytest.raises(SettingsError, match="names constructions"):
        repairs(*PAIR, by_sentence=True).crossed()


def test_errors_that_no_edit_explains() -> None:
    """A wrong tag moves the head, and every bracket is right."""
    gold = "(S (NP (DT a) (NN b) (RB c)) (VP (VB d)))"
    parsed = "(S (NP (DT a) (NN b) (CC c)) (VP (VB d)))"
    found = repairs(gold, parsed, classifier="spinal", by_sentence=True)
    assert found.total.errors == 0
    assert {kind for _, kind in found.crossed("heads")} <= {"no edit"}


@pytest.mark.parametrize("classifier", ["kummerfeld", "spinal"])
def test_stages_lead_from_the_parse_to_gold(classifier: str) -> None:
    found = repairs(*NEWS_PAIR, classifier=classifier, keep_trees=True)
    kept = kept_sentences(found)
    for sentence in found.sentences:
        steps = found.stages(sentence)
        assert [one.edit for one in steps] == [one.edit for one in sentence.repairs]
        for one, then in pairwise(steps):
            assert str(one.trees()[1]) == str(then.trees()[0])
        for one in steps:
            assert one.before_marks or one.edit.operation == "add"
            assert one.after_marks or one.edit.operation == "remove"
        if steps:
            parsed, gold = str(steps[0].trees()[0]), str(steps[-1].trees()[1])
            assert parsed == kept[sentence.tree].parsed
            assert sorted(gold.split()) == sorted(kept[sentence.tree].gold.split())


def test_edits_are_drawn() -> None:
    gold = "(S (NP (DT a) (NN b)) (VP (VB c) (NN d) (RB e)))"
    parsed = "(S (NP (DT a) (NN b) (VB c)) (VP (NN d) (RB e)))"
    found = repairs(gold, parsed, keep_trees=True)
    (one,) = found.stages(found.sentences[0])
    assert edit_text(one.edit) == "move VB from NP to VP (4 brackets)"
    text = stage_text(one, width=80, color=False)
    assert "before" in text
    assert "after" in text
    assert text.count("*VB*") == 2
    assert "move VB from NP to VP" in stage_picture(one).svg


def test_every_error_of_the_page_has_its_edit() -> None:
    (data,) = score_for_page([("web", *PAIR)])
    errors = data.errors
    assert len(errors.links) == errors.shown
    assert len(errors.edits) == len(errors.sentences)
    assert max(errors.links) >= 0
    for at, link in enumerate(errors.links):
        steps, trees = errors.edits[
            errors.errors[len(errors.errors) // errors.shown * at]
        ]
        assert -1 <= link < max(1, len(steps))
        assert len(trees) == len(steps) + bool(steps)
    # Few errors are of tags alone.
    assert errors.links.count(-1) < errors.shown / 10
