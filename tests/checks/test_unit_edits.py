"""Edits of discourse trees: in the tree, in the text of .rs3, .rs4 and .dis files."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import read_rst
from analyzer.checks.findings import Edit
from analyzer.checks.unit_edits import edited, mended, units_in
from analyzer.formats.rst.dis import write_dis
from analyzer.formats.rst.rs3 import write_rs3
from analyzer.model.discourse import Unit
from tests.support.command import spinal
from tests.support.data_paths import RST, RST_CORPORA, needs_rst_corpora
from tests.support.examples import some
from tests.support.rst_strategies import discourse_trees, shape, tree_of

# An .rs4 file as people have them: comments, quotes of both kinds, attributes in any
# order, entities, signals and secondary edges; satellites with their groups.
RS4 = """<?xml version="1.0"?>
<rst><!-- <segment id="1" parent="9"/> -->
 <header><relations>
  <rel name='cause' type='rst'/>
  <rel name="list" type="multinuc" />
 </relations><sigtypes><sig type="dm" subtypes="dm"/></sigtypes></header>
 <body>
  <segment parent='11' id="1" relname="span">He &amp; she left</segment>
  <segment id="2" parent="1" relname="cause" note="a > b">because it rained,</segment>
  <segment id="3" parent="12" relname="list">and took</segment>
  <segment relname="cause" id="4" parent="12">as usual .</segment>
  <group id="11" type="span" parent="12" relname="list"/>
  <group id="12" type="multinuc" parent="13" relname="span"/>
  <group id="13" type="span"/>
  <secedges><secedge id="3-2" source="3" target="2" relname="cause"/></secedges>
  <signals><signal source="2" type="dm" subtype="dm" tokens="4"/></signals>
 </body>
</rst>"""
DIS = """( Root (span 1 3)
  ( Nucleus (span 1 2) (rel2par span) //TT_ERR
    ( Nucleus (leaf 1) (rel2par List) (text _!( one )_!) )
    ( Nucleus (leaf 2) (rel2par List) (text <EDU>two</EDU>) )
  )
  ( Satellite (leaf 3) (rel2par cause) (text _!three_!) ) //TT_ERR
)
"""


def after(text: str, edit: Edit) -> str:
    result = edited(text, edit)
    assert result is not None
    return result[0]


def read(text: str) -> Unit:
    root = units_in(text)
    assert root is not None
    return root


def labels(text: str) -> list[str]:
    return [unit.label for unit in read(text).walk()]


def test_a_relation_is_one_attribute_and_is_declared() -> None:
    """Quotes stay, what is new is escaped; the header has the relation."""
    text = after(RS4, Edit("relation", 4, label="a & b"))
    assert labels(RS4)[4] == "cause/S"
    assert labels(text)[4] == "a & b/S"
    declared = (
        '<rel name="list" type="multinuc" />\n  <rel name="a &amp; b" type="rst"/>'
    )
    back = text.replace('relname="a &amp; b" note', 'relname="cause" note')
    assert back.replace(declared, '<rel name="list" type="multinuc" />') == RS4


def test_nuclei_of_one_relation_change_together() -> None:
    text = after(RS4, Edit("relation", 5, label="joint"))
    assert labels(text)[2::3] == ["joint/N", "joint/N"]
    assert text.count('"joint"') == 3  # also in the header
    # There, the satellite of all would become one of them.
    assert edited(RS4, Edit("relation", 5, label="cause")) is None


def test_nucleus_and_satellite_change_places() -> None:
    """The signal shows the relation, which the other one has now."""
    text = after(RS4, Edit("nuclearity", 4))
    assert labels(text)[3:5] == ["cause/S", "span/N"]
    lines = {line.strip() for line in text.split("\n")} - set(
        map(str.strip, RS4.split("\n"))
    )
    assert lines == {
        """<segment parent='2' id="1" relname="cause">He &amp; she left</segment>""",
        '<segment id="2" parent="11" relname="span" note="a > b">'
        "because it rained,</segment>",
        '<signals><signal source="1" type="dm" subtype="dm" tokens="4"/></signals>',
    }


def test_a_satellite_joins_another_unit_with_its_group() -> None:
    """It goes up to both nuclei: the group of rstWeb is then around these."""
    root = tree_of("[N:span[N:list[N:span S:cause] N:list] S:cause]")
    text = write_rs3(root)
    moved = after(text, Edit("attach", 6, 5))
    assert shape(read(moved)) == shape(
        tree_of("[N:list[N:span S:cause] N:list[N:span S:cause]]")
    )
    assert sorted(moved.count(part) for part in ("<group", "<segment")) == sorted(
        text.count(part) for part in ("<group", "<segment")
    )
    assert after(moved, Edit("attach", 6, 0)).count("<group") == text.count("<group")


def test_brackets_move_and_texts_stay() -> None:
    """Spans are counted anew; comments and how texts are delimited stay."""
    text = after(DIS, Edit("attach", 4, 3))
    assert (
        text
        == """( Root (span 1 3) //TT_ERR
    ( Nucleus (leaf 1) (rel2par List) (text _!( one )_!) )
    ( Nucleus (span 2 3) (rel2par List)
    ( Nucleus (leaf 2) (rel2par span) (text <EDU>two</EDU>) )
  ( Satellite (leaf 3) (rel2par cause) (text _!three_!) ) ) //TT_ERR
)
"""
    )
    swapped = after(DIS, Edit("nuclearity", 4))
    assert swapped == DIS.replace(
        "Nucleus (span 1 2) (rel2par span)", "Satellite (span 1 2) (rel2par cause)"
    ).replace("Satellite (leaf 3) (rel2par cause)", "Nucleus (leaf 3) (rel2par span)")


@pytest.mark.parametrize(
    "edit",
    [
        Edit("relation", 1, label="x"),  # a span has none
        Edit("relation", 4),
        Edit("relation", 0, label="x"),
        Edit("relation", 9, label="x"),
        Edit("nuclearity", 1),  # a nucleus
        Edit("attach", 4, 1),  # it is there
        Edit("attach", 4, 0),
        Edit("attach", 4, 2),  # no neighbour
        Edit("attach", 4, 4),
        Edit("attach", 4, 17),
        Edit("drop", 4),
    ],
)
def test_what_cannot_be_done_is_not(edit: Edit) -> None:
    assert edited(DIS, edit) is None


def edits(root: Unit, chance: random.Random) -> list[Edit]:
    """Every kind of edit on every unit, with any other."""
    count = sum(1 for _ in root.walk())
    return [
        Edit(action, row, chance.randrange(count), "result")
        for action in ("relation", "nuclearity", "attach")
        for row in range(count)
    ]


@settings(max_examples=some(40))
@given(
    discourse_trees(edus=8, least=2),
    st.sampled_from((write_dis, write_rs3)),
    st.randoms(),
)
def test_what_is_written_is_what_was_meant(
    root: Unit, write: Callable[[Unit], str], chance: random.Random
) -> None:
    """The text read again has the tree of the edit, and the same lines else."""
    text = "\ufeff" + write(root).replace("\n", "\r\n")
    before = read(text)
    for edit in edits(before, chance):
        then, result = mended(before, edit), edited(text, edit)
        assert result is None or then is not None
        if write is write_dis:  # in brackets all can be written
            assert (result is None) == (then is None)
        if result is None or then is None:
            continue
        assert shape(read(result[0])) == shape(then.root)
        assert result[0].startswith("\ufeff")
        assert "\n" not in result[0].replace("\r\n", "")
        edus = [unit.text for unit in read(result[0]).walk() if unit.is_edu]
        assert edus == [unit.text for unit in before.walk() if unit.is_edu]


# -- findings, decisions, --apply ----------------------------------------------------


def collection(folder: Path, ending: str) -> list[Path]:
    """Sixty documents: in the last, because is no cause; with CRLF and a mark."""
    folder.mkdir()
    for number in range(60):
        relation = "cause" if number < 59 else "list-of"
        root = tree_of(f"[N:span S:{relation}]")
        root.children[0].text = f"He left{' again' * (number % 3)} ,"
        root.children[1].text = "because it rained ."
        text = (write_dis if ending == "dis" else write_rs3)(root)
        path = folder / f"d{number:02}.{ending}"
        path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    return sorted(folder.iterdir())


@pytest.mark.parametrize("ending", ["dis", "rs3"])
def test_a_decision_is_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.chdir(tmp_path)
    files = collection(tmp_path / "docs", ending)
    before = [path.read_bytes() for path in files]
    told = ("--select", "R501", "--write-decisions", "d.jsonl")
    assert spinal("check", "--rst", "docs", *told, "-q").code in (0, 1)
    lines = Path("d.jsonl").read_text("utf-8")
    [line] = map(json.loads, lines.splitlines())
    assert (line["edit"]["action"], line["edit"]["label"]) == ("relation", "cause")
    assert spinal("check", "--apply", "d.jsonl").code == 0  # nobody decided: no edit
    assert [path.read_bytes() for path in files] == before
    Path("d.jsonl").write_text(lines.replace('"undecided"', '"error"'), "utf-8")
    ran = spinal("check", "--apply", "d.jsonl")
    assert (ran.code, ran.err.strip()) == (0, "made 1 edit, skipped 0")
    after_ = [path.read_bytes() for path in files]
    assert after_[:-1] == before[:-1]
    assert after_[-1] != before[-1]
    declared = b'\r\n\t\t\t<rel name="cause" type="rst"/>'
    was, now = (
        (b"par list-of", b"par cause")
        if ending == "dis"
        else (b'relname="list-of"', b'relname="cause"')
    )
    assert after_[-1].replace(declared, b"") == before[-1].replace(was, now)
    assert [unit.label for unit in read_rst(str(files[-1]))["d59"].walk()][
        2
    ] == "cause/S"
    again = spinal("check", "--apply", "d.jsonl")
    assert again.code == 2
    assert "not the one that was decided on" in again.err
    assert [path.read_bytes() for path in files] == after_


@needs_rst_corpora
@pytest.mark.slow
def test_real_documents_are_edited_one_edit_after_the_other() -> None:
    files = sorted((RST / "gold" / "rs4").glob("*.rs4"))[:4]
    files += sorted((RST_CORPORA / "pcc2").glob("*.rs3"))[:4]
    chance, made = random.Random(1), 0
    for path in files:
        text = path.read_text("utf-8")
        for _ in range(12):
            edit = chance.choice(edits(read(text), chance))
            if result := edited(text, edit):
                made += 1
                counts = [len(one.split("<seg")) for one in (text, result[0])]
                assert counts[0] == counts[1]
                assert text.count("<signal ") == result[0].count("<signal ")
                text = result[0]
    assert made > 20
