"""What a sentence of opposite branching costs, beside a clean file of its size.

Gold branches to the left, the parse to the right, so that they share no bracket but
the whole: the worst for a search of edits. A usual sentence of twenty words stands
before it. The clean file has as many words, in sentences of twenty, parsed right.
See benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tabulate import tabulate

SIZES = (200, 800, 3_000)
_USUAL_WORDS = 20
COMMANDS = {
    "score": ["score"],
    "errors": ["errors"],
    "repairs": ["repairs"],
    "repairs --worth": ["repairs", "--worth"],
    "report": ["report", "--html", "{page}"],
    "derive": ["derive"],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, nargs="+", default=SIZES)
    args = parser.parse_args()
    rows = []
    for words in args.words:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            usual = left(_USUAL_WORDS)
            odd = written(folder / "odd", [usual, left(words)], [usual, right(words)])
            clean = written(
                folder / "clean", *[[usual] * (1 + words // _USUAL_WORDS)] * 2
            )
            for shown, command in COMMANDS.items():
                filled = [
                    part.replace("{page}", str(folder / "page.html"))
                    for part in command
                ]
                opposite, same = (cpu_seconds(filled, pair) for pair in (odd, clean))
                figures = f"{opposite:.2f}", f"{same:.2f}", f"{opposite / same:.1f}"
                rows.append([shown, f"{words:,}", *figures])
    headers = ["command", "words", "opposite, CPU s", "clean, CPU s", "ratio"]
    align = ("left", *["right"] * 4)
    print(tabulate(rows, headers, tablefmt="github", colalign=align))
    return 0


def left(words: int) -> str:
    """A tree in which every bracket begins at the first word."""
    later = "".join(f" (NN w{at}))" for at in range(1, words))
    return f"{'(NP ' * (words - 1)}(NN w0){later}"


def right(words: int) -> str:
    """A tree in which every bracket ends at the last word."""
    opened = "".join(f"(NP (NN w{at}) " for at in range(words - 1))
    return f"{opened}(NN w{words - 1}){')' * (words - 1)}"


def written(start: Path, gold: Sequence[str], parsed: Sequence[str]) -> list[str]:
    paths = [start.with_suffix(".gold.mrg"), start.with_suffix(".parsed.mrg")]
    for path, trees in zip(paths, (gold, parsed), strict=True):
        path.write_text("".join(f"{tree}\n" for tree in trees))
    return [str(path) for path in paths]


def cpu_seconds(command: Sequence[str], pair: Sequence[str]) -> float:
    """Of all processes of a command."""
    spinal = str(Path(sys.executable).with_name("spinal"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = [spinal, command[0], *pair, *command[1:], "-q", "--jobs", "1"]
    ran = subprocess.run(
        whole, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False
    )
    if ran.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(whole)} ended with {ran.returncode}: {ran.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
