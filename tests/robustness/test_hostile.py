"""Hostile files: a message and an exit code, no more work and memory than a clean file.

Most files are read in this process; those that are huge, or huge once expanded, in a
process of their own each, which is how the memory that one takes is measured.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import Ran, spinal
from tests.support.forked import Runner
from tests.support.hostile.catalogue import all_files
from tests.support.hostile.files import MEGABYTE, SENTENCE, Hostile
from tests.support.hostile.good_files import GOOD_FILES

pytestmark = pytest.mark.slow

HUGE = 2 * MEGABYTE  # such files are read in a process of its own
CLEAN = 2 * MEGABYTE
# Times the processor time of a clean file of CLEAN bytes, taken in the same process.
MOST_WORK = 50
MOST_MEGABYTES = 1024

FILES = all_files()


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    running = Runner(tmp_path_factory.mktemp("runner"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("good")
    for name, text in GOOD_FILES.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> list[str | Path]:
    """A command that reads clean trees."""
    path = tmp_path_factory.mktemp("clean") / "trees.mrg"
    path.write_text(f"{SENTENCE}\n" * (CLEAN // len(SENTENCE)))
    return ["score", path, path, "--jobs", "1"]


@pytest.fixture(scope="module")
def work_here(clean: list[str | Path]) -> float:
    """What the clean command costs in this process."""
    spinal(*clean)  # what is imported on the way is not counted
    started = time.process_time()
    assert spinal(*clean).code == 0
    return time.process_time() - started


@pytest.fixture(scope="module")
def work_apart(runner: Runner, clean: list[str | Path]) -> float:
    """What the clean command costs in a process of its own."""
    ran = runner.run(clean)
    assert ran.code == 0
    return ran.cpu_seconds


def test_there_are_many_files_and_no_two_are_called_alike() -> None:
    names = [file.name for file in FILES]
    assert len(names) > 800
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("number", range(len(FILES)), ids=[f.name for f in FILES])
def test_a_hostile_file(
    number: int, good: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    file = FILES[number]
    path = tmp_path / file.file
    path.write_bytes(file.make())
    # Commands take turns: a kind of damage meets all of them, in one format or another.
    given = file.commands[number % len(file.commands)]
    command = [word.format(file=path, good=good) for word in given.split()]
    try:
        if path.stat().st_size > HUGE or file.expands:
            runner = request.getfixturevalue("runner")
            limit = MOST_WORK * request.getfixturevalue("work_apart")
            apart = runner.run(command)
            check(file, Ran(apart.code, apart.out, apart.err))
            assert apart.cpu_seconds < limit
            assert apart.megabytes < MOST_MEGABYTES
            return
        limit = MOST_WORK * request.getfixturevalue("work_here")
        megabytes = most_megabytes()
        started = time.process_time()
        ran = spinal(*command)
        work = time.process_time() - started
        check(file, ran)
        assert work < limit
        assert most_megabytes() - megabytes < MOST_MEGABYTES
    finally:
        path.unlink()  # some are large


def most_megabytes() -> float:
    """The most that this process had at once, so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def check(file: Hostile, ran: Ran) -> None:
    assert ran.code == file.code, ran.err[:2000]
    assert "Traceback" not in ran.err
    assert file.says in ran.err
    if file.code == 2 and file.is_named:
        assert file.file in ran.err
    unseen = {c for c in ran.err if c != "\n" and not c.isprintable()}
    assert not unseen, "control characters in a message"
