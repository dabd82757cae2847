"""`python -m analyzer`: the command, as `python -m spinal` is."""

from __future__ import annotations

import sys

from analyzer.cli.main import main


def run() -> None:
    sys.exit(main())


if __name__ == "__main__":
    run()
