"""The columns: slices, joins, parents, what cannot be changed; symbols."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analyzer import read_trees
from analyzer.exceptions import (
    AnalyzerError,
)
from analyzer.model.symbols import Symbols
from analyzer.model.treebank import Treebank
from tests.support.examples import some
from tests.support.reading import CAT, UNHURRIED, read_bytes, trees_of
from tests.support.strategies import (
    Plain,
    banks,
    one_line,
)

# -- the table -----------------------------------------------------------------


@pytest.mark.slow
@UNHURRIED
@given(banks(), st.integers(-7, 7), st.integers(-7, 7))
def test_slices_are_what_lists_would_give(
    bank: list[Plain], start: int, stop: int
) -> None:
    read = read_bytes("".join(one_line(tree) + "\n" for tree in bank).encode())
    part = read[start:stop]
    part.check()
    assert trees_of(part) == [[tree] for tree in bank[start:stop]]


@pytest.mark.slow
@UNHURRIED
@given(banks(), banks())
def test_joined_banks_hold_both(left: list[Plain], right: list[Plain]) -> None:
    banks_read = [
        read_bytes("".join(one_line(tree) + "\n" for tree in side).encode())
        for side in (left, right)
    ]
    both = Treebank.join(banks_read)
    both.check()
    assert trees_of(both) == [[tree] for tree in left + right]
    assert trees_of(both[len(left) :]) == trees_of(banks_read[1])


def test_slicing_and_joining_keep_problems_in_their_place() -> None:
    lines = [b"(A a)"] * 12
    lines[1], lines[3] = b"(B b", b"(D d))"
    bank = read_bytes(b"\n".join(lines))
    assert list(bank.problems) == [1, 3]
    assert list(bank[2:].problems) == [1]
    assert list(Treebank.join([bank, bank]).problems) == [1, 3, 13, 15]


@pytest.mark.slow
@UNHURRIED
@given(banks())
def test_parents_are_those_of_the_views(bank: list[Plain]) -> None:
    read = read_bytes("".join(one_line(tree) + "\n" for tree in bank).encode())
    by_view = [
        -1 if parent is None else parent
        for tree in read
        for parent in tree.parent_row.values()
    ]
    assert read.parent.tolist() == by_view
    counts = np.bincount(read.tree_of_node, minlength=len(read))
    assert counts.tolist() == [len(tree.rows) for tree in read]


def test_columns_cannot_be_changed() -> None:
    bank = read_trees(CAT)
    with pytest.raises(ValueError, match="read-only"):
        bank.label[0] = 1


def test_check_finds_damage() -> None:
    bank = read_trees(CAT)
    with pytest.raises(AnalyzerError, match="a leaf spans itself"):
        replace(bank, first=bank.first[::-1].copy()).check()


# -- labels --------------------------------------------------------------------


@settings(deadline=None, max_examples=some(100))
@given(st.lists(st.text("\0ab\ud800é") | st.text()))
@example(["\0", "", "\0\0", "a", "a\0", "\0a", "abcdefg\0", "abcdefg", "abcdefgh\0"])
def test_labels_have_one_number_each(names: list[str]) -> None:
    symbols = Symbols()
    encoded = [name.encode("utf-8", "surrogatepass") for name in names]
    text = b"".join(encoded) + b"\n" * 16
    ends = np.cumsum([len(name) for name in encoded], dtype=np.int64)
    lengths = np.array([len(name) for name in encoded], np.int64)
    for _ in range(2):  # the second time through the table of known names
        ids = symbols.ids_in(text, ends - lengths, lengths)
        assert [symbols.name(number) for number in ids.tolist()] == names
        assert [symbols.id(name) for name in names] == ids.tolist()


@pytest.mark.parametrize("words", [["a", "bc"], ["né", "猫", "b", "😀a"]])
@pytest.mark.parametrize("damage", [b"", b"\xff"])
def test_words_are_those_of_their_leaves(words: list[str], damage: bytes) -> None:
    """Whether the text is decoded at once, word by word, or cannot be decoded."""
    bank = read_trees("(S " + " ".join(f"(X {word})" for word in words) + ")")
    bank = replace(bank, text=bank.text + damage)
    assert bank.forms(slice(None)) == words == [*map(bank.form, range(len(words)))]
    long = replace(bank, text=bank.text + b" " * 1000)
    assert long.forms(np.array([1, 0])) == [words[1], words[0]]
