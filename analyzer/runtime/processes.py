"""Processes on this machine that do tasks, and never outlive this one.

Each holds one end of a pipe whose other end only this process has: when this process
ends, for whatever reason, so do they.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import spawn
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext, ForkServerContext
from multiprocessing.process import BaseProcess
from pickle import PicklingError
from queue import SimpleQueue
from typing import Any, Generic, NamedTuple, TypeVar

from analyzer.limits import Limits, limited, limits
from analyzer.runtime.memory import keep_freed_memory

Task = TypeVar("Task")
Result = TypeVar("Result")

__all__ = ["Processes", "WorkerDiedError", "processes", "start_method"]


class WorkerDiedError(Exception):
    """A process died before it had given its result."""


class _Worker(NamedTuple):
    """A process, and our end of the pipe for its tasks and results.

    Each has a pipe of its own: what a process leaves there half written when it dies is
    followed by the end of the pipe. `ProcessPoolExecutor` has one pipe for the results
    of all, and then waits for ever.
    """

    process: BaseProcess
    connection: Connection


class Processes(NamedTuple, Generic[Task, Result]):
    """So many workers; one that dies takes the others with it."""

    idle: SimpleQueue[_Worker]
    threads: ThreadPoolExecutor  # one for each worker, to wait for its results
    jobs: int

    def submit(self, task: Task) -> Future[Result]:
        with _interrupts_later():
            return self.threads.submit(self._result, task)

    def _welcome(self, worker: _Worker) -> None:
        """Wait until it is there: the first that is gets the first task."""
        try:
            worker.connection.recv()
        finally:
            self.idle.put(worker)

    def _result(self, task: Task) -> Result:
        worker = self.idle.get()
        try:
            worker.connection.send(task)
            result: Result
            result, raised = worker.connection.recv()
        except (EOFError, OSError) as error:
            raise WorkerDiedError(str(error)) from error
        finally:
            self.idle.put(worker)
        if raised is not None:
            raise raised
        return result

    def size(self) -> int:
        return self.jobs

    def forget(self, future: Future[Result]) -> None:
        """Nobody else knows of it."""

    def is_broken_by(self, error: BaseException) -> bool:
        return isinstance(error, WorkerDiedError)


@contextmanager
def processes(
    work: Callable[[Task], Result], jobs: int
) -> Iterator[Processes[Task, Result]]:
    """Processes that do the work, until the block ends: then they end at once."""
    context = multiprocessing.get_context(start_method())
    if isinstance(context, ForkServerContext):
        # The server imports this once, for all that it will ever fork.
        function = getattr(work, "func", work)  # of a partial, say
        context.set_forkserver_preload([function.__module__, __name__])
    lifeline, our_end = context.Pipe(duplex=False)
    inherited = our_end if context.get_start_method() == "fork" else None
    given = (work, limits(), lifeline, inherited, dict(os.environ))
    workers: list[_Worker] = []
    threads = ThreadPoolExecutor(jobs)
    try:
        with _interrupts_later(), _without_main():
            for _ in range(jobs):
                workers.append(_started(context, given))
            pool: Processes[Task, Result] = Processes(SimpleQueue(), threads, jobs)
            for worker in workers:
                threads.submit(pool._welcome, worker)
        yield pool
    finally:
        for worker in workers:
            worker.process.kill()
        threads.shutdown(wait=True, cancel_futures=True)
        for worker in workers:
            worker.process.join()
            worker.connection.close()
        our_end.close()
        lifeline.close()


def _started(context: BaseContext, given: tuple[Any, ...]) -> _Worker:
    ours, theirs = context.Pipe()
    # Python would wait at its end for a process that is no daemon.
    process: BaseProcess = context.Process(  # type: ignore[attr-defined]
        target=_work_until_the_end, args=(theirs, *given), daemon=True
    )
    process.start()
    theirs.close()  # so that the pipe ends with the process
    return _Worker(process, ours)


def start_method() -> str:
    """Fork where no other thread can hold a lock: it is the quickest by far.

    Others are forked by a server that has no threads. It takes a second to start, once
    in the life of this process; fresh processes would take that each time.
    """
    if sys.platform != "linux":
        return "spawn"
    return "fork" if _threads() == 1 else "forkserver"


def _threads() -> int:
    """How many threads this process has, also those that Python does not know of."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return threading.active_count()


@contextmanager
def _without_main() -> Iterator[None]:
    """Processes that this thread starts in here never see the main module.

    They would run it once more: a script that calls us outside of `if __name__ ==
    "__main__"` would start processes for ever.
    """
    thread = threading.get_ident()

    def without_main(name: str) -> dict[str, Any]:
        data = prepare(name)
        if threading.get_ident() == thread:
            data = {key: data[key] for key in data if "main" not in key}
        return data

    with _one_at_a_time:
        # Not before: it might be what another thread has put there for a moment.
        prepare = spawn.get_preparation_data
        spawn.get_preparation_data = without_main
        try:
            yield
        finally:
            spawn.get_preparation_data = prepare


_one_at_a_time = threading.Lock()


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Ctrl-C is for us alone: processes that start in here never hear of it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work_until_the_end(
    tasks: Connection,
    work: Callable[[Any], Any],
    allowed: Limits,
    lifeline: Connection,
    inherited: Connection | None,
    environment: dict[str, str],
) -> None:
    """What a worker does: give the result of each task, or the error it ended with."""
    # The handler of the command, if this is forked from one, is not for workers.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if inherited is not None:
        inherited.close()  # or this process would keep its own lifeline up
    elif os.environ != environment:  # a fork server has that of when it was started
        os.environ.clear()
        os.environ.update(environment)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    keep_freed_memory()
    tasks.send(None)  # we are there
    with limited(allowed):
        while True:
            task = tasks.recv()
            outcome: tuple[Any, Exception | None]
            try:
                outcome = work(task), None
            except Exception as error:
                outcome = None, _with_traceback(error)
            del task
            try:
                tasks.send(outcome)
            except (PicklingError, AttributeError, TypeError) as error:
                tasks.send((None, error))
            del outcome


def _with_traceback(error: Exception) -> Exception:
    """Where it was raised is not sent along but as a note."""
    error.add_note("".join(traceback.format_exception(error)))
    return error


def _end_with(lifeline: Connection) -> None:
    """Wait for the end of the process that started this one, and end, too."""
    lifeline.poll(None)
    os._exit(1)
