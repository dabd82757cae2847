"""Edits in files: a patch, a ticked list; what is not edited stays byte for byte."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from analyzer import read_trees
from analyzer.checks.edits import spliced, splices
from analyzer.checks.fix_lists import read_fixes
from analyzer.checks.sources import parse
from tests.support.command import spinal

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
    ran = spinal("check", "--apply", "fixes.tsv")
    assert ran.code == 2
    assert "the bracket is NN now, not NNP" in ran.err


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
    Path(".spinalignore").write_text("nonsense\n", "utf-8")
    assert spinal("check", "bank.mrg", "-q").code == 2


def test_globs_of_files_to_ignore_start_from_the_ignore_file(bank: Path) -> None:
    folder = bank.parent / "letters"
    folder.mkdir()
    bank.rename(folder / "bank.mrg")
    whole = str(folder / "bank.mrg")
    for glob, code in (("letters/*.mrg", 0), ("*.mrg", 0), ("news/*.mrg", 1)):
        Path(".spinalignore").write_text(f"T5 {glob}\n", "utf-8")
        for given in ("letters/bank.mrg", "./letters", whole, str(folder)):
            assert spinal("check", given, "-q").code == code, (glob, given)
