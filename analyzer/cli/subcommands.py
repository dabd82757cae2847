"""Commands and their actions: parsers that import what they need when they are used."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from analyzer.cli.options import add_limit_options
from analyzer.cli.streams import draw, put
from analyzer.safe_text import visible_lines


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help whose commands and explanations stand on one line.

    argparse makes room for the longest name, but not for how far it is indented.
    """

    def add_argument(self, action: argparse.Action) -> None:
        super().add_argument(action)
        names = [one.dest for one in self._iter_indented_subactions(action)]
        longest = max(map(len, names), default=0) + self._indent_increment
        self._action_max_length = max(
            self._action_max_length, longest + self._current_indent
        )


class Parser(argparse.ArgumentParser):
    """A parser whose help and messages go where all that we write goes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Formatter, **options)

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse itself would pass over what cannot be written.
        if file is sys.stdout:
            put(message, end="")
        else:
            draw(visible_lines(message))


class LazyParser(Parser):
    """A parser that asks a module for its arguments when it is first used.

    The module has `add_arguments(parser)` and `run(args)`; a module whose arguments
    are further commands has no `run`. So `spinal --help` imports no command, and a
    command imports no other.
    """

    def __init__(self, *, module: str, **options: Any) -> None:
        super().__init__(**options)
        self._module: str | None = module

    # The types of `argparse` are overloads that no override can repeat in fewer words.
    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self._module is not None:
            module = import_module(self._module)
            self._module = None
            module.add_arguments(self)
            if hasattr(module, "run"):
                add_limit_options(self)
                self.set_defaults(run=module.run)
        return super().parse_known_args(args, namespace)


def add_commands(
    parser: argparse.ArgumentParser,
    summaries: Mapping[str, str],
    package: str,
    *,
    noun: str,
) -> None:
    """Commands, or actions of one, each a module of `package` with its name."""
    commands = parser.add_subparsers(
        dest=noun,
        metavar=noun.upper(),
        required=True,
        title=f"{noun}s",
        parser_class=LazyParser,
    )
    for name, summary in summaries.items():
        commands.add_parser(name, help=summary, module=f"{package}.{name}")


def parse(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None
) -> argparse.Namespace:
    """The arguments; those of the list `inputs` may stand anywhere.

    argparse takes a list of arguments only in one piece: what comes after an option
    (`show gold.mrg --width 90 12`) is left over, and belongs to it.
    """
    args, more = parser.parse_known_args(argv)
    if more and (not hasattr(args, "inputs") or any(map(_is_option, more))):
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if more:
        args.inputs += more
    return args


def _is_option(argument: str) -> bool:
    return argument.startswith("-") and argument != "-"
