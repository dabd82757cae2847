"""spinal rst train, parse, segment, and scoring what a model makes of texts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from analyzer import read_rst
from analyzer.formats.registry import write_rst
from analyzer.rst_parser.text import tokenize
from analyzer.transform.head_order import dependency_tree
from tests.support.command import spinal
from tests.support.data_paths import ROOT

SAMPLE = str(ROOT / "examples" / "discourse")
TEXT = str(ROOT / "examples" / "discourse_text" / "library.txt")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("model") / "a.model")
    code, out, err = spinal("rst", "train", SAMPLE, "-o", path)
    assert (code, "trained on 8 documents" in out) == (0, True), err
    return path


@pytest.mark.slow
def test_a_text_becomes_a_tree_that_other_commands_read(
    model: str, tmp_path: Path
) -> None:
    out = tmp_path / "trees"
    code, _, err = spinal("rst", "parse", model, TEXT, "--to", "rs3", "-o", out)
    assert (code, "wrote 1 document" in err) == (0, True)
    code, shown, _ = spinal("rst", "show", out / "library.rs3")
    assert code == 0
    assert "because the roof leaks." in shown
    assert spinal("rst", "parse", model, TEXT, "--to", "rs4", "-o", out).code == 0
    in_rs4 = (out / "library.rs4").read_text()
    no_signals = "\t\t<sigtypes>\n\t\t</sigtypes>\n"
    assert in_rs4.replace(no_signals, "") == (out / "library.rs3").read_text()


def test_confidences_are_json(model: str) -> None:
    code, out, _ = spinal("rst", "parse", model, TEXT, "--to", "confidence")
    edus = json.loads(out)["edus"]
    assert (code, len(edus)) == (0, 8)
    assert all(0 <= edu["head_probability"] <= 1 for edu in edus)


def test_parsed_and_scored_in_one_go(model: str) -> None:
    code, out, _ = spinal(
        "rst", "score", SAMPLE, f"ours={model}:{SAMPLE}", "--format", "json"
    )
    [row] = [
        row
        for row in json.loads(out)["rows"]
        if (row["metric"], row["average"]) == ("UAS", "micro")
    ]
    assert code == 0
    assert row["f1"] > 0.9


def test_segments_and_their_score(model: str, tmp_path: Path) -> None:
    code, out, _ = spinal("rst", "segment", model, TEXT)
    assert (code, len(out.splitlines())) == (0, 8)
    gold = tmp_path / "library.edus"
    gold.write_text(out.replace("weeks,\n", "weeks, "))
    code, out, _ = spinal("rst", "segment", model, TEXT, "--gold", gold)
    assert code == 0
    assert "all" in out
    assert "93.33" in out  # 7 of 8 found, all of gold: 2 * 7 / 15


def test_what_is_wrong_is_said(model: str, tmp_path: Path) -> None:
    assert spinal("rst", "parse", SAMPLE, TEXT).code == 2
    assert spinal("rst", "parse", tmp_path / "none", TEXT).code == 2
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    code, out, err = spinal("rst", "parse", model, empty, TEXT)
    assert code == 2
    assert "empty.txt" in err
    assert "because the roof leaks." in out


@pytest.mark.slow
def test_chain_or_tree_is_an_encoding_too(tmp_path: Path) -> None:
    made = {}
    for name, given in (
        ("transform", ["--transform", "tree"]),
        ("encoding", ["--encoding", "tree"]),
        ("seed", ["--encoding", "tree", "--seed", "2"]),
    ):
        path = tmp_path / name
        code, out, err = spinal("rst", "train", SAMPLE, "-o", path, *given)
        assert code == 0, err
        assert "transform:tree" in out
        made[name] = path.read_bytes()
    assert made["transform"] == made["encoding"]
    assert made["seed"] != made["encoding"]
    code, _, err = spinal(
        *("rst", "train", SAMPLE, "-o", tmp_path / "a", "--transform", "chain"),
        *("--encoding", "tree"),
    )
    assert code == 2
    assert "contradict" in err


def _conllu(edus: list[str]) -> str:
    words = [word for edu in edus for word, _ in tokenize(edu)]
    rows = [
        f"{n}\t{word}\t_\tX\tX\t_\t0\troot\t_\t_" for n, word in enumerate(words, 1)
    ]
    return "\n".join(rows) + "\n\n"


def test_texts_that_differ_from_their_syntax(tmp_path: Path) -> None:
    """By a letter they are aligned, by more they are learnt from as words: with -q the
    reason is told as well, and it is no failure."""
    syntax = tmp_path / "syntax"
    syntax.mkdir()
    for number, (name, root) in enumerate(read_rst(SAMPLE)):
        edus = [unit.text for unit in root.walk() if unit.is_edu]
        if number == 0:
            edus[1] = edus[1].swapcase()[:1] + edus[1][1:]
        elif number == 1:
            edus = ["Quite", "another", "text"]
        (syntax / f"{name}.conllu").write_text(_conllu(edus))
    path = tmp_path / "a.model"
    for quiet in ((), ("-q",)):
        ran = spinal("rst", "train", SAMPLE, "--syntax", syntax, "-o", path, *quiet)
        assert ran.code == 0
        told = ran.out + ran.err
        assert "aligned all the same" in told
        assert "used without syntax" in told
        assert "trained on 8 documents" in ran.out
        assert "7 with syntax" in ran.out


def test_rsd_is_never_words(model: str, tmp_path: Path) -> None:
    """Named so or not; even one without heights and sides."""
    [(name, root), *_] = read_rst(SAMPLE)
    edus = sum(unit.is_edu for unit in root.walk())
    tree = dependency_tree(root)
    bare = replace(tree, nuclearities=None, ranks=None)
    for one in (tree, bare):
        for ending in ("rsd", "txt"):
            path = tmp_path / f"{name}.{ending}"
            path.write_text(write_rst(one, "rsd"))
            ran = spinal("rst", "parse", model, path, "--to", "rsd")
            assert (ran.code, len(ran.out.splitlines())) == (0, edus)


@pytest.mark.slow
def test_what_is_built_in_is_no_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--relations gum -o gum` reads no file of that name."""
    monkeypatch.chdir(tmp_path)
    for name in ("gum", "coarse"):
        for _ in range(2):
            ran = spinal("rst", "train", SAMPLE, "--relations", name, "-o", name, "-q")
            assert ran.code == 0, ran.err
    assert spinal("rst", "train", "gum", "-o", "gum").code == 2
