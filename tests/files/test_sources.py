"""Files, folders, streams and encodings."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer import read_trees
from analyzer.exceptions import (
    InputError,
    SettingsError,
    UnreadWarning,
)
from tests.support.reading import CAT

COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.mark.parametrize("name", COMPRESSIONS)
def test_compressed_files_open_by_content(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = COMPRESSIONS[name](CAT.encode())
    path = tmp_path / "trees.mrg"  # the name does not say that it is compressed
    path.write_bytes(data)
    assert str(read_trees(path)[0]) == CAT
    assert str(read_trees(io.BytesIO(data))[0]) == CAT
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert str(read_trees("-")[0]) == CAT


def test_an_open_file_stays_open(tmp_path: Path) -> None:
    """What the caller opened is for the caller to close."""
    stream = io.BytesIO(b"(A a)\n")
    read_trees(stream)
    assert not stream.closed
    with pytest.raises(InputError, match="damaged compressed file"):
        read_trees(io.BytesIO(gzip.compress(CAT.encode() * 100)[:-20]))


def test_directories_and_globs_read_in_order_of_names(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "b.mrg").write_text("(B b)\n")
    (tmp_path / "a.mrg").write_text("# comment\n\n  (A a)\n")
    (tmp_path / "sub" / "c.mrg.gz").write_bytes(gzip.compress(b"(C c)\n"))
    (tmp_path / "README").write_text("not a tree")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\0\0")
    with pytest.warns(UnreadWarning, match=r"passed over 2 files .* README, picture"):
        assert [str(t) for t in read_trees(tmp_path)] == ["(A a)", "(B b)", "(C c)"]
    assert [str(t) for t in read_trees(f"{tmp_path}/*.mrg")] == ["(A a)", "(B b)"]


def test_a_name_with_glob_characters_is_a_file_first(tmp_path: Path) -> None:
    (tmp_path / "a[1].mrg").write_text("(A a)")
    assert len(read_trees(str(tmp_path / "a[1].mrg"))) == 1


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_byte_order_marks(codec: str, tmp_path: Path) -> None:
    path = tmp_path / "trees.mrg"
    mark = "" if codec in ("utf-8-sig", "utf-16") else "\ufeff"
    path.write_bytes(f"{mark}(NN été)\r\n(NN 日本)\r\n".encode(codec))
    assert [tree.words for tree in read_trees(path)] == [["été"], ["日本"]]


def test_latin_1_when_named(tmp_path: Path) -> None:
    path = tmp_path / "trees.mrg"
    path.write_bytes("(NN été)\n(NN cat)\n".encode("latin-1"))
    words = [tree.words for tree in read_trees(path, encoding="latin-1")]
    assert words == [["été"], ["cat"]]
    with pytest.warns(UserWarning, match='encoding="latin-1"'):
        unread = read_trees(path)
    assert [tree.words for tree in unread] == [[], ["cat"]]


@pytest.mark.parametrize("encoding", ["no-such-code", "hex", "rot13"])
def test_unknown_encodings(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "trees.mrg").write_text("(A a)")
    with pytest.raises(SettingsError, match="unknown encoding"):
        read_trees(tmp_path / "trees.mrg", encoding=encoding)


def test_wrong_encoding_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "trees.mrg").write_bytes(b"(A a)\n(A \x81)\n")
    with pytest.raises(InputError, match="is not"):
        read_trees(tmp_path / "trees.mrg", encoding="cp1252")


def test_a_file_without_trees_is_an_error_a_text_is_not(tmp_path: Path) -> None:
    empty = tmp_path / "empty.mrg"
    empty.write_text("\n# nothing\n\n")
    for given_as in (empty, str(empty)):
        with pytest.raises(InputError, match="no trees"):
            read_trees(given_as)
    assert len(read_trees("")) == 0


def test_text_that_is_not_unicode_is_a_bad_tree() -> None:
    with pytest.warns(UserWarning, match="not UTF-8"):
        bank = read_trees("(A a)\n(B \ud800)\n")
    assert list(bank.problems) == [1]
