"""--group-by: one data set as several, alike in every command that has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import spinal

TREE = "(S (NP (PRP I)) (VP (VBP see)))\n"
COMMANDS: Any = ("domains", pytest.param("report", marks=pytest.mark.slow))


@pytest.fixture
def pair(tmp_path: Path) -> str:
    """Five sentences, as a data set."""
    for name in ("gold", "parsed"):
        (tmp_path / name).write_text(TREE * 5)
    return f"all={tmp_path / 'gold'}:{tmp_path / 'parsed'}"


def grouped(command: str, pair: str, sidecar: Path, *more: object) -> tuple[int, str]:
    """Exit code and messages of a command with a file of groups."""
    if command == "report":
        more = (*more, "--html", sidecar.with_suffix(".html"))
    ran = spinal(command, pair, "--group-by", f"{sidecar}:genre", *more)
    return ran.code, ran.err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("groups", [2, 4, 6])
def test_groups_that_are_not_the_sentences(
    command: str, groups: int, pair: str, tmp_path: Path
) -> None:
    """A file too short or too long is refused: no sentence is dropped silently."""
    sidecar = tmp_path / "side.tsv"
    sidecar.write_text("genre\n" + "news\nweb\n" * (groups // 2))
    code, told = grouped(command, pair, sidecar)
    assert code == 2
    assert f"the groups name {groups} sentences, but there are " in told
    assert not sidecar.with_suffix(".html").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_groups_of_every_sentence(command: str, pair: str, tmp_path: Path) -> None:
    sidecar = tmp_path / "side.tsv"
    sidecar.write_text("genre\nnews\nweb\nweb\nnews\nnews\n")
    assert grouped(command, pair, sidecar, "-q", "--reference", "web") == (0, "")
    if command == "report":
        page = sidecar.with_suffix(".html").read_text("utf-8")
        assert "Scored 3 of 3 sentences" in page
        assert "Scored 2 of 2 sentences" in page
        return
    options = ("--group-by", f"{sidecar}:genre", "--format", "json")
    data = json.loads(spinal(command, pair, *options).out)
    assert [one["name"] for one in data["domains"]] == ["news", "web"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reference_that_is_no_group(command: str, pair: str, tmp_path: Path) -> None:
    sidecar = tmp_path / "side.tsv"
    sidecar.write_text("genre\nnews\nweb\nweb\nnews\nnews\n")
    code, told = grouped(command, pair, sidecar, "--reference", "chat")
    assert (code, "no data set 'chat'; there are news, web" in told) == (2, True)


@pytest.mark.parametrize("command", COMMANDS)
def test_groups_are_of_one_pair(command: str, pair: str, tmp_path: Path) -> None:
    sidecar = tmp_path / "side.tsv"
    sidecar.write_text("genre\nnews\nweb\nweb\nnews\nnews\n")
    code, told = grouped(command, pair, sidecar, pair.replace("all=", "more="))
    assert (code, "one pair of files" in told) == (2, True)


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_in_no_group_is_told_apart(command: str, tmp_path: Path) -> None:
    """A file that cannot be read: nobody knows the groups of its sentences."""
    for side in ("gold", "parsed"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.mrg").write_text(TREE * 5)
    (tmp_path / "gold" / "b.mrg").write_bytes(b"\x1f\x8b damaged")
    sidecar = tmp_path / "side.tsv"
    sidecar.write_text("genre\nnews\nweb\nweb\nnews\nnews\n")
    pair = f"all={tmp_path / 'gold'}:{tmp_path / 'parsed'}"
    told = "n no group: scored 0 of 0 sentences; 1 unreadable file"
    code, messages = grouped(command, pair, sidecar)
    assert code == 2
    assert "b.mrg" in messages
    if command == "report":
        page = sidecar.with_suffix(".html").read_text("utf-8")
        assert f"I{told}" in page
        assert "Scored 3 of 3 sentences." in page
        return
    out = spinal(command, pair, "--group-by", f"{sidecar}:genre").out
    assert f"\ni{told}\n" in out
    assert "\nnews: scored 3 of 3 sentences\n" in out
