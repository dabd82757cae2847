"""Grammar induction: brackets counted by hand, and by a slow equivalent."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from analyzer import evalb, read_trees
from analyzer.analyses.evalb import Totals
from analyzer.model.tree import Tree
from tests.support.command import spinal
from tests.support.examples import some
from tests.support.strategies import pair_lists, pair_texts

# Six words. Gold: the cat, sat … mat, on … mat, the mat. Parsed: the cat, sat … mat,
# sat on, the mat.
GOLD = "((the cat) (sat (on (the mat))))\n"
PARSED = "((the cat) ((sat on) (the mat)))\n"
# The same tree with tags, a root, unary chains, a trace and punctuation.
PENN = (
    "(ROOT (S (NP (NP (DT the) (NN cat))) (-LRB- -LRB-) (VP (VBD sat) (NP (-NONE- *)) "
    "(PP (IN on) (NP (DT the) (NN mat)))) (-RRB- -RRB-) (. ?)))\n"
)
UNLABELLED = {"grammar": "unlabelled"}


def counts(gold: str, parsed: str) -> Totals:
    sides = read_trees(gold, **UNLABELLED), read_trees(parsed, **UNLABELLED)
    return evalb(*sides, induction=True).summary


def test_brackets_counted_by_hand() -> None:
    found = counts(GOLD, PARSED)
    assert (found.matched, found.gold, found.test) == (3, 4, 4)
    assert found.f1 == found.macro_f1 == 0.75
    # Of three words: gold has `a cat`, parsed `cat sat`; F1 0, so that the mean is
    # half of 0.75, and F1 of the corpus 2 * 3 / (5 + 5).
    both = counts(GOLD + "((a cat) sat)\n", PARSED + "(a (cat sat))\n")
    assert (both.matched, both.gold, both.test) == (3, 5, 5)
    assert (both.f1, both.macro_f1) == (0.6, 0.375)


def test_labels_tags_unary_chains_and_punctuation_make_no_difference() -> None:
    parsed = read_trees(PARSED, **UNLABELLED)
    found = evalb(PENN, parsed, induction=True)
    assert found.ledger.is_complete
    assert found.summary[:7] == (1, 0, 0, 1, 3, 4, 4)
    assert found.summary.macro_f1 == 0.75
    assert not found.notes  # of roots, which do not count


def test_sentences_without_brackets_that_count() -> None:
    """Two words are right whatever the tree; one word is not counted at all."""
    found = counts("(the cat)\n(cats)\n", "(the cat)\n(cats)\n")
    assert (found.sentences, found.skip, found.valid) == (2, 1, 1)
    assert (found.gold, found.test, found.macro_f1) == (0, 0, 1.0)
    assert found.f1 is None
    flat = counts("(a b c)\n", "((a b) c)\n")  # gold has none, parsed has one
    assert (flat.gold, flat.test, flat.macro_f1) == (0, 1, 0.0)


def test_what_is_said() -> None:
    text = GOLD + "(yes)\n"
    bank = read_trees(text, **UNLABELLED)
    result = evalb(bank, bank, induction=True)
    assert result.notes == ["1 sentence of one word not counted: all of it is trivial"]
    assert result.signature.get("spans") == "nontrivial, once"
    assert result.signature.get("labeled") == "no"
    assert result.parameters.cutoff_length == 10


def test_a_side_without_labels_is_told_of() -> None:
    parsed = read_trees(PARSED, **UNLABELLED)
    result = evalb(re.sub(r"\(-.RB- -.RB-\)", "", PENN), parsed)
    assert any("the brackets of parsed have no labels" in note for note in result.notes)
    found = evalb(PENN, PENN.replace("NP", "VP"), unlabelled=True)
    assert found.summary.f1 == 1.0
    assert found.signature.get("labeled") == "no"


def _spans(tree: Tree) -> set[tuple[int, int]]:
    """What counts of a tree, all of whose words count."""
    found: set[tuple[int, int]] = set()
    pending = [(tree.root, 0)]
    while pending:
        node, first = pending.pop()
        if not node.is_leaf and 1 < len(node.words) < len(tree.words):
            found.add((first, first + len(node.words)))
        for child in node.children:
            pending.append((child, first))
            first += len(child.words)
    return found


@given(pair_lists())
@settings(max_examples=some(60))
def test_as_the_slow_equivalent(pairs: list) -> None:
    gold, parsed = (read_trees(text) for text in pair_texts(pairs))
    result = evalb(gold, parsed, induction=True, params="none", by_sentence=True)
    assert result.sentences is not None
    mean = []
    for tree, status in enumerate(result.sentences.status.tolist()):
        if status:
            continue
        spans = [_spans(side[tree]) for side in (gold, parsed)]
        matched = len(spans[0] & spans[1])
        row = [column[tree] for column in result.sentences]
        assert row[2:5] == [matched, len(spans[0]), len(spans[1])]
        size = len(spans[0]) + len(spans[1])
        mean.append(2 * matched / size if size else 1.0)
    if mean:
        assert result.summary.macro_f1 == pytest.approx(sum(mean) / len(mean))


def test_the_command(tmp_path: Path) -> None:
    for name, text in (("gold.txt", GOLD), ("parsed.txt", PARSED)):
        (tmp_path / name).write_text(text)
    files = tmp_path / "gold.txt", tmp_path / "parsed.txt"
    ran = spinal("evalb", *files, "--induction", "--grammar", "unlabelled")
    assert ran.code == 0
    assert "Bracket scores, grammar induction with collins" in ran.out
    assert row(ran.out, "mean F1 of sentences") == ["75.00", "75.00"]
    refused = spinal("evalb", "a", "b", "--induction", "--conventions")
    assert refused.code == 2


def row(table: str, name: str) -> list[str]:
    (line,) = [line for line in table.splitlines() if line.startswith(name)]
    return line.removeprefix(name).split()
