"""What a person is told on standard error, whatever stands in the input."""

from __future__ import annotations

_LONGEST_LINE = 600
_KEPT_AT_END = 150


def visible(text: str) -> str:
    """The text without what would move a cursor, and long lines cut in their middle.

    Files can hold anything, and messages quote them.

    >>> visible("found '\\x1b[2J'")
    "found '�[2J'"
    >>> len(visible("x" * 20_000_000))
    600
    """
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    if len(line) > _LONGEST_LINE:
        start = line[: _LONGEST_LINE - _KEPT_AT_END - 1]
        line = f"{start}…{line[-_KEPT_AT_END:]}"
    if line.isprintable():
        return line
    return "".join(
        character if character.isprintable() else " " if character.isspace() else "�"
        for character in line
    )
