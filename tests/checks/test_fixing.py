"""Edits in files: a patch, a ticked list; what is not edited stays byte for byte."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer import read_trees
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
        ran = spinal("check", bank, "--patch", "p.diff", "--fix-list", "f.tsv", "-q")
        assert ran.code == 1
        if command is None:
            ticked = Path("f.tsv").read_text("utf-8").replace("\n\t", "\nyes\t")
            Path("f.tsv").write_text(ticked, "utf-8")
            assert spinal("check", "--apply", "f.tsv").code == 0
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
    spinal("check", "bank.mrg", "--fix-list", "fixes.tsv", "-q")
    (fix,) = read_fixes("fixes.tsv")
    assert (fix.action, fix.was, fix.label, fix.words) == ("retag", "NNP", "NN", "cat")
    assert spinal("check", "--apply", "fixes.tsv").code == 0
    assert bank.read_bytes() == before
    listed = Path("fixes.tsv").read_text("utf-8").replace("\n\t", "\nyes\t")
    Path("fixes.tsv").write_text(listed, "utf-8")
    ran = spinal("check", "--apply", "fixes.tsv")
    assert (ran.code, ran.err) == (0, "made 1 edit, skipped 0\n")
    assert bank.read_bytes() == before.replace(b"\t(NNP cat)", b"\t(NN cat)")
    # The tree is another one now.
    mended = bank.read_bytes()
    ran = spinal("check", "--apply", "fixes.tsv")
    assert ran.code == 2
    assert "bank.mrg:11: the tree is not the one that the list was made for" in ran.err
    assert ran.err.endswith("made no edit: 1 of 1 does not fit, and nothing changed\n")
    assert bank.read_bytes() == mended


def _ticked(path: Path) -> None:
    """Tick all edits of a list."""
    path.write_text(path.read_text("utf-8").replace("\n\t", "\nyes\t"), "utf-8")


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
def test_a_list_is_applied_to_the_file_it_was_made_for_or_not_at_all(
    bank: Path, planted: list[str], lines: list[int], is_removed: bool
) -> None:
    """Lines come and go between list and --apply: then the file stays as it is."""
    text = [GOOD] * 4 + planted
    bank.write_text("\n".join(text) + "\n", "utf-8")
    spinal("check", "bank.mrg", "--fix-list", "fixes.tsv", "-q")
    _ticked(Path("fixes.tsv"))
    shifted = list(text)
    for line in lines:
        at = line % len(shifted)
        shifted[at : at + is_removed] = [] if is_removed else [shifted[at]]
    bank.write_text("\n".join(shifted) + "\n", "utf-8")
    before = bank.read_bytes()
    ran = spinal("check", "--apply", "fixes.tsv")
    fixes = read_fixes("fixes.tsv")
    fits = all(
        shifted[fix.line - 1 : fix.line] == [text[fix.line - 1]] for fix in fixes
    )
    if not fits:
        assert ran.code == 2
        assert bank.read_bytes() == before
        return
    after = bank.read_bytes()
    touched = {fix.line for fix in fixes}
    for number, (old, new) in enumerate(
        zip(before.splitlines(), after.splitlines(), strict=True), start=1
    ):
        assert (old != new) == (number in touched)
    again = spinal("check", "--apply", "fixes.tsv")
    assert again.code == (2 if fixes else 0)
    assert bank.read_bytes() == after


@pytest.mark.parametrize("label", ["NP) (X", "N P", "", "NN\u2028", "(NN"])
def test_what_is_no_label_is_not_written(bank: Path, label: str) -> None:
    before = bank.read_bytes()
    spinal("check", "bank.mrg", "--fix-list", "fixes.tsv", "-q")
    listed = (
        Path("fixes.tsv").read_text("utf-8").replace("\tNN\tNNP\t", f"\t{label}\tNNP\t")
    )
    assert listed != Path("fixes.tsv").read_text("utf-8")
    Path("fixes.tsv").write_text(listed, "utf-8")
    _ticked(Path("fixes.tsv"))
    ran = spinal("check", "--apply", "fixes.tsv")
    assert ran.code == 2
    assert "fixes.tsv:2: " in ran.err
    assert "cannot be a label" in ran.err
    assert bank.read_bytes() == before


def test_lists_that_are_applied_at_once_lose_nothing(bank: Path) -> None:
    """One is made, the other sees what was made."""
    bank.write_text(
        "\n".join([GOOD] * 4 + [GOOD.replace(*slip) for slip in SLIPS.items()]) + "\n"
    )
    spinal("check", "bank.mrg", "--fix-list", "all.tsv", "-q")
    head, *rows = Path("all.tsv").read_text("utf-8").splitlines()
    assert len(rows) > 2
    commands = []
    for number, row in enumerate(rows):
        Path(f"{number}.tsv").write_text(f"{head}\nyes{row}\n", "utf-8")
        commands.append(
            [sys.executable, "-m", "spinal", "check", "--apply", f"{number}.tsv"]
        )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    running = [subprocess.Popen(command, env=environment) for command in commands]
    codes = [process.wait(timeout=60) for process in running]
    good = "\n".join([GOOD] * (4 + len(SLIPS))) + "\n"
    assert codes == [0] * len(rows)
    assert bank.read_text("utf-8") == good


def test_cells_that_a_spreadsheet_would_run(bank: Path) -> None:
    text = bank.read_text("utf-8").replace("cat", "=cmd|x").replace("NNP", "-NNP-")
    bank.write_text(text, "utf-8")
    spinal("check", "bank.mrg", "--fix-list", "fixes.tsv", "-q")
    listed = Path("fixes.tsv").read_text("utf-8")
    assert "\t'=cmd|x\t" in listed
    assert "\t'-NNP-\t" in listed
    (fix,) = read_fixes("fixes.tsv")
    assert (fix.words, fix.was) == ("=cmd|x", "-NNP-")
    _ticked(Path("fixes.tsv"))
    assert spinal("check", "--apply", "fixes.tsv").code == 0
    assert "-NNP-" not in bank.read_text("utf-8").split("\n", 1)[1]


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


def test_what_was_looked_at_is_ignored(bank: Path) -> None:
    spinal("check", "bank.mrg", "--fix-list", "fixes.tsv", "-q")
    (fix,) = read_fixes("fixes.tsv")
    Path(".spinalignore").write_text(f"{fix.fingerprint}  # a name\n", "utf-8")
    assert spinal("check", "bank.mrg", "-q").code == 0
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
