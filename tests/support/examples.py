"""How many examples Hypothesis draws: few between two edits, many over night.

HYPOTHESIS_PROFILE=night .venv/bin/pytest tests/pairing -n auto
"""

from __future__ import annotations

import os

_FACTORS = {"quick": 0.15, "spinal": 1.0, "night": 10.0}
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "spinal")
_LEAST, USUAL = 5, 25


def some(count: int = USUAL) -> int:
    """So many, or what the profile makes of it."""
    return max(_LEAST, round(count * _FACTORS[PROFILE]))
