"""CGELBank's published agreement, computed from what its grammar reads.

It is a tree edit distance over nodes, words and gaps among them (Zhang and Shasha): to
insert or delete a node costs 1, and each of category, function and word that differs
in two nodes that are aligned costs a quarter (`strict`: any costs 1). Precision and
recall are what is left of the nodes of a side after its costs, half of those of
aligned nodes; the published precision is what is deleted, and recall what is inserted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import pytest

from grammars import Node, nodes_of, reader
from tests.support.data_paths import SHARED, needs_shared_data

FOLDER = SHARED / "syntax_more" / "cgel"


class _Label(NamedTuple):
    category: str
    function: str
    word: str


class _Costs(NamedTuple):
    """Of the least cost those with the fewest insertions come first."""

    total: float = 0
    inserted: float = 0
    deleted: float = 0
    changed: float = 0

    def plus(self, *others: float) -> _Costs:
        return _Costs(*(a + b for a, b in zip(self, others, strict=True)))


class _Nodes(NamedTuple):
    """Those of a tree from its leaves up, and the first that each of them covers."""

    labels: list[_Label]
    first: list[int]


def _nodes(root: Node) -> _Nodes:
    found = _Nodes([], [])

    def add(node: Node) -> int:
        first = [add(child) for child in reversed(node.children)]
        found.first.append(first[0] if first else len(found.labels))
        word = node.tokens.get("QUOTED", "")
        found.labels.append(_Label(node.tokens["LABEL"], node.edge, word))
        return found.first[-1]

    add(root)
    return found


def _distance(
    gold: _Nodes, parsed: _Nodes, change: Callable[[_Label, _Label], float]
) -> _Costs:
    @cache
    def least(start: int, end: int, other_start: int, other_end: int) -> _Costs:
        """Between two forests: the nodes from a start up to an end."""
        if start == end or other_start == other_end:
            deleted, inserted = end - start, other_end - other_start
            return _Costs(deleted + inserted, inserted, deleted)
        last, other = end - 1, other_end - 1
        first, other_first = gold.first[last], parsed.first[other]
        cost = change(gold.labels[last], parsed.labels[other])
        return min(
            least(start, last, other_start, other_end).plus(1, 0, 1, 0),
            least(start, end, other_start, other).plus(1, 1, 0, 0),
            least(start, first, other_start, other_first)
            .plus(*least(first, last, other_first, other))
            .plus(cost, 0, 0, cost),
        )

    return least(0, len(gold.labels), 0, len(parsed.labels))


# By their column in what was published. Gaps that are aligned and whose antecedents are
# not cost as well, which is not computed here: in flex there are none, as is published;
# of the columns that ignore functions or categories, nobody says.
CONDITIONS: dict[int, Callable[[_Label, _Label], float]] = {
    1: lambda one, other: 0.25 * sum(a != b for a, b in zip(one, other, strict=True)),
    4: lambda one, other: float(one != other),
}


@pytest.mark.slow
@needs_shared_data
@pytest.mark.parametrize("version", ["novalidator", "validator"])
def test_two_annotators_agree_as_published(version: str) -> None:
    """Before and after validation, if nodes may differ in part (flex), and strictly."""
    files = [f"ewt-test_iaa50.{who}.{version}.cgel" for who in ("nschneid", "brettrey")]
    sides = [
        list(map(_nodes, nodes_of(reader("cgel"), (FOLDER / name).read_text("utf-8"))))
        for name in files
    ]
    gold, parsed = (sum(len(tree.labels) for tree in side) for side in sides)
    found: dict[str, list[str]] = {"microF": [], "microP": [], "microR": []}
    for change in CONDITIONS.values():
        costs = _Costs()
        for one, other in zip(*sides, strict=True):
            costs = costs.plus(*_distance(one, other, change))
        precision = 1 - (costs.deleted + costs.changed / 2) / parsed
        recall = 1 - (costs.inserted + costs.changed / 2) / gold
        f1 = 2 * precision * recall / (precision + recall)
        for name, value in zip(found, (f1, precision, recall), strict=True):
            found[name].append(f"{value:.1%}")
    published = (FOLDER / "iaa.out").read_text("utf-8")
    section = re.split(rf"{files[0]} \S+{files[1]}\n", published)[1]
    for name, values in found.items():
        (row,) = re.findall(rf"^{name} +(.*)", section.split("\n#")[0], re.MULTILINE)
        assert [row.split()[column] for column in CONDITIONS] == values, name
