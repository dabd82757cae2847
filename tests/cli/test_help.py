"""Help that fits a screen, errors that name what was meant, completion."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.cli.main import COMMANDS
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

GOLD, PARSED = EXAMPLES / "web.gold.mrg", EXAMPLES / "web.chart.mrg"


def test_help_fits_a_screen_and_help_all_has_the_rest() -> None:
    short, whole = spinal("score", "--help"), spinal("score", "--help-all")
    assert (short.code, whole.code) == (0, 0)
    assert len(short.out.splitlines()) <= 50
    assert short.out.startswith("usage: spinal score [options] GOLD PARSED\n")
    for rare in ("--max-tree-nodes", "--cluster", "--mend", "--function-separator"):
        assert f"  {rare}" not in short.out
        assert f"  {rare}" in whole.out
    assert "more options: spinal score --help-all" in short.out
    assert "examples:" in short.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_short_help(command: str) -> None:
    ran = spinal(*command.split(), "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"usage: spinal {command}")
    assert "None" not in ran.out.splitlines()[0]


@pytest.mark.parametrize(
    ("command", "usage"),
    [
        ("patterns", "[options] {list,check,explain,heads,draft} TREEBANK …"),
        ("derive", "[options] FILE [FILE] [N ...]"),
        ("rst train", "[options] -o MODEL CORPUS"),
        ("discotk score", "[options]"),
    ],
)
def test_usage_names_what_must_be_given(command: str, usage: str) -> None:
    ran = spinal(*command.split(), "--help")
    assert ran.out.splitlines()[0] == f"usage: spinal {command} {usage}"


@pytest.mark.parametrize(
    ("arguments", "usage", "meant"),
    [
        (["scroe", "a", "b"], "usage: spinal [-h]", "'score'"),
        (["rst", "shw", "a"], "usage: spinal rst", "'show'"),
        (["score", "a", "b", "--fromat", "csv"], "usage: spinal score", "'--format'"),
        (["score", GOLD, PARSED, "--columns", "f_g"], "", "'f_s'"),
        (["score", GOLD, PARSED, "--sort", "matchd_h"], "", "'matched_h'"),
        (["errors", GOLD, PARSED, "--construction", "pp-t"], "", "'PP-t'"),
        (["breakdown", GOLD, PARSED, "--by", "words"], "", "'word'"),
    ],
)
def test_what_was_meant(arguments: list[str | Path], usage: str, meant: str) -> None:
    ran = spinal(*arguments)
    assert ran.code == 2
    assert usage in ran.err
    assert f"; did you mean {meant}?" in ran.err


def test_no_guess_where_nothing_is_like_it() -> None:
    assert "did you mean" not in spinal("xyzzy").err
    assert "did you mean" not in spinal("score", GOLD, PARSED, "--columns", "zz").err


def test_sides_that_seem_to_be_swapped() -> None:
    told = "has function tags or traces: are gold and parsed swapped?"
    for command in ("score", "evalb", "errors"):
        assert told in spinal(command, PARSED, GOLD).err
        assert told not in spinal(command, PARSED, GOLD, "-q").err
        assert told not in spinal(command, GOLD, PARSED).err
        assert told not in spinal(command, GOLD, GOLD).err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, tmp_path: Path) -> None:
    ran = spinal("--completion", shell)
    assert ran.code == 0
    for word in ("breakdown", "max-left-out", "convert"):
        assert word in ran.out
    if shell == "bash" and shutil.which("bash"):
        script = tmp_path / "completion.bash"
        script.write_text(ran.out)
        subprocess.run(["bash", "-n", str(script)], check=True)


def test_completion_needs_a_library_and_a_shell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "there is bash, zsh, fish" in spinal("--completion", "csh").err
    monkeypatch.setitem(sys.modules, "shtab", None)
    ran = spinal("--completion", "bash")
    assert ran.code == 2
    assert "pip install 'spinal[completion]'" in ran.err
