"""What two analyses of a document do not share: units, or dependencies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from analyzer.exceptions import PairingError
from analyzer.formats.rst.building import spans_of
from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import Unit

UNIT_METRICS = ("S", "N", "R", "F")


def check_same_edus(one: Unit, other: Unit) -> None:
    """PairingError if the documents do not have as many EDUs."""
    sizes = [sum(unit.is_edu for unit in root.walk()) for root in (one, other)]
    if sizes[0] != sizes[1]:
        raise PairingError(
            f"the documents have {sizes[0]} and {sizes[1]} EDUs; "
            "only the same EDUs can be compared"
        )


def differing_units(
    one: Unit, other: Unit, metric: str = "F"
) -> tuple[list[int], list[int]]:
    """Units of each tree that the other lacks, as places in the walk.

    As RST-Parseval counts them: span alone (S), with nuclearity (N), with relation (R),
    with both (F).
    """
    keys = [_unit_keys(root, metric) for root in (one, other)]
    return _unmatched(keys[0], keys[1]), _unmatched(keys[1], keys[0])


def differing_arcs(
    one: DependencyTree, other: DependencyTree, metric: str = "F"
) -> tuple[list[int], list[int]]:
    """EDUs, from 1, whose attachment differs: head (S), with nuclearity, relation,
    both: UAS, LAS-N, LAS-R, LAS-F."""
    keys = [_arc_keys(tree, metric) for tree in (one, other)]
    differing = [
        edu
        for edu, (mine, theirs) in enumerate(zip(*keys, strict=True), start=1)
        if mine != theirs
    ]
    return differing, list(differing)


def _unit_keys(root: Unit, metric: str) -> list[Hashable]:
    spans = spans_of(root)
    return [
        (
            spans[id(unit)],
            unit.nuclearity if metric in "NF" else "",
            unit.relation if metric in "RF" else "",
        )
        for unit in root.walk()
    ]


def _arc_keys(tree: DependencyTree, metric: str) -> list[Hashable]:
    nuclearities = tree.nuclearities or [""] * len(tree)
    return [
        (
            head,
            nuclearity if metric in "NF" else "",
            relation if metric in "RF" else "",
        )
        for head, nuclearity, relation in zip(
            tree.heads, nuclearities, tree.relations, strict=True
        )
    ]


def _unmatched(mine: Sequence[Hashable], theirs: Sequence[Hashable]) -> list[int]:
    left = Counter(theirs)
    unmatched = []
    for place, key in enumerate(mine):
        if left[key]:
            left[key] -= 1
        else:
            unmatched.append(place)
    return unmatched
