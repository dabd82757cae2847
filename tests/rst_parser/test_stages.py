"""Trees in stages: known ones taken apart, and the best ones put together."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.arrays import Ints
from analyzer.rst_parser.edus import edu_table
from analyzer.rst_parser.stages import (
    LARGEST_GROUP,
    Stage,
    Units,
    gold_stages,
    grouped,
    parsed_stages,
)
from analyzer.rst_parser.text import of_edus

# Two paragraphs of sentences: (0 1 2) (3 4) | (5) (6 7).
EDUS = ["A", "b", "c.", "D", "e.<P>", "F.", "G", "h."]
ALL = ["sentence", "paragraph", "document"]


def columns(stage: Stage) -> list[list[int]]:
    units = stage.units
    each = (units.first, units.last, units.head, units.group, stage.governor)
    return [column.tolist() for column in each]


def test_a_known_tree_is_taken_apart() -> None:
    """1 heads the first sentence, 3 the second, which depends on it; 7 depends on 5,
    the root of its paragraph, although 6 is nearer to the end of its sentence."""
    edus = edu_table([of_edus(EDUS)])
    heads = np.array([1, -1, 1, 1, 3, 1, 7, 5])
    sentence, paragraph, document = gold_stages(edus, heads, np.ones(8, int), ALL)
    assert columns(sentence) == [
        [0, 1, 2, 3, 4, 5, 6, 7],
        [0, 1, 2, 3, 4, 5, 6, 7],
        [0, 1, 2, 3, 4, 5, 6, 7],
        [0, 0, 0, 1, 1, 2, 3, 3],
        [1, -1, 1, -1, 3, -1, 7, -1],
    ]
    assert columns(paragraph) == [
        [0, 3, 5, 6],
        [2, 4, 5, 7],
        [1, 3, 5, 7],
        [0, 0, 1, 1],
        [-1, 0, -1, 2],
    ]
    assert columns(document) == [[0, 5], [4, 7], [1, 5], [0, 0], [-1, 0]]
    assert [stage.level for stage in (sentence, paragraph, document)] == [0, 1, 2]


def test_of_a_group_that_is_no_subtree_the_unit_nearest_to_the_root_is_head() -> None:
    """0 and 2 both depend on other sentences: 2 is nearer to the root, which is 3."""
    edus = edu_table([of_edus(EDUS)])
    heads = np.array([4, 0, 3, -1, 3, 3, 5, 6])
    first, second, _ = gold_stages(edus, heads, np.ones(8, int), ALL)
    assert first.governor.tolist() == [-1, 0, -1, -1, 3, -1, -1, 6]
    assert second.units.head.tolist() == [2, 3, 5, 6]
    assert second.governor.tolist() == [1, -1, -1, 2]


def test_what_is_attached_first() -> None:
    """0, 1 and 3, 4 depend on 2. From the inside out on each side; of 1 and 3, the one
    of lower rank, the left one if these are equal."""
    edus = edu_table([of_edus(["a", "b", "c", "d", "e"])])
    heads = np.array([2, 2, -1, 2, 2])

    def order(*ranks: int) -> list[int]:
        [stage] = gold_stages(edus, heads, np.array(ranks), ["document"])
        assert stage.order is not None
        return stage.order.tolist()

    assert order(4, 2, 1, 1, 3) == [3, 1, 0, 0, 2]
    assert order(2, 1, 1, 3, 4) == [1, 0, 0, 2, 3]
    assert order(2, 1, 1, 1, 2) == [2, 0, 0, 1, 3]
    assert order(1, 4, 1, 3, 2) == [3, 2, 0, 0, 1]  # 0 has to wait for 1


def test_dependents_of_other_edus_are_attached_by_distance() -> None:
    """Three sentences; the first and the last depend on EDUs of the second."""
    edus = edu_table([of_edus(["A", "b.", "C", "d", "e.", "F."])])
    heads = np.array([1, 3, 3, -1, 3, 2])
    stages = list(
        gold_stages(edus, heads, np.array([1, 2, 1, 1, 1, 1]), ["sentence", "document"])
    )
    assert stages[1].units.head.tolist() == [1, 3, 5]
    assert stages[1].governor.tolist() == [1, -1, 1]
    assert stages[1].order is not None
    # Both are next to it: the right one first, as the left one is not nearer.
    assert stages[1].order.tolist() == [1, 0, 0]


def test_nodes_are_what_is_joined_in_turn() -> None:
    """(0 (1 2)) 3 with 1 as head of all: 2 first, then 0, then 3."""
    each = np.arange(4)
    units = grouped(each * 0, each, each, each)
    stage = Stage(0, units, np.array([1, -1, 1, 1]), np.array([1, 0, 0, 2]))
    nodes = stage.nodes
    rows = zip(
        *(nodes.first, nodes.split, nodes.last, nodes.governor, nodes.dependent),
        strict=True,
    )
    assert [tuple(map(int, row)) for row in rows] == [
        (1, 1, 2, 1, 2),
        (0, 0, 2, 1, 0),
        (0, 2, 3, 1, 3),
    ]
    governor, dependent = stage.arcs
    assert (governor.tolist(), dependent.tolist()) == ([1, 1, 1], [0, 2, 3])


def test_what_crosses_is_no_node() -> None:
    """2 depends on 0 past 1, which depends on 3: only 1 and 3 are joined late."""
    each = np.arange(4)
    units = grouped(each * 0, each, each, each)
    stage = Stage(0, units, np.array([-1, 3, 0, 0]), np.array([0, 0, 0, 1]))
    assert stage.nodes.dependent.tolist() == []


def first_is_head(units: Units, level: int) -> tuple[Ints, Ints | None]:
    """Each unit depends on the one before it in its group."""
    each = np.arange(len(units))
    return np.where(units.place == 0, -1, each - 1), None


@given(
    st.integers(1, 2 * LARGEST_GROUP + 5)
    | st.integers(LARGEST_GROUP - 2, LARGEST_GROUP + 2)
)
def test_large_groups_are_parsed_in_blocks(count: int) -> None:
    """Of nearly equal size; then the blocks' heads."""
    edus = edu_table([of_edus([f"w{at}" for at in range(count)])])
    stages = list(parsed_stages(edus, ["document"], first_is_head))
    blocks = -(-count // LARGEST_GROUP)
    assert len(stages) == (1 if blocks == 1 else 2)
    sizes = stages[0].units.sizes.tolist()
    assert len(sizes) == blocks
    assert max(sizes) - min(sizes) <= 1
    assert stages[-1].units.group.max() == 0
    starts = stages[0].units.starts.tolist()
    assert stages[-1].units.head.tolist() == (
        starts if blocks > 1 else list(range(count))
    )
    heads = np.full(count, -1)
    for stage in stages:
        governor, dependent = stage.arcs
        heads[stage.units.head[dependent]] = stage.units.head[governor]
    assert np.count_nonzero(heads < 0) == 1


def test_groups_of_each_stage_are_put_together() -> None:
    edus = edu_table([of_edus(EDUS), of_edus(["X", "y."])])
    stages = list(parsed_stages(edus, ALL, first_is_head))
    assert [stage.units.group.tolist() for stage in stages] == [
        [0, 0, 0, 1, 1, 2, 3, 3, 4, 4],
        [0, 0, 1, 1, 2],
        [0, 0, 1],
    ]
    assert stages[2].units.first.tolist() == [0, 5, 8]
    assert stages[2].units.last.tolist() == [4, 7, 9]
