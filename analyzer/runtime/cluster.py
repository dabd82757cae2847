"""Work on a cluster: tasks are sent to a Dask scheduler, which spreads them.

What is Dask's: a task whose worker dies is given to another one, and when this process
goes away, so do its tasks. What is ours: the work travels once a worker, in a form that
its caches outlive a task; each worker process does one task at a time, for the label
table of a process is one (`analyzer.model.symbols`); and a worker of another version is
refused, whenever it joins.

Connections may be encrypted: keys and certificates are those of Dask's configuration,
as for any client of Dask (docs/cluster.md has the lines).
"""

from __future__ import annotations

import logging
import pickle
import re
import signal
import ssl
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Generic, TypeVar

from analyzer import __version__
from analyzer.exceptions import AnalyzerError, SettingsError
from analyzer.limits import Limits, limited, limits

Task = TypeVar("Task")
Result = TypeVar("Result")

_PACKAGES = ("analyzer", "grammars", "patterns")
_INSTALL = "pip install 'spinal[cluster]'"
_SECONDS_TO_CONNECT = 5
_ADDRESS = re.compile(r"(tcp|tls|wss?|ucx)://.+:\d+/?")
_ENCRYPTED = ("tls:", "wss:")
_LOGGERS = (
    "distributed",
    "distributed.client",
    "tornado",
    "tornado.application",
    "asyncio",
)
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
                "E009 the cluster has had no workers for",
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
    client = _connect(address)
    from distributed import KilledWorker

    try:
        _refuse_others(client, address)
        with _remembered_interrupts() as interrupted:
            yield ClusterWorkers(client, work, interrupted)
    except KilledWorker as error:
        raise AnalyzerError(
            "E005 workers died repeatedly on the same part of"
        ) from error
    except ImportError as error:
        raise SettingsError(
            "E527 a worker that joined has no spinal, or",
            error=error,
            install=_INSTALL,
            version=version(),
        ) from error
    except (CancelledError, OSError) as error:
        raise AnalyzerError("E006 the scheduler at", address=address) from error
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


@cache
def version() -> str:
    """Which spinal this is: the version, and a digest of the code.

    Between releases the version stays, and counts of other code must never be mixed in.

    >>> version() == version(), version().startswith(__version__)
    (True, True)
    """
    digest = blake2b(digest_size=6)
    for package in _PACKAGES:
        _add(files(package), digest)
    return f"{__version__}+{digest.hexdigest()}"


def _add(folder: Traversable, digest: blake2b) -> None:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir() and not item.name.startswith(("__", ".")):
            _add(item, digest)
        # Compiled code follows from its source, and differs between machines.
        elif item.is_file() and not item.name.endswith((".pyc", ".so", ".dll")):
            digest.update(item.name.encode())
            digest.update(item.read_bytes())


def _refuse_others(client: Any, address: str) -> None:
    """Everyone must have the same spinal: workers, and the scheduler that sends it."""
    try:
        client.wait_for_workers(1, timeout=_SECONDS_FOR_WORKERS)
    except TimeoutError as error:
        raise AnalyzerError("E008 the scheduler at", address=address) from error
    try:
        answers = {"the scheduler": client.run_on_scheduler(version)}
    except Exception as error:
        answers = {"the scheduler": error}
    workers = client.run(version, on_error="return")
    answers |= {f"the worker {name}": answer for name, answer in workers.items()}
    for who, answer in answers.items():
        if isinstance(answer, OSError):
            continue  # died just now; its successor is asked with its first task
        if isinstance(answer, Exception):
            raise SettingsError(
                "E529 has no spinal, or another one",
                who=who,
                answer=answer,
                install=_INSTALL,
                version=version(),
            )
        _refuse_another(answer, who)


def _refuse_another(other: str, who: str) -> None:
    if other != version():
        raise SettingsError("E526 but this is", who=who, found=other, version=version())


# -- the connection ------------------------------------------------------------------


def _connect(address: str) -> Any:
    """A client of the scheduler at an address; an error says why there is none."""
    try:
        import distributed
    except ImportError as error:
        raise SettingsError("E528 --cluster needs Dask", install=_INSTALL) from error
    if not _ADDRESS.fullmatch(address):
        raise SettingsError(
            "E524 expected the address of a scheduler, such as", address=address
        )
    for name in _LOGGERS:  # what matters is raised; their warnings are not ours
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        if address.startswith(_ENCRYPTED):
            _try_keys(address, _keys(address))
        with warnings.catch_warnings():
            # Versions of libraries may differ; spinal's own are compared later.
            warnings.simplefilter("ignore")
            client: Any = distributed.Client
            return client(
                address,
                timeout=_SECONDS_TO_CONNECT,
                set_as_default=False,
                name="spinal",
            )
    except (OSError, TimeoutError) as error:
        raise _explained(error, address) from error


def _keys(address: str) -> dict[str, Any]:
    """What Dask's configuration says of encryption; an error if no keys are in it."""
    import distributed

    security: Any = distributed.Security
    try:
        arguments: dict[str, Any] = security().get_connection_args("client")
    except OSError as error:  # no such file, no key in it, or not that of the other
        raise SettingsError(
            "E560 the files that Dask's configuration names",
            address=address,
            reason=error.strerror or error,
        ) from error
    if arguments.get("ssl_context") is None:
        raise SettingsError("E525 no keys for an encrypted connection", address=address)
    return arguments


def _try_keys(address: str, keys: dict[str, Any]) -> None:
    """Connect once and hang up: a client that fails at that would take long to end."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from distributed.comm.core import CommClosedError
    from distributed.comm.core import connect as open_connection

    async def try_them() -> None:
        open_to: Any = open_connection
        try:
            connection = await open_to(address, timeout=_SECONDS_TO_CONNECT, **keys)
        except ValueError as error:  # it spoke before we asked for encryption
            raise CommClosedError(str(error)) from error
        await connection.close()

    # In a thread, for a notebook has a loop of its own in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(try_them())).result()


def _explained(error: BaseException, address: str) -> AnalyzerError:
    """Why there is no connection, by what Dask raises."""
    from distributed.comm.core import CommClosedError

    refusal: BaseException | None = error
    while refusal is not None and not isinstance(refusal, ssl.SSLError):
        refusal = refusal.__cause__
    is_closed = isinstance(error, CommClosedError)
    # Who does not trust a certificate says so, or just hangs up.
    if address.startswith(_ENCRYPTED) and (refusal is not None or is_closed):
        return AnalyzerError(
            "E011 no secure connection to",
            address=address,
            reason=getattr(refusal, "strerror", None) or "it was closed at once",
        )
    if is_closed:
        return AnalyzerError("E012 the program at", address=address)
    return AnalyzerError(
        "E007 no Dask scheduler answers at",
        address=address,
        seconds_to_connect=_SECONDS_TO_CONNECT,
    )


# -- in a worker ---------------------------------------------------------------------


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
