"""The elements of an XML document with their lines, through the hardened parser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from analyzer.exceptions import InputError, RstError
from analyzer.files.xml import HardenedParser

# Of a large document, not all elements are kept: whoever asks for them takes some.
_PIECE_BYTES = 1 << 20


class Element(NamedTuple):
    """An element as it ends: its own text, not that of elements in it."""

    name: str
    attributes: dict[str, str]
    text: str
    line: int


class _Elements:
    def __init__(self, source: str) -> None:
        self.done: list[Element] = []
        self._open: list[tuple[str, dict[str, str], list[str], int]] = []
        # The text is decoded already, whatever encoding it declares.
        self.parser = HardenedParser(
            source,
            start=self._start,
            end=self._end,
            text=self._text,
            encoding="utf-8",
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._open.append((name, attributes, [], self.parser.line))

    def _end(self, _: str) -> None:
        name, attributes, parts, line = self._open.pop()
        self.done.append(Element(name, attributes, "".join(parts), line))

    def _text(self, text: str) -> None:
        if self._open:
            self._open[-1][2].append(text)


def elements(text: str, source: str) -> Iterator[Element]:
    """The elements of a document, in the order in which they end.

    >>> [(e.name, e.text) for e in elements("<a><b x='1'>hi</b></a>", "<text>")]
    [('b', 'hi'), ('a', '')]
    """
    found = _Elements(source)
    data = text.encode("utf-8", "replace")
    try:
        for start in range(0, len(data), _PIECE_BYTES):
            found.parser.feed(data[start : start + _PIECE_BYTES])
            yield from found.done
            found.done.clear()
        found.parser.feed(b"", is_last=True)
    except InputError as error:
        raise RstError(error.message, error.place) from None
    yield from found.done
