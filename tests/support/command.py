"""Running the command `spinal`: in this process, and for real."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from analyzer.cli.main import main
from tests.support.data_paths import ROOT


class Ran(NamedTuple):
    code: int
    out: str
    err: str


def spinal(*arguments: str | Path) -> Ran:
    """Run `spinal` in this process; an exception that escapes fails the test."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    return Ran(code, out.getvalue(), err.getvalue())


def spinal_process(*arguments: str | Path, **options: Any) -> Any:
    """Run `spinal` in a process of its own, as a shell would."""
    command = [sys.executable, "-m", "analyzer", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, cwd=ROOT, check=False, timeout=600, **options
    )


def started(*arguments: str | Path, **options: Any) -> subprocess.Popen[bytes]:
    """Start `spinal` in a process of its own, and do not wait for it."""
    return started_with(["-m", "analyzer"], *arguments, **options)


def started_with(
    program: list[str], *arguments: str | Path, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a program of Python's, which hears Ctrl-C."""
    return subprocess.Popen(
        [sys.executable, *program, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_hear_interrupts,
        **options,
    )


def _hear_interrupts() -> None:
    """Tests that run in the background ignore Ctrl-C; a command does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What a command writes to a terminal, standard output and error together."""
    parent, child = pty.openpty()
    variables = {**os.environ, "COLUMNS": "80", "TERM": "xterm", **environment}
    if "NO_COLOR" not in environment:
        variables.pop("NO_COLOR", None)
    with subprocess.Popen(
        [sys.executable, *arguments],
        stdout=child,
        stderr=child,
        env=variables,
        cwd=ROOT,
    ) as process:
        os.close(child)
        written = b""
        while True:
            try:
                data = os.read(parent, 65536)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            written += data
        process.wait(timeout=600)
    os.close(parent)
    return written.decode()
