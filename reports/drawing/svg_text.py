"""Text in an SVG: escaped, and with an estimate of the room it takes.

The width of a text depends on the reader's fonts, which we do not know. The
estimate follows the widest of the common sans-serif fonts (DejaVu Sans), so that
labels keep their distance in all of them.
"""

from __future__ import annotations

import math
import unicodedata
from functools import lru_cache
from html import escape

from analyzer.safe_text import drawable

_NARROW = frozenset("ijlIJftr.,:;'`|!()[]{}/\\-*\" ")
_WIDE = frozenset("mwMW@%&—…⋯")
_BOLDER = 1.12


def text_width(text: str, *, size: int, bold: bool = False) -> int:
    """Pixels that a text takes at a font size, rounded up.

    >>> text_width("NP", size=14)
    21
    >>> text_width("猫", size=14) > text_width("n", size=14)
    True
    """
    ems = sum(map(_ems, text))
    return math.ceil(ems * size * (_BOLDER if bold else 1))


def escaped(text: str) -> str:
    """The text as it may stand in an element or in a quoted attribute.

    >>> escaped('<b "x">\\x00')
    '&lt;b &quot;x&quot;&gt;\ufffd'
    """
    return escape(drawable(text), quote=True)


@lru_cache(maxsize=4096)
def _ems(character: str) -> float:
    """The width of one character as a share of the font size."""
    if character in _NARROW:
        return 0.42
    if character in _WIDE:
        return 1.0
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    return 0.73 if character.isupper() else 0.64
