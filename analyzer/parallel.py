"""Work divided among processes; the results come in the order of the tasks.

Counts are additive, so a corpus is scored in pieces and the pieces are added up. As
they are added in order, the outcome is the same for any number of processes.

A process that dies (killed, out of memory) takes its tasks with it: they are done
again in new processes. When this process ends, for whatever reason, so do its
workers: each holds one end of a pipe whose other end only this process has.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from analyzer.errors import AnalyzerError, SettingsError, counted

Task = TypeVar("Task")
Part = TypeVar("Part")

# An input of fewer tasks is done sooner than processes are started for it.
_WORTH_IT = 8
# Tasks that wait for a free process, so that none ever waits for a task.
_WAITING_EACH = 2
_MOST_DEATHS = 3


def results(
    work: Callable[[Task], Part], tasks: Iterable[Task], *, jobs: int | None = 1
) -> Iterator[Part]:
    """What `work` makes of each task, in order.

    `jobs` is the number of processes; None stands for all processors if there is
    enough to do. More than one: `work`, the tasks and the results are pickled.

    >>> list(results(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    if jobs is not None and jobs < 1:
        raise SettingsError(f"--jobs must be at least 1, not {jobs}")
    waiting = iter(tasks)
    if jobs is None:
        first = list(islice(waiting, _WORTH_IT))
        jobs = processors() if len(first) == _WORTH_IT else 1
        waiting = chain(first, waiting)
    if jobs == 1:
        yield from map(work, waiting)
    else:
        yield from _in_processes(work, waiting, jobs)


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _in_processes(
    work: Callable[[Task], Part], tasks: Iterator[Task], jobs: int
) -> Iterator[Part]:
    source = _Failing(tasks)
    waiting: deque[Task] = deque()  # tasks that have no result yet
    deaths = 0  # since the last result
    while True:
        with _processes(work, jobs) as submit:
            futures: deque[Future[Part]] = deque()
            try:
                while True:
                    while len(futures) < jobs * (1 + _WAITING_EACH):
                        if len(waiting) == len(futures):
                            waiting.extend(islice(source, 1))
                        if len(waiting) == len(futures):
                            break
                        futures.append(submit(waiting[len(futures)]))
                    if not futures:
                        source.complain()
                        return
                    part = futures.popleft().result()
                    waiting.popleft()
                    deaths = 0
                    yield part
            except BrokenProcessPool as error:
                deaths += 1
                if deaths == _MOST_DEATHS:
                    raise AnalyzerError(
                        f"a process died {counted(deaths, 'time')} on the same piece "
                        "of the input (killed, or out of memory?); --jobs 1 does "
                        "without them"
                    ) from error


class _Failing(Iterator[Task]):
    """Tasks up to an error, which is kept: what comes before it is still done.

    So the first thing that is wrong with the input is what is complained about,
    however far ahead tasks are prepared.
    """

    def __init__(self, tasks: Iterator[Task]) -> None:
        self._tasks = tasks
        self._error: AnalyzerError | None = None

    def __next__(self) -> Task:
        if self._error:
            raise StopIteration
        try:
            return next(self._tasks)
        except AnalyzerError as error:
            self._error = error
            raise StopIteration from None

    def complain(self) -> None:
        if self._error:
            raise self._error


@contextmanager
def _processes(
    work: Callable[[Task], Part], jobs: int
) -> Iterator[Callable[[Task], Future[Part]]]:
    """Processes that do the work, until the block ends: then they end at once."""
    context = multiprocessing.get_context(_start_method())
    lifeline, our_end = context.Pipe(duplex=False)
    inherited = our_end if context.get_start_method() == "fork" else None
    executor = ProcessPoolExecutor(
        jobs,
        mp_context=context,
        initializer=_begin,
        initargs=(work, lifeline, inherited),
    )

    def submit(task: Task) -> Future[Part]:
        with _interrupts_later():
            return executor.submit(_do, task)

    try:
        yield submit
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


# What this process does, if it is a worker.
_work: Callable[[Any], Any] | None = None


def _begin(
    work: Callable[[Any], Any], lifeline: Connection, inherited: Connection | None
) -> None:
    global _work
    if inherited is not None:
        inherited.close()  # or this process would keep its own lifeline up
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    _work = work


def _end_with(lifeline: Connection) -> None:
    """Wait for the end of the process that started this one, and end, too."""
    lifeline.poll(None)
    os._exit(1)


def _do(task: Any) -> Any:
    assert _work is not None
    return _work(task)
