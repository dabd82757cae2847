"""How the cost of `spinal score` grows with the input and shrinks with processes.

See benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

SIZES = (10_000, 100_000, 300_000, 1_000_000)
_SECONDS_BETWEEN_LOOKS = 0.1


class Measured(NamedTuple):
    seconds: float
    megabytes: float  # of all processes together, shared pages counted once


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("parsed", type=Path)
    parser.add_argument("--pairs", type=int, nargs="+", default=SIZES)
    parser.add_argument("--jobs", type=int, nargs="+", default=(1, 2))
    parser.add_argument("--command", choices=("score", "evalb"), default="score")
    args = parser.parse_args()

    spinal = str(Path(sys.executable).with_name("spinal"))
    rows = []
    for pairs in args.pairs:
        with tempfile.TemporaryDirectory() as folder:
            sides = [
                repeated(path, pairs, Path(folder)) for path in (args.gold, args.parsed)
            ]
            first = None
            for jobs in args.jobs:
                command = [spinal, args.command, *sides, "-q", "--jobs", str(jobs)]
                found = measured(command)
                first = first or found.seconds
                rows.append(
                    [
                        f"{pairs:,}",
                        jobs,
                        f"{found.seconds:.2f}",
                        f"{found.seconds / pairs * 1e6:.1f}",
                        f"{first / found.seconds:.2f}",
                        f"{found.megabytes:.0f}",
                    ]
                )
    headers = ["pairs", "jobs", "seconds", "µs a pair", "speed-up", "peak MB"]
    print(tabulate(rows, headers=headers, disable_numparse=True, stralign="right"))
    return 0


def repeated(path: Path, pairs: int, folder: Path) -> str:
    """A file of exactly so many lines, made of copies of another's."""
    lines = path.read_bytes().splitlines(keepends=True)
    target = folder / path.name
    with target.open("wb") as stream:
        whole, rest = divmod(pairs, len(lines))
        for _ in range(whole):
            stream.writelines(lines)
        stream.writelines(lines[:rest])
    return str(target)


def measured(command: Sequence[str]) -> Measured:
    """Wall time, and the largest memory of the process and those it starts."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, _memory(process.pid))
        with suppress(subprocess.TimeoutExpired):
            process.wait(_SECONDS_BETWEEN_LOOKS)
    seconds = time.perf_counter() - started
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return Measured(seconds, peak)


def _memory(pid: int) -> float:
    """Proportional set size of a process and its children, in MB."""
    total = 0
    with suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for one in (str(pid), *children):
            rollup = Path(f"/proc/{one}/smaps_rollup").read_text()
            total += int(rollup.split("\nPss:")[1].split()[0])
    return total / 1024


if __name__ == "__main__":
    sys.exit(main())
