"""evalb's numbers: equal to a slow twin, and what must always hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import BracketScores, evalb, read_trees
from analyzer.analyses.evalb import Totals
from analyzer.exceptions import PairingError, TreeSyntaxError
from analyzer.metrics.brackets import ERROR, OK, SKIPPED, EvalbColumns
from analyzer.metrics.counts import total_of
from analyzer.transform.parameters import BUILT_IN, EvalbParameters, parse_parameters
from tests.support.examples import some
from tests.support.naive_evalb import SlowEvalb
from tests.support.strategies import Plain, pair_lists, pair_texts

Pairs = list[tuple[Plain, Plain]]
UNHURRIED = settings(deadline=None, max_examples=some(25))

PARAMETERS = {
    **{name: BUILT_IN[name] for name in ("collins", "none", "spmrl")},
    "unlabelled": replace(BUILT_IN["collins"], labeled=False),
    "equated": parse_parameters(
        "EQ_LABEL NP X\nEQ_LABEL TOP VP\nEQ_WORD a the\nDELETE_LABEL TOP\n"
        "DELETE_LABEL NN\nDELETE_LABEL_FOR_LENGTH DT\nCUTOFF_LEN 5\n",
        name="equated",
    ),
}


def rows(counts: EvalbColumns | None) -> list[tuple[int, ...]]:
    assert counts is not None
    return [tuple(row) for row in zip(*(c.tolist() for c in counts), strict=True)]


def scored(
    pairs: Pairs, parameters: str | EvalbParameters = "collins"
) -> BracketScores:
    return evalb(*pair_texts(pairs), params=parameters, by_sentence=True, by_label=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", PARAMETERS)
def test_equal_to_the_twin_in_every_column(name: str) -> None:
    parameters = PARAMETERS[name]
    twin = SlowEvalb(parameters)

    @settings(deadline=None, max_examples=some(40))
    @given(pair_lists())
    def check(pairs: Pairs) -> None:
        ours = scored(pairs, parameters)
        gold, parsed = (read_trees(text) for text in pair_texts(pairs))
        expected = [twin.sentence(*pair) for pair in zip(gold, parsed, strict=True)]
        assert rows(ours.sentences) == expected
        good = [row for row in expected if row[0] == OK]
        assert ours.summary[4:10] == tuple(sum(r[c] for r in good) for c in range(2, 8))
        assert ours.summary.complete == sum(r[2] == r[3] == r[4] for r in good)
        assert ours.summary.no_crossing == sum(r[5] == 0 for r in good)
        short = [row for row in expected if row[1] <= parameters.cutoff_length]
        assert ours.summary_cutoff.sentences == len(short)

    check()


# -- what must always hold -----------------------------------------------------


@pytest.mark.slow
@UNHURRIED
@given(pair_lists(), st.integers(0, 6))
def test_parts_add_up_to_the_whole(pairs: Pairs, at: int) -> None:
    parts = [scored(part).summary for part in (pairs[:at], pairs[at:]) if part]
    assert total_of(parts, Totals()) == pytest.approx(scored(pairs).summary)


@pytest.mark.slow
@UNHURRIED
@given(pair_lists())
def test_results_do_not_depend_on_the_block_size(pairs: Pairs) -> None:
    whole = scored(pairs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", 40)
        pieces = scored(pairs)
    assert rows(pieces.sentences) == rows(whole.sentences)
    assert [str(item) for item in pieces.left_out] == [
        str(item) for item in whole.left_out
    ]


@pytest.mark.slow
@UNHURRIED
@given(pair_lists())
def test_treebanks_score_as_texts_do(pairs: Pairs) -> None:
    gold, parsed = pair_texts(pairs)
    by_text = evalb(gold, parsed).summary
    banks = read_trees(gold), read_trees(parsed)
    assert evalb(*banks).summary == by_text
    assert evalb(banks[0], parsed).summary == by_text


@pytest.mark.slow
@UNHURRIED
@given(pair_lists(), st.sampled_from(sorted(PARAMETERS)))
def test_labels_add_up_to_the_totals(pairs: Pairs, name: str) -> None:
    result = scored(pairs, PARAMETERS[name])
    sums = [sum(column) for column in zip(*result.labels.values(), strict=True)]
    total = result.summary
    assert (sums or [0, 0, 0, 0]) == [total.gold, total.test, *[total.matched] * 2]


@pytest.mark.slow
@UNHURRIED
@given(pair_lists())
def test_macro_f1_is_the_mean_over_sentences(pairs: Pairs) -> None:
    result = scored(pairs)
    each = [
        2 * matched / (gold + test) if gold + test else 1.0
        for status, _, matched, gold, test, *_ in rows(result.sentences)
        if status == OK
    ]
    expected = sum(each) / len(each) if each else None
    assert result.summary.macro_f1 == (expected and pytest.approx(expected))


def test_nothing_to_divide_by_is_none_not_zero() -> None:
    total = Totals()
    assert total.recall is total.precision is total.f1 is None
    assert evalb("(NN a)", "(NN a)").summary.f1 is None


# -- by example ----------------------------------------------------------------

GOLD = "(S (NP (DT the) (NN cat)) (VP (VBD sat) (ADVP (RB down))) (. .))"
PARSE = "(S (NP (DT the) (NN cat)) (VP (VBD sat) (PRT (RP down))) (. .))"


def test_adverbs_and_particles_are_one_label_but_two_rows() -> None:
    result = evalb(GOLD, PARSE, by_label=True)
    assert result.summary.matched == 4
    assert result.summary.correct_tags == 3
    frame = result.labels_frame().set_index("label")
    assert frame.loc["ADVP", "recall"] == 1
    assert frame.loc["PRT", "precision"] == 1
    assert frame.loc["NP", "f1"] == 1


def test_duplicate_brackets_count_as_often_as_they_occur() -> None:
    total = evalb("(S (NP (NP (NP (NN a)))))", "(S (NP (NP (NN a))))").summary
    assert (total.gold, total.test, total.matched) == (4, 3, 3)


def test_a_deleted_tag_takes_its_word_a_deleted_phrase_only_its_bracket() -> None:
    total = evalb("(TOP (S (NN a) (, ,) (NP (, ,))))", "(TOP (S (NN a)))").summary
    assert (total.gold, total.test, total.words) == (1, 1, 1)


def test_the_cutoff_counts_punctuation_but_no_traces() -> None:
    words = "(NN a) " * 3 + "(, ,) (-NONE- *)"
    result = evalb(
        f"(S {words})",
        f"(S {words})",
        params=replace(BUILT_IN["collins"], cutoff_length=4),
        by_sentence=True,
    )
    assert rows(result.sentences)[0][1] == 4
    assert result.summary_cutoff.sentences == 1


# -- sentences that cannot be compared -----------------------------------------

MIXED_GOLD = "(S (NP (NN a)) (NN b))\n(S (NN c))\n(S (NP (NN d)) (NN e))\n(S (NN f))\n"
MIXED_PARSED = "(S (NN a) (NN b))\n(S (NN x))\n(())\n(S (NN f) (NN g))\n"


def test_skip_leaves_them_out_and_says_so() -> None:
    result = evalb(MIXED_GOLD, MIXED_PARSED, by_sentence=True)
    assert [row[0] for row in rows(result.sentences)] == [OK, ERROR, SKIPPED, ERROR]
    assert (result.summary.gold, result.summary.matched) == (2, 1)
    assert result.scored_text() == (
        "scored 1 of 4 sentences; 3 left out: 1 word mismatch, 1 failed parse, "
        "1 length mismatch"
    )
    assert [item.sentence for item in result.left_out] == [2, 3, 4]
    assert "word 1 differs: gold 'c', parsed 'x'" in str(result.left_out[0].error)
    assert "word 2: gold nothing, parsed 'g'" in str(result.left_out[2].error)


def test_zero_counts_them_as_finding_nothing() -> None:
    result = evalb(MIXED_GOLD, MIXED_PARSED, on_mismatch="zero", by_sentence=True)
    assert [row[0] for row in rows(result.sentences)] == [OK] * 4
    assert (result.summary.gold, result.summary.test) == (2 + 1 + 2 + 1, 1)
    assert result.summary.matched == 1
    assert result.summary.complete == 0
    assert result.summary.correct_tags == 2
    assert result.summary.words == 2 + 1 + 2 + 1


def test_error_stops_at_the_first() -> None:
    with pytest.raises(PairingError, match=r"sentence 2.*gold 'c', parsed 'x'"):
        evalb(MIXED_GOLD, MIXED_PARSED, on_mismatch="error")


@pytest.mark.slow
@UNHURRIED
@given(pair_lists())
def test_zero_never_raises_the_score(pairs: Pairs) -> None:
    skip = scored(pairs).summary
    zero = evalb(*pair_texts(pairs), on_mismatch="zero").summary
    assert zero.valid == zero.sentences
    assert zero.matched == skip.matched
    assert (zero.recall or 0) <= (skip.recall or 0)


def test_strict_holds_for_texts_and_files(tmp_path: Path) -> None:
    good, bad = "(A (B b))\n" * 5, "(A (B b))\n" * 4 + "(A (B b)\n"
    (tmp_path / "good").write_text(good)
    (tmp_path / "bad").write_text(bad)
    for pair in ((good, bad), (str(tmp_path / "good"), str(tmp_path / "bad"))):
        with pytest.raises(TreeSyntaxError, match="missing"):
            evalb(*pair, strict=True)


def test_surplus_sentences_are_counted() -> None:
    longer, shorter = "(S (NP (NN a)))\n" * 3, "(S (NP (NN a)))\n"
    assert evalb(longer, shorter).surplus == (2, 0)
    assert evalb(shorter, longer).surplus == (0, 2)
    assert evalb(read_trees(longer), read_trees(shorter)).surplus == (2, 0)
