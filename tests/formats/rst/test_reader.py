"""Files and folders of discourse trees; what single formats may say."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from analyzer.exceptions import InputError, InputWarning, RstError
from analyzer.formats.documents import document_name, read_rst, read_written
from analyzer.formats.registry import (
    parse_documents,
)
from analyzer.formats.rst.rs3 import read_rs3, rs3_losses, write_rs3
from analyzer.model.discourse import DependencyTree, Unit
from tests.support.rst_specimens import (
    DIS,
    KNOWN,
    RS3,
    RSD,
    SPECIMENS,
    TEXTS,
    expected,
    named_format,
)
from tests.support.rst_strategies import shape, tree_of


def test_a_directory_of_many_formats(tmp_path: Path) -> None:
    for number, (name, text) in enumerate(SPECIMENS.items()):
        path = tmp_path / f"d{number:02}.{named_format(name)}"
        path.write_text(text, "utf-8")
    (tmp_path / "packed.dis.gz").write_bytes(gzip.compress(DIS.encode()))
    (tmp_path / "bad.dis").write_text(DIS.replace("leaf 2", "leaf 9"))
    (tmp_path / "README.md").write_text("What these files are.")
    (tmp_path / "page.html").write_text("<!DOCTYPE html><p>More.</p>")
    (tmp_path / "settings.json").write_text('{"trees": []}')
    (tmp_path / "begun.dis").write_text("nothing yet")
    documents = read_rst(str(tmp_path))
    errors = documents.problems
    assert len(documents) == len(SPECIMENS) + 1
    assert all(shape(root) == expected(TEXTS) for _, root in documents)
    assert [str(error).split("/")[-1] for error in errors] == [
        "bad.dis:5:23: a gap: EDU 9 follows EDU 1",
        "begun.dis:1: an unknown format: it begins with 'nothing yet'; known are "
        + ", ".join(sorted(KNOWN)),
    ]
    written, _ = read_written(str(tmp_path))
    assert not [warning for one in written for warning in one.document.warnings]
    some = read_rst(str(tmp_path / "d0*"))
    assert len(some) == 10
    assert documents.names[0] == "d00"


def test_a_file_that_is_named_must_be_readable(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("What these files are.")
    errors = read_rst(str(path)).problems
    assert "unknown format" in errors[0].message
    with pytest.raises(InputError, match="no such file"):
        read_rst(str(tmp_path / "nothing"))
    with pytest.raises(InputError, match="no discourse trees"):
        read_rst(str(tmp_path))
    latin = tmp_path / "latin.dis"
    latin.write_bytes(DIS.replace("He", "Hé").encode("latin-1"))
    errors = read_rst(str(latin)).problems
    assert str(errors[0]).startswith(f"{latin}:4: byte 0xE9 is not UTF-8")
    documents = read_rst(str(latin), encoding="latin-1")
    assert documents["latin"].children[0].children[0].text == "Hé left"


def test_two_files_of_one_name(tmp_path: Path) -> None:
    for ending in ("dis", "rs3"):
        (tmp_path / f"weather.{ending}").write_text(SPECIMENS[ending])
    documents = read_rst(str(tmp_path))
    errors = documents.problems
    assert [name for name, _ in documents] == ["weather"]
    assert "a second document 'weather'" in errors[0].message


def test_names() -> None:
    assert document_name("a/b/wsj_0601.out.dis.gz") == "wsj_0601"
    assert document_name("GUM_bio.v9.rs4") == "GUM_bio.v9"
    assert document_name(".dis") == ".dis"


def test_rs4_reports_what_points_to_nothing() -> None:
    more = '<secedges><secedge id="2-9" source="2" target="9"/></secedges>'
    more += '<signals><signal/><signal source="2"/></signals>'
    text = RS3.replace("</body>", f"{more}</body>")
    found = read_rs3(text, "weather")
    assert found.warnings == [
        "weather: secondary edge 2-9 on line 12 points to no unit: left out",
        "weather: the signal on line 12 is of '', no unit: left out",
    ]
    assert isinstance(found.tree, Unit)
    assert found.tree.enhancements is not None
    assert len(found.tree.enhancements.signals) == 1
    with pytest.warns(InputWarning, match="^<text>: secondary edge .* no unit"):
        read_rst(text)


def test_words_are_not_read_as_edus() -> None:
    words = "1\t2022\t2022\tNUM\tCD\t_\t0\troot\t_\t_\n"
    with pytest.raises(RstError, match="these are words"):
        parse_documents(words, "news.conllu")


def test_rs3_with_text_that_was_not_escaped() -> None:
    text = (
        '<rst><body><segment id="1">R&D &amp; Simon & Schuster &nbsp; &#38;</segment>'
        "</body></rst>"
    )
    found = read_rs3(text)
    assert isinstance(found.tree, Unit)
    assert found.tree.text == "R&D & Simon & Schuster &nbsp; &"
    assert list(found.readings) == [("bare &", "read as text", 3, "")]


def test_rs3_schemas_and_satellites_of_groups() -> None:
    """A multinuclear group may have satellites, and RSTTool's schemas are as such."""
    text = """<rst><header><relations><rel name="title" type="rst"/>
    <rel name="part" type="schema"/></relations></header><body>
    <segment id="1" parent="4" relname="title">T</segment>
    <segment id="2" parent="4" relname="part">A</segment>
    <segment id="3" parent="4" relname="part">B</segment>
    <group id="4" type="constit"/></body></rst>"""
    root = tree_of("[S:title N:span[N:part N:part]]")
    labels = [unit.label for unit in read_rs3(text).tree.walk()]
    assert labels == [unit.label for unit in root.walk()]


def test_several_satellites_of_one_nucleus_are_one_unit() -> None:
    root = tree_of("[S:a N:span S:b S:c]")
    assert shape(read_rs3(write_rs3(root)).tree) == shape(root)
    assert rs3_losses(root) == []


def test_dependencies_without_heights_have_no_order() -> None:
    tree = parse_documents(RSD.replace("\t0\t_\t_\t", "\t_\t_\t_\t"))[0].tree
    assert isinstance(tree, DependencyTree)
    assert tree.ranks is None
    assert tree.nuclearities == ["N", "S", "N"]
    assert tree.sentences == [1, 1, 2]
