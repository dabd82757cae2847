"""Words that are brackets: read as such, or named; never another tree silently."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import evalb, read_trees, score
from analyzer.formats.penn.records import escape_bracket_words
from tests.support.data_paths import EXAMPLES

RAW = {"-LRB-": "(", "-RRB-": ")"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(NP (-LRB- () (NN a) (-RRB- )))", "(NP (-LRB- -LRB-) (NN a) (-RRB- -RRB-))"),
        ("(NP (-LRB- () (NN a))", "(NP (-LRB- -LRB-) (NN a))"),
        ("(NP (NN a) (-RRB- )))", "(NP (NN a) (-RRB- -RRB-))"),
        ("(NP (NN a) (-RRB- ())", "(NP (NN a) (-RRB- -LRB-))"),
        ("(S (( () (NN a) () )))", "(S (-LRB- -LRB-) (NN a) (-RRB- -RRB-))"),
        ("( (S (-LRB- () (NN a)))", "( (S (-LRB- -LRB-) (NN a)))"),
        ("(( ()", "(-LRB- -LRB-)"),
        # Not bracket words: an empty word, failed parses.
        ("(NP (NN a) (-RRB- ))", "(NP (NN a) (-RRB- ))"),
        ("(NP (-LRB- ) (NN a) (-RRB- ))", "(NP (-LRB- ) (NN a) (-RRB- ))"),
        ("(( ))", "( ())"),
        ("( () )", "( ())"),
        ("(NP (-LRB- -LRB-) (-RRB- -RRB-))", "(NP (-LRB- -LRB-) (-RRB- -RRB-))"),
    ],
)
def test_what_is_certain(text: str, expected: str) -> None:
    assert [str(tree) for tree in read_trees(text)] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        # One right bracket is a word and one is not: which, nobody can tell.
        "(NP (-LRB- () (-RRB- )) (NN b) (-RRB- ))",
        "(NP (-LRB- () (NN a)))",
        "(NP (NN a) (-RRB- ()))",
    ],
)
def test_what_is_not_certain_is_named(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bank = read_trees(f"{text}\n(S (NN a))\n")
    assert list(bank.problems) == [0]
    assert str(bank[1]) == "(S (NN a))"


def leaf() -> st.SearchStrategy[str]:
    brackets = [f"({tag} {word})" for tag in RAW for word in RAW]
    return st.sampled_from([*brackets, "(NN a)", "(VB see)", "(, ,)"])


def phrase(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    labels = st.sampled_from(["NP", "VP", "S", "PRN", ""])
    children = st.lists(inside, min_size=1, max_size=4)
    return st.builds(lambda a, b: f"({a} {' '.join(b)})", labels, children)


def raw(tree: str) -> str:
    """As NLTK would print it."""
    for escaped, bracket in RAW.items():
        tree = tree.replace(f" {escaped})", f" {bracket})")
    return tree


def trees() -> st.SearchStrategy[list[str]]:
    tree = st.recursive(leaf(), phrase, max_leaves=12).map(lambda one: f"(TOP {one})")
    return st.lists(tree, min_size=1, max_size=5)


@settings(deadline=None)
@given(trees(), st.sampled_from(["\n", "\n\n"]), st.sampled_from([20, 1 << 19]))
def test_raw_brackets_read_as_escaped_ones(
    given_trees: list[str], between: str, size: int
) -> None:
    """In every tree in which all brackets that are words are written so."""
    expected = [str(tree) for tree in read_trees("\n".join(given_trees) + "\n")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", size)
        text = between.join(map(raw, given_trees)) + "\n"
        assert [str(tree) for tree in read_trees(text)] == expected


@settings(deadline=None)
@given(trees())
def test_escaping_twice_changes_nothing_more(given_trees: list[str]) -> None:
    once = escape_bracket_words("\n".join(map(raw, given_trees)).encode())
    assert escape_bracket_words(once) == once


def test_trees_over_many_lines() -> None:
    nltk = pytest.importorskip("nltk")
    one = "(S (NP (NN cat) (PRN (-LRB- -LRB-) (NN a) (-RRB- -RRB-))) (VP (VB sits)))"
    bank = read_trees(one)
    printed = nltk.Tree.fromstring(one)
    for position in printed.treepositions("leaves"):
        printed[position] = RAW.get(printed[position], printed[position])
    text = f"{printed.pformat(margin=20)}\n" * 3
    assert "(-RRB- )" in text
    assert [str(tree) for tree in read_trees(text)] == [str(bank[0])] * 3


@pytest.mark.parametrize("sides", ["both", "gold", "parsed"])
def test_scores_are_those_of_the_escaped_trees(sides: str, tmp_path: Path) -> None:
    """Half of the sentences with brackets around their first word or last phrase."""
    texts = {}
    for side, system in (("gold", "gold"), ("parsed", "chart")):
        lines = (EXAMPLES / f"news.{system}.mrg").read_text("utf-8").splitlines()
        for at in range(0, len(lines), 2):
            body = lines[at].removeprefix("(TOP ").removesuffix(")")
            if at % 4:
                lines[at] = f"(TOP (PRN (-LRB- -LRB-) {body} (-RRB- -RRB-)))"
            else:
                lines[at] = f"(TOP (PRN (-LRB- -LRB-) {body}))"
        texts[side] = "\n".join(lines) + "\n"
    expected = evalb(texts["gold"], texts["parsed"]).summary
    for side in texts:
        if sides in (side, "both"):
            texts[side] = raw(texts[side])
    assert evalb(texts["gold"], texts["parsed"]).summary == expected
    counts = score(texts["gold"], texts["parsed"]).tally.evalb
    assert (counts.matched, counts.gold) == (expected.matched, expected.gold)
