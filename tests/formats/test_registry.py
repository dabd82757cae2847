"""Which format a text is in, and which family of trees an argument holds."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from analyzer.exceptions import InputError
from analyzer.files.inputs import Input
from analyzer.formats.registry import FORMATS, Family, detect, family_of

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
