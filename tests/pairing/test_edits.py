"""The shortest edit of words, beside a slow definition of it."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.pairing.edits import ADDED, CHANGED, MISSING, SAME, Step, shortest_edit
from tests.support.examples import some

WORDS = st.lists(st.sampled_from(["a", "b", "ab", "abc", "c", "ba"]), max_size=7)


def slowly(gold: list[str], parsed: list[str]) -> int:
    """The number of edits, by trying every way."""

    @cache
    def cost(at: int, beside: int) -> int:
        if at == len(gold) and beside == len(parsed):
            return 0
        ways = []
        for end in range(at + 1, len(gold) + 1):
            for parsed_end in range(beside + 1, len(parsed) + 1):
                if "".join(gold[at:end]) == "".join(parsed[beside:parsed_end]):
                    ways.append(cost(end, parsed_end))
        if at < len(gold) and beside < len(parsed):
            ways.append(1 + cost(at + 1, beside + 1))
        if at < len(gold):
            ways.append(1 + cost(at + 1, beside))
        if beside < len(parsed):
            ways.append(1 + cost(at, beside + 1))
        return min(ways)

    return cost(0, 0)


@given(WORDS, WORDS)
@settings(max_examples=some(80))
def test_an_edit_goes_through_all_words_and_is_the_shortest(gold, parsed):
    steps = shortest_edit(gold, parsed)
    at = beside = edits = 0
    for step in steps:
        words = gold[at : at + step.gold]
        others = parsed[beside : beside + step.parsed]
        assert step.is_equal == ("".join(words) == "".join(others))
        edits += not step.is_equal
        at, beside = at + step.gold, beside + step.parsed
    assert (at, beside) == (len(gold), len(parsed))
    assert edits == slowly(gold, parsed)


@given(st.lists(st.text("abc", min_size=1, max_size=3), max_size=9))
def test_equal_words_are_the_same(words):
    assert shortest_edit(words, words) == [SAME] * len(words)


def test_other_tokens_are_equal_characters():
    steps = shortest_edit(
        ["New", "York-based", "."], ["New", "York", "-", "based", "."]
    )
    assert steps == [SAME, Step(1, 3, True), SAME]


def test_like_words_are_paired():
    assert shortest_edit(["the", "big", "cat"], ["the", "cats"]) == [
        SAME,
        MISSING,
        CHANGED,
    ]


def test_a_word_changes_into_one_of_its_kind_only():
    steps = shortest_edit(["cat"], ["."], gold_kinds=[True], parsed_kinds=[False])
    assert sorted(steps) == sorted([MISSING, ADDED])


def test_long_texts_are_aligned_near_the_diagonal():
    gold = [f"w{number}" for number in range(4000)]
    parsed = ["new", *gold[:2000], *gold[2001:]]
    found = [step for step in shortest_edit(gold, parsed) if step != SAME]
    assert found == [ADDED, MISSING]


def test_empty_words_are_gone_through():
    steps = shortest_edit(["", "a", ""], ["a", "", ""])
    assert sum(step.gold for step in steps) == sum(step.parsed for step in steps) == 3


def test_very_unequal_lengths_end():
    steps = shortest_edit(["a"], ["b"] * 100_000)
    assert sum(step.parsed for step in steps) == 100_000
