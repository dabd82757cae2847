"""Trees of units in stages: sentences, paragraphs, the document.

In each stage the units of one group (EDUs of a sentence, sentences of a paragraph,
paragraphs of a document) become a tree; the group is then a unit, and the head of its
tree is its head.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analyzer.model.arrays import Ints
from analyzer.rst_parser.edus import EduTable

SENTENCE, PARAGRAPH, DOCUMENT = "sentence", "paragraph", "document"
STAGES = (SENTENCE, PARAGRAPH, DOCUMENT)
# More units than these are parsed in blocks of equal size, then the blocks' heads: time
# and memory grow with the third power.
LARGEST_GROUP = 120


@dataclass(frozen=True)
class Units:
    """Units of a level: first, last and head EDU, and the group that each is in.

    Units of a group stand together; `place` counts them from 0 in each group.
    """

    first: Ints
    last: Ints
    head: Ints
    group: Ints
    place: Ints

    def __len__(self) -> int:
        return len(self.head)

    @cached_property
    def starts(self) -> Ints:
        """The first unit of each group."""
        return np.flatnonzero(self.place == 0)

    @cached_property
    def sizes(self) -> Ints:
        """How many units each group has."""
        return np.diff(np.append(self.starts, len(self)))


def grouped(keys: Ints, first: Ints, last: Ints, head: Ints) -> Units:
    """Units with the group of each, from keys that are equal within a group."""
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    sizes = np.diff(np.append(starts, len(keys)))
    group = np.repeat(np.arange(len(starts)), sizes)
    place = np.arange(len(keys)) - np.repeat(starts, sizes)
    return Units(first, last, head, group, place)


@dataclass(frozen=True)
class Nodes:
    """The nodes of binary trees over units: two halves, one of which has the head.

    A node goes from the unit `first` to `last` and is split after `split`; dependent
    and governor are the heads of its halves.
    """

    first: Ints
    split: Ints
    last: Ints
    governor: Ints
    dependent: Ints


@dataclass(frozen=True)
class Stage:
    """The units of one stage, the governing unit of each (-1 for roots), and its turn.

    order: when each unit is attached to its governor; None if that is not known.
    """

    level: int
    units: Units
    governor: Ints
    order: Ints | None = None

    @property
    def arcs(self) -> tuple[Ints, Ints]:
        """Governing and dependent units."""
        dependent = np.flatnonzero(self.governor >= 0)
        return self.governor[dependent], dependent

    @cached_property
    def nodes(self) -> Nodes:
        """What is attached to what, dependents after all that depends on them."""
        assert self.order is not None
        above, dependents = self.arcs
        depth = _depths(self.governor)
        turns = np.lexsort((self.order[dependents], above, -depth[above]))
        first = list(range(len(self.units)))
        last = list(first)
        nodes: list[tuple[int, ...]] = []
        for at in dependents[turns].tolist():
            head = int(self.governor[at])
            left, right = min(at, head), max(at, head)
            if last[left] + 1 == first[right]:  # or the tree is not projective
                nodes.append((first[left], last[left], last[right], head, at))
                first[head], last[head] = first[left], last[right]
        return Nodes(*np.array(nodes, np.int64).reshape(-1, 5).T)


def gold_stages(
    edus: EduTable, heads: Ints, ranks: Ints, stages: Sequence[str]
) -> Iterator[Stage]:
    """The stages of known trees.

    heads: the governor of each EDU, -1 for a root; ranks: when it is attached. Of a
    group that is no subtree, the unit that is nearest to the root counts as head; its
    other roots are left behind.
    """
    depth = _depths(heads)
    first = last = head = np.arange(len(edus))
    for level, stage in enumerate(stages):
        keys: Ints = getattr(edus, stage)  # the column that is called so
        units = grouped(keys[first], first, last, head)
        unit_of = np.repeat(np.arange(len(units)), last - first + 1)
        above = heads[head]
        governor = np.where(above >= 0, unit_of[above], -1)
        is_inside = (governor >= 0) & (units.group[governor] == units.group)
        governor[~is_inside | (governor == np.arange(len(units)))] = -1
        yield Stage(level, units, governor, _turns(governor, above, ranks[head]))
        order = np.lexsort((np.arange(len(units)), depth[head], units.group))
        chosen = order[np.append(True, np.diff(units.group[order]) != 0)]
        first, last, head = _joined(units, chosen)


def _turns(governor: Ints, above: Ints, ranks: Ints) -> Ints:
    """When each unit is attached to its governor: from the inside out on each side.

    Of the next to the left and the next to the right, the one of lower rank comes
    first if both depend on the same EDU, or else the nearer one.
    """
    turns = np.zeros(len(governor), np.int64)
    by_head: dict[int, tuple[list[int], list[int]]] = {}
    for unit in np.flatnonzero(governor >= 0).tolist():
        head = int(governor[unit])
        left, right = by_head.setdefault(head, ([], []))
        (left if unit < head else right).append(unit)
    for head, (left, right) in by_head.items():
        right.reverse()  # the nearest of each side is its last
        turn = 0
        while left or right:
            if left and right:
                before, after = left[-1], right[-1]
                if above[before] == above[after]:
                    goes_left = bool(ranks[before] <= ranks[after])
                else:
                    goes_left = head - before < after - head
            else:
                goes_left = bool(left)
            turns[(left if goes_left else right).pop()] = turn
            turn += 1
    return turns


def _depths(heads: Ints) -> Ints:
    depth = np.zeros(len(heads), np.int64)
    at = heads.copy()
    while (at >= 0).any():
        depth += at >= 0
        at = np.where(at >= 0, heads[at], -1)
    return depth


def _joined(units: Units, roots: Ints) -> tuple[Ints, Ints, Ints]:
    """Each group as one unit, with the head of its root."""
    ends = units.starts + units.sizes - 1
    return units.first[units.starts], units.last[ends], units.head[roots]


# For units and a level: the governor of each, and when it is attached.
Decoder = Callable[[Units, int], tuple[Ints, Ints | None]]


def parsed_stages(
    edus: EduTable, stages: Sequence[str], decoder: Decoder
) -> Iterator[Stage]:
    """The stages of the best trees; groups that are too large give several."""
    first = last = head = np.arange(len(edus))
    for level, stage in enumerate(stages):
        keys: Ints = getattr(edus, stage)
        while True:
            units = grouped(keys[first], first, last, head)
            is_large = units.place.max() >= LARGEST_GROUP
            if is_large:
                sizes = units.sizes[units.group]
                blocks = units.place * -(-sizes // LARGEST_GROUP) // sizes
                units = grouped(units.group * len(units) + blocks, first, last, head)
            governor, order = decoder(units, level)
            yield Stage(level, units, governor, order)
            first, last, head = _joined(units, np.flatnonzero(governor < 0))
            if not is_large:
                break
