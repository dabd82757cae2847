"""A command and an option can be declared anywhere: here, for one test each."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.cli import options
from analyzer.cli.declarations import Group, Option, at_least, command
from analyzer.cli.main import COMMANDS, main
from analyzer.cli.output import OK
from analyzer.cli.parsers import Entry
from analyzer.cli.streams import put
from analyzer.files.atomic import write_text
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

GOLD, PARSED = EXAMPLES / "web.gold.mrg", EXAMPLES / "web.chart.mrg"


@command(
    Option("FILE  whom to greet", nargs="+", dest="inputs"),
    Option("--times N  how often (default: %(default)s)", at_least(1), 1),
    Option("--tone {plain,loud}", default="plain"),
    Option("--also NAME  someone else; may be repeated", action="append"),
    Option("-o OUT  a file to write", dest="out", is_output=True),
    Group("manners", Option("--politely  with a bow"), is_rare=True),
    options.INPUT,
)
def run_greet(args: Namespace) -> int:
    """Greet files,
    one by one.

    examples:
      spinal greet gold.mrg --times 2

    Nobody is left out.
    """
    names = " ".join([*args.inputs, *args.also] * args.times)
    text = f"{names}, {args.tone}, {args.politely}"
    put(text)
    if args.out:
        write_text(args.out, text)
    return OK


@pytest.fixture
def _greet() -> Iterator[None]:
    COMMANDS["greet"] = Entry("says hello", command=run_greet)
    yield
    del COMMANDS["greet"]


@pytest.mark.usefixtures("_greet")
def test_a_command_from_a_test(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["greet", "a", "b", "--times", "2", "--also", "c"]) == 0
    assert capsys.readouterr().out == "a b c a b c, plain, False\n"
    assert main(["greet", "a", "--tone", "loud", "b", "--politely"]) == 0
    assert capsys.readouterr().out == "a b, loud, True\n"


@pytest.mark.usefixtures("_greet")
def test_its_help_is_its_rows_and_its_docstring() -> None:
    listed = spinal("--help").out
    assert "  greet " in listed
    assert "says hello" in listed
    short, whole = spinal("greet", "-h").out, spinal("greet", "--help-all").out
    assert short.startswith("usage: spinal greet [options] FILE …\n\nGreet files, one ")
    assert re.search(r"  --times N +how often \(default: 1\)\n", short)
    assert "examples:\n  spinal greet gold.mrg --times 2\n" in short
    rare_ones = ("--politely", "--encoding", "--max-tree-nodes", "Nobody is left out.")
    for rare in (*rare_ones, "--tone {plain,loud}"):  # that one says nothing of itself
        assert rare not in short
        assert rare in whole


@pytest.mark.usefixtures("_greet")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], "the following arguments are required: FILE"),
        (["a", "--times", "0"], "argument --times: must be 1 or more, not 0"),
        (["a", "--times", "x"], "argument --times: invalid whole number value: 'x'"),
        (["a", "--tone", "lout"], "; did you mean 'loud'?"),
        (["a", "--politly"], "; did you mean '--politely'?"),
        (["a", "--max-expansion", "0"], "--max-expansion must be at least 1, not 0"),
    ],
)
def test_its_usage_errors(given: list[str], told: str) -> None:
    ran = spinal("greet", *given)
    assert ran.code == 2
    assert told in ran.err


@pytest.mark.usefixtures("_greet")
def test_what_it_writes_is_not_what_it_reads(tmp_path: Path) -> None:
    read = tmp_path / "read.txt"
    read.write_text("kept")
    assert spinal("greet", read, "-o", read).code == 2
    assert read.read_text() == "kept"
    assert spinal("greet", read, "-o", tmp_path / "new.txt").code == 0
    assert (tmp_path / "new.txt").read_text().endswith("plain, False")


def test_a_command_can_go_again() -> None:
    assert "greet" not in spinal("--help").out
    assert spinal("greet", "a").code == 2


def test_an_option_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a command that there is; what was declared is not changed."""
    entry = COMMANDS["evalb"]
    before = entry.load("evalb")
    more = before._replace(arguments=(*before.arguments, Option("--aloud  sing it")))
    monkeypatch.setitem(COMMANDS, "evalb", entry._replace(command=more))
    assert "--aloud " in spinal("evalb", "--help").out
    assert spinal("evalb", GOLD, PARSED, "--aloud", "-q").code == 0
    monkeypatch.undo()
    assert spinal("evalb", GOLD, PARSED, "--aloud").code == 2


def test_every_command_of_the_table_can_be_loaded() -> None:
    for name, entry in COMMANDS.items():
        if not entry.family:
            assert entry.load(name).run.__doc__, name


def test_other_words_for_a_row() -> None:
    other = options.GROUP_BY.but(help="else")
    assert other.settings["help"] == "else" != options.GROUP_BY.settings["help"]
    assert other.names == options.GROUP_BY.names == ["--group-by"]
