"""`spinal rst score`: several systems, in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.support.command import Ran, spinal

CAUSE = "(NS-Cause (1) (SN-Attribution (2) (3)))"
LIST = "(NN-List (1) (NN-List (2) (3)))"
OTHER = "(SN-Cause (NS-Elaboration (1) (2)) (3))"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Gold, and three systems that are right of both documents, one, and none."""
    trees = {
        "gold": (CAUSE, LIST),
        "good": (CAUSE, LIST),
        "x y": (CAUSE, OTHER),
        "x/y": (OTHER, OTHER),
    }
    for name, (one, two) in trees.items():
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "one.brackets").write_text(one)
        (tmp_path / name / "two.brackets").write_text(two)
    return tmp_path


def score(folder: Path, *arguments: str | Path, form: str = "text") -> Ran:
    systems = [f"best={folder / 'good'}", folder / "x y", f"x/y={folder / 'x/y'}"]
    gold = folder / "gold"
    return spinal("rst", "score", gold, *systems, "--format", form, *arguments)


NAMES = ["best", "x y", "x/y"]


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_one_table_holds_all_systems(folder: Path, form: str, delimiter: str) -> None:
    ran = score(folder, form=form)
    assert (ran.code, ran.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(ran.out), delimiter=delimiter))
    spans = [row for row in rows if row["metric"] == "LAS-F"]
    assert [row["system"] for row in spans] == NAMES
    assert [int(row["matched"]) for row in spans] == [6, 3, 0]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html"])
def test_each_system_has_a_heading(folder: Path, form: str) -> None:
    ran = score(folder, "--by-document", "--by-relation", form=form)
    for title in ("Discourse scores", "F1 by document"):
        for name in NAMES:
            assert ran.out.count(f"{title}: {name}") == 1


def test_json_names_systems(folder: Path) -> None:
    ran = score(folder, "--by-document", "--by-relation", form="json")
    systems = json.loads(ran.out)["systems"]
    assert [one["system"] for one in systems] == NAMES
    for one in systems:
        for rows in ("rows", "documents", "relations"):
            assert {row["system"] for row in one[rows]} == {one["system"]}


def test_files_are_written_of_all_systems(folder: Path) -> None:
    out = folder / "out"
    assert score(folder, "--by-document", "--output", out).code == 0
    for name in ("rst_best", "rst_x-y", "rst_x-y-2", "documents_x-y-2", "rst"):
        for ending in ("txt", "csv", "tsv", "md", "tex", "html"):
            assert (out / f"{name}.{ending}").is_file()
    together = (out / "rst.csv").read_text().splitlines()
    assert {line.split(",")[0] for line in together} == {"system", *NAMES}


def test_one_system_needs_no_name(folder: Path) -> None:
    plain = spinal("rst", "score", folder / "gold", folder / "good", "--format", "csv")
    named = spinal(
        "rst", "score", folder / "gold", f"a={folder / 'good'}", "--format", "csv"
    )
    assert plain.out == named.out
    assert plain.out.startswith("encoding,metric,")


def test_a_name_may_come_once(folder: Path) -> None:
    ran = spinal("rst", "score", folder / "gold", f"a={folder}", f"a={folder}")
    assert ran.code == 2
    assert "two systems have the same name: a" in ran.err
