"""`spinal patterns`: list, check, explain."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from analyzer import load_inventory, score
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
