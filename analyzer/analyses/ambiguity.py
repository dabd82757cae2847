"""How many constituent trees a dependency tree without order stands for.

A head with n dependents on its left and m on its right can take them in U(n, m) orders,
because those on one side come from the inside out: U(n, m) = U(n-1, m) + U(n, m-1),
U(n, 0) = U(0, m) = 1, so U(n, m) = (n+m)! / (n! m!) (2018, Proposition 4). The orders
of different heads are independent: their numbers multiply. With the order known, there
is one tree (Proposition 1).
"""

from __future__ import annotations

from math import comb, prod
from typing import NamedTuple

from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import NUCLEUS


class Ambiguity(NamedTuple):
    """What a d-tree without order leaves open."""

    edus: int
    spiders: int  # heads with dependents on both sides: where the ambiguity is
    binary: int  # binary c-trees: strict orders (Proposition 4)
    all: int  # c-trees, n-ary ones included: weak orders


def ambiguity(tree: DependencyTree) -> Ambiguity:
    """Count the orders of a d-tree, whether it has one or not.

    Of n-ary units, those that RST has are counted (Constraint 1): one nucleus and its
    satellites, or nuclei of one relation. Without nuclearities all are satellites.

    >>> figure_5 = DependencyTree([2, 0, 2], ["R1", "ROOT", "R2"])
    >>> ambiguity(figure_5)
    Ambiguity(edus=3, spiders=1, binary=2, all=3)
    """
    sides = _sides(tree)
    return Ambiguity(
        edus=len(tree),
        spiders=sum(bool(left and right) for left, right in sides),
        binary=prod(
            comb(len(lefts) + len(rights), len(lefts)) for lefts, rights in sides
        ),
        all=prod(_weak_orders(tree, left, right) for left, right in sides),
    )


def _sides(tree: DependencyTree) -> list[tuple[list[int], list[int]]]:
    """Of every head: its left and its right dependents, from the inside out."""
    return [
        (
            [edu for edu in reversed(dependents) if edu < head],
            [edu for edu in dependents if edu > head],
        )
        for head, dependents in enumerate(tree.dependents())
        if head and dependents
    ]


def _weak_orders(tree: DependencyTree, left: list[int], right: list[int]) -> int:
    """Ways to attach the dependents in groups.

    Counted item by item, the left ones of a group before its right ones: `on_left[j]`
    counts the ways to have attached the first i left and the first j right ones with
    a left one last, `on_right[j]` with a right one last.
    """

    def may_join(edu: int, inside: int | None) -> bool:
        """Whether it can be in one unit with the one attached just before it."""
        kinds = [_kind(tree, edu), _kind(tree, inside)]
        return kinds[0] == kinds[1]

    on_left, on_right = [0] * (len(right) + 1), [0] * (len(right) + 1)
    for i in range(len(left) + 1):
        now_left, now_right = [0] * (len(right) + 1), [0] * (len(right) + 1)
        for j in range(len(right) + 1):
            if i == j == 0:
                continue
            starts = int(i + j == 1)  # nothing is attached before the first one
            if i:
                # A new group after anything, or the same one after a left one.
                same = on_left[j] if i > 1 and may_join(left[i - 1], left[i - 2]) else 0
                now_left[j] = on_left[j] + on_right[j] + same + starts
            if j:
                before_left, before_right = now_left[j - 1], now_right[j - 1]
                now_right[j] = before_left + before_right + starts
                if j > 1 and may_join(right[j - 1], right[j - 2]):
                    now_right[j] += before_right
                if i and may_join(right[j - 1], left[i - 1]):
                    now_right[j] += before_left
        on_left, on_right = now_left, now_right
    return on_left[-1] + on_right[-1] if left or right else 1


def _kind(tree: DependencyTree, edu: int | None) -> str:
    """Dependents of the same kind can stand in one unit: all satellites, or nuclei of
    the same relation."""
    if edu is None or tree.nuclearities is None:
        return ""
    return tree.relations[edu - 1] if tree.nuclearities[edu - 1] == NUCLEUS else ""
