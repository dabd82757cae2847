"""Work divided among processes or a cluster; results come in the tasks' order.

Counts are additive, so a corpus is scored task by task and the counts are added up. As
they are added in order, the outcome is the same for any number of processes.

A process that dies (killed, out of memory) takes its tasks with it: they are done
again in new processes.
"""

from __future__ import annotations

import os
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from analyzer.exceptions import AnalyzerError, SettingsError

# What a small input does not need is not loaded for it.
if TYPE_CHECKING:
    from concurrent.futures import Future


Task = TypeVar("Task")
Result = TypeVar("Result")
Given = TypeVar("Given", contravariant=True)

# An input of fewer tasks is done sooner than processes are started for it.
_WORTH_IT = 8
# Processes for each processor; more would only take memory from each other.
_MOST_EACH = 4
# Tasks that wait for a free process, so that none ever waits for a task.
_WAITING_EACH = 2
_MOST_DEATHS = 3
_SECONDS_BETWEEN_LOOKS = 5.0  # at who is there to do the work

# What others have added to the product: formats and measures. A process that is not
# forked from this one does not know of them, and would count without them.
declared_here: list[object] = []


@dataclass(frozen=True)
class Backend:
    """Where work is done.

    `jobs` is the number of processes on this machine, None for all processors if there
    is enough to do; `cluster` the address of a Dask scheduler to use instead. There are
    never more processes than tasks, nor more than four for each processor.
    """

    jobs: int | None = 1
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.jobs is not None and not (isinstance(self.jobs, int) and self.jobs > 0):
            raise SettingsError("E530 --jobs must be at least 1, not", jobs=self.jobs)

    @property
    def is_for_shards(self) -> bool:
        """Whether files had better be read where the work is done, not here."""
        return self.cluster is not None


def run_tasks(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    *,
    jobs: int | None = 1,
    backend: Backend | None = None,
) -> Iterator[Result]:
    """What `work` makes of each task, in order.

    `backend` says more than `jobs` can, and then counts. Unless there is but one
    process, `work`, the tasks and the results are pickled.

    >>> list(run_tasks(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    backend = backend or Backend(jobs)
    remaining = iter(tasks)
    if backend.cluster is not None:
        if declared_here:
            raise SettingsError("E013 not on a cluster")
        from analyzer.runtime.cluster import cluster_workers

        dispatcher: _Dispatcher[Task, Result] = _Dispatcher(remaining)
        with cluster_workers(backend.cluster, work) as workers:
            yield from dispatcher.results(workers)
        return
    processes = 0
    if backend.jobs != 1:
        processes, remaining = _processes_for(remaining, backend.jobs)
    if processes:
        yield from _in_processes(work, remaining, processes)
    else:
        yield from map(work, remaining)


@dataclass(eq=False)
class _QueuedTask(Generic[Task, Result]):
    """A task, from when it is given to a worker until its result is handed out."""

    task: Task
    is_done: bool = False
    result: Any = None
    error: BaseException | None = None  # to be raised when it is its turn

    def finish(self, result: Result) -> None:
        self.result, self.is_done = result, True
        self.task = cast(Any, None)  # it may be long, and wait here for others


def _processes_for(
    tasks: Iterator[Task], jobs: int | None
) -> tuple[int, Iterator[Task]]:
    """How many processes to start, 0 to do the tasks here; and the tasks, none lost."""
    most = _MOST_EACH * processors()
    wanted = _WORTH_IT if jobs is None else min(jobs, most)
    # An error in what comes later must not come before what is wrong with the first.
    source = _Failing(tasks)
    first = list(islice(source, wanted))
    if jobs is None:
        count = processors() if len(first) == _WORTH_IT and processors() > 1 else 0
    else:
        count = len(first)
    reason = _no_processes() if count else None
    if reason:
        if jobs is not None:
            warnings.warn(
                f"jobs={jobs}, but {reason}: the work is done in this process",
                RuntimeWarning,
                stacklevel=2,
            )
        count = 0
    return count, chain(first, source.rest())


def _no_processes() -> str | None:
    """Why this process cannot have others do its work, if so."""
    import multiprocessing

    from analyzer.runtime.processes import start_method

    if multiprocessing.current_process().daemon:
        return (
            "this is a worker process of a multiprocessing.Pool, which may not start "
            "others"
        )
    if declared_here and start_method() != "fork":
        return (
            "beside threads (or not on Linux) new processes start afresh, and would "
            "not know the formats or measures that were added here"
        )
    return None


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers(Protocol[Given, Result]):
    """Processes that do the work, here or on a cluster."""

    def submit(self, task: Given) -> Future[Result]: ...
    def size(self) -> int:
        """How many tasks can be done at once."""

    def forget(self, future: Future[Result]) -> None:
        """Its result has been taken."""

    def is_broken_by(self, error: BaseException) -> bool:
        """Whether the others' tasks are lost, too."""


class _Dispatcher(Generic[Task, Result]):
    """Tasks given to workers, and their results handed out in order.

    Results are kept as they come. Only so many tasks are given at a time that nobody
    ever waits for one. If the workers break down, others can go on; they get the
    first task that is left alone, to see whether that is what breaks them.
    """

    def __init__(self, tasks: Iterator[Task]) -> None:
        self._source = _Failing(tasks)
        # Those not handed out yet, and of these the ones not given yet.
        self._queue: deque[_QueuedTask[Task, Result]] = deque()
        self._again: deque[_QueuedTask[Task, Result]] = deque()
        self._given: dict[Future[Result], _QueuedTask[Task, Result]] = {}
        self._finished: SimpleQueue[Future[Result]] = SimpleQueue()
        self.is_careful = False
        self.deaths = 0  # of workers that had only the first task

    def results(self, workers: Workers[Task, Result]) -> Iterator[Result]:
        queue = self._queue
        self._given, self._finished = {}, SimpleQueue()
        self._again = deque(x for x in queue if not (x.is_done or x.error))
        while True:
            while queue and queue[0].is_done:
                self.is_careful, self.deaths = False, 0
                yield queue.popleft().result
            if queue and queue[0].error:
                raise queue[0].error
            self._give(workers)
            if not queue:
                self._source.complain()
                return
            if not queue[0].is_done:
                self._collect(workers)

    def _give(self, workers: Workers[Task, Result]) -> None:
        """Give out as many tasks as the workers should have."""
        queue = self._queue
        most = 1 if self.is_careful else workers.size() * (1 + _WAITING_EACH)
        while len(self._given) < most and not (queue and queue[0].is_done):
            if not self._again:
                self._again.extend(map(_QueuedTask, islice(self._source, 1)))
                queue.extend(self._again)
            if not self._again:
                return
            queued = self._again.popleft()
            future = workers.submit(queued.task)
            self._given[future] = queued
            future.add_done_callback(self._finished.put)

    def _collect(self, workers: Workers[Task, Result]) -> None:
        """Wait for something to be finished, but not for ever."""
        try:
            future = self._finished.get(timeout=_SECONDS_BETWEEN_LOOKS)
        except Empty:
            return
        queued, error = self._given.pop(future), future.exception()
        if error and workers.is_broken_by(error):
            raise error
        if error:
            queued.error = error
        else:
            queued.finish(future.result())
        workers.forget(future)


def _in_processes(
    work: Callable[[Task], Result], tasks: Iterator[Task], jobs: int
) -> Iterator[Result]:
    from analyzer.runtime.processes import WorkerDiedError, processes

    dispatcher: _Dispatcher[Task, Result] = _Dispatcher(tasks)
    while True:
        try:
            with processes(work, jobs) as workers:
                yield from dispatcher.results(workers)
            return
        except WorkerDiedError as error:
            dispatcher.deaths += dispatcher.is_careful
            dispatcher.is_careful = True
            if dispatcher.deaths == _MOST_DEATHS:
                raise AnalyzerError(
                    "E010 a process died", deaths=dispatcher.deaths
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

    def rest(self) -> Iterator[Task]:
        """The tasks that are left, and then the error."""
        yield from self
        self.complain()
