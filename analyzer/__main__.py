"""`python -m analyzer`: the command, as `python -m spinal` is."""

from __future__ import annotations

import gc
import os
import sys

_NEW_OBJECTS = 50_000


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
    code = main()
    # Nor at the end, where Python would look through all that there is three times.
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    run()
