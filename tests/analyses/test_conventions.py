"""Conventions of counting brackets, side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings

from analyzer import compare_conventions, evalb, read_trees
from analyzer.transform.parameters import BUILT_IN, EvalbParameters
from tests.support.examples import some
from tests.support.naive_evalb import SlowEvalb
from tests.support.strategies import Plain, pair_lists, pair_texts

CONVENTION_GOLD = [
    "(TOP (S (NP (NP (NN a) (NN b))) (VP (VB c) (ADVP (RB d))) (. .)))",
    "(TOP (S (NP (NN a)) (, ,) (VP (VB b) (NP (NN c) (, ,) (NN d)))))",
    "(TOP (NP (NN a) (NN b)))",
    "(TOP (S " + "(NP (NN a)) " * 11 + "))",
    "(TOP (S " + "(NP (NN a)) " * 41 + "))",
]
CONVENTION_PARSED = [
    "(TOP (S (NP (NN a) (NN b)) (VP (VB c) (PRT (RB d)) (. .))))",
    "(TOP (S (NP (NN a) (, ,)) (NP (VB b) (NP (NN c)) (, ,) (NN d))))",
    "(TOP (X (NN a) (NN b)))",
    "(TOP (S " + "(NP (NN a)) " * 5 + "(NN a) " * 6 + "))",
    "(TOP (X " + "(NN a) " * 41 + "))",
]


def by_hand(
    parameters: EvalbParameters, *, as_sets: bool = False, longest: int = 1000
) -> list[tuple[int, int, int]]:
    """(matched, gold, parsed) of each sentence, from the twin's brackets."""
    twin = SlowEvalb(parameters)
    found = []
    for texts_of_pair in zip(CONVENTION_GOLD, CONVENTION_PARSED, strict=True):
        gold, parsed = (read_trees(text)[0] for text in texts_of_pair)
        if len(gold.words) > longest:
            continue
        sides = [twin.brackets(gold), twin.brackets(parsed)]
        if as_sets:
            sides = [list(dict.fromkeys(side)) for side in sides]
        found.append((len(twin.matched(*sides)), len(sides[0]), len(sides[1])))
    return found


def test_each_convention_is_what_it_says() -> None:
    scores = compare_conventions(
        "\n".join(CONVENTION_GOLD), "\n".join(CONVENTION_PARSED)
    )
    f1 = {row.name: row.f1 for row in scores.rows}
    collins = BUILT_IN["collins"]
    punctuation = (",", ":", "``", "''", ".")
    kept = tuple(label for label in collins.delete if label not in punctuation)
    rooted = tuple(label for label in collins.delete if label != "TOP")
    expected = {
        "EVALB, COLLINS.prm": by_hand(collins),
        "EVALB, new.prm": by_hand(replace(BUILT_IN["new"], quotes=())),
        "punctuation kept": by_hand(replace(collins, delete=kept)),
        "root counted (PYEVALB)": by_hand(replace(collins, delete=rooted)),
        "root not counted": by_hand(collins),
        "sets, not multisets (Stanford)": by_hand(collins, as_sets=True),
        "unlabelled": by_hand(replace(collins, labeled=False)),
        "≤ 40 words": by_hand(collins, longest=40),
        "≤ 10 words": by_hand(collins, longest=10),
        "on mismatch: zero": by_hand(collins),
        "on mismatch: align": by_hand(collins),
    }
    for name, sentences in expected.items():
        matched, gold, parsed = (sum(column) for column in zip(*sentences, strict=True))
        assert f1[name] == pytest.approx(2 * matched / (gold + parsed)), name
    each = [2 * m / (g + p) for m, g, p in by_hand(collins)]
    assert f1["mean of sentence F1 (macro)"] == pytest.approx(sum(each) / len(each))
    assert f1.keys() == {*expected, "mean of sentence F1 (macro)"}
    # A sample on which conventions agree would prove nothing.
    assert len({round(value or 0, 6) for value in f1.values()}) >= 8


def test_the_words_agree_with_the_table() -> None:
    scores = compare_conventions(
        "\n".join(CONVENTION_GOLD), "\n".join(CONVENTION_PARSED)
    )
    first, *others = scores.rows
    said = scores.in_words()
    assert said[0] == f"F1 is {100 * (first.f1 or 0):.2f} by EVALB, COLLINS.prm."
    moves = []
    for row in others:
        (line,) = [line for line in said if line.startswith(row.choice)]
        points = 100 * (row.difference or 0)
        assert row.difference == pytest.approx((row.f1 or 0) - (first.f1 or 0))
        if abs(points) < 0.005:
            assert "changes nothing" in line
            continue
        assert ("raises" if points > 0 else "lowers") in line
        assert f"by {abs(points):.2f}, to {100 * (row.f1 or 0):.2f}." in line
        moves.append((said.index(line), abs(points)))
    assert [points for _, points in sorted(moves)] == sorted(
        (points for _, points in moves), reverse=True
    )


def test_sets_count_a_unary_chain_once() -> None:
    scores = compare_conventions("(S (NP (NP (NP (NN a)))))", "(S (NP (NN a)))")
    rows_by_name = {row.name: row for row in scores.rows}
    assert rows_by_name["EVALB, COLLINS.prm"].recall == 2 / 4
    assert rows_by_name["sets, not multisets (Stanford)"].f1 == 1


@settings(deadline=None, max_examples=some(15))
@given(pair_lists())
def test_the_first_convention_is_evalb(pairs: list[tuple[Plain, Plain]]) -> None:
    scores = compare_conventions(*pair_texts(pairs))
    result = evalb(*pair_texts(pairs))
    assert scores.rows[0].f1 == result.summary.f1
    assert scores.scored_text() == result.scored_text()
    assert Counter(row.name for row in scores.rows).most_common(1)[0][1] == 1


def test_policies_for_mismatches_stand_side_by_side() -> None:
    gold = "(S (NP (NN a)) (VP (VB b)))\n" * 3
    parsed = "(S (NP (NN a)) (VP (VB b)))\n\n(S (NP (NN a)) (NP (VB c)))\n"
    rows = {row.name: row for row in compare_conventions(gold, parsed).rows}
    for name, policy in (
        ("EVALB, COLLINS.prm", "skip"),
        ("on mismatch: zero", "zero"),
        ("on mismatch: align", "align"),
    ):
        total = evalb(gold, parsed, on_mismatch=policy).summary
        found = rows[name]
        assert (found.f1, found.sentences) == (total.f1, total.valid)
    assert [row.name for row in rows.values()][-2:] == [
        "on mismatch: zero",
        "on mismatch: align",
    ]
