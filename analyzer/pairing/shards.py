"""An input as pieces to score: blocks of text, or files that a worker opens itself.

When gold and parsed are equally many files, a pair of files is a piece: a shard. The
outcome is that of one reader who goes through all files: sentences are numbered
through, and what blank lines mean is decided on the first files. One thing is stricter:
the two files of a shard must hold equally many sentences. If not, those that both have
are scored, and an error names the shard.
"""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from analyzer.exceptions import (
    AnalyzerError,
    InputError,
    InputWarning,
    PairingError,
    Place,
)
from analyzer.files.urls import is_url, stamp_of
from analyzer.formats.blocks import FirstLook, Progress
from analyzer.formats.reading import TreeReader, is_text, tree_files
from analyzer.pairing.in_step import (
    NO_SURPLUS,
    NOTHING_MORE,
    CountedPairs,
    Ending,
    PairReader,
    Pairs,
    SentencePair,
    Surplus,
    blank_line_policies,
    open_tasks,
)
from analyzer.pairing.words import LeftOut
from analyzer.runtime.executor import Workplace, results
from analyzer.safe_text import counted


class Counts(Protocol):
    """What is found in a shard: sentences are numbered from its first one."""

    @property
    def left_out(self) -> list[LeftOut]: ...

    @property
    def ending(self) -> Ending: ...


Part = TypeVar("Part")
Counted = TypeVar("Counted", bound=Counts)


@dataclass
class ShardPair:
    """Two files that are read where they are scored."""

    gold: str
    parsed: str
    keep_blank_lines: tuple[bool, bool]
    strict: bool = False
    encoding: str = "utf-8"
    ending: Ending = field(default=NOTHING_MORE, init=False)

    def pairs(self) -> Iterator[SentencePair]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", InputWarning)
            reader = PairReader(
                self._reader(self.gold),
                self._reader(self.parsed),
                self.keep_blank_lines,
            )
            sentences = 0
            for block in reader.blocks():
                sentences += block.sentences
                yield from block.pairs()
        of_input = [x for x in caught if issubclass(x.category, InputWarning)]
        for other in caught:
            if other not in of_input:
                warnings.warn_explicit(
                    other.message, other.category, other.filename, other.lineno
                )
        told = tuple(str(one.message) for one in of_input)
        self.ending = Ending(sentences, reader.surplus, told)

    def _reader(self, path: str) -> TreeReader:
        if not is_url(path) and not os.path.isfile(path):
            import socket

            raise InputError(
                f"no such file on {socket.gethostname()}, where it should be scored: "
                "was it removed, or is it on no shared file system?",
                Place(path),
            )
        return TreeReader(
            path, encoding=self.encoding, strict=self.strict, is_continued=True
        )

    @property
    def identity(self) -> tuple[object, ...]:
        """The files as they are now, and how they are read."""
        stamps = [(path, _stamp(path)) for path in (self.gold, self.parsed)]
        return stamps, self.keep_blank_lines, self.strict, self.encoding


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
        raise InputError(f"cannot be read: {error.strerror}", Place(path)) from error
    return status.st_size, status.st_mtime_ns


class Blocks:
    """The input cut into runs of text by this process."""

    def __init__(
        self,
        tasks: Iterator[CountedPairs],
        surplus: Callable[[], Surplus],
        names: tuple[str, str],
    ) -> None:
        self.tasks = tasks
        self._surplus = surplus
        self._names = names

    def results(
        self, work: Callable[[Pairs], Part], where: Workplace
    ) -> Iterator[Part]:
        return results(work, self.tasks, where=where)

    @property
    def surplus(self) -> Surplus:
        """What is left over at the end, where nothing else would tell."""
        return self._surplus()

    def lengths_differ(self) -> PairingError | None:
        surplus = self.surplus
        return lengths_differ(*self._names, surplus) if any(surplus) else None


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
    ) -> None:
        self._names = list(zip(gold, parsed, strict=True))
        self._strict = strict
        self._encoding = encoding
        self._progress = progress
        self._keep_blank_lines = blank_line_policies(
            _first_look(gold[0], encoding), _first_look(parsed[0], encoding)
        )
        self._unequal: list[tuple[str, str, Surplus]] = []

    def results(
        self, work: Callable[[Pairs], Counted], where: Workplace
    ) -> Iterator[Counted]:
        """The counts of each shard, its sentences numbered as those of the whole."""
        parts = results(work, self._tasks(), where=where)
        before = 0
        for names in self._names:
            try:
                part = next(parts)
            except AnalyzerError as error:
                raise _of_all(error, names, before) from error
            part.left_out[:] = [
                item._replace(
                    sentence=item.sentence + before,
                    error=_of_all(item.error, names, before),
                )
                for item in part.left_out
            ]
            before += part.ending.sentences
            if any(part.ending.surplus):
                self._unequal.append((*names, part.ending.surplus))
            for message in part.ending.warnings:
                for name in names:
                    message = message.replace(_from_anywhere(name), name)
                warnings.warn(message, InputWarning, stacklevel=2)
            if self._progress:
                self._progress(sum(map(_size, names)))
            yield part
        next(parts, None)  # to its end

    def _tasks(self) -> Iterator[ShardPair]:
        for gold, parsed in self._names:
            yield ShardPair(
                _from_anywhere(gold),
                _from_anywhere(parsed),
                self._keep_blank_lines,
                self._strict,
                self._encoding,
            )

    surplus = NO_SURPLUS  # each part has its own

    def lengths_differ(self) -> PairingError | None:
        if not self._unequal:
            return None
        return lengths_differ(*self._unequal[0], more=len(self._unequal) - 1)


def open_pieces(
    gold: str,
    parsed: str,
    *,
    as_shards: bool,
    strict: bool,
    encoding: str,
    progress: Progress | None = None,
) -> Blocks | Shards:
    """Gold and parsed, given as on the command line; shards only where that fits."""
    if as_shards and not is_text(gold) and not is_text(parsed):
        files, others = tree_files(gold), tree_files(parsed)
        if len(files) == len(others) > 1:
            return Shards(
                files, others, strict=strict, encoding=encoding, progress=progress
            )
    opened = open_tasks(
        gold, parsed, strict=strict, encoding=encoding, progress=progress
    )
    return Blocks(*opened, (gold, parsed))


def lengths_differ(
    gold: str, parsed: str, surplus: Surplus, more: int = 0
) -> PairingError:
    """The error for two files, and for so many more pairs of files."""
    others = f" (and so do {counted(more, 'more pair')} of files)" if more else ""
    return PairingError(
        f"{gold} and {parsed} differ in length by "
        f"{counted(max(surplus), 'sentence')}{others}"
    )


def _first_look(path: str, encoding: str) -> FirstLook:
    reader = TreeReader(path, encoding=encoding)
    with closing(reader), warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # its shard will tell
        # As one who reads on: the file is not the whole of the input.
        return reader.first_look()._replace(is_whole=False)


def _from_anywhere(path: str) -> str:
    """A name that means the same to workers that were started elsewhere."""
    return path if is_url(path) else os.path.abspath(path)


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
