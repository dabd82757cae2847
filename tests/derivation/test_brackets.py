"""Brackets after deletion: what counts, with gaps, with quotes that are put back."""

from __future__ import annotations

import warnings

import pytest

from analyzer import evalb, read_trees, score
from analyzer.derivation.brackets import counted_brackets, lost_brackets
from analyzer.derivation.syntax import syntax_deriver
from analyzer.exceptions import InputWarning
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.words import align
from tests.support.edited_trees import SMALL
from tests.support.kernels import both_ways

DERIVER = syntax_deriver()


def crossing(text: str) -> Treebank:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return read_trees(text + "\n")


def with_gaps(text: str) -> list[tuple[str, int, int, bool]]:
    """Every bracket of a tree: label, span, and whether words are missing in it."""
    bank = crossing(text)
    side = align(Pair(bank, bank, 1), DERIVER.tables).gold
    found = counted_brackets(side, DERIVER.tables, with_gaps=True)
    assert found.gaps is not None
    return [
        (SYMBOLS.name(label), first, last, gap != 0)
        for label, first, last, gap in zip(
            found.label.tolist(),
            found.first.tolist(),
            found.last.tolist(),
            found.gaps.tolist(),
            strict=True,
        )
    ]


def test_what_deletion_brings_together_has_no_gap() -> None:
    """NP is `a , b` without the comma, which is deleted: `a b`, without a gap."""
    comma = "(S (NP (NN 0=a) (NN 2=b)) (VP (, 1=,) (VB 3=c)))"
    word = "(S (NP (NN 0=a) (NN 2=b)) (VP (RB 1=not) (VB 3=c)))"
    assert with_gaps(comma) == [
        ("S", 0, 3, False),
        ("NP", 0, 2, False),
        ("VP", 2, 3, False),
    ]
    assert with_gaps(word) == [
        ("S", 0, 4, False),
        ("NP", 0, 3, True),
        ("VP", 1, 4, True),
    ]
    plain = crossing("(S (NP (NN 0=a) (, 1=,) (NN 2=b)) (VP (VB 3=c)))")
    assert evalb(crossing(comma), plain).summary.matched == 3


def test_gaps_in_other_places_do_not_match() -> None:
    """Three trees whose NP begins and ends alike, with gaps that differ."""
    trees = [
        f"(S (NP (NN 0=a) {inside} (NN 4=e)) (X {outside}))"
        for inside, outside in (
            ("(NN 1=b)", "(NN 2=c) (NN 3=d)"),
            ("(NN 2=c)", "(NN 1=b) (NN 3=d)"),
            ("(NN 1=b) (NN 2=c)", "(NN 3=d)"),
        )
    ]
    for one in trees:
        matched = [evalb(crossing(one), crossing(other)) for other in trees]
        assert [result.summary.matched for result in matched] == [
            3 if one == other else 1 for other in trees
        ]


def test_a_phrase_of_deleted_words_has_no_bracket() -> None:
    assert with_gaps("(S (NP (, 0=,) (. 2=.)) (VP (VB 1=go) (RB 3=on)))") == [
        ("S", 0, 2, False),
        ("VP", 0, 2, False),
    ]


@pytest.mark.parametrize(
    ("gold", "lost"),
    [
        ("(S (NP (NN a)) (VP (VB b)))", 3),
        ("(TOP (S (NP (, ,)) (VP (VB a) (NP (NN b)))))", 3),
        ("(S (NP (NN a)) (. .))", 2),
    ],
)
def test_a_failed_parse_loses_the_brackets_that_count(gold: str, lost: int) -> None:
    """Neither deleted labels nor phrases of punctuation; the first tree is scored."""
    sides = [read_trees(f"(NP (NN x))\n{tree}\n") for tree in (gold, "(())")]
    alignment = align(Pair(*sides, 1), DERIVER.tables)
    assert lost_brackets(alignment, DERIVER.tables).tolist() == [0, lost]
    leaves = lost_brackets(alignment, DERIVER.tables, with_leaves=True)
    assert leaves.tolist() == [0, gold.count("(")]


# -- quotes: QUOTE_LABEL of EVALB's new.prm, with its own way of counting --------------

DELETED, TWO = "('' ') (X ('' '))", "(POS ') (X (POS '))"


def quoted(quotes: str) -> str:
    return f"(S (NP (NN a)) {quotes} (VP (VB b)))"


@pytest.mark.parametrize(
    ("gold", "parsed", "counts"),
    [
        # One is put back; S, NP, VP on both sides.
        ("('' ')", "(POS ')", (1, 3, 3, 3)),
        ("(POS ')", "('' ')", (1, 3, 3, 3)),
        # The first of gold is put back and moves its own index to that of the second:
        # it is put back twice, and X, which has the second, has no words.
        (DELETED, TWO, (1, 3, 3, 4)),
        (TWO, DELETED, (1, 4, 4, 4)),
        # Here that makes gold one word too long.
        ("('' ') (POS ')", "(POS ') (POS ')", (0, 0, 0, 0)),
        ("(POS ') (POS ')", "('' ') (POS ')", (1, 3, 3, 3)),
        # Other words than quotes stay deleted.
        ("('' ;)", "(POS ;)", (0, 0, 0, 0)),
    ],
)
def test_quotes_are_put_back_as_evalb_does(
    gold: str, parsed: str, counts: tuple[int, ...]
) -> None:
    def scored() -> tuple[int, ...]:
        found = score(quoted(gold), quoted(parsed), params="new")
        brackets = found.tally.evalb
        return found.ledger.scored, brackets.matched, brackets.gold, brackets.parsed

    assert both_ways(scored) == (counts, counts)


@pytest.mark.parametrize("before", ["", "(NP (NN a))"])
def test_a_quote_that_is_put_back_twice_is_one_child(before: str) -> None:
    """PRT has one tag below it, whatever number of words that counts as."""
    gold = f"(S {before} (PRT ('' ')) ('' ') (VP (VB b)))"
    parsed = f"(S {before} (PRT (POS ')) (POS ') (VP (VB b)))"

    def covered() -> tuple[int, int]:
        found = score(gold, parsed, patterns=SMALL, params="new")
        assert found.ledger.scored == 1
        return found.tally.gold_coverage.covered, found.tally.parsed_coverage.covered

    expected = (4, 4) if before else (3, 3)
    assert both_ways(covered) == (expected, expected)
