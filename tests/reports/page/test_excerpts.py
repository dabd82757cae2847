"""The two trees of a card show the same words, however large the sentence is."""

from __future__ import annotations

import pytest

from analyzer import read_trees
from analyzer.checks.findings import LeafSpan, TreeFinding
from reports.page.review import drawn_words, excerpts

REST = " ".join(f"(NP (NN n{number}))" for number in range(20))


@pytest.mark.parametrize("rest", [REST, "(VP (VBZ is))"])
def test_both_have_the_same_words(rest: str) -> None:
    now = read_trees(f"(S (PP (IN In)) (NP (NN fact)) {rest})")[0]
    mended = read_trees(f"(S (PP (IN In) (NP (NN fact))) {rest})")[0]
    one, other = excerpts(now, mended, LeafSpan(0, 0, 2))
    assert one.tree.words == other.tree.words
    assert len(one.tree.words) == 3
    assert [one.tree.bank.label_name(row) for row in one.without(other)] == ["PP"]
    assert [other.tree.bank.label_name(row) for row in other.without(one)] == ["PP"]


def test_a_place_that_is_far_is_not_drawn() -> None:
    places = LeafSpan(0, 2, 3), LeafSpan(0, 1, 3), LeafSpan(0, 9, 40), LeafSpan(1, 0, 1)
    finding = TreeFinding("M603", "", 0.5, suspects=places)
    assert drawn_words(finding) == LeafSpan(0, 1, 3)
