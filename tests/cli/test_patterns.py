"""`spinal patterns`: list, check, explain."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from analyzer import load_inventory, parse_inventory, score
from analyzer.exceptions import InputWarning
from tests.support.command import spinal
from tests.support.golden import FROZEN, PATTERNS, WEB


def test_list_every_pattern() -> None:
    patterns = load_inventory().patterns
    data = json.loads(spinal("patterns", "list", "--format", "json").out)["patterns"]
    assert [row["construction"] for row in data] == [one.name for one in patterns]
    assert {row["recursive"] for row in data} == {"yes", "no"}
    counted = json.loads(spinal("patterns", "list", WEB[0], "--format", "json").out)
    by_name = {row["construction"]: row["count"] for row in counted["patterns"]}
    scores = score(WEB[0], WEB[0])
    assert by_name["VP-aux"] == scores.frame().loc["VP-aux", "gold"]
    # What is uncovered is scored as X-t, but no pattern matches it.
    assert sum(by_name.values()) == scores.tally.gold_coverage.covered


def test_check_exit_codes(tmp_path: Path) -> None:
    assert spinal("patterns", "check").code == 0
    assert spinal("patterns", "check", *WEB, "--min-coverage", "90").code == 0
    ran = spinal("patterns", "check", WEB[0], *PATTERNS, "--min-coverage", "99.9")
    assert ran.code == 1
    assert "coverage is below 99.9 %" in ran.err
    assert spinal("patterns", "check", "nosuch.mrg").code == 2
    own = tmp_path / "own.pat"
    own.write_text("NP-t: ANY* (head:TAG)\n  yes: NP -> NP\nNP-u: ANY* (head:NN)\n")
    ran = spinal("patterns", "check", "--patterns", own)
    assert ran.code == 1
    assert "P101" in ran.out
    assert f"{own}:2" in ran.out
    assert "NP-t should match NP -> NP" in ran.out
    ran = spinal("patterns", "check", "--patterns", own, WEB[0], "--format", "json")
    assert ran.code == 1
    codes = {finding["code"] for finding in json.loads(ran.out)["findings"]}
    assert codes == {"P101", "P104"}
    own.write_text("NP-t: (head:\n")
    assert spinal("patterns", "check", "--patterns", own).code == 2


def test_check_counts_like_score() -> None:
    ran = spinal("patterns", "check", WEB[0], *PATTERNS, "--format", "json")
    data = json.loads(ran.out)
    result = score(WEB[0], WEB[0], patterns=load_inventory(FROZEN))
    assert data["coverage"] == result.tally.gold_coverage._asdict()
    shown = spinal(*("patterns", "check", WEB[0], *PATTERNS), "--limit", "0").out
    uncovered = re.search(r"(\d+) uncovered productions, (\d+) brackets", shown)
    assert uncovered is not None
    covered = result.tally.gold_coverage
    assert int(uncovered[2]) == covered.brackets - covered.covered
    listing = shown.split("-----\n", 1)[1].split("\n\n")[0]
    assert len(listing.splitlines()) == int(uncovered[1])


@pytest.mark.parametrize(
    ("production", "construction", "head"),
    [
        ("NP -> NP CC NP", "NP-crd", 0),
        ("NP-SBJ-1 -> NP-2 , PP-LOC", "NP-modr", 0),
        ("VP -> MD RB VP", "VP-aux", 2),
        ("NP -> NP NN PP", "NP-t", 0),  # uncovered: the default head
        ("FOO -> NP PP", "FOO-t", 1),
    ],
)
def test_explain(production: str, construction: str, head: int) -> None:
    ran = spinal("patterns", "explain", production, *PATTERNS, "--format", "json")
    assert ran.code == 0
    data = json.loads(ran.out)
    assert (data["construction"], data["head"]) == (construction, head)
    text = spinal("patterns", "explain", production, *PATTERNS).out
    assert construction in text
    assert f"child {head + 1} of" in text


@pytest.mark.parametrize("production", ["NP NP", "NP ->", "-> NP", "", "NP -> , ."])
def test_productions_that_cannot_be_explained(production: str) -> None:
    ran = spinal("patterns", "explain", production)
    assert (ran.code, ran.out) == (2, "")
    assert "cannot read the production" in ran.err or "nothing is left" in ran.err


OVERLAPPING = "NP-a: DT (head:TAG)\nNP-b: (head:TAG) NN\nNP-t: PRP (head:TAG)\n"


@pytest.mark.parametrize(
    "command",
    [
        *("score G P", "errors G P", "compare G a=P b=P", "domains x=G:P y=G:P"),
        *("breakdown --by length G P", "instances G P", "agree G P", "derive G P"),
        *("report --html OUT G P", "score G P --jobs 2"),
    ],
)
def test_patterns_that_overlap_are_told_everywhere(
    command: str, tmp_path: Path
) -> None:
    inventory = tmp_path / "mine.pat"
    inventory.write_text(OVERLAPPING)
    trees = tmp_path / "trees.mrg"
    trees.write_text("(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n" * 20)
    names = {"G": str(trees), "P": str(trees), "OUT": str(tmp_path / "out.html")}
    words = re.sub(r"\b[A-Z]+\b", lambda found: names[found[0]], command).split()
    ran = spinal(*words, "--patterns", str(inventory))
    told = f"NP-a ({inventory}:1) and NP-b ({inventory}:2)"
    assert ran.err.count(f"two patterns match NP -> DT NN: {told}") == 1
    inventory.write_text(OVERLAPPING.replace("b: (head:TAG) NN", "b: (head:NN) NN"))
    assert "two patterns" not in spinal(*words, "--patterns", str(inventory)).err


def test_patterns_that_overlap_are_in_json_and_a_warning(tmp_path: Path) -> None:
    inventory = parse_inventory(OVERLAPPING)
    trees = "(S (NP (DT the) (JJ old) (NN cat)) (NP (DT the) (NN cat)))\n"
    with pytest.warns(InputWarning, match="two patterns match NP -> DT NN"):
        found = score(trees, trees, patterns=inventory)
    [overlap] = found.ledger.as_json()["overlaps"]
    assert (overlap["first"], overlap["second_place"]) == ("NP-a", "<text>:2")
