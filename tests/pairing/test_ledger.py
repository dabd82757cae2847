"""The ledger: gold is what was scored and left out, and parts add up to the whole."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import analyzer
from analyzer.exceptions import PairingError, Place
from analyzer.pairing.ledger import Fate, Ledger, LeftOut, Reason, Surplus
from tests.support.examples import some
from tests.support.sharded import as_shards

GOOD = "(S (NP (PRP I)) (VP (VBP see)))"
OTHER_WORDS = "(S (NP (PRP we)) (VP (VBP see)))"
LONGER = "(S (NP (PRP I)) (VP (VBP see) (NP (PRP it))))"
FAILED = "(())"
MALFORMED = "(S (NP (PRP I)"
PARSES = (GOOD, OTHER_WORDS, LONGER, FAILED, MALFORMED)
a_few = settings(deadline=None, max_examples=some(15))
lines = st.lists(st.sampled_from(PARSES), min_size=1, max_size=8)


def item(reason: Reason, **more: Any) -> LeftOut:
    return LeftOut(1, reason, PairingError("why"), **more)


def is_sound(ledger: Ledger) -> bool:
    """Whether gold has as many trees as were scored and left out."""
    return ledger.gold == ledger.scored + ledger.lost


def test_the_line_that_people_read() -> None:
    failed, zero = item(Reason.FAILED), item(Reason.WORDS, fate=Fate.ZERO)
    more = Surplus(0, 2).ledger("gold.mrg", "parsed.mrg")
    ledger = Ledger("sentence", 44, 44, 43, (failed, zero)) + more
    assert ledger.text() == (
        "scored 43 of 44 sentences; 1 counted as finding nothing: 1 word mismatch; "
        "1 left out: 1 failed parse; 2 only in parsed"
    )
    short = Ledger(gold=1, parsed=1, scored=1) + Surplus(1, 0).ledger("g", "p")
    assert short.text("compared", ("A", "B")) == (
        "compared 1 of 2 sentences; 1 left out: 1 only in A"
    )


def test_documents_are_named() -> None:
    items = [item(Reason.ONLY_GOLD, document=name) for name in "abcd"]
    assert Ledger("document", 5, 1, 1, tuple(items)).text() == (
        "scored 1 of 5 documents; 4 left out: 4 only in gold (a, b, c, …)"
    )


def test_too_much_left_out_is_an_error_less_a_warning() -> None:
    ledger = Ledger(gold=4, parsed=4, scored=3, items=(item(Reason.FAILED),))
    with pytest.warns(analyzer.LeftOutWarning, match="p.mrg: scored 3 of 4 sentences"):
        ledger.check("p.mrg", 25)
    with pytest.raises(PairingError, match=r"more than 24\.9 % of gold were left out"):
        ledger.check("p.mrg", 24.9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Ledger(gold=4, parsed=4, scored=4).check("p.mrg", 0)
        warnings.simplefilter("ignore", analyzer.LeftOutWarning)
        ledger.check("p.mrg")


def analyses(gold: str, parsed: str, on_mismatch: Any) -> list[Ledger]:
    """What every analysis of sentences says was left out."""
    pair = gold, parsed
    zero = {"on_mismatch": on_mismatch}
    found = [
        analyzer.score(*pair, **zero).ledger,
        analyzer.evalb(*pair, **zero).ledger,
        analyzer.compare_conventions(*pair).ledger,
        analyzer.find_errors(*pair).ledger,
        analyzer.derive(*pair).ledger,
        analyzer.agree(*pair).ledger,
        analyzer.agree(*pair, pair="text").ledger,
    ]
    if gold.count("\n") == parsed.count("\n"):
        found.append(analyzer.compare_domains([("a", *pair)], **zero).ledger)
    return found


WHOLE = "(S (NP (PRP I)) (VP (VBP see)))"


@pytest.mark.slow
@a_few
@given(lines, lines, st.sampled_from(["skip", "zero", "align"]))
def test_gold_is_what_was_scored_and_left_out(
    gold: list[str], parsed: list[str], on_mismatch: str
) -> None:
    # Enough whole trees first that the files are known to have one a line.
    gold, parsed = ([WHOLE] * 12 + side for side in (gold, parsed))
    texts = ["".join(f"{line}\n" for line in side) for side in (gold, parsed)]
    for ledger in analyses(texts[0], texts[1], on_mismatch):
        assert is_sound(ledger), ledger.text()
        assert ledger.gold == len(gold)
        assert ledger.parsed == len(parsed)


@pytest.mark.slow
@a_few
@given(
    st.lists(st.tuples(st.sampled_from(PARSES), st.sampled_from(PARSES)), max_size=9)
)
def test_zero_is_what_skip_foretells(pairs: list[tuple[str, str]]) -> None:
    gold, parsed = ("".join(f"{one[at]}\n" for one in pairs) for at in (0, 1))
    skip, zero = (analyzer.score(gold, parsed, on_mismatch=m) for m in ("skip", "zero"))
    assert skip.f1_if_zero == zero.tally.evalb.f1
    assert zero.ledger.lost_brackets == 0
    skipped, counted = (
        analyzer.evalb(gold, parsed, on_mismatch=m) for m in ("skip", "zero")
    )
    assert skipped.f1_if_zero == counted.summary.f1
    assert skipped.ledger.lost_brackets == skip.ledger.lost_brackets


@pytest.fixture
def damaged(tmp_path: Path) -> tuple[str, str]:
    """Files of many sentences, of which some cannot be compared."""
    for side in ("gold", "parsed"):
        (tmp_path / side).mkdir()
        for file in range(3):
            kinds = PARSES if side == "parsed" else (GOOD, GOOD, MALFORMED)
            text = "".join(f"{kinds[n % len(kinds)]}\n" for n in range(400 + file))
            (tmp_path / side / f"{file}.mrg").write_text(text)
    return f"{tmp_path}/gold/*.mrg", f"{tmp_path}/parsed/*.mrg"


@pytest.mark.slow
def test_parts_add_up(damaged: tuple[str, str]) -> None:
    whole = analyzer.score(*damaged).ledger
    assert is_sound(whole)
    assert whole.gold == 1203
    assert analyzer.score(*damaged, jobs=2).ledger == whole
    with as_shards() as divided:
        assert analyzer.score(*damaged).ledger == whole
        assert analyzer.evalb(*damaged, jobs=2).ledger == whole
    assert divided == [3, 3]


def test_surplus_tells_its_files() -> None:
    ledger = Surplus(2, 0).ledger("g.mrg", "p.mrg")
    both = ledger + Surplus(0, 1).ledger("h.mrg", "q.mrg")
    assert (
        str(ledger.lengths_differ) == "g.mrg and p.mrg differ in length by 2 sentences"
    )
    assert "(and so do 1 more pair of files)" in str(both.lengths_differ)
    assert both.surplus == (2, 1)


def test_every_reason_is_told_as_json() -> None:
    place = Place("p.mrg", 3, None, 7)
    told = LeftOut(7, Reason.WORDS, PairingError("E406", place))
    data = Ledger(gold=8, parsed=8, scored=7, items=(told,), lost_brackets=3).as_json()
    assert data["reasons"] == {"word mismatch": 1}
    assert data["left_out"] == data["gold"] - data["scored"]
    assert data["items"] == [
        {
            "sentence": 7,
            "document": None,
            "trees": 1,
            "reason": "word mismatch",
            "fate": "left out",
            "file": "p.mrg",
            "line": 3,
            "code": "E406",
            "message": "p.mrg:3: sentence 7: there is no sentence that every system "
            "can be scored on",
        }
    ]


def test_an_empty_ledger_adds_nothing() -> None:
    one = Ledger(gold=3, parsed=3, scored=2, lost_brackets=5)
    assert one + Ledger() == Ledger() + one == one
