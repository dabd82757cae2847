"""Hostile files: a message and an exit code, no more work and memory than a clean file.

Work is counted in calls, which are the same on a busy machine. Most files are read in
this process; those that are huge, or huge once expanded, in a process of their own
each, which is how the memory that one takes is measured.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import Ran, spinal
from tests.support.cost import calls
from tests.support.forked import Runner
from tests.support.hostile.catalogue import all_files
from tests.support.hostile.files import MEGABYTE, Hostile
from tests.support.hostile.good_files import GOOD_FILES

pytestmark = pytest.mark.slow

HUGE = 2 * MEGABYTE  # such files are read in a process of its own
# Where a grammar reads it, a clean file takes up to 60 calls a byte; elsewhere few.
MOST_CALLS = 1_000_000
MOST_CALLS_A_BYTE = 100
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
    size = path.stat().st_size
    limit = MOST_CALLS + MOST_CALLS_A_BYTE * size
    try:
        if size > HUGE or file.expands:
            runner = request.getfixturevalue("runner")
            apart = runner.run(command, count_calls=True)
            check(file, Ran(apart.code, apart.out, apart.err))
            assert apart.calls < limit
            assert apart.megabytes < MOST_MEGABYTES
            return
        megabytes = most_megabytes()
        work = calls(lambda: check(file, spinal(*command)))
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
