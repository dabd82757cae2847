"""What became of gold's words in a parse."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from analyzer import read_trees
from analyzer.pairing.edits import (
    WordCounts,
    word_counts,
    word_totals,
    words_are_equal,
    words_of,
)
from tests.support.examples import some
from tests.support.generated_trees import (
    added_after,
    changed,
    dropped,
    generated_pairs,
    split,
)

GOLD = ["the", "old", "man", "can", "not", "swim", "-LRB-", "."]


@pytest.mark.parametrize(
    ("parsed", "expected"),
    [
        (GOLD, WordCounts(8)),
        (["the", "old", "man", "cannot", "swim", "-LRB-", "."], WordCounts(6, 2)),
        (["the", "old", "man", "can", "not", "swim", "(", "."], WordCounts(7, 1)),
        (["the", "old", "men", *GOLD[3:]], WordCounts(7, 0, 1)),
        (["The", *GOLD[1:]], WordCounts(7, 0, 1)),
        ([*GOLD[:1], *GOLD[2:]], WordCounts(7, 0, 0, 1)),
        ([*GOLD, "!"], WordCounts(8, 0, 0, 0, 1)),
        ([], WordCounts(0, 0, 0, 8)),
        (["a", "b"], WordCounts(0, 0, 2, 6)),
    ],
)
def test_words_are_counted(parsed, expected):
    counts = word_counts(GOLD, parsed)
    assert counts == expected
    assert counts.is_faithful == (parsed == GOLD)


@given(generated_pairs(changed, added_after, dropped, split))
@settings(max_examples=some(100))
def test_counts_add_up_to_the_words_of_gold(pair):
    gold, right, parsed = (read_trees(line) for line in pair.lines)
    counts = word_counts(words_of(gold, 0), words_of(parsed, 0))
    assert sum(counts) - counts.added == word_totals(gold)[0] == len(gold[0].words)
    assert words_are_equal(gold, parsed)[0] == counts.is_faithful
    assert words_are_equal(gold, right)[0]


def test_traces_are_no_words():
    gold = read_trees("(S (NP (-NONE- *T*-1)) (VP (VB go)))")
    assert words_of(gold, 0) == ["go"]
    assert words_are_equal(gold, read_trees("(S (VP (VB go)))")).all()
