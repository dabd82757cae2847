"""`spinal evalb`: JSON, tables, parameters."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.command import spinal
from tests.support.golden import NEWS


def test_json_has_the_names_that_programs_rely_on() -> None:
    ran = spinal(
        "evalb", *NEWS, "--by-label", "--by-sentence", "--format", "json", "-q"
    )
    data = json.loads(ran.out)
    counts = {
        *("sentences", "error", "skip", "valid", "matched", "gold", "test", "crossing"),
        *("words", "correct_tags", "complete", "no_crossing", "two_or_less_crossing"),
    }
    for summary in (data["summary"], data["summary_cutoff"]):
        assert counts | {"recall", "precision", "f1"} <= summary.keys()
        assert all(isinstance(summary[name], int) for name in counts)
        assert 0 < summary["recall"] < 1
    assert data["summary_cutoff"]["cutoff_length"] == 40
    assert {"label", "gold", "test", "matched", "f1"} <= data["labels"][0].keys()
    assert len(data["sentences"]) == data["summary"]["sentences"]
    assert data["signature"].startswith("scorer:evalb|")
    (left_out,) = data["left_out"]
    assert left_out["sentence"] == 10
    assert left_out["reason"] == "length mismatch"


def test_json_says_null_where_nothing_can_be_divided(tmp_path: Path) -> None:
    (tmp_path / "leaf").write_text("(NN cat)\n")
    ran = spinal("evalb", tmp_path / "leaf", tmp_path / "leaf", "--format", "json")
    assert json.loads(ran.out)["summary"]["f1"] is None


def test_csv_holds_one_table() -> None:
    ran = spinal("evalb", *NEWS, "--by-label", "--by-sentence", "--format", "csv")
    assert ran.code == 2
    assert "one table" in ran.err


def test_conventions_have_no_evalb_layout() -> None:
    ran = spinal("evalb", *NEWS, "--conventions", "--format", "evalb")
    assert (ran.code, ran.out) == (2, "")


def test_deleting_a_label_and_a_parameter_file(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("(ROOT (S (NN a) (NN b)))\n")
    (tmp_path / "parsed").write_text("(ROOT (X (NN a) (NN b)))\n")
    (tmp_path / "mine.prm").write_text("DELETE_LABEL ROOT\nDELETE_LABLE S\n")
    pair = ("evalb", tmp_path / "gold", tmp_path / "parsed", "--format", "json")
    both = [
        spinal(*pair, "--delete-label", "ROOT"),
        spinal(*pair, "--params", tmp_path / "mine.prm"),
    ]
    for ran in both:
        assert ran.code == 0
        assert json.loads(ran.out)["summary"]["gold"] == 1
    assert "mine.prm:2: unknown keyword 'DELETE_LABLE'" in both[1].err
    counted = json.loads(spinal(*pair).out)
    assert counted["summary"]["matched"] == 1
    assert any("'ROOT'" in note for note in counted["notes"])
