"""Repairs: CPU seconds of a run, start-up included, beside the reference program's.

The reference is the Berkeley Parser Analyser (github.com/jkkummerfeld/
berkeley-parser-analyser); name the folder that holds classify_english.py. Both count
the same errors, which is checked.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path


def seconds_of(command: list[str], **environment: str) -> float:
    """The CPU time of a process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def our_counts(gold: str, parsed: str) -> list[tuple[int, int, str]]:
    ran = subprocess.run(
        [sys.executable, "-m", "analyzer", "repairs", gold, parsed, "--format", "csv"],
        check=True,
        capture_output=True,
        text=True,
    )
    rows = list(csv.DictReader(ran.stdout.splitlines()))
    return sorted(
        (int(row["errors"]), int(row["nodes"]), row["error_type"]) for row in rows[:-1]
    )


def their_counts(path: Path) -> list[tuple[int, int, str]]:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    parts = [line.split(" ", 2) for line in lines]
    return sorted((int(errors), int(nodes), name) for errors, nodes, name in parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold")
    parser.add_argument("parsed")
    parser.add_argument("--reference", type=Path, help="berkeley_parse_analyser/")
    parser.add_argument("--runs", type=int, default=3, help="of ours; the best counts")
    args = parser.parse_args()
    given = [args.gold, args.parsed, "-q"]
    command = [sys.executable, "-m", "analyzer", "repairs", *given]
    ours = 0.0
    for classifier in ("kummerfeld", "spinal"):
        runs = [
            seconds_of([*command, "--classifier", classifier]) for _ in range(args.runs)
        ]
        print(f"{classifier:10} {min(runs):8.2f} s")
        ours = min(runs) if classifier == "kummerfeld" else ours
    if args.reference:
        with tempfile.TemporaryDirectory() as folder:
            prefix = Path(folder) / "out"
            script = str(args.reference / "classify_english.py")
            seconds = seconds_of(
                [sys.executable, script, args.gold, args.parsed, str(prefix)],
                PYTHONPATH=str(args.reference),
            )
            found = their_counts(prefix.with_suffix(".error_counts"))
        print(f"{'reference':10} {seconds:8.2f} s, {seconds / ours:.0f} times as long")
        same = found == our_counts(args.gold, args.parsed)
        print("the same counts" if same else "THE COUNTS DIFFER")
        return 0 if same else 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
