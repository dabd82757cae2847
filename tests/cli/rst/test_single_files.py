"""Two single files are a pair, whatever they are called, in every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import spinal, spinal_process

CAUSE = "(NS-Cause (1) (SN-Attribution (2) (3)))"
OTHER = "(SN-Cause (NS-Elaboration (1) (2)) (3))"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    gold, mine = tmp_path / "gold.brackets", tmp_path / "mine.brackets"
    gold.write_text(CAUSE + "\n")
    mine.write_text(OTHER + "\n")
    return gold, mine


def as_dis(brackets: str, path: Path) -> Path:
    """A file that says by itself what it holds; brackets may be syntax."""
    source = path.with_suffix(".brackets")
    source.write_text(brackets)
    assert spinal("rst", "convert", source, "--to", "dis", "-o", path).code == 0
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ["rst", "score", "GOLD", "MINE"],
        ["rst", "score", "GOLD", "MINE", "--constructions"],
        ["rst", "similarity", "GOLD", "MINE"],
        ["rst", "show", "GOLD", "MINE"],
        ["errors", "GOLD", "MINE"],
        ["derive", "GOLD", "MINE"],
        ["agree", "GOLD", "MINE"],
        ["domains", "a=GOLD:MINE", "b=MINE:GOLD"],
        ["report", "GOLD", "MINE", "--html", "OUT"],
        ["compare", "GOLD", "MINE", "GOLD", "--resamples", "5"],
        ["kernel", "GOLD", "MINE", "--trees", "discourse"],
    ],
    ids=lambda value: " ".join(value[:3]),
)
def test_two_files_are_a_pair(arguments: list[str], tmp_path: Path) -> None:
    files = {
        "GOLD": as_dis(CAUSE, tmp_path / "gold.dis"),
        "MINE": as_dis(OTHER, tmp_path / "mine.dis"),
        "OUT": tmp_path / "out.html",
    }
    for name, path in files.items():
        arguments = [argument.replace(name, str(path)) for argument in arguments]
    ran = spinal(*arguments)
    assert ran.code == 0
    assert ": only in" not in ran.out + ran.err
    assert "left out" not in ran.out + ran.err


def test_several_documents_of_two_files_are_paired_by_number(tmp_path: Path) -> None:
    gold, mine = tmp_path / "gold.brackets", tmp_path / "mine.brackets"
    gold.write_text(f"{CAUSE}\n{OTHER}\n")
    mine.write_text(f"{OTHER}\n{OTHER}\n{CAUSE}\n")
    ran = spinal("rst", "score", gold, mine, "--by-document", "--format", "json", "-q")
    found = json.loads(ran.out)
    matched = {
        row["document"]: row["matched"]
        for row in found["documents"]
        if row["metric"] == "LAS-F"
    }
    assert matched == {"gold:1": 0, "gold:2": 3}
    assert found["skipped"] == [{"document": "mine:3", "reason": "only in parsed"}]


@pytest.mark.slow
def test_standard_input_is_a_single_file(pair: tuple[Path, Path]) -> None:
    gold, mine = pair
    command = ["rst", "score", "-", mine, "--format", "csv"]
    piped = spinal_process(*command, input=gold.read_bytes())
    assert piped.returncode == 0
    assert piped.stdout.decode() == spinal(*command[:2], gold, *command[3:]).out


def test_documents_of_folders_still_go_by_name(pair: tuple[Path, Path]) -> None:
    for path in pair:
        folder = path.with_suffix("")
        folder.mkdir()
        path.rename(folder / path.name)
    ran = spinal("rst", "score", *(path.with_suffix("") for path in pair))
    assert ran.code == 2
    assert "gold: only in gold" in ran.err
    assert "mine: only in parsed" in ran.err


@pytest.mark.parametrize("command", [["rst", "score"], ["agree"]])
def test_what_is_left_out_is_in_the_json(command: list[str], tmp_path: Path) -> None:
    tree = as_dis(CAUSE, tmp_path / "tree.dis").read_text()
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "both.dis").write_text(tree)
        (tmp_path / name / f"{name}.dis").write_text(tree)
    ran = spinal(*command, tmp_path / "a", tmp_path / "b", "--format", "json", "-q")
    assert [one["document"] for one in json.loads(ran.out)["skipped"]] == ["a", "b"]
