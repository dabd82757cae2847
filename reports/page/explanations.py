"""What constructions are, in the words of their inventory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import patterns
from analyzer.constructions.inventory import SIMPLE_CASE, Inventory, Pattern
from analyzer.derivation.deriver import Deriver
from analyzer.formats.registry import Family
from reports.page.model import Explanation

_LINKS = "rst.links"


def explanations(names: Iterable[str], deriver: Deriver) -> dict[str, Explanation]:
    """Those of the constructions that anything is said of, in this order.

    They are the comments above the patterns (`patterns/*.pat`), and the first
    production that a pattern must match; of links between discourse units, what
    stands in `patterns/rst.links`.
    """
    explain = _of_syntax if deriver.family is Family.SYNTAX else _of_discourse
    return {name: found for name, found in explain(names, deriver.inventory) if found}


def _of_syntax(
    names: Iterable[str], inventory: Inventory
) -> Iterator[tuple[str, Explanation | None]]:
    known = {pattern.name: pattern for pattern in inventory.patterns}
    for name in names:
        if name in known:
            yield name, _explained(known[name])
        elif name.rpartition("-")[2] == SIMPLE_CASE:
            yield name, Explanation("a phrase that no pattern of the inventory matches")


def _of_discourse(
    names: Iterable[str], inventory: Inventory
) -> Iterator[tuple[str, Explanation | None]]:
    """Names are a relation and the shape of a unit, or how it is linked."""
    shapes = {
        pattern.name.rpartition("-")[2]: pattern for pattern in inventory.patterns
    }
    links = _links()
    for name in names:
        relation, _, ending = name.rpartition("-")
        if pattern := shapes.get(ending):
            text = _explained(pattern).text
            yield name, Explanation(f"{text} (relation: {relation})")
        elif ending in links:
            after = f" (relation: {relation})" if relation else ""
            yield name, Explanation(links[ending] + after)


def _explained(pattern: Pattern) -> Explanation:
    example = next(
        (
            f"{one.parent} → {' '.join(one.children)}"
            for one in pattern.examples
            if one.is_positive and one.parent == pattern.nonterminal
        ),
        "",
    )
    return Explanation(pattern.comment, example)


def _links() -> Mapping[str, str]:
    """Lines 'name: text'; what stands after # is a comment."""
    lines = (patterns.text(_LINKS) or "").splitlines()
    split = (line.partition(":") for line in lines if not line.startswith("#"))
    return {name.strip(): text.strip() for name, _, text in split if text}
