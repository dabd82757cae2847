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
    # log of majority to this analysis, log of majority, words of context that are the
    # same, whole sentences, length, log of how often the words are so elsewhere
    "V301": (0.0, 1.2, -0.9, 0.08, 1.5, 0.1, -0.7),
    "V302": (-1.2, 1.3, -1.1, 0.1, 1.5, 0.3, -0.15),
    "D401": (-1.8, 0.4, 0.0, 0.03, 0.8, 0.0, 0.0),
    "T501": (-0.6, 1.2, -0.9, 0.12, 1.5, 0.0, -0.65),
    "F701": (-1.4, 1.5, -1.1, 0.1, 0.8, 0.1, 0.0),
    # margin, log of how often the word has the other tag, rarity of the tag, habit
    "T502": (-4.1, 0.27, 0.18, 0.6, -2.2),
    # margin, rarity of the label, habit
    "M601": (-3.1, 0.22, 0.4, -2.0),
    "M602": (-3.3, 0.3, 0.4, -2.6),
    # margin, whether the same words attach so elsewhere (less for small margins)
    "M603": (-3.9, 0.36, 2.0),
    # log of majority to this label, what of it is beyond 1 in 250, rarity
    "M604": (-3.2, 0.5, 0.5, 0.6),
    # margin, habit
    "F702": (-3.4, 0.28, -1.2),
    # discourse: margin
    "R603": (-2.5, 0.6),
    "R604": (-3.0, 0.5),
    "R605": (-3.0, 0.4),
}
# Beyond, evidence says that something is odd, and no more that it is wrong.
_MOST_MARGIN = {"T502": 15.0, "M601": 15.0, "M602": 12.0, "M603": 12.0, "F702": 15.0}
_MOST_ODDS = {"V301": 1.6, "V302": 1.6, "D401": 0.1, "T501": 1.6, "F701": 0.8}
_CLEAR, _CLEAR_ODDS = math.log(4), 0.8  # a majority that says which one is wrong
_BESIDE = ("D401",)  # what other findings say more precisely
_CONTEXT, _WHOLE, _LENGTH = 2, 3, 4  # where the evidence of recurring words has these
_LONG = 10  # words that are the same, neighbours included
_WHOLE_ODDS, _LONG_ODDS = 0.6, 0.3  # both warnings


def log_odds(code: str, evidence: Sequence[float]) -> float:
    """The logarithm of the odds that a candidate is an error."""
    constant, *weights = WEIGHTS[code]
    given = list(evidence)
    given[0] = min(given[0], _MOST_MARGIN.get(code, given[0]))
    odds = constant + sum(w * x for w, x in zip(weights, given, strict=True))
    if code in _MOST_ODDS:
        # Of two ways to annotate a sentence one is wrong, even if each occurs once; and
        # so it is with long stretches.
        if given[_WHOLE]:
            odds = max(odds, _WHOLE_ODDS)
        elif given[_CONTEXT] + given[_LENGTH] >= _LONG:
            odds = max(odds, _LONG_ODDS)
        most = _MOST_ODDS[code]
        is_clear = given[0] >= _CLEAR and code not in _BESIDE
        odds = min(odds, most + _CLEAR_ODDS if is_clear else most)
    return odds


def confidence(odds: float) -> float:
    """The chance that odds mean.

    >>> confidence(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-odds))
