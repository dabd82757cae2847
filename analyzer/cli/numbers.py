"""Numbers as options take them: what they may be, and what they may not."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar


def whole_number(*, least: int) -> Callable[[str], int]:
    """A type for options: a whole number from `least` on."""

    def read(text: str) -> int:
        return _at_least(int(text), least, text)

    read.__name__ = "whole number"  # in argparse's own messages
    return read


def number(*, least: float) -> Callable[[str], float]:
    """A type for options: a number from `least` on; infinity and nan are none."""

    def read(text: str) -> float:
        value = float(text)
        if value == float("inf"):
            raise ValueError
        return _at_least(value, least, text)

    read.__name__ = "number"
    return read


Number = TypeVar("Number", int, float)


def _at_least(value: Number, least: Number, text: str) -> Number:
    if not value >= least:
        raise argparse.ArgumentTypeError(f"must be {least} or more, not {text}")
    return value


def percent(text: str) -> float:
    """A number from 0 to 100, with a percent sign or without."""
    value = float(text.removesuffix("%"))
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 to 100")
    return value
