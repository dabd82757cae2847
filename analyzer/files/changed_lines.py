"""A stream whose lines are changed as they are read."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.files.sources import Readable

_SOME = 1 << 16  # bytes that are read ahead for the end of a line


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
            if not data or len(lines) - cut > _SOME:
                cut = len(lines)
            if cut or not data:
                self._rest = lines[cut:]
                return self._change(lines[:cut])
            self._rest = lines
