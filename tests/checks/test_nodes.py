"""Words and phrases as nodes: the same as a walk over the trees finds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings

from analyzer import read_trees
from analyzer.checks.findings import Edit
from analyzer.checks.nodes import Nodes, stable_key
from analyzer.checks.word_stream import BOUNDARY, WordStream
from analyzer.derivation.syntax import syntax_deriver
from analyzer.model.symbols import SYMBOLS
from analyzer.model.tree import Node
from analyzer.transform.labels import load_labels
from tests.support.edited_trees import tree_pairs
from tests.support.examples import some
from tests.support.strategies import Plain, one_line

Pairs = list[tuple[list[Plain], list[Plain]]]
LABELS = syntax_deriver().tables.parameters.labels


def nodes_of(*lines: str) -> Nodes:
    stream = WordStream.of([read_trees("".join(f"{line}\n" for line in lines))], LABELS)
    return Nodes(stream, syntax_deriver())


class Kept(NamedTuple):
    """A node of the table, as a tree has it."""

    node: Node
    tree: int
    parent: int
    first: int  # among the words that are kept
    last: int


def has_words(node: Node) -> bool:
    if node.is_leaf:
        return node.label not in LABELS.empty
    return any(map(has_words, node.children))


def naive(nodes: Nodes) -> list[Kept]:
    """Words that are no traces, and phrases that hold some; no wrapper at the root."""
    found: list[Kept] = []
    words = 0

    def walk(node: Node, tree: int, parent: int, is_root: bool) -> None:
        nonlocal words
        if not has_words(node):
            return
        at = len(found)
        is_wrapper = (
            is_root
            and not node.is_leaf
            and LABELS.bare_phrase(node.label) in LABELS.wrapper
        )
        if not is_wrapper:
            found.append(Kept(node, tree, parent, words, words + node.is_leaf))
            parent = at
        if node.is_leaf:
            words += 1
        for child in node.children:
            walk(child, tree, parent, False)
        if not is_wrapper:
            found[at] = found[at]._replace(last=words)

    for number, tree in enumerate(nodes.stream.bank):
        for root in tree.roots:
            walk(root, number, -1, True)
    return found


@settings(deadline=None, max_examples=some(40))
@given(tree_pairs())
def test_who_is_beside_above_and_below_whom(pairs: Pairs) -> None:
    nodes = nodes_of(*(" ".join(map(one_line, gold)) for gold, _ in pairs))
    expected = naive(nodes)
    each = range(len(expected))
    assert nodes.size == len(expected)
    for column, values in (
        (nodes.parent, [one.parent for one in expected]),
        (nodes.first, [one.first for one in expected]),
        (nodes.last, [one.last for one in expected]),
        (nodes.is_word, [one.node.is_leaf for one in expected]),
    ):
        assert column.tolist() == values
    for at, one in enumerate(expected):
        children = [other for other in each if expected[other].parent == at]
        assert nodes.children_of(at) == children
        assert nodes.children[at] == len(children)
        assert nodes.first_child[at] == (children[0] if children else -1)
        assert nodes.last_child[at] == (children[-1] if children else -1)
        pairs_of = zip([-1, *children], [*children, -1], strict=True)
        for before, after in pairs_of:
            if before >= 0:
                assert nodes.after[before] == after
            if after >= 0:
                assert nodes.before[after] == before
        name = (
            one.node.label if one.node.is_leaf else LABELS.bare_phrase(one.node.label)
        )
        assert nodes.label_name(at) == name
        assert nodes.place(at).tree == one.tree
        if len(children) != 1:  # the phrases over the same words
            chain = [
                other
                for other in each
                if not expected[other].node.is_leaf
                and expected[other][1:] == one[1:2] + expected[other][2:3] + one[3:]
                and other <= at
            ]
            assert nodes.chain_over(at) == chain
            assert nodes.chain_name(at) == "/".join(map(nodes.label_name, chain))
            assert nodes.base_of((chain or [at])[0]) == at
            assert nodes.chain[0][at] == (chain or [at])[0]
            assert nodes.chain[1][at] == expected[(chain or [at])[0]].parent


def test_chains_have_one_number_if_their_labels_are_the_same() -> None:
    nodes = nodes_of(
        "(S (NP (NP (NN a) (NN b))) (NP (NP (NN c) (NN d))))",
        "(S (NP (VP (NN a) (NN b))) (VP (NP (NN a) (NN b))))",
    )
    bases = [at for at in range(nodes.size) if nodes.children[at] == 2]
    numbers = dict(zip(bases, nodes.chain[2][bases].tolist(), strict=True))
    names = {base: nodes.chain_name(base) for base in bases}
    assert sorted(names.values()) == ["NP/NP", "NP/NP", "NP/VP", "S", "S", "VP/NP"]
    for one in bases:
        for other in bases:
            assert (numbers[one] == numbers[other]) == (names[one] == names[other])
    assert min(numbers.values()) >= 0


@pytest.mark.parametrize(
    ("wanted", "edit"),
    [
        ("S/NP", Edit("relabel", 1, label="S")),
        ("VP/NP/ADJP", Edit("add", 3, 4, "ADJP")),  # around `a b`
        ("NP", Edit("drop", 1)),
        ("VP", Edit("drop", 2)),
        ("VP/NP/NP", Edit("add", 2, label="NP")),
        ("S/VP/NP", Edit("add", 1, label="S")),
        ("NP/VP", None),  # two labels
        ("", None),
    ],
)
def test_the_edit_that_makes_a_chain_another(wanted: str, edit: Edit | None) -> None:
    nodes = nodes_of("(ROOT (VP (NP (NN a) (NN b))))")
    [base] = np.flatnonzero(nodes.children == 2)
    found = nodes.chain_edit(int(base), wanted)
    assert found == edit


def test_of_two_equal_brackets_the_one_without_function_tags_goes() -> None:
    nodes = nodes_of("(S (NP-SBJ (NP (NN a) (NN b))) (NP (NP-SBJ (NN a) (NN b))))")
    first, second = (int(at) for at in np.flatnonzero(nodes.children == 2)[1:])
    assert nodes.chain_edit(first, "NP") == Edit("drop", 2)
    assert nodes.chain_edit(second, "NP") == Edit("drop", 5)


def test_words_by_what_they_look_like() -> None:
    nodes = nodes_of("(S (NN McDonald) (NN mcdonald) (NN e-mail) (NN 42) (NN A))")
    lower, three, two, shape, form = nodes.form_columns
    assert lower[0] == lower[1] == stable_key("mcdonald")
    assert (form[0], three[1], two[1]) == tuple(
        map(stable_key, ("McDonald", "ald", "ld"))
    )
    shapes = ["AA3", "a3", "a-3", "02", "A1"]
    assert shape.tolist() == [stable_key(name) for name in shapes]
    assert nodes.lower.tolist() == lower.tolist()


def test_neighbours_end_with_the_sentence() -> None:
    nodes = nodes_of("(S (NN a) (NN b))", "(S (-NONE- *) (NN c))")
    words, values = np.arange(3), np.array([5, 6, 7])
    assert nodes.shift(values, words, 1).tolist() == [6, -1, -1]
    assert nodes.shift(values, words, -1).tolist() == [-1, 5, -1]
    assert nodes.shift(values, words, 0).tolist() == [5, 6, 7]
    assert nodes.at(values, np.array([2, -1])).tolist() == [7, -1]
    stream = nodes.stream
    assert np.flatnonzero(stream.stream == BOUNDARY).tolist() == [0, 3, 5]


def test_heads_are_words() -> None:
    """`sat` heads S and VP, `cat` its NP; of a tag there is no other head."""
    nodes = nodes_of("(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat))))")
    heads = {nodes.label_name(at): int(nodes.head[at]) for at in range(nodes.size)}
    assert heads == {"S": 2, "NP": 1, "DT": 0, "NN": 1, "VP": 2, "VBD": 2}


def test_tags_are_cut_to_what_patterns_know() -> None:
    labels = load_labels("historical")
    stream = WordStream.of([read_trees("(NP (N-D ab) (N-A c) (NP (N-D ab)))")], labels)
    nodes = Nodes(stream, syntax_deriver())
    coarse = [SYMBOLS.name(int(label)) for label in nodes.coarse]
    assert coarse == ["NP", "N", "N", "NP", "N"]
    assert len({*nodes.coarse_tag.tolist()}) == 1
