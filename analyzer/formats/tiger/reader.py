"""TIGER-XML as brackets, sentence by sentence: one tree a line.

    <s id="s1"><graph root="s1_500">
      <terminals><t id="s1_1" word="Ihn" pos="PPER"/> …</terminals>
      <nonterminals><nt id="s1_500" cat="S"><edge label="OA" idref="s1_1"/> …</nt> …

becomes `(ROOT (S (PPER Ihn) …))`:

* The root is ROOT: instead of TIGER's VROOT, or above any other. Nodes without a parent
  hang under it.
* The label of a phrase is its category and the label of its edge: `NP-SB`; `--` is
  none. Tags have no edge labels, since scores compare tags as they are.
* Crossing branches are resolved by raising (see `discontinuity` beside this; `HD`
  edges are heads).
* `(` and `)` are -LRB- and -RRB- in words, *LRB* and *RRB* in labels (`$(`: `$*LRB*`);
  white space in either is `_`. Phrases without words are left out.
* Comment lines, `#`, fill up, so that each tree is on the line where its <s> is.

A sentence that makes no tree becomes a record that `reason_of` knows. The hardened
parser reads, a piece at a time, so a corpus of any size takes little memory.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from typing import IO, cast

from analyzer.exceptions import BadSentenceError, InputError, InputWarning, Place
from analyzer.files.xml import HardenedParser, root_element
from analyzer.formats.tiger.sentence import Sentence, bracketed
from analyzer.safe_text import counted

ROOTS = frozenset({"corpus", "subcorpus"})
_PIECE_BYTES = 1 << 16
_COMMENT = b"#\n"
_COMMENTS_AT_ONCE = 1 << 15
# No text holds a NUL: the bracket reader takes such a record for what it is.
_UNREADABLE = b"\0TIGER-XML "
_IN_REASONS = {ord("("): "[", ord(")"): "]", ord("\n"): " "}
_XML_START = re.compile(r"\s*<(?:\?xml|!--|!DOCTYPE|(?:sub)?corpus\b|rst\b)")
_LINE_OF_BRACKETS = re.compile(r"^\s*\(", re.MULTILINE)


def is_xml(start: str) -> bool:
    """Whether a file that starts like this is XML, not brackets between SGML tags.

    >>> is_xml('<?xml version="1.0"?>'), is_xml("<html>"), is_xml("<DOC>\\n(S (A a))")
    (True, True, False)
    """
    return bool(_XML_START.match(start)) or (
        start.lstrip().startswith("<") and not _LINE_OF_BRACKETS.search(start)
    )


def is_tiger(start: str) -> bool:
    """Whether a file that starts like this is TIGER-XML."""
    return root_element(start) in ROOTS


def reason_of(record: bytes) -> str | None:
    """Why a record of `BracketLines` is no tree; None if it is one."""
    line = record.rstrip(b"\n").rpartition(b"\n")[2]
    if not line.startswith(_UNREADABLE):
        return None
    return line.removeprefix(_UNREADABLE).decode("utf-8", "replace")


class BracketLines(io.RawIOBase):
    """The trees of a TIGER-XML stream as bytes to read: one a line, in UTF-8.

    At its end it warns (InputWarning) of what brackets could not keep. `is_utf8`: the
    stream was decoded, whatever the XML declares.

    >>> xml = b'''<corpus><body><s id="s1"><graph root="s1_1"><terminals>
    ... <t id="s1_1" word="Ja" pos="PTKANT"/></terminals></graph></s></body></corpus>'''
    >>> BracketLines(io.BytesIO(xml), "a.xml").read()
    b'(ROOT (PTKANT Ja))\\n'
    """

    def __init__(
        self, stream: IO[bytes], source: str, *, is_utf8: bool = False
    ) -> None:
        self._stream = stream
        self._source = source
        encoding = "utf-8" if is_utf8 else None
        self._parser = HardenedParser(
            source, start=self._start, end=self._end, encoding=encoding
        )
        self._pieces = self._converted()
        self._ahead = b""
        self._has_root = False
        self._sentence: Sentence | None = None
        self._done: list[tuple[int, bytes]] = []  # lines of the XML, and records
        self._lines_written = 0
        self._sentences = self._raised = self._lowered = 0
        self._secondary_edges = self._elsewhere = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            data, self._ahead = self._ahead + b"".join(self._pieces), b""
            return data
        while not self._ahead:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._ahead = piece
        data, self._ahead = self._ahead[:size], self._ahead[size:]
        return data

    def close(self) -> None:
        """Also warns of what was read, if that was not all."""
        if not self.closed:
            self._warn()
        super().close()

    def _converted(self) -> Iterator[bytes]:
        is_last = False
        while not is_last:
            data = self._stream.read(_PIECE_BYTES)
            is_last = not data
            try:
                self._parser.feed(data, is_last=is_last)
            except InputError as error:
                if self._sentence is None:
                    raise
                message = f"{error.message} (in sentence {self._sentence.name})"
                raise InputError(message, error.place) from None
            yield from self._written()
        self._warn()

    def _written(self) -> Iterator[bytes]:
        """The records so far, with comments before them to keep the lines."""
        lines: list[bytes] = []
        for line, record in self._done:
            missing = max(0, line - 1 - self._lines_written)
            self._lines_written += missing + 1
            while missing > _COMMENTS_AT_ONCE:
                yield b"".join(lines) + _COMMENT * _COMMENTS_AT_ONCE
                lines = []
                missing -= _COMMENTS_AT_ONCE
            lines += [_COMMENT * missing, record, b"\n"]
        self._done.clear()
        yield b"".join(lines)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._has_root:
            self._check_root(name)
        elif name == "s":
            if self._sentence is not None:
                raise self._parser.error("a sentence within a sentence")
            given = attributes.get("id") or f"number {self._sentences + 1}"
            self._sentence = Sentence(given, self._parser.line)
        elif name == "subcorpus" and "external" in attributes:
            self._elsewhere += 1
        elif name == "secedge":
            self._secondary_edges += 1
        elif self._sentence is not None:
            self._sentence.add(name, attributes)

    def _check_root(self, name: str) -> None:
        self._has_root = True
        if name in ROOTS:
            return
        message = f"is XML, but not TIGER-XML: expected <corpus>, found <{name}>"
        if name == "rst":
            message += " (discourse trees are for the commands `spinal rst …`)"
        raise InputError(message, Place(self._source, self._parser.line))

    def _end(self, name: str) -> None:
        if name != "s" or self._sentence is None:
            return
        sentence, self._sentence = self._sentence, None
        self._sentences += 1
        try:
            tree = bracketed(sentence)
            record = tree.text.encode()
            self._raised += tree.was_raised
            self._lowered += tree.was_lowered
        except BadSentenceError as error:
            # A record is a line without brackets that do not balance.
            reason = f"{sentence.name}: {error}".translate(_IN_REASONS)
            record = _UNREADABLE + reason.encode()
        self._done.append((sentence.line, record))

    def _warn(self) -> None:
        """Warn, once, of what is in the XML and not in the brackets."""
        notes = []
        if n := self._raised:
            have = "has" if n == 1 else "have"
            trees = counted(self._sentences, "tree")
            notes.append(
                f"{n:,} of {trees} {have} crossing branches, resolved by raising"
            )
        if n := self._lowered:
            notes.append(
                f"in {counted(n, 'tree')} words under the root moved down to "
                "their neighbours"
            )
        if n := self._secondary_edges:
            notes.append(f"{counted(n, 'secondary edge')} left out")
        if n := self._elsewhere:
            notes.append(f"{counted(n, 'part')} in other files (external=…) not read")
        self._raised = self._lowered = self._secondary_edges = self._elsewhere = 0
        if notes:
            message = f"{self._source}: {'; '.join(notes)}"
            warnings.warn(message, InputWarning, stacklevel=2)


def as_bracket_lines(
    stream: IO[bytes], source: str, *, is_utf8: bool = False
) -> IO[bytes]:
    """The stream of `BracketLines`, as a file of bytes."""
    return cast(IO[bytes], BracketLines(stream, source, is_utf8=is_utf8))
