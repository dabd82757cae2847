"""The table of what language models do to trees."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings

from analyzer import compare_conventions, evalb, faithfulness, read_trees, score
from tests.support.examples import some
from tests.support.strategies import pair_lists, pair_texts

GOLD = """\
(S (NP (DT the) (JJ big) (NN cat)) (VP (VBD sat)) (. .))
(S (NP (PRP I)) (VP (MD can) (RB not) (VP (VB go))) (. .))
(S (NP (NNS dogs)) (VP (VBP bark)))
(S (NP (NNS cats)) (VP (VBP sleep)))
(S (NP (PRP it)) (VP (VBZ rains)))
(S (NP (NNS cows)) (VP (VBP eat) (NP (NN grass))))
(S (NP (DT the) (NN sun)) (VP (VBZ shines)))
(S (NP (NNS birds)) (VP (VBP sing) (PP (IN in) (NP (DT a) (NN tree)))))
"""
PARSED = """\
Here is the parse: (S (NP (DT the) (JJ big) (NN cat)) (VP (VBD sat)) (. .)
(S (NP (PRP I)) (VP (MD cannot) (VP (VB go))) (. .))

(SENTENCE (NP (NNS cats)) (VP (VBP sleep) (RB soundly)))
(S (NP (PRP it))) (VP (VBZ rains)))
(S (NP (NNS cows)) (VP (VBD ate)))
(S (NP (DT the) (NN sun)) (VP (VBZ shines)))
(S (NP (NNS birds)) (VP (VBP sing) (PP (IN in) (NP (DT a) (NN tree)))))
"""


def test_everything_is_counted():
    found = faithfulness(GOLD, PARSED, mend=True)
    total = found.total
    assert (total.sentences, total.well_formed, total.mended) == (8, 5, 1)
    assert (total.mendable, total.malformed, total.failed) == (0, 1, 1)
    assert (total.compared, total.faithful) == (6, 3)
    assert (total.retokenized, total.retokenized_words) == (1, 2)
    assert (total.changed, total.changed_words) == (1, 1)
    assert (total.missing, total.missing_words) == (1, 1)
    assert (total.added, total.added_words) == (1, 1)
    assert total.words == 5 + 5 + 2 + 3 + 3 + 5
    assert found.unknown_labels == {"SENTENCE": 1}
    assert found.mends == {"text around": 1, "missing bracket at the end": 1}
    assert [row.sentence for row in found.left_out] == [3, 5]
    assert found.told() == [
        "<text>:1: sentence 1: mended: text around, missing bracket at the end"
    ]
    assert repr(found) == (
        "<GeneratedTrees: 5 of 8 well formed, 0 extracted, 1 mended, 3 with gold's "
        "words>"
    )
    assert str(found.signature).startswith("scorer:faithfulness|labels:penn|mend:yes")


def test_rows_are_the_sentences_with_something_wrong():
    found = faithfulness(GOLD, PARSED, mend=True)
    assert [row.sentence for row in found.rows] == [1, 2, 3, 4, 5, 6]
    frame = found.frame()
    assert frame.loc[4, ["equal", "added"]].tolist() == [2, 1]
    assert frame.loc[4, "unknown_labels"] == ("SENTENCE",)
    assert frame.loc[3, "form"] == "no tree"
    assert "Faithfulness" in found._repr_html_()


def test_without_mend_it_says_what_could_be_mended():
    found = faithfulness(GOLD, PARSED)
    # Divided as the ordinary reader does, the first answer swallows the second.
    assert found.total.mended == 0
    mended = faithfulness("(S (NN a))\n" * 4, "(S (NN a))\n" * 3 + "(S (NN a)\n")
    assert (mended.total.mendable, mended.mends) == (
        1,
        {"missing bracket at the end": 1},
    )
    assert not mended.told()


@given(pair_lists())
@settings(max_examples=some(40))
def test_gold_is_faithful_to_itself(pairs):
    gold, _ = pair_texts(pairs)
    found = faithfulness(gold, gold)
    assert found.total.faithful == found.total.compared == found.total.well_formed


def test_scores_carry_it_if_asked():
    for scores in (evalb, score, compare_conventions):
        assert scores(GOLD, GOLD).faithfulness is None
        asked = scores(GOLD, PARSED, mend=True).faithfulness
        assert asked.counts == faithfulness(GOLD, PARSED, mend=True).counts
        assert scores(GOLD, GOLD, faithfulness=True).faithfulness.rows == []


@pytest.mark.parametrize("scores", [evalb, score])
def test_a_signature_says_that_trees_were_mended(scores):
    assert "|mend:yes|" in str(scores(GOLD, PARSED, mend=True).signature)
    assert "mend" not in str(scores(GOLD, GOLD, faithfulness=True).signature)


def test_mended_trees_are_scored():
    gold = "(S (NP (NN a)) (VP (VB b)))\n" * 3
    parsed = "(S (NP (NN a)) (VP (VB b)))\n" * 2 + "(S (NP (NN a)) (VP (VB b))\n"
    assert evalb(gold, parsed).summary.valid == 2
    mended = evalb(gold, parsed, mend=True)
    assert (mended.summary.valid, mended.summary.f1) == (3, 1.0)
    assert not mended.left_out


def test_labels_of_another_treebank():
    german = "(S (NP (ART die) (NN Katze)) (VVFIN schläft))"
    assert faithfulness(german, german).unknown_labels == {"ART": 1, "VVFIN": 1}
    assert faithfulness(german, german).total.unknown_label_nodes_gold == 2
    assert not faithfulness(german, german, labels="tiger").unknown_labels


def test_a_tree_without_words_is_none():
    assert faithfulness("(S (NN a))\n", "(S ())\n").total.failed == 1


def test_it_is_a_value():
    found = faithfulness(GOLD, PARSED, mend=True)
    assert copy.deepcopy(found) == found == pickle.loads(pickle.dumps(found))


def test_treebanks_that_were_read():
    parsed = read_trees("(S (NN a)", mend=True)
    found = faithfulness(read_trees("(S (NN a))"), parsed)
    assert found.total.mended == 1


def test_processes_count_alike(tmp_path):
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "parsed.txt"
    gold.write_text(GOLD)
    parsed.write_text(PARSED)
    one = evalb(str(gold), str(parsed), mend=True, jobs=1)
    two = evalb(str(gold), str(parsed), mend=True, jobs=2)
    assert one.faithfulness == two.faithfulness
    assert one.summary == two.summary
