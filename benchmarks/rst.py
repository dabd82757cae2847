"""Discourse scoring at size: many documents, all metrics."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from analyzer.formats.rst.dis import write_dis
from analyzer.model.discourse import Unit
from analyzer.transform.documents import binarize

RELATIONS = ("elaboration", "cause", "contrast", "background", "attribution")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--edus", type=int, default=120)
    args = parser.parse_args()
    spinal = str(Path(sys.executable).with_name("spinal"))
    with tempfile.TemporaryDirectory() as folder:
        for side, seed in (("gold", 1), ("predicted", 2)):
            _write(Path(folder) / side, args.documents, args.edus, seed)
        command = [spinal, "rst", "score", f"{folder}/gold", f"{folder}/predicted"]
        started = time.perf_counter()
        process = subprocess.Popen([*command, "-q"], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
    print(
        f"{args.documents:,} documents of {args.edus} EDUs: {seconds:.1f} s, "
        f"{usage.ru_maxrss / 1024:.0f} MB, exit {os.waitstatus_to_exitcode(status)}"
    )
    return 0


def _write(folder: Path, documents: int, edus: int, seed: int) -> None:
    """Random binary trees over the same EDUs."""
    folder.mkdir()
    randomness = random.Random(seed)
    for number in range(documents):
        text = write_dis(binarize(_tree(edus, randomness)))
        (folder / f"d{number:05d}.dis").write_text(text, "utf-8")


def _tree(edus: int, randomness: random.Random) -> Unit:
    """Joins neighbours at random until one unit is left."""
    units = [Unit("N", "span", text=f"unit {n} of the text") for n in range(edus)]
    while len(units) > 1:
        at = randomness.randrange(len(units) - 1)
        relation = randomness.choice(RELATIONS)
        left, right = units[at], units[at + 1]
        kind = randomness.randrange(3)
        left.nuclearity = "S" if kind == 0 else "N"
        right.nuclearity = "S" if kind == 1 else "N"
        left.relation = "span" if kind == 1 else relation
        right.relation = "span" if kind == 0 else relation
        units[at : at + 2] = [Unit("N", "span", [left, right])]
    units[0].nuclearity, units[0].relation = "R", "---"
    return units[0]


if __name__ == "__main__":
    sys.exit(main())
