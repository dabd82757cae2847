"""How many constituent trees a dependency tree stands for."""

from __future__ import annotations

from itertools import product

import pytest

from analyzer.analyses.rst_trees import count_orders
from analyzer.model.discourse import DependencyTree


@pytest.mark.parametrize(("left", "right"), list(product(range(4), range(4))))
def test_proposition_4(left: int, right: int) -> None:
    def orders(n: int, m: int) -> int:
        return 1 if not n or not m else orders(n - 1, m) + orders(n, m - 1)

    def weak_orders(n: int, m: int) -> int:
        if not n and not m:
            return 1
        taken = [t for t in product(range(n + 1), range(m + 1)) if any(t)]
        return sum(weak_orders(n - a, m - b) for a, b in taken)

    heads = [left + 1] * (left + right + 1)
    heads[left] = 0
    found = count_orders(DependencyTree(heads, ["r"] * len(heads)))
    assert found.binary == orders(left, right)
    assert found.all == weak_orders(left, right)


def test_nuclei_of_different_relations_are_never_one_unit() -> None:
    nuclearities = ["N", "N", "N"]
    one = DependencyTree([0, 1, 1], ["ROOT", "list", "list"], nuclearities)
    two = DependencyTree([0, 1, 1], ["ROOT", "list", "contrast"], nuclearities)
    assert (count_orders(one).all, count_orders(two).all) == (2, 1)
