"""Brackets by places in a text; those that are doubtful match nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from analyzer import Treebank, read_trees
from analyzer.derivation.brackets import counted_brackets
from analyzer.derivation.characters import (
    brackets_by_places,
    dependencies_by_characters,
    derivation_by_characters,
    derivation_by_places,
    units_by_characters,
)
from analyzer.derivation.columns import NULL, ROOT
from analyzer.derivation.syntax import syntax_deriver
from analyzer.derivation.units import ROOT_EDU, dependencies, unit_columns
from analyzer.metrics.join import match
from analyzer.model.discourse import Documents
from analyzer.pairing.in_step import Pair
from analyzer.pairing.words import Alignment, CharSpans, WordPlaces, align
from tests.support.rst_strategies import tree_of

DERIVER = syntax_deriver()
TREES = """\
(S1 (S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (NN it)))) (. .)))
(S1 (S (NP (PRP we)) (VP (VBD saw) (NP (NP (NN a) (NN b)) (PP (IN in) (NP (NN c)))))))
"""
WORDS = 11  # without the full stop
# Words of two to four characters with one between them.
STARTS = np.cumsum([0, 4, 3, 5, 3, 4, 3, 4, 5, 3, 4])
SPANS = CharSpans(STARTS, STARTS + 2, 1000)


def sides(*doubtful: list[bool]) -> Alignment:
    """The trees beside themselves, with places, and doubts about words of each side."""
    bank: Treebank = read_trees(TREES)
    found = align(Pair(bank, bank, 1), DERIVER.tables)
    assert found.gold.word_leaves.size == WORDS
    gold, parsed = (
        replace(side, places=WordPlaces(SPANS, np.array(flags)))
        for side, flags in zip((found.gold, found.parsed), doubtful, strict=True)
    )
    return Alignment(gold, parsed, [])


flags = st.lists(st.booleans(), min_size=WORDS, max_size=WORDS)


@given(flags, flags)
def test_brackets_with_a_doubtful_word_match_nothing(
    gold: list[bool], parsed: list[bool]
) -> None:
    alignment = sides(gold, parsed)
    plain = DERIVER.derive(alignment.gold)
    spans = list(zip(plain.first.tolist(), plain.last.tolist(), strict=True))
    is_sure = [not any(gold[a:b]) and not any(parsed[a:b]) for a, b in spans]

    derived = [
        derivation_by_places(DERIVER.derive(side), side)
        for side in (alignment.gold, alignment.parsed)
    ]
    keys = [[d.key_label, d.first, d.last] for d in derived]
    assert match(*keys).gold.tolist() == is_sure
    heads = [[d.head, d.construction, d.first, d.last] for d in derived]
    assert match(*heads).gold.tolist() == is_sure
    around = [d.wrappers for d in derived]
    wrapped = [[w.key_label, w.first, w.last] for w in around]
    whole = [any(gold[a:b] + parsed[a:b]) for a, b in ((0, 5), (5, WORDS))]
    assert match(*wrapped).gold.tolist() == [not is_doubtful for is_doubtful in whole]

    brackets = [
        brackets_by_places(counted_brackets(side, DERIVER.tables), side)
        for side in (alignment.gold, alignment.parsed)
    ]
    of_brackets = [[b.key_label, b.first, b.last] for b in brackets]
    assert match(*of_brackets).gold.tolist() == is_sure


def test_places_stand_for_words() -> None:
    alignment = sides([False] * WORDS, [False] * WORDS)
    plain = DERIVER.derive(alignment.gold)
    placed = derivation_by_characters(plain, SPANS)
    assert placed.first.tolist() == STARTS[plain.first].tolist()
    assert placed.last.tolist() == (STARTS[plain.last - 1] + 2).tolist()
    number = STARTS * 1000 + STARTS + 2
    assert placed.head.tolist() == number[plain.head].tolist()
    for name in ("attachment", "governor"):
        before, after = getattr(plain, name).tolist(), getattr(placed, name).tolist()
        assert {ROOT, NULL} & set(before)
        assert after == [word if word < 0 else number[word] for word in before]
    wrappers, there = plain.wrappers, placed.wrappers
    assert there.first.tolist() == STARTS[wrappers.first].tolist()
    assert there.last.tolist() == (STARTS[wrappers.last - 1] + 2).tolist()


def test_edus_by_characters() -> None:
    units = unit_columns(
        Documents.of_units([("d", tree_of("[N:span[N:list N:list] S:cause]"))])
    )
    spans = CharSpans(np.array([0, 10, 25]), np.array([9, 24, 30]), 100)
    placed = units_by_characters(units, spans)
    assert list(zip(placed.first.tolist(), placed.last.tolist(), strict=True)) == [
        *((0, 30), (0, 24), (0, 9), (10, 24), (25, 30)),
    ]
    numbers = [9, 1024, 2530]
    assert placed.head.tolist() == [numbers[head] for head in units.head]
    arcs = dependencies_by_characters(dependencies(units), spans)
    assert arcs.edu.tolist() == numbers
    assert arcs.governor.tolist() == [ROOT_EDU, 9, 9]
