"""What an argument stands for: files that are looked at, and then read, just once.

A pipe gives its bytes only once, so whoever looks at the start of a file to tell what
is in it, and whoever reads it, share one `InputFile`. A folder may hold more than
trees: each of its files is read, or stands in `Input.unread` with the reason.
"""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from analyzer.exceptions import AnalyzerError, InputError, Place, UnreadWarning
from analyzer.files.finding import Origin, UnreadFile, find_files, is_called_trees
from analyzer.files.sources import (
    LOOK_BYTES,
    MEGABYTE,
    Utf8Stream,
    name_of,
    open_utf8,
    stream_of,
)
from analyzer.files.urls import is_url
from analyzer.safe_text import counted

_TEXT = "<text>"
_STRINGS = "<strings>"
_NAMES_SHOWN = 3
# Nobody knows what is in these, so they may be a loss whatever they are called:
# damaged compression, no permission.
_UNKNOWN = frozenset({"E116", "E117"})


class InputFile:
    """A file whose start can be looked at before it is read, also that of a pipe.

    >>> file = InputFile(io.BytesIO(b"(A a)"))
    >>> file.start()
    '(A a)'
    >>> with file.open() as stream:
    ...     stream.read(10)
    b'(A a)'
    """

    def __init__(
        self, file: str | bytes | IO[bytes], *, encoding: str = "utf-8", name: str = ""
    ) -> None:
        self.name = name or (_TEXT if isinstance(file, bytes) else name_of(file))
        self.encoding = encoding
        self._file = file
        self._stack = ExitStack()
        self._opened: Utf8Stream | None = None  # of what can be read only once
        self._was_read = False
        self._is_recoded = False  # the copy of what was read once

    @property
    def is_read_once(self) -> bool:
        """Whether it is gone once it is read, as a pipe is."""
        if isinstance(self._file, bytes):
            return False
        if not isinstance(self._file, str):
            return not isinstance(self._file, _Copy)
        return not is_url(self._file) and not os.path.isfile(self._file)

    @property
    def path(self) -> str | None:
        """By which others can open it, if they can."""
        file = self._file
        return file if isinstance(file, str) and not self.is_read_once else None

    def start(self, size: int = LOOK_BYTES) -> str:
        """How the text begins; InputError if it cannot be read."""
        if self.is_read_once:
            return self._once().start(size)
        with self._again() as stream:
            return stream.start(size)

    @contextmanager
    def open(self) -> Iterator[Utf8Stream]:
        """All of the text, from its beginning."""
        if not self.is_read_once:
            with self._again() as stream:
                yield stream
            return
        stream = self._once()
        self._was_read = True
        with self._stack:
            yield stream

    def keep(self) -> None:
        """Copy what can be read only once to where it can be read again."""
        if not self.is_read_once:
            return
        copy = _Copy()
        with self.open() as stream:
            while data := stream.read(MEGABYTE):
                copy.write(data)
            self._is_recoded = stream.is_recoded
        self._file, self.encoding = copy, "utf-8"

    def _once(self) -> Utf8Stream:
        if self._was_read:
            raise InputError(
                "can be read only once, and has been read",
                Place(self.name),
                code="E137",
            )
        if self._opened is None:
            assert not isinstance(self._file, bytes)
            self._opened = self._stack.enter_context(
                open_utf8(self._file, encoding=self.encoding)
            )
        return self._opened

    @contextmanager
    def _again(self) -> Iterator[Utf8Stream]:
        file = self._file
        if isinstance(file, bytes):  # a text: nothing to unpack or to decode
            text = Utf8Stream(io.BytesIO(file), b"", "utf-8", self.name)
            text.is_recoded = True
            yield text
            return
        if not isinstance(file, str):
            file.seek(0)
        with open_utf8(file, encoding=self.encoding, name=self.name) as stream:
            stream.is_recoded |= self._is_recoded
            yield stream


class _Copy(io.BufferedRandom):
    """What was read once, in a file without a name, which goes when it is closed."""

    def __init__(self) -> None:
        import tempfile  # and much with it

        with tempfile.TemporaryFile() as file:
            super().__init__(io.FileIO(os.dup(file.fileno()), "r+"))


class Input:
    """The files that an argument stands for, and those of them that were not read."""

    def __init__(
        self,
        name: str,
        files: Iterable[InputFile],
        origin: Origin = Origin.LISTED,
        unread: Iterable[UnreadFile] = (),
    ) -> None:
        self.name = name
        self.files = list(files)
        self.origin = origin
        self.unread = list(unread)
        # Of strings in memory, of which each is one tree; their file is for sniffing.
        self.strings: tuple[str, ...] | None = None
        self._told = 0  # of the unread

    @classmethod
    def of_path(cls, spec: str | Path, *, encoding: str = "utf-8") -> Input:
        """A file, a glob's files, a folder's, those of a URL, or standard input.

        A folder stands for all files below it, in the order of their names, but for
        hidden ones and backups of editors.
        """
        name = str(spec)
        if not name:
            raise InputError(
                "an empty name where a file is expected", Place("''"), code="E138"
            )
        paths, origin, unread = find_files(name)
        files = [InputFile(path, encoding=encoding) for path in paths]
        return cls(name, files, origin, unread)

    @classmethod
    def of_paths(cls, specs: Iterable[str | Path], *, encoding: str = "utf-8") -> Input:
        """All files of some paths, one after the other."""
        parts = [cls.of_path(spec, encoding=encoding) for spec in specs]
        if not parts:
            raise InputError("no file is given", Place("[]"), code="E139")
        return cls(
            ", ".join(part.name for part in parts),
            [file for part in parts for file in part.files],
            parts[0].origin if len(parts) == 1 else Origin.LISTED,
            [one for part in parts for one in part.unread],
        )

    @classmethod
    def of_stream(cls, stream: IO[bytes], *, encoding: str = "utf-8") -> Input:
        """A file that the caller has opened, and will close."""
        return cls(name_of(stream), [InputFile(stream, encoding=encoding)])

    @classmethod
    def of_text(cls, text: str | bytes) -> Input:
        """A text, also as UTF-8, as if it had been in a file."""
        data = stream_of(text).read() if isinstance(text, str) else text
        return cls(_TEXT, [InputFile(data)], Origin.TEXT)

    @classmethod
    def of_strings(cls, strings: Sequence[str]) -> Input:
        """Texts of which each is one tree, or empty: a tree that is missing."""
        start = next((one for one in strings if one.strip()), "")
        file = InputFile(stream_of(start).read(), name=_STRINGS)
        given = cls(_STRINGS, [file], Origin.TEXT)
        given.strings = tuple(strings)
        return given

    @property
    def is_folder(self) -> bool:
        return self.origin is Origin.FOLDER

    @property
    def is_text(self) -> bool:
        return self.origin is Origin.TEXT

    @property
    def losses(self) -> list[UnreadFile]:
        """The files that were not read, though they may have held trees."""
        return [one for one in self.unread if one.is_loss]

    def alone(self, file: InputFile) -> Input:
        """One of the files as an input; if it is not read, this one knows, too."""
        one = Input(file.name, [file], self.origin)
        one.unread, one._told = self.unread, len(self.unread)
        return one

    def refuse(self, file: InputFile, error: InputError) -> None:
        """One of the files is not read, for this reason."""
        self.files.remove(file)
        is_loss = error.code in _UNKNOWN or is_called_trees(file.name)
        self.unread.append(UnreadFile(file.name, error, is_loss))

    def passes_over(self, file: InputFile, error: AnalyzerError) -> bool:
        """Whether a file that cannot be read is no loss; it is refused, then."""
        is_loss = error.code in _UNKNOWN or is_called_trees(file.name)
        if self.origin is Origin.LISTED or is_loss or not isinstance(error, InputError):
            return False
        self.refuse(file, error)
        return True

    def sift(self, check: Callable[[InputFile], None], expected: str) -> None:
        """Refuse the files for which the check raises an InputError; warn of them.

        An InputError says what was `expected` if none is left.
        """
        looked_at = len(self.files)
        for file in list(self.files):
            try:
                check(file)
            except InputError as error:
                self.refuse(file, error)
        self.warn()
        if not self.files:
            raise InputError(
                "no file in this directory contains trees ({count} looked "
                "at); expected {expected}",
                Place(self.name),
                code="E115",
                count=looked_at,
                expected=expected,
            )

    def warn(self, *, of_losses: bool = True) -> None:
        """Warn, once, of the files that were not read; of all, or not of losses."""
        untold = self.unread[self._told :]
        self._told = len(self.unread)
        for one in untold:
            if one.is_loss and of_losses:
                note = f"not read: {one.error.message}"
                warnings.warn(UnreadWarning(one.path, note, True), stacklevel=2)
        others = [one.path for one in untold if not one.is_loss]
        if others:
            files = counted(len(others), "file")
            start = self.name if self.is_folder else "."
            shown = ", ".join(
                os.path.relpath(path, start) for path in others[:_NAMES_SHOWN]
            )
            more = ", …" if len(others) > _NAMES_SHOWN else ""
            note = f"passed over {files} without trees: {shown}{more}"
            warnings.warn(UnreadWarning(self.name, note), stacklevel=2)

    def keep(self) -> None:
        """Have all files so that they can be read more than once."""
        for file in self.files:
            file.keep()
