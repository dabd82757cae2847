"""What a command writes to a terminal: colours, progress."""

from __future__ import annotations

import io
import subprocess
import sys
import time

import pytest

from analyzer.cli.progress import ReadingBar
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


@pytest.mark.slow
def test_tables_are_within_the_terminal() -> None:
    sets = f"web={WEB[0]}:{WEB[1]}", f"news={NEWS[0]}:{NEWS[1]}"
    for command in (("errors", *WEB), ("domains", *sets), ("score", *WEB)):
        shown = on_a_terminal("-m", "analyzer", *command, "-q")
        assert max(map(len, shown.splitlines())) <= 80
        piped = spinal_process(*command, "-q").stdout.decode()
        assert max(map(len, piped.splitlines())) > 80
