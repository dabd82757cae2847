"""Text that is safe to show, whatever stands in the input; and plurals.

Files can hold anything, and what is printed or drawn quotes them.
"""

from __future__ import annotations

import re

REPLACEMENT = "\ufffd"
LONGEST_LINE = 600
_KEPT_AT_END = 150
# Control characters could command a terminal, bidirectional overrides reorder what
# stands around them, and XML 1.0 has no way to write surrogates, U+FFFE and U+FFFF.
_UNSAFE_IN_DRAWINGS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def printable(text: str) -> str:
    """One line as wide as it was, without what would move a terminal's cursor.

    >>> printable("found '\\x1b[2J'\\t!")
    "found '\ufffd[2J' !"
    """
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable()
        else " "
        if character.isspace()
        else REPLACEMENT
        for character in text
    )


def printable_lines(text: str, *, longest: int = LONGEST_LINE) -> str:
    """Lines that are `printable`, the long ones cut in their middle.

    >>> len(printable_lines("x" * 20_000_000))
    600
    """
    return "\n".join(printable(_cut(line, longest)) for line in text.split("\n"))


def drawable(text: str) -> str:
    """Text for drawings and pages: characters that do more than show themselves go.

    >>> drawable("a\\x1b[31mb")
    'a\ufffd[31mb'
    """
    return _UNSAFE_IN_DRAWINGS.sub(REPLACEMENT, text)


def counted(number: int, noun: str) -> str:
    """A number and what it is of.

    >>> counted(1, "sentence"), counted(2_410, "sentence")
    ('1 sentence', '2,410 sentences')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def shortened(text: str, most: int) -> str:
    """The text, or its beginning if it is longer than `most` characters.

    >>> shortened("because it rained", 10)
    'because i…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def with_ends(text: str, most: int) -> str:
    """The text, or its beginning and its end if it is longer than `most` characters.

    >>> with_ends("because it rained all day", 18)
    'because i … ll day'
    """
    if len(text) <= most:
        return text
    return f"{text[: most // 2].rstrip()} … {text[-most // 3 :].lstrip()}"


def _cut(line: str, longest: int) -> str:
    if len(line) <= longest:
        return line
    return f"{line[: longest - _KEPT_AT_END - 1]}…{line[-_KEPT_AT_END:]}"
