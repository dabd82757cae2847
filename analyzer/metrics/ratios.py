"""Ratios from counts, with one policy for what is undefined.

A ratio without a denominator is None: printed as '-', null in JSON. It is not
zero, and not one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from operator import add
from typing import NamedTuple


def ratio(part: float, whole: float) -> float | None:
    """part / whole, None if there is nothing to divide by.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, None)
    """
    return part / whole if whole else None


def f_score(matched: float, gold: float, parsed: float) -> float | None:
    """The harmonic mean of recall and precision: 2 matched / (gold + parsed).

    None where there is neither gold nor parsed.

    >>> f_score(3, 4, 4), f_score(0, 0, 0), f_score(0, 4, 0)
    (0.75, None, 0.0)
    """
    return ratio(2 * matched, gold + parsed)


def error_reduction(
    baseline: float | None, score: float | None, best: float | None
) -> float | None:
    """How much of the distance from a baseline to the best possible a score makes good.

    None if one of them is not known, or the baseline is no worse than the best.

    >>> round(error_reduction(0.562, 0.576, 0.647), 3)
    0.165
    """
    if baseline is None or score is None or best is None or best <= baseline:
        return None
    return (score - baseline) / (best - baseline)


def harmonic(precision: float | None, recall: float | None) -> float | None:
    """The harmonic mean of two ratios, computed from them and not from counts.

    For programs whose numbers have to be met to the last digit. 0 where both are 0.

    >>> harmonic(0.5, 1.0), harmonic(0.0, 0.0), harmonic(None, 1.0)
    (0.6666666666666666, 0.0, None)
    """
    if precision is None or recall is None:
        return None
    if precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


# The fields of rows that have counts and their scores; see `MatchCounts.scored`.
SCORED = ("matched", "gold", "predicted", "precision", "recall", "f1")


class MatchCounts(NamedTuple):
    """Things that both sides have, that gold has, that parsed has.

    >>> counts = MatchCounts(matched=3, gold=4, parsed=6)
    >>> counts.precision, counts.recall, counts.f1
    (0.5, 0.75, 0.6)
    """

    matched: int = 0
    gold: int = 0
    parsed: int = 0

    @property
    def precision(self) -> float | None:
        return ratio(self.matched, self.parsed)

    @property
    def recall(self) -> float | None:
        return ratio(self.matched, self.gold)

    @property
    def f1(self) -> float | None:
        return f_score(self.matched, self.gold, self.parsed)

    @property
    def scored(self) -> tuple[int, int, int, float | None, float | None, float | None]:
        """The counts, then precision, recall and F1: as the fields of rows follow."""
        return *self, self.precision, self.recall, self.f1

    def plus(self, other: MatchCounts) -> MatchCounts:
        return MatchCounts._make(map(add, self, other))


# -- kappa: agreement corrected for chance ---------------------------------------------
#
# kappa = (observed - expected) / (1 - expected); undefined if nothing is matched or
# agreement is certain (one category). Cohen (1960).

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
    for (first, second), count in pairs.items():
        left[first] += count
        right[second] += count
    same = sum(count for (first, second), count in pairs.items() if first == second)
    chance = sum(count * right[category] for category, count in left.items())
    return kappa_of(sum(pairs.values()), same, chance)


def krippendorff(pairs: Iterable[CategoryPairs], annotators: int = 2) -> float | None:
    """Krippendorff's alpha for nominal categories, from all pairs of annotators.

    alpha = 1 - (n - 1) * sum of o[c, k] / sum of n[c] * n[k], both over c != k, where
    o[c, k] counts the values c and k that two annotators gave the same thing, in both
    orders, divided by the number of annotators less one, and n[c] is how often c is
    among them: where all judge all things, how often it was chosen. Krippendorff
    (2011); None if only one category was ever chosen.

    >>> krippendorff([Counter({("a", "a"): 3, ("b", "b"): 3})])
    1.0
    >>> round(krippendorff([Counter({("a", "a"): 5, ("a", "b"): 1})]), 3)
    0.0
    """
    values: Counter[str | int] = Counter()
    different = total = 0
    for counts in pairs:
        for (left, right), count in counts.items():
            values[left] += count
            values[right] += count
            total += 2 * count
            different += 2 * count * (left != right)
    by_chance = total * total - sum(count * count for count in values.values())
    if not by_chance:
        return None
    size = total / (annotators - 1)
    return 1 - (size - 1) * different * (annotators - 1) / by_chance


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
