"""The scanner and the grammar read alike, as deep as trees may be."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given, settings

from analyzer import evalb, read_trees
from analyzer.exceptions import TreeSyntaxError
from analyzer.formats.dialects import DialectBlock, Grammar
from analyzer.formats.penn.reader import TextBlock, ends_of
from analyzer.formats.penn.records import Layout
from analyzer.formats.penn.scanner import scan
from analyzer.model.symbols import Symbols
from analyzer.model.treebank import Treebank
from grammars import load, terminal_patterns
from reports.drawing.outline import outline
from reports.drawing.tree_text import brackets, draw
from tests.support.cost import calls
from tests.support.examples import some
from tests.support.reading import UNHURRIED, table, trees_of
from tests.support.strategies import (
    Dialect,
    Plain,
    dialects,
    garbled_lines,
    trees,
)

LEVELS = 20_000


def by_grammar(record: bytes) -> tuple[Treebank, TreeSyntaxError | None]:
    """What Lark makes of a record, which is one sentence, on however many lines."""
    line = record.replace(b"\r", b" ").replace(b"\n", b" ")
    trees = ends_of(line + b"\n", Layout.LINES, True).size  # a comment is none
    block = TextBlock(line + b"\n", trees, Layout.LINES, "<text>", 1, 1, True)
    bank = DialectBlock(block, Grammar("ptb")).read()
    return bank, bank.problems.get(0)


def by_scanner(record: bytes, layout: Layout = Layout.LINES) -> Treebank | None:
    return scan(record, layout, keep_blank_lines=True)


# -- the two readers agree -----------------------------------------------------


@pytest.mark.slow
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


@pytest.mark.slow
@settings(deadline=None, max_examples=some(100))
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
    defined = {terminal.name: terminal for terminal in load("ptb").terminals}
    ours = terminal_patterns("common")
    for name in ("OPEN", "CLOSE", "WHITESPACE", "ATOM", "COMMENT"):
        theirs = defined["WORD" if name == "ATOM" else name].pattern
        for code in range(0x3001):
            character = chr(code)
            text = f"{character}x" if name == "COMMENT" else character
            expected = bool(re.fullmatch(theirs.to_regexp(), text))
            assert bool(ours[name].fullmatch(text)) == expected, (name, code)


# -- depth ---------------------------------------------------------------------

UNARY = "(A " * LEVELS + "(NN w)" + ")" * LEVELS
RIGHT_BRANCHING = "(A (DT a) " * LEVELS + "(NN w)" + ")" * LEVELS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [(UNARY, 1), (RIGHT_BRANCHING, LEVELS + 1)],
    ids=["unary", "right"],
)
def test_twenty_thousand_levels(text: str, words: int) -> None:
    bank = read_trees(text)
    tree = bank[0]
    assert int(bank.depth.max()) == LEVELS
    assert len(tree.words) == words
    assert evalb(bank, bank).summary.matched == LEVELS
    assert str(tree) == text
    again = read_trees(tree.indented())
    assert table(again)["depth"] == table(bank)["depth"]
    assert brackets(tree, indent=True).count("(") == text.count("(")
    assert "NN" in draw(outline(tree), width=80)


@pytest.mark.slow
def test_the_grammar_reads_deep_trees_too() -> None:
    bank, problem = by_grammar(UNARY.encode())
    assert problem is None
    assert int(bank.depth.max()) == LEVELS


@pytest.mark.slow
def test_a_deep_tree_with_a_bracket_missing_is_told_quickly() -> None:
    with pytest.warns(UserWarning, match=r"missing '\)': 1 bracket still open"):
        made = calls(lambda: read_trees(UNARY[:-1]))
    assert made < 50 * UNARY.count("(")


def test_many_different_labels_are_read() -> None:
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
