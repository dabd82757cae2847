"""Single errors and confusions: as many as the scores say."""

from __future__ import annotations

import warnings
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import LeftOutWarning, derive, find_errors, read_trees, score
from analyzer.analyses.errors import (
    LOSSES,
    NOTHING,
    OF_BRACKETS,
    ErrorsOfBlock,
    Kind,
    confusions,
    count_losses,
    lost_rows,
)
from analyzer.derivation.syntax import syntax_deriver
from analyzer.exceptions import PairingError
from analyzer.metrics.constructions import compare
from analyzer.metrics.measures import Row
from analyzer.pairing.in_step import Pair
from tests.support.edited_trees import SMALL, tree_pairs
from tests.support.examples import some
from tests.support.generated_trees import (
    GeneratedPair,
    added_after,
    changed,
    dropped,
    generated_pairs,
    split,
)
from tests.support.scored_pairs import Pairs, texts

# Function tags have scores of their own.
KINDS = [kind for kind in OF_BRACKETS if kind is not Kind.FUNCTION]
UNHURRIED = settings(deadline=None, max_examples=some(25))


def errors(pairs: Pairs, merge: dict[str, str] | None = None) -> tuple:
    """The scores, and of each kind the instances, by the same comparison."""
    deriver = syntax_deriver(patterns=SMALL, merge=merge)
    gold, parsed = (read_trees(text, keep_blank_lines=True) for text in texts(pairs))
    pair = Pair(gold, parsed, 1)
    comparison = compare(pair, deriver)
    block = ErrorsOfBlock(pair, comparison)
    found = {kind: block.sample([kind], None)[1] for kind in KINDS}
    chosen = {
        name: {kind: block.sample([kind], None, name)[1] for kind in KINDS}
        for name in deriver.constructions.listed
    }
    return (
        score(gold, parsed, patterns=SMALL, merge=merge),
        found,
        chosen,
        confusions(comparison),
    )


def expected_errors(row: Row) -> dict[Kind, int]:
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


IN_MARCH = "(PP (IN in) (NP (NNP March)))"
GLEE = "(NP (NN glee))"
MAN = "(NP (DT a) (NN man))"
NESTED = f"(PP (IN with) (NP {GLEE} {IN_MARCH}))"


@pytest.mark.parametrize(
    ("gold", "parsed", "lost"),
    [
        (f"(NP {MAN} {IN_MARCH})", f"{MAN} {IN_MARCH}", {("NP-modr", "head"): 1}),
        (
            f"(NP {MAN} {NESTED})",
            f"(NP {MAN} (PP (IN with) {GLEE}) {IN_MARCH})",
            {("PP-t", "span"): 1, ("NP-modr", "head"): 1},
        ),
        (
            f"(NP {MAN} {NESTED})",
            f"{MAN} (PP (IN with) {GLEE}) {IN_MARCH}",
            {("PP-t", "attachment"): 1, ("NP-modr", "head"): 2},
        ),
        ("(ADJP (JJ red))", "(NP (JJ red))", {("ADJP-t", "label"): 1}),
        ("(FRAG (NP (NN rain)))", "(NP (NN rain))", {("FRAG-nt", "unary"): 1}),
        # One of the two is there, over other words than the other.
        (
            "(ADJP (JJ red)) (ADVP (RB now))",
            "(NP (JJ red)) (ADVP (RB now))",
            {("ADJP-t", "label"): 1},
        ),
    ],
)
def test_what_brackets_are_lost_to(
    gold: str, parsed: str, lost: dict[tuple[str, str], int]
) -> None:
    banks = (
        read_trees(f"(S (NP (PRP I)) (VP (VBP see) {objects}))")
        for objects in (gold, parsed)
    )
    found = count_losses(compare(Pair(*banks, 1), syntax_deriver()))
    assert {key: n for key, n in found.items() if key[0] != "VP-t"} == lost


@pytest.mark.slow
@UNHURRIED
@given(tree_pairs())
def test_losses_add_up_to_what_is_lost(pairs: Pairs) -> None:
    deriver = syntax_deriver(patterns=SMALL)
    gold, parsed = (read_trees(text, keep_blank_lines=True) for text in texts(pairs))
    comparison = compare(Pair(gold, parsed, 1), deriver)
    lost: Counter[str] = Counter()
    for (name, _), count in count_losses(comparison).items():
        lost[name] += count
    scores = score(gold, parsed, patterns=SMALL)
    assert lost == Counter(
        {row.construction: row.gold - row.matched_s for row in scores.rows}
    )
    rows, parts = lost_rows(comparison)
    assert len(set(rows.tolist())) == rows.size
    # By hand, one by one: what the parse has over the same words, and of the same head.
    of = comparison.parsed
    spans = set(zip(of.first.tolist(), of.last.tolist(), strict=True))
    heads = set(zip(of.head.tolist(), of.construction.tolist(), strict=True))
    ours = comparison.gold
    for row, part in zip(rows.tolist(), parts.tolist(), strict=True):
        name = list(LOSSES)[part]
        has_span = (int(ours.first[row]), int(ours.last[row])) in spans
        has_head = (int(ours.head[row]), int(ours.construction[row])) in heads
        if name in ("span", "attachment"):
            assert has_head
        else:
            assert has_span == (name != "head")


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
    pair = Pair(bank, bank, 1)
    comparison = compare(pair, deriver)
    for kind in OF_BRACKETS:
        assert not ErrorsOfBlock(pair, comparison).sample([kind], None, "QP-t")[1]
    assert deriver.constructions.listed == ["NP-t"]


# -- words that differ ---------------------------------------------------------------


@pytest.mark.slow
@settings(deadline=None, max_examples=some(30))
@given(
    generated_pairs(changed, added_after, dropped, split),
    st.sampled_from(["skip", "zero", "align"]),
)
def test_errors_follow_on_mismatch_as_the_scores_do(
    pair: GeneratedPair, policy: str
) -> None:
    gold, _, parsed = pair.lines
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LeftOutWarning)
        result = score(gold, parsed, patterns=SMALL, on_mismatch=policy)
        found = find_errors(
            gold, parsed, kinds=KINDS, patterns=SMALL, on_mismatch=policy
        )
    expected: Counter[Kind] = Counter()
    for row in result.rows:
        expected.update(expected_errors(row))
    assert Counter(one.kind for one, _ in found.rows) == +expected
    assert (found.ledger.scored, found.ledger.lost) == (
        result.ledger.scored,
        result.ledger.lost,
    )
    for one, words in found.rows:  # each side in its own words
        side = 0 if one.gold else 1
        assert one.sides(words)[side][one.position] == one.word


def test_each_side_is_told_in_its_own_words() -> None:
    gold = "(S (NP (PRP I)) (VP (VBP see) (NP (DT the) (NNS dogs))))"
    parsed = "(S (NP (PRP I)) (VP (VBP see)) (NP (DT these) (JJ old) (NNS dogs)))"
    found = find_errors(gold, parsed, on_mismatch="align")
    told = [(one.kind.value, one.word, one.position) for one, _ in found.rows]
    assert told == [
        ("head-missed", "see", 1),
        ("head-spurious", "see", 1),
        ("span", "see", 1),
        ("head-missed", "dogs", 3),
        ("head-spurious", "dogs", 4),
    ]
    assert "mismatch:align" in str(found.signature)
    [one] = derive(gold, parsed, on_mismatch="align").rows
    assert [spine.word for spine in one.sides[1]] == [
        "I",
        "see",
        "these",
        "old",
        "dogs",
    ]
    assert [(e.word, e.event) for e in one.events][:2] == [
        ("I", "match"),
        ("see", "match"),
    ]
    [one] = derive(gold, parsed, on_mismatch="zero").rows
    assert {event.event for event in one.events} == {"recall error"}
    for ask in (find_errors, derive):
        with pytest.raises(PairingError, match="lengths differ"):
            ask(gold, parsed, on_mismatch="error")
