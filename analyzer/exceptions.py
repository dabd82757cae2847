"""What can go wrong, said so that a person can act on it.

Every error has a code that does not change, names its place (file, line, column,
sentence) and carries what was found and what was expected as fields; its text is made
from them last. Lines, columns and sentences are counted from 1. docs/messages.md lists
the codes.
"""

from __future__ import annotations

import os
import re
import string
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from numbers import Integral, Real
from typing import Any, Self, TypeVar

from analyzer.safe_text import as_keywords, counted, did_you_mean, numbered


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
    id: str = ""  # what the file calls the sentence

    def __str__(self) -> str:
        parts = [self.source or "<text>"]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        return ":".join(parts)


# What two sides that are compared are called where nobody says otherwise.
SIDES = {"gold": "gold", "parsed": "parsed"}

Field = str | int | float | list[str]

_speaks_of_options = ContextVar("_speaks_of_options", default=False)


@contextmanager
def for_commands() -> Iterator[None]:
    """Messages name options (--limit), as commands have them, not keywords (limit=)."""
    before = _speaks_of_options.set(True)
    try:
        yield
    finally:
        _speaks_of_options.reset(before)


def worded(text: str) -> str:
    """A text that names options, for whoever reads it: see `for_commands`."""
    return text if _speaks_of_options.get() else as_keywords(text)


@cache
def templates() -> Mapping[str, str]:
    """The message of each code."""
    loader: Any = __spec__.loader  # the file may lie in an archive
    data = loader.get_data(os.path.join(os.path.dirname(__file__), "messages.tsv"))
    text = data.decode("utf-8")
    return dict(line.split("\t") for line in text.splitlines())


# What was given, and what there is, in the template of a message.
_GIVEN, _LIST = re.compile(r"\{(\w+)!r\}"), re.compile(r"\{(\w+):list\}")


class AnalyzerError(Exception):
    """Base of all errors that are the input's or the user's, not the program's.

    What is wrong is given by a code, and by some of its words for whoever reads the
    line: the template of the code in messages.tsv is the message, with the names of
    fields in braces. `{n:sentence}` is a number with its noun, `{names:list}` a list
    with commas, `{gold}` and `{parsed}` are the names of the two sides. A message
    without a code is shown as it stands, under the code of its class.

    >>> error = SettingsError("E808 no data set", reference="wbe", names=["a", "web"])
    >>> error.message, error.code
    ("no data set 'wbe'; there are a, web; did you mean 'web'?", 'E808')
    >>> str(InputError("is empty", Place("a.mrg", 3)))
    'a.mrg:3: is empty'
    """

    code = "E000"

    def __init__(
        self,
        code_or_message: str,
        place: Place | None = None,
        excerpt: str | None = None,
        **fields: object,
    ) -> None:
        super().__init__(code_or_message)
        code, _, _ = code_or_message.partition(" ")
        is_code = code in templates()
        self.code_or_message = code if is_code else code_or_message
        self.place = place
        self.excerpt = excerpt
        self.fields: Mapping[str, Field] = {
            name: _plain(value) for name, value in fields.items()
        }
        if is_code:
            self.code = code

    @property
    def message(self) -> str:
        """What is wrong, without its place."""
        template = templates().get(self.code_or_message)
        if template is None:
            return self.code_or_message
        fields = {**SIDES, **self.fields}
        if isinstance(option := fields.get("option"), str):
            fields["option"] = worded(option)
        message = _FORMATTER.vformat(worded(template), (), fields)
        return message + self._meant(template)

    def _meant(self, template: str) -> str:
        """Which of the choices that the message lists was probably meant."""
        given, listed = _GIVEN.findall(template), _LIST.findall(template)
        if len(given) != 1 or len(listed) != 1:
            return ""
        choices: Any = self.fields[listed[0]]
        return did_you_mean(str(self.fields[given[0]]), map(str, choices))

    def __str__(self) -> str:
        if self.place is None:
            return self.message
        text = f"{self.place}: "
        if self.place.sentence is not None:
            text += f"sentence {numbered(self.place.sentence, self.place.id)}: "
        text += self.message
        return f"{text}\n{self.excerpt}" if self.excerpt else text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel between processes with all they know."""
        return error_of, (type(self), self.facts)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.facts == other.facts

    def __hash__(self) -> int:
        return hash((self.code_or_message, self.place))

    @property
    def facts(self) -> Facts:
        """All that an error is made of, but its class."""
        return Facts(self.code_or_message, self.place, self.excerpt, dict(self.fields))

    def at(self, place: Place | None, excerpt: str | None = None) -> Self:
        """This error at another place, with another excerpt if one is given."""
        # There may be thousands of errors: a copy is made sooner than another error.
        other = type(self).__new__(type(self), *self.args)
        vars(other).update(vars(self))
        other.place = place
        if excerpt is not None:
            other.excerpt = excerpt
        return other

    def with_sides(self, gold: str, parsed: str) -> Self:
        """This error, with other names for the two sides that are compared."""
        named = {**self.fields, "gold": gold, "parsed": parsed}
        return error_of(type(self), replace(self.facts, fields=named))

    def as_a(self, kind: type[Kind]) -> Kind:
        """An error of another class that says the same under the same code."""
        return error_of(kind, self.facts)


@dataclass(frozen=True)
class Facts:
    """All that an error is made of, but its class."""

    code_or_message: str
    place: Place | None
    excerpt: str | None
    fields: dict[str, Field]


Kind = TypeVar("Kind", bound=AnalyzerError)


def error_of(kind: type[Kind], facts: Facts) -> Kind:
    """The error of a class that is made of these."""
    return kind(facts.code_or_message, facts.place, facts.excerpt, **facts.fields)


class InputError(AnalyzerError):
    """A file cannot be read: missing, not text, damaged, without trees."""

    code = "E100"


class TooLargeError(InputError):
    """A file is larger than files of its kind are."""


class TreeSyntaxError(AnalyzerError):
    """A tree is not well formed."""

    code = "E200"


class BadSentenceError(AnalyzerError):
    """A sentence of TIGER-XML makes no tree."""

    code = "E250"


class RstError(AnalyzerError):
    """A document is not a well-formed discourse tree."""

    code = "E300"


class PairingError(AnalyzerError):
    """Gold and parsed cannot be compared: lengths or words differ."""

    code = "E400"


class UntaggedError(PairingError):
    """Constructions are asked of words without tags, or of brackets without labels."""


class SettingsError(AnalyzerError):
    """An option or a parameter file asks for something that makes no sense."""

    code = "E500"


class PatternError(AnalyzerError):
    """A pattern inventory is not well formed."""

    code = "E600"


class QueryError(AnalyzerError):
    """A query is not well formed, or asks for too much."""

    code = "E650"


class InputWarning(UserWarning):
    """A file can be read, but not all that is in it.

    `is_note`: that changes what numbers mean, and has to stand below them; False if
    results say it themselves.
    """

    def __init__(self, source: str, note: str, is_note: bool = True) -> None:
        super().__init__(source, note)
        self.source = source
        self.note = note
        self.is_note = is_note

    def __str__(self) -> str:
        return f"{self.source}: {worded(self.note)}"


class UnreadWarning(InputWarning):
    """A file of a folder was not read; `is_loss` if it may have held trees."""

    def __init__(self, source: str, note: str, is_loss: bool = False) -> None:
        super().__init__(source, note, is_loss)
        self.is_loss = is_loss


class LeftOutWarning(InputWarning):
    """Some of what was to be scored was left out: `source` is the parsed side."""


_OWN = ("analyzer", "reports", "spinal")


def warn(warning: Warning) -> None:
    """Warn on behalf of whoever called us: the line that is named is theirs."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] in _OWN:
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)


def _plain(value: object) -> Field:
    """A field as it can be kept: text, a number, a list of texts."""
    if isinstance(value, str) or not isinstance(value, Real | Iterable):
        return str(value)
    if isinstance(value, Iterable):
        return [str(item) for item in value]
    if isinstance(value, Integral):
        return str(value) if isinstance(value, bool) else int(value)
    return float(value)


class _Formatter(string.Formatter):
    """Fills templates in; names only, so that a template can reach nothing else."""

    _NUMBER = re.compile(r",|0?\d?X|\.\d[fg]")
    _NOUN = re.compile(r"[A-Za-z][A-Za-z ]*")

    def get_field(
        self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[Any, str]:
        if not field_name.isidentifier():
            raise ValueError(f"no name of a field: {field_name!r}")
        return kwargs[field_name], field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "list":
            return ", ".join(value)
        if not format_spec or self._NUMBER.fullmatch(format_spec):
            return format(value, format_spec)
        if self._NOUN.fullmatch(format_spec):
            return counted(value, format_spec)
        raise ValueError(f"no way to show a field: {format_spec!r}")


_FORMATTER = _Formatter()
