"""XML from anywhere: elements with their lines, and nothing that reaches outside.

Expat from the standard library, told to refuse document types: with them go entities,
and so both files read from elsewhere and texts that grow without end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from xml.parsers import expat

from analyzer.errors import Place
from analyzer.rst.documents import RstError, check_size

# Of a large document, not all elements are kept: whoever asks for them takes some.
_PIECE_BYTES = 1 << 20


class Element(NamedTuple):
    """An element as it ends: its own text, not that of elements in it."""

    name: str
    attributes: dict[str, str]
    text: str
    line: int


class _RefusedError(Exception):
    """Something that no treebank needs."""


class _Handlers:
    def __init__(self, parser: expat.XMLParserType, source: str) -> None:
        self.done: list[Element] = []
        self._source = source
        self._parser = parser
        self._open: list[tuple[str, dict[str, str], list[str], int]] = []
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        parser.ExternalEntityRefHandler = self._refuse
        parser.buffer_text = True

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        check_size(len(self._open), Place(self._source, self._parser.CurrentLineNumber))
        self._open.append((name, attributes, [], self._parser.CurrentLineNumber))

    def _end(self, _: str) -> None:
        name, attributes, parts, line = self._open.pop()
        self.done.append(Element(name, attributes, "".join(parts), line))

    def _text(self, text: str) -> None:
        if self._open:
            self._open[-1][2].append(text)

    def _refuse(self, *_: object) -> int:
        raise _RefusedError


def elements(text: str, source: str) -> Iterator[Element]:
    """The elements of a document, in the order in which they end.

    >>> [(e.name, e.text) for e in elements("<a><b x='1'>hi</b></a>", "<text>")]
    [('b', 'hi'), ('a', '')]
    """
    # The text is decoded already, whatever encoding it declares.
    parser = expat.ParserCreate("utf-8")
    handlers = _Handlers(parser, source)
    data = text.encode("utf-8", "replace")
    try:
        for start in range(0, len(data), _PIECE_BYTES):
            parser.Parse(data[start : start + _PIECE_BYTES], False)
            yield from handlers.done
            handlers.done.clear()
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, str(error))
        place = Place(source, error.lineno, error.offset + 1)
        raise RstError(f"broken XML: {reason}", place) from None
    except _RefusedError:
        place = Place(source, parser.CurrentLineNumber)
        message = "document types and entities are not read; take out <!DOCTYPE …>"
        raise RstError(message, place) from None
