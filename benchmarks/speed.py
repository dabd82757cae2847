"""spinal beside EVALB, PYEVALB and NLTK, in one run. See benchmarks/README.md."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

REPEATS = 3
SLOW_SHARE = 20  # PYEVALB gets a twentieth of the pairs

READ_WITH_NLTK = """
import sys
from nltk import Tree
for path in sys.argv[1:]:
    for line in open(path, encoding="utf-8"):
        Tree.fromstring(line)
"""


class Measured(NamedTuple):
    name: str
    seconds: float
    megabytes: float
    note: str = ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("parsed", type=Path)
    parser.add_argument("--evalb", type=Path, help="an EVALB binary, built with -O2")
    parser.add_argument("--params", type=Path, help="a .prm file for EVALB")
    parser.add_argument("--pairs", type=int, default=38_000)
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        once, twice, part = (
            _repeated(args.gold, args.parsed, int(args.pairs * factor), Path(folder))
            for factor in (1, 2, 1 / SLOW_SHARE)
        )
        prm = _parameters(args.params, Path(folder))
        results = _measure(args.evalb, prm, once, twice, part)
    _report(results, args.pairs)
    return 0


def _measure(
    evalb: Path | None,
    prm: Path,
    once: Sequence[str],
    twice: Sequence[str],
    part: Sequence[str],
) -> list[Measured]:
    spinal = str(Path(sys.executable).with_name("spinal"))
    commands: list[tuple[str, list[str]]] = []
    if evalb is not None:
        commands.append(("EVALB", [str(evalb), "-p", str(prm), *once]))
    one, two = ("-q", "--jobs", "1"), ("-q", "--jobs", "2")
    commands += [
        ("spinal evalb --jobs 1", [spinal, "evalb", *once, *one]),
        ("spinal evalb --jobs 1, x2", [spinal, "evalb", *twice, *one]),
        ("spinal evalb --jobs 2", [spinal, "evalb", *once, *two]),
        (
            "spinal evalb --jobs 1 --format evalb",
            [spinal, "evalb", *once, *one, "--format", "evalb"],
        ),
        ("spinal score --jobs 1", [spinal, "score", *once, *one]),
        ("spinal score --jobs 1, x2", [spinal, "score", *twice, *one]),
        ("spinal score --jobs 2", [spinal, "score", *once, *two]),
        ("NLTK, reading only", [sys.executable, "-c", READ_WITH_NLTK, *once]),
        ("spinal --help", [spinal, "--help"]),
    ]
    results = [_timed(name, command) for name, command in commands]
    pyevalb = shutil.which("PYEVALB", path=os.path.dirname(sys.executable))
    if pyevalb:
        out = str(Path(part[0]).with_suffix(".out"))
        slow = _timed("PYEVALB", [pyevalb, *part, out], repeats=1)
        note = f"measured on 1/{SLOW_SHARE} of the pairs"
        results.append(slow._replace(seconds=slow.seconds * SLOW_SHARE, note=note))
    return results


def _timed(name: str, command: Sequence[str], repeats: int = REPEATS) -> Measured:
    """Best wall time of some runs, and the largest resident set."""
    seconds = []
    peak = 0
    for _ in range(repeats):
        started = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds.append(time.perf_counter() - started)
        peak = max(peak, usage.ru_maxrss)
        if status != 0:
            return Measured(name, min(seconds), peak / 1024, f"FAILED ({status})")
    return Measured(name, min(seconds), peak / 1024)


def _repeated(gold: Path, parsed: Path, pairs: int, folder: Path) -> list[str]:
    """Copies of both files, repeated to have about so many lines."""
    paths = []
    lines = len(gold.read_bytes().splitlines())
    for side in (gold, parsed):
        path = folder / f"{pairs}.{side.name}"
        text = side.read_bytes().rstrip(b"\n") + b"\n"
        with path.open("wb") as stream:
            for _ in range(max(1, round(pairs / lines))):
                stream.write(text)
        paths.append(str(path))
    return paths


def _parameters(given: Path | None, folder: Path) -> Path:
    """EVALB's parameters: those given, or Collins's, with errors never fatal."""
    if given is not None:
        return given
    deleted = ("TOP", "-NONE-", ",", ":", "``", "''", ".")
    lines = [f"DELETE_LABEL {label}" for label in deleted]
    lines += ["DELETE_LABEL_FOR_LENGTH -NONE-", "EQ_LABEL ADVP PRT"]
    lines += ["MAX_ERROR 1000000", "CUTOFF_LEN 40", "LABELED 1"]
    path = folder / "benchmark.prm"
    path.write_text("\n".join(lines) + "\n")
    return path


def _report(results: Sequence[Measured], pairs: int) -> None:
    by_name = {result.name: result for result in results}
    base = by_name.get("EVALB")
    rows = [
        [
            one.name,
            f"{one.seconds:.2f}",
            f"{one.megabytes:.0f}",
            f"{one.seconds / base.seconds:.1f}" if base else "-",
            one.note,
        ]
        for one in results
    ]
    print(f"about {pairs:,} pairs; best of {REPEATS} runs\n")
    headers = ["program", "seconds", "peak MB", "x EVALB", ""]
    print(tabulate(rows, headers=headers, disable_numparse=True))
    if base is None:
        print("\nEVALB was not measured: pass --evalb PATH")
    if "PYEVALB" not in by_name:
        print("\nPYEVALB was not measured: pip install -e '.[benchmarks]'")
    else:
        times = by_name["PYEVALB"].seconds / by_name["spinal evalb --jobs 1"].seconds
        print(f"\nspinal evalb is {times:.0f} times faster than PYEVALB")


if __name__ == "__main__":
    sys.exit(main())
