"""The chance that a candidate is an error, from its evidence.

A logistic function of the evidence for each code. Its weights were fitted on slips that
benchmarks/planting.py planted in GUM (one in nine trees, all nine kinds, anywhere and
in words that recur); errors that GUM had before count as none, so that the chance is
rather too low. How labels and tags that occur hardly ever, and mothers that children
never have, are weighed follows what annotators corrected between two releases of
IcePaHC. Both are in benchmarks/README.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

# The code's weights: a constant, and one for each piece of evidence.
WEIGHTS: dict[str, tuple[float, ...]] = {
    # log of majority to this analysis, log of majority, context, whole, length
    "V301": (-1.5, 0.9, -0.3, 0.12, 1.2, 0.2, 0.0),
    "V302": (-1.7, 0.9, -0.3, 0.1, 1.2, 0.15, 0.0),
    "D401": (-1.8, 0.4, 0.0, 0.03, 0.8, 0.0, 0.0),
    "T501": (-1.95, 1.1, -0.3, 0.1, 1.2, 0.0, 0.0),
    "F701": (-2.0, 0.8, -0.3, 0.06, 0.8, 0.1, 0.0),
    # margin, log of how often the word has the other tag, rarity of the tag
    "T502": (-4.25, 0.25, 0.22, 0.6, 0.0),
    # margin, rarity of the label
    "M601": (-3.5, 0.22, 0.4, 0.0),
    "M602": (-3.5, 0.28, 0.4, 0.0),
    "M603": (-4.0, 0.39, 0.0, 0.0),
    # log of majority to this label, what of it is beyond 1 in 250, rarity
    "M604": (-3.2, 0.3, 1.4, 0.6),
    "F702": (-4.1, 0.27, 0.0),
    # discourse: margin
    "R603": (-2.5, 0.6),
    "R604": (-3.0, 0.5),
    "R605": (-3.0, 0.4),
}
# Beyond, evidence says that something is odd, and no more that it is wrong.
_MOST_MARGIN = {"T502": 15.0, "M601": 15.0, "M602": 14.0, "M603": 12.0, "F702": 15.0}
_MOST_ODDS = {"V301": 0.95, "V302": 0.95, "D401": 0.1, "T501": 0.95, "F701": 0.5}


_WHOLE, _WHOLE_ODDS = 3, 0.1  # where the evidence says that; a warning


def log_odds(code: str, evidence: Sequence[float]) -> float:
    """The logarithm of the odds that a candidate is an error."""
    constant, *weights = WEIGHTS[code]
    given = list(evidence)
    given[0] = min(given[0], _MOST_MARGIN.get(code, given[0]))
    odds = constant + sum(w * x for w, x in zip(weights, given, strict=True))
    if code in _MOST_ODDS and given[_WHOLE]:
        # Of two ways to annotate a sentence one is wrong, even if each occurs once.
        odds = max(odds, _WHOLE_ODDS)
    return min(odds, _MOST_ODDS.get(code, odds))


def confidence(odds: float) -> float:
    """The chance that odds mean.

    >>> confidence(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-odds))
