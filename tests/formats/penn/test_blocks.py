"""Files cut into blocks of trees: the same trees wherever the cuts are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analyzer.exceptions import AnalyzerError, InputError
from analyzer.files.inputs import Input
from analyzer.formats.penn.reader import TextBlock, ends_of
from analyzer.formats.penn.records import Layout
from analyzer.formats.reading import TreeReader
from analyzer.limits import Limits, limited
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import PairReader
from tests.support.examples import some
from tests.support.reading import table
from tests.support.strategies import garbled_lines

# Pieces that are likely to make trees, good, bad and strangely laid out.
PIECES = st.sampled_from(
    [
        *("(A a)", "(S (A a)\n  (B b))", "(S (A a)", "(B b))", "(A a) (B b)"),
        *("(A a a)", "a", "()", "(X)", "(X )", "(", ")", "\n", "\n\n", " \n"),
        *("\r\n", "# note\n", "#\n(A a)", "*x*\n", " ", "  (A a)", "\n(", "\n)"),
        *("é", "\x00", "\udcff", "# \udcff\n", "# \x00\n\n"),
    ]
)
JUNK = st.lists(PIECES | st.just("\n"), max_size=30).map("".join)


def cut_up(data: bytes, block: int, keep: bool, sizes: list[int]) -> list[Any]:
    """What each tree is, read in blocks of the given numbers of trees."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", block)
        reader = TreeReader(Input.of_text(data))
        reader.keep_blank_lines = keep
        found: list[Any] = []
        number = 0
        while ready := reader.available(sizes[number % len(sizes)]):
            bank = reader.take(min(ready, sizes[number % len(sizes)])).read()
            found += [
                (int(bank.line[at]), str(bank.problems.get(at, tree)))
                for at, tree in enumerate(bank)
            ]
            number += 1
    return found


@pytest.mark.slow
@settings(deadline=None, max_examples=some(100))
@example("(A (B b)\n\n(C c))\n", 4, False, [1])
@example("(A a)\n# note\n", 3, True, [1])
@example("(S\n (A a)) (B b)\n", 8, False, [1])
@example("(A a)\n# \x00\n\n(B b)\n", 5, False, [1])
@given(JUNK, st.integers(1, 40), st.booleans(), st.lists(st.integers(1, 5), min_size=1))
def test_cuts_change_nothing(
    text: str, block: int, keep: bool, sizes: list[int]
) -> None:
    data = text.encode("utf-8", "surrogateescape")
    assert cut_up(data, block, keep, sizes) == cut_up(data, 1 << 19, keep, [10**9])


@pytest.mark.slow
@settings(deadline=None, max_examples=some(80))
@given(JUNK, JUNK, st.integers(1, 40))
def test_pairs_are_the_same_trees_beside_each_other(
    gold: str, parsed: str, block: int
) -> None:
    def sides() -> tuple[list[str], list[str], Any]:
        reader = PairReader(
            *(
                TreeReader(Input.of_text(one.encode("utf-8", "surrogateescape")))
                for one in (gold, parsed)
            )
        )
        left: list[str] = []
        right: list[str] = []
        for task in reader.blocks():
            for pair in task.pairs():
                assert pair.first_sentence == len(left) + 1
                left += map(str, pair.gold)
                right += map(str, pair.parsed)
                assert len(left) == len(right)
        return left, right, reader.surplus

    whole = sides()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", block)
        assert sides() == whole


def test_a_block_that_is_miscounted_is_never_scored() -> None:
    with pytest.raises(AnalyzerError, match="x:7: counted 2 trees from here on"):
        TextBlock(b"(A a)\n", 2, Layout.LINES, "x", first_line=7).read()


@pytest.mark.slow
def test_the_other_file_is_not_read_whole_to_find_a_partner() -> None:
    """A block of blank lines is half a million failed parses."""
    gold = TreeReader(Input.of_text(b"\n" * (1 << 20)))
    long = b"(S " + b"(A a) " * 50 + b")\n"
    parsed = TreeReader(Input.of_text(long * 40_000))
    reader = PairReader(gold, parsed)
    block = next(reader.blocks()).parsed
    assert isinstance(block, TextBlock)
    assert len(block.text) < 5 << 19


def test_text_without_trees_is_not_kept() -> None:
    reader = TreeReader(Input.of_text(b"# note\n" * 400_000 + b"(A a)\n"))
    assert reader.available() == 1
    block = reader.take(1)
    assert isinstance(block, TextBlock)
    assert len(block.text) < 1 << 19
    assert block.read().line.tolist() == [400_001]


def test_a_tree_of_too_many_nodes_is_a_bad_tree() -> None:
    data = b"(A a)\n(S (A a) (B b) (C c))\n(B b)\n"
    with limited(Limits(tree_nodes=3)):
        bank = TextBlock(data, 3, Layout.LINES, "x.mrg").read()
    assert list(bank.problems) == [1]
    assert str(bank.problems[1]) == (
        "x.mrg:2: sentence 2: 4 brackets are opened here, more than a tree may have "
        "nodes (3; see --max-tree-nodes)"
    )
    assert [str(tree) for tree in bank][::2] == ["(A a)", "(B b)"]


def test_a_tree_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.formats.penn.reader._LARGEST_RECORD", 1 << 20)
    reader = TreeReader(Input.of_text(b"(A a)\n" + b"(A " + b"a" * (1 << 22)))
    with pytest.raises(InputError, match="<text>:2: a tree of more than 1 MB"):
        list(reader.banks())


@given(st.lists(garbled_lines(), min_size=1, max_size=6), st.booleans(), st.booleans())
@example([b"(A b", b"", b"(A b)", b"(A b))", b"no tree"], False, True)
@example([b"(A b)", b" ", b"(A \xff)", b"(A b) (C d", b"(A b"], True, False)
def test_bad_lines_found_at_once_are_those_found_one_by_one(
    lines: list[bytes], keep_blank_lines: bool, has_end: bool
) -> None:
    text = b"\n".join(lines) + b"\n" * has_end
    trees = len(ends_of(text, Layout.LINES, keep_blank_lines))
    block = TextBlock(text, trees, Layout.LINES, "x", 7, 3, keep_blank_lines)
    at_once = block.read()
    ends = ends_of(text, Layout.LINES, keep_blank_lines).tolist()
    alone = []
    for tree, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
        line = 7 + text.count(b"\n", 0, start)
        part = text[start:end]
        one = TextBlock(part, 1, Layout.LINES, "x", line, 3 + tree, keep_blank_lines)
        alone.append(one.read())
    one_by_one = Treebank.join(alone, "x")
    assert table(at_once) == table(one_by_one)
    assert at_once.line.tolist() == one_by_one.line.tolist()
    assert at_once.problems == one_by_one.problems
    assert dict(at_once.mends) == dict(one_by_one.mends)
