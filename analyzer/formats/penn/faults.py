"""What is wrong with a record, in the words of someone who edits treebanks.

`grammars/ptb.lark` defines what is well formed. A file may hold thousands of bad
records, so the compiled kernel finds where each stops being so; without it, Lark does,
which takes a thousand times as long. The tests compare the two.
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from analyzer import _native
from analyzer.exceptions import Place, TreeSyntaxError
from analyzer.formats.penn.records import Layout
from analyzer.formats.penn.scanner import kind_table, scan, surrounded
from analyzer.safe_text import printable
from grammars import MismatchError, nodes_of, reader

_EXCERPT_BEFORE = 50
_EXCERPT_AFTER = 30
_BRACKET_AS_WORD = re.compile(r"\([^\s()]+ +\(\)|\([()] +[()]")
_BRACKET_HINT = "a bracket that is a word is written -LRB- or -RRB-"
_BRACKET = re.compile(rb"[()]")
_NOTHING = b"()"


class Kind(Enum):
    """What stands where something else was expected; in the kernel's order."""

    END = "the end, with a bracket open"
    CLOSE = "a ')' that closes nothing"
    OPEN = "a '(' after a word"
    SECOND_WORD = "a word after a word"
    OUTSIDE = "a word outside of any bracket"
    BESIDE = "a word next to a bracket"


_KINDS = tuple(Kind)


class Fault(NamedTuple):
    """The first thing in a record that its grammar does not allow.

    At the end of the record that is the innermost bracket that is open.
    """

    kind: Kind
    at: int  # characters from the start of the record
    token: str
    still_open: int  # brackets


class BadLine(NamedTuple):
    """A line of a block that is no tree; its fault, if that is known already."""

    number: int  # from 0
    start: int
    end: int
    fault: Fault | None


def bad_lines(block: bytes) -> list[BadLine]:
    """The lines of a block without comments that the scanner does not take.

    >>> [(line.number, line.start) for line in bad_lines(b"(A a)\\n(B b\\n\\nC\\n")]
    [(1, 6), (3, 12)]
    """
    if _native.has_kernel():
        text = surrounded(block)
        return [_bad_line(text, row) for row in _native.faults(text, kind_table())]
    bad: list[BadLine] = []
    start = 0
    for number, line in enumerate(block.split(b"\n")):
        if scan(line, Layout.LINES, keep_blank_lines=True) is None:
            bad.append(BadLine(number, start, start + len(line), None))
        start += len(line) + 1
    return bad


def _bad_line(text: bytes, line: _native.RawFault) -> BadLine:
    """The text has one byte more in front than the block."""
    fault = None
    if line.kind <= len(_KINDS):
        before, token = text[line.start : line.at], text[line.at : line.at_end]
        at = len(before) if before.isascii() else len(before.decode())
        fault = Fault(_KINDS[line.kind - 1], at, token.decode(), line.still_open)
    return BadLine(line.line, line.start - 1, line.end - 1, fault)


def find_fault(record: str) -> Fault | None:
    """The first fault of a record by the grammar; None if it is well formed.

    >>> find_fault("(NP (DT the) (NN cat))")
    >>> fault = find_fault("(NN a cat)")
    >>> fault.kind.value, fault.at, fault.token
    ('a word after a word', 6, 'cat')
    """
    try:
        nodes_of(reader("ptb"), record)
    except MismatchError as mismatch:
        still_open = len(mismatch.opened)
        if mismatch.is_end:
            return Fault(Kind.END, mismatch.opened[-1], "", still_open)
        if mismatch.kind in ("CLOSE", "OPEN"):
            kind = Kind[mismatch.kind]
        elif mismatch.expected == {"CLOSE"}:
            kind = Kind.SECOND_WORD
        else:
            kind = Kind.BESIDE if still_open else Kind.OUTSIDE
        return Fault(kind, mismatch.at, mismatch.token, still_open)
    return None


def problem_of(
    record: bytes, *, place: Place, tree_line: int, fault: Fault | None = None
) -> TreeSyntaxError:
    """What is wrong with a record; `fault`, if that is known already.

    `place` is where the record starts; `tree_line` where its tree does.
    """
    try:
        text = decoded(record, place)
    except TreeSyntaxError as not_text:
        return not_text
    fault = fault or find_fault(text)
    assert fault is not None
    problem = placed(explained(text, fault), text, fault.at, place)
    if problem.place and problem.place.line != tree_line:
        return TreeSyntaxError(
            "E202 the tree starts on line",
            problem.place,
            problem.excerpt,
            message=problem.message,
            tree_line=tree_line,
        )
    return problem


def decoded(record: bytes, place: Place) -> str:
    """A record as text; TreeSyntaxError if it is none."""
    try:
        text = record.decode("utf-8")
    except UnicodeDecodeError as error:
        before = record[: error.start].decode("utf-8")
        from analyzer.files.encodings import likely_encoding  # few runs need it

        encoding = likely_encoding(record)
        problem = TreeSyntaxError(
            "E211 is not UTF-8", byte=record[error.start], encoding=encoding
        )
        shown = record.decode("utf-8", "replace")
        raise placed(problem, shown, len(before), place) from None
    if "\0" in text:
        raise placed(TreeSyntaxError("E212 a NUL byte"), text, text.index("\0"), place)
    return text


def explained(text: str, fault: Fault) -> TreeSyntaxError:
    """What is wrong with a record that has a fault."""
    if fault.kind is Kind.END:
        hint = f" ({_BRACKET_HINT})" if _BRACKET_AS_WORD.search(text) else ""
        return TreeSyntaxError(
            "E213 still open at the end, the innermost here",
            count=fault.still_open,
            hint=hint,
        )
    if fault.kind is Kind.CLOSE:
        return TreeSyntaxError("E214 without '(': no bracket is open here")
    if fault.kind is Kind.OPEN:
        return TreeSyntaxError(
            "E215 found '(' after a word; expected", hint=_BRACKET_HINT
        )
    if fault.kind is Kind.OUTSIDE:
        return TreeSyntaxError("E216 outside of any bracket", word=fault.token)
    if fault.kind is Kind.SECOND_WORD:
        return TreeSyntaxError("E217 found a second word", word=fault.token)
    return TreeSyntaxError("E218 next to a bracket", word=fault.token)


def placed(
    problem: TreeSyntaxError, text: str, at: int, place: Place
) -> TreeSyntaxError:
    """The problem where it stands in the text, with what stands around it."""
    line_start = text.rfind("\n", 0, at) + 1
    lines_before = text.count("\n", 0, at)
    line_end = text.find("\n", at)
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    column = at - line_start
    cut = max(0, column - _EXCERPT_BEFORE)
    excerpt = printable(line[cut : column + _EXCERPT_AFTER].rstrip("\r"))
    return problem.at(
        replace(place, line=(place.line or 1) + lines_before, column=column + 1),
        f"    {excerpt}\n    {' ' * (column - cut)}^",
    )


# -- of each line its first tree ----------------------------------------------------
# So the Berkeley Parser Analyser reads its files, which `repairs` has to follow: a line
# counts up to where its brackets are balanced first; a bracket that holds `()`, such as
# EVALB's failed parse `(())`, is passed over.


def needs_cutting(text: bytes) -> bool:
    """Whether a line that is well formed may hold more than the tree that counts."""
    return _NOTHING in text


def first_of_lines(text: bytes) -> bytes:
    """The text with spaces for what does not count in lines that need it.

    >>> first_of_lines(b"(A a) b\\n(()) (B b)\\n(C c)) (D d)\\n(E e) (F f)\\n(G g\\n")
    b'(A a)  \\n     (B b)\\n(C c)       \\n(E e) (F f)\\n(G g\\n'
    """
    lines = text.split(b"\n")
    bad = {line.number for line in bad_lines(text)}
    for number, line in enumerate(lines):
        if number in bad or _NOTHING in line:
            lines[number] = _first_tree(line)
    return b"\n".join(lines)


def _first_tree(line: bytes) -> bytes:
    """The line with spaces around its first tree; as it is if it has none."""
    start = -1  # where its first bracket opens
    begin = depth = 0
    for bracket in _BRACKET.finditer(line):
        opens = bracket[0] == b"("
        depth += 1 if opens else -1
        if start < 0 and opens:
            start = bracket.start()
        if depth or start < 0:
            continue
        end = bracket.end()
        if _NOTHING not in line[begin:end]:
            return b" " * start + line[start:end] + b" " * (len(line) - end)
        begin, start = end, -1
    return line
