"""Ratios from counts, with one policy for what is undefined.

A ratio without a denominator is None: printed as '-', null in JSON. It is not
zero, and not one.
"""

from __future__ import annotations


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
