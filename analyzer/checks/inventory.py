"""Is an inventory any good? Well-formedness, overlap and coverage on a treebank.

Each finding has a code:

    P101  an example in the inventory does not hold
    P102  a head may be of the node's own nonterminal, or not: recursive or not?
    P103  a name's nonterminal is no label of the Penn Treebank or of the data
    P201  two patterns match the same production
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from analyzer.constructions.inventory import Inventory
from analyzer.constructions.labeller import Labeller, Production
from analyzer.derivation.deriver import Deriver, derive_alone
from analyzer.exceptions import Place
from analyzer.model.treebank import Treebank


class Finding(NamedTuple):
    code: str
    place: str
    message: str


class Seen(NamedTuple):
    """A production in a treebank: how often, and where first."""

    production: Production
    times: int
    place: str  # file and line
    example: str


@dataclass
class Usage:
    """What an inventory does with a treebank."""

    constructions: Counter[str] = field(default_factory=Counter)  # covered ones
    productions: Counter[int] = field(default_factory=Counter)
    first_seen: dict[int, tuple[str, str]] = field(default_factory=dict)
    uncovered: int = 0

    @property
    def brackets(self) -> int:
        return sum(self.constructions.values()) + self.uncovered


def usage_of(banks: Iterable[Treebank], deriver: Deriver) -> Usage:
    """Count constructions and productions over a treebank."""
    usage = Usage()
    for bank in banks:
        derivation = derive_alone(bank, deriver)
        numbers, first, counts = np.unique(
            derivation.production, return_index=True, return_counts=True
        )
        trees = np.searchsorted(derivation.starts, first, side="right") - 1
        for number, row, count, tree in zip(
            numbers.tolist(),
            derivation.row[first].tolist(),
            counts.tolist(),
            trees.tolist(),
            strict=True,
        ):
            usage.productions[number] += count
            if number not in usage.first_seen:
                example = bank[tree].brackets([row])
                place = Place(bank.source, int(bank.line[tree]))
                usage.first_seen[number] = (str(place), example)
        used = np.bincount(derivation.construction[derivation.is_covered])
        for number in np.flatnonzero(used).tolist():
            usage.constructions[deriver.constructions[number]] += int(used[number])
        usage.uncovered += int(np.count_nonzero(~derivation.is_covered))
    return usage


def seen(usage: Usage, labeller: Labeller, *, covered: bool) -> list[Seen]:
    """Productions that are covered or not, most frequent first."""
    chosen = [
        Seen(labeller.productions[number], count, *usage.first_seen[number])
        for number, count in usage.productions.items()
        if bool(labeller.productions[number].matches) == covered
    ]
    return sorted(chosen, key=lambda one: (-one.times, str(one.production)))


def check_inventory(
    inventory: Inventory, labels: Iterable[str] = ()
) -> Iterator[Finding]:
    """What can be said of the inventory alone; `labels` are phrase labels in use."""
    known = {*inventory.labels.phrase, *labels}
    for pattern, example in inventory.failed_examples():
        wanted = "match" if example.is_positive else "not match"
        production = f"{example.parent} -> {' '.join(example.children)}"
        yield Finding(
            "P101",
            f"{inventory.source}:{example.line}",
            f"{pattern.name} should {wanted} {production}",
        )
    for pattern in inventory.patterns:
        place = f"{inventory.source}:{pattern.line}"
        if pattern.is_mixed(inventory.labels):
            yield Finding(
                "P102",
                place,
                f"the head of {pattern.name} may be {pattern.nonterminal} or something "
                "else; split the pattern, or except one of them",
            )
        if pattern.nonterminal not in known:
            yield Finding(
                "P103",
                place,
                f"{pattern.name} is for {pattern.nonterminal}, which is no phrase "
                f"label of the {inventory.labels.title} or of the data",
            )


def labels_of(usage: Usage, labeller: Labeller) -> set[str]:
    """The phrase labels of a treebank."""
    return {labeller.productions[number].parent for number in usage.productions}


def check_overlap(usage: Usage, labeller: Labeller) -> Iterator[Finding]:
    """Productions of a treebank that two patterns match."""
    for one in seen(usage, labeller, covered=True):
        if len(one.production.matches) > 1:
            yield Finding(
                "P201",
                one.place,
                f"{one.production} is matched by {' and '.join(one.production.matches)}"
                f" ({one.times:,} times): {one.example}",
            )
