"""What must always hold of construction scores, whatever the trees; and the results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import ConstructionScores, evalb, score
from analyzer.analyses.score import SentenceRow, row_fields
from analyzer.exceptions import InputError, SettingsError, TreeSyntaxError
from analyzer.pairing.ledger import Reason
from analyzer.transform.parameters import BUILT_IN, EvalbParameters
from tests.support.data_paths import EXAMPLES, SYNTAX, needs_shared_data
from tests.support.edited_trees import SMALL, tree_pairs
from tests.support.examples import some
from tests.support.scored_pairs import Pairs, scored, texts
from tests.support.strategies import Plain, pair_lists

UNHURRIED = settings(deadline=None, max_examples=some(25))
COUNTS = row_fields()[2:9]


def counted(result: ConstructionScores) -> dict[str, tuple[int | None, ...]]:
    return {
        row.construction: tuple(getattr(row, name) for name in COUNTS)
        for row in (*result.rows, result.total)
    }


# -- identities ----------------------------------------------------------------------


def assert_perfect(result: ConstructionScores) -> None:
    for row in (*result.rows, result.total):
        assert row.gold == row.parsed == row.matched_h == row.matched_s
        assert row.matched_span_right == row.matched_span_left == row.gold
        if row.construction != "total":
            assert row.matched_att == (None if row.recursive else row.gold)
        ratios = (row.f_h, row.f_s, row.att, row.span_right, row.span_left)
        assert set(ratios) <= {1.0, None}
    assert result.reconciliation.same_head_other_construction == 0
    assert result.reconciliation.other_head == 0


@pytest.mark.slow
@UNHURRIED
@given(tree_pairs())
def test_the_reconciliation_adds_up(pairs: Pairs) -> None:
    result = scored(pairs)
    assert sum(result.reconciliation) == result.tally.evalb.matched
    assert min(result.reconciliation) >= 0
    assert result.reconciliation.same_head_same_construction == result.total.matched_s


@pytest.mark.slow
@UNHURRIED
@given(tree_pairs())
def test_no_score_is_out_of_order(pairs: Pairs) -> None:
    """A longer key matches less; nothing matches more than there is."""
    result = scored(pairs)
    for row in (*result.rows, result.total):
        assert row.matched_s <= min(row.matched_span_right, row.matched_span_left)
        assert max(row.matched_span_right, row.matched_span_left) <= row.matched_h
        assert row.matched_h <= min(row.gold, row.parsed)
        assert (row.matched_att or 0) <= row.matched_h
    assert result.total.gold == result.tally.brackets.gold
    assert result.total.parsed == result.tally.brackets.parsed
    shares = [row.share_gold for row in result.rows if row.share_gold is not None]
    assert sum(shares) == pytest.approx(1.0 if result.total.gold else 0.0)


# Under these a wrapper can be matched with a bracket that has a construction.
UNLABELLED = replace(BUILT_IN["collins"], name="unlabelled", labeled=False)
ROOT_IS_S = replace(BUILT_IN["none"], name="equal", equal_labels=(("ROOT", "S"),))


def assert_evalb_agrees(gold: str, parsed: str, parameters: EvalbParameters) -> None:
    """EVALB's counts, all and sentence by sentence; and where they go."""
    result = score(gold, parsed, patterns=SMALL, params=parameters, by_sentence=True)
    ours = result.tally
    theirs = evalb(gold, parsed, params=parameters, by_sentence=True)
    summary = theirs.summary
    assert (ours.evalb.gold, ours.evalb.parsed, ours.evalb.matched) == (
        summary.gold,
        summary.test,
        summary.matched,
    )
    assert (result.ledger.gold, result.ledger.scored) == (
        summary.sentences,
        summary.valid,
    )
    matched = [row.evalb_matched for row in result.sentence_rows]
    assert theirs.sentences is not None
    assert matched == theirs.sentences.matched.tolist()
    assert sum(result.reconciliation) == summary.matched
    assert min(result.reconciliation) >= 0


@pytest.mark.slow
@UNHURRIED
@given(tree_pairs(), st.sampled_from([*BUILT_IN.values(), UNLABELLED, ROOT_IS_S]))
def test_evalb_counts_are_those_of_evalb(
    pairs: Pairs, parameters: EvalbParameters
) -> None:
    assert_evalb_agrees(*texts(pairs), parameters)


@pytest.mark.slow
@UNHURRIED
@given(pair_lists())
def test_evalb_counts_are_those_of_evalb_on_odder_trees(
    pairs: list[tuple[Plain, Plain]],
) -> None:
    as_roots = [([gold], [parsed]) for gold, parsed in pairs]
    assert_evalb_agrees(*texts(as_roots), BUILT_IN["collins"])


@pytest.mark.slow
@UNHURRIED
@given(tree_pairs())
def test_chunks_sum_to_the_whole(pairs: Pairs) -> None:
    gold, parsed = texts(pairs)
    whole = score(gold, parsed, patterns=SMALL, by_sentence=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", 40)
        chunks = score(gold, parsed, patterns=SMALL, by_sentence=True)
    assert counted(chunks) == counted(whole)
    assert chunks.reconciliation == whole.reconciliation
    assert chunks.sentence_rows == whole.sentence_rows
    assert chunks.tally == whole.tally
    assert [str(item) for item in chunks.left_out] == [
        str(item) for item in whole.left_out
    ]


@pytest.mark.slow
@UNHURRIED
@given(tree_pairs())
def test_sentences_sum_to_the_total(pairs: Pairs) -> None:
    result = scored(pairs, by_sentence=True)
    rows = result.sentence_rows
    assert [row.sentence for row in rows] == [*range(1, len(pairs) + 1)]
    total = result.total
    for name in ("gold", "parsed", "matched_h", "matched_s"):
        assert sum(getattr(row, name) for row in rows) == getattr(total, name)
    assert sum(row.evalb_matched for row in rows) == result.tally.evalb.matched


# -- folding rows --------------------------------------------------------------------

POSSESSIVE = "(S (NP (NNP Ann) (POS 's)) (VP (VBZ is)))\n"
MISTAGGED = "(S (NP (NNP Ann) (VBZ 's)) (VP (VBZ is)))\n"


def test_rows_are_folded_before_they_are_matched() -> None:
    """Both sides have an NP of Ann, NP-pos in gold and NP-t in the parse."""
    counts = ["gold", "parsed", "matched_h", "matched_s", "matched_att"]
    apart = score(POSSESSIVE, MISTAGGED).frame()
    assert apart.loc["NP-pos", counts].tolist() == [1, 0, 0, 0, 0]
    assert apart.loc["NP-t", counts].tolist() == [0, 1, 0, 0, 0]
    folded = score(POSSESSIVE, MISTAGGED, merge={"NP-pos": "NP-t"})
    assert "NP-pos" not in folded.frame().index
    assert folded.frame().loc["NP-t", counts].tolist() == [1, 1, 1, 1, 1]
    assert folded.signature.get("merged") == "NP-pos=NP-t"
    # In the reconciliation, too, they are now the same construction.
    assert tuple(score(POSSESSIVE, MISTAGGED).reconciliation) == (2, 1, 0, 0)
    assert tuple(folded.reconciliation) == (3, 0, 0, 0)


def test_merging_what_is_not_there() -> None:
    with pytest.raises(SettingsError, match="cannot merge NP-foo: no construction"):
        score(POSSESSIVE, MISTAGGED, merge={"NP-foo": "NP-t"})


# -- results -------------------------------------------------------------------------


def test_frames() -> None:
    result = score(
        str(EXAMPLES / "news.gold.mrg"),
        str(EXAMPLES / "news.chart.mrg"),
        by_sentence=True,
    )
    frame = result.frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame.index.name == "construction"
    assert [*frame.columns] == [*row_fields()[1:]]
    assert frame.index[-1] == "total"
    body = frame.drop("total")
    assert body["gold"].is_monotonic_decreasing
    for name in ("gold", "parsed", "matched_h", "matched_s", "matched_span_right"):
        assert body[name].sum() == frame.loc["total", name]
    assert body["matched_att"].isna().equals(body["recursive"])
    assert body["matched_att"].sum() == frame.loc["total", "matched_att"]
    plain = body[~body["recursive"]]
    assert frame.loc["total", "att"] == pytest.approx(
        plain["matched_att"].sum() / plain["matched_h"].sum()
    )
    sentences = result.sentences_frame()
    assert [*sentences.columns] == [*SentenceRow._fields]
    assert len(sentences) == result.ledger.gold == 44


def test_sentences_must_be_asked_for() -> None:
    with pytest.raises(SettingsError, match="by_sentence=True"):
        _ = score("(NP (NN a))", "(NP (NN a))").sentence_rows


def test_ratios_by_hand() -> None:
    gold = "(NP (NN a))\n(NP (NN b))\n(NP (NN c) (NN d))\n"
    parsed = "(NP (NN a))\n(X (NN b))\n(NP (NN c)) (NP (NN d))\n"
    row = score(gold, parsed).frame().loc["NP-t"]
    assert row[["gold", "parsed", "matched_h", "matched_s"]].tolist() == [3, 3, 2, 1]
    assert row["f_h"] == pytest.approx(2 / 3)
    assert row["f_s"] == pytest.approx(1 / 3)
    assert row["span_right"] == 1
    assert row["span_left"] == pytest.approx(1 / 2)
    assert row["share_gold"] == 1
    assert row["att"] == 1


def test_nothing_to_divide_by_is_none() -> None:
    total = score("(NN a)", "(NN a)").total
    assert total.gold == total.parsed == 0
    assert total.f_h is total.f_s is total.att is total.share_gold is None


def test_sentences_that_cannot_be_compared_are_named() -> None:
    gold = "(NP (NN a))\n(NP (NN b))\n(NP (NN c))\n(NP (NN d))\n"
    parsed = "(NP (NN a))\n(())\n(NP (NN x))\n(NP (NN d) (NN e))\n"
    result = score(gold, parsed)
    assert [(one.sentence, one.reason) for one in result.left_out] == [
        (2, Reason.FAILED),
        (3, Reason.WORDS),
        (4, Reason.LENGTH),
    ]
    assert (result.ledger.scored, result.ledger.gold) == (1, 4)
    assert result.scored_text() == (
        "scored 1 of 4 sentences; 3 left out: 1 failed parse, 1 word mismatch, "
        "1 length mismatch"
    )


def test_surplus_and_bad_input(tmp_path: Path) -> None:
    one = "(NP (NN a))\n"
    assert score(one * 3, one).surplus == (2, 0)
    with pytest.raises(InputError):
        score(str(tmp_path / "nosuch.mrg"), one)
    with pytest.raises(TreeSyntaxError):
        score(one, "(NP (NN a)\n", strict=True)


def test_the_signature_names_everything_that_matters() -> None:
    one = "(NP (NN a))\n"
    signature = score(one, one, patterns=SMALL).signature
    assert signature.get("patterns") == f"small/{SMALL.hash}"
    assert signature.get("params") == "collins"
    assert signature.get("wrappers") == "no construction"
    assert signature != score(one, one, patterns=SMALL, params="none").signature


@needs_shared_data
@pytest.mark.parametrize("parser", ["berkeley-sm1", "berkeley-sm4"])
def test_evalb_counts_on_real_trees(parser: str) -> None:
    gold, parsed = SYNTAX / "gold/dev.gold.mrg", SYNTAX / f"parsed/dev.{parser}.mrg"
    assert_evalb_agrees(str(gold), str(parsed), BUILT_IN["collins"])


@needs_shared_data
def test_real_gold_against_itself() -> None:
    gold = str(SYNTAX / "gold/dev.gold.mrg")
    assert_perfect(score(gold, gold))
