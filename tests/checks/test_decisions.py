"""Decisions on findings: a file that is written, shared, compared and merged."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import check
from analyzer.checks.decisions import (
    VERDICTS,
    Decision,
    merged_decisions,
    read_decisions,
    write_decisions,
    written_decisions,
)
from analyzer.exceptions import InputError
from tests.support.command import spinal
from tests.support.examples import some

GOOD = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))"
BANK = [GOOD] * 9 + [GOOD.replace("NN cat", "NNP cat"), GOOD.replace("VBD", "VBN")]
RETAG = {"action": "retag", "label": "NN"}
_TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
_DECISIONS = st.builds(
    Decision,
    st.text("0123456789abcdef", min_size=1, max_size=4),
    st.sampled_from(VERDICTS),
    *[_TEXT] * 4,
    st.none() | st.floats(0.001, 1),
    *[_TEXT] * 3,
    st.none() | st.just(RETAG),
    st.lists(_TEXT.filter(bool), max_size=2).map(tuple),
)
_FILES = st.lists(_DECISIONS, unique_by=lambda one: one.fingerprint, max_size=8)


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bank.mrg"
    path.write_text("\n".join(BANK) + "\n", "utf-8")
    return path


@settings(max_examples=some(60))
@given(_FILES)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, decisions: list[Decision]
) -> None:
    path = str(tmp_path_factory.getbasetemp() / "any.jsonl")
    write_decisions(decisions, path)
    read = read_decisions(path)
    assert sorted(read) == [*read]  # lines have an order of their own
    assert {one.fingerprint: one for one in decisions} == read
    assert written_decisions(read.values()) == Path(path).read_text("utf-8")


def test_a_line_is_read_by_people(bank: Path) -> None:
    assert spinal("check", bank, "--write-decisions", "d.jsonl", "-q").code == 1
    first = json.loads(Path("d.jsonl").read_text("utf-8").splitlines()[0])
    told = [*first]
    assert told[:2] == ["fingerprint", "verdict"]
    assert first["verdict"] == "undecided"
    assert "[" in first["context"]
    assert set(told) <= {
        *("fingerprint", "verdict", "code", "confidence", "file", "context"),
        *("message", "edit", "also"),
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]", "d.jsonl:2: is not a decision"),
        ('{"verdict":"fine"}', "d.jsonl:2: is not a decision"),
        ('{"fingerprint":""}', "d.jsonl:2: is not a decision"),
        ('{"fingerprint":"b","colour":"red"}', "d.jsonl:2: is not a decision"),
        ('{"fingerprint":"b","comment":7}', "d.jsonl:2: is not a decision"),
        ('{"fingerprint":"b","verdict":"yes"}', "'yes' is none of error, fine, und"),
        ('{"fingerprint":"a","verdict":"error"}', "'error' here, as 'fine' in line 1"),
    ],
)
def test_what_is_no_decision(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(f'{{"fingerprint":"a","verdict":"fine"}}\n{line}\n', "utf-8")
    with pytest.raises(InputError) as caught:
        read_decisions(str(path))
    assert message in str(caught.value)


def test_a_finding_may_stand_in_two_lines(tmp_path: Path) -> None:
    """As git joins them: what is decided counts."""
    path = tmp_path / "d.jsonl"
    path.write_text('{"fingerprint":"a"}\n\n{"fingerprint":"a","verdict":"fine"}\n')
    assert read_decisions(str(path))["a"].verdict == "fine"


def test_what_is_fine_is_left_out_and_errors_are_mended(bank: Path) -> None:
    before = bank.read_text("utf-8")
    spinal("check", bank, "--write-decisions", "d.jsonl", "-q")
    first, *others = read_decisions("d.jsonl").values()
    assert others
    made = [replace(first, verdict="error", comment="no name", annotator="kim")]
    made += [replace(one, verdict="fine") for one in others]
    write_decisions(made, "d.jsonl")
    result = check(str(bank), decisions="d.jsonl").at_least("warning")
    assert [one.fingerprint for one in result.findings] == [first.fingerprint]
    assert result.known == len(others) == len(result.fine)
    ran = spinal("check", bank, "--decisions", "d.jsonl", "--format", "json", "-q")
    (found,) = json.loads(ran.out)["findings"]
    assert found["decision"] == {
        **{"verdict": "error", "comment": "no name"},
        **{"annotator": "kim", "date": ""},
    }
    assert spinal("check", "--apply", "d.jsonl").code == 0
    lines = zip(bank.read_text("utf-8").split("\n"), before.split("\n"), strict=True)
    assert sum(old != new for new, old in lines) == 1
    # What is decided is not lost when the file is written anew.
    spinal("check", bank, "--decisions", "d.jsonl", "--write-decisions", "e.jsonl")
    again = read_decisions("e.jsonl")
    assert {key: one.verdict for key, one in again.items()} == {
        one.fingerprint: one.verdict for one in made
    }


def test_an_error_that_is_to_be_mended_otherwise_stays_without_an_edit(
    bank: Path,
) -> None:
    before = bank.read_bytes()
    spinal("check", bank, "--write-decisions", "d.jsonl", "-q")
    decisions = read_decisions("d.jsonl").values()
    assert any(one.edit for one in decisions)
    otherwise = [replace(one, verdict="error", edit=None) for one in decisions]
    write_decisions(otherwise, "d.jsonl")
    spinal("check", bank, "--decisions", "d.jsonl", "--write-decisions", "e.jsonl")
    assert Path("e.jsonl").read_bytes() == Path("d.jsonl").read_bytes()
    assert spinal("check", "--apply", "e.jsonl").code == 0
    assert bank.read_bytes() == before


def test_a_baseline_and_decisions_are_one_kind_of_file(bank: Path) -> None:
    spinal("check", bank, "--write-baseline", "known.jsonl", "-q")
    known = read_decisions("known.jsonl")
    assert spinal("check", bank, "--baseline", "known.jsonl").code == 0
    # Nobody has decided: as decisions they leave nothing out.
    assert spinal("check", bank, "--decisions", "known.jsonl").code == 1
    spinal("check", bank, "--level", "info", "--write-decisions", "d.jsonl", "-q")
    assert read_decisions("d.jsonl").keys() <= known.keys()
    assert spinal("check", bank, "--baseline", "d.jsonl").code == 0


# -- two annotators -------------------------------------------------------------------

KIM = {
    "a": Decision("a", "error", "clear", "kim", edit=RETAG),
    "b": Decision("b", "fine", annotator="kim"),
    "c": Decision("c", "error", annotator="kim", edit=RETAG),
    "d": Decision("d", "error", annotator="kim", edit=RETAG),
    "e": Decision("e", "undecided", "ask", "kim"),
}
LEE = {
    "a": Decision("a", "error", "yes", "lee", edit=RETAG),
    "b": Decision("b", "error", "a name", "lee", edit=RETAG),
    "c": Decision("c", "error", annotator="lee"),
    "d": Decision("d"),
    "f": Decision("f", "fine", annotator="lee"),
}


def test_two_files_become_one() -> None:
    """By hand: of a, b, c both decided; the verdicts of b differ, the edits of c."""
    merged = merged_decisions({"kim": KIM, "lee": LEE})
    of = {one.fingerprint: one for one in merged.decisions}
    assert [*of] == ["a", "b", "c", "d", "e", "f"]
    assert (of["a"].verdict, of["a"].comment) == ("error", "clear; yes")
    assert of["a"].annotator == "kim; lee"
    assert (of["b"].verdict, of["c"].verdict) == ("undecided", "undecided")
    assert of["b"].comment == "kim: fine; lee: error retag NN (a name)"
    assert of["c"].comment == "kim: error retag NN; lee: error"
    assert of["d"] == KIM["d"]
    assert (of["e"].comment, of["f"].verdict) == ("ask", "fine")
    assert [(one.fingerprint, choices) for one, choices in merged.conflicts] == [
        ("b", ("fine", "error retag NN")),
        ("c", ("error retag NN", "error")),
    ]
    (kappa,) = merged.kappa.values()
    # Expected: 2/3 * 3/3 of errors, 1/3 * 0 of fine ones; kappa (2/3 - 2/3) / (1/3).
    assert (kappa.n, kappa.observed, kappa.kappa) == (3, 2 / 3, 0.0)


@settings(max_examples=some(60))
@given(_FILES, _FILES)
def test_merging_loses_nothing(one: list[Decision], other: list[Decision]) -> None:
    files = [{line.fingerprint: line for line in file} for file in (one, other)]
    names = ("one", "other")
    merged = merged_decisions(dict(zip(names, files, strict=True)))
    turned = merged_decisions(dict(zip(names, reversed(files), strict=True)))
    of = {line.fingerprint: line for line in merged.decisions}
    assert of.keys() == files[0].keys() | files[1].keys()
    conflicts = {line.fingerprint for line, _ in merged.conflicts}
    assert conflicts == {line.fingerprint for line, _ in turned.conflicts}
    for file in files:
        for key, line in file.items():
            is_kept = not line.is_made or of[key].choice == line.choice
            assert is_kept or key in conflicts
            assert set(line.also) <= set(of[key].also)
    for key in conflicts:
        assert not of[key].is_made


def test_two_files_are_compared_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_decisions(KIM.values(), "kim.jsonl")
    write_decisions(LEE.values(), "lee.jsonl")
    files = ("kim.jsonl", "lee.jsonl")
    ran = spinal("check", "--merge-decisions", *files, "--write-decisions", "us.jsonl")
    assert ran.code == 1
    agreement = ran.out.splitlines()[4].split()
    assert agreement == ["kim.jsonl,", "lee.jsonl", "3", "66.67", "0.00"]
    assert "2 conflicts; 3 of 6 findings decided" in ran.out
    us = read_decisions("us.jsonl")
    assert [*us] == ["a", "b", "c", "d", "e", "f"]
    data = json.loads(
        spinal("check", "--merge-decisions", *files, "--format", "json").out
    )
    assert data["conflicts"][0]["choices"] == {
        "kim.jsonl": "fine",
        "lee.jsonl": "error retag NN",
    }
    # With itself nobody has a conflict.
    assert spinal("check", "--merge-decisions", "us.jsonl", "us.jsonl").code == 2
    shutil.copy("us.jsonl", "too.jsonl")
    assert spinal("check", "--merge-decisions", "us.jsonl", "too.jsonl").code == 0
    assert spinal("check", "--merge-decisions", "us.jsonl").code == 2


def test_git_merges_what_two_people_decided(
    bank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They decide on other findings of one file: no conflict, and all is there."""
    git = shutil.which("git")
    if git is None:
        pytest.skip("NOT RUN: no git here")
    lines = [Decision(f"{number:016x}") for number in range(20)]

    def decided(numbers: tuple[int, ...]) -> str:
        return written_decisions(
            replace(one, verdict="fine") if at in numbers else one
            for at, one in enumerate(lines)
        )

    for name, numbers in (("base", ()), ("kim", (2, 3)), ("lee", (10, 15))):
        Path(name).write_text(decided(numbers), "utf-8")
    ran = subprocess.run([git, "merge-file", "kim", "base", "lee"], check=False)
    assert ran.returncode == 0
    assert Path("kim").read_text("utf-8") == decided((2, 3, 10, 15))
