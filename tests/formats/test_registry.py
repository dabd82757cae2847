"""Which format a text is in, and which family of trees an argument holds."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analyzer import check, read_trees, score
from analyzer.exceptions import InputError
from analyzer.files.inputs import Input
from analyzer.files.sources import open_utf8
from analyzer.formats.incremental import whole_file
from analyzer.formats.registry import (
    FORMATS,
    Family,
    Format,
    detect,
    family_of,
    register,
    unregister,
)
from analyzer.model.treebank import Treebank, TreebankBuilder
from tests.support.data_paths import ROOT

DIS = "( Root (span 1 2)\n  ( Nucleus (leaf 1) (rel2par span) (text _!A_!) ) …"
TIGER = '<?xml version="1.0"?>\n<!-- ours -->\n<corpus id="a"><body>'


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (DIS, "dis"),
        (TIGER, "tiger"),
        ("\ufeff# a comment\n<rst>\n<body>", "rs3"),
        ('<?xml version="1.0"?>', "rs3"),
        ("# a comment\n\n( (S (NP (NN x)))", "penn"),
        ("*x* evalb's comment\n(S (A a))", "penn"),
        # Numbers as labels, and a tag that is also a pattern of nuclearity.
        ("(0 (DT the) (NN dog))", "penn"),
        ('{"format": "rst", "version": 1}', "json"),
        ("((1, 3), 'Nucleus', 'span')", "spans"),
        ("1\tHe left\t0\t_\t_\t_\t0\tROOT\t_\t_\n", "rsd"),
        # Words with their lemmas: CoNLL-U of syntax, which is not read.
        ("1\tdogs\tdog\tNOUN\tNNS\t_\t0\troot\t_\t_\n", None),
        ("edu\thead\trelation\ttext\n1\t0\tROOT\tHe left\n", "table"),
        ("EDU,head,label\n1,0,ROOT\n", "table"),
        ("id\thead\tlabel\n1\t0\troot\n", None),
        (
            "# newdoc\n1\tHe left\t_\t_\t_\tNuclearity=N|Rank=1\t0\tROOT\t_\t_\n",
            "conllu",
        ),
        ("<html>", None),
        ("1 2 attribution\n", None),
        ("", None),
    ],
)
def test_detecting_where_nothing_is_known(start: str, name: str | None) -> None:
    found = detect(start)
    assert (found.name if found else None) == name


@pytest.mark.parametrize("family", Family)
def test_detecting_within_a_family(family: Family) -> None:
    found = detect("(NS-Cause (1) (2))", family)
    assert found is not None
    assert found.name == {"syntax": "penn", "discourse": "brackets"}[family.value]


def test_names_are_unique() -> None:
    names = [one.name for one in FORMATS]
    assert len(set(names)) == len(names)


def test_family_of_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text(DIS)
    (tmp_path / "c.txt").write_text(TIGER)
    (tmp_path / "a_README").write_text("Which trees are here?")
    assert _family(tmp_path / "*.txt") is Family.DISCOURSE
    assert _family(tmp_path / "c.txt") is Family.SYNTAX
    assert _family(tmp_path / "b.txt") is Family.DISCOURSE
    with pytest.raises(InputError, match=r"sentences \(.*c.txt\).*documents \(.*b.txt"):
        _family(tmp_path)
    (tmp_path / "c.txt").write_text("(AP) -- A text beside its tree.")
    assert _family(tmp_path) is Family.DISCOURSE


def test_family_of_what_is_read_once() -> None:
    """It is looked at, and nothing of it is lost."""
    for start, family in ((DIS, Family.DISCOURSE), ("(A a)", Family.SYNTAX)):
        given = Input.of_stream(io.BytesIO(start.encode() + b"\n" * 100_000))
        assert family_of(given) is family
        with given.files[0].open() as stream:
            assert stream.read(len(start.encode())).decode() == start


def test_family_of_a_url(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    (tmp_path / "b.txt").write_text(DIS)
    assert _family(f"file://{tmp_path}/b.txt") is Family.DISCOURSE
    assert _family(f"file://{tmp_path}/*.txt") is Family.DISCOURSE


def _family(spec: str | Path) -> Family:
    return family_of(Input.of_path(spec))


def test_a_file_is_asked_once_and_opened_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / "gold.mrg", tmp_path / "parsed.mrg"]
    for path in paths:
        path.write_text("(S (NP (PRP I)) (VP (VBP see)))\n")
    opened: list[object] = []
    asked: list[object] = []

    def open_file(file: Any, **options: Any) -> Any:
        opened.append(file)
        return open_utf8(file, **options)

    def ask(start: str, family: Family | None = None) -> Format | None:
        asked.append(start)
        return detect(start, family)

    monkeypatch.setattr("analyzer.files.inputs.open_utf8", open_file)
    monkeypatch.setattr("analyzer.formats.registry.detect", ask)
    score(*paths)
    assert (opened, len(asked)) == ([str(path) for path in paths], 2)


# -- a format from outside ---------------------------------------------------------


def _read_lists(text: str, source: str) -> Treebank:
    """A tree a line: `["S", ["NP", ["PRP", "I"]], …]`."""
    builder = TreebankBuilder(source)

    def add(label: str, *children: Any) -> None:
        if isinstance(children[0], str):
            builder.leaf(label, children[0])
            return
        builder.open(label)
        for child in children:
            add(*child)
        builder.close()

    for number, line in enumerate(text.splitlines(), start=1):
        add(*json.loads(line))
        builder.end_tree(number)
    return builder.finish()


def _begins_with_a_list(start: str) -> bool:
    return start.startswith('["')


LISTS = Format("lists", Family.SYNTAX, _begins_with_a_list, whole_file(_read_lists))


@pytest.fixture
def lists() -> Iterator[None]:
    register(LISTS)
    yield
    unregister(LISTS)


@pytest.mark.usefixtures("lists")
def test_a_format_that_declares_itself_is_read_everywhere(tmp_path: Path) -> None:
    path = tmp_path / "trees"
    path.write_text('["S", ["NP", ["PRP", "I"]], ["VP", ["VBP", "see"]]]\n' * 3)
    penn = "(S (NP (PRP I)) (VP (VBP see)))"
    assert [str(tree) for tree in read_trees(path)] == [penn] * 3
    assert family_of(Input.of_path(path)) is Family.SYNTAX
    assert score(path, [penn] * 3).total.gold == 9
    assert check(path).findings == []


def test_no_trace_of_it_is_left() -> None:
    assert detect('["S", ["NP", ["PRP", "I"]]]') is None


def test_no_expression_repeats_a_group_possessively() -> None:
    """Python before 3.11.5 matches `(a|b)*+` wrongly; `(?>(a|b)*)` says the same."""
    found = {
        f"{path.name}: {line.strip()}"
        for folder in ("analyzer", "grammars", "reports")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".lark"}
        for line in path.read_text("utf-8").splitlines()
        if re.search(r"\)(?:[*+?]|\{[0-9,]+\})\+", line)
        # A backslash and what it escapes: only the end of the text is in the way.
        and path.name != "rst_python.lark"
    }
    assert found == set()
