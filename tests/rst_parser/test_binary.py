"""The decoder of binary trees against all trees there are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analyzer.rst_parser import binary
from analyzer.rst_parser.binary import best_binary_trees
from analyzer.rst_parser.stages import Stage
from analyzer.rst_parser.units import Units

SCORES = st.floats(-5, 5, allow_nan=False)


def every(
    arcs: np.ndarray, splits: np.ndarray, first: int, last: int
) -> Iterator[tuple[int, float]]:
    """The head and the score of each tree over a span."""
    if first == last:
        yield first, 0.0
    for split in range(first, last):
        for left, of_left in every(arcs, splits, first, split):
            for right, of_right in every(arcs, splits, split + 1, last):
                both = of_left + of_right
                sides = splits[first, split, last]
                yield left, both + arcs[left, right] + sides[0]
                yield right, both + arcs[right, left] + sides[1]


def value(
    arcs: np.ndarray, splits: np.ndarray, governor: np.ndarray, order: np.ndarray
) -> float:
    each = np.arange(len(governor))
    units = Units(each, each, each, each * 0, each)
    nodes = Stage(0, units, governor, order).nodes
    assert len(nodes.first) == len(governor) - 1  # each joins two: it is one tree
    side = (nodes.dependent < nodes.governor) * 1
    joined = splits[nodes.first, nodes.split, nodes.last, side]
    return float((joined + arcs[nodes.governor, nodes.dependent]).sum())


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.tuples(
            arrays(float, (2, n, n + 1), elements=SCORES),
            arrays(float, (2, n, n, n, 2), elements=SCORES),
        )
    )
)
def test_no_tree_is_better(scores: tuple[np.ndarray, np.ndarray]) -> None:
    with_roots, splits = scores
    size = with_roots.shape[1]
    arcs, roots = with_roots[:, :, :size], with_roots[:, :, size]
    governor, order = best_binary_trees(arcs, roots, splits)
    for tree in range(2):
        [root] = np.flatnonzero(governor[tree] < 0)
        found = value(arcs[tree], splits[tree], governor[tree], order[tree])
        trees = every(arcs[tree], splits[tree], 0, size - 1)
        best = max(score + roots[tree, head] for head, score in trees)
        assert np.isclose(found + roots[tree, root], best)


def test_looking_at_the_likeliest_splits_finds_the_same_tree() -> None:
    """Of a model that is sure, what is left out does not count."""
    size = 3 * binary._SPLITS
    splits = np.full((1, size, size, size, 2), -30.0)
    for first in range(size):
        splits[0, first, first, :, 0] = 0.0  # the first one is the head of the rest
    arcs, roots = np.zeros((1, size, size)), np.zeros((1, size))
    governor, order = best_binary_trees(arcs, roots, splits)
    assert governor[0].tolist() == [-1, *range(size - 1)]
    assert order[0].tolist() == [0, *range(size - 1, 0, -1)]
