"""Words are compared byte by byte, however long, with the kernel and without."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from analyzer import find_errors, read_trees
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Reason
from analyzer.pairing.words import align, words_differ
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.parameters import BUILT_IN
from tests.support.kernels import both_ways

# Around the eight bytes that are compared first, and in two scripts.
WORDS = st.one_of(
    st.text("ab", min_size=1, max_size=20),
    st.sampled_from(["abcdefgh", "abcdefghi", "abcdefghj", "äöüß", "äöüßa", "äöüßb"]),
)


def bank_of(words: list[str]) -> Treebank:
    return read_trees("".join(f"(S (NN {word}))\n" for word in words))


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=12))
def test_words_differ_if_any_byte_does(pairs: list[tuple[str, str]]) -> None:
    gold, parsed = (bank_of([pair[side] for pair in pairs]) for side in (0, 1))
    expected = [one != other for one, other in pairs]
    leaves = np.arange(len(pairs))
    assert words_differ(gold, leaves, parsed, leaves).tolist() == expected

    def left_out() -> list[int]:
        tables = LabelTables(BUILT_IN["collins"])
        return align(Pair(gold, parsed, 1), tables).left_out_trees.tolist()

    trees = np.flatnonzero(expected).tolist()
    assert both_ways(left_out) == (trees, trees)


def test_the_last_byte_of_a_long_word_counts() -> None:
    long = "internationalization"
    words = [long, long[:-1] + "m", long, long + "s", "x" + long[1:]]
    gold, parsed = bank_of([long] * 5), bank_of(words)
    leaves = np.arange(5)
    found = words_differ(gold, leaves, parsed, leaves)
    assert found.tolist() == [False, True, False, True, True]


def test_trees_that_are_not_compared_do_not_shift_the_others() -> None:
    gold = read_trees("(S (NN a) (NN b))\n(S (NN c))\n(S (NN e))\n")
    parsed = read_trees("(S (NN a))\n(S (NN c))\n(S (NN f))\n")

    def left_out() -> list[int]:
        tables = LabelTables(BUILT_IN["collins"])
        return align(Pair(gold, parsed, 1), tables).left_out_trees.tolist()

    assert both_ways(left_out) == ([0, 2], [0, 2])


def test_a_length_that_differs_is_said_though_the_encoding_does_too() -> None:
    """é in one and in two characters: that is not why these cannot be compared."""
    composed, apart = "\u00e9", "e\u0301"
    tables = LabelTables(BUILT_IN["collins"])

    def reason(gold: str, parsed: str) -> Reason:
        pair = Pair(read_trees(gold), read_trees(parsed), 1)
        [item] = align(pair, tables).left_out
        return item.reason

    one, other = f"(S (NN {composed}))", f"(S (NN {apart}))"
    assert reason(one, other) is Reason.WORDS
    assert reason(one, f"(S (NN {apart}) (NN b))") is Reason.LENGTH


def test_sentences_of_treebanks_are_numbered_from_one() -> None:
    """Also where labels say what is no text: historical trees have such."""
    gold = read_trees("(IP-MAT (NP-SBJ (N a)) (VBD b))\n")
    parsed = read_trees("(IP-MAT (NP-OB1 (N a) (VBD b)))\n")
    errors = find_errors(gold, parsed, patterns="historical")
    assert {found.error.sentence for found in errors.rows} == {1}
