"""`spinal rst convert`: from one format to another, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.formats.documents import read_rst
from analyzer.formats.registry import WHOLE_TREES, Family, detect, read_document
from tests.support.command import Ran, spinal, spinal_process
from tests.support.data_paths import RST
from tests.support.rst_strategies import shape

DIS = """\
( Root (span 1 3)
  ( Satellite (leaf 1) (rel2par Attribution) (text _!He said_!) )
  ( Nucleus (leaf 2) (rel2par span) (text _!it rained_!) )
  ( Satellite (leaf 3) (rel2par Purpose) (text _!to wet us._!) )
)
"""
LIST = """\
( Root (span 1 3)
  ( Nucleus (leaf 1) (rel2par List) (text _!a_!) )
  ( Nucleus (leaf 2) (rel2par List) (text _!b_!) )
  ( Nucleus (leaf 3) (rel2par List) (text _!c_!) )
)
"""
ARCS = "1 0 root\n2 1 contrast\n3 1 elaboration\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("rain.dis", DIS), ("list.dis", LIST), ("arcs.dep", ARCS)):
        (tmp_path / name).write_text(text)
    return tmp_path


def convert(*arguments: str | Path) -> Ran:
    ran = spinal("rst", "convert", *arguments)
    assert "Traceback" not in ran.err
    return ran


@pytest.mark.parametrize("to", WHOLE_TREES)
def test_one_document_to_standard_output(folder: Path, to: str) -> None:
    ran = convert(folder / "rain.dis", "--to", to)
    assert (ran.code, ran.err) == (0, "")
    found = detect(ran.out, Family.DISCOURSE)
    assert found is not None
    assert found.name == to
    assert shape(read_document(ran.out)) == shape(read_document(DIS))


def test_there_and_back(folder: Path) -> None:
    for to in WHOLE_TREES:
        there = folder / f"there.{to}"
        assert convert(folder / "rain.dis", "--to", to, "-o", there).code == 0
        assert convert(there, "--to", "dis").out == DIS


def test_several_documents_go_to_a_directory(folder: Path) -> None:
    ran = convert(folder / "*.dis", "--to", "rs3")
    assert ran.code == 2
    assert "2 documents: name a directory for them (-o DIR)" in ran.err
    ran = convert(
        folder / "rain.dis", "--to", "rs3", "-o", folder / "x", folder / "list.dis"
    )
    assert ran.code == 0
    assert "wrote 2 documents to" in ran.err
    assert sorted(path.name for path in (folder / "x").iterdir()) == [
        *("list.rs3", "rain.rs3")
    ]
    (folder / "file").write_text("in the way")
    ran = convert(folder / "*.dis", "--to", "rs3", "-o", folder / "file")
    assert ran.code == 2
    assert "several documents need a directory" in ran.err


def test_a_directory_becomes_one_however_many_can_be_read(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "rain.dis").write_text(DIS)
    (source / "bad.dis").write_text("( Root (span 1 2)")
    assert convert(source, "--to", "rs3", "-o", tmp_path / "out").code == 2
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["rain.rs3"]
    assert convert(source / "r*.dis", "--to", "rs3", "-o", tmp_path / "glob").code == 0
    assert [path.name for path in (tmp_path / "glob").iterdir()] == ["rain.rs3"]
    (tmp_path / "file").write_text("in the way")
    ran = convert(source, "--to", "rs3", "-o", tmp_path / "file")
    assert ran.code == 2
    assert "several documents need a directory" in ran.err
    assert convert(source / "rain.dis", "--to", "rs3", "-o", tmp_path / "a").code == 0
    assert (tmp_path / "a").is_file()


def test_binarising(folder: Path) -> None:
    right = read_document(
        convert(folder / "rain.dis", "--to", "dis", "--binarize", "right").out
    )
    assert [unit.label for unit in right.walk()] == [
        *("---/R", "Attribution/S", "span/N", "span/N", "Purpose/S")
    ]
    left = read_document(
        convert(folder / "rain.dis", "--to", "dis", "--binarize", "left").out
    )
    assert [unit.label for unit in left.walk()] == [
        *("---/R", "span/N", "Attribution/S", "span/N", "Purpose/S")
    ]


def test_relations(folder: Path) -> None:
    ran = convert(folder / "rain.dis", "--to", "brackets", "--relations", "rstdt")
    assert "Satellite:enablement" in ran.out
    own = folder / "own.txt"
    own.write_text("purpose goal\n")
    for to in ("brackets", "conllu"):
        assert (
            "goal" in convert(folder / "rain.dis", "--to", to, "--relations", own).out
        )
    there = folder / "rain.conllu"
    convert(folder / "rain.dis", "--to", "conllu", "-o", there)
    ran = convert(there, "--to", "rsd", "--relations", own)
    assert "goal_r" in ran.out
    assert "ROOT" in ran.out
    ran = convert(there, "--to", "rsd", "--relations", "nonsense")
    assert (ran.code, ran.out) == (2, "")
    assert "no relation map 'nonsense'" in ran.err


def arcs(text: str) -> list[tuple[str, str]]:
    """Head and rank of each EDU in CoNLL-U."""
    rows = [line.split("\t") for line in text.splitlines() if "\t" in line]
    return [(row[6], row[5].rpartition("Rank=")[2]) for row in rows]


def test_order_and_transform(folder: Path) -> None:
    path = folder / "list.dis"
    assert arcs(convert(path, "--to", "conllu").out) == [
        *(("0", "1"), ("1", "1"), ("1", "1"))
    ]
    assert arcs(convert(path, "--to", "conllu", "--order", "strict").out) == [
        *(("0", "1"), ("1", "1"), ("1", "2"))
    ]
    assert arcs(convert(path, "--to", "conllu", "--transform", "chain").out) == [
        *(("0", "1"), ("1", "1"), ("2", "1"))
    ]


def test_multinuclear_relations_listed_or_learned(folder: Path) -> None:
    path = folder / "arcs.dep"
    for given in ("contrast", "contrast,list"):
        ran = convert(path, "--to", "brackets", "--multinuclear", given)
        assert "(Nucleus:contrast 1)" not in ran.out
        assert ran.out.count("Nucleus:contrast") == 2
    assert "Satellite:contrast" in convert(path, "--to", "brackets").out
    (folder / "list.txt").write_text("contrast\nlist\n")
    (folder / "training").mkdir()
    (folder / "training" / "a.dis").write_text(LIST.replace("List", "contrast"))
    for given in (
        folder / "list.txt",
        folder / "training",
        folder / "training" / "a.dis",
    ):
        ran = convert(path, "--to", "brackets", "--multinuclear", given)
        assert ran.out.count("Nucleus:contrast") == 2
    assert convert(path, "--to", "dis", "--multinuclear", "no/file").code == 2


def test_arcs_stay_as_they_are_unless_asked(folder: Path) -> None:
    ran = convert(folder / "arcs.dep", "--to", "rsd")
    assert ran.out.splitlines()[1] == "2\t\t_\t_\t_\t_\t1\tcontrast\t_\t_"
    ran = convert(folder / "arcs.dep", "--to", "rsd", "--multinuclear", "contrast")
    assert ran.out.splitlines()[1] == "2\t\t0\t_\t_\t_\t1\tcontrast_m\t_\t_"


def test_one_bad_document_does_not_lose_the_others(folder: Path) -> None:
    (folder / "bad.dis").write_text(DIS.replace("leaf 3", "leaf 2"))
    out = folder / "out"
    ran = convert(folder / "*.dis", "--to", "json", "-o", out)
    assert ran.code == 2
    assert "bad.dis:4:21: EDU 2 a second time; expected EDU 3" in ran.err
    assert sorted(path.name for path in out.iterdir()) == ["list.json", "rain.json"]
    ran = convert(folder / "*.dis", "--to", "json", "-o", folder / "strict", "--strict")
    assert ran.code == 2
    assert not (folder / "strict").exists()


def test_what_a_format_cannot_say_is_told(folder: Path) -> None:
    mixed = folder / "mixed.dis"
    mixed.write_text(LIST.replace("( Nucleus (leaf 3)", "( Satellite (leaf 3)"))
    ran = convert(mixed, "--to", "rs3")
    assert ran.code == 0
    assert "mixed.dis: several nuclei with a satellite" in ran.err
    assert convert(mixed, "--to", "rs3", "-q").err == ""
    mixed.write_text(
        LIST.replace(
            "( Nucleus (leaf 1) (rel2par List)", "( Nucleus (leaf 1) (rel2par Other)"
        )
    )
    ran = convert(mixed, "--to", "rsd")
    assert "1 first nucleus's relation left out" in ran.err
    assert (
        read_document(convert(mixed, "--to", "conllu").out).children[0].relation
        == "Other"
    )
    mixed.write_text(LIST.replace("_!a_!", "<EDU>a !_ ) _!</EDU>"))
    ran = convert(mixed, "--to", "brackets")
    assert ran.code == 2
    assert "mixed.dis: the text of EDU 1 contains" in ran.err


def test_unwritable_and_missing(folder: Path) -> None:
    ran = convert(folder / "rain.dis", "--to", "dis", "-o", folder / "no" / "where.dis")
    assert (ran.code, "cannot be written" in ran.err) == (2, True)
    ran = convert(folder / "nothing.dis", "--to", "dis")
    assert (ran.code, "no such file" in ran.err) == (2, True)
    assert convert(folder / "rain.dis", "--to", "xml").code == 2


def test_the_same_document_twice(folder: Path) -> None:
    ran = convert(folder / "rain.dis", folder / "rain.dis", "--to", "dis")
    assert ran.code == 2
    assert "a second document 'rain'" in ran.err


@pytest.mark.slow
def test_standard_input(folder: Path) -> None:
    ran = spinal_process("rst", "convert", "-", "--to", "brackets", input=DIS.encode())
    assert ran.returncode == 0
    assert ran.stdout.decode().startswith("(Root (Satellite:Attribution _!He said!_)")


@pytest.mark.slow
@pytest.mark.skipif(
    not RST.exists(), reason="NOT RUN: the shared data (../shared/data/rst) is not here"
)
@pytest.mark.parametrize("to", ["rs3", "conllu", "rsd"])
def test_gum_there_and_back(tmp_path: Path, to: str) -> None:
    there, back = tmp_path / "there", tmp_path / "back"
    assert convert(RST / "gold" / "dis", "--to", to, "-o", there, "-q").code == 0
    assert convert(there, "--to", "dis", "-o", back, "-q").code == 0
    gold = read_rst(str(RST / "gold" / "dis"))
    again = read_rst(str(back))
    errors = again.problems
    assert not errors
    assert [(n, shape(root)) for n, root in again] == [
        (n, shape(root)) for n, root in gold
    ]
