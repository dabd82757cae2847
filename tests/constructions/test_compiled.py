"""Built-in inventories that are kept compiled: the same, and never stale."""

from __future__ import annotations

import marshal
import os
import pickle
from pathlib import Path

import pytest

import patterns
from analyzer import Inventory, load_inventory, parse_inventory
from analyzer.constructions import language

NAMES = ("english", "historical", "rst")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where inventories are kept; no other test's is there."""
    folder = tmp_path / "kept"
    monkeypatch.setattr(language, "_FOLDER", str(folder))
    return folder


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the inventories that were parsed, as they are."""
    names: list[str] = []

    def parse(text: str, name: str) -> Inventory:
        names.append(name)
        return parse_inventory(text, name=name, source=f"patterns/{name}.pat")

    monkeypatch.setattr(language, "_parse_built_in", parse)
    return names


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept_is_what_was_parsed(
    name: str, folder: Path, parsed: list[str]
) -> None:
    first, second = load_inventory(name), load_inventory(name)
    assert parsed == [name]
    assert second.patterns == first.patterns
    assert second.by_nonterminal == first.by_nonterminal
    assert second.labels == first.labels
    assert (second, second.hash, second.source) == (first, first.hash, first.source)
    for one, other in zip(first.patterns, second.patterns, strict=True):
        assert one.is_recursive == other.is_recursive
        assert pickle.dumps(one.compiled) == pickle.dumps(other.compiled)
    assert not list(second.failed_examples())
    assert pickle.loads(pickle.dumps(second)) == first


def test_a_changed_text_is_parsed_again(
    folder: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_inventory()
    changed = "NP-t: (head:TAG)\n"
    monkeypatch.setattr(patterns, "text", lambda file: changed)
    assert [pattern.name for pattern in load_inventory().patterns] == ["NP-t"]
    assert parsed == ["english", "english"]


@pytest.mark.parametrize("rest", [b"", b"\0", marshal.dumps(("x",)), marshal.dumps(3)])
def test_what_is_damaged_is_parsed_again(
    rest: bytes, folder: Path, parsed: list[str]
) -> None:
    whole = load_inventory()
    (kept,) = folder.iterdir()
    kept.write_bytes(rest)
    assert load_inventory().patterns == whole.patterns
    assert len(parsed) == 2
    assert load_inventory().patterns == whole.patterns
    assert len(parsed) == 2  # it is mended


def test_where_nothing_can_be_kept_inventories_load_all_the_same(
    folder: Path, parsed: list[str]
) -> None:
    folder.write_text("a file, not a folder")
    assert load_inventory().patterns == load_inventory().patterns
    assert parsed == ["english", "english"]
    assert os.listdir(folder.parent) == [folder.name]


def test_a_name_is_no_path(parsed: list[str]) -> None:
    assert language._built_in("../patterns/english") is None
    assert patterns.text("") is None
    assert parsed == []
