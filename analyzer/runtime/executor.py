"""Work divided among processes or a cluster; results come in the tasks' order.

Counts are additive, so a corpus is scored in pieces and the pieces are added up. As
they are added in order, the outcome is the same for any number of processes.

A process that dies (killed, out of memory) takes its tasks with it: they are done
again in new processes.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from analyzer.exceptions import AnalyzerError, SettingsError
from analyzer.safe_text import counted

# What a small input does not need is not loaded for it.
if TYPE_CHECKING:
    from concurrent.futures import Future

    from analyzer.runtime.checkpoints import Checkpoint, Kept

Task = TypeVar("Task")
Part = TypeVar("Part")
Given = TypeVar("Given", contravariant=True)

# An input of fewer tasks is done sooner than processes are started for it.
_WORTH_IT = 8
# Tasks that wait for a free process, so that none ever waits for a task.
_WAITING_EACH = 2
_MOST_DEATHS = 3
_SECONDS_BETWEEN_LOOKS = 5.0  # at who is there to do the work


@dataclass(frozen=True)
class Workplace:
    """Where work is done, and where what is finished is kept.

    `jobs` is the number of processes on this machine, None for all processors if there
    is enough to do; `cluster` the address of a Dask scheduler to use instead.
    """

    jobs: int | None = 1
    cluster: str | None = None
    checkpoint: Checkpoint | None = None

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise SettingsError(f"--jobs must be at least 1, not {self.jobs}")

    @property
    def is_for_shards(self) -> bool:
        """Whether files had better be read where the work is done, not here."""
        return self.cluster is not None or self.checkpoint is not None


def results(
    work: Callable[[Task], Part],
    tasks: Iterable[Task],
    *,
    jobs: int | None = 1,
    where: Workplace | None = None,
) -> Iterator[Part]:
    """What `work` makes of each task, in order.

    `where` says more than `jobs` can, and then counts. Unless there is but one
    process, `work`, the tasks and the results are pickled.

    >>> list(results(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    where = where or Workplace(jobs)
    kept = where.checkpoint.of(work) if where.checkpoint else None
    pieces = _pieces(tasks, kept)
    jobs = where.jobs
    if where.cluster is None and jobs is None:
        first = list(islice(pieces, _WORTH_IT))
        jobs = processors() if len(first) == _WORTH_IT else 1
        pieces = chain(first, pieces)
    if where.cluster is not None:
        from analyzer.runtime.cluster import team

        with team(where.cluster, work) as workers:
            yield from _Spreading(pieces, kept).parts(workers)
    elif jobs == 1 or jobs is None:
        for piece in pieces:
            if not piece.is_done:
                piece.finish(work(piece.task), kept)
            yield piece.part
    else:
        yield from _in_processes(work, pieces, jobs, kept)
    if kept:
        kept.tell_resumed()


@dataclass(eq=False)
class _Piece(Generic[Task, Part]):
    """A task, from when it is known until its result is handed out."""

    task: Task
    name: str | None = None  # in the checkpoint
    is_done: bool = False
    part: Any = None
    error: BaseException | None = None  # to be raised when it is its turn

    def finish(self, part: Part, kept: Kept[Part] | None) -> None:
        if kept:
            kept.keep(self.name, self.task, part)
        self.part, self.is_done = part, True
        self.task = cast(Any, None)  # it may be long, and wait here for others


def _pieces(
    tasks: Iterable[Task], kept: Kept[Part] | None
) -> Iterator[_Piece[Task, Part]]:
    """The tasks; those of the checkpoint are done already."""
    for task in tasks:
        piece: _Piece[Task, Part] = _Piece(task)
        if kept:
            piece.name = kept.name(task)
            piece.part = kept.find(piece.name)
            piece.is_done = piece.part is not None
        yield piece


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Team(Protocol[Given, Part]):
    """Those who do the work, here or on a cluster."""

    def submit(self, task: Given) -> Future[Part]: ...
    def size(self) -> int:
        """How many tasks can be done at once."""

    def forget(self, future: Future[Part]) -> None:
        """Its result has been taken."""

    def is_broken_by(self, error: BaseException) -> bool:
        """Whether the others' tasks are lost, too."""


class _Spreading(Generic[Task, Part]):
    """Tasks given to a team, and its results handed out in order.

    Results are kept as they come. Only so many tasks are given at a time that nobody
    ever waits for one. If the team breaks, another one can go on; it gets the first
    task that is left alone, to see whether that is what breaks teams.
    """

    def __init__(
        self, pieces: Iterator[_Piece[Task, Part]], kept: Kept[Part] | None
    ) -> None:
        self._source = _Failing(pieces)
        self._kept = kept
        self._queue: deque[_Piece[Task, Part]] = deque()  # not handed out yet
        self._again: deque[_Piece[Task, Part]] = deque()  # of those, not given yet
        self._given: dict[Future[Part], _Piece[Task, Part]] = {}
        self._finished: SimpleQueue[Future[Part]] = SimpleQueue()
        self.is_careful = False
        self.deaths = 0  # of teams that did only the first task

    def parts(self, team: Team[Task, Part]) -> Iterator[Part]:
        queue = self._queue
        self._given, self._finished = {}, SimpleQueue()
        self._again = deque(x for x in queue if not (x.is_done or x.error))
        while True:
            while queue and queue[0].is_done:
                self.is_careful, self.deaths = False, 0
                yield queue.popleft().part
            if queue and queue[0].error:
                raise queue[0].error
            self._give(team)
            if not queue:
                self._source.complain()
                return
            if not queue[0].is_done:
                self._collect(team)

    def _give(self, team: Team[Task, Part]) -> None:
        """Give out as many tasks as the team should have."""
        queue = self._queue
        most = 1 if self.is_careful else team.size() * (1 + _WAITING_EACH)
        while len(self._given) < most and not (queue and queue[0].is_done):
            if not self._again:
                self._again.extend(islice(self._source, 1))
                queue.extend(self._again)
            if not self._again:
                return
            piece = self._again.popleft()
            if not piece.is_done:
                future = team.submit(piece.task)
                self._given[future] = piece
                future.add_done_callback(self._finished.put)

    def _collect(self, team: Team[Task, Part]) -> None:
        """Wait for something to be finished, but not for ever."""
        try:
            future = self._finished.get(timeout=_SECONDS_BETWEEN_LOOKS)
        except Empty:
            return
        piece, error = self._given.pop(future), future.exception()
        if error and team.is_broken_by(error):
            raise error
        if error:
            piece.error = error
        else:
            piece.finish(future.result(), self._kept)
        team.forget(future)


def _in_processes(
    work: Callable[[Task], Part],
    pieces: Iterator[_Piece[Task, Part]],
    jobs: int,
    kept: Kept[Part] | None,
) -> Iterator[Part]:
    from analyzer.runtime.processes import BrokenProcessPool, processes

    spreading = _Spreading(pieces, kept)
    while True:
        try:
            with processes(work, jobs) as team:
                yield from spreading.parts(team)
            return
        except BrokenProcessPool as error:
            spreading.deaths += spreading.is_careful
            spreading.is_careful = True
            if spreading.deaths == _MOST_DEATHS:
                raise AnalyzerError(
                    f"a process died {counted(spreading.deaths, 'time')} on the same "
                    "piece of the input (killed, or out of memory?); --jobs 1 does "
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
