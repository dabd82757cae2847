"""Which lines of the packages each test runs, and how long it takes: see `mutants`."""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

PACKAGES = (
    *("metrics", "derivation", "transform", "constructions"),
    *("pairing", "editing", "rst_parser", "checks"),
)
HOMES = tuple(f"tests/{package}/" for package in PACKAGES)


@dataclass
class Run:
    """What a test does when nothing is wrong."""

    seconds: float = 0.0
    passed: bool = True
    lines: dict[str, int] = field(default_factory=dict)  # module: a bit for each line

    def is_in(self, module: str, lines: range | None) -> bool:
        """Does it run one of the lines, or if None, any of the module's?"""
        mask = -1 if lines is None else (1 << len(lines)) - 1 << lines.start
        return bool(self.lines.get(module, 0) & mask)


Runs = dict[str, Run]  # by the names that pytest gives tests


class Tracer:
    """A plugin of pytest; `root` is the project's folder."""

    def __init__(self, root: Path) -> None:
        self.runs: Runs = {}
        self._prefix = f"{root}/analyzer/"
        self._modules: dict[str, str | None] = {}  # by path; None: not ours
        self._lines: set[tuple[str, int]] = set()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Slow tests at home only; none that need a browser or a cluster."""
        items[:] = [
            item
            for item in items
            if not {mark.name for mark in item.iter_markers()} & {"browser", "cluster"}
            and (item.nodeid.startswith(HOMES) or not item.get_closest_marker("slow"))
        ]

    def _on_call(self, frame: FrameType, event: str, value: object) -> Any:
        path = frame.f_code.co_filename
        if path not in self._modules:
            module = path.removeprefix(self._prefix)
            is_ours = module.partition("/")[0] in PACKAGES
            self._modules[path] = module if is_ours else None
        return self._on_line if self._modules[path] else None

    def _on_line(self, frame: FrameType, event: str, value: object) -> Any:
        self._lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._on_line

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._lines.clear()
        threading.settrace(self._on_call)
        sys.settrace(self._on_call)
        yield
        sys.settrace(None)
        threading.settrace(None)
        lines = self.runs.setdefault(item.nodeid, Run()).lines
        for path, line in self._lines:
            module = self._modules[path] or ""
            lines[module] = lines.get(module, 0) | 1 << line

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        run = self.runs.setdefault(report.nodeid, Run())
        run.seconds += report.duration
        run.passed &= report.passed


def as_json(runs: Runs) -> dict[str, dict[str, Any]]:
    return {name: vars(run) for name, run in runs.items()}


def of_json(runs: dict[str, dict[str, Any]]) -> Runs:
    return {name: Run(**fields) for name, fields in runs.items()}


def known_runs(
    root: Path, cache: Path, traced: Callable[[Sequence[str]], Runs]
) -> Runs:
    """Of all tests; those of files that did not change are known from before."""
    sources = sorted((root / "analyzer").rglob("*.py"))
    tests = sorted((root / "tests").rglob("test_*.py"))
    files = {str(path.relative_to(root)): _digest(path) for path in [*sources, *tests]}
    code = {name: digest for name, digest in files.items() if "test_" not in name}
    known = json.loads(cache.read_text("utf-8")) if cache.exists() else {}
    if known.get("code") != code:
        known = {"code": code, "files": {}, "runs": {}}
    new = [name for name, digest in files.items() if known["files"].get(name) != digest]
    runs = {
        name: run
        for name, run in of_json(known["runs"]).items()
        if (file := name.partition("::")[0]) in files and file not in new
    }
    if new:
        runs |= traced(new)
        known |= {"files": files, "runs": as_json(runs)}
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_text(json.dumps(known), "utf-8")
    return runs


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
