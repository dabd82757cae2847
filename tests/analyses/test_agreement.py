"""Agreement of two annotations of syntax and of discourse."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import (
    InputWarning,
    LeftOutWarning,
    SettingsError,
    agree,
    derive,
    read_rst,
    read_trees,
    score,
)
from analyzer.analyses.agreement import Agreement, Kappa, cohen
from analyzer.analyses.rst_scores import score_rst
from analyzer.exceptions import PairingError
from analyzer.model.discourse import Documents, Unit
from tests.support.data_paths import EXAMPLES
from tests.support.edited_trees import SMALL
from tests.support.examples import some
from tests.support.rst_strategies import discourse_trees, tree_of
from tests.support.strategies import one_line, pair_lists

A, B = EXAMPLES / "web.chart.mrg", EXAMPLES / "web.gold.mrg"
RATIOS = ("f_h", "f_s", "att", "span_right", "span_left")


def is_perfect(result: Agreement) -> bool:
    rows = [*result.rows, result.total]
    ratios = [getattr(row, name) for row in rows for name in RATIOS]
    kappas = [row.kappa_construction for row in rows] + [row.kappa_att for row in rows]
    kappas += [one.kappa for one in result.kappas.values()]
    return {*ratios, *kappas} <= {1.0, None} and not result.groups


def turned(result: Agreement) -> list[tuple[Any, ...]]:
    """The rows, as if the sides had been given the other way round."""
    rows = [*result.rows, result.total]
    return [tuple(row._replace(a=row.b, b=row.a)) for row in rows]


def is_mirrored(one: Agreement, other: Agreement) -> bool:
    groups = {
        (key.kind, key.b, key.a): group.count for key, group in other.groups.items()
    }
    return (
        turned(one) == [tuple(row) for row in (*other.rows, other.total)]
        and one.kappas == other.kappas
        and groups == {tuple(key): group.count for key, group in one.groups.items()}
    )


def bank(trees: list[Any]) -> str:
    return "".join(one_line(tree) + "\n" for tree in trees)


def test_cohen() -> None:
    assert cohen(Counter()) == Kappa(0, None, None, None)
    assert cohen(Counter({("a", "b"): 1, ("b", "a"): 1})).kappa == -1.0
    assert cohen(Counter({("a", "a"): 7, ("b", "b"): 2})).kappa == 1.0


def test_an_annotation_agrees_with_itself() -> None:
    result = agree(str(A), str(A))
    assert is_perfect(result)
    assert result.total.f_s == result.total.att == result.total.kappa_att == 1.0
    assert is_perfect(agree(str(A), str(A), segmentation="offsets"))


def test_symmetric_on_samples() -> None:
    assert is_mirrored(agree(str(A), str(B)), agree(str(B), str(A)))
    assert is_mirrored(
        agree(str(A), str(B), segmentation="offsets"),
        agree(str(B), str(A), segmentation="offsets"),
    )


@pytest.mark.slow
@settings(deadline=None, max_examples=some(50))
@given(pair_lists())
def test_symmetric(pairs: list[tuple[Any, Any]]) -> None:
    one, other = bank([a for a, _ in pairs]), bank([b for _, b in pairs])
    assert is_mirrored(
        agree(one, other, patterns=SMALL), agree(other, one, patterns=SMALL)
    )


@pytest.mark.slow
@settings(deadline=None, max_examples=some(50))
@given(pair_lists())
def test_equals_score(pairs: list[tuple[Any, Any]]) -> None:
    one, other = bank([a for a, _ in pairs]), bank([b for _, b in pairs])
    for a, b in ((one, other), (other, one)):
        expected = score(a, b, patterns=SMALL)
        scores = {row.construction: row for row in expected.rows}
        result = agree(a, b, patterns=SMALL)
        assert len(result.rows) == len(scores)
        for row in (*result.rows, result.total):
            given_ = scores.get(row.construction, expected.total)
            assert (row.a, row.b) == (given_.gold, given_.parsed)
            for name in (*RATIOS, "matched_h", "matched_s", "matched_att"):
                assert getattr(row, name) == getattr(given_, name)


def test_kappa_of_attachment_has_the_observed_share_of_att() -> None:
    result = agree(str(A), str(B))
    assert result.kappas["attachment"].observed == pytest.approx(result.total.att)
    assert result.kappas["attachment"].n == sum(
        row.matched_h for row in result.rows if not row.recursive
    )


def test_characters_make_no_difference_to_the_same_words() -> None:
    by_words = agree(str(A), str(B))
    by_characters = agree(str(A), str(B), segmentation="offsets")
    assert by_words.rows == by_characters.rows
    assert by_words.kappas == by_characters.kappas
    assert by_words.groups == by_characters.groups


SPLIT = "(S (NP (DT The) (NN cat)) (VP (MD ca) (RB n't) (VP (VB sit))) (. .))"
WHOLE = "(S (NP (DT The) (NN cat)) (VP (MD can't) (VP (VB sit.))))"


def test_different_tokens_are_compared_by_characters() -> None:
    assert agree(SPLIT, WHOLE).ledger.scored == 0
    result = agree(SPLIT, WHOLE, segmentation="offsets")
    assert result.ledger.scored == 1
    # All four brackets end alike: the full stop counts on neither side.
    assert result.scores.tally.evalb.matched == 4
    rows = {row.construction: row for row in result.rows}
    assert rows["NP-t"].f_s == 1.0
    # `ca` and `can't` are different words, and so no matches of heads.
    assert result.kappas["tag"].n == 3
    assert is_mirrored(result, agree(WHOLE, SPLIT, segmentation="offsets"))


def test_different_texts_are_left_out() -> None:
    other = SPLIT.replace("cat", "dog")
    result = agree(SPLIT, other, segmentation="offsets")
    (item,) = result.left_out
    assert 'differ at character 4: "Thecat' in str(item.error)


def test_escapes_do_not_matter() -> None:
    one = "(NP (-LRB- -LRB-) (NN 1\\/2) (-RRB- -RRB-))"
    other = "(NP (-LRB- \uff08) (NN 1/2) (-RRB- \uff09))"
    assert agree(one, other, segmentation="offsets").ledger.scored == 0
    other = other.replace("\uff08", "-LRB-").replace("\uff09", "-RRB-")
    assert agree(one, other, segmentation="offsets").total.f_s == 1.0


def test_groups_have_examples() -> None:
    one = (
        "(S (NP (PRP I)) (VP (VBP see) (NP (NP (NN rain)) (PP (IN in) (NP (NN May))))))"
    )
    other = "(S (NP (PRP I)) (VP (VBP see) (NP (NN rain)) (PP (IN in) (NP (NN May)))))"
    groups = agree(one, other).groups
    kinds = {tuple(key): group.examples[0] for key, group in groups.items()}
    attached = kinds["attachment", "PP-t < NN", "PP-t < VBP"]
    assert (attached.word, attached.a, attached.b) == ("in", "rain", "see")
    assert kinds["construction", "NP-modr", "(nothing)"].a == "rain in May"


def corpus(*trees: Unit) -> Documents:
    return Documents.of_units([(f"d{at}", tree) for at, tree in enumerate(trees)])


def factors(result: Agreement) -> dict[str, tuple[int, float | None]]:
    return {
        row.factor: (row.matched, row.kappa.kappa if row.kappa else None)
        for row in result.documents.factors
    }


@pytest.mark.slow
@settings(deadline=None, max_examples=some(50))
@given(st.integers(2, 8).flatmap(lambda n: st.tuples(*[_of_size(n)] * 2)))
def test_documents_are_symmetric_and_equal_score(trees: tuple[Unit, Unit]) -> None:
    one, other = corpus(trees[0]), corpus(trees[1])
    result, back = agree(one, other), agree(other, one)
    assert is_mirrored(result, back)
    for row, mirrored in zip(
        result.documents.factors, back.documents.factors, strict=True
    ):
        assert row._replace(a=row.b, b=row.a) == mirrored
    links = [row for row in result.rows if not row.recursive]
    attached = sum(row.matched_att or 0 for row in links)
    # Links joined with their attachment are LAS-F of binary trees (DESIGN, 3).
    both = score_rst(_binary(one), _binary(other))
    assert attached == both.counts["dependency", "LAS-F"].micro[0]


def _binary(given_: Documents) -> Documents:
    from analyzer.transform.documents import binarize_documents

    return binarize_documents(given_, "right")


def _of_size(edus: int) -> st.SearchStrategy[Unit]:
    return discourse_trees(edus=edus).filter(
        lambda tree: sum(unit.is_edu for unit in tree.walk()) == edus
    )


def test_four_factors() -> None:
    a = corpus(tree_of("[N:span S:cause[N:list N:list]]"))
    b = corpus(tree_of("[S:cause N:span[N:list N:list]]"))
    found = factors(agree(a, b))
    # A: 2-3 to 1, 3 to 2. B: 1 to 2, 3 to 2. They share EDU 3, alike in all.
    assert [matched for matched, _ in found.values()] == [1, 1, 1, 1, 1]
    other = corpus(tree_of("[N:span S:cause[N:span S:list]]"))
    found = factors(agree(a, other))
    assert {name: matched for name, (matched, _) in found.items()} == {
        "constituent": 2,
        "attachment": 2,
        "nuclearity": 1,
        "relation": 2,
        "all": 1,
    }
    assert found["constituent"][1] == 1.0


def test_different_edus() -> None:
    one, other = tree_of("[N:span S:cause[N:list N:list]]"), tree_of("[N:span S:cause]")
    texts = (
        ["we left", "it rained", "and snowed"],
        ["we left", "it rained and snowed"],
    )
    for tree, said in zip((one, other), texts, strict=True):
        edus = (unit for unit in tree.walk() if unit.is_edu)
        for edu, text in zip(edus, said, strict=True):
            edu.text = text
    apart = agree(corpus(one), corpus(other))
    assert [item.document for item in apart.left_out] == ["d0"]
    assert not apart.documents.names
    result = agree(corpus(one), corpus(other), segmentation="offsets")
    assert factors(result)["all"][0] == 1  # the cause, from the same word to the end
    assert [row.a + row.b for row in result.documents.factors[:1]] == [3]


def test_agree_takes_documents_as_it_takes_sentences(tmp_path: Path) -> None:
    for name, relation in (("a", "cause"), ("b", "list")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "d.dis").write_text(
            "( Root (span 1 2)\n"
            "  ( Nucleus (leaf 1) (rel2par span) (text _!one_!) )\n"
            f"  ( Satellite (leaf 2) (rel2par {relation}) (text _!two_!) )\n)\n"
        )
    sides = [str(tmp_path / name) for name in ("a", "b")]
    result = agree(*sides, binarize="left")
    assert result.signature.get("binarize") == "left"
    documents = [read_rst(side) for side in sides]
    assert result.rows == agree(*documents, binarize="left").rows
    assert result.documents is not None
    assert result.documents.names == ["d"]
    assert result.documents.factors[0].f1 == 1.0  # constituent
    with pytest.raises(SettingsError, match="documents, the other sentences"):
        agree(documents[0], read_trees("(S (NN a))"))


# -- what cannot be compared ---------------------------------------------------------

ONE = "(S (NP (PRP I)) (VP (VBP see)))\n"
LONGER = "(S (NP (PRP I)) (VP (VBP see) (NP (PRP you))))\n"


@pytest.mark.parametrize("by_characters", [False, True])
def test_zero_agrees_in_nothing_and_is_symmetric(by_characters: bool) -> None:
    options: Any = {"on_mismatch": "zero", "by_characters": by_characters}
    alone = agree(ONE, ONE)
    found = agree(ONE + ONE, ONE + LONGER, **options)
    other = agree(ONE + LONGER, ONE + ONE, **options)
    assert is_mirrored(found, other)
    assert (found.total.a, found.total.b) == (6, 7)
    assert found.total.matched_h == alone.total.matched_h == 3
    assert found.ledger.scored == 2
    assert found.ledger.as_json()["counted_as_zero"] == 1
    assert "mismatch:zero" in str(found.signature)
    with pytest.raises(PairingError, match="differ"):
        agree(ONE, LONGER, on_mismatch="error", by_characters=by_characters)
    with pytest.raises(SettingsError, match="offsets"):
        agree(ONE, LONGER, on_mismatch="align")


def test_zero_of_documents() -> None:
    both = read_rst("(NS-Cause (1) (2))")
    other = read_rst("(NS-Cause (1) (NN-List (2) (3)))")
    with pytest.warns(LeftOutWarning):
        skipped = agree(both, other)
    assert skipped.total.a == 0
    found = agree(both, other, on_mismatch="zero")
    assert is_mirrored(found, agree(other, both, on_mismatch="zero"))
    assert (found.total.a, found.total.b, found.total.matched_h) == (3, 5, 0)
    assert (found.ledger.scored, found.ledger.gold) == (1, 1)
    same = agree(both, both, on_mismatch="zero")
    assert same.total == agree(both, both).total


@pytest.mark.slow
def test_jobs_change_nothing() -> None:
    for ask in (agree, derive):
        alone, shared = ask(A, B), ask(A, B, jobs=2)
        assert shared == alone


def test_a_bad_tree_is_told_of_once() -> None:
    with pytest.warns(InputWarning) as told:
        agree(ONE + "(S (NP (PRP I)\n", ONE, pair="text")
    assert [type(one.message) for one in told] == [LeftOutWarning]
