"""The help texts of all commands as one page."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator

from analyzer.cli.main import COMMANDS, main

_INTRODUCTION = """\
# Commands

`spinal COMMAND --help` shows the usual options, `--help-all` the rest. This page has
all of them. Every command ends with 0 if all input was read and paired, with 1 if a
check found something, and with 2 if something could not be read or nothing could be
scored.
"""


def command_names() -> list[tuple[str, ...]]:
    """All commands; those that are divided into actions, with each action."""
    return [tuple(name.split()) for name, entry in COMMANDS.items() if not entry.family]


def pages() -> dict[str, str]:
    """Pages by their place in the site."""
    return {"commands.md": "\n".join(_lines())}


def _lines() -> Iterator[str]:
    yield _INTRODUCTION
    for names in command_names():
        yield f"## spinal {' '.join(names)}\n\n```text\n{help_of(names)}```\n"


def help_of(names: tuple[str, ...]) -> str:
    """What `--help-all` prints, on 80 columns."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    try:
        return _printed(*names, "--help-all") or _printed(*names, "--help")
    finally:
        del os.environ["COLUMNS"]
        if before is not None:
            os.environ["COLUMNS"] = before


def _printed(*arguments: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = main(arguments)
    return out.getvalue() if code == 0 else ""
