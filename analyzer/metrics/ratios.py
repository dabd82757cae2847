"""Ratios from counts, with one policy for what is undefined.

A ratio without a denominator is None: printed as '-', null in JSON. It is not
zero, and not one.
"""

from __future__ import annotations

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

    def plus(self, other: MatchCounts) -> MatchCounts:
        return MatchCounts._make(map(add, self, other))
