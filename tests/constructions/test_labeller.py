"""Productions in numbers are what the inventory makes of them one by one."""

from __future__ import annotations

import numpy as np

from analyzer import read_trees
from analyzer.constructions.labeller import Labeller
from analyzer.constructions.language import parse_inventory
from analyzer.derivation.syntax import syntax_deriver
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.in_step import Pair
from analyzer.pairing.words import align
from tests.support.data_paths import ROOT

OVERLAPPING = """
NP-a: ^(head:NP) PP$
NP-b: ^(NP|PP)* (head:PP)$
"""


def number_of(labeller: Labeller, parent: str, *children: str) -> int:
    labels = np.array([SYMBOLS.id(label) for label in children], np.int32)
    parents = np.array([SYMBOLS.id(parent)], np.int32)
    are_leaves = np.zeros(labels.size, np.bool_)
    starts = np.zeros(1, np.int64)
    return int(labeller.productions_of(parents, labels, are_leaves, starts)[0])


def test_columns_are_those_of_the_productions() -> None:
    deriver = syntax_deriver()
    bank = read_trees(ROOT / "examples/news.chart.mrg")
    pair = Pair(bank, bank, 1)
    deriver.derive(align(pair, deriver.tables).gold)
    labeller = deriver.labeller
    construction, head, is_covered = labeller.columns()
    names = labeller.constructions
    assert len(labeller.productions) == construction.size > 100
    assert list(labeller.parents) == [one.parent for one in labeller.productions]
    for number, production in enumerate(labeller.productions):
        assert names[construction[number]] == production.construction
        assert head[number] == production.head
        assert is_covered[number] == bool(production.matches)


def test_of_two_patterns_the_first_counts_and_both_are_told() -> None:
    labeller = Labeller(parse_inventory(OVERLAPPING, name="two"))
    number = number_of(labeller, "NP", "NP", "PP")
    assert labeller.productions[number].matches == ("NP-a", "NP-b")
    assert labeller.constructions[labeller.columns()[0][number]] == "NP-a"


def test_many_productions_keep_their_numbers() -> None:
    """Also where the table of them has to grow."""
    labeller = Labeller(parse_inventory(OVERLAPPING, name="two"))
    tags = np.array([SYMBOLS.id(f"T{n}") for n in range(70)], np.int32)
    pairs = np.array([(one, other) for one in tags for other in tags], np.int32)
    parents = np.full(len(pairs), SYMBOLS.id("NP"), np.int32)

    def numbers(rows: slice) -> list[int]:
        children = pairs[rows].ravel()
        starts = np.arange(0, children.size, 2)
        are_leaves = np.zeros(children.size, np.bool_)
        return labeller.productions_of(
            parents[rows], children, are_leaves, starts
        ).tolist()

    found = [numbers(slice(at, at + 700)) for at in range(0, len(pairs), 700)]
    assert sorted(one for some in found for one in some) == list(range(4900))
    assert [numbers(slice(at, at + 700)) for at in range(0, 4900, 700)] == found
