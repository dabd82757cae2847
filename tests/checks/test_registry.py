"""A check is a function that declares its code; nothing else knows of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from analyzer import check
from analyzer.checks import inventory, registry
from analyzer.checks.findings import Suspect
from analyzer.checks.nodes import Nodes
from analyzer.checks.registry import CHECKS, KINDS, checks_of
from tests.support.command import spinal
from tests.support.data_paths import ROOT

BANK = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))\n"
PAGES = ("check.md", "patterns.md")


def words_that_sit(nodes: Nodes) -> Iterator[Suspect]:
    for node in nodes.word_node.tolist():
        place = nodes.place(node)
        word = nodes.stream.bank[place.tree].words[place.first]
        if word == "sat":
            yield Suspect("X999", (place,), f"{word} is here", "mine: sat", 0.6)


@pytest.fixture
def own() -> Iterator[None]:
    """A check of somebody else's, of a kind of its own; gone after the test."""
    with patch.dict(CHECKS):
        registry.check("X999", "somebody sat", kind="mine")(words_that_sit)
        yield
    assert "X999" not in CHECKS
    assert "mine" not in KINDS


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("bank.mrg").write_text(BANK, "utf-8")
    return "bank.mrg"


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_check_from_elsewhere_is_run(bank: str, jobs: int) -> None:
    assert [one.code for one in check(bank, jobs=jobs).findings] == ["X999"]
    assert [one.code for one in check(bank, kinds=["mine"]).findings] == ["X999"]
    assert check(bank, ignore=["X"]).findings == []
    (found,) = check(bank, select=["X999"]).findings
    assert (found.kind, found.level, found.words) == ("mine", "warning", "sat")
    assert found.context == "the cat [sat] ."
    assert len(found.fingerprint) == 16


@pytest.mark.usefixtures("own")
def test_it_is_printed_in_all_formats(bank: str) -> None:
    text = spinal("check", bank, "--select", "X999")
    assert text.code == 1
    assert "bank.mrg:1:42: warning X999 (0.60), sentence 1" in text.out
    as_json = json.loads(
        spinal("check", bank, "--kind", "mine", "--format", "json").out
    )
    assert [one["kind"] for one in as_json["findings"]] == ["mine"]
    sarif = json.loads(spinal("check", bank, "--format", "sarif").out)["runs"][0]
    assert [one["ruleId"] for one in sarif["results"]] == ["X999"]
    (rule,) = sarif["tool"]["driver"]["rules"]
    assert rule["shortDescription"] == {"text": "somebody sat"}
    assert "X999 somebody sat" in spinal("check", bank, "--format", "html").out
    assert "sat is here" in spinal("check", bank, "--format", "csv").out


@pytest.mark.usefixtures("own")
def test_its_findings_can_be_known(bank: str, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    assert spinal("check", bank, "--write-baseline", known).code == 0
    ran = spinal("check", bank, "--baseline", known)
    assert (ran.code, "1 known left out" in ran.out) == (0, True)


def test_a_code_means_one_thing() -> None:
    assert inventory.check_patterns  # whose checks are those of inventories
    kinds = [*KINDS, "inventory", "discourse"]
    assert {one.code for one in checks_of(kinds)} == CHECKS.keys()
    assert len({one.text for one in CHECKS.values()}) == len(CHECKS)
    with pytest.raises(ValueError, match="S101"):
        registry.check("S101", "another", kind="shape")


def test_the_documentation_has_all_codes() -> None:
    text = "".join((ROOT / "docs" / name).read_text("utf-8") for name in PAGES)
    assert CHECKS.keys() <= set(re.findall(r"\b[A-Z]\d{3}\b", text))
