"""A Dask cluster on this machine, and what can go wrong with one."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from analyzer.exceptions import AnalyzerError, InputError, SettingsError
from analyzer.limits import Limits, limited, limits
from analyzer.runtime.executor import Backend, run_tasks
from tests.support.command import Ran, spinal, spinal_process, started_with
from tests.support.data_paths import EXAMPLES
from tests.support.sharded import in_one_process, long_run, sharded

pytestmark = pytest.mark.cluster

dask = pytest.importorskip("dask", reason="NOT RUN: Dask is not here")
distributed = pytest.importorskip(
    "distributed", reason="NOT RUN: Dask is not here (pip install 'spinal[cluster]')"
)

NEWS = EXAMPLES / "news.gold.mrg", EXAMPLES / "news.chart.mrg"
SECONDS = 300  # until a test gives up: many times what it takes
TRIES = 100 * SECONDS
ENDLESS = 400  # shards, of which a few are done before a run is ended


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    patient = {
        "distributed.comm.timeouts.connect": f"{SECONDS}s",
        "distributed.comm.timeouts.tcp": f"{SECONDS}s",
        "distributed.scheduler.worker-ttl": None,
    }
    with (
        dask.config.set(patient),
        distributed.LocalCluster(
            processes=True,
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=":0",
            silence_logs=50,
        ) as found,
    ):
        yield found


@pytest.fixture
def address(cluster: Any) -> str:
    """Where its scheduler is; workers that the test before has killed are back."""

    def has_workers() -> bool:
        cluster.scale(2)  # again and again: a worker that was lost is missed only later
        return len(cluster.scheduler.workers) >= 2

    until(has_workers)
    return str(cluster.scheduler_address)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no reason to give up."""
    monkeypatch.setattr("analyzer.runtime.cluster._SECONDS_TO_CONNECT", SECONDS)
    monkeypatch.setattr("analyzer.runtime.cluster._SECONDS_FOR_WORKERS", SECONDS)


def started(*arguments: str | Path) -> subprocess.Popen[bytes]:
    """Start `spinal`, as patient as in this process."""
    code = (
        "from analyzer.__main__ import run; "
        "from analyzer.runtime import cluster; "
        f"cluster._SECONDS_TO_CONNECT = cluster._SECONDS_FOR_WORKERS = {SECONDS}; "
        "run()"
    )
    return started_with(["-c", code], *arguments)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], str]:
    """A command that takes a while, and what it prints."""
    files = long_run(tmp_path_factory.mktemp("long"))
    given = ["score", *files.specs, "--format", "json"]
    return given, in_one_process(*given).out


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A command that is not over before it can be ended."""
    files = long_run(tmp_path_factory.mktemp("endless"), shards=ENDLESS)
    return ["score", *files.specs, "--format", "json"]


def until(is_so: Callable[[], bool]) -> None:
    for _ in range(TRIES):
        if is_so():
            return
        time.sleep(0.01)
    pytest.fail("waited too long")


def tasks_done(scheduler: Any) -> int:
    """How many tasks of all runs were ever finished."""
    prefixes = scheduler.task_prefixes.values()
    # What is called bytes is the work itself, which goes ahead of its tasks.
    tasks = [prefix for prefix in prefixes if prefix.name != "bytes"]
    return sum(prefix.state_counts["memory"] for prefix in tasks)


def started_in_earnest(cluster: Any, *arguments: str | Path) -> subprocess.Popen[bytes]:
    """A run that has given its first tasks to the cluster, and many more to give."""
    until(lambda: not cluster.scheduler.tasks)
    run = started(*arguments)
    until(lambda: run.poll() is not None or len(cluster.scheduler.tasks) > 3)
    assert run.poll() is None, run.communicate()
    return run


@pytest.mark.parametrize(
    ("command", "zipped"),
    [
        (["score", "--by-sentence"], True),
        (["evalb", "--by-label", "--by-sentence"], False),
        (["evalb", "--conventions"], False),
        (["repairs", "--list", "--worth"], False),
    ],
)
def test_shards_give_the_same(
    command: list[str], zipped: bool, address: str, tmp_path: Path
) -> None:
    files = sharded(tmp_path, zipped=zipped)
    given = [*command, *files.specs, "--format", "json"]
    alone = in_one_process(*given)
    assert spinal(*given, "--cluster", address) == alone
    folders = [command[0], tmp_path / "gold", tmp_path / "parsed", *command[1:]]
    assert spinal(*folders, "--cluster", address) == in_one_process(*folders)


def test_urls_give_the_same(cluster: Any, address: str, tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    files = sharded(tmp_path, zipped=True)
    given = ["score", *(f"file://{spec}" for spec in files.specs), "--format", "json"]
    alone = in_one_process(*given)
    assert alone.out == in_one_process("score", *files.specs, "--format", "json").out
    before = tasks_done(cluster.scheduler)
    assert spinal(*given, "--cluster", address) == alone
    assert tasks_done(cluster.scheduler) - before == 13  # a pair of files each


@pytest.mark.parametrize("command", [["score"], ["evalb", "--format", "evalb"]])
def test_blocks_and_standard_input_give_the_same(
    command: list[str], address: str
) -> None:
    given = [command[0], "-", NEWS[1], "--format", "json", *command[1:]]
    outputs = []
    for where in (["--jobs", "1"], ["--cluster", address]):
        with NEWS[0].open("rb") as stream:
            ran = spinal_process(*given, *where, stdin=stream)
        outputs.append((ran.returncode, ran.stdout, ran.stderr))
    assert outputs[0] == outputs[1]
    assert outputs[0][0] == 0


def test_compared_systems_are_the_same(address: str) -> None:
    given = ["compare", *NEWS, EXAMPLES / "news.gold.mrg", "--resamples", "20"]
    given += ["--format", "json"]
    assert spinal(*given, "--cluster", address) == in_one_process(*given)


def test_domains_give_the_same(address: str, tmp_path: Path) -> None:
    files = sharded(tmp_path / "in")
    specs = [
        f"all=file://{files.gold}:file://{files.parsed}",
        f"news={NEWS[0]}:{NEWS[1]}",
    ]
    given = ["domains", *specs, "--format", "json"]
    assert spinal(*given, "--cluster", address) == in_one_process(*given)
    lines = [f"{'ab'[number % 2]}\n" for number in range(88)]
    (tmp_path / "groups.tsv").write_text("side\n" + "".join(lines))
    groups = ["--group-by", f"{tmp_path / 'groups.tsv'}:side"]
    given = ["domains", specs[0], *groups, "--format", "json"]
    alone = in_one_process(*given)
    assert alone.code == 0
    assert spinal(*given, "--cluster", address) == alone


def test_limits_go_along(address: str) -> None:
    with limited(Limits(tree_nodes=7)):
        found = list(run_tasks(_limit, range(4), backend=Backend(cluster=address)))
    assert found == [7, 7, 7, 7]


def _limit(_: int) -> int:
    return limits().tree_nodes


def test_many_tasks_come_in_order_and_few_at_a_time(
    address: str, tmp_path: Path
) -> None:
    taken = []

    def tasks() -> Iterator[tuple[int, Path]]:
        for number in range(50):
            taken.append(number)
            yield number, tmp_path

    found = run_tasks(_first_comes_late, tasks(), backend=on(address))
    assert next(found) == 0
    assert len(taken) > 40  # the others do not wait for the first
    assert list(found) == list(range(1, 50))
    taken.clear()
    assert next(run_tasks(str, tasks(), backend=on(address))).startswith("(0, ")
    assert len(taken) < 20


def on(address: str) -> Backend:
    return Backend(cluster=address)


def _first_comes_late(task: tuple[int, Path]) -> int:
    """The first of 50 tasks waits for 40 others: some may wait behind it."""
    number, folder = task
    if number == 0:
        until(lambda: len(list(folder.iterdir())) >= 40)
    else:
        (folder / str(number)).touch()
    return number


def test_a_worker_that_is_killed_changes_nothing(
    cluster: Any, address: str, long: tuple[list[str], str]
) -> None:
    given, right = long
    run = started_in_earnest(cluster, *given, "--cluster", address)
    assert run.poll() is None, run.communicate()
    victim = next(iter(processes(cluster)))
    os.kill(victim, signal.SIGKILL)
    out, err = run.communicate(timeout=SECONDS)
    assert run.returncode == 0, err
    assert err == b""
    assert out.decode() == right
    # Another takes its place, under its name or a new one.
    until(lambda: victim not in processes(cluster))


def processes(cluster: Any) -> set[int]:
    """The process of each worker that is there."""
    return {worker.pid for worker in list(cluster.workers.values()) if worker.pid}


def test_a_run_that_is_killed_leaves_no_tasks(
    cluster: Any, address: str, long: tuple[list[str], str], endless: list[str]
) -> None:
    run = started_in_earnest(cluster, *endless, "--cluster", address)
    run.send_signal(signal.SIGKILL)
    assert run.communicate()[0] == b""
    assert run.returncode == -signal.SIGKILL
    until(lambda: not cluster.scheduler.tasks)
    given, right = long
    assert spinal(*given, "--cluster", address) == Ran(0, right, "")


def test_ctrl_c_ends_at_once(cluster: Any, address: str, endless: list[str]) -> None:
    run = started_in_earnest(cluster, *endless, "--cluster", address)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=SECONDS)
    assert (run.returncode, out, err) == (130, b"", b"spinal: interrupted\n")
    until(lambda: not cluster.scheduler.tasks)


def test_a_task_that_kills_its_workers_is_given_up(address: str) -> None:
    with pytest.raises(AnalyzerError, match="workers died repeatedly"):
        list(run_tasks(_exit, [1], backend=on(address)))


def _exit(_: int) -> int:
    os._exit(1)


def test_a_shard_that_vanishes(address: str, tmp_path: Path) -> None:
    """Gone when the worker opens it, though the client has seen it."""
    files = sharded(tmp_path)
    gone = files.shard("gold", 3)

    def path_for_workers(path: str) -> str:
        if path == str(gone):
            gone.unlink(missing_ok=True)
        return os.path.abspath(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.pairing.tasks._from_anywhere", path_for_workers)
        ran = spinal("score", *files.specs, "--cluster", address)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"spinal: {gone}: no such file on ")
    assert "is it not on a shared file system?" in ran.err


def test_a_shard_with_a_bad_tree(address: str, tmp_path: Path) -> None:
    files = sharded(tmp_path)
    shard = files.shard("gold", 5)
    shard.write_text(shard.read_text().replace("(S", "S", 1))
    given = ["evalb", *files.specs, "--format", "json"]
    alone = in_one_process(*given)
    assert alone.code == 2
    assert f"{shard}:1:" in alone.err
    assert "sentence 36: " in alone.err
    assert spinal(*given, "--cluster", address) == alone
    strict = in_one_process(*given, "--strict")
    assert spinal(*given, "--strict", "--cluster", address) == strict


def test_a_truncated_shard(address: str, tmp_path: Path) -> None:
    files = sharded(tmp_path, zipped=True)
    shard = files.shard("parsed", 8)
    shard.write_bytes(shard.read_bytes()[:-20])
    given = ["score", *files.specs, "--format", "json"]
    ran = spinal(*given, "--cluster", address)
    assert ran == in_one_process(*given)
    assert (ran.code, ran.out) == (2, "")
    assert f"{shard}: damaged compressed file: " in ran.err


def test_a_worker_of_another_version_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analyzer.runtime.cluster.version", _another_version)
    ran = spinal("score", *NEWS, "--cluster", address)
    assert ran.code == 2
    assert "numbers of different versions cannot be added" in ran.err
    # One that joins later is asked with its first task.
    monkeypatch.setattr("analyzer.runtime.cluster._refuse_others", lambda *_: None)
    ran = spinal("score", *NEWS, "--cluster", address)
    assert ran.code == 2
    assert "the client of this worker has spinal 0.0.9+else, but this is" in ran.err


def _another_version() -> str:
    return "0.0.9+else"


@pytest.fixture
def free_port() -> Iterator[int]:
    """One where nobody listens, and nobody else will."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        yield int(found.getsockname()[1])


def test_no_scheduler(
    free_port: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("analyzer.runtime.cluster._SECONDS_TO_CONNECT", 1)
    ran = spinal("score", *NEWS, "--cluster", f"tcp://127.0.0.1:{free_port}")
    assert ran == Ran(
        2,
        "",
        f"spinal: no Dask scheduler answers at tcp://127.0.0.1:{free_port} (waited 1 "
        "s); start one with: dask scheduler\n",
    )
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("given", ["localhost", "tcp://localhost", "foo://host:1"])
def test_no_address(given: str) -> None:
    ran = spinal("score", *NEWS, "--cluster", given)
    assert ran.code == 2
    assert "expected the address of a scheduler, such as tcp://" in ran.err


def test_tls_without_keys() -> None:
    ran = spinal("score", *NEWS, "--cluster", "tls://127.0.0.1:8786")
    assert ran.code == 2
    assert "no keys for an encrypted connection" in ran.err


def test_not_both_here_and_there(address: str) -> None:
    ran = spinal("score", *NEWS, "--cluster", address, "--jobs", "2")
    assert (ran.code, ran.out) == (2, "")


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = spinal("score", *NEWS, "--cluster", "tcp://127.0.0.1:8786")
    assert ran == Ran(
        2, "", "spinal: --cluster needs Dask: pip install 'spinal[cluster]'\n"
    )


def test_a_scheduler_without_workers_and_one_that_goes_away(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Workers that never come, and a scheduler that dies in mid-run."""
    told = tmp_path / "scheduler.json"
    scheduler = _dask(
        "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(told)
    )
    worker = None
    try:
        until(lambda: told.exists() and told.read_text().endswith("\n}"))
        here = json.loads(told.read_text())["address"]
        monkeypatch.setattr("analyzer.runtime.cluster._SECONDS_FOR_WORKERS", 1)
        ran = spinal("score", *NEWS, "--cluster", here)
        assert ran.code == 2
        assert f"the scheduler at {here} has no workers; start some" in ran.err
        worker = _dask("worker", here, "--nworkers", "1", "--nthreads", "3")
        monkeypatch.setattr("analyzer.runtime.cluster._SECONDS_FOR_WORKERS", SECONDS)
        files = sharded(tmp_path / "small")
        given = ["score", *files.specs, "--format", "json"]
        # Three threads in one process take turns.
        assert spinal(*given, "--cluster", here) == in_one_process(*given)
        files = long_run(tmp_path / "in")
        with distributed.Client(here) as client:
            before = client.run_on_scheduler(_tasks_done_there)
            run = started("score", *files.specs, "--cluster", here)
            until(
                lambda: (
                    client.run_on_scheduler(_tasks_done_there) > before + 2
                    or run.poll() is not None
                )
            )
        scheduler.kill()
        out, err = run.communicate(timeout=SECONDS)
        assert (run.returncode, out) == (2, b"")
        assert err.startswith(f"spinal: the scheduler at {here} stopped".encode())
        assert err.count(b"\n") == 1
    finally:
        for process in filter(None, (scheduler, worker)):
            process.kill()
            process.wait()


def _tasks_done_there(dask_scheduler: Any) -> int:
    return tasks_done(dask_scheduler)


def _dask(what: str, *options: str) -> subprocess.Popen[bytes]:
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    options = (*options, "--no-dashboard")
    command = [sys.executable, "-m", "distributed.cli.dask_" + what, *options]
    return subprocess.Popen(command, **silent)  # type: ignore[call-overload,no-any-return]


def test_errors_of_workers_stay_what_they_are(address: str) -> None:
    with pytest.raises(InputError, match="of shard 3"):
        list(run_tasks(_fail_at_3, range(10), backend=on(address)))


def _fail_at_3(number: int) -> int:
    if number >= 3:
        raise InputError(f"of shard {number}")
    return number


def test_jobs_must_make_sense() -> None:
    with pytest.raises(SettingsError):
        Backend(jobs=0)


def test_help_does_not_import_dask() -> None:
    code = (
        "import sys; from analyzer.cli.main import main; main(['score', '--help']); "
        "assert not {'distributed', 'dask', 'fsspec'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
