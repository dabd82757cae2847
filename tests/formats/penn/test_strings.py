"""Bracketings in memory: a string is a sentence, whatever is in it."""

from __future__ import annotations

import warnings

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer import InputError, check, evalb, read_trees, score
from analyzer.files.sources import stream_of
from analyzer.formats.blocks import BlockSettings, FileOptions
from analyzer.formats.penn.reader import BracketFile, as_lines
from tests.support.data_paths import EXAMPLES

PATH = EXAMPLES / "web.gold.mrg"
GOLD = PATH.read_text("utf-8").splitlines()
GOOD = "(S (NP (PRP I)) (VP (VBP go)))"
ODD = ["", " \n ", "(S", "# comment", "*x*", "S)", "(-LRB- ()", GOOD * 2, "\x0c(A a)"]


@given(st.lists(st.sampled_from([GOOD, *ODD]) | st.text(max_size=20), max_size=12))
def test_every_string_is_one_tree(strings: list[str]) -> None:
    stream = stream_of(as_lines([*strings, GOOD]))
    file = BracketFile(stream, "<strings>", FileOptions(one_a_line=True))
    trees = file.available(len(strings) + 1, BlockSettings())
    bank = file.take(trees, 5, BlockSettings()).read()
    assert len(bank) == len(strings) + 1
    assert str(bank[-1]) == GOOD
    assert bank.line.tolist() == list(range(1, 1 + len(bank)))
    for number, problem in bank.problems.items():
        assert problem.place is not None
        assert (problem.place.line, problem.place.sentence) == (number + 1, number + 5)


def test_lists_of_strings_are_trees_and_lists_of_paths_are_files() -> None:
    expected = read_trees(PATH)
    for given_ in (GOLD, iter(GOLD), tuple(GOLD), pd.Series(GOLD), [PATH], [str(PATH)]):
        assert evalb(expected, given_).summary.f1 == 1  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no such file"):
        read_trees(["none.mrg"])


def test_failed_parses_keep_their_place() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for missing in ("", None, "  \n"):
            scores = score([GOOD] * 3, [missing, GOOD, "(S (NP"])
            assert [x.sentence for x in scores.left_out] == [1, 3]
        assert score([GOOD] * 2, [None, None]).ledger.scored == 0


def test_strings_beside_a_file_with_blank_lines() -> None:
    parsed = [*GOLD[:3], "", *GOLD[4:]]
    text = "\n".join(parsed) + "\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert score(GOLD, text).rows == score(GOLD, parsed).rows


def test_other_analyses_take_them() -> None:
    assert len(check(GOLD).stream.bank) == len(GOLD)
    assert score(GOLD, GOLD, jobs=2).total.f_s == 1
