"""Trees of other programs: never by way of text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import nltk
import pytest

from analyzer import (
    Treebank,
    agree,
    compare_conventions,
    compare_systems,
    evalb,
    find_errors,
    from_nltk,
    read_trees,
    score,
)
from analyzer.formats.objects import as_treebank
from tests.support.data_paths import EXAMPLES

GOLD, PARSED = str(EXAMPLES / "web.gold.mrg"), str(EXAMPLES / "web.greedy.mrg")


@dataclass
class Stanza:
    """The shape of `stanza.models.constituency.parse_tree.Tree`, as of Stanza 1.10.

    Stanza is too large to install for a test. Its tree has a `label` and a tuple
    `children`; a word is a tree without children, below the tree of its tag.
    """

    label: str
    children: tuple[Any, ...] = ()


def stanza(tree: Any) -> Stanza:
    if isinstance(tree, str):
        return Stanza(tree)
    return Stanza(tree.label(), tuple(stanza(child) for child in tree))


def unescaped(tree: nltk.Tree) -> nltk.Tree:
    """A tree whose words are brackets, as people have them in memory."""
    for position in tree.treepositions("leaves"):
        tree[position] = {"-LRB-": "(", "-RRB-": ")"}.get(
            tree[position], tree[position]
        )
    return tree


BRACKETS = (
    "(S (NP (NN cat) (PRN (-LRB- -LRB-) (NN a) (-RRB- -RRB-))) (VP (VB sits)))\n"
    "(S (NP (-LRB- -LRB-) (NN dog)) (VP (VB runs)))\n"
)


def objects(kind: str, text: str) -> list[Any]:
    bank = read_trees(text)
    if kind == "ours":
        return list(bank)
    trees = [unescaped(tree.to_nltk()) for tree in bank]
    return trees if kind == "nltk" else [stanza(tree) for tree in trees]


KINDS = ("nltk", "stanza", "ours")


@pytest.mark.parametrize("kind", KINDS)
def test_objects_are_the_trees_that_they_are(kind: str) -> None:
    expected = [str(tree) for tree in read_trees(BRACKETS)]
    bank = as_treebank(objects(kind, BRACKETS))
    assert isinstance(bank, Treebank)
    bank.check()
    assert [str(tree) for tree in bank] == expected
    assert bank[1].words == ["-LRB-", "dog", "runs"]
    alone = as_treebank(objects(kind, BRACKETS)[0])
    assert alone is not None
    assert [str(tree) for tree in alone] == expected[:1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sides", ["both", "gold", "parsed"])
def test_scores_of_objects_are_those_of_files(kind: str, sides: str) -> None:
    """Beside a file too, where brackets are escaped."""
    parsed = BRACKETS.replace("PRN", "NP")
    expected = evalb(BRACKETS, parsed).summary
    assert 0 < (expected.f1 or 0) < 1
    assert expected.valid == 2
    given: list[Any] = [BRACKETS, parsed]
    for at, side in enumerate(("gold", "parsed")):
        if sides in (side, "both"):
            given[at] = objects(kind, given[at])
    assert evalb(*given).summary == expected
    assert compare_conventions(*given).total == expected
    scores = score(*given, jobs=2)
    assert (scores.tally.evalb.matched, scores.ledger.scored) == (expected.matched, 2)
    assert len(find_errors(*given).rows) == len(find_errors(BRACKETS, parsed).rows)


def test_all_that_takes_trees_takes_objects() -> None:
    gold, parsed = (
        [tree.to_nltk() for tree in read_trees(path)] for path in (GOLD, PARSED)
    )
    assert agree(gold, parsed).total == agree(*map(read_trees, (GOLD, PARSED))).total
    systems = compare_systems(gold, [("a", parsed), ("b", gold)], resamples=9)
    files = compare_systems(GOLD, [("a", PARSED), ("b", GOLD)], resamples=9)
    assert systems.frame().equals(files.frame())


def test_a_generator_and_a_failed_parse() -> None:
    gold = objects("nltk", BRACKETS)
    assert evalb((tree for tree in gold), gold).summary.f1 == 1
    result = evalb(gold, [gold[0], None])
    assert (result.summary.valid, result.summary.skip) == (1, 1)


@pytest.mark.parametrize("kind", [*KINDS, "strings"])
def test_trees_are_read_from_a_generator(kind: str) -> None:
    expected = read_trees(BRACKETS)
    as_strings = [str(tree) for tree in expected]
    given = as_strings if kind == "strings" else objects(kind, BRACKETS)
    bank = read_trees(one for one in given)
    assert [str(tree) for tree in bank] == as_strings
    assert evalb((one for one in given), (one for one in given)).summary.f1 == 1


def test_nothing_is_printed_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def printed(self: object) -> str:
        raise AssertionError("a tree was printed")

    bank = from_nltk(objects("nltk", BRACKETS))
    monkeypatch.setattr("analyzer.model.tree.Tree.__str__", printed)
    assert evalb(bank, BRACKETS).summary.f1 == 1
    assert score(BRACKETS, bank).tally.evalb.f1 == 1


def test_words_are_told_from_trees() -> None:
    assert as_treebank("(A a)") is None
    assert as_treebank(["a.mrg"]) is None
    assert as_treebank([]) is None
