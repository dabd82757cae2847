"""The command `spinal kernel`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from analyzer import TreeKernel, __version__, read_trees
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

GOLD, PARSED = EXAMPLES / "news.gold.mrg", EXAMPLES / "news.chart.mrg"

DIS = """\
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!He said_!) )
  ( Satellite (leaf 2) (rel2par {relation}) (text _!it rained._!) ) )
"""


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    a, b = tmp_path / "a.mrg", tmp_path / "b.mrg"
    a.write_text("(NP (D a) (N cat))\n(NP (D the) (N dog))\n")
    b.write_text("(NP (D a) (N dog))\n(NP (D the) (N dog))\n")
    return a, b


def test_pairs_line_by_line(two: tuple[Path, Path]) -> None:
    ran = spinal("kernel", *two, "--decay", "1")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert [line.split() for line in lines[2:4]] == [["1", "1", "3"], ["2", "2", "6"]]
    assert lines[-1] == f"kernel:sst|decay:1|norm:no|spinal:{__version__}"


@pytest.mark.parametrize("kernel", ["sst", "st", "sst-bow", "ptk"])
def test_values_are_those_of_the_kernel(kernel: str) -> None:
    ran = spinal(
        "kernel", GOLD, PARSED, "--kernel", kernel, "--normalize", "--format=json"
    )
    assert ran.code == 0
    data = json.loads(ran.out)
    wanted = TreeKernel(name=kernel, normalize=True).pairwise(
        read_trees(GOLD), read_trees(PARSED)
    )
    assert [pair["k"] for pair in data["pairs"]] == wanted.tolist()
    assert data["mean"] == pytest.approx(wanted.mean())
    assert data["signature"].startswith(f"kernel:{kernel}|decay:0.4")


def test_matrix_as_npy_and_csv(two: tuple[Path, Path], tmp_path: Path) -> None:
    a, b = two
    wanted = TreeKernel().gram(read_trees(a), read_trees(b))
    ran = spinal("kernel", a, b, "--matrix", "-o", tmp_path / "k.npy")
    assert ran.code == 0
    assert ran.out == ""
    assert "2 × 2" in ran.err
    assert np.array_equal(np.load(tmp_path / "k.npy"), wanted)
    for options, separator in ((("--format", "csv"), ","), ((), "\t")):
        printed = spinal("kernel", a, b, "--matrix", *options).out
        rows = list(csv.reader(io.StringIO(printed), delimiter=separator))
        assert rows[0] == ["tree", "1", "2"]
        assert [
            [float(cell) for cell in row[1:]] for row in rows[1:]
        ] == wanted.tolist()
    assert spinal("kernel", a, b, "--matrix", "-o", tmp_path / "k.tsv", "-q").code == 0
    assert (tmp_path / "k.tsv").read_text() == printed


def test_nearest(two: tuple[Path, Path]) -> None:
    a, b = two
    ran = spinal("kernel", a, b, "--nearest", "1", "--normalize", "--format", "json")
    found = json.loads(ran.out)["nearest"]
    assert [(one["a"], one["b"], one["rank"]) for one in found] == [
        ("1", "1", 1),
        ("2", "2", 1),
    ]
    assert found[1]["k"] == 1
    # Within one file, a tree is no neighbour of itself.
    ran = spinal("kernel", GOLD, "--nearest", "5", "--format", "json")
    found = json.loads(ran.out)["nearest"]
    assert all(one["a"] != one["b"] for one in found)
    values = [one["k"] for one in found[:5]]
    assert values == sorted(values, reverse=True)


def test_nearest_takes_what_there_is(two: tuple[Path, Path]) -> None:
    ran = spinal("kernel", two[0], "--nearest", "9", "--format", "csv")
    assert len(ran.out.splitlines()) == 1 + 2


def test_discourse_trees_are_paired_by_name(tmp_path: Path) -> None:
    for side, relation in (("gold", "attribution"), ("parsed", "cause")):
        (tmp_path / side).mkdir()
        for name, own in (("one", "attribution"), ("two", relation)):
            (tmp_path / side / f"{name}.dis").write_text(DIS.format(relation=own))
    (tmp_path / "gold" / "three.dis").write_text(DIS.format(relation="cause"))
    folders = tmp_path / "gold", tmp_path / "parsed"
    ran = spinal("kernel", *folders, "--normalize", "--format", "json")
    assert ran.code == 2  # B is short of one
    assert "left out three: it is on one side only" in ran.err
    assert json.loads(ran.out)["ledger"]["reasons"] == {"only in gold": 1}
    pairs = json.loads(ran.out)["pairs"]
    assert [(pair["a"], pair["b"]) for pair in pairs] == [
        ("one", "one"),
        ("two", "two"),
    ]
    assert pairs[0]["k"] == 1
    assert 0 < pairs[1]["k"] < 1
    ran = spinal("kernel", *folders, "--matrix", "--kernel", "ptk")
    assert ran.out.splitlines()[0] == "tree\tone\ttwo"


def test_discourse_trees_of_two_files_are_paired_as_they_are(tmp_path: Path) -> None:
    a, b = tmp_path / "a.dis", tmp_path / "b.dis"
    a.write_text(DIS.format(relation="cause"))
    b.write_text(DIS.format(relation="cause"))
    ran = spinal("kernel", a, b, "--normalize", "--format", "json")
    assert [pair["k"] for pair in json.loads(ran.out)["pairs"]] == [1]


def test_a_tree_that_cannot_be_read_has_no_value(tmp_path: Path) -> None:
    a, b = tmp_path / "a.mrg", tmp_path / "b.mrg"
    a.write_text("(A a)\n(B (C c)\n\n(A a)\n")
    b.write_text("(A a)\n(B (C c))\n(A a)\n(A a)\n")
    ran = spinal("kernel", a, b, "--normalize", "--format", "json")
    assert ran.code == 2
    assert "missing ')'" in ran.err
    # The blank line is an empty tree: it shares nothing.
    assert [pair["k"] for pair in json.loads(ran.out)["pairs"]] == [1, None, 0, 1]
    ran = spinal("kernel", a, b, "--matrix", "--format", "csv", "-q")
    assert ran.out.splitlines()[2] == "2,,,,"
    ran = spinal("kernel", b, a, "--nearest", "4", "--format", "json", "-q")
    found = json.loads(ran.out)["nearest"]
    assert {one["b"] for one in found} == {"1", "3", "4"}
    assert spinal("kernel", a, b, "--strict").out == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--decay", "0"], "decay must be a number above 0"),
        (["--decay", "nan"], "decay must be a number above 0"),
        (["--nearest", "0"], "at least 1"),
        (["-o", "k.npy"], "needs --matrix"),
        (["--matrix", "-o", "k.xls"], ".npy, .csv or .tsv"),
        (["--matrix", "--format", "html"], "no matrix as html"),
        (["--matrix", "-o", "no/such/folder/k.npy"], "cannot be written"),
        (["--kernel", "gk"], "invalid choice"),
    ],
)
def test_wrong_usage(options: list[str], message: str, two: tuple[Path, Path]) -> None:
    ran = spinal("kernel", *two, *options)
    assert ran.code == 2
    assert message in ran.err


def test_wrong_files(two: tuple[Path, Path], tmp_path: Path) -> None:
    a, _ = two
    assert "pairs need two files" in spinal("kernel", a).err
    short = tmp_path / "short.mrg"
    short.write_text("(A a)\n")
    ran = spinal("kernel", a, short)
    assert ran.code == 2
    assert "2 trees" in ran.err
    assert "1 tree;" in ran.err
    assert spinal("kernel", a, tmp_path / "none.mrg").code == 2
    empty = tmp_path / "empty.mrg"
    empty.write_text("")
    assert "contains no trees" in spinal("kernel", a, empty).err
    assert "once only" in spinal("kernel", "-", "-").err
