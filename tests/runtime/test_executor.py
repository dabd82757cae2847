"""Work shared among processes: the same numbers, and nothing left behind."""

from __future__ import annotations

import gc
import gzip
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import spawn
from pathlib import Path
from typing import Any

import pytest

from analyzer import read_trees, score
from analyzer.exceptions import AnalyzerError, InputError, SettingsError
from analyzer.metrics.constructions import declare
from analyzer.metrics.measures import Measure
from analyzer.runtime import executor, processes
from analyzer.runtime.executor import run_tasks
from tests.support.command import spinal, started
from tests.support.data_paths import EXAMPLES, ROOT

pytestmark = pytest.mark.slow

GOLD, CHART, GREEDY = (
    EXAMPLES / f"web.{name}.mrg" for name in ("gold", "chart", "greedy")
)
COMMANDS: dict[str, tuple[Any, ...]] = {
    "score": ("score", GOLD, GREEDY, "--by-sentence"),
    "evalb": ("evalb", GOLD, GREEDY, "--by-label", "--by-sentence"),
    "conventions": ("evalb", GOLD, GREEDY, "--conventions"),
    "domains": ("domains", f"a={GOLD}:{CHART}", f"b={GOLD}:{GREEDY}"),
    "compare": ("compare", GOLD, CHART, GREEDY, "--resamples", "50"),
    "check": ("check", GOLD),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_any_number_of_processes_and_any_block_size_give_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = spinal(*COMMANDS[name], "--format", "json", "--jobs", "1")
    for block, jobs in ((300, "2"), (2000, "1")):
        monkeypatch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", block)
        assert spinal(*COMMANDS[name], "--format", "json", "--jobs", jobs) == whole


def test_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = len(read_trees(str(GOLD)))
    groups = tmp_path / "groups.tsv"
    rows = [f"{number}\t{'abc'[number % 3]}\n" for number in range(sentences)]
    groups.write_text("n\tgenre\n" + "".join(rows))
    command = ("domains", f"all={GOLD}:{CHART}", "--group-by", f"{groups}:genre")
    whole = spinal(*command, "--format", "json", "--jobs", "1")
    assert whole.code == 0
    monkeypatch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", 700)
    assert spinal(*command, "--format", "json", "--jobs", "3") == whole
    groups.write_text("n\tgenre\n" + "".join(rows[:-1]))
    ran = spinal(*command, "--jobs", "3")
    assert (ran.code, ran.out) == (2, "")
    assert "but there are more" in ran.err


def test_evalbs_lines_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("evalb", GOLD, GREEDY, "--format", "evalb", "-q", "--jobs")
    whole = spinal(*command, "1")
    monkeypatch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", 500)
    assert spinal(*command, "4") == whole
    stopped = spinal(*command, "4", "--max-error", "0")
    assert stopped == spinal(*command, "1", "--max-error", "0")


def numbers(output: str | bytes) -> Any:
    """A result without the names of files in its messages."""
    data = json.loads(output)
    data["skipped"] = [[one["sentence"], one["reason"]] for one in data["skipped"]]
    items = data["ledger"]["items"]
    data["ledger"]["items"] = [[one["sentence"], one["reason"]] for one in items]
    return data


def test_compressed_and_several_files(tmp_path: Path) -> None:
    """Files of other names, that do not even break at the same sentences."""
    for path, cut, name in ((GOLD, 20, ""), (GREEDY, 31, "part")):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        folder = tmp_path / path.stem
        folder.mkdir()
        (folder / f"{name}1.mrg").write_text("".join(lines[:cut]), "utf-8")
        rest = gzip.compress("".join(lines[cut:]).encode())
        (folder / f"{name}2.mrg.gz").write_bytes(rest)
    whole = spinal("score", GOLD, GREEDY, "--format", "json", "-q")
    pieces = (tmp_path / GOLD.stem, tmp_path / GREEDY.stem)
    for jobs in ("1", "3"):
        ran = spinal("score", *pieces, "--format", "json", "-q", "--jobs", jobs)
        assert ran.code == 0
        assert numbers(ran.out) == numbers(whole.out)


def test_discourse_documents(tmp_path: Path) -> None:
    """Read by processes: good ones, and what is wrong with the others."""
    good = "( Root (span 1 2) ( Nucleus (leaf 1) (rel2par span) (text _!a_!) ) "
    good += "( Satellite (leaf 2) (rel2par cause) (text _!b_!) ) )\n"
    for number in range(150):
        text = good if number % 50 else good.replace("span 1 2", "span 1 3")
        (tmp_path / f"{number:03}.dis").write_text(text)
    command = ("rst", "score", tmp_path, tmp_path, "--format", "json", "--jobs")
    alone = spinal(*command, "1")
    assert spinal(*command, "3") == alone
    assert alone.code == 2
    assert "050.dis" in alone.err


# -- with a real command, on an input that takes a while ------------------------------

SECONDS = 300  # until a test gives up: many times what it takes
TRIES = 50 * SECONDS


@pytest.fixture(scope="module")
def long_files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("long")
    for path in (GOLD, GREEDY):
        (folder / path.name).write_bytes(path.read_bytes() * 300)
    return folder / GOLD.name, folder / GREEDY.name


def start(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
    """The command in a process group of its own, as a shell starts it."""
    return started(*arguments, start_new_session=True, **options)


def workers_of(process: subprocess.Popen[bytes], count: int) -> list[int]:
    """The processes that it has started, once they are there."""
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for _ in range(TRIES):
        if process.poll() is not None:
            pytest.fail(f"ended too early: {process.communicate()}")
        found = [int(pid) for pid in listed.read_text().split()]
        if len(found) == count:
            return found
        time.sleep(0.02)
    pytest.fail("no worker was started")


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def are_gone(pids: list[int]) -> bool:
    for _ in range(TRIES):
        if not any(map(is_alive, pids)):
            return True
        time.sleep(0.02)
    return False


linux = pytest.mark.skipif(sys.platform != "linux", reason="NOT RUN: needs /proc")


@linux
def test_standard_input_too(long_files: tuple[Path, Path]) -> None:
    gold, parsed = long_files
    with parsed.open("rb") as stream:
        process = start(
            "score", gold, "-", "-q", "--format", "json", "--jobs", "2", stdin=stream
        )
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, err) == (0, b"")
    alone = start("score", gold, parsed, "-q", "--format", "json", "--jobs", "1")
    assert numbers(alone.communicate(timeout=SECONDS)[0]) == numbers(out)


@linux
def test_a_killed_worker_costs_time_but_no_numbers(
    long_files: tuple[Path, Path],
) -> None:
    command = ("score", *long_files, "-q", "--format", "json")
    expected = start(*command, "--jobs", "1").communicate(timeout=SECONDS)[0]
    process = start(*command, "--jobs", "2")
    os.kill(workers_of(process, 2)[0], signal.SIGKILL)
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (0, expected, b"")


@pytest.fixture
def waiting(long_files: tuple[Path, Path]) -> Iterator[subprocess.Popen[bytes]]:
    """A run that has done a part of the work and waits for more of its input."""
    gold, parsed = long_files
    process = start("score", gold, "-", "-q", "--jobs", "2", stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(parsed.read_bytes()[: 2 << 20])
    process.stdin.flush()
    yield process
    process.kill()
    process.communicate()


@linux
def test_ctrl_c_ends_at_once(waiting: subprocess.Popen[bytes]) -> None:
    workers = workers_of(waiting, 2)
    os.killpg(waiting.pid, signal.SIGINT)  # a terminal sends it to all of them
    # It would wait for its input for ever, so an end at all is an end at once.
    assert waiting.wait(timeout=SECONDS) == 130
    assert are_gone(workers)
    assert waiting.stderr is not None
    assert waiting.stderr.read() == b"spinal: interrupted\n"


@linux
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_workers_do_not_outlive_the_command(
    waiting: subprocess.Popen[bytes], how: signal.Signals
) -> None:
    workers = workers_of(waiting, 2)
    waiting.send_signal(how)
    waiting.wait(timeout=SECONDS)
    assert are_gone(workers)


@linux
def test_a_small_input_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "_in_processes", None)
    assert spinal("score", GOLD, CHART).code == 0


# -- the pool itself ------------------------------------------------------------------


@dataclass(frozen=True)
class Dies:
    """Work that kills its process, the first time or always."""

    marks: Path
    always: bool

    def __call__(self, task: int) -> int:
        mark = self.marks / str(task)
        if task % 5 == 0 and (self.always or not mark.exists()):
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return task * task


def test_tasks_of_a_dead_process_are_done_again(tmp_path: Path) -> None:
    found = run_tasks(Dies(tmp_path, always=False), range(12), jobs=3)
    assert list(found) == [n * n for n in range(12)]


HALF_A_RESULT = """
import os, signal, struct, sys
from multiprocessing.connection import Connection
from pathlib import Path
from analyzer.runtime.executor import run_tasks
from analyzer.runtime.processes import start_method

here, mark, whole = os.getpid(), Path(sys.argv[1]), Connection._send_bytes

def send_bytes(connection, message):
    if os.getpid() == here or mark.exists() or len(message) < 20:
        return whole(connection, message)
    mark.touch()
    half = bytes(message[: len(message) // 2])
    os.write(connection.fileno(), struct.pack("!i", len(message)) + half)
    os.kill(os.getpid(), signal.SIGKILL)

Connection._send_bytes = send_bytes
assert start_method() == "fork"
lines = [str(number) * 100 for number in range(6)]
assert list(run_tasks(str, lines, jobs=2)) == lines
assert mark.exists()
"""


@linux
def test_nobody_waits_for_the_rest_of_half_a_result(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HALF_A_RESULT, str(tmp_path / "mark")]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # no threads, so it may fork
    ran = subprocess.run(
        command, capture_output=True, timeout=SECONDS, cwd=ROOT, env=alone
    )
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_work_that_always_kills_is_given_up(tmp_path: Path) -> None:
    found = run_tasks(Dies(tmp_path, always=True), range(1, 30), jobs=2)
    assert [next(found) for _ in range(4)] == [1, 4, 9, 16]
    with pytest.raises(AnalyzerError, match="a process died 3 times on the same part"):
        next(found)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_fresh_start_gives_the_same(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where processes cannot be forked, everything they know is sent to them."""
    monkeypatch.setattr(processes, "start_method", lambda: method)
    for name in ("score", "compare"):
        command = (*COMMANDS[name], "--format", "json", "--jobs")
        assert spinal(*command, "2") == spinal(*command, "1")


BESIDE_THREADS = """
import sys, threading, warnings
warnings.simplefilter("error", DeprecationWarning)  # as forking beside threads is
threading.Thread(target=threading.Event().wait, daemon=True).start()
import spinal
from analyzer.runtime.processes import start_method
print(start_method())
for jobs in (1, 2):
    print(spinal.score(*sys.argv[1:], jobs=jobs).frame().to_json())
"""


def test_a_script_with_threads_that_expects_no_processes(tmp_path: Path) -> None:
    """Nothing is forked beside threads, and nothing runs the script once more."""
    script = tmp_path / "script.py"
    script.write_text(BESIDE_THREADS)
    command = [sys.executable, str(script), str(GOLD), str(CHART)]
    ran = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, cwd=ROOT
    )
    assert ran.stderr == ""
    method, alone, shared = ran.stdout.splitlines()
    assert method != "fork"
    assert alone == shared


def test_threads_that_start_processes_leave_multiprocessing_as_it_was() -> None:
    def start() -> None:
        with processes._without_main():
            pass

    before = spawn.get_preparation_data
    with processes._without_main():
        thread = threading.Thread(target=start)
        thread.start()
        time.sleep(0.1)  # so that it waits for us
    thread.join()
    assert spawn.get_preparation_data is before


def test_what_was_added_here_is_not_left_to_those_who_do_not_know_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    take_back = declare(Measure("found", "matched_h", "gold", "found"))
    monkeypatch.setattr(processes, "start_method", lambda: "forkserver")
    try:
        with pytest.warns(RuntimeWarning, match="added here"):
            here = score(GOLD, GREEDY, jobs=2)
        with pytest.raises(SettingsError, match="cluster"):
            score(GOLD, GREEDY, cluster="tcp://127.0.0.1:1")
        assert here.frame().equals(score(GOLD, GREEDY).frame())
    finally:
        take_back()


def refuses(task: int) -> int:
    if task == 3:
        raise InputError("three")
    return task


def failing() -> Iterator[int]:
    yield from range(6)
    raise InputError("the end")


@pytest.mark.parametrize("jobs", [1, 4])
def test_the_first_error_is_the_one_that_counts(jobs: int) -> None:
    with pytest.raises(InputError, match="three"):
        list(run_tasks(refuses, failing(), jobs=jobs))
    found = run_tasks(abs, failing(), jobs=jobs)
    assert [next(found) for _ in range(6)] == list(range(6))
    with pytest.raises(InputError, match="the end"):
        next(found)


def after_the_first(task: tuple[int, Path]) -> int:
    """Only the first task is done before the mark is there."""
    number, mark = task
    while number and not mark.exists():
        time.sleep(0.01)
    return number


def test_no_more_tasks_are_read_than_are_waited_for(tmp_path: Path) -> None:
    read: list[int] = []
    mark = tmp_path / "mark"

    def tasks() -> Iterator[tuple[int, Path]]:
        for number in range(1000):
            read.append(number)
            yield number, mark

    results = run_tasks(after_the_first, tasks(), jobs=2)
    assert next(results) == 0
    assert len(read) < 10
    mark.touch()
    assert list(results) == list(range(1, 1000))


def test_jobs_below_one_make_no_sense() -> None:
    ran = spinal("score", GOLD, CHART, "--jobs", "0")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "spinal: --jobs must be at least 1, not 0\n"
    for jobs in (-1, 1.5, "2"):
        with pytest.raises(SettingsError, match="must be at least 1"):
            list(run_tasks(abs, [1], jobs=jobs))  # type: ignore[arg-type]


def my_process(_task: int) -> int:
    time.sleep(0.02)  # so that no process is so quick that it does them all
    return os.getpid()


@pytest.mark.parametrize("jobs", [3, 10**9])
def test_never_more_processes_than_tasks_or_than_make_sense(
    jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []
    real = processes.processes

    def counted(work: Any, count: int) -> Any:
        counts.append(count)
        return real(work, count)

    monkeypatch.setattr(processes, "processes", counted)
    monkeypatch.setattr(executor, "processors", lambda: 1)
    assert len(set(run_tasks(my_process, range(2), jobs=jobs))) <= 2
    most = min(jobs, 4 * executor.processors())
    assert len(set(run_tasks(my_process, range(100), jobs=jobs))) <= most
    assert counts == [2, most]


def _score_in_a_pool(jobs: int | None) -> tuple[object, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        total = score(str(GOLD), str(CHART), jobs=jobs).total
    return total, [str(one.message) for one in caught]


def test_within_a_pool_of_processes() -> None:
    """Its workers may not have processes of their own: one does all, and says so."""
    gc.collect()  # what other tests left open is not collected in the worker
    with multiprocessing.get_context("fork").Pool(1) as pool:
        (told, messages), (_, silent), (untold, none) = pool.map(
            _score_in_a_pool, [2, None, 1]
        )
    assert told == untold == score(str(GOLD), str(CHART)).total
    assert [message.partition(":")[0] for message in messages] == [
        "jobs=2, but this is a worker process of a multiprocessing.Pool, "
        "which may not start others"
    ]
    assert silent == none == []
