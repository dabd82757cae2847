"""How well scores agree with people: Kendall's tau as WMT counts it, and others.

A comparison is two translations of a segment that a person ranked. tau is the sum of
its coefficients over the number of comparisons that count; the ways differ in what a
tie does. `<`: the first is better; X: the comparison does not count.

    human   metric:  WMT12      WMT13      WMT14      xties
                     < = >      < = >      < = >      < = >
      <              1 −1 −1    1 X −1     1 0 −1     1 0 −1
      =              X X X      X X X      X X X      0 1 0
      >             −1 −1 1    −1 X 1     −1 0 1     −1 0 1

WMT16 calls WMT14's way `noties` and xties `hties`; WMT20's Kendall-like tau is WMT12's
again, on differences of human scores. WMT10 and WMT11 counted as WMT14 does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.exceptions import SettingsError
from analyzer.model.arrays import Floats

Signs = npt.NDArray[np.int64]

_X = np.nan
# Rows: human <, =, >; columns: metric <, =, >.
_COEFFICIENTS: dict[str, Floats] = {
    "wmt12": np.array([[1, -1, -1], [_X, _X, _X], [-1, -1, 1]], np.float64),
    "wmt13": np.array([[1, _X, -1], [_X, _X, _X], [-1, _X, 1]], np.float64),
    "wmt14": np.array([[1, 0, -1], [_X, _X, _X], [-1, 0, 1]], np.float64),
    "xties": np.array([[1, 0, -1], [0, 1, 0], [-1, 0, 1]], np.float64),
}
VARIANTS = tuple(_COEFFICIENTS)
OTHER_NAMES = {
    "wmt10": "wmt14",
    "wmt11": "wmt14",
    "wmt16": "wmt14",
    "noties": "wmt14",
    "hties": "xties",
    "kendall-like": "wmt12",
    "wmt20": "wmt12",
}


class Tau(NamedTuple):
    """tau as its two sums."""

    numerator: float
    denominator: float

    @property
    def value(self) -> float | None:
        """tau; None if no comparison counts."""
        return self.numerator / self.denominator if self.denominator else None


def variant_name(name: str) -> str:
    """The name under which a way of counting stands in the table above."""
    chosen = OTHER_NAMES.get(name.lower(), name.lower())
    if chosen not in _COEFFICIENTS:
        known = ", ".join([*VARIANTS, *OTHER_NAMES])
        raise SettingsError(
            "no Kendall's tau {name!r}; there are {known}",
            code="E903",
            name=name,
            known=known,
        )
    return chosen


def coefficients(human: Signs, metric: Signs, variant: str) -> Floats:
    """The coefficient of each comparison, NaN where it does not count.

    Signs: -1 the first is better, 0 a tie, 1 the second is better.
    """
    return np.asarray(_COEFFICIENTS[variant_name(variant)][human + 1, metric + 1])


def tau(human: Signs, metric: Signs, variant: str = "wmt14") -> Tau:
    """Kendall's tau over comparisons.

    >>> human, metric = np.array([-1, -1, -1, 0, 0, 1]), np.array([-1, 1, 0, -1, 0, 1])
    >>> [tau(human, metric, way) for way in ("wmt12", "wmt13", "wmt14")]
    [Tau(numerator=0.0, denominator=4), Tau(numerator=1.0, denominator=3), \
Tau(numerator=1.0, denominator=4)]
    """
    found = coefficients(human, metric, variant)
    counts = ~np.isnan(found)
    return Tau(float(found[counts].sum()), int(counts.sum()))


def better_signs(first: Floats, second: Floats) -> Signs:
    """-1 where the first score is higher, 0 where they are equal, 1 otherwise."""
    return np.asarray(np.sign(second - first), np.int64)


def pearson(x: Floats, y: Floats) -> float | None:
    """Pearson's r; None for fewer than two points or a constant.

    >>> pearson(np.array([1.0, 2, 3]), np.array([2.0, 4, 6]))
    1.0
    """
    if x.size < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    a, b = x - x.mean(), y - y.mean()
    r = float((a @ b) / np.sqrt((a @ a) * (b @ b)))
    return min(1.0, max(-1.0, r))


def spearman(x: Floats, y: Floats) -> float | None:
    """Spearman's rho: Pearson's r of the ranks, equal values sharing their mean rank.

    >>> spearman(np.array([1.0, 5, 9]), np.array([10.0, 30, 20]))
    0.5
    """
    return pearson(ranks(x), ranks(y))


def ranks(values: Floats) -> Floats:
    """Ranks from 1, ties with the mean of theirs.

    >>> ranks(np.array([3.0, 1, 3])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[which.ravel()], np.float64)


def expected_wins(wins: Floats) -> Floats:
    """How likely each system beats another one; `wins[i, j]`: i ranked above j.

    The mean over opponents j of win_ij / (win_ij + win_ji); ties do not count, nor
    opponents that a system was never ranked against. NaN without opponents.

    >>> expected_wins(np.array([[0.0, 3], [1, 0]])).tolist()
    [0.75, 0.25]
    """
    met = wins + wins.T
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(met > 0, wins / met, 0.0)
        return np.asarray(share.sum(axis=1) / (met > 0).sum(axis=1), np.float64)
