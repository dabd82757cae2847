"""From text to trees: both readers, all dialects, files of all kinds."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from analyzer import evalb, read_trees
from analyzer.exceptions import (
    AnalyzerError,
    InputError,
    Place,
    SettingsError,
    TreeSyntaxError,
)
from analyzer.formats.penn.grammar import read_record
from analyzer.formats.penn.records import Layout
from analyzer.formats.penn.scanner import scan
from analyzer.model.symbols import Symbols
from analyzer.model.treebank import Treebank, TreebankBuilder
from grammars import load, terminal_patterns
from reports.drawing.tree_text import brackets, draw
from tests.support.strategies import (
    WRAPPERS,
    Dialect,
    Plain,
    banks,
    dialects,
    garbled_files,
    garbled_lines,
    one_line,
    plain,
    trees,
)

CAT = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))"
LEVELS = 50_000
UNHURRIED = settings(
    deadline=None, max_examples=70, suppress_health_check=[HealthCheck.too_slow]
)


def read_bytes(data: bytes, **options: Any) -> Treebank:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_trees(io.BytesIO(data), **options)


def by_grammar(record: bytes) -> tuple[Treebank, TreeSyntaxError | None]:
    builder = TreebankBuilder()
    problem = read_record(record, builder, line=1, place=Place("<text>", 1))
    return builder.finish(), problem


def by_scanner(record: bytes, layout: Layout = Layout.LINES) -> Treebank | None:
    return scan(record, layout, keep_blank_lines=True)


def table(bank: Treebank) -> dict[str, list[Any]]:
    """All columns by value: names for labels, words for places in the text."""
    columns = ("depth", "first", "last", "is_leaf", "leaf_node")
    starts = ("node_start", "leaf_start", "line")
    return {
        "label": [bank.label_name(row) for row in range(bank.label.size)],
        "form": [bank.form(leaf) for leaf in range(bank.leaf_node.size)],
        **{name: getattr(bank, name).tolist() for name in columns + starts},
    }


def trees_of(bank: Treebank) -> list[list[Plain]]:
    return [plain(tree) for tree in bank]


# -- the two readers agree -----------------------------------------------------


@UNHURRIED
@given(trees(), dialects())
def test_fast_reader_and_grammar_give_the_same_table(
    tree: Plain, dialect: Dialect
) -> None:
    record = dialect.record(tree).replace("\n", dialect.newline).encode()
    layout = Layout.LINES if dialect.layout == "lines" else Layout.FREE
    fast = by_scanner(record, layout)
    slow, problem = by_grammar(record)
    assert problem is None
    assert fast is not None
    assert table(fast) == table(slow)
    assert trees_of(fast) == [[dialect.wrapped(tree)]]


@settings(deadline=None, max_examples=300)
@given(garbled_lines())
@example(b"(")
@example(b")(")
@example(b"( )")
@example(b"(X ) )")
@example(b"#(")
@example(b"*x*(")
@example(b" #")
@example(b"(A b c)")
@example(b"(A b (C c))")
@example(b"(A (C c) b)")
@example(b"((A b))")
@example(b"(A\x00)")
@example(b"(A \xff)")
def test_fast_reader_and_grammar_give_the_same_verdict(record: bytes) -> None:
    slow, problem = by_grammar(record)
    fast = by_scanner(record)
    assert (fast is None) == (problem is not None), problem
    if fast is not None and len(fast):
        assert table(fast) == table(slow)


def test_both_readers_have_the_same_terminals() -> None:
    """Lark's own terminals match what was read off the text of the grammar."""
    defined = {terminal.name: terminal for terminal in load("ptb", "record").terminals}
    ours = terminal_patterns("common")
    for name in ("OPEN", "CLOSE", "WHITESPACE", "ATOM", "COMMENT"):
        theirs = defined["WORD" if name == "ATOM" else name].pattern
        for code in range(0x3001):
            character = chr(code)
            text = f"{character}x" if name == "COMMENT" else character
            expected = bool(re.fullmatch(theirs.to_regexp(), text))
            assert bool(ours[name].fullmatch(text)) == expected, (name, code)


# -- dialects ------------------------------------------------------------------


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


# -- damaged files -------------------------------------------------------------


@settings(deadline=None, max_examples=150)
@given(garbled_files())
def test_no_file_makes_the_reader_fail(data: bytes) -> None:
    try:
        bank = read_bytes(data)
    except AnalyzerError:
        return
    bank.check()
    for tree, problem in bank.problems.items():
        assert not bank[tree]
        assert problem.place is not None
        assert problem.place.sentence == tree + 1
        assert 1 <= (problem.place.line or 0) <= data.count(b"\n") + 1


@settings(deadline=None, max_examples=80)
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
    with pytest.warns(UserWarning, match="1 of 3 trees could not be read"):
        bank = read_trees("(A a)\n(B b))\n(C c)\n")
    assert [str(tree) for tree in bank] == ["(A a)", "", "(C c)"]


# -- files, streams, encodings -------------------------------------------------

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
    with pytest.warns(UserWarning, match="--encoding latin-1"):
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


# -- depth ---------------------------------------------------------------------

UNARY = "(A " * LEVELS + "(NN w)" + ")" * LEVELS
RIGHT_BRANCHING = "(A (DT a) " * LEVELS + "(NN w)" + ")" * LEVELS


@pytest.mark.parametrize(
    ("text", "words"),
    [(UNARY, 1), (RIGHT_BRANCHING, LEVELS + 1)],
    ids=["unary", "right"],
)
def test_fifty_thousand_levels(text: str, words: int) -> None:
    bank = read_trees(text)
    tree = bank[0]
    assert int(bank.depth.max()) == LEVELS
    assert len(tree.words) == words
    assert evalb(bank, bank).summary.matched == LEVELS
    assert str(tree) == text
    again = read_trees(tree.indented())
    assert table(again)["depth"] == table(bank)["depth"]
    assert brackets(tree, indent=True).count("(") == text.count("(")
    assert "NN" in draw(tree, width=80)


def test_the_grammar_reads_deep_trees_too() -> None:
    bank, problem = by_grammar(UNARY.encode())
    assert problem is None
    assert int(bank.depth.max()) == LEVELS


def test_a_deep_tree_with_a_bracket_missing_is_told_quickly() -> None:
    with pytest.warns(UserWarning, match=r"missing '\)': 1 bracket still open"):
        read_trees(UNARY[:-1])


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


# -- the table -----------------------------------------------------------------


@UNHURRIED
@given(banks(), st.integers(-7, 7), st.integers(-7, 7))
def test_slices_are_what_lists_would_give(
    bank: list[Plain], start: int, stop: int
) -> None:
    read = read_bytes("".join(one_line(tree) + "\n" for tree in bank).encode())
    part = read[start:stop]
    part.check()
    assert trees_of(part) == [[tree] for tree in bank[start:stop]]


@UNHURRIED
@given(banks(), banks())
def test_joined_banks_hold_both(left: list[Plain], right: list[Plain]) -> None:
    banks_read = [
        read_bytes("".join(one_line(tree) + "\n" for tree in side).encode())
        for side in (left, right)
    ]
    both = Treebank.joined(banks_read)
    both.check()
    assert trees_of(both) == [[tree] for tree in left + right]
    assert trees_of(both[len(left) :]) == trees_of(banks_read[1])


def test_slicing_and_joining_keep_problems_in_their_place() -> None:
    lines = [b"(A a)"] * 12
    lines[1], lines[3] = b"(B b", b"(D d))"
    bank = read_bytes(b"\n".join(lines))
    assert list(bank.problems) == [1, 3]
    assert list(bank[2:].problems) == [1]
    assert list(Treebank.joined([bank, bank]).problems) == [1, 3, 13, 15]


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


@settings(deadline=None, max_examples=100)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"))))
def test_labels_have_one_number_each(names: list[str]) -> None:
    symbols = Symbols()
    encoded = [name.encode() for name in names]
    text = b"".join(encoded) + b"\n" * 16
    ends = np.cumsum([len(name) for name in encoded], dtype=np.int64)
    lengths = np.array([len(name) for name in encoded], np.int64)
    for _ in range(2):  # the second time through the table of known names
        ids = symbols.ids_in(text, ends - lengths, lengths)
        assert [symbols.name(number) for number in ids.tolist()] == names
        assert [symbols.id(name) for name in names] == ids.tolist()


def test_many_different_labels_are_read_in_reasonable_time() -> None:
    """Words and tags the wrong way round give as many labels as words."""
    symbols = Symbols()
    text = b"".join(b"w%07d" % number for number in range(100_000)) + b"\n" * 16
    starts = np.arange(100_000, dtype=np.int64) * 8
    ids = symbols.ids_in(text, starts, np.full(100_000, 8, np.int64))
    assert np.unique(ids).size == 100_000
    assert symbols.name(int(ids[-1])) == "w0099999"


def test_a_short_label_after_many_long_ones() -> None:
    symbols = Symbols()
    for number in range(300):
        symbols.id(f"long-label-{number}")
    short = symbols.id("NP")
    found = symbols.ids_in(b"NP" + b"\n" * 16, np.array([0]), np.array([2]))
    assert found.tolist() == [short]
