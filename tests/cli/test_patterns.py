"""`spinal patterns`: list, check, explain."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from analyzer import load_inventory, parse_inventory, score
from analyzer.checks.explanations import explain_construction
from analyzer.constructions.language import inventory_names
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


def test_a_construction_is_explained(tmp_path: Path) -> None:
    trees = tmp_path / "trees.mrg"
    trees.write_text("(S (NP (NN cats)) (VP (VBP sit)) (. .))\n" * 3)
    ran = spinal("patterns", "explain", "S-vp", str(trees))
    assert (ran.code, ran.err) == (0, "")
    told = " ".join(ran.out.split())
    assert "then any children, then the head: VP, then any number of REMAINS" in told
    assert "same pattern  SQ-vp, SINV-vp" in ran.out
    assert "3 of 9 brackets (33.33 %)" in ran.out
    assert "REMAINS  EDGE | CLAUSE | FW | CD | SYM" in ran.out
    assert f"example, {trees}:1" in ran.out
    assert "*VBP*" in ran.out  # drawn, the way to the head marked
    alone = spinal("patterns", "explain", "S-vp").out
    assert "\ncounts " not in alone
    assert "example: a production" in alone
    found = json.loads(
        spinal("patterns", "explain", "S-vp", str(trees), "--format", "json").out
    )
    assert (found["count"], found["brackets"], found["recursive"]) == (3, 9, False)
    assert found["productions"] == {"S -> NP VP": 3}
    assert found["example"] == "(S (NP (NN cats)) (VP (VBP sit)))"
    assert found["head_word"] == 1


@pytest.mark.parametrize("name", inventory_names())
def test_every_construction_can_be_explained(name: str) -> None:
    inventory = load_inventory(name)
    for pattern in inventory.patterns:
        found = explain_construction(pattern.name, patterns=inventory)
        assert found.words.count("the head: ") == 1
        assert found.words.count("[") == found.words.count("]")
        known = {one.name for one in found.classes}
        for one in found.classes:  # whatever is named is explained
            assert known >= {
                other
                for other in re.findall(r"\b[A-Z]+\b", one.members)
                if other in _classes(inventory.text)
            }


def _classes(text: str) -> set[str]:
    return set(re.findall(r"^(?:class|mark) (\w+) =", text, re.M))


def test_a_pattern_in_words() -> None:
    given = parse_inventory(
        "mark COMMA = ','\n# what follows\nclass TAIL = PP | 'S'\n"
        "NP-x: (?!CONJ) (DT | TAG COMMA)* (head:NN|NP) TAIL{1,2} ANY* (?!ANY)\n"
    )
    found = explain_construction("NP-x", patterns=given)
    assert found.words == (
        "not before [CONJ], then any number of [either (DT), or (TAG, then a COMMA)], "
        "then the head: NN or NP, then 1 to 2 of TAIL, then any children at the end"
    )
    assert ("TAIL", "PP | 'S'", "what follows") in found.classes


def test_a_construction_that_is_none() -> None:
    ran = spinal("patterns", "explain", "NP-crdx")
    assert (ran.code, ran.out) == (2, "")
    assert "near it: NP-crd" in ran.err


def test_explain_sees_punctuation() -> None:
    ran = spinal("patterns", "explain", "NP -> NNP , NNP CC NNP")
    assert "head: NNP, child 1 of 4" in ran.out
    assert spinal("patterns", "explain", "NP -> NNP NNP CC NNP").out != ran.out


OVERLAPPING = "NP-a: DT (head:TAG)\nNP-b: (head:TAG) NN\nNP-t: PRP (head:TAG)\n"


@pytest.mark.parametrize(
    "command",
    [
        *("score G P", "errors G P", "compare G a=P b=P", "domains x=G:P y=G:P"),
        *("breakdown --by length G P", "instances G P", "agree G P", "derive G P"),
        *("report --html OUT G P", "score G P --jobs 2", "patterns list G"),
        *("check G", "check G --jobs 2", "check G --kind tag"),
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
