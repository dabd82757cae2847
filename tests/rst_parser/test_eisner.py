"""The decoder against all trees there are."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from analyzer.rst_parser.decoding import best_trees


def is_projective_tree(heads: tuple[int, ...]) -> bool:
    if heads.count(-1) != 1:
        return False
    for at in range(len(heads)):
        seen = set()
        above = at
        while above != -1:
            if above in seen:
                return False
            seen.add(above)
            above = heads[above]
    for dependent, head in enumerate(heads):
        low, high = sorted((dependent, head))
        inside = range(low + 1, high)
        if head >= 0 and any(not low <= heads[at] <= high for at in inside):
            return False
    return True


def value(arcs: np.ndarray, roots: np.ndarray, heads: tuple[int, ...]) -> float:
    return sum(
        float(roots[at] if head < 0 else arcs[head, at])
        for at, head in enumerate(heads)
    )


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_no_tree_is_better(size: int) -> None:
    """Of forty tables of scores each, decoded together."""
    random = np.random.default_rng(size)
    arcs, roots = random.normal(size=(40, size, size)), random.normal(size=(40, size))
    every = [*filter(is_projective_tree, product(range(-1, size), repeat=size))]
    for tree, found in enumerate(best_trees(arcs, roots)):
        heads = tuple(found.tolist())
        assert is_projective_tree(heads)
        best = max(value(arcs[tree], roots[tree], one) for one in every)
        assert np.isclose(value(arcs[tree], roots[tree], heads), best)
