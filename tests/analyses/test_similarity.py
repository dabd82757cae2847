"""Similarity between parsers, their clusters, and how ambiguous dependencies are."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from analyzer.analyses.similarity import Similarity, clustered, similarity
from analyzer.exceptions import SettingsError
from analyzer.formats.rst.dis import read_dis, write_dis
from analyzer.metrics.ratios import MatchCounts
from analyzer.model.discourse import Unit
from reports.tables.rst_trees import dendrogram_text, heat_map_text
from tests.support.command import spinal
from tests.support.data_paths import RST, needs_rst_data
from tests.support.rst_strategies import tree_of

FOLDERS = {name: RST / "pred" / name for name in ("sr", "hilda", "dep", "rb")}
FOLDERS["gold"] = RST / "gold/dis"


def documents(folder: Path) -> list[tuple[str, Unit]]:
    return [
        (path.stem, read_dis(path.read_text("utf-8"), str(path)))
        for path in sorted(folder.glob("*.dis"))
    ]


def table_of(names: str, values: Sequence[Sequence[int]]) -> Similarity:
    """Similarities in percent."""
    pairs = [[MatchCounts(value, 100, 100) for value in row] for row in values]
    return Similarity("S", list(names), pairs)


@pytest.mark.slow
@needs_rst_data
def test_identical_to_the_released_program() -> None:
    found = similarity(
        {name: documents(folder) for name, folder in FOLDERS.items()}, ("S", "UAS")
    )
    names = {"S": "S-labelled-attachment", "UAS": "UAS"}
    ours = {
        (names[table.metric], one, other): pair
        for table in found.tables
        for one, row in zip(table.names, table.pairs, strict=True)
        for other, pair in zip(table.names, row, strict=True)
    }
    with (RST / "similarity.tsv").open(encoding="utf-8") as lines:
        theirs = list(csv.DictReader(lines, delimiter="\t"))
    assert len(theirs) == len(ours) == 50
    for row in theirs:
        pair = ours[row["metric"], row["reference"], row["prediction"]]
        assert pair == (int(row["tp"]), int(row["n"]), int(row["n"]))
        assert pair.f1 == pytest.approx(float(row["f1"]), abs=1e-12)


def test_documents_that_not_all_have_are_left_out() -> None:
    one, two = tree_of("[N:span S:a]"), tree_of("[N:span S:a S:b]")
    found = similarity(
        {"A": [("x", one), ("y", one), ("z", one)], "B": [("x", one), ("y", two)]}
    )
    assert found.documents == ["x"]
    assert [(one.document, one.error.message) for one in found.left_out] == [
        ("y", "differs in its number of EDUs: 2, 3"),
        ("z", "missing from 1 of 2"),
    ]


def test_unknown_metrics_are_named() -> None:
    with pytest.raises(SettingsError, match="no metric 'XYZ'; there are S, N"):
        similarity({"A": [], "B": []}, ["XYZ"])


def test_average_linkage_by_hand() -> None:
    table = table_of("abc", [[100, 20, 90], [20, 100, 40], [90, 40, 100]])
    top = clustered(table)
    assert top.members == (0, 2, 1)
    assert top.height == pytest.approx(0.7)  # the mean of 0.8 and 0.6
    assert top.parts is not None
    assert top.parts[0].height == pytest.approx(0.1)
    assert dendrogram_text(table).splitlines()[2:] == [
        "a ────────┐",
        "     90.0 ├───────┐",
        "c ────────┘  30.0 │",
        "                  │",
        "b ────────────────┘",
    ]


def test_heat_map_text() -> None:
    table = table_of("abc", [[100, 20, 90], [20, 100, 40], [90, 40, 100]])
    assert heat_map_text(table).splitlines()[2:] == [
        "          a         b         c",
        "a  ██ 100.0      20.0  ██  90.0",
        "b      20.0  ██ 100.0  ░░  40.0",
        "c  ██  90.0  ░░  40.0  ██ 100.0",
    ]


# -- the commands ---------------------------------------------------------------------


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    specs = {
        "a": "[N:span[N:span S:a] S:b]",
        "b": "[N:span S:a[N:span S:b]]",
        "c": "[N:span[N:span S:a] S:c]",
    }
    made = []
    for name, spec in specs.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "one.dis").write_text(write_dis(tree_of(spec)), "utf-8")
        made.append(folder)
    return made


def test_similarity_as_text_and_json(folders: list[Path]) -> None:
    ran = spinal("rst", "similarity", *folders, "--metric", "S")
    assert ran.code == 0
    assert "a  ██ 100.0      50.0  ██ 100.0" in ran.out
    assert "1 document" in ran.out
    ran = spinal("rst", "similarity", *folders, "--format", "json")
    data = json.loads(ran.out)
    assert [table["metric"] for table in data["metrics"]] == ["S", "UAS"]
    assert data["metrics"][0]["f1"][0] == [1.0, 0.5, 1.0]
    assert data["metrics"][0]["clusters"][0] == {
        "joined": [["a"], ["c"]],
        "similarity": 1.0,
    }


def test_similarity_as_csv(folders: list[Path]) -> None:
    ran = spinal("rst", "similarity", *folders, "--metric", "F", "--format", "csv")
    rows = list(csv.DictReader(ran.out.splitlines()))
    assert len(rows) == 9
    assert rows[2]["f1"] == "0.5"


@pytest.mark.slow
def test_similarity_writes_pictures(folders: list[Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "out"
    ran = spinal("rst", "similarity", *folders, "--output", out)
    assert ran.code == 0
    for name in ("heat_map_S", "dendrogram_S", "heat_map_UAS", "dendrogram_UAS"):
        for ending in ("svg", "png", "pdf"):
            assert (out / f"{name}.{ending}").stat().st_size > 1000


def test_similarity_faults(folders: list[Path]) -> None:
    assert spinal("rst", "similarity", folders[0]).code == 2
    ran = spinal("rst", "similarity", folders[0], folders[0])
    assert (ran.code, "NAME=PATH" in ran.err) == (2, True)
    ran = spinal("rst", "similarity", f"x={folders[0]}", f"y={folders[0]}")
    assert ran.code == 0


def test_ambiguity(folders: list[Path]) -> None:
    spider = folders[0] / "spider.dis"
    spider.write_text(write_dis(tree_of("[S:a N:span[N:span S:b]]")), "utf-8")
    ran = spinal("rst", "ambiguity", folders[0], "--format", "csv")
    assert ran.code == 0
    rows = {row["document"]: row for row in csv.DictReader(ran.out.splitlines())}
    assert (rows["spider"]["binary"], rows["spider"]["all"]) == ("2", "3")
    assert rows["one"]["binary"] == "1"
    assert rows["all"]["binary"] == "2"
    data = json.loads(spinal("rst", "ambiguity", spider, "--format", "json").out)
    assert data["documents"][0]["spiders"] == 1


def test_ambiguity_of_unary_units_is_told(tmp_path: Path) -> None:
    path = tmp_path / "unary.dis"
    path.write_text(write_dis(tree_of("[N:span[N:span S:a]]")), "utf-8")
    ran = spinal("rst", "ambiguity", path)
    assert ran.code == 2
    assert "Traceback" not in ran.err


@needs_rst_data
def test_ambiguity_of_real_documents() -> None:
    ran = spinal("rst", "ambiguity", RST / "gold/dis", "--format", "json")
    data = json.loads(ran.out)
    assert ran.code == 0
    assert data["all"]["edus"] == 3897
    assert data["documents"][0] == {
        "document": "GUM_academic_exposure",
        "edus": 110,
        "spiders": 7,
        "binary": "864000",
        "all": "29463643422720",
        "binary_log10": pytest.approx(5.9365, abs=1e-4),
        "all_log10": pytest.approx(13.4693, abs=1e-4),
        "with_order": 1,
    }
