"""Cohen's kappa: agreement corrected for chance.

kappa = (observed - expected) / (1 - expected); undefined if nothing is matched or
agreement is certain (one category). Cohen (1960).
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from analyzer.metrics.ratios import ratio

CategoryPairs = Counter[tuple[str | int, str | int]]  # how often each pair was chosen


class Kappa(NamedTuple):
    """Cohen's kappa and what it is made of; None where undefined."""

    n: int
    observed: float | None
    expected: float | None
    kappa: float | None


def cohen(pairs: CategoryPairs) -> Kappa:
    """Chance-corrected agreement over pairs of categories.

    >>> cohen(Counter({("a", "a"): 20, ("a", "b"): 5, ("b", "a"): 10, ("b", "b"): 15}))
    Kappa(n=50, observed=0.7, expected=0.5, kappa=0.4)
    >>> cohen(Counter({("a", "a"): 3})).kappa is None
    True
    """
    left: Counter[str | int] = Counter()
    right: Counter[str | int] = Counter()
    for (one, other), count in pairs.items():
        left[one] += count
        right[other] += count
    same = sum(count for (one, other), count in pairs.items() if one == other)
    chance = sum(count * right[category] for category, count in left.items())
    return kappa_of(sum(pairs.values()), same, chance)


def kappa_of(n: int, same: int, chance: int) -> Kappa:
    """Kappa of `n` choices, `same` of them alike; by chance, chance / n² would be.

    In whole numbers, so that full agreement is 1 and sides can be exchanged.
    """
    return Kappa(
        n,
        ratio(same, n),
        ratio(chance, n * n),
        ratio(same * n - chance, n * n - chance),
    )
