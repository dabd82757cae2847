"""Commands and their actions: parsers that import what they need when they are used."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn

from analyzer.cli.options import add_limit_options
from analyzer.cli.streams import draw, put
from analyzer.safe_text import did_you_mean, visible_lines


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


_ANY_WIDTH = 80
_SHELLS = ("bash", "zsh", "fish")
# Groups of options that most people never need: --help-all shows them.
_RARE = frozenset(
    (
        *("what cannot be compared", "trees of language models", "function tags"),
        *("input", "work", "limits", "intervals", "tests"),
    )
)


class _PrintAllHelp(argparse.Action):
    """--help-all: all options, all examples."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        assert isinstance(parser, Parser)
        parser.shows_all = True
        parser.print_help()
        parser.exit()


class Parser(argparse.ArgumentParser):
    """A parser whose help and messages go where all that we write goes.

    Help fits a screen: rare options are left to --help-all. An error shows the usage of
    its command, and the name that was probably meant.
    """

    _any_formatter: _Formatter | None = None  # while arguments are added

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Formatter, **options)
        self.shows_all = False

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        # argparse has a formatter try each argument: one that has a width need not ask
        # for the terminal's.
        self._any_formatter = _Formatter("", width=_ANY_WIDTH)
        try:
            return super().add_argument(*names, **options)
        finally:
            self._any_formatter = None

    def _get_formatter(self) -> argparse.HelpFormatter:
        return self._any_formatter or super()._get_formatter()

    @property
    def _rare_groups(self) -> list[argparse._ArgumentGroup]:
        if self.shows_all:
            return []
        return [
            group
            for group in self._action_groups
            if group.title in _RARE and group._group_actions
        ]

    def add_help_all(self) -> None:
        """Offer --help-all, if there is more than -h shows."""
        if self._rare_groups:
            self.add_argument(
                "--help-all",
                action=_PrintAllHelp,
                nargs=0,
                help="show all options and examples, and exit",
            )

    def format_usage(self) -> str:
        if not self._rare_groups:
            return super().format_usage()
        formatter = self._get_formatter()
        usage = f"%(prog)s [options] {_usage_of(self._actions)}".rstrip()
        formatter.add_usage(usage, [], [])
        return formatter.format_help()

    def format_help(self) -> str:
        rare = self._rare_groups
        if not rare:
            return super().format_help()
        formatter = self._get_formatter()
        formatter.add_text(self.description)
        for group in self._action_groups:
            if group in rare:
                continue
            shown = [one for one in group._group_actions if one.help]
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(shown)
            formatter.end_section()
        formatter.add_text((self.epilog or "").partition("\n\n")[0])
        options = sum(len(group._group_actions) for group in rare)
        formatter.add_text(f"{options} more options: {self.prog} --help-all")
        return f"{self.format_usage()}\n{formatter.format_help()}"

    def error(self, message: str) -> NoReturn:
        super().error(message + _meant(message))

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
        self.load()
        return super().parse_known_args(args, namespace)

    def load(self) -> None:
        """Ask the module for its arguments, unless that was done."""
        if self._module is not None:
            module = import_module(self._module)
            self._module = None
            module.add_arguments(self)
            if hasattr(module, "run"):
                add_limit_options(self)
                self.set_defaults(run=module.run, command_parser=self)
            self.add_help_all()


class PrintCompletion(argparse.Action):
    """--completion: a script for a shell, made by shtab from all commands."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        try:
            import shtab
        except ImportError:
            parser.exit(
                2, "spinal: completion needs shtab: pip install 'spinal[completion]'\n"
            )
        if values not in _SHELLS:
            parser.error(f"no completion for {values}; there is {', '.join(_SHELLS)}")
        load_all(parser)
        put(shtab.complete(parser, values))
        parser.exit()


def load_all(parser: argparse.ArgumentParser) -> None:
    """Have the arguments of all commands and actions below a parser."""
    if isinstance(parser, LazyParser):
        parser.load()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                load_all(below)


def add_commands(
    parser: argparse.ArgumentParser,
    summaries: Mapping[str, str],
    package: str,
    *,
    noun: str,
) -> None:
    """Commands, or actions of one, each a module of `package` with its name."""
    commands = parser.add_subparsers(
        # Worked out from the usage otherwise, which takes a formatter of help.
        prog=parser.prog,
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
        of_command: argparse.ArgumentParser = getattr(args, "command_parser", parser)
        options = [one for one in more if _is_option(one)]
        known = of_command._option_string_actions
        told = f"unrecognized arguments: {' '.join(more)}"
        of_command.error(told + (did_you_mean(options[0], known) if options else ""))
    if more:
        args.inputs += more
    return args


def _usage_of(actions: Sequence[argparse.Action]) -> str:
    """GOLD [NAME=]PARSED …: what must be given, options that must be first."""
    names = []
    for one in actions:
        if one.option_strings and not one.required:
            continue
        choices = f"{{{','.join(map(str, one.choices))}}}" if one.choices else ""
        name = str(one.metavar or choices or one.dest)
        is_list = one.nargs in ("+", "*") and not name.endswith("...]")
        names.append(" ".join([*one.option_strings[-1:], name, *["…"] * is_list]))
    return " ".join(sorted(names, key=lambda name: not name.startswith("-")))


def _meant(message: str) -> str:
    """What was probably meant by a choice that there is not."""
    found = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
    if found is None:
        return ""
    return did_you_mean(found[1], re.findall(r"[^', ]+", found[2]))


def _is_option(argument: str) -> bool:
    return argument.startswith("-") and argument != "-"
