"""XML from anywhere, read a little at a time, and nothing that reaches outside.

Expat from the standard library, told to refuse document types: with them go entities,
and so both files read from elsewhere and texts that grow without end. Elements may not
nest deeper, and a single tag or comment may not be longer, than any treebank needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from xml.parsers import expat

from analyzer.exceptions import InputError, Place

_DEEPEST = 200
_LONGEST_TOKEN = 1 << 20  # bytes

StartHandler = Callable[[str, dict[str, str]], None]
EndHandler = Callable[[str], None]
TextHandler = Callable[[str], None]


class HardenedParser:
    """Calls the handlers as it is fed; InputError says what is wrong, and where.

    `encoding` overrules what the document declares.

    >>> parser = HardenedParser("a.xml", start=print, end=print)
    >>> parser.feed(b"<a><b ")
    a {}
    >>> parser.feed(b"x='1'/></a>", is_last=True)
    b {'x': '1'}
    b
    a
    """

    def __init__(
        self,
        source: str,
        *,
        start: StartHandler,
        end: EndHandler,
        text: TextHandler | None = None,
        encoding: str | None = None,
    ) -> None:
        self._source = source
        self._start, self._end = start, end
        self._has_begun = False
        self._depth = 0
        self._fed = 0
        parser = self._parser = expat.ParserCreate(encoding)
        parser.StartElementHandler = self._open
        parser.EndElementHandler = self._close
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        parser.ExternalEntityRefHandler = self._refuse
        if text is not None:
            parser.CharacterDataHandler = text
            parser.buffer_text = True

    @property
    def line(self) -> int:
        """Where the parser is."""
        return self._parser.CurrentLineNumber

    def error(self, code: str, **fields: Any) -> InputError:
        """What is wrong with the element that the parser is at."""
        place = Place(self._source, self.line)
        return InputError(code, place, **fields)

    def feed(self, data: bytes, *, is_last: bool = False) -> None:
        try:
            self._parser.Parse(data, is_last)
        except expat.ExpatError as error:
            reason = expat.errors.messages.get(error.code, str(error))
            place = Place(self._source, error.lineno, error.offset + 1)
            raise InputError("E120 broken XML", place, reason=reason) from None
        except (LookupError, ValueError) as error:
            if self._has_begun:
                raise  # no matter of encodings: a fault of the handlers
            raise self.error(
                "E183 an encoding that cannot be read", error=error
            ) from None
        self._fed += len(data)
        # What is not yet a whole token, Expat keeps in memory.
        if not is_last and self._fed - self._parser.CurrentByteIndex > _LONGEST_TOKEN:
            raise self.error("E184 a tag or comment of more than", most=_LONGEST_TOKEN)

    def _open(self, name: str, attributes: dict[str, str]) -> None:
        self._has_begun = True
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self.error("E185 elements nested more than", deepest=_DEEPEST)
        self._start(name, attributes)

    def _close(self, name: str) -> None:
        self._depth -= 1
        self._end(name)

    def _refuse(self, *_: object) -> int:
        raise self.error("E186 document types and entities are not read")


_BEFORE_ROOT = re.compile(
    r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^<>\[]*(?:\[.*?\]\s*)?>\s*)*",
    re.DOTALL,
)
_TAG = re.compile(r"<([^\W\d][\w.:-]*)[\s/>]")


def root_element(start: str) -> str | None:
    """The name of the outermost element, from how a text starts; None if unknown.

    >>> root_element('<?xml version="1.0"?>\\n<!-- ours --> <corpus id="a">')
    'corpus'
    """
    before = _BEFORE_ROOT.match(start)
    tag = _TAG.match(start, before.end() if before else 0)
    return tag[1] if tag else None


# -- whole elements -------------------------------------------------------------------

# Of a large document, not all elements are kept: whoever asks for them takes some.
_FED_BYTES = 1 << 20


class Element(NamedTuple):
    """An element as it ends: its own text, not that of elements in it."""

    name: str
    attributes: dict[str, str]
    text: str
    line: int


def elements(text: str, source: str) -> Iterator[Element]:
    """The elements of a document, in the order in which they end.

    >>> [(e.name, e.text) for e in elements("<a><b x='1'>hi</b></a>", "<text>")]
    [('b', 'hi'), ('a', '')]
    """
    done: list[Element] = []
    opened: list[tuple[str, dict[str, str], list[str], int]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        opened.append((name, attributes, [], parser.line))

    def end(_: str) -> None:
        name, attributes, parts, line = opened.pop()
        done.append(Element(name, attributes, "".join(parts), line))

    def add(text: str) -> None:
        if opened:
            opened[-1][2].append(text)

    # The text is decoded already, whatever encoding it declares.
    parser = HardenedParser(source, start=start, end=end, text=add, encoding="utf-8")
    data = text.encode("utf-8", "replace")
    for at in range(0, len(data), _FED_BYTES):
        parser.feed(data[at : at + _FED_BYTES])
        yield from done
        done.clear()
    parser.feed(b"", is_last=True)
    yield from done
