"""Work on a cluster: tasks are sent to a Dask scheduler, which spreads them.

What is Dask's: a task whose worker dies is given to another one, and when this process
goes away, so do its tasks. What is ours: the work travels once a worker, in a form that
its caches outlive a task; each worker process does one task at a time, for the label
table of a process is one (`analyzer.model.symbols`); and a worker of another version is
refused, whenever it joins.
"""

from __future__ import annotations

import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Generic, TypeVar

from analyzer.exceptions import AnalyzerError, SettingsError
from analyzer.limits import Limits, limited, limits
from analyzer.runtime.build_id import version
from analyzer.runtime.connection import INSTALL, connect

Task = TypeVar("Task")
Result = TypeVar("Result")

_SECONDS_FOR_WORKERS = 10
# How long a run waits for new workers when all are gone.
_SECONDS_WITHOUT_WORKERS = 120
_SECONDS_BETWEEN_COUNTS = 2.0
_SECONDS_TO_CLOSE = 2


class ClusterWorkers(Generic[Task, Result]):
    """The workers of a cluster, as long as the connection is open."""

    def __init__(
        self, client: Any, work: Callable[[Task], Result], interrupted: threading.Event
    ) -> None:
        self._client = client
        self._interrupted = interrupted
        shipment = pickle.dumps((version(), limits(), pickle.dumps(work)))
        # The result of a task, not data that is put there: if the worker that has it
        # dies, the scheduler can make it again.
        self._shipment = client.submit(bytes, shipment, pure=False)
        self._counted = self._last_seen = time.monotonic()
        self._threads: int = sum(client.nthreads().values())

    def submit(self, task: Task) -> Future[Result]:
        # As bytes: Dask would look into a tuple for tasks of its own.
        future: Future[Result] = self._client.submit(
            _do, self._shipment, pickle.dumps(task), pure=False
        )
        return future  # of Dask's own kind, but it does what we need of one

    def size(self) -> int:
        """How many tasks can be done at once; an error if that is none for long."""
        if self._interrupted.is_set():
            raise KeyboardInterrupt
        now = time.monotonic()
        if now - self._counted > _SECONDS_BETWEEN_COUNTS:
            self._counted = now
            self._threads = sum(self._client.nthreads().values())
        if self._threads:
            self._last_seen = now
        elif now - self._last_seen > _SECONDS_WITHOUT_WORKERS:
            raise AnalyzerError(
                "the cluster has had no workers for "
                "{seconds_without_workers} seconds; with --checkpoint "
                "the next run continues from here",
                code="E009",
                seconds_without_workers=_SECONDS_WITHOUT_WORKERS,
            )
        return max(1, self._threads)

    def forget(self, future: Any) -> None:
        """Let the workers drop a result: here, and not when Python gets round to it."""
        future.release()

    def is_broken_by(self, error: BaseException) -> bool:
        return False  # Dask gives a dead worker's tasks to another one


@contextmanager
def cluster_workers(
    address: str, work: Callable[[Task], Result]
) -> Iterator[ClusterWorkers[Task, Result]]:
    """The workers of the scheduler at an address; in the end they drop our tasks."""
    client = connect(address)
    from distributed import KilledWorker

    try:
        _refuse_others(client, address)
        with _remembered_interrupts() as interrupted:
            yield ClusterWorkers(client, work, interrupted)
    except KilledWorker as error:
        raise AnalyzerError(
            "workers died repeatedly on the same part of the input (killed, or out of "
            "memory?); see the workers' logs",
            code="E005",
        ) from error
    except ImportError as error:
        raise SettingsError(
            "a worker that joined has no spinal, or another one "
            "({error}): {install} there, version {version}",
            code="E527",
            error=error,
            install=INSTALL,
            version=version(),
        ) from error
    except (CancelledError, OSError) as error:
        raise AnalyzerError(
            "the scheduler at {address} stopped, or dropped our tasks; with "
            "--checkpoint the next run continues from here",
            code="E006",
            address=address,
        ) from error
    finally:
        client.close(timeout=_SECONDS_TO_CLOSE)


@contextmanager
def _remembered_interrupts() -> Iterator[threading.Event]:
    """Set once Ctrl-C was pressed, should the exception get lost.

    Python drops exceptions in destructors, and Dask's futures have some that take long.
    """
    interrupted = threading.Event()

    def interrupt(*_: object) -> None:
        interrupted.set()
        raise KeyboardInterrupt

    is_ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if is_ours:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupted
    finally:
        if is_ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _refuse_others(client: Any, address: str) -> None:
    """Everyone must have the same spinal: workers, and the scheduler that sends it."""
    try:
        client.wait_for_workers(1, timeout=_SECONDS_FOR_WORKERS)
    except TimeoutError as error:
        raise AnalyzerError(
            "the scheduler at {address} has no workers; start some "
            "with: dask worker {address} --nworkers 4 --nthreads 1",
            code="E008",
            address=address,
        ) from error
    try:
        found = {"the scheduler": client.run_on_scheduler(version)}
    except Exception as error:
        found = {"the scheduler": error}
    workers = client.run(version, on_error="return")
    found |= {f"the worker {name}": answer for name, answer in workers.items()}
    for who, answer in found.items():
        if isinstance(answer, OSError):
            continue  # died just now; whoever comes for it is asked with its first task
        if isinstance(answer, Exception):
            raise SettingsError(
                "{who} has no spinal, or another one ({answer}): "
                "{install} there, version {version}",
                code="E529",
                who=who,
                answer=answer,
                install=INSTALL,
                version=version(),
            )
        _refuse_another(answer, who)


def _refuse_another(found: str, who: str) -> None:
    if found != version():
        raise SettingsError(
            "{who} has spinal {found}, but this is {version}: "
            "numbers of different versions cannot be added",
            code="E526",
            who=who,
            found=found,
            version=version(),
        )


# In a worker.
_ONE_AT_A_TIME = threading.Lock()


def _do(shipment: bytes, task: bytes) -> Any:
    with _ONE_AT_A_TIME:
        work, allowed = _unpacked(shipment)
        with limited(allowed):
            return work(pickle.loads(task))


@lru_cache(maxsize=4)
def _unpacked(shipment: bytes) -> tuple[Callable[[Any], Any], Limits]:
    """The work, once a process: what it has learned serves the next task."""
    sender, allowed, work = pickle.loads(shipment)
    _refuse_another(sender, "the client of this worker")
    return pickle.loads(work), allowed
