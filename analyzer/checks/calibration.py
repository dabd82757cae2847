"""The chance that a candidate is an error, from its evidence.

A logistic function of the evidence for each code. Its weights were fitted on slips that
benchmarks/planting.py planted in GUM (one in nine trees, all nine kinds, anywhere and in
words that recur); errors that GUM had before count as none, so that the chance is rather
too low. How labels and tags that occur hardly ever, and mothers that children never
have, are weighed follows what annotators corrected between two releases of IcePaHC.
Both are in benchmarks/README.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

HOW = "logistic by code; GUM with planted slips, IcePaHC corrections"

# The code's weights: a constant, and one for each piece of evidence.
WEIGHTS: dict[str, tuple[float, ...]] = {
    # log of majority to this analysis, log of majority, context, whole, length
    "V301": (-2.0, 0.5, 0.0, 0.1, 1.0, 0.1),
    "V302": (-2.5, 0.5, 0.0, 0.1, 1.0, 0.1),
    "D401": (-3.0, 0.3, 0.0, 0.1, 0.5, 0.1),
    "T501": (-2.0, 0.5, 0.0, 0.1, 1.0, 0.1),
    "F701": (-2.5, 0.5, 0.0, 0.1, 1.0, 0.1),
    # margin, log of how often the word has the other tag, rarity of the tag
    "T502": (-4.0, 0.25, 0.1, 0.6),
    # margin, rarity of the label
    "M601": (-2.5, 0.15, 0.5),
    "M602": (-3.0, 0.2, 0.5),
    "M603": (-3.4, 0.3),
    # log of majority to this label, rarity of the label
    "M604": (-2.0, 0.5, 0.5),
    "F702": (-3.1, 0.2),
}
_MOST_MARGIN = 15.0
_BY_MARGIN = ("T502", "M601", "M602", "M603", "F702")


def log_odds(code: str, evidence: Sequence[float]) -> float:
    """The logarithm of the odds that a candidate is an error."""
    constant, *weights = WEIGHTS[code]
    given = list(evidence)
    if code in _BY_MARGIN:
        # Beyond, a margin says that something is odd, and no more that it is wrong.
        given[0] = min(given[0], _MOST_MARGIN)
    return constant + sum(w * x for w, x in zip(weights, given, strict=True))


def confidence(odds: float) -> float:
    """The chance that odds mean.

    >>> confidence(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-odds))
