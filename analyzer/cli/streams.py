"""Standard output and standard error, whatever they are: closed, full, not UTF-8.

All that a command writes goes through here. Nothing that stands in the input can
command a terminal: such characters are written out (`\\x1b`).
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from contextlib import suppress
from typing import Any, TextIO, cast

from analyzer.safe_text import printable_lines, visible_json, visible_lines

_ERRORS = "spinal-stand-in"
# For terminals without Unicode; what is not here is written out (`\\u00e9`).
_STAND_INS = {
    **dict.fromkeys("─━═╴╶", "-"),
    **dict.fromkeys("│┃║╵╷", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛╔╗╚╝", "+"),
    **dict.fromkeys("█▓", "#"),
    **dict.fromkeys("░▒·•", "."),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”", '"'),
    **dict.fromkeys("–—−", "-"),
    **{"…": "...", "≤": "<=", "→": "->", "×": "x", "√": "sqrt", "λ": "l", "μ": "m"},
}


class _ClosedStream(io.TextIOBase):
    """Standard output that whoever started us has closed."""

    was_written = False

    def write(self, text: str) -> int:
        self.was_written = self.was_written or bool(text)
        raise OSError(errno.EBADF, "it is closed")


def prepare() -> None:
    """Make both streams ones that can be written to; before anything else is done."""
    codecs.register_error(_ERRORS, _stand_in)
    if sys.stdout is None:
        sys.stdout = _ClosedStream()
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=_ERRORS)
    if sys.stderr is None:
        # Else print() would write messages among the results.
        sys.stderr = io.StringIO()


def put(text: str = "", *, end: str = "\n", color: bool = False) -> None:
    """Write a part of the result; with `color` it may have colours of its own."""
    _write(visible_lines(text, color=color) + end)


def put_visible(text: str) -> None:
    """Write a part of the result that has gone through `visible_lines`."""
    _write(text)


def put_json(data: Any) -> None:
    """Write a result as JSON; in ASCII if standard output is not UTF-8."""
    _write(json_text(data, ascii_only=wants_ascii()))


def wants_ascii() -> bool:
    """Whether standard output cannot show all characters."""
    return not _is_utf8(sys.stdout)


class JsonList:
    """A list as JSON, written item by item: as `put_json` writes the whole of it."""

    def __init__(self) -> None:
        self._count = 0

    def __enter__(self) -> JsonList:
        return self

    def put(self, item: str) -> None:
        """Write an item, as `json_item` writes it."""
        _write((",\n" if self._count else "[\n") + item)
        self._count += 1

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            _write("\n]\n" if self._count else "[]\n")


def json_item(data: Any, *, ascii_only: bool) -> str:
    """An item of a list as JSON, indented as there."""
    text = json_text(data, ascii_only=ascii_only)[:-1]
    return "  " + text.replace("\n", "\n  ")


def put_document(text: str) -> None:
    """Write a file's content: exactly, unless a terminal shows it."""
    _write(visible_lines(text) if sys.stdout.isatty() else text)


def json_text(data: Any, *, ascii_only: bool = False) -> str:
    """Data as JSON that a terminal can show."""
    import json

    return visible_json(json.dumps(data, indent=2, ensure_ascii=ascii_only)) + "\n"


def _write(text: str) -> None:
    stream = sys.stdout
    is_utf8 = not isinstance(stream, io.TextIOWrapper) or _is_utf8(stream)
    if not is_utf8 and not stream.isatty():
        # A file or another program gets what --output would write.
        cast("io.TextIOWrapper", stream).reconfigure(encoding="utf-8")
    stream.write(text)


def tell(text: str) -> None:
    """Write to standard error; if that cannot be, go on without."""
    draw(f"{printable_lines(text)}\n")


def draw(text: str) -> None:
    """Write to standard error what may move the cursor."""
    try:
        print(text, end="", file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)


def finish(code: int) -> int:
    """The exit code; bad if the last of the output could not be written."""
    try:
        sys.stdout.flush()
    except OSError as error:
        code = output_failed(error, code)
    if isinstance(sys.stdout, _ClosedStream) and sys.stdout.was_written:
        tell("spinal: standard output: cannot be written: it is closed")
        code = code or 2
    try:
        sys.stderr.flush()
    except OSError:
        _discard(sys.stderr)
    return code


def output_failed(error: OSError, code: int) -> int:
    """The exit code when standard output cannot be written, with its reason told."""
    if isinstance(sys.stdout, _ClosedStream):
        return code or 2  # `finish` tells
    _discard(sys.stdout)
    if isinstance(error, BrokenPipeError):
        # The reader of our output went away (`| head`): no reason to complain.
        return code
    name = error.filename or "standard output"
    tell(f"spinal: {name}: cannot be written: {error.strerror}")
    return code or 2


def _discard(stream: TextIO) -> None:
    """Let all that is still to be written go nowhere, as Python exits too."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _is_utf8(stream: TextIO) -> bool:
    name = getattr(stream, "encoding", None) or "utf-8"
    return codecs.lookup(name).name == "utf-8"


def _stand_in(error: UnicodeError) -> tuple[str | bytes, int]:
    """What to write for characters that a stream's encoding lacks."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    shown = "".join(
        _STAND_INS.get(character)
        or character.encode("ascii", "backslashreplace").decode("ascii")
        for character in missing
    )
    return shown, error.end
