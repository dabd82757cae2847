"""Settings checked where they are made: choices by name, numbers within bounds."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import NoReturn

from analyzer.exceptions import SettingsError


class Choice(StrEnum):
    """A setting that has a few values; their names will do, too.

    Asked for a value that there is not, a subclass says which there are.
    """

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise _no_choice(cls.what(), value, cls)

    @classmethod
    def what(cls) -> str:
        """What the setting is called in messages."""
        raise NotImplementedError


def require_choice(what: str, value: str, choices: Collection[str]) -> None:
    """SettingsError unless a value is one of the choices.

    >>> require_choice("order", "odd", ("weak", "strict"))
    Traceback (most recent call last):
    analyzer.exceptions.SettingsError: no order 'odd'; there are weak, strict
    """
    if value not in choices:
        raise _no_choice(what, value, choices)


def _no_choice(what: str, value: object, choices: Iterable[str]) -> SettingsError:
    return SettingsError(
        "E540 there are", what=what, value=str(value), choices=tuple(choices)
    )


def require_number(name: str, value: float, *, least: float) -> None:
    """SettingsError unless a number is at least so much; nan is not.

    >>> require_number("limit", 0, least=0)
    >>> require_number("limit", -1, least=0)
    Traceback (most recent call last):
    analyzer.exceptions.SettingsError: limit must be 0 or more, not -1
    """
    if not value >= least:
        raise SettingsError("E541 or more, not", name=name, least=least, value=value)


def require_share(name: str, value: float | None) -> None:
    """SettingsError unless a number is from 0 to 1, or there is none.

    >>> require_share("min_confidence", 50)
    Traceback (most recent call last):
    analyzer.exceptions.SettingsError: min_confidence must be from 0 to 1, not 50
    """
    if value is not None and not 0 <= value <= 1:
        raise SettingsError("E549 must be from 0 to 1, not", name=name, value=value)


def require_percent(name: str, value: float | None) -> None:
    """SettingsError unless a number is from 0 to 100, or there is none.

    >>> require_percent("max_left_out", 101)
    Traceback (most recent call last):
    analyzer.exceptions.SettingsError: max_left_out must be from 0 to 100, not 101
    """
    if value is not None and not 0 <= value <= 100:
        raise SettingsError("E548 must be from 0 to 100, not", name=name, value=value)
