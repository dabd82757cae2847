"""Hostile files: a message and an exit code, little time, little memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.forked import Outcome, Runner
from tests.support.hostile.catalogue import all_files
from tests.support.hostile.files import Hostile
from tests.support.hostile.good_files import GOOD_FILES

CPU_SECONDS = 5
MEGABYTES = 1024
# Files larger than this go through one of their commands, by turns.
LARGE = 200_000

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
    assert len(names) > 1000
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("number", range(len(FILES)), ids=[f.name for f in FILES])
def test_a_hostile_file(
    runner: Runner, good: Path, tmp_path: Path, number: int
) -> None:
    file = FILES[number]
    path = tmp_path / file.file
    path.write_bytes(file.make())
    commands = file.commands
    if path.stat().st_size > LARGE:
        commands = (commands[number % len(commands)],)
    try:
        for command in commands:
            words = [word.format(file=path, good=good) for word in command.split()]
            check(file, runner.run(words))
    finally:
        path.unlink()  # some are large


def check(file: Hostile, ran: Outcome) -> None:
    assert ran.code == file.code, ran.err[:2000]
    assert "Traceback" not in ran.err
    assert file.says in ran.err
    if file.code == 2 and file.is_named:
        assert file.file in ran.err
    unseen = {c for c in ran.err if c != "\n" and not c.isprintable()}
    assert not unseen, "control characters in a message"
    assert ran.cpu_seconds < CPU_SECONDS
    assert ran.megabytes < MEGABYTES
