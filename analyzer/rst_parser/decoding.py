"""From scores to trees: groups of one size are decoded together."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from analyzer.model.arrays import Floats, Ints
from analyzer.rst_parser.arcs import ArcData
from analyzer.rst_parser.binary import best_binary_trees
from analyzer.rst_parser.eisner import best_trees
from analyzer.rst_parser.units import Units

# For the first units of groups of one size: some of the groups, and their splits.
Splits = Callable[[Ints], Iterator[tuple[slice, Floats]]]


def dependency_trees(units: Units, data: ArcData, arcs: Floats, roots: Floats) -> Ints:
    """The governors of the units, by arcs alone."""
    found = np.full(len(units), -1)
    for members, dense in _by_size(units, data, arcs):
        trees = best_trees(dense, roots[members])
        found[members] = np.where(trees >= 0, trees + members[:, :1], -1)
    return found


def binary_trees(
    units: Units, data: ArcData, arcs: Floats, roots: Floats, splits: Splits
) -> tuple[Ints, Ints]:
    """The governors of the units and how late each is attached, by arcs and splits."""
    found = np.full(len(units), -1)
    order = np.zeros(len(units), np.int64)
    for members, dense in _by_size(units, data, arcs):
        for some, of_splits in splits(members[:, 0]):
            here = members[some]
            trees, order[here] = best_binary_trees(dense[some], roots[here], of_splits)
            found[here] = np.where(trees >= 0, trees + here[:, :1], -1)
    return found, order


def _by_size(
    units: Units, data: ArcData, arcs: Floats
) -> Iterator[tuple[Ints, Floats]]:
    """Groups of the same size: their units, and group × governor × dependent."""
    starts = np.flatnonzero(units.place == 0)
    sizes = np.diff(np.append(starts, len(units)))
    # The pairs of a group stand together, dependent by dependent.
    pair_start = np.append(0, np.cumsum(sizes * (sizes - 1)))
    place = units.place
    for size in np.unique(sizes[sizes > 1]).tolist():
        groups = np.flatnonzero(sizes == size)
        pairs = pair_start[groups][:, None] + np.arange(size * (size - 1))
        dense = np.full((len(groups), size, size), -np.inf)
        dense[
            np.arange(len(groups))[:, None],
            place[data.governor[pairs]],
            place[data.dependent[pairs]],
        ] = arcs[pairs]
        yield starts[groups][:, None] + np.arange(size), dense
