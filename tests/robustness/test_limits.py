"""Limits: what is refused, what an option lets through, and what is not affected."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from analyzer.cli.main import COMMANDS
from analyzer.exceptions import InputError, RstError
from analyzer.files import small_files
from analyzer.files.small_files import read_json, read_lines, read_text
from analyzer.files.sources import open_utf8
from analyzer.files.xml import elements
from analyzer.formats.documents import read_rst
from analyzer.formats.registry import (
    FORMATS,
    Family,
    parse_documents,
    read_document,
    write_rst,
)
from analyzer.limits import Limits, limited, limits
from tests.support.command import spinal, spinal_process
from tests.support.data_paths import EXAMPLES

LEAVES = [tuple(name.split()) for name, one in COMMANDS.items() if not one.family]
LIST = "(list (1) (2) (3))\n"


@pytest.mark.parametrize("leaf", LEAVES, ids=" ".join)
def test_every_command_has_the_options(leaf: tuple[str, ...]) -> None:
    ran = spinal(*leaf, "--help-all")
    assert ran.code == 0
    assert "--max-tree-nodes N" in ran.out
    assert "--max-expansion N" in ran.out


@pytest.mark.parametrize("option", ["--max-tree-nodes", "--max-expansion"])
@pytest.mark.parametrize("value", ["0", "-5"])
def test_limits_that_allow_nothing(option: str, value: str) -> None:
    gold = EXAMPLES / "news.gold.mrg"
    ran = spinal("evalb", gold, gold, option, value)
    assert ran == (2, "", f"spinal: {option} must be at least 1, not {value}\n")


def test_limits_hold_for_one_command_only(tmp_path: Path) -> None:
    (tmp_path / "doc.brackets").write_text(LIST)
    few = spinal("rst", "score", *[tmp_path / "doc.brackets"] * 2, "--max-tree-nodes=3")
    assert few.code == 2
    assert "doc.brackets:1:15: found 4 units so far; at most 3 are read" in few.err
    assert "--max-tree-nodes" in few.err
    assert limits() == Limits()
    assert spinal("rst", "score", *[tmp_path / "doc.brackets"] * 2).code == 0


def _entry(number: int) -> dict[str, object]:
    return {"id": number, "parent": number - 1, "text": "", "relation": "list"}


def test_every_format_of_discourse_trees_has_the_limit() -> None:
    tree = read_document(LIST)
    texts = {
        **{
            name: write_rst(tree, name)
            for name in ("dis", "rs3", "rs4", "rsd", "conllu", "json", "brackets")
        },
        "table": "edu\thead\tlabel\n1\t0\tROOT\n2\t1\tlist\n3\t1\tlist\n",
        "triples": "1 0 root\n2 1 list\n3 1 list\n",
        "spans": "".join(f"(({n}, {n}), 'Nucleus', 'list')\n" for n in (1, 2, 3)),
        "ntt": "(nucleus-nucleus:list (text 0) (text 1) (text 2))",
        "ntt-json": json.dumps(
            {
                "edu_strings": ["a", "b", "c"],
                "attach_tree": "(nucleus-nucleus:list (text 0) (text 1) (text 2))",
            }
        ),
        "scidtb": json.dumps({"root": [{"id": 0}, *map(_entry, (1, 2, 3))]}),
        "dialogue": json.dumps([{"edus": [{"text": ""}] * 3, "relations": []}]),
        "rels": "doc\tunit1_toks\tunit2_toks\tdir\tlabel\n"
        "a\t1\t2\t1<2\tlist\na\t2\t3\t1<2\tlist\n",
        "segments": "".join(
            f"{n}\tit" + "\t_" * 7 + "\tSeg=B-seg\n" for n in (1, 2, 3)
        ),
        "decisions": "1 2 NN list\n1-2 3 NN list\n",
    }
    assert set(texts) == {one.name for one in FORMATS if one.family is Family.DISCOURSE}
    for name, text in texts.items():
        with limited(Limits(tree_nodes=10)):
            assert len(parse_documents(text, "doc", format=name)) == 1
        with (
            limited(Limits(tree_nodes=2)),
            pytest.raises(RstError, match=r"^doc.* at most 2 are read in one document"),
        ):
            parse_documents(text, "doc", format=name)


@pytest.mark.slow
def test_a_bomb_may_be_let_through(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"(A a)" + b" " * (17 << 20) + b"\n"))
    refused = spinal("show", path, "--style", "line")
    assert refused.code == 2
    assert "expands to more than 250 times its size" in refused.err
    assert "--max-expansion" in refused.err
    allowed = spinal("evalb", path, path, "--max-expansion", "2000")
    assert "expands" not in allowed.err
    piped = spinal_process("show", "-", input=path.read_bytes())
    assert piped.returncode == 2
    assert b"expands to more than 250 times its size" in piped.stderr


def test_what_is_in_proportion_is_not_a_bomb(tmp_path: Path) -> None:
    """Small files may shrink as they like, large ones to a two hundred and fiftieth."""
    small = tmp_path / "small.gz"
    small.write_bytes(gzip.compress(b"(A a)\n" * 100_000))
    assert spinal("evalb", small, small).code == 0
    lines = b"".join(b"(A word%d)\n" % n for n in range(20_000))
    large = tmp_path / "large.gz"
    large.write_bytes(b"".join([gzip.compress(lines)] * 70))
    with open_utf8(str(large)) as stream:
        size = 0
        while data := stream.read(1 << 20):
            size += len(data)
    assert size == 70 * len(lines) > 16 << 20


def test_files_read_whole_have_a_largest_size(tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    path.write_text("[1,\n 2]\n")
    assert read_text(str(path), largest=8) == "[1,\n 2]\n"
    with pytest.raises(InputError, match="is larger than 0 MB"):
        read_text(str(path), largest=7)
    assert list(read_lines(str(path))) == ["[1,", " 2]"]
    assert read_json(str(path), "no JSON") == [1, 2]
    path.write_text("[1,\n 2")
    with pytest.raises(InputError, match=r"some.json:2:3: no JSON: broken JSON: "):
        read_json(str(path), "no JSON")
    path.write_text("ok\n" + "x" * 3_000_000)
    with pytest.raises(InputError, match=r"some.json:2: a line of more than 1 MB"):
        list(read_lines(str(path)))
    path.write_bytes(b"ok\r\n\xff\n")
    with pytest.raises(InputError, match=r"some.json:2: byte 0xFF is not UTF-8"):
        list(read_lines(str(path)))
    assert small_files.LARGEST_JSON <= small_files.LARGEST_FILE


def test_many_documents_in_one_file_of_any_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Brackets, a tree a line, are read by lines if the file is too large."""
    path = tmp_path / "many.brackets"
    path.write_text(LIST * 10)
    monkeypatch.setattr("analyzer.formats.documents.LARGEST_FILE", 100)
    documents = read_rst(str(path))
    errors = documents.problems
    assert (len(documents), errors) == (10, [])
    assert documents.names[-1] == "many:10"
    path.write_text(LIST * 9 + "(list (1)\n")
    documents = read_rst(str(path))
    errors = documents.problems
    assert [str(error) for error in errors] == [
        f"{path}:10:9: ends too early: 1 bracket still open"
    ]
    path.write_text("( Root (span 1 2)\n" * 10)
    errors = read_rst(str(path)).problems
    assert "is larger than" in str(errors[0])


def test_xml_does_not_depend_on_its_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "<a>\n <b x='é'>one</b>\n <b>two &amp; three</b>\n</a>"
    whole = list(elements(text, "<text>"))
    for size in (1, 2, 7):
        monkeypatch.setattr("analyzer.files.xml._FED_BYTES", size)
        assert list(elements(text, "<text>")) == whole
    assert [(e.name, e.text.strip(), e.line) for e in whole] == [
        ("b", "one", 2),
        ("b", "two & three", 3),
        ("a", "", 1),
    ]
