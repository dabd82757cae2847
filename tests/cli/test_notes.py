"""What changes the meaning of a number stands beside it, also with `-q`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import spinal as api
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

TWO = "(S (NP (PRP I)) (VP (VBP see)))\n(S (NP (PRP we)) (VP (VBP go)))\n"
OTHER = TWO.replace("see", "saw")  # other words in the first sentence
NARY = """\
( Root (span 1 3)
  ( Nucleus (leaf 1) (rel2par list) (text _!it rained_!) )
  ( Nucleus (leaf 2) (rel2par list) (text _!it snowed_!) )
  ( Nucleus (leaf 3) (rel2par list) (text _!we left_!) )
)
"""
GERMAN = (
    EXAMPLES / "treebanks/german.gold.xml",
    EXAMPLES / "treebanks/german.parsed.mrg",
)
COMMANDS = {
    "score": ["score", "GOLD", "PARSED"],
    "evalb": ["evalb", "GOLD", "PARSED"],
    "conventions": ["evalb", "GOLD", "PARSED", "--conventions"],
    "errors": ["errors", "GOLD", "PARSED"],
    "repairs": ["repairs", "GOLD", "PARSED", "--classifier=spinal", "--worth"],
    "breakdown": ["breakdown", "--by=tag", "--resamples=5", "GOLD", "PARSED"],
    "compare": ["compare", "GOLD", "a=PARSED", "b=GOLD", "--resamples=5"],
    "domains": ["domains", "a=GOLD:PARSED", "b=GOLD:GOLD"],
    "agree": ["agree", "GOLD", "PARSED"],
}


def run(name: str, gold: Path, parsed: Path, *options: str) -> Any:
    given = [
        one.replace("GOLD", str(gold)).replace("PARSED", str(parsed))
        for one in COMMANDS[name]
    ]
    return spinal(*given, "-q", *options)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "gold.mrg", tmp_path / "parsed.mrg"
    for path, text in zip(paths, (TWO, OTHER), strict=True):
        path.write_text(text)
    return paths


@pytest.mark.parametrize("name", COMMANDS)
def test_what_was_left_out(name: str, pair: tuple[Path, Path]) -> None:
    told = "1 of 2 sentences; 1 left out: 1 word mismatch"
    ran = run(name, *pair)
    if name != "domains":  # both data sets together in JSON, apart in the table
        assert ran.out.count(told) >= 1
    notes = json.loads(run(name, *pair, "--format=json").out)["notes"]
    assert any("1 left out: 1 word mismatch" in note for note in notes)
    assert "1 left out: 1 word mismatch" in run(name, *pair, "--format=csv").err


def test_rows_of_instances_have_no_notes(pair: tuple[Path, Path]) -> None:
    ran = spinal("instances", *pair, "-q")
    assert ran.err == (
        "spinal: looked at 1 of 2 sentences; 1 left out: 1 word mismatch\n"
    )


@pytest.mark.parametrize("name", [one for one in COMMANDS if one != "conventions"])
def test_what_brackets_cannot_keep(name: str) -> None:
    told = "crossing branches, resolved by"
    ran = run(name, *GERMAN)
    assert told in ran.out
    assert not ran.err
    notes = json.loads(run(name, *GERMAN, "--format=json").out)["notes"]
    assert sum(told in note for note in notes) == 1
    assert told in run(name, *GERMAN, "--format=csv").err


def test_labels_of_another_treebank(tmp_path: Path) -> None:
    adverbs = [" (ADVP (AD 很))" * count for count in range(12)]
    chinese = tmp_path / "chinese.mrg"
    chinese.write_text(
        "".join(f"(TOP (IP (NP (NN 人)){one} (VP (VV 来))))\n" for one in adverbs)
    )
    for name in ("score", "errors", "breakdown", "compare", "domains", "agree"):
        notes = json.loads(run(name, chinese, chinese, "--format=json").out)["notes"]
        assert [note for note in notes if "Penn Chinese Treebank" in note]
    assert "Penn Chinese Treebank" in api.score(chinese, chinese).notes[0]


def test_a_reference_that_alone_is_binary(tmp_path: Path) -> None:
    """As the papers' program does, gold against itself does not reach 100: the table
    says why. By default both sides are treated alike."""
    path = tmp_path / "rain.dis"
    path.write_text(NARY)
    told = "1 predicted unit of more than two parts: the reference is binarised"
    for command in (
        ["rst", "score", path, path],
        ["rst", "score", path, f"a={path}", f"b={path}", "--published"],
    ):
        assert "predicted unit" not in spinal(*command, "-q").out
        assert "binarized:both" in spinal(*command, "-q").out
        command += ["--binarize-parsed=no"]
        ran = spinal(*command, "-q")
        assert ran.out.count(told) == 1
        assert "binarized:gold" in ran.out
        notes = json.loads(spinal(*command, "-q", "--format=json").out)["notes"]
        assert sum(told in note for note in notes) == 1
        both = spinal(*command, "-q", "--binarize=none", "--format=json").out
        assert "predicted unit" not in both
        assert "binarized" not in both
    assert not api.score_rst(path, path).notes
    with pytest.warns(api.InputWarning, match="more than two parts"):
        assert told in api.score_rst(path, path, binarize_parsed=False).notes[0]
