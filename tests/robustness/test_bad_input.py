"""Bad input: one clear message, the right exit code, and the rest still scored."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Ran, spinal, spinal_process
from tests.support.data_paths import EXAMPLES, ROOT
from tests.support.users import folder_of_nobody

GOOD = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))"
LINES = 6


@pytest.fixture
def scored(tmp_path: Path) -> Any:
    """Score good gold against given bytes; what was said."""
    gold = tmp_path / "gold.mrg"
    gold.write_text(f"{GOOD}\n" * LINES)

    def run(parsed: bytes | str, *options: str) -> Ran:
        data = parsed.encode() if isinstance(parsed, str) else parsed
        (tmp_path / "parsed.mrg").write_bytes(data)
        ran = spinal("evalb", gold, tmp_path / "parsed.mrg", *options)
        assert "Traceback" not in ran.err
        return ran

    return run


def with_line(number: int, line: str) -> str:
    """Good parses, but for one line."""
    lines = [GOOD] * LINES
    lines[number - 1] = line
    return "\n".join(lines) + "\n"


BAD_LINES = {
    "missing )": (GOOD[:-1], "3:1: sentence 3: missing ')': 1 bracket still open"),
    "two missing": (GOOD[:-2], "3:27: sentence 3: missing ')': 2 brackets still open"),
    "too many )": (f"{GOOD})", "3:42: sentence 3: ')' without '('"),
    "stray word": (f"oops {GOOD}", "3:1: sentence 3: found 'oops' outside of any"),
    "word after": (f"{GOOD} oops", "3:43: sentence 3: found 'oops' outside of any"),
    "only a word": ("oops", "3:1: sentence 3: found 'oops' outside of any bracket"),
    "two words": (
        GOOD.replace("the", "the big"),
        "3:16: sentence 3: found a second word 'big' in one leaf",
    ),
    "word beside": (
        GOOD.replace("(VP", "big (VP"),
        "3:27: sentence 3: found word 'big' next to a bracket",
    ),
    "leaf not closed": (
        GOOD.replace("the)", "the"),
        "3:16: sentence 3: found '(' after a word",
    ),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_malformed_line(scored: Any, name: str) -> None:
    line, message = BAD_LINES[name]
    ran = scored(with_line(3, line))
    assert ran.code == 2
    assert f"parsed.mrg:{message}" in ran.err
    assert f"scored 5 of {LINES} sentences; 1 left out: 1 malformed parse" in ran.out
    assert "100.00" in ran.out
    assert "^" in ran.err


@pytest.mark.parametrize("name", BAD_LINES)
def test_strict_stops_there(scored: Any, name: str) -> None:
    line, message = BAD_LINES[name]
    ran = scored(with_line(3, line), "--strict")
    assert ran.code == 2
    assert f"parsed.mrg:{message}" in ran.err
    assert ran.out == ""


def test_the_caret_stands_under_the_fault(scored: Any) -> None:
    ran = scored(with_line(3, GOOD.replace("(VP", "日本 (VP")))
    where = ran.err.index("\n") + 1
    excerpt, caret = ran.err[where:].splitlines()[:2]
    assert excerpt[caret.index("^") :].startswith("日本 (VP")


def test_faults_in_a_tree_over_many_lines(tmp_path: Path) -> None:
    """The message names the line of the fault, and where its tree starts."""
    tree = "( (S\n    (NP (DT the) (NN cat))\n    (VP (VBD sat))))\n"
    bad = "( (S\n    (NP (DT the) (NN cat))\n    (VP (VBD sat)) cat))\n"
    (tmp_path / "gold").write_text(tree * 4)
    (tmp_path / "parsed").write_text(tree + "# a comment\n" + bad + tree * 2)
    ran = spinal("evalb", tmp_path / "gold", tmp_path / "parsed")
    assert ran.code == 2
    assert "parsed:7:20: sentence 2: found word 'cat' next to a bracket" in ran.err
    assert "the tree starts on line 5" in ran.err
    assert "scored 3 of 4 sentences" in ran.out


def test_an_unclosed_tree_over_many_lines_does_not_swallow_the_next(
    tmp_path: Path,
) -> None:
    tree = "( (S\n    (NP (DT the) (NN cat))\n    (VP (VBD sat))))\n"
    (tmp_path / "gold").write_text(tree * 5)
    for after in ("", "# comment\n", "\n"):
        (tmp_path / "parsed").write_text(tree + tree[:-2] + "\n" + after + tree * 3)
        ran = spinal("evalb", tmp_path / "gold", tmp_path / "parsed")
        assert ran.code == 2
        assert "parsed:4:1: sentence 2: missing ')'" in ran.err
        assert "scored 4 of 5 sentences" in ran.out


def test_not_text(scored: Any) -> None:
    ran = scored(b"\x7fELF\0\0\0\1" * 100)
    assert (ran.code, ran.out) == (2, "")
    assert "parsed.mrg: is not text (a NUL byte at byte 5)" in ran.err


def test_a_nul_byte_in_the_middle(scored: Any) -> None:
    """Near the start it shows that a file is not text; later, one tree is bad."""
    lines = [GOOD + " " * 5000, GOOD, GOOD.replace("cat", "c\0t"), GOOD, GOOD, GOOD]
    ran = scored("\n".join(lines) + "\n")
    assert ran.code == 2
    assert "parsed.mrg:3:22: sentence 3: a NUL byte" in ran.err
    assert "scored 5 of 6" in ran.out


def test_prose_is_no_tree(scored: Any) -> None:
    ran = scored("This is a file.\nIt has no trees.\n")
    assert ran.code == 2
    assert "parsed.mrg:1:1: sentence 1: found 'This' outside of any bracket" in ran.err


def test_a_long_file_of_prose_is_refused_at_its_start(scored: Any) -> None:
    ran = scored("This is a long novel.\n" * 40_000)
    assert (ran.code, ran.out) == (2, "")
    assert "parsed.mrg:1:1: sentence 1: is this a file of trees?" in ran.err


def test_latin_1(scored: Any) -> None:
    data = with_line(2, GOOD.replace("cat", "é")).encode("latin-1")
    ran = scored(data)
    assert ran.code == 2
    assert "parsed.mrg:2:21: sentence 2: byte 0xE9 is not UTF-8" in ran.err
    assert "--encoding latin-1" in ran.err
    assert "scored 5 of 6" in ran.out
    named = scored(data, "--encoding", "latin-1")
    assert named.code == 0
    assert "gold 'cat', parsed 'é'" in named.err


@pytest.mark.parametrize("content", ["", "\n", "\n\n  \n", "# only a comment\n"])
def test_an_empty_file(tmp_path: Path, content: str) -> None:
    (tmp_path / "good").write_text(f"{GOOD}\n")
    (tmp_path / "empty").write_text(content)
    for pair in (("good", "empty"), ("empty", "good"), ("empty", "empty")):
        ran = spinal("evalb", *(tmp_path / name for name in pair))
        assert ran.code == 2
        assert "Traceback" not in ran.err
        assert "no trees" in ran.err or "nothing could be scored" in ran.err
    shown = spinal("show", tmp_path / "empty")
    assert shown.code == 2
    assert "no trees" in shown.err


def test_different_lengths(scored: Any) -> None:
    ran = scored(f"{GOOD}\n" * (LINES - 2))
    assert ran.code == 2
    assert "gold.mrg and" in ran.err
    assert "differ in length by 2 sentences; scored the ones they share" in ran.err
    assert "2 sentences only in gold" in ran.out
    conventions = scored(f"{GOOD}\n" * (LINES - 2), "--conventions")
    assert conventions.code == 2
    assert "differ in length" in conventions.err


def test_tokens_that_differ(scored: Any) -> None:
    ran = scored(with_line(4, GOOD.replace("sat", "sits")))
    assert ran.code == 0  # evalb counts these
    assert (
        "parsed.mrg:4: sentence 4: word 3 differs: gold 'sat', parsed 'sits'" in ran.err
    )
    assert "scored 5 of 6 sentences; 1 left out: 1 word mismatch" in ran.out
    stopped = scored(
        with_line(4, GOOD.replace("sat", "sits")), "--on-mismatch", "error"
    )
    assert (stopped.code, stopped.out) == (2, "")
    assert "word 3 differs" in stopped.err


def test_malformed_trees_under_conventions(scored: Any) -> None:
    ran = scored(with_line(3, GOOD[:-1]), "--conventions")
    assert ran.code == 2
    assert "sentence 3: missing ')'" in ran.err
    assert "scored 5 of 6" in ran.out


def test_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "good").write_text(GOOD)
    missing = tmp_path / "missing.mrg"
    for arguments in (
        ("evalb", tmp_path / "good", missing),
        ("evalb", missing, tmp_path / "good"),
        ("show", missing),
    ):
        ran = spinal(*arguments)
        assert ran == (2, "", f"spinal: {missing}: no such file\n")


def test_a_pattern_that_matches_nothing(tmp_path: Path) -> None:
    ran = spinal("show", f"{tmp_path}/*.mrg")
    assert ran.code == 2
    assert "no file matches this pattern" in ran.err


def test_a_directory_without_trees(tmp_path: Path) -> None:
    (tmp_path / "README").write_text("nothing here")
    ran = spinal("show", tmp_path)
    assert ran.code == 2
    assert (
        f"{tmp_path}: no file in this directory contains trees (1 looked at)" in ran.err
    )


@pytest.mark.parametrize("share", [0.0005, 0.5, 0.999])
def test_truncated_gz(tmp_path: Path, share: float) -> None:
    data = gzip.compress(b"".join(b"(S (NN word%d))\n" % n for n in range(9999)))
    (tmp_path / "cut.gz").write_bytes(data[: int(share * len(data))])
    ran = spinal("show", tmp_path / "cut.gz", "--style", "line")
    assert ran.code == 2
    assert "cut.gz: damaged compressed file" in ran.err


def test_no_permission(tmp_path: Path) -> None:
    good = tmp_path / "good.mrg"
    good.write_text(GOOD)
    assert spinal("show", good).code == 0  # and all that it needs is loaded
    with folder_of_nobody() as folder:
        path = folder / "secret.mrg"
        path.write_text(GOOD)
        path.chmod(0)
        ran = spinal("show", path)
    assert ran.code == 2
    assert "cannot be read: Permission denied" in ran.err


@pytest.mark.parametrize("name", ["klingon", "hex"])
def test_unknown_encoding(scored: Any, name: str) -> None:
    ran = scored(f"{GOOD}\n" * LINES, "--encoding", name)
    assert ran.code == 2
    assert f"unknown encoding '{name}'" in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["evalb"],
        ["evalb", "a", "b", "--format", "docx"],
        ["evalb", "a", "b", "--cutoff", "many"],
        ["evalb", "a", "b", "--on-mismatch", "shrug"],
        ["evalb", "a", "b", "c"],
        ["show"],
        ["show", "1", "2"],
        ["show", "a", "b", "c"],
    ],
)
def test_bad_usage(arguments: list[str]) -> None:
    ran = spinal(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_standard_input_can_be_only_one_of_two() -> None:
    ran = spinal("evalb", "-", "-")
    assert ran.code == 2
    assert "not both" in ran.err


def test_unknown_parameters(scored: Any) -> None:
    ran = scored(f"{GOOD}\n" * LINES, "--params", "colins")
    assert ran.code == 2
    assert "built in are collins" in ran.err


def test_sentences_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "one.mrg").write_text(f"{GOOD}\n" * 3)
    ran = spinal("show", tmp_path / "one.mrg", "7")
    assert (ran.code, ran.out) == (2, "")
    assert "no sentence 7" in ran.err
    some = spinal("show", tmp_path / "one.mrg", "2", "9", "--style", "line")
    assert (some.code, some.out) == (2, f"{GOOD}\n")
    assert "no sentence 9" in some.err
    assert spinal("show", tmp_path / "one.mrg", "2-99999999999").code == 2
    backwards = spinal("show", tmp_path / "one.mrg", "3-1")
    assert (backwards.code, backwards.out) == (2, "")
    assert "3-1" in backwards.err


def test_show_a_bad_tree_among_good_ones(tmp_path: Path) -> None:
    (tmp_path / "bad.mrg").write_text(with_line(3, GOOD[:-1]))
    ran = spinal("show", tmp_path / "bad.mrg", "--style", "line")
    assert ran.code == 2
    assert "sentence 3: missing ')'" in ran.err
    assert ran.out.splitlines() == [GOOD, GOOD, "", GOOD, GOOD, GOOD]


def test_a_picture_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "one.mrg").write_text(GOOD)
    out = tmp_path / "no" / "such" / "folder.svg"
    ran = spinal("show", tmp_path / "one.mrg", "1", "--svg", out)
    assert ran.code == 2
    assert "cannot be written" in ran.err


def test_control_characters_in_a_message_are_made_visible(scored: Any) -> None:
    """A treebank must not be able to write to the terminal by way of an error."""
    ran = scored(with_line(3, GOOD.replace("(VP", "\x1b[2J (VP")))
    assert ran.code == 2
    assert "\x1b" not in ran.err


# -- as a process --------------------------------------------------------------


def test_a_closed_pipe_ends_quietly() -> None:
    command = (
        f"{sys.executable} -m analyzer show {EXAMPLES}/news.gold.mrg "
        "| head -n 1; echo ${PIPESTATUS[0]}"
    )
    ran = subprocess.run(
        ["bash", "-c", command], capture_output=True, cwd=ROOT, check=False, timeout=600
    )
    assert ran.stderr == b""
    assert ran.stdout.splitlines()[-1] == b"0"


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_that_cannot_show_everything(encoding: str) -> None:
    """'≤' and box characters where output is not Unicode: replaced, not a crash."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    pair = (EXAMPLES / "news.gold.mrg", EXAMPLES / "news.chart.mrg")
    ran = spinal_process("evalb", *pair, env=environment)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"91.39" in ran.stdout
    drawn = spinal_process("show", pair[0], "1", env=environment)
    assert (drawn.returncode, drawn.stderr) == (0, b"")


@pytest.mark.slow
def test_process_substitution_and_pipes() -> None:
    """Pipes cannot be read twice; both files may be one."""
    gold, parsed = EXAMPLES / "news.gold.mrg", EXAMPLES / "news.chart.mrg"
    command = f"{sys.executable} -m analyzer evalb <(cat {gold}) <(gzip -c {parsed})"
    ran = subprocess.run(
        ["bash", "-c", command], capture_output=True, cwd=ROOT, check=False, timeout=600
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"91.39" in ran.stdout
    piped = spinal_process("evalb", gold, "-", input=parsed.read_bytes())
    assert piped.stdout == ran.stdout
