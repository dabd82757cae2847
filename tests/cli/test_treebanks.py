"""Treebanks that are not the Penn Treebank, on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.support.command import spinal

CHINESE = (
    "(TOP (IP (NP (DNP (NP (PN 我)) (DEG 的)) (NP (NN 朋友))) (VP (VV 来) (AS 了))"
    " (PU 。)))\n"
)
HISTORICAL = (
    "( (CODE <P_5>))\n\n"
    "( (IP-MAT (NP-SBJ (PRO I)) (VBP hope) (CP-THT (C 0) (IP-SUB (NP-SBJ *pro*)"
    " (BEP are) (ADJP (ADJ well)))) (. .)) (ID CHARLES,5.18))\n"
)


@pytest.fixture
def chinese(tmp_path: Path) -> Path:
    path = tmp_path / "chinese.mrg"
    path.write_text(CHINESE * 30)
    return path


def test_an_inventory_needs_nothing_else(chinese: Path) -> None:
    ran = spinal("score", chinese, chinese, "--patterns", "chinese")
    assert ran.code == 0
    assert "NP-modl" in ran.out
    assert "patterns:chinese" in ran.out
    assert "labels" not in ran.err


SUGGESTS = ("score", "agree", "patterns", "check", "domains", "compare", "errors")
SUGGESTS_TOO = ("derive", "instances", "breakdown")


@pytest.mark.parametrize(
    "command",
    [*SUGGESTS, *SUGGESTS_TOO, pytest.param("report", marks=pytest.mark.slow)],
)
def test_the_right_label_set_is_suggested(
    command: str, chinese: Path, tmp_path: Path
) -> None:
    adverbs = [" (ADVP (AD 很))" * count for count in range(12)]  # productions differ
    chinese.write_text(
        "".join(f"(TOP (IP (NP (NN 人)){one} (VP (VV 来))))\n" for one in adverbs)
    )
    given = {
        "patterns": ["check", chinese],
        "check": [chinese],
        "domains": [f"a={chinese}:{chinese}", f"b={chinese}:{chinese}"],
        "compare": [chinese, f"a={chinese}", f"b={chinese}", "--resamples", "10"],
        "breakdown": [chinese, chinese, "--by", "tag", "--resamples", "10"],
        "report": [chinese, chinese, "--html", tmp_path / "page.html"],
    }
    arguments = given.get(command, [chinese, chinese])
    ran = spinal(command, *arguments)
    told = "these look like Penn Chinese Treebank labels: --patterns chinese"
    assert ran.err.count(told) == 1
    assert told not in spinal(command, *arguments, "--treebank", "chinese").err
    assert told not in spinal(command, *arguments, "-q").err


def test_evalb_deletes_what_the_treebank_says(chinese: Path) -> None:
    def words(*options: str) -> int:
        ran = spinal("evalb", chinese, chinese, *options, "--format", "json")
        return int(json.loads(ran.out)["summary"]["words"])

    assert words("--treebank", "chinese") == 30 * 5
    assert words() == 30 * 6
    # Parameters that are given still decide.
    assert words("--treebank", "chinese", "--params", "collins") == 30 * 6


@pytest.mark.slow
def test_historical_trees_are_read_as_text(tmp_path: Path) -> None:
    path = tmp_path / "charles.psd"
    path.write_text(HISTORICAL)
    ran = spinal("derive", path, "--patterns", "historical")
    assert ran.code == 0
    assert "*pro*" not in ran.out
    assert "CHARLES,5.18" in ran.out
    assert "IP-v" in ran.out
    shown = spinal("show", path, "--treebank", "historical", "--style", "line").out
    assert "(BEP are)" in shown
    assert "*pro*" not in shown


def test_a_treebank_without_an_inventory_of_its_name(chinese: Path) -> None:
    assert spinal("patterns", "list", "--treebank", "tiger").code == 0
    ran = spinal("score", chinese, chinese, "--treebank", "klingon")
    assert ran.code == 2
    assert "klingon" in ran.err


def test_one_finding_a_label_and_groups_count_all(chinese: Path) -> None:
    ran = spinal("check", chinese, "--limit", "1", "--select", "S103")
    assert re.search(r"shape: S103 unknown phrase label (IP|DNP)\n", ran.out)
    assert "and 24 more places" in ran.out
    ran = spinal("check", chinese, "--limit", "1", "--select", "S102,S109,P")
    assert " 1 findings" not in ran.out


STARRED = "(S (NP*SBJ (PRP it)) (VP (VBZ is) (NP (NN rain)) (XX #)))\n"


@pytest.mark.parametrize(
    "command", ["score", "derive", "agree", "repairs", "patterns", "check", "show"]
)
def test_separators_and_deletions_count_in_every_command(
    command: str, tmp_path: Path
) -> None:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "parsed.mrg"
    gold.write_text(STARRED * 3)
    parsed.write_text(STARRED.replace("NP*SBJ", "NP").replace(" (XX #)", "") * 3)
    options = ("--function-separator", "*", "--delete-label", "XX")
    sides = ("check", gold) if command == "patterns" else (gold, parsed)
    if command == "repairs":
        options = (*options, "--classifier", "spinal")
    if command == "check":
        plain = spinal("check", gold, "--select", "S103,P", "--format", "json")
        assert "NP*SBJ" in plain.out
        ran = spinal("check", gold, "--select", "S103,P", "--format", "json", *options)
        assert "NP*SBJ" not in ran.out
        return
    ran = spinal(command, *sides, *options)
    assert ran.code == 0
    if command == "patterns":
        assert "coverage: 12 of 12" in ran.out
        assert (
            "NP -> PRP"
            in spinal("patterns", "explain", "NP*SBJ -> PRP XX", *options).out
        )
    if command == "show":
        assert "not compared" not in ran.out


@pytest.mark.parametrize("option", ["--treebank", "--patterns"])
def test_two_names_of_one_option(option: str, chinese: Path) -> None:
    ran = spinal("evalb", chinese, chinese, option, "chinese")
    assert "treebank:chinese" in ran.out
    assert spinal("show", chinese, "1", option, "chinese").code == 0
    assert spinal("kernel", chinese, "--nearest", "1", option, "chinese").code == 0


def test_features_do_not_count_under_the_parameters_of_spmrl(tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "parsed.mrg"
    gold.write_text("(TOP (NP##n=s## (NN##g=f## a)) (VP##m=x## (VB b)))\n")
    parsed.write_text("(TOP (NP (NN a)) (VP (VB b)))\n")
    ran = spinal("evalb", gold, parsed, "--params", "spmrl", "--format", "json")
    summary = json.loads(ran.out)["summary"]
    assert (summary["matched"], summary["gold"], summary["test"]) == (2, 2, 2)
    assert summary["correct_tags"] == 2


GOOD, OPEN = "( (S (NP (NN a)) (VP (VB b))))\n", "( (S (NP (NN a)) (VP (VB b)))\n"


def test_a_malformed_parse_is_no_root_that_differs(tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "parsed.mrg"
    gold.write_text(GOOD * 30)
    parsed.write_text(GOOD * 29 + OPEN)
    ran = spinal("evalb", gold, parsed)
    assert "1 malformed parse" in ran.out
    assert "in gold and" not in ran.out + ran.err


@pytest.mark.parametrize("action", ["check", "list"])
def test_nothing_readable_is_no_success(action: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.mrg"
    bad.write_text(OPEN)
    ran = spinal("patterns", action, bad, "-q")
    assert ran.code == 2
    assert "nothing could be read" in ran.err


def test_warnings_are_limited_over_all_files(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.mrg" for name in "abc"]
    for file in files:
        file.write_text(GOOD * 30 + OPEN * 12)
    ran = spinal("patterns", "check", *files)
    assert ran.err.count("missing ')'") == 10
    assert "and 26 more" in ran.err
