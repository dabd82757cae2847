"""What was left out is told by every command, and decides the exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

GOOD = "(S (NP (PRP I)) (VP (VBP see)))\n"
OTHER = "(S (NP (PRP we)) (VP (VBP see)))\n"
MALFORMED = "(S (NP (PRP I)\n"
DIS = """\
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!it rained_!) )
  ( Satellite (leaf 2) (rel2par cause) (text _!we left_!) )
)
"""
WEB = EXAMPLES / "web.gold.mrg", EXAMPLES / "web.chart.mrg"
PAGE: Any = pytest.param("report", marks=pytest.mark.slow)
PAIR_COMMANDS = (
    *("score", "evalb", "errors", "agree", "compare", "domains", PAGE),
    *("breakdown", "breakdown of two", "repairs", "derive"),
)


def command(name: str, gold: Path, parsed: Path, folder: Path) -> list[str]:
    """The arguments of a command that compares two sides."""
    if name == "compare":
        return [name, str(gold), f"a={parsed}", f"b={gold}", "--resamples", "5"]
    if name == "domains":
        return [name, f"a={gold}:{parsed}", f"b={gold}:{gold}"]
    if name.startswith("breakdown"):
        systems = [f"a={parsed}", f"b={gold}"] if "two" in name else [str(parsed)]
        return [name[:9], str(gold), *systems, "--by", "length", "--resamples", "5"]
    if name == "repairs":
        return [name, str(gold), str(parsed), "--classifier", "spinal"]
    if name == "report":
        return [name, str(gold), str(parsed), "--html", f"{folder}/out.html"]
    return [*name.split(), str(gold), str(parsed)]


def written(folder: Path, **texts: str) -> list[Path]:
    paths = []
    for name, text in texts.items():
        path = folder / f"{name}.mrg"
        path.write_text(text)
        paths.append(path)
    return paths


@pytest.mark.parametrize("name", PAIR_COMMANDS)
def test_a_malformed_tree_is_told_and_ends_with_2(name: str, tmp_path: Path) -> None:
    gold, parsed = written(tmp_path, g=GOOD * 3, p=GOOD * 2 + MALFORMED)
    ran = spinal(*command(name, gold, parsed, tmp_path))
    assert ran.code == 2
    assert "2 of 3 sentences; 1 left out: 1 malformed" in _told(ran.out, tmp_path)
    assert "p.mrg:3" in ran.err + ran.out


def _told(out: str, folder: Path) -> str:
    page = folder / "out.html"
    return page.read_text("utf-8") if page.exists() else out


@pytest.mark.parametrize("name", PAIR_COMMANDS)
def test_words_that_differ_are_left_out_with_0(name: str, tmp_path: Path) -> None:
    gold, parsed = written(tmp_path, g=GOOD * 3, p=GOOD * 2 + OTHER)
    ran = spinal(*command(name, gold, parsed, tmp_path), "-q")
    assert ran.code == 0
    assert ran.err == ""
    told = "2 of 3 sentences; 1 left out: 1 word mismatch"
    assert told in _told(ran.out, tmp_path)


@pytest.mark.parametrize("name", PAIR_COMMANDS[:-1])  # a derivation needs no partner
def test_nothing_scored_ends_with_2(name: str, tmp_path: Path) -> None:
    gold, parsed = written(tmp_path, g=GOOD, p=OTHER)
    ran = spinal(*command(name, gold, parsed, tmp_path), "-q")
    assert ran.code == 2
    assert ran.err


@pytest.mark.parametrize("name", ["score", "evalb", "errors", "agree"])
def test_surplus_stands_in_the_result(name: str, tmp_path: Path) -> None:
    gold, parsed = written(tmp_path, g=GOOD * 2, p=GOOD)
    ran = spinal(*command(name, gold, parsed, tmp_path), "-q")
    side = "A" if name == "agree" else "gold"
    assert ran.code == 2
    assert f"1 of 2 sentences; 1 left out: 1 only in {side}" in ran.out
    ran = spinal(*command(name, parsed, gold, tmp_path), "-q")
    other = "B" if name == "agree" else "parsed"
    assert ran.code == 2
    assert f"1 of 1 sentences; 1 only in {other}" in ran.out


def test_one_side_alone(tmp_path: Path) -> None:
    [bank] = written(tmp_path, bank=GOOD + MALFORMED)
    ran = spinal("patterns", "check", bank)
    assert ran.code == 2
    assert "read 1 of 2 sentences; 1 left out: 1 malformed" in ran.out
    ran = spinal("derive", bank)
    assert ran.code == 2
    assert "derived 1 of 2 sentences; 1 left out: 1 malformed" in ran.out
    assert "missing ')'" in ran.out
    ran = spinal("derive", bank, "--style", "json")
    assert ran.code == 2
    assert "derived 1 of 2 sentences; 1 left out: 1 malformed" in ran.err
    good, bad = json.loads(ran.out)
    assert ("note" in good, "missing ')'" in bad["note"]) == (False, True)
    assert spinal("derive", bank, "1", "-q").code == 0
    ran = spinal("check", bank)
    assert ran.code == 1  # a malformed tree is what it looks for
    assert "read 1 of 2 sentences; 1 left out: 1 malformed" in ran.out


def test_rows_alone_are_told_of_beside_them(tmp_path: Path) -> None:
    """The output of `instances` has no place for what was left out."""
    gold, parsed = written(tmp_path, g=GOOD * 3, p=GOOD + OTHER + MALFORMED)
    ran = spinal("instances", gold, parsed)
    assert ran.code == 2
    told = "1 of 3 sentences; 2 left out: 1 word mismatch, 1 malformed parse"
    assert f"looked at {told}" in ran.err
    assert len(ran.out.splitlines()) == 1 + 2 * 3
    [bad] = written(tmp_path, bad=OTHER)
    ran = spinal("instances", gold, bad, "-q")
    assert ran.code == 2
    assert "nothing could be scored" in ran.err


def test_a_malformed_tree_without_partner(tmp_path: Path) -> None:
    old, new = written(tmp_path, old=GOOD + OTHER + MALFORMED, new=GOOD)
    ran = spinal("agree", old, new, "--pair", "text", "-q")
    assert ran.code == 2
    assert "1 of 3 sentences, paired by text; 2 left out: 1 only in A" in ran.out
    old.write_text(GOOD + OTHER)
    assert spinal("agree", old, new, "--pair", "text", "-q").code == 0


@pytest.mark.parametrize(
    "name",
    [
        *(name for name in PAIR_COMMANDS if name not in (PAGE, "derive")),
        "evalb --conventions",
    ],
)
def test_json_has_the_ledger(name: str, tmp_path: Path) -> None:
    gold, parsed = written(tmp_path, g=GOOD * 3, p=GOOD * 2 + OTHER)
    ran = spinal(*command(name, gold, parsed, tmp_path), "--format", "json", "-q")
    ledger = json.loads(ran.out)["ledger"]
    # Beside another data set, or another system, of which nothing is left out.
    times = 2 if name in ("domains", "breakdown of two") else 1
    assert ledger["gold"] == ledger["parsed"] == 3 * times
    assert (ledger["scored"], ledger["left_out"]) == (3 * times - 1, 1)
    assert ledger["reasons"] == {"word mismatch": 1}
    assert [one["sentence"] for one in ledger["items"]] == [3]


# -- documents -----------------------------------------------------------------------


@pytest.fixture
def documents(tmp_path: Path) -> tuple[Path, Path]:
    """Two documents, of which one is not predicted."""
    for side, names in (("gold", "ab"), ("parsed", "a")):
        (tmp_path / side).mkdir()
        for name in names:
            (tmp_path / side / f"{name}.dis").write_text(DIS)
    return tmp_path / "gold", tmp_path / "parsed"


OF_DOCUMENTS = (
    *("rst score", "rst score --constructions", "rst similarity", "agree", "errors"),
    *("domains", PAGE, "compare", "kernel", "breakdown", "derive"),
)


@pytest.mark.parametrize("damage", ["missing", "malformed", "other EDUs"])
@pytest.mark.parametrize("name", OF_DOCUMENTS)
def test_documents_left_out_are_told(
    name: str, damage: str, documents: tuple[Path, Path], tmp_path: Path
) -> None:
    gold, parsed = documents
    if damage != "missing":
        cut = DIS[:60] if damage == "malformed" else DIS.replace("(leaf 2)", "(leaf 3)")
        (parsed / "b.dis").write_text(cut)
    ran = spinal(*command(name, gold, parsed, tmp_path), "-q")
    assert ran.code == 2
    assert "1 of 2 documents; 1 left out: 1 " in _told(ran.out, tmp_path)
    assert "b" in _told(ran.out, tmp_path).partition("1 left out: ")[2][:60]


def test_documents_that_are_not_predicted_can_count(
    documents: tuple[Path, Path], tmp_path: Path
) -> None:
    for name in ("rst score", "rst score --constructions", "domains", "report"):
        arguments = [*command(name, *documents, tmp_path), "-q"]
        ran = spinal(*arguments, "--on-mismatch", "zero")
        told = "2 of 2 documents; 1 counted as finding nothing: 1 only in gold (b)"
        assert told in _told(ran.out, tmp_path)
        ran = spinal(*arguments, "--on-mismatch", "error")
        assert (ran.code, "b: only in gold" in ran.err) == (2, True)
    ran = spinal(
        "rst", "score", *documents, "--on-mismatch", "zero", "--format", "json"
    )
    rows = {
        (one["encoding"], one["metric"]): one
        for one in json.loads(ran.out)["rows"]
        if one["average"] == "micro"
    }
    assert rows["dependency", "UAS"]["recall"] == 0.5
    assert rows["dependency", "UAS"]["precision"] == 1


def test_documents_alone(documents: tuple[Path, Path], tmp_path: Path) -> None:
    (documents[0] / "b.dis").write_text(DIS[:60])
    told = "1 of 2 documents; 1 left out: 1 malformed (b)"
    ran = spinal("rst", "ambiguity", documents[0], "-q")
    assert (ran.code, f"counted {told}" in ran.out) == (2, True)
    ran = spinal("rst", "ambiguity", documents[0], "-q", "--format", "json")
    assert json.loads(ran.out)["ledger"]["items"][0]["document"] == "b"
    ran = spinal("rst", "convert", documents[0], "--to", "rs3", "-o", tmp_path / "out")
    assert (ran.code, f"converted {told}" in ran.err) == (2, True)
    ran = spinal("check", "--rst", documents[0], "-q")
    assert (ran.code, f"read {told}" in ran.out) == (1, True)


# -- what to do about it -------------------------------------------------------------


@pytest.mark.parametrize("name", ["score", "evalb", "compare", "domains"])
def test_what_leaving_out_does_to_the_score(name: str, tmp_path: Path) -> None:
    gold = WEB[0].read_text().splitlines(keepends=True)
    parsed = WEB[1].read_text().splitlines(keepends=True)
    parsed[3:9] = ["(())\n"] * 6
    one, other = written(tmp_path, g="".join(gold), p="".join(parsed))
    arguments = command(name, one, other, tmp_path)
    ran = spinal(*arguments, "-q")
    assert ran.code == 0
    [line] = [line for line in ran.out.splitlines() if "was left out changes" in line]
    skip, zero = (
        float(text.rstrip(",")) for text in line.split() if text[:1].isdigit()
    )
    assert skip > zero + 0.05
    again = spinal(*arguments, "-q", "--on-mismatch", "zero")
    assert "was left out changes" not in again.out
    assert "6 counted as finding nothing: 6 failed parse" in again.out
    assert f"{zero:.2f}" in again.out
    whole = spinal(*command(name, WEB[0], WEB[1], tmp_path), "-q")
    assert "was left out changes" not in whole.out


@pytest.mark.parametrize("name", PAIR_COMMANDS)
def test_too_many_left_out(name: str, tmp_path: Path) -> None:
    gold, parsed = written(tmp_path, g=GOOD * 4, p=GOOD * 3 + OTHER)
    arguments = [*command(name, gold, parsed, tmp_path), "-q", "--max-left-out"]
    assert spinal(*arguments, "25%").code == 0
    ran = spinal(*arguments, "24.5")
    assert ran.code == 2
    assert "more than 24.5 % of gold were left out: scored 3 of 4 sentences" in ran.err
    assert spinal(*arguments, "-1").code == 2
    assert spinal(*arguments, "nan").code == 2
