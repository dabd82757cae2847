"""Edits in files: a patch, decisions; what is not edited stays byte for byte."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer import read_trees
from analyzer.checks.decisions import read_decisions, write_decisions
from analyzer.checks.fixes import read_fixes, spliced, splices
from analyzer.checks.sources import parse
from tests.support.command import spinal
from tests.support.data_paths import ROOT
from tests.support.examples import some

GOOD = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))"
PRETTY = "( (S\n    (NP (DT the)\t(NNP cat) )\r\n    (VP (VBD sat))\n    (. .)) )"
NAMED = "# a comment (NNP cat)\n"


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bank.mrg"
    text = f"{NAMED}" + f"{GOOD}\n" * 9 + f"{PRETTY}\n{GOOD}"
    path.write_bytes(text.encode())
    return path


SLIPS = {
    "(NN cat)": "(NNP cat)",
    "(VP (VBD sat))": "(VBD sat)",
    "(NP (DT the) (NN cat))": "(NP (NP (DT the) (NN cat)))",
    "(NP (DT": "(ADJP (DT",
}


def _file(style: str, slips: dict[str, str]) -> bytes:
    """Good trees, and one with each slip, as some people's files are."""
    trees = [GOOD] * 4 + [GOOD.replace(good, bad) for good, bad in slips.items()]
    if style == "indented":
        trees = [tree.replace(" (", "\n  (") for tree in trees]
    text = "\n".join(trees) + ("" if style == "no line end" else "\n")
    if style == "carriage returns":
        text = text.replace("\n", "\r\n")
    return (b"\xef\xbb\xbf" if style == "byte-order mark" else b"") + text.encode()


@pytest.mark.slow
def test_a_patch_is_what_apply_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files in folders, of all styles; `git apply`, `patch` and --apply agree."""
    styles = ("plain", "indented", "no line end", "carriage returns", "byte-order mark")
    files = {f"bank/{style[:2]}/my {style}.mrg": style for style in styles}
    tools = {"--apply": None, "git": ["git", "apply", "p.diff"]}
    tools["patch"] = ["patch", "-p1", "--binary", "-s", "-i", "p.diff"]
    for tool, command in tools.items():
        if command and not shutil.which(command[0]):
            pytest.skip(f"NOT RUN: no {tool} here")
        (tmp_path / tool).mkdir()
        monkeypatch.chdir(tmp_path / tool)
        for name, style in files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(_file(style, SLIPS))
        # An absolute name of what is below the folder at hand is as good.
        bank = Path("bank").resolve() if tool == "git" else "bank"
        written = ("--patch", "p.diff", "--write-decisions", "f.jsonl", "--level=info")
        assert spinal("check", bank, *written, "-q").code == 1
        if command is None:
            _ticked(Path("f.jsonl"))
            assert spinal("check", "--apply", "f.jsonl").code == 0
        else:
            done = subprocess.run(command, capture_output=True, check=False)
            assert done.returncode == 0, done.stderr
        for name, style in files.items():
            mended, good = Path(name).read_bytes(), _file(style, {x: x for x in SLIPS})
            if style == "indented":  # new brackets stay in the line they are put into
                mended, good = (b"".join(one.split()) for one in (mended, good))
            assert mended == good


def test_what_is_ticked_is_done_and_nothing_else(bank: Path) -> None:
    before = bank.read_bytes()
    spinal("check", "bank.mrg", "--write-decisions", "fixes.jsonl", "-q")
    assert read_fixes("fixes.jsonl") == []  # nothing is decided
    assert spinal("check", "--apply", "fixes.jsonl").code == 0
    assert bank.read_bytes() == before
    _ticked(Path("fixes.jsonl"))
    (fix,) = read_fixes("fixes.jsonl")
    assert (fix.action, fix.was, fix.label) == ("retag", "NNP", "NN")
    ran = spinal("check", "--apply", "fixes.jsonl")
    assert (ran.code, ran.err) == (0, "made 1 edit, skipped 0\n")
    assert bank.read_bytes() == before.replace(b"\t(NNP cat)", b"\t(NN cat)")
    # The tree is another one now.
    mended = bank.read_bytes()
    ran = spinal("check", "--apply", "fixes.jsonl")
    assert ran.code == 2
    assert "bank.mrg:11: the tree is not the one that was decided on" in ran.err
    assert ran.err.endswith("made 0 edits, skipped 1\n")
    assert bank.read_bytes() == mended


def test_decisions_that_were_applied_do_not_stop_later_ones(bank: Path) -> None:
    """A team goes on with its file: what was mended before is skipped, and told."""
    slips = [*SLIPS.items()][:2]
    trees = [GOOD] * 4 + [GOOD.replace(*slip) for slip in slips]
    bank.write_text("\n".join(trees) + "\n", "utf-8")
    spinal(
        "check", "bank.mrg", "--level", "info", "--write-decisions", "fixes.jsonl", "-q"
    )
    _ticked(Path("fixes.jsonl"))
    first, *_ = lines = Path("fixes.jsonl").read_text("utf-8").splitlines()
    Path("first.jsonl").write_text(f"{first}\n", "utf-8")
    assert spinal("check", "--apply", "first.jsonl").code == 0
    ran = spinal("check", "--apply", "fixes.jsonl")
    assert ran.code == 2
    assert "the tree is not the one that was decided on" in ran.err
    assert (len(lines), "made 1 edit, skipped 1\n" in ran.err) == (2, True)
    assert bank.read_text("utf-8") == "\n".join([GOOD] * len(trees)) + "\n"


def _ticked(path: Path) -> None:
    """Decide that all findings are errors."""
    decisions = read_decisions(str(path)).values()
    write_decisions([replace(one, verdict="error") for one in decisions], str(path))


_LINES = st.lists(
    st.sampled_from([GOOD, *(GOOD.replace(*slip) for slip in SLIPS.items())])
)


@settings(
    deadline=None,
    max_examples=some(20),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    planted=_LINES.filter(lambda lines: len(lines) > 1),
    lines=st.lists(st.integers(0, 9), max_size=3),
    is_removed=st.booleans(),
)
def test_a_list_is_applied_to_the_trees_it_was_made_for(
    bank: Path, planted: list[str], lines: list[int], is_removed: bool
) -> None:
    """Lines come and go between list and --apply: if a tree that is to be edited
    stands in another line, the file stays as it is; if it is gone, others are edited.
    """
    text = [GOOD] * 4 + planted
    bank.write_text("\n".join(text) + "\n", "utf-8")
    spinal("check", "bank.mrg", "--write-decisions", "fixes.jsonl", "-q")
    _ticked(Path("fixes.jsonl"))
    shifted = list(text)
    for line in lines:
        at = line % len(shifted)
        shifted[at : at + is_removed] = [] if is_removed else [shifted[at]]
    bank.write_text("\n".join(shifted) + "\n", "utf-8")
    before = bank.read_bytes()
    ran = spinal("check", "--apply", "fixes.jsonl")
    fixes = read_fixes("fixes.jsonl")
    touched = {
        fix.line
        for fix in fixes
        if shifted[fix.line - 1 : fix.line] == [text[fix.line - 1]]
    }
    others = [text[fix.line - 1] for fix in fixes if fix.line not in touched]
    assert ran.code == (2 if others else 0)
    if any(tree in shifted for tree in others):
        assert bank.read_bytes() == before
        return
    after = bank.read_bytes()
    for number, (old, new) in enumerate(
        zip(before.splitlines(), after.splitlines(), strict=True), start=1
    ):
        assert (old != new) == (number in touched)
    again = spinal("check", "--apply", "fixes.jsonl")
    assert again.code == (2 if fixes else 0)
    assert bank.read_bytes() == after


@pytest.mark.parametrize("label", ["NP) (X", "N P", "", "NN\u2028", "(NN"])
def test_what_is_no_label_is_not_written(bank: Path, label: str) -> None:
    before = bank.read_bytes()
    spinal("check", "bank.mrg", "--write-decisions", "fixes.jsonl", "-q")
    _ticked(Path("fixes.jsonl"))
    (decision,) = read_decisions("fixes.jsonl").values()
    assert decision.edit is not None
    changed = replace(decision, edit={**decision.edit, "label": label})
    write_decisions([changed], "fixes.jsonl")
    ran = spinal("check", "--apply", "fixes.jsonl")
    assert ran.code == 2
    assert "fixes.jsonl:1: " in ran.err
    assert "cannot be a label" in ran.err
    assert bank.read_bytes() == before


def test_lists_that_are_applied_at_once_lose_nothing(bank: Path) -> None:
    """One is made, the other sees what was made."""
    bank.write_text(
        "\n".join([GOOD] * 4 + [GOOD.replace(*slip) for slip in SLIPS.items()]) + "\n"
    )
    spinal("check", "bank.mrg", "--write-decisions", "all.jsonl", "-q")
    _ticked(Path("all.jsonl"))
    rows = Path("all.jsonl").read_text("utf-8").splitlines()
    assert len(rows) > 2
    commands = []
    for number, row in enumerate(rows):
        Path(f"{number}.jsonl").write_text(f"{row}\n", "utf-8")
        commands.append(
            [sys.executable, "-m", "spinal", "check", "--apply", f"{number}.jsonl"]
        )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    running = [subprocess.Popen(command, env=environment) for command in commands]
    codes = [process.wait(timeout=60) for process in running]
    good = "\n".join([GOOD] * (4 + len(SLIPS))) + "\n"
    assert codes == [0] * len(rows)
    assert bank.read_text("utf-8") == good


@pytest.mark.parametrize(
    "edit",
    [
        {"action": "retag"},
        {"node": "4"},
        {"action": "delete"},
        {"more": 1},
        {"line": True},
    ],
)
def test_what_is_no_edit_is_an_error_with_its_line(
    bank: Path, edit: dict[str, object]
) -> None:
    before = bank.read_bytes()
    spinal("check", "bank.mrg", "--write-decisions", "fixes.jsonl", "-q")
    _ticked(Path("fixes.jsonl"))
    (decision,) = read_decisions("fixes.jsonl").values()
    assert decision.edit is not None
    whole = {} if len(edit) == 1 and edit.get("action") == "retag" else decision.edit
    write_decisions([replace(decision, edit={**whole, **edit})], "fixes.jsonl")
    ran = spinal("check", "--apply", "fixes.jsonl")
    assert ran.code == 2
    assert "fixes.jsonl:1: is not an edit in sentences: expected action" in ran.err
    assert bank.read_bytes() == before


@pytest.mark.parametrize(
    ("action", "node", "other", "label", "mended"),
    [
        ("add", 2, -1, "NX", "(S (NP (NX (DT a)) (NN man)) (PP (IN in) (NP (X it))))"),
        ("add", 2, 3, "NX", "(S (NP (NX (DT a) (NN man))) (PP (IN in) (NP (X it))))"),
        ("drop", 6, -1, "", "(S (NP (DT a) (NN man)) (PP (IN in) (X it)))"),
        ("move", 4, 1, "", "(S (NP (DT a) (NN man) (PP (IN in) (NP (X it)))))"),
        ("move", 4, 1, "NP", "(S (NP (NP (DT a) (NN man)) (PP (IN in) (NP (X it)))))"),
        ("move", 6, 0, "", "(S (NP (DT a) (NN man)) (PP (IN in)) (NP (X it)))"),
    ],
)
def test_edits(action: str, node: int, other: int, label: str, mended: str) -> None:
    text = "(S (NP (DT a) (NN man)) (PP (IN in) (NP (X it))))"
    tree = parse(text, 0)
    assert tree is not None
    made = spliced(text, splices(tree, action, node, other, label))
    assert made == mended
    assert read_trees(made)[0].words == ["a", "man", "in", "it"]


@pytest.mark.usefixtures("bank")
def test_codes_are_ignored() -> None:
    assert spinal("check", "bank.mrg", "-q").code == 1
    Path(".spinalignore").write_text("T5 bank.mrg\n", "utf-8")
    assert spinal("check", "bank.mrg", "-q").code == 0
    Path(".spinalignore").write_text("Z999 bank.mrg\n", "utf-8")
    ran = spinal("check", "bank.mrg", "-q")
    assert ran.code == 2
    assert "no finding has the code 'Z999'" in ran.err
    Path(".spinalignore").write_text("nonsense\n", "utf-8")
    assert spinal("check", "bank.mrg", "-q").code == 2


def test_globs_of_files_to_ignore_start_from_the_ignore_file(bank: Path) -> None:
    folder = bank.parent / "letters"
    folder.mkdir()
    bank.rename(folder / "bank.mrg")
    whole = str(folder / "bank.mrg")
    for glob, code in (("letters/*.mrg", 0), ("*.mrg", 0), ("news/*.mrg", 1)):
        Path(".spinalignore").write_text(f"T5 {glob}\n", "utf-8")
        for name in ("letters/bank.mrg", "./letters", whole, str(folder)):
            assert spinal("check", name, "-q").code == code, (glob, name)
