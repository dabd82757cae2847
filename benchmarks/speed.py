"""spinal beside EVALB, PYEVALB and NLTK, in one run. See benchmarks/README.md."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

REPEATS = 3
SLOW_SHARE = 20  # PYEVALB gets a twentieth of the pairs
BAD_SHARE = 30  # one line in so many is bad
SAMPLE_PAIRS = 44  # what start-up is measured with
PRINTED_PAIRS = 2_500  # from here on, a page has about as much in it
PRINTED = f"report, {PRINTED_PAIRS:,} pairs"
SIZES = (300, 1_000, 3_000, 10_000, 38_000, 100_000, 300_000)  # of the plot
MOST_OF_PYEVALB, MOST_OF_NLTK = 1_000, 38_000

READ_WITH_NLTK = """
import sys
from nltk import Tree
for path in sys.argv[1:]:
    for line in open(path, encoding="utf-8"):
        Tree.fromstring(line)
"""


DERIVE = """
import sys
from analyzer.analyses.derive import DerivedTrees
from analyzer.analyses.opening import TreeReading
for _ in DerivedTrees(sys.argv[1], None, (), TreeReading()):
    pass
"""
# Python keeps what it has compiled, as an installation does.
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name not in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
}


class Command(NamedTuple):
    """What is run, and what its time is divided by."""

    name: str
    line: Sequence[str]
    base: str
    scale: float = 1  # if it was given less than the others
    less: str = ""  # a command whose time is taken off first: what is printed
    code: int = 0  # its exit code


class Measured(NamedTuple):
    """The best of some runs; CPU time is that of all processes of a command."""

    seconds: float
    cpu: float
    megabytes: float
    code: int = 0


class Programs:
    """The commands that are measured, and the files that they read."""

    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        self._args, self._folder = args, folder
        self._params = _parameters(args.params, folder)
        self._spinal = str(Path(sys.executable).with_name("spinal"))

    def pairs(self, size: float) -> list[str]:
        """So many lines of both files, which are repeated if they have fewer."""
        paths = []
        for side in (self._args.gold, self._args.parsed):
            lines = side.read_bytes().splitlines(keepends=True)
            path = self._folder / f"{int(size)}.{side.name}"
            if not path.exists():
                with path.open("wb") as stream:
                    stream.writelines(islice(cycle(lines), max(1, int(size))))
            paths.append(str(path))
        return paths

    def with_bad_lines(self, parsed: str) -> str:
        """The file, with brackets missing or too many in one line of thirty."""
        path = Path(parsed).with_suffix(".bad")
        choice = random.Random(1)
        with open(parsed, "rb") as lines, path.open("wb") as stream:
            for line in lines:
                text = line.rstrip(b"\n")
                if choice.randrange(BAD_SHARE) == 0:
                    text = choice.choice([text[:-1], text + b")", b"no tree"])
                stream.write(text + b"\n")
        return str(path)

    def with_some_right(self, gold: str, parsed: str) -> str:
        """The file, with gold's tree in one line of thirty: another parser's."""
        path = Path(parsed).with_suffix(".better")
        choice = random.Random(1)
        with open(gold, "rb") as golds, open(parsed, "rb") as lines:
            both = zip(golds, lines, strict=True)
            chosen = [pair[choice.randrange(BAD_SHARE) > 0] for pair in both]
        path.write_bytes(b"".join(chosen))
        return str(path)

    def spinal(self, command: str, *rest: str, jobs: int = 1) -> list[str]:
        return [self._spinal, command, *rest, "-q", "--jobs", str(jobs)]

    def evalb(self, pair: Sequence[str]) -> list[str]:
        return [str(self._args.evalb), "-p", str(self._params), *pair]

    def pyevalb(self, pair: Sequence[str]) -> list[str] | None:
        found = shutil.which("PYEVALB", path=os.path.dirname(sys.executable))
        return [found, *pair, str(self._folder / "pyevalb.out")] if found else None

    def of_table(self, size: int) -> list[Command]:
        """What stands in the table, with so many pairs and eight times as many."""
        sample, some, many = map(self.pairs, (SAMPLE_PAIRS, size, 8 * size))
        numpy = "import numpy"
        page = ["--html", str(self._folder / "page.html")]
        found = [
            Command(numpy, [sys.executable, "-c", numpy], numpy),
            Command("evalb, 44 pairs", self.spinal("evalb", *sample), numpy),
            Command("score, 44 pairs", self.spinal("score", *sample), numpy),
        ]
        for pair, pairs in ((some, f"{size:,}"), (many, f"{8 * size:,}")):
            base = f"EVALB -O2, {pairs} pairs"
            if self._args.evalb:
                found.append(Command(base, self.evalb(pair), base))
            found += [
                Command(
                    f"{command} --jobs {jobs}, {pairs} pairs",
                    self.spinal(command, *pair, jobs=jobs),
                    base,
                )
                for command in ("evalb", "score")
                for jobs in (1, 2)
            ]
        base = f"score --jobs 1, {8 * size:,} pairs"
        bad = self.with_bad_lines(many[1])
        line = self.spinal("score", many[0], bad)
        found.append(Command(f"score, 1 bad line in {BAD_SHARE}", line, base, code=2))
        base = f"score --jobs 1, {size:,} pairs"
        better = self.with_some_right(*some)
        printed = self.pairs(PRINTED_PAIRS)
        found += [
            Command("errors", self.spinal("errors", *some), base),
            Command(PRINTED, self.spinal("report", *printed, *page), base),
            Command("report", self.spinal("report", *some, *page), base, less=PRINTED),
            Command("compare", self.spinal("compare", *some, better), base),
            Command("derive", self.spinal("derive", some[0]), base),
            Command(
                "derive, nothing drawn", [sys.executable, "-c", DERIVE, some[0]], base
            ),
        ]
        base = f"EVALB -O2, {size:,} pairs"
        found.append(Command("check", self.spinal("check", some[0]), base))
        reading = [sys.executable, "-c", READ_WITH_NLTK, *some]
        found.append(Command("NLTK, reading only", reading, base))
        pyevalb = self.pyevalb(self.pairs(size / SLOW_SHARE))
        if pyevalb:
            found.append(Command("PYEVALB", pyevalb, base, SLOW_SHARE))
        return found

    def of_plot(self, size: int) -> dict[str, list[str]]:
        """What is drawn, with so many pairs."""
        pair = self.pairs(size)
        found = {
            "spinal evalb": self.spinal("evalb", *pair),
            "spinal score": self.spinal("score", *pair),
            "spinal score, 2 processes": self.spinal("score", *pair, jobs=2),
        }
        if self._args.evalb:
            found = {"EVALB -O2": self.evalb(pair), **found}
        if size <= MOST_OF_NLTK:
            found["NLTK, reading only"] = [sys.executable, "-c", READ_WITH_NLTK, *pair]
        pyevalb = self.pyevalb(pair)
        if size <= MOST_OF_PYEVALB and pyevalb:
            found["PYEVALB"] = pyevalb
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("parsed", type=Path)
    parser.add_argument("--evalb", type=Path, help="an EVALB binary, built with -O2")
    parser.add_argument("--params", type=Path, help="a .prm file for EVALB")
    parser.add_argument("--pairs", type=int, default=38_000)
    parser.add_argument("--only", metavar="TEXT", help="rows with this in their name")
    parser.add_argument("--plot", type=Path, help="an SVG of seconds against pairs")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(args, Path(folder))
        commands = programs.of_table(args.pairs)
        if args.only:
            chosen = [one for one in commands if args.only in one.name]
            wanted = {name for one in chosen for name in (one.name, one.base, one.less)}
            commands = [one for one in commands if one.name in wanted]
        found = measured(commands)
        print("\n".join(table(commands, found)), flush=True)
        if args.plot:
            points = {
                (name, size): timed(line, 1)
                for size in SIZES
                for name, line in programs.of_plot(size).items()
            }
            draw(points, args.plot)
    return 0


def measured(commands: Iterable[Command]) -> dict[str, Measured]:
    """In turns, so that a busy minute is not one program's alone."""
    commands = list(commands)
    runs: dict[str, list[Measured]] = {one.name: [] for one in commands}
    for turn in range(REPEATS):
        for one in commands:
            if turn == 0 or one.scale == 1:
                run = timed(one.line, 1)
                seconds, cpu = run.seconds * one.scale, run.cpu * one.scale
                runs[one.name].append(run._replace(seconds=seconds, cpu=cpu))
    return {name: best(tried) for name, tried in runs.items()}


def best(runs: Sequence[Measured]) -> Measured:
    return Measured(
        min(run.seconds for run in runs),
        min(run.cpu for run in runs),
        max(run.megabytes for run in runs),
        max((run.code for run in runs), key=abs),
    )


def timed(command: Sequence[str], repeats: int) -> Measured:
    """Best wall and CPU time of some runs, and the largest resident set."""
    runs = []
    for _ in range(repeats):
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        cpu = usage.ru_utime + usage.ru_stime
        code = os.waitstatus_to_exitcode(status)
        runs.append(Measured(seconds, cpu, usage.ru_maxrss / 1024, code))
    return best(runs)


def table(commands: Sequence[Command], found: dict[str, Measured]) -> list[str]:
    """The results in Markdown."""
    lines = [
        "| | seconds | CPU seconds | peak MB | ratio, wall | ratio, CPU | to |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for one in commands:
        run, base = found[one.name], found.get(one.base)
        ratios = ["", "", ""]
        if base and one.name != one.base:
            less = found.get(one.less, Measured(0, 0, 0))
            wall = (run.seconds - less.seconds) / base.seconds
            cpu = (run.cpu - less.cpu) / base.cpu
            to = f"{one.base}; without {one.less}" if one.less else one.base
            ratios = [f"{wall:.2f}", f"{cpu:.2f}", to]
        numbers = [f"{run.seconds:.2f}", f"{run.cpu:.2f}", f"{run.megabytes:.0f}"]
        name = f"{one.name} (FAILED)" if run.code != one.code else one.name
        lines.append(f"| {' | '.join([name, *numbers, *ratios])} |")
    return lines


def draw(points: dict[tuple[str, int], Measured], path: Path) -> None:
    """Seconds of CPU against pairs, both logarithmic."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for name in dict.fromkeys(name for name, _ in points):
        own = [(size, run.cpu) for (one, size), run in points.items() if one == name]
        axes.loglog(*zip(*own, strict=True), marker="o", markersize=4, label=name)
    axes.set_xlabel("pairs of trees")
    axes.set_ylabel("CPU seconds")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path)
    for (name, size), run in points.items():
        print(f"{name}\t{size}\t{run.seconds:.3f}\t{run.cpu:.3f}")


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


if __name__ == "__main__":
    sys.exit(main())
