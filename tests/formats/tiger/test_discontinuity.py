"""Crossing branches are raised until every constituent is a run of words."""

from __future__ import annotations

from hypothesis import given

from analyzer.formats.crossing import NO_PARENT, continuous
from tests.support.crossing_trees import (
    Crossing,
    above,
    crossing_trees,
    is_run,
    parents_of,
    yields,
)


@given(crossing_trees())
def test_every_constituent_becomes_a_run_of_words(tree: Crossing) -> None:
    found = continuous(*tree)
    parents = parents_of(found.children, len(tree.parents))
    after = yields(parents, tree.words)
    assert all(is_run(words) for words in after)
    had_words = [bool(words) for words in yields(tree.parents, tree.words)]
    assert [bool(words) for words in after] == had_words
    for children in found.children:
        assert [min(after[child]) for child in children] == sorted(
            min(after[child]) for child in children
        )


@given(crossing_trees())
def test_continuous_trees_stay_what_they_are(tree: Crossing) -> None:
    children = continuous(*tree).children
    parents = parents_of(children, len(tree.parents))
    # Phrases without words fell out: they hang nowhere, so hang them somewhere.
    root = len(parents) - 1
    parents[:-1] = [root if parent == NO_PARENT else parent for parent in parents[:-1]]
    again = continuous(parents, tree.words, tree.heads)
    assert again.children == children
    assert not again.was_raised
    assert not again.was_lowered


@given(crossing_trees())
def test_something_moves_only_where_branches_cross(tree: Crossing) -> None:
    found = continuous(*tree)
    crossed = not all(is_run(words) for words in yields(tree.parents, tree.words))
    assert (found.was_raised or found.was_lowered) == crossed


@given(crossing_trees())
def test_children_are_raised_no_higher_than_they_must(tree: Crossing) -> None:
    """Between the old parent and the new one, nobody touches the child's words."""
    root = len(tree.parents) - 1
    found = continuous(*tree)
    parents = parents_of(found.children, len(tree.parents))
    after = yields(parents, tree.words)
    for node, parent in enumerate(parents):
        hung_under_root = node < tree.words and tree.parents[node] == root
        if parent == NO_PARENT or hung_under_root:
            continue
        path = above(tree.parents, node)
        assert parent in path
        for passed in path[: path.index(parent)]:
            touching = {min(after[node]) - 1, max(after[node]) + 1}
            assert not touching & after[passed]


def test_the_block_with_the_head_stays() -> None:
    # 0 1 | 3 under a phrase (4), 2 under another (5), both under the root (6).
    parents = [4, 4, 5, 4, 6, 6, NO_PARENT]
    assert continuous(parents, 4).children[4] == [0, 1]  # the largest
    assert continuous(parents, 4, heads={3}).children[4] == [3]
    assert continuous(parents, 4, heads={3}).children[6] == [0, 1, 5, 4]


def test_of_equal_blocks_the_leftmost_stays() -> None:
    assert continuous([3, 4, 3, 5, 5, NO_PARENT], 3).children[3] == [0]


def test_words_under_the_root_go_down_between_their_neighbours() -> None:
    # 0 , 2 . with the phrase (4) over 0 and 2, and both marks under the root (5).
    found = continuous([4, 5, 4, 5, 5, NO_PARENT], 4)
    assert found.children[4:] == [[0, 1, 2], [4, 3]]
    assert found.was_lowered
    assert not found.was_raised
