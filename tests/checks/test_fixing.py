"""Edits in files: a patch, a ticked list; what is not edited stays byte for byte."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from analyzer import read_trees
from analyzer.checks.fixing import read_fixes, spliced, splices
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


def test_a_patch_mends_pretty_printed_trees(bank: Path) -> None:
    before = bank.read_bytes()
    ran = spinal("check", "bank.mrg", "--patch", "p.diff", "-q")
    assert ran.code == 1
    if not shutil.which("patch"):
        pytest.skip("NOT RUN: no patch here")
    done = subprocess.run(
        ["patch", "-p1", "--binary", "-i", "p.diff"], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert bank.read_bytes() == before.replace(b"\t(NNP cat)", b"\t(NN cat)")


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
