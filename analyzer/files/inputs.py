"""What an argument stands for: files that are looked at, and then read, just once.

A pipe gives its bytes only once, so whoever looks at the start of a file to tell what
is in it, and whoever reads it, share one `InputFile`. A folder may hold more than
trees: each of its files is read, or stands in `Input.unread` with the reason.
"""

from __future__ import annotations

import glob
import io
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import Enum
from pathlib import Path
from typing import IO, Any, NamedTuple

from analyzer.exceptions import AnalyzerError, InputError, Place, UnreadWarning
from analyzer.files.sources import (
    LOOK_BYTES,
    MEGABYTE,
    STDIN,
    Utf8Stream,
    open_utf8,
    stream_name,
    stream_of,
)
from analyzer.files.urls import files_at, is_url
from analyzer.safe_text import counted

_TEXT = "<text>"
_STRINGS = "<strings>"
_NAMES_SHOWN = 3
_STAY_OPEN = 8
# Nobody knows what is in these, so they may be a loss whatever they are called:
# damaged compression, no permission.
_UNKNOWN = frozenset({"E116", "E117"})
# What editors and systems leave beside the files that people made.
_LEFT_BEHIND = frozenset({"Thumbs.db", "desktop.ini"})
# Files of these names describe a folder, and may show some of its trees.
_ABOUT = frozenset(
    (
        *("readme", "license", "licence", "copying", "copyright", "notice", "authors"),
        *("changes", "changelog", "news", "citation", "contributing", "install"),
    )
)
_BACKUPS = ("~", ".orig", ".bak", ".swp")
# What names of tree files end in; a file so called that holds no trees is a loss.
TREE_ENDINGS = frozenset(
    (
        *(".mrg", ".ptb", ".psd", ".tree", ".trees", ".parse", ".pred", ".brackets"),
        *(".dis", ".doc_dis", ".sen_dis", ".rs3", ".rs4", ".rsd", ".conllu", ".conll"),
        *(".dep", ".xml"),
    )
)


# -- which files a name stands for: a file, a glob, a folder, a URL, standard input ----


class UnreadFile(NamedTuple):
    """A file of a folder that was not read, and why."""

    path: str
    error: InputError
    is_loss: bool  # False: nothing tells that it was meant to hold trees (a README)


class Origin(Enum):
    """How the files of an input were named."""

    LISTED = "each by its name"
    GLOB = "by a pattern"
    FOLDER = "by the folder that they are in"
    TEXT = "not at all: a text that is in memory"


def is_called_trees(path: str) -> bool:
    """Whether a file is called as files of trees are: `a.mrg`, `a.dis.gz`."""
    return any(ending.lower() in TREE_ENDINGS for ending in Path(path).suffixes)


def is_left_out(name: str) -> bool:
    """Whether a file or folder is hidden, or what an editor or a system left behind.

    >>> [is_left_out(name) for name in (".DS_Store", "a.mrg~", "#a.mrg#", "a.mrg")]
    [True, True, True, False]
    """
    return (
        name.startswith(".")
        or name.endswith(_BACKUPS)
        or (name.startswith("#") and name.endswith("#"))
        or name in _LEFT_BEHIND
    )


def is_documentation(path: str) -> bool:
    """Whether a file is about a folder, by its name.

    >>> [is_documentation(name) for name in ("a/README", "LICENSE.txt", "news.mrg")]
    [True, True, False]
    """
    name = os.path.basename(path)
    return name.partition(".")[0].lower() in _ABOUT and not is_called_trees(name)


def _is_left_out_below(url: str, folder: str) -> bool:
    """Whether a file, or a folder that it is in, is left out."""
    depth = folder.rstrip("/").count("/")
    return any(map(is_left_out, url.split("/")[depth + 1 :]))


def find_files(spec: str) -> tuple[list[str], Origin, list[UnreadFile]]:
    if spec == STDIN:
        return [STDIN], Origin.LISTED, []
    if is_url(spec):
        urls, is_folder = files_at(spec)
        if is_folder:
            kept = [url for url in urls if not _is_left_out_below(url, spec)]
            files, about = _without_documentation(kept)
            return files, Origin.FOLDER, about
        return urls, Origin.LISTED if urls == [spec] else Origin.GLOB, []
    if os.path.isdir(spec):
        below, unread = _files_below(spec)
        files, about = _without_documentation(below)
        return files, Origin.FOLDER, [*unread, *about]
    if os.path.lexists(spec):
        return [spec], Origin.LISTED, []
    if any(character in spec for character in "*?["):
        matches = sorted(glob.glob(spec, recursive=True))
        files = [path for path in matches if not os.path.isdir(path)]
        if files:
            return files, Origin.GLOB, []
        raise InputError("E112 no file matches this pattern", Place(spec))
    raise InputError("E102 no such file", Place(spec))


def _without_documentation(
    paths: list[str],
) -> tuple[list[str], list[UnreadFile]]:
    """The files of a folder, but for those that are about it; and these."""
    about = [
        UnreadFile(path, InputError("E244 describes the folder", Place(path)), False)
        for path in paths
        if is_documentation(path)
    ]
    return [path for path in paths if not is_documentation(path)], about


def _files_below(folder: str) -> tuple[list[str], list[UnreadFile]]:
    """All files that can be opened, sorted by their paths; and the others."""
    files: list[str] = []
    unread: list[UnreadFile] = []

    def refuse(path: str, error: InputError) -> None:
        unread.append(UnreadFile(path, error, is_loss=True))

    def refuse_folder(error: OSError) -> None:
        path, reason = str(error.filename), error.strerror
        refuse(path, InputError("E146 cannot be listed", Place(path), reason=reason))

    for place, folders, names in os.walk(folder, onerror=refuse_folder):
        folders[:] = [name for name in folders if not is_left_out(name)]
        for name in folders:
            path = os.path.join(place, name)
            if os.path.islink(path):
                refuse(path, InputError("E136 is a link to a folder", Place(path)))
        for name in names:
            path = os.path.join(place, name)
            if is_left_out(name):
                continue
            if os.path.isfile(path):
                files.append(path)
            elif os.path.exists(path):
                refuse(path, InputError("E144 is a pipe, a socket", Place(path)))
            else:
                refuse(path, InputError("E145 is a link to a file", Place(path)))
    return sorted(files), sorted(unread, key=lambda file: file.path)


# -- files that are looked at before they are read ------------------------------------


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
        self.name = name or (_TEXT if isinstance(file, bytes) else stream_name(file))
        self.encoding = encoding
        self._file = file
        self._stack = ExitStack()
        # Once its start was looked at: of what can be read only once, or stays open.
        self._opened: Utf8Stream | None = None
        self.stays_open = False  # from a look at its start until it is read
        self.formats: dict[Any, Any] = {}  # what is known of it: `formats.registry`
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
        if self.is_read_once or (self.stays_open and isinstance(self._file, str)):
            return self._once().start(size)
        with self._again() as stream:
            return stream.start(size)

    @property
    def is_open(self) -> bool:
        """Whether its start was looked at, and it is open since."""
        return self._opened is not None

    @contextmanager
    def open(self) -> Iterator[Utf8Stream]:
        """All of the text, from its beginning."""
        if not self.is_read_once and not self.is_open:
            with self._again() as stream:
                yield stream
            return
        stream, self._opened = self._once(), None
        self._was_read = self.is_read_once
        with self._stack.pop_all():
            yield stream

    def __del__(self) -> None:
        # It was looked at, and then others read it, or nobody did.
        if getattr(self, "_opened", None) is not None:
            self._stack.close()

    def keep(self) -> None:
        """Copy what can be read only once to where it can be read again."""
        if not self.is_read_once:
            return
        copy = _Copy()
        with self.open() as stream:
            while data := stream.read(MEGABYTE):
                copy.write(data)
            self._is_recoded = stream.is_recoded
        self._file, self.encoding, self._was_read = copy, "utf-8", False

    def _once(self) -> Utf8Stream:
        if self._was_read:
            raise InputError(
                "E137 can be read only once, and has been read", Place(self.name)
            )
        if self._opened is None:
            self._opened = self._stack.enter_context(self._again())
        return self._opened

    @contextmanager
    def _again(self) -> Iterator[Utf8Stream]:
        file = self._file
        if isinstance(file, bytes):  # a text: nothing to unpack or to decode
            text = Utf8Stream(io.BytesIO(file), b"", "utf-8", self.name)
            text.is_recoded = True
            yield text
            return
        if isinstance(file, _Copy):
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
        for file in self.files[:_STAY_OPEN]:  # or a folder takes all that may be open
            file.stays_open = True
        self.origin = origin
        self.grammar = ""  # that all files are read by: `formats.dialects`
        self.unread = list(unread)
        # Of strings in memory, of which each is one tree; their file is for sniffing.
        self.strings: tuple[str, ...] | None = None
        self._warned = 0  # so many of the unread were warned of

    @classmethod
    def of_path(cls, spec: str | Path, *, encoding: str = "utf-8") -> Input:
        """A file, a glob's files, a folder's, those of a URL, or standard input.

        A folder stands for all files below it, in the order of their names, but for
        hidden ones and backups of editors.
        """
        name = str(spec)
        if not name:
            raise InputError("E138 an empty name where a file is expected", Place("''"))
        paths, origin, unread = find_files(name)
        files = [InputFile(path, encoding=encoding) for path in paths]
        return cls(name, files, origin, unread)

    @classmethod
    def of_paths(cls, specs: Iterable[str | Path], *, encoding: str = "utf-8") -> Input:
        """All files of some paths, one after the other."""
        parts = [cls.of_path(spec, encoding=encoding) for spec in specs]
        if not parts:
            raise InputError("E139 no file is given", Place("[]"))
        return cls(
            ", ".join(part.name for part in parts),
            [file for part in parts for file in part.files],
            parts[0].origin if len(parts) == 1 else Origin.LISTED,
            [unread for part in parts for unread in part.unread],
        )

    @classmethod
    def of_stream(cls, stream: IO[bytes], *, encoding: str = "utf-8") -> Input:
        """A file that the caller has opened, and will close."""
        return cls(stream_name(stream), [InputFile(stream, encoding=encoding)])

    @classmethod
    def of_text(cls, text: str | bytes) -> Input:
        """A text, also as UTF-8, as if it had been in a file."""
        data = stream_of(text).read() if isinstance(text, str) else text
        return cls(_TEXT, [InputFile(data)], Origin.TEXT)

    @classmethod
    def of_strings(cls, strings: Sequence[str]) -> Input:
        """Texts of which each is one tree, or empty: a tree that is missing."""
        start = next((string for string in strings if string.strip()), "")
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
        return [file for file in self.unread if file.is_loss]

    def alone(self, file: InputFile) -> Input:
        """One of the files as an input of its own; both list what is not read."""
        given = Input(file.name, [file], self.origin)
        given.unread, given._warned = self.unread, len(self.unread)
        return given

    def refuse(self, file: InputFile, error: InputError) -> None:
        """One of the files is not read, for this reason."""
        self.files.remove(file)
        self.unread.append(UnreadFile(file.name, error, _is_loss(file, error)))

    def passes_over(self, file: InputFile, error: AnalyzerError) -> bool:
        """Whether a file that cannot be read is no loss; it is refused, then."""
        is_listed = self.origin is Origin.LISTED
        if is_listed or _is_loss(file, error) or not isinstance(error, InputError):
            return False
        self.refuse(file, error)
        return True

    def sift(self, check: Callable[[InputFile], None], expected: str) -> None:
        """Refuse the files for which the check raises an InputError; warn of them.

        An InputError says what was `expected` if none is left.
        """
        looked_at = len(self.files) + len(self.unread)
        for file in list(self.files):
            try:
                check(file)
            except InputError as error:
                self.refuse(file, error)
        self.warn()
        if not self.files:
            raise InputError(
                "E115 no file in this directory contains trees",
                Place(self.name),
                count=looked_at,
                expected=expected,
            )

    def warn(self, *, of_losses: bool = True) -> None:
        """Warn, once, of the files that were not read; of all, or not of losses."""
        new = self.unread[self._warned :]
        self._warned = len(self.unread)
        for file in new:
            if file.is_loss and of_losses:
                note = f"not read: {file.error.message}"
                warnings.warn(UnreadWarning(file.path, note, True), stacklevel=2)
        others = [file.path for file in new if not file.is_loss]
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


def _is_loss(file: InputFile, error: AnalyzerError) -> bool:
    """Whether a file that is not read may have held trees."""
    return error.code in _UNKNOWN or is_called_trees(file.name)
