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
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import spawn
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import Any, Generic, NamedTuple, TypeVar

from analyzer.limits import Limits, limited, limits
from analyzer.runtime.memory import keep_freed_memory

Task = TypeVar("Task")
Result = TypeVar("Result")

__all__ = ["BrokenProcessPool", "Processes", "processes", "start_method"]


class Processes(NamedTuple, Generic[Task, Result]):
    """So many workers; one that dies takes the others with it."""

    executor: ProcessPoolExecutor
    jobs: int

    def submit(self, task: Task) -> Future[Result]:
        try:
            with _interrupts_later(), _without_main():
                future: Future[Result] = self.executor.submit(_do, task)
                return future
        except OSError as error:
            if error.errno is not None:
                raise  # from the system, which lets no further process start
            # A worker died just now: its pool has closed the pipes it would pass on.
            raise BrokenProcessPool(str(error)) from error

    def size(self) -> int:
        return self.jobs

    def forget(self, future: Future[Result]) -> None:
        """Nobody else knows of it."""

    def is_broken_by(self, error: BaseException) -> bool:
        return isinstance(error, BrokenProcessPool)


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
    executor = ProcessPoolExecutor(
        jobs,
        mp_context=context,
        initializer=_begin,
        initargs=(work, limits(), lifeline, inherited, dict(os.environ)),
    )
    try:
        yield Processes(executor, jobs)
    finally:
        our_end.close()
        executor.shutdown(wait=True, cancel_futures=True)
        lifeline.close()


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


# What this process does, if it is a worker, and within which limits.
_work: Callable[[Any], Any] | None = None
_limits = Limits()


def _begin(
    work: Callable[[Any], Any],
    allowed: Limits,
    lifeline: Connection,
    inherited: Connection | None,
    environment: dict[str, str],
) -> None:
    global _work, _limits
    # The handler of the command, if this is forked from one, is not for workers.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if inherited is not None:
        inherited.close()  # or this process would keep its own lifeline up
    elif os.environ != environment:  # a fork server has that of when it was started
        os.environ.clear()
        os.environ.update(environment)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    _work, _limits = work, allowed
    keep_freed_memory()


def _end_with(lifeline: Connection) -> None:
    """Wait for the end of the process that started this one, and end, too."""
    lifeline.poll(None)
    os._exit(1)


def _do(task: Any) -> Any:
    assert _work is not None
    with limited(_limits):
        return _work(task)
