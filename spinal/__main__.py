"""`python -m spinal`, and the entry point of the command `spinal`."""

from __future__ import annotations

import gc
import sys

from analyzer.cli.main import main

_NEW_OBJECTS = 50_000


def run() -> None:
    # A command makes many values that stay, and few cycles: look for those less often.
    gc.set_threshold(_NEW_OBJECTS)
    sys.exit(main())


if __name__ == "__main__":
    run()
