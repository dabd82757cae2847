"""Pairs whose words differ, scored by the words that they share."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from analyzer import evalb, score
from tests.support.edited_trees import SMALL
from tests.support.examples import some
from tests.support.generated_trees import (
    GeneratedPair,
    added_after,
    added_before,
    changed,
    dropped,
    generated_pairs,
    split,
)
from tests.support.strategies import pair_lists, pair_texts

pytestmark = pytest.mark.slow

GOLD = (
    "(S (NP (DT the) (JJ big) (NN cat)) "
    "(VP (VBD sat) (PP (IN on) (NP (DT a) (NN mat)))) (. .))\n"
)


def counts(gold: str, parsed: str, policy: str = "align") -> tuple[int, int, int]:
    """(matched, gold, parsed) brackets."""
    total = evalb(gold, parsed, on_mismatch=policy).summary
    return total.matched, total.gold, total.test


# -- examples ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("(NN cat)", "(NN cats)", (5, 5, 5)),  # changed: paired all the same
        ("(DT a) (NN mat)", "(NN amat)", (5, 5, 5)),  # other tokens
        ("(JJ big) ", "", (3, 5, 5)),  # NP and S lack a word
        ("(JJ big) ", "(JJ big) (JJ fat) ", (3, 5, 5)),
        ("(VBD sat)", "(VBD sat) (RB down)", (3, 5, 5)),  # VP and S
        ("(. .)", "(NN .)", (5, 5, 5)),  # gold does not count it, so nobody does
        ("(. .)", "", (5, 5, 5)),
        ("(. .)", "(. !)", (5, 5, 5)),
        ("(. .)", "(NN then)", (4, 5, 5)),  # no full stop is changed into a word
    ],
)
def test_words_that_differ_cost_the_phrases_around_them(old, new, expected):
    assert old in GOLD
    assert counts(GOLD, GOLD.replace(old, new)) == expected


def test_a_phrase_beside_a_missing_word_is_doubtful():
    # With `often` in the parse, it might be in either of NP and VP.
    gold = "(S (NP (NNS cats)) (RB often) (VP (VBP sleep) (ADVP (RB here))))\n"
    parsed = "(S (NP (NNS cats)) (VP (VBP sleep) (ADVP (RB here))))\n"
    assert counts(gold, parsed) == (1, 4, 4)


def test_a_parse_without_words_finds_nothing():
    gold = GOLD * 3
    parsed = f"{GOLD}\n(S (NP\n"
    result = evalb(gold, parsed, on_mismatch="align")
    assert (result.summary.matched, result.summary.gold) == (5, 15)
    assert result.scored_text() == (
        "scored 3 of 3 sentences; 2 counted as finding nothing: 1 failed parse, "
        "1 malformed parse"
    )


def test_malformed_gold_is_left_out():
    result = evalb(f"{GOLD}(S (NP\n{GOLD}", GOLD * 3, on_mismatch="align")
    assert result.summary.valid == 2


def test_the_sentence_says_what_was_aligned():
    parsed = GOLD.replace("cat", "dog") + GOLD
    for scores in (evalb, score):
        text = scores(GOLD * 2, parsed, on_mismatch="align").scored_text()
        assert text == (
            "scored 2 of 2 sentences; 1 scored by aligned words: 1 word mismatch"
        )


def test_zero_counts_the_brackets_of_gold():
    parsed = GOLD.replace("cat", "dog") + GOLD
    assert counts(GOLD * 2, parsed, "zero") == (5, 10, 5)
    tally = score(GOLD * 2, parsed, on_mismatch="zero").tally
    assert (tally.evalb.matched, tally.evalb.gold, tally.evalb.parsed) == (5, 10, 5)


def test_tags_of_aligned_words_are_compared():
    parsed = GOLD.replace("(JJ big) (NN cat)", "(NN large) (NN cat) (NN now)")
    total = evalb(GOLD, parsed, on_mismatch="align").summary
    assert (total.correct_tags, total.words) == (6, 7)


def test_aligned_words_do_not_count_for_max_error():
    parsed = GOLD.replace("cat", "dog") * 4
    scores = evalb(GOLD * 4, parsed, on_mismatch="align", max_error=1)
    assert scores.summary.f1 == 1


# -- what always holds -------------------------------------------------------------


@given(pair_lists())
@settings(max_examples=some(50))
def test_identity_stays_perfect(pairs):
    gold, _ = pair_texts(pairs)
    total = evalb(gold, gold, on_mismatch="align").summary
    assert total.matched == total.gold == total.test
    assert total == evalb(gold, gold).summary


@given(pair_lists())
@settings(max_examples=some(100))
def test_pairs_with_equal_words_score_as_ever(pairs):
    gold, parsed = pair_texts(pairs)
    skipped = evalb(gold, parsed, by_sentence=True)
    aligned = evalb(gold, parsed, by_sentence=True, on_mismatch="align")
    zero = evalb(gold, parsed, by_sentence=True, on_mismatch="zero")
    left_out = {item.sentence - 1 for item in skipped.left_out}
    columns = (result.sentences for result in (skipped, aligned, zero))
    rows = [list(zip(*(c.tolist() for c in one), strict=True)) for one in columns]
    for sentence, same in enumerate(zip(*rows, strict=True)):
        if sentence not in left_out:
            assert same[0] == same[1] == same[2]
    assert zero.summary.matched <= aligned.summary.matched
    assert zero.summary.gold == aligned.summary.gold


@given(generated_pairs(changed, added_after, added_before, dropped, split))
@settings(max_examples=some(100))
def test_no_parse_gains_by_other_words(pair: GeneratedPair):
    gold, right, parsed = pair.lines
    best, found = counts(gold, right), counts(gold, parsed)
    assert found[1:] == best[1:]
    assert found[0] <= best[0]


@given(generated_pairs(changed, added_after, added_before, dropped))
@settings(max_examples=some(60))
def test_no_construction_gains_by_other_words(pair: GeneratedPair):
    gold, right, parsed = pair.lines
    best, found = (
        score(gold, text, patterns=SMALL, on_mismatch="align").total
        for text in (right, parsed)
    )
    assert found.matched_h <= best.matched_h
    assert found.matched_s <= best.matched_s
    assert (found.gold, found.parsed) == (best.gold, best.parsed)


@given(generated_pairs(changed, split))
@settings(max_examples=some(100))
def test_changed_and_split_words_cost_nothing(pair: GeneratedPair):
    gold, right, parsed = pair.lines
    assert counts(gold, parsed) == counts(gold, right)


@given(generated_pairs(changed, added_after, dropped, split))
@settings(max_examples=some(50))
def test_score_and_evalb_count_alike(pair: GeneratedPair):
    """Also below roots, which have no construction: evalb counts them."""
    gold, _, parsed = pair.lines
    rooted = [f"(ROOT {line})" for line in (gold, parsed)]
    for sides in ((gold, parsed), rooted):
        tally = score(*sides, patterns=SMALL, on_mismatch="align").tally.evalb
        assert (tally.matched, tally.gold, tally.parsed) == counts(*sides)
