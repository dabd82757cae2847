"""Trees of units in stages: sentences, paragraphs, the document.

In each stage the units of one group (EDUs of a sentence, sentences of a paragraph,
paragraphs of a document) become a tree; the group is then a unit, and the head of its
tree is its head.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analyzer.model.arrays import Floats, Ints
from analyzer.rst_parser.edus import EduTable
from analyzer.rst_parser.eisner import best_trees
from analyzer.rst_parser.templates import Units, grouped

SENTENCE, PARAGRAPH, DOCUMENT = "sentence", "paragraph", "document"
STAGES = (SENTENCE, PARAGRAPH, DOCUMENT)
# More units than these are parsed in blocks of so many, then the blocks' heads: time
# grows with the third power.
LARGEST_GROUP = 150


@dataclass(frozen=True)
class Stage:
    """The units of one stage and the governing unit of each, -1 for roots."""

    level: int
    units: Units
    governor: Ints

    @property
    def arcs(self) -> tuple[Ints, Ints]:
        """Governing and dependent units."""
        dependent = np.flatnonzero(self.governor >= 0)
        return self.governor[dependent], dependent


def keys_of(edus: EduTable, stage: str) -> Ints:
    return {
        SENTENCE: edus.sentence,
        PARAGRAPH: edus.paragraph,
        DOCUMENT: edus.document,
    }[stage]


def single_units(edus: EduTable) -> tuple[Ints, Ints, Ints]:
    each = np.arange(len(edus))
    return each, each, each


def gold_stages(edus: EduTable, heads: Ints, stages: Sequence[str]) -> Iterator[Stage]:
    """The stages of known trees.

    heads: the governor of each EDU, -1 for a root. Of a group that is no subtree, the
    unit that is nearest to the root counts as head; its other roots are left behind.
    """
    depth = _depths(heads)
    first, last, head = single_units(edus)
    for level, stage in enumerate(stages):
        keys = keys_of(edus, stage)
        units = grouped(keys[first], first, last, head)
        unit_of = np.repeat(np.arange(len(units)), last - first + 1)
        above = heads[head]
        governor = np.where(above >= 0, unit_of[above], -1)
        is_inside = (governor >= 0) & (units.group[governor] == units.group)
        governor[~is_inside | (governor == np.arange(len(units)))] = -1
        yield Stage(level, units, governor)
        order = np.lexsort((np.arange(len(units)), depth[head], units.group))
        chosen = order[np.append(True, np.diff(units.group[order]) != 0)]
        first, last, head = _joined(units, chosen)


def _depths(heads: Ints) -> Ints:
    depth = np.zeros(len(heads), np.int64)
    at = heads.copy()
    while (at >= 0).any():
        depth += at >= 0
        at = np.where(at >= 0, heads[at], -1)
    return depth


def _joined(units: Units, roots: Ints) -> tuple[Ints, Ints, Ints]:
    """Each group as one unit, with the head of its root."""
    starts = np.flatnonzero(units.place == 0)
    ends = np.append(starts[1:], len(units)) - 1
    return units.first[starts], units.last[ends], units.head[roots]


ArcScorer = Callable[[Units, int], tuple[Ints, Ints, Floats, Floats]]


def parsed_stages(
    edus: EduTable, stages: Sequence[str], scorer: ArcScorer
) -> Iterator[Stage]:
    """The stages of the best trees.

    scorer: for units and a level, governors, dependents and scores of all pairs, and
    the score of each unit as root.
    """
    first, last, head = single_units(edus)
    for level, stage in enumerate(stages):
        keys = keys_of(edus, stage)
        while True:
            units = grouped(keys[first], first, last, head)
            is_large = units.place.max() >= LARGEST_GROUP
            if is_large:
                blocks = units.place // LARGEST_GROUP
                units = grouped(units.group * len(units) + blocks, first, last, head)
            found = _decoded(units, *scorer(units, level))
            yield Stage(level, units, found)
            first, last, head = _joined(units, np.flatnonzero(found < 0))
            if not is_large:
                break


def _decoded(
    units: Units, governor: Ints, dependent: Ints, arcs: Floats, roots: Floats
) -> Ints:
    starts = np.flatnonzero(units.place == 0)
    sizes = np.diff(np.append(starts, len(units)))
    found = np.full(len(units), -1)
    # The pairs of a group stand together, dependent by dependent.
    pair_start = np.append(0, np.cumsum(sizes * (sizes - 1)))
    for size in np.unique(sizes[sizes > 1]).tolist():
        groups = np.flatnonzero(sizes == size)
        pairs = pair_start[groups][:, None] + np.arange(size * (size - 1))
        dense = np.full((len(groups), size, size), -np.inf)
        place = units.place
        dense[
            np.arange(len(groups))[:, None],
            place[governor[pairs]],
            place[dependent[pairs]],
        ] = arcs[pairs]
        members = starts[groups][:, None] + np.arange(size)
        trees = best_trees(dense, roots[members])
        found[members] = np.where(trees >= 0, trees + starts[groups][:, None], -1)
    return found
