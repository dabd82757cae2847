"""Sentences that stand beside their neighbours, and pairs by what sentences say."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import analyzer
from analyzer.pairing.ledger import Ledger
from tests.support.examples import some
from tests.support.shifted import PROSE, TREES, lines


def scored(gold: list[str], parsed: list[str], **options: Any) -> Ledger:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return analyzer.score(lines(gold), lines(parsed), **options).ledger


@pytest.mark.parametrize(
    "parsed",
    [
        [*TREES[:3], PROSE, *TREES[3:]],  # one more
        [*TREES[:3], PROSE, *TREES[3:-1]],  # as many as gold has
        [*TREES[:3], "", *TREES[3:-1]],  # a failed parse too many
    ],
)
@pytest.mark.parametrize("on_mismatch", ["skip", "zero", "align"])
def test_the_first_place_is_told(parsed: list[str], on_mismatch: str) -> None:
    ledger = scored(TREES, parsed, on_mismatch=on_mismatch)
    assert ledger.scored == (3 if on_mismatch == "skip" else 8)
    assert ledger.out_of_step
    assert ledger.out_of_step.fields["sentence"] == 4
    assert ledger.out_of_step.fields["other"] == 5
    assert "sentence 4, which is sentence 5 there (<text>:5)" in ledger.text()
    told = ledger.as_json()["out_of_step"]
    assert (told["code"], told["sentences"]) == ("E241", 4)


def test_it_is_a_warning_in_python() -> None:
    with pytest.warns(analyzer.LeftOutWarning, match="out of step: 7 sentences"):
        analyzer.evalb(lines(TREES), lines([PROSE, *TREES[:-1]]))


@pytest.mark.parametrize(
    "parsed",
    [
        TREES,
        [TREES[0].replace("rain", "hail"), *TREES[1:]],  # other words
        [TREES[0].replace("(DT the) (NN rain)", "(NN therain)"), *TREES[1:]],
        ["", *TREES[1:]],
    ],
)
def test_other_words_are_not_another_place(parsed: list[str]) -> None:
    assert scored(TREES, parsed).out_of_step is None


def test_sentences_too_short_to_be_known_by() -> None:
    yes, no = "(X (UH yes))", "(X (UH no))"
    assert scored([yes, no], [no, yes]).out_of_step is None


def test_files_are_told_apart() -> None:
    """The sentences of one data set are not looked for in another."""
    one, other = (scored([a], [b]) for a, b in (TREES[:2], TREES[1::-1]))
    assert one.out_of_step is None
    renamed = tuple(
        item._replace(error=item.error.at(analyzer.exceptions.Place("other.mrg", 1)))
        for item in other.items
    )
    assert (one + Ledger(items=renamed)).out_of_step is None


@pytest.mark.parametrize(
    "parsed",
    [
        TREES,
        [*TREES[:3], PROSE, *TREES[3:]],
        [tree for one in TREES for tree in (one, "")],
        TREES[::-1],
    ],
)
def test_pairs_by_text(parsed: list[str]) -> None:
    ledger = scored(TREES, parsed, pair="text")
    assert (ledger.gold, ledger.scored) == (8, 8)
    assert ledger.out_of_step is None
    assert ledger.text().startswith("scored 8 of 8 sentences, paired by text")


def test_what_has_no_partner_by_text() -> None:
    parsed = [*TREES[4:], "(S (NP (DT another) (NN sentence)))", *TREES[:3]]
    ledger = scored(TREES, parsed, pair="text")
    assert (ledger.gold, ledger.parsed, ledger.scored) == (8, 8, 7)
    assert ledger.surplus == (1, 1)
    assert [item.sentence for item in ledger.items] == [4, 5]
    assert ledger.lost_brackets == 4
    zero = scored(TREES, parsed, pair="text", on_mismatch="zero")
    assert (zero.scored, zero.lost_brackets) == (8, 0)


def test_changed_words_between_sentences_that_fit() -> None:
    changed = TREES[3].replace("stopped", "ended")
    parsed = [*TREES[:3], PROSE, changed, *TREES[4:]]
    ledger = scored(TREES, parsed, pair="text", on_mismatch="align")
    assert ledger.scored == 8
    assert ledger.as_json()["aligned"] == 1


@settings(deadline=None, max_examples=some(30))
@given(st.permutations(range(8)), st.randoms(use_true_random=False))
def test_order_does_not_matter_by_text(order: list[int], draw: random.Random) -> None:
    parsed = [tree.replace("VBD", draw.choice(["VBD", "VBN"])) for tree in TREES]
    parsed[draw.randrange(8)] = TREES[0].replace("(NP ", "(ADJP ")
    gold = [*TREES[:7], TREES[0]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one, other = (
            analyzer.evalb(lines(gold), lines(side), pair="text", by_label=True)
            for side in (parsed, [parsed[n] for n in order])
        )
    if parsed.count(parsed[0]) == len({*parsed}):  # no two say the same
        assert one.summary == other.summary
    assert one.ledger.scored == other.ledger.scored


def test_an_unknown_way_to_pair() -> None:
    with pytest.raises(analyzer.SettingsError, match="no pairing 'name'"):
        analyzer.score(TREES[0], TREES[0], pair="name")
