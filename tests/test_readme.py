"""The README says what the program does: its commands and its Python are run."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex

import pytest

from analyzer.cli.main import main
from tests.support.data_paths import ROOT

README = ROOT / "README.md"
_BLOCK = re.compile(
    r"^```\n\$ (?P<command>spinal [^\n]+)\n(?P<output>.*?)^```$", re.M | re.S
)


def output_of(command: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        main(shlex.split(command)[1:])
    return printed.getvalue()


@pytest.fixture(autouse=True)
def _at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")


def test_commands_print_what_the_readme_shows() -> None:
    """UPDATE_GOLDEN=1 writes the present output into the README."""
    text = README.read_text("utf-8")
    assert len(_BLOCK.findall(text)) >= 3
    refreshed = _BLOCK.sub(
        lambda block: f"```\n$ {block['command']}\n{output_of(block['command'])}```",
        text,
    )
    if os.environ.get("UPDATE_GOLDEN"):
        README.write_text(refreshed, "utf-8")
    assert refreshed == README.read_text("utf-8")


def test_python_in_the_readme_runs() -> None:
    results = doctest.testfile(str(README), module_relative=False)
    assert results.attempted >= 5
    assert results.failed == 0


def test_both_commands_are_named() -> None:
    text = README.read_text("utf-8")
    assert "make demo" in text
    assert "make test" in text
