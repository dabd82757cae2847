"""What a command is: arguments, one call, one print. How that is written down.

    @command(Option("FILE  what to count"), Option("--top N  only the first N", int))
    def run_count(args: argparse.Namespace) -> int:
        '''Count trees.

        examples:
          spinal count gold.mrg
        '''

An option is a row. A command is its rows, in the order of its help, and a function,
whose docstring is the text of the help. Rows that several commands take stand in
`options`; a command that wants other words for one says so (`but`). `main` lists the
commands.
"""

from __future__ import annotations

import argparse
import inspect
import os
import sys
from collections.abc import Callable
from copy import copy
from typing import Any, NamedTuple


class Option:
    """A row: an option, or an argument that has no name.

    It begins as in help, with two spaces before what it is for. `--strict` is on or
    off; `--top N` and `--color {auto,never}` take a value, as does one with a type, a
    default or choices; `GOLD` is an argument. Further settings are argparse's. What
    `is_output` names will be written, so that it must not be what is read: arguments,
    and options that name an `is_input`, or an `is_setting`, which is a file unless it
    is the name of something built in.
    """

    def __init__(
        self,
        row: str,
        type: Callable[[str], Any] | None = None,
        default: Any = None,
        *,
        is_output: bool = False,
        is_input: bool = False,
        is_setting: bool = False,
        **settings: Any,
    ) -> None:
        form, _, text = row.partition("  ")
        words = form.split(" ")
        names = [word for word in words if word.startswith("-")]
        value = " ".join(words[len(names) :])
        if value.startswith("{"):
            settings["choices"] = tuple(value[1:-1].split(","))
        elif value:
            settings["metavar"] = value
        given = {"help": text or None, "type": type, "default": default}
        settings |= {
            name: setting for name, setting in given.items() if setting is not None
        }
        if not names:
            names = [settings.pop("dest", form.lower())]
        elif settings.keys() <= {"help", "dest"}:
            settings["action"] = "store_true"
        elif settings.get("action") == "append":
            settings.setdefault("default", [])
        self.names = names
        self.settings = settings
        self.is_output = is_output
        self.is_input = is_input or not names[0].startswith("-")
        self.is_setting = is_setting

    def but(self, **settings: Any) -> Option:
        """The same, with other settings, such as `help`."""
        other = copy(self)
        other.settings = self.settings | settings
        return other


class Group:
    """Rows that stand together in help, under a title.

    If `is_rare`, only --help-all shows them; if `is_exclusive`, one may be given.
    """

    def __init__(
        self,
        title: str,
        *rows: Option,
        is_rare: bool = False,
        is_exclusive: bool = False,
    ) -> None:
        self.title = title
        self.rows = rows
        self.is_rare = is_rare
        self.is_exclusive = is_exclusive


Run = Callable[[argparse.Namespace], int]


class Command(NamedTuple):
    """What `command` makes of a function."""

    run: Run
    arguments: tuple[Option | Group, ...]

    @property
    def texts(self) -> tuple[str, str]:
        """What stands above the options in help, and what stands below."""
        head, _, rest = inspect.cleandoc(self.run.__doc__ or "").partition("\n\n")
        return head.replace("\n", " "), rest


def command(*arguments: Option | Group) -> Callable[[Run], Command]:
    """A function as a command with these arguments; its docstring is the help."""
    return lambda run: Command(run, arguments)


# -- types of values ---------------------------------------------------------------


def at_least(
    least: int, kind: type[int] | type[float] = int, *, most: int = sys.maxsize
) -> Callable[[str], Any]:
    """A number from `least` to `most`; infinity and nan are none."""

    def read(text: str) -> float:
        value = kind(text)
        if value == float("inf"):
            raise ValueError
        if not value >= least:
            raise argparse.ArgumentTypeError(f"must be {least} or more, not {text}")
        if value > most:
            raise argparse.ArgumentTypeError(f"must be {most:,} or less, not {text}")
        return value

    # In argparse's own messages.
    read.__name__ = "whole number" if kind is int else "number"
    return read


def picture_file(path: str) -> str:
    """The name of a file for a picture; its ending says in which format (none: SVG)."""
    if os.path.splitext(path)[1].lower() not in ("", ".svg", ".pdf", ".png", ".tex"):
        raise argparse.ArgumentTypeError(
            f"{path}: expected a name that ends in .svg, .pdf, .png or .tex"
        )
    return path


def share(text: str) -> float:
    """A number from 0 to 1."""
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 to 1")
    return value


def percent(text: str) -> float:
    """A number from 0 to 100, with a percent sign or without."""
    value = float(text.removesuffix("%"))
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 to 100")
    return value
