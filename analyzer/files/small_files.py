"""Files that are read whole, as they are small: documents, settings, sidecars.

What is larger than they ever are is refused before it fills the memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.exceptions import InputError, Place, TooLargeError
from analyzer.files.sources import MEGABYTE, Readable, open_utf8

# A text of UTF-8 takes up to four times its size in memory.
LARGEST_FILE = 32 * MEGABYTE
# What JSON says in three bytes can take seventy in memory.
LARGEST_JSON = 16 * MEGABYTE
# Settings are written by hand.
LARGEST_SETTINGS = 1 * MEGABYTE
_LONGEST_LINE = 1 * MEGABYTE
_BLOCK_BYTES = MEGABYTE


def read_text(path: str, *, largest: int = LARGEST_SETTINGS) -> str:
    """All of a file of settings; InputError if it is too large, or no text."""
    with open_utf8(path) as stream:
        return decode_utf8(read_bytes(stream, path, largest), path)


def read_bytes(stream: Readable, path: str, largest: int) -> bytes:
    """All that is in a stream; InputError if that is more than `largest` bytes."""
    parts: list[bytes] = []
    left = largest
    while data := stream.read(min(left + 1, _BLOCK_BYTES)):
        left -= len(data)
        if left < 0:
            raise too_large(path, largest)
        parts.append(data)
    return b"".join(parts)


def too_large(path: str, largest: int) -> TooLargeError:
    size = f"{largest // MEGABYTE} MB"
    return TooLargeError("E105 is larger than", Place(path), size=size)


def decode_utf8(data: bytes, path: str, *, first_line: int = 1, hint: str = "") -> str:
    """UTF-8 as text; InputError names the line of what is not."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first_line
        raise InputError(
            "E106 is not UTF-8", Place(path, line), data=data[error.start], hint=hint
        ) from None


def read_lines(
    path: str, *, encoding: str = "utf-8", longest: int = _LONGEST_LINE
) -> Iterator[str]:
    """The lines of a table, one at a time: tables may be of any length.

    Line ends (`\\n`, `\\r\\n`) are left out. A line of more than `longest` bytes is
    an InputError.
    """
    with open_utf8(path, encoding=encoding) as stream:
        yield from lines_of(stream, path, longest=longest)


def lines_of(
    stream: Readable, path: str, *, longest: int = _LONGEST_LINE
) -> Iterator[str]:
    """The lines of what is open already."""
    rest, number = b"", 0
    while data := stream.read(_BLOCK_BYTES):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            number += 1
            yield decode_utf8(line, path, first_line=number).removesuffix("\r")
        if len(rest) > longest:
            raise InputError(
                "E111 a line of more than",
                Place(path, number + 1),
                longest=longest // MEGABYTE,
            )
    if rest:
        yield decode_utf8(rest, path, first_line=number + 1).removesuffix("\r")


def read_json(path: str, complaint: str) -> Any:
    """What a JSON file holds; InputError, beginning with a complaint, if it is none.

    Whoever names the wrong file is helped by what was expected, not by JSON's syntax:
    `complaint` is the code of a message that says it.
    """
    text = read_text(path, largest=LARGEST_JSON)
    try:
        return parse_json(text, path)
    except InputError as error:
        raise InputError(
            "E107 ",
            error.place,
            complaint=InputError(complaint).message,
            message=error.message,
        ) from None


def parse_json(text: str, source: str) -> Any:
    """What a JSON text holds; InputError names line and column of what is wrong."""
    import json

    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = Place(source, error.lineno, error.colno)
        raise InputError("E108 broken JSON", place, msg=error.msg) from None
    except RecursionError:
        raise InputError("E109 broken JSON", Place(source)) from None
    except ValueError:  # Python reads numbers of some thousand digits, not more
        raise InputError("E110 broken JSON", Place(source)) from None
