"""Where bytes come from: a file, a URL, standard input, or what somebody opened.

Compressed input is recognised by its first bytes, not by its name, so that it
also works through a pipe. What leaves here is UTF-8 without a byte order mark; lines
that end in a carriage return alone end in a line feed.
"""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import IO, Protocol, cast

from analyzer.exceptions import InputError, Place, SettingsError
from analyzer.files.urls import explained, is_url, open_url
from analyzer.limits import limits


class Readable(Protocol):
    """What bytes can be read from, so many at a time."""

    def read(self, size: int, /) -> bytes: ...


STDIN = "-"
MEGABYTE = 1 << 20
# What is looked at to tell what is in a file.
LOOK_BYTES = 4096
# Without a line feed in so many bytes, a carriage return is what ends the lines.
_LINE_END_BYTES = 1 << 16
# So many bytes are read ahead for the end of a line that is to be changed whole.
_READ_AHEAD = 1 << 16
# Below this, a file may expand as it likes: a short one of equal lines shrinks well.
_HARMLESS_BYTES = 16 * MEGABYTE
# How compressed files begin, and the module that opens them, imported when it must.
_COMPRESSIONS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "lzma"}
_BYTE_ORDER_MARKS = {  # the longer ones first: UTF-32's begins as UTF-16's
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


@contextmanager
def open_utf8(
    file: str | IO[bytes], *, encoding: str = "utf-8", name: str = ""
) -> Iterator[Utf8Stream]:
    """The bytes of a path or an open file, decompressed and as UTF-8."""
    codec = _codec(encoding)
    name = name or stream_name(file)
    with ExitStack() as stack:
        with _explained(name):
            raw = stack.enter_context(_raw(file))
            stream = _as_utf8(_decompressed(raw, name), codec, name)
        yield stream


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turns what can go wrong while reading into errors for people."""
    try:
        yield
    except _decompression_errors() as error:
        raise InputError(
            "E116 damaged compressed file", Place(name), error=error
        ) from error
    except Exception as error:
        if is_url(name):
            with explained(name):
                raise
        if not isinstance(error, OSError):
            raise
        reason = error.strerror or str(error)
        raise InputError("E117 cannot be read", Place(name), reason=reason) from error


def stream_of(text: str) -> IO[bytes]:
    """A text as if it had been opened."""
    # Half a surrogate pair becomes bytes that the reader will say are not UTF-8.
    return io.BytesIO(text.encode("utf-8", "surrogatepass"))


def stream_name(file: str | IO[bytes]) -> str:
    """What to call a file in messages."""
    return file if isinstance(file, str) else str(getattr(file, "name", "<stream>"))


def _codec(encoding: str) -> str:
    """The codec's own name. Python also lists some that do not encode text (hex)."""
    try:
        codec = codecs.lookup(encoding)
        # One that is for text, and can be read in pieces (of names, idna cannot).
        "(NN a)".encode(encoding).decode(encoding, "replace")
        codecs.getincrementaldecoder(encoding)
    except (LookupError, ValueError):  # of which UnicodeError is one
        raise SettingsError("E515 unknown encoding", encoding=encoding) from None
    return codec.name


@contextmanager
def _raw(file: str | IO[bytes]) -> Iterator[io.BufferedReader]:
    if isinstance(file, str) and is_url(file):
        with open_url(file) as remote:
            yield remote
        return
    if isinstance(file, str) and file != STDIN:
        with open(file, "rb") as stream:
            yield stream
        return
    if isinstance(file, str) and sys.stdin is None:
        raise InputError("E113 standard input is closed", Place(STDIN))
    given = sys.stdin.buffer if isinstance(file, str) else file
    if hasattr(given, "peek"):
        yield cast(io.BufferedReader, given)
        return
    buffered: io.BufferedReader = io.BufferedReader(cast(io.RawIOBase, given))
    try:
        yield buffered
    finally:
        buffered.detach()  # or it would close what is not ours


def _decompressed(raw: io.BufferedReader, name: str) -> Readable:
    start = raw.peek(8)[:8]
    for magic, module in _COMPRESSIONS.items():
        if start.startswith(magic):
            compressed = _Counted(raw)
            # Each has an `open` that takes a stream.
            opened: IO[bytes] = import_module(module).open(compressed)
            return _Expanding(opened, compressed, name)
    return raw


def _decompression_errors() -> tuple[type[BaseException], ...]:
    """What modules that were imported raise where a compressed file is damaged."""
    names = {"zlib": "error", "lzma": "LZMAError", "gzip": "BadGzipFile"}
    there = {name: sys.modules[name] for name in names if name in sys.modules}
    return EOFError, *(getattr(module, names[name]) for name, module in there.items())


class _Counted:
    """A stream, also a pipe, that knows how much was read from it."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.count += len(data)
        return data


class _Expanding:
    """What comes out of a compressed file, as long as it is in proportion."""

    def __init__(self, stream: Readable, compressed: _Counted, path: str) -> None:
        self._stream = stream
        self._compressed = compressed
        self._path = path
        self._count = 0

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._count += len(data)
        allowed = limits().expansion * self._compressed.count
        if self._count > max(_HARMLESS_BYTES, allowed):
            raise InputError(
                "E118 expands to more than",
                Place(self._path),
                expansion=limits().expansion,
                count=self._count,
                count_2=self._compressed.count,
            )
        return data


class Utf8Stream:
    """A stream as UTF-8, whose start can be looked at without reading it.

    It is read by sizes only: all of it may be more than there is memory for.
    """

    def __init__(self, stream: Readable, ahead: bytes, codec: str, path: str) -> None:
        self._stream = stream
        self._ahead = ahead
        self._path = path
        self._decoder = codecs.getincrementaldecoder(codec)()
        self._codec = codec
        self.is_recoded = codec != "utf-8"  # the bytes are not those of the file
        start = self.start()
        self._ends_in_returns = (
            "\r" in start
            and "\n" not in start
            and "\n" not in self.start(_LINE_END_BYTES)
        )

    def start(self, size: int = LOOK_BYTES) -> str:
        """How the text begins, as long as nothing has been read."""
        while len(self._ahead) < size:
            data = self._read_on(size - len(self._ahead))
            if not data:
                break
            self._ahead += data
        return self._ahead[:size].decode(self._codec, "replace")

    def read(self, size: int) -> bytes:
        """The next bytes, as many or fewer; none at the end."""
        data = self._read_recoded(size)
        return data.replace(b"\r", b"\n") if self._ends_in_returns else data

    def _read_recoded(self, size: int) -> bytes:
        if self._ahead:
            data, self._ahead = self._ahead[:size], self._ahead[size:]
        else:
            data = self._read_on(size)
        if self._codec == "utf-8":
            return data
        while True:
            try:
                decoded = self._decoder.decode(data, final=not data).encode()
            except UnicodeError as error:
                reason = getattr(error, "reason", str(error))
                raise InputError(
                    "E119 is not", Place(self._path), codec=self._codec, reason=reason
                ) from error
            # A chunk may end within a character and decode to nothing: that is
            # not the end of the stream, so go on until there is something.
            if decoded or not data:
                return decoded
            data = self._read_on(size)

    def _read_on(self, size: int) -> bytes:
        with _explained(self._path):
            return self._stream.read(size)


def _as_utf8(stream: Readable, codec: str, path: str) -> Utf8Stream:
    ahead = stream.read(LOOK_BYTES)
    for mark, marked_codec in _BYTE_ORDER_MARKS.items():
        if ahead.startswith(mark):
            ahead, codec = ahead[len(mark) :], marked_codec
            break
    if b"\0" in ahead and not codec.startswith(("utf-16", "utf-32")):
        raise InputError("E114 is not text", Place(path), ahead=ahead.index(0) + 1)
    return Utf8Stream(stream, ahead, codec, path)


class ChangedLines:
    """What a stream holds, changed whole lines at a time.

    The change must not depend on how many lines it is given at once.

    >>> import io
    >>> stream = io.BytesIO(b"a b\\n")
    >>> ChangedLines(stream, lambda lines: lines.replace(b"b", b"c")).read(9)
    b'a c\\n'
    """

    def __init__(self, stream: Readable, change: Callable[[bytes], bytes]) -> None:
        self._stream = stream
        self._change = change
        self._rest = b""  # the start of a line whose end is not read yet

    def read(self, size: int, /) -> bytes:
        while True:
            data = self._stream.read(size)
            lines = self._rest + data
            cut = lines.rfind(b"\n") + 1
            if not data or len(lines) - cut > _READ_AHEAD:
                cut = len(lines)
            if cut or not data:
                self._rest = lines[cut:]
                return self._change(lines[:cut])
            self._rest = lines
