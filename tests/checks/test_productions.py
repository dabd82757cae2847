"""Phrases of very many children: what the search for a pattern that fits costs."""

from __future__ import annotations

import tracemalloc

import pytest

from analyzer import check
from analyzer.checks import rules
from analyzer.constructions.inventory import Inventory
from analyzer.constructions.language import load_inventory

INVENTORY = load_inventory("english")
COVERED = "(S (NP (NN a)) (VP (VB b)))\n(S (NP (NN a)) (VP (VB b)) (. .))\n"


def flat(words: int) -> str:
    """A sentence without phrases, which no pattern covers; two that are covered."""
    tags = ["NN", "XX", "VB"]
    leaves = " ".join(f"({tags[at % 3]} w)" for at in range(words))
    return f"(S {leaves})\n{COVERED}"


def peak(words: int) -> int:
    text = flat(words)
    tracemalloc.start()
    try:
        check(text, kind=["pattern"], patterns=INVENTORY)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_grows_with_the_children_not_with_their_square(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rules, "_MOST_TRIED", 100_000)
    assert peak(4_000) < 8 * peak(1_000)  # 4, were there nothing else; 16 as it was


def test_not_all_is_tried_and_the_finding_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at = 0
    real = Inventory.matches

    def counted(
        self: Inventory, parent: str, children: list[object], *marks: object
    ) -> object:
        nonlocal looked_at
        looked_at += len(children)
        return real(self, parent, children)  # type: ignore[arg-type]

    monkeypatch.setattr(rules, "_MOST_TRIED", 100_000)
    monkeypatch.setattr(Inventory, "matches", counted)
    few, many = (
        check(flat(words), kind=["pattern"], patterns=INVENTORY).findings[0]
        for words in (9, 2_000)
    )
    assert looked_at < 2 * 100_000
    assert few.message.endswith("relabel child 9, VB, as VP to fit S-vp")
    assert many.message.endswith(
        "no pattern is one child away, of those that were tried: it has too many "
        "children to try all"
    )
