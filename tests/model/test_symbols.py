"""What a call costs goes by its labels, not by all that were ever read."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from analyzer import agree, check, compare_conventions, evalb, score, score_rst
from analyzer.constructions.language import load_inventory
from analyzer.model.arrays import in_order, number_densely
from analyzer.model.symbols import SYMBOLS
from tests.support.cost import calls

GOLD = "(ROOT (S (NP (PRP I)) (VP (VBP see) (NP (DT the) (NN cat)))))"
PARSED = "(ROOT (S (NP (PRP I)) (VP (VBP see)) (NP (DT the) (NN cat))))"
OTHERS = 40_000
BYTES_OF_A_COLUMN = OTHERS  # of flags, the smallest there are

INVENTORY = load_inventory("english")
CALLS: dict[str, Callable[[], object]] = {
    "score": lambda: score(GOLD, PARSED, patterns=INVENTORY).total,
    "evalb": lambda: evalb(GOLD, PARSED, by_label=True),
    "conventions": lambda: compare_conventions(GOLD, PARSED),
    "agree": lambda: agree(GOLD, PARSED, patterns=INVENTORY),
    "check": lambda: check(
        GOLD, patterns=INVENTORY, kind=["shape", "variation", "tag"]
    ),
    "score_rst": lambda: score_rst("(NS-Cause (1) (2))", "(NS-Reason (1) (2))"),
}


def _peak(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", CALLS)
def test_labels_of_other_texts_cost_nothing(name: str) -> None:
    work = CALLS[name]
    work()
    calls_before, peak_before = calls(work), _peak(work)
    for number in range(OTHERS):
        SYMBOLS.id(f"{name} {number}")
    work()  # what is shared by all calls has to grow once
    assert calls(work) <= calls_before * 1.01 + 20
    assert _peak(work) < peak_before + BYTES_OF_A_COLUMN / 2


def test_numbering_densely_makes_no_table_of_all_numbers() -> None:
    few = np.array([5_000_000, 3, 5_000_000])
    distinct, which = number_densely(few)
    assert (distinct.tolist(), which.tolist()) == ([3, 5_000_000], [1, 0, 1])
    assert _peak(lambda: number_densely(few)) < 100_000


@pytest.mark.parametrize("values", [[], [0], [4, 4], [9, 0, 1, 0, 2, 9]])
def test_numbering_densely_is_unique(values: list[int]) -> None:
    for given in (np.array(values, np.int64), np.array(values, np.int32)):
        expected = np.unique(given, return_inverse=True)
        for ours, theirs in zip(number_densely(given), expected, strict=True):
            assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("most", [1, 9, 1 << 62])
def test_values_in_order_say_where_they_were(most: int) -> None:
    values = np.random.default_rng(5).integers(0, most, 1000)
    ordered, order = in_order(values)
    assert order.tolist() == np.argsort(values, kind="stable").tolist()
    assert ordered.tolist() == sorted(values.tolist())
    assert [one.tolist() for one in in_order(values[:0])] == [[], []]
