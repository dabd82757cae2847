"""Where a record stops being well formed, told without Lark.

A file may hold thousands of bad records, of which ten are shown; Lark would take longer
to stumble over each than everything else takes together. The grammar stays the
definition of what is well formed: the tests compare the two.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from typing import NamedTuple

from grammars import terminal_patterns


class Kind(Enum):
    """What stands where something else was expected."""

    END = "the end, with a bracket open"
    CLOSE = "a ')' that closes nothing"
    OPEN = "a '(' after a word"
    SECOND_WORD = "a word after a word"
    OUTSIDE = "a word outside of any bracket"
    BESIDE = "a word next to a bracket"


class Fault(NamedTuple):
    """The first thing in a record that its grammar does not allow.

    At the end of the record that is the innermost bracket that is open.
    """

    kind: Kind
    at: int
    found: str
    still_open: int  # brackets


def find_fault(text: str) -> Fault | None:
    """The first fault of a record; None if it is well formed.

    >>> find_fault("(NP (DT the) (NN cat))")
    >>> fault = find_fault("(NN a cat)")
    >>> fault.kind.value, fault.at, fault.found
    ('a word after a word', 6, 'cat')
    """
    still_open: list[int] = []
    # Whether a word may come next, and whether one was the last thing.
    takes_word = has_word = False
    for token in _tokens().finditer(text):
        kind = None
        match token.lastgroup:
            case "OPEN":
                if has_word:
                    kind = Kind.OPEN
                still_open.append(token.start())
                takes_word = True
            case "CLOSE":
                if not still_open:
                    kind = Kind.CLOSE
                else:
                    still_open.pop()
                takes_word = has_word = False
            case "WORD":
                if not takes_word:
                    within = Kind.SECOND_WORD if has_word else Kind.BESIDE
                    kind = within if still_open else Kind.OUTSIDE
                takes_word, has_word = False, True
        if kind:
            return Fault(kind, token.start(), token[0], len(still_open))
    if still_open:
        return Fault(Kind.END, still_open[-1], "", len(still_open))
    return None


@cache
def _tokens() -> re.Pattern[str]:
    """Brackets, words and comments; a label, which touches its bracket, with that."""
    of = {name: found.pattern for name, found in terminal_patterns("common").items()}
    return re.compile(
        rf"(?P<COMMENT>{of['COMMENT']})"
        rf"|(?P<OPEN>{of['OPEN']})(?:{of['ATOM']})?"
        rf"|(?P<CLOSE>{of['CLOSE']})"
        rf"|(?P<WORD>{of['ATOM']})",
        re.MULTILINE,
    )
