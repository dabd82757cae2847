"""What a command writes to a terminal: colours, progress."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import time

import pytest

from analyzer.cli.progress import ReadingBar
from analyzer.safe_text import display_width
from reports.model import Column, Table
from reports.render import render
from tests.support.command import on_a_terminal, spinal_process
from tests.support.data_paths import ROOT
from tests.support.golden import NEWS, WEB


@pytest.mark.slow
def test_colour_on_a_terminal_unless_told_not_to() -> None:
    shown = ("-m", "analyzer", "show", *WEB, "2")
    assert "\x1b[" in on_a_terminal(*shown)
    assert "\x1b[" not in on_a_terminal(*shown, NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal(*shown, "--color", "never")
    assert "\x1b[" in on_a_terminal(*shown, "--color", "always", NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal(*shown, TERM="dumb")


def test_no_colour_in_a_pipe() -> None:
    assert b"\x1b[" not in spinal_process("show", *WEB, "2").stdout


SLOW = """\
import sys
from analyzer.cli import progress
from analyzer.cli.main import main
from analyzer.formats.penn import reader
progress._SECONDS_BEFORE_PROGRESS = float(sys.argv[1])
progress._SECONDS_BETWEEN_UPDATES = 0
reader.BLOCK_BYTES = 2000
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.slow
def test_progress_on_a_terminal_when_it_takes_long() -> None:
    command = ("evalb", NEWS[0], "examples/news.chart.mrg")
    slow = on_a_terminal("-c", SLOW, "0", *command)
    assert "█" in slow
    assert "100%" in slow
    assert slow.index("█") < slow.index("Bracket scores")
    assert slow[: slow.index("Bracket scores")].endswith("\x1b[K")  # wiped
    assert "█" not in on_a_terminal("-c", SLOW, "60", *command)
    assert "█" not in on_a_terminal("-c", SLOW, "0", *command, "-q")
    assert "█" not in on_a_terminal("-c", SLOW, "0", *command, TERM="dumb")


def test_no_progress_in_a_pipe() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SLOW, "0", "evalb", *WEB],
        capture_output=True,
        cwd=ROOT,
        check=True,
        timeout=600,
    )
    assert "█" not in ran.stderr.decode()
    assert b"\x1b" not in ran.stderr


def test_the_bar_waits_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    screen.isatty = lambda: True  # type: ignore[method-assign]
    now = [100.0]
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    bar = ReadingBar(list(WEB), quiet=False)
    bar.add(1000)
    now[0] += 0.9
    bar.add(1000)
    assert screen.getvalue() == ""
    now[0] += 0.2
    bar.add(1000)
    assert "%" in screen.getvalue()


# Every command that prints tables, and the options that add some.
TABLES = """
score GOLD CHART
score GOLD CHART --columns all --by-sentence --causes
score GOLD GREEDY --queries QUERIES
errors GOLD CHART
errors GOLD CHART --confusions
errors DIS DISCHART
repairs GOLD CHART --worth --list --limit 5 --by-sentence
repairs GOLD CHART --classifier spinal --crossed
breakdown GOLD CHART --by length --resamples 5
breakdown GOLD chart=CHART greedy=GREEDY --by construction --resamples 5
domains web=GOLD:CHART news=NEWS:NEWSCHART --causes --repairs
generalise train=GOLD:CHART dev=NEWS:NEWSCHART --resamples 5
compare GOLD chart=CHART greedy=GREEDY --resamples 10 --repairs
compare DIS chart=DISCHART greedy=DISGREEDY --resamples 10
agree GOLD CHART
agree GOLD CHART GREEDY
agree DIS DISCHART --segmentation offsets
rst score DIS chart=DISCHART greedy=DISGREEDY --by-document --by-relation
rst score DIS DISCHART --constructions
rst score DIS DISCHART --classification
rst score DIS DISCHART --published --faithfulness
rst similarity DIS DISCHART DISGREEDY
rst ambiguity DIS
kernel GOLD CHART
kernel GOLD --nearest 2
find NP<PP GOLD --limit 5
find NP<PP GOLD --count
find --queries QUERIES --gold GOLD --parsed CHART --resamples 5
check GOLD --limit 5
check DIS
patterns list
patterns check GOLD
evalb GOLD CHART --by-label --by-sentence
evalb GOLD CHART --conventions
""".strip().splitlines()
PATHS = {
    **{"GOLD": "web.gold.mrg", "CHART": "web.chart.mrg", "GREEDY": "web.greedy.mrg"},
    **{"NEWS": "news.gold.mrg", "NEWSCHART": "news.chart.mrg"},
    **{"DIS": "discourse", "DISCHART": "discourse_chart"},
    **{"DISGREEDY": "discourse_greedy", "QUERIES": "queries/english.toml"},
}
# Runs commands, each on a line of its own, in one process.
ALL = """
import sys
from analyzer.cli.main import main
for line in sys.argv[2:]:
    print("$", line, flush=True)
    main([*line.split(), "-q", *sys.argv[1].split()])
"""


def on_terminals(width: int, *options: str, **environment: str) -> dict[str, str]:
    """What each command writes to a terminal so wide."""
    lines = [
        re.sub(r"\b[A-Z]{3,}\b", lambda name: f"examples/{PATHS[name[0]]}", line)
        if "NP<" not in line
        else line.replace("GOLD", "examples/web.gold.mrg")
        for line in TABLES
    ]
    written = on_a_terminal(
        "-c", ALL, " ".join(options), *lines, COLUMNS=str(width), **environment
    )
    parts = re.split(r"^\$ ", written.replace("\r\n", "\n"), flags=re.MULTILINE)[1:]
    return {one.partition("\n")[0]: one.partition("\n")[2] for one in parts}


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 120])
def test_tables_are_within_the_terminal(width: int) -> None:
    shown = on_terminals(width, NO_COLOR="1")
    assert len(shown) == len(TABLES)
    for command, text in shown.items():
        assert "spinal: " not in text, (command, text)
        for line in text.splitlines():
            is_word = " " not in line.strip()
            assert display_width(line) <= width or is_word, (command, line)
    errors = next(text for command, text in shown.items() if "errors" in command)
    assert ("no room for word; --wide shows all" in errors) is (width == 80)


def test_wide_tables_and_pipes_have_all_columns() -> None:
    piped = spinal_process("errors", *WEB, "-q").stdout.decode()
    assert max(map(len, piped.splitlines())) > 120
    wide = on_a_terminal("-m", "analyzer", "errors", *WEB, "-q", "--wide", NO_COLOR="1")
    rows = piped.splitlines()[:28]
    assert wide.splitlines()[:28] == rows


def test_colours_say_what_numbers_say() -> None:
    compared = (
        "-m",
        "analyzer",
        "compare",
        WEB[0],
        *COLOURED,
        "--resamples",
        "5",
        "-q",
    )
    shown = on_a_terminal(*compared)
    assert re.search(r"\x1b\[1;31m-\d", shown)  # a loss, which has its sign
    assert not re.search(r"\x1b\[1;31m\+|\x1b\[1;32m-", shown)
    plain = on_a_terminal(*compared, NO_COLOR="1")
    assert "\x1b[" not in plain
    assert re.sub(r"\x1b\[[\d;]*m", "", shown) == plain
    assert "\x1b[" not in on_a_terminal(*compared, TERM="dumb")
    environment = {**os.environ, "FORCE_COLOR": "1"}
    environment.pop("NO_COLOR", None)
    forced = spinal_process(*compared[2:], env=environment).stdout
    assert b"\x1b[1;31m-" in forced
    assert b"\x1b[" not in spinal_process(*compared[2:]).stdout


COLOURED = ("chart=examples/web.chart.mrg", "greedy=examples/web.greedy.mrg")


def test_columns_go_in_their_order() -> None:
    """First what others say as well; the first column and whole numbers stay."""
    names = "construction matched_h precision share_gold f_s_interval gold verdict"
    columns = [
        Column(name, unit="text" if name in ("construction", "verdict") else "count")
        for name in names.split()
    ]
    table = Table("t", columns, [["NP-t", 1_000_000, 1, 1, 1, 1, "better"]])
    order = []
    for width in range(120, 10, -1):
        shown = render(table, "text", width)
        gone = re.search(r"noroomfor(.*?);", "".join(shown.split()))
        order += [] if gone is None else gone[1].split(",")
    assert [*dict.fromkeys(order)] == names.split()[1:]
