"""Commands and options that the documentation names exist; little is not run."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from analyzer.cli.main import _parser
from analyzer.cli.parsers import load_all
from docs.scripts.command_pages import command_names, help_of
from tests.support.doc_blocks import (
    all_pages,
    blocks,
    indented_code,
    inline_code,
    page_name,
)

# Options of other programs that a page explains.
FOREIGN = {"--host", "--nworkers", "--nthreads", "--strict-markers"}
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
MOST_NOT_RUN = 8


@cache
def options() -> dict[tuple[str, ...], set[str]]:
    """The options of every command and action."""
    parser = _parser([])
    load_all(parser)
    return dict(_options_below(parser, ()))


def _options_below(
    parser: argparse.ArgumentParser, names: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], set[str]]]:
    yield names, {name for one in parser._actions for name in one.option_strings}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from _options_below(below, (*names, name))


def options_of(command: str) -> set[str]:
    """The options of the command that a line begins with; KeyError if there is none."""
    words = command.split()[1:]
    names: tuple[str, ...] = ()
    while words and (*names, words[0].partition("|")[0]) in options():
        names = (*names, words.pop(0).partition("|")[0])
    if not names and words and not words[0].startswith("-"):
        is_placeholder = words[0].isupper() or words[0] in ("…", "rst|discotk")
        if not is_placeholder:
            raise KeyError(command)
    return options()[names] | (every_option() if not names else set())


@cache
def every_option() -> set[str]:
    return set().union(*options().values())


@pytest.mark.parametrize("page", all_pages(), ids=page_name)
def test_commands_in_the_text_exist(page: Path) -> None:
    """Those between backticks, and those in blocks that are not run."""
    text = page.read_text("utf-8")
    lines = [
        line
        for block in blocks(text)
        if block.not_run and block.language == "sh"
        for line in block.lines
    ]
    for code in [*inline_code(text), *lines]:
        if code.startswith("spinal "):
            known = options_of(code)
        elif code.startswith("--"):
            known = every_option() | FOREIGN
        else:
            continue
        assert set(_OPTION.findall(code)) <= known, f"{page_name(page)}: {code}"


@pytest.mark.parametrize("names", command_names(), ids=" ".join)
def test_examples_in_help_are_commands(names: tuple[str, ...]) -> None:
    """Every example of a help text is of its command and has options that it has."""
    after = help_of(names).partition("\nexamples:\n")[2].replace("\\\n", "")
    commands = after.partition("\n\n")[0].rstrip("\n").split("\n")
    assert commands
    for command in commands:
        assert command.split()[1 : len(names) + 1] == list(names)
        assert set(_OPTION.findall(command)) <= options()[names], command


def test_blocks_of_code_are_fenced() -> None:
    """So that what is a command, Python or output can be told apart, and run."""
    for page in all_pages():
        for one in indented_code(page.read_text("utf-8")):
            assert not one.startswith(("spinal ", "$ ", ">>> ")), page_name(page)
        for block in blocks(page.read_text("utf-8")):
            first = block.lines[0] if block.lines else ""
            is_run = block.language in ("console", "sh", "python")
            is_command = first.startswith(("spinal ", "$ spinal ", ">>> "))
            is_synopsis = block.language == "text"
            where = f"{page_name(page)}:{block.first_line}"
            assert is_run or is_synopsis or not is_command, where


def test_little_is_not_run() -> None:
    """What needs corpora, servers or libraries that we cannot ship; with the reason."""
    left_out = [
        (page_name(page), block.not_run)
        for page in all_pages()
        for block in blocks(page.read_text("utf-8"))
        if block.not_run and "test_extending.py runs it" not in block.not_run
    ]
    assert len(left_out) <= MOST_NOT_RUN, left_out
