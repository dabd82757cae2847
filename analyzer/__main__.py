"""`python -m analyzer`: the command, as `python -m spinal` is."""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import Any

_NEW_OBJECTS = 50_000


class _Terminated(BaseException):
    """Somebody ended us; files that are half written go on the way out."""


def run() -> None:
    """Run the command that was asked for, and end the process."""
    # A command makes many values that stay, and few cycles: look for those less often,
    # from the first import on.
    gc.set_threshold(_NEW_OBJECTS)
    # NumPy would start a thread for each processor, for matrices larger than ours:
    # that took a third of the time of a small command.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from analyzer.cli.main import main
    from analyzer.runtime.memory import keep_freed_memory

    keep_freed_memory()
    signal.signal(signal.SIGTERM, _terminate)
    try:
        code = main()
    except _Terminated:
        # Whoever sent it is to see that we ended by it.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)
    # Nor at the end, where Python would look through all that there is three times.
    gc.freeze()
    sys.exit(code)


def _terminate(_number: int, _frame: Any) -> None:
    raise _Terminated


if __name__ == "__main__":
    run()
