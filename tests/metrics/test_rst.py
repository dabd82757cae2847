"""The metrics of discourse against plain walks over units, on random trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.derivation.units import dependencies, unit_columns
from analyzer.exceptions import AnalyzerError, PairingError
from analyzer.metrics.rst import (
    CONSTITUENT_METRICS,
    DEPENDENCY_METRICS,
    Constituents,
    RstSettings,
    attachment_decisions,
    check_same_edus,
    count_matches,
    dependency_key,
    differing_arcs,
    differing_units,
    encode,
    rst_parseval,
)
from analyzer.model.discourse import Documents, Unit
from analyzer.transform.head_order import dependency_tree
from tests.support.rst_strategies import discourse_trees, tree_of


class Item(NamedTuple):
    span: tuple[int, int]
    nuclearity: str
    relation: str
    head: int

    def key(self, metric: str) -> tuple[object, ...]:
        name, _, with_head = metric.partition("+")
        return (
            self.span,
            self.nuclearity if name in ("N", "F") else None,
            self.relation if name in ("R", "F") else None,
            self.head if with_head else None,
        )


class Place(NamedTuple):
    """A unit in its tree: EDUs are counted from 1."""

    unit: Unit
    parent: Place | None
    first: int
    last: int
    head: int


def head_of(unit: Unit, first: int) -> int:
    """The head of the leftmost nucleus, where the unit's first EDU has this number."""
    if unit.is_edu:
        return first
    for child in unit.children:
        if child.nuclearity == "N":
            return head_of(child, first)
        first += len(edus(child))
    raise AssertionError("no nucleus")


def edus(unit: Unit) -> list[Unit]:
    return [one for one in unit.walk() if one.is_edu]


def places(unit: Unit, parent: Place | None = None, first: int = 1) -> Iterator[Place]:
    last = first + len(edus(unit)) - 1
    place = Place(unit, parent, first, last, head_of(unit, first))
    yield place
    for child in unit.children:
        yield from places(child, place, first)
        first += len(edus(child))


def parseval(root: Unit) -> list[Item]:
    return [
        Item((p.first, p.last), p.unit.nuclearity, p.unit.relation, p.head)
        for p in places(root)
        if p.parent is not None
    ]


def decisions(root: Unit) -> list[Item]:
    """Of nuclei, the left one's relation; else that of the satellite."""
    items = []
    for place in places(root):
        if place.unit.is_edu:
            continue
        left, right = place.unit.children
        decider = right if right.nuclearity == "S" else left
        pattern = left.nuclearity + right.nuclearity
        items.append(
            Item((place.first, place.last), pattern, decider.relation, place.head)
        )
    return items


def arcs(root: Unit) -> dict[int, tuple[object, ...]]:
    """Of each EDU: its governor, nuclearity, relation, and the order of attachment."""
    top: dict[int, Place] = {}
    for place in places(root):
        top.setdefault(place.head, place)  # parents come first
    found: dict[int, tuple[object, ...]] = {}
    for edu, place in top.items():
        if place.parent is None:
            found[edu] = (None, "N", "ROOT", 1)
            continue
        governor = place.parent.head
        spine = [p.unit for p in places(root) if p.head == governor and p.unit.children]
        rank = len(spine) - next(
            at for at, unit in enumerate(spine) if unit is place.parent.unit
        )
        found[edu] = (governor, place.unit.nuclearity, place.unit.relation, rank)
    return found


ARC_FIELDS = {
    "UAS": (0,),
    "LAS-N": (0, 1),
    "LAS-R": (0, 2),
    "LAS-F": (0, 1, 2),
    "OUAS": (0, 3),
    "LAS-F+order": (0, 1, 2, 3),
    "LA": (2,),
}


@st.composite
def tree_pairs(draw: st.DrawFn, binary: bool = False) -> tuple[Unit, Unit]:
    """Two analyses of one text; nuclei side by side may have different relations."""
    gold = draw(discourse_trees(least=2, binary=binary, proper=False))
    size = len(edus(gold))
    other = draw(discourse_trees(least=size, edus=size, binary=binary, proper=False))
    return gold, other


def matched(one: Constituents, other: Constituents, metric: str) -> tuple[int, ...]:
    keys = one.key(metric), other.key(metric)
    return count_matches(*keys, one.document, other.document, 1).micro


def expected(one: list[Item], other: list[Item], metric: str) -> tuple[int, ...]:
    keys = [Counter(item.key(metric) for item in side) for side in (one, other)]
    return (keys[0] & keys[1]).total(), len(one), len(other)


@given(tree_pairs())
def test_parseval_is_every_unit_but_the_root(pair: tuple[Unit, Unit]) -> None:
    sides = [unit_columns(Documents.of_units([("d", root)])) for root in pair]
    for metric in CONSTITUENT_METRICS:
        found = matched(*map(rst_parseval, sides), metric)
        assert found == expected(parseval(pair[0]), parseval(pair[1]), metric)
    rooted = [rst_parseval(side, with_root=True) for side in sides]
    found, without = matched(*rooted, "S"), matched(*map(rst_parseval, sides), "S")
    assert found == tuple(count + 1 for count in without)


@given(tree_pairs(binary=True))
def test_decisions_have_the_relation_of_the_satellite_or_the_left_nucleus(
    pair: tuple[Unit, Unit],
) -> None:
    sides = [unit_columns(Documents.of_units([("d", root)])) for root in pair]
    for metric in CONSTITUENT_METRICS:
        found = matched(*map(attachment_decisions, sides), metric)
        assert found == expected(decisions(pair[0]), decisions(pair[1]), metric)


def test_decisions_by_hand() -> None:
    """contrast and list stand side by side; the left one is the decision's."""
    root = tree_of("[N:span[N:contrast N:list] S:cause]")
    found = attachment_decisions(unit_columns(Documents.of_units([("d", root)])))
    gold = tree_of("[N:span[N:contrast N:contrast] S:cause]")
    same = attachment_decisions(unit_columns(Documents.of_units([("d", gold)])))
    assert matched(found, same, "F+H") == (2, 2, 2)
    wide = unit_columns(Documents.of_units([("d", tree_of("[N:list N:list N:list]"))]))
    with pytest.raises(AnalyzerError, match="binary"):
        attachment_decisions(wide)


@given(tree_pairs())
def test_arcs_are_the_attachments_of_edus(pair: tuple[Unit, Unit]) -> None:
    sides = [dependencies(unit_columns(Documents.of_units([("d", t)]))) for t in pair]
    one, other = map(arcs, pair)
    assert {*DEPENDENCY_METRICS} < {*ARC_FIELDS}
    for metric, fields in ARC_FIELDS.items():
        keys = [dependency_key(side, metric) for side in sides]
        documents = [side.document for side in sides]
        found = count_matches(*keys, *documents, 1).micro
        same = [
            edu for edu in one if all(one[edu][at] == other[edu][at] for at in fields)
        ]
        assert found == (len(same), len(one), len(other))


@given(tree_pairs(), st.sampled_from("SNRF"))
def test_what_differs_is_what_is_not_matched(
    pair: tuple[Unit, Unit], metric: str
) -> None:
    """Units as RST-Parseval counts them, and arcs as UAS and LAS do."""
    matches, gold, parsed = expected(*map(parseval, pair), metric)
    mine, theirs = differing_units(*pair, metric)
    assert (gold - matches, parsed - matches) == (len(mine), len(theirs))
    walk = list(places(pair[0]))
    lacked = Counter(item.key(metric) for item in parseval(pair[1]))
    assert all(walk[at].parent is not None for at in mine)
    for at in set(range(1, len(walk))) - {*mine}:
        assert parseval(pair[0])[at - 1].key(metric) in lacked
    fields = ARC_FIELDS["UAS" if metric == "S" else f"LAS-{metric}"]
    one, other = map(arcs, pair)
    expected_arcs = [
        edu
        for edu in sorted(one)
        if any(one[edu][at] != other[edu][at] for at in fields)
    ]
    trees = [dependency_tree(root) for root in pair]
    assert differing_arcs(trees[0], trees[1], metric) == (expected_arcs, expected_arcs)


def test_trees_of_unequal_texts_are_not_compared() -> None:
    two, three = tree_of("[N:span S:cause]"), tree_of("[N:list N:list N:list]")
    check_same_edus(two, two)
    with pytest.raises(PairingError, match="2") as caught:
        check_same_edus(two, three)
    assert "3" in str(caught.value)


def cut(*texts: str) -> Unit:
    """A text cut into EDUs."""
    return Unit("R", "---", [Unit("N", "list", text=text) for text in texts])


def test_boundaries_of_edus_by_hand() -> None:
    """`ab|cd|ef` against `ab|cdef`: one boundary of two is found, and none is wrong.
    In the second text one of two is wrong, and one of two is missed."""
    gold = Documents.of_units(
        [("a", cut("ab", "cd", "ef")), ("b", cut("ab", "c", "d"))]
    )
    parsed = Documents.of_units([("a", cut("ab", "cdef")), ("b", cut("a", "bc", "d"))])
    counts = encode(gold, parsed, RstSettings(segmentation="offsets")).segmentation
    assert counts is not None
    assert counts.matched.tolist() == [1, 1]
    assert counts.gold.tolist() == [2, 2]
    assert counts.parsed.tolist() == [1, 2]
    assert counts.micro == (2, 4, 3)
