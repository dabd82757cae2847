"""`spinal check`: output, baseline, exit codes; planted slips."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from analyzer import read_trees
from analyzer.checks.findings import LeafSpan
from analyzer.checks.run import check_treebank
from analyzer.checks.sources import Location, Sources
from analyzer.checks.word_stream import WordStream
from analyzer.derivation.syntax import syntax_deriver
from tests.support.command import spinal
from tests.support.data_paths import ROOT

GOOD = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))\n"
BAD_TAG = GOOD.replace("(NN cat)", "(NNP cat)")


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    path = tmp_path / "bank.mrg"
    path.write_text(GOOD * 9 + BAD_TAG + GOOD * 9, "utf-8")
    return path


def test_findings_name_their_place(bank: Path) -> None:
    ran = spinal("check", bank)
    assert ran.code == 1
    assert ran.out.startswith(f"files in {bank.parent}/\n\ntag: NN 18×, NNP 1×\n")
    assert "\n  bank.mrg:10:28: error T501 (" in ran.out
    here, *elsewhere = [
        line for line in ran.out.splitlines() if "the [cat] sat" in line
    ]
    assert here.split() == ["NNP", "1×", "the", "[cat]", "sat", "."]
    assert [line.split()[:2] for line in elsewhere] == [
        ["NN", "18×"],
        ["the", "[cat]"],
        ["the", "[cat]"],
    ]
    assert {line.index("[") for line in (here, *elsewhere)} == {here.index("[")}
    assert ran.out.count(str(bank.parent)) == 1


def test_exit_codes(bank: Path, tmp_path: Path) -> None:
    assert spinal("check", bank, "--level", "error").code in (0, 1)
    assert spinal("check", bank, "--kind", "shape").code == 0
    assert spinal("check", bank, "--select", "S,V").code == 0
    assert spinal("check", bank, "--select", "T501").code == 1
    assert spinal("check", bank, "--select", "Z9").code == 2
    assert spinal("check", bank, "--kind", "nonsense").code == 2
    assert spinal("check", bank, "--limit", "-1").code == 2
    assert spinal("check", tmp_path / "missing.mrg").code == 2
    empty = tmp_path / "empty.mrg"
    empty.write_text("", "utf-8")
    assert spinal("check", empty).code == 2


def test_levels(tmp_path: Path) -> None:
    """A sentence annotated in two ways is a warning; a bad label is an error."""
    path = tmp_path / "bank.mrg"
    path.write_text(GOOD + BAD_TAG, "utf-8")
    assert spinal("check", path).code == 1
    assert spinal("check", path, "--level", "error").code == 0
    path.write_text(GOOD.replace("(NN cat)", "(NNX cat)"), "utf-8")
    assert spinal("check", path, "--level", "error").code == 1


def test_what_is_below_a_level_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "bank.mrg"
    path.write_text(GOOD + BAD_TAG + GOOD.replace("(NN cat)", "(NNX cat)"), "utf-8")
    levels = {}
    for level in ("error", "warning", "info"):
        ran = spinal("check", path, "--level", level, "--format", "json")
        levels[level] = {one["level"] for one in json.loads(ran.out)["findings"]}
        assert ran.code == 1
    assert levels["error"] == {"error"}
    assert levels["warning"] == {"error", "warning"}
    assert ": warning" not in spinal("check", path, "--level", "error").out


@pytest.mark.parametrize(
    ("times", "level"), [(1, "error"), (5, "error"), (8, "warning"), (6000, "info")]
)
def test_a_label_used_often_is_rather_one_that_the_set_lacks(
    times: int, level: str, tmp_path: Path
) -> None:
    path = tmp_path / "bank.mrg"
    path.write_text("(S (NP (NNX cat)) (VP (VBD sat)))\n" * times, "utf-8")
    ran = spinal("check", path, "--select", "S104", "--format", "json")
    [found] = json.loads(ran.out)["findings"]
    assert found["level"] == level
    assert (f"{times:,} times" in found["message"]) == (times > 5)


def test_an_encoding_is_told_once_a_file(tmp_path: Path) -> None:
    path = tmp_path / "bank.mrg"
    tree = "(S (NP (NN café)) (VP (VBD était)))\n"
    path.write_bytes(tree.encode("latin-1") * 30 + GOOD.encode())
    ran = spinal("check", path, "--select", "S100", "--format", "json")
    [found] = json.loads(ran.out)["findings"]
    told = "30 sentences in which bytes are not UTF-8, this the first; the file seems"
    assert found["message"].startswith(f"{told} to be in latin-1: --encoding latin-1")
    for command in ("evalb", "score", "errors"):
        ran = spinal(command, path, path)
        assert ran.err.count("UTF-8") == 1
        assert f"{path}:1: {told}" in ran.err
    assert "UTF-8" not in spinal("evalb", path, path, "--encoding", "latin-1").err


def test_labels_of_no_treebank_that_we_know(tmp_path: Path) -> None:
    path = tmp_path / "bank.mrg"
    path.write_text("(oracio (sn (nc gat)) (grup.verb (v seu) (sa (a bé))))\n" * 20)
    for command in ("check", "score"):
        inputs = [path] * (1 + (command == "score"))
        assert "these are not Penn Treebank labels" in spinal(command, *inputs).err


def test_sentences_and_lines_are_those_of_the_file(bank: Path, tmp_path: Path) -> None:
    before = tmp_path / "a.mrg"
    before.write_text(GOOD * 3, "utf-8")
    ran = spinal("check", before, bank, "--format", "json")
    found = json.loads(ran.out)["findings"]
    assert [(one["file"], one["line"], one["sentence"]) for one in found] == [
        (str(bank), 10, 10)
    ]


def test_baseline(bank: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    first = spinal("check", bank, "--write-baseline", known)
    assert first.code == 0
    again = spinal("check", bank, "--baseline", known)
    assert again.code == 0
    assert "1 known left out" in again.out
    # Lines move, the finding stays known; a new one is told of.
    text = bank.read_text("utf-8")
    bank.write_text(GOOD * 2 + text, "utf-8")
    assert spinal("check", bank, "--baseline", known).code == 0
    bank.write_text(text + GOOD.replace("(VBD sat)", "(VBN sat)"), "utf-8")
    ran = spinal("check", bank, "--baseline", known, "--format", "json")
    assert [one["words"] for one in json.loads(ran.out)["findings"]] == ["sat"]


@pytest.mark.parametrize(
    "text", ["{}", "[]", '{"version": 3, "findings": {}}', "known"]
)
def test_bad_baselines(bank: Path, tmp_path: Path, text: str) -> None:
    known = tmp_path / "known.json"
    known.write_text(text, "utf-8")
    ran = spinal("check", bank, "--baseline", known)
    assert ran.code == 2
    assert str(known) in ran.err


def test_sarif(bank: Path) -> None:
    data = json.loads(spinal("check", bank, "--format", "sarif").out)
    assert data["version"] == "2.1.0"
    assert data["$schema"].endswith("sarif-2.1.0.json")
    (run,) = data["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "spinal"
    assert run["columnKind"] == "unicodeCodePoints"
    (result,) = run["results"]
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "T501"
    assert result["level"] == "error"
    assert "cat" in result["message"]["text"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("bank.mrg")
    columns = {"startColumn": 28, "endLine": 10, "endColumn": 31}
    assert place["region"] == {"startLine": 10, **columns}
    assert 0 <= result["rank"] <= 100
    assert len(result["partialFingerprints"]["spinal/v1"]) == 16


@pytest.mark.parametrize("form", ["text", "json", "sarif", "markdown", "csv", "tsv"])
def test_formats(bank: Path, form: str) -> None:
    ran = spinal("check", bank, "--format", form)
    assert ran.code == 1
    assert "cat" in ran.out


def test_text_looks_up_only_the_places_that_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One unknown tag has hundreds of places, of which six are shown."""
    path, looked_up = tmp_path / "bank.mrg", []
    path.write_text(GOOD.replace("(NN cat)", "(NNX cat)") * 300, "utf-8")

    def location(_: Sources, place: LeafSpan) -> Location:
        looked_up.append(place.tree)
        return Location("bank.mrg", 1, 1, "", 2, 2, "cat", 4, 7)

    monkeypatch.setattr(Sources, "location", location)
    assert "and 294 more places" in spinal("check", path, "--level", "info").out
    assert max(looked_up) < 6


def test_page_has_both_trees_and_loads_nothing(bank: Path) -> None:
    page = spinal("check", bank, "--format", "html").out
    assert page.count('"svg":') == 2
    assert '"edit": "tag cat NN, not NNP"' in page or '"edit":"tag cat NN' in page
    assert "<script src" not in page
    assert "default-src &#x27;none&#x27;" in page


def test_label_sets(bank: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.txt"
    labels.write_text("# mine\nphrase S NP VP\ntag DT NN VBD .\n", "utf-8")
    ran = spinal("check", bank, "--kind", "shape", "--labels", labels, "-q")
    assert ran.code == 1
    assert "unknown tag NNP" in ran.out
    labels.write_text("words DT\n", "utf-8")
    assert spinal("check", bank, "--labels", labels).code == 2


# -- planted slips ----------------------------------------------------------------


def planting() -> Any:
    path = ROOT / "benchmarks" / "planting.py"
    spec = importlib.util.spec_from_file_location("planting", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_planted_slips_are_found() -> None:
    """The examples four times over, so that everything recurs; slips of all kinds."""
    bench = planting()
    text = (ROOT / "examples" / "web.gold.mrg").read_text("utf-8") * 4
    changed, placed = bench.planted(WordStream.of([read_trees(text)]), 36, seed=3)
    assert {slip.kind for slip in placed} == set(bench.SLIPS)
    deriver = syntax_deriver(patterns="english", parameters="collins")
    places = {
        place
        for one in check_treebank(changed, deriver)[0]
        for place in one.suspects + one.also
    }
    found = [
        any(
            one.tree == slip.place.tree
            and one.first < slip.place.last
            and slip.place.first < one.last
            for one in places
        )
        for slip in placed
    ]
    assert sum(found) >= 0.9 * len(placed)
