"""The decoder of binary trees against all trees there are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from analyzer.rst_parser import decoding
from analyzer.rst_parser.decoding import best_binary_trees
from analyzer.rst_parser.stages import Stage, Units


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


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_no_tree_is_better(size: int) -> None:
    """Of ten tables of scores each, decoded together."""
    random = np.random.default_rng(size)
    arcs, roots = random.normal(size=(10, size, size)), random.normal(size=(10, size))
    splits = random.normal(size=(10, size, size, size, 2))
    governor, order = best_binary_trees(arcs, roots, splits)
    for tree in range(10):
        [root] = np.flatnonzero(governor[tree] < 0)
        found = value(arcs[tree], splits[tree], governor[tree], order[tree])
        trees = every(arcs[tree], splits[tree], 0, size - 1)
        best = max(score + roots[tree, head] for head, score in trees)
        assert np.isclose(found + roots[tree, root], best)


def test_looking_at_the_likeliest_splits_finds_the_same_tree() -> None:
    """Of a model that is sure, what is left out does not count."""
    size = 3 * decoding._SPLITS
    splits = np.full((1, size, size, size, 2), -30.0)
    for first in range(size):
        splits[0, first, first, :, 0] = 0.0  # the first one is the head of the rest
    arcs, roots = np.zeros((1, size, size)), np.zeros((1, size))
    governor, order = best_binary_trees(arcs, roots, splits)
    assert governor[0].tolist() == [-1, *range(size - 1)]
    assert order[0].tolist() == [0, *range(size - 1, 0, -1)]
