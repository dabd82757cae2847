"""Folders: files of the same name go together, and what has no partner is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer import evalb, score
from analyzer.exceptions import InputWarning
from analyzer.files.inputs import Input
from analyzer.pairing.tasks import paired_files
from tests.support.command import spinal
from tests.support.sharded import in_shards

LENGTHS = {"a": 3, "b": 1, "c": 2, "d": 2}


def tree(word: str) -> str:
    return f"(S (NP (NN {word})) (VP (VBZ rains)))\n"


def folder(place: Path, names: str, ending: str = ".mrg", less: int = 0) -> Path:
    """A file for each name, with trees of its own; of `a`, so many fewer."""
    place.mkdir()
    for name in names:
        trees = [tree(f"{name}{at}") for at in range(LENGTHS[name])]
        text = "".join(trees[: len(trees) - less * (name == "a")])
        (place / f"{name}{ending}").write_text(text)
    return place


def paired(gold: Path | str, parsed: Path | str) -> list[tuple[str, str]] | None:
    found = paired_files(Input.of_path(gold), Input.of_path(parsed))
    if found is None:
        return None
    return [(Path(one.name).name, Path(other.name).name) for one, other in found.pairs]


@pytest.mark.parametrize("ending", [".mrg", ".parse", ".out.mrg"])
def test_names_are_compared_with_less_and_less_of_them(
    ending: str, tmp_path: Path
) -> None:
    gold = folder(tmp_path / "gold", "abc")
    parsed = folder(tmp_path / "parsed", "acd", ending)
    expected = [(f"{name}.mrg", f"{name}{ending}") for name in "ac"]
    assert paired(gold, parsed) == expected
    assert paired(f"{gold}/*.mrg", f"{parsed}/*") == expected
    assert paired(gold / "a.mrg", parsed) is None


def test_no_name_stands_for_two_files(tmp_path: Path) -> None:
    gold = folder(tmp_path / "gold", "a", ".dev.mrg")
    (gold / "a.test.mrg").write_text(tree("x"))
    parsed = folder(tmp_path / "parsed", "a", ".test.out")
    assert paired(gold, parsed) is None


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_missing_file_moves_no_other(jobs: int, tmp_path: Path) -> None:
    gold = folder(tmp_path / "gold", "abc")
    parsed = folder(tmp_path / "parsed", "acd")
    for ask in (evalb, score):
        with pytest.warns(InputWarning, match="only in gold"):
            found = ask(gold, parsed, jobs=jobs)
        assert (found.ledger.scored, found.ledger.gold, found.ledger.parsed) == (
            5,
            6,
            7,
        )
        assert found.surplus == (1, 2)
    for run in (spinal, in_shards):
        ran = run("score", gold, parsed)
        assert ran.code == 2
        told = "5 of 6 sentences; 1 left out: 1 only in gold (b.mrg); 2 only in parsed"
        assert told in ran.out
        assert "b.mrg: " in ran.err
        assert "d.mrg: " in ran.err
        assert "has no file of this name" in ran.err


PAGE: Any = pytest.param("report", marks=pytest.mark.slow)


@pytest.mark.parametrize("command", ["evalb", "errors", "agree", "domains", PAGE])
def test_every_command_names_it(command: str, tmp_path: Path) -> None:
    gold = folder(tmp_path / "gold", "abc")
    parsed = folder(tmp_path / "parsed", "ac")
    args = [str(gold), str(parsed)]
    if command == "domains":
        args = [f"x={gold}:{parsed}", f"y={gold}:{gold}"]
    if command == "report":
        args += ["--html", str(tmp_path / "page.html")]
    ran = spinal(command, *args)
    assert ran.code == 2
    assert "b.mrg: " in ran.err
    ran = spinal("compare", gold, f"x={parsed}", f"y={gold}", "--resamples", "5")
    assert ran.code == 2
    assert "differ in length by 1 sentence" in ran.err


def test_a_file_that_is_short_moves_no_other(tmp_path: Path) -> None:
    gold = folder(tmp_path / "gold", "abc")
    parsed = folder(tmp_path / "parsed", "abc", less=1)
    with pytest.warns(InputWarning, match="only in gold"):
        found = score(gold, parsed)
    assert (found.ledger.scored, found.ledger.gold) == (5, 6)
    ran = spinal("score", gold, parsed, "-q")
    assert ran.code == 2
    assert "a.mrg differ in length by 1 sentence" in ran.err


def test_a_damaged_file_moves_no_other(tmp_path: Path) -> None:
    gold = folder(tmp_path / "gold", "abc")
    parsed = folder(tmp_path / "parsed", "abc")
    (gold / "b.mrg").write_bytes(b"\x1f\x8b damaged")
    with pytest.warns(InputWarning):
        found = score(gold, parsed)
    assert found.ledger.scored == 5
    assert {item.reason.value for item in found.ledger.items} == {
        "unreadable file",
        "only in parsed",
    }
