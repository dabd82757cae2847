"""`python -m spinal`, and the entry point of the command `spinal`."""

from __future__ import annotations

import sys

from analyzer.cli.main import main


def run() -> None:
    sys.exit(main())


if __name__ == "__main__":
    run()
