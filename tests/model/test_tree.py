"""Views of trees for people: structure, text, notebooks, NLTK."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import nltk
import pytest
from hypothesis import given, settings

from analyzer import Node, Tree, Treebank, from_nltk, read_trees
from tests.support.examples import some
from tests.support.strategies import Plain, banks, one_line, plain

TEXT = """\
(S (NP (DT the) (NN cat)) (VP (VBD sat)))
(NN Hello)
(S (NN one)) (S (NN two))
(())
"""


@pytest.fixture
def bank() -> Treebank:
    return read_trees(TEXT)


def test_structure(bank: Treebank) -> None:
    root = bank[0].root
    noun_phrase, verb_phrase = root.children
    assert (root.label, root.span, root.parent) == ("S", (0, 3), None)
    assert noun_phrase.words == ["the", "cat"]
    assert verb_phrase.span == (2, 3)
    assert verb_phrase.parent == root
    (verb,) = verb_phrase
    assert verb.is_leaf
    assert verb.form == "sat"
    assert root.form is None
    assert len({root, bank[0].root, noun_phrase}) == 2
    assert str(noun_phrase) == "(NP (DT the) (NN cat))"


def test_spans_are_counted_within_the_tree(bank: Treebank) -> None:
    assert [tree.roots[0].span for tree in bank] == [(0, 3), (0, 1), (0, 1), (0, 0)]
    assert bank[2].words == ["one", "two"]
    assert [node.label for node in bank[0].leaves] == ["DT", "NN", "VBD"]


def test_several_roots_and_none(bank: Treebank) -> None:
    assert [len(tree.roots) for tree in bank] == [1, 1, 2, 1]
    blank = read_trees("(A a)\n\n(B b)\n", keep_blank_lines=True)[1]
    assert not blank
    assert blank.roots == []
    with pytest.raises(IndexError):
        _ = blank.root


def test_repr(bank: Treebank) -> None:
    assert repr(bank) == "<Treebank <text>: 4 trees, 13 nodes, 6 leaves>"
    assert repr(bank[1]) == "<Tree 2: (NN Hello)>"
    assert repr(bank[0].root.children[0]) == "<Node NP 0-2: the cat>"


def test_repr_of_a_long_tree_is_short() -> None:
    tree = read_trees("(S " + "(NN word)" * 500 + ")")[0]
    assert len(repr(tree)) < 100
    assert "…" in repr(tree)


def test_repr_says_what_could_not_be_read() -> None:
    with pytest.warns(UserWarning, match="could not be read"):
        bank = read_trees("(A a)\n(B b\n")
    assert "1 unreadable" in repr(bank)


def test_indexing(bank: Treebank) -> None:
    assert isinstance(bank[-1], Tree)
    assert str(bank[-3]) == "(NN Hello)"
    assert bank[-3].index == 1
    for beyond in (4, -5):
        with pytest.raises(IndexError, match="4"):
            bank[beyond]
    assert [str(tree) for tree in bank[1:2]] == ["(NN Hello)"]
    assert len(bank[3:1]) == 0
    assert len(bank[:]) == 4
    with pytest.raises(ValueError, match="steps of 1"):
        bank[::2]


def test_indented_text() -> None:
    text = "(S (NP (DT the) (NN cat)) (VP (VBD sat) (ADVP (RB down))) (X) (. .))"
    assert read_trees(text)[0].indented() == (
        "(S\n  (NP (DT the) (NN cat))\n  (VP\n    (VBD sat)\n    (ADVP (RB down)))\n"
        "  (X)\n  (. .))"
    )


def test_pictures_are_xml_with_all_words(bank: Treebank) -> None:
    for tree in bank:
        svg = ElementTree.fromstring(tree._repr_svg_())
        shown = "".join(svg.itertext())
        assert all(word in shown for word in tree.words)
        ElementTree.fromstring(tree._repr_html_())


def test_a_bank_in_a_notebook_shows_a_few_trees(bank: Treebank) -> None:
    page = bank._repr_html_()
    assert page.count("<svg") == 3
    assert "1 more" in page
    assert "&lt;Treebank" in page


# -- NLTK ----------------------------------------------------------------------


@pytest.mark.slow
@settings(deadline=None, max_examples=some(60))
@given(banks())
def test_to_nltk_and_back(trees: list[Plain]) -> None:
    bank = read_trees("".join(one_line(tree) + "\n" for tree in trees))
    there = [tree.to_nltk() for tree in bank]
    again = from_nltk(there)
    again.check()
    assert [plain(tree) for tree in again] == [[tree] for tree in trees]


def test_nltk_reads_what_we_print() -> None:
    tree = read_trees(TEXT)[0]
    assert nltk.Tree.fromstring(str(tree)) == tree.to_nltk()
    assert str(from_nltk(tree.to_nltk())[0]) == str(tree)


def test_several_roots_get_one_for_nltk(bank: Treebank) -> None:
    assert bank[2].to_nltk() == nltk.Tree.fromstring("( (S (NN one)) (S (NN two)))")


def test_words_beside_phrases_get_an_empty_tag() -> None:
    given_tree = nltk.Tree("NP", ["the", nltk.Tree("NN", ["cat"]), ("sat", "VBD")])
    (tree,) = from_nltk([given_tree])
    assert str(tree) == "(NP ( the) (NN cat) (VBD sat))"
    assert [str(again) for again in read_trees(str(tree))] == [str(tree)]


def test_brackets_and_spaces_from_nltk_are_escaped() -> None:
    """NLTK trees may hold in a word or label what would end it in a file."""
    given_tree = nltk.Tree(
        "NP (odd)", [nltk.Tree("-LRB-", ["("]), nltk.Tree("X", ["a b"])]
    )
    tree = from_nltk(given_tree)[0]
    (again,) = read_trees(str(tree))
    assert again.words == ["-LRB-", "a_b"]
    assert len(again.nodes) == 3
    assert [node.words for node in tree.leaves] == [["("], ["a b"]]


@pytest.mark.slow
def test_fifty_thousand_levels_to_nltk_and_back() -> None:
    levels = 50_000
    tree = nltk.Tree("NN", ["w"])
    for _ in range(levels):
        tree = nltk.Tree("A", [tree])
    bank = from_nltk(tree)
    assert int(bank.depth.max()) == levels
    assert bank[0].to_nltk().label() == "A"


def test_nodes_are_equal_where_their_banks_are() -> None:
    one, same, other = (
        read_trees(text)[0].root for text in ("(A a)", "(A a)", "(A b)")
    )
    assert isinstance(one, Node)
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
