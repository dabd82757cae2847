"""Parsers of commands, which import what they need when they are used; their help."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

from analyzer.cli.declarations import Command, Group, Option
from analyzer.cli.streams import draw, put
from analyzer.exceptions import SettingsError
from analyzer.limits import Limits
from analyzer.safe_text import did_you_mean, visible_lines


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help whose commands and explanations stand on one line.

    argparse makes room for the longest name, but not for how far it is indented.
    """

    def add_argument(self, action: argparse.Action) -> None:
        super().add_argument(action)
        names = [subaction.dest for subaction in self._iter_indented_subactions(action)]
        longest = max(map(len, names), default=0) + self._indent_increment
        self._action_max_length = max(
            self._action_max_length, longest + self._current_indent
        )


_ANY_WIDTH = 80
_SHELLS = ("bash", "zsh", "fish")
_NODES, _TIMES = Limits.tree_nodes, Limits.expansion
# For every command.
_LIMITS = Group(
    "limits",
    Option(
        f"--max-tree-nodes N  refuse a tree of more than N nodes (default: {_NODES:,})",
        int,
        _NODES,
    ),
    Option(
        "--max-expansion N  refuse a compressed file that grows to more than N times "
        f"its size (default: {_TIMES:,})",
        int,
        _TIMES,
    ),
    is_rare=True,
)


def limits_of(args: argparse.Namespace) -> Limits:
    """The limits that were asked for; SettingsError if they allow nothing."""
    asked = {name: getattr(args, f"max_{name}") for name in ("tree_nodes", "expansion")}
    for name, value in asked.items():
        if value < 1:
            option = f"--max-{name.replace('_', '-')}"
            raise SettingsError(
                "E827 must be at least 1, not", option=option, value=value
            )
    return Limits(**asked)


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
        self._rare_titles: set[str] = set()

    def declare(self, command: Command) -> None:
        """Have the arguments of a command, in their order, and its help."""
        self.description, self.epilog = command.texts
        groups: dict[str, argparse._ActionsContainer] = {"": self}
        sources: dict[str, bool] = {}  # what names files, and whether it may not
        outputs: tuple[str, ...] = ()
        for item in (*command.arguments, _LIMITS):
            group = item if isinstance(item, Group) else Group("", item)
            if group.title not in groups:
                groups[group.title] = self._add_group(group)
            for row in group.rows:
                settings = {**row.settings}
                if callable(settings.get("choices")):  # known when they are asked for
                    settings["choices"] = settings["choices"]()
                action = groups[group.title].add_argument(*row.names, **settings)
                if action.nargs == "*":
                    # argparse would ask for what may be left out.
                    action.required = False
                if row.is_input or row.is_setting:
                    sources[action.dest] = row.is_setting
                outputs += (action.dest,) if row.is_output else ()
        self.set_defaults(run=command.run, command_parser=self)
        self.set_defaults(sources=sources, outputs=outputs)
        text = "show all options and examples, and exit"
        self.add_argument("--help-all", action=_PrintAllHelp, nargs=0, help=text)

    def _add_group(self, group: Group) -> argparse._ActionsContainer:
        self._rare_titles |= {group.title} if group.is_rare else set()
        added = self.add_argument_group(group.title)
        return added.add_mutually_exclusive_group() if group.is_exclusive else added

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
        rare = set() if self.shows_all else self._rare_titles
        return [group for group in self._action_groups if group.title in rare]

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
            shown = [action for action in group._group_actions if action.help]
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


class Entry(NamedTuple):
    """A command in the table of all of them, which are imported when they are used.

    It is called `run_` and the last word of its name, in a module of this package.
    """

    summary: str
    home: str = ""  # the module, if that is not called as the name begins
    family: str = ""  # of commands whose names have two words: what all are for
    command: Command | None = None  # one that no module has

    def load(self, name: str) -> Command:
        """The command; its module is imported for it."""
        if self.command is not None:
            return self.command
        words = name.split(" ")
        module = import_module(f"analyzer.cli.{self.home or words[0]}")
        command: Command = getattr(module, f"run_{words[-1]}")
        return command


Table = Mapping[str, Entry]


class LazyParser(Parser):
    """A parser that asks a command for its arguments when it is first used.

    So `spinal --help` imports no command, and a command imports no other.
    """

    def __init__(self, *, called: str, table: Table, **options: Any) -> None:
        super().__init__(**options)
        self._name = called
        self._table = table
        self._is_loaded = False

    # The types of `argparse` are overloads that no override can repeat in fewer words.
    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.load()
        return super().parse_known_args(args, namespace)

    def load(self) -> None:
        """Ask for the arguments, unless that was done."""
        if self._is_loaded:
            return
        self._is_loaded = True
        entry = self._table[self._name]
        if entry.family:
            self.description = entry.family
            add_commands(self, self._table, family=self._name)
        else:
            self.declare(entry.load(self._name))


class PrintCompletion(argparse.Action):
    """--completion: a script for a shell, made by shtab from all commands."""

    def __call__(
        self, parser: argparse.ArgumentParser, _: Any, values: Any, *__: Any
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
    parser: argparse.ArgumentParser, table: Table, *, family: str = ""
) -> None:
    """The commands of a table: those of one word, or those of a family."""
    noun = "action" if family else "command"
    commands = parser.add_subparsers(
        # Worked out from the usage otherwise, which takes a formatter of help.
        prog=parser.prog,
        dest=noun,
        metavar=noun.upper(),
        required=True,
        title=f"{noun}s",
        parser_class=LazyParser,
    )
    for name, entry in table.items():
        above, _, word = name.rpartition(" ")
        if above == family:
            commands.add_parser(word, help=entry.summary, called=name, table=table)


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
        options = [option for option in more if _is_option(option)]
        known = of_command._option_string_actions
        message = f"unrecognized arguments: {' '.join(more)}"
        of_command.error(message + (did_you_mean(options[0], known) if options else ""))
    if more:
        args.inputs += more
    return args


def _usage_of(actions: Sequence[argparse.Action]) -> str:
    """GOLD [NAME=]PARSED …: what must be given, options that must be first."""
    names = []
    for action in actions:
        if action.option_strings and not action.required:
            continue
        choices = f"{{{','.join(map(str, action.choices))}}}" if action.choices else ""
        name = str(action.metavar or choices or action.dest)
        is_list = action.nargs in ("+", "*") and not name.endswith("...]")
        names.append(" ".join([*action.option_strings[-1:], name, *["…"] * is_list]))
    return " ".join(sorted(names, key=lambda name: not name.startswith("-")))


def _meant(message: str) -> str:
    """What was probably meant by a choice that there is not."""
    choice = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
    if choice is None:
        return ""
    return did_you_mean(choice[1], re.findall(r"[^', ]+", choice[2]))


def _is_option(argument: str) -> bool:
    return argument.startswith("-") and argument != "-"
