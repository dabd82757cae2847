"""What can go wrong, said so that a person can act on it.

Every error names its place (file, line, column, sentence), what was found and
what was expected. Lines, columns and sentences are counted from 1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """Where in the input something is; fields that are not known are None.

    >>> str(Place("dev.mrg", line=14, column=3))
    'dev.mrg:14:3'
    """

    source: str | None = None
    line: int | None = None
    column: int | None = None
    sentence: int | None = None

    def __str__(self) -> str:
        parts = [self.source or "<text>"]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        return ":".join(parts)


def counted(number: int, noun: str) -> str:
    """A number and what it is of.

    >>> counted(1, "sentence"), counted(2_410, "sentence")
    ('1 sentence', '2,410 sentences')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


class AnalyzerError(Exception):
    """Base of all errors that are the input's or the user's, not the program's."""

    def __init__(
        self, message: str, place: Place | None = None, excerpt: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.excerpt = excerpt

    def __str__(self) -> str:
        if self.place is None:
            return self.message
        text = f"{self.place}: "
        if self.place.sentence is not None:
            text += f"sentence {self.place.sentence}: "
        text += self.message
        return f"{text}\n{self.excerpt}" if self.excerpt else text


class InputError(AnalyzerError):
    """A file cannot be read: missing, not text, damaged, without trees."""


class TreeSyntaxError(AnalyzerError):
    """A tree is not well formed."""


class InputWarning(UserWarning):
    """A file can be read, but not all that is in it."""


class PairingError(AnalyzerError):
    """Gold and parsed cannot be compared: lengths or words differ."""


class SettingsError(AnalyzerError):
    """An option or a parameter file asks for something that makes no sense."""
