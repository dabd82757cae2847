"""Single errors and confusions: as many as the scores say."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import read_trees, score
from analyzer.analyses.errors import NOTHING, Kind, confusions, instances
from analyzer.analyses.score import (
    ConstructionRow,
)
from analyzer.derivation.syntax import syntax_deriver
from analyzer.metrics.constructions import compare
from analyzer.pairing.in_step import SentencePair
from tests.support.edited_trees import SMALL, tree_pairs
from tests.support.scored_pairs import Pairs, texts

UNHURRIED = settings(deadline=None, max_examples=60)


def errors(pairs: Pairs, merge: dict[str, str] | None = None) -> tuple:
    """The scores, and of each kind the instances, by the same comparison."""
    deriver = syntax_deriver(patterns=SMALL, merge=merge)
    gold, parsed = (read_trees(text, keep_blank_lines=True) for text in texts(pairs))
    pair = SentencePair(gold, parsed, 1)
    comparison = compare(pair, deriver)
    found = {kind: [*instances(pair, comparison, kind)] for kind in Kind}
    chosen = {
        name: {kind: [*instances(pair, comparison, kind, name)] for kind in Kind}
        for name in deriver.constructions.listed
    }
    return (
        score(gold, parsed, patterns=SMALL, merge=merge),
        found,
        chosen,
        confusions(comparison),
    )


def expected_errors(row: ConstructionRow) -> dict[Kind, int]:
    attached = row.matched_h if row.matched_att is None else row.matched_att
    return {
        Kind.HEAD_MISSED: row.gold - row.matched_h,
        Kind.HEAD_SPURIOUS: row.parsed - row.matched_h,
        Kind.SPAN: row.matched_h - row.matched_s,
        Kind.SPAN_RIGHT: row.matched_h - row.matched_span_right,
        Kind.ATTACHMENT: row.matched_h - attached,
    }


@pytest.mark.slow
@UNHURRIED
@given(tree_pairs(), st.sampled_from([{}, {"VP-aux": "VP-t", "NP-t": "NP-modr"}]))
def test_instances_are_as_many_as_the_scores_say(
    pairs: Pairs, merge: dict[str, str]
) -> None:
    result, found, chosen, _ = errors(pairs, merge)
    totals: Counter[Kind] = Counter()
    for row in result.rows:
        expected = expected_errors(row)
        totals.update(expected)
        assert {
            kind: len(listed) for kind, listed in chosen[row.construction].items()
        } == expected
    for kind, listed in found.items():
        assert len(listed) == totals[kind]


@pytest.mark.slow
@UNHURRIED
@given(tree_pairs())
def test_instances_say_what_differs(pairs: Pairs) -> None:
    _, found, _, _ = errors(pairs)
    for kind, listed in found.items():
        assert [one.sentence for one in listed] == sorted(
            one.sentence for one in listed
        )
        for one in listed:
            sides = [side for side in (one.gold, one.parsed) if side]
            assert all(side.first <= one.position < side.last for side in sides)
            if kind is Kind.HEAD_MISSED:
                assert one.parsed is None
            elif kind is Kind.HEAD_SPURIOUS:
                assert one.gold is None
            else:
                gold, parsed = sides
                assert gold.construction == parsed.construction
                if kind is Kind.SPAN:
                    assert (gold.first, gold.last) != (parsed.first, parsed.last)
                elif kind is Kind.SPAN_RIGHT:
                    assert gold.last != parsed.last
                else:
                    assert (gold.governor, gold.governor_position) != (
                        parsed.governor,
                        parsed.governor_position,
                    )


@pytest.mark.slow
@UNHURRIED
@given(tree_pairs())
def test_confusions_sum_to_what_is_missed_and_spurious(pairs: Pairs) -> None:
    result, _, _, confused = errors(pairs)
    missed: Counter[str] = Counter()
    spurious: Counter[str] = Counter()
    for (gold, parsed), count in confused.items():
        assert gold != parsed
        missed[gold] += count
        spurious[parsed] += count
    for row in result.rows:
        assert missed[row.construction] == row.gold - row.matched_h
        assert spurious[row.construction] == row.parsed - row.matched_h
    assert {*missed, *spurious} <= {NOTHING, *(row.construction for row in result.rows)}


def test_confusions_prefer_the_same_span() -> None:
    """Of several spurious constructions, the one over the same words is 'instead'."""
    gold = [("FRAG", (("UH", "oh"), ("ADJP", (("VB", "go"),))))]
    parsed = [("FRAG", (("S", (("UH", "oh"), ("VP", (("VB", "go"),)))),))]
    *_, confused = errors([(gold, parsed)])
    assert confused == {
        ("ADJP-t", "VP-t"): 1,
        ("FRAG-t", NOTHING): 1,  # of "oh"
        (NOTHING, "S-vp"): 1,
        (NOTHING, "FRAG-t"): 1,  # of "go"
    }


def test_asking_for_a_construction_does_not_add_it() -> None:
    deriver = syntax_deriver(patterns=SMALL)
    bank = read_trees("(NP (NN a))")
    pair = SentencePair(bank, bank, 1)
    comparison = compare(pair, deriver)
    for kind in Kind:
        assert not [*instances(pair, comparison, kind, "QP-t")]
    assert deriver.constructions.listed == ["NP-t"]
