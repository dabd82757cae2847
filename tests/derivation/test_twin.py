"""Derivations of syntax, row by row and word by word, as the naive twin has them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from analyzer import Treebank, read_trees
from analyzer.derivation.columns import NULL
from analyzer.derivation.columns import ROOT as ROOT_WORD
from analyzer.derivation.deriver import derive_alone
from analyzer.derivation.spines import BlockSpines, Spine, differing
from analyzer.derivation.syntax import SyntaxDeriver, syntax_deriver
from analyzer.pairing.in_step import Pair
from analyzer.pairing.words import Side, align
from tests.support.edited_trees import SMALL, tree_pairs
from tests.support.examples import some
from tests.support.kernels import both_ways
from tests.support.naive_derivations import (
    EQUAL,
    ROOT,
    Node,
    derive_all,
    label_sentence,
    sentence,
    spines,
    words_of,
)
from tests.support.strategies import Plain, one_line

Pairs = list[tuple[list[Plain], list[Plain]]]


def bank_of(pairs: Pairs) -> Treebank:
    lines = [" ".join(map(one_line, gold)) for gold, _ in pairs]
    return read_trees("".join(f"{line}\n" for line in lines), keep_blank_lines=True)


def alone(bank: Treebank, deriver: SyntaxDeriver) -> Side:
    return align(Pair(bank, bank, 1), deriver.tables).gold


def rows_of(bank: Treebank) -> list[tuple[object, ...]]:
    """Every bracket: its tree, head, construction, span, attachment, label."""
    deriver = syntax_deriver(patterns=SMALL)
    derivation = derive_alone(bank, deriver)
    tree = np.repeat(np.arange(len(bank)), np.diff(derivation.starts))
    first_word = alone(bank, deriver).offset[tree]
    numbers = {ROOT_WORD: ROOT, NULL: None}
    return [
        (
            int(tree[row]),
            int(derivation.head[row] - first_word[row]),
            deriver.constructions[derivation.construction[row]],
            int(derivation.first[row] - first_word[row]),
            int(derivation.last[row] - first_word[row]) - 1,
            numbers.get(
                at := int(derivation.attachment[row]), int(at - first_word[row])
            ),
            bool(derivation.is_covered[row]),
        )
        for row in range(derivation.row.size)
    ]


def naive_rows(bank: Treebank) -> list[tuple[object, ...]]:
    return [
        (*row[:6], row.is_covered)
        for tree in derive_all(bank, SMALL)
        for row in tree.rows
    ]


@settings(deadline=None, max_examples=some(60))
@given(tree_pairs())
def test_every_row_with_the_kernel_and_without(pairs: Pairs) -> None:
    bank = bank_of(pairs)
    for rows in both_ways(lambda: rows_of(bank)):
        assert sorted(rows, key=str) == sorted(naive_rows(bank), key=str)


def spines_of(bank: Treebank) -> list[list[Spine]]:
    deriver = syntax_deriver(patterns=SMALL)
    side = alone(bank, deriver)
    block = BlockSpines(side, deriver.derive(side), deriver.constructions)
    return [block.of_tree(tree) for tree in range(len(bank))]


def naive_spine(word: Node, phrases: list[Node]) -> Spine:
    above = (phrases[-1] if phrases else word).parent
    return Spine(
        word.place,
        word.form or "",
        word.label,
        tuple(phrase.construction for phrase in phrases),
        None if above is None else above.head.place,
        None if above is None else above.construction,
    )


@settings(deadline=None, max_examples=some(40))
@given(tree_pairs())
def test_the_spine_of_every_word(pairs: Pairs) -> None:
    bank = bank_of(pairs)
    expected = []
    for tree in bank:
        roots = sentence(tree)
        label_sentence(roots, SMALL, SMALL.matches, {})
        by_word = spines(roots)
        expected.append(
            [naive_spine(word, by_word[word.place]) for word in words_of(roots)]
        )
    assert spines_of(bank) == expected


def test_words_differ_by_spine_or_by_governor() -> None:
    """The NP is `with b`'s in one, and under the VP in the other."""
    inside = "(S (VP (VB see) (NP (NP (NN a)) (PP (IN with) (NP (NN b))))))"
    outside = "(S (VP (VB see) (NP (NN a)) (PP (IN with) (NP (NN b)))))"
    one, other = (spines_of(read_trees(text))[0] for text in (inside, outside))
    assert [str(spine) for spine in one] == [
        "see VP-t S-vp",
        "a NP-t NP-modr @VP-t",
        "with PP-t @NP-modr",
        "b NP-t @PP-t",
    ]
    # `a` heads one construction less, and `with` goes elsewhere.
    assert differing(one, other) == differing(other, one) == {1, 2}
    assert differing(one, one) == set()


@pytest.mark.parametrize("label", ["PRT", "ADVP"])
def test_equated_labels_are_one_to_evalb_and_two_to_patterns(label: str) -> None:
    deriver = syntax_deriver(patterns=SMALL)
    derivation = derive_alone(read_trees(f"({label} (RP up))"), deriver)
    same = derive_alone(read_trees(f"({EQUAL.get(label, label)} (RP up))"), deriver)
    assert derivation.key_label.tolist() == same.key_label.tolist()
    assert deriver.constructions[derivation.construction[0]] == f"{label}-t"


def test_spines_of_all_chains() -> None:
    """Of two constructions each, in either order: none is taken for another."""
    labels = "ABCDEFG"
    chains = [(upper, lower) for upper in labels for lower in labels]
    words = " ".join(f"({upper} ({lower} (NN w)))" for upper, lower in chains)
    [found] = spines_of(read_trees(f"(S {words} (VP (VB v)))"))
    assert [spine.constructions for spine in found[:-1]] == [
        (f"{lower}-t", f"{upper}-t") for upper, lower in chains
    ]


def test_patterns_know_tags_without_what_is_cut_from_them() -> None:
    deriver = syntax_deriver(patterns="historical")
    one = "(IP-MAT (NP-SBJ (D-N the) (N-N man)) (VBDI came))"
    other = one.replace("D-N", "D").replace("N-N", "N").replace("VBDI", "VBD")

    def named(text: str) -> list[tuple[str, bool]]:
        found = derive_alone(read_trees(text), deriver)
        numbers = zip(found.construction, found.is_covered.tolist(), strict=True)
        return [(deriver.constructions[number], covered) for number, covered in numbers]

    for rows in both_ways(lambda: named(one)):
        assert rows == named(other)
        assert all(covered for _, covered in rows)
