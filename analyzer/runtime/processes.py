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
from multiprocessing.connection import Connection
from typing import Any, Generic, NamedTuple, TypeVar

from analyzer.limits import Limits, limited, limits
from analyzer.runtime.memory import keep_freed_memory

Task = TypeVar("Task")
Result = TypeVar("Result")

__all__ = ["BrokenProcessPool", "Processes", "processes"]


class Processes(NamedTuple, Generic[Task, Result]):
    """So many workers; one that dies takes the others with it."""

    executor: ProcessPoolExecutor
    jobs: int

    def submit(self, task: Task) -> Future[Result]:
        try:
            with _interrupts_later():
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
    context = multiprocessing.get_context(_start_method())
    lifeline, our_end = context.Pipe(duplex=False)
    inherited = our_end if context.get_start_method() == "fork" else None
    executor = ProcessPoolExecutor(
        jobs,
        mp_context=context,
        initializer=_begin,
        initargs=(work, limits(), lifeline, inherited),
    )
    try:
        yield Processes(executor, jobs)
    finally:
        our_end.close()
        executor.shutdown(wait=True, cancel_futures=True)
        lifeline.close()


def _start_method() -> str:
    """Fork where that is safe: it takes a hundredth of the time of a fresh start."""
    is_safe = sys.platform == "linux" and threading.active_count() == 1
    return "fork" if is_safe else "spawn"


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
) -> None:
    global _work, _limits
    if inherited is not None:
        inherited.close()  # or this process would keep its own lifeline up
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
