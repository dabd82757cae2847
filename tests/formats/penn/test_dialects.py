"""The ways in which treebanks write trees."""

from __future__ import annotations

import pytest
from hypothesis import given

from analyzer import read_trees
from tests.support.reading import UNHURRIED, read_bytes, trees_of
from tests.support.strategies import (
    WRAPPERS,
    Dialect,
    Plain,
    banks,
    dialects,
    one_line,
)

# -- dialects ------------------------------------------------------------------


@pytest.mark.slow
@UNHURRIED
@given(banks(), dialects())
def test_every_dialect_reads_back(bank: list[Plain], dialect: Dialect) -> None:
    read = read_bytes(dialect.file(bank))
    assert trees_of(read) == [[dialect.wrapped(tree)] for tree in bank]
    assert not read.problems
    read.check()


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_wrappers(wrapper: str | None) -> None:
    dialect = Dialect("indented", wrapper)
    tree = ("S", (("NN", "cat"), ("VB", "sits")))
    (read,) = trees_of(read_bytes(dialect.file([tree])))
    assert read == [dialect.wrapped(tree)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(NN cat)", [("NN", "cat")]),
        ("(NN cat) (VB sits)", [("NN", "cat"), ("VB", "sits")]),
        ("(HYPH )", [("HYPH", "")]),
        ("( cat)", [("", "cat")]),
        ("(X)", [("X", ())]),
        ("()", [("", ())]),
        ("( )", [("", ())]),
        ("(())", [("", (("", ()),))]),
        ("( (S (NN cat)))", [("", (("S", (("NN", "cat"),)),))]),
        ("((S (NN cat)))", [("", (("S", (("NN", "cat"),)),))]),
        ("(-LRB- -LRB-)", [("-LRB-", "-LRB-")]),
        (r"(CD 1\/2)", [("CD", r"1\/2")]),
        ("(NP-SBJ=2|X+@Y (-NONE- *T*-1))", [("NP-SBJ=2|X+@Y", (("-NONE-", "*T*-1"),))]),
        ("(NN a\u00a0b)", [("NN", "a\u00a0b")]),
        ("(NN e\u0301)", [("NN", "e\u0301")]),
        ("(NN 日本)(VV 語)", [("NN", "日本"), ("VV", "語")]),
        ("\t(NN\tcat )", [("NN", "cat")]),
    ],
)
def test_one_line(text: str, expected: list[Plain]) -> None:
    assert trees_of(read_trees(text)) == [expected]


def test_a_tree_whose_children_have_lines_of_their_own() -> None:
    """Most lines are whole brackets, and yet it is one tree."""
    bank = read_trees("(S\n" + "(S )\n" * 4 + ")\n")
    assert len(bank) == 1
    assert not bank.problems


def test_tree_over_many_lines_with_comments_inside() -> None:
    bank = read_trees(
        "# head\n( (S\n# note (\n    (NN cat)\n*x* brown )\n    (VB sits)))\n"
    )
    assert [str(tree) for tree in bank] == ["( (S (NN cat) (VB sits)))"]
    assert bank[0].line == 2


@pytest.mark.parametrize("text", ["(A a)\n# end\n", "# end\n(A a)\n#", "(A a)\n  "])
def test_what_is_blank_or_comment_at_the_end_is_no_tree(text: str) -> None:
    assert len(read_trees(text, keep_blank_lines=True)) == 1


def test_a_comment_starts_in_the_first_column_only() -> None:
    assert read_trees(" (X #1)\n").problems == {}
    assert [str(tree) for tree in read_trees("(A #a)\n#(B b)\n(C c)\n")] == [
        "(A #a)",
        "(C c)",
    ]


def test_lines_are_counted_with_comments_and_blank_lines() -> None:
    bank = read_trees("# one\n\n(A a)\n# four\n*x* five\n\n(B b)\n(C c)")
    assert bank.line.tolist() == [3, 7, 8]


def test_blank_lines_are_trees_only_when_asked_for() -> None:
    text = "(A a)\n\n(B b)\n"
    assert [str(tree) for tree in read_trees(text)] == ["(A a)", "(B b)"]
    kept = read_trees(text, keep_blank_lines=True)
    assert [str(tree) for tree in kept] == ["(A a)", "", "(B b)"]


def test_trees_without_indentation_over_many_lines() -> None:
    text = "(S\n(NN\ncat)\n)\n(S (NN dog)\n(VB\nbarks))\n"
    assert [str(tree) for tree in read_trees(text)] == [
        "(S (NN cat))",
        "(S (NN dog) (VB barks))",
    ]


# -- printing and reading ------------------------------------------------------


@pytest.mark.slow
@UNHURRIED
@given(banks())
def test_what_is_printed_reads_back(bank: list[Plain]) -> None:
    first = read_bytes("".join(one_line(tree) + "\n" for tree in bank).encode())
    for printed in (
        "".join(f"{tree}\n" for tree in first),
        "".join(f"{tree.indented()}\n" for tree in first),
    ):
        again = read_bytes(printed.encode())
        assert trees_of(again) == [[tree] for tree in bank]
