"""Every command that pairs says that sentences are out of step, and pairs by text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.support.command import Ran, spinal
from tests.support.shifted import PROSE, TREES, lines

COMMANDS = [
    "score G P",
    "evalb G P",
    "evalb G P --conventions",
    "errors G P",
    "repairs G P",
    "compare G a=P b=P",
    "domains x=G:P y=G:P",
    "breakdown --by length G P",
    "instances G P",
    "agree G P",
    "derive G P",
    "derive G P --style json",
    "report --html OUT G P",
]

WITHOUT_SIGNATURE = ("errors", "instances", "derive")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """What the letters of a command stand for."""
    (tmp_path / "g.mrg").write_text(lines(TREES))
    (tmp_path / "p.mrg").write_text(lines([*TREES[:3], PROSE, *TREES[3:-1]]))
    names = {"G": "g.mrg", "P": "p.mrg", "OUT": "out.html"}
    return {letter: str(tmp_path / name) for letter, name in names.items()}


def filled_in(command: str, files: dict[str, str]) -> list[str]:
    return re.sub(r"\b[A-Z]+\b", lambda found: files[found[0]], command).split()


def shown(ran: Ran, files: dict[str, str]) -> str:
    """What a command printed, or the page that it wrote."""
    page = Path(files["OUT"])
    return page.read_text() if page.exists() else ran.out + ran.err


@pytest.mark.parametrize("command", COMMANDS)
def test_out_of_step_is_told_everywhere(command: str, files: dict[str, str]) -> None:
    words = filled_in(command, files)
    ran = spinal(*words)
    assert "sentence 4, which is sentence 5 there" in ran.out + ran.err
    paired = spinal(*words, "--pair", "text")
    assert "out of step" not in paired.out + paired.err
    assert command.startswith(WITHOUT_SIGNATURE) or "pair:text" in shown(paired, files)
    assert "sentence 4, which is sentence 5 there" in shown(spinal(*words, "-q"), files)


def test_it_is_in_json(files: dict[str, str]) -> None:
    ran = spinal("score", files["G"], files["P"], "--format", "json", "-q")
    assert json.loads(ran.out)["ledger"]["out_of_step"]["sentence"] == 4
