"""`python -m spinal`, and the entry point of the command `spinal`."""

from __future__ import annotations

from analyzer.__main__ import run

if __name__ == "__main__":
    run()
