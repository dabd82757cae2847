"""Progress bars on standard error, for people who wait.

Not tqdm's: that would be one more package for everybody to install, and its bars keep
a thread, beside which worker processes cannot safely be forked.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

from analyzer.cli.streams import draw
from analyzer.exceptions import AnalyzerError
from analyzer.files.sources import STDIN

_SECONDS_BEFORE_PROGRESS = 1.0
_SECONDS_BETWEEN_UPDATES = 0.1
_BAR_WIDTH = 24


class StepBar:
    """A bar on standard error, if that is a terminal and the work takes a while.

    It is wiped when its `with` block ends.
    """

    def __init__(self, total: int, what: str, *, quiet: bool) -> None:
        can_be_wiped = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._is_on = can_be_wiped and not quiet
        self._total = total
        self._what = what
        self._done = 0
        self._started = self._updated = time.monotonic()
        self._was_shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, steps: int) -> None:
        """So many more steps are done."""
        self._done += steps
        now = time.monotonic()
        if (
            not self._is_on
            or now - self._started < _SECONDS_BEFORE_PROGRESS
            or now - self._updated < _SECONDS_BETWEEN_UPDATES
        ):
            return
        self._updated = now
        self._was_shown = True
        text = self._amount()
        if self._total:
            # Compressed files hold more than their size says.
            share = min(1.0, self._done / self._total)
            bar = "█" * round(share * _BAR_WIDTH)
            text = f"{bar:░<{_BAR_WIDTH}} {share:4.0%}  {text}"
        draw(f"\r{text}\x1b[K")

    def close(self) -> None:
        """Wipe the bar."""
        if self._was_shown:
            draw("\r\x1b[K")
            self._was_shown = False

    def _amount(self) -> str:
        return self._what


class ReadingBar(StepBar):
    """Progress in reading files, in bytes."""

    def __init__(self, specs: Sequence[str], *, quiet: bool) -> None:
        super().__init__(0, "read", quiet=quiet)
        if self._is_on and STDIN not in specs:
            from analyzer.files.inputs import Input

            with suppress(AnalyzerError, OSError):
                self._total = sum(
                    os.path.getsize(file.name)
                    for spec in specs
                    for file in Input.of_path(spec).files
                )

    def _amount(self) -> str:
        return f"{self._what} {self._done / 1e6:,.0f} MB"
