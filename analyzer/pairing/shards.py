"""An input as tasks to score: blocks, or files that a worker opens itself.

When gold and parsed are files of the same names, or equally many, a pair of files is a
task: a shard. The outcome is that of one reader who goes through all pairs: sentences
are numbered through, and what blank lines mean is decided on the first files. The two
files of a shard must hold equally many sentences. If not, those that both have are
scored, and an error names the shard.
"""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol, Self, TypeVar

from analyzer.exceptions import (
    AnalyzerError,
    InputError,
    InputWarning,
    Place,
)
from analyzer.files.finding import UnreadFile
from analyzer.files.inputs import Input
from analyzer.files.urls import is_url, stamp_of
from analyzer.formats.blocks import Progress
from analyzer.formats.reading import TreeReader, Trees, open_trees, tree_files
from analyzer.model.treebank import Treebank
from analyzer.pairing.file_names import paired_files
from analyzer.pairing.in_step import (
    NOTHING_MORE,
    Ending,
    PairReader,
    PairTask,
    SentencePair,
    blank_line_policies,
    likely_policies,
)
from analyzer.pairing.inputs import Blocks, of_files, open_blocks, without_partner
from analyzer.pairing.ledger import NOTHING_LEFT_OVER, Ledger, LeftOut
from analyzer.runtime.executor import Backend, run_tasks
from analyzer.transform.labels import LabelSet


class Counts(Protocol):
    """What is found in a shard: sentences are numbered from its first one."""

    @property
    def ending(self) -> Ending: ...

    def change(self, item: Callable[[LeftOut], LeftOut]) -> Self:
        """The counts, with each item of their ledger changed."""
        ...


Counted = TypeVar("Counted", bound=Counts)


@dataclass
class ShardPair:
    """Two files that are read where they are scored."""

    gold: str
    parsed: str
    keep_blank_lines: tuple[bool, bool]
    strict: bool = False
    encoding: str = "utf-8"
    labels: LabelSet | None = None
    by_line: bool = False
    ending: Ending = field(default=NOTHING_MORE, init=False)

    def pairs(self) -> Iterator[SentencePair]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", InputWarning)
            reader = PairReader(
                self._reader(self.gold),
                self._reader(self.parsed),
                self.keep_blank_lines,
                by_line=self.by_line,
            )
            sentences = 0
            for block in reader.blocks():
                sentences += block.sentences
                yield from block.pairs()
        told: list[tuple[str, str]] = []
        for one in caught:
            if isinstance(one.message, InputWarning):
                told.append((one.message.source, one.message.note))
            else:
                warnings.warn_explicit(
                    one.message, one.category, one.filename, one.lineno
                )
        self.ending = Ending(sentences, reader.surplus, tuple(told))

    def _reader(self, path: str) -> TreeReader:
        if not is_url(path) and not os.path.isfile(path):
            import socket

            raise InputError(
                "no such file on {socket}, where it should be scored: "
                "was it removed, or is it not on a shared file system?",
                Place(path),
                code="E128",
                socket=socket.gethostname(),
            )
        given = Input.of_path(path, encoding=self.encoding)
        return TreeReader(
            given, strict=self.strict, is_continued=True, labels=self.labels
        )

    @property
    def identity(self) -> tuple[object, ...]:
        """The files as they are now, and how they are read."""
        stamps = [(path, _stamp(path)) for path in (self.gold, self.parsed)]
        settings = self.keep_blank_lines, self.strict, self.encoding
        return stamps, *settings, self.labels, self.by_line


def _stamp(path: str) -> object:
    """What changes when a file does."""
    if is_url(path):
        found = stamp_of(path)
        if found is None:
            raise TypeError(f"nothing tells when {path} changes")
        return found
    try:
        status = os.stat(path)
    except OSError as error:
        raise InputError(
            "cannot be read: {strerror}",
            Place(path),
            code="E129",
            strerror=error.strerror,
        ) from error
    return status.st_size, status.st_mtime_ns


class Shards:
    """The input as pairs of files."""

    def __init__(
        self,
        gold: Sequence[str],
        parsed: Sequence[str],
        *,
        strict: bool,
        encoding: str,
        progress: Progress | None,
        unread: list[UnreadFile],
        names: tuple[str, str],
        labels: LabelSet | None,
        left_over: Ledger = NOTHING_LEFT_OVER,
        by_line: bool = False,
    ) -> None:
        self._labels = labels
        self._by_line = by_line
        self._names = list(zip(gold, parsed, strict=True))
        self._strict = strict
        self._encoding = encoding
        self._progress = progress
        self.unread = unread
        self.names = names
        self._keep_blank_lines = _keep_blank_lines(
            *self._names[0], encoding, by_line=by_line
        )
        self._left_over = left_over

    def counts(
        self, work: Callable[[PairTask], Counted], backend: Backend
    ) -> Iterator[Counted]:
        """The counts of each shard, its sentences numbered as those of the whole."""
        counted_shards = run_tasks(work, self._tasks(), backend=backend)
        before = 0
        for names in self._names:
            try:
                counts = next(counted_shards)
            except AnalyzerError as error:
                raise _of_all(error, names, before) from error
            counts = counts.change(partial(_moved, names=names, before=before))
            before += counts.ending.sentences
            over = counts.ending.surplus.ledger(*names)
            self._left_over = self._left_over.plus(over)
            given = {_from_anywhere(name): name for name in names}
            for source, note in counts.ending.warnings:
                told = InputWarning(given.get(source, source), note)
                warnings.warn(told, stacklevel=2)
            if self._progress:
                self._progress(sum(map(_size, names)))
            yield counts
        next(counted_shards, None)  # to its end

    def _tasks(self) -> Iterator[ShardPair]:
        for gold, parsed in self._names:
            yield ShardPair(
                _from_anywhere(gold),
                _from_anywhere(parsed),
                self._keep_blank_lines,
                self._strict,
                self._encoding,
                self._labels,
                self._by_line,
            )

    def ledger(self) -> Ledger:
        """What no shard's counts tell: sentences that one of two files has more,
        and files that were not read."""
        return self._left_over.plus(of_files(self.unread))


def open_input(
    gold: Trees,
    parsed: Trees,
    *,
    as_shards: bool = False,
    strict: bool = False,
    encoding: str = "utf-8",
    progress: Progress | None = None,
    mend: bool = False,
    labels: LabelSet | None = None,
    by_line: bool = False,
) -> Blocks | Shards:
    """Gold and parsed as tasks; files as shards if that is asked for and fits.

    What is no text by the `labels` is left out. `by_line`: see `open_blocks`.
    """
    opened = open_trees(gold, encoding), open_trees(parsed, encoding)
    if (
        as_shards
        and not mend
        and (found := _shards(*opened, strict, encoding, progress, labels, by_line))
    ):
        return found
    return open_blocks(
        *opened,
        strict=strict,
        encoding=encoding,
        progress=progress,
        mend=mend,
        labels=labels,
        by_line=by_line,
    )


def _shards(
    gold: Input | Treebank,
    parsed: Input | Treebank,
    strict: bool,
    encoding: str,
    progress: Progress | None,
    labels: LabelSet | None,
    by_line: bool,
) -> Shards | None:
    """Equally many files on both sides that anybody can open; or None."""
    if isinstance(gold, Treebank) or isinstance(parsed, Treebank):
        return None
    found = [tree_files(side) for side in (gold, parsed)]
    if named := paired_files(gold, parsed):
        found = [list(side) for side in zip(*named.pairs, strict=True)]
    paths = [[file.path for file in side] for side in found]
    files, others = ([path for path in side if path] for side in paths)
    if not len(files) == len(others) == len(paths[0]) == len(paths[1]) > 1:
        return None
    return Shards(
        files,
        others,
        strict=strict,
        encoding=encoding,
        progress=progress,
        unread=[*gold.unread, *parsed.unread],
        names=(gold.name, parsed.name),
        labels=labels,
        left_over=without_partner(named, gold, parsed) if named else Ledger(),
        by_line=by_line,
    )


def _keep_blank_lines(
    gold: str, parsed: str, encoding: str, *, by_line: bool
) -> tuple[bool, bool]:
    """What blank lines mean, from the first files."""
    readers = [
        TreeReader(Input.of_path(path, encoding=encoding)) for path in (gold, parsed)
    ]
    with closing(readers[0]), closing(readers[1]), warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # its shard will tell
        return (likely_policies if by_line else blank_line_policies)(*readers)


def _from_anywhere(path: str) -> str:
    """A name that means the same to workers that were started elsewhere."""
    return path if is_url(path) else os.path.abspath(path)


def _moved(item: LeftOut, *, names: Sequence[str], before: int) -> LeftOut:
    """What is left out of a shard, numbered as in the whole input."""
    return item._replace(
        sentence=item.sentence + before, error=_of_all(item.error, names, before)
    )


def _of_all(error: AnalyzerError, names: Sequence[str], before: int) -> AnalyzerError:
    """An error of a shard as one of the whole input: files by the names given."""
    place = error.place
    if place is None:
        return error
    given = {_from_anywhere(name): name for name in names}
    moved = copy.copy(error)
    moved.place = replace(
        place,
        source=given.get(place.source or "", place.source),
        sentence=None if place.sentence is None else place.sentence + before,
    )
    return moved


def _size(path: str) -> int:
    with suppress(OSError):
        return os.path.getsize(path)
    return 0
