"""`make mutants`: does a test notice if one place of a package is wrong?

A sample of the mutants of each package is tried, one after the other, in a copy of the
project: tests that start processes meet the mutant as well, and nothing changes for
whoever works in the project. The tests are chosen by the lines they run: first those of
the package's own folder, then the others, the quickest first. See docs/mutants.md.

.venv/bin/python -m tests.support.mutants metrics editing --sample 50 --seed 2
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.mutations import Mutant, mutants
from tests.support.traced_runs import (
    PACKAGES,
    Runs,
    Tracer,
    as_json,
    known_runs,
    of_json,
)

ROOT = Path(__file__).resolve().parents[2]
EQUIVALENT = Path("tests/support/equivalent_mutants.tsv")
_OPTIONS = [
    "-p",
    "no:xdist",
    "-p",
    "no:randomly",
    "-p",
    "no:cacheprovider",
    "--hypothesis-seed=0",
]
_NOT_COPIED = ".git .venv* out site build dist .mypy_cache .ruff_cache .pytest_cache"
_IMPORTED_ONCE = "hypothesis.strategies numpy.testing pandas scipy.sparse regex lark"
_FAR_SECONDS = 10.0  # of the tests of other folders, what one mutant may cost
_CPU_FACTOR, _CPU_SECONDS = 5, 30  # a mutant that takes longer loops: it is noticed
_WAIT_FACTOR = 4  # by a clock: what waits for ever takes no processor's time
_TRACING_SECONDS = 7200
_MEMORY = 8 << 30  # bytes


class Place(NamedTuple):
    """A mutant, and the module it is one of."""

    module: str  # below analyzer/
    mutant: Mutant
    number: int  # of several that read the same

    @property
    def key(self) -> str:
        return " | ".join((self.module, *self.mutant[:3], str(self.number)))

    def order(self, seed: int) -> bytes:
        """Random, and the same wherever else the code changes."""
        return hashlib.sha256(f"{seed} {self.key}".encode()).digest()


class Selection:
    """A plugin of pytest: these tests, in this order; the first that fails is noted."""

    def __init__(self, names: Sequence[str], note: Path) -> None:
        self._order = {name: index for index, name in enumerate(names)}
        self._note = note

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order),
            key=lambda item: self._order[item.nodeid],
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._note.write_text(report.nodeid, "utf-8")


@dataclass
class Workshop:
    """The copy, and processes that run pytest in it."""

    folder: Path

    @property
    def note(self) -> Path:
        return self.folder.parent / "note"

    def exit_code(self, work: Callable[[], int], cpu_seconds: float) -> int:
        """Of a process of its own, which has imported pytest and nothing of ours."""
        child = os.fork()
        if not child:
            self._become(cpu_seconds)
            os._exit(work())
        try:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        finally:  # what its tests started; if we are interrupted, all of it
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)

    def _become(self, cpu_seconds: float) -> None:
        os.setsid()
        limit = int(cpu_seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        signal.alarm(_WAIT_FACTOR * limit)
        os.chdir(self.folder)
        os.environ |= {
            "PYTHONPATH": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_PROFILE": "quick",
        }
        sys.dont_write_bytecode = True
        sys.path[:] = [
            str(self.folder),
            *(p for p in sys.path if p not in ("", str(ROOT))),
        ]
        for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
            del sys.modules[name]
        log = os.open(self.folder.parent / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for descriptor in (1, 2):
            os.dup2(log, descriptor)

    def is_noticed(self, names: Sequence[str], seconds: float) -> bool:
        """Does one of the tests fail, or do they not come to an end?"""
        files = list(dict.fromkeys(name.partition("::")[0] for name in names))
        plugins = [Selection(names, self.note)]
        if not names:
            return False
        code = self.exit_code(
            lambda: pytest.main([*_OPTIONS, "-x", *files], plugins),
            seconds * _CPU_FACTOR + _CPU_SECONDS,
        )
        return code != 0

    def traced(self, files: Sequence[str]) -> Runs:
        """Every test of these files."""
        target = self.folder.parent / "runs"

        def work() -> int:
            tracer = Tracer(self.folder)
            pytest.main([*_OPTIONS, *files], [tracer])
            target.write_text(json.dumps(as_json(tracer.runs)), "utf-8")
            return 0

        self.exit_code(work, _TRACING_SECONDS)
        return of_json(json.loads(target.read_text("utf-8")))


def chosen_tests(runs: Runs, place: Place) -> Iterator[list[str]]:
    """Those at home, then those of other folders, of all that run the place."""
    module = place.module
    first, last = place.mutant.first_line, place.mutant.last_line
    lines = range(first, last + 1) if place.mutant.place else None
    package = module.partition("/")[0]
    near = {
        name for name, run in runs.items() if run.passed and run.is_in(module, lines)
    }
    homes = (f"tests/{package}/", f"analyzer/{package}/")
    files = {name.partition("::")[0] for name in near if name.startswith(homes)}
    at_home = [
        name
        for name, run in runs.items()
        if run.passed and name.partition("::")[0] in files
    ]
    yield sorted(at_home, key=lambda name: (name not in near, runs[name].seconds))
    far, seconds = [], 0.0
    for name in sorted(near - {*at_home}, key=lambda name: runs[name].seconds):
        seconds += runs[name].seconds
        if seconds > _FAR_SECONDS:
            break
        far.append(name)
    yield far


def outcome(workshop: Workshop, runs: Runs, place: Place) -> str:
    """`home`, `elsewhere` or `survived`, and the test that noticed."""
    path = workshop.folder / "analyzer" / place.module
    original, state = path.read_bytes(), path.stat()
    try:
        path.write_bytes(place.mutant.source(original))
        os.utime(path, (state.st_atime, state.st_mtime + 10))
        chosen = zip(("home", "elsewhere"), chosen_tests(runs, place), strict=True)
        for where, names in chosen:
            note = workshop.note
            note.unlink(missing_ok=True)
            if workshop.is_noticed(names, sum(runs[name].seconds for name in names)):
                return f"{where} {note.read_text('utf-8') if note.exists() else ''}"
        return "survived"
    finally:
        path.write_bytes(original)  # whose compiled form is there
        os.utime(path, (state.st_atime, state.st_mtime))
        shutil.rmtree(workshop.folder / ".hypothesis/examples", ignore_errors=True)


def places(folder: Path, package: str) -> list[Place]:
    """All mutants of a package; `folder` has all packages."""
    found: list[Place] = []
    for path in sorted((folder / package).rglob("*.py")):
        counts: dict[tuple[str, str, str], int] = {}
        for mutant in mutants(path.read_bytes()):
            number = counts[mutant[:3]] = counts.get(mutant[:3], -1) + 1
            module = str(path.relative_to(folder))
            found.append(Place(module, mutant, number))
    return found


def equivalents() -> set[str]:
    """The keys of mutants that compute the same; each has its reason beside it."""
    rows = (ROOT / EQUIVALENT).read_text("utf-8").splitlines()
    return {row.partition("\t")[0] for row in rows}


def table(results: dict[str, list[str]]) -> str:
    """The table of docs/mutants.md."""
    head = (
        "package | mutants | killed at home | killed elsewhere | survived | equivalent"
    )
    lines = [f"| {head} | killed |", "|---|--:|--:|--:|--:|--:|--:|"]
    for package, outcomes in results.items():
        kinds = [text.partition(" ")[0] for text in outcomes]
        home, far, alive, same = (
            kinds.count(kind)
            for kind in ("home", "elsewhere", "survived", "equivalent")
        )
        share = 100 * (home + far) / max(1, home + far + alive)
        cells = (package, len(kinds), home, far, alive, same, f"{share:.0f} %")
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main(arguments: Iterable[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", default=PACKAGES)
    parser.add_argument("--sample", type=int, default=50, help="mutants of a package")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--again", action="store_true", help="only those that survived the last time"
    )
    args = parser.parse_args(arguments)
    out = ROOT / "out/mutants"
    log = out / f"{args.seed}.json"
    before = json.loads(log.read_text("utf-8")) if args.again and log.exists() else {}
    for name in _IMPORTED_ONCE.split():
        importlib.import_module(name)
    gc.freeze()
    same, outcomes = equivalents(), dict(before)
    results: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        workshop = Workshop(Path(temporary) / "project")
        ignored = shutil.ignore_patterns(*_NOT_COPIED.split())
        shutil.copytree(ROOT, workshop.folder, ignore=ignored)
        runs = known_runs(ROOT, out / "runs.json", workshop.traced)
        for package in args.packages:
            every = places(workshop.folder / "analyzer", package)
            sample = sorted(every, key=lambda place: place.order(args.seed))
            results[package] = []
            for place in sample[: args.sample]:
                key = place.key
                if key in same:
                    outcomes[key] = "equivalent"
                elif before.get(key, "survived") in ("survived", "equivalent"):
                    outcomes[key] = outcome(workshop, runs, place)
                results[package].append(outcomes[key])
                print(place.mutant.first_line, outcomes[key], key, sep="\t", flush=True)
                log.write_text(json.dumps(outcomes, indent=0), "utf-8")
    print(table(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
