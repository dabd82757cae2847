"""`spinal agree`: both kinds of trees, formats, what it tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer import score
from tests.support.command import spinal, spinal_process
from tests.support.data_paths import EXAMPLES, SHARED, needs_shared_data

A, B = EXAMPLES / "web.chart.mrg", EXAMPLES / "web.gold.mrg"


def test_command() -> None:
    ran = spinal("agree", A, B, "--format", "json")
    data = json.loads(ran.out)
    assert ran.code == 0
    assert data["total"]["f_s"] == pytest.approx(score(str(A), str(B)).total.f_s)
    counts = [group["count"] for group in data["disagreements"]]
    assert counts == sorted(counts, reverse=True)
    assert {"label", "construction", "attachment", "tag"} == set(data["kappas"])


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "tsv", "html"])
def test_command_formats(form: str) -> None:
    ran = spinal("agree", A, B, "--format", form, "--top", "3", "--examples", "2")
    assert ran.code == 0
    assert "NP-t" in ran.out


def test_command_tells_of_lengths_and_words(tmp_path: Path) -> None:
    one, other = tmp_path / "one.mrg", tmp_path / "other.mrg"
    one.write_text("(NP (NN gold))\n(NP (NN gold))\n")
    other.write_text("(NP (NN gold))\n")
    ran = spinal("agree", one, other)
    assert ran.code == 2
    assert "differ in length by 1 sentence" in ran.err
    one.write_text("(NP (NN gold))\n")
    other.write_text("(NP (NN tin))\n")
    ran = spinal("agree", one, other)
    assert ran.code == 2
    assert "A 'gold', B 'tin'" in ran.err
    assert "nothing could be compared" in ran.err


def test_releases_are_paired_by_text(tmp_path: Path) -> None:
    trees = B.read_text().splitlines()
    old, new = tmp_path / "old.mrg", tmp_path / "new.mrg"
    old.write_text("\n".join(trees) + "\n")
    changed = trees[20].replace("(NP ", "(ADJP ", 1)
    assert changed != trees[20]
    new.write_text("\n".join([*trees[5:20], changed, *trees[21:]]) + "\n")
    ran = spinal("agree", old, new, "--pair", "text", "--format", "json")
    data = json.loads(ran.out)
    assert ran.code == 0
    assert data["surplus"] == {"in_a": 5, "in_b": 0}
    assert data["sentences_scored"] == len(trees) - 5
    places = {one["place"] for g in data["disagreements"] for one in g["examples"]}
    assert places == {"21"}


@pytest.mark.slow
@needs_shared_data
@pytest.mark.parametrize("segmentation", ["same", "offsets"])
def test_command_on_documents_by_itself(segmentation: str) -> None:
    # In a process of its own: few labels are known, and numbers must fit them.
    rst = SHARED / "rst"
    ran = spinal_process(
        *("agree", rst / "gold" / "dis", rst / "pred" / "sr"),
        *("--segmentation", segmentation, "-q", "--format", "json"),
    )
    assert ran.returncode == 0
    data = json.loads(ran.stdout)
    assert data["sentences_scored"] == 32
    assert set(data["kappas"]) == {"construction", "attachment"}


@pytest.mark.slow
@needs_shared_data
def test_command_on_documents() -> None:
    rst = SHARED / "rst"
    gold, predicted = rst / "gold" / "dis", rst / "pred" / "sr"
    ran = spinal("agree", gold, predicted, "--format", "json", "-q")
    data = json.loads(ran.out)
    scored = spinal(
        *("rst", "score", gold, predicted, "--constructions", "-q", "--format", "json")
    )
    names = ("construction", "f_h", "f_s", "att", "span_right")
    expected = json.loads(scored.out)["constructions"]
    assert sorted(tuple(map(str, (row[n] for n in names))) for row in expected) == (
        sorted(
            tuple(map(str, (row[n] for n in names))) for row in data["constructions"]
        )
    )
    assert [row["factor"] for row in data["factors"]] == [
        *("constituent", "attachment", "nuclearity", "relation", "all")
    ]
    assert data["disagreements"][0]["examples"][0]["place"].startswith("GUM_")
