"""The decoder against all trees there are."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analyzer.rst_parser.eisner import best_trees

SCORES = st.floats(-5, 5, allow_nan=False)


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


@given(
    st.integers(1, 4).flatmap(lambda n: arrays(float, (2, n, n + 1), elements=SCORES))
)
def test_no_tree_is_better(scores: np.ndarray) -> None:
    size = scores.shape[1]
    arcs, roots = scores[:, :, :size], scores[:, :, size]
    found = best_trees(arcs, roots)
    for tree in range(2):
        heads = tuple(found[tree].tolist())
        assert is_projective_tree(heads)
        every = filter(is_projective_tree, product(range(-1, size), repeat=size))
        best = max(value(arcs[tree], roots[tree], one) for one in every)
        assert np.isclose(value(arcs[tree], roots[tree], heads), best)
