"""Damaged files, and results that do not depend on blocks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import InputWarning, read_trees
from analyzer.exceptions import (
    AnalyzerError,
    TreeSyntaxError,
)
from tests.support.examples import some
from tests.support.reading import read_bytes, table
from tests.support.strategies import (
    Dialect,
    garbled_files,
    garbled_lines,
)

# -- damaged files -------------------------------------------------------------


@pytest.mark.slow
@settings(deadline=None, max_examples=some(60))
@given(garbled_files())
def test_no_file_makes_the_reader_fail(data: bytes) -> None:
    try:
        bank = read_bytes(data)
    except AnalyzerError:
        return
    bank.check()
    ends = b"\n" if b"\n" in data else b"\r"  # as of old Macs
    for tree, problem in bank.problems.items():
        assert not bank[tree]
        assert problem.place is not None
        assert problem.place.sentence == tree + 1
        assert 1 <= (problem.place.line or 0) <= data.count(ends) + 1


@pytest.mark.slow
@settings(deadline=None, max_examples=some(80))
@given(st.data())
def test_good_lines_keep_their_numbers_between_bad_ones(data: st.DataObject) -> None:
    lines = [f"(S (NN word{number}))".encode() for number in range(12)]
    bad = data.draw(st.sets(st.integers(0, 11), min_size=1, max_size=2))
    for number in bad:
        garbled = data.draw(garbled_lines().filter(lambda line: line.strip()))
        lines[number] = b"(" + garbled.replace(b"\n", b" ")
    bank = read_bytes(b"\n".join(lines) + b"\n")
    assert len(bank) == 12
    assert bank.line.tolist() == list(range(1, 13))
    for number in set(range(12)) - bad:
        assert bank[number].words == [f"word{number}"]


def test_strict_raises_on_the_first_bad_tree() -> None:
    with pytest.raises(TreeSyntaxError, match="sentence 2"):
        read_trees("(A a)\n(B b\n(C c))\n(D d)\n(E e)\n(F f)\n", strict=True)


def test_a_bad_tree_is_warned_about() -> None:
    with pytest.warns(InputWarning, match="1 of 3 trees could not be read"):
        bank = read_trees("(A a)\n(B b))\n(C c)\n")
    assert [str(tree) for tree in bank] == ["(A a)", "", "(C c)"]


# -- blocks --------------------------------------------------------------------

SMALL_TREES = [
    ("S", (("NP", (("DT", "the"), ("NN", f"w{number}"))), ("VP", (("VB", "sits"),))))
    for number in range(40)
]


@pytest.mark.parametrize("size", [64, 200, 4096])
@pytest.mark.parametrize("layout", ["lines", "indented", "free"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("decorated", [False, True])
def test_results_do_not_depend_on_the_block_size(
    size: int,
    layout: str,
    newline: str,
    decorated: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dialect = Dialect(
        layout, "TOP", newline=newline, blank_lines=decorated, comments=decorated
    )
    data = dialect.file(SMALL_TREES)
    whole = read_bytes(data)
    monkeypatch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", size)
    pieces = read_bytes(data)
    assert table(pieces) == table(whole)
    assert len(whole) == len(SMALL_TREES)
    pieces.check()


@pytest.mark.parametrize("layout", ["lines", "indented"])
def test_bad_trees_do_not_depend_on_the_block_size(
    layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialect = Dialect(layout, "TOP")
    records = [dialect.record(tree) for tree in SMALL_TREES]
    records[7] = records[7][:-1]
    records[20] = records[20] + ")"
    data = "".join(record + "\n" for record in records).encode()
    whole = read_bytes(data)
    monkeypatch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", 200)
    pieces = read_bytes(data)
    assert list(whole.problems) == [7, 20]
    assert {n: str(p) for n, p in pieces.problems.items()} == {
        n: str(p) for n, p in whole.problems.items()
    }
    assert table(pieces) == table(whole)
