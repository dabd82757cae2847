"""Parsers and earlier decisions as evidence: `check --parsed`, `--decisions`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer import check
from analyzer.checks.findings import TreeFinding
from analyzer.exceptions import PairingError, SettingsError
from tests.support.command import spinal
from tests.support.data_paths import NEWS_PAIR

RAIN = "(PP (IN in) (NP (NN rain)))"
GOLD = f"(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT a) (NN man) {RAIN})))"
# Another tag, another label, a bracket more, a bracket less, and another attachment.
RETAGGED = GOLD.replace("(NN cat)", "(NNP cat)")
RELABELLED = GOLD.replace("(PP (IN", "(ADVP (IN")
MORE = GOLD.replace("(NP (DT a) (NN man)", "(NP (NP (DT a) (NN man))")
LESS = GOLD.replace("(NP (NN rain))", "(NN rain)")
HIGHER = f"(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT a) (NN man)) {RAIN}))"


def found(*parsed: str, gold: str = GOLD) -> list[TreeFinding]:
    texts = [f"{one}\n" for one in parsed]
    return check(f"{gold}\n", parsed=texts, kind=["parsed"]).findings


@pytest.mark.parametrize(
    ("parsed", "code", "words", "message", "edit"),
    [
        (RETAGGED, "A801", "cat", "tagged NN; NNP in", ("retag", "NNP")),
        (RELABELLED, "A802", "in rain", "a bracket PP; ADVP in", ("relabel", "ADVP")),
        (MORE, "A804", "a man", "no bracket; NP in", ("add", "NP")),
        (LESS, "A803", "rain", "a bracket NP; none in", ("drop", "")),
    ],
)
def test_what_two_parsers_have_otherwise(
    parsed: str, code: str, words: str, message: str, edit: tuple[str, str]
) -> None:
    [two] = found(parsed, parsed)
    assert (two.code, two.words, two.level) == (code, words, "warning")
    assert two.message == f"{message} 2 of 2 parsers"
    assert two.edit is not None
    assert (two.edit.action, two.edit.label) == edit
    [one] = found(parsed)
    assert (one.message, one.level) == (f"{message} 1 of 1 parser", "info")
    assert found(parsed, GOLD) == []  # they do not agree with each other
    assert found(parsed, parsed, GOLD)[0].support.startswith("2 of 3 parsers")


def test_an_attachment_is_one_finding() -> None:
    """The brackets that follow from it are none, if they cross those of gold."""
    told = found(HIGHER, HIGHER)
    attached = [one for one in told if one.code == "A805"]
    assert [one.message for one in attached] == [
        "attached to man; to saw in 2 of 2 parsers"
    ]
    assert attached[0].words == "in rain"
    assert attached[0].edit is None


def test_no_chance_is_said(tmp_path: Path) -> None:
    """Counts stand where others have a chance; a finding of checks keeps its own."""
    [one] = found(LESS, LESS)
    assert one.chance is None
    assert one.how_sure == "2 of 2 parsers, 1 difference in the sentence"
    for name, text in (("gold", GOLD), ("less", LESS)):
        (tmp_path / f"{name}.mrg").write_text(f"{text}\n", "utf-8")
    run = ("check", tmp_path / "gold.mrg", "--parsed", tmp_path / "less.mrg")
    ran = spinal(*run, "--kind", "parsed")
    assert "info A803 (1 of 1 parser, 1 difference in the sentence)" in ran.out
    assert "less.mrg: compared 1 of 1 sentences" in ran.out
    data = json.loads(spinal(*run, "--kind", "parsed", "--format", "json").out)
    assert data["findings"][0]["confidence"] is None
    assert data["findings"][0]["support"] == one.how_sure.replace("2", "1", 2).replace(
        "parsers", "parser"
    )
    page = spinal(*run, "--kind", "parsed", "--format", "html").out
    assert "(1 of 1 parser, 1 difference in the sentence, info)" in page


def test_what_a_check_and_a_parser_suggest_is_one_finding() -> None:
    good = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n"
    bad = good.replace("(NN cat)", "(NNP cat)")
    [alone] = check(good * 9 + bad, kind=["tag"]).findings
    [both] = check(good * 9 + bad, parsed=[good * 10], kind=["tag", "parsed"]).findings
    assert (both.code, both.edit, both.chance) == (alone.code, alone.edit, alone.chance)
    assert both.support == "1 of 1 parser, 1 difference in the sentence"


def test_only_where_a_parser_differs() -> None:
    good = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n"
    bad = good.replace("(NN cat)", "(NNP cat)")
    text = good * 9 + bad
    for parsed, count in ((text, 0), (good * 10, 1)):
        result = check(text, parsed=[parsed], kind=["tag"], only_differing=True)
        assert len(result.findings) == count


def test_words_that_were_decided_to_be_wrong_elsewhere(tmp_path: Path) -> None:
    good = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n"
    bad = good.replace("(NN cat)", "(NNP cat)")
    gold, decided = tmp_path / "gold.mrg", tmp_path / "d.jsonl"
    gold.write_text(good * 9 + bad, "utf-8")
    assert spinal(
        "check", gold, "--kind", "tag", "--write-decisions", decided, "-q"
    ).code
    lines = decided.read_text("utf-8").replace('"undecided"', '"error"')
    decided.write_text(lines, "utf-8")
    own = check(str(gold), decisions=str(decided), kind=["parsed"])
    assert own.findings == []  # no evidence for itself
    other = tmp_path / "other.mrg"
    other.write_text(good + bad + good.replace("NN", "JJ"), "utf-8")
    result = check(str(other), decisions=str(decided), kind=["parsed"])
    [one] = result.findings
    assert (one.code, one.line, one.level) == ("A806", 2, "warning")
    assert one.message == "NNP here; elsewhere it was decided to be NN"
    assert one.how_sure == "decided 1 time"
    [fix] = result.fixes_of(result.findings)
    assert (fix.action, fix.label) == ("retag", "NN")


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="--parsed"):
        check(GOLD, only_differing=True)
    with pytest.raises(SettingsError, match="'parsed' needs"):
        check(GOLD, kind=["parsed"])
    with pytest.raises(SettingsError, match="for sentences"):
        check(GOLD, rst=True, parsed=[GOLD])
    with pytest.raises(PairingError, match="none of the sentences"):
        check(GOLD, parsed=["(S (A a))"])


def test_a_sample_and_two_parsers() -> None:
    """Findings of several parsers are those of each, as far as they agree."""
    gold, chart = NEWS_PAIR
    one, both = (
        check(gold, parsed=[chart] * times, kind=["parsed"]) for times in (1, 2)
    )
    assert len(one.findings) == len(both.findings) > 10
    assert {place for one in both.findings for place in one.suspects} == {
        place for one in one.findings for place in one.suspects
    }
    assert both.compared[0].endswith("sentences")
