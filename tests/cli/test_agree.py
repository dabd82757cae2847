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
    assert {"label", "construction", "attachment", "tag"} <= set(data["kappas"])


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


def test_files_of_releases_are_named(tmp_path: Path) -> None:
    """Directories by text: a file that was added, a tree that was changed."""
    trees = B.read_text().splitlines()
    changed = trees[20].replace("(NP ", "(ADJP ", 1)
    files = {
        "old/b.mrg": trees[:12],
        "old/c.mrg": trees[12:30],
        "new/a.mrg": ["(S (NP (NNP Hello)))"],
        "new/b.mrg": trees[:12],
        "new/c.mrg": [*trees[12:20], changed, *trees[21:30]],
    }
    for name, lines in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
    sides = tmp_path / "old", tmp_path / "new"
    data = json.loads(spinal("agree", *sides, "--pair", "text", "--format", "json").out)
    assert data["surplus"] == {"in_a": 0, "in_b": 1}
    examples = [one for group in data["disagreements"] for one in group["examples"]]
    assert {one["line"] for one in examples} == {9}
    assert {one["file"] for one in examples} == {str(sides[0] / "c.mrg")}
    assert {one["file_b"] for one in examples} == {str(sides[1] / "c.mrg")}


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


def test_three_annotators(tmp_path: Path) -> None:
    one = "(S (NP-SBJ (PRP I)) (VP (VBP see)))\n"
    paths = []
    for name, text in (("a", one), ("b", one), ("c", one.replace("VBP", "VB"))):
        paths.append(tmp_path / f"{name}.mrg")
        paths[-1].write_text(text * 2, "utf-8")
    data = json.loads(spinal("agree", *paths, "--format", "json").out)
    assert [row["kappa_tag"] for row in data["pairs"]] == [1.0, 1 / 3, 1 / 3]
    # By hand: PRP 6 times, VBP 4, VB 2; of each pair, in both orders, 4 differ.
    (tag,) = [row for row in data["alpha"] if row["choice"] == "tag"]
    assert tag["judgements"] == 12
    assert tag["alpha"] == pytest.approx(1 - 11 * 4 / (12**2 - 6**2 - 4**2 - 2**2))


def test_function_tags_that_differ(tmp_path: Path) -> None:
    one = "(S (NP-SBJ (PRP I)) (VP (VBP see) (NP-TMP (NN today))))\n"
    paths = [tmp_path / "a.mrg", tmp_path / "b.mrg"]
    paths[0].write_text(one, "utf-8")
    paths[1].write_text(one.replace("-TMP", "-LOC"), "utf-8")
    data = json.loads(spinal("agree", *paths, "--format", "json").out)
    (group,) = data["disagreements"]
    assert (group["kind"], group["a"], group["b"]) == ("function", "TMP", "LOC")
    assert group["examples"][0]["line"] == 1
    assert group["examples"][0]["file"] == str(paths[0])


def test_three_annotators_have_a_whole_page(tmp_path: Path) -> None:
    anna, ben = (EXAMPLES / "annotators" / f"{name}.mrg" for name in ("anna", "ben"))
    page = spinal("agree", anna, ben, anna, "--format", "html", "-q").out
    assert page.startswith("<!doctype html>")
    assert "Content-Security-Policy" in page
    assert "Agreement of each pair" in page
    assert page.count("disagreements in") == 3
