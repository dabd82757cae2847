"""`spinal` in processes of their own, with what they took; see `fork_server`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support.data_paths import ROOT


class Outcome(NamedTuple):
    code: int  # negative: the signal that ended it
    out: str
    err: str
    megabytes: float  # the most it had at once
    calls: int  # of functions, if they were to be counted


class Runner:
    """The process that forks, for as long as the tests of a file run."""

    def __init__(self, folder: Path) -> None:
        self._out, self._err = folder / "out", folder / "err"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.fork_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def run(
        self,
        arguments: Sequence[str | Path],
        *,
        out: str | None = None,
        largest_file: int | None = None,
        count_calls: bool = False,
    ) -> Outcome:
        """Run a command; `out` is where its standard output goes, if not to us."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {
            "arguments": [str(argument) for argument in arguments],
            "out": out or str(self._out),
            "err": str(self._err),
            "largest_file": largest_file,
            "count_calls": count_calls,
        }
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return Outcome(
            answer["code"],
            "" if out else self._out.read_text("utf-8", "replace"),
            self._err.read_text("utf-8", "replace"),
            answer["megabytes"],
            answer["calls"],
        )

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=600)
